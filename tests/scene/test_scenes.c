/* The scenes that come with the program: each loads without a message or a warning, runs for some
 * frames, and gives the same frame on one thread and on two; its pictures can be drawn. */
#include "scene/loading.h"

#include <dirent.h>

enum { FRAMES = TEST_SANITIZED ? 2 : 3, LATEST = 10 }; /* and when something must be there */

/* A frame of a liquid takes many sub-steps: here it is shorter. */
static const char *const short_frames[] = {TEST_SANITIZED ? "world.fps=2000" : "world.fps=1000"};

static bool is_liquid(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    text[size] = '\0';
    return strstr(text, "type: \"sph\"") != NULL;
}

static mote_Scene *load_with(const char *path, const char *const *settings, size_t count)
{
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_Error error;
    def.path = path;
    def.settings = settings, def.setting_count = count;
    mote_Status status = mote_scene_load(&def, &scene, &error);
    if (status != MOTE_OK && scene != NULL)
        fprintf(stderr, "%s\n", mote_scene_messages(scene, false));
    SETUP_OK(status, error);
    return scene;
}

static mote_Scene *load(const char *path)
{
    return load_with(path, NULL, 0);
}

static void draw(mote_Scene *scene, mote_World *world, mote_Tasks *tasks)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Image *image;
    mote_Error error;
    SETUP_OK(mote_image_create(64, 36, &image, &error), error);
    CHECK_OK(mote_scene_picture(scene, mote_world_frame(world), &def, &drawn, &error), error);
    def.tasks = tasks;
    CHECK_OK(mote_render(&def, drawn, image, &error), error);
    mote_image_destroy(image);
}

/* Neither particles nor bodies. */
static bool is_empty(mote_World *world, const mote_StepReport *report)
{
    const mote_Frame *frame = mote_world_frame(world);
    bool empty = report->particles == 0;
    for (size_t i = 0; i < frame->shape_count; ++i) empty = empty && !frame->shapes[i].body;
    return empty;
}

static uint64_t run(const char *path, int threads)
{
    mote_Scene *scene = load_with(path, short_frames, is_liquid(path) ? 1 : 0);
    mote_Tasks *tasks = setup_tasks(threads);
    mote_World *world;
    mote_Error error;
    SETUP_OK(mote_scene_world(scene, tasks, &world, &error), error);
    mote_StepReport report = {0};
    for (int i = 0; i < FRAMES || (i < LATEST && is_empty(world, &report)); ++i)
        CHECK_OK(mote_world_step(world, &report, &error), error);
    CHECK(!is_empty(world, &report));
    CHECK(report.not_finite == 0);
    draw(scene, world, tasks);
    uint64_t hash = mote_frame_hash(mote_world_frame(world));
    mote_world_destroy(world);
    mote_tasks_destroy(tasks);
    mote_scene_destroy(scene);
    return hash;
}

static void check_quiet(const char *path)
{
    mote_Scene *scene = load(path);
    mote_SceneForecast forecast;
    mote_Error error;
    CHECK(strcmp(mote_scene_messages(scene, false), "") == 0);
    CHECK_OK(mote_scene_forecast(scene, &forecast, &error), error);
    if (forecast.warnings[0] != '\0') fprintf(stderr, "%s: %s", path, forecast.warnings);
    CHECK(forecast.warnings[0] == '\0'); /* an empty scene has a warning */
    mote_scene_destroy(scene);
}

static void all_run(void)
{
    DIR *folder = opendir(TEST_SOURCE "/scenes");
    int count = 0;
    CHECK(folder != NULL);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[1024];
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".json5") != 0) continue;
        snprintf(path, sizeof path, "%s/scenes/%s", TEST_SOURCE, entry->d_name);
        if (!TEST_SANITIZED) check_quiet(path);
        uint64_t two = run(path, 2), one = TEST_SANITIZED ? two : run(path, 1);
        if (one != two) fprintf(stderr, "%s depends on the threads\n", path);
        CHECK(one == two);
        ++count;
    }
    CHECK(count >= 10);
    if (folder != NULL) closedir(folder);
}

/* The built-in demo is the file of that name. */
static void the_demo_is_built_in(void)
{
    mote_SceneDef def = mote_scene_def();
    mote_Scene *built_in, *file = load(TEST_SOURCE "/scenes/demo.json5");
    mote_Error error;
    CHECK_OK(mote_scene_load(&def, &built_in, &error), error);
    CHECK(strcmp(mote_scene_info(built_in).name, "demo") == 0);
    CHECK(strcmp(mote_scene_print(built_in), mote_scene_print(file)) == 0);
    mote_scene_destroy(built_in);
    mote_scene_destroy(file);
}

TESTS({"all_run", all_run}, {"the_demo_is_built_in", the_demo_is_built_in})
