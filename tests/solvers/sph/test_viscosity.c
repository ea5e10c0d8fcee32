/* Implicit friction: flows between plates in sub-steps of hundreds of explicit limits, the same
 * viscosity in every direction of a lattice, free fall and turning, walls that get what the liquid
 * loses, honey that stays, same bits. */
#include "scene/loading.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- between plates ---- */

/* 20 particles across L = 0.02 m; speeds up to 0.1 m/s. */
static const double width = 0.02, fastest = 0.1;

static const char plates[] =
    "{ mote: 1, params: { nu: 1, pull: 0, belt: 0, each: 0.004 },\n"
    "  world: { dimension: 2, fps: '=1/each', max_step: '=each', gravity: ['=pull', 0],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [0.005, 1] },\n"
    "  systems: [ { name: 'honey', solver: { type: 'sph', spacing: 0.001, viscosity: '=nu',\n"
    "    artificial: 0, support: 2.4 } } ],\n"
    "  emitters: [ { name: 'all', system: 'honey', at: [0.0025, 0.01], from: { type: 'fill',\n"
    "    spacing: 0.001, shape: { type: 'box', size: [0.005, 0.02, 1] } } } ],\n"
    "  colliders: [ { name: 'low', shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'high', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 0.02] },\n"
    "      velocity: ['=belt', 0] } ] }\n";

static Loading open_plates(double nu, double pull, double belt, double step)
{
    char texts[4][40];
    const char *const settings[] = {texts[0], texts[1], texts[2], texts[3], NULL};
    snprintf(texts[0], sizeof texts[0], "nu=%.9g", nu);
    snprintf(texts[1], sizeof texts[1], "pull=%.9g", pull);
    snprintf(texts[2], sizeof texts[2], "belt=%.9g", belt);
    snprintf(texts[3], sizeof texts[3], "each=%.9g", step);
    return loading_world_with(plates, settings);
}

/* t in L^2 / nu. */
static double poiseuille(double y, double t)
{
    double sum = 4 * fastest * y * (width - y) / (width * width);
    for (int n = 0; n < 30; ++n) {
        double k = (2 * n + 1) * pi;
        sum -= 32 * fastest / (k * k * k) * sin(k * y / width) * exp(-k * k * t);
    }
    return sum;
}

static double couette(double y, double t)
{
    double sum = fastest * y / width;
    for (int n = 1; n < 60; ++n)
        sum += 2 * fastest / (n * pi) * (n % 2 == 0 ? 1 : -1) * sin(n * pi * y / width) *
               exp(-n * n * pi * pi * t);
    return sum;
}

static double profile_error(const Loading *loading, double (*exact)(double, double), double t)
{
    const mote_System *honey = mote_world_system(loading->world, "honey");
    const size_t rows = mote_system_count(honey);
    double sum = 0;
    CHECK(rows == 100);
    for (size_t i = 0; i < rows; ++i) {
        double off =
            setup_at(honey, "velocity", 0, i) - exact(setup_at(honey, "position", 1, i), t);
        sum += off * off;
    }
    return sqrt(sum / (double)rows) / fastest;
}

/* Steady profiles; explicit friction would need sub-steps of 0.125 h^2 / nu, h = 1.2 mm. */
static void thick_liquids_flow_between_plates(void)
{
    static const double thick[] = {1e-2, 0.1, 1, 10};
    for (size_t i = 0; i < COUNT_OF(thick); ++i) {
        const double nu = thick[i], whole = width * width / nu, limit = 0.125 * 1.44e-6 / nu;
        Loading driven = open_plates(nu, 8 * nu * fastest / (width * width), 0, 0.004);
        Loading dragged = open_plates(nu, 0, fastest, 0.004);
        double shortest = 1;
        for (double t = 0; t < fmax(whole, 0.02); t += 0.004) {
            shortest = fmin(shortest, setup_step(driven.world).shortest);
            shortest = fmin(shortest, setup_step(dragged.world).shortest);
        }
        double errors[2] = {profile_error(&driven, poiseuille, 10),
                            profile_error(&dragged, couette, 10)};
        printf("nu %g: off by %.4f and %.4f, sub-steps of %.0f limits\n", nu, errors[0], errors[1],
               shortest / limit);
        CHECK(shortest > 100 * limit);
        CHECK(errors[0] < 0.02 && errors[1] < 0.02);
        loading_end(&driven);
        loading_end(&dragged);
    }
}

