/* Opaque shapes that move while the shutter is open. */
#include "render/staged.h"

static mote_SphereShape ball = {1};
static mote_BoxShape cube = {{1, 1, 1}};

/* A ball that goes 3 m sideways while the shutter is open: its area stays, and a pixel on its way
 * is covered as long as the ball is there. */
static void motion_covers_for_its_time(void)
{
    mote_FrameShape shape = shape_at("sphere", &ball, 0, 0, 0);
    Scene *s = stage_scene(&shape, 1);
    shape.velocity[0] = 3;
    mote_Image *image = draw(s);
    CHECK_NEAR(image_sum(image, 3) / (M_PI * 400), 1, 0.01);
    for (int x = 5; x < WIDTH - 5; x += 5) {
        double at = (x + 0.5 - WIDTH / 2) / 20; /* m, of the middle row: half a pixel above it */
        double reach = sqrt(1 - 0.025 * 0.025), from = fmax(at - reach, -1.5),
               to = fmin(at + reach, 1.5);
        CHECK_NEAR(pixel(image, x, HEIGHT / 2)[3], to > from ? (to - from) / 3 : 0, 0.06);
    }
    s->def.camera.shutter = 0;
    mote_Image *still = draw(s);
    CHECK_NEAR(pixel(still, WIDTH / 2 + 25, HEIGHT / 2)[3], 0, 1e-6);
    mote_image_destroy(image), mote_image_destroy(still);
    free(s);
}

/* The mean of still pictures at many moments, of the same motion. */
static void add_stills(Scene *s, mote_FrameShape *shape, double *sums)
{
    enum { STILLS = 96 };
    const mote_FrameShape moving = *shape;
    const double *w = moving.spin, speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int k = 0; k < STILLS; ++k) {
        const double t = (k + 0.5) / STILLS - 0.5, angle = speed * t;
        for (int c = 0; c < 3; ++c) {
            shape->position[c] = moving.position[c] + moving.velocity[c] * t;
            shape->orientation[c] = sin(angle / 2) * w[c] / speed;
            shape->velocity[c] = shape->spin[c] = 0;
        }
        shape->orientation[3] = cos(angle / 2);
        mote_Image *image = draw(s);
        for (size_t i = 0; i < image_floats(image); ++i)
            sums[i] += (double)mote_image_pixels(image)[i] / STILLS;
        mote_image_destroy(image);
    }
    *shape = moving;
}

/* A box that flies and turns, in perspective, beside the mean of stills. */
static void motion_is_the_mean_of_stills(void)
{
    mote_FrameShape shape = shape_at("box", &cube, 0.1, -0.2, 0);
    Scene *s = stage_scene(&shape, 1);
    double *sums = calloc((size_t)WIDTH * HEIGHT * 4, sizeof *sums), square = 0;
    s->def.camera.from = (mote_Vec3){1, 2, 6}, s->def.camera.height = 0;
    shape.velocity[0] = 1.2, shape.velocity[1] = 0.7, shape.velocity[2] = 0.5;
    shape.spin[0] = 0.3, shape.spin[1] = -0.8, shape.spin[2] = 0.6;
    mote_Image *image = draw(s);
    add_stills(s, &shape, sums);
    const size_t count = image_floats(image);
    for (size_t i = 0; i < count; ++i) {
        const double difference = (double)mote_image_pixels(image)[i] - sums[i];
        CHECK(fabs(difference) < 0.1);
        square += difference * difference;
    }
    CHECK(sqrt(square / (double)count) < 1.5 / 255);
    mote_image_destroy(image);
    free(sums), free(s);
}

/* Lit from the eye nothing of a box is in shade, as a compound neither, which looks for its own. */
static void motion_throws_no_shadow_on_itself(void)
{
    mote_ShapeDef part = {"box", &cube, mote_pose_def()};
    mote_Light sun = lamp;
    mote_Shapes *parts = NULL;
    mote_Image *images[2];
    mote_Error error;
    CHECK_OK(mote_shapes_create(&part, 1, (mote_Allocator){0}, &parts, &error), error);
    mote_CompoundShape compound = {parts};
    sun.shadows = true;
    for (int k = 0; k < 2; ++k) {
        mote_FrameShape shape =
            k == 0 ? shape_at("box", &cube, 0, 0, 0) : shape_at("compound", &compound, 0, 0, 0);
        Scene *s = stage_scene(&shape, 1);
        s->def.lights = &sun;
        shape.orientation[0] = 0.3, shape.orientation[1] = 0.4, shape.orientation[3] = sqrt(0.75);
        shape.velocity[1] = 0.3, shape.velocity[2] = -0.6, shape.spin[0] = 0.9;
        images[k] = draw(s);
        free(s);
    }
    for (size_t i = 0; i < image_floats(images[0]); ++i)
        CHECK_NEAR(mote_image_pixels(images[1])[i], mote_image_pixels(images[0])[i], 0.1);
    CHECK_NEAR(image_sum(images[1], 0) / image_sum(images[0], 0), 1, 1e-3);
    mote_image_destroy(images[0]), mote_image_destroy(images[1]);
    mote_shapes_release(parts);
}

TESTS({"motion_covers_for_its_time", motion_covers_for_its_time},
      {"motion_is_the_mean_of_stills", motion_is_the_mean_of_stills},
      {"motion_throws_no_shadow_on_itself", motion_throws_no_shadow_on_itself})
