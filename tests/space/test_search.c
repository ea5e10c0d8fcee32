/* Balls, levels of points of different radii, and lists with a skin, against brute force. */
#include "setup.h"

#include "space/ball.h"
#include "space/levels.h"
#include "space/verlet.h"

enum { MOST = 1200, ROOM = 1200 };

typedef struct Cloud {
    const char *name;
    size_t points;
    bool periodic, flat, hostile;
} Cloud;

static const Cloud clouds[] = {
    {"open", MOST, false, false, false},    {"flat", MOST, false, true, false},
    {"periodic", MOST, true, false, false}, {"periodic flat", MOST, true, true, false},
    {"hostile", 400, false, false, true},   {"one", 1, false, false, false},
    {"none", 0, false, false, false}};

static mote_real places[3][MOST], radii[MOST];
static const mote_real *const all[3] = {places[0], places[1], places[2]};

/* Radii from 0.01 to 0.3 m, most of them small; half of the cloud in a tenth of the box. */
static void place(const Cloud *cloud)
{
    uint64_t state = 5;
    for (size_t i = 0; i < cloud->points; ++i) {
        double shrink = i % 2 == 0 ? 1 : 0.1;
        for (int c = 0; c < 3; ++c)
            places[c][i] = (mote_real)(shrink * setup_uniform(&state, 0, 1));
        radii[i] = (mote_real)(0.01 * pow(30, pow(setup_uniform(&state, 0, 1), 6)));
    }
    if (!cloud->hostile) return;
    places[0][3] = (mote_real)NAN, places[1][4] = (mote_real)INFINITY,
    places[2][5] = -(mote_real)3e8;
    radii[6] = 0, radii[7] = (mote_real)NAN, radii[8] = -1, radii[9] = (mote_real)INFINITY;
    for (int c = 0; c < 3; ++c) places[c][11] = places[c][10];
}

static CellSpace space_of(const Cloud *cloud)
{
    CellSpace space = {.flat = cloud->flat};
    for (int c = 0; c < 3; ++c) space.period[c] = cloud->periodic ? 1 : 0;
    return space;
}

static double distance(const Cloud *cloud, const double a[3], size_t j)
{
    double sum = 0;
    for (int c = 0; c < (cloud->flat ? 2 : 3); ++c) {
        double d = a[c] - (double)places[c][j];
        if (cloud->periodic) d -= floor(d + 0.5);
        sum += d * d;
    }
    return sqrt(sum);
}

static bool holds(const uint32_t *list, size_t count, size_t point)
{
    for (size_t i = 0; i < count; ++i)
        if (list[i] == point) return true;
    return false;
}

static bool is_well(size_t i)
{
    return isfinite((double)places[0][i]) && isfinite((double)places[1][i]) &&
           isfinite((double)places[2][i]);
}

/* ---- balls ---- */

static void check_ball(const Cloud *cloud, const Cells *cells, const double centre[3],
                       double radius)
{
    static uint32_t found[ROOM];
    const mote_real at[3] = {(mote_real)centre[0], (mote_real)centre[1], (mote_real)centre[2]};
    size_t count = ball_points(cells, at, (mote_real)radius, found, ROOM), wanted = 0;
    for (size_t i = 0; i < count; ++i) found[i] = cells->order[found[i]];
    for (size_t j = 0; j < cloud->points; ++j) {
        double d = is_well(j) ? distance(cloud, centre, j) : HUGE_VAL;
        bool near = d<radius - 1e-6, far = d> radius + 1e-6;
        if (near) CHECK(holds(found, count, j));
        if (far) CHECK(!holds(found, count, j));
        wanted += near;
    }
    CHECK(count >= wanted);
}

static void balls_match_brute_force(void)
{
    static const double radii_of[] = {0.02, 0.1, 0.45};
    for (size_t k = 0; k < COUNT_OF(clouds); ++k) {
        Memory memory = memory_make(mote_default_allocator());
        Arena arena = arena_make(&memory);
        CellSpace space = space_of(&clouds[k]);
        Cells cells;
        uint64_t state = 3;
        int before = check_failures;
        place(&clouds[k]);
        CHECK(cells_make(&cells, &space, (mote_real)0.09, all, clouds[k].points, &arena, NULL));
        for (int n = 0; n < 30; ++n) {
            double low = clouds[k].periodic ? 0 : -0.5, high = clouds[k].periodic ? 1 : 1.5;
            double centre[3];
            for (int c = 0; c < 3; ++c) centre[c] = setup_uniform(&state, low, high);
            check_ball(&clouds[k], &cells, centre, radii_of[n % 3]);
        }
        const mote_real nowhere[3] = {(mote_real)NAN, 0, 0};
        CHECK(ball_points(&cells, nowhere, 1, NULL, 0) == 0);
        if (check_failures > before) fprintf(stderr, "cloud: %s\n", clouds[k].name);
        arena_free(&arena);
    }
}

