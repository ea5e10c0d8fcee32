/* mote_render: sources -> splats -> bins -> tiles -> image -> post. */
#include "render/render.h"

#include "base/status.h"
#include "render/backdrop.h"
#include "render/bins.h"
#include "render/line.h"
#include "render/order.h"
#include "render/smoke.h"
#include "render/stage.h"

#include <assert.h>
#include <math.h>
#include <string.h>

mote_RenderDef mote_render_def(void)
{
    const mote_real light = (mote_real)0.30, dark = (mote_real)0.22;
    return (mote_RenderDef){
        .camera = mote_camera_def(),
        .backdrop = {.horizon = {(mote_real)0.52, (mote_real)0.60, (mote_real)0.70},
                     .zenith = {(mote_real)0.10, (mote_real)0.20, (mote_real)0.42}},
        .ground = {.visible = true,
                   .colors = {{light, light, light}, {dark, dark, dark}},
                   .square = 1,
                   .fade = 40,
                   .shadow = (mote_real)0.8},
        .exposure = 1,
    };
}

/* ---- tiles ---- */

/* Memory of one worker. */
typedef struct Easel {
    Tile tile;
    uint64_t *order, *spare;
    StageScratch stage;
    float (*behind)[4]; /* colours of the stage, row by row */
} Easel;

typedef struct Picture {
    mote_Image *image;
    const mote_Frame *frame;
    View view;
    Backdrop backdrop;
    Solids solids;
    Facets facets;
    FacetShadow facet_shadow;
    Lights lights;
    Smoke smoke;
    Stage stage;
    Lines lines, glows; /* that hide what is behind, and that add light */
    Source *sources;    /* of the systems; behind them what is drawn */
    Bins bins;
    Easel *easels;
    DepthPlane depth; /* of the opaque scene */
    Shading shading;  /* light on spheres */
} Picture;

static bool easel_take(Easel *easel, const Picture *picture, Arena *arena)
{
    const Bins *bins = &picture->bins;
    const size_t side = (size_t)bins->tile, stride = side + RUN, most = bins->most + 1;
    easel->tile.stride = (int)stride;
    easel->tile.planes = arena_take(arena, side * 4 * stride * sizeof(float));
    easel->tile.behind = arena_take(arena, side * stride * sizeof(float));
    easel->tile.closed = arena_take(arena, side * stride / RUN);
    easel->order = arena_take(arena, most * sizeof *easel->order);
    easel->spare = arena_take(arena, most * sizeof *easel->spare);
    easel->behind = arena_take(arena, side * side * sizeof *easel->behind);
    return easel->tile.planes != NULL && easel->tile.behind != NULL && easel->tile.closed != NULL &&
           easel->order != NULL && easel->spare != NULL && easel->behind != NULL &&
           stage_scratch_take(&easel->stage, &picture->stage, bins->tile, arena);
}

static void tile_clear(Tile *tile, Bounds box)
{
    const int rows = box.y1 - box.y0, runs = (box.x1 - box.x0 + RUN - 1) / RUN;
    const size_t stride = (size_t)tile->stride;
    tile->box = box;
    tile->open = rows * runs;
    memset(tile->closed, 0, (size_t)rows * stride / RUN);
    memset(tile->behind, 0, (size_t)rows * stride * sizeof(float));
    for (int y = 0; y < rows; ++y) {
        float *row = tile->planes + (size_t)y * 4 * stride, *through = row + 3 * stride;
        memset(row, 0, 3 * stride * sizeof(float));
        for (size_t x = 0; x < stride; ++x) through[x] = 1;
    }
}

static float *image_row(const Picture *picture, Bounds box, int y)
{
    return picture->image->pixels +
           4 * ((size_t)y * (size_t)picture->image->width + (size_t)box.x0);
}

/* The stage goes into the image first where splats need its depth: they may look at their
 * neighbours' tiles. */
static void draw_stage(void *context, size_t begin, size_t end, int worker)
{
    Picture *picture = context;
    Easel *easel = &picture->easels[worker];
    for (size_t t = begin; t < end; ++t) {
        const Bounds box = bins_box(&picture->bins, t);
        const int width = box.x1 - box.x0;
        stage_tile(&picture->stage, t, box, &easel->stage, easel->behind);
        for (int y = box.y0; y < box.y1; ++y)
            memcpy(image_row(picture, box, y), easel->behind[(y - box.y0) * width],
                   (size_t)width * 4 * sizeof(float));
    }
}

