/* Meshes, convex polytopes, compounds and containers: conformance, brute force, facts and faults.
 */
#include "failing.h"
#include "geometry/conformance.h"
#include "geometry/meshes.h"
#include "geometry/triangle.h"

static TestMesh data;

static const ShapeRow *find_shape(const char *type)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(isa_pick(), &count);
    return (const ShapeRow *)row_find(rows, count, "test", "shape", type, NULL);
}

static mote_Mesh *random_hull(uint64_t *state, size_t count)
{
    static double points[500][3];
    mote_Mesh *mesh;
    mote_Error error;
    for (size_t i = 0; i < count; ++i) {
        mote_Vec3 p = random_direction(state);
        double r = setup_uniform(state, 0.6, 1);
        points[i][0] = r * (double)p.x, points[i][1] = 0.7 * r * (double)p.y,
        points[i][2] = r * (double)p.z;
    }
    SETUP_OK(mote_mesh_hull(points[0], count, (mote_Allocator){0}, &mesh, &error), error);
    return mesh;
}

/* ---- conformance ---- */

static void meshes_conform(void)
{
    test_torus(&data, 24, 12, 0.9, 0.4);
    mote_Mesh *torus = test_mesh(&data);
    test_cube(&data, 1, 2, 0.5);
    mote_Mesh *cube = test_mesh(&data);
    mote_MeshShape shapes[] = {{torus, MOTE_INSIDE_CLOSED}, {cube, MOTE_INSIDE_CLOSED}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        Sampled s = {find_shape("mesh"), &shapes[i], i == 0 ? "torus" : "cube mesh", NULL};
        mote_Error error;
        CHECK_OK(s.row->check(s.params, "test", &error), error);
        check_shape(&s, 300 + i);
    }
    mote_mesh_release(torus), mote_mesh_release(cube);
}

static void polytopes_conform(void)
{
    uint64_t state = 11;
    test_cube(&data, 1, 2, 0.5);
    mote_Mesh *meshes[] = {test_mesh(&data), random_hull(&state, 12), random_hull(&state, 200)};
    for (size_t i = 0; i < COUNT_OF(meshes); ++i) {
        mote_ConvexShape shape = {meshes[i]};
        Sampled s = {find_shape("convex"), &shape, "polytope", NULL};
        mote_Error error;
        CHECK_OK(s.row->check(s.params, "test", &error), error);
        check_shape(&s, 400 + i);
        mote_mesh_release(meshes[i]);
    }
}

static mote_Shapes *make_shapes(const mote_ShapeDef *defs, size_t count)
{
    mote_Shapes *shapes;
    mote_Error error;
    SETUP_OK(mote_shapes_create(defs, count, (mote_Allocator){0}, &shapes, &error), error);
    return shapes;
}

/* Parts that do not overlap: all is exact. */
static void compounds_conform(void)
{
    mote_BoxShape box = {setup_vec(1, 0.5, 0.5)};
    mote_SphereShape ball = {(mote_real)0.4};
    mote_ShapeDef defs[] = {
        {"box", &box, mote_pose_turned(setup_vec(-1, 0, 0), setup_vec(0.3, 0.4, 0.5))},
        {"sphere", &ball, mote_pose_turned(setup_vec(0.6, 0.2, 0), setup_vec(0, 0, 0))}};
    mote_CompoundShape shape = {make_shapes(defs, 2)};
    Sampled s = {find_shape("compound"), &shape, "compound", NULL};
    check_shape(&s, 500);
    mote_shapes_release(shape.parts);
}

/* Everything about a container is that of the shape with the other sign. */
static void containers_conform(void)
{
    uint64_t state = 12;
    mote_BoxShape box = {setup_vec(2, 3, 2.5)};
    test_torus(&data, 24, 12, 1.4, 0.8);
    mote_MeshShape torus = {test_mesh(&data), MOTE_INSIDE_CLOSED};
    mote_ConvexShape hull = {random_hull(&state, 40)};
    mote_Pose pose = mote_pose_turned(setup_vec(0.2, 0, 0), setup_vec(0.3, 0.4, 0.5));
    const mote_ShapeDef inner[] = {
        {"box", &box, pose}, {"mesh", &torus, pose}, {"convex", &hull, pose}};
    for (size_t i = 0; i < COUNT_OF(inner); ++i) {
        mote_InvertedShape shape = {make_shapes(&inner[i], 1)};
        const mote_real end = i == 0 ? (mote_real)1.5 : i == 1 ? 1 : (mote_real)0.6;
        const Aabb region = {{-end, -end, -end}, {end, end, end}};
        Sampled s = {find_shape("inverted"), &shape, inner[i].type, &region};
        uint64_t own = 600 + i;
        check_gradient(&s, &own, 500);
        check_nearest(&s, &own, 500);
        check_bounds(&s, &own, 500);
        check_casts(&s, &own, 600);
        check_overlaps(&s, &own, 100);
        mote_shapes_release(shape.shape);
    }
    mote_mesh_release(torus.mesh), mote_mesh_release(hull.mesh);
}

