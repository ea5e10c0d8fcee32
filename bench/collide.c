/* Collision: detection and response per step, and how it grows with particles and colliders.
 *
 * What is timed is a step with colliders less one without. `bodies`: 49 000 particles around two
 * spheres and a box of which 8876 hit in every step, the figures of Gourlay's article (part 13),
 * whose own sample code takes 1.86 ms for it on our machine. */
#include "bench/bench.h"
#include "bench/faces.h"

#include "base/random.h"
#include "geometry/pose.h"
#include "particles/system.h"

#include <mote/mesh.h>
#include <mote/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scenario {
    const char *name;
    mote_Status (*add)(mote_World *world, mote_Error *error);
    /* Position and velocity of particle i of `count`. */
    void (*place)(size_t i, size_t count, mote_Vec3 *x, mote_Vec3 *v);
} Scenario;

static mote_Vec3 random_vector(size_t i, uint32_t purpose)
{
    Random4 u = random_draw(random_key(1, "collide"), i, 0, purpose);
    return vec3(random_signed(u.word[0]), random_signed(u.word[1]), random_signed(u.word[2]));
}

/* ---- two spheres and a box ---- */

static const mote_Vec3 centres[3] = {{-2, 0, 0}, {0, 0, 0}, {2, 0, 0}};

static mote_Status add_shape(mote_World *world, const char *shape, const void *params, mote_Vec3 at,
                             mote_Error *error)
{
    mote_ColliderDef def = mote_collider_def();
    def.shape = shape, def.shape_params = params, def.motion.at = at;
    return mote_world_add_collider(world, &def, error);
}

static mote_Status add_bodies(mote_World *world, mote_Error *error)
{
    const mote_SphereShape sphere = {(mote_real)0.5};
    const mote_BoxShape box = {{1, 1, 1}};
    mote_Status status = add_shape(world, "sphere", &sphere, centres[0], error);
    if (status == MOTE_OK) status = add_shape(world, "sphere", &sphere, centres[1], error);
    return status == MOTE_OK ? add_shape(world, "box", &box, centres[2], error) : status;
}

static bool is_at_body(mote_Vec3 x)
{
    for (int k = 0; k < 3; ++k)
        if (vec3_length(vec3_sub(x, centres[k])) < (mote_real)0.9) return true;
    return false;
}

/* 8876 of 49 000 stand just off a body and move into it; the others are anywhere outside. */
static void place_at_bodies(size_t i, size_t count, mote_Vec3 *x, mote_Vec3 *v)
{
    mote_Vec3 u = random_vector(i, 0), w = random_vector(i, 1);
    bool hits = i * 8876 / count != (i + 1) * 8876 / count;
    size_t body = i % 3;
    *v = vec3_scale(w, (mote_real)0.5);
    *x = vec3(6 * u.x, 2 + 2 * u.y, 3 * u.z);
    if (is_at_body(*x)) x->y += 2;
    if (!hits) return;
    mote_Vec3 n = vec3_unit(u, vec3(0, 1, 0));
    if (body == 2) n = vec3(u.x > 0 ? 1 : -1, 0, 0);
    mote_Vec3 off = body == 2 ? vec3(n.x * (mote_real)0.515, w.y / 3, w.z / 3)
                              : vec3_scale(n, (mote_real)0.515);
    *x = vec3_add(centres[body], off);
    *v = vec3_scale(n, -1);
}

/* ---- many polytopes ---- */

enum { POLYTOPES = 1000, SIDE = 10 };

/* Where cell number n of a cube of `side` cells along each edge is. */
static mote_Vec3 cell_centre(size_t n, size_t side)
{
    return vec3((mote_real)(n % side), (mote_real)(n / side % side), (mote_real)(n / side / side));
}

