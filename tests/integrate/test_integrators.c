/* The table of integrators against its own declarations: order, symplecticity, reversibility; the
 * errors are measured against closed forms. In double, where rounding is out of the way. */
#include "setup.h"

#include "integrate/integrator.h"

typedef struct State {
    double x[3], v[3];
} State;

/* A problem with a known state at its end. */
typedef struct Problem {
    const char *name;
    State start, end;
    double duration;
    bool drag; /* forces depend on velocity */
    void (*forces)(mote_World *world);
} Problem;

/* ---- oscillator and damped spring: a = -w^2 x - 2 c v along x ---- */

typedef struct Spring {
    double stiffness, damping;
} Spring;

static void spring(void *context, size_t first, size_t count, const mote_real *const x[3],
                   const mote_real *const v[3], const mote_real *mass, double t,
                   mote_real *const a[3])
{
    const Spring *s = context;
    (void)first, (void)mass, (void)t;
    for (size_t i = 0; i < count; ++i)
        a[0][i] -= (mote_real)(s->stiffness * (double)x[0][i] + s->damping * (double)v[0][i]);
}

static Spring free_spring = {4, 0}, damped_spring = {4, 1};

static void oscillate(mote_World *world)
{
    setup_force(world, "callback", &(mote_CallbackForce){spring, &free_spring});
}

static void damp(mote_World *world)
{
    setup_force(world, "callback", &(mote_CallbackForce){spring, &damped_spring});
}

/* ---- Kepler, e = 0.3, GM = 1, a = 1, from perihelion ---- */

static const double ECCENTRICITY = 0.3;

static void attract(mote_World *world)
{
    setup_force(world, "attractor", &(mote_AttractorForce){.strength = 1, .softening = 0});
}

static State kepler(double t)
{
    double e = ECCENTRICITY, anomaly = t;
    for (int i = 0; i < 50; ++i)
        anomaly -= (anomaly - e * sin(anomaly) - t) / (1 - e * cos(anomaly));
    double s = sin(anomaly), c = cos(anomaly), b = sqrt(1 - e * e), rate = 1 / (1 - e * c);
    return (State){{c - e, b * s, 0}, {-s * rate, b * c * rate, 0}};
}

static const Problem *problems(size_t *count)
{
    static Problem list[3];
    const double duration = 2, w = 2, c = 0.5, u = sqrt(4 - 0.25);
    double decay = exp(-c * duration);
    list[0] = (Problem){.name = "oscillator",
                        .start = {{1, 0, 0}, {0, 0, 0}},
                        .end = {{cos(w * duration), 0, 0}, {-w * sin(w * duration), 0, 0}},
                        .duration = duration,
                        .forces = oscillate};
    list[1] = (Problem){.name = "Kepler",
                        .start = kepler(0),
                        .end = kepler(duration),
                        .duration = duration,
                        .forces = attract};
    list[2] = (Problem){
        .name = "damped spring",
        .start = {{1, 0, 0}, {0, 0, 0}},
        .end = {{decay * (cos(u * duration) + c / u * sin(u * duration)), 0, 0},
                {-decay * (4 / u) * sin(u * duration), 0, 0}},
        .duration = duration,
        .drag = true,
        .forces = damp,
    };
    *count = 3;
    return list;
}

static mote_World *begin(const Problem *problem, const char *integrator, int steps,
                         mote_System **system)
{
    mote_WorldDef def = setup_def(problem->duration);
    def.max_step = problem->duration / steps * 1.0000001;
    mote_World *world = setup_world(&def);
    *system = setup_system(world, "dust", integrator, NULL);
    problem->forces(world);
    const State *s = &problem->start;
    setup_particle(*system, setup_vec(s->x[0], s->x[1], s->x[2]),
                   setup_vec(s->v[0], s->v[1], s->v[2]));
    return world;
}

static double error_after(const Problem *problem, const char *integrator, int steps)
{
    mote_System *system;
    mote_World *world = begin(problem, integrator, steps, &system);
    mote_StepReport report = setup_step(world);
    CHECK(report.substeps == (uint64_t)steps);
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
        sum += pow(setup_at(system, "position", c, 0) - problem->end.x[c], 2);
        sum += pow(setup_at(system, "velocity", c, 0) - problem->end.v[c], 2);
    }
    mote_world_destroy(world);
    return sqrt(sum);
}

static const IntegratorRow *row_number(size_t i, size_t *count)
{
    return (const IntegratorRow *)integrator_rows(ISA_V1, count)[i];
}

static void check_order(const char *integrator, const char *problem, double order, int declared)
{
    bool good = fabs(order - declared) <= 0.15;
    CHECK(good);
    if (!good)
        fprintf(stderr, "  %s, %s: measured order %.3f, declared %d\n", integrator, problem, order,
                declared);
}

static void measured_order_is_the_declared_one(void)
{
    if (sizeof(mote_real) == 4) return;
    size_t count, problem_count;
    const Problem *list = problems(&problem_count);
    row_number(0, &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = row_number(i, &count);
        for (size_t p = 0; p < problem_count; ++p) {
            int declared = list[p].drag ? row->order_with_drag : row->order;
            int steps = declared >= 4 ? 100 : 400;
            double coarse = error_after(&list[p], row->head.name, steps);
            double fine = error_after(&list[p], row->head.name, 2 * steps);
            check_order(row->head.name, list[p].name, log2(coarse / fine), declared);
            CHECK(fine < 0.05);
        }
    }
}

