/* Colliders as a liquid sees them: bodies bounded by planes and at most one round surface, where
 * they stand now, in the world's frame. Walls of other forms (meshes, hollows of several parts) are
 * taken as the half-space behind their nearest point. */
#ifndef SOLVERS_SPH_WALL_SOLID_H
#define SOLVERS_SPH_WALL_SOLID_H

#include "base/memory.h"
#include "collide/broad.h"
#include "geometry/mesh.h"
#include "geometry/posed.h"

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

#endif
