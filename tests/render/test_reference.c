/* Every footprint, blend and motion against a slow reference (reference.h): the root of the mean
 * square of the difference below 1/255 in linear light, the largest one below 3/255. */
#include "check.h"

#include "render/reference.h"
#include "render/render.h"

typedef struct Row {
    const char *profile;
    Profile1 *form;
    Filter *filter;
    double least, most; /* px: radii */
} Row;

static const Row rows[] = {
    {"gaussian", gaussian_kernel, gaussian_filter, 0.3, 1.2},
    {"gaussian", gaussian_kernel, gaussian_filter, 2, 6},
    {"soft", soft_kernel, gaussian_filter, 0.5, 2},
    {"soft", soft_kernel, gaussian_filter, 1.7, 3},
    {"soft", soft_kernel, gaussian_filter, 3, 9},
    {"disc", disc_kernel, tent_filter, 0.1, 0.25},
    {"disc", disc_kernel, box_filter, 0.25, 0.5},
    {"disc", disc_kernel, box_filter, 0.5, 3},
    {"disc", disc_kernel, box_filter, 3, 7},
    {"disc", disc_kernel, box_filter, 7, 18},
};

/* px of motion */
static const double motions[] = {0, 0.7, 2, 3.5, 9, 20};

static Scene *row_scene(const Row *row, double motion, uint64_t seed)
{
    Scene *s = scene_make(REF_HEIGHT);
    s->look.profile = row->profile;
    for (uint64_t i = 0; i < 4; ++i) {
        double u[8];
        for (uint64_t k = 0; k < 8; ++k) u[k] = scene_random(8 * (i + 4 * seed) + k);
        size_t p = scene_add(s, 0.7 * REF_WIDTH * (u[0] - 0.5), 0.7 * REF_HEIGHT * (u[1] - 0.5),
                             u[2], row->least + (row->most - row->least) * u[3], 0.3 + 0.7 * u[4]);
        s->color[0][p] = (mote_real)u[5], s->color[1][p] = (mote_real)u[6];
        s->velocity[0][p] = (mote_real)(motion * cos(6.28 * u[7]));
        s->velocity[1][p] = (mote_real)(motion * sin(6.28 * u[7]));
    }
    return s;
}

typedef struct Difference {
    double rms, most;
} Difference;

static Difference difference(mote_Image *image, const double *expected)
{
    Difference d = {0};
    for (int i = 0; i < 4 * REF_WIDTH * REF_HEIGHT; ++i) {
        double e = (double)mote_image_pixels(image)[i] - expected[i];
        d.rms += e * e;
        d.most = fabs(e) > d.most ? fabs(e) : d.most;
    }
    d.rms = sqrt(d.rms / (4 * REF_WIDTH * REF_HEIGHT));
    return d;
}

static void check_row(const Row *row, double motion, bool added)
{
    static double expected[4 * REF_WIDTH * REF_HEIGHT];
    /* small discs that move far are thin Gaussian streaks */
    bool thin = (row->most <= 0.25 && motion > 1) || (row->most <= 0.5 && motion > 4);
    Filter *filter = thin ? gaussian_filter : row->filter;
    mote_Image *image;
    mote_Error error;
    Scene *s = row_scene(row, motion, (uint64_t)(row - rows));
    s->look.blend = added ? MOTE_BLEND_ADD : MOTE_BLEND_OVER;
    CHECK_OK(mote_image_create(REF_WIDTH, REF_HEIGHT, &image, &error), error);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    reference_draw(s, row->form, filter, added, expected);
    Difference d = difference(image, expected);
    if (getenv("TEST_PRINT") != NULL)
        printf("%-9s R %.1f to %.1f, motion %4.1f, %s: rms %.2f/255, most %.2f/255\n", row->profile,
               row->least, row->most, motion, added ? "add" : "over", 255 * d.rms, 255 * d.most);
    CHECK_NEAR(d.rms, 0, 1.0 / 255);
    CHECK_NEAR(d.most, 0, 3.0 / 255);
    mote_image_destroy(image);
    free(s);
}

static void every_row_meets_the_reference(void)
{
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        for (size_t m = 0; m < sizeof motions / sizeof motions[0]; ++m)
            check_row(&rows[r], motions[m], (r + m) % 2);
}

/* The soft kernel at opacity 1 through the radii where its formula changes, at several places of
 * the pixel. */
