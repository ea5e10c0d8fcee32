/* Results that are there stay; what is damaged or missing is told and made again. */
#include "run/scenario.h"

#include <sys/wait.h>

/* ---- parts of a run ---- */

/* Frames 5 to 7 again, of a run of 20: nothing behind them goes. */
static void a_part_again_keeps_the_rest(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    mote_RunReport report;
    mote_Error error;
    run_well(&whole_def), run_well(&def);
    bytes_write(&place, "images/frame_000015.png", "x", 1);
    place_damage(&place, "frames/frame_000006.npz");
    def.from = 5, def.last = 7;
    CHECK_OK(run_setting(NULL, &def, &report, &error), error);
    CHECK(report.first == 5 && report.last == 7 && report.written == 3);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    CHECK(place_has(&place, "checkpoints/checkpoint_000008.npz"));
    CHECK(place_has(&place, "images/frame_000015.png"));
    CHECK(manifest_says(&place, "\"finished\""));
    def.from = 3, def.last = -1;
    run_until(&def, 4); /* stopped in the middle, it has lost nothing either */
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    def.from = -1, def.resume = true;
    CHECK_OK(run_setting(NULL, &def, &report, &error), error);
    CHECK(report.written == 0);
    CHECK(manifest_says(&place, "\"finished\""));
    place_end(&whole), place_end(&place);
}

/* An unfinished run stays one when a part of it is made again. */
static void a_part_again_ends_no_run(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    run_until(&def, 12);
    def.from = 2, def.last = 4;
    run_well(&def);
    CHECK(manifest_says(&place, "\"stopped\""));
    CHECK(place_count(&place, "frames") == 13);
    place_end(&place);
}

/* ---- damage ---- */

typedef struct Told {
    char text[2000];
} Told;

static void tell(void *context, const char *text)
{
    Told *told = context;
    strncat(told->text, text, sizeof told->text - strlen(told->text) - 2);
    strcat(told->text, "\n");
}

static void flip(const Place *place, const char *name, double part)
{
    Bytes bytes = bytes_read(place, name);
    if (bytes.data == NULL) exit(2);
    bytes.data[(size_t)(part * (double)(bytes.size - 1))] ^= 4;
    bytes_write(place, name, bytes.data, bytes.size);
    free(bytes.data);
}

static void shorten(const Place *place, const char *name, double part)
{
    Bytes bytes = bytes_read(place, name);
    if (bytes.data == NULL) exit(2);
    bytes_write(place, name, bytes.data, (size_t)(part * (double)bytes.size));
    free(bytes.data);
}

static void lose(const Place *place, const char *name, double part)
{
    char path[300];
    (void)part;
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    CHECK(unlink(path) == 0);
}

typedef struct Damage {
    void (*how)(const Place *place, const char *name, double part);
    const char *name;
    double part;
    const char *told;
} Damage;

static const Damage damages[] = {
    {flip, "frames/frame_000003.npz", 0.01, "frame 3 is damaged"},
    {flip, "frames/frame_000003.npz", 0.5, "frame 3 is damaged"},
    {flip, "frames/frame_000020.npz", 1, "frame 20 is damaged"},
    {shorten, "frames/frame_000011.npz", 0.7, "frame 11 is damaged"},
    {lose, "frames/frame_000000.npz", 0, "frame 0 is missing"},
    {lose, "checkpoints/checkpoint_000008.npz", 0, "checkpoint 8 is missing"},
    {flip, "checkpoints/checkpoint_000020.npz", 0.4, "checkpoint 20 is damaged"},
    {shorten, "log.jsonl", 0.6, "log.jsonl is damaged"},
    {flip, "log.jsonl", 0.3, "log.jsonl is damaged"},
    {lose, "log.jsonl", 0, "log.jsonl is missing"},
    {shorten, "probes/wind.csv", 0.5, "probes/wind.csv is damaged"},
    {shorten, "probes/push.csv", 0, "probes/push.csv is damaged"},
    {flip, "probes/dust.csv", 0.8, "probes/dust.csv is damaged"},
    {lose, "probes/dust.csv", 0, "probes/dust.csv is missing"},
};

