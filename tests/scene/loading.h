/* What the tests of whole scenes share: a scene from a text, its world, and the values in it. */
#ifndef TESTS_SCENE_LOADING_H
#define TESTS_SCENE_LOADING_H

#include "setup.h"

#include <mote/scene.h>

typedef struct Loading {
    mote_Scene *scene;
    mote_World *world; /* NULL until loading_world */
    mote_Status status;
    mote_Error error;
} Loading;

/* settings: NULL, or ended by NULL. */
static inline Loading loading_with(const char *text, const char *const *settings)
{
    Loading loading = {0};
    mote_SceneDef def = mote_scene_def();
    def.text = text;
    def.name = "scene.json5";
    def.settings = settings;
    while (settings != NULL && settings[def.setting_count] != NULL) ++def.setting_count;
    loading.status = mote_scene_load(&def, &loading.scene, &loading.error);
    return loading;
}

/* A scene that must be right. */
static inline Loading loading_good_with(const char *text, const char *const *settings)
{
    Loading loading = loading_with(text, settings);
    if (loading.status != MOTE_OK) {
        fprintf(stderr, "the scene is wrong:\n%s\n",
                loading.scene != NULL ? mote_scene_messages(loading.scene, false) : "");
        exit(2);
    }
    return loading;
}

static inline Loading loading_good(const char *text)
{
    return loading_good_with(text, NULL);
}

static inline Loading loading_world_with(const char *text, const char *const *settings)
{
    Loading loading = loading_good_with(text, settings);
    SETUP_OK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error), loading.error);
    return loading;
}

static inline Loading loading_world(const char *text)
{
    return loading_world_with(text, NULL);
}

static inline void loading_end(Loading *loading)
{
    mote_world_destroy(loading->world);
    mote_scene_destroy(loading->scene);
}

static inline void loading_step(Loading *loading, int frames)
{
    for (int i = 0; i < frames; ++i) setup_step(loading->world);
}

/* The text holds the part; shows both otherwise. */
static inline void check_holds(const char *file, int line, const char *text, const char *part)
{
    if (strstr(text, part) != NULL) return;
    ++check_failures;
    fprintf(stderr, "%s:%d: \"%s\" lacks \"%s\"\n", file, line, text, part);
}

#define CHECK_HOLDS(text, part) check_holds(__FILE__, __LINE__, text, part)

#endif
