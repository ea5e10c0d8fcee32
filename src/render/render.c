/* mote_render: sources -> splats -> bins -> tiles -> image -> post. */
#include "render/render.h"

#include "base/status.h"
#include "render/backdrop.h"
#include "render/bins.h"
#include "render/order.h"

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
    float (*behind)[3]; /* colours of a row of the backdrop */
} Easel;

typedef struct Picture {
    mote_Image *image;
    Backdrop *backdrop;
    Bins bins;
    Easel *easels;
    DepthPlane depth; /* of the opaque scene */
    Shading shading;  /* light on spheres */
} Picture;

static bool easel_take(Easel *easel, const Bins *bins, Arena *arena)
{
    const size_t side = (size_t)bins->tile, stride = side + RUN, most = bins->most + 1;
    easel->tile.stride = (int)stride;
    easel->tile.planes = arena_take(arena, side * 4 * stride * sizeof(float));
    easel->tile.behind = arena_take(arena, side * stride * sizeof(float));
    easel->tile.closed = arena_take(arena, side * stride / RUN);
    easel->order = arena_take(arena, most * sizeof *easel->order);
    easel->spare = arena_take(arena, most * sizeof *easel->spare);
    easel->behind = arena_take(arena, side * sizeof *easel->behind);
    return easel->tile.planes != NULL && easel->tile.behind != NULL && easel->tile.closed != NULL &&
           easel->order != NULL && easel->spare != NULL && easel->behind != NULL;
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

/* Light of the splats and of what comes through from behind them. */
static void tile_store(const Easel *easel, const Picture *picture)
{
    const Tile *tile = &easel->tile;
    const Bounds box = tile->box;
    const int stride = tile->stride;
    const float solid = picture->backdrop->def->backdrop.transparent ? 0 : 1;
    for (int y = box.y0; y < box.y1; ++y) {
        const float *row = tile_row(tile, y), *closed = tile->behind + (y - box.y0) * stride;
        float *out = picture->image->pixels +
                     4 * ((size_t)y * (size_t)picture->image->width + (size_t)box.x0);
        backdrop_row(picture->backdrop, box.x0, y, box.x1 - box.x0, easel->behind);
        for (int x = 0; x < box.x1 - box.x0; ++x, out += 4) {
            float through = row[3 * stride + x] + closed[x];
            for (int k = 0; k < 3; ++k)
                out[k] = row[k * stride + x] + through * easel->behind[x][k];
            out[3] = solid > 0 ? 1 : 1 - through;
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
        tile_clear(&easel->tile, bins_box(bins, t));
        easel->tile.view = bins->view;
        easel->tile.depth = picture->depth;
        splat_order(splats, count, easel->order, easel->spare);
        render_kernels()->blend(&easel->tile, splats, easel->order, count);
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
        if (!easel_take(&picture->easels[w], &picture->bins, arena)) return false;
    return true;
}

static bool draw(Picture *picture, const Source *sources, size_t count, mote_Tasks *tasks)
{
    Arena *arena = &picture->image->arena;
    Backdrop *backdrop = picture->backdrop;
    Bins *bins = &picture->bins;
    bool shadowed =
        backdrop->plane_count > 0 && !backdrop->flat && backdrop->def->ground.shadow > 0;
    if (shadowed &&
        !shadow_make(&backdrop->shadow, bins->view, &backdrop->planes[0], sources, count, arena))
        return false;
    if (!bins_fill(bins, sources, count, arena, tasks)) return false;
    if (!take_easels(picture, arena, tasks)) return false;
    while (bins_next_band(bins, tasks))
        mote_parallel_for(tasks, bins->last - bins->first, 1, draw_tiles, picture);
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
    if (status == MOTE_OK) status = check_color("zenith", def->backdrop.zenith, error);
    if (status == MOTE_OK) status = check_color("ground.colors", def->ground.colors[0], error);
    if (status == MOTE_OK) status = check_color("ground.colors", def->ground.colors[1], error);
    return status;
}

mote_Status render_with_tiles(const mote_RenderDef *def, const mote_Frame *frame, int tile,
                              mote_Image *image, mote_Error *error)
{
    assert(tile >= RUN && (tile & (tile - 1)) == 0);
    View view;
    Backdrop backdrop;
    mote_Status status = check_def(def, error);
    if (status == MOTE_OK) status = view_make(&def->camera, frame, image, &view, error);
    if (status != MOTE_OK) return status;
    arena_reset(&image->arena);
    Source *sources = arena_take(&image->arena, (frame->system_count + 1) * sizeof *sources);
    if (sources == NULL) return status_no_memory(error, "a picture", sizeof *sources);
    status = sources_make(def, frame, sources, error);
    if (status != MOTE_OK) return status;
    backdrop_make(def, frame, &view, &backdrop);
    Picture picture = {.image = image, .backdrop = &backdrop};
    picture.bins = (Bins){.view = &view,
                          .planes = backdrop.planes,
                          .plane_count = backdrop.plane_count,
                          .tile = tile};
    if (!draw(&picture, sources, frame->system_count, def->tasks))
        return status_no_memory(error, "a picture", image->arena.total);
    return post_apply(def, image, error);
}

mote_Status mote_render(const mote_RenderDef *def, const mote_Frame *frame, mote_Image *image,
                        mote_Error *error)
{
    return render_with_tiles(def, frame, TILE, image, error);
}
