/* Random fields made in the frequency domain: what spectral noise and spectral wind share.
 *
 * A field is a sum of waves U(k) exp(i (k.x + w t)) over the wave vectors k = 2 pi / size (a, b, c)
 * of a periodic box. The waves are drawn mode by mode (spectral_modes.c), tables of the field are
 * made from them by Fourier transform (spectral_tables.c), and particles interpolate in the tables
 * (kernels/spectral_*.c). docs/design/0009-spectral-fields.md says why. */
#ifndef FIELDS_SPECTRAL_H
#define FIELDS_SPECTRAL_H

#include "base/isa.h"
#include "base/memory.h"
#include "base/random.h"
#include "fft/fft.h"
#include "fields/field.h"

#include <mote/fields.h>
#include <mote/tasks.h>
#include <stdatomic.h>

/* Energy spectra: E(k), the kinetic energy per unit mass and unit wave number, (m/s)^2 m, so that
 * the integral of E over k is half of the mean of |u|^2; and measuring one from samples. */

typedef struct Spectrum {
    int shape;          /* MOTE_SPECTRUM_... */
    double dissipation; /* m^2/s^3, of Kolmogorov's */
    double slope;       /* of the power law */
    double eddy;        /* m, of von Karman's: where it bends */
    double viscous;     /* m, length of Pao's tail; 0: none */
    double (*energy)(void *context, double k);
    void *context;
    double k_lo, k_hi;             /* rad/m: nothing outside */
    double feather_lo, feather_hi; /* rad/m: width of a raised cosine over each end; 0: sharp */
} Spectrum;

/* E(k) before the band is cut out; k > 0. */
double spectrum_energy(const Spectrum *spectrum, double k);
/* What the band leaves of it, 0 to 1. */
double spectrum_window(const Spectrum *spectrum, double k);
/* Where the band ends, with its feather. */
double spectrum_highest(const Spectrum *spectrum);
/* Fails where the spectrum is negative or no number. */
mote_Status spectrum_check(const Spectrum *spectrum, const char *where, mote_Error *error);

/* As mote_spectrum_estimate, with memory for what is worked out. */
mote_Status spectrum_estimate(const mote_SpectrumSamples *samples, Memory *memory,
                              mote_Tasks *tasks, Isa isa, double *energy, mote_Error *error);

enum { SPECTRAL_MOST_GRIDS = 4 };

/* The parameters of either row, with everything that was left open filled in. */
typedef struct SpectralSetup {
    bool scalar;   /* noise; otherwise wind */
    bool flat;     /* a world of two dimensions */
    bool gaussian; /* amplitudes vary; otherwise the spectrum is met exactly */
    bool unit;     /* scaled so that the mean square is 1 */
    double jitter; /* of the amplitudes of noise */
    size_t points;
    int sampling; /* MOTE_SAMPLING_... */
    int time;     /* MOTE_TIME_... */
    double sigma; /* m/s */
    double interval;
    size_t slices;
    int grid_count;
    struct {
        double size;   /* m */
        double period; /* s */
        double weight;
        Spectrum spectrum; /* with this grid's band */
    } grids[SPECTRAL_MOST_GRIDS];
} SpectralSetup;

/* Fails with what no range says: lengths, bands, negative spectra, memory. */
mote_Status spectral_wind_setup(const mote_SpectralWindField *params, bool flat, const char *where,
                                SpectralSetup *setup, mote_Error *error);
mote_Status spectral_noise_setup(const mote_SpectralNoiseField *params, bool flat,
                                 const char *where, SpectralSetup *setup, mote_Error *error);

/* What the sampling needs and what it has: a need above what is there is worth a warning. */
typedef struct SpectralLimit {
    const char *what;   /* "the smallest eddies are slowed down: ..." */
    const char *advice; /* "set slices to %g" */
    double needed, given, better;
} SpectralLimit;

enum { SPECTRAL_LIMITS = 4 };
/* Writes the limits that are exceeded and returns their number. */
size_t spectral_limits(const SpectralSetup *setup, SpectralLimit limits[SPECTRAL_LIMITS]);
/* A line for each of them. */
void spectral_forecast(const SpectralSetup *setup, const Outlook *outlook);

/* ---- the way of the mean wind: state, because the mean may change with time ---- */

/* In a field's `saved`: metres travelled, up to the time SPECTRAL_SINCE. */
enum { SPECTRAL_TRAVELLED = 0, SPECTRAL_SINCE = 3, SPECTRAL_SAVED = 4 };

/* Where the mean has led at time t, going on as now. */
void spectral_travelled(const Field *field, mote_Vec3 mean, double t, double way[3]);
void spectral_travel(Field *field, mote_Vec3 mean, double until);

/* ---- modes ---- */

/* One wave vector of each pair k, -k: the one whose first index that is not zero is positive. */
typedef struct SpectralMode {
    int index[3];    /* a, b, c */
    double k;        /* rad/m */
    double strength; /* expected |U|^2, m^2/s^2 */
    double w;        /* rad/s, for streaming */
    double u[3][2];  /* U, for all but periodic time */
} SpectralMode;

