/* The files we write ourselves, manifests and frame heads: JSON, read by the JSON5 reader, and what
 * their keys must hold. A file is damaged or it is not: there is one message, without a caret.
 *
 * Reading is bounded: depth and numbers have limits, nothing outside the text is read, and texts
 * are checked to be UTF-8 without a character 0. Infinities and NaN are texts. */
#ifndef TEXT_JSON_READ_H
#define TEXT_JSON_READ_H

#include <mote/base.h>

#include "base/memory.h"
#include "text/json5.h"

typedef struct Json {
    const char *where; /* starts every message; of the caller */
    TextSource source; /* a copy of the text, with a zero behind it */
    Store store;
    const Node *root;
} Json;

mote_Status json_parse(Json *json, const char *where, const char *text, size_t size, Memory *memory,
                       mote_Error *error);
void json_free(Json *json);

/* What a key must hold. The first failure is kept, later calls do nothing, and what they return is
 * safe to use (zero, "", the empty array). */
typedef struct JsonReader {
    const Json *json;
    mote_Status status;
    mote_Error *error;
} JsonReader;

/* The value itself with key NULL. */
uint64_t json_u64(JsonReader *reader, const Node *object, const char *key, uint64_t most);
double json_double(JsonReader *reader, const Node *object, const char *key);
const char *json_text(JsonReader *reader, const Node *object, const char *key);
/* 16 hexadecimal digits. */
uint64_t json_hash(JsonReader *reader, const Node *object, const char *key);
const Node *json_array(JsonReader *reader, const Node *object, const char *key);
void json_fail(JsonReader *reader, const char *key, const char *must);

/* Writing JSON (RFC 8259): one key a line down to a depth of two, the rest in one line. Values that
 * JSON lacks (infinities, NaN) are written as texts. */

typedef struct JsonWriter {
    Memory *memory;
    char *text; /* ends with a zero */
    size_t size, capacity;
    int depth;
    bool comma;  /* the next value needs one before it */
    bool failed; /* out of memory */
} JsonWriter;

JsonWriter json_writer(Memory *memory);
void json_writer_free(JsonWriter *writer);
/* key NULL inside arrays. `open` is '{' or '['. */
void json_begin(JsonWriter *writer, const char *key, char open);
void json_finish(JsonWriter *writer, char close);
void json_put_text(JsonWriter *writer, const char *key, const char *text);
void json_put_bool(JsonWriter *writer, const char *key, bool value);
void json_put_u64(JsonWriter *writer, const char *key, uint64_t value);
void json_put_double(JsonWriter *writer, const char *key, double value);
/* A value that another writer has written. */
void json_put_written(JsonWriter *writer, const char *key, const JsonWriter *value);
void json_put_hash(JsonWriter *writer, const char *key, uint64_t value);

#endif
