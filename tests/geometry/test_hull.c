/* Hulls: closed, convex, around all points, as many triangles as Euler says; volumes that are
 * known, and those by all supporting planes. */
#include "check.h"
#include "geometry/decompose.h"
#include "geometry/hull_quick.h"
#include "setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600 };

typedef double Point[3];

static D3 corner_of(const Point *points, const HullTriangles *hull, size_t i)
{
    const double *x = points[hull->corners[i]];
    return d3(x[0], x[1], x[2]);
}

static double volume_of(const Point *points, const HullTriangles *hull)
{
    double volume = 0;
    for (size_t i = 0; i < 3 * hull->count; i += 3)
        volume += d3_dot(corner_of(points, hull, i),
                         d3_cross(corner_of(points, hull, i + 1), corner_of(points, hull, i + 2)));
    return volume / 6;
}

/* Every edge of a triangle is one of another triangle, the other way. */
static bool is_closed(const HullTriangles *hull)
{
    const uint32_t *c = hull->corners;
    for (size_t a = 0; a < 3 * hull->count; ++a) {
        const size_t a1 = a % 3 == 2 ? a - 2 : a + 1;
        int twins = 0;
        for (size_t b = 0; b < 3 * hull->count; ++b)
            twins += c[b] == c[a1] && c[b % 3 == 2 ? b - 2 : b + 1] == c[a];
        if (twins != 1) return false;
    }
    return true;
}

/* How far the farthest point is outside. */
static double most_outside(const Point *points, size_t count, const HullTriangles *hull)
{
    double most = -1e300;
    for (size_t t = 0; t < 3 * hull->count; t += 3) {
        const D3 a = corner_of(points, hull, t);
        D3 n = d3_cross(d3_sub(corner_of(points, hull, t + 1), a),
                        d3_sub(corner_of(points, hull, t + 2), a));
        n = d3_scale(n, 1 / d3_length(n));
        for (size_t i = 0; i < count; ++i)
            most = fmax(most, d3_dot(d3_sub(d3(points[i][0], points[i][1], points[i][2]), a), n));
    }
    return most;
}

/* How much farther the points reach than the hull, in directions at random. */
static double most_lost(const Point *points, size_t count, const HullTriangles *hull,
                        uint64_t *state)
{
    double lost = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const D3 way = d3(setup_uniform(state, -1, 1), setup_uniform(state, -1, 1),
                          setup_uniform(state, -1, 1));
        double all = -1e300, corners = all;
        for (size_t i = 0; i < count; ++i)
            all = fmax(all, d3_dot(way, d3(points[i][0], points[i][1], points[i][2])));
        for (size_t i = 0; i < 3 * hull->count; ++i)
            corners = fmax(corners, d3_dot(way, corner_of(points, hull, i)));
        lost = fmax(lost, all - corners);
    }
    return lost;
}

/* A hull is closed, has no point outside, and its corners are given points: no other body is. */
static void check_hull(const Point *points, size_t count, size_t triangles, double volume)
{
    Memory memory = memory_make((mote_Allocator){0});
    HullTriangles hull;
    mote_Error error;
    CHECK_OK(hull_quick(points[0], count, 0, &memory, &hull, &error), error);
    CHECK(triangles == 0 || hull.count == triangles);
    CHECK(is_closed(&hull));
    CHECK(fabs(most_outside(points, count, &hull)) < 1e-9);
    if (volume > 0) CHECK_NEAR(volume_of(points, &hull), volume, 1e-12 * volume);
    memory_free(&memory, hull.corners, hull.capacity * sizeof *hull.corners);
    CHECK(memory.bytes == 0);
}

/* Points in faces, on edges and inside are no corners, and twins are one. */
static void a_lattice_is_a_box(void)
{
    Point points[MOST];
    size_t count = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 5; ++k, ++count) {
                const Point p = {0.3 * i, 0.1 * j - 1, 0.7 * k};
                memcpy(points[count], p, sizeof p);
                memcpy(points[count + 125], p, sizeof p);
            }
    check_hull((const Point *)points, 2 * count, 12, 1.2 * 0.4 * 2.8);
}

static void regular_solids(void)
{
    static const double g = 1.6180339887498949;
    Point icosahedron[12], dodecahedron[20], octahedron[6] = {0};
    size_t n = 0, m = 0;
    for (int s = 0; s < 4; ++s)
        for (int axis = 0; axis < 3; ++axis) {
            const double one = s & 1 ? 1 : -1, two = s & 2 ? 1 : -1;
            double *a = icosahedron[n++], *b = dodecahedron[m++];
            a[axis] = 0, a[(axis + 1) % 3] = one, a[(axis + 2) % 3] = two * g;
            b[axis] = 0, b[(axis + 1) % 3] = one / g, b[(axis + 2) % 3] = two * g;
        }
    for (int s = 0; s < 8; ++s, ++m)
        for (int k = 0; k < 3; ++k) dodecahedron[m][k] = s >> k & 1 ? 1 : -1;
    for (int i = 0; i < 6; ++i) octahedron[i][i / 2] = i % 2 == 0 ? 1 : -1;
    check_hull((const Point *)icosahedron, 12, 20, 5 * (3 + sqrt(5)) / 12 * 8);
    check_hull((const Point *)dodecahedron, 20, 36, (15 + 7 * sqrt(5)) / 4 * 8 / (g * g * g));
    check_hull((const Point *)octahedron, 6, 8, 4.0 / 3);
}

