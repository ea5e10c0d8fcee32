/* Sequential impulses: the motion of solids in contact through one sub-step of the world. */
#ifndef BODIES_SOLVER_H
#define BODIES_SOLVER_H

#include "bodies/body.h"
#include "bodies/manifold.h"

/* ---- one point of contact as it is solved ---- */

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
    double pull;         /* m/s^2, of b relative to a along the normal, by all but contact */
    double friction, restitution;
} ContactRow;

/* Everything but what contact_row_place sets. */
ContactRow contact_row_make(Solid *a, Solid *b, ContactPoint *point);

/* Arms, gap and masses for the present poses. */
void contact_row_place(ContactRow *row);

/* Of b relative to a, at the point. */
D3 contact_row_velocity(const ContactRow *row);

/* m/s along the normal; negative: they near. */
static inline double contact_row_speed(const ContactRow *row)
{
    return d3_dot(contact_row_velocity(row), row->point->normal);
}

/* An impulse on both. */
void contact_row_apply(ContactRow *row, D3 impulse);

/* Adds to the push, which stays 0 at least; what was added. */
double contact_row_push_by(ContactRow *row, double change);

/* Drag against the slip, within the cone of the present push. */
void contact_row_drag(ContactRow *row);

/* ---- all contacts among solids, and what of them is remembered for the next sub-step ---- */

/* A manifold's impulses, in numbers only: state. */
typedef struct ContactMemory {
    double key[4];                  /* a, b, piece_a, piece_b */
    double count;                   /* of points */
    double points[MOST_POINTS][10]; /* on_a.at, on_b.at, push, drag */
} ContactMemory;

enum { CONTACT_PUSH = 6 }; /* among the values of a point */
enum { CONTACT_MEMORY_VALUES = sizeof(ContactMemory) / sizeof(double) };

typedef struct SweepItem {
    double low;
    uint32_t number;
} SweepItem;

typedef struct Contacts {
    Manifold *items; /* of this sub-step, by solids and pieces */
    size_t count, capacity;
    ContactMemory *kept; /* of the last one, in the same order */
    size_t kept_count, kept_capacity;
    uint32_t (*pairs)[2];
    size_t pair_count, pair_capacity;
    SweepItem *order;
    size_t order_capacity;
} Contacts;

/* Finds the manifolds of `count` solids for the next dt, with the impulses of those that were there
 * before. False when out of memory. */
bool contacts_find(Memory *memory, Contacts *contacts, Solid *const *solids, size_t count,
                   double dt, double gravity);

/* The order of what is remembered and a manifold: below 0, 0 (the same), above. */
int contact_key_order(const ContactMemory *old, const Manifold *m);

/* Remembers the impulses. False when out of memory. */
bool contacts_keep(Memory *memory, Contacts *contacts);

/* Whether what was just loaded can be remembered contacts. */
mote_Status contacts_check(const Contacts *contacts, mote_Error *error);

void contacts_free(Memory *memory, Contacts *contacts);

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
