/* Foam: liquids that are calm or turn have none, births are as many as the formula says, bubbles
 * rise at g tau, spray flies parabolas, foam goes with the liquid and ends; as much of it at half
 * the spacing; the same bits for threads and after a resume; what is refused. */
#include "scene/loading.h"
#include "space/smoothing.h"
#include "world/saved.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

static const mote_System *system_of(const Loading *loading, const char *name)
{
    return mote_world_system(loading->world, name);
}

/* Ids of the living say little: rows may have died. */
static double born(const Loading *loading)
{
    double count = (double)NAN;
    const mote_StateArray *arrays;
    size_t arrays_count;
    mote_Error error;
    SETUP_OK(mote_world_state(loading->world, &arrays, &arrays_count, &error), error);
    for (size_t i = 0; i < arrays_count; ++i)
        if (strcmp(arrays[i].name, "systems/foam/next_id") == 0)
            count = (double)*(const uint64_t *)arrays[i].data;
    return count;
}

/* ---- no births ---- */

#define FOAM "{ name: 'foam', solver: { type: 'foam', joins: 'water' } }"

static const char calm[] =
    "{ mote: 1, world: { fps: 20, max_step: 0.01 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05 } }, " FOAM " ],\n"
    "  emitters: [ { name: 'block', system: 'water', at: [0, 0.2, 0], from: { type: 'fill',\n"
    "      spacing: 0.05, shape: { type: 'box', size: [0.5, 0.4, 0.4] } } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box', size:\n"
    "      [0.5, 2, 0.4] } }, motion: { at: [0, 1, 0] } } ] }\n";

static void calm_liquids_have_none(void)
{
    Loading loading = loading_world(calm);
    loading_step(&loading, 10);
    CHECK(born(&loading) == 0);
    loading_end(&loading);
}

/* All of it turns, wall and liquid, at up to 2 m/s; its surface has become a bowl after a second.
 */
static const char bucket[] =
    "{ mote: 1, world: { fps: 20, max_step: 0.01 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05, viscosity: 0.01 } },\n"
    "    { name: 'foam', solver: { type: 'foam', joins: 'water', energy_to: 0.6,\n"
    "      trapped: 100, crest: 25 } } ],\n"
    "  emitters: [ { name: 'fill', system: 'water', at: [0, 0.15, 0], from: { type: 'fill',\n"
    "      spacing: 0.05, shape: { type: 'cylinder', radius: 0.4, height: 0.3 } } } ],\n"
    "  colliders: [ { name: 'bucket', shape: { type: 'inverted', shape: { type: 'cylinder',\n"
    "      radius: 0.4, height: 2 } }, motion: { at: [0, 1, 0], spin: [0, 286.479, 0] } } ] }\n";

static void set_turning(const mote_System *water, double omega)
{
    mote_real *x = setup_reals(water, "position", 0), *z = setup_reals(water, "position", 2);
    for (size_t i = 0; i < mote_system_count(water); ++i) {
        setup_reals(water, "velocity", 0)[i] = (mote_real)(omega * (double)z[i]);
        setup_reals(water, "velocity", 2)[i] = (mote_real)(-omega * (double)x[i]);
    }
}

static void turning_liquids_have_none(void)
{
    Loading loading = loading_world(bucket);
    SETUP_OK(mote_world_start(loading.world, &loading.error), loading.error);
    const mote_System *water = system_of(&loading, "water");
    set_turning(water, 5);
    loading_step(&loading, 20);
    const double before = born(&loading);
    loading_step(&loading, 10);
    double turning = 0, fastest = 0;
    for (size_t i = 0; i < mote_system_count(water); ++i) {
        const double x = setup_at(water, "position", 0, i), z = setup_at(water, "position", 2, i);
        const double vx = setup_at(water, "velocity", 0, i), vz = setup_at(water, "velocity", 2, i);
        turning += (z * vx - x * vz) / (x * x + z * z) / (double)mote_system_count(water);
        fastest = fmax(fastest, hypot(vx, vz));
    }
    printf("turns at %.3f rad/s, %.2f m/s at most, %g births while it settled, then %g\n", turning,
           fastest, before, born(&loading) - before);
    CHECK(fabs(turning - 5) < 0.25 && fastest > 1.6);
    CHECK(born(&loading) == before);
    loading_end(&loading);
}

