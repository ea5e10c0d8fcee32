/* mote_render: sources -> splats -> bins -> tiles -> image -> post. */
#include "render/render.h"

#include "base/definition.h"
#include "base/status.h"
#include "render/backdrop.h"
#include "render/bins.h"
#include "render/line.h"
#include "render/liquid.h"
#include "render/sheet.h"
#include "render/slice.h"
#include "render/smoke.h"
#include "render/stage.h"
#include "render/tables.h"
#include "render/trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static mote_RenderDef render_defaults(void)
{
    mote_RenderDef def;
    mote_row_defaults(&render_row, &def);
    mote_row_defaults(&sky_row, &def.backdrop);
    mote_row_defaults(&ground_row, &def.ground);
    mote_row_defaults(&trace_row, &def.trace);
    def.camera = mote_camera_def();
    return def;
}

DEFINITION_MAKER(mote_RenderDef, mote_render_def, render_defaults)

/* ---- tiles ---- */

/* Memory of one worker. */
typedef struct Easel {
    Tile tile;
    size_t room; /* of the next three */
    const Splat **splats;
    uint64_t *keys, *spare;
    StageScratch stage;
    float (*behind)[4]; /* colours of the stage, row by row */
    bool failed;        /* out of memory */
} Easel;

typedef struct Picture {
    mote_Image *image;
    const mote_Frame *frame;
    View view;
    Backdrop backdrop;
    RenderSolids solids;
    Facets facets;
    FacetShadow facet_shadows[MOTE_LIGHTS_MOST]; /* zero: nothing is in the way */
    Lights lights;
    SheetList sheets;
    Smoke smoke;
    Stage stage;
    Liquid liquid;
    float (*behind)[4]; /* with a liquid: what is behind all splats, of the whole picture */
    PictureLines lines;
    SplatSource *sources; /* of the systems; behind them what is drawn */
    SplatBins bins;
    Easel *easels;
    DepthPlane depth; /* of the opaque scene */
    Shading shading;  /* light on spheres */
    bool spheres;     /* there are some */
} Picture;

static bool easel_take(Easel *easel, const Picture *picture, Arena *arena)
{
    const size_t side = (size_t)picture->bins.tile, stride = side + RUN;
    const size_t row = stride * sizeof(float), plane = side * row;
    Tile *tile = &easel->tile;
    *easel = (Easel){.behind = arena_take(arena, side * side * sizeof *easel->behind)};
    tile->stride = (int)stride;
    tile->view = picture->bins.view, tile->shading = &picture->shading;
    tile->sheets = &picture->sheets;
    tile->planes = arena_take(arena, 4 * plane + 4 * row); /* a row to spare, see blend.c */
    tile->behind = arena_take(arena, plane);
    tile->closed = arena_take(arena, side * stride / RUN);
    bool good = easel->behind != NULL && tile->planes != NULL && tile->behind != NULL &&
                tile->closed != NULL;
    if (good) memset(tile->behind, 0, plane), memset(tile->closed, 0, side * stride / RUN);
    if (good && (picture->spheres || picture->depth.z != NULL))
        good = (tile->z = arena_take(arena, plane)) != NULL;
    if (good && picture->spheres) good = (tile->solid = arena_take(arena, 4 * plane)) != NULL;
    return good && stage_scratch_take(&easel->stage, &picture->stage, (int)side, arena);
}

/* Room for the splats of a tile, with some to spare for the next. */
static bool easel_reserve(Easel *easel, SplatBins *bins, size_t splats)
{
    if (splats <= easel->room) return true;
    easel->room = splats + splats / 2;
    easel->splats = bins_take(bins, easel->room * sizeof *easel->splats);
    easel->keys = bins_take(bins, easel->room * sizeof *easel->keys);
    easel->spare = bins_take(bins, easel->room * sizeof *easel->spare);
    if (easel->splats != NULL && easel->keys != NULL && easel->spare != NULL) return true;
    easel->room = 0;
    easel->failed = true;
    return false;
}

/* The opaque scene's depth at the tile; infinite where there is none and beside the picture. */
static void tile_clear_depth(Tile *tile, DepthPlane depth)
{
    const SplatBounds box = tile->box;
    const size_t stride = (size_t)tile->stride, width = (size_t)(box.x1 - box.x0);
    for (int y = box.y0; y < box.y1; ++y) {
        float *row = tile->z + (size_t)(y - box.y0) * stride;
        for (size_t x = 0; x < stride; ++x) row[x] = (float)INFINITY;
        if (depth.z != NULL)
            memcpy(row, depth.z + (size_t)y * depth.stride + (size_t)box.x0, width * sizeof *row);
    }
}

