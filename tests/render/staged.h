/* A stage for opaque shapes: white ones under one sun, seen along -z. */
#ifndef TESTS_RENDER_STAGED_H
#define TESTS_RENDER_STAGED_H

#include "check.h"

#include <mote/shapes.h>

#include "geometry/pose.h"
#include "render/facets.h"
#include "render/light.h"
#include "render/render.h"
#include "render/scene.h"
#include "render/solid.h"

#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

static inline mote_FrameShape shape_at(const char *type, const void *params, double x, double y,
                                       double z)
{
    return (mote_FrameShape){.name = "it",
                             .type = type,
                             .params = params,
                             .position = {x, y, z},
                             .orientation = {0, 0, 0, 1}};
}

static mote_ShapeLook white = {.shape = "it", .color = {1, 1, 1}, .roughness = 1, .visible = true};
static mote_Light lamp = {
    .type = MOTE_LIGHT_SUN, .toward = {0, 0, 1}, .color = {1, 1, 1}, .intensity = 1};

/* An orthographic view along -z, 20 px per metre, of white dull shapes and one sun without
 * shadows. */
static inline Scene *stage_scene(mote_FrameShape *shapes, size_t count)
{
    Scene *s = scene_make(HEIGHT / 20);
    s->frame.shapes = shapes, s->frame.shape_count = count;
    s->def.shapes = &white, s->def.shape_count = 1;
    s->def.lights = &lamp, s->def.light_count = 1;
    s->def.ambient = (mote_Vec3){0, 0, 0};
    return s;
}

static inline mote_Image *draw(Scene *s)
{
    return scene_draw(s, WIDTH, HEIGHT);
}

static inline const float *pixel(mote_Image *image, int x, int y)
{
    return mote_image_pixels(image) + 4 * (y * WIDTH + x);
}

#endif
