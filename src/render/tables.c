/* Parameter tables of everything a picture is asked for: what scenes, help and definitions in C
 * take their names, defaults and ranges from. */
#include "render/tables.h"

static const char *const draws[] = {"auto", "particles", "lines", "surface", "all", NULL};
static const char *const blends[] = {"over", "add", NULL};
static const char *const profile_kind[] = {"profile", "gaussian", NULL};

const char *const render_tones[] = {"linear", "filmic", "natural", NULL};

static const mote_Param render_params[] = {RENDER_PARAMS};

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
    PARAM_REAL(mote_Camera, aperture, "m",
               "traced: width of the lens, what is not at `focus` is blurred; 0: all is sharp", 0,
               0, PARAM_LARGEST),
    PARAM_REAL(mote_Camera, focus, "m", "traced: distance of what is sharp; 0: of `to`", 0, 0,
               PARAM_LARGEST),
};

static const mote_Param sky_params[] = {
    PARAM_COLOR(mote_Backdrop, horizon, "colour at the horizon", 0.03, 0.04, 0.06),
    PARAM_COLOR(mote_Backdrop, zenith, "colour overhead", 0.004, 0.006, 0.014),
    PARAM_COLOR(mote_Backdrop, glow, "colour around the first sun", 0, 0, 0),
    PARAM_BOOL(mote_Backdrop, transparent, "neither sky nor ground: alpha of the particles", 0),
    PARAM_REAL(mote_Backdrop, turn, "degrees", "turn of the sky of a `file` about the world's up",
               0, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_Backdrop, light, "", "factor on the light of the sky of a `file`", 1, 0,
               PARAM_LARGEST),
};

static const mote_Param ground_params[] = {
    PARAM_BOOL(mote_GroundLook, visible, "draw planes as ground", 1),
    PARAM_COLOR_KEY("color", mote_GroundLook, colors[0], "colour of the ground", 0.055, 0.06, 0.07),
    PARAM_COLOR_KEY("color2", mote_GroundLook, colors[1], "colour of every other square", 0.03,
                    0.033, 0.04),
    PARAM_REAL(mote_GroundLook, square, "m", "side of a square of the checker; 0: plain", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_GroundLook, fade, "m",
               "distance at which half of it has become sky; 0: never; -1: 20 m, and in far views "
               "four times as far as the camera looks",
               -1, -1, PARAM_LARGEST),
    PARAM_REAL(mote_GroundLook, shadow, "", "how dark particles make the ground below them", 0.5, 0,
               1),
};

