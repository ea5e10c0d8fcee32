/* Liquids on several ranks, as threads: what is shown, measured and saved has the bits of one rank,
 * whatever their number, however often space is cut anew, and whoever goes on with a saved state.
 * MOTE_LONG goes through more frames. */
#include "scene_text.h"
#include "world/liquids.h"
#include "world/rank_faults.h"
#include "world/ranked.h"
#include "world/world.h"

/* ---- runs ---- */

typedef struct LiquidRun {
    const Case *liquid;
    Run run; /* notes of rank 0; the start, and a copy of the state half way */
    uint64_t rebalance_every;
} LiquidRun;

static bool is_long(void)
{
    return getenv("MOTE_LONG") != NULL;
}

static int frames(void)
{
    return is_long() ? 40 : 4;
}

static mote_Status liquid_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    LiquidRun *liquid = context;
    const Case *of = liquid->liquid;
    char text[4000];
    mote_World *world;
    write_case(of, text);
    mote_Scene *scene = scene_of_text(text);
    mote_Status status = mote_scene_world_on(scene, NULL, ranks, &world, error);
    if (status == MOTE_OK) world->spread.rebalance_every = liquid->rebalance_every;
    if (status == MOTE_OK && liquid->run.start == NULL) {
        status = mote_world_start(world, error);
        const mote_Frame *start = status == MOTE_OK ? mote_world_frame(world) : NULL;
        if (ranks->own == 0 && start != NULL) note_frame(liquid->run.notes, start);
    } else if (status == MOTE_OK) {
        status = mote_world_restore(world, liquid->run.start, liquid->run.start_count, error);
    }
    if (status == MOTE_OK) status = run_frames(world, &liquid->run, ranks->own == 0, error);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    return status;
}

static void run_on(int ranks, LiquidRun *liquid)
{
    mote_Error error;
    liquid->run.notes->count = 0;
    CHECK_OK(ranks_run_threads(ranks, liquid_body, liquid, &error), error);
}

/* ---- tests ---- */

/* Those that a device does not know, and sub-steps in which rows leave their bricks:
 * most_iterations is not enough for whole ones. */