/* Light of the splats and of what comes through from behind them. */
static void tile_store(const Easel *easel, const Picture *picture)
{
    const Tile *tile = &easel->tile;
    const Bounds box = tile->box;
    const int stride = tile->stride, width = box.x1 - box.x0;
    for (int y = box.y0; y < box.y1; ++y) {
        const float *row = tile_row(tile, y), *closed = tile->behind + (y - box.y0) * stride;
        float *out = image_row(picture, box, y);
        const float *behind =
            picture->stage.depth != NULL ? out : easel->behind[(y - box.y0) * width];
        for (int x = 0; x < width; ++x, out += 4, behind += 4) {
            float through = row[3 * stride + x] + closed[x];
            for (int k = 0; k < 3; ++k) out[k] = row[k * stride + x] + through * behind[k];
            out[3] = 1 - through * (1 - behind[3]);
        }
    }
}

static void draw_tiles(void *context, size_t begin, size_t end, int worker)
{
    Picture *picture = context;
    Bins *bins = &picture->bins;
    Easel *easel = &picture->easels[worker];
    for (size_t t = bins->first + begin; t < bins->first + end; ++t) {
        const Splat *splats = bins->entries + bins->starts[t];
        size_t count = bins->totals[t];
        const Bounds box = bins_box(bins, t);
        tile_clear(&easel->tile, box);
        easel->tile.view = bins->view;
        easel->tile.depth = picture->depth;
        splat_order(splats, count, easel->order, easel->spare);
        render_kernels()->blend(&easel->tile, splats, easel->order, count);
        if (picture->stage.depth == NULL)
            stage_tile(&picture->stage, t, box, &easel->stage, easel->behind);
        tile_store(easel, picture);
    }
}

/* ---- the whole picture ---- */

static bool take_easels(Picture *picture, Arena *arena, const mote_Tasks *tasks)
{
    const size_t workers = (size_t)mote_tasks_workers(tasks);
    picture->easels = arena_take(arena, workers * sizeof *picture->easels);
    if (picture->easels == NULL) return false;
    for (size_t w = 0; w < workers; ++w)
        if (!easel_take(&picture->easels[w], picture, arena)) return false;
    return true;
}

/* What is opaque, and the light on it. */
static bool set_stage(Picture *p, const mote_RenderDef *def, int tile)
{
    Arena *arena = &p->image->arena;
    const Light *sun = &p->lights.lights[0];
    if (!facets_make(&p->facets, p->frame, p->sources, &p->view, tile, arena)) return false;
    if (p->facets.count > 0 && !sun->point && sun->shadows) {
        if (!facet_shadow_make(&p->facet_shadow, &p->facets, sun->toward, arena)) return false;
        p->lights.facets = &p->facet_shadow;
    }
    if (!smoke_make(&p->smoke, &p->lights, &p->view, p->sources, p->frame->system_count, arena,
                    def->tasks))
        return false;
    p->stage = (Stage){.view = &p->view,
                       .backdrop = &p->backdrop,
                       .solids = &p->solids,
                       .facets = &p->facets,
                       .lights = &p->lights,
                       .transparent = def->backdrop.transparent};
    if (p->solids.count == 0 && p->facets.count == 0) return true;
    p->stage.stride = (size_t)p->view.width + RUN;
    size_t floats = p->stage.stride * (size_t)p->view.height;
    p->stage.depth = arena_take(arena, floats * sizeof(float));
    for (size_t i = 0; p->stage.depth != NULL && i < floats; ++i)
        p->stage.depth[i] = (float)INFINITY;
    p->depth = (DepthPlane){p->stage.depth, p->stage.stride};
    return p->stage.depth != NULL;
}

/* Trails, links and wires. */
static bool make_lines(Picture *p, const mote_RenderDef *def)
{
    p->lines = lines_make(&p->image->arena);
    p->glows = lines_make(&p->image->arena);
    for (size_t s = 0; s < p->frame->system_count; ++s) {
        const mote_FrameSystem *system = &p->frame->systems[s];
        const Source *source = &p->sources[s];
        mote_Look look = look_of(def, system->name);
        Lines *lines = source->occlusion > 0 ? &p->lines : &p->glows;
        if (look.trail > 0 && def->history_count > 0)
            trails_add(lines, def, &look, &p->view, system, source);
        if (source->linked || (def->show & MOTE_SHOW_LINKS) != 0)
            links_add(lines, p->frame, s, &look, &p->view, source);
    }
    wires_add(&p->lines, def, p->frame, &p->view, &p->solids);
    return !p->lines.failed && !p->glows.failed;
}

/* The sources of splats: systems that are not hidden, and lines. */
static size_t list_drawn(Picture *p, Source *drawn)
{
    size_t count = 0;
    for (size_t s = 0; s < p->frame->system_count; ++s)
        if (!p->sources[s].hidden) drawn[count++] = p->sources[s];
    if (p->lines.count > 0) drawn[count++] = lines_source(&p->lines, 1);
    if (p->glows.count > 0) drawn[count++] = lines_source(&p->glows, 0);
    return count;
}

