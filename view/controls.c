/* Sliders from the parameter tables: what a scene's objects can be told, with unit, range and what
 * it means, and what the scene says now. Numbers that a scene computes have none: an expression is
 * changed in the text. */
#include "view/session_own.h"

#include "base/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Objects of a scene, or parts of them, and the rows that know their parameters. */
typedef struct Group {
    const char *list;   /* key of the scene */
    const char *part;   /* key of its objects; NULL: themselves */
    const char *family; /* of their rows, by `type` */
    const char *object; /* the row of "objects", where there is no type */
    mote_ObjectKind kind;
    bool live; /* the running world takes new numbers */
} Group;

static const Group groups[] = {
    {"emitters", NULL, NULL, "emitter", MOTE_KIND_EMITTER, true},
    {"emitters", "from", "sources", NULL, MOTE_KIND_SOURCE, true},
    {"fields", NULL, "fields", NULL, MOTE_KIND_FIELD, true},
    {"forces", NULL, "forces", NULL, MOTE_KIND_FORCE, true},
    {"systems", "solver", "solvers", NULL, MOTE_KIND_SYSTEM, false},
    {"systems", "collide", NULL, "collide", MOTE_KIND_SYSTEM, false},
    {"links", NULL, NULL, "links", MOTE_KIND_LINKS, false},
    {"colliders", NULL, NULL, "collider", MOTE_KIND_COLLIDER, true},
    {"bodies", NULL, NULL, "body", MOTE_KIND_BODY, false},
    {"world", NULL, NULL, "world", MOTE_KIND_SYSTEM, false},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static const mote_Row *find_row(const char *family, const char *name)
{
    size_t count = 0;
    const mote_Row *const *rows = mote_family_rows(family, &count);
    return row_named(rows, count, name);
}

static const char *text_of(const Node *object, const char *key)
{
    const Node *node = node_find(object, key);
    return node != NULL && node->type == NODE_TEXT ? node->text : NULL;
}

/* The row of an object, or of its part; NULL when the scene leaves it to a default. */
static const mote_Row *row_of(const Group *group, const Node *part)
{
    if (group->object != NULL) return find_row("objects", group->object);
    const char *type = text_of(part, "type");
    return type != NULL ? find_row(group->family, type) : NULL;
}

/* ---- values ---- */

typedef struct ParamKind {
    const char *name; /* as the page knows it */
    int numbers;
} ParamKind;

static const ParamKind kinds[] = {
    [MOTE_PARAM_REAL] = {"number", 1},  [MOTE_PARAM_DOUBLE] = {"number", 1},
    [MOTE_PARAM_COUNT] = {"count", 1},  [MOTE_PARAM_BOOL] = {"bool", 1},
    [MOTE_PARAM_VEC3] = {"vector", 3},  [MOTE_PARAM_COLOR] = {"color", 3},
    [MOTE_PARAM_CHOICE] = {"choice", 1}};

static const ParamKind *kind_of(const mote_Param *param)
{
    const size_t known = sizeof kinds / sizeof kinds[0];
    const bool has = (size_t)param->type < known && kinds[param->type].name != NULL;
    return has ? &kinds[param->type] : NULL;
}

static int choice_of(const mote_Param *param, const char *text)
{
    for (int i = 0; param->choices[i] != NULL; ++i)
        if (strcmp(param->choices[i], text) == 0) return i;
    return -1;
}

/* False for what is no plain value: an expression, a colour by name. */
static bool read_value(const mote_Param *param, const Node *node, double v[3])
{
    memcpy(v, param->fallback, 3 * sizeof *v);
    if (node == NULL) return true;
    if (param->type == MOTE_PARAM_CHOICE)
        return node->type == NODE_TEXT && (v[0] = choice_of(param, node->text)) >= 0;
    if (param->type == MOTE_PARAM_BOOL)
        return node->type == NODE_BOOL && (v[0] = node->boolean, true);
    if (kinds[param->type].numbers == 1)
        return node->type == NODE_NUMBER && (v[0] = node->number, true);
    if (node->type != NODE_ARRAY || node->count != 3) return false;
    for (size_t k = 0; k < 3; ++k) {
        const Node *child = node_child(node, k);
        if (child->type != NODE_NUMBER) return false;
        v[k] = child->number;
    }
    return true;
}

static void put_value(JsonWriter *json, const char *key, const mote_Param *param, const double *v)
{
    if (param->type == MOTE_PARAM_BOOL)
        json_put_bool(json, key, v[0] != 0);
    else if (param->type == MOTE_PARAM_CHOICE)
        json_put_text(json, key, param->choices[(int)v[0]]);
    else if (kinds[param->type].numbers == 3)
        view_put_numbers(json, key, v, 3);
    else
        json_put_double(json, key, v[0]);
}

static void put_param(JsonWriter *json, const mote_Param *param, const Node *node,
                      const char *start, bool live)
{
    char key[VIEW_KEY];
    double v[3];
    if (kind_of(param) == NULL || !read_value(param, node, v)) return;
    if (snprintf(key, sizeof key, "%s.%s", start, param->name) >= (int)sizeof key) return;
    json_begin(json, NULL, '{');
    json_put_text(json, "key", key);
    json_put_text(json, "name", param->name);
    json_put_text(json, "type", kind_of(param)->name);
    json_put_text(json, "unit", param->unit);
    json_put_text(json, "doc", param->doc);
    json_put_bool(json, "live", live);
    json_put_bool(json, "given", node != NULL);
    json_put_double(json, "min", param->min);
    json_put_double(json, "max", param->max);
    put_value(json, "value", param, v);
    put_value(json, "fallback", param, param->fallback);
    if (param->type == MOTE_PARAM_CHOICE) {
        json_begin(json, "choices", '[');
        for (int i = 0; param->choices[i] != NULL; ++i)
            json_put_text(json, NULL, param->choices[i]);
        json_finish(json, ']');
    }
    json_finish(json, '}');
}

/* ---- groups ---- */

static void put_object(JsonWriter *json, const Group *group, const Node *object, const char *start)
{
    const Node *part = group->part != NULL ? node_find(object, group->part) : object;
    const mote_Row *row = part != NULL && part->type == NODE_OBJECT ? row_of(group, part) : NULL;
    if (row == NULL) return;
    char key[VIEW_KEY];
    const char *name = text_of(object, "name");
    snprintf(key, sizeof key, "%s%s%s", start, group->part != NULL ? "." : "",
             group->part != NULL ? group->part : "");
    json_begin(json, NULL, '{');
    json_put_text(json, "list", group->list);
    json_put_text(json, "object", name != NULL ? name : "");
    json_put_text(json, "part", group->part != NULL ? group->part : "");
    json_put_text(json, "row", row->name);
    json_put_text(json, "doc", row->doc);
    json_begin(json, "items", '[');
    for (size_t i = 0; i < row->param_count; ++i)
        put_param(json, &row->params[i], node_find(part, row->params[i].name), key, group->live);
    json_finish(json, ']');
    json_finish(json, '}');
}

/* The scene's own params: numbers without a table. */
static void put_params(JsonWriter *json, const Node *params)
{
    if (params == NULL || params->type != NODE_OBJECT || params->count == 0) return;
    json_begin(json, NULL, '{');
    json_put_text(json, "list", "params");
    json_put_text(json, "object", "");
    json_put_text(json, "part", "");
    json_put_text(json, "row", "");
    json_put_text(json, "doc", "what the scene leaves open");
    json_begin(json, "items", '[');
    NODE_EACH(node, params)
    {
        if (node->type != NODE_NUMBER || !isfinite(node->number)) continue;
        json_begin(json, NULL, '{');
        json_put_text(json, "key", node->key);
        json_put_text(json, "name", node->key);
        json_put_text(json, "type", "number");
        json_put_bool(json, "given", true);
        json_put_bool(json, "live", false);
        json_put_double(json, "value", node->number);
        json_finish(json, '}');
    }
    json_finish(json, ']');
    json_finish(json, '}');
}

static void put_group(JsonWriter *json, const Group *group, const Node *root)
{
    const Node *list = node_find(root, group->list);
    char start[VIEW_KEY];
    size_t number = 0;
    if (list != NULL && list->type == NODE_OBJECT) put_object(json, group, list, group->list);
    if (list == NULL || list->type != NODE_ARRAY) return;
    NODE_EACH(object, list)
    {
        snprintf(start, sizeof start, "%s.%zu", group->list, number++);
        put_object(json, group, object, start);
    }
}

/* The scene with its settings, as a tree; false when that fails. */
static bool read_scene(ViewSession *session, Json *json)
{
    const char *text = mote_scene_print(session->scene);
    return json_parse(json, "scene", text, strlen(text), &session->memory, NULL) == MOTE_OK;
}

void controls_put(ViewSession *session, JsonWriter *json)
{
    Json scene;
    if (!read_scene(session, &scene)) return;
    put_params(json, node_find(scene.root, "params"));
    for (size_t i = 0; i < GROUPS; ++i) put_group(json, &groups[i], scene.root);
    json_free(&scene);
}

bool controls_have_probes(ViewSession *session)
{
    Json scene;
    if (!read_scene(session, &scene)) return false;
    const Node *probes = node_find(scene.root, "probes");
    const bool some = probes != NULL && probes->count > 0;
    json_free(&scene);
    return some;
}

/* ---- back from a key ---- */

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

static bool find_target(const Group *group, const ControlKey *key, const Node *root,
                        mote_World *world, ControlTarget *target)
{
    const Node *list = node_find(root, group->list);
    const Node *object =
        list != NULL && list->type == NODE_ARRAY ? node_child(list, key->number) : NULL;
    const Node *part = group->part != NULL ? node_find(object, group->part) : object;
    const mote_Row *row = part != NULL ? row_of(group, part) : NULL;
    const mote_ObjectKind named = group->part != NULL ? MOTE_KIND_EMITTER : group->kind;
    if (row == NULL || !group->live) return false;
    *target = (ControlTarget){.kind = group->kind};
    for (size_t i = 0; i < mote_world_count(world, named); ++i) {
        const char *name = mote_world_name(world, named, i), *own = text_of(object, "name");
        if (own != NULL ? strcmp(name, own) == 0 : i == key->number) target->name = name;
    }
    for (size_t i = 0; i < row->param_count; ++i)
        if (strcmp(row->params[i].name, key->param) == 0 && kind_of(&row->params[i]) != NULL) {
            double v[3];
            const Node *now = node_find(part, key->param);
            if (read_value(&row->params[i], now, v)) target->param = &row->params[i];
        }
    return target->name != NULL && target->param != NULL;
}

bool control_target(ViewSession *session, mote_World *world, const char *text,
                    ControlTarget *target)
{
    ControlKey key;
    Json scene;
    bool found = false;
    if (!split_key(text, &key) || !read_scene(session, &scene)) return false;
    for (size_t i = 0; i < GROUPS && !found; ++i) {
        const char *part = groups[i].part != NULL ? groups[i].part : "";
        if (strcmp(groups[i].list, key.list) == 0 && strcmp(part, key.part) == 0)
            found = find_target(&groups[i], &key, scene.root, world, target);
    }
    json_free(&scene);
    return found;
}