/* ---- as many as the formula says ---- */

/* Two blocks that fly together: air between them is shut in, and their fronts are crests. */
static const char clash[] =
    "{ mote: 1, params: { flow: 20000, seed: 0 }, world: { seed: '=seed', fps: 10000, max_step: "
    "1e-4, gravity: [0, 0, 0] "
    "},\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.02, pressure: 'wcsph',\n"
    "      sound: 0.01, artificial: 0, viscosity: 0 } },\n"
    "    { name: 'foam', solver: { type: 'foam', joins: 'water', interval: 1e-4,\n"
    "      trapped: '=200*flow', crest: '=50*flow' } } ],\n"
    "  emitters: [ { name: 'one', system: 'water', at: [-0.095, 0, 0], velocity: [3, 0.5, 0], "
    "from:\n"
    "      { type: 'fill', spacing: 0.02, shape: { type: 'box', size: [0.18, 0.16, 0.12] } } },\n"
    "    { name: 'two', system: 'water', at: [0.095, 0.01, 0], velocity: [-1.5, 0, 0.4], from:\n"
    "      { type: 'fill', spacing: 0.02, shape: { type: 'box', size: [0.18, 0.16, 0.12] } } } ] "
    "}\n";

enum { MOST = 2000 };

typedef struct Rows {
    size_t count;
    double x[MOST][3], v[MOST][3], u[MOST][3]; /* u: outward, or 0 */
} Rows;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double apart(const double a[3], const double b[3], double d[3])
{
    for (int c = 0; c < 3; ++c) d[c] = a[c] - b[c];
    return sqrt(dot(d, d));
}

static void find_normals(Rows *rows, double spacing)
{
    const double support = 2 * spacing, volume = spacing * spacing * spacing;
    const SmoothingRow *kernel = smoothing_row(SMOOTHING_CUBIC);
    const double scale = volume / smoothing_lattice(kernel, 3, support, spacing).gradient;
    for (size_t i = 0; i < rows->count; ++i) {
        double n[3] = {0}, d[3];
        for (size_t j = 0; j < rows->count; ++j) {
            const double r = apart(rows->x[i], rows->x[j], d);
            if (i == j || r >= support) continue;
            const double slope = scale * smoothing_slope(kernel, 3, support, r);
            for (int c = 0; c < 3; ++c) n[c] += slope * d[c];
        }
        const double length = sqrt(dot(n, n));
        for (int c = 0; c < 3; ++c) rows->u[i][c] = length * spacing > 0.1 ? -n[c] / length : 0;
    }
}

static double ramp(double value, double from, double to)
{
    return fmax(0, fmin(1, (value - from) / (to - from)));
}

/* Births a second and square centimetre, as the specification has them. */
static double rate_of(const Rows *rows, size_t i, double support)
{
    double air = 0, crest = 0, weight = 0, d[3], between[3];
    const double *v = rows->v[i], *u = rows->u[i], speed = sqrt(dot(v, v));
    if (!(dot(u, u) > 0)) return 0;
    for (size_t j = 0; j < rows->count; ++j) {
        const double r = apart(rows->x[i], rows->x[j], d), w = 1 - r / support;
        if (i == j || w <= 0) continue;
        (void)apart(v, rows->v[j], between);
        weight += w;
        air += fmax(0, -dot(between, d) / r) * w;
        if (-dot(d, u) < 0 && dot(rows->u[j], rows->u[j]) > 0)
            crest += (1 - dot(u, rows->u[j])) * w;
    }
    if (!(weight > 0)) return 0;
    const double bent = dot(v, u) >= 0.6 * speed ? ramp(crest / weight, 0.1, 0.4) : 0;
    return ramp(speed * speed / 2, 0.5, 8) * (200 * ramp(air / weight, 0.3, 1.5) + 50 * bent);
}

