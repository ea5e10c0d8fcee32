/* Liquids: thickness, normals, absorption and outlines of blocks of particles. */
#include "check.h"

#include "render/liquid.h"
#include "render/render.h"
#include "render/scene.h"

#include <string.h>

enum { SIDE = 96, ACROSS = 24, DEEP = 5 };

/* A block of ACROSS x ACROSS x DEEP particles at distances of 0.1 m, seen from before without
 * perspective, 3 m across. `tilt`: its front leans to the right by that slope. */
static Scene *block_scene(double tilt)
{
    Scene *s = scene_make(3);
    for (int k = 0; k < DEEP; ++k)
        for (int j = 0; j < ACROSS; ++j)
            for (int i = 0; i < ACROSS; ++i) {
                double x = 0.1 * (i + 0.5 - 0.5 * ACROSS), y = 0.1 * (j + 0.5 - 0.5 * ACROSS);
                scene_add(s, x, y, -0.1 * k + tilt * x, 0.05, 1);
            }
    s->look.profile = "liquid";
    s->def.camera.height = 3;
    return s;
}

static mote_Image *draw(Scene *s, mote_Tasks *tasks, int tile)
{
    mote_Image *image;
    mote_Error error;
    s->def.tasks = tasks;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    CHECK_OK(render_with_tiles(&s->def, &s->frame, tile, image, &error), error);
    return image;
}

/* The planes of the block's surface. */
static Liquid surface_of(Scene *s, mote_Image *image, Arena *arena)
{
    static View view;
    static SplatSource source;
    Liquid liquid;
    mote_Error error;
    CHECK_OK(view_make(&s->def.camera, &s->frame, image, &view, &error), error);
    CHECK_OK(sources_make(&s->def, &s->frame, &source, &error), error);
    CHECK(liquid_make(&liquid, &view, &source, 1, arena));
    liquid_surface(&liquid, (DepthPlane){NULL, 0}, NULL);
    return liquid;
}

static void pools_are_flat_and_thick_as_they_are(void)
{
    for (int k = 0; k < 2; ++k) {
        const double tilt = k ? 0.5 : 0;
        Scene *s = block_scene(tilt);
        mote_Image *image = draw(s, NULL, 64);
        Memory memory = memory_make((mote_Allocator){0});
        Arena arena = arena_make(&memory);
        Liquid l = surface_of(s, image, &arena);
        double sum = 0, count = 0;
        for (int y = 28; y < 68; ++y)
            for (int x = 28; x < 68; ++x) {
                float n[3];
                liquid_normal(&l, x, y, n);
                /* 3 degrees; toward the eye, and away from where it is nearer */
                CHECK_NEAR(n[0], -tilt / sqrt(1 + tilt * tilt), 0.05);
                CHECK_NEAR(n[1], 0, 0.05);
                CHECK_NEAR(n[2], -1 / sqrt(1 + tilt * tilt), 0.05);
                CHECK_NEAR((double)l.depth[y * SIDE + x] + tilt * (x + 0.5 - 48) / 32, 100 - 0.06,
                           0.03);
                sum += (double)l.thickness[y * SIDE + x], count += 1;
            }
        CHECK_NEAR(sum / count, 0.1 * DEEP, 0.02 * 0.1 * DEEP);
        CHECK(l.depth[5 * SIDE + 48] > 1e30f && l.thickness[5 * SIDE + 48] == 0);
        arena_free(&arena);
        mote_image_destroy(image);
        free(s);
    }
}

/* White behind, nothing to mirror but black: (1 - F) color^DEEP. */
static void light_is_absorbed(void)
{
    Scene *s = block_scene(0);
    for (size_t i = 0; i < s->system.count; ++i) {
        s->color[0][i] = (mote_real)0.8, s->color[1][i] = (mote_real)0.95, s->color[2][i] = 1;
    }
    mote_Light dark = {.toward = {0, 0, -1}, .color = {0, 0, 0}};
    s->def.lights = &dark, s->def.light_count = 1;
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = s->def.backdrop.zenith = (mote_Vec3){1, 1, 1};
    mote_Image *image = draw(s, NULL, 64);
    double mean[3] = {0, 0, 0};
    for (int y = 28; y < 68; ++y)
        for (int x = 28; x < 68; ++x)
            for (int c = 0; c < 3; ++c)
                mean[c] += (double)mote_image_pixels(image)[4 * (y * SIDE + x) + c] / 1600;
    CHECK_NEAR(mean[0], 0.98 * pow(0.8, DEEP) + 0.02, 0.02);
    CHECK_NEAR(mean[1], 0.98 * pow(0.95, DEEP) + 0.02, 0.01);
    CHECK_NEAR(mean[2], 1, 1e-3);
    mote_image_destroy(image);
    free(s);
}

static void bits_do_not_depend_on_threads_and_tiles(void)
{
    Scene *s = block_scene(0.3);
    s->position[0][7] = (mote_real)NAN, s->radius[9] = (mote_real)1e30, s->position[2][11] = 200;
    mote_Image *first = draw(s, NULL, 64);
    for (size_t i = 0; i < image_floats(first); ++i) CHECK(isfinite(mote_image_pixels(first)[i]));
    for (int threads = 1; threads <= 5; threads += 2) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        mote_Error error;
        def.threads = threads;
        CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
        mote_Image *image = draw(s, tasks, 8 << threads / 2);
        CHECK(memcmp(mote_image_pixels(first), mote_image_pixels(image),
                     image_floats(first) * sizeof(float)) == 0);
        mote_image_destroy(image);
        mote_tasks_destroy(tasks);
    }
    mote_image_destroy(first);
    free(s);
}

TESTS({"pools_are_flat_and_thick_as_they_are", pools_are_flat_and_thick_as_they_are},
      {"light_is_absorbed", light_is_absorbed},
      {"bits_do_not_depend_on_threads_and_tiles", bits_do_not_depend_on_threads_and_tiles})
