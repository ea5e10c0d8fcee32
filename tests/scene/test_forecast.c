/* Forecasts: counts against the integrals they stand for, and one bad scene for every warning. */
#include "scene/forecast.h"
#include "scene/loading.h"

static mote_SceneForecast forecast_of(Loading *loading)
{
    mote_SceneForecast forecast;
    CHECK_OK(mote_scene_forecast(loading->scene, &forecast, &loading->error), loading->error);
    return forecast;
}

static void check_particles(const char *emitters, double expected, double tolerance)
{
    char text[600];
    snprintf(text, sizeof text,
             "{mote: 1, world: {duration: 10}, systems: [{name: 's'}], emitters: [%s]}", emitters);
    Loading loading = loading_good(text);
    CHECK_NEAR(forecast_of(&loading).particles, expected, tolerance);
    loading_end(&loading);
}

static void counts_particles(void)
{
    check_particles("{system: 's', rate: 100, lifetime: 3}", 300, 1);
    check_particles("{system: 's', rate: 100, lifetime: 0.001}", 0.1, 1);
    check_particles("{system: 's', rate: 100}", 1000, 1);
    check_particles("{system: 's', rate: 100, lifetime: 3, stop: 1}", 100, 1);
    check_particles("{system: 's', rate: 100, start: 9.5}", 50, 1);
    check_particles("{system: 's', burst: 500, lifetime: 2}", 500, 0);
    check_particles("{system: 's', burst: 500, burst_every: 1, lifetime: 3.5}", 2000, 0);
    check_particles("{system: 's', burst: 500, burst_every: 1, stop: 2.5}", 1500, 0);
    check_particles("{system: 's', rate: 100, lifetime: 3}, {system: 's', burst: 7}", 307, 1);
    check_particles("{system: 's', rate: '=20*t'}", 1000, 10);
    check_particles("{system: 's', rate: '=t<5 ? 100 : 0', lifetime: 2}", 200, 1);
}

/* The forecast against what a run has. */
static void agrees_with_a_run(void)
{
    Loading loading =
        loading_world("{mote: 1, world: {duration: 2, fps: 20}, systems: [{name: 's'}],"
                      " emitters: [{system: 's', rate: 2000, lifetime: 0.7, lifetime_jitter: 0.3},"
                      "            {system: 's', burst: 300, burst_every: 0.5, lifetime: 0.6}]}");
    uint64_t most = 0;
    for (int i = 0; i < 40; ++i) {
        uint64_t now = setup_step(loading.world).particles;
        most = now > most ? now : most;
    }
    double expected = (double)forecast_of(&loading).particles;
    CHECK_NEAR((double)most / expected, 1, 0.1);
    loading_end(&loading);
}

static void counts_bytes(void)
{
    Loading few = loading_good("{mote: 1, output: {frames: 'none', video: 'none'},"
                               " systems: [{name: 's'}], emitters: [{system: 's', burst: 1000}]}");
    Loading many = loading_good("{mote: 1, output: {frames: 'none', video: 'none'}, systems: "
                                "[{name: 's'}], emitters: [{system: 's', burst: 100000}]}");
    Loading drawn = loading_good("{mote: 1, output: {cache: false, video: 'none'}}");
    mote_SceneForecast a = forecast_of(&few), b = forecast_of(&many), c = forecast_of(&drawn);
    const double row = 13 * sizeof(mote_real) + 20;
    CHECK_NEAR((double)b.memory / (double)a.memory, 100, 1);
    CHECK((double)a.memory >= 1000 * row && (double)a.memory <= 4 * 1000 * row);
    CHECK_NEAR((double)a.disk / (1000 * row * 151), 1.1, 0.1);
    CHECK(c.particles == 0 && c.disk > 151 * 1280 * 720 / 4 && c.memory > 1280 * 720 * 16);
    loading_end(&few), loading_end(&many), loading_end(&drawn);
}

