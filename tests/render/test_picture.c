/* What is around the particles: sky, ground, shadows, camera, tone and bloom. */
#include "check.h"

#include <mote/shapes.h>

#include "render/image.h"
#include "render/scene.h"

enum { WIDTH = 160, HEIGHT = 90 };

static mote_PlaneShape floor_plane = {{0, 2, 0}, 0}; /* the normal's length does not matter */
static mote_FrameShape floor_shape = {
    .name = "floor", .type = "plane", .params = &floor_plane, .orientation = {0, 0, 0, 1}};

/* A perspective view of the floor from 2 m above it. */
static Scene *floor_scene(void)
{
    Scene *s = scene_make(HEIGHT);
    s->def.camera = plain_camera();
    s->def.camera.from = (mote_Vec3){0, 2, 6};
    s->def.camera.to = (mote_Vec3){0, 1, 0};
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = (mote_Vec3){0, 0, 1};
    s->def.backdrop.zenith = (mote_Vec3){0, 0, 1};
    s->def.ground.colors[0] = (mote_Vec3){1, 0, 0};
    s->def.ground.colors[1] = (mote_Vec3){0, 1, 0};
    s->def.ground.fade = 0;
    s->frame.shapes = &floor_shape, s->frame.shape_count = 1;
    return s;
}

static mote_Image *draw(Scene *s)
{
    return scene_draw(s, WIDTH, HEIGHT);
}

static const float *pixel(mote_Image *image, int x, int y)
{
    return mote_image_pixels(image) + 4 * (y * WIDTH + x);
}

/* Where a pixel's ray meets y = 0; false above the horizon. Written on its own, in double. */
static bool floor_hit(double px, double py, double hit[2])
{
    const double slope = tan(20 * 3.14159265358979323846 / 180), length = sqrt(1 + 36);
    double right = (px - WIDTH / 2.0) / (HEIGHT / 2.0) * slope;
    double up = -(py - HEIGHT / 2.0) / (HEIGHT / 2.0) * slope;
    double forward[2] = {-1 / length, -6 / length}, rise[2] = {6 / length, -1 / length}; /* y, z */
    double dy = forward[0] + up * rise[0], dz = forward[1] + up * rise[1];
    if (!(dy < 0)) return false;
    hit[0] = 2 / -dy * right, hit[1] = 6 + 2 / -dy * dz;
    return true;
}

/* The checker against 16 x 16 samples per pixel. */
static void checker_is_filtered(void)
{
    Scene *s = floor_scene();
    mote_Image *image = draw(s);
    double square_error = 0, count = 0;
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            double odd = 0, floor_part = 0, hit[2];
            for (int k = 0; k < 256; ++k) {
                if (!floor_hit(x + (k % 16 + 0.5) / 16, y + (k / 16 + 0.5) / 16, hit)) continue;
                floor_part += 1 / 256.0;
                odd += fmod(fabs(floor(hit[0]) + floor(hit[1])), 2) / 256.0;
            }
            const float *p = pixel(image, x, y);
            CHECK_NEAR(p[0] + p[1] + p[2], 1, 1e-4);
            if (floor_part == 0) CHECK(p[2] == 1);
            if (floor_part < 1) continue;
            CHECK(p[2] < 1e-4f);
            square_error += ((double)p[1] - odd) * ((double)p[1] - odd);
            ++count;
        }
    }
    CHECK(count > 5000);
    CHECK_NEAR(sqrt(square_error / count), 0, 0.06);
    mote_image_destroy(image);
    free(s);
}

static void ground_hides_what_is_below(void)
{
    for (int below = 0; below < 2; ++below) {
        Scene *s = floor_scene();
        s->look.blend = MOTE_BLEND_ADD;
        mote_Image *bare = draw(s);
        scene_add(s, 0, below ? -0.5 : 0.5, 0, 0.2, 1);
        mote_Image *image = draw(s);
        double light = image_sum(image, 2) - image_sum(bare, 2);
        CHECK(below ? light == 0 : light > 5);
        mote_image_destroy(bare);
        mote_image_destroy(image);
        free(s);
    }
}

