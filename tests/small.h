/* A small scene for each solver, of a few frames and some hundred rows, with pictures, probes and
 * checkpoints: for tests that run one again and again. */
#ifndef TESTS_SMALL_H
#define TESTS_SMALL_H

#include <stddef.h>

typedef struct SmallScene {
    const char *name, *text;
} SmallScene;

#define SMALL_HEAD(step)                                                                           \
    "{ mote: 1, world: { duration: 0.15, fps: 20, max_step: " step ", seed: 3 },\n"                \
    "  output: { checkpoint_every: 1, video: 'none' }, render: { width: 24, height: 16 },\n"       \
    "  camera: { from: [0.4, 1, 3], to: [0, 0.3, 0] },\n"

static const SmallScene small_scenes[] = {
    {"points",
     SMALL_HEAD(
         "0.02") "  fields: [{ name: 'air', type: 'curl-noise', scale: 0.5, octaves: 2, speed: 1 "
                 "}],\n"
                 "  systems: [{ name: 'sparks', look: { opacity: '=1-age', trail: 2 } },\n"
                 "            { name: 'dust', solver: { trace: 'air', integrator: 'rk4' } }],\n"
                 "  emitters: [{ system: 'sparks', rate: '=300*(1+t)', lifetime: 0.08, radius: "
                 "0.02,\n"
                 "               at: [0, 0.05, 0], velocity: [0, -1, 0], spread: 0.5 },\n"
                 "             { system: 'dust', burst: 50, at: [0, 0.5, 0],\n"
                 "               from: { type: 'sphere', radius: 0.3 } }],\n"
                 "  forces: [{ type: 'drag', linear: 1, wind: 'air' }],\n"
                 "  colliders: [{ name: 'ground', shape: { type: 'plane' }, restitution: 0.5 }],\n"
                 "  probes: [{ name: 'sum', type: 'total', system: 'dust' },\n"
                 "           { name: 'push', type: 'load', collider: 'ground' }] }\n"},
    {"springs",
     SMALL_HEAD("0.005") "  systems: [{ name: 'jelly', solver: { integrator: 'leapfrog' } }],\n"
                         "  links: [{ name: 'cube', system: 'jelly', stiffness: 60, damping: 0.06, "
                         "shear: 0.6,\n"
                         "    breaking: 0.3, pattern: { type: 'lattice', corner: [-0.2, 0.01, 0],\n"
                         "      size: [0.3, 0.3, 0.3], x: 3, y: 3, z: 3, mass: 2, velocity: [0, "
                         "-3, 0] } }],\n"
                         "  colliders: [{ name: 'ground', shape: { type: 'plane' }, restitution: "
                         "0.3 }] }\n"},
    {"implicit",
     SMALL_HEAD(
         "0.0167") "  fields: [{ name: 'wind', type: 'uniform', value: [3, 0, '=sin(t)'] }],\n"
                   "  systems: [{ name: 'flag', solver: { integrator: 'implicit-euler' } }],\n"
                   "  links: [{ name: 'flag', system: 'flag', stiffness: 200, damping: 0.02, "
                   "shear: 0.4,\n"
                   "    bend: 0.01, air: 0.6, wind: 'wind', pattern: { type: 'sheet', corner: "
                   "[-0.3, 0.6, 0],\n"
                   "      along: [0.6, 0, 0], across: [0, -0.4, 0], columns: 7, rows: 5, pin: "
                   "'left',\n"
                   "      mass: 0.1 } }],\n"
                   "  colliders: [{ shape: { type: 'sphere', radius: 0.1 }, motion: { at: [0, 0.2, "
                   "0] } }] }\n"},
    {"wcsph",
     SMALL_HEAD(
         "0.01") "  systems: [{ name: 'water', solver: { type: 'sph', pressure: 'wcsph', spacing: "
                 "0.1 } }],\n"
                 "  emitters: [{ system: 'water', at: [0, 0.3, 0], from: { type: 'fill', spacing: "
                 "0.1,\n"
                 "      shape: { type: 'box', size: [0.4, 0.4, 0.4] } } }],\n"
                 "  colliders: [{ name: 'tank', shape: { type: 'inverted', shape: { type: 'box',\n"
                 "      size: [0.8, 1, 0.5] } }, motion: { at: [0, 0.5, 0] } }],\n"
                 "  probes: [{ name: 'level', type: 'height', system: 'water', at: [0.1, 0, 0] }] "
                 "}\n"},
    {"dfsph",
     SMALL_HEAD(
         "0.01") "  systems: [{ name: 'water', solver: { type: 'sph', spacing: 0.1 },\n"
                 "      surface: { cell: 0.8, smoothing: 2 } }],\n"
                 "  emitters: [{ system: 'water', at: [0, 0.3, 0], from: { type: 'fill', spacing: "
                 "0.1,\n"
                 "      shape: { type: 'box', size: [0.4, 0.4, 0.4] } } },\n"
                 "    { name: 'tap', system: 'water', at: [0, 0.8, 0], velocity: [0, -2, 0],\n"
                 "      from: { type: 'inflow', spacing: 0.1, radius: 0.1 } }],\n"
                 "  bodies: [{ name: 'cork', density: 300, shape: { type: 'box', size: [0.2, 0.2, "
                 "0.2] },\n"
                 "      motion: { at: [0.25, 0.6, 0] } }],\n"
                 "  colliders: [{ name: 'tank', shape: { type: 'inverted', shape: { type: 'box',\n"
                 "      size: [0.8, 1, 0.5] } }, motion: { at: [0, 0.5, 0] } },\n"
                 "    { name: 'drain', sink: true, shape: { type: 'box', size: [0.2, 0.2, 0.6] },\n"
                 "      motion: { at: [-0.4, 0, 0] } }] }\n"},
    {"vortex",
     SMALL_HEAD(
         "0.0167") "  systems: [{ name: 'vortons', solver: { type: 'vortex', buoyancy: 1.4, "
                   "born_fuel: 0.2,\n"
                   "      born_temperature: 950, born_spin: 1, burn_rate: 12, ignition: 900 } },\n"
                   "    { name: 'smoke', solver: { type: 'tracers', of: 'vortons' } }],\n"
                   "  emitters: [{ system: 'vortons', burst: 40, rate: 200, radius: 0.08, "
                   "lifetime: 0.2,\n"
                   "      from: { type: 'disc', radius: 0.3 }, at: [0, 0.3, 0] },\n"
                   "    { system: 'smoke', rate: 500, from: { type: 'disc', radius: 0.3 }, at: [0, "
                   "0.3, 0] }],\n"
                   "  bodies: [{ name: 'ball', mass: 0.1, shape: { type: 'sphere', radius: 0.2 },\n"
                   "      motion: { at: [0, 0.8, 0] } }],\n"
                   "  colliders: [{ name: 'plate', measure: true, shape: { type: 'box', size: "
                   "[0.3, 0.1, 0.2] },\n"
                   "      motion: { at: [0.5, 0.4, 0], spin: [0, 0, 180] } }] }\n"},
    {"bodies",
     SMALL_HEAD(
         "0.01") "  systems: [{ name: 'beads' }],\n"
                 "  emitters: [{ system: 'beads', rate: 200, at: [-0.5, 0.4, 0], velocity: [4, 0, "
                 "0],\n"
                 "      radius: 0.03, mass: 0.05 }],\n"
                 "  bodies: [{ name: 'box', density: 20, shape: { type: 'box', size: [0.4, 0.2, "
                 "0.3] },\n"
                 "      motion: { at: [0, 0.1, 0] } },\n"
                 "    { name: 'drum', density: 20, shape: { type: 'cylinder', radius: 0.1, height: "
                 "0.2 },\n"
                 "      motion: { at: [0.05, 0.32, 0], spin: [90, 0, 30] } },\n"
                 "    { name: 'dumb-bell', density: 20, motion: { at: [0.1, 0.7, 0], velocity: [0, "
                 "-3, 0] },\n"
                 "      shape: { type: 'compound', parts: [{ type: 'sphere', radius: 0.1 }] } }],\n"
                 "  colliders: [{ name: 'ground', shape: { type: 'plane' } }] }\n"},
    {"wind",
     SMALL_HEAD(
         "0.02") "  fields: [{ name: 'gale', type: 'spectral-wind' }],\n"
                 "  systems: [{ name: 'leaves' }],\n"
                 "  emitters: [{ system: 'leaves', burst: 60, from: { type: 'box', size: [1, 1, 1] "
                 "} }],\n"
                 "  forces: [{ type: 'drag', linear: 2, wind: 'gale' }],\n"
                 "  probes: [{ name: 'gust', type: 'velocity', system: 'leaves', at: [0, 0, 0],\n"
                 "      reach: 0.5 }] }\n"},
    {"foam",
     SMALL_HEAD(
         "0.01") "  systems: [{ name: 'water', solver: { type: 'sph', spacing: 0.1 } },\n"
                 "    { name: 'foam', solver: { type: 'foam', joins: 'water', interval: 0.01,\n"
                 "      trapped: 20, energy_from: 0.1, energy_to: 1, trapped_from: 0, "
                 "trapped_to: 0.1 } }],\n"
                 "  emitters: [{ system: 'water', at: [0, 0.3, 0], velocity: [4, -1, 0],\n"
                 "      from: { type: 'fill', spacing: 0.1, shape: { type: 'box', size: [0.4, 0.4, "
                 "0.4] } } }],\n"
                 "  colliders: [{ name: 'tank', shape: { type: 'inverted', shape: { type: 'box',\n"
                 "      size: [0.8, 1, 0.5] } }, motion: { at: [0, 0.5, 0] } }] }\n"},
};

enum { SMALL_COUNT = sizeof small_scenes / sizeof small_scenes[0], SMALL_FRAMES = 3 };

#endif
