/* The output folder: making, locking, names of files. */
#include "run/folder.h"

#include "base/status.h"
#include "io/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const inner[] = {"frames", "images", "checkpoints"};

mote_Status folder_open(Folder *folder, const char *path, mote_Error *error)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') --length;
    if (length == 0 || length >= sizeof folder->path)
        return status_fail(error, MOTE_IO_FAILED,
                           "the path of the output folder must have 1 to %zu bytes, but has %zu",
                           sizeof folder->path - 1, length);
    memcpy(folder->path, path, length);
    folder->path[length] = '\0';
    return MOTE_OK;
}

/* Makes one folder; an existing one is fine. */
static mote_Status make_one(const char *path, mote_Error *error)
{
    struct stat about;
    if (system_make_folder(path, false)) return MOTE_OK;
    int code = errno;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return MOTE_OK;
    mote_Error reason;
    file_failed(path, "make the folder", code == EEXIST ? ENOTDIR : code, &reason);
    return status_fail(error, reason.status, "%s; -o chooses another place", reason.message);
}

mote_Status folder_make_inner(const Folder *folder, const char *name, mote_Error *error)
{
    char path[FOLDER_PATH];
    folder_file(folder, name, path);
    return make_one(path, error);
}

mote_Status folder_make_path(const Folder *folder, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_Status status = MOTE_OK;
    for (size_t i = 1; folder->path[i] != '\0' && status == MOTE_OK; ++i) {
        if (folder->path[i] != '/') continue;
        snprintf(path, sizeof path, "%.*s", (int)i, folder->path);
        status = make_one(path, error);
    }
    return status == MOTE_OK ? make_one(folder->path, error) : status;
}

bool folder_is_inner(const char *name)
{
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; ++i)
        if (strcmp(inner[i], name) == 0) return true;
    return false;
}

mote_Status folder_make(const Folder *folder, mote_Error *error)
{
    mote_Status status = folder_make_path(folder, error);
    for (size_t i = 0; i < sizeof inner / sizeof inner[0] && status == MOTE_OK; ++i)
        status = folder_make_inner(folder, inner[i], error);
    return status;
}

/* ---- one run at a time ---- */

/* Who only looks whether a lock is free holds it for a moment, so it is tried a few times. */
static int take_lock(const Folder *folder, bool alone)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    int lock = SYSTEM_LOCK_TAKEN;
    for (int tries = 0; tries < 10; ++tries) {
        lock = system_lock(folder->path, alone);
        if (lock != SYSTEM_LOCK_TAKEN) return lock;
        nanosleep(&moment, NULL);
    }
    return lock;
}

bool folder_is_locked(const Folder *folder)
{
    int lock = take_lock(folder, false);
    folder_unlock(lock);
    return lock == SYSTEM_LOCK_TAKEN;
}

mote_Status folder_lock(const Folder *folder, int *lock, mote_Error *error)
{
    *lock = take_lock(folder, true);
    if (*lock != SYSTEM_LOCK_TAKEN) return MOTE_OK;
    *lock = SYSTEM_LOCK_NONE;
    return status_fail(error, MOTE_IO_FAILED,
                       "%s: another run is writing there now; wait for it, or choose another "
                       "folder with -o",
                       file_label(folder->path));
}

void folder_unlock(int lock)
{
    system_unlock(lock);
}

/* ---- names ---- */

void folder_file(const Folder *folder, const char *name, char path[FOLDER_PATH])
{
    snprintf(path, FOLDER_PATH, "%s/%.*s", folder->path, FOLDER_LONGEST_NAME, name);
}

void folder_frame(const Folder *folder, uint64_t index, char path[FOLDER_PATH])
{
    snprintf(path, FOLDER_PATH, "%s/frames/frame_%06llu.npz", folder->path,
             (unsigned long long)index);
}

void folder_checkpoint_name(uint64_t index, char name[64])
{
    snprintf(name, 64, "checkpoints/checkpoint_%06llu.npz", (unsigned long long)index);
}

void folder_checkpoint(const Folder *folder, uint64_t index, char path[FOLDER_PATH])
{
    char name[64];
    folder_checkpoint_name(index, name);
    folder_file(folder, name, path);
}

bool folder_has(const Folder *folder, const char *name)
{
    char path[FOLDER_PATH];
    folder_file(folder, name, path);
    return access(path, F_OK) == 0;
}

uint64_t folder_file_size(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

mote_Status folder_write_text(const Folder *folder, const char *name, const char *text,
                              mote_Error *error)
{
    char path[FOLDER_PATH];
    OutFile file;
    folder_file(folder, name, path);
    mote_Status status = file_begin(&file, path, error);
    if (status != MOTE_OK) return status;
    int code = file_put(file.fd, text, strlen(text), 0);
    if (code == 0) return file_commit(&file, error);
    file_discard(&file);
    return file_failed(path, "write it", code, error);
}

/* ---- lists of frames ---- */

static void end_range(FrameList *list)
{
    enum { LONGEST_RANGE = 48 };
    char range[LONGEST_RANGE];
    const size_t used = strlen(list->text);
    const char *comma = used > 0 ? ", " : "";
    if (list->first == list->last)
        snprintf(range, sizeof range, "%s%llu", comma, (unsigned long long)list->first);
    else
        snprintf(range, sizeof range, "%s%llu to %llu", comma, (unsigned long long)list->first,
                 (unsigned long long)list->last);
    if (used + 2 * LONGEST_RANGE < sizeof list->text)
        strcat(list->text, range);
    else if (strstr(list->text, "...") == NULL)
        strcat(list->text, ", ...");
}

void frame_list_add_range(FrameList *list, uint64_t first, uint64_t last)
{
    const bool more = list->count > 0;
    list->count += last - first + 1;
    if (!more || first != list->last + 1) {
        if (more) end_range(list);
        list->first = first;
    }
    list->last = last;
}

void frame_list_add(FrameList *list, uint64_t frame)
{
    frame_list_add_range(list, frame, frame);
}

const char *frame_list_text(FrameList *list)
{
    if (list->count > 0) end_range(list);
    list->count = 0;
    return list->text;
}
