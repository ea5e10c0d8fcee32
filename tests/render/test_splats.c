/* Splats: coverage, energy, order, `over`, against closed forms. */
#include "check.h"

#include "render/render.h"
#include "render/scene.h"

static const double pi = 3.14159265358979323846;

static mote_Image *image_of(int width, int height)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(width, height, &image, &error), error);
    return image;
}

static void draw(Scene *s, mote_Image *image)
{
    mote_Error error;
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
}

static const float *pixel(mote_Image *image, int x, int y)
{
    return mote_image_pixels(image) + 4 * (y * mote_image_width(image) + x);
}

static void disc_covers_its_area(void)
{
    static const double radii[] = {0.1, 0.2, 0.26, 0.3, 0.49, 0.51, 0.7, 1,
                                   1.3, 2,   3.2,  3.4, 8,    15.9, 20,  50};
    static const char *const kernels[] = {"disc", "sphere"};
    mote_Image *image = image_of(128, 128);
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; ++r) {
        for (int k = 0; k < 16; ++k) {
            Scene *s = scene_make(128);
            s->look.profile = kernels[k % 2];
            scene_add(s, 0.25 * (k % 4) + 0.03, 0.25 * (k / 4) + 0.07, 0, radii[r], 1);
            draw(s, image);
            double area = pi * radii[r] * radii[r], sum = image_sum(image, 3);
            CHECK_NEAR(sum / area, 1, radii[r] >= 1 ? 0.005 : 0.02);
            free(s);
        }
    }
    mote_image_destroy(image);
}

static void disc_pixels_are_covered_in_part(void)
{
    enum { FINE = 64 };
    mote_Image *image = image_of(32, 32);
    Scene *s = scene_make(32);
    s->look.profile = "disc";
    scene_add(s, 0.3, -0.2, 0, 6.4, 1);
    draw(s, image);
    for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x) {
            int inside = 0;
            for (int k = 0; k < FINE * FINE; ++k) {
                double dx = x + (k % FINE + 0.5) / FINE - 16.3,
                       dy = y + (k / FINE + 0.5) / FINE - 16.2;
                inside += dx * dx + dy * dy < 6.4 * 6.4;
            }
            CHECK_NEAR(pixel(image, x, y)[3], inside / (double)(FINE * FINE), 0.01);
        }
    }
    free(s);
    mote_image_destroy(image);
}

/* Sum = 2 pi sqrt(det S) a', a' = a sqrt(det S0 / det S): the area of the kernel without filter. */
static void kernels_keep_their_area(void)
{
    static const double radii[] = {0.05, 0.2, 0.7, 1, 2, 5, 12};
    static const struct {
        const char *name;
        double deviation;
    } kernels[] = {{"gaussian", 0.5}, {"soft", 0.40824829046}};
    mote_Image *image = image_of(128, 128);
    for (int k = 0; k < 2; ++k) {
        for (size_t r = 0; r < sizeof radii / sizeof radii[0]; ++r) {
            Scene *s = scene_make(128);
            s->look.profile = kernels[k].name;
            scene_add(s, 0.37, 0.11, 0, radii[r], 0.8);
            draw(s, image);
            double own = kernels[k].deviation * radii[r];
            CHECK_NEAR(image_sum(image, 3) / (2 * pi * own * own * 0.8), 1, 0.005);
            free(s);
        }
    }
    mote_image_destroy(image);
}

static void shifts_keep_energy_and_move_the_centroid(void)
{
    mote_Image *image = image_of(32, 32);
    double first = 0;
    for (int k = 0; k < 32 * 32; ++k) {
        Scene *s = scene_make(32);
        double x = (k % 32) / 32.0, y = (k / 32) / 32.0, sum = 0, cx = 0, cy = 0;
        scene_add(s, x, -y, 0, 0.4, 0.5);
        draw(s, image);
        for (int p = 0; p < 32 * 32; ++p) {
            double a = (double)pixel(image, p % 32, p / 32)[3];
            sum += a, cx += a * (p % 32 + 0.5 - 16), cy += a * (p / 32 + 0.5 - 16);
        }
        if (k == 0) first = sum;
        CHECK_NEAR(sum / first, 1, 0.005);
        CHECK_NEAR(cx / sum, x, 0.01);
        CHECK_NEAR(cy / sum, y, 0.01);
        free(s);
    }
    mote_image_destroy(image);
}

static void energy_falls_with_the_square_of_distance(void)
{
    mote_Image *image = image_of(256, 256);
    double first = 0;
    for (int far = 1; far <= 64; far *= 2) {
        Scene *s = scene_make(256);
        s->look.blend = MOTE_BLEND_ADD;
        s->def.camera.height = 0;
        s->def.camera.fov = 40;
        scene_add(s, 0, 0, 100 - 2.0 * far, 0.03, 1);
        draw(s, image);
        double energy = image_sum(image, 1) * far * far;
        if (far == 1) first = energy;
        CHECK_NEAR(energy / first, 1, 0.01);
        CHECK(image_sum(image, 3) == 0); /* added light hides nothing */
        free(s);
    }
    mote_image_destroy(image);
}

