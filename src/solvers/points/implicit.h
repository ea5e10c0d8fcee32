/* What implicit schemes ask about forces on single particles. */
#ifndef SOLVERS_POINTS_IMPLICIT_H
#define SOLVERS_POINTS_IMPLICIT_H

#include "integrate/implicit.h"
#include "solvers/points/points.h"

/* The solver's settings, and theta of its scheme; all else is for the caller to fill in. */
ImplicitProblem points_implicit_problem(const PointsSolver *solver);

/* d = mass (1 - by[0] da/dx - by[1] da/dv), symmetric, per row; pinned rows (a column, or NULL)
 * have their mass alone. */
void points_linearise(const PointsSolver *solver, const Range *r, double t, const mote_real by[2],
                      const uint32_t *pinned, mote_real *const d[MATRIX_PLANES]);

/* How much of the way h dv every row of the range may go at once; dv over all rows. */
double points_limit(const PointsSolver *solver, const Range *r, mote_real h, const Vector *dv);
bool points_has_limit(const PointsSolver *solver);

/* m/s: what rounding of the positions makes of speeds, and what uniform forces give in a step. */
double points_slowest(const PointsSolver *solver, const Vector *x, size_t rows, double dt);

/* Adds a solve to the counts. */
void points_count_implicit(ImplicitNotes *notes, const ImplicitReport *report);

/* Advances the range by an implicit scheme: its rows do not feel each other. */
void points_solve_implicitly(const PointsSolver *solver, const Range *r);

#endif