static int tile_runs(SplatBounds box)
{
    return (box.y1 - box.y0) * ((box.x1 - box.x0 + RUN - 1) / RUN);
}

/* No run is closed: `behind` and `closed` are 0. Nothing comes through beside the box, so that what
 * is painted there cannot keep a run open. */
static void tile_clear(Tile *tile, SplatBounds box, DepthPlane depth)
{
    const size_t rows = (size_t)(box.y1 - box.y0), width = (size_t)(box.x1 - box.x0);
    const size_t stride = (size_t)tile->stride;
    tile->box = box;
    tile->limits = limits_make(box);
    tile->open = tile_runs(box);
    memset(tile->planes, 0, (rows + 1) * 4 * stride * sizeof(float));
    for (size_t y = 0; y < rows; ++y) {
        float *through = tile->planes + (y * 4 + 3) * stride;
        for (size_t x = 0; x < width; ++x) through[x] = 1;
    }
    if (tile->z != NULL) tile_clear_depth(tile, depth);
    if (tile->solid != NULL) memset(tile->solid, 0, rows * 4 * stride * sizeof(float));
}

/* Opens all runs again. */
static void tile_open(Tile *tile)
{
    const size_t rows = (size_t)(tile->box.y1 - tile->box.y0), stride = (size_t)tile->stride;
    if (tile->open == tile_runs(tile->box)) return;
    memset(tile->closed, 0, rows * stride / RUN);
    memset(tile->behind, 0, rows * stride * sizeof(float));
}

/* Light of the splats and of what comes through from behind them. */
static void tile_store(const Easel *easel, const Picture *picture)
{
    const Tile *tile = &easel->tile;
    const SplatBounds box = tile->box;
    const size_t stride = (size_t)tile->stride, width = (size_t)picture->image->width;
    const RenderKernels *kernels = picture->bins.kernels;
    StoreJob job = {.stride = tile->stride, .count = box.x1 - box.x0};
    for (int y = box.y0; y < box.y1; ++y) {
        const size_t row = (size_t)(y - box.y0);
        job.planes = tile->planes + row * 4 * stride, job.closed = tile->behind + row * stride;
        job.solid = tile->solid != NULL ? tile->solid + row * 4 * stride : NULL;
        if (picture->behind != NULL)
            job.backdrop = (const float(*)[4])picture->behind + (size_t)y * width + (size_t)box.x0;
        else if (picture->stage.shown)
            job.backdrop = (const float(*)[4])easel->behind + row * (size_t)job.count;
        kernels->store(&job, picture->image->pixels + 4 * ((size_t)y * width + (size_t)box.x0));
    }
    stores_end();
}

static void draw_tile(Picture *picture, Easel *easel, size_t t)
{
    SplatBins *bins = &picture->bins;
    const RenderKernels *kernels = bins->kernels;
    if (!easel_reserve(easel, bins, bins_most(bins, t))) return;
    size_t count = bins_gather(bins, t, easel->splats, easel->keys);
    if (picture->stage.shown && picture->behind == NULL)
        stage_tile(&picture->stage, t, bins_box(bins, t), &easel->stage, easel->behind);
    tile_clear(&easel->tile, bins_box(bins, t), picture->depth);
    splat_order(easel->splats, count, easel->keys, easel->spare);
    if (picture->spheres) kernels->solid(&easel->tile, easel->splats, easel->keys, count);
    kernels->blend(&easel->tile, easel->splats, easel->keys, count);
    tile_store(easel, picture);
    tile_open(&easel->tile);
}

static void draw_tiles(void *context, size_t begin, size_t end, int worker)
{
    Picture *picture = context;
    for (size_t t = begin; t < end; ++t) draw_tile(picture, &picture->easels[worker], t);
}

/* ---- the whole picture ---- */

static bool take_easels(Picture *picture, size_t workers)
{
    Arena *arena = picture->bins.arena;
    picture->easels = arena_take(arena, workers * sizeof *picture->easels);
    if (picture->easels == NULL) return false;
    for (size_t w = 0; w < workers; ++w)
        if (!easel_take(&picture->easels[w], picture, arena)) return false;
    return true;
}

