/* Files: temporary name, fsync, rename, fsync of the folder. */
#include "io/file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
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

/* GNU's strerror_r returns the text, wherever it stands; POSIX's returns a code and fills the
 * buffer. */
static inline const char *reason_gnu(const char *text, const char *buffer)
{
    (void)buffer;
    return text;
}

static inline const char *reason_posix(int code, const char *buffer)
{
    return code == 0 ? buffer : "unknown error";
}

#define reason_of(result, buffer)                                                                  \
    _Generic(result, int : reason_posix, char * : reason_gnu)(result, buffer)

mote_Status file_failed(const char *path, const char *doing, int code, mote_Error *error)
{
    char buffer[128] = "";
    return status_fail(error, MOTE_IO_FAILED, "%s: could not %s: %s", file_label(path), doing,
                       reason_of(strerror_r(code, buffer, sizeof buffer), buffer));
}

/* ---- output ---- */

/* Opens the folder that holds `path`; -1 with errno. */
static int open_folder(const char *path, const char *name)
{
    char folder[PATH_MAX];
    size_t length = (size_t)(name - path);
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return open(length > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
        int fd = openat(file->folder, file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Renaming onto a device, a pipe or a folder would replace or lose it. */
static mote_Status check_target(const OutFile *file, mote_Error *error)
{
    struct stat info;
    if (file->name[0] == '\0')
        return status_fail(error, MOTE_IO_FAILED, "%s: names a folder, but must name a file",
                           file_label(file->path));
    bool there = fstatat(file->folder, file->name, &info, 0) == 0;
    if (there && !S_ISREG(info.st_mode))
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
        unlinkat(file->folder, file->temporary, 0);
        close(file->folder);
    }
    file->fd = file->folder = -1;
}

static mote_Status sync_folder(const OutFile *file, mote_Error *error)
{
    /* EINVAL: a file system that has no such notion */
    if (fsync(file->folder) == 0 || errno == EINVAL) return MOTE_OK;
    return file_failed(file->path, "write its folder to the disk", errno, error);
}

mote_Status file_commit(OutFile *file, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (fsync(file->fd) != 0)
        status = file_failed(file->path, "write it to the disk", errno, error);
    int closed = close(file->fd);
    file->fd = -1;
    if (status == MOTE_OK && closed != 0)
        status = file_failed(file->path, "close it", errno, error);
    if (status == MOTE_OK && renameat(file->folder, file->temporary, file->folder, file->name) != 0)
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
        ssize_t written = pwrite(fd, at, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return ENOSPC;
        at += written, offset += (uint64_t)written, size -= (size_t)written;
    }
    return 0;
}

void file_push(int fd, size_t size, uint64_t offset)
{
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(fd, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd, (void)size, (void)offset;
#endif
}

/* ---- input ---- */

mote_Status source_open(Source *source, const char *path, mote_Error *error)
{
    struct stat info;
    *source = (Source){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
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
        ssize_t got = pread(source->fd, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
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
