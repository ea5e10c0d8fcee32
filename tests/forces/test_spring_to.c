/* Springs towards points that move, against what is known of driven oscillators. */
#include "setup.h"

/* A hook that goes to and fro: X(t) = SWAY sin(DRIVE t) along x. */
static const double SWAY = 0.1, DRIVE = 3;

static mote_Status sway(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    motion->at = setup_vec(SWAY * sin(DRIVE * t), 0, 0);
    return MOTE_OK;
}

/* A ball that particles pass through: it acts on none of the systems but `nobody`. */
static void add_hook(mote_World *world, const mote_ColliderDef *from)
{
    static const char *const nobody[] = {"nobody"};
    mote_ColliderDef hook = *from;
    mote_Error error;
    setup_system(world, "nobody", NULL, NULL);
    hook.name = "hook", hook.shape = "sphere";
    hook.systems = nobody, hook.system_count = 1;
    SETUP_OK(mote_world_add_collider(world, &hook, &error), error);
}

typedef struct Driven {
    mote_World *world;
    mote_System *system;
    mote_SpringToForce spring;
    double mass;
} Driven;

static Driven driven(const char *integrator, double dt)
{
    mote_WorldDef def = setup_def(dt);
    mote_ColliderDef hook = mote_collider_def();
    Driven d = {.mass = 2, .spring = {.stiffness = 25, .damping = 4, .to = "hook"}};
    def.fps = 10;
    d.world = setup_world(&def);
    hook.path = sway;
    add_hook(d.world, &hook);
    d.system = setup_system(d.world, "weight", integrator, NULL);
    setup_force(d.world, "spring-to", &d.spring);
    size_t row = setup_particle(d.system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    setup_reals(d.system, "mass", 0)[row] = (mote_real)d.mass;
    return d;
}

/* m x'' = -k (x - X) - c (x' - X'): x follows X by the factor (k + i c w) / (k - m w^2 + i c w),
 * whose real part is in step with X and whose imaginary part is a quarter of a turn ahead. */
static double steady(const Driven *d, double t)
{
    const double k = (double)d->spring.stiffness, c = (double)d->spring.damping, w = DRIVE;
    const double stiff = k - d->mass * w * w, drag = c * w;
    const double scale = SWAY / (stiff * stiff + drag * drag);
    return scale * ((k * stiff + drag * drag) * sin(w * t) + (stiff - k) * drag * cos(w * t));
}

/* The largest error over a period, long after the start: exp(-c t / 2 m) of it is left. */
static double worst_error(const char *integrator, double dt)
{
    Driven d = driven(integrator, dt);
    double worst = 0;
    for (int frame = 0; frame < 260; ++frame) {
        setup_step(d.world);
        double t = mote_world_time(d.world), x = setup_at(d.system, "position", 0, 0);
        if (frame >= 230) worst = fmax(worst, fabs(x - steady(&d, t)));
    }
    mote_world_destroy(d.world);
    return worst;
}

/* Here twice as far as the hook, 0.6 rad behind; if the damper did not know the hook's velocity, it
 * would be a tenth less and 1 rad. */
static void follows_with_amplitude_and_phase(void)
{
    CHECK(worst_error("rk4", 1e-2) < (sizeof(mote_real) == 4 ? 1e-6 : 1e-7));
    CHECK(worst_error("dormand-prince", 1e-2) < 1e-5);
    CHECK(worst_error("leapfrog", 1e-3) < 5e-4); /* the damper sees velocities half a step old */
    CHECK(worst_error("implicit-euler", 1e-3) < 2e-3);
}

/* The point is where it should be at every stage: the classical scheme keeps its order. */
static void order_of_rk4_is_kept(void)
{
    if (sizeof(mote_real) == 4) return;
    double coarse = worst_error("rk4", 0.05), fine = worst_error("rk4", 0.025);
    CHECK(coarse / fine > 12 && coarse / fine < 22);
}

/* ---- energy ---- */

/* At rest a distance off: the energy is that of the spring, and leapfrog neither gains nor loses:
 * it sways by (w dt)^2 / 4 of it at most, here for a hundred periods. */
static void leapfrog_keeps_energy(void)
{
    const double k = 50, rest = 0.5, dt = 0.01, sway_most = k * dt * dt / 4;
    mote_WorldDef def = setup_def(dt);
    def.fps = 1;
    mote_World *world = setup_world(&def);
    mote_SpringToForce spring = {
        .stiffness = (mote_real)k, .rest = (mote_real)rest, .point = setup_vec(0, 1, 0)};
    mote_System *system = setup_system(world, "weight", "leapfrog", NULL);
    setup_force(world, "spring-to", &spring);
    setup_particle(system, setup_vec(0.8, 1, 0), setup_vec(0, 0, 0));
    const double start = 0.5 * k * 0.09, periods = 100 * 6.2832 / sqrt(k);
    for (double t = 0; t < periods; t += 1) {
        mote_StepReport report = setup_step(world);
        double energy = report.kinetic + report.potential;
        CHECK_NEAR(energy / start, 1, 1.1 * sway_most + (sizeof(mote_real) == 4 ? 5e-4 : 1e-9));
    }
    mote_world_destroy(world);
}

/* ---- what carries the point ---- */

/* The rim of a wheel: a stiff spring leads the particle along, a force of m w^2 r behind. */
static void goes_round_with_a_wheel(void)
{
    const double turn = 6.283185307179586 / 4, stiffness = 1e6; /* rad/s, N/m */
    mote_WorldDef def = setup_def(1.0 / 240);
    def.fps = 30;
    mote_World *world = setup_world(&def);
    mote_ColliderDef wheel = mote_collider_def();
    wheel.motion.at = setup_vec(0, 2, 0), wheel.motion.spin = setup_vec(0, 0, 90);
    add_hook(world, &wheel);
    mote_SpringToForce spring = {.stiffness = (mote_real)stiffness,
                                 .damping = 2000,
                                 .point = setup_vec(1, 0, 0),
                                 .to = "hook"};
    mote_System *system = setup_system(world, "weight", "implicit-euler", NULL);
    setup_force(world, "spring-to", &spring);
    setup_particle(system, setup_vec(1, 2, 0), setup_vec(0, turn, 0));
    for (int frame = 0; frame < 60; ++frame) setup_step(world);
    double angle = turn * mote_world_time(world);
    CHECK_NEAR(setup_at(system, "position", 0, 0), cos(angle), 2e-4);
    CHECK_NEAR(setup_at(system, "position", 1, 0), 2 + sin(angle), 2e-4);
    mote_world_destroy(world);
}

/* A body that flies straight on takes a particle along: in the end at its side, at its speed. */
static void goes_along_with_a_body(void)
{
    mote_WorldDef def = setup_def(1.0 / 240);
    def.fps = 30;
    mote_World *world = setup_world(&def);
    mote_BodyDef ship = mote_body_def();
    mote_Error error;
    ship.name = "ship", ship.shape = "sphere";
    ship.motion.velocity = setup_vec(3, 0, 0);
    SETUP_OK(mote_world_add_body(world, &ship, &error), error);
    mote_SpringToForce spring = {
        .stiffness = 100, .damping = 20, .point = setup_vec(0, 5, 0), .to = "ship"};
    mote_System *system = setup_system(world, "weight", "rk4", NULL);
    setup_force(world, "spring-to", &spring);
    setup_particle(system, setup_vec(0, 5, 0), setup_vec(0, 0, 0));
    for (int frame = 0; frame < 120; ++frame) setup_step(world);
    CHECK_NEAR(setup_at(system, "velocity", 0, 0), 3, 1e-3);
    CHECK_NEAR(setup_at(system, "position", 0, 0), 3 * mote_world_time(world), 1e-3);
    CHECK_NEAR(setup_at(system, "position", 1, 0), 5, 1e-3);
    mote_world_destroy(world);
}

static void refused(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_ColliderDef hook = mote_collider_def();
    mote_SpringToForce spring = mote_spring_to_force_def();
    mote_ForceDef force = mote_force_def();
    mote_Error error;
    force.name = "rope", force.type = "spring-to", force.params = &spring;
    CHECK(spring.stiffness == 1 && spring.rest == 0 && spring.to == NULL);
    add_hook(world, &hook);
    spring.to = "hok";
    CHECK(mote_world_add_force(world, &force, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "rope: there is no collider `hok`; did you mean `hook`?");
    spring.to = "hook", spring.stiffness = -1;
    CHECK(mote_world_add_force(world, &force, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "stiffness");
    spring.stiffness = 1, spring.point.y = (mote_real)NAN;
    CHECK(mote_world_add_force(world, &force, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "point");
    mote_world_destroy(world);
}

TESTS({"follows_with_amplitude_and_phase", follows_with_amplitude_and_phase},
      {"order_of_rk4_is_kept", order_of_rk4_is_kept},
      {"leapfrog_keeps_energy", leapfrog_keeps_energy},
      {"goes_round_with_a_wheel", goes_round_with_a_wheel},
      {"goes_along_with_a_body", goes_along_with_a_body}, {"refused", refused})
