/* What a run keeps: the manifest, frames and checkpoints, and where it may start. */
#ifndef RUN_CACHE_H
#define RUN_CACHE_H

#include <mote/io.h>
#include <mote/run.h>
#include <mote/world.h>

#include "io/manifest.h"
#include "run/crew.h"
#include "run/folder.h"

typedef struct Cache {
    const mote_RunDef *def;
    const Folder *folder;
    Manifest *manifest;
    Manifest *old; /* of the runs before; NULL: there is none */
    bool frames;   /* write them */
    mote_Tasks *tasks;
    uint64_t last;       /* frame of this run */
    uint64_t reached;    /* by the runs before; 0 without one */
    ManifestState ended; /* what the folder holds when all has gone well */
    double start;        /* s */
    int lock;
} Cache;

/* Looks at the folder, decides whether this run may write there, takes over what is whole of the
 * runs before, and begins the tables of the world. */
mote_Status cache_open(Cache *cache, mote_Scene *scene, const mote_World *world, mote_Error *error);
void cache_close(Cache *cache);

/* True when every frame from `first` up to `end`, without it, is in the cache. */
bool cache_has_all(const Cache *cache, uint64_t first, uint64_t end);

/* What the user should know of the folder: "frame 3 is damaged; ...". */
__attribute__((format(printf, 2, 3))) void cache_tell(const Cache *cache, const char *format, ...);
/* Word of files that are being looked at. */
void cache_checking(const Cache *cache, uint64_t done, uint64_t last);

/* Writes the frame's file; listing it is left to the caller. `feed`: where its data comes from;
 * NULL: it is there. */
mote_Status cache_write_frame(const Cache *cache, const mote_Frame *frame,
                              const struct NpzFeed *feed, FileSum *file, mote_Error *error);
/* Writes the world's state and then the manifest that lists it. */
mote_Status cache_checkpoint(Cache *cache, Crew *crew, mote_Error *error);
/* The manifest alone. */
mote_Status cache_note(Cache *cache, ManifestState state, mote_Error *error);

/* ---- a cache that is only read ---- */

/* Opens the manifest of a folder that holds a run; and one that holds frames. */
mote_Status cache_find(const char *path, Folder *folder, Manifest **manifest, mote_Error *error);
mote_Status cache_look(const char *path, Folder *folder, Manifest **manifest, mote_Error *error);
/* Lists frames that are complete before the manifest does: of a run that goes on, or was killed. */
mote_Status cache_list_new(const Folder *folder, Manifest *manifest, mote_Error *error);
/* The frames from first to last (< 0: no bound) that are there, as a run of the manifest's. */
mote_Status cache_choose(const Manifest *manifest, int64_t first, int64_t last, size_t *begin,
                         size_t *count, mote_Error *error);
/* Reads a frame with the shapes that this library knows; `earlier`: see mote_FrameReadDef. */
mote_Status cache_read_frame(const Folder *folder, uint64_t index, const mote_Frame *earlier,
                             mote_Frame **frame, mote_Error *error);

/* ---- tables.c ---- */

/* Tables of a run, which grow by lines: log.jsonl, and probes/NAME.csv. The manifest has the sum of
 * what is complete, so that damage is seen and a line cut by a kill is dropped. */

/* Lists the tables of the world in the manifest and begins those that are missing. Of those that
 * the manifest `old` (NULL: none) lists, what is whole is kept, and damage is told. */
mote_Status tables_open(Cache *cache, const mote_World *world, const Manifest *old,
                        mote_Error *error);
/* The probes at frame 0, where the world stands. */
mote_Status tables_start(Cache *cache, Crew *crew, mote_Error *error);
/* The lines of the last step, for tables that do not have them. */
mote_Status tables_add(Cache *cache, const mote_World *world, const mote_StepReport *report,
                       mote_Error *error);

/* ---- start.c ---- */

/* What a run has to make: everything up to its last frame that is not there, or is asked for again.
 */

typedef struct Needs {
    const Cache *cache;
    int64_t from;     /* >= 0: make frames from here on again */
    uint64_t last;    /* of this run */
    uint64_t reached; /* by the runs before; 0 without one */
} Needs;

/* Whether the frame is made again though it is there. */
bool needs_again(const Needs *needs, uint64_t frame);
/* Whether the frame is to be written, and drawn. */
bool needs_frame(const Needs *needs, uint64_t frame);
/* The first frame from `after` on that the world must come to, for the frame itself, for lines of
 * tables, or for the last checkpoint; UINT64_MAX when there is none. */
uint64_t needs_next(const Needs *needs, uint64_t after);

/* Where a run may start, and what it takes over of the runs before it. */

/* MOTE_OK when the run of `old` may be gone on with or run again, as the run is asked to. */
mote_Status start_check(const Cache *cache, const Manifest *old, mote_Error *error);

/* Lists what is whole of the frames and checkpoints of `old`; damage is told. */
mote_Status start_take_over(Cache *cache, const Manifest *old, mote_Error *error);

/* The last frame that the run of the manifest is known to have reached. */
uint64_t start_reached(const Manifest *manifest);

/* Brings the world to the newest checkpoint of a frame below `before`, unless it stands at that
 * frame or behind it already. A checkpoint that turns out to be damaged is told and forgotten.
 * *at: the frame that the world has come to; -1: it has yet to be started, there or at its start.
 */
mote_Status start_world(Cache *cache, Crew *crew, uint64_t before, int64_t *at, mote_Error *error);

/* ---- tables.c: log.jsonl ---- */

/* log.jsonl: one JSON object per frame, for people and plots. */

#define LOG_NAME "log.jsonl"

/* The frames, from 0 on, whose lines are whole, and the bytes of those lines. Frame 0 has none. */
uint64_t log_scan(const char *path, long *bytes);
mote_Status log_add(const char *path, const mote_StepReport *report, mote_Error *error);

/* ---- probe_table.c ---- */

/* probes/NAME.csv: a line for each sample of a probe, with its time. */

/* The table's name inside the folder. */
void probe_file(const mote_ProbeSamples *probe, char file[FOLDER_LONGEST_NAME + 1]);
/* The frames, from 0 on, whose lines are surely whole, and the bytes of those lines. */
uint64_t probe_scan(const char *path, double fps, long *bytes);
/* Begins the table with the names of its columns. */
mote_Status probe_begin(const mote_ProbeSamples *probe, const char *path, mote_Error *error);
/* The samples of the last step. */
mote_Status probe_add(const mote_ProbeSamples *probe, const char *path, mote_Error *error);

#endif
