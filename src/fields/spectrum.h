/* Energy spectra: E(k), the kinetic energy per unit mass and unit wave number, (m/s)^2 m, so that
 * the integral of E over k is half of the mean of |u|^2; and measuring one from samples. */
#ifndef FIELDS_SPECTRUM_H
#define FIELDS_SPECTRUM_H

#include <mote/fields.h>
#include <mote/tasks.h>

#include "base/isa.h"
#include "base/memory.h"

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

/* Samples of a scalar or a vector field at the points of a square or cubic grid that fills a box:
 * index (z * points + y) * points + x. */
typedef struct SpectrumSamples {
    int dimension;  /* 2 or 3 */
    size_t points;  /* per axis: a product of 2, 3 and 5 */
    double size;    /* m, of the box */
    int components; /* 1 or 3 */
    const mote_real *planes[3];
    bool periodic; /* the box repeats; otherwise the mean is taken off and Hann's window is laid
                      over the samples */
} SpectrumSamples;

/* The number of shells of spectrum_estimate: points / 2 + 1. */
size_t spectrum_shells(size_t points);

/* energy[n], n < spectrum_shells: half the square of the Fourier components whose |k| rounds to
 * n 2 pi / size, divided by the shell's width 2 pi / size. */
mote_Status spectrum_estimate(const SpectrumSamples *samples, Memory *memory, mote_Tasks *tasks,
                              Isa isa, double *energy, mote_Error *error);

#endif
