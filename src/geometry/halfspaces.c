/* The convex body behind planes.
 *
 * On every plane a square that is far larger than the body is clipped by all other planes
 * (Sutherland and Hodgman 1974): what is left is that plane's face. Corners that are one up to
 * rounding are joined and computed again from the three planes that meet there most squarely; then
 * every face is the ring of the corners on its plane. */
#include "geometry/mesh.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { MOST_PLANES = 2000 };

typedef struct HalfspacePlane {
    double n[3], d;
} HalfspacePlane;

typedef struct HalfspaceBody {
    Memory memory;
    HalfspacePlane *planes;
    size_t plane_count, plane_room;
    double (*polygon)[3], (*clipped)[3]; /* one face being cut */
    double (*corners)[3];
    size_t corner_count, corner_room;
    uint32_t *triangles;
    size_t triangle_count, triangle_room;
    double far;   /* half side of the squares */
    double close; /* what counts as one place */
} HalfspaceBody;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* ---- planes ---- */

/* Unit normals; of parallel planes the innermost stays. */
static mote_Status take_planes(HalfspaceBody *body, const double *planes, size_t count,
                               mote_Error *error)
{
    for (size_t i = 0; i < count; ++i) {
        const double *p = planes + 4 * i;
        double length = sqrt(dot(p, p));
        if (!(length > 0 && length < 1e150 && fabs(p[3]) < 1e150))
            return status_fail(error, MOTE_BAD_VALUE,
                               "planes: the normal of plane %zu is not a direction", i);
        HalfspacePlane plane = {{p[0] / length, p[1] / length, p[2] / length}, p[3] / length};
        size_t k = 0;
        while (k < body->plane_count && !(dot(body->planes[k].n, plane.n) > 1 - 1e-12)) ++k;
        if (k == body->plane_count)
            body->planes[body->plane_count++] = plane;
        else if (plane.d < body->planes[k].d)
            body->planes[k] = plane;
    }
    return MOTE_OK;
}

/* ---- faces by clipping ---- */

static void basis(const double n[3], double u[3], double v[3])
{
    mote_Vec3 e = vec3_across(vec3((mote_real)n[0], (mote_real)n[1], (mote_real)n[2]));
    const double rough[3] = {(double)e.x, (double)e.y, (double)e.z};
    cross(n, rough, v);
    double length = sqrt(dot(v, v));
    for (int c = 0; c < 3; ++c) v[c] /= length;
    cross(v, n, u);
}

static size_t start_square(const HalfspaceBody *body, const HalfspacePlane *plane)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double u[3], v[3];
    basis(plane->n, u, v);
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c)
            body->polygon[k][c] =
                plane->n[c] * plane->d + body->far * (corner[k][0] * u[c] + corner[k][1] * v[c]);
    return 4;
}

/* The part of the polygon behind a plane, in place. */
static size_t clip(HalfspaceBody *body, size_t count, const HalfspacePlane *plane)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const double *a = body->polygon[i], *b = body->polygon[(i + 1) % count];
        double ha = dot(plane->n, a) - plane->d, hb = dot(plane->n, b) - plane->d;
        if (ha <= 0) memcpy(body->clipped[kept++], a, 3 * sizeof *a);
        if ((ha <= 0) == (hb <= 0)) continue;
        double t = ha / (ha - hb);
        for (int c = 0; c < 3; ++c) body->clipped[kept][c] = a[c] + t * (b[c] - a[c]);
        ++kept;
    }
    memcpy(body->polygon, body->clipped, kept * sizeof *body->clipped);
    return kept;
}

static bool add_corner(HalfspaceBody *body, const double p[3])
{
    for (size_t i = 0; i < body->corner_count; ++i) {
        const double *q = body->corners[i];
        if (fabs(p[0] - q[0]) + fabs(p[1] - q[1]) + fabs(p[2] - q[2]) < body->close) return true;
    }
    if (!memory_reserve(&body->memory, (void **)&body->corners, &body->corner_room,
                        body->corner_count + 1, sizeof *body->corners))
        return false;
    memcpy(body->corners[body->corner_count++], p, 3 * sizeof *p);
    return true;
}

/* In which direction: without the digits of the corners near to the origin. */
static mote_Status fail_endless(const HalfspaceBody *body, const double corner[3],
                                mote_Error *error)
{
    double towards[3];
    for (int c = 0; c < 3; ++c) towards[c] = floor(corner[c] / body->far * 1000 + 0.5) / 1000 + 0.0;
    return status_fail(error, MOTE_BAD_VALUE,
                       "planes: the body behind the %zu planes has no end towards (%g, %g, %g); "
                       "add a plane there",
                       body->plane_count, towards[0], towards[1], towards[2]);
}

