/* Liquids in containers, for every pressure row and every boundary row: a column that stands,
 * weighs and presses as it should, a tank that is shaken and loses nothing, and forces on colliders
 * that are what the liquid lost. */
#include <mote/bodies.h>

#include "setup.h"
#include "solvers/sph/sph.h"
#include "world/world.h"

#include <string.h>

#define SPACING 0.02

typedef struct Tank {
    mote_World *world;
    mote_System *water;
    const mote_Row *pressure, *boundary;
    double size[3]; /* m */
    mote_WorldDef def;
    mote_SphSolver solver;
    mote_Motion motion;
    mote_Status (*path)(void *context, double t, mote_Motion *motion, mote_Error *error);
} Tank;

static Tank tank_def(const mote_Row *pressure, const mote_Row *boundary)
{
    Tank tank = {.pressure = pressure, .boundary = boundary, .size = {0.12, 0.4, 0.12}};
    tank.def = mote_world_def();
    tank.def.fps = 50, tank.def.max_step = 0.005;
    tank.solver = mote_sph_solver_def();
    tank.solver.spacing = (mote_real)SPACING;
    tank.solver.pressure = pressure->name, tank.solver.boundary = boundary->name;
    return tank;
}

static void open_tank(Tank *tank)
{
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    mote_BoxShape box = {setup_vec(tank->size[0], tank->size[1], tank->size[2])};
    mote_ShapeDef part = {.type = "box", .params = &box, .pose = mote_pose_def()};
    mote_ColliderDef wall = mote_collider_def();
    mote_Shapes *shapes;
    tank->world = setup_world(&tank->def);
    system.name = "water", system.solver = "sph", system.solver_params = &tank->solver;
    SETUP_OK(mote_world_add_system(tank->world, &system, &tank->water, &error), error);
    SETUP_OK(mote_shapes_create(&part, 1, mote_default_allocator(), &shapes, &error), error);
    mote_InvertedShape hollow = {shapes};
    wall.name = "tank", wall.shape = "inverted", wall.shape_params = &hollow;
    wall.restitution = 0, wall.friction = 0, wall.measure = true;
    wall.motion = tank->motion, wall.path = tank->path;
    SETUP_OK(mote_world_add_collider(tank->world, &wall, &error), error);
    mote_shapes_release(shapes);
}

