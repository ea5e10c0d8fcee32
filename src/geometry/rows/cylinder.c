/* Solid cylinder about y: a rectangle in the half-plane of radius and height. */
#include "base/row.h"
#include "geometry/convex_cast.h"
#include "geometry/sampling.h"
#include "geometry/shape.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_CylinderShape, radius, "m", "radius", 0.5, PARAM_POSITIVE, 1e15),
    PARAM_REAL(mote_CylinderShape, height, "m", "height along y", 1, PARAM_POSITIVE, 1e15),
};

static inline SurfaceAt surface_at(const mote_CylinderShape *p, mote_Vec3 x)
{
    return cylinder_surface(p->radius, p->height, x);
}

#define SHAPE_STRUCT mote_CylinderShape
#include "geometry/shape_loops.h"

static Aabb bounds(const void *raw)
{
    const mote_CylinderShape *p = raw;
    const mote_real r = p->radius, h = p->height * (mote_real)0.5;
    return (Aabb){{-r, -h, -r}, {r, h, r}};
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_CylinderShape *p = raw;
    Random4 u = shape_draw(random, 0);
    const mote_real half = p->height * (mote_real)0.5;
    mote_real wall = p->height / (p->height + p->radius); /* share of the area */
    mote_Vec3 n = sample_circle(u.word[1]), q = vec3_scale(n, p->radius);
    q.y = random_signed(u.word[2]) * half;
    if (!(random_unit(u.word[0]) < wall)) {
        mote_real side = (u.word[3] & 1) != 0 ? 1 : -(mote_real)1;
        q = vec3_scale(n, p->radius * sample_disc_radius(u.word[2]));
        q.y = side * half;
        n = vec3(0, side, 0);
    }
    *point = (ShapePoint){q, n};
    return true;
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_CylinderShape *p = raw;
    Random4 u = shape_draw(random, 0);
    mote_Vec3 q = vec3_scale(sample_circle(u.word[1]), p->radius * sample_disc_radius(u.word[2]));
    q.y = random_signed(u.word[0]) * p->height * (mote_real)0.5;
    *point = sample_inside(surface_of, raw, q);
    return true;
}

/* The textbook's: (r^2 / 4 + h^2 / 12) across, r^2 / 2 about the axis. */
static void measure(const void *raw, ShapeMeasure *m)
{
    const mote_CylinderShape *p = raw;
    const double r = (double)p->radius, h = (double)p->height, pi = 3.141592653589793;
    *m = (ShapeMeasure){.area = 2 * pi * r * (r + h), .volume = pi * r * r * h};
    m->inertia[0][0] = m->inertia[2][2] = m->volume * (r * r / 4 + h * h / 12);
    m->inertia[1][1] = m->volume * r * r / 2;
}

static void form(const void *raw, ShapeForm *f)
{
    const mote_CylinderShape *p = raw;
    f->core = CORE_CYLINDER;
    f->half = vec3(p->radius, p->height * (mote_real)0.5, p->radius);
}

static size_t edges(const void *raw, ShapeEdge out[SHAPE_EDGES])
{
    const mote_CylinderShape *p = raw;
    return edges_tube(p->radius, p->height / 2, out);
}

const ShapeRow ISA(shape_cylinder) = {
    .head = ROW_HEAD("cylinder", "a solid cylinder about the y axis", params, mote_CylinderShape),
    SHAPE_FORMULA(near_by_distance),
    SHAPE_SAMPLES,
    .edges = edges,
};
