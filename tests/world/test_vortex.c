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

/* Vortons and tracers at random places of a box, in still air; so many at once, then
 * 60 and 600 a second. */
static Air make_air_of(const mote_VortexSolver *params, mote_Tasks *tasks, uint64_t tracers,
                       uint64_t vortons, double lifetime)
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
        emitter.burst = k == 0 ? vortons : tracers, emitter.rate = k == 0 ? 60 : 600;
        emitter.radius = (mote_real)(k == 0 ? 0.08 : 0.01);
        if (lifetime > 0) emitter.lifetime = (mote_real)lifetime;
        SETUP_OK(mote_world_add_emitter(air.world, &emitter, &error), error);
    }
    return air;
}

static Air make_air(const mote_VortexSolver *params, mote_Tasks *tasks, uint64_t tracers)
{
    return make_air_of(params, tasks, tracers, 300, 0);
}

/* A ball of radius 0.3 m and 0.05 kg that feels no gravity. */
static void add_ball(Air *air, mote_Vec3 at, bool free, double heat_transfer)
{
    mote_BodyDef def = mote_body_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    def.name = "ball", def.shape = "sphere", def.shape_params = &sphere, def.free = free;
    def.mass = 0.05, def.gravity = false, def.motion.at = at;
    def.temperature = 500, def.heat_capacity = 200, def.heat_transfer = (mote_real)heat_transfer;
    SETUP_OK(mote_world_add_body(air->world, &def, &error), error);
}

/* A symmetric wing (NACA 0015) of chord and span 0.6 m, its nose at +x, behind planes. */
static const mote_Mesh *wing_mesh(void)
{
    static const double at[] = {0, 0.02, 0.08, 0.2, 0.4, 0.7, 1};
    double planes[16][4] = {{0, 0, 1, 0.3}, {0, 0, -1, 0.3}}, x[7], y[7];
    mote_Mesh *mesh;
    mote_Error error;
    for (int k = 0; k < 7; ++k) {
        double c = at[k];
        x[k] = 0.3 - 0.6 * c;
        y[k] = 0.6 * 0.75 *
               (0.2969 * sqrt(c) - 0.126 * c - 0.3516 * c * c + 0.2843 * pow(c, 3) -
                0.1036 * pow(c, 4));
    }
    for (int k = 0; k < 6; ++k)
        for (int side = 0; side < 2; ++side) {
            double n[2] = {y[k + 1] - y[k], x[k] - x[k + 1]}, size = hypot(n[0], n[1]);
            double *plane = planes[2 + 2 * k + side], sign = side == 0 ? 1 : -1;
            plane[0] = n[0] / size, plane[1] = sign * n[1] / size;
            plane[3] = (n[0] * x[k] + n[1] * y[k]) / size;
        }
    SETUP_OK(mote_mesh_planes(planes[0], 14, mote_default_allocator(), &mesh, &error), error);
    return mesh;
}

