/* Convex polytopes and spheres as planes of the world, for many particles at a time.
 *
 * The planes of a posed box or convex shape are brought to the world once; then the contact
 * distance of a point is the largest of its plane distances. It is the signed distance inside and
 * over faces; beyond edges and corners it is less than that (the shape's own `distance` is exact
 * there too, at the price of a search). A sphere has no planes but a radius. Containers are holes:
 * what is inside the planes is outside the shape. */
#ifndef GEOMETRY_POLYTOPE_H
#define GEOMETRY_POLYTOPE_H

#include "geometry/mesh.h"
#include "geometry/posed.h"

enum { POLYTOPE_PLANES = 64 };

typedef struct Polytope {
    MeshPlane planes[POLYTOPE_PLANES]; /* in the world, outward */
    size_t count;                      /* 0: a sphere */
    mote_Vec3 centre;                  /* of the bounding sphere, and of a sphere */
    mote_real bound;                   /* radius of the bounding sphere, or the sphere's own */
    mote_real inner;                   /* radius of a sphere about the centre that fits inside */
    bool hole;
    mote_Pose pose;
    PoseVelocity velocity; /* m/s, rad/s */
} Polytope;

/* Where a particle meets a polytope: the contact distance, and which plane it is that of. */
typedef struct PolytopeContact {
    mote_real distance; /* m, of the particle's centre; negative: inside */
    size_t plane;
} PolytopeContact;

/* False for shapes of another kind: a compound is met part by part (polytope_part), everything else
 * through its shape. */
bool polytope_place(const PosedShape *shape, const PoseVelocity *velocity, Polytope *out);

/* How many convex parts a shape has, 1 unless it is a compound; and the i-th where it stands. */
size_t polytope_parts(const PosedShape *shape);
PosedShape polytope_part(const PosedShape *shape, size_t i);

/* The largest plane distance. NaN stays. */
static inline PolytopeContact polytope_contact(const Polytope *p, mote_Vec3 x)
{
    mote_real side = p->hole ? -(mote_real)1 : 1;
    if (p->count == 0)
        return (PolytopeContact){side * (vec3_length(vec3_sub(x, p->centre)) - p->bound), 0};
    PolytopeContact most = {vec3_dot(p->planes[0].normal, x) - p->planes[0].offset, 0};
    for (size_t i = 1; i < p->count; ++i) {
        mote_real d = vec3_dot(p->planes[i].normal, x) - p->planes[i].offset;
        if (d > most.distance) most = (PolytopeContact){d, i};
    }
    most.distance *= side;
    return most;
}

/* True as soon as one plane shows that a particle of this radius does not touch. */
static inline bool polytope_is_clear(const Polytope *p, mote_Vec3 x, mote_real radius)
{
    if (p->hole || p->count == 0) return polytope_contact(p, x).distance > radius;
    for (size_t i = 0; i < p->count; ++i)
        if (vec3_dot(p->planes[i].normal, x) - p->planes[i].offset > radius) return true;
    return false;
}

/* Outward at the contact. */
static inline mote_Vec3 polytope_normal(const Polytope *p, mote_Vec3 x, size_t plane)
{
    mote_real side = p->hole ? -(mote_real)1 : 1;
    mote_Vec3 n =
        p->count == 0 ? vec3_unit(vec3_sub(x, p->centre), vec3(0, 1, 0)) : p->planes[plane].normal;
    return vec3_scale(n, side);
}

/* The point of the surface, and the normal there. */
static inline mote_Vec3 polytope_point(const Polytope *p, mote_Vec3 x, const PolytopeContact *at,
                                       mote_Vec3 *normal)
{
    *normal = polytope_normal(p, x, at->plane);
    return vec3_madd(x, -at->distance, *normal);
}

/* Velocity of the body at a point of the world. */
static inline mote_Vec3 polytope_velocity(const Polytope *p, mote_Vec3 x)
{
    return pose_point_velocity(&p->pose, &p->velocity, x);
}

/* A particle at the end of its step. */
typedef struct PolytopeVisitor {
    mote_Vec3 x, v;   /* m, m/s */
    mote_real radius; /* m */
    mote_real dt;     /* s: how long it has been moving with v */
} PolytopeVisitor;

/* Through which plane a particle that touches has come in: of the planes that it moves into,
 * relative to the body, the one crossed last within dt; the least deep of them when none was; and
 * of all planes when it moves into none. A hole pushes back through the plane most violated. False
 * when the particle does not touch. */
bool polytope_collision(const Polytope *p, const PolytopeVisitor *visitor, PolytopeContact *at);

/* The first touch of a sphere on a straight way, by planes moved out by its radius: `share` of the
 * way, and the plane. A way that starts inside counts only if it goes deeper there. Not of holes.
 */
bool polytope_sweep(const Polytope *p, const ShapeCast *way, mote_real *share, size_t *plane);

#endif
