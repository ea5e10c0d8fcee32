/* Reading a scene file whole, after a look at its size. */
#include "base/status.h"
#include "scene/document_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void file_text_close(FileText *file)
{
    if (file->handle >= 0) close(file->handle);
    file->handle = -1;
}

static mote_Status fail_with_errno(FileText *file, mote_Error *error)
{
    int reason = errno;
    file_text_close(file);
    return status_fail(error, MOTE_IO_FAILED, "%s", strerror(reason));
}

static mote_Status check_kind_and_size(const struct stat *info, size_t largest, mote_Error *error)
{
    size_t size = (size_t)info->st_size;
    if (S_ISDIR(info->st_mode)) return status_fail(error, MOTE_IO_FAILED, "it is a folder");
    if (!S_ISREG(info->st_mode)) return status_fail(error, MOTE_IO_FAILED, "it is no plain file");
    if (size <= largest) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "it has %zu bytes, but at most %zu are read", size,
                       largest);
}

mote_Status file_text_open(const char *path, size_t largest, FileText *file, mote_Error *error)
{
    struct stat info;
    /* O_NONBLOCK: opening a pipe must not wait */
    *file = (FileText){.handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file->handle < 0 || fstat(file->handle, &info) != 0) return fail_with_errno(file, error);
    file->size = (size_t)info.st_size;
    file->device = (uint64_t)info.st_dev;
    file->number = (uint64_t)info.st_ino;
    mote_Status status = check_kind_and_size(&info, largest, error);
    if (status != MOTE_OK) file_text_close(file);
    return status;
}

/* A file that shrank since its size was asked is read as far as it goes. */
mote_Status file_text_load(FileText *file, Store *store, mote_Error *error)
{
    size_t size = 0;
    file->text = store_take(store, file->size + 1);
    if (file->text == NULL) {
        file_text_close(file);
        return status_no_memory(error, "a scene file", file->size);
    }
    while (size < file->size) {
        ssize_t got = read(file->handle, file->text + size, file->size - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_with_errno(file, error);
        if (got == 0) break;
        size += (size_t)got;
    }
    file_text_close(file);
    file->size = size;
    file->text[size] = '\0';
    return MOTE_OK;
}
