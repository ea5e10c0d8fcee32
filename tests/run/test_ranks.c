/* Runs on several ranks, as threads: the folder holds the bytes of one rank's, whatever their
 * number, and any number goes on with what another left. The first rank decides; whatever ends the
 * run there, the others leave with it. */
#include "run/scenario.h"

#include "ranks/ranks.h"
#include "run/crew.h"

typedef struct Shared {
    mote_RunDef def;
    const char *settings[8]; /* of each rank, beside those of scenario_scene; NULL: none */
} Shared;

static mote_Status run_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const Shared *shared = context;
    mote_RunDef def = shared->def;
    def.ranks = ranks;
    return run_setting(shared->settings[ranks->own], &def, NULL, error);
}

static mote_Status run_on(int ranks, const Shared *shared, mote_Error *error)
{
    Shared copy = *shared;
    return ranks_run_threads(ranks, run_body, &copy, error);
}

static void files_are_those_of_one(void)
{
    Place one = place_make();
    mote_RunDef alone = run_in(&one);
    run_well(&alone);
    for (int ranks = 2; ranks <= 5; ++ranks) {
        Place many = place_make();
        mote_Error error;
        CHECK_OK(run_on(ranks, &(Shared){.def = run_in(&many)}, &error), error);
        CHECK(same_run(&many, &one, SCENARIO_FRAMES));
        place_end(&many);
    }
    place_end(&one);
}

/* Stopped on some ranks, and gone on with on others. */
static void any_number_goes_on(void)
{
    static const int pairs[][2] = {{3, 2}, {2, 1}, {1, 4}};
    Place one = place_make();
    mote_RunDef alone = run_in(&one);
    run_well(&alone);
    for (size_t i = 0; i < COUNT_OF(pairs); ++i) {
        Place many = place_make();
        Patience patience = {6};
        mote_Error error;
        Shared first = {.def = run_in(&many)}, second = {.def = run_in(&many)};
        first.def.cancelled = out_of_patience, first.def.context = &patience;
        second.def.resume = true;
        CHECK(run_on(pairs[i][0], &first, &error) == MOTE_CANCELLED);
        CHECK(place_count(&many, "frames") == 8);
        CHECK_OK(run_on(pairs[i][1], &second, &error), error);
        CHECK(same_run(&many, &one, SCENARIO_FRAMES));
        place_end(&many);
    }
    place_end(&one);
}

/* ---- a saved state goes to who has its rows ---- */

enum { DEALT_RANKS = 4, DEALT_FRAMES = 3 };

/* Bytes that come to a rank. */
typedef struct Tally {
    const mote_Ranks *host;
    size_t bytes;
} Tally;

static mote_Status tally_sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    Tally *tally = context;
    tally->bytes += count * sizeof *numbers;
    return tally->host->sum(tally->host->context, numbers, count, error);
}

static mote_Status tally_most(void *context, double *numbers, size_t count, mote_Error *error)
{
    const Tally *tally = context;
    return tally->host->most(tally->host->context, numbers, count, error);
}

static mote_Status tally_agree(void *context, mote_Status status, mote_Error *error)
{
    const Tally *tally = context;
    return tally->host->agree(tally->host->context, status, error);
}

static mote_Status tally_trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    Tally *tally = context;
    for (int r = 0; r < tally->host->count; ++r)
        if (r != tally->host->own) tally->bytes += trade->receive_sizes[r];
    return tally->host->trade(tally->host->context, trade, error);
}

typedef struct Saved {
    const mote_StateArray *arrays;
    size_t count;
} Saved;

static mote_Scene *crowded_scene(void)
{
    const char *settings[] = {"emitters.0.rate=40000", "emitters.1.rate=40000"};
    return scenario_scene_with(settings, COUNT_OF(settings), mote_default_allocator());
}

static size_t saved_bytes(const Saved *saved)
{
    size_t bytes = 0;
    for (size_t i = 0; i < saved->count; ++i)
        bytes += saved->arrays[i].rows * (size_t)saved->arrays[i].components *
                 mote_array_item_size(saved->arrays[i].type);
    return bytes;
}

/* The other ranks get a fourth of the state each, and little else. */
static mote_Status deal_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const Saved *saved = context;
    Tally tally = {ranks, 0};
    const mote_Ranks counted = {ranks->count, ranks->own,  &tally,     tally_sum,
                                tally_most,   tally_agree, tally_trade};
    Crew crew = {.ranks = &counted, .scene = crowded_scene()};
    mote_Status status;
    if (ranks->own > 0) {
        status = crew_follow(&crew, error);
        CHECK(tally.bytes < saved_bytes(saved) / DEALT_RANKS + 40000);
    } else {
        status = crew_make(&crew, error);
        if (status == MOTE_OK) status = crew_restore(&crew, saved->arrays, saved->count, error);
        crew_end(&crew, status, error);
    }
    mote_scene_destroy(crew.scene);
    return status;
}

static void a_state_is_dealt(void)
{
    mote_Scene *scene = crowded_scene();
    mote_World *world;
    mote_Error error;
    Saved saved;
    CHECK_OK(mote_scene_world(scene, NULL, &world, &error), error);
    CHECK_OK(mote_world_start(world, &error), error);
    for (int frame = 0; frame < DEALT_FRAMES; ++frame)
        CHECK_OK(mote_world_step(world, NULL, &error), error);
    CHECK_OK(mote_world_state(world, &saved.arrays, &saved.count, &error), error);
    CHECK(saved_bytes(&saved) > 400000);
    CHECK_OK(ranks_run_threads(DEALT_RANKS, deal_body, &saved, &error), error);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

/* A damaged checkpoint is passed over by all. */
static void damage_is_passed_over(void)
{
    Place one = place_make(), many = place_make();
    mote_RunDef alone = run_in(&one);
    mote_Error error;
    Shared again = {.def = run_in(&many)};
    run_well(&alone);
    CHECK_OK(run_on(2, &again, &error), error);
    place_damage(&many, "frames/frame_000011.npz");
    place_damage(&many, "checkpoints/checkpoint_000008.npz");
    again.def.resume = true;
    CHECK_OK(run_on(3, &again, &error), error);
    CHECK(same_run(&many, &one, SCENARIO_FRAMES));
    place_end(&many), place_end(&one);
}

/* ---- pictures ---- */

static mote_Status draw_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    mote_RenderRunDef def = *(const mote_RenderRunDef *)context;
    def.ranks = ranks;
    return mote_run_render(&def, NULL, error);
}

