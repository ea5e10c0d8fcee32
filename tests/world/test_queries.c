/* Rays and nearest points, beside brute force: distances by formulas of this file, and rays by
 * small steps through them. */
#include "setup.h"

#include <math.h>

typedef struct P3 {
    double x, y, z;
} P3;

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

/* ---- signed distances, in the shape's own frame ---- */

static double plane_distance(P3 p)
{
    return (p.x + 2 * p.y - p.z) / sqrt(6.0) + 1.5;
}

static double sphere_distance(P3 p)
{
    return length(p.x, p.y, p.z) - 0.6;
}

static double box_of(P3 p, double a, double b, double c)
{
    double x = fabs(p.x) - a, y = fabs(p.y) - b, z = fabs(p.z) - c;
    double most = fmax(x, fmax(y, z));
    return most > 0 ? length(fmax(x, 0), fmax(y, 0), fmax(z, 0)) : most;
}

static double box_distance(P3 p)
{
    return box_of(p, 0.4, 0.2, 0.7);
}

static double capsule_distance(P3 p)
{
    double y = p.y - fmax(-0.5, fmin(0.5, p.y));
    return length(p.x, y, p.z) - 0.3;
}

static double cylinder_distance(P3 p)
{
    double r = sqrt(p.x * p.x + p.z * p.z) - 0.4, h = fabs(p.y) - 0.6, most = fmax(r, h);
    return most > 0 ? length(fmax(r, 0), fmax(h, 0), 0) : most;
}

static double pair_distance(P3 p)
{
    P3 q = {p.x - 0.5, p.y, p.z}, r = {p.x + 0.7, p.y, p.z};
    return fmin(sphere_distance(q), sphere_distance(r));
}

static double room_distance(P3 p)
{
    return -box_of(p, 3.5, 3.5, 3.5);
}

/* ---- the same as colliders ---- */

/* The box of box_distance. */
static mote_Mesh *box_mesh(void)
{
    double corners[8][3];
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    mote_MeshDef def = mote_mesh_def();
    mote_Mesh *mesh;
    mote_Error error;
    for (int i = 0; i < 8; ++i) {
        corners[i][0] = i & 1 ? 0.4 : -0.4, corners[i][1] = i & 2 ? 0.2 : -0.2;
        corners[i][2] = i & 4 ? 0.7 : -0.7;
    }
    def.vertices = corners[0], def.vertex_count = 8;
    def.triangles = faces[0], def.triangle_count = 12;
    SETUP_OK(mote_mesh_create(&def, &mesh, &error), error);
    return mesh;
}

typedef struct Form {
    const char *shape;
    const void *params;
    double (*distance)(P3 p);
    bool body;
    mote_Pose pose;
} Form;

enum { FORMS = 9 };

typedef struct Scene {
    mote_World *world;
    mote_Mesh *mesh;
    mote_Shapes *pair, *room;
    Form forms[FORMS];
    int count;
} Scene;

static mote_Shapes *shapes_of(const mote_ShapeDef *defs, size_t count)
{
    mote_Shapes *shapes;
    mote_Error error;
    SETUP_OK(mote_shapes_create(defs, count, mote_default_allocator(), &shapes, &error), error);
    return shapes;
}

static void add_form(Scene *s, const Form *form)
{
    mote_ColliderDef def = mote_collider_def();
    mote_BodyDef body = mote_body_def();
    char name[32];
    mote_Error error;
    snprintf(name, sizeof name, "%s", form->shape);
    def.name = body.name = name, def.shape = body.shape = form->shape;
    def.shape_params = body.shape_params = form->params;
    if (form->body) {
        body.free = false;
        SETUP_OK(mote_world_add_body(s->world, &body, &error), error);
        return;
    }
    SETUP_OK(mote_world_add_collider(s->world, &def, &error), error);
    SETUP_OK(mote_world_move_collider(s->world, name, &form->pose, setup_vec(0, 0, 0),
                                      setup_vec(0, 0, 0), &error),
             error);
}