static bool draw(Picture *p, const mote_RenderDef *def, int tile)
{
    Arena *arena = &p->image->arena;
    Source *drawn = p->sources + p->frame->system_count;
    bool shadowed = p->backdrop.plane_count > 0 && !p->backdrop.flat && def->ground.shadow > 0;
    if (!set_stage(p, def, tile) || !make_lines(p, def)) return false;
    size_t count = list_drawn(p, drawn);
    if (shadowed && !shadow_make(&p->backdrop.shadow, &p->view, &p->backdrop.planes[0], p->sources,
                                 p->frame->system_count, arena))
        return false;
    p->bins = (Bins){.view = &p->view,
                     .planes = p->backdrop.planes,
                     .plane_count = p->backdrop.plane_count,
                     .tile = tile};
    if (!bins_fill(&p->bins, drawn, count, arena, def->tasks)) return false;
    if (!take_easels(p, arena, def->tasks)) return false;
    if (p->stage.depth != NULL)
        mote_parallel_for(def->tasks, bins_tiles(&p->bins), 1, draw_stage, p);
    while (bins_next_band(&p->bins, def->tasks))
        mote_parallel_for(def->tasks, p->bins.last - p->bins.first, 1, draw_tiles, p);
    return true;
}

static mote_Status check_color(const char *name, mote_Vec3 c, mote_Error *error)
{
    bool good = c.x >= 0 && c.y >= 0 && c.z >= 0 && isfinite(c.x + c.y + c.z);
    if (good) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "render: %s is (%g, %g, %g), but must be a linear colour of finite parts "
                       "that are not negative",
                       name, (double)c.x, (double)c.y, (double)c.z);
}

static mote_Status check_def(const mote_RenderDef *def, mote_Error *error)
{
    const struct {
        const char *name, *range;
        mote_real value, most;
    } rows[] = {{"exposure", "at least 0", def->exposure, (mote_real)1e30},
                {"bloom", "between 0 and 1", def->bloom, 1},
                {"ground.square", "at least 0 m", def->ground.square, (mote_real)1e30},
                {"ground.fade", "at least 0 m", def->ground.fade, (mote_real)1e30},
                {"ground.shadow", "between 0 and 1", def->ground.shadow, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (!(rows[i].value >= 0 && rows[i].value <= rows[i].most))
            return status_fail(error, MOTE_BAD_VALUE, "render: %s is %g, but must be %s",
                               rows[i].name, (double)rows[i].value, rows[i].range);
    mote_Status status = check_color("horizon", def->backdrop.horizon, error);
    if (status == MOTE_OK) status = check_color("glow", def->backdrop.glow, error);
    if (status == MOTE_OK) status = check_color("ambient", def->ambient, error);
    if (status == MOTE_OK) status = check_color("zenith", def->backdrop.zenith, error);
    if (status == MOTE_OK) status = check_color("ground.colors", def->ground.colors[0], error);
    if (status == MOTE_OK) status = check_color("ground.colors", def->ground.colors[1], error);
    return status;
}

mote_Status render_with_tiles(const mote_RenderDef *def, const mote_Frame *frame, int tile,
                              mote_Image *image, mote_Error *error)
{
    assert(tile >= RUN && (tile & (tile - 1)) == 0);
    Picture picture = {.image = image, .frame = frame};
    Arena *arena = &image->arena;
    mote_Status status = check_def(def, error);
    if (status == MOTE_OK) status = view_make(&def->camera, frame, image, &picture.view, error);
    if (status != MOTE_OK) return status;
    arena_reset(arena);
    picture.sources = arena_take(arena, (2 * frame->system_count + 2) * sizeof *picture.sources);
    if (picture.sources == NULL) return status_no_memory(error, "a picture", sizeof(Source));
    status = sources_make(def, frame, picture.sources, error);
    if (status == MOTE_OK)
        status = solids_make(def, frame, &picture.view, arena, &picture.solids, error);
    if (status == MOTE_OK)
        status = lights_make(def, &picture.view, &picture.solids, &picture.lights, error);
    if (status != MOTE_OK) return status;
    backdrop_make(def, frame, &picture.view, &picture.backdrop);
    picture.backdrop.lights = &picture.lights;
    picture.solids.planes = picture.backdrop.planes;
    picture.solids.plane_count = picture.backdrop.flat ? 0 : picture.backdrop.plane_count;
    if (!draw(&picture, def, tile)) return status_no_memory(error, "a picture", arena->total);
    return post_apply(def, image, error);
}

mote_Status mote_render(const mote_RenderDef *def, const mote_Frame *frame, mote_Image *image,
                        mote_Error *error)
{
    return render_with_tiles(def, frame, TILE, image, error);
}
