/* Colliders and the algorithms that keep particles out of them. */
#ifndef COLLIDE_COLLIDER_H
#define COLLIDE_COLLIDER_H

#include <mote/collide.h>

#include "base/row.h"
#include "geometry/shape.h"
#include "particles/range.h"

/* X(row, file in rows/ that holds it). */
#define COLLIDE_ROWS(X) X(collide_contact, contact)

typedef struct Collider {
    Object object; /* parameters of the shape */
    const ShapeRow *shape;
    mote_ColliderDef def; /* restitution, friction, velocity; its pointers are not used */
    uint64_t systems;     /* bit per system it acts on */
} Collider;

typedef struct CollideInput {
    const Collider *const *colliders;
    size_t count;
    bool as_points;  /* radii count as zero */
    bool may_replay; /* false in the last pass: contact only */
} CollideInput;

enum { COLLIDE_PLANES = 5 }; /* of r->collide */

typedef struct CollideRow {
    mote_Row head;
    bool needs_start; /* reads r->x0, r->v0 */
    /* Leaves rows outside, or changes r->v0 and marks them in r->marks to be solved again from
     * (x0, v0). Returns the number of marked rows; *hits counts impacts. */
    size_t (*resolve)(const CollideInput *input, const Range *r, uint64_t *hits);
} CollideRow;

extern const mote_Row collider_row; /* the parameters of every collider: mote_ColliderDef */

const mote_Row *const *collide_rows(Isa isa, size_t *count);

#endif
