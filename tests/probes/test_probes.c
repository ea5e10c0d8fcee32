/* Probes against motions and arrangements whose values are known. */
#include "scene_text.h"

#include "particles/system.h"

/* ---- what the tests share ---- */

static void add_probe(mote_World *world, const char *name, const char *type, const void *params,
                      double interval)
{
    mote_ProbeDef def = mote_probe_def();
    mote_Error error;
    def.name = name, def.type = type, def.params = params, def.interval = interval;
    SETUP_OK(mote_world_add_probe(world, &def, &error), error);
}

static void put_row(mote_System *system, mote_Vec3 x, mote_Vec3 v)
{
    size_t row;
    mote_Error error;
    SETUP_OK(mote_system_add_rows(system, 1, &row, &error), error);
    const mote_real at[3] = {x.x, x.y, x.z}, speed[3] = {v.x, v.y, v.z};
    for (int c = 0; c < 3; ++c) {
        column_real(&system->columns[COLUMN_POSITION], c)[row] = at[c];
        column_real(&system->columns[COLUMN_VELOCITY], c)[row] = speed[c];
    }
}

/* The value in the last sample of probe i. */
static double last_value(const mote_World *world, size_t i, size_t column)
{
    mote_ProbeSamples probe = mote_world_probe(world, i);
    if (probe.count == 0) return (double)NAN;
    return probe.values[(probe.count - 1) * probe.column_count + column];
}

/* A block of liquid on a lattice of spacing d: n[0] x n[1] x n[2] rows from `low` on, with density,
 * and pressure rho g (top - y). */
typedef struct Block {
    double d, low[3];
    int n[3];
} Block;

static void add_column(mote_System *system, const char *name)
{
    mote_Error error;
    mote_Column column = {.name = name, .unit = "", .stage = "user", .components = 1};
    SETUP_OK(mote_system_add_column(system, &column, &error), error);
}

static mote_System *make_liquid(mote_World *world, const Block *block)
{
    mote_System *system = setup_system(world, "water", NULL, NULL);
    double top = block->low[1] + block->d * block->n[1];
    add_column(system, "density");
    add_column(system, "pressure");
    system->support = (mote_real)(2 * block->d);
    system->rest_density = 1000;
    for (int i = 0; i < block->n[0]; ++i)
        for (int j = 0; j < block->n[1]; ++j)
            for (int k = 0; k < block->n[2]; ++k) {
                double x[3] = {block->low[0] + (i + 0.5) * block->d,
                               block->low[1] + (j + 0.5) * block->d,
                               block->low[2] + (k + 0.5) * block->d};
                put_row(system, setup_vec(x[0], x[1], x[2]), setup_vec(0, 0, 0));
                size_t row = system->count - 1;
                column_real(&system->columns[COLUMN_MASS], 0)[row] =
                    (mote_real)(1000 * block->d * block->d * block->d);
                column_real(mote_system_column(system, "density"), 0)[row] = 1000;
                column_real(mote_system_column(system, "pressure"), 0)[row] =
                    (mote_real)(9810 * (top - x[1]));
            }
    return system;
}

/* ---- points ---- */

/* Free fall: momentum, centre and energy of two particles, by hand. */
static void totals_of_a_fall(void)
{
    mote_WorldDef def = setup_def(0.25);
    def.gravity = setup_vec(0, -10, 0);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "balls", NULL, NULL);
    put_row(system, setup_vec(0, 8, 0), setup_vec(3, 0, 0));
    put_row(system, setup_vec(2, 8, 4), setup_vec(-1, 0, 0));
    column_real(&system->columns[COLUMN_MASS], 0)[1] = 3;
    add_probe(world, "all", "total", &(mote_TotalProbe){"balls"}, 0);
    mote_Error error;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    CHECK(mote_world_probe(world, 0).count == 1 && mote_world_probe(world, 0).times[0] == 0);
    CHECK_NEAR(last_value(world, 0, 2), 1.5, 1e-6); /* centre: (0 * 1 + 2 * 3) / 4 */
    setup_step(world);
    CHECK(mote_world_probe(world, 0).count == 1 && mote_world_probe(world, 0).times[0] == 0.25);
    CHECK(last_value(world, 0, 0) == 2 && last_value(world, 0, 1) == 4);
    CHECK_NEAR(last_value(world, 0, 4), 3, 1e-6);                        /* z */
    CHECK_NEAR(last_value(world, 0, 5), 0, 1e-6);                        /* 3 - 3 */
    CHECK_NEAR(last_value(world, 0, 6), -10, 1e-5);                      /* 4 kg, 2.5 m/s */
    CHECK_NEAR(last_value(world, 0, 8), 0.5 * 9 + 1.5 + 2 * 6.25, 1e-4); /* J */
    CHECK_NEAR(last_value(world, 0, 9), sqrt(9 + 6.25), 1e-5);
    CHECK(isnan(last_value(world, 0, 10))); /* no liquid */
    mote_world_destroy(world);
}

