/* Light in smoke. For every sun a grid whose third axis runs along its light: each particle adds
 * its cross-section over the area of a cell, opacity 2 pi (deviation radius)^2 / cell^2, to the
 * eight cells around it; sums along the axis are the optical depth, and exp(-depth) is what
 * arrives. The light of the sky comes down a second grid and spreads sideways on its way. Sums are
 * integers, so that they do not depend on the order of the particles. */
#include "render/smoke.h"

#include "base/math.h"
#include "render/float3.h"

#include <string.h>

#define FIXED      1073741824.0f /* steps per unit of optical depth */
#define DEPTH_MOST 100.0f        /* of one particle in one cell */
#define PACKED     2.0f          /* radii of a cell among spheres: as far as they are apart */
enum { CELLS_MOST = 128, GRAIN = 4096, SLAB = 4 };

/* What is deposited, and from what. */
typedef struct Deposit {
    const View *view;
    const SplatSource *sources;
    size_t count;
    SmokeGrid *grid;
    uint64_t *sums;
    float low[3], high[3];     /* of the particles, along the grid's axes */
    float radius;              /* m, the mean */
    const SplatSource *source; /* the one whose rows are added now */
} Deposit;

typedef struct Puff {
    float place[3], area; /* relative to the eye; cross-section, m^2 */
    float radius;         /* of a cell that it is even in */
} Puff;

static bool deposits(const SplatSource *s)
{
    return s->lit && s->occlusion > 0;
}

static bool puff_read(const View *view, const SplatSource *s, size_t i, Puff *puff)
{
    const mote_Vec3 eye = view->from;
    float opacity = s->opacity != NULL ? (float)s->opacity[i] : 1;
    float r = (s->radius != NULL ? (float)s->radius[i] : 0.01f) * s->size;
    puff->place[0] = (float)(s->position[0][i] - eye.x);
    puff->place[1] = (float)(s->position[1][i] - eye.y);
    puff->place[2] = (float)(s->position[2][i] - eye.z);
    puff->radius = s->profile->form == PROFILE_SPHERE ? PACKED * r : r;
    opacity = opacity < 1 ? opacity : 1;
    float deviation = s->profile->deviation * r;
    puff->area = opacity * 6.2831853f * deviation * deviation;
    return dot3(puff->place, puff->place) < 1e12f && r > 0 && r < 1e6f && puff->area > 0;
}

static void to_grid(const SmokeGrid *g, const float place[3], float at[3])
{
    for (int k = 0; k < 3; ++k) at[k] = dot3(g->axis[k], place);
}

/* ---- the box ---- */

/* The box, and the largest radius; then the mean radius, in steps of it. */
static bool find_box(Deposit *d)
{
    float largest = 0, at[3];
    uint64_t steps = 0, rows = 0;
    Puff puff;
    for (int k = 0; k < 3; ++k) d->low[k] = 1e30f, d->high[k] = -1e30f;
    for (int pass = 0; pass < 2; ++pass) {
        for (size_t s = 0; s < d->count; ++s) {
            for (size_t i = 0; deposits(&d->sources[s]) && i < d->sources[s].count; ++i) {
                if (!puff_read(d->view, &d->sources[s], i, &puff)) continue;
                if (pass == 1) {
                    steps += (uint64_t)(65536 * (puff.radius / largest)), ++rows;
                    continue;
                }
                largest = puff.radius > largest ? puff.radius : largest;
                to_grid(d->grid, puff.place, at);
                for (int k = 0; k < 3; ++k) {
                    d->low[k] = at[k] < d->low[k] ? at[k] : d->low[k];
                    d->high[k] = at[k] > d->high[k] ? at[k] : d->high[k];
                }
            }
        }
        if (!(largest > 0)) return false;
    }
    d->radius = largest * (float)((double)steps / 65536 / (double)rows);
    return true;
}

