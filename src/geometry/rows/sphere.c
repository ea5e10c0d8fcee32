/* Ball: distance = |x| - radius. */
#include "base/row.h"
#include "geometry/convex_cast.h"
#include "geometry/sampling.h"
#include "geometry/shape.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_SphereShape, radius, "m", "radius of the sphere", 0.5, PARAM_POSITIVE, 1e15),
};

/* In the middle every direction is a normal: up is taken. */
static inline SurfaceAt surface_at(const mote_SphereShape *p, mote_Vec3 x)
{
    return sphere_surface(p->radius, x);
}

#define SHAPE_STRUCT mote_SphereShape
#include "geometry/shape_loops.h"

static Aabb bounds(const void *raw)
{
    const mote_real r = ((const mote_SphereShape *)raw)->radius;
    return (Aabb){{-r, -r, -r}, {r, r, r}};
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_SphereShape *p = raw;
    Random4 u = shape_draw(random, 0);
    mote_Vec3 n = sample_sphere(u.word[0], u.word[1]);
    *point = (ShapePoint){vec3_scale(n, p->radius), n};
    return true;
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_SphereShape *p = raw;
    Random4 u = shape_draw(random, 0);
    mote_Vec3 n = sample_sphere(u.word[0], u.word[1]);
    *point = (ShapePoint){vec3_scale(n, p->radius * sample_ball_radius(u.word[2])), n};
    return true;
}

static void measure(const void *raw, ShapeMeasure *m)
{
    const double r = (double)((const mote_SphereShape *)raw)->radius, pi = 3.141592653589793;
    *m = (ShapeMeasure){.area = 4 * pi * r * r, .volume = 4 * pi / 3 * r * r * r};
    for (int c = 0; c < 3; ++c) m->inertia[c][c] = m->volume * r * r * 2 / 5;
}

static void form(const void *raw, ShapeForm *f)
{
    f->core = CORE_POINT;
    f->radius = ((const mote_SphereShape *)raw)->radius;
}

static size_t edges(const void *raw, ShapeEdge out[SHAPE_EDGES])
{
    const mote_real r = ((const mote_SphereShape *)raw)->radius;
    const mote_Vec3 x = {r, 0, 0}, y = {0, r, 0}, z = {0, 0, r}, o = {0, 0, 0};
    out[0] = edge_ring(o, x, y);
    out[1] = edge_ring(o, y, z);
    out[2] = edge_ring(o, z, x);
    return 3;
}

const ShapeRow ISA(shape_sphere) = {
    .head = ROW_HEAD("sphere", "a ball", params, mote_SphereShape),
    SHAPE_FORMULA(near_by_distance),
    SHAPE_SAMPLES,
    .edges = edges,
};
