/* A body on the mesh of boundary `penalised`: the nodes that it covers, and what it does to the
 * flow there. */
#ifndef SOLVERS_VORTEX_PENALTY_H
#define SOLVERS_VORTEX_PENALTY_H

#include "geometry/posed.h"
#include "solvers/solver.h"
#include "solvers/vortex/mesh_flow.h"

/* What stands in a body's place: volume in cells, momentum and angular momentum about the body's
 * place, both beyond the wind's; kept from one sub-step to the next in Sheets.kept, with what a
 * free body's last push will change of it, which was foreseen, and the body's velocities. */
enum { WITHIN_VOLUME, WITHIN_MOMENTUM, WITHIN_ANGULAR = 4, WITHIN_NUMBERS = 7 };

/* Of one plane of nodes: what the body gets, and what stands in its place. */
typedef struct PenaltySums {
    mote_ColliderLoad load;
    double within[WITHIN_NUMBERS];
} PenaltySums;

/* A body at work on planes of nodes. */
typedef struct Penalty {
    MeshFlow *flow;
    const Collider *collider;
    PosedShape shape;
    size_t from[3], to[3]; /* nodes */
    double part;           /* of the edge's time, a round's */
    double passed;         /* s/m: the same of what flows across the surface, over its speed */
    PoseVelocity faster;   /* than a sub-step ago; none after the first round */
    PenaltySums *sums;     /* of each plane */
    mote_real *planes;     /* place, distance and normal of each node */
    PenaltySums all;
} Penalty;

/* Room for what is kept of bodies from one sub-step to the next. False when out of memory. */
bool penalty_keep(const SolverStep *step);
/* False when out of memory; it has no nodes where none is near. */
bool penalty_begin(Penalty *penalty, MeshFlow *flow, const Collider *collider,
                   const SolverStep *step);
/* One round of that time, which is `part` of what the edge takes. */
void penalty_push(Penalty *penalty, double part, double time, mote_Tasks *tasks);
/* The body gets its load. */
void penalty_finish(Penalty *penalty, const SolverStep *step);

#endif