/* Cells of a mean radius, so that a particle hardly shades itself, where that gives at most
 * CELLS_MOST along an axis. Spheres stand in rows as wide as they are themselves: finer cells would
 * see the rows, and show them as stripes. */
static void place_grid(Deposit *d)
{
    SmokeGrid *g = d->grid;
    float longest = 0;
    for (int k = 0; k < 3; ++k)
        longest = d->high[k] - d->low[k] > longest ? d->high[k] - d->low[k] : longest;
    float fine = d->radius, coarse = longest / (CELLS_MOST - 4);
    g->cell = fine > coarse ? fine : coarse;
    for (int k = 0; k < 3; ++k) {
        g->count[k] = (int)((d->high[k] - d->low[k]) / g->cell) + 4;
        g->low[k] = d->low[k] - 1.5f * g->cell;
    }
}

static size_t grid_cells(const SmokeGrid *g)
{
    return (size_t)g->count[0] * (size_t)g->count[1] * (size_t)g->count[2];
}

/* ---- adding ---- */

/* In whole steps of a fixed size: integers add up to the same in every order, and so do threads
 * (floats would not). */
static void add_cell(uint64_t *cell, float amount)
{
    uint64_t steps = (uint64_t)(amount * FIXED);
    if (steps > 0) __atomic_fetch_add(cell, steps, __ATOMIC_RELAXED);
}

/* The cell (a corner of 8) and the parts of its upper neighbours at a place; false outside. Values
 * stand in the middles of cells, hence the half. */
static bool grid_find(const SmokeGrid *g, const float place[3], size_t *corner, float part[3])
{
    int index[3];
    float at[3];
    to_grid(g, place, at);
    for (int k = 0; k < 3; ++k) {
        float x = (at[k] - g->low[k]) / g->cell - 0.5f;
        if (!(x >= 0 && x < (float)(g->count[k] - 1))) return false;
        index[k] = (int)x;
        part[k] = x - (float)index[k];
    }
    *corner = ((size_t)index[2] * (size_t)g->count[1] + (size_t)index[1]) * (size_t)g->count[0] +
              (size_t)index[0];
    return true;
}

static void add_puff(Deposit *d, const Puff *puff)
{
    const SmokeGrid *g = d->grid;
    const size_t row = (size_t)g->count[0], layer = row * (size_t)g->count[1];
    float f[3], depth = puff->area / (g->cell * g->cell);
    size_t corner;
    if (!grid_find(g, puff->place, &corner, f)) return;
    depth = depth < DEPTH_MOST ? depth : DEPTH_MOST;
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x)
                add_cell(d->sums + corner + (size_t)z * layer + (size_t)y * row + (size_t)x,
                         depth * (x ? f[0] : 1 - f[0]) * (y ? f[1] : 1 - f[1]) *
                             (z ? f[2] : 1 - f[2]));
}

static void add_rows(void *context, size_t begin, size_t end, int worker)
{
    Deposit *d = context;
    Puff puff;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        if (puff_read(d->view, d->source, i, &puff)) add_puff(d, &puff);
}

/* ---- sweeps ---- */

/* Sums along the third axis, up to the middle of each cell. */
static void sweep_sun(void *context, size_t begin, size_t end, int worker)
{
    const Deposit *d = context;
    const SmokeGrid *g = d->grid;
    const size_t row = (size_t)g->count[0], layer = row * (size_t)g->count[1];
    (void)worker;
    for (size_t y = begin; y < end; ++y) {
        for (size_t x = 0; x < row; ++x) {
            float sum = 0;
            for (size_t z = 0; z < (size_t)g->count[2]; ++z) {
                size_t at = z * layer + y * row + x;
                float own = (float)d->sums[at] * (1 / FIXED);
                g->values[at] = sum + 0.5f * own;
                sum += own;
            }
        }
    }
}