/* A ball, a plate, or a wing, at the origin, moving. */
static void add_collider(Air *air, const char *shape, mote_Vec3 velocity, mote_Vec3 rotate,
                         mote_Vec3 spin)
{
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_ConvexShape wing = {shape[0] == 'c' ? wing_mesh() : NULL};
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    box.size = setup_vec(0.6, 0.06, 0.6);
    def.name = "body", def.shape = shape, def.measure = true;
    def.shape_params = shape[0] == 's'   ? (const void *)&sphere
                       : shape[0] == 'b' ? (const void *)&box
                                         : &wing;
    def.restitution = (mote_real)0.01;
    def.motion = (mote_Motion){.at = setup_vec(-0.3 * (double)(velocity.x > 0), 0, 0),
                               .velocity = velocity,
                               .rotate = rotate,
                               .spin = spin};
    SETUP_OK(mote_world_add_collider(air->world, &def, &error), error);
    if (wing.mesh != NULL) mote_mesh_release(wing.mesh);
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

/* All particles and the bodies, after 300 frames. */
static void threads_do_not_matter(void)
{
    uint64_t first[2] = {0, 0};
    mote_BodyState state, kept = {.mass = 0};
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        mote_Error error;
        mote_VortexSolver p = burning();
        def.threads = threads;
        CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
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

/* Rows of a box of length 2 `half` in pairs, above and below the plane y = 0. */
static void add_pairs(mote_System *system, size_t pairs, double radius, double half_length)
{
    RandomKey key = random_key(9, "pairs");
    mote_Error error;
    size_t first;
    SETUP_OK(mote_system_add_rows(system, 2 * pairs, &first, &error), error);
    mote_real *x[3];
    for (int c = 0; c < 3; ++c) x[c] = column_real(&system->columns[COLUMN_POSITION], c) + first;
    for (size_t i = 0; i < 2 * pairs; ++i) {
        Random4 draw = random_draw(key, i / 2, 0, 0);
        const mote_real half[3] = {(mote_real)half_length, (mote_real)0.6, (mote_real)0.8};
        for (int c = 0; c < 3; ++c) x[c][i] = half[c] * random_signed(draw.word[c]);
        if (i % 2 == 1) x[1][i] = -x[1][i];
        column_real(&system->columns[COLUMN_RADIUS], 0)[first + i] = (mote_real)radius;
        column_real(&system->columns[COLUMN_MASS], 0)[first + i] = 1;
    }
    mote_system_edited(system);
}

/* Air that is the same above and below. */
static Air make_even_air(const mote_VortexSolver *params, size_t tracers)
{
    Air air = make_air_of(params, NULL, 0, 0, 0);
    for (size_t i = 0; i < air.world->emitters.count; ++i)
        ((Emitter *)air.world->emitters.items[i])->def.rate = 0;
    add_pairs(air.vortons, 150, 0.08, 0.8);
    add_pairs(air.tracers, tracers / 2, 0.01, 0.8);
    return air;
}

/* The same, for a way of two metres: so much at defaults that nothing but vortons and tracers is
 * given. */
static Air make_long_air(size_t tracers)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    for (size_t i = 0; i < air.world->emitters.count; ++i)
        ((Emitter *)air.world->emitters.items[i])->def.rate = 0;
    add_pairs(air.vortons, 400, 0.08, 2.2);
    add_pairs(air.tracers, tracers / 2, 0.01, 2.2);
    return air;
}

/* Forces at an incidence, at the opposite one, at none, and with twice the tracers. */
static void check_symmetry(const double up[3], const double down[3], const double flat[3],
                           const double many[3])
{
    CHECK_NEAR(up[1] / -down[1], 1, 0.05);
    CHECK_NEAR(up[0] / down[0], 1, 0.05);
    CHECK(fabs(flat[1]) < 0.02 * up[1]);
    CHECK_NEAR(many[0] / up[0], 1, 0.1);
    CHECK_NEAR(many[1] / up[1], 1, 0.1);
}

/* Forces on a body towed along +x at an incidence for two metres, at default parameters: drag
 * against it; lift by the incidence's sign, in the first half of the way and in the second, the
 * same both ways, none without; and none of it changes with the number of tracers. */
static void lift_lasts(const char *shape)
{
    double up[3], down[3], flat[3], many[3], start[4][3];
    double *const results[4] = {up, down, flat, many};
    const double incidence[4] = {15, -15, 0, 15};
    for (int k = 0; k < 4; ++k) {
        Air air = make_long_air(k == 3 ? 4000 : 2000);
        add_collider(&air, shape, setup_vec(1, 0, 0), setup_vec(0, 0, incidence[k]),
                     setup_vec(0, 0, 0));
        load_over(&air, 30, start[k]);
        load_over(&air, 30, results[k]);
        mote_world_destroy(air.world);
    }
    CHECK(up[0] < 0 && down[0] < 0 && flat[0] < 0);
    CHECK(start[0][1] > 0 && start[1][1] < 0 && up[1] > 0 && down[1] < 0);
    CHECK(up[1] > 0.3 * start[0][1]);
    check_symmetry(up, down, flat, many);
}

static void plates_and_wings_lift(void)
{
    lift_lasts("box");
    lift_lasts("convex");
}

/* As published, where bouncing tracers push. */
static void plates_lift_by_their_incidence(void)
{
    double up[3], down[3], flat[3], many[3];
    double *const results[4] = {up, down, flat, many};
    const double incidence[4] = {20, -20, 0, 20};
    for (int k = 0; k < 4; ++k) {
        mote_VortexSolver p = still();
        p.born_spin = 0, p.coupling = 1;
        Air air = make_even_air(&p, k == 3 ? 96000 : 48000);
        add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, incidence[k]),
                     setup_vec(0, 0, 0));
        load_over(&air, 10, results[k]);
        mote_world_destroy(air.world);
    }
    CHECK(up[0] < 0 && down[0] < 0 && flat[0] < 0);
    CHECK(up[1] > 0 && down[1] < 0);
    check_symmetry(up, down, flat, many);
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
    double within = swirl_at(air.world, 0.15), turn = 2 * 3.14159265358979;
    CHECK_NEAR(within / (turn * 0.15), 1, 0.1);
    double near = swirl_at(air.world, 0.45), far = swirl_at(air.world, 1.2);
    CHECK(near > 0 && far > 0);
    CHECK_NEAR(log(far / near) / log(1.2 / 0.45), -2, 0.05);
    mote_world_destroy(air.world);
}

