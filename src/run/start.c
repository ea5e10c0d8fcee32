/* Where a run may start: what the folder holds must be of the same scene and precision; what is
 * whole of it is kept, and the newest checkpoint that is whole is gone on from. */
#include "run/cache.h"

#include "base/status.h"
#include "run/folder.h"

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

static mote_Status check_state(const Cache *cache, const Manifest *old, mote_Error *error)
{
    const char *label = file_label(cache->folder->path);
    const mote_RunDef *def = cache->def;
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

uint64_t start_reached(const Manifest *manifest)
{
    size_t count = manifest->frame_count;
    uint64_t reached = count > 0 ? manifest->frames[count - 1].index : 0;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame > reached) reached = manifest->checkpoints[i].frame;
    return reached;
}

/* A frame further on would leave a gap. */
static mote_Status check_from(const Cache *cache, const Manifest *old, mote_Error *error)
{
    const mote_RunDef *def = cache->def;
    uint64_t reached = start_reached(old), planned = cache->manifest->frames_planned;
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

mote_Status start_check(const Cache *cache, const Manifest *old, mote_Error *error)
{
    mote_Status status = check_fits(cache, old, error);
    if (status == MOTE_OK) status = check_state(cache, old, error);
    if (status == MOTE_OK) status = check_from(cache, old, error);
    return status;
}

/* ---- what is kept ---- */

/* What is not whole, in one list each for what is missing and what is damaged. */
typedef struct FoundRun {
    FrameList lists[FILE_DAMAGED + 1];
} FoundRun;

static void tell_found(const Cache *cache, FoundRun *found, const char *what, const char *when)
{
    static const char *const states[] = {[FILE_MISSING] = "missing", [FILE_DAMAGED] = "damaged"};
    for (int i = FILE_MISSING; i <= FILE_DAMAGED; ++i) {
        const uint64_t count = found->lists[i].count;
        if (count == 0) continue;
        const char *text = frame_list_text(&found->lists[i]);
        if (count == 1)
            cache_tell(cache, "%s %s is %s; it is made again%s", what, text, states[i], when);
        else
            cache_tell(cache, "%ss %s are %s; they are made again%s", what, text, states[i], when);
    }
}

/* Frames that this run makes again in any case, or does not come to, are not looked at. */
static bool is_looked_at(const Cache *cache, uint64_t frame)
{
    const int64_t from = cache->def->from;
    return frame <= cache->last && (from < 0 || frame < (uint64_t)from);
}

static mote_Status take_frames(Cache *cache, const Manifest *old, mote_Error *error)
{
    FoundRun found = {0};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < old->frame_count && status == MOTE_OK; ++i) {
        const ManifestFrame *frame = &old->frames[i];
        char path[FOLDER_PATH];
        folder_frame(cache->folder, frame->index, path);
        FileHealth health = FILE_WHOLE;
        if (is_looked_at(cache, frame->index)) health = file_health(path, frame->file, true);
        status = manifest_add_frame(cache->manifest, frame->index, frame->file, error);
        if (health != FILE_WHOLE) {
            manifest_lose_frame(cache->manifest, frame->index);
            frame_list_add(&found.lists[health], frame->index);
        }
        cache_checking(cache, i, old->frame_count - 1);
    }
    tell_found(cache, &found, "frame", "");
    return status;
}

/* A damaged checkpoint goes: nothing can be made of it. */
static mote_Status take_checkpoints(Cache *cache, const Manifest *old, mote_Error *error)
{
    FoundRun found = {0};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < old->checkpoint_count && status == MOTE_OK; ++i) {
        const ManifestCheckpoint *checkpoint = &old->checkpoints[i];
        char path[FOLDER_PATH];
        folder_checkpoint(cache->folder, checkpoint->frame, path);
        const FileHealth health = file_health(path, checkpoint->sum, true);
        if (health == FILE_WHOLE)
            status = manifest_add_checkpoint(cache->manifest, checkpoint, error);
        else
            frame_list_add(&found.lists[health], checkpoint->frame);
    }
    tell_found(cache, &found, "checkpoint", " when the run comes by");
    return status;
}

