/* Convex hulls of points, by Qhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996), or where it is
 * not there by wrapping. */
#include "geometry/decompose.h"

#include "base/status.h"
#include "base/system.h"
#include "geometry/hull_wrap.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Points, and what is to come of their hull: a mesh, or its volume. */
typedef struct HullWork {
    const double *points;
    size_t count;
    mote_Allocator allocator;
    mote_Mesh *mesh;
    double volume;
    bool *corners; /* of each point */
} HullWork;

static mote_Status mesh_of(HullWork *work, const HullTriangles *hull, mote_Error *error)
{
    mote_MeshDef def = mote_mesh_def();
    def.vertices = work->points, def.vertex_count = work->count;
    def.triangles = hull->corners, def.triangle_count = hull->count;
    def.allocator = work->allocator;
    mote_Status status = mote_mesh_create(&def, &work->mesh, error);
    if (status != MOTE_OK || !mote_mesh_facts(work->mesh)->inverted) return status;
    mote_mesh_release(work->mesh);
    def.flip = true;
    return mote_mesh_create(&def, &work->mesh, error);
}

/* The mesh of a hull, unless it is so flat that it is none. */
static mote_Status take_mesh(const HullWork *work, mote_Mesh **mesh, mote_Error *error)
{
    *mesh = work->mesh;
    if (mote_mesh_facts(*mesh)->convex) return MOTE_OK;
    mote_mesh_release(*mesh);
    *mesh = NULL;
    return status_fail(error, MOTE_BAD_VALUE,
                       "convex hull: the points lie almost in one plane: it has no clean volume");
}

#if MOTE_WITH_QHULL

#include <libqhull_r/qhull_ra.h>

/* In libmote.a all of Qhull is weak: a program that is linked without it goes without. */
#pragma weak qh_new_qhull

/* Qhull's facets, with their corners counterclockwise from outside, as triangles. */
static size_t list_triangles(qhT *qh, uint32_t *triangles, size_t most)
{
    facetT *facet;
    size_t count = 0;
    FORALLfacets
    {
        uint32_t corner[3];
        int k = 0;
        vertexT *vertex, **vertexp;
        FOREACHvertex_(facet->vertices) if (k < 3) corner[k++] =
            (uint32_t)qh_pointid(qh, vertex->point);
        if (k < 3 || count == most) continue;
        bool turn = facet->toporient != 0;
        triangles[3 * count] = corner[0];
        triangles[3 * count + 1] = corner[turn ? 1 : 2];
        triangles[3 * count + 2] = corner[turn ? 2 : 1];
        ++count;
    }
    return count;
}

static mote_Status make_mesh(qhT *qh, HullWork *work, mote_Error *error)
{
    Memory memory = memory_make(work->allocator);
    size_t most = (size_t)qh->num_facets, bytes = most * 3 * sizeof(uint32_t);
    HullTriangles hull = {.corners = memory_take(&memory, bytes)};
    if (hull.corners == NULL) return status_no_memory(error, "a convex hull", bytes);
    hull.count = list_triangles(qh, hull.corners, most);
    mote_Status status = mesh_of(work, &hull, error);
    memory_free(&memory, hull.corners, bytes);
    return status;
}

/* Corners that are left when faces that are nearly one have been joined, in the points' order. */
static mote_Status mark_corners(qhT *qh, HullWork *work, mote_Error *error)
{
    vertexT *vertex;
    (void)error;
    FORALLvertices work->corners[qh_pointid(qh, vertex->point)] = true;
    return MOTE_OK;
}

static mote_Status take_volume(qhT *qh, HullWork *work, mote_Error *error)
{
    (void)error;
    qh_getarea(qh, qh->facet_list);
    work->volume = qh->totvol;
    return MOTE_OK;
}

