/* A scene from text, and its world, for tests that are about something else. */
#ifndef TESTS_SCENE_TEXT_H
#define TESTS_SCENE_TEXT_H

#include <mote/scene.h>

#include "setup.h"

static inline mote_Scene *scene_of_text(const char *text)
{
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_Error error;
    def.text = text;
    SETUP_OK(mote_scene_load(&def, &scene, &error), error);
    return scene;
}

static inline mote_World *world_of_text(const char *text, mote_Scene **scene)
{
    mote_World *world;
    mote_Error error;
    *scene = scene_of_text(text);
    SETUP_OK(mote_scene_world(*scene, NULL, &world, &error), error);
    return world;
}

#endif
