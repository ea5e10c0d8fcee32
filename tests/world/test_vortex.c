/* The vortex fluid in worlds: threads, resuming, bodies, forces on plates and balls, refusals. */
#include "setup.h"

#include "solvers/vortex/solver.h"
#include "world/world.h"

#include <mote/bodies.h>
#include <mote/vortex.h>

#include <stdlib.h>

typedef struct Air {
    mote_World *world;
    mote_System *vortons, *tracers;
} Air;

/* Vortons and tracers at random places of a box, in still air. */
static Air make_air(const mote_VortexSolver *params, mote_Tasks *tasks, uint64_t tracers)
{
    mote_WorldDef def = mote_world_def();
    Air air;
    mote_Error error;
    mote_SystemDef system = mote_system_def();
    mote_TracersSolver follow = {.of = "vortons"};
    def.tasks = tasks, def.fps = 30, def.max_step = 1;
    air.world = setup_world(&def);
    system.name = "vortons", system.solver = "vortex", system.solver_params = params;
    SETUP_OK(mote_world_add_system(air.world, &system, &air.vortons, &error), error);
    system.name = "smoke", system.solver = "tracers", system.solver_params = &follow;
    SETUP_OK(mote_world_add_system(air.world, &system, &air.tracers, &error), error);
    for (int k = 0; k < 2; ++k) {
        mote_EmitterDef emitter = mote_emitter_def();
        mote_BoxSource box = mote_box_source_def();
        box.size = setup_vec(1.6, 1.2, 1.6);
        emitter.system = k == 0 ? "vortons" : "smoke";
        emitter.source = "box", emitter.source_params = &box;
        emitter.burst = k == 0 ? 300 : tracers, emitter.rate = k == 0 ? 60 : 600;
        emitter.radius = (mote_real)(k == 0 ? 0.08 : 0.01);
        SETUP_OK(mote_world_add_emitter(air.world, &emitter, &error), error);
    }
    return air;
}

/* A ball, or a plate, at the origin, moving. */
static void add_collider(Air *air, const char *shape, mote_Vec3 velocity, mote_Vec3 rotate,
                         mote_Vec3 spin)
{
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    box.size = setup_vec(0.6, 0.06, 0.6);
    def.name = "body", def.shape = shape, def.measure = true;
    def.shape_params = shape[0] == 's' ? (const void *)&sphere : &box;
    def.restitution = (mote_real)0.01;
    def.motion = (mote_Motion){.at = setup_vec(-0.3 * (double)(velocity.x > 0), 0, 0),
                               .velocity = velocity,
                               .rotate = rotate,
                               .spin = spin};
    SETUP_OK(mote_world_add_collider(air->world, &def, &error), error);
}

static uint64_t hash_of(const mote_System *system)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t k = 0; k < system->column_count; ++k) {
        const mote_Column *column = &system->columns[k];
        for (int c = 0; c < column->components; ++c) {
            const unsigned char *bytes = (const unsigned char *)column_plane(column, c);
            for (size_t i = 0; i < system->count * column_item_size(column->type); ++i)
                hash = (hash ^ bytes[i]) * 1099511628211u;
        }
    }
    return hash;
}

static mote_VortexSolver burning(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    p.born_fuel = (mote_real)0.2, p.born_spin = 2, p.burn_rate = 5, p.smoke_rate = 3;
    p.exchange = (mote_real)0.02, p.heat_exchange = (mote_real)0.02;
    p.viscosity = (mote_real)1e-4, p.burn_heat = 200000;
    return p;
}

