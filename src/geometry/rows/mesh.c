/* Triangle mesh: the distance from the nearest triangle, found through a tree; its sign by the
 * pseudo-normal of the nearest face, edge or vertex (Baerentzen and Aanaes 2005), or by the winding
 * number for meshes with holes. */
#include "base/row.h"
#include "base/status.h"
#include "geometry/mesh_inside.h"
#include "geometry/mesh_sampling.h"

static const char *const inside_choices[] = {"closed", "winding", "none", NULL};

static const mote_Param params[] = {
    PARAM_MESH(mote_MeshShape, mesh, "its triangles"),
    PARAM_CHOICE(mote_MeshShape, inside,
                 "closed: no holes; winding: small holes; none: a sheet with two sides",
                 inside_choices, MOTE_INSIDE_CLOSED),
};

static SurfaceAt with_sign(const MeshNearest *near, const SurfaceAt *by_normals, mote_Vec3 p,
                           bool inside)
{
    mote_Vec3 away = vec3_sub(p, near->at.point);
    mote_real length = REAL_ABS(by_normals->distance), sign = inside ? -(mote_real)1 : 1;
    if (!(length > 0)) return *by_normals;
    return (SurfaceAt){sign * length, vec3_unit(vec3_scale(away, sign), by_normals->normal)};
}

static SurfaceAt surface_of(const void *raw, mote_Vec3 p)
{
    const mote_MeshShape *s = raw;
    MeshNearest near = mesh_nearest(s->mesh, p, (mote_real)__builtin_huge_val());
    if (!(near.distance2 < (mote_real)__builtin_huge_val())) /* not a number, or out of range */
        return (SurfaceAt){near.at.point.x - near.at.point.x, vec3(0, 1, 0)};
    SurfaceAt at = mesh_surface_by_normals(s->mesh, &near, p);
    if (s->inside == MOTE_INSIDE_CLOSED) return at;
    bool winds = s->inside == MOTE_INSIDE_WINDING;
    if (winds && s->mesh->facts.closed) return at;
    return with_sign(&near, &at, p, winds && mesh_winds_around(s->mesh, p));
}

static mote_Vec3 point_at(mote_real *const x[3], size_t i)
{
    return vec3(x[0][i], x[1][i], x[2][i]);
}

static void put(mote_real *const out[3], size_t i, mote_Vec3 v)
{
    out[0][i] = v.x, out[1][i] = v.y, out[2][i] = v.z;
}

static void distance(const void *raw, size_t count, mote_real *const x[3], mote_real *out)
{
    for (size_t i = 0; i < count; ++i) out[i] = surface_of(raw, point_at(x, i)).distance;
}

static void normal(const void *raw, size_t count, mote_real *const x[3], mote_real *const out[3])
{
    for (size_t i = 0; i < count; ++i) put(out, i, surface_of(raw, point_at(x, i)).normal);
}

static void at(const void *raw, size_t count, mote_real *const x[3], mote_real *out,
               mote_real *const n[3])
{
    for (size_t i = 0; i < count; ++i) {
        SurfaceAt s = surface_of(raw, point_at(x, i));
        out[i] = s.distance;
        put(n, i, s.normal);
    }
}

/* Whether a sphere that has no triangle within its reach is outside; a sheet has no inside. */
static bool is_outside(const void *raw, mote_Vec3 p)
{
    const mote_MeshShape *s = raw;
    if (s->inside == MOTE_INSIDE_NONE) return true;
    int side = mesh_side(s->mesh, p);
    return side == SIDE_SURFACE ? surface_of(raw, p).distance > 0 : side == SIDE_OUTSIDE;
}

/* Only triangles within reach of the way are looked at. */
static void rule_out(const void *raw, const ShapeWays *ways, uint8_t *flags)
{
    const mote_Mesh *mesh = ((const mote_MeshShape *)raw)->mesh;
    for (size_t i = 0; i < ways->count; ++i) {
        if (flags[i] == 0) continue;
        mote_Vec3 from = point_at(ways->from, i), along = vec3_sub(point_at(ways->to, i), from);
        mote_real size = vec3_length(from) + vec3_length(along) + ways->radius;
        mote_real reach = ways->radius + vec3_length(along) + RULE_OUT_MARGIN * size;
        MeshNearest near = mesh_nearest(mesh, from, reach * reach);
        if (near.distance2 < reach * reach || !is_outside(raw, from)) continue;
        flags[i] = 0;
    }
}

static Aabb bounds(const void *raw)
{
    return ((const mote_MeshShape *)raw)->mesh->tree.bounds;
}

