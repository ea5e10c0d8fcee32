/* Fields: functions of space and time. Wind for drag, velocities to trace particles through. */
#ifndef MOTE_FIELDS_H
#define MOTE_FIELDS_H

#include <mote/base.h>
#include <mote/tasks.h>

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

/* The velocity of circular orbits around a point mass: u = w (axis x d), w^2 = strength / (d^2 +
 * softening^2)^(3/2). For emitters that start particles on orbits. */
typedef struct mote_OrbitField {
    mote_Vec3 center;    /* m */
    mote_Vec3 axis;      /* direction */
    mote_real strength;  /* m^3/s^2: GM */
    mote_real softening; /* m */
} mote_OrbitField;

/* One value below a level and another above: the density of a stratified fluid. Scalar. */
typedef struct mote_LayersField {
    mote_real below, above; /* the two values */
    mote_Vec3 up;           /* direction; its length does not matter */
    mote_real level;        /* m, along it: the middle of the transition */
    mote_real thickness;    /* m, of the transition */
} mote_LayersField;

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
    const mote_Formula *f; /* a scene's own f(n), in the place of both; or NULL */
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
    bool flat;            /* in the planes of constant z: for two-dimensional worlds */
    mote_real resolution; /* m: distance of samples; finer octaves fade out. 0: none does */
    double period;        /* s: in which the first octave changes; 0: steady */
    mote_Vec3 wind;       /* m/s */
    mote_real influence;  /* m: how far obstacles are felt */
    uint64_t seed;        /* further to the world's seed and the field's name */
} mote_CurlNoiseField;

/* What a smoothed field tells of a column A around a point x, from the particles j nearer than the
 * reach H; V_j = m_j / density_j is a particle's volume, with the density that a liquid keeps or
 * that sum m W gives. */
enum {
    MOTE_SMOOTHED_MEAN,      /* plain average of A_j: jumps when a particle comes or goes */
    MOTE_SMOOTHED_VOLUME,    /* sum V_j A_j / sum V_j: crowds count no more than others */
    MOTE_SMOOTHED_KERNEL,    /* sum V_j A_j W: smooth; falls off near a free surface */
    MOTE_SMOOTHED_CORRECTED, /* sum V_j A_j W / sum V_j W: exact for constants everywhere */
    MOTE_SMOOTHED_LAPLACIAN  /* sum V_j A_j lap W, lap W = W'' + (D - 1) W' / r */
};

/* Smoothed interpolation of a column of a system's particles, as they are at the start of a
 * sub-step: the types "smoothed" (scalar: one component), "smoothed-vector" (three components) and
 * "smoothed-gradient" (sum V_j A_j grad W of one component; `estimate` is not used). 0 where there
 * are no particles. */
typedef struct mote_SmoothedField {
    const char *system; /* may be added after the field, before the first step */
    const char *column; /* its name */
    uint64_t component; /* of the column, for scalars and gradients */
    int estimate;       /* MOTE_SMOOTHED_... */
    int kernel;         /* number of a smoothing kernel: 0 cubic-spline, 2 wendland-c2, ... */
    mote_real reach;    /* m: H, the kernel's support; 0: that of the liquid */
} mote_SmoothedField;

/* A field of the user's: `sample` writes out[0..2][i] for the points (x[i], y[i], z[i]) at time t.
 * It is called from several threads at a time and must depend on its arguments alone. */
typedef struct mote_CallbackField {
    void (*sample)(void *context, size_t count, const mote_real *const x[3], double t,
                   mote_real *const out[3]);
    void *context;
} mote_CallbackField;

/* Shapes of the energy spectrum E(k) of turbulence, for `spectrum`. */
enum {
    MOTE_SPECTRUM_KOLMOGOROV, /* k^(-5/3): the inertial range */
    MOTE_SPECTRUM_VON_KARMAN, /* that, with a proper end at the largest eddies */
    MOTE_SPECTRUM_POWER,      /* k^slope */
    MOTE_SPECTRUM_USER        /* the function `energy`; from C only */
};