/* Sixfold volume of the tetrahedron a, b, c, d. */
static double six_volume(const Point *p, size_t a, size_t b, size_t c, size_t d)
{
    const D3 o = d3(p[a][0], p[a][1], p[a][2]);
    return d3_dot(d3_sub(d3(p[d][0], p[d][1], p[d][2]), o),
                  d3_cross(d3_sub(d3(p[b][0], p[b][1], p[b][2]), o),
                           d3_sub(d3(p[c][0], p[c][1], p[c][2]), o)));
}

/* The volume by brute force: three points are a face when all others are on one side of it. */
static double volume_by_triples(const Point *p, size_t n)
{
    double volume = 0;
    for (size_t a = 0; a < n; ++a)
        for (size_t b = a + 1; b < n; ++b)
            for (size_t c = b + 1; c < n; ++c) {
                int sides = 0;
                for (size_t d = 0; d < n && sides != 3; ++d)
                    if (d != a && d != b && d != c) sides |= six_volume(p, a, b, c, d) > 0 ? 1 : 2;
                if (sides != 3) volume += fabs(six_volume(p, a, b, c, 0)) / 6;
            }
    return volume;
}

static void volumes_by_brute_force(void)
{
    Point points[40];
    uint64_t state = 11;
    for (int trial = 0; trial < 20; ++trial) {
        const size_t count = 4 + (size_t)trial * 36 / 19;
        for (size_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k)
                points[i][k] = setup_uniform(&state, -1, 1) * (k == trial % 3 ? 0.01 : 1);
        check_hull((const Point *)points, count, 0,
                   volume_by_triples((const Point *)points, count));
    }
}

/* Points on the faces, edges and corners of a box that is turned and shifted: rounding takes them
 * out of their planes, and they are in them all the same. */
static void turned_boxes(void)
{
    static const double far[] = {0, 1, 300, 1e5}, size[] = {1, 1e-4, 20, 1e3};
    Point points[MOST];
    uint64_t state = 3;
    for (int trial = 0; trial < 16; ++trial) {
        const double turn = setup_uniform(&state, 0, 6), tilt = setup_uniform(&state, 0, 6);
        const double side = size[trial / 4], away = far[trial % 4] * side;
        for (int i = 0; i < MOST; ++i) {
            Point x;
            for (int k = 0; k < 3; ++k) x[k] = (i < 8 ? i >> k & 1 : setup_uniform(&state, 0, 1));
            if (i >= 8) x[i % 3] = i % 2;
            if (i >= 300) x[(i + 1) % 3] = i / 2 % 2;
            const double y = cos(turn) * x[1] - sin(turn) * x[2];
            const double z = sin(turn) * x[1] + cos(turn) * x[2];
            points[i][0] = side * (cos(tilt) * x[0] - sin(tilt) * y) + away;
            points[i][1] = side * (sin(tilt) * x[0] + cos(tilt) * y) - away;
            points[i][2] = side * z;
        }
        Memory memory = memory_make((mote_Allocator){0});
        HullTriangles hull;
        mote_Error error;
        CHECK_OK(hull_quick(points[0], MOST, 0, &memory, &hull, &error), error);
        CHECK(hull.count == 12);
        CHECK(is_closed(&hull));
        CHECK(most_outside((const Point *)points, MOST, &hull) < 1e-11 * side + 1e-15 * away);
        memory_free(&memory, hull.corners, hull.capacity * sizeof *hull.corners);
    }
}

/* Coordinates of a few whole numbers: many points in every plane, on every line and at every place;
 * then with rounding, and as plates of any thickness down to it. */
static void degenerate_sets(void)
{
    Point points[60];
    uint64_t state = 17;
    int hulls = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const size_t count = 4 + (size_t)setup_uniform(&state, 0, 56);
        const double noise = trial % 3 == 0 ? 0 : pow(10, setup_uniform(&state, -16, -8));
        for (size_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k) {
                const double rounding = noise * setup_uniform(&state, 0, 1);
                const double whole = floor(setup_uniform(&state, 0, 2 + trial % 4));
                points[i][k] = k == 2 && trial % 3 == 2 ? rounding : whole + rounding;
            }
        Memory memory = memory_make((mote_Allocator){0});
        HullTriangles hull;
        mote_Error error;
        if (hull_quick(points[0], count, 0, &memory, &hull, &error) != MOTE_OK) {
            CHECK_MESSAGE(error, "lie in one plane");
            continue;
        }
        ++hulls;
        CHECK(is_closed(&hull));
        CHECK(volume_of((const Point *)points, &hull) > 0);
        CHECK(most_lost((const Point *)points, count, &hull, &state) < 1e-10);
        memory_free(&memory, hull.corners, hull.capacity * sizeof *hull.corners);
    }
    CHECK(hulls > 350);
}