/* The kernel's mean of two equal particles at equal distances is their mean; nobody is not zero. */
static void velocity_at_a_point(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    put_row(system, setup_vec(0.05, 0, 0), setup_vec(0, 2, 0));
    put_row(system, setup_vec(-0.05, 0, 0), setup_vec(0, 4, 1));
    put_row(system, setup_vec(0.3, 0, 0), setup_vec(100, 100, 100));
    add_probe(world, "near", "velocity", &(mote_VelocityProbe){"dust", {0, 0, 0}, (mote_real)0.2},
              0);
    add_probe(world, "far", "velocity", &(mote_VelocityProbe){"dust", {5, 0, 0}, (mote_real)0.2},
              0);
    add_probe(world, "column", "column",
              &(mote_ColumnProbe){"dust", "velocity", {0, 0, 0}, (mote_real)0.2}, 0);
    mote_Error error;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    for (size_t p = 0; p < 3; p += 2) {
        CHECK_NEAR(last_value(world, p, 0), 0, 1e-12);
        CHECK_NEAR(last_value(world, p, 1), 3, 1e-6);
        CHECK_NEAR(last_value(world, p, 2), 0.5, 1e-6);
    }
    CHECK(isnan(last_value(world, 1, 0)));
    mote_world_destroy(world);
}

/* A periodic side is no end: the neighbour is on the other side of the box. */
static void velocity_across_a_side(void)
{
    mote_WorldDef def = setup_def(0.1);
    def.periodic_x = true;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    put_row(system, setup_vec(-0.95, 0, 0), setup_vec(0, 7, 0));
    add_probe(world, "side", "velocity",
              &(mote_VelocityProbe){"dust", {(mote_real)0.99, 0, 0}, (mote_real)0.2}, 0);
    mote_Error error;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    CHECK_NEAR(last_value(world, 0, 1), 7, 1e-6);
    mote_world_destroy(world);
}

/* A ball that falls flat on the ground gives it all its momentum, and then its weight. */
static void load_of_a_ball(void)
{
    mote_WorldDef def = setup_def(0.1);
    def.max_step = 0.01;
    def.gravity = setup_vec(0, -10, 0);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "balls", NULL, NULL);
    put_row(system, setup_vec(0.5, 0.5, 0), setup_vec(0, -4, 0));
    setup_plane(world, setup_vec(0, 1, 0), 0, 0);
    mote_LoadProbe on = {"plane-0"};
    add_probe(world, "push", "load", &on, 0);
    add_probe(world, "fine", "load", &on, 0.02);
    double impulse = 0, fine = 0, torque = 0;
    for (int i = 0; i < 5; ++i) {
        setup_step(world);
        impulse += last_value(world, 0, 1) * 0.1;
        torque += last_value(world, 0, 5) * 0.1;
        mote_ProbeSamples samples = mote_world_probe(world, 1);
        CHECK(samples.count == 5);
        for (size_t k = 0; k < samples.count; ++k) fine += samples.values[k * 6 + 1] * 0.02;
    }
    /* The particle's momentum at the end is 0: the ground took -4 kg m/s and 10 N for 0.5 s. */
    CHECK_NEAR(impulse, -(4 + 10 * 0.5), 2e-3);
    CHECK_NEAR(fine, impulse, 1e-6);
    CHECK_NEAR(torque, 0.5 * impulse, 2e-3);        /* its arm is x = 0.5 m */
    CHECK_NEAR(last_value(world, 0, 1), -10, 0.01); /* at rest: the weight */
    mote_world_destroy(world);
}

