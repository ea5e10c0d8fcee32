/* Torus about y: the distance from a circle of the radius R, less the tube's radius r. In the
 * half-plane of radius and height, the circle is the point (R, 0). */
#include "base/row.h"
#include "base/status.h"
#include "geometry/convex_cast.h"
#include "geometry/sampling.h"
#include "geometry/shape.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_TorusShape, radius, "m", "from the axis to the middle of the tube", 0.5,
               PARAM_POSITIVE, 1e15),
    PARAM_REAL(mote_TorusShape, tube, "m", "radius of the tube, less than `radius`", 0.2,
               PARAM_POSITIVE, 1e15),
};

static inline SurfaceAt surface_at(const mote_TorusShape *p, mote_Vec3 x)
{
    mote_real around = REAL_SQRT(x.x * x.x + x.z * x.z), inverse = around > 0 ? 1 / around : 0;
    mote_real rx = around > 0 ? x.x * inverse : 1, rz = x.z * inverse;
    mote_real q = around - p->radius, length = REAL_SQRT(q * q + x.y * x.y);
    mote_real scale = length > 0 ? 1 / length : 0, nr = length > 0 ? q * scale : 1;
    return (SurfaceAt){length - p->tube, vec3(nr * rx, x.y * scale, nr * rz)};
}

#define SHAPE_STRUCT mote_TorusShape
#define SHAPE_DENTED
#include "geometry/shape_loops.h"

static Aabb bounds(const void *raw)
{
    const mote_TorusShape *p = raw;
    const mote_real wide = p->radius + p->tube, high = p->tube;
    return (Aabb){{-wide, -high, -wide}, {wide, high, wide}};
}

/* A direction (c, s) across the tube, in the half-plane. What is around the axis is longer outside
 * than inside, by 1 + share c against 1 - share c: the right part of the uniform directions is
 * turned over to the outside, and none is thrown away. */
static void sample_tube(uint32_t turn, uint32_t choice, mote_real share, mote_real *c, mote_real *s)
{
    mote_Vec3 n = sample_circle(turn);
    bool over = 2 * random_unit(choice) > 1 + share * n.x;
    *c = over ? -n.x : n.x, *s = n.z;
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_TorusShape *p = raw;
    Random4 u = shape_draw(random, 0);
    mote_real c, s;
    sample_tube(u.word[1], u.word[2], p->tube / p->radius, &c, &s);
    mote_Vec3 out = sample_circle(u.word[0]), n = vec3(c * out.x, s, c * out.z);
    *point = (ShapePoint){vec3_madd(vec3_scale(out, p->radius), p->tube, n), n};
    return true;
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_TorusShape *p = raw;
    Random4 u = shape_draw(random, 0);
    mote_real away = p->tube * sample_disc_radius(u.word[3]), c, s;
    sample_tube(u.word[1], u.word[2], away / p->radius, &c, &s);
    mote_Vec3 out = sample_circle(u.word[0]), n = vec3(c * out.x, s, c * out.z);
    *point = (ShapePoint){vec3_madd(vec3_scale(out, p->radius), away, n), n};
    return true;
}

/* Pappus: the section's area and rim, times the way of its middle. */
static void measure(const void *raw, ShapeMeasure *m)
{
    const mote_TorusShape *p = raw;
    const double r = (double)p->radius, t = (double)p->tube, pi = 3.141592653589793;
    *m = (ShapeMeasure){.area = 4 * pi * pi * r * t, .volume = 2 * pi * pi * r * t * t};
    /* 5/8 and 3/4 are those of a solid ring. */
    m->inertia[0][0] = m->inertia[2][2] = m->volume * (r * r / 2 + t * t * 5 / 8);
    m->inertia[1][1] = m->volume * (r * r + t * t * 3 / 4);
}

static void form(const void *raw, ShapeForm *f)
{
    f->radius = ((const mote_TorusShape *)raw)->tube;
}

/* Balls strung on the circle: between two of them it is dented by 0.0003 of its radius. */
static bool corner(const void *raw, size_t i, mote_Vec3 *at)
{
    enum { CORNERS = 128 };
    if (i >= CORNERS) return false;
    mote_Vec3 to = sample_circle((uint32_t)i * (UINT32_MAX / CORNERS + 1));
    *at = vec3_scale(to, ((const mote_TorusShape *)raw)->radius);
    return true;
}

/* The circles nearest to the axis, farthest from it, on top and below; and round the tube. */
static size_t edges(const void *raw, ShapeEdge out[SHAPE_EDGES])
{
    enum { TUBES = 8 };
    const mote_TorusShape *p = raw;
    const mote_real rings[4][2] = {{p->radius - p->tube, 0},
                                   {p->radius + p->tube, 0},
                                   {p->radius, p->tube},
                                   {p->radius, -p->tube}};
    size_t count = 0;
    for (int i = 0; i < 4; ++i)
        out[count++] =
            edge_ring(vec3(0, rings[i][1], 0), vec3(rings[i][0], 0, 0), vec3(0, 0, rings[i][0]));
    for (int i = 0; i < TUBES; ++i) {
        const mote_Vec3 to = sample_circle((uint32_t)i * (UINT32_MAX / TUBES + 1));
        out[count++] =
            edge_ring(vec3_scale(to, p->radius), vec3_scale(to, p->tube), vec3(0, p->tube, 0));
    }
    return count;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_TorusShape *p = raw;
    if (p->tube < p->radius) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: tube is %g m, but must be less than the radius, %g m", where,
                       (double)p->tube, (double)p->radius);
}

const ShapeRow ISA(shape_torus) = {
    .head = ROW_HEAD("torus", "a ring about the y axis", params, mote_TorusShape),
    .check = check,
    SHAPE_FORMULA(near_by_distance),
    SHAPE_SAMPLES,
    .corner = corner,
    .edges = edges,
};
