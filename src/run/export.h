/* Exports of a run: frames of a cache as they look, and the files they become. */
#ifndef RUN_EXPORT_H
#define RUN_EXPORT_H

#include <mote/run.h>

#include "io/export.h"
#include "run/cache.h"

/* ---- dress.c: the colours that the scene's looks compute ---- */

typedef struct Dress {
    mote_Scene *scene; /* NULL: the scene cannot be read, and frames come as they are */
    Arena arena;
    mote_Frame *read; /* the frame that was read last: its meshes are kept for the next one */
    mote_Frame frame;
    bool spread; /* particles get a column of how far their footprint spreads */
} Dress;

/* A scene that cannot be read is a sentence in the note, whose size is MOTE_RUN_TEXT. */
void dress_open(Dress *dress, const Folder *folder, Memory *memory, char *note);
void dress_close(Dress *dress);

/* The frame, and the colours of its shapes in the view; valid until the next call. */
mote_Status dress_frame(Dress *dress, const Folder *folder, uint64_t index,
                        const mote_Frame **frame, PartView *view, mote_Error *error);

/* ---- the export ---- */

typedef struct RunExport {
    const mote_ExportDef *def;
    mote_ExportReport *report;
    const ExportRow *row;
    Folder folder, output;
    const char *inner; /* folder in `output` that the files go to, with its slash; or "" */
    Manifest *manifest;
    size_t first, count; /* of the manifest's frames */
    Memory memory;
    Arena arena; /* what lasts for the whole export */
    Dress dress;
    double *times;      /* s, of the frames */
    const char **parts; /* names of those that are written, in the first frame */
    Film *films;        /* one, or one for each of them */
    size_t part_count, film_count;
    double start; /* s */
} RunExport;

/* ---- export_files.c ---- */

/* The name of a part's file of a frame; the path of a file; that of a part's, by its ending. */
void export_name_file(const RunExport *export, const char *name, uint64_t index, char file[140]);
void export_file_in(const RunExport *export, const char *file, char path[FOLDER_PATH]);
void export_file_at(const RunExport *export, const char *name, const char *ending,
                    char path[FOLDER_PATH]);

/* Where a format has all frames in one file. */
mote_Status export_open_films(RunExport *export, const mote_Frame *frame, mote_Error *error);
mote_Status export_film_part(RunExport *export, const mote_Frame *frame, const PartView *view,
                             const Part *part, mote_Error *error);
mote_Status export_end_films(RunExport *export, mote_Error *error);

/* Lists of a part's files with their times, where viewers want them. */
mote_Status export_write_collections(RunExport *export, mote_Error *error);

#endif