/* ---- brute force ---- */

static double brute_distance(const mote_Mesh *mesh, mote_Vec3 p)
{
    size_t vertices, count;
    const mote_Vec3 *v = mote_mesh_vertices(mesh, &vertices);
    const uint32_t *t = mote_mesh_triangles(mesh, &count);
    double best = HUGE_VAL;
    for (size_t i = 0; i < count; ++i) {
        const mote_Vec3 corner[3] = {v[t[3 * i]], v[t[3 * i + 1]], v[t[3 * i + 2]]};
        best = fmin(best, (double)vec3_length(vec3_sub(p, triangle_nearest(corner, p).point)));
    }
    return best;
}

/* The nearest point of a triangle by projected gradient on barycentric samples: slow and apart. */
static double sampled_distance(const mote_Vec3 corner[3], mote_Vec3 p)
{
    enum { STEPS = 60 };
    double best = HUGE_VAL;
    for (int a = 0; a <= STEPS; ++a)
        for (int b = 0; a + b <= STEPS; ++b) {
            mote_real u = (mote_real)a / STEPS, w = (mote_real)b / STEPS;
            mote_Vec3 q = vec3_scale(corner[0], 1 - u - w);
            q = vec3_madd(vec3_madd(q, u, corner[1]), w, corner[2]);
            best = fmin(best, (double)vec3_length(vec3_sub(p, q)));
        }
    return best;
}

static void triangles_know_their_nearest_point(void)
{
    uint64_t state = 13;
    const Aabb cube = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 0; i < 300; ++i) {
        mote_Vec3 corner[3] = {random_in(&state, &cube), random_in(&state, &cube),
                               random_in(&state, &cube)};
        mote_Vec3 p = vec3_scale(random_in(&state, &cube), 2);
        TrianglePoint near = triangle_nearest(corner, p);
        double d = (double)vec3_length(vec3_sub(p, near.point)), s = sampled_distance(corner, p);
        CHECK(d <= s + 1e-5 && d >= s - 0.04);
    }
}

static void trees_agree_with_brute_force(void)
{
    uint64_t state = 14;
    test_torus(&data, 40, 20, 0.9, 0.4);
    mote_Mesh *torus = test_mesh(&data), *hull = random_hull(&state, 100);
    mote_MeshShape a = {torus, MOTE_INSIDE_CLOSED};
    mote_ConvexShape b = {hull};
    const Sampled shapes[] = {{find_shape("mesh"), &a, "torus", NULL},
                              {find_shape("convex"), &b, "hull", NULL}};
    for (int i = 0; i < 2000 * long_factor(); ++i) {
        const Sampled *s = &shapes[i % 2];
        const Aabb box = sample_bounds(s, 0.5);
        mote_Vec3 p = random_in(&state, &box);
        double d = distance_at(s, p), brute = brute_distance(i % 2 == 0 ? torus : hull, p);
        CHECK_AT(fabs(fabs(d) - brute) < 10 * FINE, s, p);
        double ring = hypot((double)p.x, (double)p.z) - 0.9; /* analytic side of the torus */
        double side = hypot(ring, (double)p.y) - 0.4;
        if (i % 2 == 0 && fabs(side) > 0.02) CHECK_AT((d < 0) == (side < 0), s, p);
    }
    mote_mesh_release(torus), mote_mesh_release(hull);
}

