/* Particles near one convex body: what remembering a plane and knowing which faces are neighbours
 * are worth (Gourlay, part 13, "Broad Phase"). Particles drift by a twentieth of the body in a
 * step; half of them start within its bounding sphere and half around it. */
#include "bench/faces.h"

#include "base/random.h"
#include "bench/bench.h"

#include <mote/mesh.h>
#include <mote/shapes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ISA_KERNELS(bench_face_kernels, FaceKernels, bench_faces)

enum { ROWS = 16384, STEPS = 24, TRIALS = 5, POINTS_MOST = 33 };

typedef struct Cloud {
    mote_real x[3][ROWS], start[3][ROWS], v[3][ROWS];
    uint8_t planes[ROWS];
    uint32_t rows[ROWS];
} Cloud;

static mote_Vec3 random_vector(size_t i, uint32_t purpose)
{
    Random4 u = random_draw(random_key(1, "faces"), i, 0, purpose);
    return vec3(random_signed(u.word[0]), random_signed(u.word[1]), random_signed(u.word[2]));
}

/* Half of them in the cube about the bounding sphere, half in one twice as wide; none touches. */
static mote_Vec3 free_place(const Polytope *p, size_t i)
{
    mote_real reach = i % 2 == 0 ? p->bound : 2 * p->bound;
    mote_Vec3 x = vec3(0, 0, 0);
    for (uint32_t draw = 0; !polytope_is_clear(p, x, p->bound / 50); ++draw)
        x = vec3_scale(random_vector(i, 10 + draw), reach);
    return x;
}

static void place_cloud(Cloud *cloud, const Polytope *p)
{
    for (size_t i = 0; i < ROWS; ++i) {
        mote_Vec3 x = free_place(p, i), v = vec3_scale(random_vector(i, 1), p->bound / 50);
        const mote_real at[3] = {x.x, x.y, x.z}, way[3] = {v.x, v.y, v.z};
        for (int c = 0; c < 3; ++c) cloud->start[c][i] = at[c], cloud->v[c][i] = way[c];
    }
}

static void move_cloud(Cloud *cloud, int step)
{
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < ROWS; ++i)
            cloud->x[c][i] = cloud->start[c][i] + (mote_real)step * cloud->v[c][i];
}

/* ---- bodies ---- */

static size_t plane_of(const mote_Mesh *mesh, size_t triangle)
{
    size_t best = 0;
    mote_real most = -2;
    for (size_t k = 0; k < mesh->plane_count; ++k) {
        mote_real same = vec3_dot(mesh->planes[k].normal, mesh->faces[triangle].normal);
        if (same > most) most = same, best = k;
    }
    return best;
}

static void find_neighbours(const mote_Mesh *mesh, FaceNeighbours *out)
{
    static bool adjacent[POLYTOPE_PLANES][POLYTOPE_PLANES];
    memset(adjacent, 0, sizeof adjacent);
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            adjacent[plane_of(mesh, t)][plane_of(mesh, mesh->neighbours[t][k])] = true;
    size_t count = 0;
    for (size_t a = 0; a < mesh->plane_count; ++a) {
        out->starts[a] = (uint16_t)count;
        for (size_t b = 0; b < mesh->plane_count; ++b)
            if (adjacent[a][b] && a != b) out->of[count++] = (uint8_t)b;
    }
    out->starts[mesh->plane_count] = (uint16_t)count;
}

/* `points` random points of a ball; 8 are the corners of a plate. */
static mote_Status make_body(size_t points, mote_Mesh **mesh, mote_Error *error)
{
    double all[POINTS_MOST][3];
    for (size_t k = 0; k < points; ++k) {
        mote_Vec3 n = vec3_unit(random_vector(k, 7), vec3(1, 0, 0));
        const double ball[3] = {(double)n.x, (double)n.y, (double)n.z};
        const double plate[3] = {k % 2 == 0 ? 1 : -1, k / 2 % 2 == 0 ? 0.5 : -0.5,
                                 k / 4 == 0 ? 0.1 : -0.1};
        for (int c = 0; c < 3; ++c) all[k][c] = points == 8 ? plate[c] : ball[c];
    }
    return mote_mesh_hull(&all[0][0], points, (mote_Allocator){0}, mesh, error);
}

/* ---- ways ---- */

typedef struct WayRow {
    const char *name;
    size_t offset; /* in FaceKernels */
} WayRow;

