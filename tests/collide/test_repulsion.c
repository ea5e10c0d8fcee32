/* Repulsion as a force that integrators evaluate at every stage. */
#include "setup.h"

#include "world/world.h"

static const double G = 9.81;

typedef struct Drop {
    mote_World *world;
    mote_System *system;
} Drop;

/* A kilogram half a metre above the ground. */
static Drop drop(const char *integrator, double dt, const mote_CollideDef *collide)
{
    mote_WorldDef def = setup_def(dt);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_ColliderDef ground = mote_collider_def();
    mote_Error error;
    Drop d;
    def.fps = 1 / dt, def.gravity = setup_vec(0, -G, 0);
    d.world = setup_world(&def);
    ground.name = "ground", ground.measure = true;
    SETUP_OK(mote_world_add_collider(d.world, &ground, &error), error);
    solver.integrator = integrator;
    solver.newton_tolerance = 1e-6;
    system.name = "stone", system.solver_params = &solver, system.collide = *collide;
    SETUP_OK(mote_world_add_system(d.world, &system, &d.system, &error), error);
    size_t row = setup_particle(d.system, setup_vec(0, 0.5, 0), setup_vec(0, 0, 0));
    setup_reals(d.system, "radius", 0)[row] = 0;
    return d;
}

static mote_CollideDef law(int which, double stiffness)
{
    mote_CollideDef def = mote_collide_def();
    def.algorithm = "repulsion", def.law = which, def.stiffness = (mote_real)stiffness;
    return def;
}

typedef struct Bounce {
    double deepest, apex, rest; /* m */
} Bounce;

static Bounce bounce(const char *integrator, double dt, double stiffness, double seconds)
{
    mote_CollideDef penalty = law(MOTE_REPULSION_PENALTY, stiffness);
    Drop d = drop(integrator, dt, &penalty);
    Bounce out = {0, -1, 0};
    for (double t = 0; t < seconds; t += dt) {
        setup_step(d.world);
        out.rest = setup_at(d.system, "position", 1, 0);
        out.deepest = fmin(out.deepest, out.rest);
        if (out.deepest < 0) out.apex = fmax(out.apex, out.rest);
    }
    mote_world_destroy(d.world);
    return out;
}

/* A kick after the step threw it to 438 m. */
static void stiff_ground_does_not_throw(void)
{
    Bounce hard = bounce("implicit-euler", 1.0 / 60, 1e6, 2);
    CHECK_NEAR(hard.deepest, -0.132e-3, 0.0015e-3);
    CHECK(hard.apex < 1e-3);
    CHECK_NEAR(hard.rest, -9.81e-6, 0.1e-6);
    Bounce soft = bounce("implicit-euler", 1.0 / 240, 1e4, 1);
    CHECK_NEAR(soft.deepest, -23.6e-3, 0.25e-3);
    CHECK_NEAR(soft.apex, 0.132, 0.0015);
}

/* A spring without damping gives back all, whether it is touched or not. */
static void leapfrog_bounces_back(void)
{
    Bounce ideal = bounce("leapfrog", 1e-3, 1e4, 0.9);
    CHECK_NEAR(ideal.apex, 0.5, 0.0005);
    /* as deep as the energy goes: K d^2 / 2 = m g (h + d) */
    CHECK_NEAR(ideal.deepest, -(G + sqrt(G * G + 1e4 * G)) / 1e4, 1e-4);
}

/* Step by step against the equation of implicit Euler, which is linear on each side of y = 0. */
static void steps_solve_the_equation(void)
{
    const double h = 1.0 / 240, k = 3e4;
    mote_CollideDef penalty = law(MOTE_REPULSION_PENALTY, k);
    Drop d = drop("implicit-euler", h, &penalty);
    double y = 0.5, v = 0;
    for (int i = 0; i < 300; ++i) {
        double free = v - h * G;
        v = y + h * free >= 0 ? free : (free - h * k * y) / (1 + h * h * k);
        y += h * v;
        setup_step(d.world);
        CHECK_NEAR(setup_at(d.system, "position", 1, 0), y, 2e-5);
    }
    mote_world_destroy(d.world);
}

/* The inverse law holds out whatever comes, where it is solved for; and rests at K (1/y - 1/y0) =
 * m g. */
static void inverse_law_is_never_passed(void)
{
    static const double steps[] = {1.0 / 30, 1.0 / 240};
    for (int i = 0; i < 2; ++i) {
        mote_CollideDef inverse = law(MOTE_REPULSION_INVERSE, 0.01);
        inverse.reach = (mote_real)0.1, inverse.damping = 0;
        Drop d = drop("implicit-euler", steps[i], &inverse);
        setup_reals(d.system, "velocity", 1)[0] = -20;
        double least = 1;
        for (double t = 0; t < 8; t += steps[i]) {
            setup_step(d.world);
            least = fmin(least, setup_at(d.system, "position", 1, 0));
        }
        CHECK(least > 0);
        CHECK_NEAR(setup_at(d.system, "position", 1, 0), 1 / (G / 0.01 + 10), 2e-5);
        mote_world_destroy(d.world);
    }
}

/* What the ground got is what the stone lost, and gravity gave: m dv = -m g t + impulse; leapfrog
 * evaluates forces in the middle of a step, loads are of its ends. */
