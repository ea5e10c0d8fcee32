#include "view/control_rows.h"

#include "base/number.h"
#include "base/row.h"

#include <stdio.h>
#include <string.h>

const ControlGroup control_groups[] = {
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
const size_t control_group_count = sizeof control_groups / sizeof control_groups[0];

/* ---- objects ---- */

bool control_read_scene(mote_Scene *scene, Memory *memory, Json *json)
{
    const char *text = mote_scene_print(scene);
    return json_parse(json, "scene", text, strlen(text), memory, NULL) == MOTE_OK;
}

static const mote_Row *find_row(const char *family, const char *name)
{
    size_t count = 0;
    const mote_Row *const *rows = mote_family_rows(family, &count);
    return row_named(rows, count, name);
}

const char *control_text(const Node *object, const char *key)
{
    const Node *node = node_find(object, key);
    return node != NULL && node->type == NODE_TEXT ? node->text : NULL;
}

const Node *control_part(const ControlGroup *group, const Node *object)
{
    const Node *part = group->part != NULL ? node_find(object, group->part) : object;
    return part != NULL && part->type == NODE_OBJECT ? part : NULL;
}

const mote_Row *control_row(const ControlGroup *group, const Node *part)
{
    if (group->object != NULL) return find_row("objects", group->object);
    const char *type = control_text(part, "type");
    return type != NULL ? find_row(group->family, type) : NULL;
}

/* ---- values ---- */

typedef struct ParamKind {
    const char *name; /* NULL: no control */
    int numbers;
} ParamKind;

static const ParamKind kinds[] = {
    [MOTE_PARAM_REAL] = {"number", 1},  [MOTE_PARAM_DOUBLE] = {"number", 1},
    [MOTE_PARAM_COUNT] = {"count", 1},  [MOTE_PARAM_BOOL] = {"bool", 1},
    [MOTE_PARAM_VEC3] = {"vector", 3},  [MOTE_PARAM_COLOR] = {"color", 3},
    [MOTE_PARAM_CHOICE] = {"choice", 1}};

static const ParamKind *kind_of(const mote_Param *param)
{
    static const ParamKind none;
    const size_t known = sizeof kinds / sizeof kinds[0];
    return (size_t)param->type < known ? &kinds[param->type] : &none;
}

const char *control_type(const mote_Param *param)
{
    return kind_of(param)->name;
}

int control_numbers(const mote_Param *param)
{
    return kind_of(param)->numbers;
}

static int choice_of(const mote_Param *param, const char *text)
{
    for (int i = 0; param->choices[i] != NULL; ++i)
        if (strcmp(param->choices[i], text) == 0) return i;
    return -1;
}

bool control_from_node(const mote_Param *param, const Node *node, double v[3])
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

bool control_from_text(const mote_Param *param, const char *text, double v[3])
{
    memset(v, 0, 3 * sizeof *v);
    if (param->type == MOTE_PARAM_CHOICE) return (v[0] = choice_of(param, text)) >= 0;
    if (param->type == MOTE_PARAM_BOOL) {
        v[0] = strcmp(text, "true") == 0;
        return v[0] != 0 || strcmp(text, "false") == 0;
    }
    const int numbers = control_numbers(param);
    if (numbers == 3 && sscanf(text, " [ %lf , %lf , %lf ]", &v[0], &v[1], &v[2]) != 3)
        return false;
    if (numbers == 1 && !number_parse(text, &v[0])) return false;
    for (int k = 0; k < numbers; ++k)
        if (!(v[k] >= param->min && v[k] <= param->max)) return false;
    return numbers > 0;
}

void control_write(const mote_Param *param, const double v[3], void *object)
{
    void *at = (char *)object + param->offset;
    if (param->type == MOTE_PARAM_REAL) *(mote_real *)at = (mote_real)v[0];
    if (param->type == MOTE_PARAM_DOUBLE) *(double *)at = v[0];
    if (param->type == MOTE_PARAM_COUNT) *(uint64_t *)at = (uint64_t)v[0];
    if (param->type == MOTE_PARAM_BOOL) *(bool *)at = v[0] != 0;
    if (param->type == MOTE_PARAM_CHOICE) *(int *)at = (int)v[0];
    if (control_numbers(param) == 3)
        *(mote_Vec3 *)at = (mote_Vec3){(mote_real)v[0], (mote_real)v[1], (mote_real)v[2]};
}
