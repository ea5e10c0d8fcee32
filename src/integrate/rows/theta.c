/* The implicit schemes: members of the theta scheme (src/integrate/implicit.h). */
#include "integrate/implicit.h"
#include "integrate/integrator.h"

/* Stable for every w h. */
#define INFINITY_OF_W_H __builtin_huge_val()

/* theta_ below 0: the solver's; further properties follow the window. */
#define THETA(row, name_, doc_, theta_, order_, ...)                                               \
    const IntegratorRow ISA(integrator_##row) = {                                                  \
        .head = {.name = name_, .doc = doc_},                                                      \
        .order = order_,                                                                           \
        .order_with_drag = order_,                                                                 \
        .stable_to = INFINITY_OF_W_H,                                                              \
        .usable_to = INFINITY_OF_W_H,                                                              \
        .implicit = true,                                                                          \
        .scratch_planes = IMPLICIT_SCRATCH_PLANES,                                                 \
        .theta = theta_,                                                                           \
        .window = __VA_ARGS__,                                                                     \
    }

THETA(theta, "theta", "theta scheme: the solver's theta weighs the forces at the end of the step",
      -1, 1, 0.02);
THETA(implicit_euler, "implicit-euler",
      "implicit Euler: order 1, stable for springs of any stiffness, loses energy", 1, 1, 0.02);
THETA(crank_nicolson, "crank-nicolson",
      "Crank-Nicolson, the implicit trapezoidal rule: order 2, stable", 0.5, 2, 0.2,
      .reversible = true);
