/* Solver `foam`: spray, foam and bubbles that a liquid carries and that do not act on it (after
 * Ihmsen, Akinci, Akinci and Teschner 2012). A system of them joins the liquid's solver: what is
 * there moves when a sub-step of the liquid is known (foam_move.c), and every interval particles at
 * the liquid's surface give birth to more (foam_births.c). */
#ifndef SOLVERS_SPH_FOAM_H
#define SOLVERS_SPH_FOAM_H

#include "solvers/sph/sph.h"

enum { FOAM_SHARES = 64 };

typedef enum FoamColumn { FOAM_KIND, FOAM_LEFT, FOAM_DEPTH, FOAM_COLUMNS } FoamColumn;

/* One that is born at the end of the sub-step. */
typedef struct FoamBirth {
    mote_Vec3 home; /* m: where the liquid's particle is */
    mote_Vec3 x, v; /* m, m/s */
} FoamBirth;

typedef struct Foam {
    mote_System *system;
    mote_System *liquid; /* whose particles give birth; NULL: it is gone */
    size_t number;       /* among the solver's systems */
    mote_FoamSolver params;
    double interval; /* s */
    size_t column[FOAM_COLUMNS];
    mote_real shares[FOAM_SHARES + 2]; /* of the kernel in a half-space, by distance over H */
    FoamBirth *births;                 /* of this sub-step, which become rows at its end */
    size_t birth_count, birth_capacity;
} Foam;

/* The row's `join`. */
mote_Status foam_join(const SolverSite *site, Solver *solver, const void *params,
                      mote_Error *error);

/* A system leaves the solver: if it is foam, that goes; numbers behind it move down. */
void foams_leave(SphState *state, size_t number, const mote_System *system);
void foams_free(SphState *state, Memory *memory);

mote_StateArray foams_saved(SphState *state);

/* When a piece of a sub-step is accepted, before its positions and velocities are written back:
 * moves what is there, and notes births. */
mote_Status foams_solve(SphStep *step, mote_Error *error);
void foam_move(SphStep *step, const Foam *foam);
mote_Status foam_give_birth(SphStep *step, Foam *foam, double *clock, mote_Error *error);

/* The row's `finish`: the births that were noted become rows, for which there is room. */
void foams_bear(const SolverStep *outer);

#endif
