/* Emitters: how many are born, when, where, and how they start. */
#include "setup.h"

static mote_World *fountain(mote_WorldDef def, const mote_EmitterDef *emitter, mote_System **system)
{
    mote_World *world = setup_world(&def);
    mote_Error error;
    *system = setup_system(world, "dust", "rk4", NULL);
    SETUP_OK(mote_world_add_emitter(world, emitter, &error), error);
    return world;
}

static mote_EmitterDef emitter_def(double rate)
{
    mote_EmitterDef def = mote_emitter_def();
    def.name = "jet";
    def.system = "dust";
    def.rate = (mote_real)rate;
    return def;
}

static const double *births(const mote_System *system)
{
    return mote_system_column(system, "birth")->data;
}

/* ---- when ---- */

/* Birth n by rate is due at (n + 1) / rate, less what jitter takes away of its own interval. */
static void counts_follow_the_rate(void)
{
    static const double rates[] = {0.37, 1, 7.3, 29.97, 333.1}, steps[] = {0.01, 0.0371, 0.5};
    for (size_t r = 0; r < COUNT_OF(rates); ++r)
        for (size_t s = TEST_SANITIZED; s < COUNT_OF(steps); ++s)
            for (int jitter = 0; jitter < 2; ++jitter) {
                mote_EmitterDef emitter = emitter_def(rates[r]);
                mote_WorldDef def = setup_def(1);
                mote_System *system;
                def.max_step = steps[s];
                emitter.jitter = (mote_real)jitter;
                emitter.lifetime = 1;
                mote_World *world = fountain(def, &emitter, &system);
                uint64_t emitted = 0;
                for (int frame = 0; frame < 100; ++frame) emitted += setup_step(world).emitted;
                double due = (double)emitter.rate * 100;
                CHECK((double)emitted > due - 1 - 1e-6);
                CHECK((double)emitted <= (jitter == 0 ? due + 1e-6 : ceil(due)));
                mote_world_destroy(world);
            }
}

static void births_are_evenly_spaced(void)
{
    static const double steps[] = {1, 0.25, 0.01, 0.0013};
    for (size_t s = 0; s < COUNT_OF(steps); ++s) {
        mote_EmitterDef emitter = emitter_def(13);
        mote_WorldDef def = setup_def(1);
        mote_System *system;
        def.max_step = steps[s];
        emitter.jitter = 0;
        mote_World *world = fountain(def, &emitter, &system);
        for (int frame = 0; frame < 10; ++frame) setup_step(world);
        CHECK(mote_system_count(system) >= 129 && mote_system_count(system) <= 130);
        for (size_t i = 0; i < mote_system_count(system); ++i)
            CHECK_NEAR(births(system)[i], (double)(i + 1) / 13, 1e-9);
        mote_world_destroy(world);
    }
}

/* With jitter 1 birth n is uniform in its own interval, whatever the sub-step. */
static void jittered_births_fill_their_intervals(void)
{
    static const double steps[] = {1, 0.02, 0.003};
    for (size_t s = 0; s < COUNT_OF(steps) - TEST_SANITIZED; ++s) {
        mote_EmitterDef emitter = emitter_def(20);
        mote_WorldDef def = setup_def(1);
        mote_System *system;
        def.max_step = steps[s];
        mote_World *world = fountain(def, &emitter, &system);
        for (int frame = 0; frame < 100; ++frame) setup_step(world);
        size_t count = mote_system_count(system);
        double sum = 0, squares = 0;
        CHECK(count == 2000 || count == 1999);
        for (size_t i = 0; i < count; ++i) {
            double at = births(system)[i] * 20 - (double)i; /* in [0, 1] */
            CHECK(at > -1e-6 && at < 1 + 1e-6);
            sum += at, squares += at * at;
        }
        CHECK_NEAR(sum / (double)count, 0.5, 4 * 0.2887 / sqrt((double)count));
        CHECK_NEAR(squares / (double)count, 1.0 / 3, 4 * 0.298 / sqrt((double)count));
        mote_world_destroy(world);
    }
}

