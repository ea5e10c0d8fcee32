/* Keeping vortons good: new ones on a lattice, long ones cut in two, near ones joined. Done at the
 * start of a sub-step, before anything is derived from rows. */
#ifndef SOLVERS_VORTEX_REMESH_H
#define SOLVERS_VORTEX_REMESH_H

#include "solvers/solver.h"
#include "solvers/vortex/lattice.h"

/* What the parameters ask for: splitting, merging, remeshing. */
mote_Status vortons_tend(const SolverStep *step, mote_Error *error);

/* ---- remesh.c ---- */

/* Nodes of a lattice that become vortons. */
typedef struct Remeshed {
    Lattice lattice;
    double *numbers; /* DEALT_NUMBERS of each node */
    size_t *chosen;  /* nodes, ascending */
    size_t count;
    double core; /* m, their core radius */
} Remeshed;

/* How. */
typedef struct RemeshJob {
    const VortonRows *rows;
    const mote_VortexSolver *params;
    double variance;     /* of the core, in squares of its radius; 0: there is none */
    const double *birth; /* s, of each row; NULL: none grows old */
    double t;            /* s */
    Arena *arena;
    mote_Tasks *tasks;
} RemeshJob;

typedef enum RemeshResult { REMESH_DONE, REMESH_NO_MEMORY, REMESH_TOO_LARGE } RemeshResult;
RemeshResult remesh_make(const RemeshJob *job, Remeshed *made);
/* Writes node `k` of the chosen ones as row i. */
void remesh_write(const RemeshJob *job, const Remeshed *made, size_t k, const VortonRows *rows,
                  size_t i);

/* ---- crowd.c ---- */

/* Rows that stretching has made `split` times as strong. NULL when out of memory. */
size_t *rows_to_split(const VortonRows *rows, const mote_VortexSolver *p, size_t *count,
                      Arena *arena);
/* Half of row i goes to row `to`, each to where the middle of its half is. */
void split_row(const VortonRows *rows, size_t i, size_t to);
/* Joins those that are near each other and turn alike; lists the rows that are left over, in
 * ascending order. NULL when out of memory. */
size_t *merge_rows(const VortonRows *rows, const mote_VortexSolver *p, size_t *count, Arena *arena);

#endif
