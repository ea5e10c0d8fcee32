/* Skies and lights that come from outside: OpenEXR files of another program, panoramas as skies,
 * and glowing particles as lights, against quadrature. */
#include "check.h"

#include "render/scene.h"

#include "render/panorama.h"
#include "render/trace_optics.h"
#include "render/trace_samples.h"
#include "render/trace_sky.h"

#include <mote/shapes.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

typedef struct FileBytes {
    uint8_t bytes[1 << 16];
    size_t size;
} FileBytes;

static FileBytes read_bytes(const char *path)
{
    static FileBytes file;
    FILE *stream = fopen(path, "rb");
    CHECK(stream != NULL);
    file.size = fread(file.bytes, 1, sizeof file.bytes, stream);
    fclose(stream);
    return file;
}

/* What ffmpeg wrote is what ffmpeg reads, in every kind of packing and of number. */
static void exr_of_another_program(void)
{
    static const char *const names[] = {"rle-float", "zip1-half", "zip16-half", "zip16-float"};
    enum { WIDTH = 24, HEIGHT = 20, PIXELS = WIDTH * HEIGHT };
    static float planes[3][PIXELS]; /* green, blue, red */
    const FileBytes raw = read_bytes(TEST_DATA "/exr/planes.raw");
    CHECK(raw.size == sizeof planes);
    memcpy(planes, raw.bytes, sizeof planes);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        char path[200];
        mote_Image *image;
        mote_Error error;
        snprintf(path, sizeof path, TEST_DATA "/exr/%s.exr", names[n]);
        const FileBytes file = read_bytes(path);
        CHECK_OK(mote_image_decode_exr(file.bytes, file.size, path, &image, &error), error);
        CHECK(mote_image_width(image) == WIDTH && mote_image_height(image) == HEIGHT);
        /* ffmpeg cuts halves off instead of rounding them */
        const double half = strstr(names[n], "half") != NULL ? 1.0 / 1024 : 0;
        for (int i = 0; i < PIXELS; ++i)
            for (int k = 0; k < 3; ++k) {
                const double truth = (double)planes[(k + 2) % 3][i];
                const double found = (double)mote_image_pixels(image)[4 * i + k];
                CHECK_NEAR(found, truth, half * fabs(truth) + 1e-7);
            }
        mote_image_destroy(image);
    }
}

static mote_Image *panorama_of(int width, int height, float light)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(width, height, &image, &error), error);
    for (int i = 0; i < width * height; ++i)
        for (int k = 0; k < 4; ++k) mote_image_pixels(image)[4 * i + k] = k < 3 ? light : 1;
    return image;
}

static float *pixel(mote_Image *image, int x, int y)
{
    return mote_image_pixels(image) + 4 * (y * mote_image_width(image) + x);
}

/* Our own files come back bit by bit, and no shortened one is read as whole, or beyond its end. */
static void exr_comes_back(void)
{
    mote_Image *image = panorama_of(7, 5, 0.25f), *back;
    mote_Error error;
    pixel(image, 3, 2)[1] = 1e4f, pixel(image, 6, 4)[0] = 1.7e-5f, pixel(image, 5, 1)[3] = 0.5f;
    CHECK_OK(mote_image_write_exr(image, "skylight.exr", &error), error);
    const FileBytes file = read_bytes("skylight.exr");
    unlink("skylight.exr");
    CHECK_OK(mote_image_decode_exr(file.bytes, file.size, "it", &back, &error), error);
    CHECK(memcmp(mote_image_pixels(image), mote_image_pixels(back), 7 * 5 * 16) == 0);
    mote_image_destroy(back);
    for (size_t size = 0; size < file.size; ++size) {
        uint8_t *exact = malloc(size + 1); /* a sanitizer sees what is read beyond it */
        memcpy(exact, file.bytes, size);
        CHECK(mote_image_decode_exr(exact, size, "it", &back, &error) == MOTE_BAD_VALUE);
        CHECK(back == NULL);
        free(exact);
    }
    mote_image_destroy(image);
}

