/* Lumps by disjoint sets over the vertices; volumes by the tetrahedra of triangles with a corner of
 * the lump.
 *
 * For a closed mesh the volume is the sum over triangles of det(a, b, c) / 6, from any apex (the
 * divergence theorem); one of the mesh's own vertices keeps the terms small where the mesh is far
 * from the origin. */
#include "surface/lumps.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* Each look halves the path (Tarjan and van Leeuwen 1984). */
static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
}

/* The lower number becomes the root, so that numbers of lumps follow their first vertices, and
 * `number_pieces` needs one pass. */
static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find_root(parent, a), b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Roots become numbers in the order of their vertices. */
static size_t number_pieces(uint32_t *of, size_t vertices)
{
    size_t count = 0;
    for (uint32_t v = 0; v < vertices; ++v) {
        uint32_t up = of[v]; /* lower than v, so a number already, or v itself */
        of[v] = up == v ? (uint32_t)count++ : of[up];
    }
    return count;
}

mote_Status lumps_find(Lumps *lumps, const SurfaceMesh *mesh, mote_Error *error)
{
    size_t vertices = mesh->vertex_count;
    *lumps = (Lumps){.memory = mesh->memory, .vertices = vertices};
    if (vertices == 0) return MOTE_OK;
    lumps->of = memory_take(mesh->memory, vertices * sizeof *lumps->of);
    if (lumps->of == NULL)
        return status_no_memory(error, "a surface's lumps", vertices * sizeof *lumps->of);
    for (uint32_t v = 0; v < vertices; ++v) lumps->of[v] = v;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *corner = mesh->triangles[t];
        join(lumps->of, corner[0], corner[1]);
        join(lumps->of, corner[1], corner[2]);
    }
    lumps->count = number_pieces(lumps->of, vertices);
    lumps->volume = memory_take(mesh->memory, lumps->count * sizeof *lumps->volume);
    if (lumps->volume == NULL)
        return status_no_memory(error, "a surface's lumps", lumps->count * sizeof *lumps->volume);
    lumps_measure(lumps, mesh, lumps->volume);
    return MOTE_OK;
}

void lumps_free(Lumps *lumps)
{
    memory_free(lumps->memory, lumps->volume, lumps->count * sizeof *lumps->volume);
    memory_free(lumps->memory, lumps->of, lumps->vertices * sizeof *lumps->of);
}

/* Six times the volume of a tetrahedron with the apex `from`. */
static double six_volumes(const SurfaceMesh *mesh, const uint32_t corner[3], mote_Vec3 from)
{
    double e[3][3];
    for (int i = 0; i < 3; ++i) {
        mote_Vec3 v = mesh->vertices[corner[i]];
        e[i][0] = (double)v.x - (double)from.x, e[i][1] = (double)v.y - (double)from.y;
        e[i][2] = (double)v.z - (double)from.z;
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

void lumps_measure(const Lumps *lumps, const SurfaceMesh *mesh, double *volume)
{
    for (size_t i = 0; i < lumps->count; ++i) volume[i] = 0;
    mote_Vec3 from = mesh->vertex_count > 0 ? mesh->vertices[0] : (mote_Vec3){0, 0, 0};
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        volume[lumps->of[mesh->triangles[t][0]]] += six_volumes(mesh, mesh->triangles[t], from) / 6;
}

/* ---- leaving lumps out ---- */

static void move_vertex(SurfaceMesh *mesh, size_t from, size_t to)
{
    mesh->vertices[to] = mesh->vertices[from];
    mesh->normals[to] = mesh->normals[from];
    mesh->bulk[to] = mesh->bulk[from];
}

/* New numbers of lumps: UINT32_MAX for those that go. */
static size_t renumber(Lumps *lumps, double least, uint32_t *number)
{
    size_t kept = 0;
    for (size_t i = 0; i < lumps->count; ++i) {
        bool stays = fabs(lumps->volume[i]) >= least;
        number[i] = stays ? (uint32_t)kept : UINT32_MAX;
        if (stays) lumps->volume[kept++] = lumps->volume[i];
    }
    return kept;
}

/* `place`: what becomes of the vertices. */
static void compact(Lumps *lumps, SurfaceMesh *mesh, const uint32_t *number, uint32_t *place)
{
    size_t vertices = 0, triangles = 0;
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        uint32_t lump = number[lumps->of[v]];
        place[v] = lump == UINT32_MAX ? UINT32_MAX : (uint32_t)vertices;
        if (lump == UINT32_MAX) continue;
        move_vertex(mesh, v, vertices);
        lumps->of[vertices++] = lump;
    }
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *from = mesh->triangles[t];
        if (place[from[0]] == UINT32_MAX) continue;
        const uint32_t moved[3] = {place[from[0]], place[from[1]], place[from[2]]};
        memcpy(mesh->triangles[triangles++], moved, sizeof moved);
    }
    mesh->vertex_count = vertices, mesh->triangle_count = triangles;
}

size_t lumps_drop(Lumps *lumps, SurfaceMesh *mesh, double least)
{
    size_t gone = 0, number_bytes = lumps->count * sizeof(uint32_t);
    size_t place_bytes = mesh->vertex_count * sizeof(uint32_t);
    for (size_t i = 0; i < lumps->count; ++i) gone += fabs(lumps->volume[i]) < least;
    if (gone == 0) return 0;
    uint32_t *number = memory_take(mesh->memory, number_bytes);
    uint32_t *place = memory_take(mesh->memory, place_bytes);
    if (number != NULL && place != NULL) {
        renumber(lumps, least, number);
        compact(lumps, mesh, number, place);
    } else {
        gone = SIZE_MAX;
    }
    memory_free(mesh->memory, place, place_bytes);
    memory_free(mesh->memory, number, number_bytes);
    return gone;
}