/* Each form alone, or (only < 0) all together. */
static Scene scene_make(int only, uint64_t *random)
{
    static const mote_PlaneShape plane = {{1, 2, -1}, -(mote_real)1.5};
    static const mote_SphereShape sphere = {(mote_real)0.6};
    static const mote_BoxShape box = {{(mote_real)0.8, (mote_real)0.4, (mote_real)1.4}};
    static const mote_BoxShape hall = {{7, 7, 7}};
    static const mote_CapsuleShape capsule = {(mote_real)0.3, 1};
    static const mote_CylinderShape cylinder = {(mote_real)0.4, (mote_real)1.2};
    static mote_ConvexShape convex;
    static mote_MeshShape mesh;
    static mote_CompoundShape compound;
    static mote_InvertedShape inverted;
    mote_WorldDef def = setup_def(0.01);
    Scene s = {.world = setup_world(&def), .mesh = box_mesh()};
    mote_ShapeDef two[2] = {{"sphere", &sphere, mote_pose_def()},
                            {"sphere", &sphere, mote_pose_def()}};
    mote_ShapeDef one = {"box", &hall, mote_pose_def()};
    two[0].pose.position.x = (mote_real)0.5, two[1].pose.position.x = -(mote_real)0.7;
    s.pair = shapes_of(two, 2), s.room = shapes_of(&one, 1);
    convex = mote_convex_shape_def(), mesh = mote_mesh_shape_def();
    convex.mesh = s.mesh, mesh.mesh = s.mesh;
    compound = (mote_CompoundShape){s.pair}, inverted = (mote_InvertedShape){s.room};
    const Form all[FORMS] = {
        {"plane", &plane, plane_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"sphere", &sphere, sphere_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"box", &box, box_distance, true, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"capsule", &capsule, capsule_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"cylinder", &cylinder, cylinder_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"convex", &convex, box_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"mesh", &mesh, box_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"compound", &compound, pair_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}},
        {"inverted", &inverted, room_distance, false, {{0, 0, 0}, {0, 0, 0, 1}}}};
    for (int i = 0; i < FORMS; ++i) {
        if (only >= 0 && i != only) continue;
        Form form = all[i];
        const double far = only >= 0 ? 0.4 : i == 0 || i == 8 ? 0.2 : 2;
        form.pose =
            form.body
                ? mote_pose_def()
                : mote_pose_turned(
                      setup_vec(setup_uniform(random, -far, far), setup_uniform(random, -far, far),
                                setup_uniform(random, -far, far)),
                      setup_vec(setup_uniform(random, -3, 3), setup_uniform(random, -3, 3), 0.4));
        s.forms[s.count++] = form;
        add_form(&s, &form);
    }
    return s;
}

static void scene_end(Scene *s)
{
    mote_world_destroy(s->world);
    mote_shapes_release(s->pair), mote_shapes_release(s->room);
    mote_mesh_release(s->mesh);
}

/* ---- brute force ---- */

/* Into the frame of a pose: q* (p - position) q, written out. */
static P3 own_frame(const mote_Pose *pose, P3 p)
{
    const double w = (double)pose->orientation.w, x = -(double)pose->orientation.x,
                 y = -(double)pose->orientation.y, z = -(double)pose->orientation.z;
    const P3 a = {p.x - (double)pose->position.x, p.y - (double)pose->position.y,
                  p.z - (double)pose->position.z};
    const P3 t = {2 * (y * a.z - z * a.y), 2 * (z * a.x - x * a.z), 2 * (x * a.y - y * a.x)};
    return (P3){a.x + w * t.x + y * t.z - z * t.y, a.y + w * t.y + z * t.x - x * t.z,
                a.z + w * t.z + x * t.y - y * t.x};
}

static double distance_at(const Scene *s, P3 p, int *which)
{
    double least = HUGE_VAL;
    for (int i = 0; i < s->count; ++i) {
        double d = s->forms[i].distance(own_frame(&s->forms[i].pose, p));
        if (d < least) least = d, *which = i;
    }
    return least;
}

static P3 on_way(const mote_Cast *c, double share)
{
    return (P3){(double)c->from.x + share * (double)c->along.x,
                (double)c->from.y + share * (double)c->along.y,
                (double)c->from.z + share * (double)c->along.z};
}

enum { STEPS = 4000 };

/* The share of the way at which a ball of the cast's radius touches first; 2: never. `grazes`: it
 * comes so near that small steps cannot tell. */