/* Twenty random points of a ball: some 36 faces. */
static mote_Status make_polytope(size_t number, mote_Mesh **mesh, mote_Error *error)
{
    double points[20][3];
    for (size_t k = 0; k < 20; ++k) {
        mote_Vec3 n = vec3_unit(random_vector(number * 20 + k, 7), vec3(1, 0, 0));
        points[k][0] = 0.3 * (double)n.x, points[k][1] = 0.3 * (double)n.y;
        points[k][2] = 0.3 * (double)n.z;
    }
    return mote_mesh_hull(&points[0][0], 20, (mote_Allocator){0}, mesh, error);
}

static mote_Status add_polytopes(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < POLYTOPES && status == MOTE_OK; ++i) {
        mote_Mesh *mesh;
        status = make_polytope(i, &mesh, error);
        if (status != MOTE_OK) return status;
        const mote_ConvexShape shape = {mesh};
        status = add_shape(world, "convex", &shape, cell_centre(i, SIDE), error);
        mote_mesh_release(mesh);
    }
    return status;
}

/* Rows in the order of cells, as sorted particles are; in the gaps between the bodies. */
static void place_in_cells(size_t i, size_t count, size_t side, mote_Vec3 *x, mote_Vec3 *v)
{
    size_t cell = (size_t)((double)i / (double)count * (double)(side * side * side));
    mote_Vec3 u = random_vector(i, 2);
    *x = vec3_add(cell_centre(cell, side), vec3_scale(u, (mote_real)0.5));
    if (vec3_length(vec3_scale(u, (mote_real)0.5)) < (mote_real)0.31)
        x->x += (mote_real)0.5 - u.x / 2, x->y += (mote_real)0.4 - u.y / 2;
    *v = vec3_scale(random_vector(i, 3), 5);
}

static void place_among(size_t i, size_t count, mote_Vec3 *x, mote_Vec3 *v)
{
    place_in_cells(i, count, SIDE, x, v);
}

/* ---- a crowd of boxes ---- */

enum { CROWD_SIDE = 22, CROWD = CROWD_SIDE * CROWD_SIDE * CROWD_SIDE };

static mote_Status add_crowd(mote_World *world, mote_Error *error)
{
    const mote_BoxShape box = {{(mote_real)0.35, (mote_real)0.35, (mote_real)0.35}};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < CROWD && status == MOTE_OK; ++i) {
        mote_ColliderDef def = mote_collider_def();
        def.shape = "box", def.shape_params = &box, def.motion.at = cell_centre(i, CROWD_SIDE);
        def.motion.rotate = vec3_scale(random_vector(i, 8), 90);
        status = mote_world_add_collider(world, &def, error);
    }
    return status;
}

static void place_in_crowd(size_t i, size_t count, mote_Vec3 *x, mote_Vec3 *v)
{
    place_in_cells(i, count, CROWD_SIDE, x, v);
}

/* ---- one large mesh ---- */

enum { RINGS = 500, SPOKES = 1000 }; /* 998 000 triangles */

static void sphere_vertices(double *out)
{
    for (int r = 0; r <= RINGS; ++r)
        for (int s = 0; s < SPOKES; ++s, out += 3) {
            double a = 3.14159265358979 * r / RINGS, b = 2 * 3.14159265358979 * s / SPOKES;
            double wave = 5 + 0.05 * sin(40 * a) * sin(a) * sin(30 * b),
                   ring = r < RINGS ? sin(a) : 0;
            out[0] = wave * ring * cos(b), out[1] = wave * cos(a), out[2] = wave * ring * sin(b);
        }
}

static size_t sphere_triangles(uint32_t *out)
{
    size_t n = 0;
    for (uint32_t r = 0; r < RINGS; ++r)
        for (uint32_t s = 0; s < SPOKES; ++s) {
            uint32_t a = r * SPOKES + s, b = r * SPOKES + (s + 1) % SPOKES;
            const uint32_t corners[6] = {a, b, a + SPOKES, b, b + SPOKES, a + SPOKES};
            if (r > 0) memcpy(out + 3 * n++, corners, 3 * sizeof *out);
            if (r + 1 < RINGS) memcpy(out + 3 * n++, corners + 3, 3 * sizeof *out);
        }
    return n;
}

