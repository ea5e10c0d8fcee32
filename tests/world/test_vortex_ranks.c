/* Vortex fluids on several ranks, as threads: every rank has all vortons, and sums are dealt. What
 * is shown, measured and saved has the bits of one rank, whatever their number, and whoever goes on
 * with a saved state. */
#include "scene_text.h"
#include "world/rank_faults.h"
#include "world/ranked.h"

/* ---- scenes ---- */

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

static const char *const scenes[] = {rings, many_rings, plume, flat};

/* ---- runs ---- */

enum { FRAMES = 4 };

typedef struct FlowRun {
    const char *scene;
    Run run;
} FlowRun;

static mote_Status flow_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    FlowRun *flow = context;
    mote_World *world;
    mote_Scene *scene = scene_of_text(flow->scene);
    mote_Status status = mote_scene_world_on(scene, NULL, ranks, &world, error);
    if (status == MOTE_OK && flow->run.start != NULL)
        status = mote_world_restore(world, flow->run.start, flow->run.start_count, error);
    if (status == MOTE_OK) status = run_frames(world, &flow->run, ranks->own == 0, error);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    return status;
}

static FlowRun flow_run(const char *scene, Notes *notes)
{
    return (FlowRun){.scene = scene, .run = {.notes = notes, .half = FRAMES / 2, .to = FRAMES}};
}

static void run_on(int ranks, FlowRun *flow)
{
    mote_Error error;
    flow->run.notes->count = 0;
    CHECK_OK(ranks_run_threads(ranks, flow_body, flow, &error), error);
}

/* ---- tests ---- */

static void any_number_of_ranks(void)
{
    static const int numbers[] = {2, 3, 5};
    static Notes one, many;
    for (size_t s = 0; s < COUNT_OF(scenes); ++s) {
        FlowRun alone = flow_run(scenes[s], &one);
        run_on(1, &alone);
        CHECK(one.count > 100);
        CHECK(alone.run.died > 0 || scenes[s] == many_rings || scenes[s] == flat);
        for (size_t i = 0; i < COUNT_OF(numbers); ++i) {
            FlowRun run = flow_run(scenes[s], &many);
            if (TEST_SANITIZED && i != s % COUNT_OF(numbers)) continue;
            run_on(numbers[i], &run);
            check_same(&one, &many, numbers[i]);
            free_state(&run.run);
        }
        free_state(&alone.run);
    }
}

static void a_state_goes_on_with_other_ranks(void)
{
    static const int pairs[][2] = {{3, 2}, {2, 1}, {1, 3}};
    static Notes whole, half;
    for (size_t i = 0; i < COUNT_OF(pairs); ++i) {
        FlowRun first = flow_run(plume, &whole);
        run_on(pairs[i][0], &first);
        FlowRun second = flow_run(plume, &half);
        second.run.start = first.run.saved, second.run.start_count = first.run.saved_count;
        second.run.from = FRAMES / 2;
        run_on(pairs[i][1], &second);
        notes_keep_last(&whole, half.count);
        check_same(&whole, &half, pairs[i][1]);
        free_state(&first.run);
    }
}

static void no_memory_on_one_rank(void)
{
    check_faults(rings, false, 6);
    check_faults(many_rings, false, 6);
    check_faults(plume, false, 6);
}

TESTS({"any number of ranks", any_number_of_ranks},
      {"a state goes on with other ranks", a_state_goes_on_with_other_ranks},
      {"no memory on one rank", no_memory_on_one_rank})
