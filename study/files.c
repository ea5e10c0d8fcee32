/* Files of a study. */
#include "study/files.h"

#include "base/status.h"
#include "io/file.h"
#include "run/folder.h"
#include "study/json_lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifdef MOTE_DOUBLE
const char study_precision[] = "double";
#else
const char study_precision[] = "float";
#endif

enum { PATH_SIZE = 1024 };

static mote_Status path_of(const StudyOptions *options, const char *name, const char *ending,
                           char path[PATH_SIZE], mote_Error *error)
{
    int length =
        snprintf(path, PATH_SIZE, "%s/%s-%s%s", options->folder, name, study_precision, ending);
    if (length > 0 && length < PATH_SIZE) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%.100s: the folder's name is too long",
                       options->folder);
}

mote_Status study_expect_plain(const StudyOptions *options, mote_Error *error)
{
    const bool chosen = options->only != NULL;
    if (!chosen && options->setting_count == 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: this study has no %s; leave it out",
                       chosen ? "--case" : "--set", chosen ? "cases" : "scenes to change");
}

/* NAME-float.csv, NAME-double.svg: what studies write. */
static bool is_result(const Folder *folder, const char *name)
{
    static const char *const endings[] = {".csv", ".png", ".svg", ".md"};
    const char *dash = strrchr(name, '-'), *dot = strrchr(name, '.');
    (void)folder;
    if (dash == NULL || dot == NULL || dot < dash) return false;
    const size_t length = (size_t)(dot - dash - 1);
    if ((length != 5 || memcmp(dash + 1, "float", 5) != 0) &&
        (length != 6 || memcmp(dash + 1, "double", 6) != 0))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
        if (strcmp(dot, endings[i]) == 0) return true;
    return false;
}

mote_Status study_make_folder(const StudyOptions *options, mote_Error *error)
{
    Folder folder;
    if (options->folder == NULL) return MOTE_OK;
    mote_Status status = folder_open(&folder, options->folder, error);
    if (status == MOTE_OK) status = claim_empty(&folder, is_result, error);
    if (status == MOTE_OK) status = folder_make_path(&folder, error);
    if (status != MOTE_OK || access(options->folder, W_OK) == 0) return status;
    return file_failed(options->folder, "write into the folder", errno, error);
}

mote_Status study_open_csv(const StudyOptions *options, const char *name, FILE **file,
                           mote_Error *error)
{
    char path[PATH_SIZE] = "";
    mote_Status status = MOTE_OK;
    if (options->folder != NULL) status = path_of(options, name, ".csv", path, error);
    if (status != MOTE_OK) return status;
    *file = path[0] != '\0' ? fopen(path, "w+") : tmpfile();
    if (*file != NULL) return MOTE_OK;
    return status_fail(error, MOTE_IO_FAILED, "%.200s: cannot be written: %s", path,
                       strerror(errno));
}

mote_Status study_close_csv(const StudyOptions *options, const char *name, FILE *file,
                            mote_Error *error)
{
    if (options->json != NULL) json_lines_print(name, file, options->json);
    bool bad = ferror(file) != 0;
    if (fclose(file) == 0 && !bad) return MOTE_OK;
    return status_fail(error, MOTE_IO_FAILED, "%.200s-%s.csv: cannot be written: %s", name,
                       study_precision, strerror(errno));
}

/* What the curves are made of: one line a point. They go with the plots, not to programs. */
static mote_Status write_numbers(const StudyOptions *options, const char *name, const Plot *plot,
                                 mote_Error *error)
{
    const StudyOptions to_file = {.folder = options->folder};
    char own[128];
    FILE *file;
    snprintf(own, sizeof own, "%.100s-curves", name);
    mote_Status status = study_open_csv(&to_file, own, &file, error);
    if (status != MOTE_OK) return status;
    fprintf(file, "curve,x,y\n");
    for (size_t s = 0; s < plot->series_count; ++s)
        for (size_t i = 0; i < plot->series[s].count; ++i)
            fprintf(file, "%s,%.7g,%.7g\n", plot->series[s].name, plot->series[s].x[i],
                    plot->series[s].y[i]);
    return study_close_csv(&to_file, own, file, error);
}

mote_Status study_plot(const StudyOptions *options, const char *name, const Plot *plot,
                       mote_Error *error)
{
    static const char *const endings[] = {".png", ".svg"};
    mote_Status numbers = write_numbers(options, name, plot, error);
    if (numbers != MOTE_OK) return numbers;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        char path[PATH_SIZE];
        mote_Status status = path_of(options, name, endings[i], path, error);
        if (status == MOTE_OK) status = plot_write(plot, path, error);
        if (status == MOTE_UNAVAILABLE) {
            fprintf(stderr, "mote: %s\n", error->message);
            return MOTE_OK;
        }
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

mote_Status study_table(const StudyOptions *options, const char *name, const char *head,
                        StudyTable *table, mote_Error *error)
{
    FILE *csv = NULL;
    if (!study_keeps_numbers(options)) return table(NULL, error);
    mote_Status status = study_open_csv(options, name, &csv, error);
    if (status != MOTE_OK) return status;
    fprintf(csv, "%s\n", head);
    status = table(csv, error);
    mote_Status closed = study_close_csv(options, name, csv, status == MOTE_OK ? error : NULL);
    return status == MOTE_OK ? closed : status;
}
