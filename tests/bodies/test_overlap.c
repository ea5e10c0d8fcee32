/* Depths of overlaps against brute force: every face normal and every pair of edges, unpruned, with
 * supports taken over all corners; for cylinders a search over all directions. MOTE_LONG: ten times
 * as many. */
#include "bodies/gjk.h"
#include "setup.h"

enum { MOST_CORNERS = 8, MOST_SIDES = 16 };

typedef struct Solid3 {
    PieceList pieces;
    Placed placed;
    D3 corners[MOST_CORNERS]; /* in the world */
    int corner_count;
    int edges[MOST_SIDES][2], edge_count;
    int faces[MOST_SIDES][3], face_count; /* three corners of each */
    mote_BoxShape box;
    mote_CylinderShape cylinder;
    mote_ConvexShape convex;
    mote_Mesh *mesh;
} Solid3;

static Memory memory;

static int cases(int normally)
{
    return getenv("MOTE_LONG") != NULL ? 10 * normally : normally;
}

static const ShapeRow *row_of(const char *name)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(isa_pick(), &count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, name) == 0) return (const ShapeRow *)rows[i];
    exit(2);
}

static void make(Solid3 *s, const char *shape, const void *params)
{
    const DPose own = {{0, 0, 0}, {0, 0, 0, 1}};
    mote_Error error;
    memory = memory_make((mote_Allocator){0});
    s->pieces = (PieceList){0};
    SETUP_OK(pieces_make(&memory, row_of(shape), params, &own, &s->pieces, &error), error);
}

static D3 random_vector(uint64_t *seed, double size)
{
    double x = setup_uniform(seed, -size, size), y = setup_uniform(seed, -size, size);
    return d3(x, y, setup_uniform(seed, -size, size));
}

static DQuat random_turn(uint64_t *seed, double most)
{
    return dquat_of_turn(random_vector(seed, most));
}

/* ---- polytopes ---- */

static void box_features(Solid3 *s)
{
    static const int faces[6][3] = {{0, 4, 6}, {1, 3, 7}, {0, 1, 5},
                                    {2, 6, 7}, {0, 2, 3}, {4, 5, 7}};
    s->corner_count = 8, s->face_count = 6, s->edge_count = 0;
    memcpy(s->faces, faces, sizeof faces);
    for (int i = 0; i < 8; ++i)
        for (int bit = 1; bit < 8; bit *= 2)
            if ((i & bit) == 0) {
                s->edges[s->edge_count][0] = i, s->edges[s->edge_count][1] = i | bit;
                ++s->edge_count;
            }
}

static void make_box(Solid3 *s, D3 size)
{
    s->mesh = NULL;
    s->box = (mote_BoxShape){d3_real(size)};
    make(s, "box", &s->box);
    box_features(s);
}

/* Four corners, all pairs of them edges. */
static void make_tetrahedron(Solid3 *s, uint64_t *seed)
{
    static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static const int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    double corners[4][3];
    uint32_t triangles[4][3];
    mote_Error error;
    D3 c[4];
    double volume = 0;
    while (fabs(volume) < 0.05) {
        for (int i = 0; i < 4; ++i) {
            c[i] = random_vector(seed, 0.7);
            corners[i][0] = c[i].x, corners[i][1] = c[i].y, corners[i][2] = c[i].z;
        }
        volume = d3_dot(d3_cross(d3_sub(c[1], c[0]), d3_sub(c[2], c[0])), d3_sub(c[3], c[0]));
    }
    for (int f = 0; f < 4; ++f) /* counterclockwise from outside */
        for (int k = 0; k < 3; ++k) triangles[f][k] = (uint32_t)faces[f][volume < 0 ? k : 2 - k];
    mote_MeshDef def = mote_mesh_def();
    def.vertices = &corners[0][0], def.vertex_count = 4, def.triangles = &triangles[0][0],
    def.triangle_count = 4;
    SETUP_OK(mote_mesh_create(&def, &s->mesh, &error), error);
    s->convex = (mote_ConvexShape){s->mesh};
    make(s, "convex", &s->convex);
    s->corner_count = 4, s->face_count = 4, s->edge_count = 6;
    memcpy(s->faces, faces, sizeof faces), memcpy(s->edges, edges, sizeof edges);
}

