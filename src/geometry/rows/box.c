/* Box. */
#include "base/row.h"
#include "base/status.h"
#include "geometry/convex_cast.h"
#include "geometry/sampling.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_BoxShape, size, "m", "edge lengths; 0: without end along that axis", 1, 1, 1),
};

static inline mote_real half_edge(mote_real size)
{
    return size > 0 ? size * (mote_real)0.5 : AABB_ENDLESS;
}

static inline mote_Vec3 half_size(const mote_BoxShape *p)
{
    return vec3(half_edge(p->size.x), half_edge(p->size.y), half_edge(p->size.z));
}

static inline SurfaceAt surface_at(const mote_BoxShape *p, mote_Vec3 x)
{
    return box_surface(half_size(p), x);
}

#define SHAPE_STRUCT mote_BoxShape
#include "geometry/shape_loops.h"

static Aabb bounds(const void *raw)
{
    mote_Vec3 h = half_size(raw);
    return (Aabb){vec3_scale(h, -1), h};
}

static bool is_endless(const mote_BoxShape *p)
{
    return !(p->size.x > 0 && p->size.y > 0 && p->size.z > 0);
}

/* A pair of faces by area, then a point of it. */
static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_BoxShape *p = raw;
    if (is_endless(p)) return false;
    mote_Vec3 h = half_size(p), s = p->size;
    Random4 u = shape_draw(random, 0);
    mote_real x = s.y * s.z, y = s.z * s.x, z = s.x * s.y;
    mote_real pick = random_unit(u.word[0]) * (x + y + z);
    mote_real side = (u.word[3] & 1) != 0 ? 1 : -(mote_real)1;
    mote_Vec3 c =
        vec3(random_signed(u.word[1]), random_signed(u.word[2]), random_signed(u.word[3]));
    mote_Vec3 n = pick < x ? vec3(side, 0, 0) : pick < x + y ? vec3(0, side, 0) : vec3(0, 0, side);
    c = n.x != 0 ? vec3(side, c.x, c.y) : n.y != 0 ? vec3(c.x, side, c.y) : vec3(c.x, c.y, side);
    *point = (ShapePoint){vec3(c.x * h.x, c.y * h.y, c.z * h.z), n};
    return true;
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_BoxShape *p = raw;
    if (is_endless(p)) return false;
    mote_Vec3 h = half_size(p);
    Random4 u = shape_draw(random, 0);
    *point = sample_inside(surface_of, raw,
                           vec3(random_signed(u.word[0]) * h.x, random_signed(u.word[1]) * h.y,
                                random_signed(u.word[2]) * h.z));
    return true;
}

static void measure(const void *raw, ShapeMeasure *m)
{
    const mote_BoxShape *p = raw;
    const double a = (double)p->size.x, b = (double)p->size.y, c = (double)p->size.z;
    *m = (ShapeMeasure){.area = 2 * (a * b + b * c + c * a), .volume = a * b * c};
    m->inertia[0][0] = m->volume * (b * b + c * c) / 12;
    m->inertia[1][1] = m->volume * (c * c + a * a) / 12;
    m->inertia[2][2] = m->volume * (a * a + b * b) / 12;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_Vec3 s = ((const mote_BoxShape *)raw)->size;
    if (s.x >= 0 && s.y >= 0 && s.z >= 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: size is [%g, %g, %g], but edge lengths must not be negative", where,
                       (double)s.x, (double)s.y, (double)s.z);
}

static void form(const void *raw, ShapeForm *f)
{
    f->core = CORE_BOX;
    f->half = half_size(raw);
}

const ShapeRow ISA(shape_box) = {
    .head = ROW_HEAD("box", "a box with its edges along the axes", params, mote_BoxShape),
    .check = check,
    SHAPE_FORMULA(near_by_distance),
    SHAPE_SAMPLES,
};
