/* Blocks of rows at one convex wall: the path that handles many rows at once against the algorithm
 * for single particles, which gives the same up to rounding; and worlds of many colliders, which
 * keep the poses of those that stand. */
#include "collide/walls.h"
#include "particles/range.h"

#include <mote/mesh.h>

enum { ROWS = 128 };

typedef struct Rows {
    mote_real planes[12][ROWS];
    uint32_t marks[ROWS];
} Rows;

static mote_World *world;
static mote_System *rows_system;

/* A system whose rows have radii from 0 to 5 cm. */
static void make_system(void)
{
    mote_WorldDef def = setup_def(0.01);
    world = setup_world(&def);
    rows_system = setup_system(world, "rows", NULL, NULL);
    for (size_t i = 0; i < ROWS; ++i) {
        size_t row = setup_particle(rows_system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        setup_reals(rows_system, "radius", 0)[row] = (mote_real)(0.05 * (double)(i % 4) / 3);
    }
    rows_system->radius_max = (mote_real)0.05;
}

static Range range_of(Rows *rows, mote_real *scratch, double dt)
{
    Range r = {.system = rows_system, .count = ROWS, .dt = dt, .marks = rows->marks};
    for (int c = 0; c < 3; ++c) {
        r.x0[c] = rows->planes[c], r.v0[c] = rows->planes[3 + c];
        r.x[c] = rows->planes[6 + c], r.v[c] = rows->planes[9 + c];
    }
    r.collide = scratch;
    return r;
}

static mote_Vec3 random_vector(uint64_t *state, double size)
{
    double x = setup_uniform(state, -size, size), y = setup_uniform(state, -size, size);
    return setup_vec(x, y, setup_uniform(state, -size, size));
}

static void put(mote_real (*planes)[ROWS], size_t i, mote_Vec3 a)
{
    planes[0][i] = a.x, planes[1][i] = a.y, planes[2][i] = a.z;
}

/* Near the wall and outside; a third of those with a size rest on it. (What rests on an edge and
 * has no size has no normal either.) */
static void place_rows(const Walls *walls, uint64_t *state, double speed, double dt, Rows *rows)
{
    const mote_real *radius = setup_reals(rows_system, "radius", 0);
    for (size_t i = 0; i < ROWS; ++i) {
        mote_Vec3 x, v = random_vector(state, speed);
        WallPoint at;
        do {
            x = random_vector(state, 1.2);
            at = wall_point(&walls->colliders[0], 0, x);
        } while (at.distance < radius[i] || at.distance > (mote_real)0.7);
        if (i % 3 == 0 && radius[i] > 0) {
            x = vec3_madd(x, radius[i] - at.distance, at.normal);
            v = vec3_scale(v, (mote_real)1e-3);
        }
        mote_Vec3 v1 = vec3_madd(v, (mote_real)dt, setup_vec(0, -9.81, 0));
        put(rows->planes, i, x), put(rows->planes + 3, i, v);
        put(rows->planes + 6, i, vec3_madd(x, (mote_real)dt, v1)), put(rows->planes + 9, i, v1);
    }
}

static CollideTally resolve(const Walls *walls, bool by_walls, bool solves_again, double dt,
                            Rows *rows)
{
    static mote_real scratch[COLLIDE_PLANES * SCRATCH_STRIDE];
    CollideRow row = *(const CollideRow *)walls_row(collide_rows, "contact");
    mote_CollideDef def = mote_collide_def();
    CollideTally tally = {.first_inside = UINT64_MAX};
    CollideInput input = {.broad = &walls->broad,
                          .def = &def,
                          .may_bounce = true,
                          .solves_again = solves_again,
                          .lag = 0.5, /* the rows above move by the velocity at their end */
                          .dt = dt};
    Range r = range_of(rows, scratch, dt);
    row.by_walls = by_walls, row.on_plane = NULL;
    collide_range(&row, collide_kernels(isa_pick()), &input, &r, &tally);
    return tally;
}

/* How many rows differ by more than rounding; those are rows on the edge of a decision. */
static int differing(const Rows *a, const Rows *b, double speed, double dt)
{
    const double rounding = sizeof(mote_real) == 4 ? 1e-5 : 1e-13;
    int count = 0;
    for (size_t i = 0; i < ROWS; ++i) {
        double x = 0, v = 0;
        for (int p = 6; p < 9; ++p)
            x = fmax(x, fabs((double)a->planes[p][i] - (double)b->planes[p][i]));
        for (int p = 3; p < 6; ++p)
            v = fmax(v, fabs((double)a->planes[p][i] - (double)b->planes[p][i]));
        for (int p = 9; p < 12; ++p)
            v = fmax(v, fabs((double)a->planes[p][i] - (double)b->planes[p][i]));
        double size = 2 + speed * dt;
        bool same =
            x <= rounding * size && v <= 100 * rounding * (size / dt) && a->marks[i] == b->marks[i];
        count += !same;
    }
    return count;
}

static mote_Mesh *hull(uint64_t *state)
{
    mote_Mesh *mesh;
    mote_Error error;
    double points[12][3];
    for (int i = 0; i < 12; ++i)
        for (int c = 0; c < 3; ++c) points[i][c] = setup_uniform(state, -0.6, 0.6);
    SETUP_OK(mote_mesh_hull(&points[0][0], 12, (mote_Allocator){0}, &mesh, &error), error);
    return mesh;
}

static int compare_once(const char *shape, uint64_t *state, bool solves_again)
{
    static Rows many, single;
    Walls walls = {.count = 0};
    Collider *c = walls_add(&walls, shape);
    double dt = 0.01 * pow(10, setup_uniform(state, -2, 1));
    double speed = pow(10, setup_uniform(state, -1, 2)), kind = setup_uniform(state, 0, 3);
    mote_Mesh *mesh = strcmp(shape, "convex") == 0 ? hull(state) : NULL;
    if (mesh != NULL) ((mote_ConvexShape *)c->object.params)->mesh = mesh;
    c->def.restitution = (mote_real)(kind < 1 ? 0 : setup_uniform(state, 0, 1));
    c->def.friction = (mote_real)setup_uniform(state, 0, 1);
    c->def.velocity = kind > 2 ? random_vector(state, 0.5) : setup_vec(0, 0, 0);
    c->def.motion.rotate = random_vector(state, kind > 1 ? 180 : 0);
    c->def.motion.at = random_vector(state, kind > 1 ? 0.2 : 0);
    c->def.motion.velocity = random_vector(state, kind > 2 ? 1 : 0);
    walls_prepare(&walls, 0, dt);
    place_rows(&walls, state, speed, dt, &many);
    single = many;
    CollideTally a = resolve(&walls, true, solves_again, dt, &many);
    CollideTally b = resolve(&walls, false, solves_again, dt, &single);
    CHECK(llabs((long long)a.hits - (long long)b.hits) <= 2); /* rows on the edge of a decision */
    CHECK(llabs((long long)a.inside - (long long)b.inside) <= 2);
    CHECK(a.trapped == b.trapped);
    int different = differing(&many, &single, speed, dt);
    if (mesh != NULL) mote_mesh_release(mesh);
    return different;
}

static void many_are_as_one(void)
{
    static const char *const shapes[] = {"plane", "sphere", "box", "capsule", "cylinder", "convex"};
    enum { WORLDS = 40 };
    uint64_t state = 5;
    make_system();
    for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
        int different = 0;
        for (int i = 0; i < WORLDS; ++i) different += compare_once(shapes[s], &state, i % 4 == 0);
        if (different > WORLDS * ROWS / 1000)
            fprintf(stderr, "%s: %d of %d differ\n", shapes[s], different, WORLDS * ROWS);
        CHECK(different <= WORLDS * ROWS / 1000);
    }
    mote_world_destroy(world);
}

