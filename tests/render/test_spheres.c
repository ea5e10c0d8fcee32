/* Lit spheres: per-pixel depth, rims, order, and splats before and behind them. */
#include "check.h"

#include "render/render.h"
#include "render/scene.h"

enum { SIDE = 64 };

static mote_Image *draw(Scene *s, int tile)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    CHECK_OK(render_with_tiles(&s->def, &s->frame, tile, image, &error), error);
    return image;
}

static const float *pixel(mote_Image *image, int x, int y)
{
    return mote_image_pixels(image) + 4 * (y * SIDE + x);
}

static Scene *ball_scene(void)
{
    Scene *s = scene_make(SIDE);
    s->look.profile = "sphere";
    return s;
}

static void paint(Scene *s, size_t i, double red, double green, double blue)
{
    s->color[0][i] = (mote_real)red, s->color[1][i] = (mote_real)green;
    s->color[2][i] = (mote_real)blue;
}

/* Where the surface of particle i is before a point of the picture; -1e9 beside it. */
static double surface(const Scene *s, size_t i, double x, double y)
{
    double dx = x - (double)s->position[0][i], dy = y - (double)s->position[1][i];
    double r = (double)s->radius[i], h2 = r * r - dx * dx - dy * dy;
    return h2 > 0 ? (double)s->position[2][i] + sqrt(h2) : -1e9;
}

/* Three balls that cut into each other: each pixel shows the nearest surface, also where the
 * centres are in another order. Pixels of rims and near the cuts are left out. */
static void nearest_surface_is_seen(void)
{
    Scene *s = ball_scene();
    paint(s, scene_add(s, -6, 1, 0, 15, 1), 1, 0, 0);
    paint(s, scene_add(s, 7, 3, 4, 11, 1), 0, 1, 0);
    paint(s, scene_add(s, 2, -9, 2, 12, 1), 0, 0, 1);
    mote_Image *image = draw(s, 32);
    int seen[3] = {0};
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            double z[3], px = x + 0.5 - SIDE / 2, py = SIDE / 2 - y - 0.5;
            int front = 0;
            for (size_t i = 0; i < 3; ++i) z[i] = surface(s, i, px, py);
            for (int i = 1; i < 3; ++i) front = z[i] > z[front] ? i : front;
            bool clear = z[front] > -1e8;
            for (size_t i = 0; i < 3; ++i) {
                double d = hypot(px - (double)s->position[0][i], py - (double)s->position[1][i]);
                clear = clear && fabs(d - (double)s->radius[i]) > 1;
            }
            if (!clear) continue;
            const float *p = pixel(image, x, y);
            CHECK(p[front] > 0.1f && p[3] == 1);
            for (int c = 0; c < 3; ++c) CHECK(c == front || p[c] == 0);
            ++seen[front];
        }
    }
    CHECK(seen[0] > 150 && seen[1] > 150 && seen[2] > 150);
    mote_image_destroy(image);
    free(s);
}

/* The rim is covered in part, and what is behind shows through it. */
static void rim_is_smooth(void)
{
    Scene *s = ball_scene();
    paint(s, scene_add(s, 0.2, 0.3, 5, 9.3, 1), 1, 0, 0);
    paint(s, scene_add(s, 0, 0, -80, 60, 1), 0, 0, 1);
    mote_Image *image = draw(s, 32);
    int partly = 0;
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            const float *p = pixel(image, x, y);
            double d = hypot(x + 0.5 - 32.2, y + 0.5 - 31.7);
            if (d < 8.5) CHECK(p[2] == 0);
            if (d > 10.1) CHECK(p[0] == 0);
            partly += p[0] > 0 && p[2] > 0;
            CHECK_NEAR(p[3], 1, 1e-6);
        }
    }
    CHECK(partly > 50 && partly < 100); /* about 8 R */
    mote_image_destroy(image);
    free(s);
}

/* Light comes from the upper left behind the eye: Lambert's law around it. */
static void spheres_are_lit(void)
{
    Scene *s = ball_scene();
    scene_add(s, 0, 0, 0, 25, 1);
    mote_Image *image = draw(s, 32);
    CHECK(pixel(image, 20, 17)[0] > pixel(image, 32, 32)[0]);
    CHECK(pixel(image, 32, 32)[0] > pixel(image, 44, 47)[0]);
    float least = 2, most = 0;
    for (int x = 10; x < 54; ++x) {
        float v = pixel(image, x, 32)[0];
        least = v < least ? v : least, most = v > most ? v : most;
    }
    CHECK(least > 0.1f && most < 1.1f);
    mote_image_destroy(image);
    free(s);
}

