/* Solver `vortex`, and `tracers` that join it. */
#ifndef SOLVERS_VORTEX_SOLVER_H
#define SOLVERS_VORTEX_SOLVER_H

#include "base/random.h"
#include "solvers/solver.h"
#include "solvers/vortex/vortons.h"

/* What time goes into. */
enum {
    VORTEX_UPDATE, /* grid, velocity, operators, vortons moved */
    VORTEX_FOLLOW, /* tracers moved */
    VORTEX_WALLS,  /* vortons at walls */
    VORTEX_TRACER_WALLS,
    VORTEX_PARTS
};

typedef struct Vortex {
    Memory *memory;
    Isa isa;
    const CoreRow *core;
    const GridKernels *kernels;
    mote_Vec3 gravity;
    RandomKey key;
    VortexGrid grid;            /* of the last sub-step: state */
    double shape[9];            /* the grid's, as it is saved */
    uint64_t hits, tracer_hits; /* at walls, ever */
    double seconds[VORTEX_PARTS];
} Vortex;

extern const SolverRow vortex_solver_row, tracers_solver_row;

#endif