static void place(Solid3 *s, DPose pose)
{
    s->placed = piece_place(&s->pieces.items[0], &pose);
    for (size_t i = 0; i < (size_t)s->corner_count; ++i) {
        D3 own = s->mesh != NULL ? d3_of(s->mesh->vertices[i]) : d3(0, 0, 0);
        if (s->mesh == NULL)
            placed_corner(&s->placed, i, &s->corners[i]);
        else
            s->corners[i] = dpose_apply(&s->placed.pose, own);
    }
}

static void finish(Solid3 *s)
{
    pieces_free(&memory, &s->pieces);
    mote_mesh_release(s->mesh);
}

static double farthest(const Solid3 *s, D3 n)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < s->corner_count; ++i) most = fmax(most, d3_dot(n, s->corners[i]));
    return most;
}

/* The separation along n or against it, whichever is larger. */
static double either_way(const Solid3 *a, const Solid3 *b, D3 n)
{
    double length = d3_length(n);
    if (!(length > 1e-9)) return -HUGE_VAL;
    n = d3_scale(n, 1 / length);
    D3 back = d3_scale(n, -1);
    return fmax(-farthest(b, back) - farthest(a, n), -farthest(b, n) - farthest(a, back));
}

static D3 face_normal(const Solid3 *s, int f)
{
    const D3 o = s->corners[s->faces[f][0]];
    return d3_cross(d3_sub(s->corners[s->faces[f][1]], o), d3_sub(s->corners[s->faces[f][2]], o));
}

static D3 edge_of(const Solid3 *s, int e)
{
    return d3_sub(s->corners[s->edges[e][1]], s->corners[s->edges[e][0]]);
}

static double brute_force(const Solid3 *a, const Solid3 *b)
{
    double most = -HUGE_VAL;
    for (int f = 0; f < a->face_count; ++f) most = fmax(most, either_way(a, b, face_normal(a, f)));
    for (int f = 0; f < b->face_count; ++f) most = fmax(most, either_way(a, b, face_normal(b, f)));
    for (int e = 0; e < a->edge_count; ++e)
        for (int g = 0; g < b->edge_count; ++g)
            most = fmax(most, either_way(a, b, d3_cross(edge_of(a, e), edge_of(b, g))));
    return most;
}

/* True when they overlap. */
static bool check_pair(const Solid3 *a, const Solid3 *b)
{
    Gap gap;
    double expected = brute_force(a, b);
    gap_between(&a->placed, &b->placed, &gap);
    if (expected > 0) {
        CHECK(gap.distance > expected - 1e-10);
        return false;
    }
    CHECK_NEAR(gap.distance, expected, 1e-10);
    CHECK_NEAR(d3_length(gap.normal), 1, 1e-12);
    gap_of_contact(&a->placed, &b->placed, &gap);
    CHECK(gap.distance <=
          expected + 1e-10); /* any direction says deeper, and not where it is deep */
    if (expected < -0.04) CHECK_NEAR(gap.distance, expected, 1e-10);
    CHECK(gap.distance >= 4 * expected - 0.02);
    return true;
}

static D3 random_size(uint64_t *seed)
{
    double x = setup_uniform(seed, 0.1, 1), y = setup_uniform(seed, 0.1, 1);
    return d3(x, y, setup_uniform(seed, 0.1, 1));
}

static void boxes_at_random(void)
{
    uint64_t seed = 1;
    int overlaps = 0, count = cases(5000);
    for (int i = 0; i < count; ++i) {
        Solid3 a, b;
        make_box(&a, random_size(&seed)), make_box(&b, random_size(&seed));
        place(&a, (DPose){random_vector(&seed, 10), random_turn(&seed, 3)});
        D3 off = random_vector(&seed, 0.5);
        place(&b, (DPose){d3_add(a.placed.pose.position, off), random_turn(&seed, 3)});
        overlaps += check_pair(&a, &b);
        finish(&a), finish(&b);
    }
    CHECK(overlaps > count / 3);
}

