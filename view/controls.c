#include "view/controls.h"

#include "view/control_rows.h"
#include "view/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY = 200 };

static void put_value(JsonWriter *json, const char *key, const mote_Param *param, const double *v)
{
    if (param->type == MOTE_PARAM_BOOL)
        json_put_bool(json, key, v[0] != 0);
    else if (param->type == MOTE_PARAM_CHOICE)
        json_put_text(json, key, param->choices[(int)v[0]]);
    else if (control_numbers(param) == 3)
        view_put_numbers(json, key, v, 3);
    else
        json_put_double(json, key, v[0]);
}

/* What has been set since the scene was read counts more than what it says. */
static bool read_value(const Controls *controls, const char *key, const mote_Param *param,
                       const Node *node, double v[3])
{
    const size_t length = strlen(key);
    if (!control_from_node(param, node, v)) return false;
    for (size_t i = 0; i < controls->setting_count; ++i) {
        const char *setting = controls->settings[i];
        double own[3];
        if (strncmp(setting, key, length) == 0 && setting[length] == '=' &&
            control_from_text(param, setting + length + 1, own))
            memcpy(v, own, sizeof own);
    }
    return true;
}

static void put_param(const Controls *controls, JsonWriter *json, const mote_Param *param,
                      const Node *node, const char *start, bool live)
{
    char key[KEY];
    double v[3];
    if (control_type(param) == NULL) return;
    if (snprintf(key, sizeof key, "%s.%s", start, param->name) >= (int)sizeof key) return;
    if (!read_value(controls, key, param, node, v)) return;
    json_begin(json, NULL, '{');
    json_put_text(json, "key", key);
    json_put_text(json, "name", param->name);
    json_put_text(json, "type", control_type(param));
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

static void put_object(const Controls *controls, JsonWriter *json, const ControlGroup *group,
                       const Node *object, const char *start)
{
    const Node *part = control_part(group, object);
    const mote_Row *row = part != NULL ? control_row(group, part) : NULL;
    if (row == NULL) return;
    char key[KEY];
    const char *name = control_text(object, "name");
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
        put_param(controls, json, &row->params[i], node_find(part, row->params[i].name), key,
                  group->live);
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

static void put_group(const Controls *controls, JsonWriter *json, const ControlGroup *group,
                      const Node *root)
{
    const Node *list = node_find(root, group->list);
    char start[KEY];
    size_t number = 0;
    if (list != NULL && list->type == NODE_OBJECT)
        put_object(controls, json, group, list, group->list);
    if (list == NULL || list->type != NODE_ARRAY) return;
    NODE_EACH(object, list)
    {
        snprintf(start, sizeof start, "%s.%zu", group->list, number++);
        put_object(controls, json, group, object, start);
    }
}

void controls_put(const Controls *controls, JsonWriter *json)
{
    Json scene;
    if (!control_read_scene(controls->scene, controls->memory, &scene)) return;
    put_params(json, node_find(scene.root, "params"));
    for (size_t i = 0; i < control_group_count; ++i)
        put_group(controls, json, &control_groups[i], scene.root);
    json_free(&scene);
}

bool controls_have_probes(const Controls *controls)
{
    Json scene;
    if (!control_read_scene(controls->scene, controls->memory, &scene)) return false;
    const Node *probes = node_find(scene.root, "probes");
    const bool some = probes != NULL && probes->count > 0;
    json_free(&scene);
    return some;
}