static void field_at_a_point(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_VortexField vortex = {.axis = {0, 0, 1}, .speed = 3, .core = (mote_real)0.5};
    mote_FieldDef field = mote_field_def();
    field.name = "eddy", field.type = "vortex", field.params = &vortex;
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &field, &error), error);
    add_probe(world, "wind", "field", &(mote_FieldProbe){"eddy", {2, 0, 0}}, 0);
    setup_step(world);
    CHECK_NEAR(last_value(world, 0, 1), 3 * 0.5 / 2, 1e-6); /* speed core / r, along y */
    mote_world_destroy(world);
}

/* 0.25 s in sub-steps of 1/64 s: an interval of 1/32 s is every second one. */
static void intervals(void)
{
    mote_WorldDef def = setup_def(0.25);
    def.max_step = 1.0 / 64;
    mote_World *world = setup_world(&def);
    setup_system(world, "dust", NULL, NULL);
    add_probe(world, "often", "total", &(mote_TotalProbe){"dust"}, 1.0 / 32);
    add_probe(world, "seldom", "total", &(mote_TotalProbe){"dust"}, 0.6);
    size_t seldom = 0;
    for (int i = 0; i < 8; ++i) {
        setup_step(world);
        mote_ProbeSamples often = mote_world_probe(world, 0);
        CHECK(often.count == 8);
        for (size_t k = 0; k < often.count; ++k)
            CHECK_NEAR(often.times[k], i * 0.25 + (double)(k + 1) / 32, 1e-12);
        mote_ProbeSamples rare = mote_world_probe(world, 1);
        seldom += rare.count;
        for (size_t k = 0; k < rare.count; ++k) /* the end of the first sub-step after 0.6 n */
            CHECK_NEAR(rare.times[k], ceil(0.6 * (double)seldom * 64) / 64, 1e-12);
    }
    CHECK(seldom == 3); /* 0.6, 1.2, 1.8 */
    mote_world_destroy(world);
}

/* ---- liquids ---- */

/* A gauge's mean is that of all sub-steps, weighted by how long they are. */
static void a_mean_is_over_all_sub_steps(void)
{
    mote_WorldDef def = mote_world_def();
    mote_SphSolver solver = mote_sph_solver_def();
    mote_SystemDef water = mote_system_def();
    mote_System *system;
    mote_Error error;
    def.fps = 100, def.gravity = setup_vec(0, -9.81, 0);
    solver.pressure = "wcsph", solver.spacing = (mote_real)0.1;
    mote_World *world = setup_world(&def);
    water.name = "water", water.solver = "sph", water.solver_params = &solver;
    SETUP_OK(mote_world_add_system(world, &water, &system, &error), error);
    setup_plane(world, setup_vec(0, 1, 0), 0, 0);
    for (int i = 0; i < 5 * 5 * 5; ++i)
        setup_particle(system,
                       setup_vec(0.09 * (i % 5), 0.04 + 0.09 * (i / 25), 0.09 * (i / 5 % 5)),
                       setup_vec(0, -1, 0));
    mote_PressureProbe gauge = mote_pressure_probe_def();
    gauge.system = "water", gauge.at = setup_vec(0.18, 0.1, 0.18), gauge.radius = (mote_real)0.05;
    add_probe(world, "moments", "pressure", &gauge, 1e-7);
    gauge.mean = true;
    add_probe(world, "mean", "pressure", &gauge, 0);
    for (int frame = 0; frame < 3; ++frame) {
        double before = mote_world_time(world), sum = 0, t = before;
        setup_step(world);
        mote_ProbeSamples moments = mote_world_probe(world, 0);
        for (size_t i = 0; i < moments.count; ++i) {
            sum += (moments.times[i] - t) * moments.values[i];
            t = moments.times[i];
        }
        CHECK(moments.count > 2 && (frame > 0 || sum > 1)); /* pressed together at first */
        double mean = sum / (t - before);
        CHECK_NEAR(last_value(world, 1, 0), mean, 1e-6 * mean + 1e-9);
    }
    mote_world_destroy(world);
}

