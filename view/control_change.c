/* From a key of a control to a place in the running world. */
#include "view/control_rows.h"
#include "view/controls.h"

#include <stdio.h>
#include <string.h>

/* "forces.0.linear", "emitters.1.from.radius": the group, the object's number, the parameter. */
typedef struct ControlKey {
    char list[32], part[32], param[64];
    size_t number;
} ControlKey;

static bool split_key(const char *key, ControlKey *out)
{
    int end = 0;
    *out = (ControlKey){.number = 0};
    if (sscanf(key, "%31[a-z].%zu.%31[a-z].%63[a-z_]%n", out->list, &out->number, out->part,
               out->param, &end) == 4 &&
        key[end] == '\0')
        return true;
    out->part[0] = '\0', end = 0;
    return sscanf(key, "%31[a-z].%zu.%63[a-z_]%n", out->list, &out->number, out->param, &end) ==
               3 &&
           key[end] == '\0';
}

/* A parameter of an object in the world. */
typedef struct Target {
    mote_ObjectKind kind;
    const char *name; /* of the object; as long as the world */
    const mote_Param *param;
} Target;

/* Objects without a name are told apart by their numbers. */
static const char *name_in_world(mote_World *world, mote_ObjectKind kind, const Node *object,
                                 size_t number)
{
    const char *own = control_text(object, "name");
    for (size_t i = 0; i < mote_world_count(world, kind); ++i) {
        const char *name = mote_world_name(world, kind, i);
        if (own != NULL ? strcmp(name, own) == 0 : i == number) return name;
    }
    return NULL;
}

static bool find_target(const ControlGroup *group, const ControlKey *key, const Node *root,
                        mote_World *world, Target *target)
{
    const Node *list = node_find(root, group->list);
    const Node *object =
        list != NULL && list->type == NODE_ARRAY ? node_child(list, key->number) : NULL;
    const Node *part = object != NULL ? control_part(group, object) : NULL;
    const mote_Row *row = part != NULL ? control_row(group, part) : NULL;
    const mote_ObjectKind named = group->part != NULL ? MOTE_KIND_EMITTER : group->kind;
    double v[3];
    if (row == NULL || !group->live) return false;
    *target =
        (Target){.kind = group->kind, .name = name_in_world(world, named, object, key->number)};
    for (size_t i = 0; i < row->param_count; ++i) {
        const mote_Param *param = &row->params[i];
        if (strcmp(param->name, key->param) == 0 && control_type(param) != NULL &&
            control_from_node(param, node_find(part, key->param), v))
            target->param = param;
    }
    return target->name != NULL && target->param != NULL;
}

bool controls_change(const Controls *controls, mote_World *world, const char *text,
                     const char *value)
{
    ControlKey key;
    Json scene;
    Target target;
    bool found = false;
    double v[3];
    if (!split_key(text, &key) || !control_read_scene(controls->scene, controls->memory, &scene))
        return false;
    for (size_t i = 0; i < control_group_count && !found; ++i) {
        const ControlGroup *group = &control_groups[i];
        const char *part = group->part != NULL ? group->part : "";
        if (strcmp(group->list, key.list) == 0 && strcmp(part, key.part) == 0)
            found = find_target(group, &key, scene.root, world, &target);
    }
    json_free(&scene);
    void *object = found ? mote_world_find(world, target.kind, target.name) : NULL;
    if (object == NULL || !control_from_text(target.param, value, v)) return false;
    control_write(target.param, v, object);
    return true;
}
