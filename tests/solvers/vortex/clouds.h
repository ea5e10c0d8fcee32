/* Vortons for tests: planes that own their memory, clouds and rings. */
#ifndef TESTS_VORTONS_H
#define TESTS_VORTONS_H

#include "base/random.h"
#include "solvers/vortex/induce.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct Vortons {
    mote_real *plane[SOURCE_PLANES], *out[INDUCE_GRADIENT];
    size_t count;
    Memory memory;
    Arena arena;
} Vortons;

static inline Vortons *vortons_make(size_t count)
{
    Vortons *v = calloc(1, sizeof *v);
    v->count = count;
    v->memory = memory_make(mote_default_allocator());
    v->arena = arena_make(&v->memory);
    for (int p = 0; p < SOURCE_PLANES; ++p) v->plane[p] = calloc(count, sizeof(mote_real));
    for (int p = 0; p < INDUCE_GRADIENT; ++p) v->out[p] = calloc(count, sizeof(mote_real));
    return v;
}

static inline void vortons_free(Vortons *v)
{
    for (int p = 0; p < SOURCE_PLANES; ++p) free(v->plane[p]);
    for (int p = 0; p < INDUCE_GRADIENT; ++p) free(v->out[p]);
    arena_free(&v->arena);
    free(v);
}

static inline void vorton_set(Vortons *v, size_t i, const double x[3], const double alpha[3],
                              double core)
{
    for (int c = 0; c < 3; ++c) {
        v->plane[SOURCE_X + c][i] = (mote_real)x[c];
        v->plane[SOURCE_ALPHA + c][i] = (mote_real)alpha[c];
    }
    v->plane[SOURCE_CORE2][i] = (mote_real)(core * core);
}

/* A cloud in the unit cube; strengths that vary smoothly, or at random. */
static inline Vortons *vortons_cloud(size_t count, bool smooth)
{
    Vortons *v = vortons_make(count);
    RandomKey key = random_key(7, "cloud");
    for (size_t i = 0; i < count; ++i) {
        Random4 a = random_draw(key, i, 0, 0), b = random_draw(key, i, 0, 1);
        double x[3], alpha[3];
        for (int c = 0; c < 3; ++c) x[c] = (double)random_unit(a.word[c]);
        for (int c = 0; c < 3; ++c)
            alpha[c] = smooth ? sin(2 * PI * x[(c + 1) % 3]) : (double)random_signed(b.word[c]);
        vorton_set(v, i, x, alpha, 1.5 / cbrt((double)count));
    }
    return v;
}

/* A ring of radius 1 and circulation 1 about the z axis; `core` over `spacing` is the overlap. */
static inline Vortons *vortons_ring(double core, double overlap)
{
    size_t count = (size_t)lround(2 * PI * overlap / core);
    Vortons *v = vortons_make(count);
    for (size_t i = 0; i < count; ++i) {
        double turn = 2 * PI * (double)i / (double)count, arc = 2 * PI / (double)count;
        vorton_set(v, i, (double[]){cos(turn), sin(turn), 0},
                   (double[]){-arc * sin(turn), arc * cos(turn), 0}, core);
    }
    return v;
}

/* A request for what the vortons induce at their own places, into their `out`. */
static inline InduceRequest vortons_request(Vortons *v, const CoreRow *core, Quantity quantity)
{
    InduceRequest r = {.core = core,
                       .quantity = quantity,
                       .sources = {.count = v->count},
                       .count = v->count,
                       .tree = tree_def(),
                       .arena = &v->arena};
    for (int p = 0; p < SOURCE_PLANES; ++p) r.sources.plane[p] = v->plane[p];
    for (int c = 0; c < 3; ++c) r.x[c] = v->plane[c];
    for (int p = 0; p < INDUCE_GRADIENT; ++p) r.out[p] = v->out[p];
    return r;
}

#endif
