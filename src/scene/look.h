/* Looks: what is drawn of a system. */
#ifndef SCENE_LOOK_H
#define SCENE_LOOK_H

#include "scene/scene.h"

/* Systems that one system is drawn as: one, or one for every profile when sprites differ. */
size_t look_parts(const SceneLook *look);

/* parts[0] is the system; its computed columns replace the frame's, and with sprites the further
 * parts are filled. A colour map that wants one fills the legend. */
mote_Status look_draw(mote_Scene *scene, const mote_Frame *frame, const SceneLook *look,
                      mote_FrameSystem *parts, mote_Legend *legend, mote_Error *error);

/* Whether the columns that looks name are there, in a frame of the scene's world. */
mote_Status looks_check(const mote_Scene *scene, const mote_Frame *frame, mote_Error *error);

/* A camera that shows where the scene's emitters and colliders are, and where particles fly. */
void scene_place_camera(mote_Scene *scene, double aspect, mote_Camera *camera);

#endif
