/* A cache that is only read: what the manifest lists, and what it does not list yet. */
#include "run/cache.h"

#include "base/status.h"
#include "geometry/shape.h"
#include "io/frame_file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

mote_Status cache_find(const char *path, Folder *folder, Manifest **manifest, mote_Error *error)
{
    char file[FOLDER_PATH];
    struct stat about;
    *manifest = NULL;
    mote_Status status = folder_open(folder, path, error);
    if (status != MOTE_OK) return status;
    folder_file(folder, MANIFEST_NAME, file);
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
        return status_fail(error, MOTE_IO_FAILED,
                           "%s is a file; give the folder that a run has written, such as out/demo",
                           file_label(path));
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

/* frame_000012.npz; UINT64_MAX: another name. */
static uint64_t frame_number(const char *name)
{
    unsigned long long number;
    int end = 0;
    char own[64];
    if (sscanf(name, "frame_%llu.npz%n", &number, &end) != 1 || name[end] != '\0')
        return UINT64_MAX;
    snprintf(own, sizeof own, "frame_%06llu.npz", number);
    return strcmp(name, own) == 0 ? number : UINT64_MAX;
}

/* Whether it is a frame at all: a file appears when it is complete, but it may not be one of ours.
 */
static bool is_frame(const char *path)
{
    Memory memory = memory_make(mote_default_allocator());
    Source source;
    Npz npz;
    if (source_open(&source, path, NULL) != MOTE_OK) return false;
    if (npz_open(&npz, source, &memory, NULL) != MOTE_OK) return false;
    const bool good = npz_find(&npz, FRAME_HEAD) != NULL;
    npz_close(&npz);
    return good;
}

/* A run that is going on lists frames when it makes a checkpoint; until then they are whole files
 * that no manifest names. */
mote_Status cache_list_new(const Folder *folder, Manifest *manifest, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_Status status = MOTE_OK;
    folder_file(folder, "frames", path);
    DIR *list = opendir(path);
    if (list == NULL) return MOTE_OK;
    for (struct dirent *entry; status == MOTE_OK && (entry = readdir(list)) != NULL;) {
        const uint64_t index = frame_number(entry->d_name);
        if (index == UINT64_MAX || manifest_frame(manifest, index) != NULL) continue;
        folder_frame(folder, index, path);
        if (is_frame(path)) status = manifest_add_frame(manifest, index, (FileSum){0}, error);
    }
    closedir(list);
    return status;
}

mote_Status cache_look(const char *path, Folder *folder, Manifest **manifest, mote_Error *error)
{
    mote_Status status = cache_find(path, folder, manifest, error);
    if (status == MOTE_OK) status = cache_list_new(folder, *manifest, error);
    if (status == MOTE_OK && (*manifest)->frame_count > 0) return MOTE_OK;
    manifest_destroy(*manifest);
    *manifest = NULL;
    if (status != MOTE_OK) return status;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s holds no frames; run the scene with output.cache = true",
                       file_label(path));
}

mote_Status cache_choose(const Manifest *manifest, int64_t first, int64_t last, size_t *begin,
                         size_t *count, mote_Error *error)
{
    *begin = *count = 0;
    for (size_t i = 0; i < manifest->frame_count; ++i) {
        uint64_t index = manifest->frames[i].index;
        if (first >= 0 && index < (uint64_t)first) continue;
        if (last >= 0 && index > (uint64_t)last) break;
        if ((*count)++ == 0) *begin = i;
    }
    if (*count > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "none of the frames asked for is in the cache: it has %llu to %llu",
                       (unsigned long long)manifest->frames[0].index,
                       (unsigned long long)manifest->frames[manifest->frame_count - 1].index);
}

static const mote_Row *shape_row(void *context, const char *type)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(ISA_V1, &count);
    (void)context;
    return row_named(rows, count, type);
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

/* ---- where the frames of a run are, for those who read them ---- */

bool mote_run_is_there(const char *folder)
{
    char path[FOLDER_PATH];
    int length = snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    return length < (int)sizeof path && access(path, F_OK) == 0;
}

mote_Status mote_run_frames(const char *folder,
                            bool (*visit)(void *context, uint64_t index, const char *path),
                            void *context, mote_Error *error)
{
    Folder run;
    Manifest *manifest = NULL;
    mote_Status status = cache_look(folder, &run, &manifest, error);
    bool goes_on = true;
    for (size_t i = 0; status == MOTE_OK && goes_on && i < manifest->frame_count; ++i) {
        char path[FOLDER_PATH];
        folder_frame(&run, manifest->frames[i].index, path);
        goes_on = visit(context, manifest->frames[i].index, path);
    }
    manifest_destroy(manifest);
    return status;
}
