/* Small frames for the render tests: a system of at most MOST particles with its columns. */
#ifndef TESTS_RENDER_SCENE_H
#define TESTS_RENDER_SCENE_H

#include <mote/render.h>

#include "base/hash.h"
#include "check.h"
#include "plain.h"

#include <stdlib.h>

enum { MOST = 20000 };

typedef struct Scene {
    mote_real position[3][MOST], velocity[3][MOST], radius[MOST], color[3][MOST], opacity[MOST];
    uint64_t id[MOST];
    mote_Column columns[6];
    mote_FrameSystem system;
    mote_Frame frame;
    mote_Look look;
    mote_RenderDef def;
} Scene;

static inline mote_Column scene_column(const char *name, mote_ColumnType type, int components,
                                       void *data)
{
    return (mote_Column){.name = name,
                         .unit = "",
                         .stage = "",
                         .type = type,
                         .components = components,
                         .stride = MOST,
                         .data = data};
}

/* No particles; a transparent backdrop; one pixel is one metre, (0, 0) the picture's middle. */
static inline Scene *scene_make(int height)
{
    Scene *s = calloc(1, sizeof *s);
    s->columns[0] = scene_column("position", MOTE_COLUMN_REAL, 3, s->position);
    s->columns[1] = scene_column("velocity", MOTE_COLUMN_REAL, 3, s->velocity);
    s->columns[2] = scene_column("radius", MOTE_COLUMN_REAL, 1, s->radius);
    s->columns[3] = scene_column("color", MOTE_COLUMN_REAL, 3, s->color);
    s->columns[4] = scene_column("opacity", MOTE_COLUMN_REAL, 1, s->opacity);
    s->columns[5] = scene_column("id", MOTE_COLUMN_U64, 1, s->id);
    s->system = (mote_FrameSystem){.name = "dust", .columns = s->columns, .column_count = 6};
    s->frame = (mote_Frame){
        .dt = 1, .dimension = 3, .up_axis = 1, .systems = &s->system, .system_count = 1};
    s->look = mote_look_def();
    s->def = plain_def();
    s->def.looks = &s->look;
    s->def.look_count = 1;
    s->def.backdrop.transparent = true;
    s->def.camera.from = (mote_Vec3){0, 0, 100};
    s->def.camera.to = (mote_Vec3){0, 0, 0};
    s->def.camera.height = (mote_real)height;
    s->def.camera.shutter = 1;
    return s;
}

static inline mote_Image *scene_draw(Scene *s, int width, int height)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(width, height, &image, &error), error);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    return image;
}

static inline size_t scene_add(Scene *s, double x, double y, double z, double radius,
                               double opacity)
{
    size_t i = s->system.count++;
    s->position[0][i] = (mote_real)x, s->position[1][i] = (mote_real)y;
    s->position[2][i] = (mote_real)z;
    s->radius[i] = (mote_real)radius, s->opacity[i] = (mote_real)opacity;
    s->color[0][i] = s->color[1][i] = s->color[2][i] = 1;
    s->id[i] = i;
    return i;
}

static inline double scene_random(uint64_t i)
{
    return (double)(hash_mix(i + 12345) >> 11) / 9007199254740992.0;
}

/* Sum of one channel. */
static inline double image_sum(mote_Image *image, int channel)
{
    double sum = 0;
    size_t n = (size_t)mote_image_width(image) * (size_t)mote_image_height(image);
    for (size_t i = 0; i < n; ++i) sum += (double)mote_image_pixels(image)[4 * i + (size_t)channel];
    return sum;
}

#endif
