/* Exports of a cache, and comparison of two. */
#include "run/scenario.h"

static void short_run(const Place *place, const char *setting, int last)
{
    mote_RunDef def = run_in(place);
    mote_Error error;
    def.last = last;
    CHECK_OK(run_setting(setting, &def, NULL, &error), error);
}

/* ---- exports ---- */

static void exports_every_format(void)
{
    /* two systems and a plane, four frames; or a file of all frames; 0: it can hold nothing */
    static const struct {
        const char *format;
        int files, collections;
    } wanted[] = {{"ply", 12, 0},    {"vtp", 12, 3},  {"obj", 12, 0}, {"csv", 8, 0},
                  {"links", 0, 0},   {"npz", 8, 0},   {"glb", 1, 0},  {"usda", 1, 0},
                  {"pcache", 12, 0}, {"mdd", 1, 0},   {"pc2", 1, 0},  {"vdb", 8, 0},
                  {"vti", 8, 2},     {"h5part", 3, 0}};
    Place place = place_make();
    const mote_ExportFormat *format;
    int files_before = 0;
    size_t seen = 0;
    short_run(&place, NULL, 3);
    for (size_t i = 0; (format = mote_export_format(i)) != NULL; ++i) {
        uint64_t files;
        mote_Error error;
        size_t w = 0;
        while (w < COUNT_OF(wanted) && strcmp(wanted[w].format, format->name) != 0) ++w;
        CHECK(w < COUNT_OF(wanted));
        if (w == COUNT_OF(wanted)) continue;
        mote_Status status = export_run(place.path, format->name, NULL, &files, &error);
        CHECK(status == (wanted[w].files > 0 ? MOTE_OK : MOTE_BAD_VALUE));
        if (wanted[w].files == 0) CHECK_MESSAGE(error, "cannot hold anything of this run");
        CHECK((int)files == wanted[w].files);
        int now = place_count(&place, "export");
        CHECK(now == files_before + wanted[w].files + wanted[w].collections);
        files_before = now, ++seen;
    }
    CHECK(seen == COUNT_OF(wanted));
    CHECK(place_has(&place, "export/sparks_000003.ply"));
    CHECK(place_has(&place, "export/ground_frames.pc2"));
    place_end(&place);
}

static int count_text(const char *text, const char *part)
{
    int count = 0;
    for (; text != NULL && (text = strstr(text, part)) != NULL; ++text) ++count;
    return count;
}

static void collections_follow_time(void)
{
    Place place = place_make();
    uint64_t files;
    mote_Error error;
    short_run(&place, NULL, 3);
    CHECK_OK(export_run(place.path, "vtp", "dust", &files, &error), error);
    CHECK(files == 4 && place_count(&place, "export") == 5);
    Bytes text = bytes_read(&place, "export/dust_collection.pvd");
    CHECK(count_text(text.data, "<DataSet") == 4);
    CHECK(count_text(text.data, "file=\"dust_000002.vtp\"") == 1);
    CHECK(count_text(text.data, "timestep=\"0.1") == 2); /* 0.1 and 0.15 s */
    free(text.data);
    place_end(&place);
}