/* Births, and with them everything random, do not depend on the sub-step. */
static void births_do_not_depend_on_the_step(void)
{
    enum { COUNT = 90 };
    double first[COUNT];
    for (int pass = 0; pass < 3; ++pass) {
        mote_EmitterDef emitter = emitter_def(10);
        mote_WorldDef def = setup_def(1);
        mote_System *system;
        def.max_step = pass == 0 ? 1 : pass == 1 ? 0.1 : 0.007;
        mote_World *world = fountain(def, &emitter, &system);
        for (int frame = 0; frame < 10; ++frame) setup_step(world);
        for (size_t i = 0; i < COUNT; ++i) {
            if (pass == 0) first[i] = births(system)[i];
            CHECK_NEAR(births(system)[i], first[i], 1e-9);
        }
        mote_world_destroy(world);
    }
}

/* x = x0 + v (t - birth) for a particle's own birth, independent of max_step. */
static void positions_fit_the_birth_time(void)
{
    static const double steps[] = {1, 0.1, 0.013};
    for (size_t s = 0; s < COUNT_OF(steps); ++s) {
        mote_EmitterDef emitter = emitter_def(37);
        mote_WorldDef def = setup_def(1);
        mote_System *system;
        def.max_step = steps[s];
        emitter.at = setup_vec(1, 2, 3);
        emitter.velocity = setup_vec(1, -2, 0.5);
        emitter.burst = 3;
        emitter.burst_every = 0.3;
        mote_World *world = fountain(def, &emitter, &system);
        for (int frame = 0; frame < 5; ++frame) setup_step(world);
        double small = sizeof(mote_real) == 4 ? 1e-4 : 1e-12;
        CHECK(mote_system_count(system) > 200);
        for (size_t i = 0; i < mote_system_count(system); ++i) {
            double age = 5 - births(system)[i];
            CHECK(age >= 0 && age <= 5);
            CHECK_NEAR(setup_at(system, "position", 0, i), 1 + age, small);
            CHECK_NEAR(setup_at(system, "position", 1, i), 2 - 2 * age, small);
            CHECK_NEAR(setup_at(system, "position", 2, i), 3 + 0.5 * age, small);
        }
        mote_world_destroy(world);
    }
}

static void bursts(void)
{
    static const struct {
        uint64_t burst;
        double every, start, stop;
        uint64_t bursts; /* in 10 s */
    } cases[] = {
        {5, 0, 0, 1e12, 1},     {5, 1, 0, 1e12, 10}, {5, 0.3, 0, 1e12, 34},
        {5, 1, 2.5, 6, 4},      {5, 0, 20, 30, 0},   {5, 0, 3.3, 1e12, 1},
        {1, 0.001, 0, 2, 2000}, {0, 1, 0, 1e12, 0},  {7, 4, 9.99, 10, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        mote_EmitterDef emitter = emitter_def(0);
        mote_WorldDef def = setup_def(0.1);
        mote_System *system;
        def.max_step = 0.0301;
        emitter.burst = cases[i].burst;
        emitter.burst_every = cases[i].every;
        emitter.start = cases[i].start, emitter.stop = cases[i].stop;
        mote_World *world = fountain(def, &emitter, &system);
        for (int frame = 0; frame < 100; ++frame) setup_step(world);
        CHECK(mote_system_count(system) == cases[i].bursts * cases[i].burst);
        for (size_t row = 0; row < mote_system_count(system); ++row) {
            double due = cases[i].start + (double)(row / cases[i].burst) * cases[i].every;
            CHECK_NEAR(births(system)[row], due, 1e-9);
        }
        mote_world_destroy(world);
    }
}

static void start_and_stop(void)
{
    mote_EmitterDef emitter = emitter_def(100);
    mote_WorldDef def = setup_def(1);
    mote_System *system;
    def.max_step = 0.07;
    emitter.start = 1.234, emitter.stop = 3.456;
    mote_World *world = fountain(def, &emitter, &system);
    for (int frame = 0; frame < 5; ++frame) setup_step(world);
    double count = (double)mote_system_count(system);
    CHECK(count >= 221 && count <= 223);
    for (size_t i = 0; i < mote_system_count(system); ++i)
        CHECK(births(system)[i] >= 1.234 && births(system)[i] <= 3.456 + 1e-9);
    mote_world_destroy(world);
}

static void rows_added_by_hand_are_born_now(void)
{
    mote_WorldDef def = setup_def(0.25);
    def.max_step = 0.1;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    for (int frame = 0; frame < 4; ++frame) {
        size_t row = setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        CHECK(births(system)[row] == mote_world_time(world));
        setup_step(world);
    }
    mote_world_destroy(world);
}

/* ---- where: moments of the sources ---- */

typedef struct Moments {
    double mean[3], square[3], count;
} Moments;

/* A burst of n particles that do not move. */
static Moments burst_moments(const mote_EmitterDef *like, const char *column, uint64_t dimension,
                             mote_System **system, mote_World **world)
{
    mote_EmitterDef emitter = *like;
    mote_WorldDef def = setup_def(1e-9);
    Moments m = {{0, 0, 0}, {0, 0, 0}, 20000};
    def.dimension = dimension;
    emitter.burst = 20000;
    *world = fountain(def, &emitter, system);
    setup_step(*world);
    CHECK(mote_system_count(*system) == 20000);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < 20000; ++i) {
            double x = setup_at(*system, column, c, i);
            m.mean[c] += x / m.count, m.square[c] += x * x / m.count;
        }
    return m;
}

