/* From the document's tree to definitions: the world, the lists of objects in the order in which
 * they name each other, and pictures. */
#include "scene/read.h"
#include "scene/cloth.h"

#include "base/text.h"
#include "world/world.h"

#include <string.h>

/* ---- lists ---- */

static const char *item_name(const Node *object)
{
    const Node *name = node_find(object, "name");
    return name != NULL && name->type == NODE_TEXT ? name->text : NULL;
}

/* Two objects of a list with one name. */
static void check_unique(mote_Scene *scene, const Node *list)
{
    NameIndex index = name_index_make(&scene->memory);
    Diagnostics *diagnostics = scene_reader(scene)->diagnostics;
    NODE_EACH(child, list)
    {
        const char *name = item_name(child);
        if (name == NULL) continue;
        if (name_index_find(&index, name) != SIZE_MAX)
            diagnose(diagnostics, node_place(node_find(child, "name")),
                     "`%s` is the name of an earlier object too", name);
        else if (!name_index_add(&index, name, 0))
            diagnostics->failed = true;
    }
    name_index_free(&index);
}

static void read_list(mote_Scene *scene, const char *key, SceneList *list, size_t size,
                      SceneReadItem *read)
{
    const Node *node = node_find(scene->document->root, key);
    if (node == NULL || !node_expect(scene_reader(scene), node, NODE_ARRAY)) return;
    list->items = scene_take(scene, (node->count + 1) * size);
    if (list->items == NULL) return;
    NODE_EACH(child, node)
    {
        void *item = (char *)list->items + list->count * size;
        if (!node_expect(scene_reader(scene), child, NODE_OBJECT)) continue;
        read(scene, child, list->count, item);
        ++list->count;
    }
    check_unique(scene, node);
}

/* At most three bindings an object: its own table and those of two parts. */
static void make_room_for_bindings(mote_Scene *scene)
{
    static const char *const keys[] = {"fields", "forces", "emitters", "colliders",
                                       "bodies", "links",  "probes"};
    size_t most = 1;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        const Node *list = node_find(scene->document->root, keys[i]);
        if (list != NULL && list->type == NODE_ARRAY) most += 3 * (size_t)list->count;
    }
    scene->bindings.items = scene_take(scene, most * sizeof(SceneBinding));
    scene->shape_looks.items = scene_take(scene, most * sizeof(mote_ShapeLook));
}

/* The system that a field is made of, once all systems are known. */
static void check_field_system(const mote_Scene *scene, const Node *object)
{
    const Node *system = node_find(object, "system");
    size_t index;
    if (system != NULL)
        node_choice(scene_reader(scene), system, "system", scene_system_names(scene), &index);
}

/* The colliders that fields flow around, once all colliders are known. */
static void read_obstacles(mote_Scene *scene)
{
    const Node *list = node_find(scene->document->root, "fields");
    mote_FieldDef *def = scene->fields.items;
    if (scene->fields.count == 0) return;
    NODE_EACH(child, list)
    {
        if (child->type != NODE_OBJECT) continue;
        check_field_system(scene, child);
        def->obstacles = scene_read_names(scene, node_find(child, "obstacles"), "collider",
                                          scene_collider_names(scene), &def->obstacle_count);
        ++def;
    }
}

/* ---- world and pictures ---- */

/* The world's own table with the scene's duration behind it: one object, one table. */
static mote_Row world_table(mote_Scene *scene)
{
    mote_Row row = world_row;
    size_t count = world_row.param_count + scene_time_row.param_count;
    mote_Param *params = scene_take(scene, count * sizeof *params);
    row.params_size = sizeof(SceneWorld);
    if (params == NULL) return row;
    memcpy(params, world_row.params, world_row.param_count * sizeof *params);
    memcpy(params + world_row.param_count, scene_time_row.params,
           scene_time_row.param_count * sizeof *params);
    row.params = params, row.param_count = count;
    return row;
}

/* First of all, because vectors of a flat world may have two numbers; a wrong value is reported
 * with the rest. */
static void read_dimension(mote_Scene *scene, const Node *world)
{
    const Node *node = node_find(world, "dimension");
    double dimension = 3;
    if (node != NULL && node->type == NODE_NUMBER) dimension = node->number;
    scene->document->reader.dimension = dimension == 2 ? 2 : 3;
}

/* Gravity points down, whichever axis is up, unless the scene says otherwise. */
static void read_world(mote_Scene *scene)
{
    const Node *object = scene_object_at(scene, scene->document->root, "world");
    mote_Row row = world_table(scene);
    mote_WorldDef *def = &scene->world.def;
    read_dimension(scene, object);
    scene_read_struct(scene, &row, object, NULL, &scene->world, NULL);
    if (def->dimension == 2 && def->box_min.z == 0 && def->box_max.z == 0)
        def->box_min.z = -1, def->box_max.z = 1; /* corners of two numbers */
    if (node_find(object, "gravity") != NULL) return;
    mote_real g = -def->gravity.y;
    def->gravity = (mote_Vec3){def->up == 0 ? -g : 0, def->up == 1 ? -g : 0, def->up == 2 ? -g : 0};
}

/* For editors: where their schema is. Nothing else depends on it. */
static void check_schema(mote_Scene *scene)
{
    const char *address;
    const Node *schema = node_find(scene->document->root, "$schema");
    if (schema != NULL) node_text(scene_reader(scene), schema, &address);
}

void scene_read(mote_Scene *scene)
{
    static const char *const keys[] = {
        "mote",   "params", "world",     "fields", "systems", "emitters", "forces",  "camera",
        "render", "output", "colliders", "bodies", "links",   "probes",   "$schema", NULL};
    static const char *const merged[] = {"include", NULL};
    node_check_keys(scene_reader(scene), scene->document->root, "a scene", name_list(keys),
                    name_list(merged));
    check_schema(scene);
    make_room_for_bindings(scene);
    read_world(scene);
    scene_find_columns(scene);
    read_list(scene, "fields", &scene->fields, sizeof(mote_FieldDef), scene_read_field);
    read_list(scene, "systems", &scene->systems, sizeof(SceneSystem), scene_read_system);
    read_list(scene, "emitters", &scene->emitters, sizeof(mote_EmitterDef), scene_read_emitter);
    read_list(scene, "colliders", &scene->colliders, sizeof(mote_ColliderDef), scene_read_collider);
    read_list(scene, "bodies", &scene->bodies, sizeof(mote_BodyDef), scene_read_body);
    scene_copy_bodies(scene);
    read_list(scene, "forces", &scene->forces, sizeof(mote_ForceDef), scene_read_force);
    read_list(scene, "links", &scene->links, sizeof(mote_LinksDef), scene_read_links);
    read_list(scene, "probes", &scene->probes, sizeof(mote_ProbeDef), scene_read_probe);
    read_obstacles(scene);
    scene_read_pictures(scene);
    scene_check_cloth(scene);
}
