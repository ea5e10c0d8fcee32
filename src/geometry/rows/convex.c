/* Convex polytope: inside, the distance is that of the nearest plane, which is exact; outside, the
 * largest plane's is exact where the point's foot lies on that face, and otherwise the nearest
 * feature (an edge or a vertex) is looked for. The largest plane distance alone is too small near
 * edges: it would report spheres there that do not touch. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "geometry/mesh_query.h"
#include "geometry/mesh_sampling.h"

static const mote_Param params[] = {
    PARAM_MESH(mote_ConvexShape, mesh, "its triangles; they must be convex"),
};

enum { MOST_FEET = 64 }; /* planes up to which looking at a point's foot is worth it */

typedef struct PlaneMost {
    mote_real distance;
    size_t plane;
} PlaneMost;

static mote_real plane_distance(const MeshPlane *plane, mote_Vec3 p)
{
    return vec3_dot(plane->normal, p) - plane->offset;
}

static PlaneMost largest(const mote_Mesh *mesh, mote_Vec3 p)
{
    PlaneMost most = {plane_distance(&mesh->planes[0], p), 0};
    for (size_t i = 1; i < mesh->plane_count; ++i) {
        mote_real d = plane_distance(&mesh->planes[i], p);
        if (d > most.distance) most = (PlaneMost){d, i};
    }
    return most;
}

/* The foot of p on its plane is behind all others: it lies on the face. */
static bool is_over_face(const mote_Mesh *mesh, const PlaneMost *most, mote_Vec3 p)
{
    mote_Vec3 foot = vec3_madd(p, -most->distance, mesh->planes[most->plane].normal);
    for (size_t i = 0; i < mesh->plane_count; ++i)
        if (i != most->plane && plane_distance(&mesh->planes[i], foot) > 0) return false;
    return true;
}

static SurfaceAt from_nearest(const mote_Mesh *mesh, mote_Vec3 p)
{
    MeshNearest near = mesh_nearest(mesh, p, (mote_real)__builtin_huge_val());
    SurfaceAt at = mesh_surface_by_normals(mesh, &near, p);
    return at.distance < 0 ? (SurfaceAt){-at.distance, vec3_scale(at.normal, -1)} : at;
}

static SurfaceAt surface_of(const void *raw, mote_Vec3 p)
{
    const mote_Mesh *mesh = ((const mote_ConvexShape *)raw)->mesh;
    PlaneMost most = largest(mesh, p);
    bool exact =
        !(most.distance > 0) || (mesh->plane_count <= MOST_FEET && is_over_face(mesh, &most, p));
    if (exact) return (SurfaceAt){most.distance, mesh->planes[most.plane].normal};
    return from_nearest(mesh, p);
}

/* The largest plane distance of a block of points, plane by plane. */
static void plane_distances(const mote_Mesh *mesh, size_t count, mote_real *const x[3],
                            mote_real *out)
{
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    for (size_t k = 0; k < mesh->plane_count; ++k) {
        const mote_Vec3 n = mesh->planes[k].normal;
        const mote_real offset = mesh->planes[k].offset, least = k == 0 ? -AABB_ENDLESS * 100 : 0;
        const bool first = k == 0;
        FOR_ROWS (i, count) {
            mote_real d = n.x * px[i] + n.y * py[i] + n.z * pz[i] - offset;
            mote_real before = first ? least : out[i];
            out[i] = before > d ? before : d; /* NaN stays */
        }
    }
}

static bool near(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    const mote_Mesh *mesh = ((const mote_ConvexShape *)raw)->mesh;
    mote_real least[BLOCK_ROWS];
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t n = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        mote_real *at[3] = {x[0] + first, x[1] + first, x[2] + first};
        plane_distances(mesh, n, at, least);
        for (size_t i = 0; i < n; ++i) {
            if (least[i] >= limit) continue;
            if (!(surface_of(raw, vec3(at[0][i], at[1][i], at[2][i])).distance >= limit))
                return true;
        }
    }
    return false;
}

/* Planes for all points, then features for those outside. */
static void distance(const void *raw, size_t count, mote_real *const x[3], mote_real *out)
{
    plane_distances(((const mote_ConvexShape *)raw)->mesh, count, x, out);
    for (size_t i = 0; i < count; ++i)
        if (out[i] > 0) out[i] = surface_of(raw, vec3(x[0][i], x[1][i], x[2][i])).distance;
}

static void put(mote_real *const out[3], size_t i, mote_Vec3 v)
{
    out[0][i] = v.x, out[1][i] = v.y, out[2][i] = v.z;
}

static void normal(const void *raw, size_t count, mote_real *const x[3], mote_real *const out[3])
{
    for (size_t i = 0; i < count; ++i)
        put(out, i, surface_of(raw, vec3(x[0][i], x[1][i], x[2][i])).normal);
}

