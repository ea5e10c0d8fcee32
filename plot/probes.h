/* Plots of probes over time. */
#ifndef PLOT_PROBES_H
#define PLOT_PROBES_H

#include <mote/run.h>

/* What probes of a run have measured, into a file .png or .svg. column NULL: every column. */
mote_Status plot_probes(const char *folder, const char *const *names, size_t count,
                        const char *column, const char *path, mote_Error *error);

#endif
