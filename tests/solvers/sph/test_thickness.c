/* Viscosity by a table of temperatures: between its points, between plates that are both at one
 * temperature, and where it changes across; what is refused, and where. */
#include "scene/loading.h"

#include "solvers/sph/sph.h"

/* Three points over two decades, unevenly: linear, or linear in 1/T, would be something else. */
#define POINTS "[[300, 0.2], [340, 0.05], [400, 0.002]]"

static double exact(double kelvin)
{
    static const double at[] = {300, 340, 400}, nu[] = {0.2, 0.05, 0.002};
    if (kelvin <= at[0]) return nu[0];
    if (kelvin >= at[2]) return nu[2];
    const int i = kelvin > at[1];
    return nu[i] * pow(nu[i + 1] / nu[i], (kelvin - at[i]) / (at[i + 1] - at[i]));
}

/* ---- between points ---- */

static const ViscosityRow *laminar(void)
{
    size_t count;
    const mote_Row *const *rows = viscosity_rows(ISA_V1, &count);
    return (const ViscosityRow *)row_named(rows, count, "morris");
}

static void logarithms_are_linear(void)
{
    static const double looked[] = {1, 250, 300, 310, 339, 340, 341, 370, 399.5, 400, 1000};
    SphState state = {.viscosity = laminar()};
    SphMember member = {.heat = mote_liquid_heat_def(), .viscosity = 7};
    mote_Error error;
    member.heat.reference = 320;
    member.heat.viscosities = (mote_Table){3, {300, 340, 400}, {0.2, 0.05, 0.002}};
    CHECK_OK(sph_take_thickness(&state, &member, &error), error);
    CHECK(state.thins);
    CHECK_NEAR((double)member.viscosity / exact(320), 1, 1e-6);
    for (size_t i = 0; i < COUNT_OF(looked); ++i)
        CHECK_NEAR(sph_thickness(&member, looked[i]) * exact(320) / exact(looked[i]), 1, 1e-12);
}

/* ---- between plates ---- */

/* 0.02 m apart, the upper one at 0.1 m/s; `viscosity` is not what counts. */
static const char plates[] =
    "{ mote: 1, params: { kelvin: 300 },\n"
    "  world: { dimension: 2, fps: 250, max_step: 0.004, gravity: [0, 0],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.005, 1] },\n"
    "  systems: [ { name: 'oil', solver: { type: 'sph', spacing: 0.001, viscosity: 3,\n"
    "      artificial: 0, support: 2.4, heat: 'conduction', conductivity: 0, reference: 320,\n"
    "      viscosities: " POINTS " } } ],\n"
    "  emitters: [ { name: 'all', system: 'oil', temperature: '=kelvin', at: [0.0025, 0.01],\n"
    "      from: { type: 'fill', spacing: 0.001, shape: { type: 'box', size: [0.005, 0.02, 1] } }\n"
    "    } ],\n"
    "  colliders: [ { name: 'low', measure: true, shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'high', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 0.02] },\n"
    "      velocity: [0.1, 0] } ] }\n";

static double stress_of(Loading *loading)
{
    mote_ColliderLoad load;
    loading_step(loading, 1);
    CHECK_OK(mote_world_collider_load(loading->world, "low", &load, &loading->error),
             loading->error);
    return load.impulse[0] * 250 / 0.005;
}

/* tau = rho nu U / L, of three temperatures: a point, and between two. */
static void shear_goes_by_the_table(void)
{
    static const double kelvins[] = {300, 325, 365};
    for (size_t k = 0; k < COUNT_OF(kelvins); ++k) {
        char setting[32];
        const char *const settings[] = {setting, NULL};
        snprintf(setting, sizeof setting, "kelvin=%g", kelvins[k]);
        Loading loading = loading_world_with(plates, settings);
        loading_step(&loading, 60); /* L^2 / nu is 10 frames at 365 K */
        const double stress = stress_of(&loading);
        printf("%g K: %.4g Pa, %.4g right\n", kelvins[k], stress, 5000 * exact(kelvins[k]));
        CHECK_NEAR(stress / (5000 * exact(kelvins[k])), 1, 0.02);
        loading_end(&loading);
    }
}

/* Moves them by up to so much along both axes, at random. */
static void displace(mote_System *oil, double most)
{
    uint32_t random = 12345;
    for (int c = 0; c < 2; ++c)
        for (size_t i = 0; i < mote_system_count(oil); ++i) {
            random = random * 1664525u + 1013904223u;
            setup_reals(oil, "position", c)[i] +=
                (mote_real)(most * ((random >> 8) / 8388608.0 - 1));
        }
}

static double mean_pressure(mote_System *oil)
{
    const size_t rows = mote_system_count(oil);
    double sum = 0;
    for (size_t i = 0; i < rows; ++i) sum += setup_at(oil, "pressure", 0, i) / (double)rows;
    return sum;
}

/* Rows that are no lattice: a full box's pressures are known but for a constant, which would act on
 * them. It stays 0, stresses are what they were, and no energy comes from it. */
