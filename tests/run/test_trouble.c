/* Disks that are full, folders that vanish or may not be written, and memory that ends: a sentence,
 * a status, and a cache that can be read and gone on with. */
#include "run/scenario.h"

#include "failing.h"

#include <errno.h>
#include <sys/mount.h>
#include <sys/wait.h>

/* ---- a full disk ---- */

/* Every frame that the manifest lists can be read, and is that of `whole`. */
static void check_readable(const Place *place, const Place *whole)
{
    mote_CacheDiff diff;
    mote_Error error;
    if (!place_has(place, "manifest.json")) return;
    mote_Status status = mote_run_diff(place->path, whole->path, &diff, &error);
    if (status == MOTE_BAD_VALUE) {
        CHECK_MESSAGE(error, "holds no frames");
        return;
    }
    CHECK_OK(status, error);
    CHECK(diff.same || strstr(diff.what, "only the second has") != NULL);
}

static bool mount_small(const Place *place, int kilobytes, unsigned long flags)
{
    char options[64];
    snprintf(options, sizeof options, "size=%dk", kilobytes);
    if (mount("none", place->path, "tmpfs", flags, options) == 0) return true;
    printf("skipped: no file system can be mounted here: %s\n", strerror(errno));
    return false;
}

/* Runs into the small disk, makes it larger and goes on. True: it was too small. */
static bool fill_and_go_on(const Place *place, const Place *whole, mote_Scene *scene)
{
    mote_RunDef def = run_in(place);
    mote_Error error = {MOTE_OK, ""};
    def.anyway = true; /* otherwise it would not begin */
    mote_Status status = mote_run(scene, &def, NULL, &error);
    if (status == MOTE_OK) return false;
    CHECK(status == MOTE_IO_FAILED);
    check_readable(place, whole);
    CHECK(mount_small(place, 8192, MS_REMOUNT));
    def.resume = place_has(place, "manifest.json");
    CHECK_OK(mote_run(scene, &def, NULL, &error), error);
    CHECK(same_run(place, whole, SCENARIO_FRAMES));
    CHECK(log_is_whole(place, SCENARIO_FRAMES));
    return true;
}

static void full_disks(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole);
    mote_Scene *scene = scenario_scene(NULL);
    int failed = 0;
    run_well(&whole_def);
    for (int kilobytes = 4; kilobytes < 400; kilobytes += 12) {
        if (!mount_small(&place, kilobytes, 0)) break;
        failed += fill_and_go_on(&place, &whole, scene);
        umount(place.path);
        CHECK(failed > 0);
    }
    mote_scene_destroy(scene);
    place_end(&whole), place_end(&place);
}

/* Whoever fails first, the video too. */
static void full_disks_with_pictures(void)
{
    static const char *const settings[] = {"output.frames=png", "output.video=mp4"};
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole);
    mote_Scene *scene = scenario_scene_with(settings, 2, mote_default_allocator());
    mote_Error error;
    CHECK_OK(mote_run(scene, &whole_def, NULL, &error), error);
    for (int kilobytes = 40; kilobytes < 600; kilobytes += 180) {
        if (!mount_small(&place, kilobytes, 0)) break;
        if (fill_and_go_on(&place, &whole, scene)) {
            CHECK(place_count(&place, "images") == SCENARIO_FRAMES + 1);
            CHECK(place_has(&place, "video.mp4") == place_has(&whole, "video.mp4"));
        }
        umount(place.path);
    }
    mote_scene_destroy(scene);
    place_end(&whole), place_end(&place);
}

/* ---- folders ---- */

static void fails_to_run(const char *folder, const char *reason)
{
    mote_RunDef def = mote_run_def();
    mote_Error error = {MOTE_OK, ""};
    def.folder = folder;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, reason);
}

static void impossible_folders(void)
{
    Place place = place_make();
    char path[4000];
    bytes_write(&place, "file", "x", 1);
    snprintf(path, sizeof path, "%s/file", place.path);
    fails_to_run(path, "file: could not make the folder: Not a directory");
    snprintf(path, sizeof path, "%s/file/deeper", place.path);
    fails_to_run(path, "Not a directory");
    fails_to_run("", "must have 1 to ");
    memset(path, 'a', 2000);
    path[2000] = '\0';
    fails_to_run(path, "but has 2000");
    snprintf(path, sizeof path, "%s/%0300d", place.path, 7); /* one part is too long */
    fails_to_run(path, "File name too long");
    Bytes file = bytes_read(&place, "file");
    CHECK(file.size == 1);
    free(file.data);
    place_end(&place);
}

/* The longest path that is taken holds everything, exports too. */
static void long_folders(void)
{
    Place place = place_make();
    char path[1200];
    mote_RunDef def = mote_run_def();
    mote_Error error;
    uint64_t files;
    size_t length = (size_t)snprintf(path, sizeof path, "%s/", place.path);
    while (length < 880) {
        path[length] = length % 50 == 0 ? '/' : 'a';
        path[++length] = '\0';
    }
    def.folder = path, def.last = 4;
    run_well(&def);
    CHECK_OK(export_run(path, "vtp", NULL, &files, &error), error);
    CHECK(files == 15);
    strcat(path, "/export/dust_000004.vtp");
    CHECK(access(path, F_OK) == 0);
    place_end(&place);
}

