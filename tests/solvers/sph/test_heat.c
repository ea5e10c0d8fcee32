/* Heat in liquids: a step that spreads, two liquids in contact, walls' series, heat that is kept,
 * bodies and surfaces, buoyancy, viscosity by temperature; what is refused. */
#include "scene/loading.h"

#include <mote/bodies.h>

#include <string.h>

static const double pi = 3.14159265358979323846;

static const mote_System *liquid(const Loading *loading, const char *name)
{
    return mote_world_system(loading->world, name);
}

static double height_at(const mote_System *system, size_t i)
{
    return setup_at(system, "position", 1, i);
}

static double kelvin_at(const mote_System *system, size_t i)
{
    return setup_at(system, "temperature", 0, i);
}

/* ---- conduction at rest ---- */

/* 40 particles between floor and lid, 0.2 m apart, D = 1e-4 m^2/s. */
static const char slab[] =
    "{ mote: 1, params: { each: 0.02, below: 320, above: 300, base: 0, lid: 0, k: 418.6,\n"
    "    rho: 1000, flux: 0 },\n"
    "  world: { dimension: 2, fps: '=1/each', max_step: '=each', gravity: [0, 0],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.04, 1] },\n"
    "  systems: [ { name: 'low', solver: { type: 'sph', spacing: 0.005, support: 2.4,\n"
    "      heat: 'conduction', conductivity: 418.6, reference: 300 } },\n"
    "    { name: 'high', solver: { type: 'sph', joins: 'low', rest_density: '=rho',\n"
    "      heat: 'conduction', conductivity: '=k', reference: 300 } } ],\n"
    "  emitters: [ { name: 'a', system: 'low', at: [0.02, 0.05], temperature: '=below', from: {\n"
    "      type: 'fill', spacing: 0.005, shape: { type: 'box', size: [0.04, 0.1, 1] } } },\n"
    "    { name: 'b', system: 'high', at: [0.02, 0.15], temperature: '=above', from: {\n"
    "      type: 'fill', spacing: 0.005, shape: { type: 'box', size: [0.04, 0.1, 1] } } } ],\n"
    "  colliders: [ { name: 'floor', temperature: '=base', flux: '=flux', measure: true,\n"
    "      shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'lid', temperature: '=lid', shape: { type: 'plane', normal: [0, -1] },\n"
    "      motion: { at: [0, 0.2] } } ] }\n";

typedef double Exact(double y, double t);

static double worst_off(const Loading *loading, Exact *exact, double t)
{
    static const char *const names[] = {"low", "high"};
    double worst = 0;
    for (size_t s = 0; s < 2; ++s) {
        const mote_System *system = liquid(loading, names[s]);
        for (size_t i = 0; i < mote_system_count(system); ++i)
            worst = fmax(worst, fabs(kelvin_at(system, i) - exact(height_at(system, i), t)));
    }
    return worst / 20; /* K, between the two */
}

static double erf_step(double y, double t)
{
    return 310 - 10 * erf((y - 0.1) / sqrt(4e-4 * t));
}

/* Explicit up to 0.045 s, implicit beyond. */
static void steps_spread_as_erf(void)
{
    static const struct {
        const char *each;
        double step;
    } ways[] = {{"each=0.02", 0.02}, {"each=0.1", 0.1}};
    for (size_t k = 0; k < COUNT_OF(ways); ++k) {
        const char *const settings[] = {ways[k].each, NULL};
        Loading loading = loading_world_with(slab, settings);
        loading_step(&loading, (int)(4 / ways[k].step + 0.5));
        const double off = worst_off(&loading, erf_step, 4);
        printf("%s: off by %.4f of the step\n", ways[k].each, off);
        CHECK(off < 0.01);
        loading_end(&loading);
    }
}

/* Each at its own temperature up to the contact, (b1 T1 + b2 T2)/(b1 + b2), b = sqrt(k rho c): here
 * 10 to 1 in k and 2 in rho. */
static double contact(double y, double t)
{
    const double b1 = 1, b2 = sqrt(0.1 * 0.5), at = (b1 * 320 + b2 * 300) / (b1 + b2);
    const double spread = sqrt(4 * (y < 0.1 ? 1e-4 : 0.2e-4) * t);
    return at + ((y < 0.1 ? 320 : 300) - at) * erf(fabs(y - 0.1) / spread);
}

