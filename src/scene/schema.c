/* The JSON schema of scenes (draft 2020-12), for editors: written from the parameter tables, by the
 * table in schema_keys.c. */
#include "scene/schema.h"

#include <string.h>

static void write_place(const Writer *w, const SchemaKey *key);

static void write_parts(const Writer *w, const SchemaKey *parts, bool *first)
{
    for (; parts != NULL && parts->key != NULL; ++parts) {
        schema_write_key(w, parts->key, first);
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
    schema_write_text(w, type != NULL ? row->doc : key->doc);
    text_buffer_print(w->out, ", \"additionalProperties\": false, \"properties\": {");
    if (type != NULL) {
        schema_write_key(w, "type", &first);
        text_buffer_print(w->out, "{\"const\": \"%s\"}", type);
    }
    write_parts(w, key->parts, &first);
    schema_write_params(w, row, &first);
    schema_write_params(w, key->more, &first);
    text_buffer_print(w->out, "}");
    write_required(w, key->parts, type != NULL && !key->any_type);
    text_buffer_print(w->out, "}\n");
}

static void write_family(const Writer *w, const SchemaKey *key)
{
    size_t count;
    bool first = true;
    const mote_Row *const *rows = key->family(ISA_V1, &count);
    text_buffer_print(w->out, "{");
    if (key->or_number) text_buffer_print(w->out, "\"description\": \"%s\", ", key->doc);
    text_buffer_print(w->out, "\"oneOf\": [%s", key->or_number ? NUMBER ", " : "");
    for (size_t i = 0; i < count; ++i) {
        if (!scene_can_say(rows[i])) continue;
        text_buffer_print(w->out, first ? "" : ", ");
        first = false;
        write_object(w, key, rows[i], rows[i]->name);
    }
    text_buffer_print(w->out, "]}");
}

/* The names of presets, then the object. */
static void write_presets(const Writer *w, const SchemaKey *key)
{
    size_t count;
    const mote_Row *const *rows = key->presets(ISA_V1, &count);
    text_buffer_print(w->out, "{\"anyOf\": [{\"enum\": [");
    for (size_t i = 0; i < count; ++i)
        text_buffer_print(w->out, "%s\"%s\"", i > 0 ? ", " : "", rows[i]->name);
    text_buffer_print(w->out, "]}, ");
    write_object(w, key, key->row, NULL);
    text_buffer_print(w->out, "]}");
}

static void write_value(const Writer *w, const SchemaKey *key)
{
    if (key->presets != NULL)
        write_presets(w, key);
    else if (key->family != NULL)
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
    "{\"type\": \"string\", \"pattern\": \"^(#[0-9a-fA-F]{6}$|=)\"}]},\n"
    "    \"mesh\": {\"anyOf\": [" TEXT ", {\"type\": \"object\", "
    "\"additionalProperties\": false, \"properties\": {\"file\": " TEXT ", \"points\": " ROWS
    ", \"planes\": " ROWS ", \"vertices\": " ROWS ", \"triangles\": " ROWS ", \"scale\": " NUMBER
    ", \"hull\": {\"type\": \"boolean\"}, \"flip\": {\"type\": \"boolean\"}}}]},\n"
    "    \"shape\": ";

const char *mote_scene_schema(mote_Scene *scene)
{
    Writer w = {&scene->schema, scene};
    bool first = true;
    scene_empty_text(&scene->schema);
    text_buffer_print(w.out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                             "  \"title\": \"mote scene\",\n  \"type\": \"object\",\n"
                             "  \"additionalProperties\": false,\n  \"properties\": {\n");
    write_parts(&w, schema_scene, &first);
    text_buffer_print(w.out, "}");
    write_required(&w, schema_scene, false);
    text_buffer_print(w.out, ",\n%s", definitions);
    write_place(&w, &schema_part);
    text_buffer_print(w.out, "\n  }\n}\n");
    return scene_text(&scene->schema);
}