/* Qhull reports to a stream, which nobody reads. */
static mote_Status with_hull(HullWork *work, char *options,
                             mote_Status (*use)(qhT *qh, HullWork *work, mote_Error *error),
                             mote_Error *error)
{
    qhT state, *qh = &state;
    int rest, total;
    mote_Status status = check_points(work->points, work->count, error);
    if (status == MOTE_OK && qh_new_qhull == NULL)
        status = status_fail(error, MOTE_UNAVAILABLE,
                             "convex hull: this program was linked without Qhull; link "
                             "-Wl,--no-as-needed -lqhull_r too, or give planes");
    if (status != MOTE_OK) return status;
    FILE *silence = fopen(system_nowhere, "w");
    if (silence == NULL)
        return status_fail(error, MOTE_IO_FAILED, "convex hull: %s cannot be opened",
                           system_nowhere);
    qh_zero(qh, silence);
    int failed = qh_new_qhull(qh, 3, (int)work->count, (coordT *)work->points, False, options, NULL,
                              silence);
    if (failed == qh_ERRsingular)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "convex hull: the %zu points lie in one plane: it has no volume",
                             work->count);
    else if (failed != 0)
        status =
            status_fail(error, MOTE_BAD_VALUE, "convex hull: Qhull fails (its error %d)", failed);
    else
        status = use(qh, work, error);
    qh_freeqhull(qh, qh_ALL);
    qh_memfreeshort(qh, &rest, &total);
    fclose(silence);
    return status;
}

mote_Status mote_mesh_hull(const double *points, size_t count, mote_Allocator allocator,
                           mote_Mesh **mesh, mote_Error *error)
{
    HullWork work = {.points = points, .count = count, .allocator = allocator};
    char options[] = "qhull Qt Pp";
    mote_Status status = with_hull(&work, options, make_mesh, error);
    *mesh = NULL;
    return status == MOTE_OK ? take_mesh(&work, mesh, error) : status;
}

size_t mesh_hull_corners(double *points, size_t count, double tolerance, bool *corners)
{
    HullWork work = {.points = points, .count = count, .corners = corners};
    mote_Error error;
    char options[64];
    size_t left = 0;
    for (size_t i = 0; i < count; ++i) corners[i] = false;
    snprintf(options, sizeof options, "qhull C-%.3e Pp", tolerance);
    if (with_hull(&work, options, mark_corners, &error) != MOTE_OK) return count;
    for (size_t i = 0; i < count; ++i) {
        if (!corners[i]) continue;
        memmove(points + 3 * left++, points + 3 * i, 3 * sizeof *points);
    }
    return left;
}

mote_Status mesh_hull_volume(const double *points, size_t count, double *volume, mote_Error *error)
{
    HullWork work = {.points = points, .count = count, .volume = -1};
    char options[] = "qhull Pp";
    mote_Status status = with_hull(&work, options, take_volume, error);
    *volume = work.volume;
    return status == MOTE_BAD_VALUE ? MOTE_OK : status; /* flat */
}

#else

mote_Status mote_mesh_hull(const double *points, size_t count, mote_Allocator allocator,
                           mote_Mesh **mesh, mote_Error *error)
{
    HullWork work = {.points = points, .count = count, .allocator = allocator};
    Memory memory = memory_make(allocator);
    HullTriangles hull;
    *mesh = NULL;
    mote_Status status = check_points(points, count, error);
    if (status == MOTE_OK) status = hull_wrap(points, count, &memory, &hull, error);
    if (status != MOTE_OK) return status;
    status = mesh_of(&work, &hull, error);
    memory_free(&memory, hull.corners, hull.capacity * sizeof *hull.corners);
    return status == MOTE_OK ? take_mesh(&work, mesh, error) : status;
}

size_t mesh_hull_corners(double *points, size_t count, double tolerance, bool *corners)
{
    (void)points, (void)tolerance, (void)corners;
    return count;
}

mote_Status mesh_hull_volume(const double *points, size_t count, double *volume, mote_Error *error)
{
    mote_Mesh *mesh;
    *volume = -1;
    mote_Status status = mote_mesh_hull(points, count, (mote_Allocator){0}, &mesh, error);
    if (status == MOTE_OK) *volume = (double)mote_mesh_facts(mesh)->volume;
    mote_mesh_release(mesh);
    return status == MOTE_BAD_VALUE ? MOTE_OK : status; /* flat */
}

#endif
