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
    size_t room; /* of the next three */
    Splat *slots;
    uint64_t *keys, *spare;
    float (*behind)[3]; /* colours of a row of the backdrop */
    bool failed;        /* out of memory */
} Easel;

typedef struct Picture {
    mote_Image *image;
    Backdrop *backdrop;
    Bins bins;
    Easel *easels;
    DepthPlane depth; /* of the opaque scene */
    Shading shading;  /* light on spheres */
    bool spheres;     /* there are some */
} Picture;

static bool easel_take(Easel *easel, const Picture *picture, Arena *arena)
{
    const size_t side = (size_t)picture->bins.tile, stride = side + RUN;
    const size_t plane = side * stride * sizeof(float);
    Tile *tile = &easel->tile;
    *easel = (Easel){.behind = arena_take(arena, side * sizeof *easel->behind)};
    tile->stride = (int)stride;
    tile->view = picture->bins.view, tile->shading = &picture->shading;
    tile->planes = arena_take(arena, 4 * plane);
    tile->behind = arena_take(arena, plane);
    tile->closed = arena_take(arena, side * stride / RUN);
    bool good = easel->behind != NULL && tile->planes != NULL && tile->behind != NULL &&
                tile->closed != NULL;
    if (good) memset(tile->behind, 0, plane), memset(tile->closed, 0, side * stride / RUN);
    if (good && (picture->spheres || picture->depth.z != NULL))
        good = (tile->z = arena_take(arena, plane)) != NULL;
    if (good && picture->spheres) good = (tile->solid = arena_take(arena, 4 * plane)) != NULL;
    return good;
}

/* Room for the splats of a tile, with some to spare for the next. */
static bool easel_reserve(Easel *easel, Bins *bins, size_t slots)
{
    if (slots <= easel->room) return true;
    easel->room = slots + slots / 2;
    easel->slots = bins_take(bins, easel->room * sizeof *easel->slots);
    easel->keys = bins_take(bins, easel->room * sizeof *easel->keys);
    easel->spare = bins_take(bins, easel->room * sizeof *easel->spare);
    if (easel->slots != NULL && easel->keys != NULL && easel->spare != NULL) return true;
    easel->room = 0;
    easel->failed = true;
    return false;
}

/* The opaque scene's depth at the tile; infinite where there is none and beside the picture. */
static void tile_clear_depth(Tile *tile, DepthPlane depth)
{
    const Bounds box = tile->box;
    const size_t stride = (size_t)tile->stride, width = (size_t)(box.x1 - box.x0);
    for (int y = box.y0; y < box.y1; ++y) {
        float *row = tile->z + (size_t)(y - box.y0) * stride;
        for (size_t x = 0; x < stride; ++x) row[x] = (float)INFINITY;
        if (depth.z != NULL)
            memcpy(row, depth.z + (size_t)y * depth.stride + (size_t)box.x0, width * sizeof *row);
    }
}

static int tile_runs(Bounds box)
{
    return (box.y1 - box.y0) * ((box.x1 - box.x0 + RUN - 1) / RUN);
}

/* No run is closed: `behind` and `closed` are 0. */
static void tile_clear(Tile *tile, Bounds box, DepthPlane depth)
{
    const size_t rows = (size_t)(box.y1 - box.y0), stride = (size_t)tile->stride;
    tile->box = box;
    tile->limits = limits_make(box);
    tile->open = tile_runs(box);
    memset(tile->planes, 0, rows * 4 * stride * sizeof(float));
    for (size_t y = 0; y < rows; ++y) {
        float *through = tile->planes + (y * 4 + 3) * stride;
        for (size_t x = 0; x < stride; ++x) through[x] = 1;
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

static void tile_store(const Easel *easel, const Picture *picture)
{
    const Tile *tile = &easel->tile;
    const Bounds box = tile->box;
    const size_t stride = (size_t)tile->stride, width = (size_t)picture->image->width;
    const bool transparent = picture->backdrop->def->backdrop.transparent;
    const RenderKernels *kernels = picture->bins.kernels;
    StoreJob job = {.stride = tile->stride, .count = box.x1 - box.x0};
    for (int y = box.y0; y < box.y1; ++y) {
        const size_t row = (size_t)(y - box.y0);
        if (!transparent) backdrop_row(picture->backdrop, box.x0, y, job.count, easel->behind);
        job.planes = tile->planes + row * 4 * stride, job.closed = tile->behind + row * stride;
        job.solid = tile->solid != NULL ? tile->solid + row * 4 * stride : NULL;
        job.backdrop = transparent ? NULL : (const float(*)[3])easel->behind;
        kernels->store(&job, picture->image->pixels + 4 * ((size_t)y * width + (size_t)box.x0));
    }
}

static void draw_tile(Picture *picture, Easel *easel, size_t t)
{
    Bins *bins = &picture->bins;
    const RenderKernels *kernels = bins->kernels;
    if (!easel_reserve(easel, bins, bins_most(bins, t))) return;
    size_t count = bins_gather(bins, t, easel->slots, easel->keys);
    tile_clear(&easel->tile, bins_box(bins, t), picture->depth);
    splat_order(easel->slots, count, easel->keys, easel->spare);
    if (picture->spheres) kernels->solid(&easel->tile, easel->slots, easel->keys, count);
    kernels->blend(&easel->tile, easel->slots, easel->keys, count);
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

static bool draw_splats(Picture *picture, const Source *sources, size_t count, mote_Tasks *tasks)
{
    Bins *bins = &picture->bins;
    const size_t workers = (size_t)mote_tasks_workers(tasks);
    bool good = bins_fill(bins, sources, count, tasks) && take_easels(picture, workers);
    if (good) mote_parallel_for(tasks, bins_tiles(bins), 1, draw_tiles, picture);
    for (size_t w = 0; good && w < workers; ++w) good = !picture->easels[w].failed;
    bins_end(bins);
    return good;
}

static bool draw(Picture *picture, const Source *sources, size_t count, mote_Tasks *tasks)
{
    Arena *arena = &picture->image->arena;
    Backdrop *backdrop = picture->backdrop;
    bool shadowed =
        backdrop->plane_count > 0 && !backdrop->flat && backdrop->def->ground.shadow > 0;
    if (shadowed && !shadow_make(&backdrop->shadow, picture->bins.view, &backdrop->planes[0],
                                 sources, count, arena))
        return false;
    for (size_t s = 0; s < count; ++s)
        picture->spheres |=
            sources[s].kernel != NULL && sources[s].kernel->profile == PROFILE_SPHERE;
    return draw_splats(picture, sources, count, tasks);
}

/* A sun from the upper left behind the eye, and the sky. */
static Shading default_shading(void)
{
    return (Shading){.ambient = {0.25f, 0.25f, 0.25f},
                     .lights = {{.toward = {-0.48f, -0.64f, -0.6f}, .color = {0.8f, 0.8f, 0.8f}}},
                     .count = 1};
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
    Picture picture = {.image = image, .backdrop = &backdrop, .shading = default_shading()};
    picture.bins = (Bins){.kernels = render_kernels(),
                          .view = &view,
                          .arena = &image->arena,
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