/* Shaken a little: on a lattice it goes by rounding who is behind whom. */
static void take_rows(const mote_System *water, Rows *rows)
{
    uint64_t random = 5;
    rows->count = mote_system_count(water);
    CHECK(rows->count <= MOST);
    for (size_t i = 0; i < rows->count; ++i)
        for (int c = 0; c < 3; ++c) {
            setup_reals(water, "position", c)[i] +=
                (mote_real)setup_uniform(&random, -0.003, 0.003);
            rows->x[i][c] = setup_at(water, "position", c, i);
            rows->v[i][c] = setup_at(water, "velocity", c, i);
        }
}

enum { SEEDS = 8 };

/* What the formula says of the rows, and what was born of them. */
typedef struct Births {
    double mean, variance, found;
    size_t bearing;
} Births;

/* Rounding to whole births is all that is left to chance. */
static void add_births(int seed, Births *births)
{
    static Rows rows;
    char text[16];
    const char *const settings[] = {text, NULL};
    const double spacing = 0.02, flow = 20000, dt = 1e-4, area = 1e4 * spacing * spacing;
    snprintf(text, sizeof text, "seed=%d", seed);
    Loading loading = loading_world_with(clash, settings);
    SETUP_OK(mote_world_start(loading.world, &loading.error), loading.error);
    take_rows(system_of(&loading, "water"), &rows);
    find_normals(&rows, spacing);
    for (size_t i = 0; i < rows.count; ++i) {
        const double here = flow * dt * area * rate_of(&rows, i, 2 * spacing);
        const double chance = here - floor(here);
        births->mean += here, births->variance += chance * (1 - chance);
        births->bearing += here > 0;
    }
    loading_step(&loading, 1);
    births->found += born(&loading);
    loading_end(&loading);
}

static void births_are_as_many_as_the_formula_says(void)
{
    Births births = {0};
    for (int seed = 0; seed < SEEDS; ++seed) add_births(seed, &births);
    const double deviation = sqrt(births.variance);
    printf("%zu particles bear %.1f +- %.1f, found %g\n", births.bearing, births.mean, deviation,
           births.found);
    CHECK(births.bearing > 100 * SEEDS && births.mean > 3000 * SEEDS);
    CHECK(fabs(births.found - births.mean) < 3 * deviation);
}

/* ---- motion ---- */

/* Bubbles low in a tank, drops above it. */
static const char tank[] =
    "{ mote: 1, world: { fps: 50, max_step: 0.002 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.04 } }, " FOAM " ],\n"
    "  emitters: [ { name: 'block', system: 'water', at: [0, 0.24, 0], from: { type: 'fill',\n"
    "      spacing: 0.04, shape: { type: 'box', size: [0.32, 0.48, 0.32] } } },\n"
    "    { name: 'bubbles', system: 'foam', burst: 50, at: [0, 0.1, 0], radius: 0.001, from:\n"
    "      { type: 'box', size: [0.3, 0.02, 0.3] } },\n"
    "    { name: 'drops', system: 'foam', burst: 50, at: [0, 1.5, 0], radius: 0.001, velocity:\n"
    "      [0.2, 1, 0], from: { type: 'box', size: [0.1, 0.1, 0.1] } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box', size:\n"
    "      [0.32, 4, 0.32] } }, motion: { at: [0, 2, 0] } } ] }\n";

typedef struct Kinds {
    double count[3], height[3], speed[3]; /* means of y and vy */
} Kinds;