/* Shadows of triangles: of every sun that has some. Lamps have none of them. */
static bool make_facet_shadows(Picture *p, Arena *arena)
{
    if (p->facets.count == 0) return true;
    p->lights.facets = p->facet_shadows;
    for (size_t i = 0; i < p->lights.count; ++i) {
        const Light *light = &p->lights.lights[i];
        if (light->point || !light->shadows) continue;
        if (!facet_shadow_make(&p->facet_shadows[i], &p->facets, light->toward, arena))
            return false;
    }
    return true;
}

/* What is opaque, and the light on it. */
static bool set_stage(Picture *p, const mote_RenderDef *def, int tile)
{
    Arena *arena = &p->image->arena;
    if (!facets_make(&p->facets, p->frame, p->sources, &p->view, tile, arena)) return false;
    if (!make_facet_shadows(p, arena)) return false;
    if (!smoke_make(&p->smoke, &p->lights, &p->view, p->sources, p->frame->system_count, arena,
                    def->tasks))
        return false;
    p->stage = (Stage){.view = &p->view,
                       .backdrop = &p->backdrop,
                       .solids = &p->solids,
                       .facets = &p->facets,
                       .lights = &p->lights,
                       .transparent = def->backdrop.transparent};
    p->stage.shown =
        !p->stage.transparent || p->solids.count > 0 || p->facets.count > 0 || p->liquid.count > 0;
    if (p->solids.count == 0 && p->facets.count == 0 && p->liquid.count == 0) return true;
    p->stage.stride = (size_t)p->view.width + RUN;
    size_t floats = p->stage.stride * (size_t)p->view.height;
    p->stage.depth = arena_take(arena, floats * sizeof(float));
    for (size_t i = 0; p->stage.depth != NULL && i < floats; ++i)
        p->stage.depth[i] = (float)INFINITY;
    p->depth = (DepthPlane){p->stage.depth, p->stage.stride};
    return p->stage.depth != NULL;
}

/* The sources of splats: systems that are not hidden, and lines. */
static size_t list_drawn(Picture *p, SplatSource *drawn)
{
    size_t count = 0;
    for (size_t s = 0; s < p->frame->system_count; ++s)
        if (!p->sources[s].hidden && !p->sources[s].profile->liquid) drawn[count++] = p->sources[s];
    const PictureLines *lines = &p->lines;
    if (lines->flat.count > 0) drawn[count++] = lines_source(&lines->flat, 1);
    if (lines->glows.count > 0) drawn[count++] = lines_source(&lines->glows, 0);
    return count;
}

/* ---- liquids ---- */

static void stage_tiles(void *context, size_t begin, size_t end, int worker)
{
    Picture *p = context;
    Easel *easel = &p->easels[worker];
    const size_t width = (size_t)p->view.width;
    for (size_t t = begin; t < end; ++t) {
        const SplatBounds box = bins_box(&p->bins, t);
        const size_t count = (size_t)(box.x1 - box.x0);
        stage_tile(&p->stage, t, box, &easel->stage, easel->behind);
        for (int y = box.y0; y < box.y1; ++y)
            memcpy(p->behind + (size_t)y * width + (size_t)box.x0,
                   easel->behind + (size_t)(y - box.y0) * count, count * sizeof *p->behind);
    }
}

/* The stage of the whole picture, because a liquid bends the light of one tile into another, and
 * the liquid over it. */
static bool draw_liquid(Picture *p, mote_Tasks *tasks)
{
    const size_t bytes = (size_t)p->view.width * (size_t)p->view.height * sizeof *p->behind;
    float(*dry)[4] = arena_take(p->bins.arena, bytes);
    p->behind = arena_take(p->bins.arena, bytes);
    if (p->behind == NULL || dry == NULL) return false;
    mote_parallel_for(tasks, bins_tiles(&p->bins), 1, stage_tiles, p);
    memcpy(dry, p->behind, bytes);
    liquid_surface(&p->liquid, p->depth, tasks);
    liquid_draw(&p->liquid, &p->stage, (const float(*)[4])dry, p->behind, tasks);
    return true;
}

