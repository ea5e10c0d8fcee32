/* Reading a scene's objects: what the files that do it share. */
#ifndef SCENE_READ_H
#define SCENE_READ_H

#include "scene/scene.h"

static inline const Reader *scene_reader(const mote_Scene *scene)
{
    return &scene->document->reader;
}

/* Zeroes that live as long as the scene; NULL is reported with the document's errors. */
void *scene_take(mote_Scene *scene, size_t size);

/* ---- names ---- */

/* The i-th row that a scene can ask for, or NULL. */
const mote_Row *scene_table_row(RowTable *table, size_t i);
NameList scene_table_names(RowTable *const *table);
NameList scene_system_names(const mote_Scene *scene);
NameList scene_collider_names(const mote_Scene *scene);

/* Names that parameters of the object say must be there. */
void scene_check_references(const mote_Scene *scene, const mote_Row *row, const Node *object);

/* ---- parts of an object ---- */

/* The object under this key; an empty one when it is missing. */
const Node *scene_object_at(const mote_Scene *scene, const Node *parent, const char *key);

/* Fills a struct from an object by its table; what varies goes to the binding. */
void scene_read_struct(mote_Scene *scene, const mote_Row *row, const Node *object,
                       const char *const *others, void *params, SceneBinding *binding);
void scene_keep_binding(mote_Scene *scene, const SceneBinding *binding);

/* The row that `type` names in the object; NULL when there is none, which is reported. */
const mote_Row *scene_read_type(mote_Scene *scene, const Node *object, RowTable *const *table,
                                const char *what);
/* The object's name, or what it is and its number. */
const char *scene_read_name(mote_Scene *scene, const Node *object, const char *what, size_t number);
const char *scene_read_choice(mote_Scene *scene, const Node *node, const char *what,
                              NameList names);
/* A list of names, as `systems: ["a", "b"]`, or one name; NULL when the key is missing. */
const char *const *scene_read_names(mote_Scene *scene, const Node *node, const char *what,
                                    NameList names, size_t *count);
/* The systems that an object acts on; NULL for all. */
const char *const *scene_read_systems(mote_Scene *scene, const Node *object, size_t *count);
/* A nested object with a type of its own: `from` of an emitter, `shape` of a collider. Without a
 * binding nothing in it may change with time. No type where there is none, or a wrong one. */
typedef struct ScenePart {
    const char *type;
    void *params;
} ScenePart;

ScenePart scene_read_part(mote_Scene *scene, const Node *part, RowTable *const *table,
                          const char *what, SceneBinding *binding);

/* ---- kinds of objects ---- */

/* Each fills the item, a definition, from the object, which is the list's `number`-th. */
typedef void SceneReadItem(mote_Scene *scene, const Node *object, size_t number, void *item);
/* Names of the columns that systems are given, before anything uses them; a system's columns. */
void scene_find_columns(mote_Scene *scene);
void scene_read_columns(mote_Scene *scene, const Node *object, mote_SystemDef *def);

/* The keys of pairs of particles beside those of their table. */
void scene_read_pairs(mote_Scene *scene, const Node *object, mote_PairsPattern *pairs);

SceneReadItem scene_read_field, scene_read_force, scene_read_emitter, scene_read_collider,
    scene_read_body, scene_read_links, scene_read_probe, scene_read_system;

/* Copies of bodies, once all bodies are read. */
void scene_copy_bodies(mote_Scene *scene);

/* Camera, render, output. */
void scene_read_pictures(mote_Scene *scene);
/* `keys` of the camera, and what they have of the camera itself, once that is known. */
void scene_read_camera_keys(mote_Scene *scene, const Node *list);
void scene_finish_camera_keys(mote_Scene *scene);
/* `look` of a system, and of a collider. */
/* `usual` is the preset of a system that says nothing of its look; NULL: none. */
void scene_read_look(mote_Scene *scene, const Node *system, const char *usual, Look *look);
/* `surface` of a system. */
void scene_read_surface(mote_Scene *scene, const Node *system, SceneSurface *surface);
void scene_read_shape_look(mote_Scene *scene, const Node *collider, const char *name);

#endif