/* How a random field changes with time, for `time`. */
enum {
    MOTE_TIME_STREAMING, /* never repeats: tables are made as time goes on */
    MOTE_TIME_PERIODIC, /* repeats after `period`: one table of space and time, made at the start */
    MOTE_TIME_FROZEN    /* does not change, but for being carried by the mean wind */
};

/* How a field is interpolated between the points of its table, for `sampling`. */
enum {
    MOTE_SAMPLING_LINEAR, /* fast; particles slowly clump, since it is not free of divergence */
    MOTE_SAMPLING_CUBIC,  /* B-spline through the points */
    MOTE_SAMPLING_CURL    /* curl of a B-spline potential: free of divergence everywhere */
};

/* Turbulent wind with a given energy spectrum, after Stam and Fiume, SIGGRAPH 1993: a random field
 * that is homogeneous, isotropic and free of divergence. `mean`, `rms` may change with time; what
 * else is here holds from the start. */
typedef struct mote_SpectralWindField {
    mote_Vec3 mean;        /* m/s: carries the turbulence along and is added to it */
    mote_real rms;         /* m/s: root of the mean of |u|^2, without the mean wind */
    mote_real dissipation; /* m^2/s^3: > 0 sets the strength of the spectrum instead of rms */
    mote_real size;        /* m: side of the box that repeats */
    uint64_t points;       /* of the table, per axis: a product of 2, 3 and 5 */
    int spectrum;          /* MOTE_SPECTRUM_... */
    mote_real k_lo, k_hi; /* rad/m: the band; 0: 2 pi / size, and half of what the points resolve */
    mote_real slope;      /* of MOTE_SPECTRUM_POWER */
    mote_real eddy;       /* m, of MOTE_SPECTRUM_VON_KARMAN: 1 / k where it bends; 0: size / 12 */
    mote_real viscous;    /* m: Kolmogorov's length, for Pao's tail; 0: none */
    int time;             /* MOTE_TIME_... */
    mote_real sigma;      /* m/s: eddies of wave number k change at the rate k sigma; 0: rms /
                             sqrt(3) */
    mote_real period;     /* s, of MOTE_TIME_PERIODIC; 0: so that the largest eddies change */
    uint64_t slices;      /* in a period; 0: so that the smallest eddies are followed */
    mote_real interval;   /* s between tables of MOTE_TIME_STREAMING; 0: 1 / (2 k_hi sigma) */
    int variance;         /* 0 fixed: the spectrum is met exactly; 1 gaussian: on the average */
    int sampling;         /* MOTE_SAMPLING_... */
    uint64_t grids;       /* of incommensurate sizes and turned, so that the period hides */
    bool split;           /* the grids share out the band instead of all carrying it */
    bool carried;         /* finer grids are carried along by the coarser ones */
    uint64_t seed;        /* another number is another wind */
    double (*energy)(void *context, double k); /* E(k) of MOTE_SPECTRUM_USER, up to a factor unless
                                                  dissipation > 0; depends on k alone */
    void *context;
    const mote_Formula *E; /* a scene's own E(k), in the place of `spectrum`; or NULL */
} mote_SpectralWindField;

/* Scalar noise with given amplitudes: the sum over wave vectors k of A(|k|) cos(k.x + theta) with
 * random phases theta. */
