/* manifest.json: what an output folder holds, so that a run can be continued and a viewer knows
 * what is there. It names no machine and no time, and paths outside the folder in the command
 * alone. */
#ifndef IO_MANIFEST_H
#define IO_MANIFEST_H

#include <mote/base.h>

#include "base/memory.h"
#include "io/file.h"

#define MANIFEST_NAME "manifest.json"

enum { MANIFEST_FORMAT = 1 };

typedef enum ManifestState {
    MANIFEST_RUNNING, /* or killed: what is listed is complete in any case */
    MANIFEST_FINISHED,
    MANIFEST_STOPPED,
    MANIFEST_STATES
} ManifestState;

extern const char *const manifest_states[MANIFEST_STATES]; /* their names in the file */

/* One value of the scene, as a hash, so that a later run can say what was changed. */
typedef struct ManifestItem {
    const char *path; /* "systems.water.viscosity" */
    uint64_t hash;
} ManifestItem;

typedef struct ManifestFrame {
    uint64_t index;
    FileSum file;
    bool lost; /* it is not there as it was; not in the file, so that the next run finds out too */
} ManifestFrame;

typedef struct ManifestCheckpoint {
    const char *file; /* inside the folder */
    uint64_t frame;   /* the frame it continues after */
    FileSum sum;
} ManifestCheckpoint;

/* A table that grows by lines: the log, and those of probes. */
typedef struct ManifestTable {
    const char *file; /* inside the folder */
    uint64_t frames;  /* whose lines are there, from frame 0 on */
    FileSum sum;      /* of those lines */
} ManifestTable;

/* One column of a probe's table. */
typedef struct ManifestColumn {
    const char *probe, *file; /* file: inside the folder */
    const char *column, *unit;
} ManifestColumn;

typedef struct Manifest {
    Memory memory;
    Arena arena; /* texts */
    const char *scene;
    const char *mote;    /* version that wrote it */
    const char *command; /* that made it; "": not known */
    int real_bytes;      /* 4 or 8 */
    uint64_t scene_hash;
    double fps; /* 1/s */
    uint64_t frames_planned;
    ManifestState state;
    ManifestItem *items; /* in the order they were added */
    size_t item_count, item_capacity;
    ManifestFrame *frames; /* ascending */
    size_t frame_count, frame_capacity;
    ManifestCheckpoint *checkpoints; /* in the order they were added */
    size_t checkpoint_count, checkpoint_capacity;
    ManifestColumn *columns; /* of all probes, in the order of their tables */
    size_t column_count, column_capacity;
    ManifestTable *tables;
    size_t table_count, table_capacity;
} Manifest;

/* An empty manifest of this library; texts given to it are copied. */
mote_Status manifest_create(mote_Allocator allocator, const char *scene, Manifest **manifest,
                            mote_Error *error);
void manifest_destroy(Manifest *manifest); /* NULL is allowed */
mote_Status manifest_add_item(Manifest *manifest, const char *path, uint64_t hash,
                              mote_Error *error);
mote_Status manifest_set_command(Manifest *manifest, const char *command, mote_Error *error);
/* In any order; a frame that is there already gets the new sum, and is no longer lost. */
mote_Status manifest_add_frame(Manifest *manifest, uint64_t index, FileSum file, mote_Error *error);
mote_Status manifest_add_checkpoint(Manifest *manifest, const ManifestCheckpoint *checkpoint,
                                    mote_Error *error);
/* Forgets what is listed. */
void manifest_drop_checkpoint(Manifest *manifest, uint64_t frame);
mote_Status manifest_add_table(Manifest *manifest, const ManifestTable *table, mote_Error *error);
mote_Status manifest_add_column(Manifest *manifest, const ManifestColumn *column,
                                mote_Error *error);
/* NULL when the frame is not there. */
const ManifestFrame *manifest_frame(const Manifest *manifest, uint64_t index);
void manifest_lose_frame(Manifest *manifest, uint64_t index);
const ManifestCheckpoint *manifest_checkpoint(const Manifest *manifest, uint64_t frame);
const ManifestTable *manifest_table(const Manifest *manifest, const char *file);

/* `path` names the file. */
mote_Status manifest_write(Manifest *manifest, const char *path, mote_Error *error);
/* From anywhere; the source is closed. */
mote_Status manifest_read(Source source, mote_Allocator allocator, Manifest **manifest,
                          mote_Error *error);
mote_Status manifest_open(const char *path, Manifest **manifest, mote_Error *error);

typedef enum ManifestChangeKind {
    MANIFEST_CHANGED,
    MANIFEST_ADDED,
    MANIFEST_REMOVED
} ManifestChangeKind;

typedef struct ManifestChange {
    const char *path; /* lives as long as the manifest it comes from */
    ManifestChangeKind kind;
} ManifestChange;

/* What changed from `before` to `after`: writes the first `most` changes, returns how many there
 * are. */
size_t manifest_compare(const Manifest *before, const Manifest *after, ManifestChange *changes,
                        size_t most);

#endif