/* The pictures of one rank, byte by byte, also when some have nothing left to draw in the end; and
 * what only the first sees, that they are there already, ends all. */
static void pictures_are_those_of_one(void)
{
    enum { LAST = 4 };
    Place place = place_make(), one = place_make();
    mote_RunDef run = run_in(&place);
    mote_RenderRunDef def = mote_render_run_def();
    mote_Error error;
    run_well(&run);
    def.folder = place.path, def.last = LAST, def.output = one.path;
    CHECK_OK(mote_run_render(&def, NULL, &error), error);
    for (int ranks = 2; ranks <= 3; ++ranks) {
        Place many = place_make();
        def.output = many.path;
        CHECK_OK(ranks_run_threads(ranks, draw_body, &def, &error), error);
        CHECK(place_count(&many, ".") == LAST + 1);
        for (int frame = 0; frame <= LAST; ++frame) {
            char name[32];
            snprintf(name, sizeof name, "frame_%06d.png", frame);
            CHECK(same_file(&one, &many, name));
        }
        CHECK(ranks_run_threads(ranks, draw_body, &def, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "is there already");
        place_end(&many);
    }
    place_end(&one), place_end(&place);
}

/* ---- ends ---- */

static uint64_t no_room(void *context)
{
    (void)context;
    return 1000;
}

/* Full after some questions. */
static uint64_t filling(void *context)
{
    int *left = context;
    return (*left)-- > 0 ? (uint64_t)1 << 40 : 1000;
}

/* The first alone writes: what is full is its disk. What was complete stays, and another number of
 * ranks goes on. */
static void a_disk_that_fills_up_ends_all(void)
{
    Place place = place_make(), one = place_make();
    mote_RunDef alone = run_in(&one);
    mote_Error error;
    int left = 6;
    Shared full = {.def = run_in(&place)}, again = {.def = run_in(&place)};
    run_well(&alone);
    full.def.disk_free = filling, full.def.context = &left;
    CHECK(run_on(3, &full, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "the disk is nearly full");
    CHECK(place_count(&place, "frames") > 2);
    again.def.resume = true;
    CHECK_OK(run_on(2, &again, &error), error);
    CHECK(same_run(&place, &one, SCENARIO_FRAMES));
    place_end(&place), place_end(&one);
}

/* A file that cannot be written, when the others wait to send what belongs into it. */
static void a_file_that_fails_ends_all(void)
{
    Place place = place_make();
    mote_Error error;
    char path[200];
    Shared first = {.def = run_in(&place)}, again = {.def = run_in(&place)};
    first.def.last = 2, again.def.resume = true;
    CHECK_OK(run_on(2, &first, &error), error);
    snprintf(path, sizeof path, "%s/frames/frame_000004.npz", place.path);
    CHECK(mkdir(path, 0700) == 0);
    CHECK(run_on(3, &again, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "frame_000004.npz: is not a regular file");
    CHECK(place_has(&place, "frames/frame_000003.npz"));
    place_end(&place);
}

static void what_ends_the_first_ends_all(void)
{
    Place place = place_make();
    mote_Error error;
    Shared full = {.def = run_in(&place)};
    full.def.disk_free = no_room;
    CHECK(run_on(3, &full, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "disk");
    Shared missing = {.def = run_in(&place)};
    missing.def.resume = true;
    CHECK(run_on(2, &missing, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "holds no run to go on with");
    place_end(&place);
}

static void scenes_that_differ_are_refused(void)
{
    Place place = place_make();
    mote_Error error;
    Shared shared = {.def = run_in(&place), .settings = {NULL, NULL, "world.seed=4"}};
    CHECK(run_on(3, &shared, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "rank 2 has read another scene than rank 0");
    CHECK(!place_has(&place, "manifest.json"));
    place_end(&place);
}

static void what_cannot_be_spread_is_refused_before(void)
{
    Place place = place_make();
    mote_Error error;
    Shared shared = {.def = run_in(&place)};
    for (int i = 0; i < 2; ++i)
        shared.settings[i] = "systems.0.solver={type: 'sph', pressure: 'pbf'}";
    CHECK(run_on(2, &shared, &error) == MOTE_UNAVAILABLE);
    CHECK_MESSAGE(error, "system sparks: solver sph with pbf cannot be spread over 2 ranks");
    CHECK(!place_has(&place, "manifest.json"));
    place_end(&place);
}

TESTS({"files are those of one", files_are_those_of_one},
      {"any number goes on", any_number_goes_on}, {"a state is dealt", a_state_is_dealt},
      {"damage is passed over", damage_is_passed_over},
      {"pictures are those of one", pictures_are_those_of_one},
      {"what ends the first ends all", what_ends_the_first_ends_all},
      {"a disk that fills up ends all", a_disk_that_fills_up_ends_all},
      {"a file that fails ends all", a_file_that_fails_ends_all},
      {"scenes that differ are refused", scenes_that_differ_are_refused},
      {"what cannot be spread is refused before", what_cannot_be_spread_is_refused_before})
