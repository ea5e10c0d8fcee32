/* Reading single values, lists and keys. */
#include "scene/reader.h"

#include <mote/scene.h>

#include "base/math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double largest_count = 9007199254740992.0; /* 2^53: doubles hold every count below */

bool reader_failed(const Reader *reader)
{
    return reader->store->failed || reader->diagnostics->failed;
}

bool node_is_expression(const Node *node)
{
    return node->type == NODE_TEXT && node->text[0] == '=';
}

/* "expected a number (m/s), found a string" */
static bool fail_type(const Reader *reader, const Node *node, const char *expected,
                      const char *unit)
{
    bool has_unit = unit[0] != '\0';
    diagnose(reader->diagnostics, node_place(node), "expected %s%s%s%s, found %s", expected,
             has_unit ? " (" : "", unit, has_unit ? ")" : "", node_type_name(node->type));
    return false;
}

bool node_expect(const Reader *reader, const Node *node, NodeType type)
{
    if (node->type == type) return true;
    return fail_type(reader, node, node_type_name(type), "");
}

static bool compile(const Reader *reader, const Node *node, Expression *expression)
{
    ExpressionError error;
    mote_Status status =
        expression_compile(reader->store, node->text + 1, reader->scope, expression, &error);
    if (status != MOTE_BAD_VALUE) return status == MOTE_OK;
    diagnose(reader->diagnostics, node_text_place(node, 1 + error.at, error.length), "%s",
             error.message);
    if (error.hint[0] != '\0') diagnose_hint(reader->diagnostics, "%s", error.hint);
    return false;
}

bool node_expression(const Reader *reader, const Node *node, const char *unit,
                     Expression *expression)
{
    if (node_is_expression(node)) return compile(reader, node, expression);
    if (node->type != NODE_NUMBER) {
        fail_type(reader, node, "a number", unit);
        if (node->type == NODE_TEXT)
            diagnose_hint(reader->diagnostics, "an expression starts with =");
        return false;
    }
    *expression = (Expression){.value = node->number, .constant = true};
    return true;
}

/* The formula's own names, then columns, in slots of their own: how many. */
static size_t formula_names(const Reader *reader, const mote_Param *param,
                            ExpressionName names[EXPRESSION_SLOTS])
{
    size_t count = 0;
    for (int i = 0; param->choices[i] != NULL; ++i)
        names[count++] = (ExpressionName){.name = param->choices[i], .slot = i};
    for (int i = 0; param->min > 0 && reader->columns != NULL && reader->columns[i] != NULL; ++i)
        names[count++] = (ExpressionName){.name = reader->columns[i], .slot = FORMULA_COLUMNS + i};
    return count;
}

/* Constants of the scene may be used, but time only where the formula says so. */
bool node_formula(const Reader *reader, const Node *node, const mote_Param *param,
                  const mote_Formula **formula)
{
    ExpressionName names[EXPRESSION_SLOTS];
    ExpressionScope constants = *reader->scope, own = {names, 0, &constants};
    Reader inner = *reader;
    char place[160];
    own.count = formula_names(reader, param, names);
    constants.outer = NULL;
    inner.scope = &own;
    mote_Formula *made = store_take(reader->store, sizeof *made);
    place_text(node_place(node), place, sizeof place);
    if (made == NULL || !node_expression(&inner, node, param->unit, &made->expression))
        return false;
    made->place = store_text(reader->store, place, strlen(place));
    made->columns = reader->columns;
    if (made->expression.constant && !isfinite(made->expression.value)) {
        diagnose(reader->diagnostics, node_place(node), "%s must be finite, but is not",
                 param->name);
        return false;
    }
    *formula = made;
    return made->place != NULL;
}

static bool constant_value(const Reader *reader, const Node *node, const char *unit, double *value)
{
    Expression expression;
    if (!node_expression(reader, node, unit, &expression)) return false;
    *value = expression.value;
    if (!expression.constant)
        diagnose(reader->diagnostics, node_place(node),
                 "this value must be constant, but the expression varies");
    return expression.constant;
}

bool node_number(const Reader *reader, const Node *node, const char *unit, double *value)
{
    return constant_value(reader, node, unit, value);
}

bool node_count(const Reader *reader, const Node *node, uint64_t *value)
{
    double number;
    char text[NUMBER_SIZE];
    if (!constant_value(reader, node, "", &number)) return false;
    if (number >= 0 && number <= largest_count && number == floor(number)) {
        *value = (uint64_t)number;
        return true;
    }
    number_text(number, text);
    diagnose(reader->diagnostics, node_place(node),
             "%s is %s, but must be a whole number from 0 to 2^53",
             node->key != NULL ? node->key : "the value", text);
    return false;
}