/* From rest, in sub-steps of 0.01 L^2 / nu: within 3 % at a tenth of L^2 / nu. */
static void flows_start_in_time(void)
{
    const double nu = 0.1, step = 0.01 * width * width / nu;
    Loading driven = open_plates(nu, 8 * nu * fastest / (width * width), 0, step);
    Loading dragged = open_plates(nu, 0, fastest, step);
    loading_step(&driven, 10);
    loading_step(&dragged, 10);
    double errors[2] = {profile_error(&driven, poiseuille, 0.1),
                        profile_error(&dragged, couette, 0.1)};
    printf("start-up off by %.4f and %.4f\n", errors[0], errors[1]);
    CHECK(errors[0] < 0.03 && errors[1] < 0.03);
    loading_end(&driven);
    loading_end(&dragged);
}

/* ---- directions ---- */

/* The viscosity that a shear wave along (a, b) of the lattice feels, over nu: velocities across it
 * shrink by 1 / (1 + nu k^2 dt) in a sub-step. */
static double felt(const char *model, double support, int a, int b)
{
    enum { SIDE = 32, DEEP = 6 };
    static const char text[] =
        "{ mote: 1, world: { fps: 1, max_step: 1, gravity: [0, 0, 0], periodic_x: true,\n"
        "    periodic_y: true, periodic_z: true, box_min: [0, 0, 0], box_max: [32, 32, 6] },\n"
        "  systems: [ { name: 'honey', solver: { type: 'sph', spacing: 1, viscosity: 2,\n"
        "    artificial: 0, clamp: false, implicit: 'always', viscosity_error: 1e-6 } } ] }\n";
    char texts[2][64];
    const char *const settings[] = {texts[0], texts[1], NULL};
    snprintf(texts[0], sizeof texts[0], "systems.honey.solver.viscosity_model=%s", model);
    snprintf(texts[1], sizeof texts[1], "systems.honey.solver.support=%g", support);
    Loading loading = loading_world_with(text, settings);
    mote_System *honey = mote_world_system(loading.world, "honey");
    const double k0 = 2 * pi / SIDE, k = k0 * sqrt(a * a + b * b), size = 1e-3;
    for (int i = 0; i < SIDE * SIDE * DEEP; ++i) {
        const double x = i % SIDE + 0.5, y = i / SIDE % SIDE + 0.5,
                     s = size * sin(k0 * (a * x + b * y));
        setup_particle(honey, setup_vec(x, y, i / SIDE / SIDE + 0.5),
                       setup_vec(-s * b * k0 / k, s * a * k0 / k, 0));
    }
    mote_StepReport report = setup_step(loading.world);
    CHECK(report.substeps == 1);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < SIDE * SIDE * DEEP; ++i) {
        const double v =
            setup_at(honey, "velocity", 1, i) * a - setup_at(honey, "velocity", 0, i) * b;
        const double s = sin(
            k0 * (a * setup_at(honey, "position", 0, i) + b * setup_at(honey, "position", 1, i)));
        sum += v * s, squares += s * s;
    }
    loading_end(&loading);
    return (size * k / k0 / (sum / squares) - 1) / (2 * k * k);
}

/* At 0, 27 and 45 degrees. Along pairs, few neighbours are too few directions: which is what
 * `mote check` warns of. */
static void viscosity_is_the_same_in_all_directions(void)
{
    static const int ways[][2] = {{1, 0}, {2, 1}, {1, 1}};
    for (size_t i = 0; i < COUNT_OF(ways); ++i) {
        const int a = ways[i][0], b = ways[i][1];
        double central = felt("monaghan", 3, a, b), morris = felt("morris", 2.4, a, b);
        printf("along (%d, %d): monaghan %.3f, morris %.3f\n", a, b, central, morris);
        CHECK_NEAR(central, 1, 0.06);
        CHECK_NEAR(morris, 1, 0.06);
    }
    CHECK(felt("monaghan", 2, 1, 0) < 0.8 || felt("monaghan", 2, 1, 1) > 1.2);
}

/* ---- free lumps ---- */

