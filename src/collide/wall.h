/* A collider at single points of space and time: distance, normal, velocity, and the first moment
 * at which a particle that moves straight meets it.
 *
 * Time runs from 0 to 1 over the sub-step. Positions are those of the particle's centre; a gap is
 * the distance between the surfaces of collider and particle, negative when they overlap. */
#ifndef COLLIDE_WALL_H
#define COLLIDE_WALL_H

#include "collide/collider.h"

typedef struct WallPoint {
    mote_real distance; /* of the centre */
    mote_Vec3 normal;   /* outward, in the world */
} WallPoint;

mote_Pose wall_pose(const Collider *c, mote_real time);
WallPoint wall_point(const Collider *c, mote_real time, mote_Vec3 x);
mote_real wall_distance(const Collider *c, mote_real time, mote_Vec3 x);

/* Velocity of the surface near x, in m/s: the body's, and its belt's along the surface. */
mote_Vec3 wall_velocity(const Collider *c, mote_real time, mote_Vec3 x, mote_Vec3 normal);

/* The belt's part of it. */
mote_Vec3 wall_belt(const Collider *c, mote_real time, mote_Vec3 normal);

/* Where a point that moves with the collider has got to. */
mote_Vec3 wall_carry(const Collider *c, mote_real from, mote_real to, mote_Vec3 x);
/* The same of a direction. */
mote_Vec3 wall_turn(const Collider *c, mote_real from, mote_real to, mote_Vec3 n);

/* A particle that moves from one place to another while time goes on: straight in the world, or
 * straight in the frame of a collider that takes it along. All colliders see the same way. */
typedef struct Way {
    mote_Vec3 from, to;
    mote_real radius;
    mote_real start, end;  /* time */
    const Collider *frame; /* NULL: the world */
} Way;

/* What rounding may do to a distance at a point: gaps within it count as touching. */
mote_real point_slack(mote_Vec3 x, mote_real radius);
/* The same anywhere on a way. */
mote_real way_slack(const Way *way);

typedef struct Impact {
    const Collider *collider;
    mote_real share;  /* of the way, 0 to 1 */
    mote_real time;   /* of the sub-step, 0 to 1 */
    mote_Vec3 centre; /* of the particle then */
    mote_Vec3 normal; /* outward, then */
    mote_real gap;    /* 0, or negative when the way starts inside */
    bool inside;      /* at both ends of the way */
} Impact;

/* True when the way enters the collider. */
bool wall_sweep(const Collider *c, const Way *way, Impact *impact);

/* True when the end of the way is inside. */
bool wall_end_inside(const Collider *c, const Way *way, Impact *impact);

#endif
