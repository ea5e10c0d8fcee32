/* Vortons at walls in worlds: balls that turn as fast as they like, rooms, threads. */
#include "world/air.h"

/* Still air for a way of some metres, at defaults. */
static Air make_room_air(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    stop_emitters(&air);
    add_pairs(air.vortons, 500, 0.08, 1.5);
    return air;
}

/* ---- turning balls ---- */

enum { START = 6, PIECE = 8, PIECES = 6 };

/* The side force of Rubinow and Keller on a ball of 0.3 m in this air, N. */
static double side_force(double speed, double turn)
{
    return PI * 1.2 * 0.027 * turn * speed;
}

/* Towed along +x and turning about +z, from once to eight times as fast at its surface: pushed
 * along +y in every frame, and by what theory says. */
static void towed_balls_keep_their_side(void)
{
    for (int ratio = 1; ratio <= 8; ratio *= 2) {
        double speed = 0.6, turn = ratio * speed / 0.3;
        mote_ColliderLoad load;
        mote_Error error;
        Air air = make_room_air();
        add_collider(&air, "sphere", setup_vec(speed, 0, 0), setup_vec(0, 0, 0),
                     setup_vec(0, 0, turn * 180 / PI));
        for (int k = 0; k < START; ++k) setup_step(air.world);
        for (int piece = 0; piece < PIECES; ++piece) {
            double side = 0;
            for (int k = 0; k < PIECE; ++k) {
                setup_step(air.world);
                CHECK_OK(mote_world_collider_load(air.world, "body", &load, &error), error);
                CHECK(load.impulse[1] > 0);
                side += load.impulse[1] * 30 / PIECE;
            }
            double share = side / side_force(speed, turn);
            CHECK(share > 0.75 && share < 1.3);
        }
        mote_world_destroy(air.world);
    }
}

/* A free ball of 0.3 m and 4 kg at 1 m/s, turning so many times as fast at its surface. */
static void fly_ball(Air *air, double ratio)
{
    mote_BodyDef def = mote_body_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    def.name = "ball", def.shape = "sphere", def.shape_params = &sphere;
    def.free = true, def.mass = 4, def.gravity = false;
    def.motion.at = setup_vec(-1, 0, 0), def.motion.velocity = setup_vec(1, 0, 0);
    def.motion.spin = setup_vec(0, 0, ratio / 0.3 * 180 / PI);
    SETUP_OK(mote_world_add_body(air->world, &def, &error), error);
}

/* A ball that flies freely curves as much as its speed and its turn of the moment say. */
static void free_balls_curve(void)
{
    for (int ratio = 1; ratio <= 8; ratio *= 2) {
        mote_BodyState was, now;
        mote_Error error;
        Air air = make_room_air();
        fly_ball(&air, ratio);
        for (int k = 0; k < START; ++k) setup_step(air.world);
        for (int piece = 0; piece < PIECES / 2; ++piece) {
            double theory = 0;
            CHECK_OK(mote_world_body(air.world, "ball", &was, &error), error);
            for (int k = 0; k < PIECE; ++k) {
                CHECK_OK(mote_world_body(air.world, "ball", &now, &error), error);
                theory += side_force(now.velocity[0], now.spin[2]) / 30;
                setup_step(air.world);
            }
            CHECK_OK(mote_world_body(air.world, "ball", &now, &error), error);
            double share = (now.momentum[1] - was.momentum[1]) / theory;
            CHECK(share > 0.75 && share < 1.3);
        }
        mote_world_destroy(air.world);
    }
}

/* ---- rooms ---- */

static void add_room(Air *air, const char *name, const void *params)
{
    mote_ShapeDef def = {name, params, mote_pose_def()};
    mote_Shapes *shapes;
    mote_Error error;
    SETUP_OK(mote_shapes_create(&def, 1, (mote_Allocator){0}, &shapes, &error), error);
    mote_InvertedShape inverted = {shapes};
    mote_ColliderDef room = mote_collider_def();
    room.name = "room", room.shape = "inverted", room.shape_params = &inverted;
    SETUP_OK(mote_world_add_collider(air->world, &room, &error), error);
    mote_shapes_release(shapes);
}

/* How far outside of the room the furthest vorton is, m. */
static double furthest_out(const mote_System *vortons, const char *room)
{
    double furthest = -1;
    for (size_t i = 0; i < vortons->count; ++i) {
        double x[3], out = -1;
        for (int c = 0; c < 3; ++c)
            x[c] = (double)column_real(&vortons->columns[COLUMN_POSITION], c)[i];
        for (int c = 0; c < 3; ++c) out = fmax(out, fabs(x[c]) - 1);
        if (room[0] == 's') out = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 1.3;
        furthest = fmax(furthest, out);
    }
    return furthest;
}

