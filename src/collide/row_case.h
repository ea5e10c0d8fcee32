/* One particle that may meet colliders in its piece of time: what every algorithm works on. */
#ifndef COLLIDE_ROW_CASE_H
#define COLLIDE_ROW_CASE_H

#include <mote/collide.h>

#include "collide/broad.h"
#include "collide/wall.h"

/* The most colliders that one particle tells apart in a sub-step: three bounces, three planes. */
enum { MOST_TOUCHES = 6 };

/* What a particle did to one collider. */
typedef struct Touch {
    uint32_t collider;
    mote_Vec3 change; /* of the particle's velocity, m/s */
    mote_Vec3 at;     /* m, moved back with the collider to the start of the sub-step */
    mote_real lost;   /* kinetic energy per mass in the wall's frame, m^2/s^2 */
} Touch;

typedef struct TouchList {
    uint32_t count;
    bool hit; /* an impact, not only contact */
    Touch touches[MOST_TOUCHES];
} TouchList;

typedef struct RowCase {
    const Broad *broad;         /* the colliders */
    const mote_CollideDef *def; /* of the system */
    mote_Vec3 x0, v0;           /* at the start of the piece; v0 changes when it bounces */
    mote_Vec3 x1, v1;           /* at its end */
    mote_real radius, mass;
    mote_real dt;         /* s, of the piece */
    mote_real end_weight; /* of forces at the end of the piece, in its impulses */
    mote_real lag;        /* by which v0 and v1 are behind x0 and x1, as a share of dt */
    mote_real start, end; /* the piece as shares of the sub-step that colliders know */
    bool may_bounce;      /* false: v0 has no say (traced particles, last pass) */
    bool solves_again;    /* a bounce changes v0 and asks for a new x1, v1; else x1 += dt dv */
    bool creeps;          /* this is a small step of a longer one */
    TouchList *touched;   /* NULL when nobody wants to know */
    /* results */
    bool again;   /* to be solved again from (x0, v0) */
    bool bounced; /* an impact happened */
    bool changed; /* x1 or v1 are not the integrator's */
    bool inside;  /* at both ends, by more than rounding */
    bool trapped; /* no place outside was found */
} RowCase;

static inline Way row_way(const RowCase *row)
{
    return (Way){row->x0, row->x1, row->radius, row->start, row->end, NULL};
}

/* The velocity of the parabola that ends in x1, at x0. To bounce off v0 instead would lose, with a
 * scheme that lags by half a step, half of what gravity gives in a step, at every bounce. */
static inline mote_Vec3 row_start_velocity(const RowCase *row)
{
    return vec3_madd(row->v0, row->lag, vec3_sub(row->v1, row->v0));
}

/* The first collider that the way meets, by the system's detection. */
bool row_first_impact(const RowCase *row, const Way *way, Impact *impact);

/* Velocity after an impact with restitution e: relative to the wall, v_N -> -e v_N, v_T times the
 * friction's factor. Notes the touch. */
mote_Vec3 row_reflect(RowCase *row, const Impact *impact, mote_real restitution, mote_Vec3 v);

/* True when v moves into the wall by more than rounding. */
bool row_approaches(const Impact *impact, mote_Vec3 v, mote_Vec3 wall);

/* Counts a particle that is inside at both ends, unless by rounding. */
void row_note_inside(RowCase *row, const Impact *impact);

/* The touch: a change of the particle's velocity, and energy per mass that became heat. */
void row_note_change(RowCase *row, const Impact *impact, mote_Vec3 change, mote_real lost);
void row_note(RowCase *row, const Impact *impact, mote_Vec3 before, mote_Vec3 after,
              mote_Vec3 wall);

/* True when x is outside of everything at the end of the step, up to a few roundings. */
bool row_is_outside(const RowCase *row, mote_Vec3 x);

/* True when the particle sticks to a collider since an earlier step: it goes along. */
bool row_hold(RowCase *row);

/* Contact from (x0, v0): x1 is put outside of everything on its way, inelastically, by closing gaps
 * and not more, with friction; v1 likewise. */
void row_contact(RowCase *row);

/* Moves x1 out of surfaces that rounding on a long way has put it behind. */
void row_settle(RowCase *row);

/* The algorithms. */
void row_resolve_contact(RowCase *row);
void row_resolve_micro(RowCase *row);
void row_resolve_micro_safe(RowCase *row);
void row_resolve_interference(RowCase *row);
void row_resolve_exact(RowCase *row);
void row_resolve_repulsion(RowCase *row);

/* Laws of repulsion: forces near a surface instead of collisions.
 *
 * y is the gap between the surfaces, v its rate: -K y below the surface; -K (y - y0) - D v, or
 * K (1/y - 1/y0) - D v, below the reach y0. */

/* What a surface does to a particle. */
typedef struct Repulsion {
    mote_real force;     /* N, outwards */
    mote_real stiffness; /* N/m: how fast the force falls with the gap */
    mote_real damping;   /* kg/s: with the speed */
    mote_real energy;    /* J, of the part that is not damping */
} Repulsion;

/* How far from the surface the law acts, m. */
mote_real repulsion_reach(const mote_CollideDef *def);

/* The law at gap y, which grows by `speed` m/s. */
Repulsion repulsion_at(const mote_CollideDef *def, mote_real y, mote_real speed);

#endif