static void at(const void *raw, size_t count, mote_real *const x[3], mote_real *out,
               mote_real *const n[3])
{
    for (size_t i = 0; i < count; ++i) {
        SurfaceAt s = surface_of(raw, vec3(x[0][i], x[1][i], x[2][i]));
        out[i] = s.distance;
        put(n, i, s.normal);
    }
}

/* Ways with both ends in front of one plane. */
static void rule_out(const void *raw, const ShapeWays *ways, uint8_t *flags)
{
    const mote_Mesh *mesh = ((const mote_ConvexShape *)raw)->mesh;
    const mote_real *px = ways->from[0], *py = ways->from[1], *pz = ways->from[2];
    const mote_real *qx = ways->to[0], *qy = ways->to[1], *qz = ways->to[2];
    mote_real least[BLOCK_ROWS], most[BLOCK_ROWS];
    const mote_real radius = ways->radius;
    FOR_ROWS (i, ways->count) {
        mote_real size = REAL_ABS(px[i]) + REAL_ABS(py[i]) + REAL_ABS(pz[i]) + REAL_ABS(qx[i]) +
                         REAL_ABS(qy[i]) + REAL_ABS(qz[i]);
        least[i] = radius + RULE_OUT_MARGIN * (size + radius);
        most[i] = -1;
    }
    for (size_t k = 0; k < mesh->plane_count; ++k) {
        const mote_Vec3 n = mesh->planes[k].normal;
        const mote_real offset = mesh->planes[k].offset;
        FOR_ROWS (i, ways->count) {
            mote_real a = n.x * px[i] + n.y * py[i] + n.z * pz[i] - offset;
            mote_real b = n.x * qx[i] + n.y * qy[i] + n.z * qz[i] - offset;
            mote_real both = a < b ? a : b;
            most[i] = both > most[i] ? both : most[i];
        }
    }
    for (size_t i = 0; i < ways->count; ++i) flags[i] = (uint8_t)(flags[i] & !(most[i] > least[i]));
}

static Aabb bounds(const void *raw)
{
    return ((const mote_ConvexShape *)raw)->mesh->tree.bounds;
}

/* The way, clipped by all planes moved out by the radius: before it enters, nothing is touched.
 * False when it stays outside. */
static bool clip(const mote_Mesh *mesh, const ShapeCast *way, mote_real *enter)
{
    mote_real leave_at = 1;
    *enter = 0;
    for (size_t i = 0; i < mesh->plane_count; ++i) {
        mote_real gap = plane_distance(&mesh->planes[i], way->from) - way->radius;
        mote_real speed = vec3_dot(mesh->planes[i].normal, way->along);
        if (gap > 0 && !(speed < 0)) return false;
        if (gap > 0) *enter = real_max(*enter, -gap / speed * (1 - 4 * REAL_EPSILON));
        if (gap <= 0 && speed > 0) leave_at = real_min(leave_at, -gap / speed);
    }
    return *enter <= leave_at * (1 + 8 * REAL_EPSILON);
}

static bool cast(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    mote_real start;
    if (!clip(((const mote_ConvexShape *)raw)->mesh, way, &start)) return false;
    return convex_cast_from(surface_of, raw, way, start, hit);
}

static bool leave(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return concave_cast(surface_of, raw, way, hit);
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    return mesh_sample_surface(((const mote_ConvexShape *)raw)->mesh, random, point);
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const Aabb box = bounds(raw);
    return mesh_sample_volume(surface_of, raw, &box, random, point);
}

static void measure(const void *raw, ShapeMeasure *m)
{
    *m = ((const mote_ConvexShape *)raw)->mesh->measure;
}

static void form(const void *raw, ShapeForm *f)
{
    f->core = CORE_POLYTOPE;
    f->mesh = ((const mote_ConvexShape *)raw)->mesh;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_Mesh *mesh = ((const mote_ConvexShape *)raw)->mesh;
    if (mesh == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: `mesh` is missing: name a file, or give points or planes", where);
    if (mesh->facts.convex) return MOTE_OK;
    const mote_MeshFacts *f = &mesh->facts;
    if (f->closed && f->inverted)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the mesh is inside out; say `flip: true`, or `hull: true` for its "
                           "convex hull",
                           where);
    const char *why = f->open_edges > 0 ? "it has holes"
                      : !f->closed      ? "it is not a surface around a volume"
                      : f->parts > 1    ? "it has several parts"
                                        : "it has dents";
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: the mesh is not convex (%s); say `hull: true` for its convex hull, or "
                       "use type \"mesh\" or \"compound\"",
                       where, why);
}

const ShapeRow ISA(shape_convex) = {
    .head = ROW_HEAD("convex", "a convex polytope: of points, planes or a convex mesh", params,
                     mote_ConvexShape),
    .convex = true,
    .check = check,
    .near = near,
    SHAPE_CALLBACKS,
    .rule_out = rule_out,
    SHAPE_SAMPLES,
};