static const Case own_cases[] = {
    {"shifting", "bounded: true, box_min: [-1, -1, -1], box_max: [1, 2, 1]",
     "pressure: 'wcsph', shifting: 0.5", ALL_THAT_MOVES},
    {"incompressible, linear and shifting", "seed: 1",
     "pressure: 'dfsph', divergence: 'linear', shifting: 0.5, viscosity: 0.02",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"incompressible, linear and periodic",
     "periodic_x: true, box_min: [-0.55, -1, -1], box_max: [0.55, 2, 1]",
     "pressure: 'dfsph', divergence: 'linear', most_iterations: 8",
     "emitters: [" BLOCK "], colliders: [ { name: 'floor', shape: { type: 'plane' } } ],\n"
     "  forces: [ { name: 'wind', type: 'gravity', acceleration: [6, 0, 1] } ]"},
    {"iisph", "bounded: true, box_min: [-1, -1, -1], box_max: [1, 2, 1]",
     "pressure: 'iisph', artificial: 0.05", ALL_THAT_MOVES},
    {"pcisph, in halves", "seed: 1", "pressure: 'pcisph', most_iterations: 4",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"incompressible, in halves", "seed: 1",
     "pressure: 'dfsph', most_iterations: 2, wall_forces: true, xsph: 0.1",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
};

enum { SHARED_CASES = COUNT_OF(cases), ALL_CASES = COUNT_OF(cases) + COUNT_OF(own_cases) };

static const Case *case_number(size_t number)
{
    return number < SHARED_CASES ? &cases[number] : &own_cases[number - SHARED_CASES];
}

static LiquidRun liquid_run(const Case *liquid, Notes *notes, uint64_t rebalance_every)
{
    return (LiquidRun){.liquid = liquid,
                       .run = {.notes = notes, .half = frames() / 2, .to = frames()},
                       .rebalance_every = rebalance_every};
}

/* Two to four and more than there are bricks for, with space cut anew all the time or never; in
 * short, two ways for each case, or one for every second case under sanitizers. */
static void any_number_of_ranks(void)
{
    static const struct {
        int ranks;
        uint64_t every;
    } ways[] = {{2, 32}, {3, 1}, {4, 7}, {8, 32}};
    static Notes one, many;
    for (size_t c = 0; c < ALL_CASES; c += TEST_SANITIZED ? 2 : 1) {
        LiquidRun alone = liquid_run(case_number(c), &one, 32);
        run_on(1, &alone);
        CHECK(one.count > 100);
        CHECK((alone.run.retries > 0) == (strstr(case_number(c)->name, "in halves") != NULL));
        for (size_t i = 0; i < COUNT_OF(ways); ++i) {
            const bool second = i == (c + 1) % COUNT_OF(ways) && !TEST_SANITIZED;
            if (!is_long() && i != c % COUNT_OF(ways) && !second) continue;
            LiquidRun run = liquid_run(case_number(c), &many, ways[i].every);
            run_on(ways[i].ranks, &run);
            check_same(&one, &many, ways[i].ranks);
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
        LiquidRun first = liquid_run(&cases[2], &whole, 32);
        run_on(pairs[i][0], &first);
        LiquidRun second = liquid_run(&cases[2], &half, 32);
        second.run.start = first.run.saved, second.run.start_count = first.run.saved_count;
        second.run.from = frames() / 2;
        run_on(pairs[i][1], &second);
        notes_keep_last(&whole, half.count);
        check_same(&whole, &half, pairs[i][1]);
        free_state(&first.run);
    }
}

/* As if a row had taken three times as long on rank 1 as on the others: space is cut anew, and it
 * has fewer of them. */
static mote_Status slow_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 100, max_step: 0.005, duration: 1 },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.02, pressure: 'wcsph' } } "
        "],\n"
        "  emitters: [ { name: 'block', system: 'water', at: [0, 0.2, 0], from: { type: 'fill',\n"
        "    spacing: 0.02, shape: { type: 'box', size: [0.9, 0.3, 0.3] } } } ] }\n";
    uint64_t rows[3];
    mote_World *world;
    (void)context;
    mote_Scene *scene = scene_of_text(text);
    mote_Status status = mote_scene_world_on(scene, NULL, ranks, &world, error);
    for (int frame = 0; frame < 2 && status == MOTE_OK; ++frame)
        status = mote_world_step(world, NULL, error);
    if (status == MOTE_OK) {
        world->spread.rebalance_every = world->substep; /* now, and not soon again */
        world->slots[0].all.busy = ranks->own == 1 ? 3e4 : 1e4;
        world->slots[0].all.worked = 1000000;
        status = mote_world_step(world, NULL, error);
    }
    if (status == MOTE_OK) status = ranks_share(ranks, world->slots[0].system->count, rows, error);
    if (status == MOTE_OK) CHECK(10 * rows[1] < 9 * rows[0] && 10 * rows[1] < 9 * rows[2]);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    return status;
}

static void slow_ranks_get_less(void)
{
    mote_Error error;
    CHECK_OK(ranks_run_threads(3, slow_body, NULL, &error), error);
}

static void what_cannot_be_spread_is_named(void)
{
    static const struct {
        const char *solver, *message;
    } refused[] = {
        {"pressure: 'pbf'", "system water: solver sph with pbf cannot be spread over 2 ranks"},
        {"pressure: 'wcsph', tension: 'csf'", "with surface tension cannot be spread"},
        {"pressure: 'wcsph', tension: 'pair'", "with surface tension cannot be spread"},
        {"pressure: 'wcsph', heat: 'conduction'", "solver sph with heat cannot be spread"},
    };
    static Notes notes;
    for (size_t i = 0; i < COUNT_OF(refused); ++i) {
        Case liquid = cases[0];
        mote_Error error;
        liquid.solver = refused[i].solver;
        LiquidRun run = liquid_run(&liquid, &notes, 32);
        CHECK(ranks_run_threads(2, liquid_body, &run, &error) == MOTE_UNAVAILABLE);
        CHECK_MESSAGE(error, refused[i].message);
    }
}

static void no_memory_on_one_rank(void)
{
    const Case *const liquids[] = {&cases[1], &cases[5], &own_cases[COUNT_OF(own_cases) - 1]};
    for (size_t c = 0; c < COUNT_OF(liquids); ++c) {
        char text[4000];
        write_case(liquids[c], text);
        check_faults(text, is_long(), 8);
    }
}

TESTS({"any number of ranks", any_number_of_ranks},
      {"a state goes on with other ranks", a_state_goes_on_with_other_ranks},
      {"slow ranks get less", slow_ranks_get_less},
      {"what cannot be spread is named", what_cannot_be_spread_is_named},
      {"no memory on one rank", no_memory_on_one_rank})
