/* What differs between systems. One file for each defines all of this, and nothing else in the
 * library asks where it runs, so that a port is one such file:
 *
 *     system_posix.c     what Linux, macOS and BSD share
 *     system_linux.c     Linux: processors of this program, control groups, huge pages
 *     system_bsd.c       macOS and BSD: what POSIX says, and nothing more
 *     system_windows.c   Windows
 *     system_wasm.c      a page, as WebAssembly
 *     system_alone.c     what the two share: programs without plug-ins
 *
 * What fails leaves its reason in errno. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SYSTEM_PATH = 4096, SYSTEM_NAME = 256, SYSTEM_REASON = 128 };

/* ---- processors and memory ---- */

/* Processors that this program may use, one at least. */
int system_cores(void);

/* Bytes of memory that this program may use; UINT64_MAX: not known. */
uint64_t system_memory(void);

/* A block that begins at a multiple of 64 bytes; NULL: there is none. Ends with system_give. */
void *system_take(size_t size);
void system_give(void *block);

/* ---- words ---- */

/* What an errno says. */
const char *system_reason(int code, char buffer[SYSTEM_REASON]);

/* Reads a number with a decimal point, whatever the host's language; false: no memory. */
bool system_number(const char *text, double *value);

/* ---- files ---- */

/* Bytes that can be written where `path` is; UINT64_MAX: not known. */
uint64_t system_disk_free(const char *path);

/* Opens a file to read it, without waiting where it is a pipe; -1: failed. */
int system_open(const char *path);

/* Two numbers that no other file has; false: failed. */
bool system_identity(int file, uint64_t identity[2]);
bool system_path_identity(const char *path, uint64_t identity[2]);

/* Bytes read or written at a place of a file, from any thread; less than 0: failed. */
int64_t system_read(int file, void *data, size_t size, uint64_t offset);
int64_t system_write(int file, const void *data, size_t size, uint64_t offset);
/* Waits until what was written is on the disk. */
bool system_sync(int file);
/* Lets the disk begin with it, where that can be said. */
void system_push(int file, size_t size, uint64_t offset);

/* The path from the root, without links where they can be followed; false: there is none. */
bool system_whole_path(const char *path, char whole[SYSTEM_PATH]);
bool system_truncate(const char *path, uint64_t size);
/* `to` may be there, and is never half of each. */
bool system_rename(const char *from, const char *to);
/* `own`: for this user alone. */
bool system_make_folder(const char *path, bool own);
/* A plain file, a folder (not by a link), or neither. */
typedef enum SystemKind { SYSTEM_NOTHING, SYSTEM_FILE, SYSTEM_FOLDER, SYSTEM_ODD } SystemKind;
SystemKind system_kind(const char *path, uint64_t *size);

/* ---- files of a folder, which may be renamed meanwhile ---- */

int system_open_folder(const char *path); /* -1: failed */
/* A file that was not there, to read and write; -1: failed, with EEXIST where it was. */
int system_create_in(int folder, const char *name);
/* Something of that name that is no plain file. */
bool system_is_odd_in(int folder, const char *name);
bool system_rename_in(int folder, const char *from, const char *to);
void system_remove_in(int folder, const char *name);
/* Waits until the folder's names are on the disk. */
bool system_sync_folder(int folder);

/* Whether one may write into a folder: several look, one alone writes. The lock ends with
 * system_unlock or with the program. SYSTEM_LOCK_NONE: no folder there, or no locks. */
enum { SYSTEM_LOCK_NONE = -1, SYSTEM_LOCK_TAKEN = -2 };
int system_lock(const char *folder, bool alone);
void system_unlock(int lock);

/* ---- programs and libraries ---- */

/* Another program, to which bytes are sent. Starts as {.input = -1}. */
typedef struct SystemChild {
    intptr_t process; /* 0: none */
    int input;
} SystemChild;

/* Starts words[0] of the PATH without a shell, not ended by Ctrl-C; NULL ends the words. What it
 * says of errors goes to a file. 0, or an errno: ENOENT and EACCES where there is none. */
int system_start(SystemChild *child, const char *const words[], FILE *errors);
/* False where it has ended: that raises no signal. */
bool system_send(SystemChild *child, const void *bytes, size_t size);
/* Ends its input and waits; true where it has done well. */
bool system_wait(SystemChild *child);

/* A library by its usual name, which stays loaded; NULL: not there. */
void *system_library(const char *name);
void *system_symbol(void *library, const char *name);

/* A library by its path, for all that is loaded after it to see. NULL, and `why`: not there, or not
 * what it should be. */
void *system_plugin(const char *path, char why[SYSTEM_NAME]);

/* The folder that the program is in; "": not known. */
void system_program_folder(char folder[SYSTEM_PATH]);

/* A file that swallows what is written. */
extern const char *const system_nowhere;

#endif
