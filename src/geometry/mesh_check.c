/* Measuring meshes: fans, Euler numbers, angles, bumps. */
#include "geometry/mesh.h"

#include "base/definition.h"
#include "base/math.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES 57.29577951308232

/* The vertex at a corner (3 triangle + corner), or at one further round its triangle. */
static uint32_t vertex_at(const mote_Mesh *mesh, uint32_t corner, int ahead)
{
    return mesh->triangles[corner / 3][(corner % 3 + (uint32_t)ahead) % 3];
}

/* ---- triangles of vertices ---- */

static bool list_corners(MeshCheckWork *w)
{
    const mote_Mesh *mesh = w->mesh;
    size_t corners = 3 * mesh->triangle_count;
    w->starts = arena_take(&w->arena, (mesh->vertex_count + 1) * sizeof *w->starts);
    w->corners = arena_take(&w->arena, corners * sizeof *w->corners);
    if (w->starts == NULL || w->corners == NULL) return false;
    memset(w->starts, 0, (mesh->vertex_count + 1) * sizeof *w->starts);
    for (size_t i = 0; i < corners; ++i) ++w->starts[mesh->triangles[i / 3][i % 3]];
    for (size_t v = 0, sum = 0; v <= mesh->vertex_count; ++v)
        w->starts[v] = (uint32_t)(sum += w->starts[v]);
    for (size_t i = corners; i-- > 0;)
        w->corners[--w->starts[mesh->triangles[i / 3][i % 3]]] = (uint32_t)i;
    return true;
}

/* The triangle of v across the edge to the vertex that is `from` corners ahead, UINT32_MAX: none.
 */
static uint32_t beside(const MeshCheckWork *w, uint32_t v, uint32_t corner, int from, int to)
{
    uint32_t edge = vertex_at(w->mesh, corner, from);
    for (uint32_t i = w->starts[v]; i < w->starts[v + 1]; ++i)
        if (w->corners[i] != corner && vertex_at(w->mesh, w->corners[i], to) == edge)
            return w->corners[i];
    return UINT32_MAX;
}

/* Triangles of a vertex that are reached from edge to edge, back to where a fan begins and then to
 * its end. */
static size_t fan_size(const MeshCheckWork *w, uint32_t v)
{
    uint32_t start = w->corners[w->starts[v]], first = start, at;
    size_t count = w->starts[v + 1] - w->starts[v], reached = 1;
    for (size_t step = 0; step < count; ++step) {
        at = beside(w, v, first, 1, 2);
        if (at == UINT32_MAX || at == start) break;
        first = at;
    }
    for (at = beside(w, v, first, 2, 1); at != UINT32_MAX && at != first && reached < count;
         at = beside(w, v, at, 2, 1))
        ++reached;
    return reached;
}

static void check_fans(MeshCheckWork *w)
{
    for (uint32_t v = 0; v < w->mesh->vertex_count; ++v) {
        size_t count = w->starts[v + 1] - w->starts[v];
        w->out->bad_fans += count > 0 && fan_size(w, v) != count;
    }
}

/* ---- parts ---- */

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
}

static int by_area(const void *a, const void *b)
{
    double x = ((const mote_MeshPart *)a)->area, y = ((const mote_MeshPart *)b)->area;
    return (x < y) - (x > y);
}

static double six_volumes(const MeshFace *face)
{
    const mote_Vec3 *c = face->corner;
    double x[3][3];
    for (int i = 0; i < 3; ++i)
        x[i][0] = (double)c[i].x, x[i][1] = (double)c[i].y, x[i][2] = (double)c[i].z;
    return x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
           x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
           x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
}

static double face_area(const MeshFace *face)
{
    mote_Vec3 a = vec3_sub(face->corner[1], face->corner[0]);
    mote_Vec3 b = vec3_sub(face->corner[2], face->corner[0]);
    return 0.5 * (double)vec3_length(vec3_cross(a, b));
}

/* Numbers of parts by triangle, joined across edges. */
static size_t number_parts(const mote_Mesh *mesh, uint32_t *part)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) part[i] = i;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            uint32_t other = mesh->neighbours[i][k];
            if (other == MESH_NO_NEIGHBOUR) continue;
            uint32_t a = find_root(part, i), b = find_root(part, other);
            part[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
        part[i] = part[i] == i ? (uint32_t)count++ : part[part[i]];
    return count;
}

/* An edge between two triangles is a half of each. */
static void measure_part(const mote_Mesh *mesh, size_t t, mote_MeshPart *part, double *edges)
{
    ++part->triangles;
    part->area += face_area(&mesh->faces[t]);
    part->volume += six_volumes(&mesh->faces[t]) / 6;
    for (int k = 0; k < 3; ++k) *edges += mesh->neighbours[t][k] == MESH_NO_NEIGHBOUR ? 1 : 0.5;
}

/* Euler's number of each part tells its holes: 2 for a ball, 0 for a ring. An edge between two
 * triangles counts half with each. */
