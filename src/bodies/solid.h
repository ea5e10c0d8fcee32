/* What contact knows of anything solid, be it a body or a collider that nothing moves. */
#ifndef BODIES_SOLID_H
#define BODIES_SOLID_H

#include "bodies/piece.h"

typedef struct Solid {
    PieceList pieces;    /* in the solid's frame */
    DPose pose;          /* of a body: centre of mass and principal axes */
    D3 velocity;         /* m/s, of the frame's origin */
    D3 spin;             /* rad/s */
    double inverse_mass; /* 1/kg; 0: nothing moves it */
    D33 inverse_inertia; /* 1/(kg m^2), in the world */
    D3 angular;          /* kg m^2/s, of a body */
    double friction, restitution;
    D3 belt;         /* m/s, velocity of the surface in the solid's frame */
    D3 low, high;    /* box around the pieces and where they may get to in this sub-step */
    double reach;    /* m, of the pieces from the frame's origin */
    double smallest; /* m, half of the pieces' least thickness */
    size_t contacts; /* points of contact in this sub-step */
    bool asleep;     /* not moved in this sub-step */
} Solid;

static inline D3 solid_velocity_at(const Solid *s, D3 arm)
{
    return d3_add(s->velocity, d3_cross(s->spin, arm));
}

/* Changes linear and angular momentum by an impulse (kg m/s) at `arm` from the centre. */
static inline void solid_push(Solid *s, D3 arm, D3 impulse)
{
    if (s->inverse_mass == 0) return;
    D3 turn = d3_cross(arm, impulse);
    s->velocity = d3_madd(s->velocity, s->inverse_mass, impulse);
    s->angular = d3_add(s->angular, turn);
    s->spin = d3_add(s->spin, d33_times(&s->inverse_inertia, turn));
}

#endif
