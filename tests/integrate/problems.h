/* Problems with known solutions, and runs of them through mote_world_step. */
#ifndef TESTS_INTEGRATE_PROBLEMS_H
#define TESTS_INTEGRATE_PROBLEMS_H

#include "setup.h"

#include "integrate/integrator.h"

typedef struct State {
    double x[3], v[3];
} State;

typedef struct Problem {
    const char *name;
    bool drag;             /* forces depend on velocity */
    double duration, rate; /* s; 1/s, the fastest */
    State (*exact)(double t);
    mote_CallbackForce force;
} Problem;

/* ---- a = -w^2 x - 2 z w v along x: free, damped, critically and more; w = 2 ---- */

typedef struct Spring {
    double w, z;
} Spring;

static void spring_force(void *context, size_t first, size_t count, const mote_real *const x[3],
                         const mote_real *const v[3], const mote_real *mass, double t,
                         mote_real *const a[3])
{
    const Spring *s = context;
    (void)first, (void)mass, (void)t;
    for (size_t i = 0; i < count; ++i)
        a[0][i] -= (mote_real)(s->w * s->w * (double)x[0][i] + 2 * s->z * s->w * (double)v[0][i]);
}

static Spring spring_free = {2, 0}, spring_damped = {2, 0.25}, spring_critical = {2, 1},
              spring_slow = {2, 1.25};

/* From x = 1, v = 0.7: nothing symmetric. */
static inline State spring_state(const Spring *s, double t)
{
    const double w = s->w, rate = s->z * w, x0 = 1, v0 = 0.7, k = v0 + rate * x0;
    double u = w * sqrt(fabs(1 - s->z * s->z)), decay = exp(-rate * t), c = 1, d = t;
    if (s->z < 1) c = cos(u * t), d = sin(u * t) / u;
    if (s->z > 1) c = cosh(u * t), d = sinh(u * t) / u;
    return (State){{decay * (x0 * c + k * d), 0, 0},
                   {decay * (v0 * c - (w * w * x0 + rate * v0) * d), 0, 0}};
}

static State oscillator_exact(double t)
{
    return spring_state(&spring_free, t);
}
static State damped_exact(double t)
{
    return spring_state(&spring_damped, t);
}
static State critical_exact(double t)
{
    return spring_state(&spring_critical, t);
}
static State slow_exact(double t)
{
    return spring_state(&spring_slow, t);
}

/* ---- Kepler, e = 0.3, GM = 1, a = 1, from perihelion ---- */

static const double ECCENTRICITY = 0.3;

static void kepler_force(void *context, size_t first, size_t count, const mote_real *const x[3],
                         const mote_real *const v[3], const mote_real *mass, double t,
                         mote_real *const a[3])
{
    (void)context, (void)first, (void)v, (void)mass, (void)t;
    for (size_t i = 0; i < count; ++i) {
        double square = 0;
        for (int c = 0; c < 3; ++c) square += (double)x[c][i] * (double)x[c][i];
        double rate = 1 / (square * sqrt(square));
        for (int c = 0; c < 3; ++c) a[c][i] -= (mote_real)(rate * (double)x[c][i]);
    }
}

static State kepler_exact(double t)
{
    double e = ECCENTRICITY, anomaly = t;
    for (int i = 0; i < 50; ++i)
        anomaly -= (anomaly - e * sin(anomaly) - t) / (1 - e * cos(anomaly));
    double s = sin(anomaly), c = cos(anomaly), b = sqrt(1 - e * e), rate = 1 / (1 - e * c);
    return (State){{c - e, b * s, 0}, {-s * rate, b * c * rate, 0}};
}

/* ---- a force of time: x'' = -9 cos 3t - x' + ..., made so that x = cos 3t + t ---- */

static void driven_force(void *context, size_t first, size_t count, const mote_real *const x[3],
                         const mote_real *const v[3], const mote_real *mass, double t,
                         mote_real *const a[3])
{
    (void)context, (void)first, (void)mass, (void)v;
    for (size_t i = 0; i < count; ++i)
        a[0][i] += (mote_real)(-(double)x[0][i] + t - 8 * cos(3 * t));
}

