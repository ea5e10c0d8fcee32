/* Particle shifting, after the pressure row and before positions move. */
#ifndef SOLVERS_SPH_SHIFT_H
#define SOLVERS_SPH_SHIFT_H

#include "solvers/sph/sph.h"

/* Adds to step->move, and makes it where there is none. Needs step->fill. */
mote_Status sph_shift(SphStep *step, mote_Error *error);

#endif
