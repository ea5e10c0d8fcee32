/* Rows of vortons for tests of operators, without a world; rings of them. */
#ifndef TESTS_CLOUD_ROWS_H
#define TESTS_CLOUD_ROWS_H

#include "solvers/vortex/clouds.h"
#include "solvers/vortex/solver.h"

/* Vortons with their own rows, without a system. */
typedef struct Cloud {
    VortonRows rows;
    mote_real *block;
    mote_VortexSolver params;
    Memory memory;
    Arena arena;
    VortexWork work;
} Cloud;

static inline Cloud *cloud_make(size_t count)
{
    Cloud *c = calloc(1, sizeof *c);
    mote_real **planes[] = {&c->rows.x[0],        &c->rows.x[1],        &c->rows.x[2],
                            &c->rows.v[0],        &c->rows.v[1],        &c->rows.v[2],
                            &c->rows.strength[0], &c->rows.strength[1], &c->rows.strength[2],
                            &c->rows.radius,      &c->rows.volume,      &c->rows.temperature,
                            &c->rows.lifetime,    &c->rows.fuel,        &c->rows.flame,
                            &c->rows.smoke,       &c->rows.stretched};
    size_t n = sizeof planes / sizeof planes[0];
    c->block = calloc(n * count, sizeof(mote_real));
    for (size_t k = 0; k < n; ++k) *planes[k] = c->block + k * count;
    c->rows.count = count;
    c->params = mote_vortex_solver_def();
    c->memory = memory_make(mote_default_allocator());
    c->arena = arena_make(&c->memory);
    c->work = (VortexWork){.params = &c->params,
                           .core = core_row(isa_pick(), 0),
                           .gravity = {0, -10, 0},
                           .arena = &c->arena,
                           .dt = (mote_real)0.01,
                           .isa = isa_pick()};
    for (size_t i = 0; i < count; ++i) c->rows.temperature[i] = c->params.temperature;
    return c;
}

static inline void cloud_free(Cloud *c)
{
    arena_free(&c->arena);
    free(c->block);
    free(c);
}

static inline double sum_of(const mote_real *plane, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += (double)plane[i];
    return sum;
}

/* A ring of circulation 1 about the z axis, of radius 1 + wave cos 3 t, bent by it as well. */
static inline Cloud *cloud_ring(size_t n, double core, double wave)
{
    Cloud *c = cloud_make(n);
    for (size_t i = 0; i < n; ++i) {
        double t = 2 * PI * (double)i / (double)n, r = 1 + wave * cos(3 * t);
        double slope = -3 * wave * sin(3 * t), arc = 2 * PI / (double)n;
        c->rows.x[0][i] = (mote_real)(r * cos(t)), c->rows.x[1][i] = (mote_real)(r * sin(t));
        c->rows.x[2][i] = (mote_real)(wave * sin(2 * t));
        c->rows.strength[0][i] = (mote_real)(arc * (slope * cos(t) - r * sin(t)));
        c->rows.strength[1][i] = (mote_real)(arc * (slope * sin(t) + r * cos(t)));
        c->rows.strength[2][i] = (mote_real)(arc * 2 * wave * cos(2 * t));
        c->rows.radius[i] = (mote_real)core;
    }
    c->params.evaluation = 1, c->params.scheme = 2;
    return c;
}

/* Sum of strengths, impulse, angular impulse, in double. */
static inline void cloud_invariants(const Cloud *c, double sums[9])
{
    for (int k = 0; k < 9; ++k) sums[k] = 0;
    for (size_t i = 0; i < c->rows.count; ++i) {
        double x[3], a[3], once[3], twice[3];
        for (int k = 0; k < 3; ++k)
            x[k] = (double)c->rows.x[k][i], a[k] = (double)c->rows.strength[k][i];
        for (int k = 0; k < 3; ++k) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            once[k] = x[l] * a[m] - x[m] * a[l];
        }
        for (int k = 0; k < 3; ++k) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            twice[k] = x[l] * once[m] - x[m] * once[l];
        }
        for (int k = 0; k < 3; ++k)
            sums[k] += a[k], sums[3 + k] += once[k] / 2, sums[6 + k] += twice[k] / 3;
    }
}

/* What the rows induce at points, as a request with planes of the arena for the cores. */
static inline InduceRequest cloud_request(Cloud *c, Quantity quantity)
{
    mote_real *core2 = arena_take(&c->arena, c->rows.count * sizeof *core2);
    InduceRequest r = {.core = c->work.core,
                       .quantity = quantity,
                       .sources = {.count = c->rows.count},
                       .tree = tree_def(),
                       .arena = &c->arena};
    for (size_t i = 0; i < c->rows.count; ++i) core2[i] = c->rows.radius[i] * c->rows.radius[i];
    for (int k = 0; k < 3; ++k) {
        r.sources.plane[SOURCE_X + k] = c->rows.x[k];
        r.sources.plane[SOURCE_ALPHA + k] = c->rows.strength[k];
    }
    r.sources.plane[SOURCE_CORE2] = core2;
    return r;
}

/* 1/2 sum alpha . A over rows [0, count), by the direct sum over all. */
static inline double cloud_energy(Cloud *c, size_t count)
{
    arena_reset(&c->arena);
    InduceRequest r = cloud_request(c, QUANTITY_POTENTIAL);
    double energy = 0;
    r.count = count;
    for (int k = 0; k < 3; ++k) {
        r.x[k] = c->rows.x[k];
        r.out[k] = arena_take(&c->arena, count * sizeof(mote_real));
    }
    induce_direct.induce(&r);
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            energy += 0.5 * (double)c->rows.strength[k][i] * (double)r.out[k][i];
    return energy;
}

#endif