/* ---- levels ---- */

static void check_levels(const Cloud *cloud, const Levels *levels, size_t i)
{
    static uint32_t found[ROOM];
    const double at[3] = {(double)places[0][i], (double)places[1][i], (double)places[2][i]};
    size_t count = levels_neighbours(levels, i, found, ROOM);
    for (size_t k = 1; k < count; ++k) CHECK(found[k] > found[k - 1]);
    for (size_t j = 0; j < cloud->points; ++j) {
        bool sized = radii[j] > 0 && isfinite((double)radii[j]) && radii[i] > 0 &&
                     isfinite((double)radii[i]);
        double d = is_well(i) && is_well(j) ? distance(cloud, at, j) : HUGE_VAL;
        double reach = fmax((double)radii[i], (double)radii[j]);
        if (i != j && sized && d < reach * (1 - 1e-5)) CHECK(holds(found, count, j));
        if (i == j || !sized || d > reach * (1 + 1e-5)) CHECK(!holds(found, count, j));
    }
}

static void levels_match_brute_force(void)
{
    for (size_t k = 0; k < COUNT_OF(clouds); ++k) {
        Memory memory = memory_make(mote_default_allocator());
        Arena arena = arena_make(&memory);
        CellSpace space = space_of(&clouds[k]);
        Levels levels;
        int before = check_failures;
        place(&clouds[k]);
        CHECK(levels_make(&levels, &space, all, radii, clouds[k].points, &arena, NULL));
        CHECK(clouds[k].points < 2 || levels.count > 4);
        for (size_t i = 0; i < clouds[k].points; i += i < 20 ? 1 : 7)
            check_levels(&clouds[k], &levels, i);
        if (check_failures > before) fprintf(stderr, "cloud: %s\n", clouds[k].name);
        arena_free(&arena);
    }
}

/* ---- lists with a skin ---- */

static void check_complete(const Cloud *cloud, const Verlet *verlet, double reach)
{
    for (size_t a = 0; a < cloud->points; a += 11) {
        size_t i = verlet->cells.order[a];
        const double at[3] = {(double)places[0][i], (double)places[1][i], (double)places[2][i]};
        for (size_t b = 0; b < cloud->points; ++b)
            if (b != a && distance(cloud, at, verlet->cells.order[b]) < reach - 1e-6)
                CHECK(holds(neighbours_of(&verlet->lists, a), verlet->lists.count[a], b));
    }
}

/* Points wander; lists stay complete, and are made again only when someone went half the skin. */
static void lists_with_a_skin_stay_complete(void)
{
    const mote_real reach = (mote_real)0.1, skin = (mote_real)0.04;
    for (size_t k = 0; k < 4; ++k) {
        Memory memory = memory_make(mote_default_allocator());
        Verlet verlet = verlet_make(&memory), again = verlet_make(&memory);
        CellSpace space = space_of(&clouds[k]);
        uint64_t state = 1;
        place(&clouds[k]);
        for (int step = 0; step < 10; ++step) {
            CHECK(verlet_update(&verlet, &space, reach, skin, all, clouds[k].points, isa_pick(),
                                NULL));
            check_complete(&clouds[k], &verlet, (double)reach);
            for (size_t i = 0; i < clouds[k].points; ++i)
                for (int c = 0; c < 3; ++c) {
                    double x = (double)places[c][i] + setup_uniform(&state, -0.004, 0.004);
                    places[c][i] = (mote_real)(clouds[k].periodic ? x - floor(x) : x);
                }
        }
        CHECK(verlet.made >= 2 && verlet.made <= 5);
        const mote_real *const reference[3] = {verlet.reference[0], verlet.reference[1],
                                               verlet.reference[2]};
        CHECK(verlet_restore(&again, &space, reach, skin, reference, clouds[k].points, isa_pick(),
                             NULL));
        for (size_t i = 0; i < clouds[k].points; ++i)
            CHECK(again.lists.count[i] == verlet.lists.count[i] &&
                  memcmp(neighbours_of(&again.lists, i), neighbours_of(&verlet.lists, i),
                         verlet.lists.count[i] * sizeof(uint32_t)) == 0);
        verlet_free(&verlet);
        verlet_free(&again);
        CHECK(memory.bytes == 0);
    }
}

TESTS({"balls match brute force", balls_match_brute_force},
      {"levels match brute force", levels_match_brute_force},
      {"lists with a skin stay complete", lists_with_a_skin_stay_complete})
