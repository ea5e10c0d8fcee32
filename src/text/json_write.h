/* Writing JSON (RFC 8259): one key a line down to a depth of two, the rest in one line. Values that
 * JSON lacks (infinities, NaN) are written as texts. */
#ifndef TEXT_JSON_WRITE_H
#define TEXT_JSON_WRITE_H

#include <mote/base.h>

#include "base/memory.h"

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