static void half_sunk_particles_are_half_seen(void)
{
    double light[2];
    for (int sunk = 0; sunk < 2; ++sunk) {
        Scene *s = floor_scene();
        s->look.blend = MOTE_BLEND_ADD;
        mote_Image *bare = draw(s);
        scene_add(s, 0, sunk ? 0 : 0.2, 0, 0.2, 1);
        mote_Image *image = draw(s);
        light[sunk] = image_sum(image, 2) - image_sum(bare, 2);
        mote_image_destroy(bare);
        mote_image_destroy(image);
        free(s);
    }
    CHECK_NEAR(light[1] / light[0], 0.5, 0.03);
}

/* The shadow darkens the ground, most where the particle touches it, less when it is high up, and
 * does not depend on the order of particles. */
static void shadows_touch_the_ground(void)
{
    double lost[3];
    static const double heights[3] = {0.3, 1, 4};
    for (int k = 0; k < 3; ++k) {
        Scene *s = floor_scene();
        s->def.ground.shadow = 0;
        scene_add(s, 0.1, heights[k], 0.2, 0.3, 1);
        mote_Image *plain = draw(s);
        s->def.ground.shadow = 1;
        mote_Image *image = draw(s);
        lost[k] =
            image_sum(plain, 0) + image_sum(plain, 1) - image_sum(image, 0) - image_sum(image, 1);
        for (size_t i = 0; i < image_floats(image); ++i)
            CHECK(mote_image_pixels(image)[i] <= mote_image_pixels(plain)[i] + 1e-6f);
        mote_image_destroy(plain);
        mote_image_destroy(image);
        free(s);
    }
    CHECK(lost[0] > 1 && lost[0] > lost[1] && lost[1] > lost[2] && lost[2] >= 0);
}

static void fade_turns_ground_to_sky(void)
{
    Scene *s = floor_scene();
    s->def.ground.fade = 5;
    mote_Image *image = draw(s);
    CHECK(pixel(image, 80, HEIGHT - 1)[2] < 0.6f);
    double last = 2;
    for (int y = 20; y < HEIGHT; ++y) {
        double hit[2], sky = (double)pixel(image, 80, y)[2];
        if (!floor_hit(80.5, y + 0.5, hit)) continue;
        double r2 = hit[0] * hit[0] + 4 + (hit[1] - 6) * (hit[1] - 6);
        CHECK_NEAR(sky, 1 - 1 / (1 + r2 / 25 * r2 / 25), 1e-3); /* little before, all behind */
        CHECK(sky <= last);
        last = sky;
    }
    mote_image_destroy(image);
    free(s);
}

/* By itself the haze lets the middle of a far view through, and is 20 m in a near one. */
static void fade_goes_with_the_view(void)
{
    Scene *s = floor_scene();
    s->def.ground.fade = -1;
    s->def.camera.from = (mote_Vec3){0, 2, 4};
    mote_Image *near = draw(s);
    s->def.ground.fade = 20;
    mote_Image *same = draw(s);
    CHECK(memcmp(mote_image_pixels(near), mote_image_pixels(same),
                 image_floats(near) * sizeof(float)) == 0);
    s->def.ground.fade = -1;
    s->def.camera.from = (mote_Vec3){0, 200, 600};
    s->def.camera.to = (mote_Vec3){0, 0, 0};
    mote_Image *far = draw(s);
    CHECK_NEAR(pixel(far, WIDTH / 2, HEIGHT / 2)[2], 1 - 1 / (1 + 1.0 / 256), 0.002);
    s->def.ground.fade = -2;
    mote_Error error;
    CHECK(mote_render(&s->def, &s->frame, far, &error) == MOTE_BAD_VALUE);
    mote_image_destroy(near);
    mote_image_destroy(same);
    mote_image_destroy(far);
    free(s);
}

