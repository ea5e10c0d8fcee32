/* Runs that are started, stopped, gone on with and run again. */
#include "run/scenario.h"

/* ---- a fresh run ---- */

/* The frame of a file is the world's, row by row. */
static bool same_as_world(mote_World *world, const Place *place)
{
    const mote_Frame *frame = mote_world_frame(world);
    char name[64], path[300];
    mote_Frame *read;
    mote_Error error;
    frame_name(frame->index, name);
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    if (mote_frame_read(path, &read, &error) != MOTE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    bool same = read->index == frame->index && read->time == frame->time &&
                read->system_count == frame->system_count;
    for (size_t s = 0; s < frame->system_count && same; ++s) {
        const mote_FrameSystem *a = &frame->systems[s], *b = &read->systems[s];
        same = strcmp(a->name, b->name) == 0 && a->count == b->count;
        const mote_Column *x = mote_frame_column(a, "position"),
                          *y = mote_frame_column(b, "position");
        for (int c = 0; c < 3 && same && a->count > 0; ++c)
            same = memcmp((mote_real *)x->data + (size_t)c * x->stride,
                          (mote_real *)y->data + (size_t)c * y->stride,
                          a->count * sizeof(mote_real)) == 0;
    }
    mote_frame_destroy(read);
    return same;
}

static void writes_what_a_world_does(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Scene *scene = scenario_scene(NULL);
    mote_RunReport report;
    mote_Error error;
    mote_World *world;
    uint64_t died = 0, hits = 0;
    CHECK_OK(mote_run(scene, &def, &report, &error), error);
    CHECK(report.first == 0 && report.last == SCENARIO_FRAMES);
    CHECK(report.written == SCENARIO_FRAMES + 1);
    CHECK(report.substeps == 3 * SCENARIO_FRAMES); /* 50 ms in steps of at most 20 */
    CHECK(report.picture[0] == '\0' && report.video[0] == '\0' && report.note[0] == '\0');
    SETUP_OK(mote_scene_world(scene, NULL, &world, &error), error);
    CHECK(same_as_world(world, &place));
    for (int i = 1; i <= SCENARIO_FRAMES; ++i) {
        mote_StepReport step = setup_step(world);
        died += step.died, hits += step.hits;
        CHECK(same_as_world(world, &place));
        if (i == SCENARIO_FRAMES) CHECK(report.particles == step.particles && step.particles > 10);
    }
    CHECK(died > 20 && hits > 5); /* otherwise the scene tests too little */
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    CHECK(place_count(&place, "frames") == SCENARIO_FRAMES + 1);
    CHECK(place_count(&place, "checkpoints") == SCENARIO_FRAMES / 4);
    CHECK(place_count(&place, "images") == 0);
    CHECK(place_has(&place, "scene.json5") && !place_has(&place, "video.mp4"));
    CHECK(manifest_says(&place, "\"finished\"") && manifest_says(&place, "\"scenario\""));
    CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    place_end(&place);
}

static void makes_folders_above(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    char deep[200];
    snprintf(deep, sizeof deep, "%s/a/b//c/", place.path);
    def.folder = deep;
    def.last = 1;
    run_well(&def);
    CHECK(place_count(&place, "a/b/c/frames") == 2);
    place_end(&place);
}

/* ---- going on ---- */

static void resumes_from_every_frame(void)
{
    Place whole = place_make();
    mote_RunDef whole_def = run_in(&whole);
    run_well(&whole_def);
    for (int frame = 1; frame < SCENARIO_FRAMES; ++frame) {
        Place place = place_make();
        mote_RunDef def = run_in(&place);
        run_until(&def, frame);
        CHECK(manifest_says(&place, "\"stopped\""));
        CHECK(place_count(&place, "frames") == frame + 1);
        def.resume = true;
        if (frame % 2 == 0 && frame + 3 < SCENARIO_FRAMES) run_until(&def, 2); /* once more */
        run_well(&def);
        CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
        CHECK(log_is_whole(&place, SCENARIO_FRAMES));
        CHECK(manifest_says(&place, "\"finished\""));
        place_end(&place);
    }
    place_end(&whole);
}

/* Neither the number of threads nor a change of it is seen. */
static void threads_change_no_bits(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    run_well(&whole_def);
    for (int threads = 3; threads > 0; --threads) {
        mote_TasksDef tasks_def = mote_tasks_def();
        mote_Error error;
        tasks_def.threads = threads;
        SETUP_OK(mote_tasks_create(&tasks_def, &def.tasks, &error), error);
        if (threads > 1)
            run_until(&def, 6);
        else
            run_well(&def);
        mote_tasks_destroy(def.tasks);
        def.resume = true;
    }
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

static void resume_passes_damage_over(void)
{
    Place whole = place_make();
    mote_RunDef whole_def = run_in(&whole);
    run_well(&whole_def);
    static const char *const damaged[][3] = {
        {"checkpoints/checkpoint_000010.npz"},
        {"checkpoints/checkpoint_000010.npz", "checkpoints/checkpoint_000008.npz"},
        {"checkpoints/checkpoint_000010.npz", "checkpoints/checkpoint_000008.npz",
         "checkpoints/checkpoint_000004.npz"},
    };
    for (size_t i = 0; i < COUNT_OF(damaged); ++i) {
        Place place = place_make();
        mote_RunDef def = run_in(&place);
        mote_RunReport report;
        mote_Error error;
        run_until(&def, 10);
        for (size_t k = 0; k <= i; ++k) place_damage(&place, damaged[i][k]);
        def.resume = true;
        CHECK_OK(run_setting(NULL, &def, &report, &error), error);
        CHECK(report.first == 11 && report.written == SCENARIO_FRAMES - 10); /* frames are there */
        CHECK(report.substeps == 3 * (SCENARIO_FRAMES - (i == 0 ? 8u : i == 1 ? 4u : 0u)));
        CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
        CHECK(log_is_whole(&place, SCENARIO_FRAMES));
        place_end(&place);
    }
    place_end(&whole);
}

/* A checkpoint that can be read but belongs to something else must not leave half of it behind. */
static void resume_passes_other_states_over(void)
{
    Place whole = place_make(), place = place_make(), other = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place), other_def = run_in(&other);
    mote_Error error;
    run_well(&whole_def);
    other_def.last = 6;
    CHECK_OK(run_setting("emitters.cloud.name=mist", &other_def, NULL, &error), error);
    run_until(&def, 3);
    Bytes state = bytes_read(&other, "checkpoints/checkpoint_000006.npz");
    CHECK(state.data != NULL);
    if (state.data != NULL)
        bytes_write(&place, "checkpoints/checkpoint_000003.npz", state.data, state.size);
    free(state.data);
    def.resume = true;
    run_well(&def);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place), place_end(&other);
}

