/* A page, as WebAssembly: one thread, memory up to a limit, and no files, programs or libraries. */
#include "base/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

int system_cores(void)
{
    return 1;
}

uint64_t system_memory(void)
{
    return MOTE_PAGE_MEMORY; /* what the module is linked with */
}

void *system_take(size_t size)
{
    return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void system_give(void *block)
{
    free(block);
}

const char *system_reason(int code, char buffer[SYSTEM_REASON])
{
    (void)buffer;
    return strerror(code);
}

bool system_number(const char *text, double *value)
{
    *value = strtod(text, NULL); /* the C library has no other language */
    return true;
}

/* ---- files: there are none ---- */

static int none(void)
{
    errno = ENOENT;
    return -1;
}

uint64_t system_disk_free(const char *path)
{
    (void)path, none();
    return UINT64_MAX;
}

int system_open(const char *path)
{
    (void)path;
    return none();
}

bool system_identity(int file, uint64_t identity[2])
{
    (void)file, (void)identity;
    return none() == 0;
}

bool system_path_identity(const char *path, uint64_t identity[2])
{
    (void)path, (void)identity;
    return none() == 0;
}

int64_t system_read(int file, void *data, size_t size, uint64_t offset)
{
    (void)file, (void)data, (void)size, (void)offset;
    return none();
}

int64_t system_write(int file, const void *data, size_t size, uint64_t offset)
{
    (void)file, (void)data, (void)size, (void)offset;
    return none();
}

bool system_sync(int file)
{
    (void)file;
    return none() == 0;
}

void system_push(int file, size_t size, uint64_t offset)
{
    (void)file, (void)size, (void)offset;
}

bool system_whole_path(const char *path, char whole[SYSTEM_PATH])
{
    (void)path, (void)whole;
    return none() == 0;
}

bool system_truncate(const char *path, uint64_t size)
{
    (void)path, (void)size;
    return none() == 0;
}

bool system_rename(const char *from, const char *to)
{
    (void)from, (void)to;
    return none() == 0;
}

bool system_make_folder(const char *path, bool own)
{
    (void)path, (void)own;
    return none() == 0;
}

SystemKind system_kind(const char *path, uint64_t *size)
{
    (void)path, (void)size;
    return SYSTEM_NOTHING;
}

/* ---- folders ---- */

int system_open_folder(const char *path)
{
    (void)path;
    return none();
}

int system_create_in(int folder, const char *name)
{
    (void)folder, (void)name;
    return none();
}

bool system_is_odd_in(int folder, const char *name)
{
    (void)folder, (void)name;
    return false;
}

bool system_rename_in(int folder, const char *from, const char *to)
{
    (void)folder, (void)from, (void)to;
    return none() == 0;
}

void system_remove_in(int folder, const char *name)
{
    (void)folder, (void)name;
}

bool system_sync_folder(int folder)
{
    (void)folder;
    return none() == 0;
}

int system_lock(const char *folder, bool alone)
{
    (void)folder, (void)alone;
    return SYSTEM_LOCK_NONE;
}

void system_unlock(int lock)
{
    (void)lock;
}

/* ---- programs and libraries ---- */

int system_start(SystemChild *child, const char *const words[], FILE *errors)
{
    (void)child, (void)words, (void)errors;
    return ENOENT;
}

bool system_send(SystemChild *child, const void *bytes, size_t size)
{
    (void)child, (void)bytes, (void)size;
    return false;
}

bool system_wait(SystemChild *child)
{
    (void)child;
    return false;
}

void *system_library(const char *name)
{
    (void)name;
    return NULL;
}

void *system_symbol(void *library, const char *name)
{
    (void)library, (void)name;
    return NULL;
}

const char *const system_nowhere = "";
