/* Implicit schemes: conjugate gradients against a dense solve, the members of the theta scheme
 * against their formulas, derivatives of forces, stability, walls, and what is refused. */
#include "setup.h"

#include "forces/force.h"
#include "integrate/vector.h"

enum { ROWS = 150, SIZE = 3 * ROWS };

/* ---- conjugate gradients ---- */

/* Row i, component c is unknown 3 i + c. */
static double dense[SIZE][SIZE], right[SIZE], solution[SIZE];

static void dense_times(void *context, const Vector *p, const Vector *q)
{
    (void)context;
    for (int i = 0; i < SIZE; ++i) {
        double sum = 0;
        for (int j = 0; j < SIZE; ++j) sum += dense[i][j] * (double)p->plane[j % 3][j / 3];
        q->plane[i % 3][i / 3] = (mote_real)sum;
    }
}

/* B^T B + shift I for a sparse random B: positive definite for shift > 0. */
static void make_dense(double shift)
{
    static double b[SIZE][SIZE];
    uint64_t seed = 11;
    memset(b, 0, sizeof b);
    for (int i = 0; i < SIZE; ++i)
        for (int k = 0; k < 6; ++k) b[i][setup_bits(&seed) % SIZE] += setup_uniform(&seed, -1, 1);
    for (int i = 0; i < SIZE; ++i) {
        right[i] = setup_uniform(&seed, -1, 1);
        for (int j = 0; j < SIZE; ++j) {
            double sum = i == j ? shift : 0;
            for (int k = 0; k < SIZE; ++k) sum += b[k][i] * b[k][j];
            dense[i][j] = sum;
        }
    }
}

/* Gauss's elimination with pivots, on a copy. */
static void solve_dense(void)
{
    static double a[SIZE][SIZE + 1];
    for (int i = 0; i < SIZE; ++i) {
        memcpy(a[i], dense[i], sizeof dense[i]);
        a[i][SIZE] = right[i];
    }
    for (int k = 0; k < SIZE; ++k) {
        int pivot = k;
        for (int i = k; i < SIZE; ++i)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        for (int j = k; j <= SIZE; ++j) {
            double swap = a[k][j];
            a[k][j] = a[pivot][j], a[pivot][j] = swap;
        }
        for (int i = k + 1; i < SIZE; ++i) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j <= SIZE; ++j) a[i][j] -= f * a[k][j];
        }
    }
    for (int i = SIZE - 1; i >= 0; --i) {
        solution[i] = a[i][SIZE];
        for (int j = i + 1; j < SIZE; ++j) solution[i] -= a[i][j] * solution[j];
        solution[i] /= a[i][i];
    }
}

typedef struct CgSetup {
    mote_real planes[21][ROWS + 16], ones[ROWS];
    double sums[ROWS];
} CgSetup;

static ConjugateGradient cg_make(CgSetup *s, Isa isa, double tolerance, uint64_t most)
{
    static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    ConjugateGradient cg = {.kernels = vector_kernels(isa),
                            .loop = {NULL, ROWS, s->sums},
                            .times = dense_times,
                            .tolerance = tolerance,
                            .most = most};
    for (int c = 0; c < 3; ++c) {
        cg.x.plane[c] = s->planes[c], cg.r.plane[c] = s->planes[3 + c];
        cg.z.plane[c] = s->planes[6 + c], cg.p.plane[c] = s->planes[9 + c];
        cg.q.plane[c] = s->planes[12 + c];
        for (int i = 0; i < ROWS; ++i) cg.r.plane[c][i] = (mote_real)right[3 * i + c];
    }
    for (int p = 0; p < 6; ++p) {
        cg.inverse.plane[p] = s->planes[15 + p];
        for (int i = 0; i < ROWS; ++i)
            cg.inverse.plane[p][i] = (mote_real)dense[3 * i + place[p][0]][3 * i + place[p][1]];
    }
    for (int i = 0; i < ROWS; ++i) s->ones[i] = 1;
    cg.kernels->invert(0, ROWS, s->ones, &cg.inverse);
    return cg;
}

static CgSetup cg_setup;

static void agrees_with_a_dense_solve(void)
{
    double tight = sizeof(mote_real) == 4 ? 1e-5 : 1e-12, error = 0, size = 0;
    make_dense(0.05);
    solve_dense();
    ConjugateGradient cg = cg_make(&cg_setup, ISA_V1, tight, 2000);
    CgResult result = conjugate_gradient(&cg);
    CHECK(result.converged && result.iterations > 20 && result.residual <= tight);
    for (int i = 0; i < SIZE; ++i) {
        error = fmax(error, fabs((double)cg.x.plane[i % 3][i / 3] - solution[i]));
        size = fmax(size, fabs(solution[i]));
    }
    CHECK(size > 1);
    CHECK_NEAR(error / size, 0, sizeof(mote_real) == 4 ? 2e-3 : 1e-10);
}