static void resume_makes_lost_frames_again(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    mote_RunReport report;
    mote_Error error;
    char path[200];
    run_well(&whole_def);
    run_until(&def, 14);
    snprintf(path, sizeof path, "%s/frames/frame_000006.npz", place.path);
    CHECK(unlink(path) == 0);
    def.resume = true;
    CHECK_OK(run_setting(NULL, &def, &report, &error), error);
    CHECK(report.first == 6 && report.written == 1 + SCENARIO_FRAMES - 14);
    CHECK(report.substeps == 3 * (2 + SCENARIO_FRAMES - 14)); /* from 4 to 6, and from 14 on */
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

static void resume_of_a_finished_run_goes_further(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    mote_RunReport report;
    mote_Error error;
    run_well(&whole_def);
    for (int last = 0; last <= SCENARIO_FRAMES; last += 5) {
        def.last = last;
        def.resume = last > 0;
        run_well(&def);
        CHECK(manifest_says(&place, "\"finished\""));
        CHECK(log_is_whole(&place, (uint64_t)last));
    }
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    CHECK_OK(run_setting(NULL, &def, &report, &error), error); /* nothing to do */
    CHECK(report.first == SCENARIO_FRAMES && report.last == SCENARIO_FRAMES);
    CHECK(report.written == 0 && report.note[0] == '\0');
    def.last = 3; /* nor is anything thrown away */
    CHECK_OK(run_setting(NULL, &def, &report, &error), error);
    CHECK(report.last == SCENARIO_FRAMES);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

/* ---- again from a frame ---- */

static void runs_again_from_a_frame(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    static const int64_t from[] = {0, 1, 9, 12, 13, SCENARIO_FRAMES};
    run_well(&whole_def);
    run_well(&def);
    for (size_t i = 0; i < COUNT_OF(from); ++i) {
        mote_RunReport report;
        mote_Error error;
        char name[64];
        frame_name((uint64_t)from[i], name);
        place_damage(&place, name); /* the size stays, so only running again mends it */
        def.from = from[i];
        CHECK_OK(run_setting(NULL, &def, &report, &error), error);
        CHECK(report.first == (uint64_t)from[i] && report.last == SCENARIO_FRAMES);
        CHECK(report.written == SCENARIO_FRAMES + 1 - (uint64_t)from[i]);
        CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
        CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    }
    place_end(&whole), place_end(&place);
}

static void from_leaves_no_gap(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Error error;
    def.from = 3;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "holds no run to go on with");
    def.from = -1;
    run_until(&def, 6);
    def.from = 8;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "only frames up to 6; --resume");
    def.from = SCENARIO_FRAMES + 1;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "the run ends at frame 20");
    def.from = 7;
    run_well(&def);
    CHECK(place_count(&place, "frames") == SCENARIO_FRAMES + 1);
    place_end(&place);
}

