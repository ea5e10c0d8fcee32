/* Sequential impulses: the motion of solids in contact through one sub-step of the world. */
#ifndef BODIES_SOLVER_H
#define BODIES_SOLVER_H

#include "bodies/body.h"
#include "bodies/contact_row.h"
#include "bodies/contacts.h"

/* All that is solid in a world. */
typedef struct Solids {
    Solid **items; /* the bodies' first, in their order */
    size_t count;
    Body **bodies;
    size_t body_count;
} Solids;

typedef struct BodyStep {
    double dt;  /* s, of the world's sub-step */
    int pieces; /* it is cut into */
    D3 gravity; /* m/s^2 */
    double t;   /* s, at its start */
} BodyStep;

/* `rows` has a place for each point of contact, `accelerations` and `torques` one for each body. */
typedef struct SolveRoom {
    ContactRow *rows;
    size_t row_count;
    D3 *accelerations; /* m/s^2 */
    D3 *torques;       /* N m */
} SolveRoom;

/* Moves one freely through a time h, which may be negative, without any acceleration. */
void solids_move(const Solids *solids, size_t number, double h);

/* Advances everything by step->dt. */
void solids_advance(const Solids *solids, const Contacts *contacts, const BodyStep *step,
                    SolveRoom *room);

/* ---- islands.c ---- */

/* Scratch, one for each body. */
typedef struct IslandRoom {
    uint32_t *roots;
    uint8_t *marks;
} IslandRoom;

/* Sets `asleep` of solids and manifolds for the next sub-step. */
void islands_rest(const Solids *solids, Contacts *contacts, const IslandRoom *room);

/* After the sub-step of dt (s): notes who was slow, in pieces of h (s). */
void islands_note(const Solids *solids, double gravity, double h, double dt);

/* ---- impacts.c ---- */

/* All impacts of the next piece of time h (s) that are faster than `slowest` (m/s). */
void impacts_resolve(const Solids *solids, const Contacts *contacts, double h, double slowest,
                     SolveRoom *room);

#endif
