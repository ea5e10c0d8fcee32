/* The vortex fluid and bodies in worlds: forces on plates, wings and balls; what momentum, impulse
 * and heat one gives, the other gets. */
#include "world/air.h"

#include <stdlib.h>

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

/* Air that is the same above and below. */
static Air make_even_air(const mote_VortexSolver *params, size_t tracers)
{
    Air air = make_air_of(params, NULL, 0, 0, 0);
    stop_emitters(&air);
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
    stop_emitters(&air);
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

/* The side force on a ball in still air is that of Rubinow and Keller, pi rho a^3 W x U. */
static void balls_are_pushed_as_rubinow_and_keller_say(void)
{
    mote_VortexSolver p = still();
    double impulse[3], a = 0.3, turn = 400 * PI / 180;
    p.born_spin = 0;
    Air air = make_air_of(&p, NULL, 0, 1, 0);
    stop_emitters(&air);
    add_collider(&air, "sphere", setup_vec(0.2, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 0, 400));
    setup_step(air.world);
    load_over(&air, 10, impulse);
    CHECK_NEAR(impulse[1] / (PI * a * a * a * turn * 0.2 * 10 / 30), 1, 0.05);
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

/* Vortons at rest before a face, and none beyond its rim. */
static void add_face_rows(mote_System *vortons)
{
    enum { SIDE = 5, DEEP = 5 };
    mote_Error error;
    size_t first;
    SETUP_OK(mote_system_add_rows(vortons, SIDE * SIDE * DEEP, &first, &error), error);
    for (size_t i = 0; i < SIDE * SIDE * DEEP; ++i) {
        const double at[3] = {-0.2 + 0.12 * (double)(i / SIDE / SIDE),
                              0.11 * ((double)(i % SIDE) - 2),
                              0.11 * ((double)(i / SIDE % SIDE) - 2)};
        for (int c = 0; c < 3; ++c)
            column_real(&vortons->columns[COLUMN_POSITION], c)[i] = (mote_real)at[c];
        column_real(&vortons->columns[COLUMN_RADIUS], 0)[i] = (mote_real)0.08;
    }
    mote_system_edited(vortons);
}

/* A square plate that starts to move along its normal. Where all flow is along it, the face alone
 * stops it: what it meets makes rings, and the plate is pushed back, for a third of a second by
 * about its added mass, 0.455 rho L^3, and drag. In air that is everywhere its coefficient of drag
 * is of the order of 1.2, which a plate has, times (1 + 2 * 0.08 / 0.6)^2: layers are as thick as
 * cores. */
static void plates_face_on_are_held_back(void)
{
    mote_VortexSolver p = still();
    mote_Vec3 ahead = setup_vec(1, 0, 0), turned = setup_vec(0, 0, 90), none = setup_vec(0, 0, 0);
    double start[3], face[3], wake[3], unit = 0.5 * 1.2 * 0.36; /* N, rho u^2 A / 2 */
    double side = 0.6 + 2 * 0.08, push = 0.455 * pow(side, 3) + 2.4 * 0.18 / 3; /* N s */
    p.born_spin = 0;
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    stop_emitters(&air);
    add_face_rows(air.vortons);
    add_collider(&air, "box", ahead, turned, none);
    load_over(&air, 10, face);
    CHECK(face[0] < -0.1 * push && face[0] > -2 * push);
    CHECK(fabs(face[1]) < 0.05 * -face[0] && fabs(face[2]) < 0.05 * -face[0]);
    mote_world_destroy(air.world);
    air = make_long_air(0);
    add_collider(&air, "box", ahead, turned, none);
    load_over(&air, 24, start);
    load_over(&air, 30, wake);
    CHECK(wake[0] < -1 * unit && wake[0] > -2.5 * unit);
    CHECK(fabs(wake[1]) < 0.1 * -wake[0]);
    mote_world_destroy(air.world);
}

/* m c (T - T0) of the vortons, by their own column of masses, J. */
static double heat_of(const Air *air, const mote_VortexSolver *p)
{
    const mote_real *mass = column_real(&air->vortons->columns[COLUMN_MASS], 0);
    VortonRows rows = vortex_rows(air->vortons, air->vortons->count);
    double heat = 0;
    for (size_t i = 0; i < rows.count; ++i)
        heat += (double)mass[i] * (double)p->heat_capacity *
                ((double)rows.temperature[i] - (double)p->temperature);
    return heat;
}

/* A hot ball, free or not, warms the air by a hundred kelvins and more: what it has lost is what
 * the air has gained, all along. */
static void heat_goes_from_balls_to_air(void)
{
    for (int is_free = 0; is_free < 2; ++is_free) {
        mote_VortexSolver p = still();
        mote_BodyState start, state;
        mote_Error error;
        Air air = make_even_air(&p, 2000);
        add_ball(&air, setup_vec(0.2, 0, 0), is_free, 2000);
        for (int k = 0; k < 2; ++k) setup_step(air.world); /* those that began inside are gone */
        CHECK_OK(mote_world_body(air.world, "ball", &start, &error), error);
        CHECK(air.vortons->count < 300);
        double before = heat_of(&air, &p), last = start.temperature;
        for (int k = 0; k < 30; ++k) {
            setup_step(air.world);
            CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
            CHECK(state.temperature < last + 1e-3);
            last = state.temperature;
            double gained = heat_of(&air, &p) - before, lost = 200 * (start.temperature - last);
            CHECK_NEAR(gained / lost, 1, sizeof(mote_real) == 8 ? 1e-12 : 1e-6);
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
    stop_emitters(&air);
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
    double area = TOUCH * PI * 0.05 * 0.05, time = STEPS / 30.0, h = 1000;
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
    double linear[2][3], angular[2][3], size = PI * 0.25;
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

TESTS({"plates_and_wings_lift", plates_and_wings_lift},
      {"plates_lift_by_their_incidence", plates_lift_by_their_incidence},
      {"balls_are_pushed_as_rubinow_and_keller_say", balls_are_pushed_as_rubinow_and_keller_say},
      {"turning_bodies_are_pushed_aside", turning_bodies_are_pushed_aside},
      {"plates_face_on_are_held_back", plates_face_on_are_held_back},
      {"heat_goes_from_balls_to_air", heat_goes_from_balls_to_air},
      {"balls_cool_as_newton_says", balls_cool_as_newton_says},
      {"momentum_goes_from_tracers_to_balls", momentum_goes_from_tracers_to_balls},
      {"impulse_goes_from_balls_to_vorticity", impulse_goes_from_balls_to_vorticity},
      {"rings_push_balls", rings_push_balls})
