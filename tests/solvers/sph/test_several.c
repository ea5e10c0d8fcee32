/* Several liquids: layers at rest, one liquid in two systems, oil that rises through water,
 * Rayleigh-Taylor's instability, exact masses and momentum; what joins what, and what is refused.
 */
#include "scene/loading.h"

#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

static const mote_System *liquid(const Loading *loading, const char *name)
{
    return mote_world_system(loading->world, name);
}

static double total(const mote_System *system, double (*of)(const mote_System *, size_t))
{
    double sum = 0;
    for (size_t i = 0; i < mote_system_count(system); ++i) sum += of(system, i);
    return sum;
}

static double mass_at(const mote_System *system, size_t i)
{
    return setup_at(system, "mass", 0, i);
}

static double height_at(const mote_System *system, size_t i)
{
    return setup_at(system, "position", 1, i);
}

static double mean_height(const mote_System *system)
{
    return total(system, height_at) / (double)mote_system_count(system);
}

static void set(char *text, size_t size, const char *key, const char *value)
{
    snprintf(text, size, "%s=%s", key, value);
}

static const char *const solvers[] = {"wcsph", "dfsph"};

/* ---- layers at rest ---- */

/* A column of both, ten times as heavy below as above. */
static const char layers[] =
    "{ mote: 1, params: { p: 'wcsph' },\n"
    "  world: { dimension: 2, fps: 20, max_step: 0.01, gravity: [0, -9.81],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.48, 3] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.02, pressure: '=p',\n"
    "      artificial: 0.1, support: 3, kernel: 'wendland-c2', mach: 14 } },\n"
    "    { name: 'oil', solver: { type: 'sph', joins: 'water', rest_density: 100 } } ],\n"
    "  emitters: [ { name: 'w', system: 'water', at: [0.24, 0.2], from: { type: 'fill',\n"
    "      spacing: 0.02, shape: { type: 'box', size: [0.48, 0.4, 1] } } },\n"
    "    { name: 'o', system: 'oil', at: [0.24, 0.6], from: { type: 'fill', spacing: 0.02,\n"
    "      shape: { type: 'box', size: [0.48, 0.4, 1] } } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] } } ] }\n";

/* What presses at a height, with the interface at 0.4 m and the surface at 0.8 m. */
static double hydrostatic(double y)
{
    return y > 0.4 ? 100 * g * (0.8 - y) : 100 * g * 0.4 + 1000 * g * (0.4 - y);
}

enum { SLICES = 12, SLICE_FRAMES = 20 };

typedef struct Slices {
    double off[SLICES], count[SLICES];
} Slices;

static void add_slices(const mote_System *system, Slices *slices)
{
    for (size_t i = 0; i < mote_system_count(system); ++i) {
        const double y = height_at(system, i);
        const int k = (int)fmax(0, fmin(SLICES - 1, y / 0.8 * SLICES));
        slices->off[k] += setup_at(system, "pressure", 0, i) - hydrostatic(y);
        slices->count[k] += 1;
    }
}

/* Means over a second: the largest share of the layer's pressure that a slice is off by. Not at the
 * floor, and at the surface, where pressures of one liquid are off, too. */
static double worst_slice(Loading *loading)
{
    Slices slices = {{0}, {0}};
    double worst = 0;
    for (int f = 0; f < SLICE_FRAMES; ++f) {
        loading_step(loading, 1);
        add_slices(liquid(loading, "water"), &slices);
        add_slices(liquid(loading, "oil"), &slices);
    }
    for (int k = 1; k < SLICES - 1; ++k) {
        const double most = k < SLICES / 2 ? hydrostatic(0) : hydrostatic(0.4);
        const double off = fabs(slices.off[k] / slices.count[k]) / most;
        worst = fmax(worst, off);
    }
    return worst;
}

