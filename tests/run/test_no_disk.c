/* A run in which the n-th thing done to the disk fails: opening, writing (all or half of it),
 * forcing to the disk, closing, renaming, shortening, making a folder. The message names the file
 * and the reason, what was written before is left alone, and the run goes on to the same bits. The
 * linker puts the functions below in the place of the system's. MOTE_LONG fails each thing in each
 * way, not some of them. */
#include "run/scenario.h"
#include "small.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

typedef struct Way {
    const char *name;
    int reason;
    bool half;     /* half of what is written gets through */
    bool for_good; /* everything later fails too, until the run ends */
} Way;

static const Way ways[] = {{"a full disk", ENOSPC, true, true},
                           {"a bad block", EIO, false, false},
                           {"a moment without room", ENOSPC, true, false},
                           {"a disk that is gone", EIO, false, true}};

static struct {
    bool watched;
    uint64_t count, fail_at;
    const Way *way;
} disk;

/* Counts one thing done to the disk; true: it fails, and errno says why. */
static bool fails(void)
{
    uint64_t number = disk.count;
    disk.count += disk.watched;
    if (!disk.watched || number < disk.fail_at) return false;
    if (number > disk.fail_at && !disk.way->for_good) return false;
    errno = disk.way->reason;
    return true;
}

/* __real_X is the system's, __wrap_X is called by the library. */
#define STANDS_BEFORE(result, name, parameters, values)                                            \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        return fails() ? -1 : __real_##name values;                                                \
    }

STANDS_BEFORE(int, fsync, (int fd), (fd))
STANDS_BEFORE(int, rename, (const char *from, const char *to), (from, to))
STANDS_BEFORE(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
STANDS_BEFORE(int, truncate, (const char *path, off_t size), (path, size))
STANDS_BEFORE(int, mkdir, (const char *path, mode_t mode), (path, mode))

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    bool failed = fails();
    int reason = errno, closed = __real_close(fd);
    if (failed) errno = reason;
    return failed ? -1 : closed;
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails() ? -1 : __real_openat(folder, path, flags, mode);
}

ssize_t __real_pwrite(int fd, const void *data, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset)
{
    if (!fails()) return __real_pwrite(fd, data, size, offset);
    int reason = errno;
    if (disk.way->half) __real_pwrite(fd, data, size / 2, offset);
    errno = reason;
    return -1;
}

/* Streams write through this. */
static ssize_t cookie_write(void *file, const char *data, size_t size)
{
    bool failed = fails();
    int reason = errno;
    size_t through = !failed ? size : disk.way->half ? size / 2 : 0;
    through = fwrite(data, 1, through, file);
    fflush(file);
    errno = reason;
    return failed ? 0 : (ssize_t)through;
}

static int cookie_close(void *file)
{
    bool failed = fails();
    int reason = errno, closed = fclose(file);
    if (failed) errno = reason;
    return failed ? -1 : closed;
}

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    const cookie_io_functions_t functions = {.write = cookie_write, .close = cookie_close};
    if (!disk.watched || mode[0] == 'r') return __real_fopen(path, mode);
    FILE *file = fails() ? NULL : __real_fopen(path, mode);
    return file != NULL ? fopencookie(file, mode, functions) : NULL;
}

/* ---- runs ---- */

static mote_Status run_failing(const Place *place, uint64_t fail_at, const Way *way,
                               mote_Error *error)
{
    mote_SceneDef scene_def = mote_scene_def();
    mote_RunDef def = run_in(place);
    mote_Scene *scene;
    scene_def.text = small_scenes[0].text;
    SETUP_OK(mote_scene_load(&scene_def, &scene, error), *error);
    def.resume = place_has(place, "manifest.json");
    disk.watched = true, disk.count = 0, disk.fail_at = fail_at, disk.way = way;
    mote_Status status = mote_run(scene, &def, NULL, error);
    disk.watched = false;
    mote_scene_destroy(scene);
    return status;
}

static bool same_results(const Place *a, const Place *b)
{
    return same_run(a, b, SMALL_FRAMES) && same_pictures(a, b, SMALL_FRAMES) &&
           same_file(a, b, "probes/sum.csv") && same_file(a, b, "probes/push.csv");
}

/* Every frame that stands under its own name is whole. */
static void check_frames(const Place *place, const Place *whole)
{
    char name[64];
    for (uint64_t i = 0; i <= SMALL_FRAMES; ++i) {
        frame_name(i, name);
        CHECK(!place_has(place, name) || same_file(place, whole, name));
    }
}

static bool fail_one(const Place *whole, uint64_t n, const Way *way)
{
    Place place = place_make();
    mote_Error error = {MOTE_OK, ""};
    mote_Status status = run_failing(&place, n, way, &error);
    CHECK(status == MOTE_IO_FAILED || status == MOTE_OK);
    check_frames(&place, whole);
    if (status != MOTE_OK) {
        CHECK_MESSAGE(error, place.path);
        CHECK_MESSAGE(error, strerror(way->reason));
        CHECK_OK(run_failing(&place, UINT64_MAX, way, &error), error);
    }
    CHECK(same_results(&place, whole) && log_is_whole(&place, SMALL_FRAMES));
    place_end(&place);
    return status != MOTE_OK;
}

static void everything_on_the_disk(void)
{
    Place whole = place_make();
    mote_Error error;
    bool all = getenv("MOTE_LONG") != NULL;
    uint64_t tried = 0, failed = 0;
    CHECK_OK(run_failing(&whole, UINT64_MAX, &ways[0], &error), error);
    uint64_t count = disk.count, points = TEST_SANITIZED ? 60 : 160;
    for (uint64_t n = 0; n < count; n += all ? 1 : count / points + 1) {
        for (size_t w = 0; w < COUNT_OF(ways); ++w) {
            int before = check_failures;
            if (!all && w != tried % COUNT_OF(ways)) continue;
            failed += fail_one(&whole, n, &ways[w]);
            if (check_failures > before)
                fprintf(stderr, "  %s at %llu\n", ways[w].name, (unsigned long long)n);
        }
        ++tried;
    }
    printf("%llu of %llu things done to the disk failed, %llu runs stopped\n",
           (unsigned long long)tried, (unsigned long long)count, (unsigned long long)failed);
    CHECK(failed > tried / 2);
    place_end(&whole);
}

TESTS({"everything_on_the_disk", everything_on_the_disk})