static const struct Bad {
    const char *scene, *warning, *change;
} bad[] = {
    {"", "systems: there is none", "add systems"},
    {"systems: [{name: 'idle'}]", "systems.idle: no emitter feeds it", "system: \"idle\""},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's'}]",
     "emitters.e: makes no particle", "set rate or burst"},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's', burst: 3, start: 99}]",
     "emitters.e: makes no particle", "start and stop"},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's', rate: 70000}]",
     "emitters.e: its particles never die and 70000 come every second", "set lifetime"},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's', burst: 2000000000}]",
     "more than 10^9", "lower rate, burst or lifetime"},
    {"render: {width: 8000}", "video of 8000 x 720", "output.video"},
    {"world: {duration: 100000}", "3000000 frames", "duration"},
    {"world: {max_step: 0.01}, systems: [{name: 's'}], forces: [{name: 'air', type: 'drag', "
     "linear: 500}]",
     "forces.air: drag of 500 /s on systems.s is unstable", "world.max_step: 0.002 or less"},
    {"world: {max_step: 0.01}, systems: [{name: 's'}], forces: [{type: 'drag', quadratic: 100}],"
     "emitters: [{system: 's', burst: 1, velocity: [3, 0, 4]}]",
     "forces.drag-0: drag of 500 /s", "world.max_step"},
    {"world: {max_step: 0.01}, systems: [{name: 's'}], forces: [{type: 'drag', linear: 1, "
     "by_mass: true}], emitters: [{system: 's', burst: 1, mass: 0.002}]",
     "drag of 500 /s", "world.max_step"},
    {"systems: [{name: 's'}], forces: [{name: 'sun', type: 'attractor', strength: 100}],"
     "emitters: [{system: 's', burst: 1, spread: 1}]",
     "forces.sun: sub-steps of", "softening: "},
    {"systems: [{name: 's'}], forces: [{name: 'sun', type: 'attractor', softening: 0}],"
     "emitters: [{system: 's', burst: 1, spread: 1}]",
     "forces.sun: sub-steps of", "softening: "},
    {"systems: [{name: 's'}], forces: [{name: 'pull', type: 'mutual-gravity', softening: 1,"
     "method: 'direct'}], emitters: [{system: 's', burst: 30000}]",
     "forces.pull: about 3e+04 particles are 9e+08 pairs", "method: \"tree\""},
    {"systems: [{name: 's'}], forces: [{name: 'pull', type: 'mutual-gravity'}],"
     "emitters: [{system: 's', burst: 100}]",
     "forces.pull: about 100 particles without softening", "set softening"},
    {"systems: [{name: 's'}], forces: [{name: 'pull', type: 'mutual-gravity', G: 1,"
     "softening: 0.01}], emitters: [{system: 's', burst: 2, mass: 50}]",
     "forces.pull: sub-steps of", "larger softening"},
    {"fields: [{name: 'v', type: 'vortex', core: 0.01, speed: 50}],"
     "systems: [{name: 's', solver: {trace: 'v'}}]",
     "fields.v: a sub-step", "larger core"},
    {"fields: [{name: 'v', type: 'vortex'}], systems: [{name: 's', solver: {trace: 'v'}}],"
     "forces: [{name: 'g', type: 'gravity', systems: ['s']}]",
     "forces.g: systems.s follows the field v", "remove"},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's', burst: 1, at: [0, -2, 0]}],"
     "colliders: [{name: 'ground', shape: {type: 'plane'}}]",
     "emitters.e: `at` is 2 m inside colliders.ground", "by 2.01 m"},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's', burst: 1, at: [0, 1, 0],"
     "from: {type: 'sphere', radius: 3}}], colliders: [{name: 'ground', shape: {type: 'plane'}}]",
     "emitters.e: its source overlaps colliders.ground by 2.01 m", "smaller"},
    {"world: {bounded: true}, systems: [{name: 's'}],"
     "emitters: [{name: 'e', system: 's', burst: 1, at: [0, 7, 0]}]",
     "emitters.e: `at` is outside the box", "box_min"},
    {"systems: [{name: 's'}], emitters: [{name: 'e', system: 's', rate: '=3-t', lifetime: 1}]",
     "emitter e: at t = 3.0", "clamp("},
    {"fields: [{name: 'w', type: 'spectral-wind', time: 'periodic', grids: 1, sigma: 2, size: 8,"
     "period: 16, slices: 32}]",
     "fields.w: the smallest eddies are slowed down (3 k_hi sigma against pi slices / period, "
     "rad/s): 37.7 needed, 6.283 given",
     "set slices to 192"},
    {"fields: [{name: 'w', type: 'spectral-wind', time: 'periodic', grids: 1, sigma: 2, size: 8,"
     "period: 4}]",
     "fields.w: the largest eddies do not change within a period (4 pi / (k_lo sigma) against "
     "period, s): 8 needed, 4 given",
     "set period to 8"},
    {"fields: [{name: 'w', type: 'spectral-wind', grids: 1, size: 8, k_hi: 12}]",
     "fields.w: the interpolation blurs the smallest eddies", "12 needed, 6.283 given"},
    {"systems: [{name: 'v', solver: {type: 'vortex', ring_count: 1, ring_core: 0.02,"
     "ring_circulation: 5, scheme: 'rk4', evaluation: 'vortons'}}]",
     "systems.v: the sub-step 0.00833 s is beyond the stability limit 0.000503 s", "max_step"},
    {"systems: [{name: 'v', solver: {type: 'vortex', ring_count: 1, ring_core: 0.04,"
     "scheme: 'rk4', evaluation: 'grid'}}]", /* on a grid, it holds as long as rk2 */
     "systems.v: the sub-step 0.00833 s is beyond the stability limit 0.00503 s",
     "evaluation vortons"},
    {"systems: [{name: 'v', solver: {type: 'vortex', viscosity: 10}}],"
     "emitters: [{system: 'v', burst: 9, radius: 0.01}]",
     "systems.v: vortons of radius 0.01 m with a viscosity or diffusivity of 10", "6.4e-05 s"},
    {"systems: [{name: 'v', solver: {type: 'vortex', born_fuel: 0.5}}],"
     "emitters: [{system: 'v', burst: 9, radius: 0.1}]",
     "systems.v: it is born with fuel", "burn_rate"},
    {"world: {gravity: [0, 0, 0]}, systems: [{name: 'v', solver: {type: 'vortex',"
     "born_temperature: 500}}], emitters: [{system: 'v', burst: 9, radius: 0.1}]",
     "systems.v: world.gravity is zero", "does not rise"},
    {"systems: [{name: 'v', solver: {type: 'vortex'}}, {name: 's', solver: {type: 'tracers',"
     "of: 'v'}}], emitters: [{system: 's', burst: 9}]",
     "systems.v: no emitter feeds it", "add an emitter"},
    {"fields: [{name: 'w', type: 'spectral-wind', grids: 1, sigma: 2, interval: 0.5}]",
     "fields.w: the smallest eddies turn faster than the tables follow", "set interval to 0.0833"},
};