static void light_rests_on_heavy(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    for (size_t k = 0; k < COUNT_OF(solvers); ++k) {
        char text[40];
        const char *const settings[] = {text, NULL};
        set(text, sizeof text, "p", solvers[k]);
        Loading loading = loading_world_with(layers, settings);
        loading_step(&loading, 30);
        const double worst = worst_slice(&loading);
        const mote_System *water = liquid(&loading, "water"), *oil = liquid(&loading, "oil");
        double top = 0, bottom = 1;
        for (size_t i = 0; i < mote_system_count(water); ++i) top = fmax(top, height_at(water, i));
        for (size_t i = 0; i < mote_system_count(oil); ++i)
            bottom = fmin(bottom, height_at(oil, i));
        const double interface = (top + bottom) / 2;
        printf("%s: pressures off by %.4f, water to %.4f m, oil from %.4f m\n", solvers[k], worst,
               top, bottom);
        CHECK(worst < 0.03);
        CHECK(fabs(interface - 0.4) < 0.3 * 0.02);
        CHECK(bottom > top - 0.3 * 0.02);
        loading_end(&loading);
    }
}

/* ---- one liquid in two systems ---- */

/* Two blocks that meet in free space, at right angles. */
static const char clash[] =
    "{ mote: 1, params: { p: 'wcsph', second: 'b', heavy: 1000 },\n"
    "  world: { fps: 50, max_step: 0.01, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'a', solver: { type: 'sph', spacing: 0.05, pressure: '=p' } },\n"
    "    { name: 'b', solver: { type: 'sph', joins: 'a', rest_density: '=heavy' } } ],\n"
    "  emitters: [ { name: 'one', system: 'a', at: [-0.2, 0, 0], velocity: [1, 0.5, 0],\n"
    "      from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.3, 0.3, 0.3] } } "
    "},\n"
    "    { name: 'two', system: '=second', at: [0.15, 0.02, 0], velocity: [-1, 0, 0.3],\n"
    "      from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.3, 0.3, 0.3] } } } "
    "] "
    "}\n";

typedef struct Motion {
    double kinetic, momentum[3], spread; /* spread: mean square of places */
} Motion;

static void add_motion(const mote_System *system, Motion *m)
{
    for (size_t i = 0; i < mote_system_count(system); ++i)
        for (int c = 0; c < 3; ++c) {
            const double v = setup_at(system, "velocity", c, i), mass = mass_at(system, i);
            const double x = setup_at(system, "position", c, i);
            m->kinetic += mass * v * v / 2;
            m->momentum[c] += mass * v;
            m->spread += mass * x * x;
        }
}

static Motion clash_motion(const char *solver, const char *second, const char *heavy, int frames)
{
    char texts[3][40];
    const char *const settings[] = {texts[0], texts[1], texts[2], NULL};
    set(texts[0], sizeof texts[0], "p", solver);
    set(texts[1], sizeof texts[1], "second", second);
    set(texts[2], sizeof texts[2], "heavy", heavy);
    Loading loading = loading_world_with(clash, settings);
    Motion m = {0, {0}, 0};
    loading_step(&loading, frames);
    add_motion(liquid(&loading, "a"), &m);
    add_motion(liquid(&loading, "b"), &m);
    loading_end(&loading);
    return m;
}

static void two_of_one_kind_are_one(void)
{
    static const char *const all[] = {"wcsph", "dfsph", "iisph"};
    for (size_t k = 0; k < COUNT_OF(all); ++k) {
        const Motion one = clash_motion(all[k], "a", "1000", 15);
        const Motion two = clash_motion(all[k], "b", "1000", 15);
        printf("%s: energy %.6g and %.6g J, spread %.6g and %.6g\n", all[k], one.kinetic,
               two.kinetic, one.spread, two.spread);
        CHECK(fabs(two.kinetic / one.kinetic - 1) < 0.01);
        CHECK(fabs(two.spread / one.spread - 1) < 0.01);
    }
}

