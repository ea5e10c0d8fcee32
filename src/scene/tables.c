/* Parameter tables of what a scene says about pictures and output, and the names looks may use. */
#include "scene/scene.h"

static const char *const picture_formats[] = {"none", "png", "png16", "exr", NULL};
static const char *const video_formats[] = {"none", "mp4", "webp", "gif", NULL};
static const char *const draws[] = {"auto", "particles", "lines", "surface", "all", NULL};
static const char *const tones[] = {"linear", "filmic", NULL};
static const char *const blends[] = {"over", "add", NULL};
static const char *const algorithm_kind[] = {"collide algorithm", "contact", NULL};
static const char *const kernel_kind[] = {"kernel", NULL};

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
    PARAM_COLOR(ScenePicture, ambient, "light from all around, where lights are given", 0.2, 0.2,
                0.22),
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
    PARAM_REAL(mote_Camera, orbit, "degrees", "turn of the eye around `to`, about `up`", 0,
               -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_Camera, dolly, "", "factor on the distance of the eye from `to`", 1,
               PARAM_POSITIVE, PARAM_LARGEST),
};

static const mote_Param sky_params[] = {
    PARAM_COLOR(mote_Backdrop, horizon, "colour at the horizon", 0.03, 0.04, 0.06),
    PARAM_COLOR(mote_Backdrop, zenith, "colour overhead", 0.004, 0.006, 0.014),
    PARAM_COLOR(mote_Backdrop, glow, "colour around the first sun", 0, 0, 0),
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
    PARAM_BOOL(SceneLook, lit, "lights and shadows in it, as in smoke", 0),
    PARAM_REAL(SceneLook, scatter, "", "lit: light goes back (-), evenly (0) or on (+)", 0.3, -0.95,
               0.95),
    PARAM_CHOICE(SceneLook, draw, "what is drawn where there are links or triangles", draws, 0),
    PARAM_REAL(SceneLook, line, "m", "width of links and trails; 0: by the particles' radii", 0, 0,
               PARAM_LARGEST),
    PARAM_COUNT(SceneLook, trail, "earlier frames that a trail behind each particle shows", 0, 0,
                10000),
    PARAM_REAL(SceneLook, faint, "", "opacity where a trail begins", 0, 0, 1),
    PARAM_REAL(SceneLook, refraction, "", "traced liquid: index of refraction", 1.333, 1, 4),
    {.name = "absorption",
     .offset = offsetof(SceneLook, absorption),
     .unit = "1/m",
     .doc = "traced liquid: how fast it takes away red, green and blue light",
     .type = MOTE_PARAM_VEC3,
     .fallback = {0.9, 0.22, 0.1},
     .min = 0,
     .max = PARAM_LARGEST},
};

static const mote_Param shape_look_params[] = {
    {.name = "color",
     .offset = offsetof(mote_ShapeLook, color),
     .unit = "",
     .doc = "colour; without one, like the ground, but lighter",
     .type = MOTE_PARAM_COLOR,
     .fallback = {-1, -1, -1},
     .min = 0,
     .max = PARAM_LARGEST},
    PARAM_REAL(mote_ShapeLook, roughness, "", "how wide highlights are", 0.4, 0.05, 1),
    PARAM_REAL(mote_ShapeLook, gloss, "", "strength of highlights and of the mirrored sky", 0.5, 0,
               1),
    PARAM_BOOL(mote_ShapeLook, visible, "draw it", 1),
    PARAM_BOOL(mote_ShapeLook, wireframe, "draw its edges alone", 0),
    PARAM_BOOL(mote_ShapeLook, glass, "traced: panes of glass; else drawn as edges", 0),
    PARAM_BOOL(mote_ShapeLook, open, "glass without the pane on top", 0),
};

