/* Surface tension of liquids: drops on walls; what is kept, the same bits, what is refused and
 * foreseen. */
#include "solvers/sph/drops.h"
#include "world/saved.h"

#include <string.h>

/* ---- walls ---- */

/* Mean height of a spherical cap of volume V with an angle at its foot. */
static double cap_height(double angle, double volume)
{
    const double c = cos(angle), k = pi / 3 * (2 + c) * (1 - c) * (1 - c), R = cbrt(volume / k);
    /* integral of z pi (R^2 - (z + R c)^2) from 0 to R (1 - c) */
    double sum = 0;
    const int n = 2000;
    const double h = R * (1 - c) / n;
    for (int i = 0; i < n; ++i) {
        const double z = (i + 0.5) * h, a = z + R * c;
        sum += z * pi * (R * R - a * a) * h;
    }
    return sum / volume;
}

static double angle_of(double height, double volume)
{
    double low = 0.1, high = 3.1;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        if (cap_height(middle, volume) < height)
            low = middle;
        else
            high = middle;
    }
    return low * 180 / pi;
}

/* Half a ball on a wall, without gravity, comes to the wall's angle; that of the cap with the same
 * volume and mean height. */
static double angle_on(const Kind *kind, double wetting, double ripples)
{
    Drop drop = drop_of(kind, ripples * ripple());
    mote_ColliderDef def = mote_collider_def();
    mote_PlaneShape shape = mote_plane_shape_def();
    mote_Error error;
    shape.normal = setup_vec(0, 0, 1);
    def.shape_params = &shape, def.wetting = (mote_real)wetting;
    SETUP_OK(mote_world_add_collider(drop.world, &def, &error), error);
    for (int i = -8; i < 8; ++i)
        for (int j = -8; j < 8; ++j)
            for (int l = 0; l < 8; ++l) {
                const double x = (i + 0.5) * d, y = (j + 0.5) * d, z = (l + 0.5) * d;
                if (x * x + y * y + z * z < 64 * d * d)
                    setup_particle(drop.system, setup_vec(x, y, z), setup_vec(0, 0, 0));
            }
    setup_step(drop.world);
    const size_t count = mote_system_count(drop.system);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += setup_at(drop.system, "position", 2, i);
    mote_world_destroy(drop.world);
    return angle_of(sum / (double)count, (double)count * d * d * d);
}

/* Within 8 degrees; but by `csf` 120 is not reached, it comes to 111. Pairs are there for it. */
static void drops_on_walls_have_their_angle(void)
{
    if (TEST_SANITIZED) return; /* numbers that are the same; threads and resuming meet the code */
    static const struct {
        const char *tension;
        double nu, ripples, wanted, least, most;
        bool is_long;
    } cases[] = {{"csf", 0.3, 70, 60, 52, 68, false},   {"csf", 0.3, 70, 90, 82, 98, true},
                 {"csf", 0.3, 70, 120, 105, 128, true}, {"pair", 0.1, 140, 60, 52, 68, true},
                 {"pair", 0.1, 140, 90, 82, 98, true},  {"pair", 0.1, 140, 120, 112, 128, false}};
    for (size_t k = 0; k < COUNT_OF(cases); ++k) {
        if (cases[k].is_long && getenv("MOTE_LONG") == NULL) continue;
        const Kind kind = {"dfsph", 2, thickness(cases[k].nu), sigma, cases[k].tension};
        const double angle = angle_on(&kind, cases[k].wanted, cases[k].ripples);
        printf("wetting %.0f degrees, %s: %.1f\n", cases[k].wanted, kind.tension, angle);
        CHECK(angle > cases[k].least && angle < cases[k].most);
    }
}

/* A drop beside a floor that draws it: what it gets the floor gets, equal and opposite, about any
 * point. */