/* What the format knows and we do not is refused by its name. */
static void exr_is_refused_by_name(void)
{
    mote_Image *back;
    mote_Error error;
    FileBytes file = read_bytes(TEST_DATA "/exr/zip16-half.exr");
    const char *key = "compression";
    for (size_t i = 0; i + 40 < file.size; ++i)
        if (memcmp(file.bytes + i, key, sizeof "compression") == 0) {
            file.bytes[i + 2 * sizeof "compression" + 4] = 4;
            break;
        }
    CHECK(mote_image_decode_exr(file.bytes, file.size, "sky.exr", &back, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "sky.exr") != NULL && strstr(error.message, "PIZ") != NULL);
    file = read_bytes(TEST_DATA "/exr/zip16-half.exr");
    file.bytes[5] |= 2;
    CHECK(mote_image_decode_exr(file.bytes, file.size, "sky.exr", &back, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "tiles") != NULL);
}

/* ---- panoramas ---- */

/* The middle of the picture is ahead, its right half to the right, its top above, however the
 * world stands; `turn` turns it. */
static void panorama_has_its_directions(void)
{
    mote_Image *image = panorama_of(64, 32, 0);
    mote_Backdrop sky = plain_def().backdrop;
    float out[3];
    for (int k = -1; k <= 0; ++k) {
        pixel(image, 32 + k, 15)[0] = pixel(image, 32 + k, 16)[0] = 1; /* ahead: red */
        pixel(image, 48 + k, 15)[1] = pixel(image, 48 + k, 16)[1] = 1; /* to the right: green */
    }
    for (int x = 0; x < 64; ++x) pixel(image, x, 0)[2] = 1; /* above: blue */
    sky.panorama = image;
    const float y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, x[3] = {1, 0, 0}, back[3] = {0, 0, -1};
    Panorama p = panorama_make(&sky, y);
    panorama_look(&p, back, out);
    CHECK_NEAR((double)out[0], 1, 1e-4);
    panorama_look(&p, x, out);
    CHECK_NEAR((double)out[1], 1, 1e-4);
    panorama_look(&p, y, out);
    CHECK_NEAR((double)out[2], 1, 1e-4);
    panorama_look(&p, z, out);
    CHECK_NEAR((double)(out[0] + out[1] + out[2]), 0, 1e-6);
    sky.turn = 90, sky.light = 3; /* counter-clockwise from above: what was ahead is to the left */
    p = panorama_make(&sky, y);
    panorama_look(&p, (const float[3]){-2, 0, 0}, out);
    CHECK_NEAR((double)out[0], 3, 1e-3);
    panorama_look(&p, back, out);
    CHECK_NEAR((double)out[1], 3, 1e-3);
    sky.turn = 0, sky.light = 1;
    p = panorama_make(&sky, z);
    panorama_look(&p, y, out);
    CHECK_NEAR((double)out[0], 1, 1e-4);
    panorama_look(&p, x, out);
    CHECK_NEAR((double)out[1], 1, 1e-4);
    panorama_look(&p, z, out);
    CHECK_NEAR((double)out[2], 1, 1e-4);
    mote_image_destroy(image);
}

#if MOTE_WITH_EMBREE

enum { SIDE = 16 };

typedef struct Place {
    Scene *scene;
    mote_BoxShape block, wall;
    mote_FrameShape shapes[2]; /* the second is not there at first */
    mote_ShapeLook looks[2];
    mote_Light dark;
} Place;

