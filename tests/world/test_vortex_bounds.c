/* Vortex fluids stay bounded: fires, rings that meet head-on; and those that do not are stopped. */
#include "world/air.h"

static void speeds_of(const mote_System *vortons, double *most, double *rising)
{
    *most = *rising = 0;
    for (size_t i = 0; i < vortons->count; ++i) {
        double v[3];
        for (int c = 0; c < 3; ++c)
            v[c] = (double)column_real(&vortons->columns[COLUMN_VELOCITY], c)[i];
        *most = fmax(*most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        *rising += v[1] / (double)vortons->count;
    }
}

/* The vortons of a fire, of so many a second. */
static mote_World *make_fire(const mote_VortexSolver *params, double rate, mote_System **vortons)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef system = mote_system_def();
    mote_EmitterDef emitter = mote_emitter_def();
    mote_DiscSource disc = mote_disc_source_def();
    mote_ColliderDef ground = mote_collider_def();
    mote_Error error;
    def.max_step = 1.0 / 60;
    mote_World *world = setup_world(&def);
    system.name = "vortons", system.solver = "vortex", system.solver_params = params;
    SETUP_OK(mote_world_add_system(world, &system, vortons, &error), error);
    disc.radius = (mote_real)0.24;
    emitter.system = "vortons", emitter.source = "disc", emitter.source_params = &disc;
    emitter.at = setup_vec(0, 0.16, 0), emitter.rate = (mote_real)rate;
    emitter.radius = (mote_real)0.06, emitter.lifetime = (mote_real)3.6, emitter.jitter = 1;
    SETUP_OK(mote_world_add_emitter(world, &emitter, &error), error);
    ground.name = "ground", ground.shape = "plane";
    SETUP_OK(mote_world_add_collider(world, &ground, &error), error);
    return world;
}

/* A bonfire: gases of a density near none rise for three metres, so their speed is below
 * sqrt(2 * 1.4 * 9.81 * 3) = 9 m/s, and above some decimetres. */
static void fires_rise_at_metres_a_second(void)
{
    for (int evaluation = 0; evaluation < 2; ++evaluation) {
        mote_VortexSolver p = burning();
        p.buoyancy = (mote_real)1.4, p.viscosity = 0, p.born_temperature = 500, p.born_spin = 1;
        p.heat_loss = (mote_real)0.5, p.burn_rate = 12, p.ignition = 900, p.burn_heat = 1600000;
        p.smoke_rate = 4, p.smoke_temperature = 1000, p.resolution = 2;
        p.mollify = (mote_real)0.8, p.evaluation = evaluation;
        mote_System *vortons;
        mote_World *world = make_fire(&p, 420, &vortons);
        for (int k = 0; k < 75; ++k) {
            double most, rising;
            setup_step(world);
            speeds_of(vortons, &most, &rising);
            CHECK(most < 9);
            if (k > 30) CHECK(rising > 0.3 && rising < 4);
        }
        mote_world_destroy(world);
    }
}

static mote_VortexSolver head_on(int stretching)
{
    mote_VortexSolver p = still();
    p.born_spin = 0, p.evaluation = 1, p.scheme = 2, p.stretching = stretching;
    p.ring_count = 2, p.ring_gap = 1, p.ring_alternate = true, p.ring_vortons = 80;
    p.ring_core = (mote_real)0.1, p.ring_radius = (mote_real)0.5;
    return p;
}

/* Without viscosity they grow for as long as they are looked at; when there are gaps between their
 * vortons, they break. Energy is kept while tubes are resolved, and never made. */
static void rings_that_meet_gain_no_energy(void)
{
    for (int stretching = 2; stretching <= 3; ++stretching) {
        mote_VortexSolver p = head_on(stretching);
        mote_VortexSums one, now;
        mote_Error error;
        mote_System *vortons;
        mote_World *world = make_vortons(&p, 0.01, &vortons);
        CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
        for (int k = 0; k < 600; ++k) {
            setup_step(world);
            if (k % 20 != 0) continue;
            CHECK_OK(mote_vortex_sums(vortons, 0, &now, &error), error);
            CHECK(now.energy < 1.02 * one.energy);
            if (k < 120) CHECK_NEAR(now.energy / one.energy, 1, 0.01);
            CHECK(now.vorticity < 2.0001 * one.vorticity);
            double ring = PI * 0.25; /* the impulse of one */
            for (int c = 0; c < 3; ++c) CHECK_NEAR(now.impulse[c] / ring, 0, k < 120 ? 1e-4 : 0.01);
        }
        mote_world_destroy(world);
    }
}

/* Steps until it stops; with what message? */
static void check_is_stopped(mote_World *world, const char *words[], size_t count)
{
    mote_StepReport report;
    mote_Error error;
    mote_Status status = MOTE_OK;
    for (int k = 0; k < 800 && status == MOTE_OK; ++k)
        status = mote_world_step(world, &report, &error);
    CHECK(status == MOTE_DIVERGED);
    for (size_t k = 0; k < count; ++k) CHECK_MESSAGE(error, words[k]);
    mote_world_destroy(world);
}

/* A lone vorton whose core turns faster than sound, though it moves nothing; a wind that is faster
 * is no flow of constant density. */
static void runaway_flows_are_stopped(void)
{
    mote_VortexSolver p = still();
    mote_System *vortons;
    mote_Error error;
    size_t first;
    mote_World *world = make_vortons(&p, 0.01, &vortons);
    SETUP_OK(mote_system_add_rows(vortons, 1, &first, &error), error);
    VortonRows rows = vortex_rows(vortons, 1);
    rows.radius[0] = (mote_real)0.1, rows.strength[1][0] = 50; /* 50 / (4 pi r^2) = 398 m/s */
    mote_system_edited(vortons);
    const char *words[] = {"vortons", "t = ", "397.887", "faster than sound", "stretch_limit"};
    check_is_stopped(world, words, 5);
    p = head_on(2);
    p.wind.x = 400;
    const char *fast[] = {"vortons", "t = ", "400 m/s", "347", "max_step"};
    check_is_stopped(make_vortons(&p, 0.01, &vortons), fast, 5);
}

TESTS({"fires_rise_at_metres_a_second", fires_rise_at_metres_a_second},
      {"rings_that_meet_gain_no_energy", rings_that_meet_gain_no_energy},
      {"runaway_flows_are_stopped", runaway_flows_are_stopped})
