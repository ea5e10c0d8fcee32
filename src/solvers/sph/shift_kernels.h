/* The loop over pairs of particle shifting, per instruction set. */
#ifndef SOLVERS_SPH_SHIFT_KERNELS_H
#define SOLVERS_SPH_SHIFT_KERNELS_H

#include "space/neighbours.h"

/* What a pair needs of a particle. */
typedef struct ShiftPacket {
    mote_real x[3];
    mote_real fill; /* C: the share of the kernel that is filled */
} ShiftPacket;

typedef struct ShiftInput {
    const ShiftPacket *packets; /* by place */
    const Neighbours *lists;
    Smoothing kernel;
    mote_real period[3];   /* m; 0: none */
    mote_real volume;      /* of a particle at rest, m^3 (2-D: m^2) */
    mote_real usual;       /* 1 / W at a distance of one spacing */
    mote_real *crowd[3];   /* set: sum V (1 + R (W / W(d))^4) grad W, 1/m */
    mote_real *outward[3]; /* set: -sum V (C_j - C_i) grad W, 1/m: out of the liquid */
} ShiftInput;

typedef struct ShiftKernels {
    void (*crowd)(const ShiftInput *input, size_t begin, size_t end);
} ShiftKernels;

const ShiftKernels *shift_kernels(Isa isa);

#endif
