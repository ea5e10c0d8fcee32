/* The simple shapes: conformance of every row, analytic values, poses. */
#include "geometry/conformance.h"
#include "geometry/posed.h"

static const mote_PlaneShape planes[] = {{{0, 1, 0}, (mote_real)0.25},
                                         {{(mote_real)0.6, 0, (mote_real)-0.8}, (mote_real)-0.3}};
static const mote_SphereShape spheres[] = {{(mote_real)0.7}, {(mote_real)1.4}};
static const mote_BoxShape boxes[] = {{{1, 2, (mote_real)0.5}}, {{2, 0, 1}}};
static const mote_CapsuleShape capsules[] = {{(mote_real)0.4, (mote_real)1.5}, {(mote_real)0.8, 0}};
static const mote_CylinderShape cylinders[] = {{(mote_real)0.6, (mote_real)1.3},
                                               {(mote_real)1.2, (mote_real)0.2}};
static const mote_TorusShape tori[] = {{(mote_real)0.8, (mote_real)0.3},
                                       {(mote_real)0.6, (mote_real)0.55}};

static const struct {
    const char *type;
    const void *params;
} samples[] = {
    {"plane", &planes[0]},       {"plane", &planes[1]},     {"sphere", &spheres[0]},
    {"sphere", &spheres[1]},     {"box", &boxes[0]},        {"box", &boxes[1]},
    {"capsule", &capsules[0]},   {"capsule", &capsules[1]}, {"cylinder", &cylinders[0]},
    {"cylinder", &cylinders[1]}, {"torus", &tori[0]},       {"torus", &tori[1]},
};

static const ShapeRow *find_shape(const char *type)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(isa_pick(), &count);
    return (const ShapeRow *)row_find(rows, count, "test", "shape", type, NULL);
}

static Sampled sample_of(const char *type, const void *params)
{
    return (Sampled){find_shape(type), params, type, NULL};
}

static void simple_shapes_conform(void)
{
    for (size_t i = 0; i < COUNT_OF(samples); ++i) {
        Sampled s = sample_of(samples[i].type, samples[i].params);
        check_shape(&s, 100 + i);
    }
}

/* Distances worked out by hand. */
static void distances_are_known(void)
{
    static const struct {
        const char *type;
        const void *params;
        double x[3], distance;
    } known[] = {
        {"sphere", &spheres[0], {0, 0, 0}, -0.7},
        {"sphere", &spheres[0], {3, 0, 4}, 4.3},
        {"box", &boxes[0], {0.5 + 3, 1 + 4, 0}, 5},
        {"box", &boxes[0], {0.5 + 2, 1 + 3, 0.25 + 6}, 7},
        {"box", &boxes[0], {0, 0, 0}, -0.25},
        {"box", &boxes[0], {0.4, 0.2, 0}, -0.1},
        {"box", &boxes[1], {0, 1000, 0}, -0.5},
        {"capsule", &capsules[0], {0, 2, 0}, 2 - 0.75 - 0.4},
        {"capsule", &capsules[0], {0.3, 0.7, 0.4}, 0.1},
        {"capsule", &capsules[0], {3, 0.75 + 4, 0}, 4.6},
        {"cylinder", &cylinders[0], {0.6 + 3, 0.65 + 4, 0}, 5},
        {"cylinder", &cylinders[0], {0, 0.6, 0.1}, -0.05},
        {"cylinder", &cylinders[0], {0.3, 0, -0.4}, -0.1},
        {"plane", &planes[1], {1, 5, 1}, 0.1},
        {"torus", &tori[0], {0, 0, 0}, 0.5},
        {"torus", &tori[0], {0, 0.6, 0}, 0.7},
        {"torus", &tori[0], {0.48, 0, 0.64}, -0.3},
        {"torus", &tori[0], {-0.8 - 0.3, 0.4, 0}, 0.2},
    };
    for (size_t i = 0; i < COUNT_OF(known); ++i) {
        Sampled s = sample_of(known[i].type, known[i].params);
        const double *x = known[i].x;
        CHECK_NEAR(distance_at(&s, setup_vec(x[0], x[1], x[2])), known[i].distance, 10 * FINE);
    }
}

/* ---- brute force: 10^5 points, each shape described a second time, in double ---- */

