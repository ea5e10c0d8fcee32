/* Pictures and videos of runs and of caches. */
#include "run/scenario.h"

static mote_Scene *drawn_scene(const char *setting)
{
    const char *settings[] = {"output.frames=png", "output.video=mp4", setting};
    return scenario_scene_with(settings, setting != NULL ? 3 : 2, mote_default_allocator());
}

static void run_drawn(const char *setting, const mote_RunDef *def, mote_RunReport *report)
{
    mote_Scene *scene = drawn_scene(setting);
    mote_Error error;
    CHECK_OK(mote_run(scene, def, report, &error), error);
    mote_scene_destroy(scene);
}

static bool have_program(const char *name)
{
    char command[100];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* -1: cannot be told. */
static int video_frames(const Place *place)
{
    char command[400];
    int frames = -1;
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
             "stream=nb_read_frames -of csv=p=0 %s/video.mp4",
             place->path);
    FILE *answer = popen(command, "r");
    if (answer == NULL || fscanf(answer, "%d", &frames) != 1) frames = -1;
    if (answer != NULL) pclose(answer);
    return frames;
}

#define NEED_FFMPEG                                                                                \
    do {                                                                                           \
        if (!have_program("ffmpeg") || !have_program("ffprobe")) {                                 \
            printf("skipped: there is no ffmpeg\n");                                               \
            return;                                                                                \
        }                                                                                          \
    } while (0)

static bool same_images(const Place *a, const Place *b, int last)
{
    bool same = place_count(a, "images") == last + 1;
    for (int i = 0; i <= last; ++i) {
        char name[64];
        snprintf(name, sizeof name, "images/frame_%06d.png", i);
        same = same_file(a, b, name) && same;
    }
    return same;
}

static void videos_have_all_frames(void)
{
    NEED_FFMPEG;
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_RunReport report;
    def.last = 9;
    run_drawn(NULL, &def, &report);
    CHECK(video_frames(&place) == 10);
    CHECK(strstr(report.video, "/video.mp4") != NULL && report.note[0] == '\0');
    CHECK(strstr(report.picture, "/images/frame_000009.png") != NULL);
    def.resume = true, def.last = 14;
    run_drawn(NULL, &def, &report);
    CHECK(video_frames(&place) == 15);
    def.resume = false, def.from = 6;
    run_drawn(NULL, &def, &report);
    CHECK(video_frames(&place) == 15);
    CHECK(!place_has(&place, ".part-video.mp4"));
    place_end(&place);
}

static void stopped_videos_go_on(void)
{
    NEED_FFMPEG;
    Place place = place_make(), whole = place_make();
    mote_RunDef def = run_in(&place), whole_def = run_in(&whole);
    mote_Scene *scene = drawn_scene(NULL);
    mote_RunReport report;
    mote_Error error;
    Patience patience = {5};
    whole_def.last = def.last = 12;
    run_drawn(NULL, &whole_def, NULL);
    def.cancelled = out_of_patience, def.context = &patience;
    CHECK(mote_run(scene, &def, NULL, &error) == MOTE_CANCELLED);
    CHECK(video_frames(&place) == 7);
    def.resume = true, patience.left = 2; /* while the earlier frames are filmed */
    CHECK(mote_run(scene, &def, &report, &error) == MOTE_CANCELLED);
    CHECK(report.last == 6 && report.video[0] == '\0');
    CHECK(video_frames(&place) == 7);
    patience.left = 1000;
    CHECK_OK(mote_run(scene, &def, &report, &error), error);
    CHECK(video_frames(&place) == 13);
    CHECK(same_images(&place, &whole, 12) && same_run(&place, &whole, 12));
    mote_scene_destroy(scene);
    place_end(&place), place_end(&whole);
}

