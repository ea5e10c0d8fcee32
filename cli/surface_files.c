/* Listing what `mote surface` reads, and naming what it writes. */
#include "cli/surface_files.h"

#include "cli/exit.h"

#include <mote/run.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool add(SurfaceFiles *files, const char *path, uint64_t number)
{
    if (files->count == files->room) {
        size_t room = files->room * 2 + 64;
        SurfaceFile *more = realloc(files->items, room * sizeof *more);
        if (more == NULL) return false;
        files->items = more, files->room = room;
    }
    char *copy = strdup(path);
    if (copy == NULL) return false;
    files->items[files->count++] = (SurfaceFile){copy, number};
    return true;
}

void surface_files_free(SurfaceFiles *files)
{
    for (size_t i = 0; i < files->count; ++i) free(files->items[i].path);
    free(files->items);
    *files = (SurfaceFiles){.count = 0};
}

static bool in_range(const FrameRange *range, uint64_t number)
{
    return (range->first < 0 || number >= (uint64_t)range->first) &&
           (range->last < 0 || number <= (uint64_t)range->last);
}

typedef struct RunList {
    const FrameRange *range;
    SurfaceFiles *files;
    bool good;
} RunList;

static bool add_frame(void *context, uint64_t index, const char *path)
{
    RunList *list = context;
    if (in_range(list->range, index)) list->good = add(list->files, path, index);
    return list->good;
}

static int list_run(const char *input, const FrameRange *range, SurfaceFiles *files)
{
    RunList list = {range, files, true};
    mote_Error error = {0};
    mote_Status status = mote_run_frames(input, add_frame, &list, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    if (!list.good) message("out of memory");
    return list.good ? EXIT_DONE : EXIT_FAILED;
}

static int is_particle_file(const struct dirent *entry)
{
    static const char *const endings[] = {".ply", ".npz", ".csv", ".xyz", ".txt"};
    const char *dot = strrchr(entry->d_name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; ++i)
        if (strcasecmp(dot, endings[i]) == 0) return 1;
    return 0;
}

static int list_folder(const char *input, const FrameRange *range, SurfaceFiles *files)
{
    struct dirent **entries;
    int count = scandir(input, &entries, is_particle_file, versionsort);
    bool good = count >= 0;
    for (int i = 0; i < count; ++i) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", input, entries[i]->d_name);
        if (good && length < (int)sizeof path && in_range(range, (uint64_t)i))
            good = add(files, path, (uint64_t)i);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    if (count < 0)
        message("cannot read %s: %s", input, strerror(errno));
    else if (!good)
        message("%s: out of memory", input);
    return good ? EXIT_DONE : EXIT_IO;
}

int surface_files_list(const char *input, const FrameRange *range, SurfaceFiles *files)
{
    struct stat facts;
    int code;
    *files = (SurfaceFiles){.count = 0};
    if (stat(input, &facts) == 0 && !S_ISDIR(facts.st_mode))
        code = add(files, input, 0) ? EXIT_DONE : EXIT_FAILED;
    else if (mote_run_is_there(input))
        code = list_run(input, range, files);
    else
        code = list_folder(input, range, files);
    if (code == EXIT_DONE && files->count == 0) {
        if (range->first >= 0 || range->last >= 0)
            message("%s: none of the frames asked for is there", input);
        else
            message("%s: no frames and no particle files (.ply, .npz, .csv, .xyz) are there",
                    input);
        return EXIT_BAD_INPUT;
    }
    return code;
}

/* ---- names ---- */

/* The first "%d" or "%06d"; its width in *width. NULL: none. */
static const char *find_number(const char *pattern, int *width, const char **behind)
{
    for (const char *at = strchr(pattern, '%'); at != NULL; at = strchr(at + 1, '%')) {
        const char *c = at + 1;
        *width = 0;
        for (; *c >= '0' && *c <= '9' && *width < 20; ++c) *width = *width * 10 + (*c - '0');
        *behind = c + 1;
        if (*c == 'd') return at;
    }
    return NULL;
}

bool surface_pattern_has_number(const char *pattern)
{
    int width;
    const char *behind;
    return find_number(pattern, &width, &behind) != NULL;
}

bool surface_file_name(const char *pattern, uint64_t number, char *name, size_t size)
{
    int width;
    const char *behind, *at = find_number(pattern, &width, &behind);
    int length = at == NULL ? snprintf(name, size, "%s", pattern)
                            : snprintf(name, size, "%.*s%0*" PRIu64 "%s", (int)(at - pattern),
                                       pattern, width, number, behind);
    return length > 0 && (size_t)length < size;
}