static Kinds kinds_of(const mote_System *foam)
{
    Kinds kinds = {{0}, {0}, {0}};
    for (size_t i = 0; i < mote_system_count(foam); ++i) {
        const int k = (int)setup_at(foam, "kind", 0, i);
        kinds.count[k] += 1;
        kinds.height[k] += setup_at(foam, "position", 1, i);
        kinds.speed[k] += setup_at(foam, "velocity", 1, i);
    }
    for (int k = 0; k < 3; ++k)
        if (kinds.count[k] > 0) kinds.height[k] /= kinds.count[k], kinds.speed[k] /= kinds.count[k];
    return kinds;
}

static void bubbles_rise_and_spray_flies(void)
{
    Loading loading = loading_world(tank);
    const mote_System *foam = system_of(&loading, "foam");
    loading_step(&loading, 15);
    const Kinds early = kinds_of(foam);
    loading_step(&loading, 25);
    const Kinds late = kinds_of(foam);
    const double rise = (late.height[MOTE_FOAM_BUBBLE] - early.height[MOTE_FOAM_BUBBLE]) / 0.5;
    const double t = 0.3, fall = 1.5 + t - g * t * t / 2;
    printf("bubbles rise at %.4f m/s (%.4f is right), drops are at %.4f m (%.4f)\n", rise,
           g * 0.025, early.height[MOTE_FOAM_SPRAY], fall);
    CHECK(early.count[MOTE_FOAM_BUBBLE] == 50 && early.count[MOTE_FOAM_SPRAY] == 50);
    CHECK(late.count[MOTE_FOAM_BUBBLE] == 50);
    CHECK(fabs(rise / (g * 0.025) - 1) < 0.05);
    CHECK(fabs(early.height[MOTE_FOAM_SPRAY] - fall) < 0.01); /* the box has random places */
    CHECK(fabs(early.speed[MOTE_FOAM_SPRAY] - (1 - g * t)) < 1e-4);
    loading_end(&loading);
}

/* A slab that drifts, with foam on it: it is taken along, and ends after its time. */
static const char drifting[] =
    "{ mote: 1, world: { fps: 50, max_step: 0.005, gravity: [0, 0, 0], periodic_x: true,\n"
    "    periodic_z: true, box_min: [0, -1, 0], box_max: [0.4, 1, 0.4] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.04 } },\n"
    "    { name: 'foam', solver: { type: 'foam', joins: 'water', life_least: 0.3, life_most: 0.3 "
    "}\n"
    "    } ],\n"
    "  emitters: [ { name: 'block', system: 'water', at: [0.2, 0.1, 0.2], velocity: [0.7, 0, "
    "0.3],\n"
    "      from: { type: 'fill', spacing: 0.04, shape: { type: 'box', size: [0.4, 0.2, 0.4] } } "
    "},\n"
    "    { name: 'foam', system: 'foam', burst: 40, at: [0.2, 0.2, 0.2], radius: 0.001, from:\n"
    "      { type: 'box', size: [0.4, 0, 0.4] } } ] }\n";

static void foam_goes_with_the_liquid_and_ends(void)
{
    Loading loading = loading_world(drifting);
    const mote_System *foam = system_of(&loading, "foam");
    loading_step(&loading, 14);
    CHECK(mote_system_count(foam) == 40);
    for (size_t i = 0; i < mote_system_count(foam); ++i) {
        CHECK(setup_at(foam, "kind", 0, i) == MOTE_FOAM_FOAM);
        CHECK(fabs(setup_at(foam, "velocity", 0, i) - 0.7) < 1e-5);
        CHECK(fabs(setup_at(foam, "velocity", 2, i) - 0.3) < 1e-5);
    }
    loading_step(&loading, 2);
    CHECK(mote_system_count(foam) == 0);
    loading_end(&loading);
}

/* ---- spacing ---- */

/* A column falls over and runs against a wall, in two dimensions. */
static const char dam[] =
    "{ mote: 1, params: { d: 0.04 },\n"
    "  world: { dimension: 2, fps: 50, max_step: 0.005 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=d' } }, " FOAM " ],\n"
    "  emitters: [ { name: 'block', system: 'water', at: [0.5, 1], from: { type: 'fill',\n"
    "      spacing: '=d', shape: { type: 'box', size: [1, 2, 1] } } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box', size:\n"
    "      [3, 8, 2] } }, motion: { at: [1.5, 4, 0] } } ] }\n";

