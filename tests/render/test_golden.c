/* A few pictures that were looked at and found good, kept as PNG in tests/data: what is drawn now
 * must look the same. Not bits but tolerances: root mean square of the sRGB codes below 0.5/255
 * (0.29/255 of it is the rounding of the stored files) and a structural similarity above 0.999.
 * MOTE_WRITE_GOLDEN=1 writes them anew; look at them then. */
#include "check.h"

#include <mote/shapes.h>

#include "render/scene.h"
#include "render/ssim.h"

#include <png.h>
#include <string.h>

enum { SIDE = 256, PIXELS = SIDE * SIDE };

/* ---- what is drawn ---- */

static mote_SphereShape ball = {1};
static mote_BoxShape cube = {{1, (mote_real)0.7, 1}};
static mote_PlaneShape ground = {{0, 1, 0}, 0};
static mote_ShapeLook looks[2] = {{.shape = "ball",
                                   .color = {(mote_real)0.7, (mote_real)0.2, (mote_real)0.1},
                                   .roughness = (mote_real)0.3,
                                   .gloss = 1,
                                   .visible = true},
                                  {.shape = "cube",
                                   .color = {(mote_real)0.2, (mote_real)0.4, (mote_real)0.7},
                                   .roughness = (mote_real)0.8,
                                   .visible = true}};
static mote_Light sun = {.type = MOTE_LIGHT_SUN,
                         .toward = {1, 2, (mote_real)1.5},
                         .color = {3, (mote_real)2.8, (mote_real)2.5},
                         .intensity = 1,
                         .size = 1,
                         .shadows = true};

static mote_FrameShape shape_at(const char *name, const char *type, const void *params, double x,
                                double y)
{
    return (mote_FrameShape){.name = name,
                             .type = type,
                             .params = params,
                             .position = {x, y, 0},
                             .orientation = {0, 0.38268343, 0, 0.92387953}};
}

static void add_cloud(Scene *s, int count, double size, double radius, double opacity)
{
    for (uint64_t i = 0; i < (uint64_t)count; ++i) {
        double u[8];
        for (uint64_t k = 0; k < 8; ++k) u[k] = scene_random(8 * i + k);
        size_t p = scene_add(s, size * (u[0] - 0.5), size * (u[1] - 0.5), size * (u[2] - 0.5),
                             radius * (0.3 + u[3]), opacity * (0.3 + 0.7 * u[4]));
        for (int c = 0; c < 3; ++c) s->color[c][p] = (mote_real)u[5 + c];
        s->velocity[0][p] = (mote_real)(i % 3 ? 0 : 0.2 * size * (u[5] - 0.5));
        s->velocity[1][p] = (mote_real)(i % 3 ? 0 : 0.2 * size * (u[6] - 0.5));
    }
}

/* Splats of all sizes, one in three of them a streak. */
static Scene *splats_of(const char *profile)
{
    Scene *s = scene_make(SIDE);
    add_cloud(s, 400, 240, 6, 0.8);
    s->look.profile = profile;
    s->look.motion_blur = true;
    return s;
}

static Scene *draw_soft(void)
{
    return splats_of("soft");
}

static Scene *draw_discs(void)
{
    return splats_of("disc");
}

/* Shapes on a checker under the sun, and balls in the air. */
static Scene *draw_stage(void)
{
    static mote_FrameShape shapes[3];
    Scene *s = scene_make(SIDE);
    shapes[0] = shape_at("ball", "sphere", &ball, -1.2, 1);
    shapes[1] = shape_at("cube", "box", &cube, 1.3, 0.7);
    shapes[2] = shape_at("floor", "plane", &ground, 0, 0);
    add_cloud(s, 60, 3, 0.12, 1);
    for (size_t i = 0; i < s->system.count; ++i) {
        s->position[1][i] += (mote_real)3.2;
        for (int c = 0; c < 3; ++c) s->velocity[c][i] = 0;
        s->opacity[i] = 1;
    }
    s->look.profile = "sphere";
    s->frame.shapes = shapes, s->frame.shape_count = 3;
    s->def.shapes = looks, s->def.shape_count = 2;
    s->def.lights = &sun, s->def.light_count = 1;
    s->def.ambient = (mote_Vec3){(mote_real)0.3, (mote_real)0.35, (mote_real)0.4};
    s->def.backdrop.transparent = false;
    s->def.camera = plain_camera();
    s->def.camera.from = (mote_Vec3){2, 3, 8};
    s->def.camera.to = (mote_Vec3){0, (mote_real)1.7, 0};
    return s;
}

