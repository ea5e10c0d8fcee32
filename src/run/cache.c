/* What a run keeps. A kill at any moment leaves a manifest that lists only complete files: frames
 * first, then the checkpoint, then the manifest. */
#include "run/cache.h"

#include "base/machine.h"
#include "base/status.h"
#include "io/frame_file.h"
#include "run/folder.h"

#include <stdarg.h>
#include <stdio.h>

void cache_tell(const Cache *cache, const char *format, ...)
{
    char text[512];
    va_list values;
    if (cache->def->notice == NULL) return;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    cache->def->notice(cache->def->context, text);
}

void cache_checking(const Cache *cache, uint64_t done, uint64_t last)
{
    mote_RunProgress progress = {.doing = "checking",
                                 .frame = done,
                                 .last = last,
                                 .seconds = clock_seconds() - cache->start};
    if (cache->def->progress != NULL) cache->def->progress(cache->def->context, &progress);
}

/* Values by path and hash, so that a later run can say which of them has changed. */
static mote_Status new_manifest(Cache *cache, const mote_Scene *scene, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(scene);
    mote_Allocator plain = mote_default_allocator();
    mote_Status status = manifest_create(plain, info.name, &cache->manifest, error);
    if (status != MOTE_OK) return status;
    cache->manifest->scene_hash = info.hash;
    cache->manifest->fps = info.fps;
    cache->manifest->frames_planned = cache->last;
    for (size_t i = 0; status == MOTE_OK; ++i) {
        mote_SceneValue value = mote_scene_value(scene, i);
        if (value.path == NULL) break;
        status = manifest_add_item(cache->manifest, value.path, value.hash, error);
    }
    if (status == MOTE_OK && cache->def->command != NULL)
        status = manifest_set_command(cache->manifest, cache->def->command, error);
    return status;
}

/* ---- opening ---- */

