/* Filling a row's parameter struct from an object of the scene, by its table. */
#include "scene/reader.h"

#include <mote/scene.h>

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One parameter being read. */
typedef struct Target {
    const Reader *reader;
    const mote_Param *param;
    const Node *node;
    void *params;
    ParamBindings *bindings;
} Target;

/* The i-th parameter of all rows that the row's methods choose from. */
static const mote_Param *part_key(const mote_Row *row, size_t i)
{
    for (size_t p = 0; p < row->param_count; ++p) {
        size_t count = 0;
        if (row->params[p].type != MOTE_PARAM_METHOD) continue;
        const mote_Row *const *rows = mote_family_rows(row->params[p].choices[2], &count);
        for (size_t r = 0; r < count; ++r) {
            if (i < rows[r]->param_count) return &rows[r]->params[i];
            i -= rows[r]->param_count;
        }
    }
    return NULL;
}

/* Rows of one family may share a key; it counts where it comes first. */
static bool is_repeated(const mote_Row *row, size_t number)
{
    const char *name = part_key(row, number)->name;
    for (size_t i = 0; i < number; ++i)
        if (strcmp(part_key(row, i)->name, name) == 0) return true;
    return false;
}

const mote_Param *row_key(const mote_Row *row, size_t i)
{
    if (i < row->param_count) return &row->params[i];
    i -= row->param_count;
    for (size_t k = 0; part_key(row, k) != NULL; ++k)
        if (!is_repeated(row, k) && i-- == 0) return part_key(row, k);
    return NULL;
}

static const char *param_name(const void *context, size_t i)
{
    const mote_Param *key = row_key(context, i);
    return key != NULL ? key->name : NULL;
}

/* Components of vectors are named in messages. */
static const char *component_name(const mote_Param *param, int component)
{
    static const char *const names[2][3] = {{".x", ".y", ".z"}, {".r", ".g", ".b"}};
    if (param->type == MOTE_PARAM_VEC3) return names[0][component];
    return param->type == MOTE_PARAM_COLOR ? names[1][component] : "";
}

/* "between 0 and 1"; a limit that only keeps infinity out is not worth showing. */
static void wanted_text(const mote_Param *param, double value, char *text, size_t size)
{
    mote_Param shown = *param;
    if (shown.min <= -PARAM_LARGEST) shown.min = -HUGE_VAL;
    if (shown.max >= PARAM_LARGEST) shown.max = HUGE_VAL;
    bool unlimited = isinf(shown.min) && isinf(shown.max);
    if (!isfinite(value) || unlimited)
        snprintf(text, size, "finite");
    else
        param_range_text(&shown, text, size);
}

/* "restitution is 1.4, but must be between 0 and 1"; "" when the value is right. */
static bool check_component(const mote_Param *param, int component, double value, char *text,
                            size_t size)
{
    const double values[3] = {value, value, value};
    if (param_check(param, "", values, NULL) == MOTE_OK) return true;
    char number[NUMBER_SIZE], wanted[128];
    number_text(value, number);
    wanted_text(param, value, wanted, sizeof wanted);
    snprintf(text, size, "%s%s is %s, but must be %s", param->name,
             component_name(param, component), number, wanted);
    return false;
}

/* An expression of t or frame is kept beside the parameter, and evaluated before every sub-step; a
 * constant one is a number from here on. */
static bool add_binding(const Target *target, int component, const Node *node,
                        const Expression *expression)
{
    if (target->bindings == NULL) {
        diagnose(target->reader->diagnostics, node_place(node),
                 "%s must be constant here, but the expression varies", target->param->name);
        return false;
    }
    ParamBinding *binding = store_take(target->reader->store, sizeof *binding);
    if (binding == NULL) return false;
    *binding = (ParamBinding){.param = target->param,
                              .component = component,
                              .expression = *expression,
                              .place = node_place(node)};
    ParamBindings *bindings = target->bindings;
    if (bindings->last != NULL)
        bindings->last->next = binding;
    else
        bindings->first = binding;
    bindings->last = binding;
    bindings->count++;
    return true;
}

/* One number of the parameter: into value[component], or a binding. */
static bool read_component(const Target *target, int component, const Node *node, double value[3])
{
    const mote_Param *param = target->param;
    Expression expression;
    char message[300];
    if (!node_expression(target->reader, node, param->unit, &expression)) return false;
    if (!expression.constant) return add_binding(target, component, node, &expression);
    value[component] = expression.value;
    if (check_component(param, component, expression.value, message, sizeof message)) return true;
    diagnose(target->reader->diagnostics, node_place(node), "%s", message);
    return false;
}