/* ---- first-order problems: around a vortex ---- */

static double radius_drift(const char *integrator, int steps)
{
    mote_WorldDef def = setup_def(2);
    def.max_step = 2.0 / steps * 1.0000001;
    mote_World *world = setup_world(&def);
    mote_VortexField vortex = {.axis = {0, 0, 1}, .speed = 2, .core = 1};
    mote_FieldDef field = {.name = "vortex", .type = "vortex", .params = &vortex};
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &field, &error), error);
    mote_System *system = setup_system(world, "dust", integrator, "vortex");
    setup_particle(system, setup_vec(1.25, 0, 0.5), setup_vec(7, 7, 7));
    setup_step(world);
    double x = setup_at(system, "position", 0, 0), y = setup_at(system, "position", 1, 0);
    CHECK_NEAR(setup_at(system, "position", 2, 0), 0.5, 0);
    mote_world_destroy(world);
    return fabs(sqrt(x * x + y * y) - 1.25);
}

/* The radius of a circle is kept to the order of the scheme (Runge-Kutta of order 4: to order 5,
 * because the growth factor 1 - z^6/144 has no term of order 5). */
static void tracing_keeps_the_radius(void)
{
    if (sizeof(mote_real) == 4) return;
    size_t count;
    row_number(0, &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = row_number(i, &count);
        if (!row->first_order_too) continue;
        double coarse = radius_drift(row->head.name, 40), fine = radius_drift(row->head.name, 80);
        double order = log2(coarse / fine);
        if (coarse < 1e-13) continue; /* the midpoint rule is exact around a 1/r vortex */
        CHECK(order > row->order - 0.15 && order < row->order + 1.3);
        CHECK(fine < 0.2);
    }
}

static void tracing_needs_a_fitting_scheme(void)
{
    size_t count;
    row_number(0, &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = row_number(i, &count);
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        mote_FieldDef field = {.name = "wind", .type = "uniform"};
        mote_PointsSolver solver = {.integrator = row->head.name, .trace = "wind"};
        mote_SystemDef system = mote_system_def();
        mote_Error error = {0};
        SETUP_OK(mote_world_add_field(world, &field, &error), error);
        system.name = "dust";
        system.solver_params = &solver;
        mote_Status status = mote_world_add_system(world, &system, NULL, &error);
        CHECK((status == MOTE_OK) == row->first_order_too);
        if (status != MOTE_OK) CHECK_MESSAGE(error, row->head.name);
        mote_world_destroy(world);
    }
}

/* ---- energy and time reversal ---- */

static double oscillator_energy(const mote_System *system)
{
    double x = setup_at(system, "position", 0, 0), v = setup_at(system, "velocity", 0, 0);
    return 0.5 * v * v + 0.5 * free_spring.stiffness * x * x;
}

/* w dt = 0.1: a symplectic scheme's energy swings by w dt / 2 (order 1) or less, for ever. */
static void symplectic_energy_is_bounded(void)
{
    size_t count;
    row_number(0, &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = row_number(i, &count);
        Problem problem = {.start = {{1, 0, 0}, {0, 0, 0}}, .duration = 5, .forces = oscillate};
        mote_System *system;
        if (!row->symplectic) continue;
        mote_World *world = begin(&problem, row->head.name, 100, &system);
        double start = oscillator_energy(system), low = start, high = start;
        for (int frame = 0; frame < 1000; ++frame) { /* 10^5 steps */
            setup_step(world);
            double energy = oscillator_energy(system);
            low = energy < low ? energy : low, high = energy > high ? energy : high;
        }
        CHECK(low > start * 0.89 && high < start * 1.12);
        mote_world_destroy(world);
    }
}

/* Forward, turn around, and back to the start; what is not declared reversible does not return. */
static void reversible_schemes_return(void)
{
    size_t count, problem_count;
    const Problem *list = problems(&problem_count);
    row_number(0, &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = row_number(i, &count);
        mote_System *system;
        mote_World *world = begin(&list[1], row->head.name, 200, &system);
        for (int frame = 0; frame < 5; ++frame) setup_step(world);
        for (int c = 0; c < 3; ++c) setup_reals(system, "velocity", c)[0] *= -1;
        mote_system_edited(system);
        for (int frame = 0; frame < 5; ++frame) setup_step(world);
        double miss = 0;
        for (int c = 0; c < 3; ++c)
            miss +=
                fabs(setup_at(system, "position", c, 0) - (double)(mote_real)list[1].start.x[c]);
        double rounding = sizeof(mote_real) == 4 ? 2e-4 : 1e-11;
        if (row->reversible)
            CHECK(miss < rounding);
        else if (sizeof(mote_real) == 8)
            CHECK(miss > 1e-10);
        mote_world_destroy(world);
    }
}

static void rows_are_documented(void)
{
    size_t count;
    row_number(0, &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = row_number(i, &count);
        CHECK(strlen(row->head.name) > 0 && strlen(row->head.doc) > 20);
        CHECK(row->order >= 1 && row->order_with_drag >= 1 && row->stages >= 1);
    }
}

TESTS({"measured_order_is_the_declared_one", measured_order_is_the_declared_one},
      {"tracing_keeps_the_radius", tracing_keeps_the_radius},
      {"tracing_needs_a_fitting_scheme", tracing_needs_a_fitting_scheme},
      {"symplectic_energy_is_bounded", symplectic_energy_is_bounded},
      {"reversible_schemes_return", reversible_schemes_return},
      {"rows_are_documented", rows_are_documented})