static const mote_Param look_params[] = {
    PARAM_NAME(mote_Look, profile, "profile across a particle", profile_kind),
    PARAM_CHOICE(mote_Look, blend, "hide what is behind, or add light", blends, 0),
    PARAM_REAL(mote_Look, brightness, "", "factor on the colour", 1, 0, PARAM_LARGEST),
    PARAM_BOOL(mote_Look, motion_blur, "streaks along the velocity", 1),
    PARAM_BOOL(mote_Look, lit, "lights and shadows in it, as in smoke", 0),
    PARAM_REAL(mote_Look, scatter, "", "lit: light goes back (-), evenly (0) or on (+)", 0.3, -0.95,
               0.95),
    PARAM_CHOICE(mote_Look, draw, "what is drawn where there are links or triangles", draws, 0),
    PARAM_REAL(mote_Look, line, "m", "width of links and trails; 0: by the particles' radii", 0, 0,
               PARAM_LARGEST),
    PARAM_COUNT(mote_Look, trail, "earlier frames that a trail behind each particle shows", 0, 0,
                10000),
    PARAM_REAL(mote_Look, faint, "", "opacity where a trail begins", 0, 0, 1),
    PARAM_REAL(mote_Look, refraction, "", "traced liquid: index of refraction", 1.333, 1, 4),
    {.name = "absorption",
     .offset = offsetof(mote_Look, absorption),
     .unit = "1/m",
     .doc = "traced liquid: how fast it takes away red, green and blue light",
     .type = MOTE_PARAM_VEC3,
     .fallback = {0.9, 0.22, 0.1},
     .min = 0,
     .max = PARAM_LARGEST},
    PARAM_BOOL(mote_Look, opaque, "surface of a liquid: no light enters it, as milk and paint", 0),
    PARAM_COUNT(mote_Look, columns, "cells across its `image`", 1, 1, 256),
    PARAM_COUNT(mote_Look, rows, "cells down its `image`", 1, 1, 256),
    PARAM_COUNT(mote_Look, checker, "squares across cloth, in its colour and `color2`; 0: none", 0,
                0, 65536),
    PARAM_COLOR(mote_Look, color2, "colour of every other square of its checker", 0.05, 0.05, 0.05),
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
    PARAM_BOOL(mote_ShapeLook, metal, "traced: mirrors in its colour", 0),
    PARAM_REAL(mote_ShapeLook, refraction, "",
               "traced glass: index of what fills it; 0: thin panes", 0, 0, 4),
    PARAM_REAL(mote_ShapeLook, frost, "", "traced solid glass: how rough it is", 0, 0, 1),
    PARAM_REAL(mote_ShapeLook, texture_size, "m",
               "width of a copy of the texture or the checker; not of balls, nor of meshes with uv",
               1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_COUNT(mote_ShapeLook, checker, "squares across a copy, in `color` and `color2`; 0: none",
                0, 0, 65536),
    PARAM_COLOR(mote_ShapeLook, color2, "colour of every other square of its checker", 0.05, 0.05,
                0.05),
};

static const mote_Param trace_params[] = {
    PARAM_COUNT(mote_TraceDef, samples, "paths of light through each pixel; 0: splats instead", 0,
                0, 65536),
    PARAM_COUNT(mote_TraceDef, bounces, "surfaces that a path meets at most", 16, 1, 1024),
    PARAM_REAL(mote_TraceDef, limit, "",
               "most light of a path from where chance led it: lower is less noisy", 10,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_BOOL(mote_TraceDef, denoise, "share light between pixels that see much the same", 1),
};

#define LIGHT_PARAMS                                                                               \
    PARAM_COLOR(mote_Light, color, "its colour", 1, 1, 1),                                         \
        PARAM_REAL(mote_Light, intensity, "", "factor on its colour", 1, 0, PARAM_LARGEST)
static const mote_Param sun_params[] = {
    PARAM_VEC3(mote_Light, toward, "", "direction to it", 0.5, 1, 0.6),
    LIGHT_PARAMS,
    PARAM_REAL(mote_Light, size, "degrees", "its radius: how soft shadows are", 1, 0, 40),
    PARAM_BOOL(mote_Light, shadows, "whether it casts shadows", 1),
};
static const mote_Param point_params[] = {
    PARAM_VEC3(mote_Light, at, "m", "where it is", 0, 2, 0),
    LIGHT_PARAMS,
    PARAM_REAL(mote_Light, size, "m", "its radius: how soft shadows are", 0.1, 0, PARAM_LARGEST),
    PARAM_BOOL(mote_Light, shadows, "whether it casts shadows", 1),
};

const mote_Row render_row = ROW_DEFINITION("render", "light of the pictures", render_params,
                                           mote_RenderDef, mote_RenderDef);
const mote_Row camera_row =
    ROW_HEAD("camera", "where the pictures are taken from", camera_params, mote_Camera);
const mote_Row sky_row = ROW_HEAD("sky", "what is behind everything", sky_params, mote_Backdrop);
const mote_Row ground_row =
    ROW_HEAD("ground", "how planes are drawn", ground_params, mote_GroundLook);
const mote_Row trace_row =
    ROW_HEAD("trace", "pictures by tracing light", trace_params, mote_TraceDef);
const mote_Row look_row =
    ROW_HEAD("look", "how a system's particles are drawn", look_params, mote_Look);
const mote_Row shape_look_row =
    ROW_HEAD("shape-look", "how a collider is drawn", shape_look_params, mote_ShapeLook);

static const mote_Row light_table[] = {
    [MOTE_LIGHT_SUN] =
        ROW_HEAD("sun", "a light far away: the same direction everywhere", sun_params, mote_Light),
    [MOTE_LIGHT_POINT] = ROW_HEAD("point",
                                  "a light at a place: its colour at 1 m, weaker with the square "
                                  "of the distance",
                                  point_params, mote_Light)};

ROW_TABLE(light_rows, &light_table[0], &light_table[1])
