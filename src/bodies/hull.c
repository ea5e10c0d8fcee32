/* Making hulls. Vertices of meshes are exact, but their planes are rounded to mote_real: normals
 * are taken from the triangles again. */
#include "bodies/piece.h"

#include <string.h>

static bool reserve(Memory *memory, Hull *hull, size_t normals, size_t edges)
{
    hull->normal_count = normals, hull->edge_count = edges;
    hull->known = memory_reserve(memory, (void **)&hull->normals, &hull->normal_capacity, normals,
                                 sizeof *hull->normals) &&
                  memory_reserve(memory, (void **)&hull->edges, &hull->edge_capacity, edges,
                                 sizeof *hull->edges);
    return hull->known;
}

void hull_free(Memory *memory, Hull *hull)
{
    memory_free(memory, hull->normals, hull->normal_capacity * sizeof *hull->normals);
    memory_free(memory, hull->edges, hull->edge_capacity * sizeof *hull->edges);
    *hull = (Hull){0};
}

bool hull_of_segment(Memory *memory, double half, Hull *hull)
{
    size_t edges = half > 0 ? 1 : 0; /* none: a point */
    if (!reserve(memory, hull, 0, edges)) return false;
    if (edges > 0) hull->edges[0] = (HullEdge){.along = d3(0, 1, 0), .is_alone = true};
    return true;
}

static D3 axis(int k, double length)
{
    return d3(k == 0 ? length : 0, k == 1 ? length : 0, k == 2 ? length : 0);
}

bool hull_of_box(Memory *memory, D3 half, Hull *hull)
{
    const double h[3] = {half.x, half.y, half.z};
    if (!reserve(memory, hull, 6, 12)) return false;
    for (int i = 0; i < 6; ++i) hull->normals[i] = axis(i / 2, i % 2 == 0 ? 1 : -1);
    for (int i = 0; i < 12; ++i) {
        const int k = i / 4, u = (k + 1) % 3, v = (k + 2) % 3;
        const D3 a = axis(u, i % 2 == 0 ? 1 : -1), b = axis(v, i / 2 % 2 == 0 ? 1 : -1);
        hull->edges[i] = (HullEdge){
            .at = d3_madd(d3_scale(a, h[u]), h[v], b), .along = axis(k, 1), .sides = {a, b}};
    }
    return true;
}

/* ---- meshes ---- */

static D3 corner_of(const mote_Mesh *mesh, size_t triangle, int k)
{
    return d3_of(mesh->vertices[mesh->triangles[triangle][k % 3]]);
}

static D3 normal_of(const mote_Mesh *mesh, size_t triangle)
{
    const D3 a = corner_of(mesh, triangle, 0);
    const D3 u = d3_sub(corner_of(mesh, triangle, 1), a),
             v = d3_sub(corner_of(mesh, triangle, 2), a);
    return d3_unit(d3_cross(u, v), d3_of(mesh->faces[triangle].normal));
}

/* Triangles of one face, and the lines between them, count once and not at all. */
static bool is_same(D3 a, D3 b)
{
    const double sine = 1e-6;
    return d3_dot(a, b) > 0 && d3_length(d3_cross(a, b)) < sine;
}

static size_t find_normals(const mote_Mesh *mesh, D3 normals[MOST_HULL_NORMALS])
{
    size_t count = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        const D3 n = normal_of(mesh, t);
        size_t i = 0;
        while (i < count && !is_same(normals[i], n)) ++i;
        if (i < count) continue;
        if (count == MOST_HULL_NORMALS) return SIZE_MAX;
        normals[count++] = n;
    }
    return count;
}

static size_t find_edges(const mote_Mesh *mesh, HullEdge edges[MOST_HULL_EDGES])
{
    size_t count = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const size_t u = mesh->neighbours[t][k];
            if (u == MESH_NO_NEIGHBOUR || u < t) continue;
            const D3 a = corner_of(mesh, t, k), b = corner_of(mesh, t, k + 1);
            HullEdge edge = {.at = a, .sides = {normal_of(mesh, t), normal_of(mesh, u)}};
            edge.along = d3_unit(d3_sub(b, a), d3(0, 0, 0));
            if (is_same(edge.sides[0], edge.sides[1])) continue;
            if (count == MOST_HULL_EDGES) return SIZE_MAX;
            edges[count++] = edge;
        }
    return count;
}

bool hull_of_mesh(Memory *memory, const mote_Mesh *mesh, Hull *hull)
{
    D3 normals[MOST_HULL_NORMALS];
    HullEdge edges[MOST_HULL_EDGES];
    const size_t normal_count = find_normals(mesh, normals);
    const size_t edge_count = normal_count != SIZE_MAX ? find_edges(mesh, edges) : SIZE_MAX;
    hull->known = false;
    if (edge_count == SIZE_MAX) return true;
    if (!reserve(memory, hull, normal_count, edge_count)) return false;
    memcpy(hull->normals, normals, normal_count * sizeof *normals);
    memcpy(hull->edges, edges, edge_count * sizeof *edges);
    return true;
}