static void exports_refuse(void)
{
    Place place = place_make();
    uint64_t files = 7;
    mote_Error error;
    CHECK(export_run(place.path, "ply", NULL, &files, &error) == MOTE_IO_FAILED);
    CHECK(files == 0);
    CHECK_MESSAGE(error, "holds no run");
    short_run(&place, NULL, 3);
    CHECK(export_run(place.path, "plx", NULL, &files, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "unknown format `plx`; there are ");
    CHECK(export_run(place.path, "ply", "dus", &files, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "has no part `dus`; there are sparks, dust");
    mote_ExportDef def = mote_export_def();
    def.folder = place.path, def.scale = 0;
    CHECK(mote_run_export(&def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "the scale is 0, but must be positive");
    def.scale = 1, def.up = 3;
    CHECK(mote_run_export(&def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "there is no axis 3");
    place_damage(&place, "frames/frame_000002.npz");
    CHECK(export_run(place.path, "ply", NULL, &files, &error) != MOTE_OK);
    CHECK_MESSAGE(error, "frame_000002.npz");
    CHECK(files == 6); /* three parts of two frames */
    place_end(&place);
}

/* ---- comparison ---- */

static mote_CacheDiff diff_of(const Place *a, const Place *b)
{
    mote_CacheDiff diff;
    mote_Error error;
    CHECK_OK(mote_run_diff(a->path, b->path, &diff, &error), error);
    return diff;
}

static void same_caches_are_the_same(void)
{
    Place a = place_make(), b = place_make();
    short_run(&a, NULL, 6), short_run(&b, NULL, 6);
    mote_CacheDiff diff = diff_of(&a, &b);
    CHECK(diff.same && diff.frames == 7);
    place_end(&a), place_end(&b);
}

/* Changes values of a frame's file through the library: it is read, changed and written. */
static void change_frame(const Place *place, uint64_t index, void (*change)(mote_Frame *))
{
    char path[300], name[64];
    mote_Frame *frame;
    mote_Error error;
    frame_name(index, name);
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    SETUP_OK(mote_frame_read(path, &frame, &error), error);
    change(frame);
    SETUP_OK(mote_frame_write(frame, path, NULL, &error), error);
    mote_frame_destroy(frame);
}

static mote_real *reals_of(mote_Frame *frame, const char *system, const char *column, int c)
{
    const mote_Column *found = mote_frame_column(mote_frame_system(frame, system), column);
    return (mote_real *)found->data + (size_t)c * found->stride;
}

static void move_two(mote_Frame *frame)
{
    for (int c = 0; c < 3; ++c) {
        mote_real *x = reals_of(frame, "dust", "position", c);
        x[1] = 4 + (mote_real)c, x[2] = 1;
    }
}

static void spoil_mass(mote_Frame *frame)
{
    reals_of(frame, "sparks", "mass", 0)[0] = (mote_real)NAN;
}

static void turn_sign_of_zero(mote_Frame *frame)
{
    mote_real *z = reals_of(frame, "sparks", "velocity", 2);
    z[0] = z[0] == 0 ? -z[0] : (mote_real)-0.0;
}

static void set_zero(mote_Frame *frame)
{
    reals_of(frame, "sparks", "velocity", 2)[0] = 0;
}

static void later(mote_Frame *frame)
{
    frame->time += 0.25;
}

static void differences_are_found(void)
{
    Place a = place_make(), b = place_make();
    short_run(&a, NULL, 8), short_run(&b, NULL, 8);
    change_frame(&a, 7, set_zero), change_frame(&b, 7, set_zero);
    change_frame(&b, 7, turn_sign_of_zero);
    mote_CacheDiff diff = diff_of(&a, &b);
    CHECK(!diff.same && diff.frame == 7 && strcmp(diff.what, "sparks/velocity") == 0);
    CHECK(diff.rows == 1 && diff.largest == 0);
    change_frame(&b, 6, spoil_mass);
    diff = diff_of(&a, &b);
    CHECK(!diff.same && diff.frame == 6 && strcmp(diff.what, "sparks/mass") == 0);
    CHECK(diff.rows == 1 && isinf(diff.largest));
    change_frame(&b, 5, later);
    diff = diff_of(&a, &b);
    CHECK(diff.frame == 5 && strcmp(diff.what, "time") == 0);
    CHECK_NEAR(diff.largest, 0.25, 1e-12);
    change_frame(&b, 4, move_two);
    change_frame(&a, 4, move_two);
    diff = diff_of(&a, &b);
    CHECK(diff.frame == 5 && diff.frames == 6);
    place_end(&a), place_end(&b);
}

static void rows_and_sizes_are_counted(void)
{
    Place a = place_make(), b = place_make();
    short_run(&a, NULL, 8), short_run(&b, NULL, 8);
    change_frame(&b, 4, move_two);
    mote_CacheDiff diff = diff_of(&a, &b);
    CHECK(!diff.same && diff.frame == 4 && strcmp(diff.what, "dust/position") == 0);
    CHECK(diff.rows == 2); /* rows, not values */
    CHECK(diff.largest > 5 && diff.largest < 7);
    place_end(&a), place_end(&b);
}

static void other_scenes_differ(void)
{
    Place a = place_make(), b = place_make();
    short_run(&a, NULL, 4), short_run(&b, "emitters.cloud.rate=100", 4);
    mote_CacheDiff diff = diff_of(&a, &b);
    CHECK(!diff.same && diff.frame == 1 && strstr(diff.what, "dust/number of") != NULL);
    CHECK(diff.largest >= 1);
    place_end(&a), place_end(&b);
}

static void missing_frames_are_told(void)
{
    Place a = place_make(), b = place_make();
    short_run(&a, NULL, 6), short_run(&b, NULL, 4);
    mote_CacheDiff diff = diff_of(&a, &b);
    CHECK(!diff.same && diff.frame == 5 && diff.frames == 5);
    CHECK(strstr(diff.what, "only the first") != NULL);
    diff = diff_of(&b, &a);
    CHECK(!diff.same && diff.frame == 5 && strstr(diff.what, "only the second") != NULL);
    place_end(&a), place_end(&b);
}

/* A cache that begins later. */
static void early_frames_are_missed(void)
{
    Place a = place_make(), b = place_make();
    mote_RunDef def = run_in(&b);
    mote_Error error;
    short_run(&a, NULL, 6), short_run(&b, "output.cache=false", 3);
    def.last = 6, def.resume = true;
    run_well(&def);
    mote_CacheDiff diff = diff_of(&b, &a);
    CHECK(!diff.same && diff.frame == 0 && strstr(diff.what, "only the second") != NULL);
    CHECK(mote_run_diff(a.path, "no such folder", &diff, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "there is no folder no such folder");
    place_end(&a), place_end(&b);
}

static void damaged_frames_are_named(void)
{
    Place a = place_make(), b = place_make();
    mote_CacheDiff diff;
    mote_Error error;
    short_run(&a, NULL, 4), short_run(&b, NULL, 4);
    place_damage(&b, "frames/frame_000002.npz");
    CHECK(mote_run_diff(a.path, b.path, &diff, &error) != MOTE_OK);
    CHECK_MESSAGE(error, "frame_000002.npz");
    CHECK(mote_run_diff(b.path, a.path, &diff, &error) != MOTE_OK);
    place_end(&a), place_end(&b);
}

TESTS({"exports_every_format", exports_every_format},
      {"collections_follow_time", collections_follow_time}, {"exports_refuse", exports_refuse},
      {"same_caches_are_the_same", same_caches_are_the_same},
      {"differences_are_found", differences_are_found},
      {"rows_and_sizes_are_counted", rows_and_sizes_are_counted},
      {"other_scenes_differ", other_scenes_differ},
      {"missing_frames_are_told", missing_frames_are_told},
      {"early_frames_are_missed", early_frames_are_missed},
      {"damaged_frames_are_named", damaged_frames_are_named})
