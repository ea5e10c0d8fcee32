/* The table of a probe. Reading: the manifest says which columns it has; the file is not trusted.
 */
#include "run/cache.h"

#include "base/number.h"
#include "base/status.h"
#include "base/text.h"
#include "io/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ProbeTable {
    mote_ProbeSamples samples; /* first: what is handed out */
    Memory memory;
    mote_ProbeColumn columns[MOTE_PROBE_COLUMNS];
    double *times, *values;
    size_t time_capacity, value_capacity;
    Manifest *manifest; /* texts */
} ProbeTable;

void mote_probe_table_destroy(mote_ProbeSamples *samples)
{
    ProbeTable *table = (ProbeTable *)samples;
    if (table == NULL) return;
    memory_free(&table->memory, table->times, table->time_capacity * sizeof *table->times);
    memory_free(&table->memory, table->values, table->value_capacity * sizeof *table->values);
    manifest_destroy(table->manifest);
    Memory memory = table->memory;
    memory_free(&memory, table, sizeof *table);
}

static const char *probe_name(const void *context, size_t i)
{
    const Manifest *manifest = context;
    return i < manifest->column_count ? manifest->columns[i].probe : NULL;
}

/* "front, water": a probe stands in the manifest once for each of its columns. */
static void list_probes(const Manifest *manifest, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < manifest->column_count && used < size; ++i) {
        const char *name = manifest->columns[i].probe;
        if (i > 0 && strcmp(name, manifest->columns[i - 1].probe) == 0) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

static mote_Status no_probe(const char *folder, const Manifest *manifest, const char *name,
                            mote_Error *error)
{
    const char *near = text_nearest(name, probe_name, manifest);
    char known[200];
    list_probes(manifest, known, sizeof known);
    if (manifest->column_count == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the run has no probes; a scene asks for them by `probes`",
                           file_label(folder));
    if (name[0] == '\0')
        return status_fail(error, MOTE_BAD_VALUE, "%s has the probes %s", file_label(folder),
                           known);
    if (near != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the run has no probe `%.80s`; did you mean `%s`?",
                           file_label(folder), name, near);
    return status_fail(error, MOTE_BAD_VALUE, "%s: the run has no probe `%.80s`; it has %s",
                       file_label(folder), name, known);
}

/* The columns behind the time. */
static mote_Status find_columns(ProbeTable *table, const char *folder, const char *name,
                                const char **file, mote_Error *error)
{
    mote_ProbeSamples *samples = &table->samples;
    *file = NULL;
    for (size_t i = 0; i < table->manifest->column_count; ++i) {
        const ManifestColumn *column = &table->manifest->columns[i];
        if (strcmp(column->probe, name) != 0) continue;
        if (*file != NULL && samples->column_count < MOTE_PROBE_COLUMNS)
            table->columns[samples->column_count++] =
                (mote_ProbeColumn){column->column, column->unit};
        *file = column->file;
        samples->name = column->probe;
    }
    samples->columns = table->columns;
    samples->type = "";
    return *file != NULL ? MOTE_OK : no_probe(folder, table->manifest, name, error);
}

static bool read_line(char *line, size_t columns, double *time, double *values)
{
    char *part = line, *end = strchr(line, '\n');
    if (end == NULL) return false;
    *end = '\0';
    for (size_t c = 0; c <= columns; ++c) {
        char *comma = strchr(part, ',');
        if ((comma == NULL) != (c == columns)) return false;
        if (comma != NULL) *comma = '\0';
        if (!number_parse(part, c == 0 ? time : &values[c - 1])) return false;
        if (comma != NULL) part = comma + 1;
    }
    return true;
}

/* A last line that is not whole is left out: a run may be writing it. */
static mote_Status read_lines(ProbeTable *table, FILE *file, const char *path, mote_Error *error)
{
    mote_ProbeSamples *samples = &table->samples;
    size_t columns = samples->column_count;
    char line[(MOTE_PROBE_COLUMNS + 2) * NUMBER_SIZE];
    for (bool head = true; fgets(line, sizeof line, file) != NULL; head = false) {
        double time, values[MOTE_PROBE_COLUMNS];
        size_t count = samples->count;
        if (head) continue;
        if (strchr(line, '\n') == NULL) break;
        if (!read_line(line, columns, &time, values))
            return status_fail(error, MOTE_IO_FAILED, "%s: line %zu is not %zu numbers",
                               file_label(path), count + 2, columns + 1);
        if (!memory_reserve(&table->memory, (void **)&table->times, &table->time_capacity,
                            count + 1, sizeof *table->times) ||
            !memory_reserve(&table->memory, (void **)&table->values, &table->value_capacity,
                            (count + 1) * columns, sizeof *table->values))
            return status_no_memory(error, path, count);
        table->times[count] = time;
        memcpy(table->values + count * columns, values, columns * sizeof *values);
        ++samples->count;
    }
    samples->times = table->times;
    samples->values = table->values;
    return MOTE_OK;
}

static mote_Status read_table(ProbeTable *table, const char *path, const char *name,
                              mote_Error *error)
{
    Folder folder;
    const char *inner;
    char file[FOLDER_PATH];
    mote_Status status = cache_find(path, &folder, &table->manifest, error);
    if (status == MOTE_OK) status = find_columns(table, path, name, &inner, error);
    if (status != MOTE_OK) return status;
    folder_file(&folder, inner, file);
    FILE *stream = fopen(file, "r");
    if (stream == NULL) return file_failed(file, "open it", errno, error);
    status = read_lines(table, stream, file, error);
    fclose(stream);
    return status;
}

mote_Status mote_run_probe(const char *folder, const char *probe, mote_ProbeSamples **out,
                           mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    ProbeTable *table = memory_zeroed(&memory, sizeof *table);
    *out = NULL;
    if (table == NULL) return status_no_memory(error, "a table", sizeof *table);
    table->memory = memory;
    mote_Status status = read_table(table, folder, probe, error);
    if (status == MOTE_OK)
        *out = &table->samples;
    else
        mote_probe_table_destroy(&table->samples);
    return status;
}

/* ---- writing ---- */

/* Appended line by line. Times are written so that they read back to the same
 * bits, and lines are kept by comparing them with the time of the last frame that is kept. */

enum { LINE_SIZE = (MOTE_PROBE_COLUMNS + 2) * NUMBER_SIZE };

void probe_file(const mote_ProbeSamples *probe, char file[FOLDER_LONGEST_NAME + 1])
{
    snprintf(file, FOLDER_LONGEST_NAME + 1, "probes/%.100s.csv", probe->name);
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

/* Bytes of the head and of the whole lines up to `last`, s; the last line's time in *until. */
static long kept_bytes(FILE *file, double last, double *until)
{
    char line[LINE_SIZE];
    long kept = 0;
    double time = -1;
    if (fgets(line, sizeof line, file) == NULL || strchr(line, '\n') == NULL) return 0;
    do {
        kept = ftell(file);
        *until = time;
    } while (fgets(line, sizeof line, file) != NULL && (time = line_time(line)) <= last);
    return kept;
}

/* The frame of the last line may have had more lines, so it does not count. */
uint64_t probe_scan(const char *path, double fps, long *bytes)
{
    FILE *file = fopen(path, "r");
    double until = -1;
    *bytes = 0;
    if (file == NULL) return 0;
    kept_bytes(file, (double)INFINITY, &until);
    const double reached = until * fps;
    const uint64_t frames = reached > 0 && reached < 1e15 ? (uint64_t)ceil(reached) : 0;
    rewind(file);
    if (frames > 0) *bytes = kept_bytes(file, (double)(frames - 1) / fps, &until);
    fclose(file);
    return frames;
}

mote_Status probe_begin(const mote_ProbeSamples *probe, const char *path, mote_Error *error)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return file_failed(path, "open it", errno, error);
    bool good = fputs("time", file) >= 0;
    for (size_t c = 0; c < probe->column_count; ++c)
        good = fprintf(file, ",%s", probe->columns[c].name) > 0 && good;
    good = fputc('\n', file) == '\n' && good;
    return close_file(file, good, path, error);
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

mote_Status probe_add(const mote_ProbeSamples *probe, const char *path, mote_Error *error)
{
    FILE *file = fopen(path, "a");
    bool good = true;
    if (file == NULL) return file_failed(path, "open it", errno, error);
    for (size_t i = 0; i < probe->count && good; ++i) good = write_line(file, probe, i);
    return close_file(file, good, path, error);
}