/* Exactly flat, and turned by next to nothing up to a little; deep and shallow. */
static void boxes_face_on_face(void)
{
    uint64_t seed = 2;
    int overlaps = 0, count = cases(3000);
    for (int i = 0; i < count; ++i) {
        static const double turns[] = {0, 1e-12, 1e-9, 1e-6, 1e-3, 0.01};
        Solid3 a, b;
        D3 size_a = random_size(&seed), size_b = random_size(&seed);
        make_box(&a, size_a), make_box(&b, size_b);
        DQuat turn = i % 2 == 0 ? dquat_identity() : random_turn(&seed, 3);
        place(&a, (DPose){random_vector(&seed, 1), turn});
        double deep = i % 3 == 0 ? 0 : setup_uniform(&seed, 0, i % 3 == 1 ? 1e-6 : 0.05);
        D3 off = d3(setup_uniform(&seed, -0.1, 0.1), 0.5 * (size_a.y + size_b.y) - deep,
                    setup_uniform(&seed, -0.1, 0.1));
        DQuat more = random_turn(&seed, turns[i % 6]);
        place(&b, (DPose){d3_add(a.placed.pose.position, dquat_rotate(turn, off)),
                          dquat_unit(dquat_product(turn, more))});
        overlaps += check_pair(&a, &b);
        finish(&a), finish(&b);
    }
    CHECK(overlaps > count / 3);
}

static void tetrahedra(void)
{
    uint64_t seed = 3;
    int overlaps = 0, count = cases(2000);
    for (int i = 0; i < count; ++i) {
        Solid3 a, b;
        make_tetrahedron(&a, &seed);
        if (i % 2 == 0)
            make_tetrahedron(&b, &seed);
        else
            make_box(&b, random_size(&seed));
        place(&a, (DPose){random_vector(&seed, 3), random_turn(&seed, 3)});
        D3 off = random_vector(&seed, 0.5);
        place(&b, (DPose){d3_add(a.placed.pose.position, off), random_turn(&seed, 3)});
        overlaps += check_pair(&a, &b);
        finish(&a), finish(&b);
    }
    CHECK(overlaps > count / 4);
}

/* ---- cylinders ---- */

static double separation(const Solid3 *a, const Solid3 *b, D3 n)
{
    D3 p = placed_support(&a->placed, n), q = placed_support(&b->placed, d3_scale(n, -1));
    return d3_dot(n, d3_sub(q, p));
}

/* The best of many directions, then ever smaller turns of it. */
static double search(const Solid3 *a, const Solid3 *b)
{
    D3 best = d3(0, 1, 0);
    double most = separation(a, b, best);
    for (int i = 0; i < 2000; ++i) {
        double y = 1 - 2 * (i + 0.5) / 2000, r = sqrt(1 - y * y), angle = 2.399963229728653 * i;
        D3 n = d3(r * cos(angle), y, r * sin(angle));
        double s = separation(a, b, n);
        if (s > most) most = s, best = n;
    }
    for (double step = 0.1; step > 1e-9; step *= 0.7)
        for (int k = 0; k < 16; ++k) {
            D3 u = d3_across(best), v = d3_cross(best, u);
            double c = cos(k * 0.39269908169872414), s = sin(k * 0.39269908169872414);
            D3 n = d3_unit(d3_madd(d3_madd(best, step * c, u), step * s, v), best);
            double value = separation(a, b, n);
            if (value > most) most = value, best = n;
        }
    return most;
}

static void make_cylinder(Solid3 *s, uint64_t *seed)
{
    s->mesh = NULL, s->corner_count = 0;
    s->cylinder = (mote_CylinderShape){(mote_real)setup_uniform(seed, 0.1, 0.5),
                                       (mote_real)setup_uniform(seed, 0.2, 1)};
    make(s, "cylinder", &s->cylinder);
}

static void cylinders(void)
{
    uint64_t seed = 4;
    int overlaps = 0, count = cases(300);
    for (int i = 0; i < count; ++i) {
        Solid3 a, b;
        Gap gap;
        make_cylinder(&a, &seed);
        if (i % 2 == 0)
            make_cylinder(&b, &seed);
        else
            make_box(&b, random_size(&seed));
        place(&a, (DPose){random_vector(&seed, 1), random_turn(&seed, 3)});
        D3 off = random_vector(&seed, 0.4);
        place(&b, (DPose){d3_add(a.placed.pose.position, off), random_turn(&seed, 3)});
        gap_between(&a.placed, &b.placed, &gap);
        if (gap.distance < 0) {
            ++overlaps;
            double expected = search(&a, &b);
            CHECK(gap.distance >= expected - 1e-7); /* not deeper than any direction says */
            CHECK_NEAR(gap.distance, separation(&a, &b, gap.normal), 1e-12);
        }
        finish(&a), finish(&b);
    }
    CHECK(overlaps > count / 4);
}

TESTS({"boxes_at_random", boxes_at_random}, {"boxes_face_on_face", boxes_face_on_face},
      {"tetrahedra", tetrahedra}, {"cylinders", cylinders})
