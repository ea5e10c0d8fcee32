/* The export family. A row writes one part of a frame as one file, or all frames of a run as one
 * (a film). */
#ifndef IO_EXPORT_H
#define IO_EXPORT_H

#include <mote/io.h>

#include "io/file.h"
#include "io/part.h"

/* The list of rows. */
#define EXPORT_ROWS(X)                                                                             \
    X(export_ply)                                                                                  \
    X(export_vtp)                                                                                  \
    X(export_obj)                                                                                  \
    X(export_csv)                                                                                  \
    X(export_links)                                                                                \
    X(export_npz)                                                                                  \
    X(export_pcache)                                                                               \
    X(export_glb)                                                                                  \
    X(export_usda)                                                                                 \
    X(export_mdd)                                                                                  \
    X(export_pc2)                                                                                  \
    X(export_h5part)                                                                               \
    X(export_vti)                                                                                  \
    X(export_vdb)

/* A file of many frames that is being made. */
typedef struct Film {
    const char *path;
    Memory *memory;
    uint64_t frames; /* that will come */
    double scale;    /* of the view */
    int up;
    const void *form; /* of the row: what formats that are written alike differ in */
    void *state;      /* the row's own */
} Film;

typedef struct FilmRow {
    bool one_part; /* a file for each part */
    size_t state_size;
    const void *form; /* given to films */
    /* At the first frame; `state` is zero. */
    mote_Status (*begin)(Film *film, const mote_Frame *frame, mote_Error *error);
    mote_Status (*add)(Film *film, const mote_Frame *frame, const Part *part, mote_Error *error);
    mote_Status (*end)(Film *film, mote_Error *error);
    /* Gives everything back, whether it was ended or not. */
    void (*close)(Film *film);
} FilmRow;

/* The `head` of a format whose files end with its name. */
#define EXPORT_HEAD(name_, doc_)                                                                   \
    {                                                                                              \
        .name = name_, .extension = "." name_, .doc = doc_                                         \
    }

typedef struct ExportRow {
    mote_ExportFormat head;
    unsigned holds; /* PART_... */
    bool needs_places;
    bool keeps_poses; /* shapes come in their own frame */
    bool volumes;     /* particles come as a volume */
    int up;           /* 1 + the axis that the format says is up; 0: any */
    /* Either: fills a file that is being written. */
    void (*write)(Sink *sink, const mote_Frame *frame, const Part *part);
    /* What the format cannot hold; NULL: nothing. */
    mote_Status (*check)(const Part *part, const char *path, mote_Error *error);
    /* Or: makes the file itself; `system` NULL: all. */
    mote_Status (*write_file)(const mote_Frame *frame, const mote_FrameSystem *system,
                              const char *path, Memory *memory, mote_Error *error);
    /* Or: all frames in one file. */
    const FilmRow *film;
    const char *collection; /* of viewers that want a list of a run's files; NULL: none do */
} ExportRow;

#define EXPORT_EXTERN(row) extern const ExportRow row;
EXPORT_ROWS(EXPORT_EXTERN)

/* The row of that format; NULL: there is none. */
const ExportRow *export_named(const char *format);

/* mote_export with an allocator. */
mote_Status export_write(const char *format, const mote_Frame *frame, const char *part,
                         const char *path, Memory *memory, mote_Error *error);

/* Writes a listed part as a file of its own. */
mote_Status export_part(const ExportRow *row, const mote_Frame *frame, const PartView *view,
                        const Part *part, const char *path, Memory *memory, mote_Error *error);

/* ---- films ---- */

/* Begins at this frame; close it whatever happens. */
mote_Status film_open(const ExportRow *row, const mote_Frame *frame, Film *film, mote_Error *error);
mote_Status film_add(const ExportRow *row, Film *film, const mote_Frame *frame,
                     const PartView *view, const Part *part, mote_Error *error);
void film_close(const ExportRow *row, Film *film);

/* The suffix of a component: "" for a single one, "_x" of three, "_0" of others. */
const char *export_suffix(const mote_Column *column, int component);

#endif