static void disorder_feeds_nothing(void)
{
    static const double displaced[] = {1e-6, 1e-5, 5e-5};
    for (size_t k = 0; k < COUNT_OF(displaced); ++k) {
        Loading loading = loading_world(plates);
        mote_System *oil = mote_world_system(loading.world, "oil");
        double worst = 0, most = 0;
        loading_step(&loading, 1);
        displace(oil, displaced[k]);
        loading_step(&loading, 20);
        for (int frame = 0; frame < 60; ++frame) {
            worst = fmax(worst, fabs(stress_of(&loading) / 1000 - 1));
            most = fmax(most, fabs(mean_pressure(oil)));
        }
        printf("displaced by %g spacings: stress off by %.4f, mean pressure %.2g Pa\n",
               displaced[k] / 0.001, worst, most);
        CHECK(worst < 0.02);
        CHECK(most < 1e-3);
        loading_end(&loading);
    }
}

/* The share of the plates' speed at a height: stresses are the same everywhere, so that du/dy goes
 * with 1 / nu. */
static double kelvin_at(double y)
{
    return 310 + 60 * y / 0.02;
}

static double resistance(double y)
{
    enum { STEPS = 2000 };
    double sum = 0;
    for (int i = 0; i < STEPS; ++i) sum += y / STEPS / exact(kelvin_at((i + 0.5) * y / STEPS));
    return sum;
}

static void warm_layers_shear_more(void)
{
    Loading loading = loading_world(plates);
    mote_System *oil = mote_world_system(loading.world, "oil");
    double worst = 0;
    loading_step(&loading, 1);
    for (size_t i = 0; i < mote_system_count(oil); ++i)
        setup_reals(oil, "temperature", 0)[i] =
            (mote_real)kelvin_at(setup_at(oil, "position", 1, i));
    loading_step(&loading, 99);
    const double stress = stress_of(&loading), right = 1000 * 0.1 / resistance(0.02);
    for (size_t i = 0; i < mote_system_count(oil); ++i) {
        const double y = setup_at(oil, "position", 1, i);
        const double u = 0.1 * resistance(y) / resistance(0.02);
        worst = fmax(worst, fabs(setup_at(oil, "velocity", 0, i) - u) / 0.1);
    }
    printf("stress %.4g Pa, %.4g right; speeds off by %.4f\n", stress, right, worst);
    CHECK_NEAR(stress / right, 1, 0.02);
    CHECK(worst < 0.02);
    loading_end(&loading);
}

/* ---- what is refused ---- */

static void bad_tables_are_told_where_they_are(void)
{
    static const struct {
        const char *points, *messages[2];
    } wrong[] = {
        {"[[300, 0.2],\n[340, 0]]", {":2:", "viscosities is 0 at 340, but must be greater than 0"}},
        {"[[300, 0.2],\n[340, 0.1],\n[340, 0.05]]", {":3:", "behind that at 340"}},
        {"[[300, 0.2],\n340]", {":2:", "expected a point, [x, y]"}},
        {"[[300, 0.2, 1]]", {":1:", "found a list of 3"}},
        {"[[300, '=t']]", {":1:", "must be constant"}},
        {"[]", {":1:", "points, [[x, y], ...]"}},
        {"0.1", {":1:", "points, [[x, y], ...]"}}};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        char text[300];
        snprintf(text, sizeof text,
                 "{ mote: 1, systems: [ { name: 'oil', solver: { type: 'sph', heat: 'conduction', "
                 "viscosities: %s } } ] }",
                 wrong[i].points);
        Loading loading = loading_with(text, NULL);
        CHECK(loading.status != MOTE_OK);
        for (int k = 0; k < 2; ++k)
            CHECK_HOLDS(mote_scene_messages(loading.scene, false), wrong[i].messages[k]);
        loading_end(&loading);
    }
}

static void two_laws_are_one_too_many(void)
{
    Loading loading =
        loading_good("{ mote: 1, systems: [ { name: 'oil', solver: { type: 'sph', "
                     "heat: 'conduction', thinning: 100, viscosities: " POINTS " } } ] }");
    CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) != MOTE_OK);
    CHECK_MESSAGE(loading.error, "leave one of them out");
    loading_end(&loading);
}

/* In C nobody has looked at the table before. */
static void definitions_are_checked(void)
{
    size_t count;
    const mote_Row *row = row_named(heat_rows(ISA_V1, &count), 2, "conduction");
    mote_LiquidHeat heat = mote_liquid_heat_def();
    mote_Error error;
    CHECK(heat.viscosities.count == 0);
    CHECK_OK(mote_row_check(row, "oil", &heat, &error), error);
    heat.viscosities = (mote_Table){2, {300, 290}, {1, 1}};
    CHECK(mote_row_check(row, "oil", &heat, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "oil: viscosities has a point at 290 behind that at 300");
    heat.viscosities = (mote_Table){.count = MOTE_TABLE_POINTS + 1};
    CHECK(mote_row_check(row, "oil", &heat, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "32 are the most");
}

TESTS({"logarithms are linear", logarithms_are_linear},
      {"shear goes by the table", shear_goes_by_the_table},
      {"disorder feeds nothing", disorder_feeds_nothing},
      {"warm layers shear more", warm_layers_shear_more},
      {"bad tables are told where they are", bad_tables_are_told_where_they_are},
      {"two laws are one too many", two_laws_are_one_too_many},
      {"definitions are checked", definitions_are_checked})