static void contacts_have_their_temperature(void)
{
    const char *const settings[] = {"k=41.86", "rho=500", NULL};
    Loading loading = loading_world_with(slab, settings);
    loading_step(&loading, 200);
    const double off = worst_off(&loading, contact, 4);
    printf("contact: off by %.4f of the step\n", off);
    CHECK(off < 0.01);
    loading_end(&loading);
}

/* A floor at 320 K and a lid at 300 K, from 300 K. */
static double series(double y, double t)
{
    double sum = 320 - 20 * y / 0.2;
    for (int n = 1; n < 60; ++n) {
        const double k = n * pi / 0.2;
        sum -= 40 / (n * pi) * sin(k * y) * exp(-k * k * 1e-4 * t);
    }
    return sum;
}

static void walls_warm_as_the_series_says(void)
{
    static const char *const ways[] = {"each=0.02", "each=0.5"};
    static const int steps[] = {1000, 40};
    for (size_t k = 0; k < COUNT_OF(ways); ++k) {
        const char *const settings[] = {ways[k], "below=300", "base=320", "lid=300", NULL};
        Loading loading = loading_world_with(slab, settings);
        loading_step(&loading, steps[k]);
        const double off = worst_off(&loading, series, 20);
        printf("%s: walls, off by %.4f\n", ways[k], off);
        CHECK(off < 0.01);
        loading_end(&loading);
    }
}

static double heat_of(const mote_System *system, double capacity)
{
    double sum = 0;
    for (size_t i = 0; i < mote_system_count(system); ++i)
        sum += setup_at(system, "mass", 0, i) * capacity * (kelvin_at(system, i) - 300);
    return sum;
}

/* A floor that gives q = 41 860 W/m^2 to a depth that the heat does not cross (Carslaw and Jaeger,
 * 2.9): T = 2 q/k sqrt(D t/pi) exp(-y^2/4Dt) - q y/k erfc(y/2 sqrt(D t)). What comes in is the
 * flux, in all; the first two layers, among which it is spread, are not looked at. */
static double heated(double y, double t)
{
    const double s = sqrt(1e-4 * t), x = y / (2 * s);
    return 300 + 100 * (2 * s / sqrt(pi) * exp(-x * x) - y * erfc(x));
}

static void floors_give_their_flux(void)
{
    static const char *const ways[] = {"each=0.02", "each=0.25"};
    static const int steps[] = {500, 40};
    for (size_t k = 0; k < COUNT_OF(ways); ++k) {
        const char *const settings[] = {ways[k], "below=300", "flux=41860", NULL};
        Loading loading = loading_world_with(slab, settings);
        const mote_System *low = liquid(&loading, "low"), *high = liquid(&loading, "high");
        double lost = 0, worst = 0;
        for (int i = 0; i < steps[k]; ++i) {
            mote_ColliderLoad load;
            loading_step(&loading, 1);
            CHECK_OK(mote_world_collider_load(loading.world, "floor", &load, &loading.error),
                     loading.error);
            lost -= load.heat;
        }
        const double wanted = 41860 * 0.04 * 10; /* J per metre, in 10 s */
        const double got = heat_of(low, 4186) + heat_of(high, 4186);
        for (size_t i = 0; i < mote_system_count(low); ++i)
            if (height_at(low, i) > 0.01)
                worst = fmax(worst, fabs(kelvin_at(low, i) - heated(height_at(low, i), 10)));
        printf("%s: flux, %.5f of its heat, off by %.4f\n", ways[k], got / wanted,
               worst / (heated(0, 10) - 300));
        CHECK_NEAR(got / wanted, 1, 5e-3);
        CHECK_NEAR(lost / got, 1, 1e-4); /* columns are rounded: 0.5 of 300 K */
        CHECK(worst / (heated(0, 10) - 300) < 0.01);
        loading_end(&loading);
    }
}

/* ---- heat is kept ---- */

/* Hot liquid falls into cold, beside a hot ball and insulated walls. */
static const char mixing[] =
    "{ mote: 1, params: { p: 'dfsph', ball: 0 }, world: { fps: 50, max_step: 0.01 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05, pressure: '=p',\n"
    "      heat: 'conduction', conductivity: 2e4, reference: 300, expansion: 1e-3 } } ],\n"
    "  emitters: [ { name: 'cold', system: 'water', at: [0, 0.1, 0], from: { type: 'fill',\n"
    "      spacing: 0.05, shape: { type: 'box', size: [0.4, 0.2, 0.4] } } },\n"
    "    { name: 'hot', system: 'water', at: [0, 0.5, 0], temperature: 360, from: { type: 'fill',\n"
    "      spacing: 0.05, shape: { type: 'box', size: [0.2, 0.2, 0.2] } } } ],\n"
    "  bodies: [ { name: 'ball', mass: 2, heat_capacity: 5000, temperature: 400,\n"
    "      heat_transfer: '=ball', shape: { type: 'sphere', radius: 0.08 },\n"
    "      motion: { at: [0.1, 0.35, 0.05] } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box',\n"
    "      size: [0.4, 2, 0.4] } }, motion: { at: [0, 1, 0] } } ] }\n";