static double volume_at(const char *spacing, int frames)
{
    const char *const settings[] = {spacing, NULL};
    Loading loading = loading_world_with(dam, settings);
    loading_step(&loading, frames);
    const mote_System *foam = system_of(&loading, "foam");
    double volume = 0;
    for (size_t i = 0; i < mote_system_count(foam); ++i)
        volume += 4.18879 * pow(setup_at(foam, "radius", 0, i), 3);
    printf("%s: %zu particles of foam, %.4g cm^3\n", spacing, mote_system_count(foam),
           1e6 * volume);
    loading_end(&loading);
    return volume;
}

/* None while the column rests on its wall, some when it has run against the other. */
static void an_impact_makes_foam(void)
{
    CHECK(volume_at("d=0.08", 2) == 0);
    CHECK(volume_at("d=0.08", 60) > 0);
}

static void foam_does_not_go_by_the_spacing(void)
{
    if (getenv("MOTE_LONG") == NULL) return; /* half a minute */
    const double coarse = volume_at("d=0.04", 75), fine = volume_at("d=0.02", 75);
    CHECK(fabs(fine / coarse - 1) < 0.25);
}

/* ---- bits ---- */

static const char splash[] =
    "{ mote: 1, world: { fps: 50, max_step: 0.005 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05 } },\n"
    "    { name: 'foam', solver: { type: 'foam', joins: 'water', trapped: 500, trapped_from: 0.1,\n"
    "      life_least: 0.1, life_most: 0.2 } } ],\n"
    "  emitters: [ { name: 'block', system: 'water', at: [0, 0.1, 0], from: { type: 'fill',\n"
    "      spacing: 0.05, shape: { type: 'box', size: [0.5, 0.2, 0.4] } } },\n"
    "    { name: 'ball', system: 'water', at: [0, 0.5, 0], velocity: [0.3, -4, 0], from: { type:\n"
    "      'fill', spacing: 0.05, shape: { type: 'sphere', radius: 0.15 } } } ],\n"
    "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box', size:\n"
    "      [0.5, 4, 0.4] } }, motion: { at: [0, 2, 0] } } ] }\n";

static void check_same(const mote_System *a, const mote_System *b)
{
    static const char *const columns[] = {"position", "velocity", "radius", "kind",
                                          "left",     "depth",    "mass"};
    CHECK(mote_system_count(a) == mote_system_count(b));
    for (size_t k = 0; k < COUNT_OF(columns) && check_failures == 0; ++k)
        for (int c = 0; c < (k < 2 ? 3 : 1); ++c)
            for (size_t i = 0; i < mote_system_count(a); ++i)
                CHECK(setup_at(a, columns[k], c, i) == setup_at(b, columns[k], c, i));
}

/* Two threads, stopped in the middle and gone on with one, beside one thread all the way. */
static void bits_do_not_go_by_threads_and_resuming(void)
{
    mote_Tasks *tasks = setup_tasks(3);
    Loading a = loading_world(splash), b = loading_good(splash);
    SETUP_OK(mote_scene_world(b.scene, tasks, &b.world, &b.error), b.error);
    loading_step(&a, 22), loading_step(&b, 11);
    Saved saved = save(b.world);
    Loading c = loading_world(splash);
    SETUP_OK(mote_world_restore(c.world, saved.arrays, saved.count, &c.error), c.error);
    loading_step(&c, 11), loading_step(&b, 11);
    printf("%zu of %g that were born\n", mote_system_count(system_of(&a, "foam")), born(&a));
    CHECK(mote_system_count(system_of(&a, "foam")) > 200);
    CHECK(born(&a) == born(&b) && born(&a) == born(&c));
    CHECK((double)mote_system_count(system_of(&a, "foam")) < born(&a));
    check_same(system_of(&a, "foam"), system_of(&b, "foam"));
    check_same(system_of(&a, "foam"), system_of(&c, "foam"));
    loading_end(&a), loading_end(&b), loading_end(&c);
    discard(&saved);
    mote_tasks_destroy(tasks);
}