static double marched(const Scene *s, const mote_Cast *c, bool *grazes)
{
    int which;
    double least = HUGE_VAL, r = (double)c->radius;
    for (int i = 1; i <= STEPS; ++i) {
        double d = distance_at(s, on_way(c, (double)i / STEPS), &which) - r;
        least = fmin(least, fabs(d));
        if (d > 0) continue;
        double low = (i - 1.0) / STEPS, high = (double)i / STEPS;
        for (int k = 0; k < 40; ++k) {
            double middle = 0.5 * (low + high);
            if (distance_at(s, on_way(c, middle), &which) > r)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    *grazes = least < 3e-3;
    return 2;
}

static mote_Vec3 random_place(uint64_t *random, double most)
{
    return setup_vec(setup_uniform(random, -most, most), setup_uniform(random, -most, most),
                     setup_uniform(random, -most, most));
}

/* Is on the surface, and faces outward. */
static void check_point(const Scene *s, const mote_SolidPoint *hit)
{
    int which;
    const P3 p = {(double)hit->point.x, (double)hit->point.y, (double)hit->point.z};
    const double h = 2e-3;
    const P3 out = {p.x + h * (double)hit->normal.x, p.y + h * (double)hit->normal.y,
                    p.z + h * (double)hit->normal.z};
    CHECK_NEAR(distance_at(s, p, &which), 0, 1e-4);
    CHECK(distance_at(s, out, &which) > 0.3 * h);
    CHECK(strcmp(hit->collider, mote_world_name(s->world, MOTE_KIND_COLLIDER, hit->number)) == 0);
}

static void check_casts(const Scene *s, uint64_t *random, int count, double radius)
{
    int hits = 0, which;
    for (int i = 0; i < count; ++i) {
        const mote_Vec3 from = random_place(random, 3), to = random_place(random, 1);
        const double far = setup_uniform(random, 0.3, 5);
        const mote_Cast cast = {from,
                                setup_vec(far * (double)(to.x - from.x),
                                          far * (double)(to.y - from.y),
                                          far * (double)(to.z - from.z)),
                                (mote_real)radius};
        mote_SolidPoint hit;
        bool grazes = false;
        double start = distance_at(s, on_way(&cast, 0), &which) - radius;
        if (fabs(start) < 1e-3) continue;
        bool met = mote_world_cast(s->world, &cast, &hit);
        if (start < 0) { /* it only leaves, or it is told that it began inside */
            CHECK(!met || (hit.inside && hit.distance == 0));
            continue;
        }
        double share = marched(s, &cast, &grazes);
        if (grazes) continue;
        CHECK(met == (share <= 1));
        if (!met) continue;
        double way = length((double)cast.along.x, (double)cast.along.y, (double)cast.along.z);
        CHECK_NEAR(hit.distance, share * way, 1e-3);
        CHECK(!hit.inside);
        check_point(s, &hit);
        ++hits;
    }
    CHECK(hits > count / 20);
}

static void check_nearest(const Scene *s, uint64_t *random, int count)
{
    for (int i = 0; i < count; ++i) {
        const mote_Vec3 at = random_place(random, 3);
        mote_SolidPoint near;
        int which = 0;
        double d = distance_at(s, (P3){(double)at.x, (double)at.y, (double)at.z}, &which);
        CHECK(mote_world_nearest(s->world, at, &near));
        CHECK_NEAR(near.distance, d, 1e-4);
        CHECK(near.inside == (near.distance < 0));
        if (fabs(d) < 1e-3 || (d < 0 && s->count > 1)) continue; /* one may be inside another */
        const double x = (double)(near.point.x - at.x), y = (double)(near.point.y - at.y),
                     z = (double)(near.point.z - at.z);
        CHECK_NEAR(length(x, y, z), fabs(d), 2e-4); /* so nothing on the surface is nearer */
        check_point(s, &near);
    }
}

static void every_shape_is_met_where_brute_force_meets_it(void)
{
    uint64_t random = 1;
    for (int form = 0; form < FORMS; ++form) {
        Scene s = scene_make(form, &random);
        check_casts(&s, &random, 120, 0);
        check_casts(&s, &random, 40, 0.15);
        check_nearest(&s, &random, 200);
        scene_end(&s);
    }
}

static void the_first_of_all_is_met(void)
{
    uint64_t random = 7;
    Scene s = scene_make(-1, &random);
    check_casts(&s, &random, 150, 0);
    check_nearest(&s, &random, 300);
    scene_end(&s);
}

static void nothing_is_met_where_nothing_is(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_ColliderDef sink = mote_collider_def();
    mote_Cast down = {{0, 1, 0}, {0, -2, 0}, 0}, nowhere = {{0, 1, 0}, {0, 0, 0}, 0};
    mote_Cast wild = {{0, (mote_real)NAN, 0}, {0, -2, 0}, 0};
    mote_SolidPoint hit;
    mote_Error error;
    CHECK(!mote_world_cast(world, &down, &hit) && !mote_world_nearest(world, down.from, &hit));
    sink.name = "drain", sink.sink = true;
    SETUP_OK(mote_world_add_collider(world, &sink, &error), error);
    CHECK(!mote_world_cast(world, &down, &hit) && !mote_world_nearest(world, down.from, &hit));
    setup_plane(world, setup_vec(0, 1, 0), 0, 0);
    CHECK(mote_world_cast(world, &down, &hit) && hit.distance == 1 && hit.number == 1);
    CHECK(!mote_world_cast(world, &nowhere, &hit) && !mote_world_cast(world, &wild, &hit));
    CHECK(!mote_world_nearest(world, wild.from, &hit));
    mote_world_destroy(world);
}

TESTS({"every_shape_is_met_where_brute_force_meets_it",
       every_shape_is_met_where_brute_force_meets_it},
      {"the_first_of_all_is_met", the_first_of_all_is_met},
      {"nothing_is_met_where_nothing_is", nothing_is_met_where_nothing_is})