/* What a mean has gathered of its interval goes on behind a checkpoint in the middle of it. */
static void a_mean_goes_through_a_checkpoint(void)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 50, dimension: 2 },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', pressure: 'wcsph', spacing: 0.1 } } "
        "],\n"
        "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] } } ],\n"
        "  emitters: [ { name: 'all', system: 'water', at: [0, 0.3], velocity: [0, -1],\n"
        "    from: { type: 'fill', spacing: 0.1, shape: { type: 'box', size: [0.6, 0.6, 1] } } } "
        "],\n"
        "  probes: [ { name: 'gauge', type: 'pressure', system: 'water', at: [0, 0.15],\n"
        "    mean: true, interval: 0.06 } ] }\n";
    mote_Scene *scenes[2];
    mote_World *whole = world_of_text(text, &scenes[0]), *later = world_of_text(text, &scenes[1]);
    const mote_StateArray *arrays;
    size_t count;
    mote_Error error;
    for (int i = 0; i < 2; ++i) setup_step(whole);
    SETUP_OK(mote_world_state(whole, &arrays, &count, &error), error);
    CHECK_OK(mote_world_restore(later, arrays, count, &error), error);
    setup_step(whole), setup_step(later);
    CHECK(mote_world_probe(whole, 0).count == 1 && last_value(whole, 0, 0) > 1);
    CHECK(last_value(later, 0, 0) == last_value(whole, 0, 0));
    for (int i = 0; i < 2; ++i) mote_world_destroy(i == 0 ? whole : later);
    for (int i = 0; i < 2; ++i) mote_scene_destroy(scenes[i]);
}

/* The mean of a gauge's samples in the last frames. */
static double gauge_mean(mote_World *world, size_t probe, int frames)
{
    double sum = 0;
    for (int i = 0; i < frames; ++i) {
        setup_step(world);
        sum += last_value(world, probe, 0);
    }
    return sum / frames;
}

/* Water 0.8 m deep at rest: gauges in the floor and in a wall feel rho g h. */
static void check_gauges(const char *text)
{
    mote_Scene *scene;
    mote_World *world = world_of_text(text, &scene);
    for (int i = 0; i < 12; ++i) setup_step(world);
    double floor = gauge_mean(world, 0, 6), side = gauge_mean(world, 1, 6);
    CHECK_NEAR(floor / (9810 * 0.8), 1, 0.05);
    CHECK_NEAR(side / (9810 * 0.4), 1, 0.08);
    CHECK_NEAR(gauge_mean(world, 2, 6) / (9810 * 0.7), 1, 0.06); /* the floor cuts it off */
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

#define COLUMN(flat, shape, across)                                                                \
    "{ mote: 1, world: { fps: 20" flat " },\n"                                                     \
    "  systems: [ { name: 'water', solver: { type: 'sph', pressure: 'wcsph', spacing: 0.1,\n"      \
    "    artificial: 0.3, support: 2.4, wall_forces: true } } ],\n"                                \
    "  emitters: [ { name: 'all', system: 'water', at: [0, 0.4" across                             \
    "], from: { type: 'fill',\n"                                                                   \
    "    spacing: 0.1, shape: { type: 'box', size: [" shape "] } } } ],\n"                         \
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1" across "] } },\n"      \
    "    { name: 'left', shape: { type: 'plane', normal: [1, 0" across "], offset: -0.4 } },\n"    \
    "    { name: 'right', shape: { type: 'plane', normal: [-1, 0" across "], offset: -0.4 } },\n"

static void gauges_in_walls(void)
{
    check_gauges(COLUMN(
        ", dimension: 2", "0.8, 0.8, 1",
        "") "  ], probes: [ { name: 'floor', type: 'pressure', system: 'water', at: [0, 0],\n"
            "    normal: [0, 1], wall: true, mean: true },\n"
            "  { name: 'side', type: 'pressure', system: 'water', at: [0.4, 0.4],\n"
            "    normal: [-1, 0], wall: true, mean: true },\n"
            "  { name: 'foot', type: 'pressure', system: 'water', at: [0.4, 0.1],\n"
            "    normal: [-1, 0], wall: true, mean: true } ] }\n");
    check_gauges(COLUMN(
        "", "0.8, 0.8, 0.6",
        ", 0") "    { name: 'back', shape: { type: 'plane', normal: [0, 0, 1], offset: -0.3 } },\n"
               "    { name: 'front', shape: { type: 'plane', normal: [0, 0, -1], offset: -0.3 } }\n"
               "  ], probes: [ { name: 'floor', type: 'pressure', system: 'water',\n"
               "    at: [0, 0, 0], normal: [0, 1, 0], wall: true, mean: true },\n"
               "  { name: 'side', type: 'pressure', system: 'water', at: [0.4, 0.4, 0],\n"
               "    normal: [-1, 0, 0], wall: true, mean: true },\n"
               "  { name: 'foot', type: 'pressure', system: 'water', at: [0.4, 0.1, 0],\n"
               "    normal: [-1, 0, 0], wall: true, mean: true } ] }\n");
}