static void sky_is_a_gradient(void)
{
    Scene *s = scene_make(HEIGHT);
    s->def.camera = plain_camera();
    s->def.camera.from = (mote_Vec3){0, 0, 5};
    s->def.camera.to = (mote_Vec3){0, 0, 0};
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = (mote_Vec3){1, 0, 0};
    s->def.backdrop.zenith = (mote_Vec3){0, 1, 0};
    mote_Image *image = draw(s);
    CHECK_NEAR(pixel(image, 5, HEIGHT - 1)[0], 1, 1e-6);
    for (int y = 1; y < HEIGHT; ++y) {
        CHECK(pixel(image, 80, y)[0] >= pixel(image, 80, y - 1)[0]);
        CHECK_NEAR(pixel(image, 80, y)[0] + pixel(image, 80, y)[1], 1, 1e-5);
    }
    CHECK(pixel(image, 80, 0)[0] < 0.6f);
    mote_image_destroy(image);
    free(s);
}

/* In a world of two dimensions the line is solid below. */
static void flat_ground_is_a_line(void)
{
    Scene *s = scene_make(HEIGHT);
    s->frame.dimension = 2;
    s->frame.shapes = &floor_shape, s->frame.shape_count = 1;
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = s->def.backdrop.zenith = (mote_Vec3){0, 0, 1};
    s->def.ground.colors[0] = (mote_Vec3){1, 0, 0};
    mote_Image *image = draw(s);
    CHECK(pixel(image, 3, 44)[2] == 1 && pixel(image, 3, 44)[0] == 0);
    CHECK(pixel(image, 3, 45)[2] == 0 && pixel(image, 3, 45)[0] == 1);
    mote_image_destroy(image);
    free(s);
}

static void fit_fills_the_picture(void)
{
    for (int ortho = 0; ortho < 2; ++ortho) {
        Scene *s = scene_make(HEIGHT);
        s->def.camera = plain_camera();
        s->def.camera.from = (mote_Vec3){3, 2, 5};
        s->def.camera.height = (mote_real)ortho;
        for (uint64_t i = 0; i < 500; ++i)
            scene_add(s, 50 + 20 * scene_random(3 * i), 8 * scene_random(3 * i + 1),
                      -30 + 9 * scene_random(3 * i + 2), 0.01, 1);
        size_t bad = scene_add(s, 0, 0, 0, 1, 1);
        s->position[1][bad] = (mote_real)NAN, s->position[0][bad] = (mote_real)INFINITY;
        s->position[2][bad] = (mote_real)-INFINITY;
        s->look.size = 20;
        mote_camera_fit(&s->def.camera, &s->frame, (double)WIDTH / HEIGHT);
        mote_Image *image = draw(s);
        double edge = 0;
        int left = WIDTH, right = 0, top = HEIGHT, bottom = 0;
        for (int y = 0; y < HEIGHT; ++y) {
            for (int x = 0; x < WIDTH; ++x) {
                float a = pixel(image, x, y)[3];
                if (x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1) edge += (double)a;
                if (!(a > 0.1f)) continue;
                left = x < left ? x : left, right = x > right ? x : right;
                top = y < top ? y : top, bottom = y > bottom ? y : bottom;
            }
        }
        CHECK_NEAR(edge, 0, 0.5);
        CHECK(right - left > 0.75 * WIDTH || bottom - top > 0.75 * HEIGHT);
        mote_image_destroy(image);
        free(s);
    }
}