static const mote_DiscSource disc = {2, {0, 0, 3}};
static const mote_BoxSource box = {{2, 4, 6}, false}, box_skin = {{2, 4, 6}, true};
static const mote_SphereSource ball = {2, false}, ball_skin = {2, true};

static const struct {
    const char *source;
    const void *params;
    uint64_t dimension;
    double square[3]; /* <x^2>, <y^2>, <z^2> */
} sources[] = {
    {"point", NULL, 3, {0, 0, 0}},
    {"disc", &disc, 3, {1, 1, 0}},                      /* R^2 / 4 */
    {"box", &box, 3, {4 / 12.0, 16 / 12.0, 36 / 12.0}}, /* L^2 / 12 */
    /* faces: areas 2*24, 2*12, 2*8 of 88; (L/2)^2 on its own pair, L^2/12 on the others */
    {"box",
     &box_skin,
     3,
     {(48 * 1 + 40 * 4 / 12.0) / 88, (24 * 4 + 64 * 16 / 12.0) / 88,
      (16 * 9 + 72 * 36 / 12.0) / 88}},
    {"sphere", &ball, 3, {0.8, 0.8, 0.8}},                  /* R^2 / 5 */
    {"sphere", &ball_skin, 3, {4 / 3.0, 4 / 3.0, 4 / 3.0}}, /* R^2 / 3 */
    {"sphere", &ball, 2, {1, 1, 0}},                        /* a disc */
    {"sphere", &ball_skin, 2, {2, 2, 0}},                   /* a circle */
    {"box", &box, 2, {4 / 12.0, 16 / 12.0, 0}},             /* a rectangle */
    {"box", &box_skin, 2, {(8 * 1 + 4 * 4 / 12.0) / 12, (4 * 4 + 8 * 16 / 12.0) / 12, 0}},
};

static void sources_are_uniform(void)
{
    for (size_t s = 0; s < COUNT_OF(sources); ++s) {
        mote_EmitterDef emitter = emitter_def(0);
        mote_System *system;
        mote_World *world;
        emitter.source = sources[s].source;
        emitter.source_params = sources[s].params;
        Moments m = burst_moments(&emitter, "position", sources[s].dimension, &system, &world);
        for (int c = 0; c < 3; ++c) {
            double sigma = sqrt(sources[s].square[c] / m.count);
            CHECK_NEAR(m.mean[c], 0, 4 * sigma);
            /* the fourth moment of these is below 2.2 times the square of the second */
            CHECK_NEAR(m.square[c], sources[s].square[c], 5 * sources[s].square[c] / sqrt(m.count));
        }
        mote_world_destroy(world);
    }
}

static void skins_are_thin_and_volumes_closed(void)
{
    const struct {
        const void *params;
        double low, high;
    } spheres[] = {{&ball_skin, 2, 2}, {&ball, 0, 2}};
    for (size_t s = 0; s < 2; ++s) {
        mote_EmitterDef emitter = emitter_def(0);
        mote_System *system;
        mote_World *world;
        emitter.source = "sphere";
        emitter.source_params = spheres[s].params;
        burst_moments(&emitter, "position", 3, &system, &world);
        for (size_t i = 0; i < 20000; ++i) {
            double r2 = 0;
            for (int c = 0; c < 3; ++c) r2 += pow(setup_at(system, "position", c, i), 2);
            CHECK(sqrt(r2) > spheres[s].low - 1e-6 && sqrt(r2) < spheres[s].high + 1e-6);
        }
        mote_world_destroy(world);
    }
}

/* ---- velocities ---- */

