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

/* ---- colliders as a liquid sees them ---- */

/* Colliders as a liquid sees them: bodies bounded by planes and at most one round surface, where
 * they stand now, in the world's frame. Walls of other forms (meshes, hollows of several parts) are
 * taken as the half-space behind their nearest point. */

typedef enum WallRound { WALL_FLAT, WALL_SPHERE, WALL_CYLINDER, WALL_CAPSULE } WallRound;

typedef struct WallSolid {
    const Collider *collider;
    PosedShape shape;     /* for distances and normals */
    Aabb bounds;          /* endless for hollows and planes */
    bool hollow;          /* the wall is everything outside */
    bool half_space;      /* a plane, or seen as one: only the nearest point counts */
    size_t plane, planes; /* first and number, of WallScene.planes; outward of the body */
    WallRound round;
    mote_Vec3 centre, axis;
    mote_real radius, half; /* m; half: the capsule's segment */
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

enum {
    WALL_RAYS = 216,       /* most directions: 6 x 6 for each face of a cube; a circle has 64 */
    WALL_NEAR_PLANES = 24, /* of a body, within reach of a particle */
    WALL_NEAR = 6          /* walls within reach of a particle */
};

/* Directions spread evenly, with every symmetry of a cube (2-D: of a square); weights sum to 1. */
typedef struct WallDirections {
    size_t count; /* a multiple of 8 */
    mote_real x[WALL_RAYS], y[WALL_RAYS], z[WALL_RAYS], weight[WALL_RAYS];
} WallDirections;

void wall_directions_make(int dimension, WallDirections *directions);

/* A wall near a particle, which is at the origin; lengths in units of the support. */
typedef struct RayWall {
    bool hollow;
    int share; /* which sum it goes to */
    size_t planes;
    mote_real gap[WALL_NEAR_PLANES]; /* of the particle, positive outside the body */
    mote_Vec3 normal[WALL_NEAR_PLANES];
    WallRound round;
    mote_Vec3 centre, axis;
    mote_real radius, half;
} RayWall;

/* A half-space whose integral is known exactly: what the rays give for it is taken off. */
typedef struct RayPlane {
    int share;
    mote_real gap;
    mote_Vec3 normal;
} RayPlane;

enum { WALL_KNOWN = WALL_NEAR + WALL_NEAR_PLANES };

typedef struct RayCase {
    const WallTable *table;
    const WallDirections *directions;
    const RayWall *walls;
    size_t wall_count;
    const RayPlane *known;
    size_t known_count;
} RayCase;

typedef struct RaySum {
    mote_real volume;
    mote_Vec3 gradient; /* towards the wall, per support */
} RaySum;

typedef struct WallKernels {
    /* Adds to sums[share]. */
    void (*rays)(const RayCase *c, RaySum *sums);
} WallKernels;

const WallKernels *wall_kernels(Isa isa);

#endif
