/* Meshes for tests: a cube, a torus, a ball of many triangles. */
#ifndef TESTS_MESHES_H
#define TESTS_MESHES_H

#include <mote/mesh.h>

#include "setup.h"

typedef struct TestMesh {
    double vertices[8000][3];
    uint32_t triangles[16000][3];
    size_t vertex_count, triangle_count;
} TestMesh;

static inline void test_triangle(TestMesh *m, size_t a, size_t b, size_t c)
{
    uint32_t *t = m->triangles[m->triangle_count++];
    t[0] = (uint32_t)a, t[1] = (uint32_t)b, t[2] = (uint32_t)c;
}

/* Of these edge lengths, about the origin. */
static inline void test_cube(TestMesh *m, double x, double y, double z)
{
    static const unsigned char faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                              {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const double size[3] = {x, y, z};
    m->vertex_count = 8, m->triangle_count = 0;
    for (int i = 0; i < 8; ++i)
        for (int c = 0; c < 3; ++c) m->vertices[i][c] = size[c] * ((i >> c & 1) - 0.5);
    for (int f = 0; f < 6; ++f) {
        test_triangle(m, faces[f][0], faces[f][1], faces[f][2]);
        test_triangle(m, faces[f][0], faces[f][2], faces[f][3]);
    }
}

/* A grid of n times k quads, closed in both directions (torus) or in one with poles (ball). */
static inline void test_torus(TestMesh *m, size_t n, size_t k, double large, double small)
{
    const double tau = 6.283185307179586;
    m->vertex_count = n * k, m->triangle_count = 0;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < k; ++j) {
            double u = tau * (double)i / (double)n, v = tau * (double)j / (double)k;
            double r = large + small * cos(v), *p = m->vertices[i * k + j];
            p[0] = r * cos(u), p[1] = small * sin(v), p[2] = -r * sin(u);
            size_t a = i * k + j, b = (i + 1) % n * k + j, c = (i + 1) % n * k + (j + 1) % k,
                   d = i * k + (j + 1) % k;
            test_triangle(m, a, b, c), test_triangle(m, a, c, d);
        }
}

static inline mote_MeshDef test_mesh_def(const TestMesh *m)
{
    mote_MeshDef def = mote_mesh_def();
    def.vertices = m->vertices[0], def.vertex_count = m->vertex_count;
    def.triangles = m->triangles[0], def.triangle_count = m->triangle_count;
    return def;
}

static inline mote_Mesh *test_mesh(const TestMesh *m)
{
    mote_MeshDef def = test_mesh_def(m);
    mote_Mesh *mesh;
    mote_Error error;
    SETUP_OK(mote_mesh_create(&def, &mesh, &error), error);
    return mesh;
}

#endif