static bool mesh_check_parts(MeshCheckWork *w, mote_MeshPart *parts, size_t room)
{
    const mote_Mesh *mesh = w->mesh;
    uint32_t *part = arena_take(&w->arena, mesh->triangle_count * sizeof *part);
    if (part == NULL) return false;
    size_t count = number_parts(mesh, part);
    mote_MeshPart *all = arena_take(&w->arena, count * sizeof *all);
    double *edges = arena_take(&w->arena, count * sizeof *edges);
    if (all == NULL || edges == NULL) return false;
    memset(all, 0, count * sizeof *all);
    for (size_t i = 0; i < count; ++i) edges[i] = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        measure_part(mesh, t, &all[part[t]], &edges[part[t]]);
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        if (w->starts[v + 1] > w->starts[v]) ++all[part[w->corners[w->starts[v]] / 3]].vertices;
    for (size_t i = 0; i < count; ++i) {
        all[i].euler = (long)all[i].vertices - (long)(edges[i] + 0.5) + (long)all[i].triangles;
        w->out->euler += all[i].euler;
    }
    qsort(all, count, sizeof *all, by_area);
    if (parts != NULL) memcpy(parts, all, (count < room ? count : room) * sizeof *all);
    return true;
}

/* ---- angles and edges ---- */

static double angle_between(mote_Vec3 a, mote_Vec3 b)
{
    double cosine = (double)vec3_dot(a, b), sine = (double)vec3_length(vec3_cross(a, b));
    return math_atan2(sine, cosine) * DEGREES;
}

static double least_angle(const MeshFace *face)
{
    double least = 180;
    for (int k = 0; k < 3; ++k) {
        mote_Vec3 at = face->corner[k];
        double angle = angle_between(vec3_sub(face->corner[(k + 1) % 3], at),
                                     vec3_sub(face->corner[(k + 2) % 3], at));
        least = angle < least ? angle : least;
    }
    return least;
}

static void check_triangles(MeshCheckWork *w)
{
    const mote_Mesh *mesh = w->mesh;
    mote_MeshCheck *out = w->out;
    out->least_angle = 180;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        const MeshFace *face = &mesh->faces[t];
        double angle = least_angle(face);
        for (int k = 0; k < 3; ++k)
            out->edge += (double)vec3_length(vec3_sub(face->corner[(k + 1) % 3], face->corner[k]));
        out->least_angle = angle < out->least_angle ? angle : out->least_angle;
        out->mean_least_angle += angle;
    }
    out->edge /= 3 * (double)mesh->triangle_count;
    out->mean_least_angle /= (double)mesh->triangle_count;
    double smallest = w->def->smallest > 0 ? w->def->smallest : 1e-10 * out->edge * out->edge;
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        out->degenerate += face_area(&mesh->faces[t]) < smallest;
}

/* ---- bumps ---- */

enum { PASSES = 20 };

static mote_Vec3 mean_of_neighbours(const MeshCheckWork *w, const mote_Vec3 *x, size_t v)
{
    mote_Vec3 sum = {0, 0, 0};
    uint32_t first = w->starts[v], end = w->starts[v + 1];
    for (uint32_t i = first; i < end; ++i)
        sum = vec3_add(sum, x[vertex_at(w->mesh, w->corners[i], 1)]);
    return end > first ? vec3_scale(sum, 1 / (mote_real)(end - first)) : x[v];
}

static bool mesh_check_bumps(MeshCheckWork *w)
{
    const mote_Mesh *mesh = w->mesh;
    size_t bytes = mesh->vertex_count * sizeof(mote_Vec3);
    mote_Vec3 *old = arena_take(&w->arena, bytes), *now = arena_take(&w->arena, bytes);
    double sum = 0, spacing = w->def->spacing > 0 ? w->def->spacing : w->out->edge;
    if (old == NULL || now == NULL) return false;
    memcpy(now, mesh->vertices, bytes);
    for (int pass = 0; pass < PASSES; ++pass) {
        mote_Vec3 *swap = old;
        old = now, now = swap;
        for (size_t v = 0; v < mesh->vertex_count; ++v) now[v] = mean_of_neighbours(w, old, v);
    }
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        double d = (double)vec3_length(vec3_sub(now[v], mesh->vertices[v]));
        sum += d * d;
    }
    w->out->bumpiness = sqrt(sum / (double)mesh->vertex_count) / spacing;
    return true;
}

/* ---- all of it ---- */

static mote_MeshCheckDef mesh_check_defaults(void)
{
    return (mote_MeshCheckDef){.form = MOTE_FORM_NONE};
}

DEFINITION_MAKER(mote_MeshCheckDef, mote_mesh_check_def, mesh_check_defaults)

mote_Status mote_mesh_check(const mote_Mesh *mesh, const mote_MeshCheckDef *given,
                            mote_MeshPart *parts, size_t part_room, mote_MeshCheck *check,
                            mote_Error *error)
{
    DEFINITION_TAKE(mote_MeshCheckDef, mote_mesh_check_def);
    Memory memory = memory_make(mesh->memory.allocator);
    MeshCheckWork work = {mesh, def, check, arena_make(&memory), NULL, NULL};
    const mote_MeshFacts *facts = &mesh->facts;
    *check = (mote_MeshCheck){.watertight = facts->closed,
                              .outward = facts->closed && !facts->inverted,
                              .degenerate = facts->degenerate};
    bool good = list_corners(&work);
    if (good) {
        check_fans(&work);
        check_triangles(&work);
    }
    good = good && mesh_check_parts(&work, parts, part_room) && mesh_check_bumps(&work) &&
           mesh_check_form(&work);
    check->manifold = facts->crowded_edges == 0 && check->bad_fans == 0;
    arena_free(&work.arena);
    return good ? MOTE_OK : status_no_memory(error, "checking a mesh", 12 * mesh->triangle_count);
}
