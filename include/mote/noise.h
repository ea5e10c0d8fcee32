/* Noise: smooth random functions of space, and of space and time. */
#ifndef MOTE_NOISE_H
#define MOTE_NOISE_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A noise. */
typedef struct mote_NoiseDef {
    size_t size;      /* bytes, by mote_noise_def() */
    const char *type; /* "perlin", "perlin-1985", "perlin-2002", "value" */
    uint64_t seed;    /* of its lattice */
} mote_NoiseDef;

MOTE_API void mote_noise_def_init(mote_NoiseDef *def, size_t size);
MOTE_MAKER(mote_NoiseDef, mote_noise_def)

/* Samples a noise whose lattice has cells of size 1 at points[k][i], k < dimensions (3 or 4; the
 * fourth is time). gradient: NULL, or `dimensions` planes for the exact derivatives. Points are
 * planar arrays of `count` numbers; what comes out may not overlap them. MOTE_BAD_VALUE: an unknown
 * type or a wrong number of dimensions. */
typedef struct mote_NoisePoints {
    size_t count;          /* how many */
    int dimensions;        /* 3, or 4 with time */
    const mote_real *x[4]; /* a plane for each */
} mote_NoisePoints;

/* See mote_NoisePoints. value: a plane of `count` numbers. */
MOTE_API mote_Status mote_noise_sample(const mote_NoiseDef *def, const mote_NoisePoints *points,
                                       mote_real *value, mote_real *const *gradient,
                                       mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif
