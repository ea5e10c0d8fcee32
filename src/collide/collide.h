/* The collide stage: the algorithms as rows, and the driver that leads a range of particles through
 * one of them. */
#ifndef COLLIDE_COLLIDE_H
#define COLLIDE_COLLIDE_H

#include "collide/row_case.h"

/* X(row, file in rows/ that holds it). */
#define COLLIDE_ROWS(X)                                                                            \
    X(collide_contact, contact)                                                                    \
    X(collide_exact, algorithms)                                                                   \
    X(collide_micro_safe, algorithms)                                                              \
    X(collide_micro, algorithms)                                                                   \
    X(collide_interference, algorithms)                                                            \
    X(collide_repulsion, repulsion)                                                                \
    X(collide_none, algorithms)

/* What a worker counts. */
typedef struct CollideTally {
    uint64_t hits;         /* impacts */
    uint64_t inside;       /* rows inside at both ends of their step */
    uint64_t trapped;      /* rows that could not be put outside */
    uint64_t first_inside; /* smallest id of those inside; UINT64_MAX: none */
} CollideTally;

typedef struct CollideInput {
    const Broad *broad;
    const mote_CollideDef *def;
    bool may_bounce;    /* false in the last pass, and for traced particles: contact only */
    bool solves_again;  /* bounces are solved again; else the change is added to x1 and v1 */
    double start, dt;   /* s: the sub-step that the colliders' motion is for */
    TouchList *touched; /* one per row of the system; NULL: nobody asks */
} CollideInput;

enum { COLLIDE_PLANES = 9 }; /* of r->collide */

typedef struct CollideKernels CollideKernels;

typedef struct CollideRow {
    mote_Row head;
    bool needs_start; /* reads r->x0, r->v0 */
    bool keeps_out;   /* with swept detection: what starts outside stays outside */
    mote_real (*reach)(const mote_CollideDef *def); /* how far from a surface it acts; NULL: 0 */
    void (*resolve)(RowCase *row);                  /* NULL: nothing collides */
    /* Optional: all rows of a range against one plane that stands still, with dry friction. Returns
     * the number of marked rows. */
    size_t (*on_plane)(const CollideInput *input, const Collider *plane, const Range *r,
                       CollideTally *tally);
} CollideRow;

/* Leaves rows outside, or changes r->v0 and marks them in r->marks to be solved again from
 * (x0, v0). Returns the number of marked rows. */
size_t collide_range(const CollideRow *row, const CollideKernels *kernels,
                     const CollideInput *input, const Range *r, CollideTally *tally);

/* Loops over a range, per instruction set. */
struct CollideKernels {
    /* The box around both ends of all ways. */
    Aabb (*box)(const Range *r);
    /* Flags rows whose way may meet the box; returns how many. */
    size_t (*flag_box)(const Range *r, const Aabb *box, mote_real radius, uint8_t *flags);
    /* Takes the flag from rows that a collider which does not turn cannot have met: the distances
     * at both ends together exceed the way. */
    void (*unflag_far)(const Range *r, const Collider *c, mote_real start, mote_real end,
                       mote_real radius, uint8_t *flags);
};

const CollideKernels *collide_kernels(Isa isa);
const mote_Row *const *collide_rows(Isa isa, size_t *count);

#endif