/* The mean of the light that leaves the nine cells above a cell; beyond the layer it is 1. */
static float light_from_above(const SmokeGrid *sky, const float *above, int x, int y)
{
    static const float weights[3] = {0.25f, 0.5f, 0.25f};
    const int nx = sky->count[0], ny = sky->count[1];
    float sum = 0;
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            bool inside = x + i >= 0 && x + i < nx && y + j >= 0 && y + j < ny;
            float light = inside ? above[(size_t)(y + j) * (size_t)nx + (size_t)(x + i)] : 1;
            sum += weights[i + 1] * weights[j + 1] * light;
        }
    }
    return sum;
}

/* One layer of the sky's light: what arrives from the cells above, dimmed by half of theirs and
 * half of this one. above: what leaves them; below: what leaves this layer. */
static void sky_layer(const SmokeGrid *sky, const float *density, size_t z, const float *above,
                      float *below)
{
    const size_t nx = (size_t)sky->count[0], first = z * nx * (size_t)sky->count[1];
    for (int y = 0; y < sky->count[1]; ++y) {
        for (int x = 0; x < sky->count[0]; ++x) {
            const size_t here = (size_t)y * nx + (size_t)x;
            const float half = math_expf(-0.5f * density[first + here]);
            const float light = light_from_above(sky, above, x, y) * half;
            sky->values[first + here] = light;
            below[here] = light * half;
        }
    }
}

static bool sweep_sky(const SmokeGrid *sky, const float *density, Arena *arena)
{
    const size_t cells = (size_t)sky->count[0] * (size_t)sky->count[1];
    float *leaving[2] = {arena_take(arena, cells * sizeof(float)),
                         arena_take(arena, cells * sizeof(float))};
    if (leaving[0] == NULL || leaving[1] == NULL) return false;
    for (size_t i = 0; i < cells; ++i) leaving[1][i] = 1;
    for (size_t z = 0; z < (size_t)sky->count[2]; ++z)
        sky_layer(sky, density, z, leaving[~z & 1], leaving[z & 1]);
    return true;
}

/* ---- grids ---- */

/* Axes with the third along `travel`. */
static void grid_turn(SmokeGrid *g, const float travel[3])
{
    const float *n = travel;
    int other = n[0] * n[0] < 0.5f ? 0 : 1;
    for (int k = 0; k < 3; ++k) {
        g->axis[2][k] = n[k];
        g->axis[0][k] = (k == other ? 1.0f : 0.0f) - n[other] * n[k];
    }
    unit3(g->axis[0]);
    cross3(n, g->axis[0], g->axis[1]);
}

/* The sums of a grid; NULL without particles (*none) or without memory. */
static uint64_t *fill(Deposit *d, Arena *arena, mote_Tasks *tasks, bool *none)
{
    *none = !find_box(d);
    if (*none) return NULL;
    place_grid(d);
    size_t size = grid_cells(d->grid) * sizeof *d->sums;
    d->sums = arena_take(arena, size);
    d->grid->values = arena_take(arena, grid_cells(d->grid) * sizeof *d->grid->values);
    if (d->sums == NULL || d->grid->values == NULL) return NULL;
    memset(d->sums, 0, size);
    for (size_t s = 0; s < d->count; ++s) {
        d->source = &d->sources[s];
        if (deposits(d->source)) mote_parallel_for(tasks, d->source->count, GRAIN, add_rows, d);
    }
    return d->sums;
}

static bool make_sun(Deposit *d, const Light *light, Arena *arena, mote_Tasks *tasks, bool *none)
{
    const float travel[3] = {-light->toward[0], -light->toward[1], -light->toward[2]};
    grid_turn(d->grid, travel);
    if (fill(d, arena, tasks, none) == NULL) return *none;
    mote_parallel_for(tasks, (size_t)d->grid->count[1], SLAB, sweep_sun, d);
    d->grid->present = true;
    return true;
}