/* Signed distance of the intervals |u| <= a and |v| <= b and |w| <= c, by the nearest of their
 * points outside and the nearest of their ends inside; negative sizes: no end. */
static double slabs(const double x[3], const double half[3])
{
    double out = 0, in = HUGE_VAL;
    for (int c = 0; c < 3; ++c) {
        if (!(half[c] >= 0)) continue;
        double nearest = x[c] < -half[c] ? -half[c] : x[c] > half[c] ? half[c] : x[c];
        out += (x[c] - nearest) * (x[c] - nearest);
        in = fmin(in, half[c] - fabs(x[c]));
    }
    return out > 0 ? sqrt(out) : -in;
}

static double plane_oracle(const void *raw, const double x[3])
{
    const mote_PlaneShape *p = raw;
    return (double)p->normal.x * x[0] + (double)p->normal.y * x[1] + (double)p->normal.z * x[2] -
           (double)p->offset;
}

static double sphere_oracle(const void *raw, const double x[3])
{
    return hypot(hypot(x[0], x[1]), x[2]) - (double)((const mote_SphereShape *)raw)->radius;
}

static double box_oracle(const void *raw, const double x[3])
{
    const mote_Vec3 size = ((const mote_BoxShape *)raw)->size;
    const mote_real edges[3] = {size.x, size.y, size.z};
    double half[3];
    for (int c = 0; c < 3; ++c) half[c] = edges[c] > 0 ? (double)edges[c] / 2 : -1;
    return slabs(x, half);
}

static double capsule_oracle(const void *raw, const double x[3])
{
    const mote_CapsuleShape *p = raw;
    double end = (double)p->length / 2, y = fmin(fmax(x[1], -end), end);
    return hypot(hypot(x[0], x[1] - y), x[2]) - (double)p->radius;
}

static double cylinder_oracle(const void *raw, const double x[3])
{
    const mote_CylinderShape *p = raw;
    const double flat[3] = {hypot(x[0], x[2]), x[1], 0};
    return slabs(flat, (const double[3]){(double)p->radius, (double)p->height / 2, -1});
}

/* From the point of the circle in the same half-plane. */
static double torus_oracle(const void *raw, const double x[3])
{
    const mote_TorusShape *p = raw;
    const double angle = atan2(x[2], x[0]), r = (double)p->radius;
    return hypot(hypot(x[0] - r * cos(angle), x[2] - r * sin(angle)), x[1]) - (double)p->tube;
}

static const struct {
    const char *type;
    double (*distance)(const void *params, const double x[3]);
} oracles[] = {{"plane", plane_oracle},     {"sphere", sphere_oracle},     {"box", box_oracle},
               {"capsule", capsule_oracle}, {"cylinder", cylinder_oracle}, {"torus", torus_oracle}};

static double asked_oracle(size_t sample, mote_Vec3 p)
{
    const double x[3] = {(double)p.x, (double)p.y, (double)p.z};
    for (size_t k = 0; k < COUNT_OF(oracles); ++k)
        if (strcmp(oracles[k].type, samples[sample].type) == 0)
            return oracles[k].distance(samples[sample].params, x);
    return (double)NAN;
}

static void points_agree_with_oracles(void)
{
    const int points = (TEST_SANITIZED ? 1000 : 100000) * long_factor();
    uint64_t state = 31;
    for (size_t i = 0; i < COUNT_OF(samples); ++i) {
        const Sampled s = sample_of(samples[i].type, samples[i].params);
        const Aabb box = sample_bounds(&s, 1);
        for (int n = 0; n < points; ++n) {
            mote_Vec3 p = random_in(&state, &box);
            CHECK_AT(fabs(distance_at(&s, p) - asked_oracle(i, p)) < 10 * FINE, &s, p);
        }
    }
}

/* A sphere 0.09 off a cube's corner along each axis is 0.156 away: with radius 0.1 it does not
 * overlap, although every plane is nearer than that. */
static void corners_are_not_planes(void)
{
    static const mote_BoxShape cube = {{1, 1, 1}};
    Sampled s = sample_of("box", &cube);
    mote_Vec3 p = setup_vec(0.59, 0.59, 0.59);
    ShapeCast cast = {p, setup_vec(0, 0, 0.001), (mote_real)0.1};
    ShapeHit hit;
    CHECK_NEAR(distance_at(&s, p), 0.09 * sqrt(3), 10 * FINE);
    CHECK(!s.row->cast(s.params, &cast, &hit));
}

