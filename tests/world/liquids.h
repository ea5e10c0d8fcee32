/* Liquids that are done twice, on ranks or on a device, and compared bit by bit. */
#ifndef TESTS_WORLD_LIQUIDS_H
#define TESTS_WORLD_LIQUIDS_H

#include <stdio.h>

/* A block of water falls apart in a tank, and is looked at; or, without a solver, `world` is the
 * whole scene. */
typedef struct Case {
    const char *name, *world, *solver, *more;
} Case;

static const char scene_text[] =
    "{ mote: 1, world: { fps: 50, max_step: 0.005, duration: 4, %s },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05, %s } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water', interval: 0.007 },\n"
    "    { name: 'speed', type: 'velocity', system: 'water', at: [-0.3, 0.2, 0] },\n"
    "    { name: 'top', type: 'height', system: 'water', at: [-0.3, 0.02, 0] } ],\n"
    "  %s }\n";

#define BLOCK                                                                                      \
    "{ name: 'block', system: 'water', at: [-0.3, 0.25, 0],\n"                                     \
    "  from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.4, 0.5, 0.4] } } }"
#define TANK                                                                                       \
    "{ name: 'tank', shape: { type: 'inverted', shape: { type: 'box', size: [1, 1, 0.4] } },\n"    \
    "  motion: { at: [0, 0.5, 0] }, measure: true }"

#define FAST                                                                                       \
    "{ name: 'block', system: 'water', at: [-0.2, 0.3, 0], velocity: [5, -4, 1],\n"                \
    "  from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.4, 0.4, 0.35] } } }"

#define EVERY_FORM                                                                                 \
    "{ name: 'floor', shape: { type: 'plane', normal: [0.1, 1, 0.05] } },\n"                       \
    "{ name: 'post', shape: { type: 'cylinder', radius: 0.1, height: 1 }, motion: { at: [0.3,\n"   \
    "  0.4, 0], rotate: [10, 0, 20] } },\n"                                                        \
    "{ name: 'knob', shape: { type: 'capsule', radius: 0.06, length: 0.2 }, motion: { at: [0.1,\n" \
    "  0.1, 0.1], rotate: ['=90*t', 0, 30] } },\n"                                                 \
    "{ name: 'well', shape: { type: 'inverted', shape: { type: 'cylinder', radius: 0.6,\n"         \
    "  height: 1.4 } }, motion: { at: [0, 0.6, 0] }, measure: true },\n"                           \
    "{ name: 'step', shape: { type: 'compound', parts: [ { type: 'box', size: [0.2, 0.1, 0.3] "    \
    "},\n  { type: 'box', size: [0.1, 0.3, 0.1], at: [0.1, 0.1, 0] } ] },\n"                       \
    "  motion: { at: ['=0.2*sin(9*t)', 0.05, -0.2] }, velocity: [0, 0, 0.5] },\n"                  \
    "{ name: 'bowl', shape: { type: 'inverted', shape: { type: 'sphere', radius: 0.9 } },\n"       \
    "  motion: { at: [0, 0.5, 0] } }"

static inline void write_case(const Case *of, char text[4000])
{
    if (of->solver == NULL)
        snprintf(text, 4000, "%s", of->world);
    else
        snprintf(text, 4000, scene_text, of->world, of->solver, of->more);
}

#define ALL_THAT_MOVES                                                                             \
    "emitters: [" BLOCK ", { name: 'jet', system: 'water', at: [0.3, 0.8, 0],\n"                   \
    "  velocity: [0, -2, 0], from: { type: 'inflow', spacing: 0.05, radius: 0.1 } } ],\n"          \
    "  bodies: [ { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, density: 400,\n"          \
    "    motion: { at: [0.2, 0.15, 0] } } ],\n"                                                    \
    "  colliders: [" TANK ", { name: 'drain', sink: true, shape: { type: 'sphere',\n"              \
    "    radius: 0.15 }, motion: { at: [0.45, 0.1, 0.1] } } ]"

static const Case cases[] = {
    {"walls", "seed: 1", "pressure: 'wcsph'", "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"continuity and moving walls", "seed: 1",
     "pressure: 'wcsph', density: 'continuity', artificial: 0.1, xsph: 0.2, wall_forces: true",
     "emitters: [" BLOCK "], colliders: [" TANK ", { name: 'piston', shape: { type: 'box',\n"
     "  size: [0.2, 0.4, 0.38] }, motion: { at: ['=0.1-0.2*sin(6*t)', 0.3, 0] } } ]"},
    {"inflow, sink and a body", "bounded: true, box_min: [-1, -1, -1], box_max: [1, 2, 1]",
     "pressure: 'wcsph', viscosity: 0.05", ALL_THAT_MOVES},
    {"periodic", "periodic_x: true, box_min: [-0.55, -1, -1], box_max: [0.55, 2, 1]",
     "pressure: 'wcsph', background: 200, viscosity: 2",
     "emitters: [" BLOCK "], colliders: [ { name: 'floor', shape: { type: 'plane' } } ],\n"
     "  forces: [ { name: 'wind', type: 'gravity', acceleration: [6, 0, 1] } ]"},
    {"incompressible", "seed: 1", "artificial: 0.05",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"incompressible, periodic and thick",
     "periodic_x: true, box_min: [-0.55, -1, -1],\n"
     "  box_max: [0.55, 2, 1]",
     "viscosity: 0.5, xsph: 0.1",
     "emitters: [" BLOCK "], colliders: [ { name: 'floor', shape: { type: 'plane' } } ],\n"
     "  forces: [ { name: 'wind', type: 'gravity', acceleration: [6, 0, 1] } ]"},
    {"incompressible, inflow, sink and a body",
     "bounded: true, box_min: [-1, -1, -1], box_max: [1, 2, 1]", "artificial: 0.05",
     ALL_THAT_MOVES},
    {"flat", "dimension: 2", "pressure: 'wcsph', boundary: 'sampled'",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
};

#endif