static bool make_sky(Deposit *d, Smoke *smoke, const Lights *lights, Arena *arena,
                     mote_Tasks *tasks, bool *none)
{
    const float travel[3] = {-lights->up[0], -lights->up[1], -lights->up[2]};
    d->grid = &smoke->sky;
    grid_turn(d->grid, travel);
    if (fill(d, arena, tasks, none) == NULL) return *none;
    smoke->density = smoke->sky;
    smoke->density.values = arena_take(arena, grid_cells(d->grid) * sizeof(float));
    if (smoke->density.values == NULL) return false;
    for (size_t i = 0; i < grid_cells(d->grid); ++i)
        smoke->density.values[i] = (float)d->sums[i] * (1 / FIXED);
    if (!sweep_sky(&smoke->sky, smoke->density.values, arena)) return false;
    smoke->sky.present = smoke->density.present = true;
    return true;
}

/* ---- lookups ---- */

float smoke_grid_at(const SmokeGrid *g, const float place[3], float outside)
{
    size_t at;
    float f[3];
    if (!g->present || !grid_find(g, place, &at, f)) return outside;
    const size_t row = (size_t)g->count[0], layer = row * (size_t)g->count[1];
    float planes[2];
    for (int z = 0; z < 2; ++z, at += layer) {
        const float *v = g->values + at;
        float a = v[0] + f[0] * (v[1] - v[0]), b = v[row] + f[0] * (v[row + 1] - v[row]);
        planes[z] = a + f[1] * (b - a);
    }
    return planes[0] + f[2] * (planes[1] - planes[0]);
}

/* Behind the grid the depth is that of its last layer. */
float smoke_lets_through(const Smoke *smoke, size_t light, const float place[3])
{
    const SmokeGrid *g = &smoke->suns[light];
    float at[3], moved[3] = {place[0], place[1], place[2]};
    if (!g->present) return 1;
    to_grid(g, place, at);
    float beyond = at[2] - (g->low[2] + ((float)g->count[2] - 0.51f) * g->cell);
    if (beyond > 0) madd3(place, -beyond - 0.01f * g->cell, g->axis[2], moved);
    float depth = smoke_grid_at(g, moved, 0);
    return depth > 0 ? math_expf(-depth) : 1;
}

float smoke_lets_sky_through(const Smoke *smoke, const float place[3])
{
    return smoke_grid_at(&smoke->sky, place, 1);
}

/* exp(-integral of the density), by the midpoint rule; `depth` is in cells. */
float smoke_on_the_way(const Smoke *smoke, const float from[3], const float place[3])
{
    const SmokeGrid *g = &smoke->density;
    float way[3], depth = 0;
    if (!g->present) return 1;
    madd3(from, -1, place, way);
    float length = length3(way), step = 1.5f * g->cell;
    int steps = length / step < 96 ? (int)(length / step) + 1 : 96;
    step = length / (float)steps;
    for (int i = 0; i < steps; ++i) {
        float at[3];
        madd3(place, ((float)i + 0.5f) / (float)steps, way, at);
        depth += smoke_grid_at(g, at, 0);
    }
    return math_expf(-depth * step / g->cell);
}

bool smoke_make(Smoke *smoke, Lights *lights, const View *view, SplatSource *sources, size_t count,
                Arena *arena, mote_Tasks *tasks)
{
    bool none = true, any = false;
    for (size_t s = 0; s < count; ++s) any = any || sources[s].lit;
    *smoke = (Smoke){.sky = {.present = false}};
    if (!any) return true;
    Deposit d = {.view = view, .sources = sources, .count = count};
    if (!make_sky(&d, smoke, lights, arena, tasks, &none)) return false;
    for (size_t i = 0; i < lights->count && !none; ++i) {
        d.grid = &smoke->suns[i];
        if (lights->lights[i].point || !lights->lights[i].shadows) continue;
        if (!make_sun(&d, &lights->lights[i], arena, tasks, &none)) return false;
    }
    lights->smoke = smoke;
    for (size_t s = 0; s < count; ++s)
        if (sources[s].lit && sources[s].count > 0 &&
            !smoke_light_source(smoke, lights, view, &sources[s], arena, tasks))
            return false;
    return true;
}