/* cos(angle) is uniform in [cos(spread), 1]; chi-square over 20 bins: mean 19, sigma 6.2. */
static void cones_are_uniform(void)
{
    static const double spreads[] = {0.001, 0.03, 0.5, 1.57, 3.14159};
    static const double axes[][3] = {{0, 5, 0}, {1, 2, 2}, {-3, 0, 0}};
    for (size_t s = 0; s < COUNT_OF(spreads); ++s)
        for (size_t a = 0; a < COUNT_OF(axes); ++a) {
            const double *n = axes[a];
            double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            mote_EmitterDef emitter = emitter_def(0);
            mote_System *system;
            mote_World *world;
            int bins[20] = {0};
            emitter.velocity = setup_vec(n[0], n[1], n[2]);
            emitter.spread = (mote_real)spreads[s];
            Moments m = burst_moments(&emitter, "velocity", 3, &system, &world);
            for (size_t i = 0; i < 20000; ++i) {
                /* 1 - cos = |v/|v| - n|^2 / 2, without cancellation */
                double d2 = 0;
                for (int c = 0; c < 3; ++c)
                    d2 += pow((setup_at(system, "velocity", c, i) - n[c]) / length, 2);
                double share = d2 / 2 / (2 * pow(sin(spreads[s] / 2), 2));
                CHECK(share >= 0 && share < 1.001);
                int bin = (int)(share * 20);
                ++bins[bin > 19 ? 19 : bin];
            }
            double chi2 = 0;
            for (int b = 0; b < 20; ++b) chi2 += pow(bins[b] - 1000, 2) / 1000;
            CHECK(chi2 < 19 + 5 * 6.2);
            double mean = (1 + cos(spreads[s])) / 2; /* of the cosine */
            for (int c = 0; c < 3; ++c) CHECK_NEAR(m.mean[c], mean * n[c], 0.02 * length);
            mote_world_destroy(world);
        }
}

static void speeds_lifetimes_and_radii_vary(void)
{
    mote_EmitterDef emitter = emitter_def(0);
    mote_System *system;
    mote_World *world;
    emitter.velocity = setup_vec(0, 10, 0);
    emitter.speed_jitter = (mote_real)0.5;
    emitter.lifetime = 8, emitter.lifetime_jitter = (mote_real)0.25;
    emitter.radius = 1, emitter.radius_jitter = (mote_real)0.1;
    emitter.mass = 3, emitter.opacity = (mote_real)0.5, emitter.group = 9;
    emitter.color = setup_vec(0.25, 0.5, 0.75);
    Moments m = burst_moments(&emitter, "velocity", 3, &system, &world);
    CHECK_NEAR(m.mean[1], 10, 0.1);
    CHECK_NEAR(m.square[1] - m.mean[1] * m.mean[1], 100.0 / 12, 0.4);
    for (size_t i = 0; i < 20000; ++i) {
        CHECK_NEAR(setup_at(system, "velocity", 1, i), 10, 5.0001);
        CHECK_NEAR(setup_at(system, "lifetime", 0, i), 8, 2.0001);
        CHECK_NEAR(setup_at(system, "radius", 0, i), 1, 0.10001);
    }
    CHECK(setup_at(system, "mass", 0, 7) == 3 && setup_at(system, "opacity", 0, 7) == 0.5);
    CHECK(setup_at(system, "color", 0, 7) == 0.25 && setup_at(system, "color", 2, 7) == 0.75);
    CHECK(((const uint32_t *)mote_system_column(system, "group")->data)[7] == 9);
    mote_world_destroy(world);
}

static void outward_leads_away(void)
{
    mote_EmitterDef emitter = emitter_def(0);
    mote_System *system;
    mote_World *world;
    emitter.source = "sphere";
    emitter.source_params = &ball_skin;
    emitter.outward = 3;
    burst_moments(&emitter, "velocity", 3, &system, &world);
    for (size_t i = 0; i < 20000; ++i)
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(setup_at(system, "velocity", c, i), 1.5 * setup_at(system, "position", c, i),
                       1e-5);
    mote_world_destroy(world);
}

/* ---- independence, two dimensions, mistakes ---- */

