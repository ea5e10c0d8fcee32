/* What systems must give, wherever the test is built and run: see src/base/system.h. */
#include "check.h"

#include "base/system.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef _WIN32 /* where little can be counted on: this program itself */
#define SWALLOW _pgmptr, "child"
#define REFUSE  "cmd", "/c", "exit 3"
#else
#define SWALLOW "sh", "-c", "exec cat >/dev/null"
#define REFUSE  "sh", "-c", "exec <&-; exit 3"
#endif

static char folder[64];

static void enter(void)
{
    snprintf(folder, sizeof folder, "system-test-%ld", (long)getpid());
    CHECK(system_make_folder(folder, true));
    CHECK(!system_make_folder(folder, true) && errno == EEXIST);
}

static const char *in(const char *name)
{
    static char path[2][128];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void leave(void)
{
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < 3; ++i) unlink(in(names[i]));
    CHECK(rmdir(folder) == 0);
}

/* Bytes at places of a new file, which then takes the place of another. */
static void files_of_a_folder(void)
{
    char bytes[8] = "";
    uint64_t size = 0, first[2], second[2];
    enter();
    int here = system_open_folder(folder);
    CHECK(here >= 0 && system_open_folder(in("none")) < 0 && errno == ENOENT);
    int file = system_create_in(here, "a");
    CHECK(file >= 0 && system_create_in(here, "a") < 0 && errno == EEXIST);
    CHECK(system_write(file, "\n\r\032x", 4, 6) == 4 && system_write(file, "\nbcdef", 6, 0) == 6);
    system_push(file, 10, 0);
    CHECK(system_sync(file));
    CHECK(system_read(file, bytes, 5, 5) == 5 && memcmp(bytes, "f\n\r\032x", 5) == 0);
    CHECK(system_read(file, bytes, 5, 10) == 0);
    CHECK(system_identity(file, first));
    close(file);
    CHECK(system_kind(in("a"), &size) == SYSTEM_FILE && size == 10);
    int other = system_create_in(here, "b");
    CHECK(system_identity(other, second) && memcmp(first, second, sizeof first) != 0);
    close(other);
    CHECK(system_rename_in(here, "a", "b") && system_sync_folder(here));
    CHECK(system_kind(in("a"), &size) == SYSTEM_NOTHING);
    CHECK(system_path_identity(in("b"), second) && memcmp(first, second, sizeof first) == 0);
    CHECK(!system_is_odd_in(here, "b") && !system_is_odd_in(here, "none"));
    CHECK(system_truncate(in("b"), 3) && system_kind(in("b"), &size) == SYSTEM_FILE && size == 3);
    system_remove_in(here, "b");
    CHECK(system_kind(in("b"), &size) == SYSTEM_NOTHING);
    close(here);
    CHECK(system_kind(folder, &size) == SYSTEM_FOLDER);
    leave();
}

static void names(void)
{
    char reason[SYSTEM_REASON];
    uint64_t plain[2], reached[2];
    enter();
    int here = system_open_folder(folder), file = system_create_in(here, "a");
    CHECK(file >= 0);
    close(file);
    close(here);
    FILE *other = fopen(in("b"), "wb");
    CHECK(other != NULL && fputs("old", other) >= 0 && fclose(other) == 0);
    CHECK(system_rename(in("a"), in("b")));
    int opened = system_open(in("b"));
    CHECK(opened >= 0 && system_read(opened, reason, 3, 0) == 0);
    close(opened);
    char whole[SYSTEM_PATH];
    CHECK(system_whole_path(in("b"), whole) && strlen(whole) > strlen(in("b")));
    CHECK(system_path_identity(whole, reached) && system_path_identity(in("b"), plain));
    CHECK(memcmp(plain, reached, sizeof plain) == 0);
    CHECK(!system_whole_path(in("none"), whole));
    CHECK(system_open(in("none")) < 0 && errno == ENOENT);
    CHECK(strlen(system_reason(ENOENT, reason)) > 5);
    CHECK(system_disk_free(folder) > 0 && system_disk_free(folder) != UINT64_MAX);
    leave();
}

static void locks(void)
{
    enter();
    CHECK(system_lock(in("none"), true) == SYSTEM_LOCK_NONE);
    int writer = system_lock(folder, true);
    CHECK(writer >= 0);
    CHECK(system_lock(folder, true) == SYSTEM_LOCK_TAKEN);
    CHECK(system_lock(folder, false) == SYSTEM_LOCK_TAKEN);
    system_unlock(writer);
    int reader = system_lock(folder, false), another = system_lock(folder, false);
    CHECK(reader >= 0 && another >= 0 && system_lock(folder, true) == SYSTEM_LOCK_TAKEN);
    system_unlock(reader);
    system_unlock(another);
    writer = system_lock(folder, true);
    CHECK(writer >= 0);
    system_unlock(writer);
    leave();
}

static void processors_and_memory(void)
{
    CHECK(system_cores() >= 1);
    CHECK(system_memory() > 64u << 20);
    static const size_t sizes[] = {1, 64, 1000, 9 << 20};
    for (size_t i = 0; i < 4; ++i) {
        char *block = system_take(sizes[i]);
        CHECK(block != NULL && (uintptr_t)block % 64 == 0);
        if (block != NULL) memset(block, 1, sizes[i]);
        system_give(block);
    }
    system_give(NULL);
}

static void numbers(void)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"0.1", 0.1},
                 {"1e-310", 1e-310},
                 {"1.7976931348623157e308", 1.7976931348623157e308},
                 {"9007199254740993.0000000001", 9007199254740994.0},
                 {"0x1f", 31}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double value = 0;
        CHECK(system_number(cases[i].text, &value) && value == cases[i].value);
    }
}

/* What `programs` starts, where there is no other program. */
static void child(void)
{
    if (getenv("SYSTEM_CHILD") == NULL) return;
    while (getchar() != EOF) continue;
}

/* A megabyte goes through one program; another ends before it has read it. */
static void programs(void)
{
    static char mark[] = "SYSTEM_CHILD=1"; /* the environment keeps it */
    const char *const swallow[] = {SWALLOW, NULL}, *const refuse[] = {REFUSE, NULL};
    const char *const none[] = {"no-such-program", NULL};
    enum { SIZE = 1 << 20 };
    char *bytes = calloc(1, SIZE);
    FILE *errors = fopen(system_nowhere, "w");
    SystemChild other = {.input = -1};
    CHECK(system_start(&other, none, errors) == ENOENT && !system_wait(&other));
    putenv(mark);
    CHECK(system_start(&other, swallow, errors) == 0);
    CHECK(system_send(&other, bytes, SIZE) && system_wait(&other));
    CHECK(system_start(&other, refuse, errors) == 0);
    bool sent = true;
    for (int i = 0; i < 64 && sent; ++i) sent = system_send(&other, bytes, SIZE);
    CHECK(!sent && !system_wait(&other));
    fclose(errors);
    free(bytes);
}

static void libraries(void)
{
    CHECK(system_library("no-such-library") == NULL);
}

TESTS({"files_of_a_folder", files_of_a_folder}, {"names", names}, {"locks", locks},
      {"processors_and_memory", processors_and_memory}, {"numbers", numbers}, {"child", child},
      {"programs", programs}, {"libraries", libraries})