typedef struct SpectralModes {
    SpectralMode *items;
    size_t count;
    double energy; /* expected half of the mean of |u|^2 (of n^2 for noise) */
} SpectralModes;

/* All modes of one grid, drawn; free the items with memory_free. */
mote_Status spectral_modes_make(const SpectralSetup *setup, int grid, RandomKey key,
                                const FieldSite *site, SpectralModes *modes, mote_Error *error);
void spectral_modes_free(Memory *memory, SpectralModes *modes);

/* The complex amplitude of (a, b, c, m) with expected square `strength`: a function of the key and
 * of the four integers, whatever the size of the grid. */
void spectral_draw(const SpectralSetup *setup, int grid, RandomKey key, const SpectralMode *mode,
                   int m, double strength, double u[3][2]);

/* Proportional to a mode's energy at frequency 2 pi m / period, |m| <= spectral_most_m: a normal
 * distribution of standard deviation k sigma. */
double spectral_share(const SpectralSetup *setup, int grid, double k, int m);
int spectral_most_m(size_t slices);

/* ---- tables ---- */

/* Points of a table beyond one period, on each side of an axis: what four taps reach. */
enum { SPECTRAL_BEFORE = 1, SPECTRAL_AFTER = 2, SPECTRAL_MARGIN = 3, SPECTRAL_LANES = 4 };

/* Moments of a sub-step that integrators ask for, as parts of it. */
enum { SPECTRAL_NODES = 6 };

/* A grid's tables: element ((z row + y) row + x) * SPECTRAL_LANES + component, row = points +
 * SPECTRAL_MARGIN; point (0, 0, 0) is at index SPECTRAL_BEFORE of every axis. */
typedef struct SpectralGrid {
    SpectralModes modes;
    float *series[2]; /* of periodic time: U of every slice and mode, re and im */
    float **tables;
    int64_t *moments; /* of the tables: the slice that each holds; -1: none */
    size_t table_count;
    float *ready[SPECTRAL_NODES]; /* blended for a moment of the sub-step; NULL: none */
    double ready_time[SPECTRAL_NODES];
    double amplitude;     /* factor on all modes */
    mote_real turn[3][3]; /* world to grid */
} SpectralGrid;

typedef struct Spectral {
    SpectralSetup setup;
    Memory *memory;
    mote_Tasks *tasks;
    Fft *fft;
    float *planes[4]; /* the two complex arrays that are transformed */
    double *filter;   /* 1 / transform of the B-spline, per index */
    SpectralGrid grids[SPECTRAL_MOST_GRIDS];
    double start, step;                  /* s: the sub-step that was prepared */
    atomic_size_t asked[SPECTRAL_NODES]; /* samples at each of its moments so far */
} Spectral;

mote_Status spectral_open(const FieldSite *site, const SpectralSetup *setup, RandomKey key,
                          Spectral **out, mote_Error *error);
void spectral_close(Memory *memory, void *spectral);
/* to = before + part (after - before) */
typedef void SpectralBlend(size_t count, const float *before, const float *after, float part,
                           float *to);
/* Makes the tables of the times [t, t + dt]. */
mote_Status spectral_prepare(Spectral *spectral, double t, double dt, SpectralBlend *blend,
                             mote_Error *error);
/* Says that `count` samples were taken at time t; from any thread. */
void spectral_note(Spectral *spectral, double t, size_t count);
/* Blended tables for the moments that were asked for often in the sub-step before; a table that is
 * missing changes no bits. */
void spectral_make_ready(Spectral *spectral, double t, double dt, SpectralBlend *blend);

/* Making tables: one of the grid at a moment, from `series` in periodic time. */
size_t spectral_row(const SpectralSetup *setup);          /* points of a table along x */
size_t spectral_table_floats(const SpectralSetup *setup); /* of a table */
size_t spectral_plane_floats(const SpectralSetup *setup); /* of an array that is transformed */
void spectral_make_table(const Spectral *spectral, int grid, int64_t moment, float *table);
size_t spectral_series_bytes(const Spectral *spectral, const SpectralGrid *grid);
mote_Status spectral_make_series(Spectral *spectral, int grid, RandomKey key, const FieldSite *site,
                                 mote_Error *error);

/* The two tables around a moment, for the kernels. */
typedef struct SpectralView {
    const float *before, *after;
    mote_real blend;   /* from one to the other */
    size_t row, plane; /* floats from one y or z to the next; plane 0 in two dimensions */
    mote_real points;  /* per axis */
    mote_real inverse; /* points / size, 1/m */
} SpectralView;

SpectralView spectral_view(const Spectral *spectral, int grid, double t);
/* The same of the tables of two moments, never of one that is ready. */
SpectralView spectral_view_moments(const Spectral *spectral, int grid, double t);

#endif
