/* Contact shadows. Every particle that hides light puts its area times opacity onto the ground
 * below it, spread over a width that grows with its height: into the map whose cells have about
 * that width. Coarse maps are then added to finer ones with linear interpolation. A shadow of
 * optical depth d lets 1 / (1 + d + d^2 / 2) of the light through. */
#include "render/shadow.h"

#include "render/float3.h"

#include <string.h>

#define FIXED      65536.0f /* steps per unit of optical depth */
#define DEPTH_MOST 1000.0f  /* of one particle in one cell */
enum { CELLS = 512 };

typedef struct Caster {
    float place[2]; /* m along the axes */
    float height;   /* m above the plane */
    float radius;
    float weight; /* opacity */
} Caster;

/* False for what casts no shadow. */
static bool caster_read(const Shadow *sh, const View *view, const SplatSource *s, size_t i,
                        Caster *c)
{
    const mote_Vec3 eye = view->from;
    float x[3] = {(float)(s->position[0][i] - eye.x), (float)(s->position[1][i] - eye.y),
                  (float)(s->position[2][i] - eye.z)};
    float opacity = s->opacity != NULL ? (float)s->opacity[i] : 1;
    c->radius = (s->radius != NULL ? (float)s->radius[i] : 0.01f) * s->size;
    c->height = dot3(sh->plane.normal, x) - sh->plane.offset;
    c->place[0] = dot3(sh->axis[0], x), c->place[1] = dot3(sh->axis[1], x);
    c->weight = (opacity < 1 ? opacity : 1) * s->occlusion;
    bool finite = c->place[0] > -1e15f && c->place[0] < 1e15f && c->place[1] > -1e15f &&
                  c->place[1] < 1e15f && c->height < 1e15f;
    return finite && c->height > -c->radius && c->radius > 0 && c->radius < 1e15f && c->weight > 0;
}

/* The square around all casters. */
static bool find_square(Shadow *sh, const View *view, const SplatSource *sources, size_t count)
{
    float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
    Caster c;
    for (size_t s = 0; s < count; ++s) {
        for (size_t i = 0; sources[s].occlusion > 0 && i < sources[s].count; ++i) {
            if (!caster_read(sh, view, &sources[s], i, &c)) continue;
            for (int k = 0; k < 2; ++k) {
                float margin = 2 * c.radius;
                low[k] = c.place[k] - margin < low[k] ? c.place[k] - margin : low[k];
                high[k] = c.place[k] + margin > high[k] ? c.place[k] + margin : high[k];
            }
        }
    }
    if (low[0] > high[0]) return false;
    float width = high[0] - low[0], length = high[1] - low[1];
    sh->side = 1.25f * (width > length ? width : length);
    sh->low[0] = 0.5f * (low[0] + high[0] - sh->side);
    sh->low[1] = 0.5f * (low[1] + high[1] - sh->side);
    return sh->side > 0;
}

static size_t level_start(int level)
{
    size_t start = 0;
    for (int k = 0; k < level; ++k) start += (size_t)(CELLS >> k) * (size_t)(CELLS >> k);
    return start;
}

/* Adds to the four cells around a point given in cells. */
static void deposit(uint64_t *map, int cells, const float at[2], float amount)
{
    float x = at[0] - 0.5f, y = at[1] - 0.5f;
    if (!(x >= 0 && y >= 0 && x < (float)(cells - 1) && y < (float)(cells - 1))) return;
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    uint64_t *corner = map + (size_t)iy * (size_t)cells + (size_t)ix;
    float scale = amount < DEPTH_MOST ? amount * FIXED : DEPTH_MOST * FIXED;
    corner[0] += (uint64_t)(scale * (1 - fx) * (1 - fy));
    corner[1] += (uint64_t)(scale * fx * (1 - fy));
    corner[cells] += (uint64_t)(scale * (1 - fx) * fy);
    corner[cells + 1] += (uint64_t)(scale * fx * fy);
}

/* Into the first map whose cells are as wide as the shadow. */
static void cast(Shadow *sh, const Caster *c)
{
    float width = c->radius + 0.5f * (c->height > 0 ? c->height : 0);
    float near = c->radius / (0.25f * c->height + c->radius); /* the sky lights it from around */
    float cell = sh->side / CELLS;
    int level = 0;
    while (level < SHADOW_LEVELS - 1 && cell < width) cell *= 2, ++level;
    float at[2] = {(c->place[0] - sh->low[0]) / cell, (c->place[1] - sh->low[1]) / cell};
    float area = 3.14159265f * c->radius * c->radius / (cell * cell);
    deposit(sh->sums + level_start(level), CELLS >> level, at, area * c->weight * near);
}