static void resume_mends(const Place *whole, int stopped, const Damage *damage)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_Error error;
    Told told = {""};
    if (stopped > 0)
        run_until(&def, stopped);
    else
        run_well(&def);
    damage->how(&place, damage->name, damage->part);
    def.resume = true, def.notice = tell, def.context = &told;
    CHECK_OK(run_setting(NULL, &def, NULL, &error), error);
    if (strstr(told.text, damage->told) == NULL) {
        fprintf(stderr, "%s: told: %s\n", damage->name, told.text);
        ++check_failures;
    }
    CHECK(same_run(&place, whole, SCENARIO_FRAMES));
    CHECK(log_is_whole(&place, SCENARIO_FRAMES));
    told.text[0] = '\0';
    CHECK_OK(run_setting(NULL, &def, NULL, &error), error);
    CHECK(told.text[0] == '\0');
    place_end(&place);
}

static void resume_tells_and_mends_damage(void)
{
    Place whole = place_make();
    mote_RunDef def = run_in(&whole);
    run_well(&def);
    for (size_t i = 0; i < COUNT_OF(damages); ++i) {
        resume_mends(&whole, 0, &damages[i]);
        if (strstr(damages[i].name, "_000020") == NULL) resume_mends(&whole, 14, &damages[i]);
    }
    place_end(&whole);
}

static void die(void *context)
{
    (void)context;
    _exit(0);
}

/* Damage that is found is not forgotten when that run is killed before it is mended. */
static void damage_outlives_a_kill(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    Told told = {""};
    run_well(&whole_def), run_well(&def);
    flip(&place, "frames/frame_000000.npz", 0.5);
    lose(&place, "frames/frame_000007.npz", 0);
    def.resume = true;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        mote_Error error;
        def.started = die;
        run_setting(NULL, &def, NULL, &error);
        _exit(1);
    }
    int state = 0;
    CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0);
    def.notice = tell, def.context = &told;
    run_well(&def);
    CHECK(strstr(told.text, "frame 0 is damaged") != NULL);
    CHECK(strstr(told.text, "frame 7 is missing") != NULL);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

/* Many at once are told in one line. */
static void damage_is_told_in_ranges(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    Told told = {""};
    run_well(&def);
    static const int lost[] = {3, 7, 8, 9, 15};
    for (size_t i = 0; i < COUNT_OF(lost); ++i) {
        char name[64];
        frame_name((uint64_t)lost[i], name);
        lose(&place, name, 0);
    }
    def.resume = true, def.notice = tell, def.context = &told;
    run_well(&def);
    CHECK(strstr(told.text, "frames 3, 7 to 9, 15 are missing") != NULL);
    CHECK(place_count(&place, "frames") == SCENARIO_FRAMES + 1);
    place_end(&place);
}

/* A gap in the list is told as a range, however long it is. */
static void gaps_are_told_at_once(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_RunInfoDef info_def = mote_run_info_def();
    mote_RunInfo info;
    mote_Error error;
    run_well(&def);
    place_edit(&place, "manifest.json", "\n  ],\n  \"checkpoints\"",
               ", {\"first\": 900000000000000, \"last\": 900000000000000, \"bytes\": [5]}\n  ],\n"
               "  \"checkpoints\"");
    info_def.folder = place.path;
    CHECK_OK(mote_run_info(&info_def, &info, &error), error);
    CHECK(strstr(info.damage, "frames 21 to 900000000000000 are missing") != NULL);
    CHECK(info.frames == 21 && info.damaged == 900000000000000 - 20);
    place_end(&place);
}