/* Hulls and points, 10^5 of these: distances against every triangle, sides against every plane. */
static void hulls_agree_with_brute_force(void)
{
    enum { POINTS = 200, HULLS = TEST_SANITIZED ? 10 : 500 };
    uint64_t state = 17;
    for (int h = 0; h < HULLS * long_factor(); ++h) {
        mote_Mesh *hull = random_hull(&state, 5 + (size_t)h % 60);
        mote_ConvexShape shape = {hull};
        const Sampled s = {find_shape("convex"), &shape, "hull", NULL};
        const Aabb box = sample_bounds(&s, 0.5);
        for (int i = 0; i < POINTS; ++i) {
            mote_Vec3 p = random_in(&state, &box);
            double d = distance_at(&s, p), most = -1e30;
            for (size_t k = 0; k < hull->triangle_count; ++k) {
                const MeshFace *f = &hull->faces[k];
                most = fmax(most, (double)vec3_dot(f->normal, vec3_sub(p, f->corner[0])));
            }
            CHECK_AT(fabs(fabs(d) - brute_distance(hull, p)) < 10 * FINE, &s, p);
            CHECK_AT(fabs(most) < 10 * FINE || (d < 0) == (most < 0), &s, p);
        }
        mote_mesh_release(hull);
    }
}

/* A cube as box, polytope, mesh and planes: one distance. */
static void cubes_agree(void)
{
    static const double planes[6][4] = {{2, 0, 0, 1},  {-1, 0, 0, 0.5}, {0, 1, 0, 1},
                                        {0, -3, 0, 3}, {0, 0, 1, 0.25}, {0, 0, -1, 0.25}};
    mote_Error error;
    mote_Mesh *by_planes;
    SETUP_OK(mote_mesh_planes(planes[0], 6, (mote_Allocator){0}, &by_planes, &error), error);
    test_cube(&data, 1, 2, 0.5);
    mote_BoxShape box = {setup_vec(1, 2, 0.5)};
    mote_MeshShape mesh = {test_mesh(&data), MOTE_INSIDE_CLOSED};
    mote_ConvexShape convex = {mesh.mesh}, cut = {by_planes};
    const Sampled shapes[] = {{find_shape("box"), &box, "box", NULL},
                              {find_shape("mesh"), &mesh, "mesh", NULL},
                              {find_shape("convex"), &convex, "convex", NULL},
                              {find_shape("convex"), &cut, "planes", NULL}};
    uint64_t state = 15;
    const Aabb region = sample_bounds(&shapes[0], 1);
    for (int i = 0; i < 1000; ++i) {
        mote_Vec3 p = random_in(&state, &region);
        double d = distance_at(&shapes[0], p);
        for (int k = 1; k < 4; ++k)
            CHECK_AT(fabs(distance_at(&shapes[k], p) - d) < 10 * FINE, &shapes[k], p);
    }
    CHECK(mote_mesh_facts(by_planes)->vertices == 8 && mote_mesh_facts(by_planes)->triangles == 12);
    CHECK_NEAR(mote_mesh_facts(by_planes)->volume, 1, 10 * FINE);
    mote_mesh_release(by_planes), mote_mesh_release(mesh.mesh);
}

/* A sphere off a corner: the planes are nearer than the corner is. */
static void polytopes_have_corners(void)
{
    test_cube(&data, 1, 1, 1);
    mote_ConvexShape shape = {test_mesh(&data)};
    Sampled s = {find_shape("convex"), &shape, "cube", NULL};
    CHECK_NEAR(distance_at(&s, setup_vec(0.59, 0.59, 0.59)), 0.09 * sqrt(3), 10 * FINE);
    mote_mesh_release(shape.mesh);
}

/* ---- facts ---- */

static void facts_are_found(void)
{
    test_cube(&data, 1, 2, 3);
    mote_Mesh *mesh = test_mesh(&data);
    const mote_MeshFacts *f = mote_mesh_facts(mesh);
    CHECK(f->closed && f->convex && !f->inverted && f->parts == 1);
    CHECK(f->vertices == 8 && f->triangles == 12 && f->joined == 0 && f->degenerate == 0);
    CHECK_NEAR(f->volume, 6, 1e-5);
    CHECK_NEAR(f->area, 22, 1e-5);
    CHECK(f->low[1] == -1 && f->high[2] == 1.5);
    mote_mesh_release(mesh);
}

static mote_MeshFacts facts_of(const TestMesh *m)
{
    mote_Mesh *mesh = test_mesh(m);
    mote_MeshFacts facts = *mote_mesh_facts(mesh);
    mote_mesh_release(mesh);
    return facts;
}

static mote_Status mesh_check(const TestMesh *m, const char *type, int inside, mote_Error *error)
{
    mote_Mesh *mesh = test_mesh(m);
    mote_MeshShape shape = {mesh, inside}; /* a convex shape's struct begins alike */
    mote_Status status = find_shape(type)->check(&shape, "here", error);
    mote_mesh_release(mesh);
    return status;
}