/* Friction between parts that fall alike is nothing, to rounding. */
static void blocks_fall_freely(void)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 100, max_step: 0.01 },\n"
        "  systems: [ { name: 'honey', solver: { type: 'sph', spacing: 0.05, viscosity: 10,\n"
        "    artificial: 0 } } ],\n"
        "  emitters: [ { name: 'all', system: 'honey', from: { type: 'fill', spacing: 0.05,\n"
        "    shape: { type: 'box', size: [0.3, 0.3, 0.3] } } } ] }\n";
    Loading loading = loading_world_with(text, NULL);
    const mote_System *honey = mote_world_system(loading.world, "honey");
    loading_step(&loading, 10);
    for (size_t i = 0; i < mote_system_count(honey); ++i) {
        CHECK_NEAR(setup_at(honey, "velocity", 1, i) / -0.981, 1, 2e-6);
        CHECK_NEAR(setup_at(honey, "velocity", 0, i), 0, 1e-6);
    }
    loading_end(&loading);
}

/* Angular momentum that a disc has lost after a turn, as a share; it turns once a second. */
static double lost_in_a_turn(const char *model)
{
    static const char text[] =
        "{ mote: 1, world: { dimension: 2, fps: 50, max_step: 0.02, gravity: [0, 0] },\n"
        "  systems: [ { name: 'honey', solver: { type: 'sph', spacing: 0.05, viscosity: 1,\n"
        "    artificial: 0, support: 3, clamp: false } } ] }\n";
    char setting[64];
    const char *const settings[] = {setting, NULL};
    snprintf(setting, sizeof setting, "systems.honey.solver.viscosity_model=%s", model);
    Loading loading = loading_world_with(text, settings);
    mote_System *honey = mote_world_system(loading.world, "honey");
    double momenta[2] = {0, 0};
    for (int i = 0; i < 400; ++i) {
        const double x = 0.05 * (i % 20 - 9.5), y = 0.05 * (i / 20 - 9.5);
        if (x * x + y * y < 0.16)
            setup_particle(honey, setup_vec(x, y, 0), setup_vec(-2 * pi * y, 2 * pi * x, 0));
    }
    for (int turn = 0; turn < 2; ++turn) {
        for (size_t i = 0; i < mote_system_count(honey); ++i)
            momenta[turn] += setup_at(honey, "position", 0, i) * setup_at(honey, "velocity", 1, i) -
                             setup_at(honey, "position", 1, i) * setup_at(honey, "velocity", 0, i);
        if (turn == 0) loading_step(&loading, 50);
    }
    loading_end(&loading);
    return 1 - momenta[1] / momenta[0];
}

static void discs_go_on_turning(void)
{
    double central = lost_in_a_turn("monaghan"), along = lost_in_a_turn("morris");
    printf("lost in a turn: %.2e, by Morris's form %.2e\n", central, along);
    CHECK_NEAR(central, 0, 1e-5);
    CHECK(fabs(along) > 1e-3);
}

/* ---- walls ---- */

/* Honey in a glass, 0.2 m wide, with a lid of air. */
static const char glass[] =
    "{ mote: 1, params: { speed: 0 },\n"
    "  world: { dimension: 2, fps: 50, max_step: 0.02 },\n"
    "  systems: [ { name: 'honey', solver: { type: 'sph', spacing: 0.02, viscosity: 0.5,\n"
    "    artificial: 0 } } ],\n"
    "  emitters: [ { name: 'all', system: 'honey', at: [0, 0.1], from: { type: 'fill',\n"
    "    spacing: 0.02, shape: { type: 'box', size: [0.2, 0.2, 1] } },\n"
    "    velocity: ['=speed', 0] } ],\n"
    "  colliders: [ { name: 'glass', measure: true, shape: { type: 'inverted', shape: {\n"
    "    type: 'box', size: [0.2, 1, 1] } }, motion: { at: [0, 0.5] } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'honey' } ] }\n";