/* Without ffmpeg: pictures, also when the scene wants a video alone, and the command. */
static void without_ffmpeg_the_command_is_told(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_RunReport report;
    char *path = strdup(getenv("PATH"));
    def.last = 3;
    setenv("PATH", "", 1);
    run_drawn("output.frames=none", &def, &report);
    setenv("PATH", path, 1);
    CHECK(report.video[0] == '\0' && !place_has(&place, "video.mp4"));
    CHECK(strstr(report.note, "no ffmpeg here") != NULL);
    char *command = strstr(report.note, "ffmpeg -framerate");
    CHECK(command != NULL);
    CHECK(place_count(&place, "images") == 4);
    if (command != NULL && have_program("ffmpeg") && have_program("ffprobe")) {
        char quiet[MOTE_RUN_TEXT + 40]; /* the command does what it says */
        snprintf(quiet, sizeof quiet, "%s >/dev/null 2>&1 </dev/null", command);
        CHECK(system(quiet) == 0);
        CHECK(video_frames(&place) == 4);
    }
    free(path);
    place_end(&place);
}

static void without_a_cache_a_video_is_not_gone_on_with(void)
{
    Place place = place_make();
    mote_RunDef def = run_in(&place);
    mote_RunReport report;
    def.last = 3;
    run_drawn("output.cache=false", &def, &report);
    CHECK(place_count(&place, "frames") == 0 && place_count(&place, "images") == 4);
    if (have_program("ffmpeg") && have_program("ffprobe")) CHECK(video_frames(&place) == 4);
    def.resume = true, def.last = 6;
    run_drawn("output.cache=false", &def, &report);
    CHECK(report.first == 4 && report.video[0] == '\0');
    CHECK(strstr(report.note, "frames before 4 are not in a cache") != NULL);
    CHECK(place_count(&place, "images") == 7);
    def.last = 8; /* a cache that begins late is no reason to fail */
    run_drawn("output.cache=true", &def, &report);
    def.last = 10;
    run_drawn("output.cache=true", &def, &report);
    CHECK(strstr(report.note, "frames before 9 are not in a cache") != NULL);
    CHECK(place_count(&place, "frames") == 4);
    mote_Error error;
    uint64_t files;
    CHECK_OK(export_run(place.path, "csv", "dust", &files, &error), error);
    CHECK(files == 4);
    place_end(&place);
}

static mote_RenderRunDef render_of(const Place *place)
{
    mote_RenderRunDef def = mote_render_run_def();
    def.folder = place->path;
    def.force = true;
    return def;
}

static void caches_are_drawn_like_live_runs(void)
{
    Place live = place_make(), cached = place_make();
    mote_RunDef live_def = run_in(&live), cached_def = run_in(&cached);
    mote_RenderRunDef def = render_of(&cached);
    mote_TasksDef tasks_def = mote_tasks_def();
    mote_RunReport report;
    mote_Error error;
    run_drawn(NULL, &live_def, &report);
    cached_def.no_pictures = true;
    run_drawn(NULL, &cached_def, &report);
    CHECK(place_count(&cached, "images") == 0 && !place_has(&cached, "video.mp4"));
    tasks_def.threads = 3;
    SETUP_OK(mote_tasks_create(&tasks_def, &def.tasks, &error), error);
    CHECK_OK(mote_run_render(&def, &report, &error), error);
    mote_tasks_destroy(def.tasks);
    CHECK(report.first == 0 && report.last == SCENARIO_FRAMES && report.particles > 10);
    CHECK(same_images(&cached, &live, SCENARIO_FRAMES));
    if (have_program("ffmpeg") && have_program("ffprobe"))
        CHECK(video_frames(&cached) == SCENARIO_FRAMES + 1);
    place_end(&live), place_end(&cached);
}

