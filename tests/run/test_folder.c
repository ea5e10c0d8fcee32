/* What a run refuses, throws away and tidies up in its folder. */
#include "run/scenario.h"

static void refused(const Place *place, const char *setting, const mote_RunDef *def,
                    const char *reason)
{
    mote_Error error = {MOTE_OK, ""};
    Bytes before = bytes_read(place, "manifest.json");
    CHECK(run_setting(setting, def, NULL, &error) != MOTE_OK);
    CHECK_MESSAGE(error, reason);
    Bytes after = bytes_read(place, "manifest.json"); /* nothing was touched */
    CHECK(before.size == after.size);
    if (before.size == after.size && before.size > 0)
        CHECK(memcmp(before.data, after.data, before.size) == 0);
    free(before.data), free(after.data);
}

static void refuses_what_is_there(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    def.resume = true;
    refused(&place, NULL, &def, "holds no run to go on with");
    CHECK(place_count(&place, "frames") == -1); /* and makes nothing */
    def.resume = false;
    run_until(&def, 3);
    refused(&place, NULL, &def, "holds an unfinished run of this scene; --resume");
    def.resume = true;
    run_well(&def);
    def.resume = false;
    refused(&place, NULL, &def, "holds a finished run of this scene; --force");
    CHECK(place_count(&place, "frames") == SCENARIO_FRAMES + 1);
    place_end(&place);
}

/* What changed is named; pictures, output and the duration may change. */
static void refuses_another_scene(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Error error;
    run_until(&def, 3);
    def.resume = true;
    refused(&place, "world.seed=4", &def, "another scene: world.seed changed;");
    refused(&place, "forces.air.linear=2", &def, "forces.air.linear changed");
    refused(&place, "emitters.jet.jitter=1", &def, "emitters.jet.jitter is new");
    refused(&place, "world.gravity=[0,-1,0]", &def, "world.gravity");
    def.last = 5;
    CHECK_OK(run_setting("camera.fov=12", &def, NULL, &error), error);
    def.last = 6;
    CHECK_OK(run_setting("output.checkpoint_every=2", &def, NULL, &error), error);
    def.last = 7;
    CHECK_OK(run_setting("systems.dust.look.brightness=2", &def, NULL, &error), error);
    def.last = -1;
    CHECK_OK(run_setting("world.duration=0.4", &def, NULL, &error), error);
    CHECK(place_count(&place, "frames") == 9);
    place_end(&place);
}

static void refuses_damaged_manifests(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    char other[64], own[64];
    snprintf(own, sizeof own, "\"real_bytes\": %d", (int)sizeof(mote_real));
    snprintf(other, sizeof other, "\"real_bytes\": %d", 12 - (int)sizeof(mote_real));
    run_until(&def, 5);
    def.resume = true;
    place_edit(&place, "manifest.json", own, other);
    refused(&place, NULL, &def, "which computes with other numbers");
    place_edit(&place, "manifest.json", other, own);
    place_edit(&place, "manifest.json", "\"format\": 1", "\"format\": 2");
    refused(&place, NULL, &def, "has format 2, but");
    place_edit(&place, "manifest.json", "\"format\": 2", "\"format\": 1");
    Bytes manifest = bytes_read(&place, "manifest.json");
    bytes_write(&place, "manifest.json", manifest.data, manifest.size / 2);
    mote_Error error = {MOTE_OK, ""};
    CHECK(run_setting(NULL, &def, NULL, &error) != MOTE_OK);
    CHECK_MESSAGE(error, "manifest.json");
    bytes_write(&place, "manifest.json", manifest.data, manifest.size);
    run_well(&def);
    def.resume = false, def.force = true;
    bytes_write(&place, "manifest.json", "{", 1); /* nothing says that it is ours */
    refused(&place, NULL, &def, "is not a manifest that mote wrote");
    bytes_write(&place, "manifest.json", manifest.data, manifest.size / 2);
    run_well(&def);
    free(manifest.data);
    place_end(&place);
}

static bool expect(const Place *place, const char *name, bool there)
{
    if (place_has(place, name) == there) return true;
    fprintf(stderr, "%s is %s\n", name, there ? "gone" : "still there");
    return false;
}