static void nan_counts_as_near(void)
{
    mote_real bad = (mote_real)NAN, x[3] = {bad, 50, 50}, d;
    mote_real *at[3] = {&x[0], &x[1], &x[2]};
    for (size_t i = 0; i < COUNT_OF(samples); ++i) {
        const ShapeRow *row = find_shape(samples[i].type);
        x[0] = x[1] = x[2] = bad;
        row->distance(samples[i].params, 1, at, &d);
        CHECK(!(d >= 0));
        CHECK(row->near(samples[i].params, 1, at, 0));
    }
}

/* All instruction sets give the same bits. */
static void sets_agree(void)
{
    enum { COUNT = 200 };
    static mote_real x[3][COUNT], d[2][COUNT], n[2][3][COUNT];
    mote_real *at[3] = {x[0], x[1], x[2]};
    uint64_t state = 5;
    size_t count;
    for (int i = 0; i < 3 * COUNT; ++i)
        x[i / COUNT][i % COUNT] = (mote_real)setup_uniform(&state, -2, 2);
    for (size_t i = 0; i < COUNT_OF(samples); ++i)
        for (int isa = 0; isa <= (int)isa_pick(); ++isa) {
            const mote_Row *const *rows = shape_rows((Isa)isa, &count);
            const ShapeRow *row =
                (const ShapeRow *)row_find(rows, count, "", "shape", samples[i].type, NULL);
            int k = isa > 0;
            mote_real *out[3] = {n[k][0], n[k][1], n[k][2]};
            row->distance(samples[i].params, COUNT, at, d[k]);
            row->normal(samples[i].params, COUNT, at, out);
            CHECK(k == 0 || memcmp(d[0], d[1], sizeof d[0]) == 0);
            CHECK(k == 0 || memcmp(n[0], n[1], sizeof n[0]) == 0);
        }
}

/* Moments of the samples of a torus, which is longer around outside than inside: with ring R and
 * tube r, the mean squares of the distance from the axis are R^2 + 3/2 r^2 on the surface and
 * R^2 + 3/4 r^2 in the volume (R^2 + r^2/2 and R^2 + r^2/4 if all directions were alike), those of
 * the height r^2/2 and r^2/4. */
static void rings_are_sampled_evenly(void)
{
    enum { COUNT = 200000 };
    static const mote_TorusShape ring = {(mote_real)0.6, (mote_real)0.5};
    const Sampled s = sample_of("torus", &ring);
    const double R2 = 0.36, r2 = 0.25;
    double around[2] = {0}, high[2] = {0};
    for (int i = 0; i < COUNT; ++i) {
        ShapeRandom random = {random_key(7, "ring"), (uint64_t)i, 3, 11};
        ShapePoint p[2];
        s.row->surface(s.params, &random, &p[0]), s.row->volume(s.params, &random, &p[1]);
        for (int k = 0; k < 2; ++k) {
            const double x = (double)p[k].position.x, y = (double)p[k].position.y,
                         z = (double)p[k].position.z;
            around[k] += (x * x + z * z) / COUNT, high[k] += y * y / COUNT;
        }
    }
    CHECK_NEAR(around[0], R2 + 1.5 * r2, 0.005);
    CHECK_NEAR(high[0], r2 / 2, 0.001);
    CHECK_NEAR(around[1], R2 + 0.75 * r2, 0.004);
    CHECK_NEAR(high[1], r2 / 4, 0.001);
    ShapeMeasure m;
    const double pi = 3.141592653589793;
    s.row->measure(s.params, &m);
    CHECK_NEAR(m.area, 4 * pi * pi * 0.3, 1e-6);
    CHECK_NEAR(m.volume, 2 * pi * pi * 0.6 * r2, 1e-6);
    CHECK_NEAR(m.inertia[1][1], m.volume * around[1], 0.01 * m.inertia[1][1]);
    CHECK_NEAR(m.inertia[0][0], m.volume * (around[1] / 2 + high[1]), 0.01 * m.inertia[0][0]);
}

/* From the hole: along the inner equator a straight way leads into the ring at once, and one from
 * the inner wall through the hole meets the other side. */