static bool read_number(const Target *target, double value[3])
{
    return read_component(target, 0, target->node, value);
}

static bool read_count(const Target *target, double value[3])
{
    uint64_t count;
    char message[300];
    if (!node_count(target->reader, target->node, &count)) return false;
    value[0] = (double)count;
    if (check_component(target->param, 0, value[0], message, sizeof message)) return true;
    diagnose(target->reader->diagnostics, node_place(target->node), "%s", message);
    return false;
}

static bool read_bool(const Target *target, double value[3])
{
    bool yes;
    if (!node_bool(target->reader, target->node, &yes)) return false;
    value[0] = yes;
    return true;
}

static bool read_choice(const Target *target, double value[3])
{
    size_t index;
    NameList names = name_list(target->param->choices);
    if (!node_choice(target->reader, target->node, target->param->name, names, &index))
        return false;
    value[0] = (double)index;
    return true;
}

static bool fail_vector(const Target *target, const char *expected)
{
    const Node *node = target->node;
    if (node->type == NODE_ARRAY)
        diagnose(target->reader->diagnostics, node_place(node), "expected %s, found a list of %u",
                 expected, (unsigned)node->count);
    else
        diagnose(target->reader->diagnostics, node_place(node), "expected %s, found %s", expected,
                 node_type_name(node->type));
    return false;
}

static bool read_components(const Target *target, double value[3])
{
    bool good = true;
    int component = 0;
    value[2] = 0;
    NODE_EACH(element, target->node)
    good = read_component(target, component++, element, value) && good;
    return good;
}