static const WayRow ways[] = {
    {"all_planes", offsetof(FaceKernels, all)},
    {"first_plane", offsetof(FaceKernels, first)},
    {"remembered_plane", offsetof(FaceKernels, remembered)},
    {"neighbours", offsetof(FaceKernels, walk)},
    {"eight_all_planes", offsetof(FaceKernels, eight)},
    {"eight_stops", offsetof(FaceKernels, eight_stops)},
    {"eight_remembered_plane", offsetof(FaceKernels, eight_remembered)},
    {"eight_remembered_planes", offsetof(FaceKernels, eight_gathered)},
};

/* Rows that touched in all steps, mixed: the same for every way. */
static uint64_t mix_rows(uint64_t sum, const uint32_t *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) sum = (sum ^ rows[i]) * 0x100000001b3u;
    return sum ^ count;
}

static double time_way(FaceWay way, Cloud *cloud, const FaceQuery *query, uint64_t *answer)
{
    double best = 1e30;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double spent = 0;
        *answer = 0;
        memset(cloud->planes, 0, sizeof cloud->planes);
        for (int step = 0; step < STEPS; ++step) {
            move_cloud(cloud, step);
            double before = bench_clock_of(1);
            size_t touching = way(query);
            spent += bench_clock_of(1) - before;
            *answer = mix_rows(*answer, cloud->rows, touching);
        }
        best = fmin(best, spent);
    }
    return 1e9 * best / ROWS / STEPS;
}

/* Percent of touches whose face a walk over neighbours gets wrong, each from its face of before. */
static double missed_share(const FaceKernels *kernels, Cloud *cloud, const FaceQuery *query)
{
    size_t touching = 0, missed = 0;
    memset(cloud->planes, 0, sizeof cloud->planes);
    for (int step = 0; step < STEPS; ++step) {
        move_cloud(cloud, step);
        touching += kernels->all(query);
        missed += kernels->misses(query);
    }
    return touching > 0 ? 100 * (double)missed / (double)touching : 0;
}

static int run_ways(const BenchOptions *options, Cloud *cloud, const FaceQuery *query)
{
    const FaceKernels *kernels = bench_face_kernels(isa_pick());
    uint64_t expected = 0, answer;
    char name[64];
    snprintf(name, sizeof name, "collide/faces/%zu/%s", query->polytope->count, mote_isa_name());
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; ++k) {
        FaceWay way = *(const FaceWay *)((const char *)kernels + ways[k].offset);
        double ns = time_way(way, cloud, query, &answer);
        if (k == 0) expected = answer;
        if (answer != expected) {
            fprintf(stderr, "mote: %s: %s finds other particles\n", name, ways[k].name);
            return 1;
        }
        bench_print(options, &(BenchFigure){name, ways[k].name, "ns", ns, 1, NULL, 0});
    }
    double missed = missed_share(kernels, cloud, query);
    bench_print(options, &(BenchFigure){name, "neighbours_miss", "%", missed, 1, NULL, 0});
    return 0;
}

static int run_body(const BenchOptions *options, Cloud *cloud, size_t points)
{
    mote_Mesh *mesh;
    mote_Error error;
    Polytope polytope;
    FaceNeighbours neighbours;
    const PoseVelocity still = {{0, 0, 0}, {0, 0, 0}};
    if (make_body(points, &mesh, &error) != MOTE_OK) {
        fprintf(stderr, "mote: %s\n", error.message);
        return 1;
    }
    const mote_ConvexShape convex = {mesh};
    PosedShape shape = {shape_named("convex"), &convex, pose_identity()};
    int failed = polytope_place(&shape, &still, &polytope) ? 0 : 1;
    find_neighbours(mesh, &neighbours);
    place_cloud(cloud, &polytope);
    FaceQuery query = {&polytope,           &neighbours, {cloud->x[0], cloud->x[1], cloud->x[2]},
                       polytope.bound / 50, ROWS,        cloud->planes,
                       cloud->rows};
    if (!failed) failed = run_ways(options, cloud, &query);
    mote_mesh_release(mesh);
    return failed;
}

int bench_collide_faces(const BenchOptions *options)
{
    static const size_t bodies[] = {8, 20, POINTS_MOST};
    Cloud *cloud = malloc(sizeof *cloud);
    int failed = cloud == NULL;
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0] && !failed; ++k)
        failed |= run_body(options, cloud, bodies[k]);
    free(cloud);
    return failed;
}
