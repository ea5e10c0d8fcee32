/* Hulls by wrapping: closed, convex, around all points, as many triangles as Euler says; volumes
 * that are known, and those of Qhull. */
#include "check.h"
#include "geometry/decompose.h"
#include "geometry/hull_wrap.h"
#include "setup.h"

#include <math.h>
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

static void check_hull(const Point *points, size_t count, size_t triangles, double volume)
{
    Memory memory = memory_make((mote_Allocator){0});
    HullTriangles hull;
    mote_Error error;
    CHECK_OK(hull_wrap(points[0], count, &memory, &hull, &error), error);
    CHECK(triangles == 0 || hull.count == triangles);
    CHECK(is_closed(&hull));
    CHECK(fabs(most_outside(points, count, &hull)) < 1e-9);
    if (volume > 0) CHECK_NEAR(volume_of(points, &hull), volume, 1e-12 * volume);
#if MOTE_WITH_QHULL
    double by_qhull;
    CHECK_OK(mesh_hull_volume(points[0], count, &by_qhull, &error), error);
    CHECK_NEAR(volume_of(points, &hull), by_qhull, 1e-9 * by_qhull);
#endif
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
        CHECK(hull_wrap(points[0], 30, &memory, &hull, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "plane");
        CHECK(hull.corners == NULL && memory.bytes == 0);
    }
}

TESTS({"a_lattice_is_a_box", a_lattice_is_a_box}, {"regular_solids", regular_solids},
      {"random_points", random_points}, {"prisms", prisms},
      {"what_has_no_volume_is_refused", what_has_no_volume_is_refused})
