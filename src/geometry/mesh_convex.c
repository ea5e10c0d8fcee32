/* Is a mesh convex, and which planes bound it.
 *
 * A closed surface of one part and Euler characteristic 2 that bends outward at every edge is
 * convex. Triangles that lie in one plane, up to rounding, share it. */
#include "geometry/mesh.h"

#include "base/status.h"

static mote_real size_of(const mote_Mesh *mesh)
{
    return vec3_length(vec3_sub(mesh->tree.bounds.high, mesh->tree.bounds.low));
}

/* How far rounding may lift a vertex over a plane. */
static mote_real slack(const mote_Mesh *mesh)
{
    mote_Vec3 far = vec3_max(vec3_scale(mesh->tree.bounds.low, -1), mesh->tree.bounds.high);
    return 16 * REAL_EPSILON * (size_of(mesh) + vec3_length(far));
}

static double area_of(const mote_Mesh *mesh, size_t i)
{
    return mesh->area_sums[i] - (i > 0 ? mesh->area_sums[i - 1] : 0);
}

static mote_real longest_edge(const MeshFace *face)
{
    mote_real longest = 0;
    for (int k = 0; k < 3; ++k)
        longest =
            real_max(longest, vec3_length(vec3_sub(face->corner[k], face->corner[(k + 1) % 3])));
    return longest;
}

/* Files hold six or seven digits: dents of that size are none. */
static mote_real dent_allowed(const mote_Mesh *mesh)
{
    return real_max(slack(mesh), size_of(mesh) * (mote_real)1e-6);
}

/* Where rounding lifts vertices by `most`, the plane of a thin triangle turns, and lifts what is
 * within reach beside it by the more. */
static mote_real height_allowed(const mote_Mesh *mesh, size_t i, mote_real reach, mote_real most)
{
    mote_real width = 2 * (mote_real)area_of(mesh, i) / longest_edge(&mesh->faces[i]);
    return width > 0 ? most * (1 + reach / width) : AABB_ENDLESS;
}

/* The neighbour's far corner is not over the plane of triangle i. */
static bool bends_at(const mote_Mesh *mesh, size_t i, int edge, mote_real most)
{
    uint32_t other = mesh->neighbours[i][edge];
    const MeshFace *face = &mesh->faces[i];
    mote_real highest = -AABB_ENDLESS;
    for (int k = 0; k < 3; ++k) {
        mote_Vec3 arm = vec3_sub(mesh->faces[other].corner[k], face->corner[0]);
        highest = real_max(highest, vec3_dot(face->normal, arm));
    }
    if (highest <= most) return true;
    return highest <= height_allowed(mesh, i, longest_edge(&mesh->faces[other]), most);
}

static bool bends_outward(const mote_Mesh *mesh)
{
    const mote_real most = dent_allowed(mesh);
    for (size_t i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (!bends_at(mesh, i, k, most)) return false;
    return true;
}

static bool is_convex(const mote_Mesh *mesh)
{
    const mote_MeshFacts *f = &mesh->facts;
    size_t edges = 3 * f->triangles / 2;
    return f->closed && f->volume > (double)slack(mesh) * f->area && f->parts == 1 &&
           f->vertices + f->triangles == edges + 2 && bends_outward(mesh);
}

/* ---- planes ---- */

/* All corners of triangle i lie in the plane. */
static bool lies_in(const mote_Mesh *mesh, size_t i, const MeshPlane *plane, mote_real most)
{
    for (int k = 0; k < 3; ++k) {
        mote_real height = vec3_dot(plane->normal, mesh->faces[i].corner[k]) - plane->offset;
        if (!(REAL_ABS(height) <= most)) return false;
    }
    return vec3_dot(plane->normal, mesh->faces[i].normal) > (mote_real)0.99;
}

/* Floods from triangle i over the neighbours in its plane; `mark` 0 is free. */
static void flood(const mote_Mesh *mesh, uint32_t i, const MeshPlane *plane, uint32_t *stack,
                  uint8_t *mark)
{
    const mote_real most = slack(mesh);
    size_t depth = 0;
    stack[depth++] = i;
    mark[i] = 1;
    while (depth > 0) {
        const uint32_t *next = mesh->neighbours[stack[--depth]];
        for (int k = 0; k < 3; ++k)
            if (mark[next[k]] == 0 && lies_in(mesh, next[k], plane, most)) {
                mark[next[k]] = 1;
                stack[depth++] = next[k];
            }
    }
}

/* The largest triangles first: their normals are the most exact. Ties go by number. */
static uint32_t largest_free(const mote_Mesh *mesh, const uint8_t *mark)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
        if (mark[i] == 0 && (best == UINT32_MAX || area_of(mesh, i) > area_of(mesh, best)))
            best = i;
    return best;
}