static void soft_kernels_meet_the_reference_at_any_size(void)
{
    static double expected[4 * REF_WIDTH * REF_HEIGHT];
    for (int k = 0; k < 24; ++k) {
        const double radius = 1.1 + 0.05 * k;
        Scene *s = scene_make(REF_HEIGHT);
        mote_Image *image;
        mote_Error error;
        s->look.profile = "soft";
        for (uint64_t i = 0; i < 6; ++i)
            scene_add(s, -20 + 8 * (double)i + scene_random(i + 9 * (uint64_t)k),
                      scene_random(100 + i + 7 * (uint64_t)k), 0, radius, 1);
        CHECK_OK(mote_image_create(REF_WIDTH, REF_HEIGHT, &image, &error), error);
        CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
        reference_draw(s, soft_kernel, gaussian_filter, false, expected);
        Difference d = difference(image, expected);
        if (getenv("TEST_PRINT") != NULL)
            printf("soft R %.2f: rms %.2f/255, most %.2f/255\n", radius, 255 * d.rms, 255 * d.most);
        CHECK_NEAR(d.rms, 0, 1.0 / 255);
        CHECK_NEAR(d.most, 0, 3.0 / 255);
        mote_image_destroy(image);
        free(s);
    }
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
    static const char *const kernels[] = {"gaussian", "soft", "disc", "sphere"};
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(61, 47, &image, &error), error);
    for (int run = 0; run < 16; ++run) {
        Scene *s = scene_make(50);
        s->look.profile = kernels[run % 4];
        s->look.blend = run & 4 ? MOTE_BLEND_ADD : MOTE_BLEND_OVER;
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

/* A frame of `count` particles in the middle of a picture of 33 x 33 m, at one depth or at many;
 * every thousandth place is not a number. */
static mote_Image *draw_crowd(size_t count, bool one_depth)
{
    Scene *s = scene_make(33);
    mote_Image *image;
    mote_Error error;
    mote_real *planes = calloc(5 * count, sizeof *planes);
    CHECK_OK(mote_image_create(33, 33, &image, &error), error);
    for (size_t i = 0; i < count; ++i) {
        planes[i] = i % 1000 == 999 ? (mote_real)NAN : 0;
        planes[2 * count + i] = one_depth ? 0 : (mote_real)(scene_random(i));
        planes[3 * count + i] = (mote_real)0.5;
        planes[4 * count + i] = (mote_real)1e-4;
    }
    s->columns[0].data = planes, s->columns[0].stride = count;
    s->columns[1] = s->columns[2];
    s->columns[1].data = planes + 3 * count, s->columns[1].stride = count;
    s->columns[2] = s->columns[4];
    s->columns[2].data = planes + 4 * count, s->columns[2].stride = count;
    s->system.count = count, s->system.column_count = 3;
    s->look.profile = "disc";
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    free(planes);
    free(s);
    return image;
}

/* Each covers pi / 4 of the pixel. MOTE_MANY=1e7 takes some seconds and 1.2 GB. */
static void many_in_one_pixel(void)
{
    const char *many = getenv("MOTE_MANY");
    const size_t counts[] = {20000, many != NULL ? (size_t)atof(many) : 200000};
    for (int k = 0; k < 4; ++k) {
        mote_Image *image = draw_crowd(counts[k / 2], k % 2);
        const double seen = (double)counts[k / 2] * 0.999, part = 1e-4 * 0.785398163;
        CHECK_NEAR(mote_image_pixels(image)[4 * (16 * 33 + 16) + 3], 1 - pow(1 - part, seen), 2e-3);
        CHECK(mote_image_pixels(image)[3] == 0);
        for (size_t i = 0; i < image_floats(image); ++i)
            CHECK(mote_image_pixels(image)[i] >= 0 && mote_image_pixels(image)[i] <= 1);
        mote_image_destroy(image);
    }
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
    s->def = good, s->look.profile = "gausian";
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

TESTS({"every_row_meets_the_reference", every_row_meets_the_reference},
      {"soft_kernels_meet_the_reference_at_any_size", soft_kernels_meet_the_reference_at_any_size},
      {"hostile_particles_leave_good_pixels", hostile_particles_leave_good_pixels},
      {"many_in_one_pixel", many_in_one_pixel},
      {"huge_splats_cover_everything", huge_splats_cover_everything},
      {"bad_definitions_are_refused", bad_definitions_are_refused},
      {"bad_sizes_are_refused", bad_sizes_are_refused},
      {"empty_frames_are_pictures", empty_frames_are_pictures})
