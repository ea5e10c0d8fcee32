/* Convex decomposition against what it must be: parts convex, volumes and places of the mesh, and
 * no part farther from it than was promised, by distances over all triangles. */
#include "check.h"
#include "geometry/mesh.h"
#include "geometry/meshes.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

typedef struct Parts {
    mote_Mesh *items[MOST];
    mote_DecomposeFacts facts;
} Parts;

static Parts parts_of(const mote_Mesh *mesh, double concavity, size_t most)
{
    Parts parts = {.facts = {.parts = 0}};
    mote_DecomposeDef def = mote_decompose_def();
    mote_Error error;
    def.concavity = concavity, def.most_parts = most;
    SETUP_OK(mote_mesh_decompose(mesh, &def, parts.items, &parts.facts, &error), error);
    for (size_t i = 0; i < parts.facts.parts; ++i) CHECK(mote_mesh_facts(parts.items[i])->convex);
    return parts;
}

static void free_parts(Parts *parts)
{
    for (size_t i = 0; i < parts->facts.parts; ++i) mote_mesh_release(parts->items[i]);
}

/* A prism over a polygon that goes counterclockwise and is seen whole from (m, m); turned by
 * `angle` about z, so that its faces are not along axes. */
static mote_Mesh *prism(double (*polygon)[2], size_t n, double middle, double angle)
{
    static TestMesh m;
    m.vertex_count = 2 * n + 2, m.triangle_count = 0;
    for (size_t i = 0; i < m.vertex_count; ++i) {
        const double centre[2] = {middle, middle}, *p = i < 2 * n ? polygon[i % n] : centre;
        m.vertices[i][0] = p[0] * cos(angle) - p[1] * sin(angle);
        m.vertices[i][1] = p[0] * sin(angle) + p[1] * cos(angle);
        m.vertices[i][2] = i < n || i == 2 * n ? -0.5 : 0.5;
    }
    for (size_t i = 0; i < n; ++i) {
        size_t j = (i + 1) % n;
        test_triangle(&m, 2 * n, j, i);
        test_triangle(&m, 2 * n + 1, n + i, n + j);
        test_triangle(&m, i, j, n + j);
        test_triangle(&m, i, n + j, n + i);
    }
    return test_mesh(&m);
}

/* ---- oracles: sums over all triangles ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Distance of x from a triangle, by minimising over its edges and its plane. */
static double from_triangle(const mote_Vec3 corner[3], mote_Vec3 x)
{
    mote_Vec3 n = vec3_unit(
        vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])), vec3(0, 0, 0));
    bool over = true;
    double least = 1e300;
    for (int k = 0; k < 3; ++k) {
        mote_Vec3 edge = vec3_sub(corner[(k + 1) % 3], corner[k]), arm = vec3_sub(x, corner[k]);
        double t = (double)(vec3_dot(arm, edge) / vec3_dot(edge, edge));
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        mote_Vec3 off = vec3_madd(arm, (mote_real)-t, edge);
        least = fmin(least, (double)vec3_length(off));
        over = over && vec3_dot(vec3_cross(n, edge), arm) >= 0;
    }
    return over ? fabs((double)vec3_dot(n, vec3_sub(x, corner[0]))) : least;
}

/* The solid angle of a triangle (van Oosterom and Strackee 1983). */
static double solid_angle(const mote_Vec3 corner[3], mote_Vec3 x)
{
    double a[3][3], length[3];
    for (int k = 0; k < 3; ++k) {
        mote_Vec3 arm = vec3_sub(corner[k], x);
        a[k][0] = (double)arm.x, a[k][1] = (double)arm.y, a[k][2] = (double)arm.z;
        length[k] = sqrt(dot(a[k], a[k]));
    }
    const double cross[3] = {a[1][1] * a[2][2] - a[1][2] * a[2][1],
                             a[1][2] * a[2][0] - a[1][0] * a[2][2],
                             a[1][0] * a[2][1] - a[1][1] * a[2][0]};
    double down = length[0] * length[1] * length[2] + dot(a[0], a[1]) * length[2] +
                  dot(a[1], a[2]) * length[0] + dot(a[2], a[0]) * length[1];
    return 2 * atan2(dot(a[0], cross), down);
}

/* How far x is from the mesh; 0 inside. */
static double away_from(const mote_Mesh *mesh, mote_Vec3 x)
{
    double least = 1e300, angle = 0;
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        least = fmin(least, from_triangle(mesh->faces[i].corner, x));
        angle += solid_angle(mesh->faces[i].corner, x);
    }
    return angle > 6.28 ? 0 : least;
}

/* How far x is out of a convex part, by its planes: less than the distance, never more. */
static double out_of(const mote_Mesh *part, mote_Vec3 x)
{
    double most = -1e300;
    for (size_t i = 0; i < part->triangle_count; ++i) {
        const MeshFace *face = &part->faces[i];
        most = fmax(most, (double)vec3_dot(face->normal, vec3_sub(x, face->corner[0])));
    }
    return most;
}

static mote_Vec3 place_in(const mote_MeshFacts *f, uint64_t *state)
{
    return setup_vec(setup_uniform(state, f->low[0], f->high[0]),
                     setup_uniform(state, f->low[1], f->high[1]),
                     setup_uniform(state, f->low[2], f->high[2]));
}

/* Points of the mesh are in some part; points of parts are no farther from it than promised. */
static void check_cover(const mote_Mesh *mesh, const Parts *parts, int points)
{
    uint64_t state = 11;
    int inside = 0, hull = 0;
    if (TEST_SANITIZED) points /= 10;
    for (int i = 0; i < points; ++i) {
        mote_Vec3 x = place_in(mote_mesh_facts(mesh), &state);
        double away = away_from(mesh, x), out = 1e300;
        for (size_t k = 0; k < parts->facts.parts; ++k) out = fmin(out, out_of(parts->items[k], x));
        if (away <= 0) CHECK(out <= 1e-4);
        if (out <= 0) CHECK(away <= parts->facts.concavity);
        inside += away <= 0, hull += out <= 0;
    }
    CHECK(inside > points / 20 && hull >= inside);
}

