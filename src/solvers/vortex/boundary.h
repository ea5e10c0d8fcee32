/* Vortons at walls: they are put beside the surface and take the vorticity that stops the flow at
 * it; the wall gets momentum and heat.
 *
 * Published are conditions at one point each; panels solve for a whole body at once, and
 * penalisation needs no surface, only a place within. */
#ifndef SOLVERS_VORTEX_BOUNDARY_H
#define SOLVERS_VORTEX_BOUNDARY_H

#include "solvers/solver.h"
#include "solvers/vortex/vortons.h"

/* X(row, name); the first is the default. */
#define BOUNDARY_ROWS(X)                                                                           \
    X(boundary_published, "published")                                                             \
    X(boundary_panels, "panels")                                                                   \
    X(boundary_penalised, "penalised")

enum { BOUNDARY_PANELS = 1 }; /* its number */

#define BOUNDARY_NAME(row, name) name,
#define BOUNDARY_NAMES(array)    static const char *const array[] = {BOUNDARY_ROWS(BOUNDARY_NAME) NULL}

/* What bodies are to the flow beyond the contacts of vortons; what is NULL is not done. Functions
 * return false when out of memory. */
typedef struct BoundaryRow {
    mote_Row head;
    mote_Status (*begin)(const SolverStep *step, mote_Error *error); /* rows may be added */
    bool (*place)(const SolverStep *step, VortexWork *work);         /* before there is a grid */
    bool (*carry)(const VortexWork *work, const VortonRows *rows);   /* as vortons move */
    /* When they have met walls. */
    bool (*finish)(const VortexWork *work, const VortonRows *rows, const SolverStep *step);
    bool meshes; /* the flow is that of a mesh, and `carry` moves vortons */
    bool flat;   /* it may be of two dimensions */
} BoundaryRow;
extern const BoundaryRow boundary_published, boundary_panels, boundary_penalised;
const BoundaryRow *boundary_row(int number);

/* Contacts of vortons with walls. */
typedef struct VortonWalls VortonWalls;

/* After vortons were moved: all that touch the walls of the step's system 0 are put beside them.
 * NULL when out of memory. */
VortonWalls *vortons_meet_walls(const VortexWork *work, const VortonRows *rows,
                                const SolverStep *step);
/* What they take of the strengths they want, and what bodies get for it, vorton by vorton. Adds to
 * *hits. False when out of memory. */
bool vortons_leave_walls(VortonWalls *walls, uint64_t *hits);

#endif
