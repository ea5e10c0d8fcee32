/* Fields: functions of space and time. Wind for drag, velocities to trace particles through. */
#ifndef MOTE_FIELDS_H
#define MOTE_FIELDS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The same velocity everywhere: steady wind. */
typedef struct mote_UniformField {
    mote_Vec3 value; /* m/s */
} mote_UniformField;

/* A straight vortex: solid rotation inside the core, 1/r outside (Rankine). */
typedef struct mote_VortexField {
    mote_Vec3 center; /* m */
    mote_Vec3 axis;   /* direction; its length does not matter */
    mote_real speed;  /* m/s, at the edge of the core */
    mote_real core;   /* m */
} mote_VortexField;

/* Noise and turbulence: a sum of octaves, alpha_i f(n(R_i beta^i x / scale + o_i)). The parameters
 * of the types "noise" (scalar) and "turbulence" (vector: three such sums with different seeds,
 * plus the mean wind). */
typedef struct mote_NoiseField {
    int noise;            /* number of a row of the noises: 0 is "perlin" */
    int function;         /* f: 0 plain, 1 abs, 2 ridged */
    uint64_t octaves;     /* 1 to 24 */
    mote_real scale;      /* m: cells of the first octave's lattice */
    mote_real amplitude;  /* alpha_0; m/s in a vector field */
    mote_real ratio;      /* beta: how much finer each octave is */
    mote_real exponent;   /* s of alpha_i = alpha_0 beta^(-i s) */
    bool rotate;          /* octaves are turned and moved against each other */
    mote_real resolution; /* m: distance of samples; finer octaves fade out. 0: none does */
    double period;        /* s: in which the first octave changes; 0: steady */
    mote_Vec3 mean;       /* m/s, added to a vector field */
    uint64_t seed;        /* further to the world's seed and the field's name */
    /* The user's own f, in place on arrays, from several threads at a time; NULL: `function`. */
    void (*user)(void *context, size_t count, mote_real *values);
    void *context;
} mote_NoiseField;

/* Curl noise: the curl of three octave sums, divergence-free at every point (Bridson et al. 2007),
 * plus a wind; both flow around the obstacles of the field's definition. */
typedef struct mote_CurlNoiseField {
    int noise;            /* number of a row of the noises: 0 is "perlin" */
    uint64_t octaves;     /* 1 to 24 */
    mote_real scale;      /* m: cells of the first octave's lattice */
    mote_real speed;      /* m/s: rms of the noise, away from obstacles */
    mote_real ratio;      /* how much finer each octave is */
    mote_real exponent;   /* the speed of an octave falls with (size)^exponent; 1/3: Kolmogorov */
    bool rotate;          /* octaves are turned and moved against each other */
    mote_real resolution; /* m: distance of samples; finer octaves fade out. 0: none does */
    double period;        /* s: in which the first octave changes; 0: steady */
    mote_Vec3 wind;       /* m/s */
    mote_real influence;  /* m: how far obstacles are felt */
    uint64_t seed;        /* further to the world's seed and the field's name */
} mote_CurlNoiseField;

/* A field of the user's: `sample` writes out[0..2][i] for the points (x[i], y[i], z[i]) at time t.
 * It is called from several threads at a time and must depend on its arguments alone. */
typedef struct mote_CallbackField {
    void (*sample)(void *context, size_t count, const mote_real *const x[3], double t,
                   mote_real *const out[3]);
    void *context;
} mote_CallbackField;

MOTE_API mote_UniformField mote_uniform_field_def(void);
MOTE_API mote_VortexField mote_vortex_field_def(void);
MOTE_API mote_NoiseField mote_noise_field_def(void);
MOTE_API mote_NoiseField mote_turbulence_field_def(void);
MOTE_API mote_CurlNoiseField mote_curl_noise_field_def(void);
MOTE_API mote_CallbackField mote_callback_field_def(void);

/* Where and when a field is sampled: planar arrays, as particles have them. */
typedef struct mote_FieldPoints {
    size_t count;
    const mote_real *x[3]; /* m */
    double t;              /* s */
} mote_FieldPoints;

/* A field for mote_world_add_field: `params` points at the struct of the type, NULL for its
 * defaults; everything is copied. */
typedef struct mote_FieldDef {
    const char *name;
    const char *type; /* "uniform", "vortex", "noise", "turbulence", "curl-noise", "callback" */
    const void *params;
    const char *const *obstacles; /* names of colliders that curl-noise flows around, added before
                                     the first step; NULL: none */
    size_t obstacle_count;
} mote_FieldDef;

#ifdef __cplusplus
}
#endif
#endif
