/* Loops over pairs of a liquid's particles, per instruction set. */
#ifndef SOLVERS_SPH_KERNELS_H
#define SOLVERS_SPH_KERNELS_H

#include "space/neighbours.h"

/* What a pair needs of a particle, side by side, so that one load fetches it all. */
typedef struct Packet {
    mote_real x[3], v[3];
    mote_real push;    /* P / rho^2 */
    mote_real inverse; /* 1 / rho */
} Packet;

typedef struct ForceInput {
    const Packet *packets; /* by place */
    const Neighbours *lists;
    Smoothing kernel;
    mote_real period[3]; /* m; 0: none */
    bool periodic;
    mote_real mass;
    mote_real soft;       /* m^2, keeps quotients by r^2 finite: 0.01 h^2 */
    mote_real laminar;    /* nu, m^2/s, along v; 0: none */
    mote_real central;    /* (D + 2) nu, m^2/s, along the pair's line; 0: none */
    mote_real shock;      /* alpha c h / 2, m^2/s; 0: none */
    mote_real clash;      /* beta h^2 / 2, m^2; 0: none */
    bool parting;         /* it slows pairs that part, too */
    mote_real xsph;       /* share; 0: none */
    mote_real diffusion;  /* 2 delta c h, m^2/s */
    mote_real *a[3];      /* added to */
    mote_real *excess[3]; /* set, with XSPH: what positions move faster than v */
    mote_real *rate;      /* set, d rho / dt; NULL: not wanted */
} ForceInput;

typedef struct SphKernels {
    /* Forces on the places [begin, end); returns the largest squared acceleration. */
    mote_real (*forces)(const ForceInput *input, size_t begin, size_t end);
} SphKernels;

const SphKernels *sph_kernels(Isa isa);

#endif
