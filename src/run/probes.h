/* probes/NAME.csv: a line for each sample of a probe, with its time. */
#ifndef RUN_PROBES_H
#define RUN_PROBES_H

#include <mote/world.h>

#include "run/folder.h"

/* The table's name inside the folder. */
void probe_file(const mote_ProbeSamples *probe, char file[FOLDER_LONGEST_NAME + 1]);
/* The frames, from 0 on, whose lines are surely whole, and the bytes of those lines. */
uint64_t probe_scan(const char *path, double fps, long *bytes);
/* Begins the table with the names of its columns. */
mote_Status probe_begin(const mote_ProbeSamples *probe, const char *path, mote_Error *error);
/* The samples of the last step. */
mote_Status probe_add(const mote_ProbeSamples *probe, const char *path, mote_Error *error);

#endif