/* A level, white, dull ground, seen from above, and no light. */
static void place_set(Place *p)
{
    Scene *s = p->scene = scene_make(1);
    p->block = p->wall = mote_box_shape_def();
    p->block.size = (mote_Vec3){400, 2, 400};
    p->shapes[0] = (mote_FrameShape){.name = "ground",
                                     .type = "box",
                                     .params = &p->block,
                                     .position = {0, -1, 0},
                                     .orientation = {0, 0, 0, 1}};
    p->shapes[1] = p->shapes[0];
    p->shapes[1].name = "wall", p->shapes[1].params = &p->wall;
    p->looks[0] = p->looks[1] = mote_shape_look_def();
    p->looks[0].shape = "ground", p->looks[1].shape = "wall";
    p->looks[0].gloss = p->looks[1].gloss = 0;
    p->looks[0].color = (mote_Vec3){1, 1, 1}, p->looks[1].color = (mote_Vec3){0, 0, 0};
    p->dark = mote_light_def();
    p->dark.color = (mote_Vec3){0, 0, 0};
    s->def.lights = &p->dark, s->def.light_count = 1;
    s->def.shapes = p->looks, s->def.shape_count = 1;
    s->frame.shapes = p->shapes, s->frame.shape_count = 1;
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = s->def.backdrop.zenith = (mote_Vec3){0, 0, 0};
    s->def.ground.fade = 0;
    s->def.camera.from = (mote_Vec3){0, 50, 0}, s->def.camera.to = (mote_Vec3){0, 0, 0};
    s->def.camera.up = (mote_Vec3){0, 0, -1}, s->def.camera.height = (mote_real)0.02;
    s->def.trace.samples = 64, s->def.trace.limit = 1e6;
}

/* Mean and deviation of the pixels' light. */
static void measure(Scene *s, double *mean, double *deviation)
{
    mote_Image *image = scene_draw(s, SIDE, SIDE);
    double squares = 0;
    *mean = image_sum(image, 0) / (SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; ++i)
        squares += pow((double)mote_image_pixels(image)[4 * i] - *mean, 2) / (SIDE * SIDE);
    *deviation = sqrt(squares);
    mote_image_destroy(image);
}

/* A photographed sun, 2 x 2 of 512 x 256 pixels: as bright on a level ground as its angle says, in
 * 64 paths, of which the cosine law would send one in 14 000 there. Without other lights there is
 * no other light. */
static void panorama_lights_the_ground(void)
{
    Place p;
    mote_Image *image = panorama_of(512, 256, 0.2f);
    double mean, deviation, sum = 0.2;
    place_set(&p);
    for (int i = 0; i < 4; ++i) {
        const int y = 63 + i % 2;
        const double up = cos(M_PI * (y + 0.5) / 256), flat = sqrt(1 - up * up);
        for (int k = 0; k < 3; ++k) pixel(image, 100 + i / 2, y)[k] = 5000;
        sum += (5000 - 0.2) * up * flat * (2 * M_PI / 512) * (M_PI / 256) / M_PI;
    }
    p.scene->def.backdrop.panorama = image, p.scene->def.light_count = 0;
    p.scene->def.backdrop.light = 1;
    measure(p.scene, &mean, &deviation);
    CHECK(sum > 0.5);
    CHECK_NEAR(mean / sum, 1, 0.02);
    CHECK(deviation < 0.1 * mean);
    mote_image_destroy(image);
    free(p.scene);
}

/* ---- glows ---- */

static double profile_at(const char *profile, double q2)
{
    if (strcmp(profile, "gaussian") == 0) return q2 < 2.56 ? exp(-2 * q2) : 0;
    if (q2 >= 1) return 0;
    return strcmp(profile, "soft") == 0 ? (1 - q2) * (1 - q2) : 1;
}

/* The same of a white square that is parallel to the ground: its form factor (J. Howell, A Catalog
 * of Radiation Configuration Factors, C-11). */
static double light_from_square(double height, double half, double light)
{
    const double x = half / height, y = x / sqrt(1 + x * x);
    return light * 4 / M_PI * y * atan(y);
}

/* Light of a glow of radius r above the ground's middle: its profile by how far rays pass it. */
static double light_from(const char *profile, double height, double radius, double light)
{
    enum { N = 1000000 };
    double sum = 0; /* over the squares of sines, of which cosines make even steps */
    for (int i = 0; i < N; ++i)
        sum += profile_at(profile, height * height * (i + 0.5) / N / (radius * radius)) / N;
    return light * sum;
}

/* Small and bright, where 64 paths would hardly meet it; and around the ground, where directions to
 * its middle say little. */
