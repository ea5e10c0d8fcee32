/* The splatter against a slow reference: double precision, no tiles, no bins, qsort, 400 samples of
 * each footprint's formula per pixel; and against what is hostile. */
#include "check.h"

#include "render/render.h"
#include "render/scene.h"

enum { WIDTH = 96, HEIGHT = 64, SUBSAMPLES = 4 };

typedef struct Dot {
    double x, y, depth, var, alpha; /* px, m, px^2, at the peak */
    double color[3];
    double blur[2];
    uint64_t id;
} Dot;

static int nearer(const void *a, const void *b)
{
    const Dot *p = a, *q = b;
    if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

/* A perspective projection written independently: camera at (0, 0, 10) looking along -z. */
static size_t project(const Scene *s, Dot *dots)
{
    const double focal = 0.5 * HEIGHT / tan(0.5 * 40 * 3.14159265358979323846 / 180);
    size_t count = 0;
    for (size_t i = 0; i < s->system.count; ++i) {
        double z = 10 - (double)s->position[2][i], scale = focal / z;
        double radius = (double)s->radius[i] * scale, own = 0.25 * radius * radius;
        if (z < 0.01) continue;
        Dot *d = &dots[count++];
        *d = (Dot){.x = 0.5 * WIDTH + scale * (double)s->position[0][i],
                   .y = 0.5 * HEIGHT - scale * (double)s->position[1][i],
                   .depth = z,
                   .var = own,
                   .alpha = (double)s->opacity[i],
                   .id = s->id[i]};
        for (int c = 0; c < 3; ++c) d->color[c] = (double)s->color[c][i];
    }
    qsort(dots, count, sizeof *dots, nearer);
    return count;
}

/* The particle's own Gaussian, averaged over the pixel and its neighbours with a Gaussian filter
 * of variance 0.25 px^2, by sampling: what the closed form stands for. */
static double filtered(const Dot *d, double x, double y)
{
    double sum = 0, total = 0;
    for (int j = 0; j < SUBSAMPLES * 5; ++j) {
        for (int i = 0; i < SUBSAMPLES * 5; ++i) {
            double fx = (i + 0.5) / SUBSAMPLES - 2.5, fy = (j + 0.5) / SUBSAMPLES - 2.5;
            double dx = x + fx - d->x, dy = y + fy - d->y;
            double weight = exp(-0.5 * (fx * fx + fy * fy) / 0.25);
            sum += weight * exp(-0.5 * (dx * dx + dy * dy) / d->var);
            total += weight;
        }
    }
    return sum / total;
}

static void reference_pixel(const Dot *dots, size_t count, int x, int y, double out[4])
{
    double through = 1;
    memset(out, 0, 4 * sizeof *out);
    for (size_t i = 0; i < count; ++i) {
        double dx = x + 0.5 - dots[i].x, dy = y + 0.5 - dots[i].y;
        if (dx * dx + dy * dy > 14 * (dots[i].var + 0.25)) continue;
        double a = dots[i].alpha * filtered(&dots[i], x + 0.5, y + 0.5);
        for (int c = 0; c < 3; ++c) out[c] += through * a * dots[i].color[c];
        through *= 1 - a;
    }
    out[3] = 1 - through;
}

static void matches_the_reference(void)
{
    static Dot dots[MOST];
    Scene *s = scene_make(HEIGHT);
    mote_Image *image;
    mote_Error error;
    s->def.camera.from = (mote_Vec3){0, 0, 10};
    s->def.camera.height = 0;
    s->def.camera.fov = 40;
    for (uint64_t i = 0; i < 150; ++i) {
        double u[7];
        for (uint64_t k = 0; k < 7; ++k) u[k] = scene_random(7 * i + k);
        size_t p = scene_add(s, 9 * (u[0] - 0.5), 6 * (u[1] - 0.5), 4 * (u[2] - 0.5),
                             0.08 + 0.5 * u[3] * u[3], 0.2 + 0.8 * u[4]);
        s->color[0][p] = (mote_real)u[5], s->color[1][p] = (mote_real)u[6];
    }
    size_t count = project(s, dots);
    CHECK_OK(mote_image_create(WIDTH, HEIGHT, &image, &error), error);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    double square = 0, most = 0;
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            double expected[4];
            reference_pixel(dots, count, x, y, expected);
            for (int c = 0; c < 4; ++c) {
                double e = (double)mote_image_pixels(image)[4 * (y * WIDTH + x) + c] - expected[c];
                square += e * e;
                most = fabs(e) > most ? fabs(e) : most;
            }
        }
    }
    CHECK_NEAR(sqrt(square / (4 * WIDTH * HEIGHT)), 0, 1.0 / 255);
    CHECK_NEAR(most, 0, 3.0 / 255);
    mote_image_destroy(image);
    free(s);
}

/* ---- hostile input ---- */

static const double hostile[] = {0,      -1,      1,   1e-40, 1e-20, 1e10,  1e30,
                                 3.4e38, -3.4e38, 0.5, -0.0,  100,   99.995};

static double hostile_value(uint64_t i)
{
    size_t count = sizeof hostile / sizeof hostile[0], k = hash_mix(i) % (count + 3);
    if (k == count) return (double)NAN;
    if (k > count) return k == count + 1 ? (double)INFINITY : -(double)INFINITY;
    return hostile[k];
}