static void momentum_is_kept_between_liquids(void)
{
    static const char *const all[] = {"wcsph", "dfsph", "iisph"};
    for (size_t k = 0; k < COUNT_OF(all); ++k) {
        const Motion before = clash_motion(all[k], "b", "4000", 1);
        const Motion after = clash_motion(all[k], "b", "4000", 20);
        double off = 0;
        for (int c = 0; c < 3; ++c) off = fmax(off, fabs(after.momentum[c] - before.momentum[c]));
        printf("%s: momentum off by %.2g of %.3g kg m/s\n", all[k], off, fabs(before.momentum[0]));
        CHECK(off < 2e-5 * fabs(before.momentum[0]));
        CHECK(after.kinetic < 0.98 * before.kinetic); /* they did meet */
    }
}

/* ---- oil and water ---- */

static const char swap[] =
    "{ mote: 1, params: { p: 'wcsph', joined: true },\n"
    "  world: { dimension: 2, fps: 20, max_step: 0.01, gravity: [0, -9.81] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.04, pressure: '=p',\n"
    "      support: 2.5, viscosity: 1e-4 } },\n"
    "    { name: 'oil', solver: { type: 'sph', joins: 'water', rest_density: 500,\n"
    "      viscosity: 1e-3 } } ],\n"
    "  emitters: [ { name: 'w', system: 'water', at: [0, 0.6], from: { type: 'fill',\n"
    "      spacing: 0.04, shape: { type: 'box', size: [0.8, 0.4, 1] } } },\n"
    "    { name: 'o', system: 'oil', at: [0, 0.2], from: { type: 'fill', spacing: 0.04,\n"
    "      shape: { type: 'box', size: [0.8, 0.4, 1] } } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box',\n"
    "      size: [0.8, 3, 2] } }, motion: { at: [0, 1.5] } } ] }\n";

/* Oil under water comes up. All that is there at first is there in the end. */
static void oil_rises_through_water(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    static const char *const all[] = {"wcsph", "dfsph", "iisph"};
    for (size_t k = 0; k < COUNT_OF(all); ++k) {
        char text[40];
        const char *const settings[] = {text, NULL};
        set(text, sizeof text, "p", all[k]);
        Loading loading = loading_world_with(swap, settings);
        loading_step(&loading, 100);
        const mote_System *water = liquid(&loading, "water"), *oil = liquid(&loading, "oil");
        printf("%s: oil at %.3f m, water at %.3f m\n", all[k], mean_height(oil),
               mean_height(water));
        CHECK(mean_height(oil) > 0.47 && mean_height(water) < 0.33);
        CHECK_NEAR(total(water, mass_at), 200 * 1.6, 1e-3);
        CHECK_NEAR(total(oil, mass_at), 200 * 0.8, 1e-3);
        loading_end(&loading);
    }
}

/* Oil that falls on water fell through it, and nobody said a word. */
static void oil_stays_on_water(void)
{
    const char *const settings[] = {"emitters.w.at=[0,0.2]", "emitters.o.at=[0,0.9]", "p=dfsph",
                                    NULL};
    Loading loading = loading_world_with(swap, settings);
    loading_step(&loading, 40);
    printf("oil that fell: %.3f m\n", mean_height(liquid(&loading, "oil")));
    CHECK(mean_height(liquid(&loading, "oil")) > 0.55);
    CHECK(mean_height(liquid(&loading, "water")) < 0.25);
    loading_end(&loading);
}

/* ---- friction ---- */

/* Layers of two liquids between plates, of which the upper moves: the stress is the same in both,
 * so that the thin one takes nearly all of the shear. Means of mu would be off by a lot. */