static mote_Status check_def(const Cache *cache, mote_Error *error)
{
    const mote_RunDef *def = cache->def;
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

/* Takes over what is whole of the run that is in the folder. A part that ends before it leaves what
 * comes after it as it is. */
static mote_Status take_over(Cache *cache, const Manifest *old, mote_Error *error)
{
    mote_Status status = start_check(cache, old, error);
    if (status == MOTE_OK) status = start_take_over(cache, old, error);
    if (status == MOTE_OK && old->command[0] != '\0')
        status = manifest_set_command(cache->manifest, old->command, error);
    cache->reached = start_reached(old);
    if (cache->last < cache->reached && old->state != MANIFEST_FINISHED)
        cache->ended = MANIFEST_STOPPED;
    return status;
}

/* Opens the manifest of the run that is in the folder, if there is one to go on with. */
static mote_Status open_old(Cache *cache, mote_Error *error)
{
    char path[FOLDER_PATH];
    if (cache->def->force || !folder_has(cache->folder, MANIFEST_NAME)) return MOTE_OK;
    folder_file(cache->folder, MANIFEST_NAME, path);
    mote_Status status = manifest_open(path, &cache->old, error);
    return status == MOTE_OK ? take_over(cache, cache->old, error) : status;
}

/* The manifest before anything else: it says whose the folder is, and lists nothing that goes. */
static mote_Status begin(Cache *cache, mote_Scene *scene, bool anew, mote_Error *error)
{
    mote_Status status = folder_make_path(cache->folder, error);
    if (status == MOTE_OK && cache->lock < 0)
        status = folder_lock(cache->folder, &cache->lock, error);
    if (status == MOTE_OK && anew) status = cache_note(cache, MANIFEST_RUNNING, error);
    if (status == MOTE_OK && cache->def->force) status = folder_clear(cache->folder, error);
    if (status == MOTE_OK) status = folder_make(cache->folder, error);
    if (status == MOTE_OK) status = claim_write_scene(cache->folder, scene, error);
    if (status == MOTE_OK) status = folder_tidy(cache->folder, error);
    return status;
}

mote_Status cache_open(Cache *cache, mote_Scene *scene, const mote_World *world, mote_Error *error)
{
    const mote_RunDef *def = cache->def;
    mote_SceneInfo info = mote_scene_info(scene);
    cache->frames = info.cache;
    cache->last = def->last >= 0 ? (uint64_t)def->last : info.frames;
    cache->ended = MANIFEST_FINISHED;
    cache->lock = -1;
    mote_Status status = new_manifest(cache, scene, error);
    if (status == MOTE_OK) status = folder_lock(cache->folder, &cache->lock, error);
    if (status == MOTE_OK) status = claim_check(cache->folder, scene, def->force, error);
    if (status == MOTE_OK) status = check_def(cache, error);
    if (status == MOTE_OK) status = open_old(cache, error);
    if (status == MOTE_OK) status = begin(cache, scene, cache->old == NULL, error);
    if (status == MOTE_OK) status = tables_open(cache, world, cache->old, error);
    if (status == MOTE_OK) status = cache_note(cache, MANIFEST_RUNNING, error);
    return status;
}

void cache_close(Cache *cache)
{
    manifest_destroy(cache->manifest);
    manifest_destroy(cache->old);
    folder_unlock(cache->lock);
    cache->manifest = cache->old = NULL;
    cache->lock = -1;
}

bool cache_has_all(const Cache *cache, uint64_t first, uint64_t end)
{
    for (; first < end; ++first) {
        const ManifestFrame *frame = manifest_frame(cache->manifest, first);
        if (frame == NULL || frame->lost) return false;
    }
    return true;
}

/* ---- writing ---- */

mote_Status cache_write_frame(const Cache *cache, const mote_Frame *frame, const NpzFeed *feed,
                              FileSum *file, mote_Error *error)
{
    char path[FOLDER_PATH];
    Memory memory = memory_make(mote_default_allocator());
    NpzOptions options = {
        .memory = &memory, .tasks = cache->tasks, .sum = &file->sum, .feed = feed};
    folder_frame(cache->folder, frame->index, path);
    mote_Status status = frame_file_write(frame, NULL, path, &options, error);
    file->bytes = folder_file_size(path);
    return status;
}

mote_Status cache_note(Cache *cache, ManifestState state, mote_Error *error)
{
    char path[FOLDER_PATH];
    folder_file(cache->folder, MANIFEST_NAME, path);
    cache->manifest->state = state;
    return manifest_write(cache->manifest, path, error);
}

typedef struct StateFile {
    const char *path;
    NpzOptions options;
} StateFile;

static mote_Status write_fed_state(void *context, const CrewHeads *heads, mote_Error *error)
{
    StateFile *file = context;
    file->options.feed = heads->feed;
    return state_file_write(file->path, heads->arrays, heads->count, &file->options, error);
}

static mote_Status write_state(Crew *crew, StateFile *file, mote_Error *error)
{
    const mote_StateArray *arrays;
    size_t count;
    if (crew_is_many(crew))
        return crew_write_state(crew, &(CrewFile){write_fed_state, file}, error);
    mote_Status status = crew_state(crew, &arrays, &count, error);
    if (status != MOTE_OK) return status;
    return state_file_write(file->path, arrays, count, &file->options, error);
}

/* The file, then the manifest that names it: a kill between both leaves the checkpoint before. */
mote_Status cache_checkpoint(Cache *cache, Crew *crew, mote_Error *error)
{
    char path[FOLDER_PATH], name[64];
    ManifestCheckpoint made = {.file = name, .frame = mote_world_frame_index(crew->world)};
    Memory memory = memory_make(mote_default_allocator());
    StateFile file = {path, {.memory = &memory, .tasks = cache->tasks, .sum = &made.sum.sum}};
    folder_checkpoint(cache->folder, made.frame, path);
    folder_checkpoint_name(made.frame, name);
    mote_Status status = write_state(crew, &file, error);
    made.sum.bytes = folder_file_size(path);
    manifest_drop_checkpoint(cache->manifest, made.frame); /* that one is written over */
    if (status == MOTE_OK) status = manifest_add_checkpoint(cache->manifest, &made, error);
    if (status == MOTE_OK) status = cache_note(cache, MANIFEST_RUNNING, error);
    return status;
}