static void other_emitters_change_nothing(void)
{
    uint64_t hashes[2];
    for (int more = 0; more < 2; ++more) {
        mote_WorldDef def = setup_def(0.1);
        mote_World *world = setup_world(&def);
        mote_Error error;
        if (more) {
            setup_system(world, "smoke", NULL, NULL);
            mote_EmitterDef other = emitter_def(321);
            other.name = "other", other.system = "smoke", other.source = "sphere";
            SETUP_OK(mote_world_add_emitter(world, &other, &error), error);
        }
        mote_System *system = setup_system(world, "dust", NULL, NULL);
        mote_EmitterDef emitter = emitter_def(123);
        emitter.source = "box";
        emitter.velocity = setup_vec(1, 1, 1), emitter.spread = 1;
        SETUP_OK(mote_world_add_emitter(world, &emitter, &error), error);
        for (int i = 0; i < 20; ++i) setup_step(world);
        size_t columns;
        mote_FrameSystem view = {.name = "dust", .count = mote_system_count(system)};
        view.columns = mote_system_columns(system, &columns);
        view.column_count = columns;
        mote_Frame frame = {.systems = &view, .system_count = 1};
        hashes[more] = mote_frame_hash(&frame);
        mote_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

static void flat_worlds_stay_flat(void)
{
    static const char *const names[] = {"point", "disc", "box", "sphere"};
    static const mote_DiscSource tilted = {1, {1, 1, 1}};
    for (size_t s = 0; s < COUNT_OF(names); ++s) {
        mote_EmitterDef emitter = emitter_def(100);
        mote_WorldDef def = setup_def(0.1);
        mote_System *system;
        def.dimension = 2;
        def.gravity = setup_vec(1, -9.81, 5);
        emitter.source = names[s];
        emitter.source_params = s == 1 ? &tilted : NULL;
        emitter.at = setup_vec(1, 2, 3);
        emitter.velocity = setup_vec(1, 1, 1);
        emitter.spread = s % 2 == 0 ? 1 : 0;
        emitter.outward = 2;
        mote_World *world = fountain(def, &emitter, &system);
        setup_particle(system, setup_vec(0, 0, 0), setup_vec(1, 1, 1));
        for (int i = 0; i < 10; ++i) setup_step(world);
        CHECK(mote_system_count(system) > 90);
        for (size_t i = 0; i < mote_system_count(system); ++i)
            CHECK(setup_at(system, "position", 2, i) == 0 &&
                  setup_at(system, "velocity", 2, i) == 0);
        mote_world_destroy(world);
    }
}

static void bad_emitters(void)
{
    static const mote_DiscSource flat_disc = {1, {0, 0, 0}};
    mote_EmitterDef bad[9];
    static const char *const texts[9] = {"rate is -1", "rate",   "did you mean `sphere`?",
                                         "normal",     "dust2",  "must name a system",
                                         "mass is 0",  "spread", "group"};
    for (int i = 0; i < 9; ++i) bad[i] = emitter_def(1);
    bad[0].rate = -1;
    bad[1].rate = (mote_real)NAN;
    bad[2].source = "shpere";
    bad[3].source = "disc", bad[3].source_params = &flat_disc;
    bad[4].system = "dust2";
    bad[5].system = NULL;
    bad[6].mass = 0;
    bad[7].spread = 4;
    bad[8].group = 1ull << 32;
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    setup_system(world, "dust", NULL, NULL);
    for (int i = 0; i < 9; ++i) {
        mote_Error error = {0};
        CHECK(mote_world_add_emitter(world, &bad[i], &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, texts[i]);
    }
    mote_world_destroy(world);
}

TESTS({"counts_follow_the_rate", counts_follow_the_rate},
      {"births_are_evenly_spaced", births_are_evenly_spaced},
      {"jittered_births_fill_their_intervals", jittered_births_fill_their_intervals},
      {"births_do_not_depend_on_the_step", births_do_not_depend_on_the_step},
      {"positions_fit_the_birth_time", positions_fit_the_birth_time}, {"bursts", bursts},
      {"start_and_stop", start_and_stop},
      {"rows_added_by_hand_are_born_now", rows_added_by_hand_are_born_now},
      {"sources_are_uniform", sources_are_uniform},
      {"skins_are_thin_and_volumes_closed", skins_are_thin_and_volumes_closed},
      {"cones_are_uniform", cones_are_uniform},
      {"speeds_lifetimes_and_radii_vary", speeds_lifetimes_and_radii_vary},
      {"outward_leads_away", outward_leads_away},
      {"other_emitters_change_nothing", other_emitters_change_nothing},
      {"flat_worlds_stay_flat", flat_worlds_stay_flat}, {"bad_emitters", bad_emitters})
