/* Smoothed interpolation: averages, kernel estimates, gradients and Laplacians of columns that are
 * known, and against sums over all particles with the cubic spline as textbooks write it. */
#include "scene_text.h"

#include "particles/system.h"

static const double pi = 3.14159265358979323846;

/* ---- clouds of particles with a column "heat" ---- */

typedef double Function(double x, double y, double z);

static double five(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 5;
}

static double slope(double x, double y, double z)
{
    return 2 + 3 * x - y + 0.5 * z;
}

static double bowl(double x, double y, double z)
{
    return x * x + 2 * y * y - z * z + 0.5 * x;
}

static mote_System *make_system(mote_World *world)
{
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    mote_Column heat = {.name = "heat", .unit = "K", .stage = "user", .components = 1};
    mote_Error error;
    SETUP_OK(mote_system_add_column(system, &heat, &error), error);
    return system;
}

static void put_row(mote_System *system, const double at[3], double mass, Function *heat)
{
    size_t row;
    mote_Error error;
    SETUP_OK(mote_system_add_rows(system, 1, &row, &error), error);
    for (int c = 0; c < 3; ++c)
        column_real(&system->columns[COLUMN_POSITION], c)[row] = (mote_real)at[c];
    column_real(&system->columns[COLUMN_MASS], 0)[row] = (mote_real)mass;
    column_real(mote_system_column(system, "heat"), 0)[row] = (mote_real)heat(at[0], at[1], at[2]);
}

/* A lattice of spacing d around the origin, n rows to each side. */
static void put_lattice(mote_System *system, int n, double d, Function *heat)
{
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int k = -n; k <= n; ++k)
                put_row(system, (double[3]){i * d, j * d, k * d}, 1000 * d * d * d, heat);
}

static void put_cloud(mote_System *system, size_t count, Function *heat)
{
    uint64_t state = 7;
    for (size_t i = 0; i < count; ++i) {
        double at[3];
        for (int c = 0; c < 3; ++c) at[c] = setup_uniform(&state, -1, 1);
        put_row(system, at, setup_uniform(&state, 0.5, 2), heat);
    }
}

static void add_field(mote_World *world, const char *name, const char *type, int estimate,
                      double reach)
{
    mote_SmoothedField params = mote_smoothed_field_def();
    mote_FieldDef def = mote_field_def();
    def.name = name, def.type = type, def.params = &params;
    mote_Error error;
    params.system = "dust", params.column = "heat", params.estimate = estimate;
    params.reach = (mote_real)reach;
    SETUP_OK(mote_world_add_field(world, &def, &error), error);
}

static void sample(mote_World *world, const char *field, const double at[3], double out[3])
{
    mote_real x[3] = {(mote_real)at[0], (mote_real)at[1], (mote_real)at[2]}, u[3] = {0};
    mote_FieldPoints points = {.count = 1, .x = {&x[0], &x[1], &x[2]}};
    mote_Error error;
    CHECK_OK(mote_world_sample_field(world, field, &points,
                                     (mote_real *const[3]){&u[0], &u[1], &u[2]}, &error),
             error);
    for (int c = 0; c < 3; ++c) out[c] = (double)u[c];
}

static double value(mote_World *world, const char *field, double x, double y, double z)
{
    double out[3];
    sample(world, field, (double[3]){x, y, z}, out);
    return out[0];
}

/* ---- tests ---- */

/* Averages of a constant are that constant, however many particles and volumes there are; the
 * textbook's slip, sum V A / n, would give 5 V. */
static void constants(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    add_field(world, "mean", "smoothed", MOTE_SMOOTHED_MEAN, 0.6);
    add_field(world, "volume", "smoothed", MOTE_SMOOTHED_VOLUME, 0.6);
    add_field(world, "corrected", "smoothed", MOTE_SMOOTHED_CORRECTED, 0.6);
    put_cloud(make_system(world), 200, five);
    uint64_t state = 3;
    for (int i = 0; i < 8; ++i) {
        double x = setup_uniform(&state, -1, 1), y = setup_uniform(&state, -1, 1);
        CHECK_NEAR(value(world, "mean", x, y, 0.2), 5, 1e-5);
        CHECK_NEAR(value(world, "volume", x, y, 0.2), 5, 1e-5);
        CHECK_NEAR(value(world, "corrected", x, y, 0.2), 5, 1e-5);
    }
    CHECK(value(world, "mean", 9, 9, 9) == 0 && value(world, "corrected", 9, 9, 9) == 0);
    mote_world_destroy(world);
}