static double ball_kelvin(const Loading *loading)
{
    mote_BodyState state;
    mote_Error error;
    SETUP_OK(mote_world_body(loading->world, "ball", &state, &error), error);
    return state.temperature;
}

static void heat_is_kept(void)
{
    static const char *const ways[][2] = {
        {"p=dfsph", "ball=0"}, {"p=wcsph", "ball=0"}, {"p=dfsph", "ball=1"}};
    for (size_t k = 0; k < COUNT_OF(ways); ++k) {
        const char *const settings[] = {ways[k][0], ways[k][1], NULL};
        Loading loading = loading_world_with(mixing, settings);
        const mote_System *water = liquid(&loading, "water");
        loading_step(&loading, 1);
        const double warm = k == 2 ? 5000 * (ball_kelvin(&loading) - 300) : 0;
        const double start = heat_of(water, 4186) + warm;
        loading_step(&loading, 30);
        const double ball = k == 2 ? 5000 * (ball_kelvin(&loading) - 300) : 0;
        const double end = heat_of(water, 4186) + ball;
        printf("%s %s: heat off by %.2g, ball %.4g J\n", ways[k][0], ways[k][1], end / start - 1,
               ball);
        CHECK(fabs(end / start - 1) < 1e-6);
        CHECK(k != 2 || ball_kelvin(&loading) < 395);
        loading_end(&loading);
    }
}

/* ---- surfaces ---- */

/* A pool of 0.4 m^2 in two dimensions: 0.4 m wide, 1 m deep into the page. */
static const char pool[] =
    "{ mote: 1, params: { h: 0, glow: 0 },\n"
    "  world: { dimension: 2, fps: 20, max_step: 0.01, gravity: [0, -9.81],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.4, 1] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.02, support: 2.4,\n"
    "      artificial: 0.2, heat: 'conduction', conductivity: 4e4, reference: 800,\n"
    "      surface_transfer: '=h', emissivity: '=glow', surroundings: 300 } } ],\n"
    "  emitters: [ { name: 'all', system: 'water', at: [0.2, 0.1], from: { type: 'fill',\n"
    "      spacing: 0.02, shape: { type: 'box', size: [0.4, 0.2, 1] } } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] } } ] }\n";

static void surfaces_lose_heat(void)
{
    static const struct {
        const char *set;
        double watts; /* a square metre, at 800 K */
    } ways[] = {{"h=1000", 1000 * 500.0}, {"glow=1", 5.670374419e-8 * (4.096e11 - 8.1e9)}};
    for (size_t k = 0; k < COUNT_OF(ways); ++k) {
        const char *const settings[] = {ways[k].set, NULL};
        Loading loading = loading_world_with(pool, settings);
        loading_step(&loading, 20);
        const double sum = 80 * 4186 * 500.0 - heat_of(liquid(&loading, "water"), 4186);
        printf("%s: %.4g J lost, %.4g J right\n", ways[k].set, sum, ways[k].watts * 0.4);
        CHECK_NEAR(sum / (ways[k].watts * 0.4), 1, 0.06);
        loading_end(&loading);
    }
}

/* ---- viscosity ---- */

/* Between plates at 350 K, of a liquid that is e times thinner there than at 300 K. */
static const char plates[] =
    "{ mote: 1, params: { hot: 350, implicit: 'auto' },\n"
    "  world: { dimension: 2, fps: 250, max_step: 0.004, gravity: [0, 0],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.005, 1] },\n"
    "  systems: [ { name: 'oil', solver: { type: 'sph', spacing: 0.001, viscosity: 0.1,\n"
    "      artificial: 0, support: 2.4, heat: 'conduction', reference: 300, thinning: 2100,\n"
    "      implicit: '=implicit' } } ],\n"
    "  emitters: [ { name: 'all', system: 'oil', temperature: '=hot', at: [0.0025, 0.01], from: {\n"
    "      type: 'fill', spacing: 0.001, shape: { type: 'box', size: [0.005, 0.02, 1] } } } ],\n"
    "  colliders: [ { name: 'low', measure: true, shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'high', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 0.02] },\n"
    "      velocity: [0.1, 0] } ] }\n";

