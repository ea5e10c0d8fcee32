/* All contacts among solids, and what of them is remembered for the next sub-step. */
#ifndef BODIES_CONTACTS_H
#define BODIES_CONTACTS_H

#include "bodies/manifold.h"

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

#endif
