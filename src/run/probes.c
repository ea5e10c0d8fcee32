/* Tables of probes: appended line by line; a line cut by a kill is dropped when the run goes on.
 * Times are written so that they read back to the same bits, and lines are kept by comparing them
 * with the time of the last frame that is kept. */
#include "run/probes.h"

#include "base/number.h"
#include "io/file.h"

#include <math.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = (MOTE_PROBE_COLUMNS + 2) * NUMBER_SIZE };

static void path_of(const Folder *folder, const char *probe, char path[FOLDER_PATH])
{
    char name[FOLDER_LONGEST_NAME + 1];
    snprintf(name, sizeof name, "probes/%.100s.csv", probe);
    folder_file(folder, name, path);
}

static mote_Status close_file(FILE *file, bool good, const char *path, mote_Error *error)
{
    good = fclose(file) == 0 && good;
    return good ? MOTE_OK : file_failed(path, "write it", errno, error);
}

/* ---- opening ---- */

/* The time that a line begins with; NaN when it is no whole line. */
static double line_time(char *line)
{
    char *comma = strchr(line, ',');
    double time = (double)NAN;
    if (comma == NULL || strchr(line, '\n') == NULL) return (double)NAN;
    *comma = '\0';
    return number_parse(line, &time) ? time : (double)NAN;
}

/* Bytes of the head and of the whole lines up to `last`, s. */
static long kept_bytes(FILE *file, double last)
{
    char line[LINE_SIZE];
    long kept = 0;
    if (fgets(line, sizeof line, file) == NULL || strchr(line, '\n') == NULL) return 0;
    do kept = ftell(file);
    while (fgets(line, sizeof line, file) != NULL && line_time(line) <= last);
    return kept;
}

static mote_Status write_head(const mote_ProbeSamples *probe, const char *path, mote_Error *error)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return file_failed(path, "open it", errno, error);
    bool good = fputs("time", file) >= 0;
    for (size_t c = 0; c < probe->column_count; ++c)
        good = fprintf(file, ",%s", probe->columns[c].name) > 0 && good;
    good = fputc('\n', file) == '\n' && good;
    return close_file(file, good, path, error);
}

static mote_Status open_one(const Folder *folder, const mote_ProbeSamples *probe, double last,
                            mote_Error *error)
{
    char path[FOLDER_PATH];
    path_of(folder, probe->name, path);
    FILE *file = last >= 0 ? fopen(path, "r") : NULL;
    long kept = file != NULL ? kept_bytes(file, last) : 0;
    if (file != NULL) fclose(file);
    if (kept == 0) return write_head(probe, path, error);
    return truncate(path, kept) == 0 ? MOTE_OK : file_failed(path, "shorten it", errno, error);
}

static mote_Status list_columns(Cache *cache, const mote_ProbeSamples *probe, mote_Error *error)
{
    char file[FOLDER_LONGEST_NAME + 1];
    snprintf(file, sizeof file, "probes/%.100s.csv", probe->name);
    ManifestColumn time = {probe->name, file, "time", "s"};
    mote_Status status = manifest_add_column(cache->manifest, &time, error);
    for (size_t c = 0; c < probe->column_count && status == MOTE_OK; ++c) {
        const mote_ProbeColumn *column = &probe->columns[c];
        ManifestColumn listed = {probe->name, file, column->name, column->unit};
        status = manifest_add_column(cache->manifest, &listed, error);
    }
    return status;
}

mote_Status probes_open(Cache *cache, const mote_World *world, uint64_t again, mote_Error *error)
{
    double last = again > 0 ? (double)(again - 1) / cache->manifest->fps : -1;
    mote_ProbeSamples probe = mote_world_probe(world, 0);
    if (probe.name == NULL) return MOTE_OK;
    mote_Status status = folder_make_inner(cache->folder, "probes", error);
    for (size_t i = 0; status == MOTE_OK; ++i) {
        probe = mote_world_probe(world, i);
        if (probe.name == NULL) break;
        status = open_one(cache->folder, &probe, last, error);
        if (status == MOTE_OK) status = list_columns(cache, &probe, error);
    }
    return status == MOTE_OK ? cache_note(cache, MANIFEST_RUNNING, error) : status;
}

/* ---- adding ---- */

/* Enough digits for the same double; measured values need no more than nine. */
static bool write_line(FILE *file, const mote_ProbeSamples *probe, size_t i)
{
    char text[NUMBER_SIZE];
    number_text(probe->times[i], text);
    bool good = fputs(text, file) >= 0;
    for (size_t c = 0; c < probe->column_count; ++c) {
        number_write(probe->values[i * probe->column_count + c], 9, text);
        good = fprintf(file, ",%s", text) > 0 && good;
    }
    return fputc('\n', file) == '\n' && good;
}

static mote_Status add_one(const Folder *folder, const mote_ProbeSamples *probe, mote_Error *error)
{
    char path[FOLDER_PATH];
    path_of(folder, probe->name, path);
    FILE *file = fopen(path, "a");
    bool good = true;
    if (file == NULL) return file_failed(path, "open it", errno, error);
    for (size_t i = 0; i < probe->count && good; ++i) good = write_line(file, probe, i);
    return close_file(file, good, path, error);
}

mote_Status probes_add(const Folder *folder, const mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; status == MOTE_OK; ++i) {
        mote_ProbeSamples probe = mote_world_probe(world, i);
        if (probe.name == NULL) break;
        if (probe.count > 0) status = add_one(folder, &probe, error);
    }
    return status;
}

mote_Status probes_start(const Folder *folder, mote_World *world, mote_Error *error)
{
    if (mote_world_frame_index(world) != 0) return MOTE_OK;
    mote_Status status = mote_world_sample_probes(world, error);
    return status == MOTE_OK ? probes_add(folder, world, error) : status;
}
