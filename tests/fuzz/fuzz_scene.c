/* Any text as a scene, or, when it does not start with a brace or a space, its lines as settings of
 * the demo: it is loaded, or refused with messages. What is loaded makes a world (or says why not)
 * and a forecast, and its print is the same scene again. Nothing is stepped. */
#include "scene/scene.h"
#include "text/json5_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

enum { MOST_SETTINGS = 8 };

static size_t split_lines(char *text, char *lines[MOST_SETTINGS])
{
    size_t count = 0;
    for (; count < MOST_SETTINGS && *text != '\0'; ++count) {
        size_t length = strcspn(text, "\n");
        lines[count] = text;
        text += length + (text[length] != '\0');
        lines[count][length] = '\0';
    }
    return count;
}

static mote_Status load(char *text, mote_Scene **scene, mote_Error *error)
{
    char *settings[MOST_SETTINGS];
    mote_SceneDef def = mote_scene_def();
    def.settings = (const char *const *)settings;
    if (strchr("{ \t\n/", text[0]) != NULL)
        def.text = text;
    else
        def.setting_count = split_lines(text, settings);
    return mote_scene_load(&def, scene, error);
}

static void check_messages(mote_Scene *scene, bool color, bool wanted)
{
    const char *text = mote_scene_messages(scene, color);
    require(utf8_check(text, strlen(text)) == strlen(text));
    require(!wanted || text[0] != '\0');
}

static void check_print(mote_Scene *scene)
{
    mote_Scene *again;
    mote_Error error;
    mote_SceneDef def = mote_scene_def();
    def.text = mote_scene_print(scene);
    require(mote_scene_load(&def, &again, &error) == MOTE_OK);
    require(mote_scene_info(again).hash == mote_scene_info(scene).hash);
    mote_scene_destroy(again);
}

static void check_forecast(mote_Scene *scene)
{
    mote_SceneForecast forecast;
    mote_Error error = {0};
    if (mote_scene_forecast(scene, &forecast, &error) != MOTE_OK)
        require(error.message[0] != '\0');
    else
        require(utf8_check(forecast.warnings, strlen(forecast.warnings)) ==
                strlen(forecast.warnings));
}

static void check_world(mote_Scene *scene)
{
    mote_World *world;
    mote_Error error = {0};
    if (mote_scene_world(scene, NULL, &world, &error) == MOTE_OK)
        require(mote_world_frame(world) != NULL);
    else
        require(world == NULL && error.message[0] != '\0');
    mote_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mote_Scene *scene;
    mote_Error error = {0};
    char *text = calloc(size + 1, 1);
    require(text != NULL);
    if (size > 0) memcpy(text, data, size);
    mote_Status status = load(text, &scene, &error);
    require(status == MOTE_OK || (status == MOTE_BAD_VALUE && error.message[0] != '\0'));
    check_messages(scene, (size & 1) != 0, status != MOTE_OK);
    if (status == MOTE_OK) {
        check_print(scene);
        check_forecast(scene);
        check_world(scene);
    }
    mote_scene_destroy(scene);
    free(text);
    return 0;
}