/* The side force on a ball in still air is that of Rubinow and Keller, pi rho a^3 W x U. */
static void balls_are_pushed_as_rubinow_and_keller_say(void)
{
    mote_VortexSolver p = still();
    double impulse[3], a = 0.3, turn = 400 * 3.14159265358979 / 180;
    p.born_spin = 0;
    Air air = make_air_of(&p, NULL, 0, 1, 0);
    for (size_t i = 0; i < air.world->emitters.count; ++i)
        ((Emitter *)air.world->emitters.items[i])->def.rate = 0;
    add_collider(&air, "sphere", setup_vec(0.2, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 0, 400));
    setup_step(air.world);
    load_over(&air, 10, impulse);
    CHECK_NEAR(impulse[1] / (3.14159265358979 * a * a * a * turn * 0.2 * 10 / 30), 1, 0.05);
    mote_world_destroy(air.world);
}

/* A ball, or a plate, that moves along +x and turns about +z is pushed along +y, at defaults, at
 * the start and later; a ball as much when it turns the other way, and not when it does not turn.
 */
static void turning_bodies_are_pushed_aside(void)
{
    static const char *const shapes[] = {"sphere", "box"};
    for (int shape = 0; shape < 2; ++shape) {
        double side[3][3], start[3];
        for (int turn = -1; turn <= 1; ++turn) {
            Air air = make_long_air(1000);
            add_collider(&air, shapes[shape], setup_vec(1, 0, 0), setup_vec(0, 0, 0),
                         setup_vec(0, 0, turn * 200));
            load_over(&air, 15, start);
            load_over(&air, 45, side[turn + 1]);
            CHECK(start[1] * turn >= 0 && side[turn + 1][0] < 0);
            mote_world_destroy(air.world);
        }
        CHECK(side[2][1] > 0 && side[0][1] < 0);
        CHECK_NEAR(side[2][1] / -side[0][1], 1, 0.05);
        CHECK(fabs(side[1][1]) < 0.05 * side[2][1]);
    }
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

/* m c (T' - T) of the vortons in the last step, with the mass before. */
static double gained_heat(const Air *air, const mote_VortexSolver *p, const mote_real *before)
{
    VortonRows rows = vortex_rows(air->vortons, air->vortons->count);
    double gained = 0;
    for (size_t i = 0; i < rows.count; ++i)
        gained += (double)vorton_volume(&rows, i) * (double)p->density * (double)p->temperature /
                  (double)before[i] * (double)p->heat_capacity *
                  ((double)rows.temperature[i] - (double)before[i]);
    return gained;
}

/* A hot ball, free or not, warms the air: in every step it loses what the air gains. */
static void heat_goes_from_balls_to_air(void)
{
    for (int is_free = 0; is_free < 2; ++is_free) {
        mote_VortexSolver p = still();
        mote_BodyState state;
        mote_Error error;
        Air air = make_even_air(&p, 2000);
        double last = 500;
        mote_real before[300];
        add_ball(&air, setup_vec(0.2, 0, 0), is_free, 200);
        for (int k = 0; k < 2; ++k) setup_step(air.world); /* those that began inside are gone */
        CHECK(air.vortons->count < 300);
        for (int k = 0; k < 10; ++k) {
            VortonRows rows = vortex_rows(air.vortons, air.vortons->count);
            CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
            last = state.temperature;
            memcpy(before, rows.temperature, rows.count * sizeof *before);
            setup_step(air.world);
            CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
            CHECK(state.temperature < last);
            CHECK_NEAR(gained_heat(&air, &p, before) / (200 * (last - state.temperature)), 1,
                       sizeof(mote_real) == 8 ? 1e-9 : 2e-3);
        }
        CHECK(state.temperature < 495);
        mote_world_destroy(air.world);
    }
}

/* Newton: in air that stays as warm as it is the difference falls like exp(-h A t / C), A being the
 * cross-sections of the vortons that touch. */
static void balls_cool_as_newton_says(void)
{
    mote_VortexSolver p = still();
    mote_BodyState state;
    mote_Error error;
    enum { TOUCH = 40, STEPS = 30 };
    size_t first;
    p.born_spin = 0, p.heat_capacity = (mote_real)1e9;
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    for (size_t i = 0; i < air.world->emitters.count; ++i)
        ((Emitter *)air.world->emitters.items[i])->def.rate = 0;
    SETUP_OK(mote_system_add_rows(air.vortons, TOUCH, &first, &error), error);
    for (size_t i = 0; i < TOUCH; ++i) {
        double y = -0.95 + 1.9 * (double)i / (TOUCH - 1), r = sqrt(1 - y * y);
        const double at[3] = {r * cos(2.4 * (double)i), y, r * sin(2.4 * (double)i)};
        for (int c = 0; c < 3; ++c)
            column_real(&air.vortons->columns[COLUMN_POSITION], c)[i] = (mote_real)(0.35 * at[c]);
        column_real(&air.vortons->columns[COLUMN_RADIUS], 0)[i] = (mote_real)0.05;
    }
    mote_system_edited(air.vortons);
    add_ball(&air, setup_vec(0, 0, 0), false, 1000);
    for (int k = 0; k < STEPS; ++k) setup_step(air.world);
    CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
    double area = TOUCH * 3.14159265358979 * 0.05 * 0.05, time = STEPS / 30.0, h = 1000;
    CHECK_NEAR((state.temperature - 300) / (200 * exp(-h * area * time / 200)), 1, 0.01);
    mote_world_destroy(air.world);
}

/* What tracers lose in momentum, a free body gets, row by row: their velocity before the bounce is
 * that of the fluid where they were. */
static void momentum_goes_from_tracers_to_balls(void)
{
    mote_VortexSolver p = still();
    mote_BodyState state[2];
    mote_Error error;
    p.scheme = 0, p.coupling = 1, p.magnus = 0, p.wind = setup_vec(1, 0.2, 0);
    Air air = make_even_air(&p, 4000);
    add_ball(&air, setup_vec(0.2, 0, 0), true, 0);
    setup_step(air.world);
    for (int k = 0; k < 5; ++k) {
        size_t n = air.tracers->count;
        mote_real *x[3], *u[3];
        double lost[3] = {0};
        for (int c = 0; c < 3; ++c) {
            x[c] = malloc(n * sizeof(mote_real)), u[c] = malloc(n * sizeof(mote_real));
            memcpy(x[c], column_real(&air.tracers->columns[COLUMN_POSITION], c),
                   n * sizeof(mote_real));
        }
        CHECK_OK(mote_world_body(air.world, "ball", &state[0], &error), error);
        setup_step(air.world);
        CHECK_OK(mote_world_body(air.world, "ball", &state[1], &error), error);
        mote_FieldPoints points = {n, {x[0], x[1], x[2]}, air.world->time};
        SETUP_OK(mote_world_sample_field(air.world, "vortons.velocity", &points, u, &error), error);
        const mote_real *mass = column_real(&air.tracers->columns[COLUMN_MASS], 0);
        CHECK(air.tracers->count == n);
        for (int c = 0; c < 3; ++c) {
            const mote_real *v = column_real(&air.tracers->columns[COLUMN_VELOCITY], c);
            for (size_t i = 0; i < n; ++i)
                lost[c] += (double)mass[i] * ((double)u[c][i] - (double)v[i]);
            CHECK_NEAR((state[1].momentum[c] - state[0].momentum[c] - lost[c]) / 0.05, 0,
                       sizeof(mote_real) == 8 ? 1e-12 : 1e-5);
            free(x[c]), free(u[c]);
        }
        CHECK(lost[0] > 1e-5);
    }
    mote_world_destroy(air.world);
}

/* Momentum and angular momentum of the ball and of the vorticity, in sum, and the ball's speed. */
static double momentum_of_all(Air *air, double linear[3], double angular[3])
{
    mote_BodyState state;
    mote_VortexSums sums;
    mote_Error error;
    CHECK_OK(mote_world_body(air->world, "ball", &state, &error), error);
    CHECK_OK(mote_vortex_sums(air->vortons, 0, &sums, &error), error);
    const double *x = state.position, *q = state.momentum;
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        linear[c] = q[c] + sums.impulse[c];
        angular[c] = state.angular[c] + x[d] * q[e] - x[e] * q[d] + sums.angular[c];
    }
    return hypot(hypot(q[0], q[1]), q[2]) / 0.05;
}

