/* Distances and normals of shapes whose surface is a formula of one point, in the shape's frame.
 * Formulas: they include nothing, and are compiled for the processor (rows/) and for devices. */
#ifndef GEOMETRY_FORMULAS_SURFACES_H
#define GEOMETRY_FORMULAS_SURFACES_H

typedef struct SurfaceAt {
    mote_real distance;
    mote_Vec3 normal;
} SurfaceAt;

static inline SurfaceAt plane_surface(mote_Vec3 n, mote_real offset, mote_Vec3 x)
{
    return (SurfaceAt){n.x * x.x + n.y * x.y + n.z * x.z - offset, n};
}

static inline SurfaceAt sphere_surface(mote_real radius, mote_Vec3 x)
{
    mote_real length = vec3_length(x), inverse = length > 0 ? 1 / length : 0;
    mote_Vec3 n = vec3_scale(x, inverse);
    n.y = length > 0 ? n.y : 1;
    return (SurfaceAt){length - radius, n};
}

static inline mote_real box_sign(mote_real x)
{
    return x < 0 ? -(mote_real)1 : 1;
}

/* With q = |x| - half, the distance is |max(q, 0)| outside and max(q) inside. Outside, the nearest
 * point is x cut off at the faces, and o the way from it; inside it is on the face that is the
 * least deep, the first of those that are as near. Along an axis without end q is far below 0, and
 * never the largest. */
static inline SurfaceAt box_surface(mote_Vec3 half_edges, mote_Vec3 x)
{
    const mote_Vec3 h = half_edges;
    mote_Vec3 q = vec3(REAL_ABS(x.x) - h.x, REAL_ABS(x.y) - h.y, REAL_ABS(x.z) - h.z);
    mote_Vec3 o = vec3_max(q, vec3(0, 0, 0));
    mote_real outside = vec3_length(o), inside = real_max(real_max(q.x, q.y), q.z);
    bool out = outside > 0;
    mote_real scale = out ? 1 / outside : 0;
    mote_real ax = q.x >= inside ? 1 : 0, ay = q.y >= inside ? 1 - ax : 0, az = 1 - ax - ay;
    mote_real distance = inside > 0 ? outside : inside; /* NaN stays */
    return (SurfaceAt){distance, vec3(box_sign(x.x) * real_pick(out, o.x * scale, ax),
                                      box_sign(x.y) * real_pick(out, o.y * scale, ay),
                                      box_sign(x.z) * real_pick(out, o.z * scale, az))};
}

/* The distance from a segment along y, less the radius. */
static inline SurfaceAt capsule_surface(mote_real radius, mote_real span, mote_Vec3 x)
{
    const mote_real half_span = span * (mote_real)0.5;
    mote_real along = x.y < -half_span ? -half_span : x.y;
    along = along > half_span ? half_span : along;
    mote_Vec3 r = vec3(x.x, x.y - along, x.z);
    mote_real length = vec3_length(r), inverse = length > 0 ? 1 / length : 0;
    mote_Vec3 n = vec3_scale(r, inverse);
    n.x = length > 0 ? n.x : 1;
    return (SurfaceAt){length - radius, n};
}

/* As for a box, with q = (radius of x - r, |y| - h / 2). */
static inline SurfaceAt cylinder_surface(mote_real radius, mote_real height, mote_Vec3 x)
{
    mote_real radial = REAL_SQRT(x.x * x.x + x.z * x.z), inverse = radial > 0 ? 1 / radial : 0;
    mote_real rx = radial > 0 ? x.x * inverse : 1, rz = x.z * inverse;
    mote_real qr = radial - radius, qy = REAL_ABS(x.y) - height * (mote_real)0.5;
    mote_real outr = real_max(qr, 0), outy = real_max(qy, 0);
    mote_real outside = REAL_SQRT(outr * outr + outy * outy), inside = real_max(qr, qy);
    bool out = outside > 0;
    mote_real scale = out ? 1 / outside : 0, by_wall = qr >= qy ? 1 : 0;
    mote_real nr = real_pick(out, outr * scale, by_wall);
    mote_real ny = real_pick(out, outy * scale, 1 - by_wall);
    return (SurfaceAt){inside > 0 ? outside : inside, vec3(nr * rx, x.y < 0 ? -ny : ny, nr * rz)};
}

#endif