/* A crowd of copies of one particle drags the plain average along, but not the one by volume. */
static void crowds(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = make_system(world);
    put_lattice(system, 3, 0.1, slope);
    add_field(world, "mean", "smoothed", MOTE_SMOOTHED_MEAN, 0.25);
    add_field(world, "volume", "smoothed", MOTE_SMOOTHED_VOLUME, 0.25);
    CHECK_NEAR(value(world, "mean", 0, 0, 0), 2, 1e-5);
    const double at[3] = {0.1, 0, 0};
    for (int i = 0; i < 200; ++i) put_row(system, at, 1, slope);
    CHECK_NEAR(value(world, "mean", 0, 0, 0), 2.3, 0.1);
    CHECK_NEAR(value(world, "volume", 0, 0, 0), 2, 0.1);
    mote_world_destroy(world);
}

/* On a full lattice density makes up the kernel's sum exactly, and symmetry does the rest. */
static void lines(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    put_lattice(make_system(world), 8, 0.1, slope);
    add_field(world, "kernel", "smoothed", MOTE_SMOOTHED_KERNEL, 0.3);
    add_field(world, "corrected", "smoothed", MOTE_SMOOTHED_CORRECTED, 0.3);
    add_field(world, "gradient", "smoothed-gradient", 0, 0.3);
    CHECK_NEAR(value(world, "kernel", 0.1, 0.2, -0.1), slope(0.1, 0.2, -0.1), 1e-4);
    CHECK_NEAR(value(world, "corrected", 0.13, 0.21, -0.06), slope(0.13, 0.21, -0.06), 0.01);
    double g[3];
    sample(world, "gradient", (double[3]){0.1, 0, 0.2}, g);
    CHECK_NEAR(g[0], 3, 0.06);
    CHECK_NEAR(g[1], -1, 0.03);
    CHECK_NEAR(g[2], 0.5, 0.02);
    /* At the lattice's end half of the kernel is empty; its last rows have larger volumes. */
    CHECK_NEAR(value(world, "kernel", 0.85, 0, 0) / slope(0.85, 0, 0), 0.6, 0.1);
    CHECK_NEAR(value(world, "corrected", 0.85, 0, 0), slope(0.75, 0, 0), 0.15);
    mote_world_destroy(world);
}

/* lap (x^2 + 2 y^2 - z^2) = 4. */
static void curves(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    put_lattice(make_system(world), 7, 0.1, bowl);
    add_field(world, "laplacian", "smoothed", MOTE_SMOOTHED_LAPLACIAN, 0.4);
    CHECK_NEAR(value(world, "laplacian", 0, 0, 0), 4, 0.1);
    mote_world_destroy(world);
}

/* W, W' / r and lap W of the cubic spline in q = r / h, as the notes write it, but with the right
 * lap W = W'' / h^2 + 2 W' / (q h^2). */
static void spline(double r, double h, double w[3])
{
    double q = r / h, c = 3 / (2 * pi * h * h * h);
    double value = q < 1 ? 2.0 / 3 - q * q + q * q * q / 2 : pow(2 - q, 3) / 6;
    double first = q < 1 ? -2 * q + 1.5 * q * q : -0.5 * pow(2 - q, 2);
    double second = q < 1 ? -2 + 3 * q : 2 - q;
    w[0] = c * value;
    w[1] = q > 0 ? c * first / (h * r) : -2 * c / (h * h);
    w[2] = c * second / (h * h) + 2 * w[1];
    if (q >= 2) w[0] = w[1] = w[2] = 0;
}

/* Sums over all particles, in double. */
static void brute(const mote_System *system, const double at[3], double h, double out[5])
{
    const mote_real *heat = column_real(mote_system_column(system, "heat"), 0);
    const mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0), *x[3];
    for (int c = 0; c < 3; ++c) x[c] = column_real(&system->columns[COLUMN_POSITION], c);
    for (int c = 0; c < 5; ++c) out[c] = 0;
    for (size_t j = 0; j < system->count; ++j) {
        double density = 0, w[3], d[3], r2 = 0;
        for (size_t k = 0; k < system->count; ++k) {
            double s2 = 0;
            for (int c = 0; c < 3; ++c) {
                double e = (double)x[c][j] - (double)x[c][k];
                s2 += e * e;
            }
            spline(sqrt(s2), h, w);
            density += (double)mass[k] * w[0];
        }
        for (int c = 0; c < 3; ++c) d[c] = at[c] - (double)x[c][j], r2 += d[c] * d[c];
        spline(sqrt(r2), h, w);
        double va = (double)mass[j] / density * (double)heat[j];
        out[0] += va * w[0];
        for (int c = 0; c < 3; ++c) out[1 + c] += va * w[1] * d[c];
        out[4] += va * w[2];
    }
}

