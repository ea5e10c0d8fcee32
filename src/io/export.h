/* The export family: a row writes one system of a frame as one file. */
#ifndef IO_EXPORT_H
#define IO_EXPORT_H

#include <mote/io.h>

#include "base/memory.h"
#include "frame/mesh_rows.h"
#include "io/file.h"

/* The list of rows. */
#define EXPORT_ROWS(X)                                                                             \
    X(export_ply)                                                                                  \
    X(export_vtp)                                                                                  \
    X(export_obj)                                                                                  \
    X(export_csv)                                                                                  \
    X(export_links)                                                                                \
    X(export_npz)

typedef struct ExportRow {
    mote_ExportFormat head;
    /* Either: fills a file that is being written; `system` is never NULL. */
    void (*write)(Sink *sink, const mote_Frame *frame, const mote_FrameSystem *system);
    /* What the format cannot hold; NULL: nothing. */
    mote_Status (*check)(const mote_FrameSystem *system, const char *path, mote_Error *error);
    /* Or: makes the file itself; `system` NULL: all. */
    mote_Status (*write_file)(const mote_Frame *frame, const mote_FrameSystem *system,
                              const char *path, Memory *memory, mote_Error *error);
    bool collected; /* viewers want a list of a run's files, with times */
} ExportRow;

#define EXPORT_EXTERN(row) extern const ExportRow row;
EXPORT_ROWS(EXPORT_EXTERN)

/* The row of that format; NULL: there is none. */
const ExportRow *export_named(const char *format);

/* mote_export with an allocator. */
mote_Status export_write(const char *format, const mote_Frame *frame, const char *system,
                         const char *path, Memory *memory, mote_Error *error);

/* Rows of the system's links and triangles, in memory of the arena; none when out of memory, which
 * fails the sink. */
MeshRows export_mesh(Sink *sink, const mote_Frame *frame, const mote_FrameSystem *system,
                     Arena *arena);

/* MOTE_OK when there are positions of three components; `format` for the message. */
mote_Status export_check_positions(const mote_FrameSystem *system, const char *path,
                                   const char *format, mote_Error *error);

/* The suffix of a component: "" for a single one, "_x" of three, "_0" of others. */
const char *export_suffix(const mote_Column *column, int component);

#endif
