/* Laws of repulsion: forces near a surface instead of collisions.
 *
 * y is the gap between the surfaces, v its rate: -K y below the surface; -K (y - y0) - D v, or
 * K (1/y - 1/y0) - D v, below the reach y0. */
#ifndef COLLIDE_REPULSION_H
#define COLLIDE_REPULSION_H

#include <mote/collide.h>

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