static void against_all_pairs(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_TasksDef threads = mote_tasks_def();
    mote_Error error;
    threads.threads = 3;
    SETUP_OK(mote_tasks_create(&threads, &def.tasks, &error), error);
    mote_World *world = setup_world(&def);
    mote_System *system = make_system(world);
    put_cloud(system, 200, bowl);
    add_field(world, "kernel", "smoothed", MOTE_SMOOTHED_KERNEL, 0.6);
    add_field(world, "gradient", "smoothed-gradient", 0, 0.6);
    add_field(world, "laplacian", "smoothed", MOTE_SMOOTHED_LAPLACIAN, 0.6);
    uint64_t state = 11;
    for (int i = 0; i < 5; ++i) {
        double at[3], right[5], g[3];
        for (int c = 0; c < 3; ++c) at[c] = (double)(mote_real)setup_uniform(&state, -1.2, 1.2);
        brute(system, at, 0.3, right);
        CHECK_NEAR(value(world, "kernel", at[0], at[1], at[2]), right[0], 1e-5);
        sample(world, "gradient", at, g);
        for (int c = 0; c < 3; ++c) CHECK_NEAR(g[c], right[1 + c], 1e-4);
        CHECK_NEAR(value(world, "laplacian", at[0], at[1], at[2]), right[4], 2e-3);
    }
    mote_world_destroy(world);
    mote_tasks_destroy(def.tasks);
}

/* Two sides of a periodic box are neighbours; far particles in a sparse world cost no memory. */
static void edges_of_the_world(void)
{
    mote_WorldDef def = setup_def(0.1);
    def.periodic_x = true;
    mote_World *world = setup_world(&def);
    mote_System *system = make_system(world);
    put_row(system, (double[3]){-0.95, 0, 0}, 1, five);
    put_row(system, (double[3]){0, 1e6, -1e6}, 1, slope);
    add_field(world, "corrected", "smoothed", MOTE_SMOOTHED_CORRECTED, 0.2);
    CHECK_NEAR(value(world, "corrected", 0.98, 0, 0), 5, 1e-6);
    CHECK(value(world, "corrected", 0.5, 0, 0) == 0);
    size_t bytes;
    uint64_t allocations;
    mote_world_memory(world, &bytes, &allocations);
    CHECK(bytes < 1 << 20);
    mote_world_destroy(world);
}

/* Velocity of a system as a vector field; in a scene the field may stand before its system. */
static void in_a_scene(void)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 10, gravity: [0, 0, 0] },\n"
        "  fields: [ { name: 'flow', type: 'smoothed-vector', system: 'smoke', reach: 0.5,\n"
        "              column: 'velocity', estimate: 'corrected', kernel: 'wendland-c2' } ],\n"
        "  systems: [ { name: 'smoke' } ],\n"
        "  emitters: [ { name: 'one', system: 'smoke', burst: 200, velocity: [1, 2, 3],\n"
        "                from: { type: 'box', size: [1, 1, 1] } } ],\n"
        "  probes: [ { name: 'flow', type: 'field', field: 'flow', at: [0.2, 0.3, 0.4] } ] }\n";
    mote_Scene *scene;
    mote_World *world = world_of_text(text, &scene);
    setup_step(world);
    mote_ProbeSamples probe = mote_world_probe(world, 0);
    CHECK(probe.count == 1 && probe.column_count == 3);
    for (int c = 0; c < 3; ++c) CHECK_NEAR(probe.values[c], c + 1, 1e-5);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

static void bad_fields(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_Error error;
    mote_SmoothedField params = mote_smoothed_field_def();
    mote_FieldDef field = mote_field_def();
    field.name = "f", field.type = "smoothed", field.params = &params;
    for (int i = 0; i < 4; ++i) {
        static const char *const systems[] = {NULL, "dusk", "dust", "dust"};
        static const char *const columns[] = {"heat", "heat", "heet", "heat"};
        static const char *const messages[] = {"must name a system", "did you mean `dust`",
                                               "no column `heet`", "set reach"};
        mote_World *world = setup_world(&def);
        make_system(world);
        params.system = systems[i], params.column = columns[i];
        mote_Status status = mote_world_add_field(world, &field, &error);
        if (i > 0) CHECK_OK(status, error);
        if (status == MOTE_OK) status = mote_world_step(world, NULL, &error);
        CHECK(status == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, messages[i]);
        mote_world_destroy(world);
    }
}

TESTS({"constants", constants}, {"crowds", crowds}, {"lines", lines}, {"curves", curves},
      {"against all pairs", against_all_pairs}, {"edges of the world", edges_of_the_world},
      {"in a scene", in_a_scene}, {"bad fields", bad_fields})
