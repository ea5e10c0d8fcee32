/* Buffered output. */
#include "io/file.h"

#include "base/number.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 20 };

mote_Status sink_begin(Sink *sink, const char *path, Memory *memory, mote_Error *error)
{
    *sink = (Sink){.memory = memory, .error = error};
    sink->buffer = memory_take(memory, BUFFER);
    if (sink->buffer == NULL) return status_no_memory(error, "writing a file", BUFFER);
    mote_Status status = file_begin(&sink->file, path, error);
    if (status != MOTE_OK) memory_free(memory, sink->buffer, BUFFER);
    return status;
}

static void flush(Sink *sink)
{
    if (sink->status == MOTE_OK && sink->used > 0) {
        int failure = file_put(sink->file.fd, sink->buffer, sink->used, sink->offset);
        if (failure != 0)
            sink->status = file_failed(sink->file.path, "write it", failure, sink->error);
    }
    sink->offset += sink->used;
    sink->used = 0;
}

void sink_put(Sink *sink, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        size_t room = BUFFER - sink->used, part = size < room ? size : room;
        memcpy(sink->buffer + sink->used, at, part);
        sink->used += part, at += part, size -= part;
        if (sink->used == BUFFER) flush(sink);
    }
}

void sink_text(Sink *sink, const char *text)
{
    sink_put(sink, text, strlen(text));
}

void sink_print(Sink *sink, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        sink_put(sink, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void sink_number(Sink *sink, double value, int digits)
{
    char text[NUMBER_SIZE];
    size_t length = number_write(value, digits, text);
    sink_put(sink, text, length);
}

void sink_replace(Sink *sink, uint64_t offset, const void *data, size_t size)
{
    flush(sink);
    if (sink->status != MOTE_OK) return;
    int failure = file_put(sink->file.fd, data, size, offset);
    if (failure != 0) sink->status = file_failed(sink->file.path, "write it", failure, sink->error);
}

void sink_drop(Sink *sink)
{
    if (sink->status == MOTE_OK) sink->status = MOTE_CANCELLED;
    sink_end(sink);
}

mote_Status sink_end(Sink *sink)
{
    flush(sink);
    if (sink->status == MOTE_OK)
        sink->status = file_commit(&sink->file, sink->error);
    else
        file_discard(&sink->file);
    memory_free(sink->memory, sink->buffer, BUFFER);
    return sink->status;
}
