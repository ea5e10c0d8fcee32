/* Clouds of particles on lattices inside of shapes, and a mesh check of the tests' own. */
#ifndef TESTS_SURFACE_CLOUDS_H
#define TESTS_SURFACE_CLOUDS_H

#include <mote/surface.h>

#include "setup.h"

typedef struct Cloud3 {
    mote_real *x[3];
    size_t count, room;
    double spacing;
} Cloud3;

static inline void cloud_add(Cloud3 *c, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    if (c->count == c->room) {
        c->room = c->room * 2 + 64;
        for (int k = 0; k < 3; ++k) c->x[k] = realloc(c->x[k], c->room * sizeof(mote_real));
    }
    for (int k = 0; k < 3; ++k) c->x[k][c->count] = (mote_real)at[k];
    ++c->count;
}

static inline void cloud_free(Cloud3 *c)
{
    for (int k = 0; k < 3; ++k) free(c->x[k]);
    *c = (Cloud3){0};
}

/* Middles of the cubes of a lattice inside of a shape, each moved by up to `jitter` spacings. */
typedef bool InShape(double x, double y, double z);
static inline Cloud3 cloud_of(InShape *inside, double size, double spacing, double jitter)
{
    Cloud3 c = {.spacing = spacing};
    uint64_t state = 7;
    int n = (int)(size / spacing) + 1;
    for (int k = -n; k < n; ++k)
        for (int j = -n; j < n; ++j)
            for (int i = -n; i < n; ++i) {
                double x = (i + 0.5) * spacing, y = (j + 0.5) * spacing, z = (k + 0.5) * spacing;
                if (!inside(x, y, z)) continue;
                cloud_add(&c, x + jitter * spacing * setup_uniform(&state, -1, 1),
                          y + jitter * spacing * setup_uniform(&state, -1, 1),
                          z + jitter * spacing * setup_uniform(&state, -1, 1));
            }
    return c;
}

/* Layers around a middle, as a drop that has come to rest has them: points of a spiral on spheres.
 */
static inline Cloud3 cloud_layers(double radius, double spacing)
{
    Cloud3 c = {.spacing = spacing};
    for (double r = spacing / 2; r < radius; r += spacing) {
        const int count = (int)(4 * 3.14159265358979 * r * r / (spacing * spacing) + 0.5);
        for (int i = 0; i < count; ++i) {
            const double z = 1 - (2 * i + 1.0) / count, turn = 2.399963229728653 * i + 7 * r;
            const double across = sqrt(1 - z * z);
            cloud_add(&c, r * across * cos(turn), r * across * sin(turn), r * z);
        }
    }
    return c;
}

static inline mote_SurfacePoints cloud_points(const Cloud3 *c)
{
    return (mote_SurfacePoints){.count = c->count, .x = {c->x[0], c->x[1], c->x[2]}};
}

/* ---- an independent look at a mesh ---- */

typedef struct MeshLook {
    size_t bad_edges;  /* directed edges without their opposite, or there twice */
    size_t bad_fans;   /* vertices whose triangles are not one ring */
    size_t degenerate; /* triangles of less than 1e-10 of a cell's face */
    size_t unused;     /* vertices */
    size_t bad_normals;
    double volume, area;
    long euler;
} MeshLook;

typedef struct DirectedEdge {
    uint32_t from, to;
} DirectedEdge;

static inline int by_ends(const void *a, const void *b)
{
    const DirectedEdge *p = a, *q = b;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    return (p->to > q->to) - (p->to < q->to);
}

static inline bool has_edge(const DirectedEdge *edges, size_t count, uint32_t from, uint32_t to)
{
    DirectedEdge key = {from, to};
    return bsearch(&key, edges, count, sizeof key, by_ends) != NULL;
}

static inline void look_corner(const mote_FrameSurface *m, uint32_t v, double p[3])
{
    p[0] = (double)m->vertices[v].x, p[1] = (double)m->vertices[v].y;
    p[2] = (double)m->vertices[v].z;
}

