/* Measuring integrators. */
#include "study/measures.h"

#include <math.h>

/* ---- errors and orders ---- */

mote_Status measure_curve(const KnownMotion *motion, const char *integrator, int levels,
                          ErrorCurve *curve, mote_Error *error)
{
    uint64_t steps = 16;
    mote_Status status = MOTE_OK;
    for (curve->count = 0; curve->count < levels && status == MOTE_OK; ++curve->count) {
        MotionErrors errors;
        int i = curve->count;
        status = motion_errors(motion, integrator, &steps, &errors, error);
        curve->h[i] = motion->duration / (double)steps;
        curve->evaluations[i] = errors.evaluations;
        curve->position[i] = errors.position, curve->velocity[i] = errors.velocity;
        steps *= 2;
    }
    return status;
}

static double median(double *values, int count)
{
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && values[k - 1] > values[k]; --k) {
            double swapped = values[k];
            values[k] = values[k - 1], values[k - 1] = swapped;
        }
    return count > 0 ? values[count / 2] : (double)NAN;
}

/* From coarse to fine: halvings count once the error is below 20 cm, and until rounding makes the
 * slope half of what it was. The median of the last five. */
double measure_order(const double *errors, const double *h, int count)
{
    enum { LAST = 5 };
    double slopes[MOST_LEVELS], best = 0;
    int found = 0;
    for (int i = 1; i < count; ++i) {
        if (!(errors[i - 1] < 0.2)) continue;
        double slope = log(errors[i - 1] / errors[i]) / log(h[i - 1] / h[i]);
        if (errors[i] < 1e-4 && !(slope > 0.5 * best)) break;
        slopes[found++] = slope;
        best = slope > best ? slope : best;
    }
    int from = found > LAST ? found - LAST : 0;
    return median(slopes + from, found - from);
}

mote_Status measure_evaluations(const char *integrator, double *per_step, mote_Error *error)
{
    enum { STEPS = 100 };
    MotionRun run;
    mote_Status status =
        motion_begin(&run, &motions[MOTION_OSCILLATOR], integrator, 1, STEPS, error);
    if (status != MOTE_OK) return status;
    status = mote_world_step(run.world, NULL, error); /* starts are over after this */
    uint64_t before = run.evaluations;
    if (status == MOTE_OK) status = mote_world_step(run.world, NULL, error);
    *per_step = (double)(run.evaluations - before) / STEPS;
    motion_end(&run);
    return status;
}

/* ---- stability ---- */

/* True when an oscillator with w h = z stays within ten times its amplitude for 2000 steps. */
static mote_Status stays(const char *integrator, double z, bool *bounded, mote_Error *error)
{
    enum { STEPS = 2000, W = 2 };
    const KnownMotion *motion = &motions[MOTION_OSCILLATOR];
    MotionState start = motion->exact(0);
    MotionRun run;
    mote_Status status = motion_begin(&run, motion, integrator, STEPS * z / W, STEPS, error);
    if (status != MOTE_OK) return status;
    status = mote_world_step(run.world, NULL, error);
    MotionState end = motion_state(&run);
    *bounded = status == MOTE_OK && motion->energy(&end) < 100 * motion->energy(&start);
    motion_end(&run);
    return status == MOTE_DIVERGED ? MOTE_OK : status;
}

mote_Status measure_stability(const char *integrator, double *limit, mote_Error *error)
{
    double low = 0, high = 0;
    mote_Status status = MOTE_OK;
    bool bounded = true;
    while (bounded && high < MEASURE_STABLE_MOST && status == MOTE_OK) {
        low = high, high += 0.05;
        status = stays(integrator, high, &bounded, error);
    }
    for (int i = 0; i < 10 && !bounded && status == MOTE_OK; ++i) {
        double middle = (low + high) / 2;
        bool good = false;
        status = stays(integrator, middle, &good, error);
        *(good ? &low : &high) = middle;
    }
    *limit = bounded ? MEASURE_STABLE_MOST : low;
    return status;
}

/* ---- energy ---- */

mote_Status measure_energy(const char *integrator, uint64_t steps, EnergyCurve *curve,
                           mote_Error *error)
{
    enum { PER_TURN = 200, LOOKS = 16 }; /* looks at the energy per sample */
    const KnownMotion *motion = &motions[MOTION_KEPLER];
    const uint64_t per_look = (steps + ENERGY_SAMPLES * LOOKS - 1) / (ENERGY_SAMPLES * LOOKS);
    const double turn = 6.283185307179586, h = turn / PER_TURN;
    MotionState start = motion->exact(0);
    const double first = motion->energy(&start);
    MotionRun run;
    mote_Status status =
        motion_begin(&run, motion, integrator, (double)per_look * h, per_look, error);
    if (status != MOTE_OK) return status;
    curve->steps = per_look * ENERGY_SAMPLES * LOOKS;
    for (uint64_t i = 0; i < ENERGY_SAMPLES; ++i) {
        double largest = 0;
        for (int k = 0; k < LOOKS && status == MOTE_OK; ++k) {
            status = mote_world_step(run.world, NULL, error);
            MotionState now = motion_state(&run);
            largest = fmax(largest, fabs(motion->energy(&now) / first - 1));
        }
        curve->turns[i] = (double)((i + 1) * per_look * LOOKS) / PER_TURN;
        curve->error[i] = status == MOTE_OK ? largest : (double)INFINITY;
    }
    motion_end(&run);
    return status == MOTE_DIVERGED ? MOTE_OK : status;
}
