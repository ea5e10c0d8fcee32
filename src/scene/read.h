/* Reading a scene's objects: what the files that do it share. */
#ifndef SCENE_READ_H
#define SCENE_READ_H

#include "scene/scene.h"

/* The object under this key; an empty one when it is missing. */
const Node *scene_object_at(const mote_Scene *scene, const Node *parent, const char *key);

/* Fills a struct from an object by its table; what varies goes to the binding. */
void scene_read_struct(mote_Scene *scene, const mote_Row *row, const Node *object,
                       const char *const *others, void *params, SceneBinding *binding);

/* Copies of bodies, once all bodies are read. */
void scene_copy_bodies(mote_Scene *scene);

/* Camera, render, output. */
void scene_read_pictures(mote_Scene *scene);
/* `look` of a system, and of a collider. */
void scene_read_look(mote_Scene *scene, const Node *system, SceneLook *look);
/* `surface` of a system. */
void scene_read_surface(mote_Scene *scene, const Node *system, SceneSurface *surface);
void scene_read_shape_look(mote_Scene *scene, const Node *collider, const char *name);

#endif
