/* A standing wave on a viscous liquid, whose frequency and decay are known. */
#ifndef STUDY_WAVE_H
#define STUDY_WAVE_H

#include "study/cases.h"

#include <complex.h>

enum { MOST_SAMPLES = 2048 };

typedef struct Series {
    double t[MOST_SAMPLES], v[MOST_SAMPLES];
    size_t count;
} Series;

/* Growth and frequency, 1/s, and the energy at a time, of the first. */
double complex wave_rate(void);
double wave_exact(double t);

/* Three seconds of it with a pressure solver, n particles a wavelength: the energy of its motion,
 * of the first. */
mote_Status wave_run(const StudyOptions *options, const char *pressure, int n, Series *energy,
                     mote_Error *error);

#endif
