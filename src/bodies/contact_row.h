/* One point of contact as it is solved. */
#ifndef BODIES_CONTACT_ROW_H
#define BODIES_CONTACT_ROW_H

#include "bodies/manifold.h"

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

#endif
