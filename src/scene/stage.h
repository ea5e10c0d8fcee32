/* What a scene has to show, and the camera of one that has none. */
#ifndef SCENE_STAGE_H
#define SCENE_STAGE_H

#include "geometry/posed.h"
#include "scene/forecast.h"
#include "scene/scene.h"

/* A camera that shows where the scene's emitters and colliders are, and where particles fly. */
void scene_place_camera(mote_Scene *scene, double aspect, mote_Camera *camera);

typedef struct Obstacle {
    PosedShape shape; /* where it stands at the start */
    mote_real restitution;
    ParamsCopy params;
} Obstacle;

/* Everything at the start of a scene that is drawn as a solid, planes too. */
typedef struct Obstacles {
    Obstacle *items;
    size_t count;
} Obstacles;

/* Whether a collider or a body is drawn as a solid. */
bool scene_shows_solid(const mote_Scene *scene, const char *name);

/* The first of them that is met on the straight way, and where; NULL: none is. What the way starts
 * in is not met. */
const Obstacle *obstacles_meet(const Obstacles *obstacles, mote_Vec3 from, mote_Vec3 to,
                               ShapeHit *hit);

/* The box around what a scene shows: empty (low above high) when it shows nothing. */
Aabb stage_box(mote_Scene *scene, const Obstacles *obstacles);

#endif
