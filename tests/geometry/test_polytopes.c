/* Polytopes by planes against brute force: a box and random hulls, 10^5 points, MOTE_LONG times as
 * many if it is set. */
#include "geometry/polytope.h"
#include "geometry/sampled_shape.h"

static int many(int count)
{
    const char *factor = getenv("MOTE_LONG");
    if (TEST_SANITIZED) count /= 20;
    return factor != NULL && atoi(factor) > 0 ? count * atoi(factor) : count;
}

/* A body behind random planes around a ball of radius 0.5. */
static mote_Status make_random_body(uint64_t *state, size_t planes, mote_Mesh **mesh,
                                    mote_Error *error)
{
    double all[40][4];
    for (size_t i = 0; i < planes; ++i) {
        double n[3], length = 0;
        for (int c = 0; c < 3; ++c) n[c] = setup_uniform(state, -1, 1), length += n[c] * n[c];
        for (int c = 0; c < 3; ++c) all[i][c] = n[c] / sqrt(length);
        if (i < 6)
            for (int c = 0; c < 3; ++c) all[i][c] = c == (int)i / 2 ? (i % 2 == 0 ? 1 : -1) : 0;
        all[i][3] = setup_uniform(state, 0.5, 0.9);
    }
    return mote_mesh_planes(all[0], planes, (mote_Allocator){0}, mesh, error);
}

static mote_Mesh *random_body(uint64_t *state, size_t planes)
{
    mote_Mesh *mesh;
    mote_Error error;
    SETUP_OK(make_random_body(state, planes, &mesh, &error), error);
    return mesh;
}

/* Some faces are as thin as rounding: bodies all the same, whose planes have all corners behind
 * them. One in some thousand has corners that floats cannot tell apart, and is refused. */
static void thin_faces_are_taken(void)
{
    enum { BODIES = 400 };
    uint64_t state = 77;
    int refused = 0;
    for (int i = 0; i < BODIES; ++i) {
        mote_Mesh *mesh;
        mote_Error error;
        if (make_random_body(&state, (size_t)(10 + i % 5 * 4), &mesh, &error) != MOTE_OK) {
            ++refused;
            continue;
        }
        CHECK(mesh->facts.convex && mesh->plane_count >= 6);
        for (size_t p = 0; p < mesh->plane_count; ++p)
            for (size_t v = 0; v < mesh->vertex_count; ++v) {
                const MeshPlane *plane = &mesh->planes[p];
                CHECK(vec3_dot(plane->normal, mesh->vertices[v]) <=
                      plane->offset + 8 * REAL_EPSILON);
            }
        mote_mesh_release(mesh);
    }
    CHECK(refused <= 1);
}

typedef struct Case {
    PosedShape shape;
    Polytope polytope;
    mote_BoxShape box;
    mote_ConvexShape convex;
    mote_Mesh *mesh;
} Case;

static void make_case(Case *c, uint64_t *state, int number)
{
    mote_Vec3 at = setup_vec(setup_uniform(state, -2, 2), setup_uniform(state, -2, 2), 1);
    mote_Vec3 angles = setup_vec(setup_uniform(state, -3, 3), setup_uniform(state, -3, 3), 1);
    PoseVelocity still = {{0, 0, 0}, {0, 0, 0}};
    c->mesh = number == 0 ? NULL : random_body(state, (size_t)(6 + 4 * number));
    c->box = (mote_BoxShape){{1, (mote_real)0.5, (mote_real)0.1}};
    c->convex = (mote_ConvexShape){c->mesh};
    c->shape = (PosedShape){shape_named(number == 0 ? "box" : "convex"),
                            number == 0 ? (const void *)&c->box : &c->convex,
                            mote_pose_turned(at, angles)};
    CHECK(polytope_place(&c->shape, &still, &c->polytope));
}

enum { CASES = 5 };

static mote_Vec3 point_near(const Case *c, uint64_t *state)
{
    Aabb box = posed_bounds(&c->shape);
    box = aabb_grown(&box, (mote_real)0.3);
    return random_in(state, &box);
}

static double true_distance(const Case *c, mote_Vec3 x, mote_Vec3 *normal)
{
    mote_real d, *const at[3] = {&x.x, &x.y, &x.z};
    mote_real *const out[3] = {&normal->x, &normal->y, &normal->z};
    posed_surface(&c->shape, 1, at, &d, out);
    return (double)d;
}