/* Root may write everywhere, so another user tries. */
static void unwritable_folders(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    def.last = 6;
    run_well(&def);
    CHECK(chmod(place.path, 0555) == 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        mote_Error error = {MOTE_OK, ""};
        if (getuid() == 0 && setuid(65534) != 0) _exit(0);
        def.resume = true, def.last = 8;
        mote_Status status = run_setting(NULL, &def, NULL, &error);
        bool good = status == MOTE_IO_FAILED && strstr(error.message, "Permission denied") != NULL;
        if (!good) fprintf(stderr, "%s\n", error.message);
        _exit(!good);
    }
    int state = 0;
    CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0);
    CHECK(chmod(place.path, 0777) == 0);
    def.resume = true, def.last = 8;
    run_well(&def);
    place_end(&place);
}

typedef struct Vandal {
    char path[200];
    uint64_t frame;
} Vandal;

static void destroy(void *context, const mote_RunProgress *progress)
{
    const Vandal *vandal = context;
    if (progress->frame == vandal->frame)
        nftw(vandal->path, place_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void folders_that_vanish(void)
{
    static const char *const parts[] = {"", "/frames", "/checkpoints", "/log.jsonl"};
    for (size_t i = 0; i < COUNT_OF(parts); ++i) {
        Place whole = place_make(), place = place_make();
        mote_RunDef def = run_in(&place), whole_def = run_in(&whole);
        mote_Error error = {MOTE_OK, ""};
        Vandal vandal = {.frame = 5};
        run_well(&whole_def);
        snprintf(vandal.path, sizeof vandal.path, "%s%s", place.path, parts[i]);
        def.progress = destroy, def.context = &vandal;
        mote_Status status = run_setting(NULL, &def, NULL, &error);
        CHECK(status == (i < 3 ? MOTE_IO_FAILED : MOTE_OK)); /* a log can begin anew */
        if (i < 3) CHECK_MESSAGE(error, "No such file or directory");
        def.progress = NULL;
        def.resume = i > 0;
        run_well(&def);
        CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
        place_end(&whole), place_end(&place);
    }
}

/* ---- memory ---- */

/* The scene, its world and its pictures take memory from the test. */
static mote_Status run_with_memory(Failing *memory, const mote_RunDef *def, mote_Error *error)
{
    static const char *const settings[] = {"output.frames=png", "output.video=none"};
    mote_SceneDef scene_def = mote_scene_def();
    mote_Scene *scene;
    scene_def.text = scenario_text;
    scene_def.settings = settings, scene_def.setting_count = 2;
    scene_def.allocator = failing_allocator(memory);
    mote_Status status = mote_scene_load(&scene_def, &scene, error);
    if (status == MOTE_OK) status = mote_run(scene, def, NULL, error);
    mote_scene_destroy(scene);
    return status;
}

static void memory_that_ends(void)
{
    Place whole = place_make();
    mote_RunDef whole_def = run_in(&whole);
    Failing memory = {.fail_at = UINT64_MAX};
    mote_Error error;
    whole_def.last = 8;
    CHECK_OK(run_with_memory(&memory, &whole_def, &error), error);
    CHECK(memory.bytes == 0);
    uint64_t requests = memory.requests, failures = 0, parts = TEST_SANITIZED ? 20 : 30;
    for (uint64_t n = 0; n < requests; n += n < parts / 2 ? 1 : requests / parts + 1) {
        Place place = place_make();
        mote_RunDef def = run_in(&place);
        def.last = 8;
        memory = (Failing){.fail_at = n, .for_good = n % 2 == 1};
        mote_Status status = run_with_memory(&memory, &def, &error);
        CHECK(memory.bytes == 0);
        CHECK(status == MOTE_NO_MEMORY || status == MOTE_OK);
        failures += status == MOTE_NO_MEMORY;
        check_readable(&place, &whole);
        if (status == MOTE_NO_MEMORY) {
            def.resume = place_has(&place, "manifest.json");
            memory = (Failing){.fail_at = UINT64_MAX};
            CHECK_OK(run_with_memory(&memory, &def, &error), error);
        }
        CHECK(same_run(&place, &whole, 8));
        place_end(&place);
    }
    CHECK(failures > parts / 2);
    place_end(&whole);
}

TESTS({"full_disks", full_disks}, {"full_disks_with_pictures", full_disks_with_pictures},
      {"impossible_folders", impossible_folders}, {"long_folders", long_folders},
      {"unwritable_folders", unwritable_folders}, {"folders_that_vanish", folders_that_vanish},
      {"memory_that_ends", memory_that_ends})
