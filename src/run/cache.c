/* What a run keeps. A kill at any moment leaves a manifest that lists only complete files: frames
 * first, then the checkpoint, then the manifest. */
#include "run/cache.h"

#include "base/status.h"
#include "geometry/shape.h"
#include "run/claim.h"
#include "run/start.h"

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

/* ---- opening ---- */

static mote_Status check_def(const Cache *cache, const mote_RunDef *def, mote_Error *error)
{
    bool there = folder_has(cache->folder, MANIFEST_NAME);
    if (def->force && def->resume)
        return status_fail(error, MOTE_BAD_VALUE,
                           "--force throws a run away and --resume goes on with it; give one");
    if ((def->resume || def->from > 0) && (!there || def->force))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s holds no run to go on with; start one without --resume and --from",
                           file_label(cache->folder->path));
    return MOTE_OK;
}

/* Goes on with the run that is in the folder, if there is one to go on with. */
static mote_Status open_old(Cache *cache, mote_Scene *scene, const mote_RunDef *def,
                            mote_World **world, uint64_t *again, mote_Error *error)
{
    char path[FOLDER_PATH];
    Manifest *old;
    *again = 0;
    if (def->force || !folder_has(cache->folder, MANIFEST_NAME)) return MOTE_OK;
    folder_file(cache->folder, MANIFEST_NAME, path);
    mote_Status status = manifest_open(path, &old, error);
    if (status != MOTE_OK) return status;
    status = start_check(cache, old, def, error);
    if (status == MOTE_OK) status = start_go_on(cache, old, scene, def, world, again, error);
    manifest_destroy(old);
    return status;
}

/* The manifest before anything else: it says whose the folder is, and lists nothing that goes. Then
 * what lies there from frame `stale` on goes, or everything. */
static mote_Status begin(Cache *cache, mote_Scene *scene, bool clear, uint64_t stale,
                         mote_Error *error)
{
    mote_Status status = folder_make_path(cache->folder, error);
    if (status == MOTE_OK && cache->lock < 0)
        status = folder_lock(cache->folder, &cache->lock, error);
    if (status == MOTE_OK) status = cache_note(cache, MANIFEST_RUNNING, error);
    if (status == MOTE_OK && clear) status = folder_clear(cache->folder, error);
    if (status == MOTE_OK) status = folder_make(cache->folder, error);
    if (status == MOTE_OK) status = claim_write_scene(cache->folder, scene, error);
    if (status == MOTE_OK) status = folder_tidy(cache->folder, stale, error);
    return status;
}

mote_Status cache_open(Cache *cache, mote_Scene *scene, const mote_RunDef *def, mote_World **world,
                       uint64_t *again, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(scene);
    uint64_t last = def->last >= 0 ? (uint64_t)def->last : info.frames;
    cache->frames = info.cache;
    cache->lock = -1;
    mote_Status status = new_manifest(cache, scene, last, error);
    if (status == MOTE_OK) status = folder_lock(cache->folder, &cache->lock, error);
    if (status == MOTE_OK) status = claim_check(cache->folder, scene, def->force, error);
    if (status == MOTE_OK) status = check_def(cache, def, error);
    bool there = folder_has(cache->folder, MANIFEST_NAME);
    if (status == MOTE_OK) status = open_old(cache, scene, def, world, again, error);
    uint64_t stale = there && !def->force ? *again : UINT64_MAX;
    if (status == MOTE_OK) status = begin(cache, scene, def->force, stale, error);
    return status;
}

void cache_close(Cache *cache)
{
    manifest_destroy(cache->manifest);
    folder_unlock(cache->lock);
    cache->manifest = NULL;
    cache->lock = -1;
}

bool cache_has_all(const Cache *cache, uint64_t end)
{
    const Manifest *manifest = cache->manifest;
    return end == 0 || (manifest->frame_count >= end && manifest->frames[end - 1].index == end - 1);
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

/* One of the same frame, as a damaged one that was passed over, is replaced. */
static mote_Status list_checkpoint(Cache *cache, ManifestCheckpoint checkpoint, mote_Error *error)
{
    Manifest *manifest = cache->manifest;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame == checkpoint.frame) {
            manifest->checkpoints[i].bytes = checkpoint.bytes;
            return MOTE_OK;
        }
    return manifest_add_checkpoint(manifest, &checkpoint, error);
}

mote_Status cache_checkpoint(Cache *cache, mote_World *world, mote_Error *error)
{
    const mote_StateArray *arrays;
    size_t count;
    char path[FOLDER_PATH], name[64];
    uint64_t frame = mote_world_frame_index(world);
    folder_checkpoint(cache->folder, frame, path);
    folder_checkpoint_name(frame, name);
    mote_Status status = mote_world_state(world, &arrays, &count, error);
    if (status == MOTE_OK) status = mote_state_write(path, arrays, count, cache->tasks, error);
    if (status == MOTE_OK)
        status = list_checkpoint(cache, (ManifestCheckpoint){name, frame, folder_file_size(path)},
                                 error);
    if (status == MOTE_OK) status = cache_note(cache, MANIFEST_RUNNING, error);
    return status;
}

/* ---- reading ---- */

mote_Status cache_find(const char *path, Folder *folder, Manifest **manifest, mote_Error *error)
{
    char file[FOLDER_PATH];
    *manifest = NULL;
    mote_Status status = folder_open(folder, path, error);
    if (status != MOTE_OK) return status;
    folder_file(folder, MANIFEST_NAME, file);
    if (!folder_has(folder, "."))
        return status_fail(error, MOTE_IO_FAILED,
                           "there is no folder %s; give the folder that a run has written, such "
                           "as out/demo",
                           file_label(path));
    if (!folder_has(folder, MANIFEST_NAME))
        return status_fail(error, MOTE_IO_FAILED,
                           "%s holds no run: there is no manifest.json in it; give the folder that "
                           "a run has written, such as out/demo",
                           file_label(path));
    return manifest_open(file, manifest, error);
}

mote_Status cache_look(const char *path, Folder *folder, Manifest **manifest, mote_Error *error)
{
    mote_Status status = cache_find(path, folder, manifest, error);
    if (status != MOTE_OK || (*manifest)->frame_count > 0) return status;
    manifest_destroy(*manifest);
    *manifest = NULL;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s holds no frames; run the scene with output.cache = true",
                       file_label(path));
}

static const mote_Row *shape_row(void *context, const char *type)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(ISA_V1, &count);
    (void)context;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, type) == 0) return rows[i];
    return NULL;
}

mote_Status cache_read_frame(const Folder *folder, uint64_t index, const mote_Frame *earlier,
                             mote_Frame **frame, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_FrameReadDef def = mote_frame_read_def();
    def.shape_row = shape_row;
    def.earlier = earlier;
    folder_frame(folder, index, path);
    return mote_frame_read_with(path, &def, frame, error);
}
