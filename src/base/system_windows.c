/* Windows, by its own interface and the C library of mingw-w64. Paths are in the program's code
 * page, with / or \ between names. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

const char *const system_nowhere = "NUL";

/* ---- processors and memory ---- */

int system_cores(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int)info.dwNumberOfProcessors : 1;
}

uint64_t system_memory(void)
{
    MEMORYSTATUSEX state = {.dwLength = sizeof state};
    return GlobalMemoryStatusEx(&state) ? state.ullTotalPhys : UINT64_MAX;
}

void *system_take(size_t size)
{
    return _aligned_malloc(size, 64);
}

void system_give(void *block)
{
    _aligned_free(block);
}

/* ---- words ---- */

const char *system_reason(int code, char buffer[SYSTEM_REASON])
{
    return strerror_s(buffer, SYSTEM_REASON, code) == 0 ? buffer : "unknown error";
}

/* mingw-w64's own strtod, which rounds as it should; its point is that of the C locale unless the
 * host has chosen another. */
bool system_number(const char *text, double *value)
{
    *value = strtod(text, NULL);
    return true;
}

/* What Windows says, as an errno. */
static int code_of(DWORD error)
{
    static const struct {
        DWORD error;
        int code;
    } codes[] = {{ERROR_FILE_NOT_FOUND, ENOENT}, {ERROR_PATH_NOT_FOUND, ENOENT},
                 {ERROR_ACCESS_DENIED, EACCES},  {ERROR_SHARING_VIOLATION, EACCES},
                 {ERROR_FILE_EXISTS, EEXIST},    {ERROR_ALREADY_EXISTS, EEXIST},
                 {ERROR_DISK_FULL, ENOSPC},      {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                 {ERROR_DIRECTORY, ENOTDIR}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i)
        if (codes[i].error == error) return codes[i].code;
    return EIO;
}

static bool fail(void)
{
    errno = code_of(GetLastError());
    return false;
}

/* ---- files ---- */

uint64_t system_disk_free(const char *path)
{
    ULARGE_INTEGER free;
    if (GetDiskFreeSpaceExA(path, &free, NULL, NULL)) return free.QuadPart;
    fail();
    return UINT64_MAX;
}

int system_open(const char *path)
{
    return _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

static bool identity_of(HANDLE handle, uint64_t identity[2])
{
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(handle, &about)) return fail();
    identity[0] = about.dwVolumeSerialNumber;
    identity[1] = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
    return true;
}

bool system_identity(int file, uint64_t identity[2])
{
    return identity_of((HANDLE)_get_osfhandle(file), identity);
}

bool system_path_identity(const char *path, uint64_t identity[2])
{
    int file = system_open(path);
    if (file < 0) return false;
    const bool known = system_identity(file, identity);
    _close(file);
    return known;
}

/* Windows takes at most 4 GB at once. */
static DWORD piece_of(size_t size)
{
    const size_t most = 1u << 30;
    return (DWORD)(size < most ? size : most);
}

static OVERLAPPED place_of(uint64_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

int64_t system_read(int file, void *data, size_t size, uint64_t offset)
{
    DWORD got = 0;
    OVERLAPPED place = place_of(offset);
    if (ReadFile((HANDLE)_get_osfhandle(file), data, piece_of(size), &got, &place)) return got;
    if (GetLastError() == ERROR_HANDLE_EOF) return 0;
    fail();
    return -1;
}

int64_t system_write(int file, const void *data, size_t size, uint64_t offset)
{
    DWORD written = 0;
    OVERLAPPED place = place_of(offset);
    if (WriteFile((HANDLE)_get_osfhandle(file), data, piece_of(size), &written, &place))
        return written;
    fail();
    return -1;
}

bool system_sync(int file)
{
    return _commit(file) == 0;
}

void system_push(int file, size_t size, uint64_t offset)
{
    (void)file, (void)size, (void)offset;
}

bool system_whole_path(const char *path, char whole[SYSTEM_PATH])
{
    uint64_t size;
    return _fullpath(whole, path, SYSTEM_PATH) != NULL &&
           system_kind(path, &size) != SYSTEM_NOTHING;
}

bool system_truncate(const char *path, uint64_t size)
{
    int file = _open(path, _O_RDWR | _O_BINARY | _O_NOINHERIT);
    if (file < 0) return false;
    const bool done = _chsize_s(file, (int64_t)size) == 0;
    _close(file);
    return done;
}

bool system_rename(const char *from, const char *to)
{
    const DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return MoveFileExA(from, to, how) || fail();
}

bool system_make_folder(const char *path, bool own)
{
    (void)own; /* as the folder above it */
    return CreateDirectoryA(path, NULL) || fail();
}

SystemKind system_kind(const char *path, uint64_t *size)
{
    WIN32_FILE_ATTRIBUTE_DATA about;
    if (!GetFileAttributesExA(path, GetFileExInfoStandard, &about)) return SYSTEM_NOTHING;
    *size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    if (about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) return SYSTEM_ODD;
    return about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? SYSTEM_FOLDER : SYSTEM_FILE;
}

/* ---- files of a folder ---- */

int system_open_folder(const char *path)
{
    HANDLE handle = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        fail();
        return -1;
    }
    return _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_NOINHERIT);
}

