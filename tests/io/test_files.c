/* Disks that fail: every write error comes back with path and reason, and leaves the old file and
 * nothing else. The calls into the system are replaced by ones that fail when told to. */
#include "sample.h"

#include "io/file.h"
#include "io/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mount.h>
#include <sys/syscall.h>

/* ---- the system's calls ---- */

static long fail_after = -1; /* calls that still succeed; -1: all */
static int fail_with;
static size_t most_at_once; /* bytes that one write takes; 0: all */
static long calls;
static char last_calls[5]; /* one letter each */

static bool fails(char letter)
{
    ++calls;
    memmove(last_calls, last_calls + 1, 3);
    last_calls[3] = letter;
    if (fail_after < 0 || fail_after-- > 0) return false;
    errno = fail_with;
    fail_after = 0; /* and from now on */
    return true;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    if (fails('w')) return -1;
    if (most_at_once > 0 && calls % 3 == 0) {
        errno = EINTR;
        return -1;
    }
    if (most_at_once > 0 && size > most_at_once) size = most_at_once;
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

int fsync(int fd)
{
    return fails('s') ? -1 : (int)syscall(SYS_fsync, fd);
}

int renameat(int from, const char *old, int to, const char *new)
{
    return fails('r') ? -1 : (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = va_arg(arguments, int);
    va_end(arguments);
    return fails('o') ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* ---- what is written ---- */

static Sample *sample;

static mote_Status write_frame(const char *path, mote_Error *error)
{
    return mote_frame_write(&sample->frame, path, NULL, error);
}

static mote_Status write_state(const char *path, mote_Error *error)
{
    double data[3] = {1, 2, 3};
    mote_StateArray array = {
        .name = "a", .type = MOTE_ARRAY_F64, .rows = 3, .components = 1, .data = data};
    return mote_state_write(path, &array, 1, NULL, error);
}

static mote_Status write_manifest(const char *path, mote_Error *error)
{
    Manifest *manifest;
    mote_Status status = manifest_create(mote_default_allocator(), "s", &manifest, error);
    if (status != MOTE_OK) return status;
    status = manifest_write(manifest, path, error);
    manifest_destroy(manifest);
    return status;
}

static mote_Status write_ply(const char *path, mote_Error *error)
{
    return mote_export("ply", &sample->frame, "water", path, error);
}

static mote_Status write_vtp(const char *path, mote_Error *error)
{
    return mote_export("vtp", &sample->frame, "water", path, error);
}

static mote_Status write_csv(const char *path, mote_Error *error)
{
    return mote_export("csv", &sample->frame, "water", path, error);
}

static mote_Status write_pvd(const char *path, mote_Error *error)
{
    return mote_export_pvd(path, (const char *const[]){"a.vtp"}, (const double[]){1}, 1, error);
}

static mote_Status (*const writers[])(const char *path, mote_Error *error) = {
    write_frame, write_state, write_manifest, write_ply, write_vtp, write_csv, write_pvd};
enum { WRITERS = sizeof writers / sizeof writers[0] };

static void put_old(const char *path)
{
    FILE *file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
}

static bool is_old(const char *path)
{
    size_t size;
    char *bytes = file_bytes(path, &size);
    bool old = size == 3 && memcmp(bytes, "old", 3) == 0;
    free(bytes);
    return old;
}

/* ---- tests ---- */

/* Each call fails in turn, until none is left that could. */
static void check_writer(int w, Folder *folder, int code)
{
    const char *path = folder_file(folder, "file");
    mote_Status status = MOTE_IO_FAILED;
    for (long n = 0; n < 1000 && status != MOTE_OK; ++n) {
        mote_Error error = {.status = MOTE_OK};
        put_old(path);
        fail_after = n, fail_with = code, calls = 0;
        status = writers[w](path, &error);
        fail_after = -1;
        if (status == MOTE_OK) break;
        CHECK(status == MOTE_IO_FAILED && error.status == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, path);
        CHECK_MESSAGE(error, strerror(code));
        CHECK(folder_count(folder) == 1);
        /* only the fsync of the folder, the very last call, comes after the rename */
        CHECK(is_old(path) || n == calls - 1);
    }
    CHECK(status == MOTE_OK && !is_old(path));
}

static void every_call_may_fail(void)
{
    Folder folder = folder_make();
    sample = sample_make(100);
    for (int w = 0; w < WRITERS; ++w) {
        check_writer(w, &folder, ENOSPC);
        check_writer(w, &folder, EIO);
    }
    sample_free(sample);
    folder_remove(&folder);
}

/* The contents reach the disk before the name does, and the name before the call returns. */
static void the_disk_comes_first(void)
{
    Folder folder = folder_make();
    mote_Error error;
    sample = sample_make(3);
    for (int w = 0; w < WRITERS; ++w) {
        CHECK_OK(writers[w](folder_file(&folder, "file"), &error), error);
        CHECK(strcmp(last_calls, "wsrs") == 0);
    }
    sample_free(sample);
    folder_remove(&folder);
}

static void short_and_interrupted_writes(void)
{
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "file");
    mote_Frame *read = NULL;
    mote_Error error;
    sample = sample_make(1000);
    most_at_once = 777;
    CHECK_OK(write_frame(path, &error), error);
    most_at_once = 0;
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(read != NULL && same_frame(&sample->frame, read));
    mote_frame_destroy(read);
    sample_free(sample);
    folder_remove(&folder);
}

/* A real file system of 64 KiB, in a mount table of our own. */
static void full_disk(void)
{
    Folder folder = folder_make();
    bool mounted = unshare(CLONE_NEWNS) == 0 &&
                   mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                   mount("none", folder.path, "tmpfs", 0, "size=64k") == 0;
    if (!mounted) printf("skipped: full_disk: mounting a tmpfs is not permitted\n");
    sample = sample_make(4000);
    for (int w = 0; w < WRITERS && mounted; ++w) {
        mote_Error error;
        const char *path = folder_file(&folder, "file");
        mote_Status status = writers[w](path, &error);
        bool large =
            writers[w] != write_state && writers[w] != write_manifest && writers[w] != write_pvd;
        CHECK((status == MOTE_IO_FAILED) == large);
        if (large) CHECK_MESSAGE(error, "/file: could not write it: No space left on device");
        if (large) CHECK(folder_count(&folder) == 0);
        unlink(path);
    }
    sample_free(sample);
    if (mounted) umount(folder.path);
    folder_remove(&folder);
}

static void folders_that_are_not_there(void)
{
    Folder folder = folder_make();
    mote_Error error;
    char path[300];
    sample = sample_make(3);
    for (int w = 0; w < WRITERS; ++w) {
        CHECK(writers[w]("no-such-folder/file", &error) == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, "no-such-folder/file: could not open the folder: No such file");
        CHECK(writers[w](folder_file(&folder, ""), &error) == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, "names a folder");
        CHECK(writers[w](".", &error) == MOTE_IO_FAILED); /* is one */
        memset(path, 'n', sizeof path), path[255] = '\0';
        CHECK(writers[w](path, &error) == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, "File name too long");
    }
    sample_free(sample);
    folder_remove(&folder);
}

/* The working folder is deleted under us. */
static void folder_deleted(void)
{
    Folder folder = folder_make();
    int here = open(".", O_RDONLY | O_DIRECTORY);
    mote_Error error;
    sample = sample_make(3);
    CHECK(chdir(folder.path) == 0);
    char command[128];
    snprintf(command, sizeof command, "rmdir '../%s'", folder.path);
    CHECK(system(command) == 0);
    for (int w = 0; w < WRITERS; ++w) {
        CHECK(writers[w]("file", &error) == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, "No such file or directory");
    }
    CHECK(fchdir(here) == 0);
    close(here);
    sample_free(sample);
}

static void unwritable_folder(void)
{
    Folder folder = folder_make();
    mote_Error error;
    sample = sample_make(3);
    bool rooted = geteuid() == 0;
    CHECK(chmod(folder.path, 0555) == 0);
    if (rooted && seteuid(65534) != 0) printf("skipped: unwritable_folder: root may write all\n");
    if (geteuid() != 0)
        for (int w = 0; w < WRITERS; ++w) {
            CHECK(writers[w](folder_file(&folder, "file"), &error) == MOTE_IO_FAILED);
            CHECK_MESSAGE(error, "Permission denied");
        }
    CHECK(!rooted || seteuid(0) == 0);
    chmod(folder.path, 0755);
    sample_free(sample);
    folder_remove(&folder);
}

/* A device or a pipe is not replaced by a file. */
static void devices_stay(void)
{
    Folder folder = folder_make();
    mote_Error error;
    struct stat info;
    const char *path = folder_file(&folder, "pipe");
    CHECK(mkfifo(path, 0666) == 0);
    sample = sample_make(3);
    for (int w = 0; w < WRITERS; ++w) {
        CHECK(writers[w](path, &error) == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, "is not a regular file");
    }
    CHECK(stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
    sample_free(sample);
    folder_remove(&folder);
}

/* A killed run may leave a temporary file of the same name behind. */
static void left_over_files(void)
{
    Folder folder = folder_make();
    mote_Error error;
    char name[64];
    sample = sample_make(3);
    snprintf(name, sizeof name, "file.%ld-0.tmp", (long)getpid());
    put_old(folder_file(&folder, name));
    CHECK_OK(write_frame(folder_file(&folder, "file"), &error), error);
    CHECK(is_old(folder_file(&folder, name)) && folder_count(&folder) == 2);
    sample_free(sample);
    folder_remove(&folder);
}

TESTS({"every_call_may_fail", every_call_may_fail}, {"the_disk_comes_first", the_disk_comes_first},
      {"short_and_interrupted_writes", short_and_interrupted_writes},
      {"folders_that_are_not_there", folders_that_are_not_there},
      {"folder_deleted", folder_deleted}, {"unwritable_folder", unwritable_folder},
      {"devices_stay", devices_stay}, {"left_over_files", left_over_files},
      {"full_disk", full_disk})
