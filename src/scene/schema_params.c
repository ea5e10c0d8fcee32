/* Parameters as JSON schemas: type, unit, range, default and choices. */
#include "scene/schema.h"

#include "base/row.h"

#include <math.h>
#include <string.h>

/* ---- pieces of JSON ---- */

void schema_write_text(const Writer *w, const char *text)
{
    text_buffer_add(w->out, "\"", 1);
    for (; *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') text_buffer_add(w->out, "\\", 1);
        text_buffer_add(w->out, text, 1);
    }
    text_buffer_add(w->out, "\"", 1);
}

void schema_write_key(const Writer *w, const char *key, bool *first)
{
    text_buffer_print(w->out, *first ? "" : ", ");
    *first = false;
    schema_write_text(w, key);
    text_buffer_print(w->out, ": ");
}

/* ", "key": value"; nothing for infinities, which JSON lacks. */
static void write_limit(const Writer *w, const char *key, double value)
{
    char text[NUMBER_SIZE];
    if (!isfinite(value) || fabs(value) >= PARAM_LARGEST) return;
    number_text(value, text);
    text_buffer_print(w->out, ", \"%s\": %s", key, text);
}

static void write_enum(const Writer *w, NameList names)
{
    const char *name;
    text_buffer_print(w->out, "{\"enum\": [");
    for (size_t i = 0; (name = names.name(names.context, i)) != NULL; ++i) {
        text_buffer_print(w->out, i > 0 ? ", " : "");
        schema_write_text(w, name);
    }
    text_buffer_print(w->out, "]}");
}

/* ---- parameters ---- */

static void write_number(const Writer *w, const mote_Param *param)
{
    bool count = param->type == MOTE_PARAM_COUNT;
    text_buffer_print(w->out, "{\"type\": \"%s\"", count ? "integer" : "number");
    bool positive = param->min > 0 && param->min <= PARAM_POSITIVE;
    write_limit(w, positive ? "exclusiveMinimum" : "minimum", positive ? 0 : param->min);
    write_limit(w, "maximum", param->max);
    text_buffer_print(w->out, "}");
}

static void write_bool(const Writer *w, const mote_Param *param)
{
    (void)param;
    text_buffer_print(w->out, "{\"type\": \"boolean\"}");
}

/* A list of `least` to three numbers, each in the parameter's range. */
static void write_list(const Writer *w, const mote_Param *param, int least)
{
    text_buffer_print(w->out,
                      "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": 3, "
                      "\"items\": {\"anyOf\": [",
                      least);
    write_number(w, param);
    text_buffer_print(w->out, ", {\"$ref\": \"#/$defs/expression\"}]}}");
}

static void write_vector(const Writer *w, const mote_Param *param)
{
    write_list(w, param, 2);
}

static void write_color(const Writer *w, const mote_Param *param)
{
    write_list(w, param, 3);
    text_buffer_print(w->out, ", {\"type\": \"string\", \"pattern\": \"^#[0-9a-fA-F]{6}$\"}");
}

static void write_choice(const Writer *w, const mote_Param *param)
{
    write_enum(w, name_list(param->choices));
}

/* Names of a scene's own objects can be any; others come from tables. */
static bool is_object(const char *kind)
{
    static const char *const kinds[] = {"field", "system", "collider", "column"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strcmp(kinds[i], kind) == 0) return true;
    return false;
}

static void write_name(const Writer *w, const mote_Param *param)
{
    if (is_object(param->choices[0]))
        text_buffer_print(w->out, "{\"type\": [\"string\", \"null\"]}");
    else {
        write_enum(w, scene_names_of_kind(w->scene, param->choices[0]));
        text_buffer_print(w->out, ", {\"type\": \"null\"}");
    }
}

static void write_mesh(const Writer *w, const mote_Param *param)
{
    (void)param;
    text_buffer_print(w->out, "{\"$ref\": \"#/$defs/mesh\"}");
}