static void pairs_draw_the_wall_as_it_draws_them(void)
{
    const Kind kind = {"wcsph", 2, thickness(0.1), sigma, "pair"};
    Drop drop = drop_of(&kind, ripple());
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape shape = mote_box_shape_def();
    mote_ColliderLoad load;
    mote_Error error;
    const double middle[3] = {3 * d, 0, -3 * d};
    shape.size = setup_vec(14 * d, 14 * d, 6 * d);
    def.name = "table", def.measure = true, def.wetting = 40;
    def.motion.at = setup_vec(middle[0], middle[1], middle[2]), def.shape_params = &shape;
    def.shape = "box";
    SETUP_OK(mote_world_add_collider(drop.world, &def, &error), error);
    for (int i = 0; i < 216; ++i)
        setup_particle(drop.system,
                       setup_vec((i % 6 - 4.5) * d, (i / 6 % 6 - 2.5) * d, (i / 36 + 1.5) * d),
                       setup_vec(0, 0, 0));
    setup_step(drop.world);
    CHECK_OK(mote_world_collider_load(drop.world, "table", &load, &error), error);
    const double m = rho * d * d * d;
    double sum[3], turn[3], most = 0;
    for (int c = 0; c < 3; ++c) sum[c] = load.impulse[c], turn[c] = load.angular[c];
    for (size_t i = 0; i < 216; ++i) {
        double x[3], v[3];
        for (int c = 0; c < 3; ++c) {
            v[c] = setup_at(drop.system, "velocity", c, i);
            x[c] = setup_at(drop.system, "position", c, i) - middle[c];
            sum[c] += m * v[c], most += m * fabs(v[c]);
        }
        for (int c = 0; c < 3; ++c)
            turn[c] += m * (x[(c + 1) % 3] * v[(c + 2) % 3] - x[(c + 2) % 3] * v[(c + 1) % 3]);
    }
    printf("table: %.3g N s up, %.2g left; %.2g N m s left\n", load.impulse[2], sum[2], turn[1]);
    CHECK(load.impulse[2] > 0.1 * most);
    for (int c = 0; c < 3; ++c)
        CHECK(fabs(sum[c]) < 1e-6 * most && fabs(turn[c]) < 1e-5 * most * 3 * d);
    mote_world_destroy(drop.world);
}

/* ---- a puddle ---- */

/* In two dimensions: water on a floor spreads until its weight and its tension hold each other, e =
 * 2 sin(theta / 2) sqrt(sigma / (rho g)) high in its middle. The height is that of the particles in
 * the middle fifth, as a layer of so many of them. */
static double puddle_height(double wetting, double times)
{
    const double g = 9.81 / 4, wide = 48 * d; /* eight layers high: less is too coarse */
    mote_WorldDef def = setup_def(0.1 * times);
    const Kind kind = {"dfsph", 2, thickness(0.3), sigma, "csf"};
    mote_ColliderDef floor = mote_collider_def();
    mote_PlaneShape shape = mote_plane_shape_def();
    mote_Error error;
    def.dimension = 2, def.gravity = setup_vec(0, -g, 0);
    Drop drop = drop_in(&def, &kind);
    floor.shape_params = &shape, floor.wetting = (mote_real)wetting;
    floor.friction = 0;
    SETUP_OK(mote_world_add_collider(drop.world, &floor, &error), error);
    const double e = 2 * sin(wetting / 360 * pi) * sqrt(sigma / (rho * g));
    const int high = (int)(e / d + 0.5) + 1; /* a little too high: it spreads */
    for (int i = 0; i < 48; ++i)
        for (int j = 0; j < high; ++j)
            setup_particle(drop.system, setup_vec((i + 0.5) * d - wide / 2, (j + 0.5) * d, 0),
                           setup_vec(0, 0, 0));
    for (int frame = 0; frame < 8; ++frame) setup_step(drop.world);
    double most = 0, inside = 0, left = HUGE_VAL, right = -HUGE_VAL;
    const size_t count = mote_system_count(drop.system);
    for (size_t i = 0; i < count; ++i) {
        left = fmin(left, setup_at(drop.system, "position", 0, i));
        right = fmax(right, setup_at(drop.system, "position", 0, i));
    }
    const double middle = (left + right) / 2, half = (right - left) / 10;
    for (size_t i = 0; i < count; ++i)
        if (fabs(setup_at(drop.system, "position", 0, i) - middle) < half) {
            inside += 1;
            most = fmax(most, setup_at(drop.system, "position", 1, i));
        }
    const double found = inside * d * d / (2 * half);
    printf("puddle, %.0f degrees: %.3f mm high, %.3f of what it should be; top %.3f mm\n", wetting,
           1e3 * found, found / e, 1e3 * most);
    mote_world_destroy(drop.world);
    return found / e;
}

