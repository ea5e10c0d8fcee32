/* Sequential impulses: the motion of solids in contact through one sub-step of the world. */
#ifndef BODIES_SOLVER_H
#define BODIES_SOLVER_H

#include "bodies/body.h"
#include "bodies/contacts.h"

/* All that is solid in a world. */
typedef struct Solids {
    Solid **items; /* the bodies' first, in their order */
    size_t count;
    Body **bodies;
    size_t body_count;
} Solids;

/* One point of contact as it is solved. */
typedef struct ContactRow {
    Solid *a, *b;
    ContactPoint *point;
    D3 arm_a, arm_b;     /* of the point, from the centres */
    D3 across[2];        /* unit vectors across the normal */
    D3 belt;             /* m/s, of b's surface relative to a's */
    D3 turn_a, turn_b;   /* rad/s that a unit of push turns them by */
    double mass;         /* kg, along the normal */
    double drag_mass[3]; /* inverse of the 2 by 2 matrix across: 11, 12, 22 */
    double slide_mass;   /* kg: the least of any direction across */
    double gap;          /* m, now */
    double speed;        /* m/s, along the normal when the contact was met; negative: they near */
    double friction, restitution;
    bool bounces;
} ContactRow;

typedef struct BodyStep {
    double dt;  /* s, of the world's sub-step */
    int pieces; /* it is cut into */
    D3 gravity; /* m/s^2 */
    double t;   /* s, at its start */
} BodyStep;

/* Advances everything by step->dt. `rows` has a place for each point of contact, `accelerations`
 * and `torques` one for each body. */
typedef struct SolveRoom {
    ContactRow *rows;
    size_t row_count;
    D3 *accelerations; /* m/s^2 */
    D3 *torques;       /* N m */
} SolveRoom;

void solids_advance(const Solids *solids, const Contacts *contacts, const BodyStep *step,
                    SolveRoom *room);

#endif
