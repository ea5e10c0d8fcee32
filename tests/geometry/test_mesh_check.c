/* The quality of meshes whose quality is known. */
#include <mote/mesh.h>

#include "check.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct Build {
    double vertices[20000 * 3];
    uint32_t triangles[40000 * 3];
    size_t vertex_count, triangle_count;
} Build;

static uint32_t vertex(Build *b, double x, double y, double z)
{
    double *v = b->vertices + 3 * b->vertex_count;
    v[0] = x, v[1] = y, v[2] = z;
    return (uint32_t)b->vertex_count++;
}

static void triangle(Build *b, uint32_t i, uint32_t j, uint32_t k)
{
    uint32_t *t = b->triangles + 3 * b->triangle_count++;
    t[0] = i, t[1] = j, t[2] = k;
}

/* A cube of side 2 around a place, corners numbered by bits. */
static void add_cube(Build *b, double x, double y, double z)
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t first = (uint32_t)b->vertex_count;
    for (int c = 0; c < 8; ++c)
        vertex(b, x + (c & 1 ? 1 : -1), y + (c & 2 ? 1 : -1), z + (c & 4 ? 1 : -1));
    for (int f = 0; f < 6; ++f) {
        triangle(b, first + faces[f][0], first + faces[f][1], first + faces[f][2]);
        triangle(b, first + faces[f][0], first + faces[f][2], first + faces[f][3]);
    }
}

/* Ring of radius R around z, tube of radius r. */
static void add_torus(Build *b, double R, double r, int n)
{
    uint32_t first = (uint32_t)b->vertex_count;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double u = 2 * PI * i / n, v = 2 * PI * j / n;
            vertex(b, (R + r * cos(v)) * cos(u), (R + r * cos(v)) * sin(u), r * sin(v));
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            uint32_t a = first + (uint32_t)(i * n + j);
            uint32_t next = first + (uint32_t)(i * n + (j + 1) % n);
            uint32_t up = first + (uint32_t)((i + 1) % n * n + j);
            uint32_t both = first + (uint32_t)((i + 1) % n * n + (j + 1) % n);
            triangle(b, a, up, both), triangle(b, a, both, next);
        }
}

static mote_MeshCheck check(const Build *b, const mote_MeshCheckDef *def, mote_MeshPart *parts)
{
    mote_MeshDef mesh_def = mote_mesh_def();
    mesh_def.vertices = b->vertices, mesh_def.vertex_count = b->vertex_count,
    mesh_def.triangles = b->triangles, mesh_def.triangle_count = b->triangle_count;
    mote_Mesh *mesh;
    mote_MeshCheck found = {0};
    mote_Error error;
    mote_Status status = mote_mesh_create(&mesh_def, &mesh, &error);
    CHECK_OK(status, error);
    if (status != MOTE_OK) return found;
    CHECK_OK(mote_mesh_check(mesh, def, parts, 4, &found, &error), error);
    mote_mesh_release(mesh);
    return found;
}

static Build build;

static void cube(void)
{
    mote_MeshCheckDef def = mote_mesh_check_def();
    def.form = MOTE_FORM_CUBE;
    mote_MeshPart parts[4];
    build = (Build){.vertex_count = 0};
    add_cube(&build, 5, 0, 0);
    mote_MeshCheck c = check(&build, &def, parts);
    CHECK(c.watertight && c.manifold && c.outward && c.degenerate == 0 && c.bad_fans == 0);
    CHECK(c.euler == 2 && parts[0].euler == 2 && parts[0].triangles == 12);
    CHECK_NEAR(c.least_angle, 45, 1e-4);
    CHECK_NEAR(c.mean_least_angle, 45, 1e-4);
    CHECK_NEAR(parts[0].volume, 8, 1e-5);
    CHECK_NEAR(parts[0].area, 24, 1e-5);
    CHECK_NEAR(c.form_size[0], 1, 1e-6);
    CHECK_NEAR(c.normal_most, 0, 0.05);
    CHECK_NEAR(c.distance_most, 0, 1e-6);
}

