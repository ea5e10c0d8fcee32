/* Textures on cloth. */
#ifndef SCENE_CLOTH_H
#define SCENE_CLOTH_H

#include "scene/scene.h"

/* Adds the column "uv" to a system that wears a texture and does not say where it lies, in the
 * picture's arena. False when out of memory. */
bool scene_spread_cloth(mote_Scene *scene, const SceneSystem *said, mote_FrameSystem *system);

/* Tells of systems whose texture lies nowhere. */
void scene_check_cloth(mote_Scene *scene);

#endif
