/* Convex hulls of points: as meshes, by their corners, by their volumes. */
#include "geometry/decompose.h"

#include "base/status.h"
#include "base/vec.h"
#include "geometry/hull_quick.h"

#include <string.h>

mote_Status mote_mesh_hull_of(const mote_Mesh *mesh, mote_Mesh **hull, mote_Error *error)
{
    Memory memory = memory_make(mesh->memory.allocator);
    size_t bytes = 3 * mesh->vertex_count * sizeof(double);
    double *points = memory_take(&memory, bytes);
    *hull = NULL;
    if (points == NULL) return status_no_memory(error, "a convex hull", bytes);
    for (size_t i = 0; i < mesh->vertex_count; ++i) {
        points[3 * i] = (double)mesh->vertices[i].x;
        points[3 * i + 1] = (double)mesh->vertices[i].y;
        points[3 * i + 2] = (double)mesh->vertices[i].z;
    }
    mote_Status status =
        mote_mesh_hull(points, mesh->vertex_count, mesh->memory.allocator, hull, error);
    memory_free(&memory, points, bytes);
    return status;
}

static mote_Status check_points(const double *points, size_t count, mote_Error *error)
{
    if (count < 4)
        return status_fail(error, MOTE_BAD_VALUE, "convex hull: %zu points, but 4 are needed",
                           count);
    if (count > INT32_MAX / 4)
        return status_fail(error, MOTE_BAD_VALUE, "convex hull: %zu points are too many", count);
    for (size_t i = 0; i < 3 * count; ++i)
        if (!(points[i] > -(double)AABB_ENDLESS && points[i] < (double)AABB_ENDLESS))
            return status_fail(error, MOTE_BAD_VALUE,
                               "convex hull: point %zu is not finite or too far away", i / 3);
    return MOTE_OK;
}

static mote_Status hull_of(const double *points, size_t count, double tolerance, Memory *memory,
                           HullTriangles *hull, mote_Error *error)
{
    mote_Status status = check_points(points, count, error);
    *hull = (HullTriangles){0};
    return status == MOTE_OK ? hull_quick(points, count, tolerance, memory, hull, error) : status;
}

static void free_hull(Memory *memory, const HullTriangles *hull)
{
    memory_free(memory, hull->corners, hull->capacity * sizeof *hull->corners);
}

mote_Status mote_mesh_hull(const double *points, size_t count, mote_Allocator allocator,
                           mote_Mesh **mesh, mote_Error *error)
{
    Memory memory = memory_make(allocator);
    HullTriangles hull;
    mote_MeshDef def = mote_mesh_def();
    *mesh = NULL;
    mote_Status status = hull_of(points, count, 0, &memory, &hull, error);
    if (status != MOTE_OK) return status;
    def.vertices = points, def.vertex_count = count;
    def.triangles = hull.corners, def.triangle_count = hull.count;
    def.allocator = allocator;
    status = mote_mesh_create(&def, mesh, error);
    free_hull(&memory, &hull);
    if (status != MOTE_OK || mote_mesh_facts(*mesh)->convex) return status;
    mote_mesh_release(*mesh); /* in the numbers of meshes, it is too flat for one */
    *mesh = NULL;
    return status_fail(error, MOTE_BAD_VALUE,
                       "convex hull: the points lie almost in one plane: it has no clean volume");
}

size_t mesh_hull_corners(double *points, size_t count, double tolerance, bool *corners)
{
    Memory memory = memory_make((mote_Allocator){0});
    HullTriangles hull;
    mote_Error error;
    size_t left = 0;
    for (size_t i = 0; i < count; ++i) corners[i] = false;
    if (hull_of(points, count, tolerance, &memory, &hull, &error) != MOTE_OK) return count;
    for (size_t i = 0; i < 3 * hull.count; ++i) corners[hull.corners[i]] = true;
    free_hull(&memory, &hull);
    for (size_t i = 0; i < count; ++i) {
        if (!corners[i]) continue;
        memmove(points + 3 * left++, points + 3 * i, 3 * sizeof *points);
    }
    return left;
}

static D3 point_at(const double *points, uint32_t number)
{
    const double *x = points + 3 * (size_t)number;
    return d3(x[0], x[1], x[2]);
}

/* Tetrahedra between one of its points and its triangles. */
static double volume_of(const double *points, const HullTriangles *hull)
{
    const D3 origin = point_at(points, hull->corners[0]);
    double volume = 0;
    for (const uint32_t *c = hull->corners; c < hull->corners + 3 * hull->count; c += 3)
        volume += d3_dot(d3_sub(point_at(points, c[0]), origin),
                         d3_cross(d3_sub(point_at(points, c[1]), origin),
                                  d3_sub(point_at(points, c[2]), origin)));
    return volume / 6;
}

mote_Status mesh_hull_volume(const double *points, size_t count, double *volume, mote_Error *error)
{
    Memory memory = memory_make((mote_Allocator){0});
    HullTriangles hull;
    *volume = -1;
    mote_Status status = hull_of(points, count, 0, &memory, &hull, error);
    if (status == MOTE_OK) *volume = volume_of(points, &hull);
    free_hull(&memory, &hull);
    return status == MOTE_BAD_VALUE ? MOTE_OK : status; /* flat */
}
