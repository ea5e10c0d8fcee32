/* What is solid to bodies: all bodies, and the colliders that act on every system. */
#ifndef COLLIDE_SOLIDS_H
#define COLLIDE_SOLIDS_H

#include "bodies/solver.h"
#include "collide/collider.h"

typedef struct SolidSet {
    Solids list;
    size_t item_capacity, body_capacity;
    Solid *walls; /* of the colliders that bodies meet */
    Collider **wall_colliders;
    size_t wall_count, wall_capacity, collider_capacity;
    Contacts contacts; /* its memory is state */
} SolidSet;

/* Where the set's solids come from. */
typedef struct SolidSource {
    Memory *memory;
    Collider *const *colliders;
    size_t collider_count;
    Body *const *bodies;
    size_t body_count;
} SolidSource;

/* Lists what is solid at time t. */
mote_Status solids_list(SolidSet *set, const SolidSource *source, double t, mote_Error *error);
void solids_free(Memory *memory, SolidSet *set);

/* Before a collider is taken out of the world: contacts with it, or with the body it is the surface
 * of, are forgotten, and the bodies that it pushed wake. */
void solids_lose(SolidSet *set, Memory *memory, const Collider *collider);

/* Refuses bodies that start inside of something. */
mote_Status solids_check_start(SolidSet *set, Memory *memory, mote_Error *error);

typedef struct SolidStep {
    Memory *memory;
    Arena *arena;
    double t, dt;      /* s */
    mote_Vec3 gravity; /* m/s^2 */
    bool anew;         /* parameters may have changed: shapes are made again, and nobody is quiet */
} SolidStep;

/* Contacts and motion of all bodies from t to t + dt; counts the points of contact. */
mote_Status solids_step(SolidSet *set, const SolidStep *step, uint64_t *points, mote_Error *error);

#endif