static void puddles_are_as_high_as_they_should_be(void)
{
    CHECK_NEAR(puddle_height(90, 1), 1, 0.1);
    if (getenv("MOTE_LONG") != NULL) {
        CHECK_NEAR(puddle_height(90, 2), 1, 0.1);
        CHECK_NEAR(puddle_height(60, 1), 1, 0.1);
        CHECK_NEAR(puddle_height(120, 1), 1, 0.1);
    }
}

/* ---- bits ---- */

/* Two drops 30 d apart: each as if the other were not there. */
static const char apart[] =
    "{ mote: 1, params: { left: true, right: true }, world: { gravity: [0, 0, 0], fps: 1000, "
    "max_step: 1e-4 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', pressure: 'wcsph', sound: 3, spacing:\n"
    "    0.001, viscosity: 1e-5, tension: 'csf' } } ],\n"
    "  emitters: [ LEFT RIGHT ] }\n";

#define CUBE(name, x)                                                                              \
    "{ name: '" name "', system: 'water', at: [" x                                                 \
    ", 0, 0], from: { type: 'fill', spacing: 0.001,"                                               \
    " shape: { type: 'box', size: [0.008, 0.006, 0.006] } } },"

static Loading cubes(const char *emitters)
{
    char text[2048];
    const char *list = strstr(apart, "LEFT RIGHT");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(list - apart), apart, emitters,
             list + strlen("LEFT RIGHT"));
    Loading loading = loading_world(text);
    loading_step(&loading, 4);
    return loading;
}

static size_t shared_places(const mote_System *all, const mote_System *one)
{
    size_t found = 0;
    for (size_t i = 0; i < mote_system_count(one); ++i)
        for (size_t j = 0; j < mote_system_count(all); ++j) {
            bool same = true;
            for (int c = 0; c < 3 && same; ++c)
                same = setup_at(all, "position", c, j) == setup_at(one, "position", c, i) &&
                       setup_at(all, "velocity", c, j) == setup_at(one, "velocity", c, i);
            if (same) ++found;
        }
    return found;
}

static void drops_apart_do_not_feel_each_other(void)
{
    Loading both = cubes(CUBE("left", "-0.015") CUBE("right", "0.0153")),
            left = cubes(CUBE("left", "-0.015")), right = cubes(CUBE("right", "0.0153"));
    const mote_System *all = mote_world_system(both.world, "water");
    CHECK(shared_places(all, mote_world_system(left.world, "water")) == 288);
    CHECK(shared_places(all, mote_world_system(right.world, "water")) == 288);
    loading_end(&both);
    loading_end(&left);
    loading_end(&right);
}

/* A drop falls on a floor that it wets. */
static const char falling[] =
    "{ mote: 1, world: { fps: 500 }, systems: [ { name: 'water', solver: { type: 'sph',\n"
    "    spacing: 0.001, tension: '%s' } } ],\n"
    "  emitters: [ { name: 'e', system: 'water', at: [0, 0.006, 0], velocity: [0.2, -0.5, 0],\n"
    "    from: { type: 'fill', spacing: 0.001, shape: { type: 'sphere', radius: 0.005 } } } ],\n"
    "  colliders: [ { wetting: 50, shape: { type: 'plane' } } ] }\n";

static uint64_t hash_of(const Loading *loading)
{
    return mote_frame_hash(mote_world_frame(loading->world));
}

/* Three threads, stopped in the middle and gone on with one, beside one thread all the way. */
static void check_bits(const char *tension)
{
    char text[1024];
    snprintf(text, sizeof text, falling, tension);
    mote_Tasks *tasks = setup_tasks(3);
    Loading a = loading_world(text), b = loading_good(text);
    SETUP_OK(mote_scene_world(b.scene, tasks, &b.world, &b.error), b.error);
    loading_step(&a, 8), loading_step(&b, 4);
    Saved saved = save(b.world);
    Loading c = loading_world(text);
    SETUP_OK(mote_world_restore(c.world, saved.arrays, saved.count, &c.error), c.error);
    loading_step(&b, 4), loading_step(&c, 4);
    CHECK(hash_of(&a) == hash_of(&b));
    CHECK(hash_of(&a) == hash_of(&c));
    loading_end(&a), loading_end(&b), loading_end(&c);
    discard(&saved);
    mote_tasks_destroy(tasks);
}

