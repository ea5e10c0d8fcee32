/* Capsule: the distance from a segment along y, less the radius. */
#include "base/row.h"
#include "geometry/convex_cast.h"
#include "geometry/sampling.h"
#include "geometry/shape.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_CapsuleShape, radius, "m", "radius", 0.25, PARAM_POSITIVE, 1e15),
    PARAM_REAL(mote_CapsuleShape, length, "m", "distance of the centres of its caps, along y", 0.5,
               0, 1e15),
};

/* On the segment itself every direction across is a normal: x is taken. */
static inline SurfaceAt surface_at(const mote_CapsuleShape *p, mote_Vec3 x)
{
    return capsule_surface(p->radius, p->length, x);
}

#define SHAPE_STRUCT mote_CapsuleShape
#include "geometry/shape_loops.h"

static Aabb bounds(const void *raw)
{
    const mote_CapsuleShape *p = raw;
    const mote_real r = p->radius, end = p->length * (mote_real)0.5 + r;
    return (Aabb){{-r, -end, -r}, {r, end, r}};
}

/* The two caps make one sphere: its upper half belongs to the upper cap. */
static mote_Vec3 on_cap(const mote_CapsuleShape *p, mote_Vec3 in_ball)
{
    const mote_real half = p->length * (mote_real)0.5;
    return vec3(in_ball.x, in_ball.y + (in_ball.y < 0 ? -half : half), in_ball.z);
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_CapsuleShape *p = raw;
    Random4 u = shape_draw(random, 0);
    mote_real wall = p->length / (p->length + 2 * p->radius); /* share of the area */
    mote_Vec3 n = sample_circle(u.word[1]);
    mote_Vec3 q = vec3_scale(n, p->radius);
    q.y = random_signed(u.word[2]) * p->length * (mote_real)0.5;
    if (!(random_unit(u.word[0]) < wall)) {
        n = sample_sphere(u.word[2], u.word[1]);
        q = on_cap(p, vec3_scale(n, p->radius));
    }
    *point = (ShapePoint){q, n};
    return true;
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    const mote_CapsuleShape *p = raw;
    Random4 u = shape_draw(random, 0);
    /* Share of the volume: pi r^2 l of pi r^2 l + 4 pi r^3 / 3. */
    mote_real wall = p->length / (p->length + p->radius * (mote_real)(4.0 / 3.0));
    mote_Vec3 q = vec3_scale(sample_circle(u.word[1]), p->radius * sample_disc_radius(u.word[3]));
    q.y = random_signed(u.word[2]) * p->length * (mote_real)0.5;
    if (!(random_unit(u.word[0]) < wall))
        q = on_cap(p, vec3_scale(sample_sphere(u.word[2], u.word[1]),
                                 p->radius * sample_ball_radius(u.word[3])));
    *point = sample_inside(surface_of, raw, q);
    return true;
}

/* A cylinder and a ball whose halves are moved apart; Steiner's theorem from the half's centre. */
static void measure(const void *raw, ShapeMeasure *m)
{
    const mote_CapsuleShape *p = raw;
    const double r = (double)p->radius, l = (double)p->length, pi = 3.141592653589793;
    const double wall = pi * r * r * l, ball = 4 * pi / 3 * r * r * r;
    double across =
        wall * (r * r / 4 + l * l / 12) + ball * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8);
    *m = (ShapeMeasure){.area = 2 * pi * r * (l + 2 * r), .volume = wall + ball};
    m->inertia[0][0] = m->inertia[2][2] = across;
    m->inertia[1][1] = wall * r * r / 2 + ball * 2 * r * r / 5;
}

static void form(const void *raw, ShapeForm *f)
{
    const mote_CapsuleShape *p = raw;
    f->core = CORE_SEGMENT;
    f->radius = p->radius;
    f->half.y = p->length * (mote_real)0.5;
}

static size_t edges(const void *raw, ShapeEdge out[SHAPE_EDGES])
{
    const mote_CapsuleShape *p = raw;
    const mote_real r = p->radius, half = p->length / 2;
    size_t count = edges_tube(r, half, out);
    for (int side = -1; side <= 1; side += 2) {
        mote_Vec3 middle = {0, (mote_real)side * half, 0}, up = {0, (mote_real)side * r, 0};
        out[count++] = (ShapeEdge){middle, vec3(r, 0, 0), up, 2};
        out[count++] = (ShapeEdge){middle, vec3(0, 0, r), up, 2};
    }
    return count;
}

const ShapeRow ISA(shape_capsule) = {
    .head = ROW_HEAD("capsule", "all points within a radius of a segment along y", params,
                     mote_CapsuleShape),
    SHAPE_FORMULA(near_by_distance),
    SHAPE_SAMPLES,
    .edges = edges,
};