/* Every face begins as a square of its plane that reaches far beyond the body, and the other planes
 * cut it. A corner that is left far out shows that the body has no end there. */
static mote_Status find_corners(HalfspaceBody *body, mote_Error *error)
{
    for (size_t i = 0; i < body->plane_count; ++i) {
        size_t count = start_square(body, &body->planes[i]);
        for (size_t k = 0; k < body->plane_count && count > 0; ++k)
            if (k != i) count = clip(body, count, &body->planes[k]);
        for (size_t k = 0; k < count; ++k)
            if (!add_corner(body, body->polygon[k]))
                return status_no_memory(error, "planes", body->corner_count);
    }
    if (body->corner_count == 0)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "planes: no point is behind all %zu planes: the set is empty; normals point "
            "out of the body, and offsets are along them",
            body->plane_count);
    for (size_t i = 0; i < body->corner_count; ++i)
        for (int c = 0; c < 3; ++c)
            if (fabs(body->corners[i][c]) > body->far / 4)
                return fail_endless(body, body->corners[i], error);
    return MOTE_OK;
}

/* ---- exact corners ---- */

static bool meets(const HalfspaceBody *body, const HalfspacePlane *plane, const double p[3])
{
    return fabs(dot(plane->n, p) - plane->d) < body->close;
}

/* Of the planes through p, the one for which `score` is largest. */
static const HalfspacePlane *best_plane(const HalfspaceBody *body, const double p[3],
                                        const double across[3])
{
    const HalfspacePlane *best = NULL;
    double most = 1e-6;
    for (size_t i = 0; i < body->plane_count; ++i) {
        double score = fabs(dot(body->planes[i].n, across));
        if (meets(body, &body->planes[i], p) && score > most) most = score, best = &body->planes[i];
    }
    return best;
}

/* Most across the first plane, then most across both. */
static bool three_planes(const HalfspaceBody *body, const double p[3],
                         const HalfspacePlane *three[3])
{
    double most = 1e-6, c[3], direction[3] = {0, 0, 0};
    three[0] = NULL, three[1] = NULL;
    for (size_t i = 0; i < body->plane_count && three[0] == NULL; ++i)
        if (meets(body, &body->planes[i], p)) three[0] = &body->planes[i];
    for (size_t i = 0; i < body->plane_count && three[0] != NULL; ++i) {
        cross(three[0]->n, body->planes[i].n, c);
        if (!meets(body, &body->planes[i], p) || !(dot(c, c) > most)) continue;
        most = dot(c, c), three[1] = &body->planes[i];
        memcpy(direction, c, sizeof c);
    }
    three[2] = three[1] != NULL ? best_plane(body, p, direction) : NULL;
    return three[2] != NULL;
}

/* Cramer's rule. */
static void sharpen(const HalfspaceBody *body, double p[3])
{
    const HalfspacePlane *s[3];
    double a[3], b[3], c[3];
    if (!three_planes(body, p, s)) return;
    cross(s[1]->n, s[2]->n, a), cross(s[2]->n, s[0]->n, b), cross(s[0]->n, s[1]->n, c);
    double det = dot(s[0]->n, a);
    for (int k = 0; k < 3; ++k) p[k] = (s[0]->d * a[k] + s[1]->d * b[k] + s[2]->d * c[k]) / det;
}

/* ---- rings ---- */

typedef struct RingCorner {
    double angle;
    uint32_t corner;
} RingCorner;

static void sort_ring(RingCorner *ring, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        RingCorner item = ring[i];
        size_t k = i;
        for (; k > 0 && ring[k - 1].angle > item.angle; --k) ring[k] = ring[k - 1];
        ring[k] = item;
    }
}

/* The corners on the plane, counterclockwise about their middle. */
static size_t find_ring(const HalfspaceBody *body, const HalfspacePlane *plane, RingCorner *ring)
{
    double middle[3] = {0, 0, 0}, u[3], v[3];
    size_t count = 0;
    for (size_t i = 0; i < body->corner_count; ++i) {
        if (!meets(body, plane, body->corners[i])) continue;
        ring[count++].corner = (uint32_t)i;
        for (int c = 0; c < 3; ++c) middle[c] += body->corners[i][c];
    }
    basis(plane->n, u, v); /* u x v = n */
    for (size_t i = 0; i < count; ++i) {
        const double *p = body->corners[ring[i].corner];
        double arm[3];
        for (int c = 0; c < 3; ++c) arm[c] = p[c] - middle[c] / (double)count;
        ring[i].angle = math_atan2(dot(arm, v), dot(arm, u));
    }
    sort_ring(ring, count);
    return count;
}