/* With a tolerance, what sticks out by less is no corner: a box whose faces bulge by half of it. */
static void corners_up_to_a_tolerance(void)
{
    Point points[MOST];
    bool corners[MOST];
    uint64_t state = 9;
    for (size_t i = 0; i < MOST; ++i) {
        for (int k = 0; k < 3; ++k)
            points[i][k] = i < 8 ? (double)(i >> k & 1) : setup_uniform(&state, 0, 1);
        if (i >= 8) points[i][i % 3] = i % 2 == 0 ? -setup_uniform(&state, 0, 5e-5) : 1;
    }
    CHECK(mesh_hull_corners(points[0], MOST, 1e-4, corners) == 8);
    for (size_t i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) CHECK(points[i][k] == (double)(i >> k & 1));
}

/* Support in any direction is that of the points, however many. */
static void many_points(void)
{
    enum { MANY = 20000 };
    Memory memory = memory_make((mote_Allocator){0});
    Point *points = malloc(MANY * sizeof *points);
    HullTriangles hull;
    mote_Error error;
    uint64_t state = 21;
    for (size_t i = 0; i < MANY; ++i) {
        double length = 0;
        for (int k = 0; k < 3; ++k) points[i][k] = setup_uniform(&state, -1, 1);
        for (int k = 0; k < 3; ++k) length += points[i][k] * points[i][k];
        for (int k = 0; k < 3 && i % 2 == 0; ++k) points[i][k] /= sqrt(length);
    }
    CHECK_OK(hull_quick(points[0], MANY, 0, &memory, &hull, &error), error);
    CHECK(most_lost((const Point *)points, MANY, &hull, &state) < 1e-11);
    memory_free(&memory, hull.corners, hull.capacity * sizeof *hull.corners);
    free(points);
}

static void random_points(void)
{
    Point points[MOST];
    uint64_t state = 5;
    for (int trial = 0; trial < 60; ++trial) {
        const size_t count = 4 + (size_t)trial * 5;
        const bool round = trial % 2 == 0;
        for (size_t i = 0; i < count; ++i) {
            double length = 0;
            for (int k = 0; k < 3; ++k) points[i][k] = setup_uniform(&state, -1, 1);
            for (int k = 0; k < 3; ++k) length += points[i][k] * points[i][k];
            for (int k = 0; k < 3 && round; ++k) points[i][k] *= (k + 1) / sqrt(length);
        }
        check_hull((const Point *)points, count, round ? 2 * count - 4 : 0, 0);
    }
}

/* A prism of 60 sides, thin and turned: large polygons, and planes that are nearly one. */
static void prisms(void)
{
    Point points[120];
    for (int thin = 0; thin < 4; ++thin) {
        const double height = pow(0.03, thin);
        for (int i = 0; i < 120; ++i) {
            const double angle = 2 * 3.14159265358979 * (i % 60) / 60;
            const Point p = {cos(angle), sin(angle), i < 60 ? 0 : height};
            points[i][0] = 0.8 * p[0] + 0.6 * p[2], points[i][2] = 0.8 * p[2] - 0.6 * p[0];
            points[i][1] = p[1];
        }
        check_hull((const Point *)points, 120, 2 * 58 + 2 * 60, 0);
    }
}

static void what_has_no_volume_is_refused(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    Point points[30];
    HullTriangles hull;
    mote_Error error;
    for (int kind = 0; kind < 3; ++kind) { /* one point, a line, a plane */
        for (int i = 0; i < 30; ++i) {
            points[i][0] = kind > 0 ? 0.1 * i : 1, points[i][1] = kind > 1 ? 0.01 * i * i : 2;
            points[i][2] = 3 * points[i][0] - 2 * points[i][1];
        }
        CHECK(hull_quick(points[0], 30, 0, &memory, &hull, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "plane");
        CHECK(hull.corners == NULL && memory.bytes == 0);
    }
}

TESTS({"a_lattice_is_a_box", a_lattice_is_a_box}, {"regular_solids", regular_solids},
      {"random_points", random_points}, {"volumes_by_brute_force", volumes_by_brute_force},
      {"turned_boxes", turned_boxes}, {"degenerate_sets", degenerate_sets},
      {"corners_up_to_a_tolerance", corners_up_to_a_tolerance}, {"many_points", many_points},
      {"prisms", prisms}, {"what_has_no_volume_is_refused", what_has_no_volume_is_refused})