/* A ball of smoke that shades itself, before the sky. */
static Scene *draw_smoke(void)
{
    Scene *s = scene_make(SIDE);
    for (uint64_t i = 0; s->system.count < 4000; ++i) {
        double p[3];
        for (uint64_t k = 0; k < 3; ++k) p[k] = 2 * scene_random(3 * i + k) - 1;
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 1) continue;
        scene_add(s, p[0], p[1] + 1.2, p[2], 0.15, 0.25);
    }
    s->look.profile = "gaussian";
    s->look.lit = true;
    s->look.scatter = (mote_real)0.3;
    s->def.exposure = (mote_real)0.4;
    s->def.lights = &sun, s->def.light_count = 1;
    s->def.ambient = (mote_Vec3){(mote_real)0.3, (mote_real)0.35, (mote_real)0.4};
    s->def.backdrop.transparent = false;
    s->def.camera = plain_camera();
    s->def.camera.from = (mote_Vec3){0, 2, 5};
    s->def.camera.to = (mote_Vec3){0, (mote_real)1.2, 0};
    return s;
}

static const struct {
    const char *name;
    Scene *(*make)(void);
} goldens[] = {
    {"soft", draw_soft}, {"discs", draw_discs}, {"stage", draw_stage}, {"smoke", draw_smoke}};

/* ---- comparing ---- */

static double to_code(double x)
{
    x = x > 0 ? x : 0;
    double code = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return code < 1 ? code : 1;
}

static double to_linear(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

/* Luminance of codes (0..1, three per pixel): ITU-R BT.709. */
static void luminance(const double *codes, double *out)
{
    for (int i = 0; i < PIXELS; ++i)
        out[i] = 0.2126 * to_linear(codes[3 * i]) + 0.7152 * to_linear(codes[3 * i + 1]) +
                 0.0722 * to_linear(codes[3 * i + 2]);
}

/* Root mean square of differences. */
static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 3 * PIXELS; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / (3 * PIXELS));
}

static double likeness(const double *a, const double *b)
{
    static double planes[2][PIXELS];
    luminance(a, planes[0]);
    luminance(b, planes[1]);
    return ssim(planes[0], planes[1], SIDE, SIDE);
}

static void draw_codes(Scene *s, double *codes)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    for (int i = 0; i < PIXELS; ++i)
        for (int k = 0; k < 3; ++k)
            codes[3 * i + k] = to_code((double)mote_image_pixels(image)[4 * i + k]);
    mote_image_destroy(image);
    free(s);
}

static bool read_golden(const char *path, double *codes)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    static uint8_t bytes[3 * PIXELS];
    if (!png_image_begin_read_from_file(&image, path)) return false;
    image.format = PNG_FORMAT_RGB;
    if (image.width != SIDE || image.height != SIDE) return false;
    if (!png_image_finish_read(&image, NULL, bytes, 0, NULL)) return false;
    for (int i = 0; i < 3 * PIXELS; ++i) codes[i] = bytes[i] / 255.0;
    return true;
}

static bool write_golden(const char *path, const double *codes)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = SIDE, .height = SIDE};
    static uint8_t bytes[3 * PIXELS];
    image.format = PNG_FORMAT_RGB;
    for (int i = 0; i < 3 * PIXELS; ++i) bytes[i] = (uint8_t)(255 * codes[i] + 0.5);
    return png_image_write_to_file(&image, path, 0, bytes, 0, NULL) != 0;
}

static double now[3 * PIXELS], then[3 * PIXELS];

static void pictures_look_as_they_did(void)
{
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; ++i) {
        char path[300];
        snprintf(path, sizeof path, "%s/golden-%s.png", TEST_DATA, goldens[i].name);
        draw_codes(goldens[i].make(), now);
        if (getenv("MOTE_WRITE_GOLDEN") != NULL) CHECK(write_golden(path, now));
        CHECK(read_golden(path, then));
        double rmse = distance(now, then), alike = likeness(now, then);
        CHECK(rmse < 0.5 / 255 && alike > 0.999);
        if (!(rmse < 0.5 / 255 && alike > 0.999))
            printf("%s: %g/255, similarity %.6f\n", goldens[i].name, 255 * rmse, alike);
    }
}

/* The measures see what they should: a shift by a pixel, noise of 2/255, a change of brightness. */
static void measures_tell_pictures_apart(void)
{
    draw_codes(draw_soft(), now);
    CHECK(likeness(now, now) > 1 - 1e-12 && distance(now, now) == 0);
    memcpy(then + 3, now, sizeof then - 3 * sizeof *then);
    CHECK(likeness(now, then) < 0.98 && distance(now, then) > 5.0 / 255);
    for (int i = 0; i < 3 * PIXELS; ++i)
        then[i] = now[i] + (scene_random((uint64_t)i) - 0.5) * 7 / 255;
    CHECK(likeness(now, then) < 0.9995 && distance(now, then) > 1.5 / 255);
    for (int i = 0; i < 3 * PIXELS; ++i) then[i] = 0.95 * now[i];
    CHECK(distance(now, then) > 1.0 / 255);
}

TESTS({"pictures_look_as_they_did", pictures_look_as_they_did},
      {"measures_tell_pictures_apart", measures_tell_pictures_apart})