static void torus(void)
{
    mote_MeshCheckDef def = mote_mesh_check_def();
    def.form = MOTE_FORM_TORUS;
    build = (Build){.vertex_count = 0};
    add_torus(&build, 2, 0.5, 100);
    mote_MeshCheck c = check(&build, &def, NULL);
    CHECK(c.watertight && c.manifold && c.outward && c.euler == 0);
    CHECK_NEAR(c.form_size[0], 2, 1e-3);
    CHECK_NEAR(c.form_size[1], 0.5, 1e-3);
    CHECK(c.normal_mean < 2 && c.distance_most < 1e-3);
    def.form_size[0] = 2, def.form_size[1] = 0.6;
    c = check(&build, &def, NULL);
    CHECK_NEAR(c.distance_rms, 0.1, 1e-3);
}

/* Parts count for themselves, the largest first; a hole is found, and so is what is inside out. */
static void parts_and_faults(void)
{
    mote_MeshPart parts[4];
    build = (Build){.vertex_count = 0};
    add_torus(&build, 0.5, 0.2, 20);
    add_cube(&build, 9, 0, 0);
    mote_MeshCheck c = check(&build, NULL, parts);
    CHECK(c.watertight && c.manifold && c.euler == 2);
    CHECK(parts[0].euler == 2 && parts[1].euler == 0 && parts[1].triangles == 800);
    --build.triangle_count;
    c = check(&build, NULL, parts);
    CHECK(!c.watertight && c.manifold && !c.outward && c.euler == 1);
    build = (Build){.vertex_count = 0};
    add_cube(&build, 0, 0, 0);
    for (size_t t = 0; t < 12; ++t) {
        uint32_t *corner = build.triangles + 3 * t, swap = corner[0];
        corner[0] = corner[1], corner[1] = swap;
    }
    c = check(&build, NULL, parts);
    CHECK(c.watertight && !c.outward && parts[0].volume < 0);
}

/* Two cubes that touch in one corner, or along an edge. */
static void not_manifold(void)
{
    build = (Build){.vertex_count = 0};
    add_cube(&build, -1, -1, -1);
    add_cube(&build, 1, 1, 1);
    mote_MeshCheck c = check(&build, NULL, NULL);
    CHECK(c.watertight && !c.manifold && c.bad_fans == 1);
    build = (Build){.vertex_count = 0};
    add_cube(&build, -1, -1, 0);
    add_cube(&build, 1, 1, 0);
    c = check(&build, NULL, NULL);
    CHECK(!c.watertight && !c.manifold);
}

/* A ball of rings, then with vertices moved in and out. */
static void sphere_and_bumps(void)
{
    enum { N = 60 };
    mote_MeshCheckDef def = mote_mesh_check_def();
    def.form = MOTE_FORM_SPHERE, def.spacing = 0.1;
    double plain = 0;
    for (int bumpy = 0; bumpy < 2; ++bumpy) {
        build = (Build){.vertex_count = 0};
        uint32_t south = vertex(&build, 0, 0, -3), north = vertex(&build, 0, 0, 3);
        for (int i = 1; i < N; ++i)
            for (int j = 0; j < 2 * N; ++j) {
                double u = PI * i / N, v = PI * j / N;
                double r = 3 + (bumpy && (i + j) % 2 ? 0.1 : 0);
                vertex(&build, r * sin(u) * cos(v), r * sin(u) * sin(v), -r * cos(u));
            }
        for (int j = 0; j < 2 * N; ++j) {
            uint32_t a = (uint32_t)j, b = (uint32_t)((j + 1) % (2 * N));
            triangle(&build, south, 2 + b, 2 + a);
            for (uint32_t i = 0; i + 2 < N; ++i) {
                uint32_t low = 2 + i * 2 * N, high = low + 2 * N;
                triangle(&build, low + a, low + b, high + b);
                triangle(&build, low + a, high + b, high + a);
            }
            uint32_t last = 2 + (N - 2) * 2 * N;
            triangle(&build, last + a, last + b, north);
        }
        mote_MeshCheck c = check(&build, &def, NULL);
        CHECK(c.watertight && c.manifold && c.outward && c.euler == 2);
        if (!bumpy) {
            CHECK_NEAR(c.form_size[0], 3, 1e-5);
            CHECK(c.normal_mean < 1 && c.distance_most < 1e-5);
            plain = c.bumpiness;
        } else {
            CHECK(c.bumpiness > plain && c.normal_mean > 3);
        }
    }
}

TESTS({"cube", cube}, {"torus", torus}, {"parts and faults", parts_and_faults},
      {"not manifold", not_manifold}, {"sphere and bumps", sphere_and_bumps})
