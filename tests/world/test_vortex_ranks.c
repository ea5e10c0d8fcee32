/* Vortex fluids on several ranks, as threads: every rank has all vortons, and sums are dealt. What
 * is shown, measured and saved has the bits of one rank, whatever their number, and whoever goes on
 * with a saved state. */
#include "scene_text.h"
#include "world/flows.h"
#include "world/rank_faults.h"
#include "world/ranked.h"

/* ---- scenes ---- */

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
