/* Automatic exposure: grey becomes grey, however bright the light is; a few bright pixels and a
 * black sky do not count; what is bright is not burnt out. */
#include "check.h"

#include "render/render.h"

#include <math.h>

enum { SIDE = 40, PIXELS = SIDE * SIDE };

static mote_Image *image_of(float light)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    for (int i = 0; i < PIXELS; ++i)
        for (int k = 0; k < 4; ++k) mote_image_pixels(image)[4 * i + k] = k < 3 ? light : 1;
    return image;
}

static void set(mote_Image *image, int from, int to, float light)
{
    for (int i = from; i < to; ++i)
        for (int k = 0; k < 3; ++k) mote_image_pixels(image)[4 * i + k] = light;
}

/* Within half of an eighth of a stop. */
static void grey_becomes_grey(void)
{
    for (int stops = -12; stops <= 12; ++stops) {
        const double light = 0.3 * pow(2, stops);
        mote_Image *image = image_of((float)light);
        CHECK_NEAR(light * (double)meter_exposure(image), 0.18, 0.18 * 0.045);
        mote_image_destroy(image);
    }
}

/* The mean of logarithms: between a tenth and ten times as bright lies the middle. */
static void middle_is_of_stops(void)
{
    mote_Image *image = image_of(0.02f);
    set(image, 0, PIXELS / 2, 0.08f);
    CHECK_NEAR(0.04 * (double)meter_exposure(image), 0.18, 0.18 * 0.05);
    set(image, 0, 5, 1e4f); /* the sun itself */
    CHECK_NEAR(0.04 * (double)meter_exposure(image), 0.18, 0.18 * 0.06);
    mote_image_destroy(image);
}

/* A fire in the night: black pixels are not counted, dim ones do not make it white. */
static void fire_stays_night(void)
{
    mote_Image *image = image_of(0);
    CHECK(meter_exposure(image) == 1);
    set(image, 0, 800, 0.001f);
    set(image, 800, 900, 4);
    CHECK_NEAR(4 * (double)meter_exposure(image), 2, 2 * 0.045);
    mote_image_destroy(image);
}

/* The exposure of the picture multiplies it. */
static void exposure_goes_on_top(void)
{
    mote_RenderDef def = mote_render_def();
    mote_Error error;
    mote_Image *image = image_of(3);
    def.auto_exposure = true, def.exposure = 2;
    def.tone = MOTE_TONE_LINEAR, def.bloom = 0;
    CHECK_OK(post_apply(&def, image, &error), error);
    CHECK_NEAR((double)mote_image_pixels(image)[0], 0.36, 0.36 * 0.045);
    mote_image_destroy(image);
}

TESTS({"grey becomes grey", grey_becomes_grey}, {"middle is of stops", middle_is_of_stops},
      {"fire stays night", fire_stays_night}, {"exposure goes on top", exposure_goes_on_top})