static const char couette[] =
    "{ mote: 1, params: { implicit: 'never', each: 0.0004 },\n"
    "  world: { dimension: 2, fps: '=1/each', max_step: '=each', gravity: [0, 0],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.008, 1] },\n"
    "  systems: [ { name: 'thin', solver: { type: 'sph', spacing: 0.001, viscosity: 0.001,\n"
    "      artificial: 0, support: 3, kernel: 'wendland-c2', implicit: '=implicit', clamp: false "
    "}\n"
    "    }, { name: 'thick', solver: { type: 'sph', joins: 'thin', viscosity: 0.02,\n"
    "      rest_density: 500 } } ],\n"
    "  emitters: [ { name: 'a', system: 'thin', at: [0.004, 0.005], from: { type: 'fill',\n"
    "      spacing: 0.001, shape: { type: 'box', size: [0.008, 0.01, 1] } } },\n"
    "    { name: 'b', system: 'thick', at: [0.004, 0.015], from: { type: 'fill',\n"
    "      spacing: 0.001, shape: { type: 'box', size: [0.008, 0.01, 1] } } } ],\n"
    "  colliders: [ { name: 'low', shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'high', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 0.02] },\n"
    "      velocity: [0.1, 0] } ] }\n";

static double couette_error(const mote_System *system)
{
    const double mu[2] = {0.001 * 1000, 0.02 * 500}, half = 0.01, belt = 0.1;
    const double stress = belt / (half / mu[0] + half / mu[1]);
    double sum = 0;
    const size_t rows = mote_system_count(system);
    for (size_t i = 0; i < rows; ++i) {
        const double y = height_at(system, i);
        const double exact =
            y < half ? stress * y / mu[0] : stress * half / mu[0] + stress * (y - half) / mu[1];
        const double off = setup_at(system, "velocity", 0, i) - exact;
        sum += off * off;
    }
    return sqrt(sum / (double)rows) / belt;
}

static void layers_share_one_stress(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    static const struct {
        const char *implicit, *each;
        int steps;
    } ways[] = {{"implicit=never", "each=0.0004", 300}, {"implicit=always", "each=0.0004", 300}};
    for (size_t k = 0; k < COUNT_OF(ways); ++k) {
        const char *const settings[] = {ways[k].implicit, ways[k].each, NULL};
        Loading loading = loading_world_with(couette, settings);
        loading_step(&loading, ways[k].steps);
        const double thin = couette_error(liquid(&loading, "thin"));
        const double thick = couette_error(liquid(&loading, "thick"));
        printf("%s: off by %.4f and %.4f of the belt\n", ways[k].implicit, thin, thick);
        CHECK(thin < 0.02 && thick < 0.02);
        loading_end(&loading);
    }
}

/* ---- Rayleigh and Taylor ---- */

/* Heavy above light in a full tank, each a wavelength deep, seeded with the mode that grows. */
static const char taylor[] =
    "{ mote: 1, params: { d: 0.025, nu: 1e-3, above: 2000 },\n"
    "  world: { dimension: 2, fps: 100, max_step: 0.005, gravity: [0, -9.81],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [1, 3] },\n"
    "  systems: [ { name: 'light', solver: { type: 'sph', spacing: '=d', pressure: 'wcsph',\n"
    "      mach: 20, viscosity: '=nu', artificial: 0, support: 3, kernel: 'wendland-c2',\n"
    "      wall_viscosity: 0, clamp: false } },\n"
    "    { name: 'heavy', solver: { type: 'sph', joins: 'light', rest_density: '=above',\n"
    "      viscosity: '=nu', wall_viscosity: 0 } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'lid', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 2] } } ] }\n";

typedef struct Taylor {
    Loading loading;
    double spacing, k, gamma;
} Taylor;

static void add_place(const Taylor *t, double x, double y, double height)
{
    const double eta = height * cos(t->k * x), fast = t->gamma * height * exp(-t->k * fabs(y - 1));
    const double side = y > 1 ? 1 : -1;
    mote_System *system = mote_world_system(t->loading.world, y > 1 + eta ? "heavy" : "light");
    setup_particle(system, setup_vec(x, y, 0),
                   setup_vec(side * fast * sin(t->k * x), fast * cos(t->k * x), 0));
}

