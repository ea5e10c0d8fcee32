/* Looks: what is drawn of a system; and the camera of a scene that has none. */
#ifndef SCENE_LOOK_H
#define SCENE_LOOK_H

#include "geometry/posed.h"
#include "scene/forecast.h"
#include "scene/scene.h"

/* Systems that one system is drawn as: one, or one for every profile when sprites differ. */
size_t look_parts(const SceneLook *look);

/* parts[0] is the system; its computed columns replace the frame's, and with sprites the further
 * parts are filled. A colour map that wants one fills the legend. */
mote_Status look_draw(mote_Scene *scene, const mote_Frame *frame, const SceneLook *look,
                      mote_FrameSystem *parts, mote_Legend *legend, mote_Error *error);

/* Whether the columns that looks name are there, in a frame of the scene's world. */
mote_Status looks_check(const mote_Scene *scene, const mote_Frame *frame, mote_Error *error);

typedef struct LookDrawing {
    mote_Scene *scene;
    mote_FrameSystem *system;
    ExpressionPlane planes[EXPRESSION_SLOTS];
} LookDrawing;

/* look_color.c: the system's colours from numbers of its particles, and by their temperature. */
mote_Status look_color_by(LookDrawing *drawing, const SceneColorBy *by, mote_Legend *legend,
                          mote_Error *error);
bool look_color_by_heat(LookDrawing *drawing, const SceneLook *look);

/* A camera that shows where the scene's emitters and colliders are, and where particles fly. */
void scene_place_camera(mote_Scene *scene, double aspect, mote_Camera *camera);

/* The camera of a scene that has none: what it has to show, and what may stand in its way. */

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