static void motion_blur_keeps_energy(void)
{
    static const char *const kernels[] = {"gaussian", "soft", "disc"};
    static const double speeds[] = {0.1, 0.5, 1, 2, 3, 5, 9, 20, 60};
    mote_Image *image = image_of(128, 128);
    for (int k = 0; k < 3; ++k) {
        for (size_t v = 0; v < sizeof speeds / sizeof speeds[0]; ++v) {
            for (int turn = 0; turn < 5; ++turn) {
                Scene *s = scene_make(128);
                s->look.profile = kernels[k];
                s->look.blend = MOTE_BLEND_ADD;
                size_t i = scene_add(s, 0.2, 0.3, 0, turn < 3 ? 2 : 0.4, 1);
                draw(s, image);
                double still = image_sum(image, 0);
                s->velocity[0][i] = (mote_real)(speeds[v] * cos(turn * 0.7));
                s->velocity[1][i] = (mote_real)(speeds[v] * sin(turn * 0.7));
                draw(s, image);
                CHECK_NEAR(image_sum(image, 0) / still, 1, 0.005);
                free(s);
            }
        }
    }
    mote_image_destroy(image);
}

/* A fast particle's streak has the length of its way and, in the middle, the mean brightness. */
static void streak_is_as_long_as_the_way(void)
{
    mote_Image *image = image_of(128, 64);
    Scene *s = scene_make(64);
    s->look.blend = MOTE_BLEND_ADD;
    size_t i = scene_add(s, 0, -0.5, 0, 2, 1);
    s->velocity[0][i] = 60;
    draw(s, image);
    double var = 1 + 0.25, line = sqrt(2 * pi * var); /* Gaussian of variance R^2/4 + filter */
    double peak = 1 / var * line / 60;
    CHECK_NEAR((double)pixel(image, 64, 32)[0] / peak, 1, 0.01);
    CHECK_NEAR((double)pixel(image, 64 - 26, 32)[0] / peak, 1, 0.03);
    CHECK(pixel(image, 64 + 36, 32)[0] == 0 && pixel(image, 64 - 36, 32)[0] == 0);
    free(s);
    mote_image_destroy(image);
}

static void over_follows_the_closed_form(void)
{
    mote_Image *image = image_of(64, 64);
    Scene *s = scene_make(64);
    static const double alphas[3] = {0.3, 0.6, 0.45}, depths[3] = {3, 1, 2};
    s->look.profile = "disc";
    for (int k = 0; k < 3; ++k) {
        size_t i = scene_add(s, 0, 0, depths[k], 20, alphas[k]);
        for (int c = 0; c < 3; ++c) s->color[c][i] = c == k ? 2 : 0;
    }
    draw(s, image);
    const float *p = pixel(image, 30, 33); /* from the front: 0, 2, 1 */
    CHECK_NEAR(p[0], 2 * 0.3, 1e-5);
    CHECK_NEAR(p[2], 2 * 0.7 * 0.45, 1e-5);
    CHECK_NEAR(p[1], 2 * 0.7 * 0.55 * 0.6, 1e-5);
    CHECK_NEAR(p[3], 1 - 0.7 * 0.55 * 0.4, 1e-5);
    CHECK(pixel(image, 1, 1)[3] == 0 && pixel(image, 1, 1)[0] == 0);
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = s->def.backdrop.zenith =
        (mote_Vec3){(mote_real)0.5, (mote_real)0.25, (mote_real)0.125};
    draw(s, image);
    CHECK_NEAR(pixel(image, 30, 33)[0], 2 * 0.3 + 0.7 * 0.55 * 0.4 * 0.5, 1e-5);
    CHECK(pixel(image, 1, 1)[0] == 0.5f && pixel(image, 1, 1)[3] == 1);
    free(s);
    mote_image_destroy(image);
}

static void layers_multiply(void)
{
    static const double alphas[] = {0.01, 0.1, 0.5, 0.97};
    mote_Image *image = image_of(16, 16);
    for (int a = 0; a < 4; ++a) {
        for (int n = 1; n <= 300; n += 23) {
            Scene *s = scene_make(16);
            s->look.profile = "disc";
            for (int i = 0; i < n; ++i) scene_add(s, 0, 0, 0.01 * i, 5, alphas[a]);
            draw(s, image);
            const float *p = pixel(image, 8, 8);
            double through = pow(1 - alphas[a], n), expected = 1 - through;
            /* a run closes once less than 1/512 comes through */
            CHECK_NEAR(p[3], expected, through > 1.0 / 512 ? 1e-5 : 1.0 / 512);
            CHECK(p[3] >= 0 && p[3] <= 1 && p[0] <= p[3] * 1.00001f);
            free(s);
        }
    }
    mote_image_destroy(image);
}

/* ---- order, threads, tiles ---- */

