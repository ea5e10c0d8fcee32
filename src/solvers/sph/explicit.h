/* What rows with an equation of state share: the speed of sound, how long it lets sub-steps be, and
 * how one ends. */
#ifndef SOLVERS_SPH_EXPLICIT_H
#define SOLVERS_SPH_EXPLICIT_H

#include "solvers/sph/boundary.h"

#include "solvers/sph/formulas/explicit.h"

/* What goes by place in a sub-step, and between pairs. */
struct ExplicitLaw {
    Tait tait;
    PushLaw push;
    PairTerms terms;
};

/* What a row's parameters ask for, and what it keeps. */
typedef struct ExplicitSound {
    double given; /* m/s; 0: `mach` times the speed expected */
    double mach;
    double kept; /* m/s: of the last sub-step; 0 before the first */
} ExplicitSound;

/* For rows that keep it. */
typedef struct ExplicitOwn {
    double sound; /* m/s: speed of sound; 0 before the first sub-step */
} ExplicitOwn;

#define EXPLICIT_PARAMS(S)                                                                         \
    PARAM_REAL(S, sound, "m/s", "speed of sound of wcsph; 0: `mach` times the speed expected", 0,  \
               0, PARAM_LARGEST),                                                                  \
        PARAM_REAL(S, mach, "", "speed of sound over the largest speed, for wcsph", 10, 1, 1000)

size_t explicit_saved(void *own, mote_StateArray *arrays);
#define EXPLICIT_ROW .own_size = sizeof(ExplicitOwn), .saved = explicit_saved

/* m/s, now; and what is to be kept after the sub-step. */
double explicit_sound(const SphState *state, const ExplicitSound *sound, double gravity);
double explicit_next_sound(const SphStep *step, const ExplicitSound *sound);

/* 0.25 H / (c + v), and what all rows share; s. */
double explicit_limit(const SphState *state, const SolverStep *step, const ExplicitSound *sound,
                      double speed);

/* Walls push and rub, friction that is implicit acts, and velocities change. */
mote_Status explicit_finish(SphStep *step, WallPush *push, mote_Error *error);

#endif