static void rings_are_met_from_their_hole(void)
{
    static const mote_TorusShape ring = {1, (mote_real)0.25};
    const Sampled s = sample_of("torus", &ring);
    ShapeHit hit;
    ShapeCast across = {setup_vec(0.75, 0, 0), setup_vec(-2, 0, 0), 0};
    CHECK(s.row->cast(s.params, &across, &hit) && !hit.overlaps);
    CHECK_NEAR((double)hit.time, 0.75, FINE);
    CHECK_NEAR((double)hit.normal.x, 1, FINE);
    ShapeCast along = {setup_vec(0.75, 0, 0), setup_vec(0, 0, 0.5), 0};
    CHECK(s.row->cast(s.params, &along, &hit) && (double)hit.time < 0.01);
    ShapeCast through = {setup_vec(0.1, 3, 0.2), setup_vec(0, -6, 0), (mote_real)0.4};
    CHECK(!s.row->cast(s.params, &through, &hit));
    ShapeCast stuck = {setup_vec(0.1, 3, 0.2), setup_vec(0, -6, 0), (mote_real)0.6};
    CHECK(s.row->cast(s.params, &stuck, &hit));
    /* where the ball of radius 0.6 at (0.2236, y) is 0.85 away from the circle of radius 1 */
    const double y = sqrt(0.85 * 0.85 - (1 - sqrt(0.05)) * (1 - sqrt(0.05)));
    CHECK_NEAR((double)hit.time, (3 - y) / 6, 10 * FINE);
    /* out of a ring that is hollow: a ball of 0.1 leaves a tube of 0.25 after 0.15 */
    ShapeCast out = {setup_vec(1, 0, 0), setup_vec(0, 1, 0), (mote_real)0.1};
    CHECK(s.row->leave(s.params, &out, &hit) && !hit.overlaps);
    CHECK_NEAR((double)hit.time, 0.15, FINE);
    CHECK_NEAR((double)hit.normal.y, -1, FINE);
}

