/* What objects of all kinds have: a name, a type, parameters by a table, systems they act on. */
#include "scene/read.h"

#include <stdio.h>
#include <string.h>

void *scene_take(mote_Scene *scene, size_t size)
{
    void *block = store_take(scene_reader(scene)->store, size > 0 ? size : 1);
    if (block != NULL) memset(block, 0, size);
    return block;
}

static const Node *no_members(void)
{
    static const Node empty = {.type = NODE_OBJECT};
    return &empty;
}

const Node *scene_object_at(const mote_Scene *scene, const Node *parent, const char *key)
{
    const Node *node = node_find(parent, key);
    if (node == NULL || !node_expect(scene_reader(scene), node, NODE_OBJECT)) return no_members();
    return node;
}

void scene_read_struct(mote_Scene *scene, const mote_Row *row, const Node *object,
                       const char *const *others, void *params, SceneBinding *binding)
{
    params_from_node(scene_reader(scene), row, object, others, params,
                     binding != NULL ? &binding->bindings : NULL);
    scene_check_references(scene, row, object);
}

void scene_keep_binding(mote_Scene *scene, const SceneBinding *binding)
{
    SceneBinding *all = scene->bindings.items;
    if (binding->bindings.count > 0 && all != NULL) all[scene->bindings.count++] = *binding;
}

const mote_Row *scene_read_type(mote_Scene *scene, const Node *object, RowTable *const *table,
                                const char *what)
{
    size_t index;
    const Node *type = node_require(scene_reader(scene), object, "type");
    if (type == NULL)
        diagnose_allowed(scene_reader(scene)->diagnostics, "types", scene_table_names(table));
    if (type == NULL ||
        !node_choice(scene_reader(scene), type, what, scene_table_names(table), &index))
        return NULL;
    return scene_table_row(*table, index);
}

const char *scene_read_name(mote_Scene *scene, const Node *object, const char *what, size_t number)
{
    const char *name = NULL;
    const Node *node = node_find(object, "name");
    if (node != NULL && node_text(scene_reader(scene), node, &name)) return name;
    char made[64];
    int length = snprintf(made, sizeof made, "%s-%zu", what, number);
    name = store_text(scene_reader(scene)->store, made, (size_t)length);
    return name != NULL ? name : "";
}

const char *scene_read_choice(mote_Scene *scene, const Node *node, const char *what, NameList names)
{
    size_t index;
    if (!node_choice(scene_reader(scene), node, what, names, &index)) return NULL;
    return names.name(names.context, index);
}

const char *const *scene_read_names(mote_Scene *scene, const Node *node, const char *what,
                                    NameList names, size_t *count)
{
    *count = 0;
    if (node == NULL) return NULL;
    bool list = node->type == NODE_ARRAY;
    const char **all = scene_take(scene, (list ? node->count + 1 : 1) * sizeof *all);
    if (all == NULL) return NULL;
    const char *name = list ? NULL : scene_read_choice(scene, node, what, names);
    if (name != NULL) all[(*count)++] = name;
    if (!list) return all;
    NODE_EACH(child, node)
    {
        name = scene_read_choice(scene, child, what, names);
        if (name != NULL) all[(*count)++] = name;
    }
    return all;
}

const char *const *scene_read_systems(mote_Scene *scene, const Node *object, size_t *count)
{
    return scene_read_names(scene, node_find(object, "systems"), "system",
                            scene_system_names(scene), count);
}

ScenePart scene_read_part(mote_Scene *scene, const Node *part, RowTable *const *table,
                          const char *what, SceneBinding *binding)
{
    static const char *const others[] = {"type", NULL};
    const ScenePart none = {NULL, NULL};
    if (part == NULL || !node_expect(scene_reader(scene), part, NODE_OBJECT)) return none;
    const mote_Row *row = scene_read_type(scene, part, table, what);
    if (row == NULL) return none;
    void *params = scene_take(scene, row->params_size);
    if (params == NULL) return none;
    scene_read_struct(scene, row, part, others, params, binding);
    return (ScenePart){row->name, params};
}
