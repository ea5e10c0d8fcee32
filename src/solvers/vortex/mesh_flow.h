/* The flow on a mesh: vorticity at nodes, the velocity that it induces, and what changes it there.
 * Vortons are what carries it from node to node (vortex in cell: Cottet and Poncet, JCP 193, 2004).
 */
#ifndef SOLVERS_VORTEX_MESH_FLOW_H
#define SOLVERS_VORTEX_MESH_FLOW_H

#include "solvers/vortex/lattice.h"

/* The longest step of viscosity, nu dt / h^2. Explicit Euler of the seven-point Laplacian is stable
 * up to 1/6 in three dimensions, and keeps vorticity's sign up to there. */
#define VISCOUS_STEP 0.12

typedef struct MeshFlow {
    const VortexWork *work;
    Lattice lattice;
    size_t stride[LATTICE_AXES]; /* from a node to the next along each axis */
    double *vorticity[3];        /* 1/s */
    double *change[3];           /* of it in this sub-step, by viscosity and stretching */
    double *velocity[3];         /* m/s */
    double *push[3];             /* m/s: what bodies add to it */
    double *seen[3];             /* m/s: velocity without it, as viscosity has left it by now */
    double *room[3];             /* for differences; NULL until there are any */
    double *shed[3];             /* 1/s: its curl */
} MeshFlow;

/* A mesh of this side around the rows and a box, with their vorticity. NULL when out of memory or
 * when there would be too many nodes. */
MeshFlow *mesh_flow_make(const VortexWork *work, const VortonRows *rows, double side,
                         const double low[3], const double high[3]);
/* Velocity from vorticity, with the wind. False when out of memory. */
bool mesh_flow_induce(MeshFlow *flow);
/* What changes vorticity in the work's time: viscosity; stretching; and the curl of what bodies
 * push. False when out of memory. */
bool mesh_flow_diffuse(MeshFlow *flow);
bool mesh_flow_stretch(MeshFlow *flow);
bool mesh_flow_curl_push(MeshFlow *flow);
/* Viscosity for a time, nu t / h^2, on what bodies push and on the flow that they see. False when
 * out of memory. */
bool mesh_flow_spread_push(MeshFlow *flow, double share);
/* Room for vectors of nodes, which are zero. False when out of memory. */
bool mesh_flow_take(const MeshFlow *flow, double *planes[3]);
/* Vectors of nodes at a place, by M4'; outside, those of the nearest place. */
mote_Vec3 mesh_flow_at(const MeshFlow *flow, double *const plane[3], mote_Vec3 x);
/* Whether there are nodes on all sides of it. */
bool mesh_flow_covers(const MeshFlow *flow, mote_Vec3 x);

#endif