/* What a free ball loses in momentum, the vorticity has as impulse, and the same of angular
 * momentum (to 1e-3: a cloud is not free of divergence): exactly in the first step, where vortons
 * have no strength yet, and to 1 % while they move on in their own flow, and across it to the 5 %
 * that a cloud of vortons keeps of its impulse.
 */
static void impulse_goes_from_balls_to_vorticity(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    double linear[3][3], angular[3][3], speed[3], size = 0.05 * hypot(1, 0.2);
    double exact = sizeof(mote_real) == 8 ? 1e-12 : 1e-5;
    p.evaluation = 1, p.density = 1, p.magnus = 0;
    Air air = make_even_air(&p, 100);
    add_ball(&air, setup_vec(0.1, 0, 0), true, 0);
    setup_step(air.world); /* vortons that began inside are gone */
    Body *ball = air.world->bodies.items[0];
    ball->state.velocity[0] = 1, ball->state.velocity[1] = 0.2;
    body_load(ball);
    speed[0] = momentum_of_all(&air, linear[0], angular[0]);
    setup_step(air.world);
    speed[1] = momentum_of_all(&air, linear[1], angular[1]);
    for (int k = 0; k < 14; ++k) setup_step(air.world);
    speed[2] = momentum_of_all(&air, linear[2], angular[2]);
    CHECK(speed[1] < 0.95 * speed[0] && speed[2] < 0.5 * speed[0]);
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(linear[1][c] / size, linear[0][c] / size, exact);
        CHECK_NEAR(angular[1][c] / size, angular[0][c] / size, 1e-3);
        CHECK_NEAR(linear[2][c] / size, linear[0][c] / size, c < 2 ? 0.01 : 0.05);
        CHECK_NEAR(angular[2][c] / size, angular[0][c] / size, 0.05);
    }
    mote_world_destroy(air.world);
}