static void write_shapes(const Writer *w, const mote_Param *param)
{
    if (param->max == 1)
        text_buffer_print(w->out, "{\"$ref\": \"#/$defs/shape\"}");
    else
        text_buffer_print(w->out,
                          "{\"type\": \"array\", \"minItems\": %g, "
                          "\"items\": {\"$ref\": \"#/$defs/shape\"}}",
                          param->min);
}

static void write_formula(const Writer *w, const mote_Param *param)
{
    const char *const one = "{\"anyOf\": [{\"type\": \"number\"}, "
                            "{\"$ref\": \"#/$defs/expression\"}]}";
    if (param->max == 1)
        text_buffer_print(w->out, "%s", one);
    else
        text_buffer_print(w->out,
                          "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": %g, "
                          "\"items\": %s}",
                          param->max, one);
}

/* Points [x, y]; values are in the parameter's range. */
static void write_table(const Writer *w, const mote_Param *param)
{
    text_buffer_print(
        w->out,
        "{\"type\": \"array\", \"minItems\": 1, \"maxItems\": %d, \"items\": {\"type\": "
        "\"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"anyOf\": "
        "[{\"type\": \"number\"}, {\"$ref\": \"#/$defs/expression\"}]}}}",
        MOTE_TABLE_POINTS);
    (void)param;
}

static void write_default(const Writer *w, const mote_Param *param)
{
    const double *value = param->fallback;
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    bool named = param->type == MOTE_PARAM_NAME || param->type == MOTE_PARAM_METHOD;
    if (named && param->choices[1] != NULL) {
        text_buffer_print(w->out, ", \"default\": ");
        schema_write_text(w, param->choices[1]);
    }
    if (param_is_reference(param) || !isfinite(value[0])) return;
    number_text(value[0], x), number_text(value[1], y), number_text(value[2], z);
    text_buffer_print(w->out, ", \"default\": ");
    if (param->type == MOTE_PARAM_CHOICE)
        schema_write_text(w, param->choices[(size_t)value[0]]);
    else if (param->type == MOTE_PARAM_BOOL)
        text_buffer_print(w->out, value[0] != 0 ? "true" : "false");
    else if (param->type == MOTE_PARAM_VEC3 || param->type == MOTE_PARAM_COLOR)
        text_buffer_print(w->out, "[%s, %s, %s]", x, y, z);
    else
        text_buffer_print(w->out, "%s", x);
}

static void write_param(const Writer *w, const mote_Param *param)
{
    static void (*const writers[])(const Writer *, const mote_Param *) = {
        [MOTE_PARAM_REAL] = write_number,   [MOTE_PARAM_DOUBLE] = write_number,
        [MOTE_PARAM_COUNT] = write_number,  [MOTE_PARAM_BOOL] = write_bool,
        [MOTE_PARAM_VEC3] = write_vector,   [MOTE_PARAM_COLOR] = write_color,
        [MOTE_PARAM_CHOICE] = write_choice, [MOTE_PARAM_NAME] = write_name,
        [MOTE_PARAM_MESH] = write_mesh,     [MOTE_PARAM_SHAPES] = write_shapes,
        [MOTE_PARAM_METHOD] = write_name,   [MOTE_PARAM_FORMULA] = write_formula,
        [MOTE_PARAM_TABLE] = write_table,
    };
    bool vector = param->type == MOTE_PARAM_VEC3;
    const char *unit = param->unit;
    text_buffer_print(w->out, "{\"description\": \"%s%s%s%s\"", param->doc, unit[0] ? " (" : "",
                      unit, unit[0] ? ")" : "");
    write_default(w, param);
    text_buffer_print(w->out, ", \"anyOf\": [");
    writers[param->type](w, param);
    text_buffer_print(w->out, vector ? "]}" : ", {\"$ref\": \"#/$defs/expression\"}]}");
}

void schema_write_params(const Writer *w, const mote_Row *row, bool *first)
{
    const mote_Param *param;
    for (size_t i = 0; row != NULL && (param = row_key(row, i)) != NULL; ++i) {
        schema_write_key(w, param->name, first);
        write_param(w, param);
    }
}