static void warns(void)
{
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        char text[700];
        snprintf(text, sizeof text, "{mote: 1, %s}", bad[i].scene);
        Loading loading = loading_good(text);
        mote_SceneForecast forecast = forecast_of(&loading);
        CHECK_HOLDS(forecast.warnings, bad[i].warning);
        CHECK_HOLDS(forecast.warnings, bad[i].change);
        loading_end(&loading);
    }
}

/* Crank-Nicolson throws what falls on a wall of stiffness K at w dt > 2, where w = sqrt(K / m): no
 * world is made of that, and what the message advises is followed without a word. */
static const struct ThrowCase {
    const char *solver, *collide;
    double mass, max_step;
    const char *advice; /* NULL: it is allowed */
} throwing[] = {
    {"integrator: 'crank-nicolson'", "stiffness: 1e6", 1, 0.00201, "max_step: 0.0019 or less"},
    {"integrator: 'crank-nicolson'", "stiffness: 1e6", 1, 0.0019, NULL},
    {"integrator: 'crank-nicolson'", "stiffness: 1e6", 1, 0.01, "integrator: implicit-euler"},
    {"integrator: 'crank-nicolson'", "stiffness: 1e6", 100, 0.0199, NULL},
    {"integrator: 'crank-nicolson'", "stiffness: 1e6", 100, 0.021, "sub-steps of 0.0208 s"},
    {"integrator: 'theta', theta: 0.99", "stiffness: 1e6", 1, 0.01, "theta = 0.99"},
    {"integrator: 'theta', theta: 0", "stiffness: 1e6", 1, 0.01, "theta = 0 "},
    {"integrator: 'theta', theta: 1", "stiffness: 1e6", 1, 0.01, NULL},
    {"integrator: 'implicit-euler'", "stiffness: 1e6", 1, 0.01, NULL},
    {"integrator: 'leapfrog'", "stiffness: 1e6", 1, 0.01, NULL}, /* that is warned of */
    {"integrator: 'crank-nicolson'", "law: 'inverse', stiffness: 1, reach: 0.01", 1, 0.0021,
     "collide.algorithm: contact"},
    {"integrator: 'crank-nicolson'", "law: 'inverse', stiffness: 1, reach: 0.01", 1, 0.0019, NULL},
};

