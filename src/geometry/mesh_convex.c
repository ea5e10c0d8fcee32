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

/* Height of the neighbour's far corner over the plane of triangle i. */
static mote_real neighbour_height(const mote_Mesh *mesh, size_t i, int edge)
{
    uint32_t other = mesh->neighbours[i][edge];
    const MeshFace *face = &mesh->faces[i];
    mote_real highest = -AABB_ENDLESS;
    for (int k = 0; k < 3; ++k) {
        mote_Vec3 arm = vec3_sub(mesh->faces[other].corner[k], face->corner[0]);
        highest = real_max(highest, vec3_dot(face->normal, arm));
    }
    return highest;
}

/* Files hold six or seven digits: dents of that size are none. */
static bool bends_outward(const mote_Mesh *mesh)
{
    const mote_real most = real_max(slack(mesh), size_of(mesh) * (mote_real)1e-6);
    for (size_t i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (!(neighbour_height(mesh, i, k) <= most)) return false;
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

static double area_of(const mote_Mesh *mesh, size_t i)
{
    return mesh->area_sums[i] - (i > 0 ? mesh->area_sums[i - 1] : 0);
}

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

static void merge_planes(mote_Mesh *mesh, MeshPlane *planes, uint32_t *stack, uint8_t *mark)
{
    bool merge = mesh->triangle_count <= MOST_MERGED;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) mark[i] = 0;
    for (uint32_t n = 0; n < mesh->triangle_count; ++n) {
        uint32_t i = merge ? largest_free(mesh, mark) : n;
        if (i == UINT32_MAX) break;
        planes[mesh->plane_count] = plane_of(mesh, i);
        if (merge) flood(mesh, i, &planes[mesh->plane_count], stack, mark);
        ++mesh->plane_count;
    }
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
        merge_planes(mesh, planes, stack, mark);
        status = keep_planes(mesh, planes, error);
    } else {
        status = status_no_memory(error, "planes of a mesh", n * sizeof *planes);
    }
    memory_free(memory, planes, n * sizeof *planes);
    memory_free(memory, stack, n * sizeof *stack);
    memory_free(memory, mark, n * sizeof *mark);
    return status;
}
