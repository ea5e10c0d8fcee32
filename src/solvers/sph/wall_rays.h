/* The kernel's integral over a union of walls: rays from the particle, each of them cut by all
 * walls; exact along the rays, a fixed set of directions across them. */
#ifndef SOLVERS_SPH_WALL_RAYS_H
#define SOLVERS_SPH_WALL_RAYS_H

#include "base/isa.h"
#include "base/memory.h"
#include "base/vec.h"
#include "collide/broad.h"
#include "geometry/mesh.h"
#include "geometry/posed.h"
#include "solvers/sph/wall_table.h"

#include "solvers/sph/formulas/wall_row.h"

/* ---- colliders as a liquid sees them ---- */

/* Colliders as a liquid sees them: bodies bounded by planes and at most one round surface, where
 * they stand now, in the world's frame. Walls of other forms (meshes, hollows of several parts) are
 * taken as the half-space behind their nearest point. */

typedef struct WallSolid {
    const Collider *collider;
    PosedShape shape; /* for distances and normals */
    Aabb bounds;      /* endless for hollows and planes */
    WallForm form;
} WallSolid;

typedef struct WallScene {
    WallSolid *solids;
    size_t count, capacity;
    MeshPlane *planes;
    size_t plane_count, plane_capacity;
} WallScene;

/* The colliders at the start of the sub-step; the parts of compounds one by one. False when out of
 * memory. */
bool wall_scene_make(WallScene *scene, Memory *memory, const Broad *broad);
void wall_scene_free(WallScene *scene, Memory *memory);

/* ---- rays ---- */

/* Directions spread evenly, with every symmetry of a cube (2-D: of a square); weights sum to 1. */
typedef struct WallDirections {
    size_t count; /* a multiple of 8 */
    mote_real x[WALL_RAYS], y[WALL_RAYS], z[WALL_RAYS], weight[WALL_RAYS];
} WallDirections;

void wall_directions_make(int dimension, WallDirections *directions);

typedef struct RayCase {
    const WallTable *table;
    const WallDirections *directions;
    const RayWall *walls;
    size_t wall_count;
    const RayPlane *known;
    size_t known_count;
} RayCase;

typedef struct WallKernels {
    /* Adds to sums[share]. */
    void (*rays)(const RayCase *c, RaySum *sums);
} WallKernels;

const WallKernels *wall_kernels(Isa isa);

#endif