static void blocks_are_inverted(void)
{
    make_dense(0.5);
    ConjugateGradient cg = cg_make(&cg_setup, ISA_V1, 1e-3, 5);
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (int row = 0; row < ROWS; ++row)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += (double)cg.inverse.plane[place[i][k]][row] *
                           dense[3 * row + k][3 * row + j];
                CHECK_NEAR(sum, i == j, 1e-4);
            }
    /* what is not definite falls back to the masses */
    mote_real matrix[6] = {1, -2, 3, 0, 0, 0}, mass = 4;
    Matrices one;
    for (int p = 0; p < 6; ++p) one.plane[p] = &matrix[p];
    cg.kernels->invert(0, 1, &mass, &one);
    CHECK(matrix[0] == (mote_real)0.25 && matrix[1] == (mote_real)0.25 && matrix[5] == 0);
}

static void says_when_it_does_not_converge(void)
{
    make_dense(1e-3);
    ConjugateGradient cg = cg_make(&cg_setup, ISA_V1, 1e-6, 3);
    CgResult result = conjugate_gradient(&cg);
    CHECK(!result.converged && result.iterations == 3 && result.residual > 1e-6);
    for (int i = 0; i < SIZE; ++i)
        for (int j = 0; j < SIZE; ++j) dense[i][j] = i == j ? -1 : 0;
    cg = cg_make(&cg_setup, ISA_V1, 1e-6, 100);
    result = conjugate_gradient(&cg);
    CHECK(!result.converged && result.iterations == 0);
    for (int i = 0; i < SIZE; ++i) CHECK(isfinite((double)cg.x.plane[i % 3][i / 3]));
}

/* ---- a world with one particle ---- */

typedef struct One {
    mote_World *world;
    mote_System *system;
} One;

static One one_make(double dt, const char *integrator, double theta, mote_Vec3 x, mote_Vec3 v)
{
    mote_WorldDef def = setup_def(dt);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    One one = {.world = NULL};
    def.energy_factor = 1e20;
    one.world = setup_world(&def);
    solver.integrator = integrator, solver.theta = theta;
    system.name = "one", system.solver_params = &solver;
    SETUP_OK(mote_world_add_system(one.world, &system, &one.system, &error), error);
    setup_particle(one.system, x, v);
    return one;
}

static const mote_AttractorForce sun = {.strength = 1, .softening = 0};

/* ---- members of the theta scheme ---- */

static void members_agree(void)
{
    static const struct {
        double theta;
        const char *name;
    } members[] = {{0, "euler"}, {0.5, "crank-nicolson"}, {1, "implicit-euler"}};
    mote_Vec3 x = setup_vec(1, 0, 0), v = setup_vec(0, 0.9, 0.3);
    for (size_t m = 0; m < 3; ++m) {
        One a = one_make(0.01, "theta", members[m].theta, x, v);
        One b = one_make(0.01, members[m].name, 0.3, x, v);
        setup_force(a.world, "attractor", &sun), setup_force(b.world, "attractor", &sun);
        for (int i = 0; i < 50; ++i) setup_step(a.world), setup_step(b.world);
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(setup_at(a.system, "position", c, 0), setup_at(b.system, "position", c, 0),
                       m == 0 ? 1e-5 : 0);
            CHECK_NEAR(setup_at(a.system, "velocity", c, 0), setup_at(b.system, "velocity", c, 0),
                       m == 0 ? 1e-5 : 0);
        }
        mote_world_destroy(a.world), mote_world_destroy(b.world);
    }
}

static void spring(void *context, size_t first, size_t count, const mote_real *const x[3],
                   const mote_real *const v[3], const mote_real *mass, double t,
                   mote_real *const a[3])
{
    const double *w2 = context;
    (void)first, (void)mass, (void)t, (void)v;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < count; ++i) a[c][i] -= (mote_real)*w2 * x[c][i];
}

/* On x'' = -w^2 x a step multiplies the amplitude by sqrt((1 + (1 - theta)^2 z^2) / (1 + theta^2
 * z^2)), z = w h: 1 / sqrt(1 + z^2) for implicit Euler, 1 for Crank-Nicolson. The force is a
 * callback, so its derivative comes from differences. */
