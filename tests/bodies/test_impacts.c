/* Impacts of several bodies at once. */
#include "bodies/rigid.h"

enum { BALLS = 5 };

static const double RADIUS = 0.1;

typedef struct Cradle {
    double mass[BALLS], speed[BALLS], gap;
    int coming;  /* the first ones stand off */
    double away; /* m, by this */
} Cradle;

/* Balls in a row along x that touch, with restitution e. */
static mote_World *cradle_world(const Cradle *c, double e, double dt)
{
    mote_World *world = rigid_world(dt, 0);
    char name[16];
    for (int i = 0; i < BALLS; ++i) {
        snprintf(name, sizeof name, "b%d", i);
        mote_SphereShape ball = {(mote_real)RADIUS};
        double x = 2 * RADIUS * i + c->gap * i - (i < c->coming ? c->away : 0);
        mote_BodyDef def = rigid_def(name, "sphere", &ball, setup_vec(x, 0, 0));
        def.restitution = (mote_real)e;
        def.mass = c->mass[i];
        def.motion.velocity = setup_vec(c->speed[i], 0, 0);
        rigid_add(world, &def);
    }
    return world;
}

static void run_cradle(const Cradle *c, double e, double dt, double out[BALLS])
{
    mote_World *world = cradle_world(c, e, dt);
    char name[16];
    rigid_run(world, (int)(0.6 / dt));
    for (int i = 0; i < BALLS; ++i) {
        snprintf(name, sizeof name, "b%d", i);
        out[i] = rigid_state(world, name).velocity[0];
    }
    mote_world_destroy(world);
}

/* As many leave as come, with their speed; the others stand. */
static void a_cradle_hands_on(void)
{
    static const double steps[] = {0.01, 1.0 / 60, 0.0013};
    for (int coming = 1; coming <= 3; ++coming)
        for (size_t k = 0; k < COUNT_OF(steps); ++k)
            for (int n = 0; n < 16; ++n) { /* they meet at any time of a sub-step */
                Cradle c = {.coming = coming, .gap = 1e-4 * (n % 2), .away = 0.3 + 1e-3 * n};
                double out[BALLS];
                for (int i = 0; i < BALLS; ++i) c.mass[i] = 2, c.speed[i] = i < coming ? 1.5 : 0;
                run_cradle(&c, 1, steps[k], out);
                for (int i = 0; i < BALLS; ++i)
                    CHECK_NEAR(out[i], i >= BALLS - coming ? 1.5 : 0, 1.5e-6);
            }
}

/* Whatever they weigh, momentum stays, and energy with restitution 1; with less nobody is left
 * that nears another. */
static void rows_keep_momentum_and_energy(void)
{
    for (int k = 0; k < 40; ++k) {
        uint64_t seed = (uint64_t)k + 1;
        Cradle c = {.coming = 1 + k % 2, .away = 0.3 + 1e-3 * k};
        double out[BALLS], before[2] = {0}, after[2] = {0}, e = k % 3 == 0 ? 0.6 : 1;
        for (int i = 0; i < BALLS; ++i) c.mass[i] = setup_uniform(&seed, 0.5, 5);
        for (int i = 0; i < c.coming; ++i) c.speed[i] = 2;
        run_cradle(&c, e, 0.01, out);
        for (int i = 0; i < BALLS; ++i) {
            before[0] += c.mass[i] * c.speed[i], after[0] += c.mass[i] * out[i];
            before[1] += c.mass[i] * c.speed[i] * c.speed[i],
                after[1] += c.mass[i] * out[i] * out[i];
            if (i > 0) CHECK(out[i] >= out[i - 1] - 1e-6);
        }
        CHECK_NEAR(after[0] / before[0], 1, 1e-12);
        if (e == 1) CHECK_NEAR(after[1] / before[1], 1, 1e-6);
        if (e < 1) CHECK(after[1] < 0.9 * before[1]);
    }
}

TESTS({"a_cradle_hands_on", a_cradle_hands_on},
      {"rows_keep_momentum_and_energy", rows_keep_momentum_and_energy})
