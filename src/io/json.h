/* A small strict JSON (RFC 8259) for the files we write ourselves: manifests and frame heads.
 *
 * Reading is bounded: depth, text and numbers have limits, nothing outside the text is read, and
 * texts are checked to be UTF-8 without control characters. Numbers do not depend on the locale of
 * the program around us. Values that JSON lacks (infinities, NaN) are written as texts. */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <mote/base.h>

#include "base/memory.h"

typedef enum JsonKind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
} JsonKind;

typedef struct JsonNode {
    JsonKind kind;
    const char *key;  /* inside an object; else NULL */
    const char *text; /* of texts, decoded, and of numbers, as written; ends with a zero */
    size_t count;     /* children */
    size_t first;     /* first child, 0: none */
    size_t next;      /* next child of the same parent, 0: none */
} JsonNode;

typedef struct Json {
    const char *where; /* starts every message; of the caller */
    Memory *memory;
    char *text; /* a copy in which texts are decoded */
    size_t text_size;
    JsonNode *nodes; /* the first is the root */
    size_t count, capacity;
} Json;

mote_Status json_parse(Json *json, const char *where, const char *text, size_t size, Memory *memory,
                       mote_Error *error);
void json_free(Json *json);

/* Walking: NULL when there is none. */
const JsonNode *json_find(const Json *json, const JsonNode *object, const char *key);
const JsonNode *json_first(const Json *json, const JsonNode *parent);
const JsonNode *json_next(const Json *json, const JsonNode *node);

/* What a key must hold. The first failure is kept, later calls do nothing, and what they return is
 * safe to use (zero, "", the empty array). */
typedef struct JsonReader {
    const Json *json;
    mote_Status status;
    mote_Error *error;
} JsonReader;

/* The value itself with key NULL. */
uint64_t json_u64(JsonReader *reader, const JsonNode *object, const char *key, uint64_t most);
double json_double(JsonReader *reader, const JsonNode *object, const char *key);
const char *json_text(JsonReader *reader, const JsonNode *object, const char *key);
/* 16 hexadecimal digits. */
uint64_t json_hash(JsonReader *reader, const JsonNode *object, const char *key);
const JsonNode *json_array(JsonReader *reader, const JsonNode *object, const char *key);
void json_fail(JsonReader *reader, const char *key, const char *must);

/* ---- writing ---- */

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
void json_put_hash(JsonWriter *writer, const char *key, uint64_t value);

#endif