static void hostile_particles_leave_good_pixels(void)
{
    static const char *const kernels[] = {"gaussian", "soft", "disc"};
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(61, 47, &image, &error), error);
    for (int run = 0; run < 12; ++run) {
        Scene *s = scene_make(50);
        s->look.kernel = kernels[run % 3];
        s->look.blend = run & 1 ? MOTE_BLEND_ADD : MOTE_BLEND_OVER;
        s->def.camera.height = run & 2 ? 0 : 50;
        uint64_t n = (uint64_t)run << 40;
        for (int i = 0; i < 2000; ++i) {
            size_t p = scene_add(s, hostile_value(n), hostile_value(n + 1), hostile_value(n + 2),
                                 hostile_value(n + 3), hostile_value(n + 4));
            for (int c = 0; c < 3; ++c) {
                s->velocity[c][p] = (mote_real)hostile_value(n + 5 + (uint64_t)c);
                s->color[c][p] = (mote_real)hostile_value(n + 8 + (uint64_t)c);
            }
            n += 11;
        }
        CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
        for (size_t i = 0; i < image_floats(image); ++i) {
            float value = mote_image_pixels(image)[i];
            CHECK(value >= 0 && value < 1e30f && (i % 4 != 3 || value <= 1));
        }
        free(s);
    }
    mote_image_destroy(image);
}

static void many_in_one_pixel(void)
{
    Scene *s = scene_make(33);
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(33, 33, &image, &error), error);
    for (int i = 0; i < MOST; ++i) scene_add(s, 0, 0, 0, 0.5, 0.7);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    CHECK_NEAR(mote_image_pixels(image)[4 * (16 * 33 + 16) + 3], 1, 1.0 / 512);
    CHECK(mote_image_pixels(image)[3] == 0);
    mote_image_destroy(image);
    free(s);
}

/* 100 splats in 16384 tiles are more entries than a band holds. */
static void huge_splats_cover_everything(void)
{
    Scene *s = scene_make(1024);
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(1024, 1024, &image, &error), error);
    for (int i = 0; i < 100; ++i) scene_add(s, 0, 0, 0.01 * i, 1e6, 0.02);
    CHECK_OK(render_with_tiles(&s->def, &s->frame, 8, image, &error), error);
    double expected = 1 - pow(1 - 0.02, 100);
    for (size_t i = 3; i < image_floats(image); i += 4 * 97)
        CHECK_NEAR(mote_image_pixels(image)[i], expected, 1e-4);
    mote_image_destroy(image);
    free(s);
}

/* ---- bad definitions ---- */

static void expect(const Scene *s, const char *words)
{
    mote_Image *image;
    mote_Error error = {0};
    CHECK_OK(mote_image_create(8, 8, &image, &error), error);
    CHECK(mote_render(&s->def, &s->frame, image, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, words);
    mote_image_destroy(image);
}

static void bad_definitions_are_refused(void)
{
    Scene *s = scene_make(8);
    const mote_RenderDef good = s->def;
    const mote_Look look = s->look;
    scene_add(s, 0, 0, 0, 1, 1);
    s->def.camera.to = s->def.camera.from;
    expect(s, "from and to");
    s->def = good, s->def.camera.up = (mote_Vec3){0, 0, 1};
    expect(s, "up");
    s->def = good, s->def.camera.from.x = (mote_real)NAN;
    expect(s, "from");
    s->def = good, s->def.camera.fov = 200, s->def.camera.height = 0;
    expect(s, "fov is 200");
    s->def = good, s->def.exposure = (mote_real)NAN;
    expect(s, "exposure");
    s->def = good, s->def.backdrop.zenith.y = -1;
    expect(s, "zenith");
    s->def = good, s->look.kernel = "gausian";
    expect(s, "did you mean \"gaussian\"");
    s->look = look, s->look.system = "dusk";
    expect(s, "did you mean \"dust\"");
    s->look = look, s->look.size = 0;
    expect(s, "size is 0");
    s->look = look, s->columns[0].components = 2;
    expect(s, "position");
    free(s);
}

static void bad_sizes_are_refused(void)
{
    static const int sizes[][2] = {{0, 5}, {5, 0}, {-3, 4}, {100000, 100000}, {16385, 1}};
    for (int i = 0; i < 5; ++i) {
        mote_Error error;
        mote_Image *image;
        CHECK(mote_image_create(sizes[i][0], sizes[i][1], &image, &error) == MOTE_BAD_VALUE);
        CHECK(image == NULL);
        CHECK_MESSAGE(error, "between 1 and 16384");
    }
}

static void empty_frames_are_pictures(void)
{
    Scene *s = scene_make(8);
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(9, 7, &image, &error), error);
    s->def.backdrop.transparent = false;
    s->frame.system_count = 0, s->def.look_count = 0;
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    CHECK(mote_image_pixels(image)[0] > 0 && mote_image_pixels(image)[3] == 1);
    mote_image_destroy(image);
    free(s);
}

TESTS({"matches_the_reference", matches_the_reference},
      {"hostile_particles_leave_good_pixels", hostile_particles_leave_good_pixels},
      {"many_in_one_pixel", many_in_one_pixel},
      {"huge_splats_cover_everything", huge_splats_cover_everything},
      {"bad_definitions_are_refused", bad_definitions_are_refused},
      {"bad_sizes_are_refused", bad_sizes_are_refused},
      {"empty_frames_are_pictures", empty_frames_are_pictures})
