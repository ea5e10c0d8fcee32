/* Files: temporary name, fsync, rename, fsync of the folder.
 *
 * Write, fsync, rename, fsync of the folder: POSIX's rename puts the whole file in the old one's
 * place at once, but only what was synced before is surely in it after a power cut, and only the
 * synced folder surely has the new name. */
#include "io/file.h"

#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { LONGEST_LABEL = 200, MOST_TRIES = 100 };

const char *file_label(const char *path)
{
    size_t length = strlen(path);
    return length > LONGEST_LABEL ? path + length - LONGEST_LABEL : path;
}

mote_Status file_failed(const char *path, const char *doing, int code, mote_Error *error)
{
    char buffer[SYSTEM_REASON];
    return status_fail(error, MOTE_IO_FAILED, "%s: could not %s: %s", file_label(path), doing,
                       system_reason(code, buffer));
}

/* ---- output ---- */

/* Opens the folder that holds `path`; -1 with errno. */
static int open_folder(const char *path, const char *name)
{
    char folder[SYSTEM_PATH];
    size_t length = (size_t)(name - path);
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return system_open_folder(length > 0 ? folder : ".");
}

/* A name that no file has yet: a killed run may have left some behind. */
static int open_temporary(OutFile *file)
{
    for (int i = 0; i < MOST_TRIES; ++i) {
        int length = snprintf(file->temporary, sizeof file->temporary, "%s.%ld-%d.tmp", file->name,
                              (long)getpid(), i);
        if (length < 0 || (size_t)length >= sizeof file->temporary) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = system_create_in(file->folder, file->temporary);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Renaming onto a device, a pipe or a folder would replace or lose it. */
static mote_Status check_target(const OutFile *file, mote_Error *error)
{
    if (file->name[0] == '\0')
        return status_fail(error, MOTE_IO_FAILED, "%s: names a folder, but must name a file",
                           file_label(file->path));
    if (system_is_odd_in(file->folder, file->name))
        return status_fail(error, MOTE_IO_FAILED,
                           "%s: is not a regular file, so it is not written over",
                           file_label(file->path));
    return MOTE_OK;
}

mote_Status file_begin(OutFile *file, const char *path, mote_Error *error)
{
    const char *slash = strrchr(path, '/');
    *file = (OutFile){.path = path, .name = slash != NULL ? slash + 1 : path, .fd = -1};
    file->folder = open_folder(path, file->name);
    if (file->folder < 0) return file_failed(path, "open the folder", errno, error);
    mote_Status status = check_target(file, error);
    if (status == MOTE_OK) {
        file->fd = open_temporary(file);
        if (file->fd < 0) status = file_failed(path, "create it", errno, error);
    }
    if (status != MOTE_OK) {
        close(file->folder);
        file->folder = -1;
    }
    return status;
}

void file_discard(OutFile *file)
{
    if (file->fd >= 0) close(file->fd);
    if (file->folder >= 0) {
        system_remove_in(file->folder, file->temporary);
        close(file->folder);
    }
    file->fd = file->folder = -1;
}

static mote_Status sync_folder(const OutFile *file, mote_Error *error)
{
    if (system_sync_folder(file->folder)) return MOTE_OK;
    return file_failed(file->path, "write its folder to the disk", errno, error);
}

mote_Status file_commit(OutFile *file, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (!system_sync(file->fd))
        status = file_failed(file->path, "write it to the disk", errno, error);
    int closed = close(file->fd);
    file->fd = -1;
    if (status == MOTE_OK && closed != 0)
        status = file_failed(file->path, "close it", errno, error);
    if (status == MOTE_OK && !system_rename_in(file->folder, file->temporary, file->name))
        status = file_failed(file->path, "rename the finished file to it", errno, error);
    if (status == MOTE_OK) status = sync_folder(file, error);
    if (status != MOTE_OK) {
        file_discard(file);
        return status;
    }
    close(file->folder);
    file->folder = -1;
    return MOTE_OK;
}

int file_put(int fd, const void *data, size_t size, uint64_t offset)
{
    const char *at = data;
    while (size > 0) {
        const int64_t written = system_write(fd, at, size, offset);
        if (written < 0) return errno;
        /* No progress and no error: a full disk, as far as anybody can tell; to try again would
         * last for ever. */
        if (written == 0) return ENOSPC;
        at += written, offset += (uint64_t)written, size -= (size_t)written;
    }
    return 0;
}

void file_push(int fd, size_t size, uint64_t offset)
{
    system_push(fd, size, offset);
}

/* ---- input ---- */

mote_Status source_open(Source *source, const char *path, mote_Error *error)
{
    struct stat info;
    *source = (Source){.path = path, .fd = system_open(path)};
    if (source->fd < 0) return file_failed(path, "open it", errno, error);
    mote_Status status = MOTE_OK;
    if (fstat(source->fd, &info) != 0)
        status = file_failed(path, "read its size", errno, error);
    else if (!S_ISREG(info.st_mode))
        status = status_fail(error, MOTE_IO_FAILED, "%s: is not a regular file", file_label(path));
    else
        source->size = (uint64_t)info.st_size;
    if (status != MOTE_OK) source_close(source);
    return status;
}

Source source_memory(const char *path, const void *bytes, size_t size)
{
    return (Source){.path = path, .fd = -1, .bytes = bytes, .size = size};
}

void source_close(Source *source)
{
    if (source->fd >= 0) close(source->fd);
    source->fd = -1;
    source->size = 0;
}

static mote_Status read_file(const Source *source, uint64_t offset, void *data, size_t size,
                             mote_Error *error)
{
    char *at = data;
    while (size > 0) {
        const int64_t got = system_read(source->fd, at, size, offset);
        if (got < 0) return file_failed(source->path, "read it", errno, error);
        if (got == 0)
            return status_fail(error, MOTE_IO_FAILED, "%s: became shorter while it was read",
                               file_label(source->path));
        at += got, offset += (uint64_t)got, size -= (size_t)got;
    }
    return MOTE_OK;
}

mote_Status source_read(const Source *source, uint64_t offset, void *data, size_t size,
                        mote_Error *error)
{
    if (offset > source->size || size > source->size - offset)
        return status_fail(error, MOTE_IO_FAILED, "%s: truncated: it ends inside its contents",
                           file_label(source->path));
    if (source->fd >= 0) return read_file(source, offset, data, size, error);
    if (size > 0) memcpy(data, source->bytes + offset, size);
    return MOTE_OK;
}

/* ---- check sums: whether what was written is still there ---- */

enum { PIECE = 1 << 16 };

/* Continues the sum up to `end` bytes of the source; false when it cannot be read. */
static bool sum_up_to(const Source *source, uint64_t end, FileSum *sum)
{
    unsigned char piece[PIECE];
    while (sum->bytes < end) {
        const uint64_t left = end - sum->bytes;
        const size_t size = left < PIECE ? (size_t)left : PIECE;
        if (source_read(source, sum->bytes, piece, size, NULL) != MOTE_OK) return false;
        sum->sum = (uint32_t)crc32_z(sum->sum, piece, size);
        sum->bytes += size;
    }
    return true;
}

/* A file that became shorter is summed from its beginning. */
void file_sum(const char *path, FileSum *sum)
{
    Source source;
    if (source_open(&source, path, NULL) != MOTE_OK) {
        *sum = (FileSum){0};
        return;
    }
    if (source.size < sum->bytes) *sum = (FileSum){0};
    sum_up_to(&source, source.size, sum);
    source_close(&source);
}

FileHealth file_health(const char *path, FileSum wanted, bool all)
{
    Source source;
    FileSum have = {0};
    if (source_open(&source, path, NULL) != MOTE_OK) return FILE_MISSING;
    bool good = all ? source.size == wanted.bytes : source.size >= wanted.bytes;
    if (good && wanted.sum != 0)
        good = sum_up_to(&source, wanted.bytes, &have) && have.sum == wanted.sum;
    source_close(&source);
    return good ? FILE_WHOLE : FILE_DAMAGED;
}