static Scene *crowd(bool same_depth)
{
    Scene *s = scene_make(150);
    static const double sizes[] = {0.3, 1, 2, 7, 40};
    for (uint64_t i = 0; i < 3000; ++i) {
        double u[8];
        for (uint64_t k = 0; k < 8; ++k) u[k] = scene_random(8 * i + k);
        size_t p =
            scene_add(s, 240 * (u[0] - 0.5), 170 * (u[1] - 0.5), same_depth ? 0 : floor(20 * u[2]),
                      sizes[i % 5] * (0.5 + u[3]), i % 7 ? u[4] : 1);
        for (int c = 0; c < 3; ++c) s->color[c][p] = (mote_real)u[5 + c];
        if (i % 3) continue;
        s->velocity[0][p] = (mote_real)(40 * (u[5] - 0.5));
        s->velocity[1][p] = (mote_real)(40 * (u[6] - 0.5));
    }
    return s;
}

static void swap_rows(Scene *s, size_t a, size_t b)
{
    mote_real *planes[11] = {s->position[0], s->position[1], s->position[2], s->velocity[0],
                             s->velocity[1], s->velocity[2], s->radius,      s->color[0],
                             s->color[1],    s->color[2],    s->opacity};
    for (int k = 0; k < 11; ++k) {
        mote_real t = planes[k][a];
        planes[k][a] = planes[k][b], planes[k][b] = t;
    }
    uint64_t t = s->id[a];
    s->id[a] = s->id[b], s->id[b] = t;
}

static bool same_bits(mote_Image *a, mote_Image *b)
{
    return memcmp(mote_image_pixels(a), mote_image_pixels(b), image_floats(a) * sizeof(float)) == 0;
}

static void bits_do_not_depend_on_the_order(void)
{
    for (int same = 0; same < 2; ++same) {
        Scene *s = crowd(same);
        mote_Image *a = image_of(201, 150), *b = image_of(201, 150);
        draw(s, a);
        for (size_t i = s->system.count; i-- > 1;)
            swap_rows(s, i, (size_t)(scene_random(i) * (double)i));
        draw(s, b);
        CHECK(image_sum(a, 3) > 1000 && same_bits(a, b));
        for (size_t i = 0; i < s->system.count; ++i) s->id[i] = 5000 - s->id[i];
        draw(s, b);
        CHECK(!same_bits(a, b)); /* equal depths are there, and the id decides */
        free(s);
        mote_image_destroy(a);
        mote_image_destroy(b);
    }
}

static void bits_do_not_depend_on_threads_and_tiles(void)
{
    static const int threads[] = {1, 2, 8}, tiles[] = {8, 16, 32, 64, 256};
    Scene *s = crowd(false);
    s->def.backdrop.transparent = false;
    s->def.bloom = (mote_real)0.1;
    mote_Image *a = image_of(201, 150), *b = image_of(201, 150);
    mote_Error error;
    draw(s, a);
    for (int t = 0; t < 3; ++t) {
        mote_TasksDef tasks = mote_tasks_def();
        tasks.threads = threads[t];
        CHECK_OK(mote_tasks_create(&tasks, &s->def.tasks, &error), error);
        for (int k = 0; k < 5; ++k) {
            CHECK_OK(render_with_tiles(&s->def, &s->frame, tiles[k], b, &error), error);
            CHECK(same_bits(a, b));
        }
        mote_tasks_destroy(s->def.tasks);
    }
    free(s);
    mote_image_destroy(a);
    mote_image_destroy(b);
}

static void bits_do_not_depend_on_the_instruction_set(void)
{
    static const char *const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    Scene *s = crowd(false);
    mote_Image *a = image_of(201, 150), *b = image_of(201, 150);
    draw(s, a);
    for (int i = 0; i < 3; ++i) {
        setenv("MOTE_ISA", names[i], 1);
        draw(s, b);
        CHECK(same_bits(a, b));
    }
    unsetenv("MOTE_ISA");
    free(s);
    mote_image_destroy(a);
    mote_image_destroy(b);
}

TESTS({"disc_covers_its_area", disc_covers_its_area},
      {"disc_pixels_are_covered_in_part", disc_pixels_are_covered_in_part},
      {"kernels_keep_their_area", kernels_keep_their_area},
      {"shifts_keep_energy_and_move_the_centroid", shifts_keep_energy_and_move_the_centroid},
      {"energy_falls_with_the_square_of_distance", energy_falls_with_the_square_of_distance},
      {"motion_blur_keeps_energy", motion_blur_keeps_energy},
      {"streak_is_as_long_as_the_way", streak_is_as_long_as_the_way},
      {"over_follows_the_closed_form", over_follows_the_closed_form},
      {"layers_multiply", layers_multiply},
      {"bits_do_not_depend_on_the_order", bits_do_not_depend_on_the_order},
      {"bits_do_not_depend_on_threads_and_tiles", bits_do_not_depend_on_threads_and_tiles},
      {"bits_do_not_depend_on_the_instruction_set", bits_do_not_depend_on_the_instruction_set})