/* A wind presses 800 lively vortons into a corner, or a round wall: none of them leaves. */
static void rooms_hold_vortons(void)
{
    mote_BoxShape box = mote_box_shape_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    box.size = setup_vec(2, 2, 2), sphere.radius = (mote_real)1.3;
    const struct {
        const char *name;
        const void *params;
    } rooms[] = {{"box", &box}, {"sphere", &sphere}};
    for (int room = 0; room < 2; ++room) {
        mote_VortexSolver p = still();
        p.born_spin = 5, p.wind = setup_vec(1, 0.7, -0.8);
        Air air = make_air_of(&p, NULL, 0, 800, 0);
        stop_emitters(&air);
        add_room(&air, rooms[room].name, rooms[room].params);
        for (int k = 0; k < 60; ++k) {
            setup_step(air.world);
            CHECK(furthest_out(air.vortons, rooms[room].name) <= 0);
        }
        CHECK(air.vortons->count == 800);
        mote_world_destroy(air.world);
    }
}

/* Tracers that a wind blows at an upright capsule push along its normals, which meet its axis: they
 * do not turn it about that axis, wherever it stands. */
static void pushes_through_an_axis_do_not_turn(void)
{
    mote_VortexSolver p = still();
    mote_CapsuleShape capsule = mote_capsule_shape_def();
    mote_ColliderDef def = mote_collider_def();
    mote_ColliderLoad load;
    mote_Error error;
    double push = 0, turn = 0, lean = 0;
    p.wind = setup_vec(1, 0, 0.5), p.coupling = MOTE_COUPLED_BY_TRACERS;
    Air air = make_air_of(&p, NULL, 4000, 1, 0);
    stop_emitters(&air);
    capsule.radius = (mote_real)0.1;
    def.name = "post", def.shape = "capsule", def.shape_params = &capsule, def.measure = true;
    def.motion.at = setup_vec(0.5, 0.3, 0.4);
    SETUP_OK(mote_world_add_collider(air.world, &def, &error), error);
    for (int k = 0; k < 12; ++k) {
        setup_step(air.world);
        CHECK_OK(mote_world_collider_load(air.world, "post", &load, &error), error);
        push += hypot(load.impulse[0], load.impulse[2]);
        turn += fabs(load.angular[1]), lean += fabs(load.angular[0]) + fabs(load.angular[2]);
    }
    CHECK(push > 0 && lean > 1e-3 * push);
    CHECK(turn < 1e-5 * push);
    mote_world_destroy(air.world);
}

/* Many vortons at a ball and at the walls of a room: the same bits for any number of threads. */
static void threads_share_walls(void)
{
    mote_BoxShape box = mote_box_shape_def();
    mote_VortexSums first = {.energy = 0}, sums;
    mote_BodyState kept = {.mass = 0}, state;
    mote_ColliderLoad load;
    mote_Error error;
    box.size = setup_vec(1.64, 1.24, 1.64);
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        mote_VortexSolver p = still();
        mote_Tasks *tasks = setup_tasks(threads);
        p.born_spin = 5;
        Air air = make_air_of(&p, tasks, 100, 1500, 0);
        stop_emitters(&air);
        add_room(&air, "box", &box);
        add_ball(&air, setup_vec(0, 0, 0), true, 2000);
        for (int k = 0; k < 6; ++k) setup_step(air.world);
        CHECK_OK(mote_world_collider_load(air.world, "room", &load, &error), error);
        CHECK(load.particles > 64); /* more than two slices of those that touch */
        CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
        CHECK_OK(mote_vortex_sums(air.vortons, 0, &sums, &error), error);
        if (threads == 1) first = sums, kept = state;
        CHECK(memcmp(&state, &kept, sizeof state) == 0);
        CHECK(memcmp(&sums, &first, sizeof sums) == 0);
        mote_world_destroy(air.world);
        mote_tasks_destroy(tasks);
    }
    CHECK(kept.temperature < 499);
}

TESTS({"towed_balls_keep_their_side", towed_balls_keep_their_side},
      {"free_balls_curve", free_balls_curve}, {"rooms_hold_vortons", rooms_hold_vortons},
      {"pushes_through_an_axis_do_not_turn", pushes_through_an_axis_do_not_turn},
      {"threads_share_walls", threads_share_walls})