enum { MOST_MERGED = 4096 }; /* triangles; more are not merged, which costs time only */

/* No vertex nearby is in front of it. */
static MeshPlane plane_of(const mote_Mesh *mesh, size_t i)
{
    const mote_Vec3 n = mesh->faces[i].normal;
    mote_real offset = -AABB_ENDLESS;
    for (int k = 0; k < 3; ++k) {
        const MeshFace *other = &mesh->faces[mesh->neighbours[i][k]];
        for (int c = 0; c < 3; ++c) offset = real_max(offset, vec3_dot(n, other->corner[c]));
    }
    return (MeshPlane){n, offset};
}

/* Moves the plane of triangle i out until no vertex is in front of it; false when that is farther
 * than rounding explains: then something is dented behind a thin triangle. */
static bool clear_vertices(const mote_Mesh *mesh, size_t i, MeshPlane *plane)
{
    mote_real highest = plane->offset;
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        highest = real_max(highest, vec3_dot(plane->normal, mesh->vertices[v]));
    mote_real lift = highest - plane->offset;
    plane->offset = highest;
    return lift <= height_allowed(mesh, i, size_of(mesh), dent_allowed(mesh));
}

static bool merge_planes(mote_Mesh *mesh, MeshPlane *planes, uint32_t *stack, uint8_t *mark)
{
    bool merge = mesh->triangle_count <= MOST_MERGED, convex = true;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) mark[i] = 0;
    for (uint32_t n = 0; n < mesh->triangle_count && convex; ++n) {
        uint32_t i = merge ? largest_free(mesh, mark) : n;
        if (i == UINT32_MAX) break;
        planes[mesh->plane_count] = plane_of(mesh, i);
        if (merge) flood(mesh, i, &planes[mesh->plane_count], stack, mark);
        if (merge) convex = clear_vertices(mesh, i, &planes[mesh->plane_count]);
        ++mesh->plane_count;
    }
    return convex;
}

static mote_Status keep_planes(mote_Mesh *mesh, const MeshPlane *planes, mote_Error *error)
{
    size_t bytes = mesh->plane_count * sizeof *planes;
    mesh->planes = memory_take(&mesh->memory, bytes);
    if (mesh->planes == NULL) mesh->plane_count = 0;
    if (mesh->planes == NULL) return status_no_memory(error, "planes of a mesh", bytes);
    for (size_t i = 0; i < mesh->plane_count; ++i) mesh->planes[i] = planes[i];
    return MOTE_OK;
}

mote_Status mesh_find_planes(mote_Mesh *mesh, mote_Error *error)
{
    mesh->facts.convex = is_convex(mesh);
    if (!mesh->facts.convex) return MOTE_OK;
    Memory *memory = &mesh->memory;
    size_t n = mesh->triangle_count;
    MeshPlane *planes = memory_take(memory, n * sizeof *planes);
    uint32_t *stack = memory_take(memory, n * sizeof *stack);
    uint8_t *mark = memory_take(memory, n * sizeof *mark);
    mote_Status status = MOTE_OK;
    if (planes != NULL && stack != NULL && mark != NULL) {
        mesh->facts.convex = merge_planes(mesh, planes, stack, mark);
        if (!mesh->facts.convex) mesh->plane_count = 0;
        if (mesh->facts.convex) status = keep_planes(mesh, planes, error);
    } else {
        status = status_no_memory(error, "planes of a mesh", n * sizeof *planes);
    }
    memory_free(memory, planes, n * sizeof *planes);
    memory_free(memory, stack, n * sizeof *stack);
    memory_free(memory, mark, n * sizeof *mark);
    return status;
}