static void refuses_steps_that_throw(void)
{
    for (size_t i = 0; i < COUNT_OF(throwing); ++i) {
        const struct ThrowCase *c = &throwing[i];
        char text[700];
        mote_World *world;
        snprintf(text, sizeof text,
                 "{mote: 1, world: {fps: 1, max_step: %g}, colliders: [{shape: {type: 'plane'}}],\n"
                 "systems: [{name: 's', solver: {%s}, collide: {algorithm: 'repulsion', %s}}],\n"
                 "emitters: [{system: 's', burst: 1, mass: %g, at: [0, 0.5, 0]}]}",
                 c->max_step, c->solver, c->collide, c->mass);
        Loading loading = loading_good(text);
        mote_Status status = mote_scene_world(loading.scene, NULL, &world, &loading.error);
        CHECK(status == (c->advice == NULL ? MOTE_OK : MOTE_BAD_VALUE));
        if (c->advice != NULL) CHECK_MESSAGE(loading.error, c->advice);
        if (c->advice != NULL) CHECK_MESSAGE(loading.error, ":2:11: systems.s: ");
        mote_world_destroy(world);
        loading_end(&loading);
    }
}

/* The mass of linked particles is that of their pattern: here a chain of a hundredth of a kilogram
 * each. */
static void knows_masses_of_links(void)
{
    for (int i = 0; i < 2; ++i) {
        char text[700];
        mote_World *world;
        snprintf(text, sizeof text,
                 "{mote: 1, world: {fps: 1, max_step: %g}, colliders: [{shape: {type: 'plane'}}],"
                 "systems: [{name: 's', solver: {integrator: 'crank-nicolson'},"
                 "collide: {algorithm: 'repulsion', stiffness: 1e6}}],"
                 "links: [{system: 's', pattern: {type: 'chain', segments: 9, mass: 0.1}}]}",
                 i == 0 ? 1.9e-4 : 2.1e-4);
        Loading loading = loading_good(text);
        CHECK((mote_scene_world(loading.scene, NULL, &world, &loading.error) == MOTE_OK) ==
              (i == 0));
        mote_world_destroy(world);
        loading_end(&loading);
    }
}

