/* The Gaussian core (formulas/gaussian.h). */
#include "solvers/vortex/kernels/induce.h"

#include "solvers/vortex/formulas/eight_exp.h"
#include "solvers/vortex/formulas/gaussian.h"

CORE(gaussian, "exp(-s^2 / 2): most accurate, and slow", 1.0579657578292109, 1)
