/* Files: output that appears whole or not at all, and input that is never trusted.
 *
 * Output goes to a temporary name in the same folder; commit writes it to the disk, renames it and
 * writes the folder to the disk, so a reader (or the next run after a power cut) sees the old file
 * or the complete new one. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include <mote/base.h>

#include "base/memory.h"
#include "base/system.h"

typedef struct OutFile {
    const char *path; /* of the caller */
    const char *name; /* its last part */
    int folder, fd;   /* -1 when closed */
    char temporary[SYSTEM_NAME];
} OutFile;

mote_Status file_begin(OutFile *file, const char *path, mote_Error *error);
/* Makes the file visible under its name; on failure it is discarded. */
mote_Status file_commit(OutFile *file, mote_Error *error);
/* Closes and removes the temporary file. */
void file_discard(OutFile *file);
/* Writes all of it; 0 or an errno. May be called from several threads. */
int file_put(int fd, const void *data, size_t size, uint64_t offset);
/* Lets the disk begin with what was put, where the system can; failures show at the commit. */
void file_push(int fd, size_t size, uint64_t offset);

/* "PATH: could not DO: REASON" with MOTE_IO_FAILED. */
mote_Status file_failed(const char *path, const char *doing, int code, mote_Error *error);
/* The end of a path, short enough to leave room for the reason in a message. */
const char *file_label(const char *path);

/* Bytes to read: a file, or memory. */
typedef struct Source {
    const char *path;           /* for messages; of the caller */
    int fd;                     /* -1: memory */
    const unsigned char *bytes; /* of the caller */
    uint64_t size;
    bool unchecked; /* check sums are not compared, so that fuzzing gets behind them */
} Source;

mote_Status source_open(Source *source, const char *path, mote_Error *error);
Source source_memory(const char *path, const void *bytes, size_t size);
void source_close(Source *source);
/* Fails when the range is not all there. */
mote_Status source_read(const Source *source, uint64_t offset, void *data, size_t size,
                        mote_Error *error);

/* What a file must have; a sum of 0 is not known. */
typedef struct FileSum {
    uint64_t bytes;
    uint32_t sum; /* CRC-32 */
} FileSum;

/* Continues `sum` over the rest of the file; what cannot be read is left out. */
void file_sum(const char *path, FileSum *sum);

typedef enum FileHealth { FILE_WHOLE, FILE_MISSING, FILE_DAMAGED } FileHealth;

/* Whether a file begins with what it must have; `all`: and has nothing more. */
FileHealth file_health(const char *path, FileSum wanted, bool all);

/* A file written from its beginning to its end through a buffer; the first failure is kept. */

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
/* Writes over what was put before. */
void sink_replace(Sink *sink, uint64_t offset, const void *data, size_t size);
/* Ends it without a file. */
void sink_drop(Sink *sink);
/* Commits the file, or discards it when something failed. */
mote_Status sink_end(Sink *sink);

#endif