static const mote_Param trace_params[] = {
    PARAM_COUNT(mote_TraceDef, samples, "paths of light through each pixel; 0: splats instead", 0,
                0, 65536),
    PARAM_COUNT(mote_TraceDef, bounces, "surfaces that a path meets at most", 16, 1, 1024),
    PARAM_REAL(mote_TraceDef, limit, "",
               "most light of a path from beyond a dull surface: lower is less noisy", 10,
               PARAM_POSITIVE, PARAM_LARGEST),
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

#define LIGHT_PARAMS                                                                               \
    PARAM_COLOR(SceneLightParams, color, "its colour", 1, 1, 1),                                   \
        PARAM_REAL(SceneLightParams, intensity, "", "factor on its colour", 1, 0, PARAM_LARGEST)
static const mote_Param sun_params[] = {
    PARAM_VEC3(SceneLightParams, toward, "", "direction to it", 0.5, 1, 0.6),
    LIGHT_PARAMS,
    PARAM_REAL(SceneLightParams, size, "degrees", "its radius: how soft shadows are", 1, 0, 40),
    PARAM_BOOL(SceneLightParams, shadows, "whether it casts shadows", 1),
};
static const mote_Param point_params[] = {
    PARAM_VEC3(SceneLightParams, at, "m", "where it is", 0, 2, 0),
    LIGHT_PARAMS,
    PARAM_REAL(SceneLightParams, size, "m", "its radius: how soft shadows are", 0.1, 0,
               PARAM_LARGEST),
    PARAM_BOOL(SceneLightParams, shadows, "whether it casts shadows", 1),
};

static const char *const detections[] = {"swept", "end", NULL};
static const char *const inside_choices[] = {"push", "delete", "error", NULL};
static const char *const repulsion_laws[] = {"penalty", "spring", "inverse", NULL};

static const mote_Param collide_params[] = {
    PARAM_NAME(mote_CollideDef, algorithm, "how particles meet colliders", algorithm_kind),
    PARAM_CHOICE(mote_CollideDef, detection,
                 "look for hits along the whole step, or at its end alone", detections, 0),
    PARAM_CHOICE(mote_CollideDef, inside, "what to do with particles that are inside a collider",
                 inside_choices, 0),
    PARAM_BOOL(mote_CollideDef, as_points, "ignore the particles' radii", 0),
    PARAM_DOUBLE(mote_CollideDef, interval, "s",
                 "time between collision checks, in whole sub-steps; 0: after each", 0, 0, 1e9),
    PARAM_CHOICE(mote_CollideDef, law, "force law of repulsion", repulsion_laws, 0),
    PARAM_REAL(mote_CollideDef, stiffness, "N/m", "stiffness of repulsion", 1000, 0, PARAM_LARGEST),
    PARAM_REAL(mote_CollideDef, reach, "m", "distance at which repulsion begins", 0.05,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_CollideDef, damping, "kg/s", "damping of repulsion", 1, 0, PARAM_LARGEST),
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
const mote_Row scene_trace_row =
    ROW_HEAD("trace", "pictures by tracing light: liquids and glass", trace_params, mote_TraceDef);
const mote_Row scene_look_row =
    ROW_HEAD("look", "how a system's particles are drawn", look_params, SceneLook);
const mote_Row scene_shape_look_row =
    ROW_HEAD("shape-look", "how a collider is drawn", shape_look_params, mote_ShapeLook);

static const mote_Param surface_params[] = {
    PARAM_DOUBLE(SceneSurface, radius, "m", "half the distance of particles; 0: their radius", 0, 0,
                 PARAM_LARGEST),
    PARAM_DOUBLE(
        SceneSurface, cell, "spacings",
        "edge of a grid cell; half of it is half of the bumps and four times the triangles", 0.5,
        0.05, 1),
    PARAM_COUNT(SceneSurface, smoothing, "passes that take the bumps out of bulk liquid", 15, 0,
                1000),
    PARAM_DOUBLE(SceneSurface, specks, "particles", "pieces of less volume are left out", 0, 0,
                 PARAM_LARGEST),
};
const mote_Row scene_surface_row =
    ROW_HEAD("surface", "a closed mesh around a system's particles, made for every frame",
             surface_params, SceneSurface);

const mote_Row scene_copies_row =
    ROW_HEAD("copies", "a lattice of bodies made from one", copies_params, SceneCopies);

const mote_Row *const *scene_light_rows(Isa isa, size_t *count)
{
    static const mote_Row sun = ROW_HEAD("sun", "a light far away: the same direction everywhere",
                                         sun_params, SceneLightParams);
    static const mote_Row point =
        ROW_HEAD("point",
                 "a light at a place: its colour at 1 m, weaker with the square of the "
                 "distance",
                 point_params, SceneLightParams);
    static const mote_Row *const rows[] = {&sun, &point};
    (void)isa;
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

const mote_Row scene_collide_row =
    ROW_HEAD("collide", "how a system's particles meet colliders", collide_params, mote_CollideDef);