/* ---- what is refused, and removed ---- */

static void check_refused(const char *solver, const char *part)
{
    char text[1000];
    mote_World *world = NULL;
    snprintf(text, sizeof text,
             "{ mote: 1, systems: [ { name: 'water', solver: { type: 'sph' } },\n"
             "  { name: 'dust' }, " FOAM ", { name: 'more', solver: { type: 'foam', %s } } ] }",
             solver);
    Loading loading = loading_with(text, NULL);
    mote_Status status = loading.status;
    const char *said = mote_scene_messages(loading.scene, false);
    if (status == MOTE_OK) {
        status = mote_scene_world(loading.scene, NULL, &world, &loading.error);
        said = loading.error.message;
    }
    CHECK(status != MOTE_OK);
    if (status != MOTE_OK) CHECK_HOLDS(said, part);
    mote_world_destroy(world);
    mote_scene_destroy(loading.scene);
}

static void wrong_foam_is_refused(void)
{
    check_refused("size: 0.001", "must name the system");
    check_refused("joins: 'dust'", "can join one of solver sph");
    check_refused("joins: 'oil'", "oil");
    check_refused("joins: 'foam'", "no liquid but foam");
    check_refused("joins: 'water', size: 0", "size");
    check_refused("joins: 'water', life_least: 6", "life_most");
    check_refused("joins: 'water', trapped: -1", "trapped");
}

/* Numbers of systems behind the one that goes are others afterwards. */
static void foam_may_be_removed(void)
{
    static const char text[] =
        "{ mote: 1, world: { fps: 50, max_step: 0.01 },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05 } }, " FOAM ",\n"
        "    { name: 'oil', solver: { type: 'sph', joins: 'water', rest_density: 800 } },\n"
        "    { name: 'slick', solver: { type: 'foam', joins: 'oil' } } ],\n"
        "  emitters: [ { name: 'block', system: 'oil', at: [0, 0.1, 0], from: { type: 'fill',\n"
        "      spacing: 0.05, shape: { type: 'box', size: [0.5, 0.2, 0.4] } } } ],\n"
        "  colliders: [ { name: 'tank', shape: { type: 'inverted', shape: { type: 'box', size:\n"
        "      [0.5, 4, 0.4] } }, motion: { at: [0, 2, 0] } } ] }\n";
    Loading loading = loading_world(text);
    loading_step(&loading, 2);
    const double before = setup_at(system_of(&loading, "oil"), "position", 1, 7);
    SETUP_OK(mote_world_remove(loading.world, MOTE_KIND_SYSTEM, "foam", &loading.error),
             loading.error);
    loading_step(&loading, 2);
    CHECK(mote_system_count(system_of(&loading, "oil")) == 320);
    CHECK(fabs(setup_at(system_of(&loading, "oil"), "position", 1, 7) - before) < 0.02);
    SETUP_OK(mote_world_remove(loading.world, MOTE_KIND_SYSTEM, "slick", &loading.error),
             loading.error);
    loading_step(&loading, 2);
    loading_end(&loading);
}

TESTS({"calm liquids have none", calm_liquids_have_none},
      {"turning liquids have none", turning_liquids_have_none},
      {"births are as many as the formula says", births_are_as_many_as_the_formula_says},
      {"bubbles rise and spray flies", bubbles_rise_and_spray_flies},
      {"foam goes with the liquid and ends", foam_goes_with_the_liquid_and_ends},
      {"an impact makes foam", an_impact_makes_foam},
      {"foam does not go by the spacing", foam_does_not_go_by_the_spacing},
      {"bits do not go by threads and resuming", bits_do_not_go_by_threads_and_resuming},
      {"wrong foam is refused", wrong_foam_is_refused},
      {"foam may be removed", foam_may_be_removed})
