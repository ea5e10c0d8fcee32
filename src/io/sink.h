/* A file written from its beginning to its end through a buffer; the first failure is kept. */
#ifndef IO_SINK_H
#define IO_SINK_H

#include "base/memory.h"
#include "io/file.h"

typedef struct Sink {
    OutFile file;
    Memory *memory;
    char *buffer;
    size_t used;
    uint64_t offset; /* of the buffer's beginning */
    mote_Status status;
    mote_Error *error;
} Sink;

/* On failure nothing is left to be ended. */
mote_Status sink_begin(Sink *sink, const char *path, Memory *memory, mote_Error *error);
void sink_put(Sink *sink, const void *data, size_t size);
void sink_text(Sink *sink, const char *text);
__attribute__((format(printf, 2, 3))) void sink_print(Sink *sink, const char *format, ...);
/* %.9g or %.17g with a decimal point. */
void sink_number(Sink *sink, double value, int digits);
/* Commits the file, or discards it when something failed. */
mote_Status sink_end(Sink *sink);

#endif
