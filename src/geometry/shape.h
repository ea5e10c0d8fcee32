/* The shape family: signed distance (negative inside), outward normal and more, at planar arrays of
 * points in the shape's own frame. geometry/posed.h places a shape in the world. */
#ifndef GEOMETRY_SHAPE_H
#define GEOMETRY_SHAPE_H

#include <mote/shapes.h>

#include "base/isa.h"
#include "base/random.h"
#include "geometry/aabb.h"

/* A sphere that moves straight from `from` to from + along; radius 0: a ray of that length. */
typedef struct ShapeCast {
    mote_Vec3 from, along;
    mote_real radius;
} ShapeCast;

/* Many of them, of one radius. */
typedef struct ShapeWays {
    size_t count;
    mote_real *const *from, *const *to; /* planes x, y, z */
    mote_real radius;
} ShapeWays;

/* What rounding may do to the distances of a point: the scale of the margin of rule_out. */
#define RULE_OUT_MARGIN (1024 * REAL_EPSILON)

/* The first moment at which a moving sphere touches. */
typedef struct ShapeHit {
    mote_real time;   /* in [0, 1] of the way */
    mote_Vec3 point;  /* on the surface */
    mote_Vec3 normal; /* outward, there */
    bool overlaps;    /* the sphere reaches into the shape already at the start; time is 0 */
} ShapeHit;

/* Numbers for one sample: draws with these and purpose, purpose + 1, ... */
typedef struct ShapeRandom {
    RandomKey key;
    uint64_t id;
    uint32_t step, purpose;
} ShapeRandom;

typedef struct ShapePoint {
    mote_Vec3 position;
    mote_Vec3 normal; /* outward at the nearest surface */
} ShapePoint;

/* Of a body of density 1. */
typedef struct ShapeMeasure {
    double area, volume;  /* m^2, m^3 */
    double centre[3];     /* of mass, m */
    double inertia[3][3]; /* about the centre of mass, in the shape's axes, m^5 */
} ShapeMeasure;

/* Forms that have a shorter way than by distances and casts: what bodies roll on, liquids feel as
 * walls, rays and particles meet by planes. */
typedef enum ShapeCore {
    CORE_NONE, /* a form of its own */
    CORE_HALF_SPACE,
    CORE_POINT,
    CORE_SEGMENT, /* along y */
    CORE_BOX,
    CORE_CYLINDER, /* about y */
    CORE_POLYTOPE,
    CORES
} ShapeCore;

/* A shape as a core and all that is within `radius` of it, or as made of other shapes. */
typedef struct ShapeForm {
    ShapeCore core;
    mote_real radius;          /* m */
    mote_Vec3 half;            /* m, of the core, along its axes; AABB_ENDLESS: no end */
    mote_Vec3 normal;          /* of a half-space, outward; its length does not matter */
    mote_real offset;          /* m, along the unit normal */
    const mote_Mesh *mesh;     /* of a polytope, or of another form whose corners it has */
    const mote_Shapes *parts;  /* it is the union of these */
    const mote_Shapes *hollow; /* it is everything outside of this one */
} ShapeForm;

/* A line that shows a shape's form: straight, from `middle` to middle + u; or an arc about the
 * middle, from middle + u towards middle + v. */
typedef struct ShapeEdge {
    mote_Vec3 middle, u, v;
    int quarters; /* of a circle; 0: straight */
} ShapeEdge;

enum { SHAPE_EDGES = 24 };