static inline void look_at_triangle(const mote_FrameSurface *m, const uint32_t t[3], double cell,
                                    MeshLook *look)
{
    double a[3], b[3], c[3], n[3], square = 0, six = 0;
    look_corner(m, t[0], a), look_corner(m, t[1], b), look_corner(m, t[2], c);
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
        square += n[k] * n[k];
        six += a[k] * (b[i] * c[j] - b[j] * c[i]);
    }
    look->area += 0.5 * sqrt(square), look->volume += six / 6;
    look->degenerate += 0.5 * sqrt(square) > 1e-10 * cell * cell ? 0 : 1;
}

/* The ring: outgoing edges of a vertex, each followed by the one across its triangle. */
static inline MeshLook look_at(const mote_FrameSurface *m, double cell)
{
    MeshLook look = {0};
    size_t count = 3 * m->triangle_count;
    DirectedEdge *edges = malloc((count + 1) * sizeof *edges);
    uint32_t *next = malloc((m->vertex_count + 1) * sizeof *next);
    for (size_t i = 0; i < count; ++i) {
        const uint32_t *t = m->triangles + i / 3 * 3;
        edges[i] = (DirectedEdge){t[i % 3], t[(i + 1) % 3]};
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < count; ++i) {
        bool twice = i > 0 && by_ends(&edges[i], &edges[i - 1]) == 0;
        look.bad_edges += twice || !has_edge(edges, count, edges[i].to, edges[i].from) ? 1 : 0;
    }
    /* fans: from each corner of a triangle (v, a, b) the ring goes a -> b; follow it from the first
     * neighbour of v and count the steps */
    DirectedEdge *rings = malloc((count + 1) * sizeof *rings);
    size_t *start = calloc(m->vertex_count + 2, sizeof *start);
    for (size_t i = 0; i < count; ++i) ++start[m->triangles[i] + 1];
    for (size_t v = 0; v < m->vertex_count; ++v) look.unused += start[v + 1] == 0;
    for (size_t v = 0; v < m->vertex_count; ++v) start[v + 1] += start[v];
    size_t *fill = calloc(m->vertex_count + 1, sizeof *fill);
    for (size_t i = 0; i < count; ++i) {
        const uint32_t *t = m->triangles + i / 3 * 3;
        uint32_t v = t[i % 3];
        rings[start[v] + fill[v]++] = (DirectedEdge){t[(i + 1) % 3], t[(i + 2) % 3]};
    }
    for (size_t v = 0; v < m->vertex_count; ++v) {
        size_t size = start[v + 1] - start[v], steps = 0;
        if (size == 0) continue;
        uint32_t first = rings[start[v]].from, at = first;
        do {
            size_t i = start[v];
            while (i < start[v + 1] && rings[i].from != at) ++i;
            if (i == start[v + 1]) break;
            at = rings[i].to;
        } while (++steps <= size && at != first);
        look.bad_fans += steps == size && at == first ? 0 : 1;
        double nx = (double)m->normals[v].x, ny = (double)m->normals[v].y,
               nz = (double)m->normals[v].z;
        look.bad_normals += fabs(nx * nx + ny * ny + nz * nz - 1) < 1e-4 ? 0 : 1;
    }
    for (size_t i = 0; i < m->triangle_count; ++i)
        look_at_triangle(m, m->triangles + 3 * i, cell, &look);
    look.euler = (long)m->vertex_count - (long)count / 2 + (long)m->triangle_count;
    free(edges), free(next), free(rings), free(start), free(fill);
    return look;
}

#define CHECK_CLOSED(look)                                                                         \
    do {                                                                                           \
        CHECK((look).bad_edges == 0);                                                              \
        CHECK((look).bad_fans == 0);                                                               \
        CHECK((look).degenerate == 0);                                                             \
        CHECK((look).unused == 0);                                                                 \
        CHECK((look).bad_normals == 0);                                                            \
        CHECK((look).volume > 0);                                                                  \
    } while (0)

#endif
