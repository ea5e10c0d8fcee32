/* What is measured of an integrator. */
#ifndef STUDY_MEASURES_H
#define STUDY_MEASURES_H

#include "integrate/integrator.h"
#include "study/motions.h"

enum { MOST_LEVELS = 16 }; /* of step lengths, each half of the one before */

/* Errors of one integrator on one motion, over step lengths. */
typedef struct ErrorCurve {
    int count;
    double h[MOST_LEVELS];                               /* s */
    double evaluations[MOST_LEVELS];                     /* in the whole run */
    double position[MOST_LEVELS], velocity[MOST_LEVELS]; /* m, m/s */
} ErrorCurve;

mote_Status measure_curve(const KnownMotion *motion, const char *integrator, int levels,
                          ErrorCurve *curve, mote_Error *error);

/* The slope of log error over log h where truncation rules: between the coarse steps and the floor
 * of rounding; NaN when there is no such place. */
double measure_order(const double *errors, const double *h, int count);

/* Evaluations of the force per step in the long run. */
mote_Status measure_evaluations(const char *integrator, double *per_step, mote_Error *error);

/* The largest w h up to which the amplitude of an oscillator stays below ten times the start in
 * 2000 steps; at most MEASURE_STABLE_MOST. */
#define MEASURE_STABLE_MOST 4.0
mote_Status measure_stability(const char *integrator, double *limit, mote_Error *error);

enum { ENERGY_SAMPLES = 200 };

/* |E - E0| / |E0| on the Kepler orbit, 200 steps to a turn: the largest in each of ENERGY_SAMPLES
 * equal parts of the run. Infinite from where it broke off. */
typedef struct EnergyCurve {
    uint64_t steps;
    double turns[ENERGY_SAMPLES], error[ENERGY_SAMPLES];
} EnergyCurve;

mote_Status measure_energy(const char *integrator, uint64_t steps, EnergyCurve *curve,
                           mote_Error *error);

#endif