/* However a collider was moved before, it is where one is that was made anew. */
static void poses_are_not_stale(void)
{
    static const struct {
        mote_Motion motion;
        bool by_hand;
    } lines[] = {{.motion = {.rotate = {0, 30, 0}}},
                 {.motion = {.rotate = {0, 30, 0}}},
                 {.motion = {.rotate = {0, 60, 0}}},
                 {.motion = {.at = {1, 2, 3}, .rotate = {0, 60, 0}}},
                 {.motion = {.at = {1, 2, 3}, .rotate = {0, 60, 0}, .velocity = {1, 0, 0}}},
                 {.motion = {.at = {1, 2, 3}, .rotate = {0, 60, 0}}},
                 {.motion = {.at = {1, 2, 3}, .rotate = {0, 60, 0}}, .by_hand = true},
                 {.motion = {.at = {1, 2, 3}, .rotate = {0, 60, 0}}}};
    Walls walls = {.count = 0}, anew = {.count = 0};
    Collider *c = walls_add(&walls, "box"), *other = walls_add(&anew, "box");
    const Collider made = *other;
    const mote_Pose elsewhere = {{7, 8, 9}, {0, 0, 0, 1}};
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        *other = made;
        c->def.motion = other->def.motion = lines[i].motion;
        c->by_hand = false;
        for (int k = 0; k < 2 && lines[i].by_hand; ++k)
            collider_take_in_hand(k == 0 ? c : other, 0, &elsewhere,
                                  &(PoseVelocity){{0, 0, 0}, {0, 0, 0}});
        walls_prepare(&anew, (double)i, 0.5);
        walls_prepare(&walls, (double)i, 0.5);
        CHECK(memcmp(&c->pose, &other->pose, sizeof c->pose) == 0);
        CHECK(memcmp(&c->bounds, &other->bounds, sizeof c->bounds) == 0);
    }
    CHECK_NEAR(c->pose.position.z, 3, 0);
    CHECK_NEAR(c->pose.orientation.y, 0.5, 1e-6);
}

TESTS({"many_are_as_one", many_are_as_one}, {"poses_are_not_stale", poses_are_not_stale})
