/* What systems with POSIX share: files, locks, numbers, other programs. */
#include "base/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

extern char **environ;

const char *const system_nowhere = "/dev/null";

void system_give(void *block)
{
    free(block);
}

/* ---- words ---- */

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

const char *system_reason(int code, char buffer[SYSTEM_REASON])
{
    buffer[0] = '\0';
    return reason_of(strerror_r(code, buffer, SYSTEM_REASON), buffer);
}

bool system_number(const char *text, double *value)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return false;
    locale_t before = uselocale(plain);
    *value = strtod(text, NULL);
    uselocale(before);
    freelocale(plain);
    return true;
}

/* ---- files ---- */

uint64_t system_disk_free(const char *path)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0) return UINT64_MAX;
    return (uint64_t)disk.f_bavail * (uint64_t)disk.f_frsize;
}

int system_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void identity_of(const struct stat *about, uint64_t identity[2])
{
    identity[0] = (uint64_t)about->st_dev, identity[1] = (uint64_t)about->st_ino;
}

bool system_identity(int file, uint64_t identity[2])
{
    struct stat about;
    if (fstat(file, &about) != 0) return false;
    identity_of(&about, identity);
    return true;
}

bool system_path_identity(const char *path, uint64_t identity[2])
{
    struct stat about;
    if (stat(path, &about) != 0) return false;
    identity_of(&about, identity);
    return true;
}

int64_t system_read(int file, void *data, size_t size, uint64_t offset)
{
    ssize_t got;
    do {
        got = pread(file, data, size, (off_t)offset);
    } while (got < 0 && errno == EINTR);
    return got;
}

int64_t system_write(int file, const void *data, size_t size, uint64_t offset)
{
    ssize_t written;
    do {
        written = pwrite(file, data, size, (off_t)offset);
    } while (written < 0 && errno == EINTR);
    return written;
}

bool system_sync(int file)
{
    return fsync(file) == 0;
}

bool system_whole_path(const char *path, char whole[SYSTEM_PATH])
{
    char *found = realpath(path, NULL);
    const bool fits = found != NULL && strlen(found) < SYSTEM_PATH;
    if (fits) strcpy(whole, found);
    free(found);
    return fits;
}

bool system_truncate(const char *path, uint64_t size)
{
    return truncate(path, (off_t)size) == 0;
}

bool system_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool system_make_folder(const char *path, bool own)
{
    return mkdir(path, own ? 0700 : 0777) == 0;
}

SystemKind system_kind(const char *path, uint64_t *size)
{
    struct stat about;
    if (lstat(path, &about) != 0) return SYSTEM_NOTHING;
    *size = (uint64_t)about.st_size;
    if (S_ISDIR(about.st_mode)) return SYSTEM_FOLDER;
    return S_ISREG(about.st_mode) ? SYSTEM_FILE : SYSTEM_ODD;
}

/* ---- files of a folder ---- */

int system_open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int system_create_in(int folder, const char *name)
{
    return openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

bool system_is_odd_in(int folder, const char *name)
{
    struct stat about;
    return fstatat(folder, name, &about, 0) == 0 && !S_ISREG(about.st_mode);
}

bool system_rename_in(int folder, const char *from, const char *to)
{
    return renameat(folder, from, folder, to) == 0;
}

void system_remove_in(int folder, const char *name)
{
    unlinkat(folder, name, 0);
}

bool system_sync_folder(int folder)
{
    return fsync(folder) == 0 || errno == EINVAL; /* a file system that has no such notion */
}

int system_lock(const char *folder, bool alone)
{
    int lock = system_open_folder(folder);
    if (lock < 0) return SYSTEM_LOCK_NONE;
    if (flock(lock, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return lock;
    close(lock);
    return SYSTEM_LOCK_TAKEN;
}

void system_unlock(int lock)
{
    if (lock >= 0) close(lock);
}

/* ---- programs ---- */

/* A socket, because a write to it can be told not to raise SIGPIPE when the other end is gone. */
static bool make_sockets(int ends[2])
{
#ifdef SOCK_CLOEXEC
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    for (int i = 0; i < 2; ++i) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    return true;
#endif
}

static int spawn(SystemChild *child, const char *const words[], int input, int errors)
{
    pid_t process;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    /* A group of its own: Ctrl-C in a terminal must not end it. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, system_nowhere, O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    int failure = posix_spawnp(&process, words[0], &actions, &attributes,
                               (char *const *)(uintptr_t)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    child->process = failure == 0 ? process : 0;
    return failure;
}

int system_start(SystemChild *child, const char *const words[], FILE *errors)
{
    int ends[2];
    if (!make_sockets(ends)) return errno;
    int failure = spawn(child, words, ends[1], fileno(errors));
    close(ends[1]);
    child->input = ends[0];
    return failure;
}

bool system_send(SystemChild *child, const void *bytes, size_t size)
{
#ifndef MSG_NOSIGNAL
    enum { MSG_NOSIGNAL = 0 };
#endif
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(child->input, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool system_wait(SystemChild *child)
{
    int state = -1;
    if (child->input >= 0) close(child->input);
    child->input = -1;
    if (child->process != 0)
        while (waitpid((pid_t)child->process, &state, 0) < 0 && errno == EINTR) continue;
    child->process = 0;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* ---- libraries ---- */

/* "OpenCL" is libOpenCL.so.1 where versions have names, libOpenCL.dylib elsewhere. */
void *system_library(const char *name)
{
    static const char *const forms[] = {"lib%s.so.1", "lib%s.dylib",
                                        "/System/Library/Frameworks/%s.framework/%s"};
    char path[SYSTEM_NAME];
    void *library = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0] && library == NULL; ++i) {
        snprintf(path, sizeof path, forms[i], name, name);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

void *system_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void *system_plugin(const char *path, char why[SYSTEM_NAME])
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const char *text = library == NULL ? dlerror() : NULL;
    snprintf(why, SYSTEM_NAME, "%s", text != NULL ? text : "");
    return library;
}

void system_program_folder(char folder[SYSTEM_PATH])
{
    const ssize_t length = readlink("/proc/self/exe", folder, SYSTEM_PATH - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *end = strrchr(folder, '/');
    if (end != NULL) *end = '\0';
}
