/* Walls as particles on the colliders' surfaces. */
#ifndef SOLVERS_SPH_SAMPLED_H
#define SOLVERS_SPH_SAMPLED_H

#include "solvers/sph/boundary.h"

/* The particles of one collider, in its own frame. */
typedef struct WallSamples {
    const Collider *collider;
    Arena arena; /* of all that follows */
    size_t count;
    Cells cells;
    mote_real reach;   /* of their kernel, m */
    mote_real *weight; /* V_b, by place of the cells */
    mote_real *volume; /* m^3: a spacing deep, for friction */
    Aabb bounds;       /* grown by the support */
} WallSamples;

extern const BoundaryRow boundary_sampled;

/* Forgets the samples of a collider that is taken out. */
void sampled_lose(SphState *state, const Collider *collider);

/* Gives back what the row made. */
void sampled_free(SphState *state, Memory *memory);

#endif
