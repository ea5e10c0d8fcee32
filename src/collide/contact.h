/* A particle in contact: the planes that it has been led to so far. contact.c says what for. */
#ifndef COLLIDE_CONTACT_H
#define COLLIDE_CONTACT_H

#include <mote/base.h>

#include "collide/row_case.h"

enum { MOST_PLANES = 8, MOST_ACTIVE = 3 };

/* Points with normal . x >= offset are allowed. */
typedef struct ContactPlane {
    double normal[3]; /* unit */
    double offset;
} ContactPlane;

/* The point, and the planes that hold it: x = wish + sum of push[i] normal(of[i]), push > 0. */
typedef struct ActiveSet {
    double x[3];
    int count;
    int of[MOST_ACTIVE];
    double push[MOST_ACTIVE];
} ActiveSet;

/* False when no point is allowed (walls that have closed). Planes may be missed by `slack`. */
bool active_set_solve(const ContactPlane *planes, int count, const double wish[3], double slack,
                      ActiveSet *set);

/* Planes in positions, or in velocities, and what rounding may do there. */
typedef struct PlaneSet {
    const ContactPlane *planes;
    double slack;
} PlaneSet;

typedef struct Contact {
    RowCase *row;
    mote_Vec3 wish_x, wish_v; /* what integration wanted */
    mote_real slack;          /* of the present way */
    int count;
    Impact impacts[MOST_PLANES];
    ContactPlane planes[MOST_PLANES];
    mote_Vec3 normals[MOST_PLANES]; /* at the end of the step */
    mote_Vec3 anchors[MOST_PLANES]; /* where the impact's place has moved to by then */
    const Collider *colliders[MOST_PLANES];
} Contact;

static inline void to_doubles(mote_Vec3 a, double out[3])
{
    out[0] = (double)a.x, out[1] = (double)a.y, out[2] = (double)a.z;
}

static inline mote_Vec3 to_vec(const double a[3])
{
    return vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]);
}

static inline double plane_value(const ContactPlane *plane, mote_Vec3 x)
{
    double p[3];
    to_doubles(x, p);
    return plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2] -
           plane->offset;
}

/* By how much of the slack a point may miss its planes. They are worked out in double: where
 * positions are too, rounding takes more of it. */
#define PLANE_SHARE (sizeof(mote_real) == 4 ? 0.25 : 0.5)

/* The solution with friction: `anchor` is where it would be if it stuck, and is kept exactly then:
 * what rests stays at rest to the last bit. rate: 1 / (time over which it slid). */
mote_Vec3 contact_slide(const Contact *contact, const PlaneSet *planes, const ActiveSet *set,
                        mote_Vec3 anchor, mote_real rate);

/* The planes that hold the position hold the velocity: it may not lead into their walls. */
void contact_stop(Contact *contact, const ActiveSet *holding);

/* When planes do not help: stops at the last impact, where the way was free so far, or does not
 * leave at all, or goes with one of the walls, or in small steps; else it is trapped. */
void contact_give_up(Contact *contact, const Impact *impact);

#endif