static void threads_do_not_matter(void)
{
    uint64_t first[2] = {0, 0};
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        mote_Error error;
        mote_VortexSolver p = burning();
        def.threads = threads;
        CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
        Air air = make_air(&p, tasks, 5000);
        add_collider(&air, "box", setup_vec(0.5, 0, 0), setup_vec(0, 0, 20), setup_vec(0, 40, 0));
        for (int k = 0; k < 6; ++k) setup_step(air.world);
        uint64_t now[2] = {hash_of(air.vortons), hash_of(air.tracers)};
        if (threads == 1) first[0] = now[0], first[1] = now[1];
        CHECK(now[0] == first[0] && now[1] == first[1]);
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

/* Impulse of the air on the body over some frames, N s, after it has got going. */
static void load_over(Air *air, int frames, double impulse[3])
{
    mote_ColliderLoad load;
    mote_Error error;
    impulse[0] = impulse[1] = impulse[2] = 0;
    for (int k = 0; k < frames; ++k) {
        setup_step(air->world);
        CHECK_OK(mote_world_collider_load(air->world, "body", &load, &error), error);
        for (int c = 0; c < 3; ++c) impulse[c] += load.impulse[c];
    }
}

static mote_VortexSolver still(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    p.buoyancy = 0, p.born_spin = (mote_real)1e-3, p.density = 1;
    return p;
}

/* A plate towed along +x at an incidence: drag against it, lift by the incidence's sign and the
 * same both ways, and none of it doubles with the number of tracers. */
static void plates_lift_by_their_incidence(void)
{
    double up[3], down[3], flat[3], many[3];
    double *const results[4] = {up, down, flat, many};
    const double incidence[4] = {20, -20, 0, 20};
    for (int k = 0; k < 4; ++k) {
        mote_VortexSolver p = still();
        Air air = make_air(&p, NULL, k == 3 ? 48000 : 24000);
        add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, incidence[k]),
                     setup_vec(0, 0, 0));
        load_over(&air, 15, results[k]);
        mote_world_destroy(air.world);
    }
    CHECK(up[0] < 0 && down[0] < 0 && flat[0] < 0);
    CHECK(up[1] > 0 && down[1] < 0);
    CHECK_NEAR(up[1] / -down[1], 1, 0.15);
    CHECK(fabs(flat[1]) < 0.15 * up[1]);
    CHECK_NEAR(many[0] / up[0], 1, 0.1);
    CHECK_NEAR(many[1] / up[1], 1, 0.1);
}

static double swirl_at(mote_World *world, double r)
{
    mote_Error error;
    double sum = 0;
    for (int k = 0; k < 16; ++k) {
        double turn = 2 * 3.14159265358979 * k / 16;
        mote_real x[3] = {(mote_real)(r * cos(turn)), 0, (mote_real)(r * sin(turn))}, u[3];
        mote_FieldPoints points = {1, {&x[0], &x[1], &x[2]}, 0};
        mote_real *out[3] = {&u[0], &u[1], &u[2]};
        points.t = 1;
        SETUP_OK(mote_world_sample_field(world, "vortons.velocity", &points, out, &error), error);
        sum += ((double)u[0] * sin(turn) - (double)u[2] * cos(turn)) / 16;
    }
    return sum; /* about +y */
}

/* A ball that spins about y turns the air the same way, less and less farther out. */
static void spinning_balls_stir(void)
{
    mote_VortexSolver p = still();
    p.shedding = 3;
    Air air = make_air(&p, NULL, 100);
    add_collider(&air, "sphere", setup_vec(0, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 360, 0));
    for (int k = 0; k < 20; ++k) setup_step(air.world);
    double near = swirl_at(air.world, 0.4), far = swirl_at(air.world, 0.75);
    CHECK(near > 0.02 && far > 0 && far < 0.6 * near);
    mote_world_destroy(air.world);
}

/* A ball, or a plate, that moves along +x and turns about +z is pushed along +y. */
static void turning_bodies_are_pushed_aside(void)
{
    static const char *const shapes[] = {"sphere", "box"};
    for (int shape = 0; shape < 2; ++shape) {
        double side[3][3];
        for (int turn = -1; turn <= 1; ++turn) {
            mote_VortexSolver p = still();
            p.shedding = (mote_real)0.1;
            Air air = make_air(&p, NULL, 6000);
            add_collider(&air, shapes[shape], setup_vec(0.8, 0, 0), setup_vec(0, 0, 0),
                         setup_vec(0, 0, turn * 400));
            load_over(&air, 12, side[turn + 1]);
            mote_world_destroy(air.world);
        }
        CHECK(side[2][1] > 0 && side[0][1] < 0);
        if (shape == 0) CHECK_NEAR(side[2][1] / -side[0][1], 1, 0.4);
        CHECK(fabs(side[1][1]) < 0.5 * side[2][1]);
    }
}