static State driven_exact(double t)
{
    return (State){{cos(3 * t) + t, 0, 0}, {1 - 3 * sin(3 * t), 0, 0}};
}

static const Problem problems[] = {
    {"oscillator", false, 5, 2, oscillator_exact, {spring_force, &spring_free}},
    {"Kepler", false, 5, 2, kepler_exact, {kepler_force, NULL}},
    {"damped spring", true, 3, 2, damped_exact, {spring_force, &spring_damped}},
    {"critically damped spring", true, 2, 2, critical_exact, {spring_force, &spring_critical}},
    {"overdamped spring", true, 2, 3, slow_exact, {spring_force, &spring_slow}},
    {"driven oscillator", false, 4, 2, driven_exact, {driven_force, NULL}},
};

/* ---- runs ---- */

enum { FRAMES = 8 }; /* of a run: errors are looked at after each */

typedef struct Run {
    mote_World *world;
    mote_System *system;
} Run;

static inline void put_state(mote_System *system, size_t row, const State *s)
{
    for (int c = 0; c < 3; ++c) {
        setup_reals(system, "position", c)[row] = (mote_real)s->x[c];
        setup_reals(system, "velocity", c)[row] = (mote_real)s->v[c];
    }
    mote_system_edited(system);
}

static inline mote_System *add_tight_system(mote_World *world, const char *integrator)
{
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    mote_Error error;
    solver.integrator = integrator;
    solver.absolute_tolerance = 1e30; /* adaptive steps: all good */
    def.name = "dust";
    def.solver_params = &solver;
    SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
    return system;
}

/* `steps` of equal length in every frame; adaptive schemes accept whatever comes. */
static inline Run begin_run(const Problem *problem, const char *integrator, int steps)
{
    double frame = problem->duration / FRAMES;
    mote_WorldDef def = setup_def(frame);
    def.max_step = frame / steps * 1.0000001;
    def.energy_factor = 1e300;
    Run run = {.world = setup_world(&def)};
    run.system = add_tight_system(run.world, integrator);
    setup_force(run.world, "callback", &problem->force);
    State start = problem->exact(0);
    setup_particle(run.system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    put_state(run.system, 0, &start);
    return run;
}

static inline double distance_to(const mote_System *system, const char *column, const double at[3])
{
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += pow(setup_at(system, column, c, 0) - at[c], 2);
    return sqrt(sum);
}

typedef struct Errors {
    double position, velocity;
} Errors;

/* Root mean square over the frames; halfway all histories are restarted if wanted. */
static inline Errors errors_of(const Problem *problem, const char *integrator, int steps,
                               bool restart)
{
    Run run = begin_run(problem, integrator, steps);
    Errors sum = {0, 0};
    for (int frame = 1; frame <= FRAMES; ++frame) {
        CHECK(setup_step(run.world).substeps == (uint64_t)steps);
        State exact = problem->exact(problem->duration * frame / FRAMES);
        sum.position += pow(distance_to(run.system, "position", exact.x), 2);
        sum.velocity += pow(distance_to(run.system, "velocity", exact.v), 2);
        if (restart && frame == FRAMES / 2) mote_system_edited(run.system);
    }
    mote_world_destroy(run.world);
    return (Errors){sqrt(sum.position / FRAMES), sqrt(sum.velocity / FRAMES)};
}

/* Least squares: the slope of log error over log h, h halved from one to the next. */
static inline double fitted_slope(const double *errors, int count)
{
    double sum = 0, square = 0;
    for (int i = 0; i < count; ++i) {
        double x = (count - 1) / 2.0 - i;
        sum += x * log2(errors[i]);
        square += x * x;
    }
    return sum / square;
}

static inline const IntegratorRow *integrator_number(size_t i)
{
    size_t count;
    const mote_Row *const *rows = integrator_rows(ISA_V1, &count);
    return i < count ? (const IntegratorRow *)rows[i] : NULL;
}

/* for (EACH_INTEGRATOR()) { const IntegratorRow *row = THIS_INTEGRATOR; ... } */
#define EACH_INTEGRATOR()                                                                          \
    size_t i_ = 0;                                                                                 \
    integrator_number(i_) != NULL;                                                                 \
    ++i_
#define THIS_INTEGRATOR integrator_number(i_)

#endif
