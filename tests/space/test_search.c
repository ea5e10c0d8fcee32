/* The points in balls, against brute force. */
#include "setup.h"

#include "space/cells.h"

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

static mote_real places[3][MOST];

/* Half of the cloud in a tenth of the box. */
static void place(const Cloud *cloud)
{
    uint64_t state = 5;
    for (size_t i = 0; i < cloud->points; ++i) {
        double shrink = i % 2 == 0 ? 1 : 0.1;
        for (int c = 0; c < 3; ++c)
            places[c][i] = (mote_real)(shrink * setup_uniform(&state, 0, 1));
    }
    if (!cloud->hostile) return;
    places[0][3] = (mote_real)NAN, places[1][4] = (mote_real)INFINITY,
    places[2][5] = -(mote_real)3e8;
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
        const CellPoints points = {.x = {places[0], places[1], places[2]},
                                   .count = clouds[k].points};
        CHECK(cells_make(&cells, &space, (mote_real)0.09, &points, &arena, NULL));
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

TESTS({"balls match brute force", balls_match_brute_force})
