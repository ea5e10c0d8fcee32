/* The end of a sub-step for sheets, as its parts see it: circulations and slip (sheet_flow.c), what
 * leaves (sheet_shed.c), what pushes the bodies (sheet_push.c). */
#ifndef SOLVERS_VORTEX_SHEET_FLOW_H
#define SOLVERS_VORTEX_SHEET_FLOW_H

#include "solvers/vortex/sheets.h"

/* One sheet's panels in the world, at the end of the sub-step. */
typedef struct SheetFlow {
    size_t count;
    mote_real *x[3];           /* m, middles of panels */
    mote_real *out[3];         /* m/s: flow there but for the sheets */
    mote_real *all[3];         /* m/s: but for the sheet's own rings */
    mote_Vec3 *normal, *moves; /* of the body */
    /* m/s, relative to the surface, outside, then on the other side if there is one; and as the
     * sub-step began */
    mote_Vec3 *slip, *slipped;
    double *mu; /* right sides, then circulations */
} SheetFlow;

/* ---- sheet_shed.c ---- */

/* The share of a panel's sheet that viscosity takes to a layer of half a side in a sub-step. */
mote_real viscous_share(const VortexWork *work, const Panels *panels);
/* What the slip of all sheets takes off them. False when out of memory. */
bool shed_all(const VortexWork *work, const VortonRows *rows, const SheetFlow *flows);
/* What was shed, as sources; those that went to rows are among the rows. */
bool shed_sources(const VortexWork *work, Sources *out);

/* ---- sheet_push.c ---- */

/* Notes the sheet's impulse, and pushes its body. `before` is what the sheet kept of the last
 * sub-step. */
void push_sheet(const VortexWork *work, const SolverStep *step, size_t k, const SheetFlow *f,
                const double *before);

#endif
