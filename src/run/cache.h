/* What a run keeps: the manifest, frames and checkpoints, and where it may start. */
#ifndef RUN_CACHE_H
#define RUN_CACHE_H

#include <mote/io.h>
#include <mote/run.h>

#include "io/manifest.h"
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

/* Writes the frame's file; listing it is left to the caller. */
mote_Status cache_write_frame(const Cache *cache, const mote_Frame *frame, FileSum *file,
                              mote_Error *error);
/* Writes the world's state and then the manifest that lists it. */
mote_Status cache_checkpoint(Cache *cache, mote_World *world, mote_Error *error);
/* The manifest alone. */
mote_Status cache_note(Cache *cache, ManifestState state, mote_Error *error);

/* ---- a cache that is only read ---- */

/* Opens the manifest of a folder that holds a run; and one that holds frames. */
mote_Status cache_find(const char *path, Folder *folder, Manifest **manifest, mote_Error *error);
mote_Status cache_look(const char *path, Folder *folder, Manifest **manifest, mote_Error *error);
/* Lists frames that are complete before the manifest does: of a run that goes on, or was killed. */
mote_Status cache_list_new(const Folder *folder, Manifest *manifest, mote_Error *error);
/* Reads a frame with the shapes that this library knows; `earlier`: see mote_FrameReadDef. */
mote_Status cache_read_frame(const Folder *folder, uint64_t index, const mote_Frame *earlier,
                             mote_Frame **frame, mote_Error *error);

#endif
