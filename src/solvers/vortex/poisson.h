/* Poisson's equation on a mesh by multigrid. */
#ifndef SOLVERS_VORTEX_POISSON_H
#define SOLVERS_VORTEX_POISSON_H

#include <mote/tasks.h>

#include "base/memory.h"

/* lap a = - b inside of a box of nodes, the last axis fastest; the outer ones of `a` are given.
 * Cells along each axis are a multiple of 2^k for k coarser meshes. */
typedef struct PoissonJob {
    size_t nodes[3];
    double side; /* m, of cells */
    double *a;   /* a guess, and the solution */
    const double *b;
    double tolerance; /* of the residual, as a share of b's root mean square */
    int most_cycles;
    Arena *arena;
    mote_Tasks *tasks;
} PoissonJob;

typedef struct PoissonReport {
    int cycles;
    double residual; /* share that is left */
    double slowest;  /* least factor by which a cycle made it smaller, the first left out */
} PoissonReport;

/* False when out of memory. */
bool poisson_solve(const PoissonJob *job, PoissonReport *report);

#endif