/* Of the interface: the lower liquid's volume weighted with cos k x. */
static double amplitude(const Taylor *t)
{
    const mote_System *light = liquid(&t->loading, "light");
    double sum = 0;
    for (size_t i = 0; i < mote_system_count(light); ++i)
        sum += cos(t->k * setup_at(light, "position", 0, i));
    return 2 * t->spacing * t->spacing * sum;
}

static Taylor open_taylor(int across, const char *above)
{
    const double nu = 1e-3;
    char texts[2][40];
    const char *const settings[] = {texts[0], texts[1], NULL};
    Taylor t = {.spacing = 1.0 / across, .k = 2 * pi};
    t.gamma = sqrt(g * t.k / 3 + nu * nu * pow(t.k, 4)) - nu * t.k * t.k;
    set(texts[0], sizeof texts[0], "above", above);
    snprintf(texts[1], sizeof texts[1], "d=%.9g", t.spacing);
    t.loading = loading_world_with(taylor, settings);
    for (int i = 0; i < 2 * across * across; ++i)
        add_place(&t, (i % across + 0.5) * t.spacing, (i / across + 0.5) * t.spacing, 0.015);
    return t;
}

/* From 0.02 to 0.1 wavelengths, over sqrt(A g k + nu^2 k^4) - nu k^2. A liquid at rest is a glass
 * that holds hundredths of its pressure as shear, which takes a seventh of the rate whatever the
 * spacing and the solver; without volumes, or with mu for nu, it would be another rate altogether.
 */
static void heavy_fingers_grow(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Taylor t = open_taylor(40, "2000");
    double from = 0, to = 0, before = amplitude(&t);
    for (int f = 1; f < 100 && to == 0; ++f) {
        loading_step(&t.loading, 1);
        const double now = amplitude(&t), at = f * 0.01;
        if (from == 0 && now > 0.02) from = at - 0.01 * (now - 0.02) / (now - before);
        if (now > 0.1) to = at - 0.01 * (now - 0.1) / (now - before);
        before = now;
    }
    const double rate = log(5) / (to - from) / t.gamma;
    printf("grows at %.3f of the rate\n", rate);
    CHECK(rate > 0.8 && rate < 1.05);
    loading_end(&t.loading);
}

/* The other way round it swings back. */
static void light_fingers_go_back(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Taylor t = open_taylor(24, "500");
    double most = 0;
    for (int f = 0; f < 40; ++f) {
        loading_step(&t.loading, 1);
        most = fmax(most, amplitude(&t));
    }
    printf("light above: at most %.4f, %.4f in the end\n", most, amplitude(&t));
    CHECK(most < 0.025 && amplitude(&t) < 0.015); /* heavy above it is 0.07 by then */
    loading_end(&t.loading);
}

/* ---- who joins whom ---- */

#define TWO(first, second)                                                                         \
    "{ mote: 1, world: { fps: 50, max_step: 0.01 }, systems: [ { name: 'water', solver: { "        \
    "type: 'sph', spacing: 0.05" first " } }, { name: 'oil', solver: { type: 'sph'" second         \
    " } } ],\n  emitters: [ { name: 'w', system: 'water', at: [0, 0.2, 0], from: { type: 'fill', " \
    "spacing: 0.05, shape: { type: 'box', size: [0.4, 0.4, 0.4] } } },\n"                          \
    "   { name: 'o', system: 'oil', at: [0, 0.5, 0], from: { type: 'fill', spacing: 0.05, "        \
    "shape: { type: 'box', size: [0.4, 0.4, 0.4] } } } ],\n"                                       \
    "  colliders: [ { name: 'floor', shape: { type: 'plane' } } ] }\n"

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {TWO("", ", joins: 'water', spacing: 0.03"), "solver.spacing is that of system water"},
        {TWO("", ", joins: 'water', pressure: 'wcsph'"), "solver.pressure is that of system water"},
        {TWO("", ", joins: 'water', rest_density: 1.2"), "leave out air"},
        {"{ mote: 1, systems: [ { name: 'dust' }, { name: 'oil', solver: { type: 'sph', joins:"
         " 'dust' } } ] }",
         "can join one of solver sph, but that of system dust is points"},
        {"{ mote: 1, systems: [ { name: 'water', solver: { type: 'sph' } }, { name: 'dye',"
         " solver: { type: 'tracers', of: 'water' } } ] }",
         "can join one of solver vortex, but that of system water is sph"}};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        Loading loading = loading_good(wrong[i].text);
        CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) != MOTE_OK);
        CHECK_MESSAGE(loading.error, wrong[i].message);
        loading_end(&loading);
    }
}

