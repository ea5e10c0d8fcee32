/* Where a run may start: what the folder holds must be of the same scene and precision, and the
 * newest checkpoint that is whole is gone on from. */
#include "run/start.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* ---- may this run write here? ---- */

static mote_Status other_scene(const Cache *cache, const Manifest *old, mote_Error *error)
{
    ManifestChange changes[3];
    static const char *const verbs[] = {"changed", "is new", "was removed"};
    char text[300] = "";
    size_t count = manifest_compare(old, cache->manifest, changes, 3), used = 0;
    for (size_t i = 0; i < count && i < 3 && used < sizeof text; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.60s %s", i > 0 ? ", " : "",
                                 changes[i].path, verbs[changes[i].kind]);
    if (count > 3 && used < sizeof text)
        snprintf(text + used, sizeof text - used, ", and %zu more", count - 3);
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s holds a run of another scene: %s; choose another folder with -o, or "
                       "--force to throw it away",
                       file_label(cache->folder->path),
                       text[0] != '\0' ? text : "its values differ");
}

static mote_Status check_fits(const Cache *cache, const Manifest *old, mote_Error *error)
{
    const char *label = file_label(cache->folder->path);
    if (old->real_bytes != (int)sizeof(mote_real))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s was made by %s, which computes with other numbers; use that "
                           "program, another folder with -o, or --force",
                           label, old->real_bytes == 4 ? "mote" : "mote-double");
    if (old->scene_hash != cache->manifest->scene_hash) return other_scene(cache, old, error);
    return MOTE_OK;
}

static mote_Status check_state(const Cache *cache, const Manifest *old, const mote_RunDef *def,
                               mote_Error *error)
{
    const char *label = file_label(cache->folder->path);
    if (def->resume || def->from >= 0) return MOTE_OK;
    if (old->state == MANIFEST_FINISHED)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s holds a finished run of this scene; --force throws it away, --from n "
            "runs again from frame n, -o chooses another folder",
            label);
    return status_fail(
        error, MOTE_BAD_VALUE,
        "%s holds an unfinished run of this scene; --resume goes on with it, --force "
        "throws it away",
        label);
}

/* The last frame that the run of the manifest is known to have reached. */
static uint64_t frame_reached(const Manifest *manifest)
{
    size_t count = manifest->frame_count;
    uint64_t reached = count > 0 ? manifest->frames[count - 1].index : 0;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame > reached) reached = manifest->checkpoints[i].frame;
    return reached;
}

/* A frame further on would leave a gap. */
static mote_Status check_from(const Cache *cache, const Manifest *old, const mote_RunDef *def,
                              mote_Error *error)
{
    uint64_t reached = frame_reached(old), planned = cache->manifest->frames_planned;
    if (def->from < 0) return MOTE_OK;
    if ((uint64_t)def->from > planned)
        return status_fail(error, MOTE_BAD_VALUE,
                           "there is no frame %lld to run again: the run ends at frame %llu",
                           (long long)def->from, (unsigned long long)planned);
    if ((uint64_t)def->from <= reached + 1) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s holds no frame %lld to run again, only frames up to %llu; --resume "
                       "goes on from there",
                       file_label(cache->folder->path), (long long)def->from,
                       (unsigned long long)reached);
}

mote_Status start_check(const Cache *cache, const Manifest *old, const mote_RunDef *def,
                        mote_Error *error)
{
    mote_Status status = check_fits(cache, old, error);
    if (status == MOTE_OK) status = check_state(cache, old, def, error);
    if (status == MOTE_OK) status = check_from(cache, old, def, error);
    return status;
}

/* ---- where does it start? ---- */

typedef struct Start {
    const Cache *cache;
    const Manifest *old;
    mote_Scene *scene;
    mote_World **world;
    bool spoilt; /* the world holds a part of a state */
} Start;

static mote_Status restore(Start *start, uint64_t frame, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_State *state;
    folder_checkpoint(start->cache->folder, frame, path);
    mote_Status status = mote_state_read(path, &state, error);
    if (status != MOTE_OK) return status;
    status = mote_world_restore(*start->world, state->arrays, state->count, error);
    mote_state_destroy(state);
    if (status == MOTE_OK && mote_world_frame_index(*start->world) != frame)
        status = status_fail(error, MOTE_BAD_VALUE, "%s: holds another frame", file_label(path));
    start->spoilt = status != MOTE_OK;
    return status;
}

static const ManifestCheckpoint *newest_below(const Manifest *manifest, uint64_t below)
{
    const ManifestCheckpoint *best = NULL;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i) {
        const ManifestCheckpoint *c = &manifest->checkpoints[i];
        if (c->frame < below && (best == NULL || c->frame > best->frame)) best = c;
    }
    return best;
}

/* Restores the newest readable checkpoint of a frame below `below`; a damaged one is passed over.
 * *after: the frame after it, 0 when there is none and the world starts anew. */
static mote_Status restore_newest(Start *start, uint64_t below, uint64_t *after, mote_Error *error)
{
    const ManifestCheckpoint *checkpoint;
    while ((checkpoint = newest_below(start->old, below)) != NULL) {
        mote_Status status = restore(start, checkpoint->frame, error);
        if (status == MOTE_NO_MEMORY) return status;
        below = checkpoint->frame;
        *after = checkpoint->frame + 1;
        if (status == MOTE_OK) return MOTE_OK;
    }
    *after = 0;
    if (!start->spoilt) return MOTE_OK;
    mote_world_destroy(*start->world);
    *start->world = NULL;
    return mote_scene_world(start->scene, start->cache->tasks, start->world, error);
}

/* The first listed frame whose file is gone or has another size; UINT64_MAX: all are there. */
static uint64_t first_missing(const Start *start)
{
    for (size_t i = 0; i < start->old->frame_count; ++i) {
        char path[FOLDER_PATH];
        const ManifestFrame *frame = &start->old->frames[i];
        folder_frame(start->cache->folder, frame->index, path);
        if (folder_file_size(path) != frame->bytes) return frame->index;
    }
    return UINT64_MAX;
}

/* Takes over the frames below `again` and the checkpoints before it. */
static mote_Status take_over(Cache *cache, const Manifest *old, uint64_t again, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < old->frame_count && status == MOTE_OK; ++i)
        if (old->frames[i].index < again)
            status = manifest_add_frame(cache->manifest, old->frames[i].index, old->frames[i].bytes,
                                        error);
    for (size_t i = 0; i < old->checkpoint_count && status == MOTE_OK; ++i)
        if (old->checkpoints[i].frame < again)
            status = manifest_add_checkpoint(cache->manifest, &old->checkpoints[i], error);
    return status;
}

mote_Status start_go_on(Cache *cache, const Manifest *old, mote_Scene *scene,
                        const mote_RunDef *def, mote_World **world, uint64_t *again,
                        mote_Error *error)
{
    Start start = {.cache = cache, .old = old, .scene = scene, .world = world};
    uint64_t below = def->from >= 0 ? (uint64_t)def->from : UINT64_MAX, after;
    uint64_t missing = first_missing(&start);
    if (missing < below) below = missing;
    mote_Status status = restore_newest(&start, below, &after, error);
    if (status != MOTE_OK) return status;
    *again = def->from >= 0 ? below : after;
    if (after > cache->manifest->frames_planned + 1) cache->manifest->frames_planned = after - 1;
    return take_over(cache, old, *again, error);
}