static void bad_rings_are_refused(void)
{
    mote_TorusShape ring = mote_torus_shape_def();
    mote_Error error;
    CHECK(find_shape("torus")->check(&ring, "here", &error) == MOTE_OK);
    ring.tube = ring.radius;
    CHECK(find_shape("torus")->check(&ring, "here", &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "here: tube is 0.5 m, but must be less than the radius, 0.5 m");
}

static void bad_boxes_are_refused(void)
{
    mote_BoxShape box = mote_box_shape_def();
    mote_Error error;
    box.size.y = -1;
    CHECK(find_shape("box")->check(&box, "here", &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "here: size is [1, -1, 1]");
}

/* ---- poses ---- */

static mote_Pose random_pose(uint64_t *state)
{
    mote_Vec3 turn = vec3_scale(random_direction(state), (mote_real)setup_uniform(state, 0, 3));
    return (mote_Pose){vec3_scale(random_direction(state), 2), quat_of_turn(turn)};
}

static void poses_turn(void)
{
    const double half_pi = 1.5707963267948966;
    mote_Pose pose = mote_pose_turned(setup_vec(1, 2, 3), setup_vec(half_pi, 0, half_pi));
    mote_Vec3 p = pose_apply(&pose, vec3(0, 1, 0)); /* y -> z, and stays under the turn about z */
    CHECK(vec3_length(vec3_sub(p, vec3(1, 2, 4))) < (mote_real)FINE);
    p = pose_apply(&pose, vec3(1, 0, 0)); /* x -> y */
    CHECK(vec3_length(vec3_sub(p, vec3(1, 3, 3))) < (mote_real)FINE);
}

static void poses_invert(void)
{
    uint64_t state = 3;
    for (int i = 0; i < 1000; ++i) {
        mote_Pose a = random_pose(&state), b = random_pose(&state), ab = pose_product(&a, &b);
        mote_Vec3 p = random_direction(&state), q = pose_apply(&a, p);
        CHECK(vec3_length(vec3_sub(pose_invert(&a, q), p)) < (mote_real)FINE);
        mote_Vec3 one = pose_apply(&ab, p), two = pose_apply(&a, pose_apply(&b, p));
        CHECK(vec3_length(vec3_sub(one, two)) < (mote_real)(5 * FINE));
        CHECK_NEAR(vec3_length(pose_rotate(&a, p)), 1, FINE);
    }
}

/* Half way of a half way is a quarter; the middle turns by half of the angle; velocities agree. */
static void poses_move(void)
{
    uint64_t state = 4;
    for (int i = 0; i < 300; ++i) {
        mote_Pose a = random_pose(&state), b = random_pose(&state);
        PoseVelocity v = pose_velocity_between(&a, &b);
        mote_Pose half = pose_advance(&a, &v, (mote_real)0.5);
        mote_Pose quarter = pose_advance(&a, &v, (mote_real)0.25);
        PoseVelocity slow = pose_velocity_between(&a, &half);
        mote_Pose again = pose_advance(&a, &slow, (mote_real)0.5);
        mote_Vec3 p = random_direction(&state), x = pose_apply(&half, p);
        CHECK(vec3_length(vec3_sub(pose_apply(&quarter, p), pose_apply(&again, p))) <
              (mote_real)(20 * FINE));
        mote_real h = (mote_real)1e-3;
        mote_Pose before = pose_advance(&a, &v, (mote_real)0.5 - h),
                  after = pose_advance(&a, &v, (mote_real)0.5 + h);
        mote_Vec3 moved = vec3_sub(pose_apply(&after, p), pose_apply(&before, p));
        mote_Vec3 slope = vec3_scale(moved, 1 / (2 * h));
        CHECK(vec3_length(vec3_sub(slope, pose_point_velocity(&half, &v, x))) < (mote_real)0.02);
        mote_Pose end = pose_advance(&a, &v, 1);
        CHECK(vec3_length(vec3_sub(pose_apply(&end, p), pose_apply(&b, p))) <
              (mote_real)(50 * FINE));
    }
}

/* A shape that is moved with the points gives the same distances, turned normals and hits. */
static void posed_shapes_follow(void)
{
    enum { COUNT = 300 };
    static mote_real own[3][COUNT], world[3][COUNT], d[COUNT], n[3][COUNT];
    mote_real *at[3] = {world[0], world[1], world[2]}, *out[3] = {n[0], n[1], n[2]};
    uint64_t state = 9;
    for (size_t k = 0; k < COUNT_OF(samples); ++k) {
        Sampled s = sample_of(samples[k].type, samples[k].params);
        PosedShape posed = {s.row, s.params, random_pose(&state)};
        const Aabb b = sample_bounds(&s, 1), bounds = posed_bounds(&posed);
        for (int i = 0; i < COUNT; ++i) {
            mote_Vec3 p = random_in(&state, &b), x = pose_apply(&posed.pose, p);
            own[0][i] = p.x, own[1][i] = p.y, own[2][i] = p.z;
            world[0][i] = x.x, world[1][i] = x.y, world[2][i] = x.z;
        }
        posed_surface(&posed, COUNT, at, d, out);
        for (int i = 0; i < COUNT; ++i) {
            mote_Vec3 p = vec3(own[0][i], own[1][i], own[2][i]), m = normal_at(&s, p);
            mote_Vec3 x = vec3(world[0][i], world[1][i], world[2][i]);
            mote_Vec3 turned = pose_rotate(&posed.pose, m);
            CHECK_NEAR(d[i], distance_at(&s, p), 20 * FINE);
            if (fabs((double)d[i]) > 0.05 && distance_at(&s, p) > 0)
                CHECK(vec3_dot(turned, vec3(n[0][i], n[1][i], n[2][i])) > (mote_real)0.9999);
            if (d[i] < 0) CHECK(aabb_distance2(&bounds, x) == 0);
        }
        CHECK(posed_near(&posed, COUNT, at, 0));
    }
}

TESTS({"simple_shapes_conform", simple_shapes_conform},
      {"distances_are_known", distances_are_known},
      {"points_agree_with_oracles", points_agree_with_oracles},
      {"corners_are_not_planes", corners_are_not_planes},
      {"nan_counts_as_near", nan_counts_as_near}, {"sets_agree", sets_agree},
      {"bad_boxes_are_refused", bad_boxes_are_refused},
      {"rings_are_sampled_evenly", rings_are_sampled_evenly},
      {"rings_are_met_from_their_hole", rings_are_met_from_their_hole},
      {"bad_rings_are_refused", bad_rings_are_refused}, {"poses_turn", poses_turn},
      {"poses_invert", poses_invert}, {"poses_move", poses_move},
      {"posed_shapes_follow", posed_shapes_follow})