static void hot_oil_is_thin(void)
{
    static const char *const hot[] = {"hot=300", "hot=350"};
    double stress[2];
    for (size_t k = 0; k < 2; ++k) {
        const char *const settings[] = {hot[k], NULL};
        Loading loading = loading_world_with(plates, settings);
        mote_ColliderLoad load;
        loading_step(&loading, 40);
        CHECK_OK(mote_world_collider_load(loading.world, "low", &load, &loading.error),
                 loading.error);
        stress[k] = load.impulse[0] * 250 / 0.005;
        loading_end(&loading);
    }
    printf("stress %.4g Pa at 300 K, %.4g at 350 K\n", stress[0], stress[1]);
    CHECK_NEAR(stress[0] / (1000 * 0.1 * 0.1 / 0.02), 1, 0.02);
    CHECK_NEAR(stress[1] / stress[0], exp(2100 * (1 / 350.0 - 1 / 300.0)), 0.01);
}

/* ---- buoyancy ---- */

/* Warm water below cold water comes up; without expansion it stays. */
static const char rising[] =
    "{ mote: 1, params: { beta: 0.004 },\n"
    "  world: { dimension: 2, fps: 20, max_step: 0.01, gravity: [0, -9.81] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.02, support: 2.4,\n"
    "      heat: 'conduction', reference: 300, expansion: '=beta' } } ],\n"
    "  emitters: [ { name: 'hot', system: 'water', temperature: 350, at: [0, 0.06], from: {\n"
    "      type: 'fill', spacing: 0.02, shape: { type: 'box', size: [0.12, 0.12, 1] } } },\n"
    "    { name: 'cold', system: 'water', at: [0, 0.2], from: { type: 'fill', spacing: 0.02,\n"
    "      shape: { type: 'box', size: [0.4, 0.4, 1] } } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box',\n"
    "      size: [0.4, 3, 2] } }, motion: { at: [0, 1.5] } } ] }\n";

static double warm_height(const char *beta)
{
    const char *const settings[] = {beta, NULL};
    Loading loading = loading_world_with(rising, settings);
    const mote_System *water = liquid(&loading, "water");
    double sum = 0, weight = 0;
    loading_step(&loading, 40);
    for (size_t i = 0; i < mote_system_count(water); ++i) {
        const double warm = kelvin_at(water, i) - 300;
        sum += warm * height_at(water, i), weight += warm;
    }
    loading_end(&loading);
    return sum / weight;
}

static void warm_water_rises(void)
{
    const double with = warm_height("beta=0.004"), without = warm_height("beta=0");
    printf("warm water at %.3f m, without expansion at %.3f m\n", with, without);
    CHECK(with > 0.2 && without < 0.12);
}

/* ---- what is refused ---- */

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"{ mote: 1, systems: [ { name: 'water', solver: { type: 'sph' } } ], emitters: [ { name:"
         " 'e', system: 'water', temperature: 300 } ] }",
         "system water has no temperature"},
        {"{ mote: 1, systems: [ { name: 'water', solver: { type: 'sph', heat: 'conduction' } },"
         " { name: 'oil', solver: { type: 'sph', joins: 'water' } } ] }",
         "solver.heat must be \"conduction\""}};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        Loading loading = loading_good(wrong[i].text);
        CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) != MOTE_OK);
        CHECK_MESSAGE(loading.error, wrong[i].message);
        loading_end(&loading);
    }
    Loading bad = loading_with("{ mote: 1, systems: [ { name: 'water', solver: { type: 'sph', heat:"
                               " 'conduction', capacity: 0 } } ] }",
                               NULL);
    CHECK(bad.status != MOTE_OK);
    CHECK_HOLDS(mote_scene_messages(bad.scene, false), "capacity");
    loading_end(&bad);
}

TESTS({"steps spread as erf", steps_spread_as_erf},
      {"floors give their flux", floors_give_their_flux},
      {"contacts have their temperature", contacts_have_their_temperature},
      {"walls warm as the series says", walls_warm_as_the_series_says},
      {"heat is kept", heat_is_kept}, {"surfaces lose heat", surfaces_lose_heat},
      {"hot oil is thin", hot_oil_is_thin}, {"warm water rises", warm_water_rises},
      {"what does not fit is refused", what_does_not_fit_is_refused})