static void glow_lights_the_ground(void)
{
    static const char *const profiles[] = {"gaussian", "soft", "disc"};
    static const double cases[][2] = {{2, 0.05}, {2, 0.5}, {0.3, 1}}; /* height, radius */
    for (int n = 0; n < 3; ++n)
        for (int c = 0; c < 3; ++c) {
            const double height = cases[c][0], radius = cases[c][1];
            const double bright = 0.5 / (radius * radius);
            double mean, deviation;
            Place p;
            place_set(&p);
            scene_add(p.scene, 0, height, 0, radius, 0.8);
            p.scene->look.profile = profiles[n], p.scene->look.blend = MOTE_BLEND_ADD;
            p.scene->look.brightness = (mote_real)bright;
            p.scene->def.camera.near = (mote_real)49.99; /* the eye does not see it */
            measure(p.scene, &mean, &deviation);
            const double truth = light_from(profiles[n], height, radius, 0.8 * bright);
            CHECK_NEAR(mean / truth, 1, 0.02);
            CHECK(deviation < 0.02 * mean);
            free(p.scene);
        }
}

/* Sprites, likewise: a third of what looks for one passes it. */
static void sprites_light_the_ground(void)
{
    static const double cases[][2] = {{2, 0.05}, {2, 0.5}, {0.3, 1}};
    mote_Image *white;
    mote_Error error;
    CHECK_OK(mote_image_create(3, 3, &white, &error), error);
    for (int i = 0; i < 36; ++i) mote_image_pixels(white)[i] = 0.5f;
    for (int c = 0; c < 3; ++c) {
        const double height = cases[c][0], radius = cases[c][1], bright = 1 / (radius * radius);
        double mean, deviation;
        Place p;
        place_set(&p);
        scene_add(p.scene, 0, height, 0, radius, 0.8);
        p.scene->look.image = white, p.scene->look.blend = MOTE_BLEND_ADD;
        p.scene->look.brightness = (mote_real)bright;
        p.scene->def.camera.near = (mote_real)49.99;
        measure(p.scene, &mean, &deviation);
        const double truth = light_from_square(height, radius, 0.8 * 0.5 * bright);
        printf("sprite: %.4f of truth, deviation %.3f\n", mean / truth, deviation / mean);
        CHECK_NEAR(mean / truth, 1, 0.02);
        CHECK(deviation < 0.08 * mean);
        free(p.scene);
    }
    mote_image_destroy(white);
}

/* Two glows of very different power, one behind a wall: odds by power, and what is hidden gives no
 * light. */
static void hidden_glow_gives_no_light(void)
{
    Place p;
    double mean, deviation;
    place_set(&p);
    p.wall.size = (mote_Vec3){(mote_real)0.1, 3, 3};
    p.shapes[1].position[0] = 1, p.shapes[1].position[1] = 0;
    p.scene->frame.shape_count = p.scene->def.shape_count = 2;
    scene_add(p.scene, 0, 2, 0, 0.1, 0.8);
    scene_add(p.scene, 3, 1, 0, 0.3, 1);
    p.scene->look.profile = "soft", p.scene->look.blend = MOTE_BLEND_ADD;
    p.scene->look.brightness = 50;
    p.scene->def.camera.near = (mote_real)49.99;
    p.scene->def.trace.samples = 256;
    measure(p.scene, &mean, &deviation);
    /* the wall keeps light of the sky alone from the ground, and there is none */
    CHECK_NEAR(mean / light_from("soft", 2, 0.1, 0.8 * 50), 1, 0.03);
    free(p.scene);
}

TESTS({"EXR of another program", exr_of_another_program}, {"EXR comes back", exr_comes_back},
      {"EXR is refused by name", exr_is_refused_by_name},
      {"panorama has its directions", panorama_has_its_directions},
      {"panorama lights the ground", panorama_lights_the_ground},
      {"glow lights the ground", glow_lights_the_ground},
      {"sprites light the ground", sprites_light_the_ground},
      {"hidden glow gives no light", hidden_glow_gives_no_light})
#else
TESTS({"EXR of another program", exr_of_another_program}, {"EXR comes back", exr_comes_back},
      {"EXR is refused by name", exr_is_refused_by_name},
      {"panorama has its directions", panorama_has_its_directions})
#endif