bool node_bool(const Reader *reader, const Node *node, bool *value)
{
    double number = 0;
    if (node->type != NODE_BOOL && !node_is_expression(node))
        return fail_type(reader, node, "true or false", "");
    if (node->type == NODE_BOOL)
        *value = node->boolean;
    else if (!constant_value(reader, node, "", &number))
        return false;
    else
        *value = number != 0;
    return true;
}

/* The name that is all of an expression's text. */
static const ExpressionName *only_name(const Reader *reader, const Node *node)
{
    const char *at = node->text + 1;
    at += strspn(at, " \t");
    size_t length = strcspn(at, " \t");
    if (at[length + strspn(at + length, " \t")] != '\0') return NULL;
    return expression_name(reader->scope, at, length);
}

bool node_text(const Reader *reader, const Node *node, const char **value)
{
    if (node->type != NODE_TEXT) return fail_type(reader, node, "a string", "");
    *value = node->text;
    if (!node_is_expression(node)) return true;
    const ExpressionName *name = only_name(reader, node);
    if (name != NULL && name->text != NULL) {
        *value = name->text;
        return true;
    }
    diagnose(reader->diagnostics, node_place(node), "expected a string, found an expression");
    diagnose_hint(reader->diagnostics, "only \"=name\" with a param that is a string gives one");
    return false;
}

bool node_choice(const Reader *reader, const Node *node, const char *what, NameList names,
                 size_t *index)
{
    const char *text, *name;
    if (!node_text(reader, node, &text)) return false;
    for (size_t i = 0; (name = names.name(names.context, i)) != NULL; ++i) {
        if (strcmp(name, text) != 0) continue;
        *index = i;
        return true;
    }
    diagnose(reader->diagnostics, node_place(node), "unknown %s `%s`", what, text);
    diagnose_nearest(reader->diagnostics, text, names);
    diagnose_allowed(reader->diagnostics, "known", names);
    return false;
}

static bool fail_length(const Reader *reader, const Node *node, size_t least, size_t most)
{
    char wanted[48];
    if (least == most)
        snprintf(wanted, sizeof wanted, "%zu", least);
    else
        snprintf(wanted, sizeof wanted, "%zu to %zu", least, most);
    diagnose(reader->diagnostics, node_place(node), "expected a list of %s numbers, found %u",
             wanted, (unsigned)node->count);
    return false;
}

bool node_numbers(const Reader *reader, const Node *node, const char *unit, size_t least,
                  size_t most, double *values, size_t *count)
{
    if (node->type != NODE_ARRAY) return fail_type(reader, node, "a list of numbers", unit);
    if (node->count < least || node->count > most) return fail_length(reader, node, least, most);
    bool good = true;
    *count = 0;
    NODE_EACH(element, node)
    good = node_number(reader, element, unit, &values[(*count)++]) && good;
    return good;
}

/* ---- colours ---- */

static bool read_hex_color(const char *text, double value[3])
{
    unsigned rgb = 0;
    if (text[0] != '#' || strlen(text) != 7) return false;
    for (int i = 1; i < 7; ++i) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = strchr(digits, text[i]);
        if (digit == NULL) return false;
        rgb = rgb << 4 | (unsigned)((digit - digits) & 15);
    }
    for (int c = 0; c < 3; ++c) value[c] = math_srgb_light((rgb >> (16 - 8 * c) & 255) / 255.0);
    return true;
}

bool node_color(const Reader *reader, const Node *node, double value[3])
{
    const char *text;
    size_t count;
    if (node->type == NODE_ARRAY) return node_numbers(reader, node, "", 3, 3, value, &count);
    if (node->type != NODE_TEXT)
        return fail_type(reader, node, "a color, [r, g, b] or \"#rrggbb\"", "");
    if (!node_text(reader, node, &text)) return false;
    if (read_hex_color(text, value)) return true;
    diagnose(reader->diagnostics, node_place(node), "`%s` is no color", text);
    diagnose_hint(reader->diagnostics, "write [r, g, b], linear, or \"#rrggbb\"");
    return false;
}

/* ---- keys ---- */

const Node *node_require(const Reader *reader, const Node *object, const char *key)
{
    const Node *member = node_find(object, key);
    if (member == NULL)
        diagnose(reader->diagnostics, (Place){object->source, object->at, 1},
                 "the key `%s` is missing here", key);
    return member;
}

