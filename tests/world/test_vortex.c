/* The vortex fluid in worlds: threads, resuming, stirring, rings, refusals. */
#include "world/air.h"

/* All particles and the bodies, after 300 frames. */
static void threads_do_not_matter(void)
{
    uint64_t first[2] = {0, 0};
    mote_BodyState state, kept = {.mass = 0};
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        mote_Tasks *tasks = setup_tasks(threads);
        mote_Error error;
        mote_VortexSolver p = burning();
        Air air = make_air_of(&p, tasks, 800, 60, 1);
        add_collider(&air, "box", setup_vec(0.01, 0, 0), setup_vec(0, 0, 20), setup_vec(0, 40, 0));
        add_ball(&air, setup_vec(0, 0.9, 0), true, 0);
        for (int k = 0; k < 300; ++k) setup_step(air.world);
        uint64_t now[2] = {hash_of(air.vortons), hash_of(air.tracers)};
        CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
        if (threads == 1) first[0] = now[0], first[1] = now[1], kept = state;
        CHECK(now[0] == first[0] && now[1] == first[1]);
        CHECK(memcmp(&state, &kept, sizeof state) == 0);
        CHECK(state.velocity[1] > 0); /* hot air rises and pushes it */
        mote_world_destroy(air.world);
        mote_tasks_destroy(tasks);
    }
}

/* Saved and loaded at every sub-step, also in both evaluations: the same bits. */
static void reloading_changes_nothing(void)
{
    for (int evaluation = 0; evaluation < 2; ++evaluation) {
        uint64_t hash[2];
        for (int reload = 0; reload < 2; ++reload) {
            mote_VortexSolver p = burning();
            p.evaluation = evaluation, p.ring_count = 1, p.ring_vortons = 40;
            Air air = make_air(&p, NULL, 500);
            air.world->def.reload_always = reload;
            add_collider(&air, "sphere", setup_vec(0.5, 0, 0), setup_vec(0, 0, 0),
                         setup_vec(0, 90, 0));
            for (int k = 0; k < 5; ++k) setup_step(air.world);
            hash[reload] = hash_of(air.vortons) ^ hash_of(air.tracers);
            mote_world_destroy(air.world);
        }
        CHECK(hash[0] == hash[1]);
    }
}

/* A plate starts to move in air that hardly moves: no sign of runaway energy. */
static void still_air_may_be_stirred(void)
{
    mote_VortexSolver p = still();
    p.born_spin = (mote_real)1e-9;
    Air air = make_air(&p, NULL, 500);
    add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, 20), setup_vec(0, 0, 0));
    for (int k = 0; k < 10; ++k) setup_step(air.world);
    mote_world_destroy(air.world);
}

static double swirl_at(mote_World *world, double r)
{
    mote_Error error;
    double sum = 0;
    for (int k = 0; k < 16; ++k) {
        double turn = 2 * PI * k / 16;
        mote_real x[3] = {(mote_real)(r * cos(turn)), 0, (mote_real)(r * sin(turn))}, u[3];
        mote_FieldPoints points = {1, {&x[0], &x[1], &x[2]}, 0};
        mote_real *out[3] = {&u[0], &u[1], &u[2]};
        points.t = 1;
        SETUP_OK(mote_world_sample_field(world, "vortons.velocity", &points, out, &error), error);
        sum += ((double)u[0] * sin(turn) - (double)u[2] * cos(turn)) / 16;
    }
    return sum; /* about +y */
}

/* A ball that spins about y turns the air the same way: as a solid within, and like 1 / r^2 from
 * one and a half to four radii, as in Stokes' flow. */
static void spinning_balls_stir(void)
{
    mote_VortexSolver p = still();
    p.resolution = 60;
    Air air = make_air(&p, NULL, 100);
    add_pairs(air.tracers, 2, 0.01, 0.8); /* the grid reaches as far as particles do */
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < 2; ++i)
            column_real(&air.tracers->columns[COLUMN_POSITION], c)[i] =
                (mote_real)(i == 0 ? 1.3 : -1.3);
    add_collider(&air, "sphere", setup_vec(0, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 360, 0));
    for (int k = 0; k < 20; ++k) setup_step(air.world);
    double within = swirl_at(air.world, 0.15), turn = 2 * PI;
    CHECK_NEAR(within / (turn * 0.15), 1, 0.1);
    double near = swirl_at(air.world, 0.45), far = swirl_at(air.world, 1.2);
    CHECK(near > 0 && far > 0);
    CHECK_NEAR(log(far / near) / log(1.2 / 0.45), -2, 0.05);
    mote_world_destroy(air.world);
}

static size_t count_inside(const Air *air, const Collider *body, double t)
{
    mote_Pose pose = pose_advance(&body->pose, &body->change, 1);
    PosedShape shape = {body->shape, body->object.params, pose};
    const double *birth = air->tracers->columns[COLUMN_BIRTH].data;
    size_t inside = 0;
    for (size_t i = 0; i < air->tracers->count; ++i) {
        mote_real x[3], distance, *place[3] = {&x[0], &x[1], &x[2]};
        for (int c = 0; c < 3; ++c)
            x[c] = column_real(&air->tracers->columns[COLUMN_POSITION], c)[i];
        posed_distance(&shape, 1, place, &distance);
        inside += distance < (mote_real)-1e-5 && birth[i] < t;
    }
    return inside;
}

/* Around a plate that turns and a ball that is free, no tracer is inside of a body after a step,
 * but for those that were born in it. */