static void amplification(void)
{
    static const double thetas[] = {1, 0.5, 0.75}, steps[] = {0.1, 2, 50};
    for (int k = 0; k < 3; ++k)
        for (int s = 0; s < 3; ++s) {
            double w2 = 9, z = 3 * steps[s], theta = thetas[k];
            mote_CallbackForce force = {spring, &w2};
            One one = one_make(steps[s], "theta", theta, setup_vec(1, 0, 0), setup_vec(0, 0, 0));
            setup_force(one.world, "callback", &force);
            double before = 3,
                   factor = (1 + (1 - theta) * (1 - theta) * z * z) / (1 + theta * theta * z * z);
            for (int i = 0; i < 4; ++i) {
                mote_StepReport report = setup_step(one.world);
                double x = 3 * setup_at(one.system, "position", 0, 0);
                double v = setup_at(one.system, "velocity", 0, 0), size = sqrt(x * x + v * v);
                CHECK_NEAR(size / before, sqrt(factor), 2e-3 * sqrt(factor));
                CHECK(report.unsolved == 0 && report.newton_iterations > 0);
                before = size;
            }
            mote_world_destroy(one.world);
        }
}

/* Error at t = 1 of a Kepler orbit and of a fall with quadratic drag. */
static double kepler_error(const char *integrator, int steps, bool drag)
{
    One one = one_make(1.0 / steps, integrator, 1, setup_vec(1, 0, 0), setup_vec(0, 1, 0));
    mote_DragForce air = {.linear = 0, .quadratic = 1};
    if (drag)
        setup_force(one.world, "drag", &air);
    else
        setup_force(one.world, "attractor", &sun);
    for (int i = 0; i < steps; ++i) setup_step(one.world);
    double x = setup_at(one.system, "position", 0, 0), y = setup_at(one.system, "position", 1, 0);
    double v = setup_at(one.system, "velocity", 1, 0);
    mote_world_destroy(one.world);
    /* with drag v = 1 / (1 + t) */
    return drag ? fabs(v - 0.5) : sqrt(pow(x - cos(1), 2) + pow(y - sin(1), 2));
}

static void orders(void)
{
    if (sizeof(mote_real) == 4) return;
    for (int drag = 0; drag < 2; ++drag) {
        double first = log2(kepler_error("implicit-euler", 40, drag) /
                            kepler_error("implicit-euler", 80, drag));
        double second = log2(kepler_error("crank-nicolson", 40, drag) /
                             kepler_error("crank-nicolson", 80, drag));
        CHECK_NEAR(first, 1, 0.15);
        CHECK_NEAR(second, 2, 0.15);
    }
}

/* ---- stability ---- */

/* Drag of 10^6 / s with steps of 0.1 s: one step brings the particle to the speed of the wind. */
static void stiff_drag(void)
{
    One one = one_make(0.1, "implicit-euler", 1, setup_vec(0, 0, 0), setup_vec(5, 0, 0));
    mote_DragForce air = {.linear = 1000000};
    setup_force(one.world, "drag", &air);
    for (int i = 0; i < 3; ++i) setup_step(one.world);
    CHECK_NEAR(setup_at(one.system, "velocity", 0, 0), 0, 1e-4);
    CHECK_NEAR(setup_at(one.system, "position", 0, 0), 0, 1e-4);
    mote_world_destroy(one.world);
}

/* ---- walls ---- */

/* Straight at a point that repels, with steps long enough to jump over it. Energy says how near it
 * comes: v^2 / 2 = S / d; implicit Euler loses energy, so it stays farther away. */
static void never_crosses_a_wall(void)
{
    One one = one_make(0.5, "implicit-euler", 1, setup_vec(1, 0, 0), setup_vec(-4, 0, 0));
    mote_AttractorForce wall = {.strength = (mote_real)-0.2, .softening = 0};
    setup_force(one.world, "attractor", &wall);
    for (int i = 0; i < 20; ++i) {
        setup_step(one.world);
        CHECK(setup_at(one.system, "position", 0, 0) > 0.02);
    }
    CHECK(setup_at(one.system, "velocity", 0, 0) > 0);
    mote_world_destroy(one.world);
}

/* ---- derivatives ---- */

static mote_real plane_of[40][BLOCK_ROWS];

static Range bare_range(mote_System *system)
{
    Range r = {.system = system, .count = mote_system_count(system)};
    for (int c = 0; c < 3; ++c) {
        r.x[c] = setup_reals(system, "position", c), r.v[c] = setup_reals(system, "velocity", c);
        r.a[c] = plane_of[c], r.sample[c] = plane_of[3 + c], r.masked[c] = plane_of[6 + c];
    }
    return r;
}

static const ForceRow *force_row(const char *name)
{
    size_t count;
    const mote_Row *const *rows = force_rows(ISA_V1, &count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, name) == 0) return (const ForceRow *)rows[i];
    return NULL;
}

