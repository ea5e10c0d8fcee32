/* The table of integrators against its own declarations of order: the slope of the error over the
 * step, fitted in the row's window, in position and velocity, also after a restart in mid-run; and
 * tracing of velocity fields. In double, where rounding is out of the way. */
#include "integrate/problems.h"

enum { HALVINGS = 3 };

static void check_slope(const IntegratorRow *row, const Problem *problem, const char *what,
                        const double *errors, double declared)
{
    int count = HALVINGS + 1;
    while (count > 3 && errors[count - 1] < 1e-12) --count; /* rounding */
    double slope = fitted_slope(errors, count);
    bool good = slope >= declared - 0.15 && slope <= declared + 1.01;
    CHECK(good);
    CHECK(errors[HALVINGS] < 0.05);
    if (!good || getenv("MOTE_SHOW") != NULL)
        fprintf(stderr, "  %s, %s, %s: order %.3f, declared %g; errors %.2g to %.2g\n",
                row->head.name, problem->name, what, slope, declared, errors[0], errors[HALVINGS]);
}

static int velocity_order(const IntegratorRow *row, bool drag)
{
    int own = drag ? row->order_velocity_with_drag : row->order_velocity;
    return own > 0 ? own : drag ? row->order_with_drag : row->order;
}

/* A restart takes position and velocity as they are, so it has the order of the worse. */
static void check_orders(const IntegratorRow *row, const Problem *problem, bool restart)
{
    double positions[HALVINGS + 1], velocities[HALVINGS + 1];
    int steps = (int)ceil(problem->duration / FRAMES * problem->rate / row->window);
    int order = problem->drag ? row->order_with_drag : row->order;
    int order_velocity = velocity_order(row, problem->drag);
    for (int i = 0; i <= HALVINGS; ++i, steps *= 2) {
        Errors errors = errors_of(problem, row->head.name, steps, restart);
        positions[i] = errors.position, velocities[i] = errors.velocity;
    }
    if (restart && order_velocity < order) order = order_velocity;
    check_slope(row, problem, restart ? "position, restarted" : "position", positions, order);
    check_slope(row, problem, restart ? "velocity, restarted" : "velocity", velocities,
                order_velocity);
}

static void orders_are_the_declared_ones(void)
{
    if (sizeof(mote_real) == 4) return;
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        for (size_t p = 0; p < COUNT_OF(problems); ++p) check_orders(row, &problems[p], false);
    }
}

static void restarts_keep_the_order(void)
{
    if (sizeof(mote_real) == 4) return;
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (row->history.entries == 0) continue;
        for (size_t p = 0; p < 3; ++p) check_orders(row, &problems[p], true);
    }
}

/* In float the same code has errors of rounding, and no more. */
static void float_is_as_good_as_float_can_be(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        int steps = row->order >= 3 ? 40 : 2000;
        Errors errors = errors_of(&problems[0], row->head.name, steps, false);
        double allowed = row->order >= 3 ? 2e-4 : row->order == 2 ? 1e-4 : 1e-2;
        CHECK(errors.position < allowed);
        if (!(errors.position < allowed))
            fprintf(stderr, "  %s: %g\n", row->head.name, errors.position);
    }
}

/* ---- evaluations ---- */

typedef struct Counted {
    int calls;
} Counted;

static void count_calls(void *context, size_t first, size_t count, const mote_real *const x[3],
                        const mote_real *const v[3], const mote_real *mass, double t,
                        mote_real *const a[3])
{
    ++((Counted *)context)->calls;
    spring_force(&spring_free, first, count, x, v, mass, t, a);
}

/* In the long run; a start may take more. */
static void evaluations_are_the_declared_ones(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        Counted counted = {0};
        Problem problem = problems[0];
        problem.force = (mote_CallbackForce){count_calls, &counted};
        Run run = begin_run(&problem, row->head.name, 25);
        setup_step(run.world);
        int before = counted.calls;
        setup_step(run.world);
        CHECK(row->implicit || counted.calls - before == 25 * row->stages);
        mote_world_destroy(run.world);
    }
}