static void tracers_stay_outside(void)
{
    mote_VortexSolver p = burning();
    Air air = make_air(&p, NULL, 8000);
    add_collider(&air, "box", setup_vec(0, 0, 0), setup_vec(0, 0, 30), setup_vec(60, 0, 20));
    add_ball(&air, setup_vec(0, 0.8, 0), true, 0);
    for (int k = 0; k < 40; ++k) {
        double before = air.world->time;
        setup_step(air.world);
        for (size_t b = 0; b < air.world->colliders.count && k > 0; ++b)
            CHECK(count_inside(&air, air.world->colliders.items[b], before) == 0);
    }
    mote_world_destroy(air.world);
}

/* Impulse Gamma pi R^2 of a ring, and what stays while two rings leapfrog. */
static void sums_of_rings(void)
{
    mote_VortexSolver p = still();
    mote_VortexSums one, two;
    mote_Error error;
    p.born_spin = 0, p.evaluation = 1, p.scheme = 2;
    p.ring_count = 2, p.ring_vortons = 100, p.ring_gap = (mote_real)0.4;
    p.ring_radius = (mote_real)0.5, p.ring_core = (mote_real)0.1, p.ring_circulation = 2;
    mote_System *vortons;
    mote_World *world = make_vortons(&p, 0.01, &vortons);
    CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
    CHECK_NEAR(one.impulse[1] / (2 * 2 * PI * 0.25), 1, 1e-5);
    CHECK_NEAR(one.strength[0], 0, 1e-5);
    for (int k = 0; k < 30; ++k) setup_step(world);
    CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
    CHECK(two.centre[1] > 0.4);
    CHECK_NEAR(two.impulse[1] / one.impulse[1], 1, 2e-3);
    CHECK_NEAR(two.energy / one.energy, 1, 0.01);
    CHECK_NEAR(two.strength[2], 0, 1e-4);
    mote_world_destroy(world);
}

/* On a grid, by the midpoint rule: a ring keeps its impulse in sub-steps that are far beyond
 * Euler's limit of 0.0082 s, and its speed as well as interpolation allows. */
static void rings_travel_on_grids(void)
{
    mote_VortexSolver p = still();
    mote_VortexSums one, two;
    mote_Error error;
    double speed = (log(8 / 0.1) - 0.5) / (4 * PI);
    p.born_spin = 0, p.resolution = 40, p.ring_count = 1, p.ring_vortons = 126;
    p.ring_radius = 1, p.ring_core = (mote_real)0.1, p.ring_circulation = 1;
    p.evaluation = 0;
    mote_System *vortons;
    mote_World *world = make_vortons(&p, 0.02, &vortons);
    CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
    for (int k = 0; k < 60; ++k) setup_step(world);
    CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
    CHECK_NEAR(two.impulse[1] / one.impulse[1], 1, 0.05);
    CHECK_NEAR((two.centre[1] - one.centre[1]) / (60 * 0.02 * speed), 1, 0.05);
    mote_world_destroy(world);
}

/* At defaults, with a coarse grid and with forty cells a vorton: a ring keeps its impulse, and its
 * speed, for two seconds. */
static void rings_keep_their_impulse_at_defaults(void)
{
    for (int fine = 0; fine < 2; ++fine) {
        mote_VortexSolver p = mote_vortex_solver_def();
        mote_VortexSums one, two;
        mote_Error error;
        mote_System *vortons;
        double speed = (log(8 * 0.5 / 0.1) - 0.5) / (4 * PI * 0.5);
        p.ring_count = 1;
        if (fine) p.resolution = 40;
        mote_World *world = make_vortons(&p, 0.01, &vortons);
        CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
        for (int k = 0; k < 200; ++k) setup_step(world);
        CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
        CHECK_NEAR(two.impulse[1] / one.impulse[1], 1, 1e-3);
        CHECK_NEAR((two.centre[1] - one.centre[1]) / (2 * speed), 1, 0.02);
        mote_world_destroy(world);
    }
}

static void wrong_values_are_refused(void)
{
    mote_WorldDef world_def = mote_world_def();
    mote_World *world = setup_world(&world_def);
    mote_SystemDef def = mote_system_def();
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_System *system;
    mote_Error error;
    def.name = "vortons", def.solver = "vortex", def.solver_params = &p;
    p.temperature = -5;
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "temperature");
    p = mote_vortex_solver_def();
    p.ring_normal = setup_vec(0, 0, 0);
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "ring_normal");
    p = mote_vortex_solver_def();
    p.coupling = MOTE_COUPLED_BY_PRESSURE; /* on what? */
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "set boundary to \"panels\"");
    mote_TracersSolver follow = {.of = "nobody"};
    def.name = "smoke", def.solver = "tracers", def.solver_params = &follow;
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "nobody");
    mote_world_destroy(world);
}

TESTS({"threads_do_not_matter", threads_do_not_matter},
      {"reloading_changes_nothing", reloading_changes_nothing},
      {"still_air_may_be_stirred", still_air_may_be_stirred},
      {"spinning_balls_stir", spinning_balls_stir}, {"tracers_stay_outside", tracers_stay_outside},
      {"sums_of_rings", sums_of_rings}, {"rings_travel_on_grids", rings_travel_on_grids},
      {"rings_keep_their_impulse_at_defaults", rings_keep_their_impulse_at_defaults},
      {"wrong_values_are_refused", wrong_values_are_refused})
