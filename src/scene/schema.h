/* Writing the JSON schema of scenes. */
#ifndef SCENE_SCHEMA_H
#define SCENE_SCHEMA_H

#include "scene/scene.h"

typedef struct Writer {
    TextBuffer *out;
    const mote_Scene *scene; /* for the names of kinds */
} Writer;

/* ---- schema_keys.c ---- */

/* Pieces of schemas. */
#define TEXT    "{\"type\": \"string\"}"
#define NUMBER  "{\"$ref\": \"#/$defs/number\"}"
#define TEXTS   "{\"anyOf\": [" TEXT ", {\"type\": \"array\", \"items\": " TEXT "}]}"
#define NUMBERS "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 4, \"items\": " NUMBER "}"
#define ROWS    "{\"type\": \"array\", \"items\": " NUMBERS "}"
#define COLOR   "{\"$ref\": \"#/$defs/color\"}"
#define COLOR_BY                                                                                   \
    "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"by\"], "             \
    "\"properties\": {\"by\": " TEXT ", \"map\": " TEXT ", \"title\": " TEXT                       \
    ", \"legend\": {\"type\": \"boolean\"}, \"range\": {\"type\": \"array\", \"minItems\": 2, "    \
    "\"maxItems\": 2, \"items\": " NUMBER "}}}"

/* A key of a scene: a literal schema, an object of one table, or an object whose `type` names a row
 * of a family; or a list of such objects. */
typedef struct SchemaKey {
    const char *key, *doc;
    const char *literal;
    const mote_Row *row, *more; /* tables of an object; more: a second one, or NULL */
    RowTable *family;
    const struct SchemaKey *parts; /* further keys, ended by an empty one */
    RowTable *presets;             /* a name of this family says the whole object */
    bool list, required;
    bool or_number; /* of a family: a number stands for its first row */
    bool any_type;  /* of a family, without `type` the first row is meant */
} SchemaKey;

extern const SchemaKey schema_scene[]; /* of a whole scene, ended by an empty one */
extern const SchemaKey schema_part;    /* a shape within a shape */

/* ---- schema_params.c ---- */

void schema_write_text(const Writer *w, const char *text);
/* A member's key, behind a comma unless it is the first. */
void schema_write_key(const Writer *w, const char *key, bool *first);
/* All parameters of a table as members; row NULL: none. */
void schema_write_params(const Writer *w, const mote_Row *row, bool *first);

#endif