/* Walls are felt by all together. */
static void walls_of_one_alone_are_refused(void)
{
    const char *const settings[] = {"colliders.floor.systems=['water']", NULL};
    Loading loading = loading_world_with(TWO("", ", joins: 'water'"), settings);
    mote_StepReport report;
    CHECK(mote_world_step(loading.world, &report, &loading.error) != MOTE_OK);
    CHECK_MESSAGE(loading.error, "the same colliders must act on both");
    loading_end(&loading);
}

/* Half of the second block is where the first one is: joined, that half is left out. */
static void what_would_overlap_is_left_out(void)
{
    Loading loading = loading_world(TWO("", ", joins: 'water'"));
    const mote_StepReport report = setup_step(loading.world);
    CHECK(mote_system_count(liquid(&loading, "water")) == 512);
    CHECK(mote_system_count(liquid(&loading, "oil")) == 384);
    CHECK(report.left_out == 128);
    loading_end(&loading);
}

static void forecasts_say_who_is_a_stranger(void)
{
    static const struct {
        const char *text, *line;
    } scenes[] = {{TWO("", ", spacing: 0.05"), "do not feel each other"},
                  {TWO("", ", spacing: 0.05"), "joins: \"water\""},
                  {TWO("", ", joins: 'water'"), "what the second one adds there is left out"}};
    for (size_t i = 0; i < COUNT_OF(scenes); ++i) {
        Loading loading = loading_good(scenes[i].text);
        mote_SceneForecast forecast;
        SETUP_OK(mote_scene_forecast(loading.scene, &forecast, &loading.error), loading.error);
        CHECK_HOLDS(forecast.warnings, scenes[i].line);
        CHECK(i < 2 || strstr(forecast.warnings, "do not feel") == NULL);
        CHECK(strstr(forecast.warnings, "spacing is") == NULL);
        loading_end(&loading);
    }
}

/* A system that leaves takes its liquid with it, and the others go on. */
static void systems_may_leave(void)
{
    Loading loading = loading_world(TWO("", ", joins: 'water', rest_density: 500"));
    loading_step(&loading, 2);
    CHECK(mote_world_remove(loading.world, MOTE_KIND_SYSTEM, "water", &loading.error) != MOTE_OK);
    CHECK_OK(mote_world_remove(loading.world, MOTE_KIND_EMITTER, "o", &loading.error),
             loading.error);
    CHECK_OK(mote_world_remove(loading.world, MOTE_KIND_SYSTEM, "oil", &loading.error),
             loading.error);
    loading_step(&loading, 2);
    CHECK(mote_system_count(liquid(&loading, "water")) == 512);
    loading_end(&loading);
}

TESTS({"light rests on heavy", light_rests_on_heavy},
      {"two of one kind are one", two_of_one_kind_are_one},
      {"momentum is kept between liquids", momentum_is_kept_between_liquids},
      {"oil rises through water", oil_rises_through_water},
      {"oil stays on water", oil_stays_on_water},
      {"layers share one stress", layers_share_one_stress},
      {"heavy fingers grow", heavy_fingers_grow}, {"light fingers go back", light_fingers_go_back},
      {"what does not fit is refused", what_does_not_fit_is_refused},
      {"walls of one alone are refused", walls_of_one_alone_are_refused},
      {"what would overlap is left out", what_would_overlap_is_left_out},
      {"forecasts say who is a stranger", forecasts_say_who_is_a_stranger},
      {"systems may leave", systems_may_leave})
