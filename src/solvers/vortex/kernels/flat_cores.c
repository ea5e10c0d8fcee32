/* The cores of a world of two dimensions (formulas/flat.h). */
#include "solvers/vortex/kernels/induce.h"

#include "solvers/vortex/formulas/eight_exp.h"
#include "solvers/vortex/formulas/flat.h"

/* Defines a core of two dimensions; nobody asks for its potential. */
#define FLAT_CORE(core, spread)                                                                    \
    CORE_FUNCTIONS(flat_##core)                                                                    \
    const CoreRow ISA(core_flat_##core) = {CORE_ROW(core, flat_##core, "of two dimensions"),       \
                                           .variance = spread};

FLAT_CORE(winckelmans, 0.5)
FLAT_CORE(rosenhead, 0)
FLAT_CORE(gaussian, 1)
FLAT_CORE(linear, 0.25)