/* A lattice from the low corner of the tank, which is centred at the origin. */
static void fill(Tank *tank, int nx, int ny, int nz)
{
    mote_Error error;
    size_t first;
    SETUP_OK(mote_system_add_rows(tank->water, (size_t)(nx * ny * nz), &first, &error), error);
    for (int i = 0; i < nx * ny * nz; ++i) {
        const int at[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (int c = 0; c < 3; ++c)
            setup_reals(tank->water, "position", c)[i] =
                (mote_real)(SPACING * (at[c] + 0.5) - tank->size[c] / 2);
    }
}

/* Rows with an equation of state: what they hold rings. */
static bool is_weak(const mote_Row *pressure)
{
    for (size_t i = 0; i < pressure->param_count; ++i)
        if (strcmp(pressure->params[i].name, "sound") == 0) return true;
    return false;
}

typedef struct Standing {
    double height, kinetic; /* as shares: of the start, of m g h */
    double load;            /* force on the tank over the weight, of the last half */
} Standing;

static Standing stand(Tank *tank, int high, int frames)
{
    Standing s = {0, 0, 0};
    const size_t n = mote_system_count(tank->water);
    const double weight = (double)n * 1000 * SPACING * SPACING * SPACING * 9.81;
    mote_StepReport report;
    mote_Error error;
    for (int i = 0; i < frames; ++i) {
        mote_ColliderLoad load;
        CHECK_OK(mote_world_step(tank->world, &report, &error), error);
        CHECK_OK(mote_world_collider_load(tank->world, "tank", &load, &error), error);
        if (i >= frames / 2) s.load -= load.impulse[1] * tank->def.fps / weight;
    }
    CHECK(mote_system_count(tank->water) == n);
    for (size_t i = 0; i < n; ++i)
        s.height += 2 * (setup_at(tank->water, "position", 1, i) + tank->size[1] / 2) / (double)n;
    s.height /= high * SPACING;
    s.kinetic = report.kinetic / (weight * high * SPACING);
    s.load /= frames - frames / 2;
    return s;
}

/* Short: the full cases with their tolerances run in the validation. Here six particles wide, so
 * that walls are everywhere. */
static void check_column(const mote_Row *pressure, const mote_Row *boundary)
{
    Tank tank = tank_def(pressure, boundary);
    const int high = 5;
    tank.solver.viscosity = (mote_real)0.004; /* comes to rest soon */
    tank.solver.wall_forces = true;
    open_tank(&tank);
    fill(&tank, 6, high, 6);
    Standing s = stand(&tank, high, 4);
    const double borne = ((const PressureRow *)pressure)->conservative ? 1 : 0.5;
    double held = 0;
    for (size_t i = 0; i < mote_system_count(tank.water); ++i)
        held += setup_at(tank.water, "wall_force", 1, i);
    CHECK_NEAR(held / (6 * high * 6 * 1000 * SPACING * SPACING * SPACING * 9.81), borne, 0.25);
    /* 1 % of a column and a tenth of a spacing of five; a weakly compressible one still rings. What
     * pushes with the pressures of others alone has half of its forces from nowhere, and a floor
     * gets the other half. */
    const double ringing = is_weak(pressure) ? 0.08 : 0;
    CHECK_NEAR(s.height, 1, 0.01 + 0.1 / high);
    CHECK_NEAR(s.load, borne, borne < 1 ? 0.1 : 0.02 + ringing);
    CHECK(s.kinetic < 2e-3);
    printf("%s, %s: height %.4f, load %.4f, kinetic %.2e\n", pressure->name, boundary->name,
           s.height, s.load, s.kinetic);
    mote_world_destroy(tank.world);
}

typedef void Check(const mote_Row *pressure, const mote_Row *boundary);

static void for_all_rows(Check *check)
{
    size_t pressures, boundaries;
    const mote_Row *const *pressure = pressure_rows(ISA_V1, &pressures);
    const mote_Row *const *boundary = boundary_rows(ISA_V1, &boundaries);
    for (size_t i = 0; i < pressures; ++i)
        for (size_t k = 0; k < boundaries; ++k) check(pressure[i], boundary[k]);
}

static void columns_stand(void)
{
    for_all_rows(check_column);
}

/* Whatever `max_step` allows: pressures of thirty layers are stiff beside a sub-step in which
 * nothing moves far. What has a sound goes by that, and pbf may do what it likes: it cannot burst.
 */
static void deep_columns_stay_calm(void)
{
    size_t pressures, boundaries;
    const mote_Row *const *pressure = pressure_rows(ISA_V1, &pressures);
    const mote_Row *const *analytic = boundary_rows(ISA_V1, &boundaries);
    const int high = 30;
    for (size_t i = 0; i <= pressures; ++i) {
        const mote_Row *row = pressure[i % pressures]; /* dfsph at last with shifting */
        if (is_weak(row) || strcmp(row->name, "pbf") == 0) continue;
        Tank tank = tank_def(row, analytic[0]);
        tank.solver.shifting = i == pressures ? (mote_real)0.2 : 0;
        tank.size[1] = 0.8, tank.def.fps = 20, tank.def.max_step = 0.05;
        open_tank(&tank);
        fill(&tank, 6, high, 6);
        Standing s = stand(&tank, high, 12);
        printf("%s, %d layers: height %.4f, kinetic %.2e\n", row->name, high, s.height, s.kinetic);
        CHECK(s.kinetic < 1.5e-3);
        CHECK_NEAR(s.height, 1, 0.01);
        mote_world_destroy(tank.world);
    }
}

/* ---- shaken ---- */

static mote_Status shake(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    motion->at.x = (mote_real)(0.02 * sin(40 * t));
    motion->at.y = (mote_real)(0.01 * sin(55 * t));
    motion->rotate.z = (mote_real)(15 * sin(25 * t));
    return MOTE_OK;
}

/* Accelerations of several g: nothing gets out, and nothing is lost. */
static void check_shaken(const mote_Row *pressure, const mote_Row *boundary)
{
    Tank tank = tank_def(pressure, boundary);
    tank.size[1] = 0.16;
    tank.path = shake;
    tank.def.fps = 200;
    open_tank(&tank);
    fill(&tank, 6, 5, 6);
    for (int i = 0; i < 3; ++i) {
        mote_Error error;
        CHECK_OK(mote_world_step(tank.world, NULL, &error), error);
        mote_Pose pose = collider_pose(tank.world->colliders.items[0], mote_world_time(tank.world));
        for (size_t k = 0; k < mote_system_count(tank.water); ++k) {
            mote_Vec3 p = {setup_reals(tank.water, "position", 0)[k],
                           setup_reals(tank.water, "position", 1)[k],
                           setup_reals(tank.water, "position", 2)[k]};
            mote_Vec3 q = pose_invert(&pose, p);
            const double own[3] = {(double)q.x, (double)q.y, (double)q.z};
            for (int c = 0; c < 3; ++c) CHECK(fabs(own[c]) <= tank.size[c] / 2 + 1e-5);
        }
    }
    CHECK(mote_system_count(tank.water) == 180);
    mote_world_destroy(tank.world);
}

static void nothing_gets_out(void)
{
    for_all_rows(check_shaken);
}

/* ---- action and reaction ---- */

/* Without gravity a tank that starts to move is all that changes the liquid's momentum. */
static void check_reaction(const mote_Row *pressure, const mote_Row *boundary)
{
    Tank tank = tank_def(pressure, boundary);
    double impulse[3] = {0, 0, 0}, angular[3] = {0, 0, 0}, p[3] = {0, 0, 0}, l[3] = {0, 0, 0};
    tank.def.gravity = setup_vec(0, 0, 0), tank.def.fps = 200;
    tank.solver.wall_viscosity = (mote_real)0.01;
    tank.solver.viscosity = 0; /* Morris's is not central: it turns a liquid a little */
    tank.size[1] = 0.12;
    open_tank(&tank);
    fill(&tank, 6, 6, 6);
    for (size_t i = 0; i < 216; ++i) setup_reals(tank.water, "velocity", 0)[i] = (mote_real)0.3;
    for (size_t i = 0; i < 216; ++i)
        setup_reals(tank.water, "velocity", 1)[i] = (mote_real)(0.1 + 0.001 * (double)(i % 7));
    for (int pass = 0; pass < 2; ++pass) {
        const double sign = pass == 0 ? -1 : 1, m = 1000 * SPACING * SPACING * SPACING;
        for (size_t i = 0; i < 216; ++i)
            for (int c = 0; c < 3; ++c) {
                int d = (c + 1) % 3, e = (c + 2) % 3;
                double v[3], x[3];
                for (int k = 0; k < 3; ++k) v[k] = setup_at(tank.water, "velocity", k, i);
                for (int k = 0; k < 3; ++k) x[k] = setup_at(tank.water, "position", k, i);
                p[c] += sign * m * v[c];
                l[c] += sign * m * (x[d] * v[e] - x[e] * v[d]);
            }
        for (int f = 0; pass == 0 && f < 2; ++f) {
            mote_ColliderLoad load;
            mote_Error error;
            CHECK_OK(mote_world_step(tank.world, NULL, &error), error);
            CHECK_OK(mote_world_collider_load(tank.world, "tank", &load, &error), error);
            for (int c = 0; c < 3; ++c)
                impulse[c] += load.impulse[c], angular[c] += load.angular[c];
        }
    }
    CHECK(fabs(impulse[0]) > 0.01);
    for (int c = 0; c < 3 && ((const PressureRow *)pressure)->conservative; ++c)
        CHECK_NEAR(p[c], -impulse[c], 1e-5);
    if (((const PressureRow *)pressure)->central)
        for (int c = 0; c < 3; ++c) CHECK_NEAR(l[c], -angular[c], 1e-5);
    mote_world_destroy(tank.world);
}

static void walls_get_what_liquids_lose(void)
{
    for_all_rows(check_reaction);
}

/* ---- bodies ---- */

/* A body as heavy as water stays where it is put, within what the settling liquid takes along.
 * Archimedes' force to 3 % needs time and 8 spacings: it is in the study `floating`. */
static void check_neutral(const mote_Row *pressure, const mote_Row *boundary)
{
    const bool sampled = strcmp(boundary->name, "sampled") == 0;
    if (is_weak(pressure) == sampled) return; /* each of them once */
    Tank tank = tank_def(pressure, boundary);
    mote_BoxShape cube = {setup_vec(0.08, 0.08, 0.08)};
    mote_BodyDef body = mote_body_def();
    mote_BodyState state;
    mote_Error error;
    tank.size[0] = tank.size[2] = 0.16, tank.solver.artificial = (mote_real)0.2;
    open_tank(&tank);
    body.name = "cube", body.shape = "box", body.shape_params = &cube;
    body.density = 1000, body.motion.at = setup_vec(0, -0.12, 0);
    SETUP_OK(mote_world_add_body(tank.world, &body, &error), error);
    fill(&tank, 8, 9, 8);
    for (int i = 0; i < 6; ++i) CHECK_OK(mote_world_step(tank.world, NULL, &error), error);
    CHECK_OK(mote_world_body(tank.world, "cube", &state, &error), error);
    CHECK_NEAR(state.position[1], -0.12, 0.5 * SPACING);
    CHECK(fabs(state.velocity[1]) < 0.15);
    printf("%s, %s: %.2f spacings up\n", pressure->name, boundary->name,
           (state.position[1] + 0.12) / SPACING);
    mote_world_destroy(tank.world);
}

static void bodies_are_lifted(void)
{
    for_all_rows(check_neutral);
}

/* ---- overlaps at the start ---- */

/* A ball in a full tank: what would be in it is left out, counted, and nothing bursts. */
static void overlaps_are_left_out(void)
{
    size_t count;
    const mote_Row *const *pressure = pressure_rows(ISA_V1, &count);
    const mote_Row *const *boundary = boundary_rows(ISA_V1, &count);
    for (size_t i = 0; i < 2; ++i) {
        Tank tank = tank_def(pressure[i], boundary[0]);
        mote_SphereShape ball = {(mote_real)0.035};
        mote_ColliderDef def = mote_collider_def();
        mote_StepReport report;
        mote_Error error;
        def.shape = "sphere", def.shape_params = &ball;
        def.motion.at = setup_vec(0, -0.1, 0);
        open_tank(&tank);
        SETUP_OK(mote_world_add_collider(tank.world, &def, &error), error);
        fill(&tank, 6, 10, 6);
        CHECK_OK(mote_world_step(tank.world, &report, &error), error);
        double volume = 4.18879 * 0.035 * 0.035 * 0.035 / (SPACING * SPACING * SPACING);
        CHECK((double)report.left_out > 0.8 * volume && (double)report.left_out < 2.2 * volume);
        CHECK(mote_system_count(tank.water) == 360 - report.left_out);
        CHECK_OK(mote_world_step(tank.world, &report, &error), error);
        CHECK(report.left_out == 0);
        CHECK(report.kinetic < 0.02 * 360 * 0.008 * 9.81 * 0.2);
        mote_world_destroy(tank.world);
    }
}

/* ---- one wall, two ways ---- */

/* Mean density of the first layer before the middle of a floor, before anything has moved: a frame
 * of a microsecond. */
static double first_layer(const mote_Row *boundary, const char *kernel, double support)
{
    size_t count, used = 0;
    double sum = 0;
    mote_Error error;
    Tank tank = tank_def(pressure_rows(ISA_V1, &count)[1], boundary);
    tank.size[0] = tank.size[2] = 0.2;
    tank.def.fps = 1e6;
    tank.solver.kernel = kernel, tank.solver.support = (mote_real)support;
    open_tank(&tank);
    fill(&tank, 10, 3, 10);
    CHECK_OK(mote_world_step(tank.world, NULL, &error), error);
    for (size_t i = 0; i < mote_system_count(tank.water); ++i) {
        const double x = setup_at(tank.water, "position", 0, i);
        const double z = setup_at(tank.water, "position", 2, i);
        const double y = setup_at(tank.water, "position", 1, i) + tank.size[1] / 2;
        if (fabs(x) > 2 * SPACING || fabs(z) > 2 * SPACING || y > SPACING) continue;
        sum += setup_at(tank.water, "density", 0, i);
        ++used;
    }
    mote_world_destroy(tank.world);
    CHECK(used == 16);
    return sum / 1000 / (double)used;
}

/* Wall particles are as much of a wall as the integrals are, whatever the kernel. */
static void samples_weigh_as_integrals(void)
{
    static const char *const kernels[] = {"cubic-spline", "wendland-c2", "quintic-spline"};
    size_t count;
    const mote_Row *const *boundary = boundary_rows(ISA_V1, &count);
    for (int k = 0; k < 3; ++k)
        for (double support = 2; support < 3.5; ++support)
            CHECK_NEAR(first_layer(boundary[1], kernels[k], support),
                       first_layer(boundary[0], kernels[k], support), 0.02);
}

/* ---- impacts ---- */

/* Moves all of the water, and throws it down; returns its energy. */
static double throw_down(Tank *tank, const double shift[3], double speed)
{
    const size_t n = mote_system_count(tank->water);
    for (size_t i = 0; i < n; ++i) {
        for (int c = 0; c < 3; ++c)
            setup_reals(tank->water, "position", c)[i] += (mote_real)shift[c];
        setup_reals(tank->water, "velocity", 1)[i] = (mote_real)-speed;
    }
    return (double)n * 1000 * SPACING * SPACING * SPACING * speed * speed / 2;
}

/* The share of its speed that a block has after it has hit the middle of a floor, without gravity.
 * Walls and pairs may take energy, and give none. */
static double rebound(const mote_Row *boundary, double impact)
{
    const double speed = 2, shift[3] = {0.1, 2 * SPACING, 0.1};
    const mote_Row pressure = {.name = "wcsph"};
    Tank tank = tank_def(&pressure, boundary);
    tank.size[0] = tank.size[2] = 0.32, tank.def.gravity = setup_vec(0, 0, 0);
    mote_WcsphPressure weak = mote_wcsph_pressure_def();
    weak.sound = 20, weak.impact = (mote_real)impact;
    tank.solver.pressure_params = &weak;
    open_tank(&tank);
    fill(&tank, 6, 4, 6);
    const size_t n = mote_system_count(tank.water);
    double kinetic = 0, sum = 0, brought = throw_down(&tank, shift, speed);
    for (int i = 0; i < 4; ++i) kinetic = setup_step(tank.world).kinetic;
    CHECK(kinetic < 1.001 * brought);
    for (size_t i = 0; i < n; ++i) sum += setup_at(tank.water, "velocity", 1, i);
    mote_world_destroy(tank.world);
    return sum / (double)n / speed;
}

static void blocks_do_not_bounce_where_impacts_are_damped(void)
{
    size_t count;
    const mote_Row *const *rows = boundary_rows(ISA_V1, &count);
    for (size_t i = 0; i < count; ++i) {
        CHECK(rebound(rows[i], 0) > 0.2);
        CHECK_NEAR(rebound(rows[i], 3), 0, 0.15);
        CHECK_NEAR(rebound(rows[i], 100), 0, 0.1);
    }
}

/* The speed of sound follows the fastest particle; a block that hits the floor of a shaft while it
 * does must not come back with more energy than it brought. */
static void stiffening_gives_no_energy(void)
{
    size_t count;
    const mote_Row pressure = {.name = "wcsph"}, *analytic = boundary_rows(ISA_V1, &count)[0];
    Tank tank = tank_def(&pressure, analytic);
    tank.def.gravity = setup_vec(0, 0, 0);
    open_tank(&tank);
    fill(&tank, 6, 6, 6);
    const double up[3] = {0, 3 * SPACING, 0};
    double most = 0, brought = throw_down(&tank, up, 2);
    for (int i = 0; i < 4; ++i) most = fmax(most, setup_step(tank.world).kinetic);
    CHECK(most < 1.1 * brought);
    mote_world_destroy(tank.world);
}

/* ---- errors ---- */

static void planes_cannot_be_sampled(void)
{
    size_t count;
    const mote_Row *const *pressure = pressure_rows(ISA_V1, &count);
    const mote_Row *const *boundary = boundary_rows(ISA_V1, &count);
    Tank tank = tank_def(pressure[0], boundary[1]);
    mote_ColliderDef plane = mote_collider_def();
    mote_PlaneShape below = {setup_vec(0, 1, 0), -1};
    mote_Error error;
    plane.shape_params = &below;
    open_tank(&tank);
    SETUP_OK(mote_world_add_collider(tank.world, &plane, &error), error);
    fill(&tank, 2, 2, 2);
    CHECK(mote_world_step(tank.world, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "analytic");
    mote_world_destroy(tank.world);
}

TESTS({"columns stand", columns_stand}, {"deep columns stay calm", deep_columns_stay_calm},
      {"nothing gets out", nothing_gets_out},
      {"walls get what liquids lose", walls_get_what_liquids_lose},
      {"bodies are lifted", bodies_are_lifted}, {"overlaps are left out", overlaps_are_left_out},
      {"samples weigh as integrals", samples_weigh_as_integrals},
      {"blocks do not bounce", blocks_do_not_bounce_where_impacts_are_damped},
      {"stiffening gives no energy", stiffening_gives_no_energy},
      {"planes cannot be sampled", planes_cannot_be_sampled})