/* What is good stays without a warning. */
static void is_silent(void)
{
    static const char *const good[] = {
        "systems: [{name: 's'}], emitters: [{system: 's', rate: 10, lifetime: 100}]",
        "systems: [{name: 's'}], emitters: [{system: 's', rate: 10, stop: 2}]",
        "systems: [{name: 's'}], emitters: [{system: 's', burst: 10, at: [0, 1, 0]}],"
        "colliders: [{shape: {type: 'plane'}}], forces: [{type: 'drag', linear: 20}]",
        "systems: [{name: 's', collide: {algorithm: 'none'}}],"
        "emitters: [{system: 's', burst: 1, at: [0, -1, 0]}],"
        "colliders: [{shape: {type: 'plane'}}]",
        "systems: [{name: 's'}], emitters: [{system: 's', burst: 1, at: [0, 0.011, 0],"
        "from: {type: 'disc', radius: 3}}], colliders: [{shape: {type: 'plane'}}]",
        /* a circular orbit far from the softened middle */
        "world: {gravity: [0, 0, 0]}, systems: [{name: 's'}], emitters: [{system: 's', burst: 1,"
        "at: [1, 0, 0], velocity: [0, 1, 0]}], forces: [{type: 'attractor'}]",
        /* two bodies need no softening; many have it, and a tree by themselves */
        "systems: [{name: 's'}], emitters: [{system: 's', burst: 2}],"
        "forces: [{type: 'mutual-gravity'}]",
        "systems: [{name: 's'}], emitters: [{system: 's', burst: 50000, mass: 1e-4}],"
        "forces: [{type: 'mutual-gravity', G: 1, softening: 0.05}]",
        "fields: [{name: 'v', type: 'vortex'}], systems: [{name: 's', solver: {trace: 'v'}}],"
        "emitters: [{system: 's', burst: 10}], forces: [{type: 'drag', linear: 1e6}]",
        "systems: [{name: 'v', solver: {type: 'vortex', ring_count: 1, ring_core: 0.1,"
        "scheme: 'rk4', evaluation: 'vortons', burn_rate: 1, born_fuel: 0.1, viscosity: 1e-3}}]",
        "fields: [{name: 'a', type: 'spectral-wind', grids: 4, split: true},"
        "{name: 'b', type: 'spectral-wind', time: 'periodic', grids: 3},"
        "{name: 'c', type: 'spectral-noise', time: 'periodic', sigma: 1, grids: 2},"
        "{name: 'd', type: 'spectral-wind', mean: [1, 0, 0], time: 'frozen', grids: 2}],"
        "systems: [{name: 's', solver: {trace: 'a'}}], emitters: [{system: 's', burst: 10}]",
    };
    for (size_t i = 0; i < COUNT_OF(good); ++i) {
        char text[700];
        snprintf(text, sizeof text, "{mote: 1, %s}", good[i]);
        Loading loading = loading_good(text);
        mote_SceneForecast forecast = forecast_of(&loading);
        if (forecast.warnings[0] != '\0') fprintf(stderr, "%s", forecast.warnings);
        CHECK(forecast.warnings[0] == '\0');
        loading_end(&loading);
    }
}

/* Rows that are too large for the copies would be left out without a word. */
static void all_parameters_fit(void)
{
    const char *family;
    for (size_t f = 0; (family = mote_family(f)) != NULL; ++f) {
        size_t count = 0;
        const mote_Row *const *rows = mote_family_rows(family, &count);
        for (size_t i = 0; i < count; ++i) CHECK(rows[i]->params_size <= LARGEST_PARAMS);
    }
}

TESTS({"all_parameters_fit", all_parameters_fit}, {"counts_particles", counts_particles},
      {"agrees_with_a_run", agrees_with_a_run}, {"counts_bytes", counts_bytes}, {"warns", warns},
      {"refuses_steps_that_throw", refuses_steps_that_throw},
      {"knows_masses_of_links", knows_masses_of_links}, {"is_silent", is_silent})