static bool draw_splats(Picture *picture, const SplatSource *sources, size_t count,
                        mote_Tasks *tasks)
{
    SplatBins *bins = &picture->bins;
    const size_t workers = (size_t)mote_tasks_workers(tasks);
    bool good = bins_fill(bins, sources, count, tasks) && take_easels(picture, workers);
    if (good && picture->liquid.count > 0) good = draw_liquid(picture, tasks);
    if (good) mote_parallel_for(tasks, bins_tiles(bins), 1, draw_tiles, picture);
    for (size_t w = 0; good && w < workers; ++w) good = !picture->easels[w].failed;
    bins_end(bins);
    return good;
}

static bool draw(Picture *p, const mote_RenderDef *def, int tile)
{
    Arena *arena = &p->image->arena;
    SplatSource *drawn = p->sources + p->frame->system_count;
    if (!liquid_make(&p->liquid, &p->view, p->sources, p->frame->system_count, arena)) return false;
    bool shadowed = p->backdrop.plane_count > 0 && !p->backdrop.flat && def->ground.shadow > 0;
    if (!set_stage(p, def, tile)) return false;
    size_t count = list_drawn(p, drawn);
    if (shadowed && !shadow_make(&p->backdrop.shadow, &p->view, &p->backdrop.planes[0], p->sources,
                                 p->frame->system_count, arena))
        return false;
    p->bins = (SplatBins){.kernels = render_kernels(),
                          .view = &p->view,
                          .arena = arena,
                          .planes = p->backdrop.planes,
                          .plane_count = p->backdrop.plane_count,
                          .tile = tile};
    for (size_t s = 0; s < count; ++s)
        p->spheres |= drawn[s].profile != NULL && drawn[s].profile->form == PROFILE_SPHERE;
    p->shading = shading_make(&p->lights, &p->view);
    return draw_splats(p, drawn, count, def->tasks);
}

static mote_Status check_def(const mote_RenderDef *def, mote_Error *error)
{
    const struct {
        const mote_Row *row;
        const void *params;
    } parts[] = {{&render_row, def},
                 {&sky_row, &def->backdrop},
                 {&ground_row, &def->ground},
                 {&trace_row, &def->trace}};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == MOTE_OK; ++i)
        status = mote_row_check(parts[i].row, parts[i].row->name, parts[i].params, error);
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
    image->features = NULL;
    picture.sources = arena_take(arena, (2 * frame->system_count + 2) * sizeof *picture.sources);
    if (picture.sources == NULL) return status_no_memory(error, "a picture", sizeof(SplatSource));
    status = sources_make(def, frame, picture.sources, error);
    if (status == MOTE_OK)
        status = sheets_make(def, frame, picture.sources, arena, &picture.sheets, error);
    if (status == MOTE_OK)
        status = solids_make(def, frame, &picture.view, arena, &picture.solids, error);
    if (status == MOTE_OK)
        status = lights_make(def, &picture.view, &picture.solids, &picture.lights, error);
    if (status != MOTE_OK) return status;
    backdrop_make(def, frame, &picture.view, &picture.backdrop);
    picture.backdrop.lights = &picture.lights;
    picture.solids.planes = picture.backdrop.planes;
    picture.solids.plane_count = picture.backdrop.flat ? 0 : picture.backdrop.plane_count;
    picture.lines = (PictureLines){lines_make(arena), lines_make(arena), lines_make(arena)};
    if (!lines_collect(&picture.lines, def, frame, &picture.view, picture.sources, &picture.solids))
        return status_no_memory(error, "the lines of a picture", arena->total);
    if (def->trace.samples > 0) {
        TraceSky sky;
        if (!trace_sky_make(&picture.backdrop, arena, &sky))
            return status_no_memory(error, "the sky of a picture", arena->total);
        TraceInput input = {def,
                            frame,
                            &picture.view,
                            &picture.backdrop,
                            &picture.solids,
                            &picture.lights,
                            picture.sources,
                            &picture.lines,
                            &sky,
                            render_kernels(),
                            NULL};
        status = trace_picture(&input, image, error);
        return status == MOTE_OK ? post_apply(def, image, error) : status;
    }
    if (!draw(&picture, def, tile)) return status_no_memory(error, "a picture", arena->total);
    return post_apply(def, image, error);
}

mote_Status mote_render(const mote_RenderDef *given, const mote_Frame *frame, mote_Image *image,
                        mote_Error *error)
{
    DEFINITION_TAKE(mote_RenderDef, mote_render_def);
    if (def->slice != NULL) return slice_render(def, frame, image, error);
    return render_with_tiles(def, frame, TILE, image, error);
}
