/* Flow in a periodic box by Fourier transforms: what vortons are compared with; and the spectrum of
 * either. */
#ifndef STUDY_PERIODIC_H
#define STUDY_PERIODIC_H

#include "base/memory.h"
#include "fft/fft.h"

#define PERIODIC_BOX 4.0 /* m, each side */

enum { PERIODIC_SHELLS = 128 };

/* Energy by wave number, in shells of 2 pi / 4 m; the whole of it and of the squared vorticity. */
typedef struct Spectrum {
    double k[PERIODIC_SHELLS], density[PERIODIC_SHELLS]; /* 1/m, m^6/s^2 */
    size_t shells;
    double energy, enstrophy; /* m^5/s^2, m^3/s^2 */
} Spectrum;

typedef struct PeriodicPlane {
    float *re, *im;
} PeriodicPlane;

/* A mesh over the box and vectors of its nodes, x slowest: strengths (vorticity times volume), or
 * the transforms of them. */
typedef struct Periodic {
    size_t n; /* nodes along each side */
    Memory memory;
    Arena arena;
    Fft *fft;
    PeriodicPlane strength[3], change[3], work[3];
} Periodic;

/* `n`: a product of 2, 3 and 5. `flows`: has it planes to step with? Close it in any case. */
mote_Status periodic_open(Periodic *s, size_t n, bool flows, mote_Tasks *tasks, mote_Error *error);
void periodic_close(Periodic *s);

/* From strengths at nodes to their transforms. */
void periodic_transform(Periodic *s);
/* Of cores of a Gaussian with this radius, m. After periodic_transform. */
void periodic_measure(const Periodic *s, double core, Spectrum *spectrum);
/* A third-order step of the Navier-Stokes equations. After periodic_transform. */
void periodic_step(Periodic *s, double viscosity, double dt);

#endif
