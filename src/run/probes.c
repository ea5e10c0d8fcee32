/* Tables of probes: appended line by line. Times are written so that they read back to the same
 * bits, and lines are kept by comparing them with the time of the last frame that is kept. */
#include "run/cache.h"

#include "base/number.h"
#include "io/file.h"

#include <math.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
