/* Sums of pairs for diffusion: what a vorton gets from a run of others. */
#ifndef SOLVERS_VORTEX_SPREAD_H
#define SOLVERS_VORTEX_SPREAD_H

#include "base/isa.h"

enum {
    SPREAD_X,
    SPREAD_STRENGTH = 3,
    SPREAD_TEMPERATURE = 6,
    SPREAD_WIDTH2, /* m^2, square of the core radius */
    SPREAD_VOLUME, /* m^3 */
    SPREAD_PLANES
};

/* Numbers of vortons, sorted by bin, with room for eight more behind the last. */
typedef struct SpreadPairs {
    const mote_real *plane[SPREAD_PLANES];
    bool published, flat;      /* the exchange of games; of two dimensions */
    mote_real rate, heat_rate; /* of strength and heat, times the time */
} SpreadPairs;

enum { SPREAD_CHANGES = 4 }; /* strength, temperature */

/* Vortons [first, end). */
typedef struct SpreadRun {
    size_t first, end;
} SpreadRun;

typedef struct SpreadKernels {
    /* What vorton i gets from runs of vortons, itself left out. */
    void (*pairs)(const SpreadPairs *pairs, size_t i, const SpreadRun *runs, size_t run_count,
                  mote_real change[SPREAD_CHANGES]);
} SpreadKernels;
const SpreadKernels *spread_kernels(Isa isa);

#endif
