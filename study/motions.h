/* Motions that are known exactly, and runs of them through mote_world_step. */
#ifndef STUDY_MOTIONS_H
#define STUDY_MOTIONS_H

#include <mote/world.h>

typedef struct MotionState {
    double x[3], v[3];
} MotionState;

typedef struct KnownMotion {
    const char *name;
    double duration; /* s */
    bool drag;       /* the force depends on velocity */
    MotionState (*exact)(double t);
    /* Adds the acceleration at a state. */
    void (*accelerate)(const double x[3], const double v[3], double a[3]);
    double (*energy)(const MotionState *state); /* J/kg; NULL: not kept */
} KnownMotion;

enum { MOTION_OSCILLATOR, MOTION_DAMPED, MOTION_KEPLER, MOTION_DRAG, MOTION_COUNT };
extern const KnownMotion motions[MOTION_COUNT];

/* A world with one particle on a motion. */
typedef struct MotionRun {
    const KnownMotion *motion;
    mote_World *world;
    mote_System *system;
    uint64_t evaluations; /* of the force, so far */
} MotionRun;

/* `steps` of equal length to a frame of `frame` seconds. The run is not moved afterwards: the world
 * holds its address. */
mote_Status motion_begin(MotionRun *run, const KnownMotion *motion, const char *integrator,
                         double frame, uint64_t steps, mote_Error *error);
/* The same by a solver as it is given, in steps of at most `longest` seconds. */
mote_Status motion_begin_by(MotionRun *run, const KnownMotion *motion,
                            const mote_PointsSolver *solver, double frame, double longest,
                            mote_Error *error);
void motion_end(MotionRun *run);
MotionState motion_state(const MotionRun *run);

/* Errors after each of several frames, root mean square; infinite when the run broke off. */
typedef struct MotionErrors {
    double position, velocity; /* m, m/s */
    double evaluations;        /* of the force, in the whole run */
} MotionErrors;

/* Over the motion's duration, in at least `steps` steps: *steps is what was taken. */
mote_Status motion_errors(const KnownMotion *motion, const char *integrator, uint64_t *steps,
                          MotionErrors *errors, mote_Error *error);

#endif