static void a_part_is_drawn_without_a_video(void)
{
    Place place = place_make();
    mote_RunDef run_def = run_in(&place);
    mote_RenderRunDef def = render_of(&place);
    mote_RunReport report;
    mote_Error error;
    run_def.no_pictures = true;
    run_drawn(NULL, &run_def, NULL);
    bytes_write(&place, "video.mp4", "old", 3);
    def.first = 3, def.last = 5;
    CHECK_OK(mote_run_render(&def, &report, &error), error);
    CHECK(report.first == 3 && report.last == 5 && place_count(&place, "images") == 3);
    CHECK(place_has(&place, "images/frame_000003.png"));
    Bytes video = bytes_read(&place, "video.mp4");
    CHECK(video.size == 3);
    free(video.data);
    def.first = 18, def.last = 400;
    CHECK_OK(mote_run_render(&def, &report, &error), error);
    CHECK(report.first == 18 && report.last == SCENARIO_FRAMES);
    def.first = 40;
    CHECK(mote_run_render(&def, &report, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "it has 0 to 20");
    place_end(&place);
}

/* The scene asked for no pictures, but the user asks now; the camera is the user's, too. */
static void renders_as_asked(void)
{
    Place place = place_make(), other = place_make();
    mote_RunDef run_def = run_in(&place), other_run = run_in(&other);
    mote_RenderRunDef def = render_of(&place), other_def = render_of(&other);
    mote_Error error;
    run_well(&run_def), run_well(&other_run);
    def.first = def.last = other_def.first = other_def.last = 9;
    CHECK_OK(mote_run_render(&def, NULL, &error), error);
    CHECK(place_count(&place, "images") == 1);
    const char *const settings[] = {"camera.fov=12"};
    other_def.settings = settings, other_def.setting_count = 1;
    CHECK_OK(mote_run_render(&other_def, NULL, &error), error);
    Bytes plain = bytes_read(&place, "images/frame_000009.png"),
          near = bytes_read(&other, "images/frame_000009.png");
    CHECK(plain.size != near.size || memcmp(plain.data, near.data, plain.size) != 0);
    other_def.setting_count = 0, other_def.frame_all = true;
    CHECK_OK(mote_run_render(&other_def, NULL, &error), error);
    Bytes all = bytes_read(&other, "images/frame_000009.png");
    CHECK(plain.size != all.size || memcmp(plain.data, all.data, plain.size) != 0);
    free(plain.data), free(near.data), free(all.data);
    const char *const wrong[] = {"camera.fox=12"};
    other_def.settings = wrong, other_def.setting_count = 1;
    CHECK(mote_run_render(&other_def, NULL, &error) == MOTE_BAD_VALUE);
    const char *const physics[] = {"world.seed=9999"};
    other_def.settings = physics;
    CHECK(mote_run_render(&other_def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "the settings change the simulation");
    place_end(&place), place_end(&other);
}

/* Trails, lit particles, a colour map with its legend and a light that moves. */
static mote_Scene *rich_scene(void)
{
    static const char *const settings[] = {
        "output.video=none", "systems.sparks.look.trail=5", "systems.sparks.look.faint=0.2",
        "systems.dust.look={preset:'smoke',color:{by:'speed',map:'turbo'}}",
        "render.lights=[{type:'point',at:['=t',1,0]},{type:'sun'}]"};
    return scenario_scene_with(settings, 5, mote_default_allocator());
}

static void run_rich(const mote_RunDef *def)
{
    mote_Scene *scene = rich_scene();
    mote_Error error;
    CHECK_OK(mote_run(scene, def, NULL, &error), error);
    mote_scene_destroy(scene);
}

/* A part from a cache, and a run that was gone on with, are drawn like the whole run. */
static void rich_pictures_are_the_same_from_a_cache(void)
{
    Place live = place_make(), cached = place_make(), resumed = place_make();
    mote_RunDef live_def = run_in(&live), cached_def = run_in(&cached),
                resumed_def = run_in(&resumed);
    mote_RenderRunDef def = render_of(&cached);
    mote_Error error;
    live_def.last = cached_def.last = 14, resumed_def.last = 9;
    run_rich(&live_def);
    cached_def.no_pictures = true;
    run_rich(&cached_def);
    run_rich(&resumed_def);
    resumed_def.resume = true, resumed_def.last = 14;
    run_rich(&resumed_def);
    CHECK(same_images(&resumed, &live, 14));
    def.first = 10, def.last = 12;
    CHECK_OK(mote_run_render(&def, NULL, &error), error);
    CHECK(place_count(&cached, "images") == 3);
    for (int i = 10; i <= 12; ++i) {
        char name[64];
        snprintf(name, sizeof name, "images/frame_%06d.png", i);
        CHECK(same_file(&cached, &live, name));
    }
    place_end(&live), place_end(&cached), place_end(&resumed);
}

typedef struct Paint {
    int calls, legends; /* of the last picture */
    bool none;          /* there are no means for it */
} Paint;

/* The whole picture becomes white. */
static mote_Status paint(void *context, const mote_RenderDef *def, mote_Image *image,
                         mote_Error *error)
{
    Paint *out = context;
    float *pixels = mote_image_pixels(image);
    const int count = 4 * mote_image_width(image) * mote_image_height(image);
    ++out->calls, out->legends = 0;
    for (size_t i = 0; i < def->legend_count; ++i) out->legends += def->legends[i].title != NULL;
    if (out->none) {
        error->status = MOTE_UNAVAILABLE;
        snprintf(error->message, sizeof error->message, "there is no paint");
        return MOTE_UNAVAILABLE;
    }
    for (int i = 0; i < count; ++i) pixels[i] = 1;
    return MOTE_OK;
}

/* In runs and from caches; where it cannot, that is a note, once, and the pictures are plain. */
static void overlays_are_drawn_over_pictures(void)
{
    Place plain = place_make(), live = place_make(), cached = place_make();
    mote_RunDef plain_def = run_in(&plain), live_def = run_in(&live);
    mote_RenderRunDef def = render_of(&plain);
    mote_Scene *scene = rich_scene();
    Paint paints[3] = {{.none = false}, {.none = false}, {.none = true}};
    mote_RunReport report;
    mote_Error error;
    plain_def.last = live_def.last = 2;
    run_rich(&plain_def);
    live_def.overlay = paint, live_def.context = &paints[0];
    CHECK_OK(mote_run(scene, &live_def, &report, &error), error);
    CHECK(paints[0].calls == 3 && paints[0].legends == 1 && report.note[0] == '\0');
    CHECK(!same_file(&live, &plain, "images/frame_000002.png"));
    def.output = cached.path, def.overlay = paint, def.context = &paints[1];
    CHECK_OK(mote_run_render(&def, &report, &error), error);
    CHECK(paints[1].calls == 3);
    live_def.force = true, live_def.context = &paints[2];
    CHECK_OK(mote_run(scene, &live_def, &report, &error), error);
    CHECK(paints[2].calls == 1 && strcmp(report.note, "there is no paint") == 0);
    CHECK(same_images(&live, &plain, 2));
    mote_scene_destroy(scene);
    place_end(&plain), place_end(&live), place_end(&cached);
}

static void other_formats_are_written(void)
{
    NEED_FFMPEG;
    static const char *const formats[] = {"gif", "webp", "webm"};
    static const char *const starts[] = {"GIF8", "RIFF", "\x1a\x45\xdf\xa3"};
    for (int k = 0; k < 3; ++k) {
        Place place = place_make();
        mote_RunDef run_def = run_in(&place);
        mote_RenderRunDef def = render_of(&place);
        mote_RunReport report;
        mote_Error error;
        char setting[40], name[40];
        run_def.last = 3;
        run_well(&run_def);
        snprintf(setting, sizeof setting, "output.video=%s", formats[k]);
        snprintf(name, sizeof name, "video.%s", formats[k]);
        const char *const settings[] = {setting, "output.frames=png16"};
        def.settings = settings, def.setting_count = 2;
        CHECK_OK(mote_run_render(&def, &report, &error), error);
        Bytes video = bytes_read(&place, name), png = bytes_read(&place, "images/frame_000002.png");
        CHECK(video.size > 100 && memcmp(video.data, starts[k], 4) == 0);
        CHECK(png.size > 25 && ((const char *)png.data)[24] == 16); /* bits of a channel */
        free(video.data), free(png.data);
        run_def.force = true, run_def.last = 1;
        CHECK_OK(run_setting(NULL, &run_def, NULL, &error), error);
        CHECK(!place_has(&place, name)); /* what a run has written goes with it */
        place_end(&place);
    }
}

/* Linear light; gone with the run that has written it. */
static void exr_is_written(void)
{
    Place place = place_make();
    mote_RunDef run_def = run_in(&place);
    mote_RenderRunDef def = render_of(&place);
    mote_RunReport report;
    mote_Error error;
    static const char *const settings[] = {"output.frames=exr", "output.video=none"};
    run_def.last = 2;
    run_well(&run_def);
    def.settings = settings, def.setting_count = 2;
    CHECK_OK(mote_run_render(&def, &report, &error), error);
    Bytes exr = bytes_read(&place, "images/frame_000002.exr");
    CHECK(exr.size > 100 && memcmp(exr.data, "\x76\x2f\x31\x01", 4) == 0);
    free(exr.data);
    mote_RunDef again = mote_run_def();
    again.folder = place.path, again.force = true, again.from = -1, again.last = 1;
    CHECK_OK(run_setting(NULL, &again, NULL, &error), error);
    CHECK(!place_has(&place, "images/frame_000002.exr"));
    place_end(&place);
}

static void views_are_chosen_by_name(void)
{
    Place place = place_make();
    mote_RunDef run_def = run_in(&place);
    mote_RenderRunDef def = render_of(&place);
    mote_Error error;
    run_well(&run_def);
    def.first = def.last = 9, def.frame_all = true, def.view = "top";
    CHECK_OK(mote_run_render(&def, NULL, &error), error);
    def.view = "tpo";
    CHECK(mote_run_render(&def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `top`");
    place_end(&place);
}

static void rendering_can_be_stopped(void)
{
    Place place = place_make();
    mote_RunDef run_def = run_in(&place);
    mote_RenderRunDef def = render_of(&place);
    mote_RunReport report;
    mote_Error error;
    Patience patience = {3};
    run_def.no_pictures = true;
    run_drawn(NULL, &run_def, NULL);
    def.cancelled = out_of_patience, def.context = &patience;
    CHECK(mote_run_render(&def, &report, &error) == MOTE_CANCELLED);
    CHECK(report.last == 3 && place_count(&place, "images") == 4);
    CHECK(!place_has(&place, "video.mp4") && !place_has(&place, ".part-video.mp4"));
    place_end(&place);
}

static void damaged_caches_are_named(void)
{
    Place place = place_make();
    mote_RunDef run_def = run_in(&place);
    mote_RenderRunDef def = render_of(&place);
    mote_Error error;
    CHECK(mote_run_render(&def, NULL, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "holds no run");
    CHECK_OK(run_setting("output.cache=false", &run_def, NULL, &error), error);
    CHECK(mote_run_render(&def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "holds no frames");
    run_def.force = true;
    run_well(&run_def);
    place_damage(&place, "frames/frame_000004.npz");
    CHECK(mote_run_render(&def, NULL, &error) != MOTE_OK);
    CHECK_MESSAGE(error, "frame_000004.npz");
    CHECK(place_count(&place, "images") == 4); /* the ones before it */
    place_end(&place);
}

TESTS({"videos_have_all_frames", videos_have_all_frames},
      {"stopped_videos_go_on", stopped_videos_go_on},
      {"without_ffmpeg_the_command_is_told", without_ffmpeg_the_command_is_told},
      {"without_a_cache_a_video_is_not_gone_on_with", without_a_cache_a_video_is_not_gone_on_with},
      {"caches_are_drawn_like_live_runs", caches_are_drawn_like_live_runs},
      {"a_part_is_drawn_without_a_video", a_part_is_drawn_without_a_video},
      {"renders_as_asked", renders_as_asked},
      {"rich_pictures_are_the_same_from_a_cache", rich_pictures_are_the_same_from_a_cache},
      {"overlays_are_drawn_over_pictures", overlays_are_drawn_over_pictures},
      {"other_formats_are_written", other_formats_are_written}, {"exr_is_written", exr_is_written},
      {"views_are_chosen_by_name", views_are_chosen_by_name},
      {"rendering_can_be_stopped", rendering_can_be_stopped},
      {"damaged_caches_are_named", damaged_caches_are_named})