static void holes_are_found(void)
{
    mote_Error error;
    test_cube(&data, 2, 2, 2);
    data.triangle_count -= 1;
    mote_MeshFacts f = facts_of(&data);
    CHECK(!f.closed && f.open_edges == 3 && f.open_at[0] == 1 && f.volume == 0);
    CHECK(mesh_check(&data, "mesh", MOTE_INSIDE_CLOSED, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "here: the mesh has 3 open edges");
    CHECK_MESSAGE(error, "the first at (1, ");
    CHECK(mesh_check(&data, "mesh", MOTE_INSIDE_WINDING, &error) == MOTE_OK);
    CHECK(mesh_check(&data, "mesh", MOTE_INSIDE_NONE, &error) == MOTE_OK);
    CHECK(mesh_check(&data, "convex", 0, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "not convex (it has holes)");
}

static void other_faults_are_found(void)
{
    mote_Error error;
    test_cube(&data, 2, 2, 2);
    uint32_t *t = data.triangles[3], first = t[0];
    t[0] = t[1], t[1] = first;
    mote_MeshFacts f = facts_of(&data);
    CHECK(f.flipped_edges == 3 && !f.closed);
    CHECK(mesh_check(&data, "mesh", MOTE_INSIDE_CLOSED, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "3 edges whose triangles disagree");
    test_cube(&data, 2, 2, 2);
    test_triangle(&data, 0, 1, 7); /* from an edge across the inside */
    f = facts_of(&data);
    CHECK(f.crowded_edges == 2 && f.open_edges == 1);
    test_cube(&data, 2, 2, 2);
    test_triangle(&data, 0, 0, 7), test_triangle(&data, 3, 5, 3);
    f = facts_of(&data);
    CHECK(f.degenerate == 2 && f.closed);
    for (size_t i = 0; i < 12; ++i) {
        uint32_t *turned = data.triangles[i], a = turned[0];
        turned[0] = turned[1], turned[1] = a;
    }
    f = facts_of(&data);
    CHECK(f.inverted && f.volume < 0);
    CHECK(mesh_check(&data, "mesh", MOTE_INSIDE_CLOSED, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "inside out");
    test_torus(&data, 12, 6, 1, 0.3);
    CHECK(mesh_check(&data, "convex", 0, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "it has dents");
}

/* STL repeats vertices; a torus of separate triangles is one part again. */
static void equal_vertices_are_joined(void)
{
    static TestMesh apart;
    test_torus(&data, 20, 10, 1, 0.3);
    apart.vertex_count = 0, apart.triangle_count = 0;
    for (size_t i = 0; i < data.triangle_count; ++i) {
        for (int k = 0; k < 3; ++k)
            memcpy(apart.vertices[apart.vertex_count + (size_t)k],
                   data.vertices[data.triangles[i][k]], sizeof apart.vertices[0]);
        test_triangle(&apart, apart.vertex_count, apart.vertex_count + 1, apart.vertex_count + 2);
        apart.vertex_count += 3;
    }
    mote_MeshFacts f = facts_of(&apart);
    CHECK(f.closed && f.parts == 1 && f.vertices == 200 && f.joined == 1000 && !f.convex);
}

static void bad_data_is_refused(void)
{
    mote_Error error;
    mote_Mesh *mesh;
    test_cube(&data, 1, 1, 1);
    mote_MeshDef def = test_mesh_def(&data);
    data.triangles[4][1] = 99;
    CHECK(mote_mesh_create(&def, &mesh, &error) == MOTE_BAD_VALUE && mesh == NULL);
    CHECK_MESSAGE(error, "triangle 4 names vertex 99, but there are 8");
    test_cube(&data, 1, 1, 1);
    data.vertices[5][2] = (double)NAN;
    CHECK(mote_mesh_create(&def, &mesh, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "vertex 5");
    data.vertices[5][2] = 1e300;
    CHECK(mote_mesh_create(&def, &mesh, &error) == MOTE_BAD_VALUE);
    def.triangle_count = 0;
    CHECK(mote_mesh_create(&def, &mesh, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "no triangles");
    CHECK(find_shape("mesh")->check(&(mote_MeshShape){NULL, 0}, "x", &error) == MOTE_BAD_VALUE);
    CHECK(find_shape("compound")->check(&(mote_CompoundShape){NULL}, "x", &error) ==
          MOTE_BAD_VALUE);
}

/* ---- winding ---- */

/* With a hole the sign is right away from it; without an inside it is positive. */
static void open_meshes_have_an_inside(void)
{
    uint64_t state = 16;
    test_torus(&data, 40, 20, 0.9, 0.4);
    data.triangle_count -= 4;
    mote_Mesh *mesh = test_mesh(&data);
    mote_MeshShape winding = {mesh, MOTE_INSIDE_WINDING}, sheet = {mesh, MOTE_INSIDE_NONE};
    Sampled s = {find_shape("mesh"), &winding, "open torus", NULL},
            t = {find_shape("mesh"), &sheet, "sheet", NULL};
    const Aabb box = sample_bounds(&s, 0.5);
    for (int i = 0; i < 1500; ++i) {
        mote_Vec3 p = random_in(&state, &box);
        double ring = hypot((double)p.x, (double)p.z) - 0.9, side = hypot(ring, (double)p.y) - 0.4;
        double d = distance_at(&s, p);
        if (fabs(side) > 0.1) CHECK_AT((d < 0) == (side < 0), &s, p);
        CHECK_AT(distance_at(&t, p) >= 0, &t, p);
        CHECK_AT(fabs(distance_at(&t, p) - fabs(d)) < 10 * FINE, &t, p);
    }
    check_gradient(&s, &state, 500);
    check_casts(&t, &state, 400);
    mote_mesh_release(mesh);
}

/* ---- planes and hulls ---- */

static mote_Status planes_of(const double *planes, size_t count, mote_Error *error)
{
    mote_Mesh *mesh;
    mote_Status status = mote_mesh_planes(planes, count, (mote_Allocator){0}, &mesh, error);
    mote_mesh_release(mesh);
    return status;
}

static void bad_planes_are_refused(void)
{
    mote_Error error;
    static const double open[4][4] = {{1, 0, 0, 1}, {-1, 0, 0, 1}, {0, 1, 0, 1}, {0, -1, 0, 1}};
    static const double empty[5][4] = {
        {1, 0, 0, -1}, {-1, 0, 0, -1}, {0, 1, 0, 1}, {0, -1, 0, 1}, {0, 0, 1, 1}};
    static const double flat[6][4] = {{1, 0, 0, 0},  {-1, 0, 0, 0}, {0, 1, 0, 1},
                                      {0, -1, 0, 1}, {0, 0, 1, 1},  {0, 0, -1, 1}};
    static const double zero[4][4] = {{1, 0, 0, 1}, {0, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    CHECK(planes_of(open[0], 4, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "has no end towards");
    CHECK(planes_of(empty[0], 5, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "the set is empty");
    CHECK(planes_of(flat[0], 6, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "volume");
    CHECK(planes_of(zero[0], 4, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "plane 1 is not a direction");
    CHECK(planes_of(zero[0], 3, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "4 to");
}

/* Random planes around a ball: the body's distance is that of its planes inside, its faces touch
 * the planes, and planes that are cut off do not matter. */
static void random_planes_make_bodies(void)
{
    uint64_t state = 17;
    for (int round = 0; round < 20; ++round) {
        double planes[40][4];
        size_t count = 8 + setup_bits(&state) % 33;
        mote_Mesh *mesh;
        mote_Error error;
        for (size_t i = 0; i < count; ++i) {
            mote_Vec3 n = random_direction(&state);
            planes[i][0] = (double)n.x, planes[i][1] = (double)n.y, planes[i][2] = (double)n.z;
            planes[i][3] = setup_uniform(&state, 0.5, 2) * (i % 5 == 4 ? 10 : 1);
        }
        mote_Status status = mote_mesh_planes(planes[0], count, (mote_Allocator){0}, &mesh, &error);
        if (status != MOTE_OK) {
            CHECK_MESSAGE(error, sizeof(mote_real) == 8 ? "has no end" : "planes: ");
            continue;
        }
        mote_ConvexShape shape = {mesh};
        Sampled s = {find_shape("convex"), &shape, "planes", NULL};
        for (int i = 0; i < 300; ++i) {
            mote_Vec3 p =
                vec3_scale(random_direction(&state), (mote_real)setup_uniform(&state, 0, 2));
            double most = -HUGE_VAL;
            for (size_t k = 0; k < count; ++k)
                most = fmax(most, planes[k][0] * (double)p.x + planes[k][1] * (double)p.y +
                                      planes[k][2] * (double)p.z - planes[k][3]);
            double d = distance_at(&s, p);
            CHECK_AT(most > 0 ? d > most - 1e-5 : fabs(d - most) < 1e-5, &s, p);
        }
        mote_mesh_release(mesh);
    }
}

static void bad_points_are_refused(void)
{
    mote_Error error;
    mote_Mesh *mesh;
    static const double flat[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.2, 0}};
    static const double bad[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, HUGE_VAL, 0}, {1, 1, 0}};
    CHECK(mote_mesh_hull(flat[0], 5, (mote_Allocator){0}, &mesh, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "in one plane");
    CHECK(mote_mesh_hull(bad[0], 4, (mote_Allocator){0}, &mesh, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "point 2");
    CHECK(mote_mesh_hull(flat[0], 3, (mote_Allocator){0}, &mesh, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "4 are needed");
}

/* ---- owners and memory ---- */

static void shapes_live_as_long_as_needed(void)
{
    Failing failing = {.fail_at = UINT64_MAX};
    test_cube(&data, 1, 1, 1);
    mote_MeshDef def = test_mesh_def(&data);
    mote_Mesh *mesh;
    mote_Error error;
    def.allocator = failing_allocator(&failing);
    SETUP_OK(mote_mesh_create(&def, &mesh, &error), error);
    mote_ConvexShape convex = {mesh};
    mote_ShapeDef part = {"convex", &convex, mote_pose_def()};
    mote_Shapes *shapes = make_shapes(&part, 1);
    mote_mesh_release(mesh);
    CHECK(failing.bytes > 0 && mote_shapes_count(shapes) == 1);
    CHECK(strcmp(mote_shapes_get(shapes, 0).type, "convex") == 0);
    mote_shapes_release(shapes);
    CHECK(failing.bytes == 0);
}

static void lack_of_memory_is_survived(void)
{
    test_torus(&data, 12, 6, 1, 0.3);
    for (int kind = 0; kind < 2; ++kind) {
        if (kind == 1) test_cube(&data, 1, 1, 1);
        data.triangle_count -= (size_t)(kind == 0); /* open: with dipoles */
        for (uint64_t fail = 0; fail < 40; ++fail) {
            Failing failing = {.fail_at = fail};
            mote_MeshDef def = test_mesh_def(&data);
            mote_Mesh *mesh;
            mote_Error error;
            def.allocator = failing_allocator(&failing);
            mote_Status status = mote_mesh_create(&def, &mesh, &error);
            CHECK(status == MOTE_OK || (status == MOTE_NO_MEMORY && mesh == NULL));
            mote_mesh_release(mesh);
            CHECK(failing.bytes == 0);
        }
    }
}

static void nesting_has_an_end(void)
{
    mote_ShapeDef def = {"sphere", NULL, mote_pose_def()};
    mote_Shapes *shapes = make_shapes(&def, 1), *next;
    mote_Error error;
    mote_Status status = MOTE_OK;
    int depth = 0;
    for (; depth < 20 && status == MOTE_OK; ++depth) {
        mote_CompoundShape inner = {shapes};
        mote_ShapeDef outer = {"compound", &inner, mote_pose_def()};
        status = mote_shapes_create(&outer, 1, (mote_Allocator){0}, &next, &error);
        mote_shapes_release(shapes);
        shapes = next;
    }
    CHECK(status == MOTE_BAD_VALUE && depth < 12);
    CHECK_MESSAGE(error, "deep");
}

TESTS({"meshes_conform", meshes_conform}, {"polytopes_conform", polytopes_conform},
      {"compounds_conform", compounds_conform}, {"containers_conform", containers_conform},
      {"triangles_know_their_nearest_point", triangles_know_their_nearest_point},
      {"trees_agree_with_brute_force", trees_agree_with_brute_force},
      {"hulls_agree_with_brute_force", hulls_agree_with_brute_force}, {"cubes_agree", cubes_agree},
      {"polytopes_have_corners", polytopes_have_corners}, {"facts_are_found", facts_are_found},
      {"holes_are_found", holes_are_found}, {"other_faults_are_found", other_faults_are_found},
      {"equal_vertices_are_joined", equal_vertices_are_joined},
      {"bad_data_is_refused", bad_data_is_refused},
      {"open_meshes_have_an_inside", open_meshes_have_an_inside},
      {"bad_planes_are_refused", bad_planes_are_refused},
      {"random_planes_make_bodies", random_planes_make_bodies},
      {"bad_points_are_refused", bad_points_are_refused},
      {"shapes_live_as_long_as_needed", shapes_live_as_long_as_needed},
      {"lack_of_memory_is_survived", lack_of_memory_is_survived},
      {"nesting_has_an_end", nesting_has_an_end})