/* The path of a name in a folder, wherever that is by now. */
static const char *path_in(int folder, const char *name, char path[SYSTEM_PATH])
{
    const DWORD room = SYSTEM_PATH - SYSTEM_NAME - 2;
    const DWORD length =
        GetFinalPathNameByHandleA((HANDLE)_get_osfhandle(folder), path, room, VOLUME_NAME_DOS);
    if (length == 0 || length >= room) return name;
    snprintf(path + length, SYSTEM_NAME + 2, "\\%.*s", SYSTEM_NAME, name);
    return path;
}

int system_create_in(int folder, const char *name)
{
    char path[SYSTEM_PATH];
    const int how = _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT;
    return _open(path_in(folder, name, path), how, _S_IREAD | _S_IWRITE);
}

bool system_is_odd_in(int folder, const char *name)
{
    char path[SYSTEM_PATH];
    uint64_t size;
    const SystemKind kind = system_kind(path_in(folder, name, path), &size);
    return kind == SYSTEM_FOLDER || kind == SYSTEM_ODD;
}

bool system_rename_in(int folder, const char *from, const char *to)
{
    char path[SYSTEM_PATH], target[SYSTEM_PATH];
    return system_rename(path_in(folder, from, path), path_in(folder, to, target));
}

void system_remove_in(int folder, const char *name)
{
    char path[SYSTEM_PATH];
    DeleteFileA(path_in(folder, name, path));
}

bool system_sync_folder(int folder)
{
    (void)folder; /* renames are written through */
    return true;
}

/* A folder has no locks here: a file in it has, which goes with who holds it. */
int system_lock(const char *folder, bool alone)
{
    char path[SYSTEM_PATH];
    const DWORD shared = alone ? 0 : FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    snprintf(path, sizeof path, "%s/.mote-lock", folder);
    HANDLE handle = CreateFileA(path, GENERIC_READ | DELETE, shared, NULL, OPEN_ALWAYS,
                                FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle != INVALID_HANDLE_VALUE)
        return _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_NOINHERIT);
    return GetLastError() == ERROR_SHARING_VIOLATION ? SYSTEM_LOCK_TAKEN : SYSTEM_LOCK_NONE;
}

void system_unlock(int lock)
{
    if (lock >= 0) _close(lock);
}

/* ---- programs ---- */

/* Programs take their words out of one line: quotes around each, and \ before a quote, and before
 * every \ that stands before a quote. */
static bool add_word(char *line, size_t room, const char *word)
{
    size_t used = strlen(line), slashes = 0;
    if (used + 2 * strlen(word) + 5 > room) return false;
    if (used > 0) line[used++] = ' ';
    line[used++] = '"';
    for (; *word != '\0'; ++word) {
        if (*word == '"')
            for (size_t i = 0; i <= slashes; ++i) line[used++] = '\\';
        slashes = *word == '\\' ? slashes + 1 : 0;
        line[used++] = *word;
    }
    while (slashes-- > 0) line[used++] = '\\';
    line[used++] = '"', line[used] = '\0';
    return true;
}

static int create(SystemChild *child, char *line, HANDLE input, HANDLE errors)
{
    HANDLE nowhere =
        CreateFileA(system_nowhere, GENERIC_WRITE, FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    STARTUPINFOA how = {.cb = sizeof how,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = input,
                        .hStdOutput = nowhere,
                        .hStdError = errors};
    PROCESS_INFORMATION made;
    SetHandleInformation(input, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetHandleInformation(nowhere, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetHandleInformation(errors, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    const BOOL started = CreateProcessA(NULL, line, NULL, NULL, TRUE, CREATE_NEW_PROCESS_GROUP,
                                        NULL, NULL, &how, &made);
    const int code = started ? 0 : code_of(GetLastError());
    CloseHandle(nowhere);
    if (!started) return code;
    CloseHandle(made.hThread);
    child->process = (intptr_t)made.hProcess;
    return 0;
}

int system_start(SystemChild *child, const char *const words[], FILE *errors)
{
    char line[2 * SYSTEM_PATH] = "";
    HANDLE read, write;
    for (size_t i = 0; words[i] != NULL; ++i)
        if (!add_word(line, sizeof line, words[i])) return ENAMETOOLONG;
    if (!CreatePipe(&read, &write, NULL, 1 << 20)) return code_of(GetLastError());
    const int failure = create(child, line, read, (HANDLE)_get_osfhandle(_fileno(errors)));
    CloseHandle(read);
    child->input = _open_osfhandle((intptr_t)write, _O_BINARY);
    return failure;
}

bool system_send(SystemChild *child, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const int sent = _write(child->input, at, piece_of(size));
        if (sent <= 0) return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool system_wait(SystemChild *child)
{
    DWORD code = 1;
    HANDLE process = (HANDLE)child->process;
    if (child->input >= 0) _close(child->input);
    child->input = -1;
    if (process != NULL) {
        WaitForSingleObject(process, INFINITE);
        GetExitCodeProcess(process, &code);
        CloseHandle(process);
    }
    child->process = 0;
    return code == 0;
}

/* ---- libraries ---- */

void *system_library(const char *name)
{
    char file[SYSTEM_NAME];
    snprintf(file, sizeof file, "%s.dll", name);
    return (void *)LoadLibraryA(file);
}

void *system_symbol(void *library, const char *name)
{
    return (void *)(uintptr_t)GetProcAddress((HMODULE)library, name);
}