static void bits_do_not_go_by_threads_and_resuming(void)
{
    check_bits("csf");
    check_bits("pair");
}

/* ---- what is refused and foreseen ---- */

static void check_refused(const char *solver, const char *world, const char *part)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{ mote: 1, world: { %s }, systems: [ { name: 'water', solver: { type: 'sph', spacing:"
             " 0.001, %s } } ], emitters: [ { name: 'e', system: 'water', from: { type: 'fill',"
             " spacing: 0.001, shape: { type: 'box', size: [0.004, 0.004, 0.004] } } } ] }",
             world, solver);
    Loading loading = loading_with(text, NULL);
    if (loading.status == MOTE_OK) {
        loading.status = mote_scene_world(loading.scene, NULL, &loading.world, &loading.error);
        CHECK_HOLDS(loading.error.message, part);
    } else {
        CHECK_HOLDS(mote_scene_messages(loading.scene, false), part);
    }
    CHECK(loading.status == MOTE_BAD_VALUE);
    loading_end(&loading);
}

static void wrong_tension_is_refused(void)
{
    check_refused("tension: 'skin'", "", "csf");
    check_refused("tension: 'csf', surface_tension: -1", "", "surface_tension");
    check_refused("tension: 'pair'", "periodic_x: true, box_min: [0, 0, 0], box_max: [0.007, 1, 1]",
                  "the kernel needs 0.008 m");
    check_refused("tension: 'csf'", "periodic_x: true, box_min: [0, 0, 0], box_max: [0.005, 1, 1]",
                  "the kernel needs 0.006 m");
}

static void warns(const char *setting, const char *row, const char *part)
{
    char tension[64];
    snprintf(tension, sizeof tension, "systems.water.solver.tension=%s", row);
    const char *const settings[] = {tension, setting, NULL};
    Loading loading = loading_good_with(
        "{ mote: 1, params: { spacing: 0.001 }, world: { fps: 50 },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', tension: 'csf' "
        "}\n"
        "  } ], emitters: [ { name: 'e', system: 'water', at: [0, '=4.5*spacing', 0], from: {\n"
        "    type: 'fill', spacing: '=spacing', shape: { type: 'box',\n"
        "      size: ['=9*spacing', '=9*spacing', '=9*spacing'] } } } ],\n"
        "  colliders: [ { shape: { type: 'plane' } } ] }\n",
        settings);
    mote_SceneForecast forecast;
    CHECK_OK(mote_scene_forecast(loading.scene, &forecast, &loading.error), loading.error);
    if (part == NULL) CHECK(forecast.warnings[0] == '\0');
    if (part != NULL) CHECK_HOLDS(forecast.warnings, part);
    loading_end(&loading);
}

/* 0.25 sqrt(rho d^3/(2 pi sigma)): 1.2e-5 s at 0.1 mm, 1700 in a fiftieth of a second. */
static void check_foresees_short_steps(void)
{
    static const char *const rows[] = {"csf", "pair"};
    for (size_t k = 0; k < COUNT_OF(rows); ++k) {
        warns("spacing=0.001", rows[k], NULL);
        warns("spacing=0.0001", rows[k], "needs sub-steps of 1.2e-05 s, 1.7e+03 a frame");
        warns("spacing=0.01", rows[k], "is felt within 0.0027 m, less than the spacing");
    }
}

TESTS({"puddles are as high as they should be", puddles_are_as_high_as_they_should_be},
      {"drops on walls have their angle", drops_on_walls_have_their_angle},
      {"pairs draw the wall as it draws them", pairs_draw_the_wall_as_it_draws_them},
      {"drops apart do not feel each other", drops_apart_do_not_feel_each_other},
      {"bits do not go by threads and resuming", bits_do_not_go_by_threads_and_resuming},
      {"wrong tension is refused", wrong_tension_is_refused},
      {"check foresees short steps", check_foresees_short_steps})