/* A ring that meets a free ball: what it loses of its impulse, the ball gets. */
static void rings_push_balls(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    double linear[2][3], angular[2][3], size = 3.14159265358979 * 0.25;
    p.evaluation = 1, p.density = 1, p.magnus = 0;
    p.ring_count = 1, p.ring_center = setup_vec(0.1, -0.6, 0);
    Air air = make_even_air(&p, 100);
    add_ball(&air, setup_vec(0.1, 0, 0), true, 0);
    for (int k = 0; k < 16; ++k) {
        setup_step(air.world);
        double speed = momentum_of_all(&air, linear[k > 0], angular[k > 0]);
        if (k == 15) CHECK(speed > 0.2);
    }
    for (int c = 0; c < 3; ++c) CHECK_NEAR(linear[1][c] / size, linear[0][c] / size, 0.01);
    CHECK_NEAR(linear[0][1] / size, 1, 0.01);
    mote_BodyState state;
    mote_Error error;
    CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
    CHECK(state.velocity[1] > 0.2);
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

/* On a grid, by the midpoint rule: a ring keeps its impulse in sub-steps that are far beyond
 * Euler's limit of 0.0082 s, and its speed as well as interpolation allows. */
static void rings_travel_on_grids(void)
{
    mote_VortexSolver p = still();
    mote_VortexSums one, two;
    mote_Error error;
    double speed = (log(8 / 0.1) - 0.5) / (4 * 3.14159265358979);
    p.born_spin = 0, p.resolution = 40, p.ring_count = 1, p.ring_vortons = 126;
    p.ring_radius = 1, p.ring_core = (mote_real)0.1, p.ring_circulation = 1;
    mote_WorldDef def = setup_def(0.02);
    mote_World *world = setup_world(&def);
    mote_SystemDef system = mote_system_def();
    mote_System *vortons;
    system.name = "vortons", system.solver = "vortex", system.solver_params = &p;
    SETUP_OK(mote_world_add_system(world, &system, &vortons, &error), error);
    CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
    for (int k = 0; k < 60; ++k) setup_step(world);
    CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
    CHECK_NEAR(two.impulse[1] / one.impulse[1], 1, 0.05);
    CHECK_NEAR((two.centre[1] - one.centre[1]) / (60 * 0.02 * speed), 1, 0.05);
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
      {"plates_and_wings_lift", plates_and_wings_lift},
      {"impulse_goes_from_balls_to_vorticity", impulse_goes_from_balls_to_vorticity},
      {"rings_push_balls", rings_push_balls},
      {"plates_lift_by_their_incidence", plates_lift_by_their_incidence},
      {"still_air_may_be_stirred", still_air_may_be_stirred},
      {"spinning_balls_stir", spinning_balls_stir},
      {"balls_are_pushed_as_rubinow_and_keller_say", balls_are_pushed_as_rubinow_and_keller_say},
      {"turning_bodies_are_pushed_aside", turning_bodies_are_pushed_aside},
      {"tracers_stay_outside", tracers_stay_outside},
      {"heat_goes_from_balls_to_air", heat_goes_from_balls_to_air},
      {"balls_cool_as_newton_says", balls_cool_as_newton_says},
      {"momentum_goes_from_tracers_to_balls", momentum_goes_from_tracers_to_balls},
      {"sums_of_rings", sums_of_rings}, {"rings_travel_on_grids", rings_travel_on_grids},
      {"wrong_values_are_refused", wrong_values_are_refused})