/* No tracer is inside of a body after a step. */
static void tracers_stay_outside(void)
{
    mote_VortexSolver p = burning();
    Air air = make_air(&p, NULL, 8000);
    add_collider(&air, "box", setup_vec(0, 0, 0), setup_vec(0, 0, 30), setup_vec(60, 0, 20));
    for (int k = 0; k < 12; ++k) {
        mote_StepReport report = setup_step(air.world);
        (void)report;
        const Collider *body = air.world->colliders.items[0];
        mote_Pose pose = pose_advance(&body->pose, &body->change, 1);
        PosedShape shape = {body->shape, body->object.params, pose};
        size_t inside = 0;
        for (size_t i = 0; i < air.tracers->count && k > 0; ++i) {
            mote_real x[3], distance, *place[3] = {&x[0], &x[1], &x[2]};
            for (int c = 0; c < 3; ++c)
                x[c] = column_real(&air.tracers->columns[COLUMN_POSITION], c)[i];
            posed_distance(&shape, 1, place, &distance);
            inside += distance < (mote_real)-1e-5 && k > 1;
        }
        CHECK(inside <= 30); /* births of this sub-step */
    }
    mote_world_destroy(air.world);
}

/* A hot ball warms the air: what it loses is what the air gains. */
static void heat_goes_from_balls_to_air(void)
{
    mote_VortexSolver p = still();
    mote_BodyDef def = mote_body_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_BodyState state;
    mote_Error error;
    Air air = make_air(&p, NULL, 10);
    sphere.radius = (mote_real)0.3;
    def.name = "ball", def.shape = "sphere", def.shape_params = &sphere, def.free = false;
    def.temperature = 500, def.heat_capacity = 2, def.heat_transfer = 200;
    SETUP_OK(mote_world_add_body(air.world, &def, &error), error);
    double before = 0, gained = 0, last = 500;
    for (int k = 0; k < 10; ++k) {
        setup_step(air.world);
        CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
        CHECK(state.temperature <= last);
        last = state.temperature;
    }
    VortonRows rows = vortex_rows(air.vortons, air.vortons->count);
    for (size_t i = 0; i < rows.count; ++i)
        gained += (double)vorton_volume(&rows, i) * (double)p.density * (double)p.heat_capacity *
                  300 * log((double)rows.temperature[i] / 300); /* m c dT, m = rho0 V T0 / T */
    CHECK(last < 499);
    CHECK_NEAR(gained / (2 * (500 - last)), 1 + before, 0.05);
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
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_SystemDef system = mote_system_def();
    mote_System *vortons;
    system.name = "vortons", system.solver = "vortex", system.solver_params = &p;
    SETUP_OK(mote_world_add_system(world, &system, &vortons, &error), error);
    CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
    CHECK_NEAR(one.impulse[1] / (2 * 2 * 3.14159265358979 * 0.25), 1, 1e-5);
    CHECK_NEAR(one.strength[0], 0, 1e-5);
    for (int k = 0; k < 30; ++k) setup_step(world);
    CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
    CHECK(two.centre[1] > 0.4);
    CHECK_NEAR(two.impulse[1] / one.impulse[1], 1, 2e-3);
    CHECK_NEAR(two.energy / one.energy, 1, 0.01);
    CHECK_NEAR(two.strength[2], 0, 1e-4);
    mote_world_destroy(world);
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
    mote_TracersSolver follow = {.of = "nobody"};
    def.name = "smoke", def.solver = "tracers", def.solver_params = &follow;
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "nobody");
    mote_world_destroy(world);
}

TESTS({"threads_do_not_matter", threads_do_not_matter},
      {"reloading_changes_nothing", reloading_changes_nothing},
      {"plates_lift_by_their_incidence", plates_lift_by_their_incidence},
      {"spinning_balls_stir", spinning_balls_stir},
      {"turning_bodies_are_pushed_aside", turning_bodies_are_pushed_aside},
      {"tracers_stay_outside", tracers_stay_outside},
      {"heat_goes_from_balls_to_air", heat_goes_from_balls_to_air},
      {"sums_of_rings", sums_of_rings}, {"wrong_values_are_refused", wrong_values_are_refused})