/* On a lattice with a linear pressure the estimate is that pressure: inside exactly, by symmetry,
 * and at a wall the probe sees the mean of its half. */
static void pressure_of_a_column(void)
{
    static const Block block = {0.05, {0, 0, 0}, {20, 20, 20}};
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    make_liquid(world, &block);
    mote_PressureProbe inside = {.system = "water",
                                 .at = {(mote_real)0.5, (mote_real)0.5, (mote_real)0.5}};
    mote_PressureProbe wall = inside, disc = inside, air = inside;
    wall.at.x = 0;
    disc.at.x = 0, disc.radius = (mote_real)0.2, disc.normal = setup_vec(1, 0, 0);
    air.at.y = (mote_real)1.2;
    add_probe(world, "inside", "pressure", &inside, 0);
    add_probe(world, "wall", "pressure", &wall, 0);
    add_probe(world, "disc", "pressure", &disc, 0);
    add_probe(world, "air", "pressure", &air, 0);
    mote_Error error;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    CHECK_NEAR(last_value(world, 0, 0), 9810 * 0.5, 1);
    CHECK_NEAR(last_value(world, 1, 0), 9810 * 0.5, 1);
    CHECK_NEAR(last_value(world, 2, 0), 9810 * 0.5,
               40); /* points of the disc lie off the lattice */
    CHECK(last_value(world, 3, 0) == 0);
    mote_world_destroy(world);
}

/* The surface of a pool 0.6 m deep above its floor, beside a wall too, and of two layers. */
static void height_of_a_pool(void)
{
    static const Block block = {0.05, {0, 0.1, 0}, {20, 12, 20}};
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = make_liquid(world, &block);
    mote_HeightProbe top = {.system = "water",
                            .at = {(mote_real)0.52, (mote_real)0.1, (mote_real)0.49}};
    mote_HeightProbe wetted = top, dry = top;
    wetted.measure = MOTE_HEIGHT_WETTED;
    dry.at.x = 3;
    add_probe(world, "top", "height", &top, 0);
    add_probe(world, "wetted", "height", &wetted, 0);
    add_probe(world, "dry", "height", &dry, 0);
    mote_Error error;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    CHECK_NEAR(last_value(world, 0, 0), 0.6, 0.1 * block.d);
    CHECK_NEAR(last_value(world, 1, 0), 0.6, 0.1 * block.d);
    CHECK(last_value(world, 2, 0) == 0);
    /* Lift the upper half by 1 m: the highest liquid rises, what is wetted does not. */
    mote_real *y = column_real(&system->columns[COLUMN_POSITION], 1);
    for (size_t i = 0; i < system->count; ++i)
        if (y[i] > (mote_real)0.4) y[i] += 1;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    CHECK_NEAR(last_value(world, 0, 0), 1.6, 0.1 * block.d);
    CHECK_NEAR(last_value(world, 1, 0), 0.6, 0.3 * block.d);
    mote_world_destroy(world);
}

/* A tenth denser in a quarter of the rows, a tenth thinner in another: only the first counts. */
static void density_errors(void)
{
    static const Block block = {0.1, {0, 0, 0}, {4, 4, 4}};
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = make_liquid(world, &block);
    mote_real *density = column_real(mote_system_column(system, "density"), 0);
    for (size_t i = 0; i < 16; ++i) density[i] = 1100, density[16 + i] = 900;
    add_probe(world, "all", "total", &(mote_TotalProbe){"water"}, 0);
    mote_Error error;
    CHECK_OK(mote_world_sample_probes(world, &error), error);
    CHECK_NEAR(last_value(world, 0, 10), 0.025, 1e-6);
    CHECK_NEAR(last_value(world, 0, 11), 0.1, 1e-6);
    CHECK_NEAR(last_value(world, 0, 1), 64, 1e-3); /* kg */
    mote_world_destroy(world);
}