static bool add_ring(HalfspaceBody *body, const RingCorner *ring, size_t count)
{
    if (count < 3) return true;
    if (!memory_reserve(&body->memory, (void **)&body->triangles, &body->triangle_room,
                        3 * (body->triangle_count + count), sizeof *body->triangles))
        return false;
    for (size_t k = 1; k + 1 < count; ++k) {
        uint32_t *t = body->triangles + 3 * body->triangle_count++;
        t[0] = ring[0].corner, t[1] = ring[k].corner, t[2] = ring[k + 1].corner;
    }
    return true;
}

static mote_Status add_faces(HalfspaceBody *body, mote_Error *error)
{
    size_t bytes = body->corner_count * sizeof(RingCorner);
    RingCorner *ring = memory_take(&body->memory, bytes);
    bool good = ring != NULL;
    for (size_t i = 0; i < body->corner_count; ++i) sharpen(body, body->corners[i]);
    for (size_t i = 0; i < body->plane_count && good; ++i)
        good = add_ring(body, ring, find_ring(body, &body->planes[i], ring));
    memory_free(&body->memory, ring, bytes);
    return good ? MOTE_OK : status_no_memory(error, "planes", bytes);
}

/* ---- all ---- */

static mote_Status prepare(HalfspaceBody *body, size_t count, mote_Error *error)
{
    body->plane_room = count;
    body->planes = memory_take(&body->memory, count * sizeof *body->planes);
    body->polygon = memory_take(&body->memory, (count + 8) * sizeof *body->polygon);
    body->clipped = memory_take(&body->memory, 2 * (count + 8) * sizeof *body->clipped);
    if (body->planes != NULL && body->polygon != NULL && body->clipped != NULL) return MOTE_OK;
    return status_no_memory(error, "planes", count * sizeof *body->planes);
}

static void end(HalfspaceBody *body)
{
    Memory *memory = &body->memory;
    memory_free(memory, body->planes, body->plane_room * sizeof *body->planes);
    memory_free(memory, body->polygon, (body->plane_room + 8) * sizeof *body->polygon);
    memory_free(memory, body->clipped, 2 * (body->plane_room + 8) * sizeof *body->clipped);
    memory_free(memory, body->corners, body->corner_room * sizeof *body->corners);
    memory_free(memory, body->triangles, body->triangle_room * sizeof *body->triangles);
}

static mote_Status find_body(HalfspaceBody *body, const double *planes, size_t count,
                             mote_Error *error)
{
    mote_Status status = prepare(body, count, error);
    if (status == MOTE_OK) status = take_planes(body, planes, count, error);
    double most = 0;
    for (size_t i = 0; i < body->plane_count; ++i) most = fmax(most, fabs(body->planes[i].d));
    if (!(most > 0)) most = 1;
    body->far = 1e6 * most;
    body->close = 1e-8 * most;
    if (status == MOTE_OK) status = find_corners(body, error);
    if (status == MOTE_OK) status = add_faces(body, error);
    return status;
}

mote_Status mote_mesh_planes(const double *planes, size_t count, mote_Allocator allocator,
                             mote_Mesh **mesh, mote_Error *error)
{
    HalfspaceBody body = {.memory = memory_make(allocator)};
    *mesh = NULL;
    if (count < 4 || count > MOST_PLANES)
        return status_fail(error, MOTE_BAD_VALUE,
                           "planes: %zu planes, but 4 to %d are needed to enclose a volume", count,
                           (int)MOST_PLANES);
    mote_Status status = find_body(&body, planes, count, error);
    mote_MeshDef def = mote_mesh_def();
    def.vertices = body.corners != NULL ? body.corners[0] : NULL,
    def.vertex_count = body.corner_count, def.triangles = body.triangles,
    def.triangle_count = body.triangle_count, def.allocator = allocator;
    if (status == MOTE_OK && body.triangle_count < 4)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "planes: what is behind all %zu planes has no volume", count);
    if (status == MOTE_OK) status = mote_mesh_create(&def, mesh, error);
    end(&body);
    if (status != MOTE_OK || mote_mesh_facts(*mesh)->convex) return status;
    mote_mesh_release(*mesh);
    *mesh = NULL;
    return status_fail(error, MOTE_BAD_VALUE,
                       "planes: several meet almost in one place, or enclose no volume");
}