mote_Status start_take_over(Cache *cache, const Manifest *old, mote_Error *error)
{
    const uint64_t reached = start_reached(old);
    if (reached > cache->manifest->frames_planned) cache->manifest->frames_planned = reached;
    mote_Status status = take_frames(cache, old, error);
    return status == MOTE_OK ? take_checkpoints(cache, old, error) : status;
}

/* ---- where does it start? ---- */

static mote_Status restore(const Cache *cache, uint64_t frame, Crew *crew, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_State *state;
    folder_checkpoint(cache->folder, frame, path);
    mote_Status status = mote_state_read(path, &state, error);
    if (status != MOTE_OK) return status;
    status = crew_restore(crew, state->arrays, state->count, error);
    mote_state_destroy(state);
    if (status == MOTE_OK && mote_world_frame_index(crew->world) != frame)
        status = status_fail(error, MOTE_BAD_VALUE, "%s: holds another frame", file_label(path));
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

/* What has been stepped, or was restored in part, is made anew before it is restored. */
mote_Status start_world(Cache *cache, Crew *crew, uint64_t before, int64_t *at, mote_Error *error)
{
    const ManifestCheckpoint *checkpoint;
    bool used = *at >= 0;
    while ((checkpoint = newest_below(cache->manifest, before)) != NULL) {
        const uint64_t frame = checkpoint->frame;
        if (*at >= 0 && frame <= (uint64_t)*at) return MOTE_OK;
        *at = -1;
        mote_Status status = used ? crew_make(crew, error) : MOTE_OK;
        if (status == MOTE_OK) status = restore(cache, frame, crew, error);
        if (status == MOTE_OK || status == MOTE_NO_MEMORY) return status;
        cache_tell(cache, "checkpoint %llu is damaged; an earlier one is taken",
                   (unsigned long long)frame);
        manifest_drop_checkpoint(cache->manifest, frame);
        used = true;
    }
    return used && *at < 0 ? crew_make(crew, error) : MOTE_OK;
}

/* ---- what is to be made ---- */

/* A frame that was in the cache and is lost is not there. Of one that never was, as without a
 * cache, checkpoints tell that the runs before came by it. */
static bool was_made(const Cache *cache, uint64_t frame)
{
    const Manifest *manifest = cache->manifest;
    const ManifestFrame *listed = manifest_frame(manifest, frame);
    if (listed != NULL && (!listed->lost || cache->frames)) return !listed->lost;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame >= frame) return true;
    return false;
}

bool needs_again(const Needs *needs, uint64_t frame)
{
    return needs->from >= 0 && frame >= (uint64_t)needs->from && frame <= needs->last;
}

bool needs_frame(const Needs *needs, uint64_t frame)
{
    if (frame > needs->last) return false;
    return needs_again(needs, frame) || !was_made(needs->cache, frame);
}

static bool needs_lines(const Manifest *manifest, uint64_t frame)
{
    for (size_t i = 0; i < manifest->table_count; ++i)
        if (manifest->tables[i].frames <= frame) return true;
    return false;
}

/* A run ends with a checkpoint, which a longer one goes on from. */
static bool needs_checkpoint(const Needs *needs, uint64_t frame)
{
    return frame == needs->last && frame >= needs->reached &&
           manifest_checkpoint(needs->cache->manifest, frame) == NULL;
}

uint64_t needs_next(const Needs *needs, uint64_t after)
{
    for (uint64_t i = after; i <= needs->last; ++i)
        if (needs_frame(needs, i) || needs_lines(needs->cache->manifest, i) ||
            needs_checkpoint(needs, i))
            return i;
    return UINT64_MAX;
}
