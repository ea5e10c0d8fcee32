/* Parameter tables of what belongs to no module below: how long, what is written, how large. */
#include "scene/scene.h"

#include "render/tables.h"

static const char *const picture_formats[] = {"none", "png", "png16", "exr", NULL};
static const char *const video_formats[] = {"none", "mp4", "webp", "gif", NULL};

static const mote_Param time_params[] = {
    PARAM_DOUBLE(SceneWorld, duration, "s", "how long the scene lasts", 5, 0, 1e9),
};

static const mote_Param output_params[] = {
    PARAM_BOOL(SceneOutput, cache, "write every frame's particles", 1),
    PARAM_CHOICE(SceneOutput, frames, "pictures of every frame", picture_formats, 1),
    PARAM_CHOICE(SceneOutput, video, "a video of all frames", video_formats, 1),
    PARAM_COUNT(SceneOutput, checkpoint_every, "frames between checkpoints", 10, 1, 1e9),
    PARAM_DOUBLE(SceneOutput, checkpoint_seconds, "s",
                 "time by the clock after which a frame gets one all the same; 0: none", 300, 0,
                 1e9),
};

static const mote_Param picture_params[] = {
    PARAM_COUNT(ScenePicture, width, "pixels across", 1280, 1, MOTE_IMAGE_LARGEST_SIDE),
    PARAM_COUNT(ScenePicture, height, "pixels down", 720, 1, MOTE_IMAGE_LARGEST_SIDE),
    RENDER_PARAMS, /* of the struct's start */
};

static const mote_Param copies_params[] = {
    {.name = "count",
     .offset = offsetof(SceneCopies, count),
     .unit = "",
     .doc = "how many along x, y and z",
     .type = MOTE_PARAM_VEC3,
     .fallback = {1, 1, 1},
     .min = 1,
     .max = 1e5},
    PARAM_VEC3(SceneCopies, step, "m", "from one copy to the next, along each axis", 1, 1, 1),
};

const mote_Row scene_time_row = ROW_HEAD("time", "how long", time_params, SceneWorld);
const mote_Row scene_output_row =
    ROW_HEAD("output", "what a run writes", output_params, SceneOutput);
const mote_Row scene_picture_row = ROW_DEFINITION("render", "size and light of the pictures",
                                                  picture_params, ScenePicture, mote_RenderDef);
const mote_Row scene_copies_row =
    ROW_HEAD("copies", "a lattice of bodies made from one", copies_params, SceneCopies);
