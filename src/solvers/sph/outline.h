/* Where the surface of a liquid is, for what happens there: foam and tension. */
#ifndef SOLVERS_SPH_OUTLINE_H
#define SOLVERS_SPH_OUTLINE_H

#include "solvers/sph/sph.h"

/* The sum of V grad W at all places, 1/m, into planes that are taken here: 0 in the liquid, and
 * into it at its surface and at walls, whose share is not counted. False: no memory. */
bool sph_outline(const SphStep *step, mote_real *inward[3]);

#endif
