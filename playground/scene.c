/* Reading a scene: its messages, what it will need, and what its sliders are made of. */
#include "playground/playground.h"

#include "base/machine.h"
#include "base/status.h"
#include "view/controls.h"

#include <string.h>

enum { SETTINGS_MOST = 256 };

EXPORT(char *, text_room, size_t size)
{
    memory_free(&playground.memory, playground.room, playground.room_size);
    playground.room = memory_take(&playground.memory, size);
    playground.room_size = playground.room != NULL ? size : 0;
    return playground.room;
}

const char *room_text(size_t *at)
{
    const size_t left = playground.room_size - *at;
    const char *text = playground.room + *at, *end = left > 0 ? memchr(text, '\0', left) : NULL;
    if (end == NULL) return "";
    *at += (size_t)(end - text) + 1;
    return text;
}

/* ---- what it needs ---- */

/* The program's own refusal of what does not fit, without its option that is none here. */
static mote_Status judge(const mote_SceneForecast *needs, mote_Error *error)
{
    const mote_RunRoom room = {.needs = *needs, .memory = machine_memory(), .disk = UINT64_MAX};
    const mote_RunDef def = mote_run_def();
    const mote_Status status = mote_run_judge(playground.scene, &def, &room, error);
    char *option = status != MOTE_OK ? strstr(error->message, "; --anyway") : NULL;
    if (option != NULL) *option = '\0';
    return status;
}

static void put_needs(JsonWriter *json)
{
    mote_SceneForecast needs;
    mote_Error error = {0};
    mote_Status status = mote_scene_needs(playground.scene, &needs, &error);
    if (status == MOTE_OK) {
        json_put_u64(json, "particles", needs.particles);
        json_put_u64(json, "memory", needs.memory);
        status = judge(&needs, &error);
    }
    if (status != MOTE_OK) json_put_text(json, "refused", error.message);
}

static void put_info(JsonWriter *json)
{
    const mote_SceneInfo info = mote_scene_info(playground.scene);
    json_put_text(json, "name", info.name);
    json_put_u64(json, "frames", info.frames);
    json_put_double(json, "duration", info.duration);
    json_put_double(json, "fps", info.fps);
    json_put_u64(json, "width", (uint64_t)info.width);
    json_put_u64(json, "height", (uint64_t)info.height);
}

static void put_controls(JsonWriter *json)
{
    const Controls controls = {.memory = &playground.memory, .scene = playground.scene};
    json_begin(json, "groups", '[');
    controls_put(&controls, json);
    json_finish(json, ']');
}

/* The room has a name, the scene and `settings` texts "key=value". */
EXPORT(int, scene_load, size_t settings)
{
    const char *list[SETTINGS_MOST];
    mote_SceneDef def = mote_scene_def();
    mote_Error error = {0};
    size_t at = 0;
    playground_stop();
    mote_scene_destroy(playground.scene);
    def.name = room_text(&at), def.text = room_text(&at);
    def.settings = list, def.setting_count = settings < SETTINGS_MOST ? settings : SETTINGS_MOST;
    for (size_t i = 0; i < def.setting_count; ++i) list[i] = room_text(&at);
    const mote_Status status = mote_scene_load(&def, &playground.scene, &error);
    if (status != MOTE_OK && playground.scene == NULL) return answer_error(&error);
    JsonWriter *json = answer_begin();
    json_put_text(json, "messages", mote_scene_messages(playground.scene, false));
    if (status != MOTE_OK) {
        json_put_text(json, "error", error.message);
        return answer_end(1);
    }
    put_info(json);
    put_needs(json);
    put_controls(json);
    return answer_end(0);
}

/* The room has a key and a value. {"live": the world has it, and goes on}. */
EXPORT(int, scene_change, void)
{
    size_t at = 0;
    const char *key = room_text(&at), *value = room_text(&at);
    const Controls controls = {.memory = &playground.memory, .scene = playground.scene};
    const bool live =
        playground.world != NULL && controls_change(&controls, playground.world, key, value);
    json_put_bool(answer_begin(), "live", live);
    return answer_end(0);
}

/* What would go wrong or look bad: tries the start of the scene. */
EXPORT(int, scene_warnings, void)
{
    mote_SceneForecast forecast;
    mote_Error error = {0};
    if (mote_scene_forecast(playground.scene, &forecast, &error) != MOTE_OK)
        return answer_error(&error);
    json_put_text(answer_begin(), "warnings", forecast.warnings);
    return answer_end(0);
}
