/* The noise family: a row computes a random smooth function of three or four coordinates at planar
 * arrays of points. */
#ifndef NOISE_NOISE_H
#define NOISE_NOISE_H

#include <mote/noise.h>

#include "base/isa.h"
#include "base/row.h"

/* X(row, name); the first is the default. */
#define NOISE_ROWS(X)                                                                              \
    X(noise_perlin, "perlin")                                                                      \
    X(noise_perlin_1985, "perlin-1985")                                                            \
    X(noise_perlin_2002, "perlin-2002")                                                            \
    X(noise_value, "value")

/* Defines a NULL-terminated array of the names, for parameters that choose a noise. */
#define NOISE_NAME(row, name) name,
#define NOISE_NAMES(array)    static const char *const array[] = {NOISE_ROWS(NOISE_NAME) NULL}

/* What a lattice's hash is seeded with: a word per axis. */
typedef struct NoiseSeed {
    uint32_t word[4];
} NoiseSeed;

typedef struct NoiseJob {
    size_t count;
    const mote_real *x[4]; /* in cells of the lattice; x[3] is read in four dimensions only */
    NoiseSeed seed;
    mote_real *value;
    mote_real *gradient[4]; /* per cell; as many planes as dimensions */
} NoiseJob;

typedef struct NoiseRow {
    mote_Row head;
    double largest[2];   /* |n| is at most this, in three and in four dimensions */
    int continuous;      /* how many derivatives have no jump */
    double rms[2];       /* of n over space, in three and in four dimensions */
    double rms_slope[2]; /* of its derivative along one axis */
    double
        lattice_slope[2]; /* |gradient| at lattice points, where n = 0; 0: it is not zero there */
    /* Of three and of four dimensions; `gradient` writes the value, too, to the same bits. */
    void (*value[2])(const NoiseJob *job);
    void (*gradient[2])(const NoiseJob *job);
} NoiseRow;

const mote_Row *const *noise_rows(Isa isa, size_t *count);
const NoiseRow *noise_row(Isa isa, int number);

/* The seed of a lattice: streams of one seed have nothing to do with each other. */
NoiseSeed noise_seed(uint64_t seed, uint64_t stream);

#endif