/* A row's own derivative against the differences that stand in for rows without one. */
static void check_derivative(const char *name, void *params, double tolerance)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "points", NULL, NULL);
    uint64_t seed = 9;
    for (int i = 0; i < 40; ++i)
        setup_particle(system,
                       setup_vec(setup_uniform(&seed, 1, 2), setup_uniform(&seed, 1, 2),
                                 setup_uniform(&seed, -1, 1)),
                       setup_vec(setup_uniform(&seed, 1, 2), setup_uniform(&seed, -2, 1),
                                 setup_uniform(&seed, -1, 1)));
    Range r = bare_range(system);
    ForceRow plain = *force_row(name);
    Force own = {.object = {.params = params}, .row = force_row(name)};
    Force differences = own;
    plain.derivative = NULL;
    differences.row = &plain;
    mote_real *a[6], *b[6], by[2] = {(mote_real)0.3, (mote_real)0.7};
    CHECK(own.row->derivative != NULL);
    memset(plane_of, 0, sizeof plane_of);
    for (int p = 0; p < 6; ++p) a[p] = plane_of[10 + p], b[p] = plane_of[20 + p];
    force_differentiate(&own, &r, 0, by, a);
    force_differentiate(&differences, &r, 0, by, b);
    double size = 0;
    for (int p = 0; p < 6; ++p)
        for (int i = 0; i < 40; ++i) {
            size = fmax(size, fabs((double)a[p][i]));
            CHECK_NEAR(a[p][i], b[p][i], tolerance);
        }
    CHECK(size > 0.05);
    /* on a group only */
    own.group = 2;
    memset(plane_of[10], 0, 6 * sizeof plane_of[0]);
    force_differentiate(&own, &r, 0, by, a);
    for (int i = 0; i < 40; ++i) CHECK(a[0][i] == 0);
    mote_world_destroy(world);
}

static void derivatives_of_forces(void)
{
    double tolerance = sizeof(mote_real) == 4 ? 2e-3 : 1e-8;
    mote_AttractorForce point = {.strength = 2, .softening = (mote_real)0.1};
    mote_DragForce linear = {.linear = 2};
    mote_DragForce quadratic = {.linear = 1, .quadratic = (mote_real)0.8, .by_mass = true};
    check_derivative("attractor", &point, tolerance);
    check_derivative("drag", &linear, tolerance);
    check_derivative("drag", &quadratic, tolerance);
    mote_SpringToForce spring = {.stiffness = 3, .damping = 2, .rest = (mote_real)0.8};
    check_derivative("spring-to", &spring, tolerance); /* all are stretched */
}

/* ---- what is refused and what is said ---- */

static void refused(void)
{
    static const double wrong[] = {-0.1, 1.5, (double)NAN};
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    solver.integrator = "theta", system.name = "s", system.solver_params = &solver;
    for (int i = 0; i < 3; ++i) {
        solver.theta = wrong[i];
        CHECK(mote_world_add_system(world, &system, NULL, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "theta");
    }
    CHECK_MESSAGE(error, "between 0 and 1");
    solver.theta = 1, solver.newton_most = 0;
    CHECK(mote_world_add_system(world, &system, NULL, &error) == MOTE_BAD_VALUE);
    solver.newton_most = 1, solver.integrator = "implicit-eulr";
    CHECK(mote_world_add_system(world, &system, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `implicit-euler`?");
    mote_world_destroy(world);
}

/* A Newton step is not enough here: the report says so, and the state is finite. */
static void unsolved_steps_are_counted(void)
{
    mote_WorldDef def = setup_def(0.5);
    mote_World *world = setup_world(&def);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    mote_System *made;
    solver.integrator = "crank-nicolson", solver.newton_most = 1;
    system.name = "s", system.solver_params = &solver;
    SETUP_OK(mote_world_add_system(world, &system, &made, &error), error);
    setup_particle(made, setup_vec(1, 0, 0), setup_vec(0, 0.8, 0));
    setup_force(world, "attractor", &sun);
    mote_StepReport report = setup_step(world);
    CHECK(report.unsolved == 1 && report.newton_iterations == 1 && report.newton_residual > 1e-3);
    CHECK(isfinite(setup_at(made, "position", 0, 0)));
    mote_world_destroy(world);
}

TESTS({"agrees_with_a_dense_solve", agrees_with_a_dense_solve},
      {"blocks_are_inverted", blocks_are_inverted},
      {"says_when_it_does_not_converge", says_when_it_does_not_converge},
      {"members_agree", members_agree}, {"amplification", amplification}, {"orders", orders},
      {"stiff_drag", stiff_drag}, {"never_crosses_a_wall", never_crosses_a_wall},
      {"derivatives_of_forces", derivatives_of_forces}, {"refused", refused},
      {"unsolved_steps_are_counted", unsolved_steps_are_counted})
