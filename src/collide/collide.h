/* The collide stage: the algorithms as rows, and the driver that leads a range of particles through
 * one of them. */
#ifndef COLLIDE_COLLIDE_H
#define COLLIDE_COLLIDE_H

#include "collide/wall_rows.h"
#include "particles/outlook.h"

/* X(row, file in rows/ that holds it). */
#define COLLIDE_ROWS(X)                                                                            \
    X(collide_contact, contact)                                                                    \
    X(collide_exact, algorithms)                                                                   \
    X(collide_micro_safe, algorithms)                                                              \
    X(collide_micro, algorithms)                                                                   \
    X(collide_interference, algorithms)                                                            \
    X(collide_repulsion, algorithms)                                                               \
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
    bool may_bounce;   /* false in the last pass, and for traced particles: contact only */
    bool solves_again; /* bounces are solved again; else the change is added to x1 and v1 */
    double end_weight; /* of forces at the end of a piece, in its impulses */
    double lag;        /* by which velocities are behind positions, as a share of the row's piece */
    double start, dt;  /* s: the sub-step that the colliders' motion is for */
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
    bool is_force; /* particles are pushed while they are solved; resolve notes the impulses */
    bool by_walls; /* resolve does what CollideKernels.meet_wall does to many rows */
    /* Optional: all rows of a range against one plane that stands still, with dry friction. Returns
     * the number of marked rows. */
    size_t (*on_plane)(const CollideInput *input, const Collider *plane, const Range *r,
                       CollideTally *tally);
    void (*forecast)(const mote_CollideDef *def, const Outlook *outlook); /* optional */
    /* Refuses what cannot be computed so; optional. */
    mote_Status (*check)(const mote_CollideDef *def, const Outlook *outlook, mote_Error *error);
} CollideRow;

/* The parameters of mote_CollideDef. */
extern const mote_Row collide_row;

/* Leaves rows outside, or changes r->v0 and marks them in r->marks to be solved again from
 * (x0, v0). Returns the number of marked rows. */
size_t collide_range(const CollideRow *row, const CollideKernels *kernels,
                     const CollideInput *input, const Range *r, CollideTally *tally);

/* Straight ways of particles, and the box around each. */
typedef struct Ways {
    size_t count;
    mote_real *const *from, *const *to; /* planes x, y, z */
    mote_real *boxes;                   /* six planes, SCRATCH_STRIDE apart: lows, then highs */
} Ways;

/* A collider, and ways that may meet it. */
typedef struct BlockQuery {
    const Ways *ways;
    const Collider *collider;
    mote_real start, end; /* shares of the sub-step */
    mote_real radius;     /* of the particles, at most */
    uint32_t bit;         /* of a row's mask: it may meet the collider */
} BlockQuery;

/* Loops over a range, per instruction set. */
struct CollideKernels {
    /* Makes the boxes around the ways; returns the box around all of them. */
    Aabb (*boxes)(const Ways *ways);
    /* Sets a bit for the rows whose box meets this one; returns how many do. */
    size_t (*meet_box)(const Ways *ways, const Aabb *box, uint32_t bit, uint32_t *masks);
    /* The rows that have a bit, in their order, into `rows`, which has room for a block; returns
     * how many. */
    size_t (*list)(const uint32_t *masks, size_t count, uint8_t *rows);
    /* Takes the query's bit from rows whose way cannot meet the shape itself: from all that have
     * it, or from listed ones. */
    void (*rule_out)(const BlockQuery *query, uint32_t *masks);
    void (*rule_out_rows)(const BlockQuery *query, const uint8_t *rows, size_t count,
                          uint32_t *masks);
    WallMeet *meet_wall;
};

const CollideKernels *collide_kernels(Isa isa);
const mote_Row *const *collide_rows(Isa isa, size_t *count);

#endif