/* Weight and walls together change the momentum. */
static void walls_get_what_thick_liquids_lose(void)
{
    for (int p = 0; p < 3; ++p) {
        static const char *const pressures[] = {"dfsph", "wcsph", "iisph"};
        char setting[64];
        const char *const all[] = {"speed=0.3", setting, NULL};
        snprintf(setting, sizeof setting, "systems.honey.solver.pressure=%s", pressures[p]);
        Loading loading = loading_world_with(glass, all);
        const mote_System *honey = mote_world_system(loading.world, "honey");
        double before[2] = {0, 0}, after[2] = {0, 0}, impulse[2] = {0, 0};
        const double mass = 1000 * 0.2 * 0.2;
        before[0] = mass * 0.3;
        for (int frame = 0; frame < 5; ++frame) {
            mote_ColliderLoad load;
            setup_step(loading.world);
            SETUP_OK(mote_world_collider_load(loading.world, "glass", &load, &loading.error),
                     loading.error);
            for (int c = 0; c < 2; ++c) impulse[c] += load.impulse[c];
        }
        for (size_t i = 0; i < mote_system_count(honey); ++i)
            for (int c = 0; c < 2; ++c) after[c] += 0.4 * setup_at(honey, "velocity", c, i);
        const double weight = mass * 9.81 * 0.1;
        CHECK_NEAR(after[0] + impulse[0], before[0], 1e-3 * weight);
        CHECK_NEAR(after[1] + impulse[1], -weight, 1e-3 * weight);
        loading_end(&loading);
    }
}

/* What is at rest stays so: neither gravity nor pressures make a flow that friction alone sees. */
static void honey_stays_at_rest(void)
{
    Loading loading = loading_world_with(glass, NULL);
    loading_step(&loading, 50);
    mote_ProbeSamples samples = mote_world_probe(loading.world, 0);
    const double *last = samples.values + (samples.count - 1) * samples.column_count;
    printf("kinetic energy %.2e of m g h\n", last[8] / (40 * 9.81 * 0.2));
    CHECK(last[8] < 1e-6 * 40 * 9.81 * 0.2);
    CHECK_NEAR(last[3], 0.1, 0.002); /* height of the middle */
    loading_end(&loading);
}

/* ---- births ---- */

/* Layers of a jet are born between sub-steps, so that some of these are slivers. Their pressures
 * are blows, and must not be taken for what holds the next, longer sub-step. */
static void jets_do_not_burst(void)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 300, max_step: 0.004 },\n"
        "  systems: [ { name: 'honey', solver: { type: 'sph', spacing: 0.0025, viscosity: 0.007,\n"
        "    viscosity_model: 'monaghan', support: 3, artificial: 0 } } ],\n"
        "  emitters: [ { name: 'spout', system: 'honey', at: [0, 0.1, 0], velocity: [0, -0.25, "
        "0],\n"
        "    from: { type: 'inflow', spacing: 0.0025, radius: 0.006 } } ],\n"
        "  colliders: [ { name: 'floor', shape: { type: 'plane', offset: 0.014 } } ] }\n";
    Loading loading = loading_world_with(text, NULL);
    for (int frame = 0; frame < 80; ++frame) {
        mote_StepReport report = setup_step(loading.world);
        const double fall = (double)report.particles * 1000 * 0.0025 * 0.0025 * 0.0025 *
                            (0.25 * 0.25 / 2 + 9.81 * 0.1);
        CHECK(report.kinetic < fall);
    }
    loading_end(&loading);
}

/* ---- same bits ---- */

static uint64_t hash_with(int threads, bool reload)
{
    const char *const settings[] = {"speed=0.3", reload ? "world.reload_always=true" : NULL, NULL};
    Loading loading = loading_with(glass, settings);
    mote_Tasks *tasks = threads > 0 ? setup_tasks(threads) : NULL;
    SETUP_OK(mote_scene_world(loading.scene, tasks, &loading.world, &loading.error), loading.error);
    loading_step(&loading, 5);
    uint64_t hash = mote_frame_hash(mote_world_frame(loading.world));
    loading_end(&loading);
    mote_tasks_destroy(tasks);
    return hash;
}

static void threads_and_reloads_change_nothing(void)
{
    const uint64_t hash = hash_with(0, false);
    CHECK(hash_with(1, false) == hash && hash_with(2, false) == hash);
    CHECK(hash_with(3, false) == hash && hash_with(8, false) == hash);
    CHECK(hash_with(2, true) == hash);
}

TESTS({"thick liquids flow between plates", thick_liquids_flow_between_plates},
      {"flows start in time", flows_start_in_time},
      {"viscosity is the same in all directions", viscosity_is_the_same_in_all_directions},
      {"blocks fall freely", blocks_fall_freely}, {"discs go on turning", discs_go_on_turning},
      {"walls get what thick liquids lose", walls_get_what_thick_liquids_lose},
      {"honey stays at rest", honey_stays_at_rest}, {"jets do not burst", jets_do_not_burst},
      {"threads and reloads change nothing", threads_and_reloads_change_nothing})
