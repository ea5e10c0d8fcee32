/* What particles did to colliders in a sub-step: loads, and what they do to bodies. */
#ifndef COLLIDE_TOUCHES_H
#define COLLIDE_TOUCHES_H

#include "collide/row_case.h"
#include "ranks/ranks.h"

/* The touches of one system. */
typedef struct Touches {
    mote_System *system;
    TouchList *rows;            /* one per row of it; NULL: nobody asks */
    Collider *const *colliders; /* of the world, by number */
    size_t collider_count;
    const mote_Ranks *ranks; /* that share the system's rows */
} Touches;

/* Bodies give way to the particles that touch them; before loads are collected. */
mote_Status touches_share(const Touches *touches, mote_Error *error);

/* Adds up the loads of the colliders that are measured, as integers, so that sums depend neither on
 * who worked on which block nor on the order of rows. */
mote_Status touches_collect(const Touches *touches, mote_Error *error);

/* Impulses and heat that the colliders of bodies got since the last time change the bodies. */
void colliders_push_bodies(Collider *const *colliders, size_t count);

#endif