static void loads_balance(void)
{
    static const char *const integrators[] = {"implicit-euler", "symplectic-euler", "leapfrog",
                                              "crank-nicolson"};
    for (size_t i = 0; i < COUNT_OF(integrators); ++i) {
        mote_CollideDef spring = law(MOTE_REPULSION_SPRING, 2000);
        spring.damping = strcmp(integrators[i], "leapfrog") == 0 ? 0 : 5;
        Drop d = drop(integrators[i], 1e-3, &spring);
        double given = 0;
        for (int k = 0; k < 600; ++k) {
            mote_ColliderLoad load;
            mote_Error error;
            setup_step(d.world);
            SETUP_OK(mote_world_collider_load(d.world, "ground", &load, &error), error);
            given -= load.impulse[1];
        }
        double v = setup_at(d.system, "velocity", 1, 0);
        CHECK(given > 4); /* it has bounced */
        CHECK_NEAR(v, -G * mote_world_time(d.world) + given,
                   strcmp(integrators[i], "leapfrog") == 0 ? 4e-3 : 5e-4);
        mote_world_destroy(d.world);
    }
}

/* The log has the spring's energy: what was m g h in the air is there at the deepest. */
static void energy_is_in_the_log(void)
{
    mote_CollideDef penalty = law(MOTE_REPULSION_PENALTY, 1e4);
    Drop d = drop("leapfrog", 1e-3, &penalty);
    for (int i = 0; i < 700; ++i) {
        mote_StepReport report = setup_step(d.world);
        CHECK_NEAR(report.kinetic + report.potential, 0.5 * G, 0.02);
    }
    mote_world_destroy(d.world);
}

/* A ground that rises takes the stone along: the damper knows the wall's velocity. */
static void moving_walls_are_followed(void)
{
    mote_WorldDef def = setup_def(1.0 / 240);
    mote_World *world = setup_world(&def);
    mote_ColliderDef lift = mote_collider_def();
    mote_SystemDef system = mote_system_def();
    mote_System *made;
    mote_Error error;
    def.fps = 240;
    lift.motion.velocity = setup_vec(0, 1, 0);
    SETUP_OK(mote_world_add_collider(world, &lift, &error), error);
    system.name = "stone", system.collide = law(MOTE_REPULSION_SPRING, 500);
    system.collide.reach = (mote_real)0.1, system.collide.damping = 30;
    SETUP_OK(mote_world_add_system(world, &system, &made, &error), error);
    size_t row = setup_particle(made, setup_vec(0, 0.05, 0), setup_vec(0, 0, 0));
    setup_reals(made, "radius", 0)[row] = 0;
    mote_GravityForce down = {setup_vec(0, -G, 0)};
    setup_force(world, "gravity", &down);
    for (int i = 0; i < 480; ++i) setup_step(world);
    CHECK_NEAR(setup_at(made, "velocity", 1, 0), 1, 1e-3);
    CHECK_NEAR(setup_at(made, "position", 1, 0) - mote_world_time(world), 0.1 - G / 500, 1e-3);
    mote_world_destroy(world);
}

/* ---- the derivative ---- */

static mote_real plane_of[40][BLOCK_ROWS];

/* Against differences, near a tilted plane, for the two laws that are smooth there. */
static void derivatives_match_differences(void)
{
    for (int which = MOTE_REPULSION_SPRING; which <= MOTE_REPULSION_INVERSE; ++which) {
        mote_CollideDef collide = law(which, which == MOTE_REPULSION_SPRING ? 3 : 1);
        collide.reach = 4, collide.damping = (mote_real)0.5;
        mote_WorldDef def = setup_def(0.01);
        mote_World *world = setup_world(&def);
        mote_SystemDef system = mote_system_def();
        mote_System *made;
        mote_Error error;
        setup_plane(world, setup_vec(1, 2, -0.5), 0, 0);
        system.name = "s", system.collide = collide;
        SETUP_OK(mote_world_add_system(world, &system, &made, &error), error);
        uint64_t seed = 4;
        for (int i = 0; i < 30; ++i)
            setup_particle(made,
                           setup_vec(setup_uniform(&seed, 0, 1), setup_uniform(&seed, 1, 1.5),
                                     setup_uniform(&seed, -1, 0)),
                           setup_vec(1, setup_uniform(&seed, -1, 1), 0));
        setup_step(world);
        Range r = {.system = made, .count = 30};
        for (int c = 0; c < 3; ++c) {
            r.x[c] = setup_reals(made, "position", c), r.v[c] = setup_reals(made, "velocity", c);
            r.a[c] = plane_of[c], r.sample[c] = plane_of[3 + c], r.masked[c] = plane_of[6 + c];
        }
        Force own = world->slots[0].repulsion, differences = own;
        ForceRow plain = *own.row;
        plain.derivative = NULL, differences.row = &plain;
        mote_real *a[6], *b[6], by[2] = {(mote_real)0.3, (mote_real)0.7};
        memset(plane_of, 0, sizeof plane_of);
        for (int p = 0; p < 6; ++p) a[p] = plane_of[10 + p], b[p] = plane_of[20 + p];
        force_differentiate(&own, &r, 0.01, by, a);
        force_differentiate(&differences, &r, 0.01, by, b);
        double size = 0;
        for (int p = 0; p < 6; ++p)
            for (int i = 0; i < 30; ++i) {
                CHECK_NEAR(a[p][i], b[p][i], sizeof(mote_real) == 4 ? 3e-3 : 1e-7);
                size = fmax(size, fabs((double)a[p][i]));
            }
        CHECK(size > 0.1);
        mote_world_destroy(world);
    }
}

TESTS({"stiff_ground_does_not_throw", stiff_ground_does_not_throw},
      {"leapfrog_bounces_back", leapfrog_bounces_back},
      {"steps_solve_the_equation", steps_solve_the_equation},
      {"inverse_law_is_never_passed", inverse_law_is_never_passed},
      {"loads_balance", loads_balance}, {"energy_is_in_the_log", energy_is_in_the_log},
      {"moving_walls_are_followed", moving_walls_are_followed},
      {"derivatives_match_differences", derivatives_match_differences})
