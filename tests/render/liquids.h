/* Liquids by hand, for traced pictures: a sphere, a box, or a field of heights, as a surface. */
#ifndef TESTS_RENDER_LIQUIDS_H
#define TESTS_RENDER_LIQUIDS_H

#include <mote/render.h>

#include <math.h>

enum { RINGS = 24, SECTORS = 48, MOST_VERTICES = 2 * RINGS * SECTORS };

typedef struct Mesh {
    mote_Vec3 vertices[MOST_VERTICES], normals[MOST_VERTICES];
    uint32_t triangles[6 * MOST_VERTICES];
    mote_FrameSurface surface;
} Mesh;

static Mesh mesh;

static inline void add_triangle(mote_FrameSurface *s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = mesh.triangles + 3 * s->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static inline mote_Vec3 vector(const float a[3])
{
    return (mote_Vec3){(mote_real)a[0], (mote_real)a[1], (mote_real)a[2]};
}

static inline uint32_t add_vertex(mote_FrameSurface *s, const float place[3], const float normal[3])
{
    mesh.vertices[s->vertex_count] = vector(place);
    mesh.normals[s->vertex_count] = vector(normal);
    return (uint32_t)s->vertex_count++;
}

static inline mote_FrameSurface *new_surface(void)
{
    mesh.surface = (mote_FrameSurface){.name = "water",
                                       .vertices = mesh.vertices,
                                       .normals = mesh.normals,
                                       .triangles = mesh.triangles};
    return &mesh.surface;
}

static inline void make_sphere(float radius)
{
    mote_FrameSurface *s = new_surface();
    for (int i = 0; i <= RINGS; ++i)
        for (int j = 0; j < SECTORS; ++j) {
            double t = 3.14159265358979 * i / RINGS, p = 6.28318530717959 * j / SECTORS;
            float n[3] = {(float)(sin(t) * cos(p)), (float)cos(t), (float)(-sin(t) * sin(p))};
            float x[3] = {radius * n[0], radius * n[1], radius * n[2]};
            add_vertex(s, x, n);
        }
    for (uint32_t i = 0; i < RINGS; ++i)
        for (uint32_t j = 0; j < SECTORS; ++j) {
            uint32_t a = i * SECTORS + j, b = i * SECTORS + (j + 1) % SECTORS;
            if (i > 0) add_triangle(s, a, a + SECTORS, b);
            if (i < RINGS - 1) add_triangle(s, b, a + SECTORS, b + SECTORS);
        }
}

/* A box with flat faces. */
static inline void make_slab(float x, float y, float z)
{
    mote_FrameSurface *s = new_surface();
    const float half[3] = {x, y, z};
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t corner[4];
            for (int c = 0; c < 4; ++c) {
                float n[3] = {0, 0, 0}, p[3];
                n[axis] = (float)side;
                p[axis] = (float)side * half[axis];
                p[(axis + 1) % 3] = half[(axis + 1) % 3] * (c == 1 || c == 2 ? 1.0f : -1.0f);
                p[(axis + 2) % 3] = half[(axis + 2) % 3] * (c >= 2 ? 1.0f : -1.0f);
                corner[c] = add_vertex(s, p, n);
            }
            int flip = side < 0 ? 2 : 0;
            add_triangle(s, corner[0], corner[1 + flip], corner[2]);
            add_triangle(s, corner[0], corner[2], corner[3 - flip]);
        }
}

static const mote_FrameSystem mesh_system = {.name = "water"};

static inline mote_Frame liquid_frame(void)
{
    return (mote_Frame){.dt = 1,
                        .dimension = 3,
                        .up_axis = 1,
                        .systems = &mesh_system,
                        .system_count = 1,
                        .surfaces = &mesh.surface,
                        .surface_count = 1};
}

#endif