static void exposure_scales_and_film_bends(void)
{
    Scene *s = scene_make(HEIGHT);
    s->look.blend = MOTE_BLEND_ADD;
    size_t i = scene_add(s, 0, 0, 0, 8, 1);
    s->color[0][i] = (mote_real)0.5;
    mote_Image *plain = draw(s);
    s->def.exposure = 4;
    mote_Image *bright = draw(s);
    s->def.tone = MOTE_TONE_FILMIC;
    mote_Image *film = draw(s);
    for (size_t k = 0; k < image_floats(plain); ++k) {
        float a = mote_image_pixels(plain)[k], b = mote_image_pixels(bright)[k];
        if (k % 4 != 3) CHECK(b == 4 * a);
        CHECK(mote_image_pixels(film)[k] >= 0 && mote_image_pixels(film)[k] <= 1);
    }
    mote_image_destroy(plain);
    mote_image_destroy(bright);
    mote_image_destroy(film);
    free(s);
}

/* Bloom spreads light and makes none. */
static void bloom_keeps_energy(void)
{
    Scene *s = scene_make(HEIGHT);
    s->look.blend = MOTE_BLEND_ADD;
    scene_add(s, 0, 0, 0, 3, 1);
    mote_Image *plain = draw(s);
    s->def.bloom = (mote_real)0.3;
    mote_Image *glow = draw(s);
    CHECK_NEAR(image_sum(glow, 0) / image_sum(plain, 0), 1, 0.02);
    CHECK(pixel(glow, 80, 45)[0] < pixel(plain, 80, 45)[0]);
    CHECK(pixel(plain, 95, 45)[0] == 0 && pixel(glow, 95, 45)[0] > 0);
    mote_image_destroy(plain);
    mote_image_destroy(glow);
    free(s);
}

/* Degrees of hue, as hexagons have it; only where red is strongest and blue weakest. */
static double hue(const float c[3])
{
    CHECK(c[0] >= c[1] && c[1] >= c[2] && c[0] > c[2]);
    return 60 * (double)((c[1] - c[2]) / (c[0] - c[2]));
}

/* The light of 1900 K keeps its hue while it becomes 16 times as bright; the film's curve turns it
 * from orange to lemon. */
static void fire_stays_orange(void)
{
    static const mote_Tone tones[] = {MOTE_TONE_NATURAL, MOTE_TONE_FILMIC};
    double turned[2], last = 0;
    float fire[3];
    mote_blackbody(1900, fire);
    for (int t = 0; t < 2; ++t) {
        Scene *s = scene_make(4);
        s->def.backdrop.transparent = false;
        s->def.backdrop.horizon = s->def.backdrop.zenith =
            (mote_Vec3){(mote_real)fire[0], (mote_real)fire[1], (mote_real)fire[2]};
        s->def.tone = tones[t];
        double first = 0, most = 0;
        for (int stop = 0; stop <= 4; ++stop) {
            s->def.exposure = (mote_real)(0.25 * (1 << stop));
            mote_Image *image = scene_draw(s, 4, 4);
            const float *p = mote_image_pixels(image);
            if (stop == 0) first = hue(p);
            if (fabs(hue(p) - first) > most) most = fabs(hue(p) - first);
            CHECK(t > 0 || ((double)p[0] > last && p[0] <= 1));
            last = (double)p[0];
            mote_image_destroy(image);
        }
        turned[t] = most;
        free(s);
    }
    CHECK(turned[0] < 5);
    CHECK(turned[1] > 10);
}

TESTS({"checker_is_filtered", checker_is_filtered},
      {"ground_hides_what_is_below", ground_hides_what_is_below},
      {"half_sunk_particles_are_half_seen", half_sunk_particles_are_half_seen},
      {"shadows_touch_the_ground", shadows_touch_the_ground},
      {"fade_turns_ground_to_sky", fade_turns_ground_to_sky},
      {"fade_goes_with_the_view", fade_goes_with_the_view},
      {"sky_is_a_gradient", sky_is_a_gradient}, {"flat_ground_is_a_line", flat_ground_is_a_line},
      {"fit_fills_the_picture", fit_fills_the_picture},
      {"exposure_scales_and_film_bends", exposure_scales_and_film_bends},
      {"bloom_keeps_energy", bloom_keeps_energy}, {"fire_stays_orange", fire_stays_orange})