/* Points beyond the bounds by `limit` need no look at the triangles. */
static bool near(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    const Aabb box = bounds(raw);
    mote_real beyond = limit > 0 ? limit * limit * (1 + 8 * REAL_EPSILON) : 0;
    for (size_t i = 0; i < count; ++i) {
        mote_Vec3 p = point_at(x, i);
        if (aabb_distance2(&box, p) > beyond) continue;
        if (!(surface_of(raw, p).distance >= limit)) return true;
    }
    return false;
}

/* A sphere that starts in the solid overlaps, whatever it meets later. */
static bool starts_in(const void *raw, const ShapeCast *way, mote_real side, ShapeHit *hit)
{
    const mote_MeshShape *s = raw;
    if (s->inside == MOTE_INSIDE_NONE) return false;
    SurfaceAt at = surface_of(raw, way->from);
    if (!(side * at.distance < way->radius)) return false;
    *hit = (ShapeHit){0, vec3_madd(way->from, -at.distance, at.normal), vec3_scale(at.normal, side),
                      true};
    return true;
}

static bool cast(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    const Aabb box = bounds(raw);
    mote_real r = way->radius;
    bool far = aabb_distance2(&box, way->from) > r * r;
    if (!far && starts_in(raw, way, 1, hit)) return true;
    return mesh_cast_sheet(((const mote_MeshShape *)raw)->mesh, way, hit);
}

static bool cast_free(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return mesh_cast_sheet(((const mote_MeshShape *)raw)->mesh, way, hit);
}

static bool leave(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    if (starts_in(raw, way, -1, hit)) return true;
    return mesh_cast_sheet(((const mote_MeshShape *)raw)->mesh, way, hit);
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    return mesh_sample_surface(((const mote_MeshShape *)raw)->mesh, random, point);
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const Aabb box = bounds(raw);
    if (((const mote_MeshShape *)raw)->inside == MOTE_INSIDE_NONE)
        return surface(raw, random, point);
    return mesh_sample_volume(surface_of, raw, &box, random, point);
}

static void measure(const void *raw, ShapeMeasure *m)
{
    *m = ((const mote_MeshShape *)raw)->mesh->measure;
}

/* ---- what is wrong with a mesh ---- */

typedef struct Fault {
    size_t count;
    const double *at; /* the first */
    const char *what, *advice;
} Fault;

static mote_Status report_fault(const char *where, const Fault *fault, mote_Error *error)
{
    return status_fail(
        error, MOTE_BAD_VALUE, "%s: the mesh has %zu %s, the first at (%g, %g, %g); %s", where,
        fault->count, fault->what, fault->at[0], fault->at[1], fault->at[2], fault->advice);
}

/* The first matters to meshes with small holes, too. */
static mote_Status check_faults(const mote_MeshFacts *f, const char *where, bool closed,
                                mote_Error *error)
{
    const Fault faults[] = {
        {f->flipped_edges, f->flipped_at, "edges whose triangles disagree on which side is outside",
         "turn one of each pair round"},
        {f->open_edges, f->open_at, "open edges (holes)",
         "close them, or say inside: \"winding\" for small ones or \"none\" for a sheet"},
        {f->crowded_edges, f->crowded_at, "edges of three or more triangles",
         "say inside: \"winding\", or take the inner triangles away"}};
    const size_t count = closed ? sizeof faults / sizeof faults[0] : 1;
    for (size_t i = 0; i < count; ++i)
        if (faults[i].count > 0) return report_fault(where, &faults[i], error);
    return MOTE_OK;
}

static void form(const void *raw, ShapeForm *f)
{
    f->mesh = ((const mote_MeshShape *)raw)->mesh;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_MeshShape *s = raw;
    if (s->mesh == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: `mesh` is missing: name a file", where);
    const mote_MeshFacts *f = &s->mesh->facts;
    if (s->inside == MOTE_INSIDE_NONE) return MOTE_OK;
    if (f->inverted && f->flipped_edges == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the mesh is inside out (its volume is %g m3); say `flip: true`",
                           where, f->volume);
    return check_faults(f, where, s->inside == MOTE_INSIDE_CLOSED, error);
}

const ShapeRow ISA(shape_mesh) = {
    .head = ROW_HEAD("mesh", "a triangle mesh of any form", params, mote_MeshShape),
    .check = check,
    .near = near,
    SHAPE_CALLBACKS,
    .rule_out = rule_out,
    .cast_free = cast_free,
    SHAPE_SAMPLES,
};