/* ---- first-order problems: around a vortex ---- */

/* The angle as well as the radius: a circle with angular velocity 2 / 1.25^2. */
static double tracing_error(const char *integrator, int steps)
{
    mote_WorldDef def = setup_def(2);
    def.max_step = 2.0 / steps * 1.0000001;
    mote_World *world = setup_world(&def);
    mote_VortexField vortex = {.axis = {0, 0, 1}, .speed = 2, .core = 1};
    mote_FieldDef field = mote_field_def();
    field.name = "vortex", field.type = "vortex", field.params = &vortex;
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &field, &error), error);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef points = mote_system_def();
    mote_System *system;
    solver.integrator = integrator, solver.trace = "vortex";
    solver.relative_tolerance = 1, solver.absolute_tolerance = 1e30;
    points.name = "dust", points.solver_params = &solver;
    SETUP_OK(mote_world_add_system(world, &points, &system, &error), error);
    setup_particle(system, setup_vec(1.25, 0, 0.5), setup_vec(7, 7, 7));
    setup_step(world);
    double angle = 2 * 2 / 1.25 / 1.25;
    double end[3] = {1.25 * cos(angle), 1.25 * sin(angle), 0.5};
    double miss = distance_to(system, "position", end);
    CHECK_NEAR(setup_at(system, "position", 2, 0), 0.5, 0);
    mote_world_destroy(world);
    return miss;
}

static void tracing_has_the_declared_order(void)
{
    if (sizeof(mote_real) == 4) return;
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        double errors[HALVINGS + 1];
        int steps = (int)ceil(4 / row->window);
        if (!row->first_order_too) continue;
        for (int i = 0; i <= HALVINGS; ++i, steps *= 2)
            errors[i] = tracing_error(row->head.name, steps);
        Problem around = {.name = "vortex"};
        check_slope(row, &around, "tracing", errors, row->order - 0.1);
    }
}

static void tracing_needs_a_fitting_scheme(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        mote_FieldDef field = mote_field_def();
        field.name = "wind", field.type = "uniform";
        mote_PointsSolver solver = mote_points_solver_def();
        mote_SystemDef system = mote_system_def();
        mote_Error error = {0};
        solver.integrator = row->head.name, solver.trace = "wind";
        SETUP_OK(mote_world_add_field(world, &field, &error), error);
        system.name = "dust";
        system.solver_params = &solver;
        mote_Status status = mote_world_add_system(world, &system, NULL, &error);
        CHECK((status == MOTE_OK) == row->first_order_too);
        if (status != MOTE_OK) CHECK_MESSAGE(error, row->head.name);
        mote_world_destroy(world);
    }
}

static void rows_are_documented(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        CHECK(strlen(row->head.name) > 0 && strlen(row->head.doc) > 20);
        CHECK(row->order >= 1 && row->order_with_drag >= 1);
        CHECK(row->implicit ? row->stage == NULL : row->stages >= 1);
        CHECK(row->window > 0 && row->usable_to >= row->stable_to && row->usable_to > 0);
        CHECK((row->history.steps > 0) == (row->starter != NULL && row->remember != NULL) ||
              row->history.entries == 0);
    }
}

TESTS({"orders_are_the_declared_ones", orders_are_the_declared_ones},
      {"restarts_keep_the_order", restarts_keep_the_order},
      {"float_is_as_good_as_float_can_be", float_is_as_good_as_float_can_be},
      {"evaluations_are_the_declared_ones", evaluations_are_the_declared_ones},
      {"tracing_has_the_declared_order", tracing_has_the_declared_order},
      {"tracing_needs_a_fitting_scheme", tracing_needs_a_fitting_scheme},
      {"rows_are_documented", rows_are_documented})
