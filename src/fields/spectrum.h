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

/* As mote_spectrum_estimate, with memory for what is worked out. */
mote_Status spectrum_estimate(const mote_SpectrumSamples *samples, Memory *memory,
                              mote_Tasks *tasks, Isa isa, double *energy, mote_Error *error);

#endif