/* A time that no run has is no frame's. */
static void tables_with_impossible_times(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    static const char table[] = "time,a\n0.1,2\n1e300,3\n";
    run_well(&whole_def), run_well(&def);
    bytes_write(&place, "probes/dust.csv", table, sizeof table - 1);
    def.resume = true;
    run_well(&def);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

/* ---- frames that no manifest lists yet ---- */

static void die_at_7(void *context, const mote_RunProgress *progress)
{
    (void)context;
    if (progress->frame == 7) _exit(0);
}

/* A run that dies before its first checkpoint. */
static void run_and_die(const Place *place)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        mote_RunDef def = run_in(place);
        mote_Error error;
        def.progress = die_at_7;
        run_setting("output.checkpoint_every=100", &def, NULL, &error);
        _exit(1);
    }
    int state = 0;
    CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

static void frames_are_used_before_a_checkpoint(void)
{
    Place whole = place_make(), place = place_make();
    mote_RunDef whole_def = run_in(&whole), def = run_in(&place);
    mote_RenderRunDef render = mote_render_run_def();
    mote_CacheDiff diff;
    mote_RunReport report;
    mote_Error error;
    uint64_t files;
    run_well(&whole_def);
    run_and_die(&place);
    bytes_write(&place, "frames/frame_000011.npz", "x", 1); /* no frame */
    CHECK_OK(mote_run_diff(place.path, whole.path, &diff, &error), error);
    CHECK(diff.frames == 8 && diff.frame == 8 && strstr(diff.what, "only the second") != NULL);
    CHECK_OK(export_run(place.path, "csv", "dust", &files, &error), error);
    CHECK(files == 8);
    render.folder = place.path;
    CHECK_OK(mote_run_render(&render, &report, &error), error);
    CHECK(report.written == 8 && place_count(&place, "images") == 8);
    def.resume = true;
    run_well(&def);
    CHECK(same_run(&place, &whole, SCENARIO_FRAMES));
    place_end(&whole), place_end(&place);
}

static void look_at_9(void *context, const mote_RunProgress *progress)
{
    const char *folder = context;
    uint64_t files = 0;
    mote_Error error;
    if (progress->frame != 9) return;
    CHECK_OK(export_run(folder, "csv", "dust", &files, &error), error);
    CHECK(files == 10);
}

static void frames_are_used_while_a_run_goes_on(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    def.progress = look_at_9, def.context = place.path;
    run_well(&def);
    place_end(&place);
}

/* ---- checkpoints by the clock ---- */

static void checkpoints_are_made_by_the_clock(void)
{
    static const char *const settings[] = {"output.frames=none", "output.video=none",
                                           "output.checkpoint_every=1000",
                                           "output.checkpoint_seconds=1e-9"};
    for (size_t count = 3; count <= 4; ++count) {
        Place place = place_make();
        mote_RunDef def = run_in(&place);
        mote_Scene *scene = scenario_scene_with(settings, count, mote_default_allocator());
        mote_Error error;
        CHECK_OK(mote_run(scene, &def, NULL, &error), error);
        CHECK(place_count(&place, "checkpoints") == (count == 3 ? 1 : SCENARIO_FRAMES));
        mote_scene_destroy(scene);
        place_end(&place);
    }
}

TESTS({"a_part_again_keeps_the_rest", a_part_again_keeps_the_rest},
      {"a_part_again_ends_no_run", a_part_again_ends_no_run},
      {"resume_tells_and_mends_damage", resume_tells_and_mends_damage},
      {"damage_outlives_a_kill", damage_outlives_a_kill},
      {"damage_is_told_in_ranges", damage_is_told_in_ranges},
      {"gaps_are_told_at_once", gaps_are_told_at_once},
      {"tables_with_impossible_times", tables_with_impossible_times},
      {"frames_are_used_before_a_checkpoint", frames_are_used_before_a_checkpoint},
      {"frames_are_used_while_a_run_goes_on", frames_are_used_while_a_run_goes_on},
      {"checkpoints_are_made_by_the_clock", checkpoints_are_made_by_the_clock})
