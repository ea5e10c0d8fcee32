/* The parameters of solver `vortex`, for its row: included once. */
#ifndef SOLVERS_VORTEX_PARAMS_H
#define SOLVERS_VORTEX_PARAMS_H

#include "base/row.h"
#include "solvers/vortex/boundary.h"

CORE_NAMES(core_names);
INDUCE_NAMES(induction_names);
static const char *const evaluation_names[] = {"grid", "vortons", "auto", NULL};
static const char *const scheme_names[] = {"euler", "rk2", "rk4", NULL};
static const char *const coupling_names[] = {[MOTE_COUPLED_BY_IMPULSE] = "impulse",
                                             [MOTE_COUPLED_BY_TRACERS] = "tracers",
                                             [MOTE_COUPLED_BY_PRESSURE] = "pressure",
                                             NULL};
BOUNDARY_NAMES(boundary_names);
static const char *const diffusion_names[] = {
    [VORTEX_DIFFUSION_EXCHANGE] = "exchange", [VORTEX_DIFFUSION_SPREADING] = "spreading", NULL};
static const char *const stretching_names[] = {"off", "classical", "transposed", "mixed", NULL};

#define S mote_VortexSolver
static const mote_Param params[] = {
    PARAM_CHOICE(S, core, "how vorticity is spread about a vorton's centre", core_names, 0),
    PARAM_CHOICE(S, induction, "how velocity is had from vorticity", induction_names, 0),
    PARAM_REAL(S, angle, "", "tree: a cell this large over its distance is far", 1.55, 0.05, 2),
    PARAM_COUNT(S, order, "tree: stand-in sources along a far cell's edge; 1: one", 5, 1, 8),
    PARAM_CHOICE(
        S, evaluation,
        "where velocity is computed: on a grid and interpolated, or at every vorton; auto: "
        "there for rings, in two dimensions and for grids that are finer",
        evaluation_names, VORTEX_EVALUATION_AUTO),
    PARAM_CHOICE(S, scheme, "how vortons are moved; on a grid rk4 is as rk2", scheme_names, 1),
    PARAM_CHOICE(S, stretching, "vortex stretching and tilting", stretching_names, 2),
    PARAM_REAL(S, stretch_limit, "",
               "stretching makes strengths larger by this factor at most; beyond, tubes fold", 2, 1,
               PARAM_LARGEST),
    PARAM_REAL(S, resolution, "", "cells of the grid per vorton", 1, 0.01, 1e6),
    PARAM_REAL(S, mollify, "", "least core radius on the grid, in cells", 1, 0, 10),
    PARAM_REAL(S, viscosity, "m^2/s", "kinematic viscosity", 0, 0, PARAM_LARGEST),
    PARAM_CHOICE(
        S, diffusion,
        "how viscosity spreads vorticity: by strengths that vortons exchange, or by cores that get "
        "wider until the next remeshing",
        diffusion_names, VORTEX_DIFFUSION_EXCHANGE),
    PARAM_REAL(S, relaxation, "1/s",
               "rate at which strengths turn to where the vorticity around them points", 0, 0,
               PARAM_LARGEST),
    PARAM_COUNT(S, remesh,
                "sub-steps after which vortons become those of an even lattice; 0: never", 0, 0,
                1e6),
    PARAM_REAL(S, remesh_spacing, "m", "remesh: from one vorton to the next", 0, 0, PARAM_LARGEST),
    PARAM_REAL(S, remesh_overlap, "", "remesh: core radius of the vortons, in spacings", 1.5, 0.5,
               4),
    PARAM_REAL(S, remesh_cut, "", "remesh: what has less of the largest strength is left out", 1e-4,
               0, 0.5),
    PARAM_REAL(S, split, "", "vortons that got so many times as long are cut in two; 0: none", 0, 0,
               PARAM_LARGEST),
    PARAM_COUNT(S, split_most, "split: up to so many vortons", 100000, 1, 1e9),
    PARAM_REAL(S, merge, "", "in core radii: nearer vortons that turn alike become one; 0: none", 0,
               0, 10),
    PARAM_REAL(S, exchange, "1/s", "the published exchange of vorticity between neighbours", 0, 0,
               10),
    PARAM_VEC3(S, wind, "m/s", "added to the induced velocity", 0, 0, 0),
    PARAM_REAL(S, density, "kg/m^3", "density of the surroundings", 1.2, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(S, temperature, "K", "temperature of the surroundings", 300, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(S, heat_capacity, "J/(kg K)", "specific heat at constant pressure", 1005,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, buoyancy, "", "gain of the vorticity made where light fluid meets heavy", 1, 0,
               1000),
    PARAM_REAL(S, diffusivity, "m^2/s", "thermal diffusivity, by particle-strength exchange", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, heat_exchange, "1/s", "the published exchange of heat between neighbours", 0, 0,
               10),
    PARAM_REAL(S, heat_loss, "1/s", "rate at which vortons cool to the surroundings", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, born_temperature, "K", "temperature of new vortons; 0: the surroundings'", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, born_fuel, "", "share of fuel in new vortons; the rest is smoke", 0, 0, 1),
    PARAM_REAL(S, born_volume, "m^3", "fluid a new vorton stands for; 0: a ball of its core", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, born_spin, "1/s", "random vorticity of new vortons", 0, 0, PARAM_LARGEST),
    PARAM_REAL(S, ignition, "K", "activation temperature of burning", 301.5, 0, PARAM_LARGEST),
    PARAM_REAL(S, burn_rate, "1/s", "rate of burning when very hot; 0: nothing burns", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, burn_heat, "J/kg", "heat of burning", 10000, 0, PARAM_LARGEST),
    PARAM_REAL(S, smoke_temperature, "K", "flame turns to smoke below about this", 2000,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, smoke_rate, "1/s", "rate at which cold flame turns to smoke", 0, 0,
               PARAM_LARGEST),
    PARAM_CHOICE(S, boundary, "what bodies are to the flow", boundary_names, 0),
    PARAM_COUNT(S, panels, "panels: of a body, about", 200, 24, 1000),
    PARAM_REAL(S, shed_lifetime, "s", "panels, penalised: of vortons that are shed; 0: no end", 0,
               0, PARAM_LARGEST),
    PARAM_REAL(S, reach, "", "of walls, in core radii: vortons that are nearer touch", 1.2, 0.1,
               10),
    PARAM_REAL(S, shedding, "1/s",
               "rate at which vortons at walls take the vorticity that stops "
               "the flow there",
               3.16, 0, PARAM_LARGEST),
    PARAM_CHOICE(
        S, coupling,
        "what pushes bodies: the impulse of the vorticity that they shed, the tracers that "
        "bounce off, as published, or the pressure on panels",
        coupling_names, 0),
    PARAM_REAL(S, magnus, "", "gain of the side force on bodies that turn and move", 1, 0, 1000),
    PARAM_COUNT(S, ring_count, "vortex rings at the start", 0, 0, 64),
    PARAM_COUNT(S, ring_vortons, "vortons of a ring", 120, 8, 1e6),
    PARAM_REAL(S, ring_radius, "m", "radius of the rings", 0.5, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, ring_core, "m", "core radius of the rings", 0.1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, ring_circulation, "m^2/s", "circulation of the rings", 1, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_VEC3(S, ring_center, "m", "centre of the first ring", 0, 0, 0),
    PARAM_VEC3(S, ring_normal, "", "direction in which the rings travel", 0, 1, 0),
    PARAM_REAL(S, ring_gap, "m", "from one ring to the next, along the normal", 1, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_BOOL(S, ring_alternate, "every second ring turns the other way", 0),
};
#undef S

#endif
