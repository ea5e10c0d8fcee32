/* Files of a study: CSV, and plots as PNG and SVG. */
#ifndef STUDY_FILES_H
#define STUDY_FILES_H

#include "plot/plot.h"
#include "study/study.h"

#include <stdio.h>

/* Fails when cases or settings are given to a study that has no cases and no scenes. */
mote_Status study_expect_plain(const StudyOptions *options, mote_Error *error);
/* Makes the folder if need be; one that holds anything but results of studies is refused. */
mote_Status study_make_folder(const StudyOptions *options, mote_Error *error);

/* Whether somebody wants tables of numbers: a folder, or a program that reads JSON. */
static inline bool study_keeps_numbers(const StudyOptions *options)
{
    return options->folder != NULL || options->json != NULL;
}

/* Opens FOLDER/NAME-PRECISION.csv for writing; without a folder, a file that leaves no trace. Texts
 * with commas stand in quotes. */
mote_Status study_open_csv(const StudyOptions *options, const char *name, FILE **file,
                           mote_Error *error);
/* Prints its lines as JSON where they are wanted, and closes it; a full disk is an error. */
mote_Status study_close_csv(const StudyOptions *options, const char *name, FILE *file,
                            mote_Error *error);

/* Prints a table, and writes its lines to `csv` unless that is NULL. */
typedef mote_Status StudyTable(FILE *csv, mote_Error *error);
/* The table, and its numbers under that first line when they are kept. */
mote_Status study_table(const StudyOptions *options, const char *name, const char *head,
                        StudyTable *table, mote_Error *error);

/* Writes FOLDER/NAME-PRECISION.png and .svg, and the numbers to NAME-curves-PRECISION.csv. A build
 * without Cairo says so once and goes on. */
mote_Status study_plot(const StudyOptions *options, const char *name, const Plot *plot,
                       mote_Error *error);

#endif
