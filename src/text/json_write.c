/* Writing JSON. */
#include "text/json_read.h"

#include "base/number.h"
#include "text/json5_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES_TO_DEPTH = 2 };

JsonWriter json_writer(Memory *memory)
{
    return (JsonWriter){.memory = memory};
}

void json_writer_free(JsonWriter *writer)
{
    memory_free(writer->memory, writer->text, writer->capacity);
    writer->text = NULL;
    writer->size = writer->capacity = 0;
}

static void put(JsonWriter *writer, const char *text, size_t size)
{
    if (writer->failed) return;
    if (!memory_reserve(writer->memory, (void **)&writer->text, &writer->capacity,
                        writer->size + size + 1, 1)) {
        writer->failed = true;
        return;
    }
    memcpy(writer->text + writer->size, text, size);
    writer->size += size;
    writer->text[writer->size] = '\0';
}

static void put_line(JsonWriter *writer)
{
    put(writer, "\n", 1);
    for (int i = 0; i < writer->depth; ++i) put(writer, "  ", 2);
}

static void put_escape(JsonWriter *writer, unsigned code)
{
    char escaped[8];
    put(writer, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", code));
}

/* Names of files may hold any bytes: those that are no UTF-8 become U+FFFD. */
static void put_quoted(JsonWriter *writer, const char *text)
{
    put(writer, "\"", 1);
    while (*text != '\0') {
        size_t size = utf8_check(text, strlen(text));
        for (size_t i = 0; i < size; ++i)
            if ((unsigned char)text[i] < 0x20 || text[i] == '"' || text[i] == '\\')
                put_escape(writer, (unsigned char)text[i]);
            else
                put(writer, text + i, 1);
        text += size;
        if (*text != '\0') put_escape(writer, 0xfffd), ++text;
    }
    put(writer, "\"", 1);
}

/* What stands before a value: comma, line, key. */
static void put_before(JsonWriter *writer, const char *key)
{
    if (writer->comma) put(writer, ",", 1);
    if (writer->depth > 0 && writer->depth <= LINES_TO_DEPTH)
        put_line(writer);
    else if (writer->comma)
        put(writer, " ", 1);
    if (key != NULL) {
        put_quoted(writer, key);
        put(writer, ": ", 2);
    }
    writer->comma = true;
}

void json_begin(JsonWriter *writer, const char *key, char open)
{
    put_before(writer, key);
    put(writer, &open, 1);
    ++writer->depth;
    writer->comma = false;
}

void json_finish(JsonWriter *writer, char close)
{
    bool lines = writer->depth <= LINES_TO_DEPTH && writer->comma;
    --writer->depth;
    if (lines) put_line(writer);
    put(writer, &close, 1);
    writer->comma = true;
    if (writer->depth == 0) put(writer, "\n", 1);
}

void json_put_text(JsonWriter *writer, const char *key, const char *text)
{
    put_before(writer, key);
    put_quoted(writer, text);
}

void json_put_bool(JsonWriter *writer, const char *key, bool value)
{
    put_before(writer, key);
    put(writer, value ? "true" : "false", value ? 4 : 5);
}

void json_put_u64(JsonWriter *writer, const char *key, uint64_t value)
{
    char text[24];
    put_before(writer, key);
    put(writer, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, value));
}

void json_put_double(JsonWriter *writer, const char *key, double value)
{
    char text[NUMBER_SIZE];
    size_t size = number_write(value, 17, text);
    put_before(writer, key);
    if (!isfinite(value)) put(writer, "\"", 1);
    put(writer, text, size);
    if (!isfinite(value)) put(writer, "\"", 1);
}

void json_put_hash(JsonWriter *writer, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_put_text(writer, key, text);
}

void json_put_written(JsonWriter *writer, const char *key, const JsonWriter *value)
{
    put_before(writer, key);
    if (value->text != NULL) put(writer, value->text, value->size);
    writer->failed = writer->failed || value->failed;
}
