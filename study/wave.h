/* A standing wave on a viscous liquid, whose frequency and decay are known. */
#ifndef STUDY_WAVE_H
#define STUDY_WAVE_H

#include "plot/plot.h"
#include "study/cases.h"

#include <complex.h>

enum { MOST_SAMPLES = 2048 };

typedef struct Series {
    double t[MOST_SAMPLES], v[MOST_SAMPLES];
    size_t count;
} Series;

/* What theory says, in the plot of others. */
static inline PlotSeries series_exact(const Series *exact)
{
    return (PlotSeries){.name = "exact",
                        .x = exact->t,
                        .y = exact->v,
                        .count = exact->count,
                        .style = PLOT_DASHED,
                        .color = -1};
}

/* Growth and frequency, 1/s, and the energy at a time, of the first. */
double complex wave_rate(void);
double wave_exact(double t);

/* Three seconds of it with a pressure solver, n particles a wavelength: the energy of its motion,
 * of the first. */
mote_Status wave_run(const StudyOptions *options, const char *pressure, int n, Series *energy,
                     mote_Error *error);

#endif
