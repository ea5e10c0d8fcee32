/* Turbulence: a sum of dilated noises, T(x, t) = sum_i alpha_i f(n(R_i beta^i x / scale + o_i,
 * t_i)).
 *
 * Every octave is turned by a random rotation R_i and moved by a random offset o_i, so that the
 * zeros of the lattices do not line up; the first stands as it is. Octaves too fine for the
 * caller's sampling fade out instead of aliasing. Smaller octaves change faster, t_i = beta^(2i/3)
 * t / period, as eddies of Kolmogorov's spectrum do. Perlin 1985; Ebert et al., Texturing and
 * Modeling, 2002. */
#ifndef NOISE_TURBULENCE_H
#define NOISE_TURBULENCE_H

#include "noise/noise.h"

enum { OCTAVES_MOST = 24 };

/* f of the sum; the names are turbulence_function_names. */
typedef enum TurbulenceFunction {
    TURBULENCE_PLAIN,  /* n: fractional Brownian motion */
    TURBULENCE_ABS,    /* |n|: Perlin's turbulence, with creases */
    TURBULENCE_RIDGED, /* (1 - |n|)^2: ridges */
    TURBULENCE_FUNCTIONS
} TurbulenceFunction;

#define TURBULENCE_FUNCTION_NAMES(array)                                                           \
    static const char *const array[] = {"plain", "abs", "ridged", NULL}

typedef struct TurbulenceDef {
    Isa isa;
    int noise; /* number of the row */
    TurbulenceFunction function;
    /* The user's f, in place; NULL: `function`. From several threads at a time. */
    void (*user)(void *context, size_t count, mote_real *values);
    void *context;
    uint64_t octaves;  /* 1 .. OCTAVES_MOST */
    double scale;      /* m: a cell of the first octave */
    double amplitude;  /* alpha_0 */
    double ratio;      /* beta */
    double exponent;   /* s of alpha_i = alpha_0 beta^(-i s) */
    bool rotate;       /* turn and move the octaves */
    double resolution; /* m: distance of the caller's samples; 0: as fine as can be */
    double period;     /* s: for a change of one cell in the first octave; 0: steady */
    uint64_t seed;
} TurbulenceDef;

typedef struct Octave {
    mote_real turn[3][3]; /* R_i beta^i / scale */
    mote_real offset[3];
    double rate, phase; /* the fourth coordinate is rate t + phase */
    mote_real weight;
    NoiseSeed seed;
} Octave;

typedef struct Turbulence Turbulence;

typedef struct TurbulencePoints {
    size_t count;
    const mote_real *x[3]; /* m */
    double t;              /* s */
} TurbulencePoints;

typedef struct TurbulenceKernels {
    /* Writes the sum, and its gradient (1/m) where that is not NULL; a user's f has no gradient. */
    void (*sample)(const Turbulence *turbulence, const TurbulencePoints *points, mote_real *value,
                   mote_real *const gradient[3]);
} TurbulenceKernels;

struct Turbulence {
    const NoiseRow *noise;
    const TurbulenceKernels *kernels;
    TurbulenceFunction function;
    void (*user)(void *context, size_t count, mote_real *values);
    void *context;
    bool moves;  /* four dimensions */
    int octaves; /* that are not faded out */
    Octave octave[OCTAVES_MOST];
};

/* `stream` tells apart sums that have nothing to do with each other. */
void turbulence_make(const TurbulenceDef *def, uint64_t stream, Turbulence *turbulence);

/* How much of an octave with cells of this size is left when samples are `resolution` apart. Noise
 * reaches up to two waves per cell: all is well from four samples per cell on, none is left at two.
 */
double turbulence_band_limit(double cell, double resolution);

const TurbulenceKernels *turbulence_kernels(Isa isa);

#endif