/* ---- cases ---- */

static double ell[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};

/* An L is two boxes, however it stands; the volume is kept exactly. */
static void an_ell_is_two_boxes(void)
{
    for (int turn = 0; turn < 3; ++turn) {
        mote_Mesh *mesh = prism(ell, 6, 0.5, 0.5 * turn);
        Parts parts = parts_of(mesh, 0, MOST);
        CHECK(parts.facts.parts == 2 && parts.facts.reached);
        CHECK_NEAR(parts.facts.mesh_volume, 4, 1e-5);
        CHECK_NEAR(parts.facts.volume, 4, 1e-4);
        check_cover(mesh, &parts, 2000);
        free_parts(&parts);
        mote_mesh_release(mesh);
    }
}

/* Tips of a star are cut off at inward edges that are along no axis. */
static void a_star_loses_its_tips(void)
{
    double star[10][2];
    for (int k = 0; k < 10; ++k) {
        double r = k % 2 == 0 ? 1 : 0.45, a = 0.6283185307179586 * k;
        star[k][0] = r * cos(a), star[k][1] = r * sin(a);
    }
    mote_Mesh *mesh = prism(star, 10, 0, 0);
    Parts fine = parts_of(mesh, 0.01, MOST), coarse = parts_of(mesh, 0.15, MOST);
    CHECK(fine.facts.reached && coarse.facts.reached && fine.facts.concavity <= 0.01);
    CHECK(fine.facts.parts > coarse.facts.parts && fine.facts.parts <= 6);
    CHECK_NEAR(fine.facts.mesh_volume, 10 * 0.5 * 0.45 * sin(0.6283185307179586), 1e-5);
    CHECK_NEAR(fine.facts.volume / fine.facts.mesh_volume, 1, 2e-3);
    check_cover(mesh, &fine, 3000);
    check_cover(mesh, &coarse, 3000);
    free_parts(&fine), free_parts(&coarse);
    mote_mesh_release(mesh);
}

/* A ring, all of it round: the waste is bounded by what the concavity allows, and twice the same.
 */
static void a_ring_is_approximated(void)
{
    static TestMesh m;
    test_torus(&m, 24, 8, 1, 0.35);
    mote_Mesh *mesh = test_mesh(&m);
    Parts parts = parts_of(mesh, 0.08, MOST), again = parts_of(mesh, 0.08, MOST);
    const mote_DecomposeFacts *f = &parts.facts;
    CHECK(f->reached && f->concavity <= 0.08 && f->parts >= 5 && f->parts <= 16);
    CHECK(f->volume > f->mesh_volume && f->volume < 1.15 * f->mesh_volume);
    check_cover(mesh, &parts, 3000);
    CHECK(again.facts.parts == f->parts);
    for (size_t i = 0; i < f->parts; ++i)
        CHECK(mote_mesh_hash(parts.items[i]) == mote_mesh_hash(again.items[i]));
    free_parts(&parts), free_parts(&again);
    parts = parts_of(mesh, 0.08, 3);
    CHECK(!parts.facts.reached && parts.facts.parts == 3 && parts.facts.concavity > 0.08);
    check_cover(mesh, &parts, 1000); /* what is told of the concavity holds then too */
    free_parts(&parts);
    mote_mesh_release(mesh);
}

static void what_is_convex_stays_whole(void)
{
    static TestMesh m;
    test_cube(&m, 1, 2, 3);
    mote_Mesh *mesh = test_mesh(&m);
    Parts parts = parts_of(mesh, 0, MOST);
    CHECK(parts.facts.parts == 1 && parts.facts.reached);
    CHECK_NEAR(parts.facts.volume, 6, 1e-5);
    free_parts(&parts);
    mote_mesh_release(mesh);
}

static void fails_with(const TestMesh *m, double concavity, size_t most, const char *text)
{
    mote_Mesh *mesh = test_mesh(m), *parts[MOST];
    mote_DecomposeDef def = mote_decompose_def();
    mote_DecomposeFacts facts;
    mote_Error error;
    def.concavity = concavity, def.most_parts = most;
    CHECK(mote_mesh_decompose(mesh, &def, parts, &facts, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, text) != NULL);
    mote_mesh_release(mesh);
}

static void bad_meshes_are_refused(void)
{
    static TestMesh m;
    test_cube(&m, 1, 1, 1);
    fails_with(&m, -1, MOST, "concavity -1 m is no length");
    fails_with(&m, 1e-5, MOST, "less than a thousandth of the mesh");
    fails_with(&m, 0, 0, "1 to 4096");
    m.triangle_count -= 2;
    fails_with(&m, 0, MOST, "it has 4 open edges, the first at (");
    test_cube(&m, 1, 1, 1);
    for (size_t i = 0; i < m.triangle_count; ++i) {
        uint32_t first = m.triangles[i][0];
        m.triangles[i][0] = m.triangles[i][1], m.triangles[i][1] = first;
    }
    fails_with(&m, 0, MOST, "inside out");
}

TESTS({"an_ell_is_two_boxes", an_ell_is_two_boxes},
      {"a_star_loses_its_tips", a_star_loses_its_tips},
      {"a_ring_is_approximated", a_ring_is_approximated},
      {"what_is_convex_stays_whole", what_is_convex_stays_whole},
      {"bad_meshes_are_refused", bad_meshes_are_refused})