typedef struct mote_SpectralNoiseField {
    mote_real rms;        /* root of the mean square; 0: as the amplitudes give it */
    mote_real mean;       /* added */
    mote_real size;       /* m: side of the box that repeats */
    uint64_t points;      /* of the table, per axis: a product of 2, 3 and 5 */
    mote_real k_lo, k_hi; /* rad/m: the band; 0: as in mote_SpectralWindField */
    mote_real slope;      /* A = k^slope */
    mote_real jitter;     /* part of an amplitude that is random, 0 to 1 */
    mote_Vec3 velocity;   /* m/s that the noise is carried with */
    int time;             /* MOTE_TIME_... */
    mote_real sigma;      /* m/s; 0: frozen */
    mote_real period;     /* s */
    uint64_t slices;      /* as in mote_SpectralWindField */
    mote_real interval;   /* s */
    int sampling;         /* MOTE_SAMPLING_LINEAR or _CUBIC */
    uint64_t grids;       /* as in mote_SpectralWindField */
    bool split;           /* as in mote_SpectralWindField */
    uint64_t seed;        /* of its random numbers */
    double (*amplitude)(void *context, double k); /* A(k) in place of the power law; may be NULL */
    void *context;
    const mote_Formula *A; /* a scene's own A(k), in the place of both; or NULL */
} mote_SpectralNoiseField;

MOTE_API mote_SpectralWindField mote_spectral_wind_field_def(void);
MOTE_API mote_SpectralNoiseField mote_spectral_noise_field_def(void);
MOTE_API mote_UniformField mote_uniform_field_def(void);
MOTE_API mote_VortexField mote_vortex_field_def(void);
MOTE_API mote_OrbitField mote_orbit_field_def(void);
MOTE_API mote_LayersField mote_layers_field_def(void);
MOTE_API mote_NoiseField mote_noise_field_def(void);
MOTE_API mote_NoiseField mote_turbulence_field_def(void);
MOTE_API mote_CurlNoiseField mote_curl_noise_field_def(void);
MOTE_API mote_CallbackField mote_callback_field_def(void);
MOTE_API mote_SmoothedField mote_smoothed_field_def(void);
MOTE_API mote_SmoothedField mote_smoothed_vector_field_def(void);
MOTE_API mote_SmoothedField mote_smoothed_gradient_field_def(void);

/* Where and when a field is sampled: planar arrays, as particles have them. */
typedef struct mote_FieldPoints {
    size_t count;          /* how many */
    const mote_real *x[3]; /* m */
    double t;              /* s */
} mote_FieldPoints;

/* Samples of a scalar or a vector field at the points of a square or cubic grid that fills a box:
 * index (z * points + y) * points + x. */
typedef struct mote_SpectrumSamples {
    int dimension;              /* 2 or 3 */
    size_t points;              /* per axis: a product of 2, 3 and 5 */
    double size;                /* m, of the box */
    int components;             /* 1 or 3 */
    const mote_real *planes[3]; /* one for each */
    bool periodic; /* the box repeats; otherwise the mean is taken off and Hann's window is laid
                      over the samples */
} mote_SpectrumSamples;

/* The number of shells of mote_spectrum_estimate: points / 2 + 1. */
MOTE_API size_t mote_spectrum_shells(size_t points);

/* energy[n], n < mote_spectrum_shells: half the square of the Fourier components whose |k| rounds
 * to n 2 pi / size, divided by the shell's width 2 pi / size. tasks NULL: on the calling thread. */
MOTE_API mote_Status mote_spectrum_estimate(const mote_SpectrumSamples *samples, mote_Tasks *tasks,
                                            double *energy, mote_Error *error);

/* A field for mote_world_add_field: `params` points at the struct of the type, NULL for its
 * defaults; everything is copied. */
typedef struct mote_FieldDef {
    size_t size; /* bytes, by mote_field_def() */
    const char *name;
    const char *type;   /* "uniform", "vortex", "noise", "turbulence", "curl-noise", "callback" */
    const void *params; /* struct of the type; NULL for its defaults */
    const char *const *obstacles; /* names of colliders that curl-noise flows around, added before
                                     the first step; NULL: none */
    size_t obstacle_count;
} mote_FieldDef;

MOTE_API void mote_field_def_init(mote_FieldDef *def, size_t size);
MOTE_MAKER(mote_FieldDef, mote_field_def)

#ifdef __cplusplus
}
#endif
#endif
