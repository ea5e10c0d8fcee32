/* The implicit schemes: members of the theta scheme (src/integrate/implicit.h). */
#include "integrate/implicit.h"
#include "integrate/integrator.h"

/* Stable for every w h. */
#define INFINITY_OF_W_H __builtin_huge_val()

const IntegratorRow ISA(integrator_theta) = {
    .head = {.name = "theta",
             .doc = "theta scheme: the solver's theta weighs the forces at the end of the step"},
    .order = 1,
    .order_with_drag = 1,
    .window = 0.02,
    .stable_to = INFINITY_OF_W_H,
    .usable_to = INFINITY_OF_W_H,
    .implicit = true,
    .scratch_planes = IMPLICIT_SCRATCH_PLANES,
    .theta = -1, /* the solver's */
};

const IntegratorRow ISA(integrator_implicit_euler) = {
    .head = {.name = "implicit-euler",
             .doc = "implicit Euler: order 1, stable for springs of any stiffness, loses energy"},
    .order = 1,
    .order_with_drag = 1,
    .window = 0.02,
    .stable_to = INFINITY_OF_W_H,
    .usable_to = INFINITY_OF_W_H,
    .implicit = true,
    .scratch_planes = IMPLICIT_SCRATCH_PLANES,
    .theta = 1,
};

const IntegratorRow ISA(integrator_crank_nicolson) = {
    .head = {.name = "crank-nicolson",
             .doc = "Crank-Nicolson, the implicit trapezoidal rule: order 2, stable"},
    .order = 2,
    .order_with_drag = 2,
    .window = 0.2,
    .stable_to = INFINITY_OF_W_H,
    .usable_to = INFINITY_OF_W_H,
    .reversible = true,
    .implicit = true,
    .scratch_planes = IMPLICIT_SCRATCH_PLANES,
    .theta = 0.5,
};