static float depth_at(const float *map, int cells, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < cells && y < cells;
    return inside ? map[(size_t)y * (size_t)cells + (size_t)x] : 0;
}

/* A coarser map at the middle of cell (x, y) of the map twice as fine, linearly. */
static float enlarged(const float *coarse, int cells, int x, int y)
{
    int x0 = x / 2, y0 = y / 2, x1 = x & 1 ? x0 + 1 : x0 - 1, y1 = y & 1 ? y0 + 1 : y0 - 1;
    return 0.5625f * depth_at(coarse, cells, x0, y0) + 0.1875f * depth_at(coarse, cells, x1, y0) +
           0.1875f * depth_at(coarse, cells, x0, y1) + 0.0625f * depth_at(coarse, cells, x1, y1);
}

/* Adds up the maps from coarse to fine; repeated enlarging makes the coarse ones smooth. */
static void collect(Shadow *sh)
{
    for (int level = SHADOW_LEVELS - 1; level >= 0; --level) {
        const int cells = CELLS >> level;
        const uint64_t *sums = sh->sums + level_start(level);
        const float *coarse = sh->depth + level_start(level + 1);
        float *out = sh->depth + level_start(level);
        for (int y = 0; y < cells; ++y) {
            for (int x = 0; x < cells; ++x, ++sums, ++out) {
                *out = (float)*sums * (1 / FIXED);
                if (level < SHADOW_LEVELS - 1) *out += enlarged(coarse, cells / 2, x, y);
            }
        }
    }
}

static void make_axes(Shadow *sh)
{
    const float *n = sh->plane.normal;
    int other = n[0] * n[0] < 0.5f ? 0 : 1;
    float d = n[other], *a = sh->axis[0], *b = sh->axis[1];
    for (int k = 0; k < 3; ++k) a[k] = (k == other ? 1.0f : 0.0f) - d * n[k];
    float scale = 1 / __builtin_sqrtf(dot3(a, a));
    for (int k = 0; k < 3; ++k) a[k] *= scale;
    b[0] = n[1] * a[2] - n[2] * a[1];
    b[1] = n[2] * a[0] - n[0] * a[2];
    b[2] = n[0] * a[1] - n[1] * a[0];
}

bool shadow_make(Shadow *sh, const View *view, const SplatPlane *plane, const SplatSource *sources,
                 size_t count, Arena *arena)
{
    *sh = (Shadow){.plane = *plane, .cells = CELLS};
    make_axes(sh);
    if (!find_square(sh, view, sources, count)) return true;
    size_t sums = level_start(SHADOW_LEVELS) * sizeof *sh->sums;
    sh->sums = arena_take(arena, sums);
    sh->depth = arena_take(arena, level_start(SHADOW_LEVELS) * sizeof *sh->depth);
    if (sh->sums == NULL || sh->depth == NULL) return false;
    memset(sh->sums, 0, sums);
    Caster c;
    for (size_t s = 0; s < count; ++s)
        for (size_t i = 0; sources[s].occlusion > 0 && i < sources[s].count; ++i)
            if (caster_read(sh, view, &sources[s], i, &c)) cast(sh, &c);
    collect(sh);
    sh->present = true;
    return true;
}

float shadow_light(const Shadow *sh, const float point[3])
{
    if (!sh->present) return 1;
    float cell = sh->side / CELLS;
    float x = (dot3(sh->axis[0], point) - sh->low[0]) / cell - 0.5f;
    float y = (dot3(sh->axis[1], point) - sh->low[1]) / cell - 0.5f;
    if (!(x >= 0 && y >= 0 && x < CELLS - 1 && y < CELLS - 1)) return 1;
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *d = sh->depth + (size_t)iy * CELLS + (size_t)ix;
    float depth =
        (d[0] * (1 - fx) + d[1] * fx) * (1 - fy) + (d[CELLS] * (1 - fx) + d[CELLS + 1] * fx) * fy;
    return 1 / (1 + depth + 0.5f * depth * depth);
}
