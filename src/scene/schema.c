/* The JSON schema of scenes (draft 2020-12), for editors: written from the parameter tables, with
 * one table here that says where in a scene each of them stands. */
#include "scene/scene.h"

#include "base/row.h"
#include "collide/collider.h"
#include "emit/emitter.h"
#include "fields/field.h"
#include "forces/force.h"
#include "solvers/points/points.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

typedef const mote_Row *const *RowTable(Isa isa, size_t *count);

/* A key of a scene: a literal schema, an object of one table, or an object whose `type` names a row
 * of a family; or a list of such objects. */
typedef struct SchemaKey {
    const char *key, *doc;
    const char *literal;
    const mote_Row *row, *more; /* tables of an object; more: a second one, or NULL */
    RowTable *family;
    const struct SchemaKey *parts; /* further keys, ended by an empty one */
    bool list, required;
    bool any_type; /* of a family, without `type` the first row is meant */
} SchemaKey;

#define TEXT   "{\"type\": \"string\"}"
#define NUMBER "{\"$ref\": \"#/$defs/number\"}"
#define TEXTS  "{\"anyOf\": [" TEXT ", {\"type\": \"array\", \"items\": " TEXT "}]}"
#define COLOR  "{\"$ref\": \"#/$defs/color\"}"

static const mote_Row *const *solver_rows(Isa isa, size_t *count)
{
    static const mote_Row *const rows[] = {&points_solver_row};
    (void)isa;
    *count = 1;
    return rows;
}

#define NAME                                                                                       \
    {                                                                                              \
        .key = "name", .doc = "how others refer to it", .literal = TEXT                            \
    }
#define SYSTEMS                                                                                    \
    {                                                                                              \
        .key = "systems", .doc = "systems it acts on; without it, all", .literal = TEXTS           \
    }

static const SchemaKey field_parts[] = {NAME, {NULL}};
static const SchemaKey force_parts[] = {
    NAME,
    SYSTEMS,
    {.key = "group",
     .doc = "acts on particles whose group shares a bit; 0: on all",
     .literal = "{\"$ref\": \"#/$defs/count\"}"},
    {NULL}};
static const SchemaKey emitter_parts[] = {
    NAME,
    {.key = "system", .doc = "system that gets the particles", .literal = TEXT, .required = true},
    {.key = "from", .doc = "where particles start, around `at`", .family = source_rows},
    {NULL}};
static const SchemaKey collider_parts[] = {
    NAME,
    SYSTEMS,
    {.key = "shape", .doc = "its geometry", .family = shape_rows, .required = true},
    {NULL}};
static const SchemaKey look_parts[] = {
    {.key = "size", .doc = "drawn radius (m), of a particle's columns", .literal = NUMBER},
    {.key = "opacity", .doc = "opacity, of a particle's columns", .literal = NUMBER},
    {.key = "color", .doc = "colour, of a particle's columns", .literal = COLOR},
    {NULL}};
static const SchemaKey system_parts[] = {
    NAME,
    {.key = "solver", .doc = "what moves it", .family = solver_rows, .any_type = true},
    {.key = "collide", .doc = "how it meets colliders", .row = &scene_collide_row},
    {.key = "look", .doc = "how it is drawn", .row = &scene_look_row, .parts = look_parts},
    {NULL}};
static const SchemaKey render_parts[] = {
    {.key = "sky", .doc = "what is behind everything", .row = &scene_sky_row},
    {.key = "ground", .doc = "how planes are drawn", .row = &scene_ground_row},
    {NULL}};
static const SchemaKey scene_parts[] = {
    {.key = "mote", .doc = "version of the format", .literal = "{\"const\": 1}", .required = true},
    {.key = "include", .doc = "scenes that are merged first", .literal = TEXTS},
    {.key = "params",
     .doc = "named values for expressions",
     .literal = "{\"type\": \"object\", \"additionalProperties\": "
                "{\"type\": [\"number\", \"string\", \"boolean\"]}}"},
    {.key = "world", .doc = "clock, gravity, box", .row = &world_row, .more = &scene_time_row},
    {.key = "fields",
     .doc = "functions of space and time",
     .family = field_rows,
     .parts = field_parts,
     .list = true},
    {.key = "systems", .doc = "sets of particles", .parts = system_parts, .list = true},
    {.key = "emitters",
     .doc = "what makes particles",
     .row = &emitter_row,
     .parts = emitter_parts,
     .list = true},
    {.key = "forces",
     .doc = "what accelerates particles",
     .family = force_rows,
     .parts = force_parts,
     .list = true},
    {.key = "colliders",
     .doc = "what particles bounce off",
     .row = &collider_row,
     .parts = collider_parts,
     .list = true},
    {.key = "camera", .doc = "where pictures are taken from", .row = &scene_camera_row},
    {.key = "render", .doc = "pictures", .row = &scene_picture_row, .parts = render_parts},
    {.key = "output", .doc = "what a run writes", .row = &scene_output_row},
    {NULL}};

/* ---- pieces of JSON ---- */

typedef struct Writer {
    TextBuffer *out;
    const mote_Scene *scene;
} Writer;

static void write_text(const Writer *w, const char *text)
{
    text_buffer_add(w->out, "\"", 1);
    for (; *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') text_buffer_add(w->out, "\\", 1);
        text_buffer_add(w->out, text, 1);
    }
    text_buffer_add(w->out, "\"", 1);
}

