/* What a run keeps. A kill at any moment leaves a manifest that lists only complete files: frames
 * first, then the checkpoint, then the manifest. */
#include "run/cache.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static mote_Status new_manifest(Cache *cache, const mote_Scene *scene, uint64_t last,
                                mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(scene);
    mote_Allocator plain = mote_default_allocator();
    mote_Status status = manifest_create(plain, info.name, &cache->manifest, error);
    if (status != MOTE_OK) return status;
    cache->manifest->scene_hash = info.hash;
    cache->manifest->fps = info.fps;
    cache->manifest->frames_planned = last;
    for (size_t i = 0; status == MOTE_OK; ++i) {
        mote_SceneValue value = mote_scene_value(scene, i);
        if (value.path == NULL) break;
        status = manifest_add_item(cache->manifest, value.path, value.hash, error);
    }
    return status;
}

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

/* ---- where does it start? ---- */

static mote_Status restore(const Cache *cache, uint64_t frame, mote_World *world, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_State *state;
    folder_checkpoint(cache->folder, frame, path);
    mote_Status status = mote_state_read(path, &state, error);
    if (status != MOTE_OK) return status;
    status = mote_world_restore(world, state->arrays, state->count, error);
    mote_state_destroy(state);
    return status;
}

/* The newest readable checkpoint that continues after a frame below `before`; a damaged one is
 * passed over. False: none, the world starts anew. */
static bool restore_newest(const Cache *cache, const Manifest *old, uint64_t before,
                           mote_World *world, uint64_t *frame)
{
    mote_Error reason;
    for (uint64_t below = before;;) {
        const ManifestCheckpoint *best = NULL;
        for (size_t i = 0; i < old->checkpoint_count; ++i) {
            const ManifestCheckpoint *c = &old->checkpoints[i];
            if (c->frame < below && (best == NULL || c->frame > best->frame)) best = c;
        }
        if (best == NULL) return false;
        *frame = below = best->frame;
        if (restore(cache, best->frame, world, &reason) == MOTE_OK) return true;
    }
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

static mote_Status go_on(Cache *cache, const Manifest *old, const mote_RunDef *def,
                         mote_World *world, uint64_t *again, mote_Error *error)
{
    uint64_t at = 0, before = def->from >= 0 ? (uint64_t)def->from : UINT64_MAX;
    bool found = before > 0 && restore_newest(cache, old, before, world, &at);
    *again = def->from >= 0 ? (uint64_t)def->from : found ? at + 1 : 0;
    return take_over(cache, old, *again, error);
}

mote_Status cache_open(Cache *cache, mote_Scene *scene, const mote_RunDef *def, mote_World *world,
                       uint64_t *again, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(scene);
    char path[FOLDER_PATH];
    Manifest *old = NULL;
    *again = 0;
    cache->frames = info.cache;
    mote_Status status =
        new_manifest(cache, scene, def->last >= 0 ? (uint64_t)def->last : info.frames, error);
    folder_file(cache->folder, MANIFEST_NAME, path);
    if (status == MOTE_OK && def->force) status = folder_clear(cache->folder, error);
    if (status == MOTE_OK && folder_has(cache->folder, MANIFEST_NAME)) {
        status = manifest_open(path, &old, error);
        if (status == MOTE_OK) status = check_fits(cache, old, error);
        if (status == MOTE_OK) status = check_state(cache, old, def, error);
        if (status == MOTE_OK) status = go_on(cache, old, def, world, again, error);
        manifest_destroy(old);
    } else if (status == MOTE_OK && (def->resume || def->from > 0)) {
        status = status_fail(error, MOTE_BAD_VALUE,
                             "%s holds no run to go on with; start one without --resume and --from",
                             file_label(cache->folder->path));
    }
    if (status == MOTE_OK) status = folder_make(cache->folder, error);
    if (status == MOTE_OK)
        status = folder_write_text(cache->folder, "scene.json5", mote_scene_print(scene), error);
    if (status == MOTE_OK) status = cache_note(cache, MANIFEST_RUNNING, error);
    return status;
}

void cache_close(Cache *cache)
{
    manifest_destroy(cache->manifest);
    cache->manifest = NULL;
}

/* ---- writing ---- */

mote_Status cache_add_frame(Cache *cache, const mote_Frame *frame, mote_Error *error)
{
    char path[FOLDER_PATH];
    if (!cache->frames) return MOTE_OK;
    folder_frame(cache->folder, frame->index, path);
    mote_Status status = mote_frame_write(frame, path, cache->tasks, error);
    if (status != MOTE_OK) return status;
    return manifest_add_frame(cache->manifest, frame->index, folder_file_size(path), error);
}

mote_Status cache_note(Cache *cache, ManifestState state, mote_Error *error)
{
    char path[FOLDER_PATH];
    folder_file(cache->folder, MANIFEST_NAME, path);
    cache->manifest->state = state;
    return manifest_write(cache->manifest, path, error);
}

mote_Status cache_checkpoint(Cache *cache, mote_World *world, ManifestState state,
                             mote_Error *error)
{
    const mote_StateArray *arrays;
    size_t count;
    char path[FOLDER_PATH], name[64];
    uint64_t frame = mote_world_frame_index(world);
    folder_checkpoint(cache->folder, frame, path);
    folder_checkpoint_name(frame, name);
    mote_Status status = mote_world_state(world, &arrays, &count, error);
    if (status == MOTE_OK) status = mote_state_write(path, arrays, count, cache->tasks, error);
    ManifestCheckpoint checkpoint = {name, frame, folder_file_size(path)};
    if (status == MOTE_OK) status = manifest_add_checkpoint(cache->manifest, &checkpoint, error);
    if (status == MOTE_OK) status = cache_note(cache, state, error);
    return status;
}
