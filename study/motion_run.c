/* Runs of known motions: a world with one particle, and a force that counts its evaluations. */
#include "study/motions.h"

#include <math.h>

enum { FRAMES = 8 }; /* errors are looked at after each */

static void force(void *context, size_t first, size_t count, const mote_real *const x[3],
                  const mote_real *const v[3], const mote_real *mass, double t,
                  mote_real *const a[3])
{
    MotionRun *run = context;
    (void)first, (void)mass, (void)t;
    ++run->evaluations;
    for (size_t i = 0; i < count; ++i) {
        double at[3], speed[3], sum[3] = {0, 0, 0};
        for (int c = 0; c < 3; ++c) at[c] = (double)x[c][i], speed[c] = (double)v[c][i];
        run->motion->accelerate(at, speed, sum);
        for (int c = 0; c < 3; ++c) a[c][i] += (mote_real)sum[c];
    }
}

static mote_Status add_particle(MotionRun *run, mote_Error *error)
{
    size_t row;
    mote_Status status = mote_system_add_rows(run->system, 1, &row, error);
    if (status != MOTE_OK) return status;
    const mote_Column *x = mote_system_column(run->system, "position");
    const mote_Column *v = mote_system_column(run->system, "velocity");
    MotionState start = run->motion->exact(0);
    for (size_t c = 0; c < 3; ++c) {
        ((mote_real *)x->data)[c * x->stride + row] = (mote_real)start.x[c];
        ((mote_real *)v->data)[c * v->stride + row] = (mote_real)start.v[c];
    }
    mote_system_edited(run->system);
    return MOTE_OK;
}

mote_Status motion_begin_by(MotionRun *run, const KnownMotion *motion,
                            const mote_PointsSolver *solver, double frame, double longest,
                            mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef points = mote_system_def();
    *run = (MotionRun){.motion = motion};
    def.gravity = (mote_Vec3){0, 0, 0};
    def.fps = 1 / frame, def.max_step = longest;
    def.energy_factor = 1e300;
    points.name = "particle", points.solver_params = solver;
    mote_CallbackForce callback = {force, run};
    mote_ForceDef pull = mote_force_def();
    pull.type = "callback", pull.params = &callback;
    mote_Status status = mote_world_create(&def, &run->world, error);
    if (status == MOTE_OK) status = mote_world_add_system(run->world, &points, &run->system, error);
    if (status == MOTE_OK) status = mote_world_add_force(run->world, &pull, error);
    if (status == MOTE_OK) status = add_particle(run, error);
    if (status != MOTE_OK) motion_end(run);
    return status;
}

mote_Status motion_begin(MotionRun *run, const KnownMotion *motion, const char *integrator,
                         double frame, uint64_t steps, mote_Error *error)
{
    mote_PointsSolver solver = mote_points_solver_def();
    solver.integrator = integrator;
    solver.absolute_tolerance = 1e30; /* adaptive schemes are to take the steps they are given */
    return motion_begin_by(run, motion, &solver, frame, frame / (double)steps * (1 + 1e-7), error);
}

void motion_end(MotionRun *run)
{
    mote_world_destroy(run->world);
    run->world = NULL;
}

MotionState motion_state(const MotionRun *run)
{
    const mote_Column *x = mote_system_column(run->system, "position");
    const mote_Column *v = mote_system_column(run->system, "velocity");
    MotionState state;
    for (size_t c = 0; c < 3; ++c) {
        state.x[c] = (double)((const mote_real *)x->data)[c * x->stride];
        state.v[c] = (double)((const mote_real *)v->data)[c * v->stride];
    }
    return state;
}

static double squared_distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

mote_Status motion_errors(const KnownMotion *motion, const char *integrator, uint64_t *steps,
                          MotionErrors *errors, mote_Error *error)
{
    const double frame = motion->duration / FRAMES;
    const uint64_t per_frame = (*steps + FRAMES - 1) / FRAMES;
    MotionRun run;
    mote_Status status = motion_begin(&run, motion, integrator, frame, per_frame, error);
    if (status != MOTE_OK) return status;
    *errors = (MotionErrors){0, 0, 0};
    *steps = FRAMES * per_frame;
    for (int i = 1; i <= FRAMES && status == MOTE_OK; ++i) {
        status = mote_world_step(run.world, NULL, error);
        MotionState now = motion_state(&run), exact = motion->exact(frame * i);
        errors->position += squared_distance(now.x, exact.x) / FRAMES;
        errors->velocity += squared_distance(now.v, exact.v) / FRAMES;
    }
    errors->position = status == MOTE_OK ? sqrt(errors->position) : (double)INFINITY;
    errors->velocity = status == MOTE_OK ? sqrt(errors->velocity) : (double)INFINITY;
    errors->evaluations = (double)run.evaluations;
    motion_end(&run);
    return status == MOTE_DIVERGED ? MOTE_OK : status;
}
