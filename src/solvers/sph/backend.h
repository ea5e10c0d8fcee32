/* Who goes over the pairs of a liquid: the processor, or a device beside it, to the same bits.
 *
 * Control stays where it is: pressure rows, limits, walls and all that is done row by row know
 * nothing of this. A backend finds the neighbours of the sub-step's cells, and sums forces over
 * them. What has other loops over pairs says that it has no device function (sph_off_device). */
#ifndef SOLVERS_SPH_BACKEND_H
#define SOLVERS_SPH_BACKEND_H

#include "solvers/sph/sph.h"

struct Flow;
struct FlowGoal;
struct FlowSolved;

/* Parts of an incompressible row's work that go over pairs; FLOW_MOVES brings the last
 * accelerations to the processor. */
typedef enum FlowTask {
    FLOW_PREPARE,
    FLOW_ACCELERATE,
    FLOW_MOVES,
    FLOW_RATE,
    FLOW_COMPRESS
} FlowTask;

struct SphBackend {
    const char *name;
    /* Lists of step->cells, where it keeps them; sets step->sums and step->pairs. */
    mote_Status (*find)(SphStep *step, mote_Error *error);
    /* Adds what acts between pairs. */
    mote_Status (*forces)(SphStep *step, const ForceInput *input, mote_Error *error);
    /* A part of the operators of sums, for all places at once, before the loop over places that
     * calls them; what that loop does then is `operators`. NULL: it does all of it. */
    void (*flow)(struct Flow *f, FlowTask task);
    const FlowOperators *operators;
    /* Optional: the sums of shifting, for all places. Not `done`: they are left to the processor.
     */
    mote_Status (*crowd)(SphStep *step, const ShiftInput *input, bool *done, mote_Error *error);
    /* Optional: all iterations by these operators (flow_solve); false: they are left to others. */
    bool (*solve)(struct Flow *f, const struct FlowGoal *goal, struct FlowSolved *solved);
};

extern const SphBackend sph_host_backend;

/* What goes over the pairs in this sub-step. */
const SphBackend *sph_backend(const SolverStep *outer);

/* What of a liquid has no device function; NULL: nothing. */
const char *sph_off_device(const Solver *solver);

/* ---- on a device (device.h) ---- */

/* The device's, where the workers have one that is well and has all that the liquid needs; else
 * NULL. */
const SphBackend *sph_device_backend(const SolverStep *outer);

/* A sub-step of a liquid that stays on a device (stay.h). Not `done`: its rows are the processor's,
 * and it is for others to do. */
mote_Status sph_stay_solve(const SolverStep *outer, bool *done, mote_Error *error);

/* The solver row's `home`; and what is there does not count any more. */
mote_Status sph_come_home(Solver *solver, mote_Error *error);
void sph_forget_rows(SphState *state);

/* The order of rows becomes that of cells and ids: where they are, if that is elsewhere. Not
 * `done`: they are at home, and it is for others to do. */
mote_Status sph_sort_away(const SolverStep *outer, bool *done, mote_Error *error);

/* What is known of rows that are there: the square of the largest speed, and how far they reach
 * along gravity, m. False: they are at home. */
typedef struct SphNoted {
    mote_real square, low, high;
} SphNoted;
bool sph_noted(const SphState *state, SphNoted *noted);

/* Gives back what a liquid has on a device. */
void sph_close_device(SphState *state, Memory *memory);

#endif