static mote_Status add_mesh(mote_World *world, mote_Error *error)
{
    size_t vertices = (size_t)(RINGS + 1) * SPOKES;
    double *v = malloc(vertices * 3 * sizeof *v);
    uint32_t *t = malloc((size_t)RINGS * SPOKES * 6 * sizeof *t);
    mote_Mesh *mesh = NULL;
    mote_Status status = MOTE_NO_MEMORY;
    if (v != NULL && t != NULL) {
        sphere_vertices(v);
        mote_MeshDef def = mote_mesh_def();
        def.vertices = v, def.vertex_count = vertices, def.triangles = t;
        def.triangle_count = sphere_triangles(t);
        status = mote_mesh_create(&def, &mesh, error);
    }
    free(v), free(t);
    if (status != MOTE_OK) return status;
    const mote_MeshShape shape = {mesh, MOTE_INSIDE_CLOSED};
    status = add_shape(world, "mesh", &shape, vec3(0, 0, 0), error);
    mote_mesh_release(mesh);
    return status;
}

/* In a shell of 10 cm around the surface, in the order of longitude. */
static void place_around(size_t i, size_t count, mote_Vec3 *x, mote_Vec3 *v)
{
    mote_Vec3 u = random_vector(i, 4);
    double b = 2 * 3.14159265358979 * (double)i / (double)count, y = (double)u.y;
    double r = 5.11 + 0.05 * (double)u.x, flat = sqrt(1 - y * y);
    *x = vec3((mote_real)(r * flat * cos(b)), (mote_real)(r * y), (mote_real)(r * flat * sin(b)));
    *v = vec3_scale(random_vector(i, 5), 3);
}

static const Scenario scenarios[] = {{"bodies", add_bodies, place_at_bodies},
                                     {"polytopes", add_polytopes, place_among},
                                     {"crowd", add_crowd, place_in_crowd},
                                     {"globe", add_mesh, place_around}};

/* ---- measuring ---- */

typedef struct Measured {
    double seconds; /* of the best step */
    double hits;
} Measured;

static mote_real *plane_at(mote_System *system, int k)
{
    const mote_Column *x = mote_system_column(system, "position");
    const mote_Column *v = mote_system_column(system, "velocity");
    return k < 3 ? column_real(x, k) : column_real(v, k - 3);
}

static void place_all(const Scenario *scenario, mote_System *system, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        mote_Vec3 x, v;
        scenario->place(i, count, &x, &v);
        const mote_real values[6] = {x.x, x.y, x.z, v.x, v.y, v.z};
        for (int k = 0; k < 6; ++k) plane_at(system, k)[i] = values[k];
    }
    mote_system_edited(system);
}

/* Copies the state out of the system, or back into it. */
static void copy_all(mote_System *system, size_t count, mote_real *kept, bool back)
{
    for (int k = 0; k < 6; ++k) {
        mote_real *own = plane_at(system, k), *other = kept + (size_t)k * count;
        memcpy(back ? own : other, back ? other : own, count * sizeof *kept);
    }
}

static mote_Status make_world(const Scenario *scenario, mote_World **world, size_t count,
                              mote_Tasks *tasks, bool collides, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef points = mote_system_def();
    mote_System *system;
    size_t first;
    def.fps = 60, def.max_step = 1.0 / 59, def.tasks = tasks;
    def.gravity = vec3(0, 0, 0);
    points.name = "points", points.collide.algorithm = collides ? "contact" : "none";
    mote_Status status = mote_world_create(&def, world, error);
    if (status != MOTE_OK) return status;
    status = mote_world_add_system(*world, &points, &system, error);
    if (status == MOTE_OK && collides) status = scenario->add(*world, error);
    if (status == MOTE_OK) status = mote_system_add_rows(system, count, &first, error);
    return status;
}

