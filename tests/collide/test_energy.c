/* A ball that bounces without loss keeps its height, whichever scheme moves it. */
#include "collide/walls.h"

#include "integrate/integrator.h"

static const double G = 9.81, STEP = 0.01;

typedef struct Bouncing {
    const char *integrator, *algorithm;
    int surface; /* one of SURFACES */
    bool uneven; /* the forces are not the same everywhere: bounces are solved again */
} Bouncing;

enum { PLANE, SLAB, WEDGE, SURFACES };

static void add_surface(mote_World *world, int surface, double e)
{
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape slab = {{4, 1, 4}};
    mote_Error error;
    if (surface == PLANE) setup_plane(world, setup_vec(0, 1, 0), e, 0);
    if (surface == SLAB) {
        def.shape = "box", def.shape_params = &slab, def.restitution = (mote_real)e,
        def.friction = 0;
        def.motion.at = setup_vec(0, -0.5, 0);
        SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    }
    if (surface == WEDGE) {
        setup_plane(world, setup_vec(0.6, 0.8, 0), e, e < 1 ? 0.3 : 0);
        setup_plane(world, setup_vec(-0.6, 0.8, 0), e, e < 1 ? 0.3 : 0);
    }
}

static mote_World *bouncing_world(const Bouncing *b, double e, mote_System **ball)
{
    mote_WorldDef world_def = setup_def(STEP);
    world_def.gravity = setup_vec(0, -G, 0);
    mote_World *world = setup_world(&world_def);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef def = mote_system_def();
    mote_AttractorForce far = {setup_vec(0, 0, 0), (mote_real)1e-9, 1};
    mote_Error error;
    solver.integrator = b->integrator;
    def.name = "ball", def.solver_params = &solver;
    def.collide = mote_collide_def();
    def.collide.algorithm = b->algorithm;
    SETUP_OK(mote_world_add_system(world, &def, ball, &error), error);
    size_t row = setup_particle(*ball, setup_vec(0.01, 1, 0), setup_vec(0, 0, 0));
    setup_reals(*ball, "radius", 0)[row] = 0;
    add_surface(world, b->surface, e);
    if (b->uneven) setup_force(world, "attractor", &far);
    return world;
}

/* Mean over the last seconds of 20 of the energy, in units of that at the start. */
static double energy_left(const Bouncing *b)
{
    mote_System *ball;
    mote_World *world = bouncing_world(b, 1, &ball);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < 2000; ++i) {
        setup_step(world);
        if (i < 1600) continue;
        double y = setup_at(ball, "position", 1, 0), square = 0;
        for (int c = 0; c < 3; ++c) {
            double v = setup_at(ball, "velocity", c, 0);
            square += v * v;
        }
        sum += 0.5 * square + G * y, ++count;
    }
    mote_world_destroy(world);
    return sum / count / G;
}

static void check_kept(const Bouncing *b)
{
    double left = energy_left(b);
    if (!(fabs(left - 1) < 0.005))
        fprintf(stderr, "  %s, %s, surface %d%s\n", b->integrator, b->algorithm, b->surface,
                b->uneven ? ", uneven" : "");
    CHECK_NEAR(left, 1, 0.005);
}

/* All but the one whose velocities are only of first order where its positions are of second. */
static void energy_is_kept(void)
{
    size_t count;
    const mote_Row *const *rows = integrator_rows(isa_pick(), &count);
    for (size_t i = 0; i < count; ++i) {
        const IntegratorRow *row = (const IntegratorRow *)rows[i];
        if (row->alias || (row->order_velocity > 0 && row->order_velocity < row->order)) continue;
        for (int surface = 0; surface < SURFACES; ++surface)
            for (int exact = 0; exact < 2; ++exact) {
                Bouncing b = {row->head.name, exact ? "exact" : "contact", surface, false};
                check_kept(&b);
            }
    }
}

static void energy_is_kept_when_solved_again(void)
{
    for (int surface = 0; surface < SURFACES; ++surface) {
        Bouncing b = {NULL, "contact", surface, true};
        check_kept(&b);
        b.integrator = "leapfrog";
        check_kept(&b);
    }
}

/* With losses it comes to lie still, bit by bit, though the default scheme lags. */
static void what_loses_energy_rests(void)
{
    for (int surface = 0; surface < SURFACES; ++surface)
        for (int exact = 0; exact < 2; ++exact) {
            Bouncing b = {NULL, exact ? "exact" : "contact", surface, false};
            mote_System *ball;
            mote_World *world = bouncing_world(&b, 0.5, &ball);
            for (int i = 0; i < 800; ++i) setup_step(world);
            double y = setup_at(ball, "position", 1, 0);
            CHECK_NEAR(y, 0, 1e-4);
            CHECK(setup_at(ball, "velocity", 1, 0) == 0);
            for (int i = 0; i < 100; ++i) setup_step(world);
            CHECK(setup_at(ball, "position", 1, 0) == y);
            mote_world_destroy(world);
        }
}

TESTS({"energy_is_kept", energy_is_kept},
      {"energy_is_kept_when_solved_again", energy_is_kept_when_solved_again},
      {"what_loses_energy_rests", what_loses_energy_rests})
