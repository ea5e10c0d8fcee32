/* Textures: pixels show the texel that lies there, traced and drawn quickly, on sides of boxes as
 * these stand, and around balls. */
#include "check.h"

#include "plain.h"
#include "render/texture.h"

#include <mote/shapes.h>

#include <math.h>
#include <string.h>

enum { TEXELS = 4 };

/* Every texel has a colour of its own. */
static void texel(int x, int y, float color[3])
{
    color[0] = 0.1f + 0.2f * (float)x;
    color[1] = 0.1f + 0.2f * (float)y;
    color[2] = (x + y) % 2 == 0 ? 0.2f : 0.7f;
}

static mote_Image *texture(void)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(TEXELS, TEXELS, &image, &error), error);
    for (int i = 0; i < TEXELS * TEXELS; ++i) {
        float *pixel = mote_image_pixels(image) + 4 * i;
        texel(i % TEXELS, i / TEXELS, pixel), pixel[3] = 1;
    }
    return image;
}

static void check_color(const float found[3], int x, int y, double tolerance)
{
    float wanted[3];
    texel(x, y, wanted);
    for (int k = 0; k < 3; ++k) CHECK_NEAR((double)found[k], (double)wanted[k], tolerance);
}

/* ---- places ---- */

static const mote_Pose upright = {{0, 0, 0}, {0, 0, 0, 1}};

/* Middles of texels on all sides: a copy is 2 m wide, and the first begins in the middle. */
static void sides_of_a_box(void)
{
    static const struct {
        float normal[3];
        int across, down; /* axes */
    } sides[] = {{{0, 0, 1}, 0, 1}, {{1, 0, 0}, 2, 1}, {{0, 1, 0}, 0, 2}, {{0, 0, -1}, 0, 1}};
    mote_Image *image = texture();
    RenderSolid solid = {.texture = image, .texture_size = 2, .shape = {.pose = upright}};
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; ++s)
        for (int i = 0; i < TEXELS * TEXELS; ++i) {
            float place[3], color[3];
            memcpy(place, sides[s].normal, sizeof place);
            place[sides[s].across] = 2 * ((float)(i % TEXELS) + 0.5f) / TEXELS - 2;
            place[sides[s].down] = -2 * ((float)(i / TEXELS) + 0.5f) / TEXELS;
            texture_color(&solid, place, sides[s].normal, color);
            check_color(color, i % TEXELS, i / TEXELS, 1e-5);
        }
    mote_image_destroy(image);
}

/* A quarter of a turn about z: what was above is at the left. */
static void it_turns_with_the_shape(void)
{
    mote_Image *image = texture();
    const mote_real half = (mote_real)sqrt(0.5);
    RenderSolid solid = {
        .texture = image, .texture_size = 2, .shape = {.pose = {{1, 2, 3}, {0, 0, half, half}}}};
    const float own[2] = {0.25f, -0.75f}, normal[3] = {0, 0, 1}; /* texel 0, 1 */
    const float place[3] = {1 - own[1], 2 + own[0], 4};
    float color[3];
    texture_color(&solid, place, normal, color);
    check_color(color, 0, 1, 1e-4);
    mote_image_destroy(image);
}

/* Longitude from behind, ahead in the middle; latitude from above. */
static void around_a_ball(void)
{
    mote_Image *image = texture();
    RenderSolid solid = {.texture = image, .ball = 1, .shape = {.pose = upright}};
    for (int i = 0; i < TEXELS * TEXELS; ++i) {
        const double pi = acos(-1), longitude = 2 * pi * ((i % TEXELS + 0.5) / TEXELS - 0.5);
        const double latitude = pi * (0.5 - (i / TEXELS + 0.5) / TEXELS);
        const float place[3] = {(float)(cos(latitude) * sin(longitude)), (float)sin(latitude),
                                (float)(cos(latitude) * cos(longitude))};
        float color[3];
        texture_color(&solid, place, place, color);
        check_color(color, i % TEXELS, i / TEXELS, 1e-4);
    }
    mote_image_destroy(image);
}

/* ---- pictures ---- */

/* The front of a cube in even light, straight on, 9 pixels a texel: the middle one shows it, but
 * for what its own width takes from its neighbours. Quickly it is drawn in the light of a lamp, by
 * whose colour all of it is. */
static void pixels_show_texels(bool traced)
{
    enum { SIDE = 9 * TEXELS };
    mote_Image *image = texture(), *picture;
    mote_BoxShape box = mote_box_shape_def();
    box.size = (mote_Vec3){2, 2, 2};
    const mote_FrameShape shape = {
        .name = "cube", .type = "box", .params = &box, .orientation = {0, 0, 0, 1}};
    const mote_Frame frame = {
        .dt = 1, .dimension = 3, .up_axis = 1, .shapes = &shape, .shape_count = 1};
    mote_ShapeLook look = mote_shape_look_def();
    mote_RenderDef def = plain_def();
    mote_Light light = mote_light_def();
    mote_Error error;
    look.shape = "cube", look.gloss = 0, look.texture = image, look.texture_size = 2;
    light.toward = (mote_Vec3){0, 0, 1}, light.shadows = false;
    light.intensity = traced ? 0 : 1;
    def.backdrop.horizon = def.backdrop.zenith = (mote_Vec3){1, 1, 1};
    def.lights = &light, def.light_count = 1;
    def.shapes = &look, def.shape_count = 1;
    def.camera.from = (mote_Vec3){0, 0, 5}, def.camera.height = 2;
    def.trace.samples = traced ? 64 : 0;
    CHECK_OK(mote_image_create(SIDE, SIDE, &picture, &error), error);
    CHECK_OK(mote_render(&def, &frame, picture, &error), error);
    for (int i = 0; i < TEXELS * TEXELS; ++i) {
        const int x = i % TEXELS,
                  y = i / TEXELS; /* in the picture: the copy begins in its middle */
        const float *pixel = mote_image_pixels(picture) + 4 * ((9 * y + 4) * SIDE + 9 * x + 4);
        check_color(pixel, (x + TEXELS / 2) % TEXELS, (y + TEXELS / 2) % TEXELS, 0.05);
    }
    mote_image_destroy(picture);
    mote_image_destroy(image);
}

static void quick_pictures(void)
{
    pixels_show_texels(false);
}

#if MOTE_WITH_EMBREE
static void traced_pictures(void)
{
    pixels_show_texels(true);
}

TESTS({"sides of a box", sides_of_a_box}, {"it turns with the shape", it_turns_with_the_shape},
      {"around a ball", around_a_ball}, {"quick pictures", quick_pictures},
      {"traced pictures", traced_pictures})
#else
TESTS({"sides of a box", sides_of_a_box}, {"it turns with the shape", it_turns_with_the_shape},
      {"around a ball", around_a_ball}, {"quick pictures", quick_pictures})
#endif
