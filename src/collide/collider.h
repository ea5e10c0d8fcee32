/* Colliders, and what the algorithms that keep particles out of them are given. */
#ifndef COLLIDE_COLLIDER_H
#define COLLIDE_COLLIDER_H

#include <mote/bodies.h>
#include <mote/collide.h>

#include "base/limbs.h"
#include "base/row.h"
#include "collide/friction.h"
#include "geometry/aabb.h"
#include "geometry/motion.h"
#include "geometry/shape.h"
#include "particles/range.h"

/* Where the host has put a collider, and how it goes on: state, so all in numbers. */
typedef struct HandMotion {
    double t;                           /* s, when */
    double position[3], orientation[4]; /* then */
    double velocity[3], spin[3];        /* m/s, rad/s */
} HandMotion;

enum { HAND_VALUES = sizeof(HandMotion) / sizeof(double) };

/* Impulse, angular impulse and heat of touches, in any order. */
typedef struct TouchSums {
    Limbs impulse[3], angular[3], heat;
    int64_t particles;
} TouchSums;

/* A collider during one sub-step. It knows poses, not what makes them: a path, or later a body. */
typedef struct Collider {
    Object object; /* parameters of the shape */
    const ShapeRow *shape;
    mote_ColliderDef def; /* restitution, velocity, motion; its pointers to names are not used */
    const FrictionRow *friction;
    FrictionParams friction_params;
    uint64_t systems;        /* bit per system it acts on */
    uint32_t number;         /* in the world */
    const struct Body *body; /* that it is the surface of; NULL: `def` says where it is */
    mote_Pose pose;          /* at the start of the sub-step */
    PoseVelocity change;     /* per sub-step */
    mote_Vec3 linear;        /* m/s */
    mote_Vec3 angular;       /* rad/s */
    mote_Vec3 stood[2];      /* at and rotate that `pose` was made of, where it stands */
    bool stands;
    bool by_hand; /* `hand` says where it is, not `def` */
    bool moves, turns;
    bool posed;      /* pose is not the identity, or it moves */
    bool half_space; /* a plane: without end, and what is outside is convex too */
    Aabb bounds;     /* of the whole sub-step; endless for a plane */
    mote_ColliderLoad load;
    /* Last what most colliders have no use for, so that loops over many pass it by. */
    TouchSums touched; /* while touches are collected */
    HandMotion hand;
} Collider;

/* Poses, friction and bounds for the time from t to t + dt. */
mote_Status collider_prepare(Collider *collider, double t, double dt, mote_Error *error);

/* From time t on it goes as the host says. */
void collider_take_in_hand(Collider *collider, double t, const mote_Pose *pose,
                           const PoseVelocity *velocity);

/* Whether what was loaded can be such as a step left behind. */
mote_Status collider_check_state(const Collider *collider, mote_Error *error);

/* Does nothing but a new motion by hand move it? */
bool collider_stands(const Collider *collider);

/* The surface of a body, as particles meet it. */
mote_ColliderDef collider_of_body(const mote_BodyDef *body);

/* Where it is at time t; where it was last when its path has no answer. */
mote_Pose collider_pose(const Collider *collider, double t);

/* Where it is at the start, the middle and the end of the time from t to t + dt. */
mote_Status collider_poses(const Collider *collider, double t, double dt, mote_Pose poses[3],
                           mote_Error *error);

/* How it moves at time t, per second; paths by their difference over `step` seconds. */
PoseVelocity collider_velocity(const Collider *collider, double t, double step);

/* Marks and counts those of at most BLOCK_ROWS points that are in the sink at time t and not marked
 * yet. False: none is. */
bool collider_swallow(Collider *sink, double t, size_t count, mote_real *const x[3], bool *sunk);

#define FRICTION_DOC "coefficient of dry friction, or an object that names a law"

extern const mote_Row collider_row;      /* the parameters of every collider: mote_ColliderDef */
extern const mote_Row collider_keys_row; /* the same without friction, which may be a law */

#endif