static bool read_vec3(const Target *target, double value[3])
{
    const Node *node = target->node;
    bool flat = target->reader->dimension == 2;
    bool right = node->type == NODE_ARRAY && (node->count == 3 || (flat && node->count == 2));
    if (right) return read_components(target, value);
    char expected[80];
    const char *unit = target->param->unit;
    snprintf(expected, sizeof expected, "%s%s%s%s", flat ? "[x, y]" : "[x, y, z]",
             unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
    return fail_vector(target, expected);
}

static bool read_color(const Target *target, double value[3])
{
    if (target->node->type != NODE_ARRAY) return node_color(target->reader, target->node, value);
    if (target->node->count == 3) return read_components(target, value);
    return fail_vector(target, "a color, [r, g, b] or \"#rrggbb\"");
}

/* null says that no object is meant. */
static bool read_name(const Target *target)
{
    const char *name = NULL;
    bool none = target->node->type == NODE_NULL;
    if (!none && !node_text(target->reader, target->node, &name)) return false;
    memcpy((char *)target->params + target->param->offset, &name, sizeof name);
    return true;
}

static bool read_mesh(const Target *target)
{
    const mote_Mesh *mesh = NULL;
    if (!node_mesh(target->reader, target->node, &mesh)) return false;
    memcpy((char *)target->params + target->param->offset, &mesh, sizeof mesh);
    return true;
}

static bool read_shapes(const Target *target)
{
    const mote_Shapes *shapes = NULL;
    if (!node_shapes(target->reader, target->node, target->param, &shapes)) return false;
    memcpy((char *)target->params + target->param->offset, &shapes, sizeof shapes);
    return true;
}

/* [x, y], the next point of a table. */
static bool read_point(const Target *target, const Node *node, mote_Table *table)
{
    const Reader *reader = target->reader;
    const size_t i = (size_t)table->count;
    double point[2];
    size_t count;
    mote_Error error;
    if (node->type != NODE_ARRAY || node->count != 2)
        return fail_vector(&(Target){.reader = reader, .node = node}, "a point, [x, y]");
    if (!node_numbers(reader, node, target->param->unit, 2, 2, point, &count)) return false;
    table->at[i] = point[0], table->value[i] = point[1];
    if (param_check_point(target->param, "", table, i, &error) != MOTE_OK) {
        diagnose(reader->diagnostics, node_place(node), "%s", error.message + strlen(": "));
        return false;
    }
    ++table->count;
    return true;
}

static bool read_table(const Target *target)
{
    mote_Table *table = (mote_Table *)(void *)((char *)target->params + target->param->offset);
    const Node *node = target->node;
    *table = (mote_Table){0};
    if (node->type != NODE_ARRAY || node->count == 0 || node->count > MOTE_TABLE_POINTS) {
        char expected[80];
        snprintf(expected, sizeof expected, "points, [[x, y], ...], at most %d", MOTE_TABLE_POINTS);
        return fail_vector(target, expected);
    }
    bool good = true;
    NODE_EACH(element, node)
    good = good && read_point(target, element, table);
    return good;
}

/* One formula, or a list of them; in two dimensions the last may be left out. */
static bool read_formula(const Target *target)
{
    const mote_Formula **to =
        (const mote_Formula **)(void *)((char *)target->params + target->param->offset);
    const size_t most = (size_t)target->param->max;
    const Node *node = target->node;
    if (most == 1) return node_formula(target->reader, node, target->param, to);
    const bool flat = target->reader->dimension == 2;
    if (node->type != NODE_ARRAY || (node->count != most && !(flat && node->count + 1 == most)))
        return fail_vector(target, flat ? "[x, y], numbers or expressions"
                                        : "[x, y, z], numbers or expressions");
    bool good = true;
    NODE_EACH(element, node)
    good = node_formula(target->reader, element, target->param, to++) && good;
    return good;
}

static bool fill_params(const Reader *reader, const mote_Row *row, const Node *object, void *params,
                        ParamBindings *bindings);

/* The row's name, and its parameters from keys beside it. A name that is no row's is reported with
 * all other names. */
static bool read_part(const Target *target, const Node *object)
{
    size_t count;
    const mote_Row *const *rows = mote_family_rows(target->param->choices[2], &count);
    struct {
        const char *name;
        const void *params;
    } method = {NULL, NULL};
    if (target->node != NULL && target->node->type != NODE_NULL &&
        !node_text(target->reader, target->node, &method.name)) {
        if (target->node->type == NODE_OBJECT)
            diagnose_hint(target->reader->diagnostics,
                          "give its name alone; its parameters stand beside it");
        return false;
    }
    const char *wanted = method.name != NULL ? method.name : target->param->choices[1];
    const mote_Row *row = row_named(rows, count, wanted);
    bool good = true;
    if (row != NULL) {
        void *params = store_take(target->reader->store, row->params_size + 1);
        if (params == NULL) return false;
        mote_row_defaults(row, params);
        good = fill_params(target->reader, row, object, params, target->bindings);
        method.params = params;
    }
    memcpy((char *)target->params + target->param->offset, &method, sizeof method);
    return good;
}

static bool read_param(const Target *target)
{
    static bool (*const readers[])(const Target *, double[3]) = {
        [MOTE_PARAM_REAL] = read_number,   [MOTE_PARAM_DOUBLE] = read_number,
        [MOTE_PARAM_COUNT] = read_count,   [MOTE_PARAM_BOOL] = read_bool,
        [MOTE_PARAM_VEC3] = read_vec3,     [MOTE_PARAM_COLOR] = read_color,
        [MOTE_PARAM_CHOICE] = read_choice,
    };
    if (target->param->type == MOTE_PARAM_NAME) return read_name(target);
    if (target->param->type == MOTE_PARAM_MESH) return read_mesh(target);
    if (target->param->type == MOTE_PARAM_SHAPES) return read_shapes(target);
    if (target->param->type == MOTE_PARAM_FORMULA) return read_formula(target);
    if (target->param->type == MOTE_PARAM_TABLE) return read_table(target);
    double value[3];
    param_read(target->param, target->params, value);
    if (!readers[target->param->type](target, value)) return false;
    param_write(target->param, value, target->params);
    return true;
}

static bool fill_params(const Reader *reader, const mote_Row *row, const Node *object, void *params,
                        ParamBindings *bindings)
{
    bool good = true;
    for (size_t i = 0; i < row->param_count; ++i) {
        Target target = {reader, &row->params[i], node_find(object, row->params[i].name), params,
                         bindings};
        if (target.param->type == MOTE_PARAM_METHOD)
            good = read_part(&target, object) && good;
        else if (target.node != NULL)
            good = read_param(&target) && good;
    }
    return good;
}

bool params_from_node(const Reader *reader, const mote_Row *row, const Node *object,
                      const char *const *others, void *params, ParamBindings *bindings)
{
    mote_row_defaults(row, params);
    if (!node_expect(reader, object, NODE_OBJECT)) return false;
    NameList also = others != NULL ? name_list(others) : (NameList){NULL, NULL};
    bool good = node_check_keys(reader, object, row->name, (NameList){param_name, row}, also);
    good = fill_params(reader, row, object, params, bindings) && good;
    return good && !reader_failed(reader);
}

mote_Status binding_apply(const ParamBinding *binding, const double *values, void *params,
                          mote_Error *error)
{
    double value[3];
    char message[300], where[160];
    double computed = expression_value(&binding->expression, values);
    if (!check_component(binding->param, binding->component, computed, message, sizeof message)) {
        place_text(binding->place, where, sizeof where);
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s", where, message);
    }
    param_read(binding->param, params, value);
    value[binding->component] = computed;
    param_write(binding->param, value, params);
    return MOTE_OK;
}