static mote_Status measure(const Scenario *scenario, size_t count, mote_Tasks *tasks, int threads,
                           bool collides, Measured *best, mote_Error *error)
{
    mote_World *world = NULL;
    mote_real *kept = malloc(6 * count * sizeof *kept);
    mote_Status status = make_world(scenario, &world, count, tasks, collides, error);
    double spent = 0;
    *best = (Measured){1e9, 0};
    if (status == MOTE_OK && kept == NULL) status = MOTE_NO_MEMORY;
    if (status == MOTE_OK) {
        place_all(scenario, mote_world_system(world, "points"), count);
        copy_all(mote_world_system(world, "points"), count, kept, false);
    }
    for (int trial = 0; status == MOTE_OK && (trial < 4 || (spent < 1 && trial < 300)); ++trial) {
        mote_StepReport report;
        copy_all(mote_world_system(world, "points"), count, kept, true);
        double before = bench_clock_of(1);
        status = mote_world_step(world, &report, error);
        double seconds = bench_clock_of(1) - before;
        if (threads > 1) seconds = report.seconds;
        spent += report.seconds;
        best->hits = (double)report.hits;
        if (trial > 0 && seconds < best->seconds) best->seconds = seconds;
    }
    free(kept);
    mote_world_destroy(world);
    return status;
}

static int run_case(const BenchOptions *options, const Scenario *scenario, size_t count,
                    int threads)
{
    mote_Error error;
    mote_Tasks *tasks;
    mote_TasksDef def = mote_tasks_def();
    Measured with, without;
    char name[96];
    def.threads = threads;
    mote_Status status = mote_tasks_create(&def, &tasks, &error);
    if (status == MOTE_OK)
        status = measure(scenario, count, tasks, threads, false, &without, &error);
    if (status == MOTE_OK) status = measure(scenario, count, tasks, threads, true, &with, &error);
    if (status != MOTE_OK) {
        fprintf(stderr, "mote: %s\n", error.message);
        return 1;
    }
    mote_tasks_destroy(tasks);
    double seconds = with.seconds - without.seconds;
    snprintf(name, sizeof name, "collide/%s/%zu/%s/%s", scenario->name, count,
             sizeof(mote_real) == 4 ? "float" : "double", mote_isa_name());
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "detection_and_response",
                                        .unit = "ms",
                                        .value = 1e3 * seconds,
                                        .threads = threads});
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "particles_per_s",
                                        .unit = "1/s",
                                        .value = (double)count / seconds,
                                        .threads = threads});
    bench_print(
        options,
        &(BenchFigure){
            .name = name, .metric = "hits", .unit = "", .value = with.hits, .threads = threads});
    return 0;
}

static int run_sizes(const BenchOptions *options, const Scenario *scenario, int threads)
{
    static const size_t sizes[] = {10000, 100000, 1000000, 10000000};
    int failed = 0;
    if (options->count > 0) return run_case(options, scenario, options->count, threads);
    if (scenario == &scenarios[0]) return run_case(options, scenario, 49000, threads);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k)
        failed |= run_case(options, scenario, sizes[k], threads);
    return failed;
}

int bench_collide(const BenchOptions *options)
{
    int threads = options->threads > 0 ? options->threads : 1, failed = 0;
    bool found = false;
    for (size_t s = 0; s < sizeof scenarios / sizeof scenarios[0]; ++s) {
        if (options->only != NULL && strcmp(options->only, scenarios[s].name) != 0) continue;
        failed |= run_sizes(options, &scenarios[s], threads);
        found = true;
    }
    if (options->only == NULL || strcmp(options->only, "faces") == 0)
        return failed | bench_collide_faces(options);
    return found ? failed : bench_unknown_case("collide", options);
}