/* Whether the balls about a polytope, or within a hole, say that a particle cannot touch. */
static bool is_beyond_reach(const Polytope *p, mote_Vec3 x, mote_real radius)
{
    mote_real away = vec3_length(vec3_sub(x, p->centre));
    return p->hole ? away < p->inner - radius : away >= p->bound + radius;
}

/* Sign exact; the distance exact inside and over faces, never more than the true one elsewhere; the
 * contact point on the plane. */
static void contact_distances(void)
{
    uint64_t state = 3;
    for (int k = 0; k < CASES; ++k) {
        Case c;
        make_case(&c, &state, k);
        int over = 0;
        for (int i = 0; i < many(20000); ++i) {
            mote_Vec3 x = point_near(&c, &state), n, m;
            double exact = true_distance(&c, x, &n);
            PolytopeContact at = polytope_contact(&c.polytope, x);
            mote_Vec3 foot = polytope_point(&c.polytope, x, &at, &m);
            const MeshPlane *plane = &c.polytope.planes[at.plane];
            if (fabs(exact) > 1e-6) CHECK(((double)at.distance < 0) == (exact < 0));
            CHECK((double)at.distance <= exact + 1e-6);
            bool face = exact <= 0 || (double)vec3_dot(n, m) > 1 - 1e-7;
            if (face) CHECK_NEAR(at.distance, exact, 2e-6);
            over += face;
            CHECK_NEAR(vec3_dot(plane->normal, foot), plane->offset,
                       1e-6 * (1 + fabs((double)plane->offset)));
            mote_real r = (mote_real)0.1;
            CHECK(polytope_is_clear(&c.polytope, x, r) == (at.distance > r));
            if (is_beyond_reach(&c.polytope, x, r)) CHECK(exact >= (double)r);
        }
        CHECK(over > many(20000) / 10);
        mote_mesh_release(c.mesh);
    }
}

/* Particles that came in by less than the thickness: the plane is that of the entry. */
static void entry_faces(void)
{
    uint64_t state = 8;
    int right = 0, swept = 0, all = 0;
    for (int k = 0; k < CASES; ++k) {
        Case c;
        make_case(&c, &state, k);
        for (int i = 0; i < many(20000); ++i) {
            mote_Vec3 from = point_near(&c, &state), n;
            mote_Vec3 along = vec3_sub(point_near(&c, &state), from);
            mote_real thin = 2 * c.polytope.inner, length = vec3_length(along);
            if (!(true_distance(&c, from, &n) > 0) || !(length > 0)) continue;
            along = vec3_scale(along, (mote_real)setup_uniform(&state, 0.05, 0.95) * thin / length);
            mote_Vec3 to = vec3_add(from, along);
            if (!(true_distance(&c, to, &n) < -1e-6)) continue;
            double enter = -1; /* brute force: the last plane that is crossed inwards */
            size_t entry = 0;
            for (size_t p = 0; p < c.polytope.count; ++p) {
                const MeshPlane *plane = &c.polytope.planes[p];
                double a = (double)(vec3_dot(plane->normal, from) - plane->offset);
                double b = (double)(vec3_dot(plane->normal, to) - plane->offset);
                if (a > 0 && b < 0 && a / (a - b) > enter) enter = a / (a - b), entry = p;
            }
            PolytopeContact at;
            mote_real share;
            size_t plane;
            ShapeCast way = {from, along, 0};
            PolytopeVisitor visitor = {to, along, 0, 1};
            CHECK(polytope_collision(&c.polytope, &visitor, &at));
            CHECK(polytope_sweep(&c.polytope, &way, &share, &plane));
            CHECK_NEAR(share, enter, 1e-3);
            right += at.plane == entry;
            swept += plane == entry;
            ++all;
        }
        mote_mesh_release(c.mesh);
    }
    CHECK(all > many(2000));
    CHECK(right >= 0.999 * all);
    CHECK(swept >= 0.999 * all);
    printf("entry faces: %d ways, deepening %.2f %%, swept %.2f %%\n", all, 100.0 * right / all,
           100.0 * swept / all);
}