/* ---- trouble ---- */

static void refuse(mote_World *world, const char *name, const char *type, const void *params,
                   const char *message)
{
    mote_ProbeDef def = mote_probe_def();
    mote_Error error = {0};
    def.name = name, def.type = type, def.params = params;
    CHECK(mote_world_add_probe(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, message);
}

static void bad_probes(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    setup_system(world, "dust", NULL, NULL);
    mote_VelocityProbe velocity = {.system = "dust"};
    refuse(world, "p", "presure", NULL, "did you mean `pressure`");
    refuse(world, "p", "velocity", NULL, "must name a system");
    refuse(world, "p", "velocity", &velocity, "set reach");
    refuse(world, "p", "total", &(mote_TotalProbe){"dusk"}, "did you mean `dust`");
    refuse(world, "p", "load", &(mote_LoadProbe){"wall"}, "no collider `wall`");
    refuse(world, "p", "field", &(mote_FieldProbe){.field = "wind"}, "no field `wind`");
    refuse(world, "p", "pressure", &(mote_PressureProbe){.system = "dust"}, "has no pressure");
    refuse(world, "p", "height",
           &(mote_HeightProbe){.system = "dust", .measure = MOTE_HEIGHT_WETTED, .reach = 1},
           "no liquid");
    refuse(world, "p", "column",
           &(mote_ColumnProbe){.system = "dust", .column = "heat", .reach = 1}, "no column `heat`");
    refuse(world, "../p", "total", &(mote_TotalProbe){"dust"}, "name is that of its file");
    refuse(world, ".p", "total", &(mote_TotalProbe){"dust"}, "name is that of its file");
    mote_ProbeDef early = mote_probe_def();
    mote_Error error;
    early.type = "total", early.params = &(mote_TotalProbe){"dust"}, early.interval = -1;
    CHECK(mote_world_add_probe(world, &early, &error) == MOTE_BAD_VALUE);
    CHECK(mote_world_probe(world, 0).name == NULL);
    mote_world_destroy(world);
}

/* A probe of a scene: keys by table, references by name, and what moves with time. */
static void probes_of_a_scene(void)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 10, max_step: 0.05, gravity: [0, 0, 0] },\n"
        "  systems: [ { name: 'dust' } ],\n"
        "  emitters: [ { name: 'one', system: 'dust', burst: 1, velocity: [2, 0, 0] } ],\n"
        "  probes: [ { name: 'follow', type: 'velocity', system: 'dust', at: ['=2*t', 0, 0],\n"
        "              reach: 0.05 } ] }\n";
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_World *world = world_of_text(text, &scene);
    mote_Error error;
    for (int i = 0; i < 10; ++i) {
        setup_step(world);
        CHECK_NEAR(last_value(world, 0, 0), 2, 1e-5); /* NaN when the probe lags behind */
    }
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    def.text = "{ mote: 1, systems: [ { name: 'dust' } ],\n"
               "  probes: [ { type: 'total', system: 'dusk' }, { type: 'total' },\n"
               "    { type: 'total', system: 'dust', interval: -1, reech: 2 } ] }";
    CHECK(mote_scene_load(&def, &scene, &error) == MOTE_BAD_VALUE);
    const char *messages = mote_scene_messages(scene, false);
    CHECK(strstr(messages, "did you mean `dust`") != NULL);
    CHECK(strstr(messages, "the key `system` is missing") != NULL);
    CHECK(strstr(messages, "interval must be at least 0") != NULL);
    CHECK(strstr(messages, "unknown key `reech`") != NULL);
    mote_scene_destroy(scene);
}

TESTS({"totals of a fall", totals_of_a_fall}, {"velocity at a point", velocity_at_a_point},
      {"velocity across a side", velocity_across_a_side}, {"load of a ball", load_of_a_ball},
      {"field at a point", field_at_a_point}, {"intervals", intervals},
      {"pressure of a column", pressure_of_a_column},
      {"a mean is over all sub-steps", a_mean_is_over_all_sub_steps},
      {"a mean goes through a checkpoint", a_mean_goes_through_a_checkpoint},
      {"gauges in walls", gauges_in_walls}, {"height of a pool", height_of_a_pool},
      {"density errors", density_errors}, {"bad probes", bad_probes},
      {"probes of a scene", probes_of_a_scene})