static void write_key(const Writer *w, const char *key, bool *first)
{
    text_buffer_print(w->out, *first ? "" : ", ");
    *first = false;
    write_text(w, key);
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
        write_text(w, name);
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

/* Names of fields are the scene's own; others come from tables. */
static void write_name(const Writer *w, const mote_Param *param)
{
    if (strcmp(param->choices[0], "field") == 0)
        text_buffer_print(w->out, "{\"type\": [\"string\", \"null\"]}");
    else {
        write_enum(w, scene_names_of_kind(w->scene, param->choices[0]));
        text_buffer_print(w->out, ", {\"type\": \"null\"}");
    }
}

static void write_default(const Writer *w, const mote_Param *param)
{
    const double *value = param->fallback;
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    if (param->type == MOTE_PARAM_NAME || !isfinite(value[0])) return;
    number_text(value[0], x), number_text(value[1], y), number_text(value[2], z);
    text_buffer_print(w->out, ", \"default\": ");
    if (param->type == MOTE_PARAM_CHOICE)
        write_text(w, param->choices[(size_t)value[0]]);
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

static void write_params(const Writer *w, const mote_Row *row, bool *first)
{
    for (size_t i = 0; row != NULL && i < row->param_count; ++i) {
        write_key(w, row->params[i].name, first);
        write_param(w, &row->params[i]);
    }
}

/* ---- objects ---- */

static void write_place(const Writer *w, const SchemaKey *key);

static void write_parts(const Writer *w, const SchemaKey *parts, bool *first)
{
    for (; parts != NULL && parts->key != NULL; ++parts) {
        write_key(w, parts->key, first);
        write_place(w, parts);
    }
}

static void write_required(const Writer *w, const SchemaKey *parts, bool type)
{
    text_buffer_print(w->out, ", \"required\": [%s", type ? "\"type\"" : "");
    for (bool first = !type; parts != NULL && parts->key != NULL; ++parts) {
        if (!parts->required) continue;
        text_buffer_print(w->out, "%s\"%s\"", first ? "" : ", ", parts->key);
        first = false;
    }
    text_buffer_print(w->out, "]");
}

/* An object of these tables; type: the constant `type` of a family's row, or NULL. */
static void write_object(const Writer *w, const SchemaKey *key, const mote_Row *row,
                         const char *type)
{
    bool first = true;
    text_buffer_print(w->out, "{\"type\": \"object\", \"description\": ");
    write_text(w, type != NULL ? row->doc : key->doc);
    text_buffer_print(w->out, ", \"additionalProperties\": false, \"properties\": {");
    if (type != NULL) {
        write_key(w, "type", &first);
        text_buffer_print(w->out, "{\"const\": \"%s\"}", type);
    }
    write_parts(w, key->parts, &first);
    write_params(w, row, &first);
    write_params(w, key->more, &first);
    text_buffer_print(w->out, "}");
    write_required(w, key->parts, type != NULL && !key->any_type);
    text_buffer_print(w->out, "}\n");
}

static void write_family(const Writer *w, const SchemaKey *key)
{
    size_t count;
    bool first = true;
    const mote_Row *const *rows = key->family(ISA_V1, &count);
    text_buffer_print(w->out, "{\"oneOf\": [");
    for (size_t i = 0; i < count; ++i) {
        if (!scene_can_say(rows[i])) continue;
        text_buffer_print(w->out, first ? "" : ", ");
        first = false;
        write_object(w, key, rows[i], rows[i]->name);
    }
    text_buffer_print(w->out, "]}");
}

static void write_value(const Writer *w, const SchemaKey *key)
{
    if (key->family != NULL)
        write_family(w, key);
    else
        write_object(w, key, key->row, NULL);
}

static void write_place(const Writer *w, const SchemaKey *key)
{
    if (key->literal != NULL) {
        text_buffer_print(w->out, "{\"description\": \"%s\", \"allOf\": [%s]}", key->doc,
                          key->literal);
        return;
    }
    if (key->list)
        text_buffer_print(w->out,
                          "{\"type\": \"array\", \"description\": \"%s\", \"items\": ", key->doc);
    write_value(w, key);
    if (key->list) text_buffer_print(w->out, "}");
}

static const char definitions[] =
    "  \"$defs\": {\n"
    "    \"expression\": {\"type\": \"string\", \"pattern\": \"^=\"},\n"
    "    \"number\": {\"anyOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/$defs/expression\"}]},\n"
    "    \"count\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0}, "
    "{\"$ref\": \"#/$defs/expression\"}]},\n"
    "    \"color\": {\"anyOf\": [{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, "
    "\"items\": {\"$ref\": \"#/$defs/number\"}}, "
    "{\"type\": \"string\", \"pattern\": \"^(#[0-9a-fA-F]{6}$|=)\"}]}\n"
    "  }\n";

const char *mote_scene_schema(mote_Scene *scene)
{
    Writer w = {&scene->schema, scene};
    bool first = true;
    scene_empty_text(&scene->schema);
    text_buffer_print(w.out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                             "  \"title\": \"mote scene\",\n  \"type\": \"object\",\n"
                             "  \"additionalProperties\": false,\n  \"properties\": {\n");
    write_parts(&w, scene_parts, &first);
    text_buffer_print(w.out, "}");
    write_required(&w, scene_parts, false);
    text_buffer_print(w.out, ",\n%s}\n", definitions);
    return scene_text(&scene->schema);
}