/* The normal of the face that a point particle at (0, y, 0) of a plate comes in by. */
static double plate_face(const Polytope *p, double y, mote_Vec3 v, double dt)
{
    PolytopeVisitor visitor = {setup_vec(0, y, 0), v, 0, (mote_real)dt};
    PolytopeContact at;
    mote_Vec3 n;
    if (!polytope_collision(p, &visitor, &at)) return 0;
    polytope_point(p, visitor.x, &at, &n);
    return (double)n.y;
}

/* A thin plate and a fast particle: the middle is passed, and the nearest face is the far one. */
static void deepening_on_a_plate(void)
{
    mote_BoxShape plate = {{1, (mote_real)0.1, 1}};
    PosedShape shape = {shape_named("box"), &plate, mote_pose_def()};
    PoseVelocity moves = {{0, 5, 0}, {0, 0, 0}}, still = {{0, 0, 0}, {0, 0, 0}};
    Polytope p;
    CHECK(polytope_place(&shape, &still, &p));
    CHECK_NEAR(plate_face(&p, -0.02, setup_vec(0, -1, 0), 0.1), 1, 1e-6);
    CHECK_NEAR(plate_face(&p, -0.02, setup_vec(0, -1, 0), 0), 1, 1e-6);
    CHECK_NEAR(plate_face(&p, -0.02, setup_vec(0, 0, 0), 0.1), -1, 1e-6); /* moves into none */
    /* slides along the top, a little inwards: out at the top, not at the far end */
    CHECK_NEAR(plate_face(&p, 0.04999, setup_vec(-3, -1e-6, 0), 0.01), 1, 1e-6);
    CHECK(plate_face(&p, 0.2, setup_vec(0, -1, 0), 0.1) == 0);
    polytope_place(&shape, &moves, &p); /* the plate comes from below */
    CHECK_NEAR(plate_face(&p, -0.02, setup_vec(0, 1, 0), 0.1), 1, 1e-6);
}

/* Containers push inwards, spheres are closed formulas, compounds give their parts. */
static void holes_spheres_and_parts(void)
{
    mote_SphereShape ball = {2};
    mote_ShapeDef part = {"sphere", &ball, mote_pose_def()};
    mote_ShapeDef two[2] = {part, part};
    mote_Shapes *hollow, *pair;
    mote_Error error;
    Polytope p;
    PoseVelocity still = {{0, 0, 0}, {0, 0, 0}};
    two[1].pose.position = setup_vec(5, 0, 0);
    SETUP_OK(mote_shapes_create(&part, 1, (mote_Allocator){0}, &hollow, &error), error);
    SETUP_OK(mote_shapes_create(two, 2, (mote_Allocator){0}, &pair, &error), error);
    mote_InvertedShape inverted = {hollow};
    mote_CompoundShape compound = {pair};
    PosedShape shape = {shape_named("inverted"), &inverted, mote_pose_def()};
    CHECK(polytope_place(&shape, &still, &p));
    mote_Vec3 x = setup_vec(1.5, 0, 0), n;
    PolytopeContact at = polytope_contact(&p, x);
    CHECK_NEAR(at.distance, 0.5, 1e-6);
    mote_Vec3 foot = polytope_point(&p, x, &at, &n);
    CHECK_NEAR(foot.x, 2, 1e-6);
    CHECK_NEAR(n.x, -1, 1e-6);
    CHECK(!is_beyond_reach(&p, x, 1));
    CHECK(is_beyond_reach(&p, setup_vec(0.1, 0, 0), 1));
    PosedShape both = {shape_named("compound"), &compound, mote_pose_def()};
    CHECK(polytope_parts(&both) == 2);
    PosedShape second = polytope_part(&both, 1);
    CHECK(polytope_place(&second, &still, &p));
    CHECK_NEAR(polytope_contact(&p, setup_vec(8, 0, 0)).distance, 1, 1e-6);
    mote_shapes_release(hollow);
    mote_shapes_release(pair);
}

TESTS({"thin_faces_are_taken", thin_faces_are_taken}, {"contact_distances", contact_distances},
      {"entry_faces", entry_faces}, {"deepening_on_a_plate", deepening_on_a_plate},
      {"holes_spheres_and_parts", holes_spheres_and_parts})