/* Light before a ball is seen, more the farther it is from the surface; light behind it is not. */
static void splats_fade_at_surfaces(void)
{
    static const double heights[] = {-3, 0, 1, 2, 3, 8};
    double seen[6];
    for (int k = 0; k < 6; ++k) {
        Scene *s = ball_scene();
        mote_FrameSystem systems[2] = {s->system, s->system};
        mote_Look looks[2] = {s->look, s->look};
        Scene *light = scene_make(SIDE);
        scene_add(s, 0, 0, 0, 20, 1);
        paint(s, 0, 0, 0, 1);
        paint(light, scene_add(light, 0, 0, 20 + heights[k], 4, 1), 1, 0, 0);
        systems[0] = s->system, systems[1] = light->system;
        systems[1].name = looks[1].system = "light";
        looks[1].profile = "gaussian", looks[1].blend = MOTE_BLEND_ADD;
        s->frame.systems = systems, s->frame.system_count = 2;
        s->def.looks = looks, s->def.look_count = 2;
        mote_Image *image = draw(s, 32);
        seen[k] = (double)pixel(image, 32, 32)[0];
        mote_image_destroy(image);
        free(light);
        free(s);
    }
    CHECK(seen[0] == 0 && seen[1] < 0.01);
    for (int k = 2; k < 5; ++k) CHECK_NEAR(seen[k] / seen[5], heights[k] / 4, 0.05);
}

/* A ball that moves looks like the mean of 64 pictures along its way, on which it stands still;
 * it covers its own area. */
static void motion_is_the_mean_of_moments(void)
{
    static const double ways[][3] = {{0.9, 0.3, 6}, {7, -3, 9.5}, {14, 18, 4}, {-20, 0.5, 0.7}};
    static double mean[4 * SIDE * SIDE];
    for (int k = 0; k < 4; ++k) {
        Scene *s = ball_scene();
        scene_add(s, 1.3, -0.7, 0, ways[k][2], 1);
        paint(s, 0, 1, 0.5, 0.2);
        memset(mean, 0, sizeof mean);
        for (int i = 0; i < 64; ++i) {
            double t = (i + 0.5) / 64 - 0.5;
            s->position[0][0] = (mote_real)(1.3 + t * ways[k][0]);
            s->position[1][0] = (mote_real)(-0.7 + t * ways[k][1]);
            mote_Image *still = draw(s, 32);
            for (int p = 0; p < 4 * SIDE * SIDE; ++p)
                mean[p] += (double)mote_image_pixels(still)[p] / 64;
            mote_image_destroy(still);
        }
        s->position[0][0] = (mote_real)1.3, s->position[1][0] = (mote_real)-0.7;
        s->velocity[0][0] = (mote_real)ways[k][0], s->velocity[1][0] = (mote_real)ways[k][1];
        mote_Image *image = draw(s, 32);
        double square = 0, worst = 0;
        for (int p = 0; p < 4 * SIDE * SIDE; ++p) {
            double off = fabs((double)mote_image_pixels(image)[p] - mean[p]);
            square += off * off / (4 * SIDE * SIDE), worst = off > worst ? off : worst;
        }
        CHECK(sqrt(square) < 1.0 / 255 && worst < 3.0 / 255);
        CHECK_NEAR(image_sum(image, 3) / (3.14159265 * ways[k][2] * ways[k][2]), 1, 0.01);
        mote_image_destroy(image);
        free(s);
    }
}

static void bits_do_not_depend_on_order_and_tiles(void)
{
    Scene *s = ball_scene();
    for (uint64_t i = 0; i < 200; ++i) {
        double u[5];
        for (uint64_t k = 0; k < 5; ++k) u[k] = scene_random(5 * i + k);
        size_t p = scene_add(s, 70 * (u[0] - 0.5), 70 * (u[1] - 0.5), floor(8 * u[2]),
                             0.2 + 9 * u[3] * u[3], i % 3 ? 1 : u[4]);
        paint(s, p, u[4], u[1], u[2]);
        s->velocity[0][p] = (mote_real)(i % 4 ? 0 : 30 * (u[3] - 0.5));
    }
    mote_Image *first = draw(s, 32);
    for (int tile = 8; tile <= 64; tile *= 2) {
        mote_Image *image = draw(s, tile);
        CHECK(memcmp(mote_image_pixels(first), mote_image_pixels(image),
                     image_floats(first) * sizeof(float)) == 0);
        mote_image_destroy(image);
    }
    mote_image_destroy(first);
    free(s);
}

TESTS({"nearest_surface_is_seen", nearest_surface_is_seen}, {"rim_is_smooth", rim_is_smooth},
      {"spheres_are_lit", spheres_are_lit}, {"splats_fade_at_surfaces", splats_fade_at_surfaces},
      {"motion_is_the_mean_of_moments", motion_is_the_mean_of_moments},
      {"bits_do_not_depend_on_order_and_tiles", bits_do_not_depend_on_order_and_tiles})
