/* mote check: is a scene right, will it run well, and what will it need. */
#include "base/text.h"
#include "cli/check_ranks.h"
#include "cli/command.h"
#include "cli/estimate.h"
#include "cli/exit.h"
#include "cli/json_print.h"
#include "cli/load.h"

#include <mote/run.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct CheckOptions {
    TextList settings;
    bool json;
} CheckOptions;

/* What is found out about a scene. */
typedef struct Findings {
    mote_SceneInfo info;
    mote_SceneForecast forecast;
    mote_RunRoom room;
    bool fits; /* on this machine */
    RankAdvice ranks;
    Estimate estimate;
} Findings;

static void print_time(const Estimate *estimate)
{
    char all[DURATION_TEXT], drawing[DURATION_TEXT];
    double pictures = estimate->pictures > 0 ? estimate->pictures : 0;
    if (estimate->steps < 0) return;
    duration_text(estimate->steps + pictures, all);
    duration_text(pictures, drawing);
    printf("time       about %s here, by a trial of its start", all);
    if (pictures > 0) printf(" (pictures %s of it)", drawing);
    puts(estimate->pictures < 0 ? ", and traced pictures" : "");
}

static void print_lines(const Findings *found)
{
    const mote_SceneInfo *info = &found->info;
    const mote_SceneForecast *forecast = &found->forecast;
    char memory[SIZE_TEXT], disk[SIZE_TEXT];
    size_text(forecast->memory, memory);
    size_text(forecast->disk, disk);
    printf("%s %s: %" PRIu64 " frames, %g s at %g frames per second\n", info->name,
           found->fits ? "can run" : "is right, but does not fit here", info->frames,
           info->duration, info->fps);
    printf("particles  about %" PRIu64 "\n", forecast->particles);
    printf("memory     about %s\n", memory);
    printf("disk       about %s\n", disk);
    if (info->pictures || info->video) printf("pictures   %d x %d\n", info->width, info->height);
    ranks_print_advice(&found->ranks);
    print_time(&found->estimate);
}

static void put_ranks(JsonWriter *writer, const RankAdvice *ranks)
{
    json_begin(writer, "ranks", '{');
    json_put_u64(writer, "needed", (uint64_t)ranks->needed);
    json_put_u64(writer, "named", (uint64_t)ranks->named);
    json_put_u64(writer, "memory", ranks->share.memory);
    json_put_u64(writer, "memory_first", ranks->share.first);
    json_put_u64(writer, "memory_drawing", ranks->share.drawing);
    json_put_double(writer, "ghosts", ranks->share.ghosts);
    json_put_bool(writer, "copied", ranks->share.copied);
    if (ranks->refused[0] != '\0') json_put_text(writer, "refused", ranks->refused);
    json_finish(writer, '}');
}

/* A list with one text per line. */
static void put_lines(JsonWriter *writer, const char *key, const char *text)
{
    json_begin(writer, key, '[');
    while (*text != '\0') {
        char line[1024];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (length > 0) json_put_text(writer, NULL, line);
        text += length + (text[length] == '\n');
    }
    json_finish(writer, ']');
}

static int print_json(const Findings *found)
{
    const mote_SceneInfo *info = &found->info;
    const mote_SceneForecast *forecast = &found->forecast;
    const Estimate *estimate = &found->estimate;
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_text(writer, "name", info->name);
    json_put_u64(writer, "frames", info->frames);
    json_put_double(writer, "duration", info->duration);
    json_put_double(writer, "fps", info->fps);
    json_put_u64(writer, "particles", forecast->particles);
    json_put_u64(writer, "memory", forecast->memory);
    json_put_u64(writer, "disk", forecast->disk);
    json_put_u64(writer, "memory_there", found->room.memory);
    json_put_u64(writer, "disk_there", found->room.disk);
    json_put_bool(writer, "fits", found->fits);
    put_ranks(writer, &found->ranks);
    if (estimate->steps >= 0) json_put_double(writer, "seconds_steps", estimate->steps);
    if (estimate->pictures >= 0) json_put_double(writer, "seconds_pictures", estimate->pictures);
    json_put_hash(writer, "hash", info->hash);
    put_lines(writer, "warnings", forecast->warnings);
    return json_print_end(&print);
}

/* Whether a run from the start would fit here. */
static mote_Status judge(mote_Scene *scene, const char *name, mote_RunRoom *room, mote_Error *error)
{
    char folder[MOTE_RUN_TEXT];
    mote_RunDef def = mote_run_def();
    snprintf(folder, sizeof folder, "out/%s", name);
    def.folder = folder, def.force = true;
    mote_Status status = mote_run_room(scene, &def, room, error);
    return status == MOTE_OK ? mote_run_judge(scene, &def, room, error) : status;
}

static int forecast_scene(const LoadDef *load, mote_Scene *scene, bool modest, bool json)
{
    Findings found = {.info = mote_scene_info(scene), .estimate = {.steps = -1, .pictures = -1}};
    mote_Error error = {0};
    int code = EXIT_DONE;
    mote_Status status = mote_scene_forecast(scene, &found.forecast, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    status = judge(scene, found.info.name, &found.room, &error);
    found.fits = status == MOTE_OK;
    mote_Error other = {0};
    const mote_Status advised =
        ranks_advise(scene, found.room.memory, modest, &found.ranks, &other);
    if (advised != MOTE_OK) return message_failure(advised, &other);
    if (found.fits) found.estimate = estimate_run(load, scene, &found.forecast);
    if (!json) message_lines("warning: ", found.forecast.warnings);
    if (json)
        code = print_json(&found);
    else
        print_lines(&found);
    return found.fits ? code : message_failure(status, &error);
}

/* Some values are wrong only together or with what they refer to: the world says so. */
static int try_world(mote_Scene *scene)
{
    mote_World *world;
    mote_Error error = {0};
    mote_Status status = mote_scene_world(scene, NULL, &world, &error);
    mote_world_destroy(world);
    return status == MOTE_OK ? EXIT_DONE : message_failure(status, &error);
}

/* A world lays its liquids out, which takes minutes and gigabytes where there are many. */
static bool is_modest(mote_Scene *scene)
{
    mote_SceneForecast needs;
    return mote_scene_needs(scene, &needs, NULL) != MOTE_OK || needs.particles < 20000000;
}

static int check_run(const void *values, Given given)
{
    const CheckOptions *options = values;
    LoadDef load = {.path = given[0], .settings = &options->settings};
    mote_Scene *scene;
    int code = load_scene(&load, &scene);
    const bool modest = code == EXIT_DONE && is_modest(scene);
    if (modest) code = try_world(scene);
    if (code == EXIT_DONE) code = forecast_scene(&load, scene, modest, options->json);
    mote_scene_destroy(scene);
    return code;
}

static const Option options[] = {
    OPTION_SET(CheckOptions),
    {"json", .doc = "print one JSON object", .type = OPTION_FLAG, OPTION_HERE(CheckOptions, json)},
    {0}};
static const CheckOptions defaults = {0};
static const Example examples[] = {
    {"check my.json5", "all errors and warnings, and what a run will need"},
    {"check my.json5 --set rate=1e6", "with one value changed"},
    {0}};
static const Argument arguments[] = {{"SCENE", "a scene", WORDS_SCENE, false}, {0}};
const Command command_check = {.name = "check",
                               .doc = "Check a scene and tell what a run will need.",
                               .details = "The time is an estimate: the start of the scene is "
                                          "tried for a moment, on this machine as it is now.",
                               COMMAND_PARTS,
                               .run = check_run};