static bool is_listed(const char *key, NameList names)
{
    const char *name;
    if (names.name == NULL) return false;
    for (size_t i = 0; (name = names.name(names.context, i)) != NULL; ++i)
        if (strcmp(name, key) == 0) return true;
    return false;
}

/* Two lists as one, the second one's names behind the first one's. */
static const char *joined_name(const void *context, size_t i)
{
    const NameList *lists = context;
    for (int l = 0; l < 2; ++l) {
        if (lists[l].name == NULL) continue;
        size_t count = 0;
        for (const char *name; (name = lists[l].name(lists[l].context, count)) != NULL; ++count)
            if (count == i) return name;
        i -= count;
    }
    return NULL;
}

static bool has_key(const mote_Row *row, const char *key)
{
    const mote_Param *param;
    for (size_t i = 0; (param = row_key(row, i)) != NULL; ++i)
        if (strcmp(param->name, key) == 0) return true;
    return false;
}

/* Says which objects and solvers know a key that stands in the wrong place. */
static void hint_elsewhere(const Reader *reader, const char *key)
{
    static const char *const families[] = {"objects", "solvers"};
    static const struct {
        const char *key, *object;
    } computed[] = {{"duration", "world"}, {"opacity", "look"}, {"temperature", "look"}};
    char list[120] = "";
    for (int f = 0; f < 2; ++f) {
        size_t count;
        const mote_Row *const *rows = mote_family_rows(families[f], &count);
        for (size_t i = 0; i < count; ++i) {
            const size_t used = strlen(list);
            if (has_key(rows[i], key) && used + strlen(rows[i]->name) + 12 < sizeof list)
                snprintf(list + used, sizeof list - used, "%s%s%s", used > 0 ? ", " : "",
                         f == 1 ? "solver " : "", rows[i]->name);
        }
    }
    for (size_t i = 0; i < sizeof computed / sizeof computed[0] && list[0] == '\0'; ++i)
        if (strcmp(computed[i].key, key) == 0)
            snprintf(list, sizeof list, "%s", computed[i].object);
    if (list[0] != '\0') diagnose_hint(reader->diagnostics, "`%s` is a key of: %s", key, list);
}

/* What a key is called here that has another name in other programs or had one before. */
static const char *other_name(const char *what, const char *key, NameList all)
{
    static const struct {
        const char *what, *key, *name; /* what: NULL for every object that has the name */
    } others[] = {
        {"sph", "friction", "viscosity_model"},
        {"body", "position", "motion: { at: [x, y, z] }"},
        {"body", "at", "motion: { at: [x, y, z] }"},
        {"body", "velocity", "motion: { velocity: [x, y, z] }"},
        {"collider", "position", "motion: { at: [x, y, z] }"},
        {"collider", "at", "motion: { at: [x, y, z] }"},
        {NULL, "position", "at"},
        {NULL, "rotation", "rotate"},
        {NULL, "orientation", "rotate"},
        {NULL, "angular_velocity", "spin"},
        {NULL, "colour", "color"},
        {NULL, "bounciness", "restitution"},
        {NULL, "timestep", "max_step"},
        {NULL, "dt", "max_step"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        bool here = others[i].what != NULL ? strcmp(others[i].what, what) == 0
                                           : is_listed(others[i].name, all);
        if (here && strcmp(others[i].key, key) == 0) return others[i].name;
    }
    return NULL;
}

static void hint_key(const Reader *reader, const char *what, const char *key, NameList all)
{
    const char *name = other_name(what, key, all);
    if (name != NULL)
        diagnose_hint(reader->diagnostics, "write `%s`", name);
    else if (name_nearest(key, all) == NULL)
        hint_elsewhere(reader, key);
    else
        diagnose_nearest(reader->diagnostics, key, all);
}

bool node_check_keys(const Reader *reader, const Node *object, const char *what, NameList allowed,
                     NameList also)
{
    const NameList lists[2] = {allowed, also};
    const NameList all = {joined_name, lists};
    bool good = true;
    NODE_EACH(member, object)
    {
        if (is_listed(member->key, allowed) || is_listed(member->key, also)) continue;
        diagnose(reader->diagnostics, node_key_place(member), "unknown key `%s` in %s", member->key,
                 what);
        hint_key(reader, what, member->key, all);
        diagnose_allowed(reader->diagnostics, "allowed", all);
        good = false;
    }
    return good;
}