typedef struct ShapeRow {
    mote_Row head;
    bool convex;
    bool quick; /* `at` is a formula, no slower than rule_out */
    /* Optional, at the start of every sub-step: brings parameters into the form that the other
     * callbacks read (unit normals). Doing it again changes nothing. */
    void (*prepare)(void *params);
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
    /* True unless every point has distance >= limit: NaN counts as near. */
    bool (*near)(const void *params, size_t count, mote_real *const x[3], mote_real limit);
    void (*distance)(const void *params, size_t count, mote_real *const x[3], mote_real *distance);
    /* The gradient of the distance: the unit vector from the nearest point of the surface (to it,
     * from inside). */
    void (*normal)(const void *params, size_t count, mote_real *const x[3],
                   mote_real *const normal[3]);
    /* Both at once. */
    void (*at)(const void *params, size_t count, mote_real *const x[3], mote_real *distance,
               mote_real *const normal[3]);
    /* Optional: takes the flag from spheres whose straight way `from` -> `to` stays clear of the
     * shape by more than rounding; what keeps its flag may touch, or not. */
    void (*rule_out)(const void *params, const ShapeWays *ways, uint8_t *flags);
    Aabb (*bounds)(const void *params);
    /* False when the sphere does not touch, or only leaves. */
    bool (*cast)(const void *params, const ShapeCast *cast, ShapeHit *hit);
    /* The same for a caller who knows that the sphere does not overlap at the start, which saves a
     * mesh much work; NULL: `cast` is as fast. */
    bool (*cast_free)(const void *params, const ShapeCast *cast, ShapeHit *hit);
    /* The same with inside and outside exchanged: a sphere in a container; normals point inward. */
    bool (*leave)(const void *params, const ShapeCast *cast, ShapeHit *hit);
    /* Uniform in area, or in volume; NULL when there is no end. False when none was found. */
    bool (*surface)(const void *params, const ShapeRandom *random, ShapePoint *point);
    bool (*volume)(const void *params, const ShapeRandom *random, ShapePoint *point);
    void (*measure)(const void *params, ShapeMeasure *measure); /* NULL with them */
    /* Optional: fills in what is not zero of its form; NULL: a form of its own. */
    void (*form)(const void *params, ShapeForm *form);
    /* Optional, where the core is CORE_NONE: balls of form.radius about these points nearly make up
     * the shape; for i = 0, 1, ... until it returns false. Bodies touch others with them. */
    bool (*corner)(const void *params, size_t i, mote_Vec3 *corner);
    /* Optional: how many lines a picture of wires draws; NULL: the box around it. */
    size_t (*edges)(const void *params, ShapeEdge edges[SHAPE_EDGES]);
} ShapeRow;

/* The callbacks that every shape has, by the names they have in a row's file; and those of a shape
 * that has an end. */
#define SHAPE_CALLBACKS                                                                            \
    .distance = distance, .normal = normal, .at = at, .bounds = bounds, .cast = cast,              \
    .leave = leave, .form = form
#define SHAPE_SAMPLES .surface = surface, .volume = volume, .measure = measure

const mote_Row *const *shape_rows(Isa isa, size_t *count);

/* The row of that name for this machine; NULL: there is none. */
const ShapeRow *shape_named(const char *name);

static inline ShapeForm shape_form(const ShapeRow *row, const void *params)
{
    ShapeForm form = {.core = CORE_NONE};
    if (row->form != NULL) row->form(params, &form);
    return form;
}

/* The table of part i. */
const mote_Row *shapes_row(const mote_Shapes *shapes, size_t i);

/* One more owner, one less, for every mesh and shapes among a row's parameters. */
void params_keep(const mote_Row *row, const void *params);
void params_release(const mote_Row *row, const void *params);

static inline Random4 shape_draw(const ShapeRandom *random, uint32_t further)
{
    return random_draw(random->key, random->id, random->step, random->purpose + further);
}

/* ---- lines that show what round shapes look like ---- */

/* A circle about the middle, through middle + u and middle + v. */
static inline ShapeEdge edge_ring(mote_Vec3 middle, mote_Vec3 u, mote_Vec3 v)
{
    return (ShapeEdge){middle, u, v, 4};
}

/* Rings at both ends of a segment along y, and lines between them. */
static inline size_t edges_tube(mote_real r, mote_real half, ShapeEdge out[SHAPE_EDGES])
{
    const mote_Vec3 x = {r, 0, 0}, z = {0, 0, r};
    size_t count = 0;
    for (int side = -1; side <= 1; side += 2)
        out[count++] = edge_ring(vec3(0, (mote_real)side * half, 0), x, z);
    for (int k = 0; k < 4; ++k) {
        const mote_Vec3 at = vec3_scale(k < 2 ? x : z, k & 1 ? -(mote_real)1 : 1);
        out[count++] = (ShapeEdge){vec3(at.x, -half, at.z), vec3(0, 2 * half, 0), at, 0};
    }
    return count;
}

#endif