/* Stopped while it comes to the frame, and gone on with. */
static void from_can_be_stopped(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    run_well(&whole_def);
    run_well(&def);
    def.from = 12;
    place_damage(&place, "checkpoints/checkpoint_000008.npz");
    run_until(&def, 4); /* from 4, so at 8, whose checkpoint is damaged and listed */
    def.from = -1, def.resume = true;
    run_well(&def);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    CHECK(same_file(&place, &whole, "checkpoints/checkpoint_000008.npz"));
    CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

/* ---- sizes of nothing ---- */

static void runs_of_frame_zero_alone(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_RunReport report;
    mote_Error error;
    def.last = 0;
    CHECK_OK(run_setting(NULL, &def, &report, &error), error);
    CHECK(report.first == 0 && report.last == 0 && report.substeps == 0);
    CHECK(place_count(&place, "frames") == 1);
    CHECK(manifest_says(&place, "\"finished\""));
    place_end(&place);
}

static void runs_without_particles(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_SceneDef scene_def = mote_scene_def();
    mote_RunReport report;
    mote_Error error;
    mote_Scene *scene;
    mote_CacheDiff diff;
    scene_def.text = "{ mote: 1, world: { duration: 0.2, fps: 10 }, systems: [{ name: 'none' }],"
                     "  render: { width: 16, height: 16 } }";
    SETUP_OK(mote_scene_load(&scene_def, &scene, &error), error);
    CHECK_OK(mote_run(scene, &def, &report, &error), error);
    CHECK(report.particles == 0 && report.last == 2);
    CHECK(place_count(&place, "frames") == 3 && place_count(&place, "images") == 3);
    CHECK_OK(mote_run_diff(place.path, place.path, &diff, &error), error);
    CHECK(diff.same && diff.frames == 3);
    mote_scene_destroy(scene);
    place_end(&place);
}

/* ---- what a run says ---- */

typedef struct Watch {
    uint64_t calls, next, first, last, particles;
    double seconds;
    bool good;
} Watch;

static void watch(void *context, const mote_RunProgress *p)
{
    Watch *w = context;
    if (strcmp(p->doing, "checking") == 0) return;
    w->good = w->good && strcmp(p->doing, "simulating") == 0 && p->frame == w->next &&
              p->first == w->first && p->last == w->last && p->seconds >= w->seconds;
    w->next = p->frame + 1;
    w->seconds = p->seconds;
    w->particles = p->particles;
    ++w->calls;
}

static void progress_counts_frames(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    Watch w = {.good = true, .last = 12};
    def.progress = watch, def.context = &w, def.last = 12;
    run_well(&def);
    CHECK(w.good && w.calls == 13 && w.particles > 10);
    w = (Watch){.good = true, .first = 13, .next = 13, .last = 20};
    def.resume = true, def.last = 20;
    run_well(&def);
    CHECK(w.good && w.calls == 8);
    w = (Watch){.good = true, .first = 15, .next = 15, .last = 20};
    def.resume = false, def.from = 15;
    run_well(&def);
    CHECK(w.good && w.calls == 6);
    place_end(&place);
}

TESTS({"writes_what_a_world_does", writes_what_a_world_does},
      {"makes_folders_above", makes_folders_above},
      {"resumes_from_every_frame", resumes_from_every_frame},
      {"threads_change_no_bits", threads_change_no_bits},
      {"resume_passes_damage_over", resume_passes_damage_over},
      {"resume_passes_other_states_over", resume_passes_other_states_over},
      {"resume_makes_lost_frames_again", resume_makes_lost_frames_again},
      {"resume_of_a_finished_run_goes_further", resume_of_a_finished_run_goes_further},
      {"runs_again_from_a_frame", runs_again_from_a_frame},
      {"from_leaves_no_gap", from_leaves_no_gap}, {"from_can_be_stopped", from_can_be_stopped},
      {"runs_of_frame_zero_alone", runs_of_frame_zero_alone},
      {"runs_without_particles", runs_without_particles},
      {"progress_counts_frames", progress_counts_frames})