static void force_takes_only_what_runs_write(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    static const char *const kept[] = {
        "notes.txt",           "frames/frame_notes.txt",   "frames/frame_12.npz",
        "frames/mine.npz",     "images/frame_000001.jpg",  "images/frame_000001x.png",
        "manifest.json.bak",   "frames/frame_000001.tmp",  "checkpoints/frame_000001.npz",
        "export/mine.pvd",     "export/dust_000001.blend", "export/notes.csv",
        "video.mp4.old",       "frames/xframe_000001.npz", "frames/frame_000001.npz.1-.tmp",
        ".part-video.mp4.mine"};
    static const char *const gone[] = {
        "video.mp4",
        "frames/frame_000030.npz",
        "frames/frame_1000000.npz",
        "images/frame_000001.png",
        "frames/frame_000002.npz.77-0.tmp",
        "images/frame_000003.png.part",
        "checkpoints/checkpoint_000099.npz",
        "manifest.json.12-3.tmp",
        "scene.json5.1-0.tmp",
        ".part-video.mp4",
        "export/dust_000001.vtp",
        "export/dust_collection.pvd",
    };
    char path[200];
    def.last = 4;
    run_well(&def);
    snprintf(path, sizeof path, "%s/export", place.path);
    mkdir(path, 0777);
    for (size_t i = 0; i < COUNT_OF(kept); ++i) bytes_write(&place, kept[i], "x", 1);
    for (size_t i = 0; i < COUNT_OF(gone); ++i) bytes_write(&place, gone[i], "x", 1);
    def.force = true, def.last = 2;
    run_well(&def);
    for (size_t i = 0; i < COUNT_OF(kept); ++i)
        if (!expect(&place, kept[i], true)) ++check_failures;
    for (size_t i = 0; i < COUNT_OF(gone); ++i)
        if (!expect(&place, gone[i], false)) ++check_failures;
    CHECK(!place_has(&place, "frames/frame_000003.npz"));
    place_end(&place);
}

static void force_and_resume_contradict(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    run_until(&def, 5);
    def.force = true, def.resume = true;
    refused(&place, NULL, &def, "give one");
    def.resume = false, def.from = 3;
    refused(&place, NULL, &def, "holds no run to go on with");
    CHECK(place_count(&place, "frames") == 6); /* nothing was thrown away */
    place_end(&place);
}

/* Temporary files of a killed run go; pictures before the checkpoint stay. */
static void resume_tidies_up(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    static const char *const left[] = {
        "frames/frame_000007.npz.4242-0.tmp", "checkpoints/checkpoint_000008.npz.4242-1.tmp",
        "manifest.json.4242-0.tmp", "images/frame_000007.png.part", ".part-video.mp4"};
    run_until(&def, 6);
    for (size_t i = 0; i < COUNT_OF(left); ++i) bytes_write(&place, left[i], "x", 1);
    bytes_write(&place, "images/frame_000002.png", "x", 1);
    def.resume = true;
    run_well(&def);
    for (size_t i = 0; i < COUNT_OF(left); ++i) CHECK(!place_has(&place, left[i]));
    CHECK(place_has(&place, "images/frame_000002.png"));
    place_end(&place);
}

/* A log whose last line was cut by a kill. */
static void resume_mends_the_log(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    static const char *const tails[] = {"{\"frame\": 7, \"ti", "{\"frame\": 7}\n{\"frame\": 8}\n",
                                        "{\"frame\"", "\n\n", ""};
    for (size_t i = 0; i < COUNT_OF(tails); ++i) {
        def.resume = false, def.force = i > 0;
        run_until(&def, 6);
        Bytes log = bytes_read(&place, "log.jsonl");
        char *fresh = malloc(log.size + 100);
        if (fresh == NULL || log.data == NULL) exit(2);
        int size = sprintf(fresh, "%s%s", log.data, tails[i]);
        bytes_write(&place, "log.jsonl", fresh, (size_t)size);
        free(fresh), free(log.data);
        def.resume = true, def.force = false;
        run_well(&def);
        CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    }
    place_end(&place);
}

/* A second run in the same folder while the first is at work. */
static void second_run(void *context, const mote_RunProgress *progress)
{
    mote_RunDef def = *(const mote_RunDef *)context;
    mote_Error error = {MOTE_OK, ""};
    if (progress->frame != 5) return;
    def.progress = NULL, def.force = true;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "another run is writing there now");
}

static void one_run_at_a_time(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    def.progress = second_run, def.context = &def;
    run_well(&def);
    CHECK(place_count(&place, "frames") == SCENARIO_FRAMES + 1);
    place_end(&place);
}

TESTS({"refuses_what_is_there", refuses_what_is_there},
      {"refuses_another_scene", refuses_another_scene},
      {"refuses_damaged_manifests", refuses_damaged_manifests},
      {"force_takes_only_what_runs_write", force_takes_only_what_runs_write},
      {"force_and_resume_contradict", force_and_resume_contradict},
      {"resume_tidies_up", resume_tidies_up}, {"resume_mends_the_log", resume_mends_the_log},
      {"one_run_at_a_time", one_run_at_a_time})
