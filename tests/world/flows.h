/* Vortex fluids that are done twice, on ranks or on a device, and compared bit by bit. */
#ifndef TESTS_WORLD_FLOWS_H
#define TESTS_WORLD_FLOWS_H

#define WORLD "{ mote: 1, world: { fps: 30, max_step: 0.0167, duration: 4, seed: 3 "
#define SMOKE "{ name: 'smoke', solver: { type: 'tracers', of: 'vortons' } }"
#define PROBES                                                                                     \
    "probes: [ { name: 'all', type: 'total', system: 'smoke' },\n"                                 \
    "  { name: 'spins', type: 'total', system: 'vortons', interval: 0.02 },\n"                     \
    "  { name: 'flow', type: 'field', field: 'vortons.velocity', at: [0.1, 0.2, 0] } ],\n"

/* Sums at the vortons, and at lines of nodes of a grid. */
static const char rings[] = WORLD
    ", gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', evaluation: 'vortons',\n"
    "    scheme: 'rk2', core: 'gaussian', resolution: 8, induction: 'direct', ring_count: 2,\n"
    "    ring_vortons: 300, ring_radius: 0.5, ring_core: 0.07, ring_gap: 0.5 } }, " SMOKE " ],\n"
    "  " PROBES
    "  emitters: [ { system: 'smoke', rate: 9000, from: { type: 'disc', radius: 0.6 },\n"
    "    lifetime: 0.1, radius: 0.01 } ],\n"
    "  colliders: [ { name: 'drain', sink: true, shape: { type: 'sphere', radius: 0.2 },\n"
    "    motion: { at: [0.5, 0, 0] } } ] }";

/* The tree, whose groups are dealt. */
static const char many_rings[] = WORLD
    ", gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', induction: 'tree', resolution: 8,\n"
    "    evaluation: 'vortons', ring_count: 4, ring_vortons: 400, ring_radius: 0.5,\n"
    "    ring_core: 0.07, ring_gap: 0.3 } }, " SMOKE " ],\n"
    "  " PROBES
    "  emitters: [ { system: 'smoke', burst: 500, rate: 0, from: { type: 'disc', radius: 0.6 },\n"
    "    radius: 0.01 } ] }";

/* Births, deaths, heat, walls, a body that is pushed, and dust, dealt in slices, that goes with
 * it. */
static const char plume[] = WORLD
    "},\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', buoyancy: 1, exchange: 0.03,\n"
    "    heat_exchange: 0.03, resolution: 2, mollify: 0.8, born_temperature: 500,\n"
    "    born_spin: 0.3, shedding: 3 } }, " SMOKE ", { name: 'dust' } ],\n"
    "  forces: [ { name: 'wind', type: 'drag', systems: 'dust', linear: 3,\n"
    "    wind: 'vortons.velocity' } ],\n"
    "  " PROBES "  emitters: [\n"
    "    { system: 'vortons', rate: 6000, from: { type: 'disc', radius: 0.5 }, at: [0, -0.5, 0],\n"
    "      lifetime: 0.2, radius: 0.06 },\n"
    "    { system: 'smoke', rate: 6000, from: { type: 'disc', radius: 0.5 }, at: [0, -0.5, 0],\n"
    "      lifetime: 0.15, radius: 0.01 },\n"
    "    { system: 'dust', rate: 9000, from: { type: 'disc', radius: 0.5 }, at: [0, -0.4, 0],\n"
    "      lifetime: 0.15, radius: 0.01 } ],\n"
    "  bodies: [ { name: 'ball', shape: { type: 'sphere', radius: 0.2 }, mass: 0.01,\n"
    "    motion: { at: [0.1, -0.3, 0] } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane' }, motion: { at: [0, -0.6, 0] },\n"
    "    measure: true } ] }";

/* In two dimensions, around a body. */
static const char flat[] = WORLD
    ", dimension: 2, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', resolution: 4 } }, " SMOKE " ],\n"
    "  " PROBES
    "  emitters: [ { system: 'vortons', rate: 9000, from: { type: 'disc', radius: 0.5 },\n"
    "      radius: 0.05, lifetime: 0.3 },\n"
    "    { system: 'smoke', rate: 3000, from: { type: 'disc', radius: 0.5 }, radius: 0.01 } ] }";

#endif
