/* Parameter tables of what a scene says about pictures and output, and the names looks may use. */
#include "scene/scene.h"

static const char *const picture_formats[] = {"none", "png", "png16", "exr", NULL};
static const char *const video_formats[] = {"none", "mp4", "webp", "gif", NULL};
static const char *const tones[] = {"linear", "filmic", NULL};
static const char *const blends[] = {"over", "add", NULL};
static const char *const algorithm_kind[] = {"collide algorithm", NULL};
static const char *const kernel_kind[] = {"kernel", NULL};

const char *output_picture_format(int choice)
{
    return picture_formats[choice];
}

const char *output_video_format(int choice)
{
    return video_formats[choice];
}

static const mote_Param time_params[] = {
    PARAM_DOUBLE(SceneWorld, duration, "s", "how long the scene lasts", 5, 0, 1e9),
};

static const mote_Param output_params[] = {
    PARAM_BOOL(SceneOutput, cache, "write every frame's particles", 1),
    PARAM_CHOICE(SceneOutput, frames, "pictures of every frame", picture_formats, 1),
    PARAM_CHOICE(SceneOutput, video, "a video of all frames", video_formats, 1),
    PARAM_COUNT(SceneOutput, checkpoint_every, "frames between checkpoints", 10, 1, 1e9),
};

static const mote_Param picture_params[] = {
    PARAM_COUNT(ScenePicture, width, "pixels across", 1280, 1, MOTE_IMAGE_LARGEST_SIDE),
    PARAM_COUNT(ScenePicture, height, "pixels down", 720, 1, MOTE_IMAGE_LARGEST_SIDE),
    PARAM_REAL(ScenePicture, exposure, "", "factor on all light", 1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(ScenePicture, bloom, "", "part of the light that is spread as glow", 0.05, 0, 1),
    PARAM_CHOICE(ScenePicture, tone, "curve from light to the picture", tones, 1),
};

static const mote_Param camera_params[] = {
    PARAM_VEC3(mote_Camera, from, "m", "the eye", 3, 2, 4),
    PARAM_VEC3(mote_Camera, to, "m", "the middle of the picture", 0, 1, 0),
    PARAM_VEC3(mote_Camera, up, "", "direction that is up in the picture", 0, 1, 0),
    PARAM_REAL(mote_Camera, fov, "degrees", "angle from the bottom to the top of the picture", 40,
               0.01, 179),
    PARAM_REAL(mote_Camera, height, "m", "height of an orthographic picture; 0: perspective", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_Camera, near, "m", "what is nearer is not drawn", 0.01, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(mote_Camera, shutter, "", "part of a frame that the shutter is open", 0.5, 0, 1),
};

static const mote_Param sky_params[] = {
    PARAM_COLOR(mote_Backdrop, horizon, "colour at the horizon", 0.03, 0.04, 0.06),
    PARAM_COLOR(mote_Backdrop, zenith, "colour overhead", 0.004, 0.006, 0.014),
    PARAM_BOOL(mote_Backdrop, transparent, "neither sky nor ground: alpha of the particles", 0),
};

static const mote_Param ground_params[] = {
    PARAM_BOOL(mote_GroundLook, visible, "draw planes as ground", 1),
    {.name = "color",
     .offset = offsetof(mote_GroundLook, colors[0]),
     .unit = "",
     .doc = "colour of the ground",
     .type = MOTE_PARAM_COLOR,
     .fallback = {0.055, 0.06, 0.07},
     .max = PARAM_LARGEST},
    {.name = "color2",
     .offset = offsetof(mote_GroundLook, colors[1]),
     .unit = "",
     .doc = "colour of every other square",
     .type = MOTE_PARAM_COLOR,
     .fallback = {0.03, 0.033, 0.04},
     .max = PARAM_LARGEST},
    PARAM_REAL(mote_GroundLook, square, "m", "side of a square of the checker; 0: plain", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_GroundLook, fade, "m", "distance at which half of it has become sky; 0: never",
               20, 0, PARAM_LARGEST),
    PARAM_REAL(mote_GroundLook, shadow, "", "how dark particles make the ground below them", 0.5, 0,
               1),
};

static const mote_Param look_params[] = {
    PARAM_NAME(SceneLook, kernel, "profile across a particle", kernel_kind),
    PARAM_CHOICE(SceneLook, blend, "hide what is behind, or add light", blends, 0),
    PARAM_REAL(SceneLook, brightness, "", "factor on the colour", 1, 0, PARAM_LARGEST),
    PARAM_BOOL(SceneLook, motion_blur, "streaks along the velocity", 1),
};

static const mote_Param collide_params[] = {
    PARAM_NAME(mote_CollideDef, algorithm, "how particles meet colliders", algorithm_kind),
    PARAM_BOOL(mote_CollideDef, as_points, "ignore the particles' radii", 0),
};

const mote_Row scene_time_row = ROW_HEAD("time", "how long", time_params, SceneWorld);
const mote_Row scene_output_row =
    ROW_HEAD("output", "what a run writes", output_params, SceneOutput);
const mote_Row scene_picture_row =
    ROW_HEAD("render", "size and light of the pictures", picture_params, ScenePicture);
const mote_Row scene_camera_row =
    ROW_HEAD("camera", "where the pictures are taken from", camera_params, mote_Camera);
const mote_Row scene_sky_row =
    ROW_HEAD("sky", "what is behind everything", sky_params, mote_Backdrop);
const mote_Row scene_ground_row =
    ROW_HEAD("ground", "how planes are drawn", ground_params, mote_GroundLook);
const mote_Row scene_look_row =
    ROW_HEAD("look", "how a system's particles are drawn", look_params, SceneLook);
const mote_Row scene_collide_row =
    ROW_HEAD("collide", "how a system's particles meet colliders", collide_params, mote_CollideDef);
