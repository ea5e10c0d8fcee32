/* Pictures of few paths whose pixels share light: as near to the truth as those of many, at sharp
 * edges, in shadows, with a lens and motion; no energy lost, no lonely bright pixels. */
#include "check.h"

#include "render/scene.h"
#include "render/trace_film.h"

#include <mote/shapes.h>

#include <string.h>
#include <unistd.h>

#if MOTE_WITH_EMBREE

enum { SIDE = 48, PIXELS = SIDE * SIDE };

/* Balls and a box on a checker in the sun. */
typedef struct Table {
    Scene *scene;
    mote_Light sun;
    mote_PlaneShape plane;
    mote_BoxShape box;
    mote_ShapeLook look;
    mote_FrameShape shapes[2];
} Table;

static void table_set(Table *t)
{
    static const double colors[3][3] = {{0.8, 0.2, 0.1}, {0.15, 0.3, 0.75}, {0.7, 0.65, 0.3}};
    Scene *s = t->scene = scene_make(SIDE);
    for (int i = 0; i < 4; ++i) {
        scene_add(s, 1.8 * (i % 2) - 1.6, 0.8, 1.9 * (i / 2) - 1, 0.8, 1);
        for (int k = 0; k < 3; ++k) s->color[k][i] = (mote_real)colors[i % 3][k];
    }
    s->look.profile = "sphere";
    t->plane = mote_plane_shape_def(), t->box = mote_box_shape_def();
    t->box.size = (mote_Vec3){1, 2, 1};
    t->look = mote_shape_look_def();
    t->look.shape = "box";
    t->shapes[0] = (mote_FrameShape){
        .name = "floor", .type = "plane", .params = &t->plane, .orientation = {0, 0, 0, 1}};
    t->shapes[1] = (mote_FrameShape){.name = "box",
                                     .type = "box",
                                     .params = &t->box,
                                     .position = {1.9, 1, 0},
                                     .orientation = {0, 0.3826834, 0, 0.9238795}};
    s->frame.shapes = t->shapes, s->frame.shape_count = 2;
    s->def.shapes = &t->look, s->def.shape_count = 1;
    s->def.camera.from = (mote_Vec3){-1, 3, 6},
    s->def.camera.to = (mote_Vec3){0, (mote_real)0.6, 0};
    s->def.camera.height = 0, s->def.camera.fov = 42;
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = (mote_Vec3){(mote_real)0.5, (mote_real)0.6, (mote_real)0.7};
    s->def.backdrop.zenith = (mote_Vec3){(mote_real)0.1, (mote_real)0.2, (mote_real)0.4};
    s->def.ground.colors[0] = (mote_Vec3){(mote_real)0.5, (mote_real)0.5, (mote_real)0.5};
    s->def.ground.colors[1] = (mote_Vec3){(mote_real)0.1, (mote_real)0.1, (mote_real)0.1};
    t->sun = mote_light_def();
    s->def.lights = &t->sun, s->def.light_count = 1;
}

static mote_Image *draw_with(Scene *s, uint64_t samples, bool denoise)
{
    s->def.trace.samples = samples, s->def.trace.denoise = denoise;
    return scene_draw(s, SIDE, SIDE);
}

static double error_of(mote_Image *image, mote_Image *truth)
{
    double sum = 0;
    for (size_t i = 0; i < 4 * PIXELS; ++i) {
        double d = (double)(mote_image_pixels(image)[i] - mote_image_pixels(truth)[i]);
        sum += d * d;
    }
    return sqrt(sum / (3 * PIXELS));
}

/* Sixteen paths and what pixels tell each other are nearer to the truth than `many` alone are. The
 * truth has another seed: else it would hold the paths of the others. */
static void sixteen_do_for(Scene *s, uint64_t many)
{
    s->frame.index = 1;
    mote_Image *truth = draw_with(s, 1024, false);
    s->frame.index = 0;
    mote_Image *raw = draw_with(s, many, false), *few = draw_with(s, 16, true);
    printf("16: %.5f, %d: %.5f\n", error_of(few, truth), (int)many, error_of(raw, truth));
    CHECK(error_of(few, truth) <= error_of(raw, truth));
    for (int k = 0; k < 3; ++k) CHECK_NEAR(image_sum(few, k) / image_sum(truth, k), 1, 0.01);
    mote_image_destroy(truth), mote_image_destroy(raw), mote_image_destroy(few);
}

/* Edges, the edges of shadows, and what is mirrored in coats; before, 16 did for 20. */
static void sharp_edges(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Table t;
    table_set(&t);
    sixteen_do_for(t.scene, 96);
    free(t.scene);
}

static void lens_and_motion(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Table t;
    table_set(&t);
    t.scene->def.camera.aperture = (mote_real)0.3;
    for (size_t i = 0; i < t.scene->system.count; ++i) t.scene->velocity[0][i] = (mote_real)0.4;
    sixteen_do_for(t.scene, 128);
    free(t.scene);
}

/* Squares that go over into the sky: what is far away has the sky's light, not that of squares. */
static void far_ground_is_smooth(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Table t;
    table_set(&t);
    t.scene->system.count = 0, t.scene->frame.shape_count = 1;
    t.scene->def.camera.from = (mote_Vec3){0, (mote_real)1.2, 0};
    t.scene->def.camera.to = (mote_Vec3){0, 1, -5};
    t.scene->def.camera.fov = 12, t.scene->def.ground.fade = 10;
    t.scene->def.ground.colors[0] = (mote_Vec3){(mote_real)0.06, (mote_real)0.06, (mote_real)0.07};
    t.scene->def.ground.colors[1] = (mote_Vec3){(mote_real)0.03, (mote_real)0.03, (mote_real)0.04};
    sixteen_do_for(t.scene, 32);
    free(t.scene);
}

/* Sprites before a ground with squares are no smoke through which these are looked for. */
static void sprites_are_seen(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Table t;
    mote_Image *image;
    mote_Error error;
    table_set(&t);
    CHECK_OK(mote_image_create(2, 2, &image, &error), error);
    for (int i = 0; i < 16; ++i)
        mote_image_pixels(image)[i] = i % 4 == 3 ? 1 : 0.2f + 0.3f * (float)(i % 3);
    t.scene->look.image = image, t.scene->look.lit = true;
    sixteen_do_for(t.scene, 64);
    mote_image_destroy(image);
    free(t.scene);
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float code_of(mote_Image *image, int x, int y)
{
    const float light = mote_image_pixels(image)[4 * (y * SIDE + x) + 1];
    return 255 * powf(light < 1 ? light : 1, 1 / 2.2f);
}

/* Pixels that are more than 60 of 255 above the median of what is around them, and so in truth not.
 */
static size_t fireflies_of(mote_Image *image, mote_Image *truth)
{
    size_t count = 0;
    for (int y = 1; y + 1 < SIDE; ++y)
        for (int x = 1; x + 1 < SIDE; ++x) {
            float codes[9];
            const float own = code_of(image, x, y);
            for (int n = 0; n < 9; ++n) codes[n] = code_of(image, x + n % 3 - 1, y + n / 3 - 1);
            qsort(codes, 9, sizeof *codes, by_size);
            count += own > codes[4] + 60 && own > code_of(truth, x, y) + 60;
        }
    return count;
}

/* Glowing wires, which paths from the ground find by chance alone. */
static void no_fireflies(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    static const uint64_t ends[4] = {0, 1, 1, 2};
    mote_FrameMesh wires = {.name = "wires", .links = ends, .link_count = 2};
    Table t;
    table_set(&t);
    t.scene->frame.meshes = &wires, t.scene->frame.mesh_count = 1;
    t.scene->look.draw = MOTE_DRAW_LINES, t.scene->look.blend = MOTE_BLEND_ADD;
    t.scene->look.line = (mote_real)0.04, t.scene->look.brightness = 60;
    t.sun.intensity = (mote_real)0.1;
    mote_Image *truth = draw_with(t.scene, 1024, false);
    mote_Image *raw = draw_with(t.scene, 16, false), *denoised = draw_with(t.scene, 16, true);
    const size_t before = fireflies_of(raw, truth), after = fireflies_of(denoised, truth);
    printf("fireflies: %zu, without noise %zu\n", before, after);
    CHECK(before > 40 && after < 20);
    mote_image_destroy(raw), mote_image_destroy(denoised), mote_image_destroy(truth);
    free(t.scene);
}

/* How much the brightness of a patch differs from the mean of what is up to two pixels away, as a
 * part of it. */
static double grain_of(mote_Image *image, int x0, int y0, int x1, int y1)
{
    const float *p = mote_image_pixels(image);
    double squares = 0, sum = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            double around = 0;
            for (int j = -2; j <= 2; ++j)
                for (int i = -2; i <= 2; ++i)
                    around += (double)p[4 * ((y + j) * SIDE + x + i) + 1] / 25;
            const double apart = (double)p[4 * (y * SIDE + x) + 1] - around;
            squares += apart * apart, sum += around;
        }
    const double count = (y1 - y0) * (x1 - x0);
    return sqrt(squares / count) / (sum / count);
}

/* The side of a box that only what the ground sends back lights up: as hard as it gets for paths,
 * and even to the eye. */
static void shade_is_even(void)
{
    Table t;
    table_set(&t);
    Scene *s = t.scene;
    s->system.count = 0;
    t.box.size = (mote_Vec3){3, 3, 3};
    t.shapes[1] = (mote_FrameShape){.name = "box",
                                    .type = "box",
                                    .params = &t.box,
                                    .position = {0, 1.5, 0},
                                    .orientation = {0, 0, 0, 1}};
    t.look.color = (mote_Vec3){(mote_real)0.8, (mote_real)0.8, (mote_real)0.8};
    t.look.gloss = 0;
    t.sun.toward = (mote_Vec3){1, 1, (mote_real)-0.4};
    s->def.ground.colors[1] = s->def.ground.colors[0];
    s->def.backdrop.zenith = s->def.backdrop.horizon =
        (mote_Vec3){(mote_real)0.02, (mote_real)0.02, (mote_real)0.02};
    s->def.camera.from = (mote_Vec3){0, (mote_real)1.5, 5};
    s->def.camera.to = (mote_Vec3){0, (mote_real)1.5, 0};
    mote_Image *image = draw_with(s, 16, true);
    const double grain = grain_of(image, 12, 12, 36, 36);
    CHECK(grain < 0.0027);
    mote_image_destroy(image);
    free(s);
}

/* Floats of a channel in the last line of the file, by its place in the order of names. */
static void last_line(const char *path, int channels, float *out)
{
    FILE *file = fopen(path, "rb");
    const long size = (long)sizeof(float) * channels * SIDE;
    CHECK(file != NULL && fseek(file, -size, SEEK_END) == 0);
    CHECK(fread(out, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
}

/* Files of linear light hold what the pixels see: the floor's normal, colour and distance. */
static void exr_has_features(void)
{
    static float line[11 * SIDE];
    Table t;
    mote_Error error;
    table_set(&t);
    t.scene->system.count = 0, t.scene->frame.shape_count = 1;
    t.scene->def.ground.square = 0;
    mote_Image *image = draw_with(t.scene, 4, true);
    CHECK_OK(mote_image_write_exr(image, "denoise.exr", &error), error);
    last_line("denoise.exr", 11, line);
    const double down =
        21.54 + 21.0 * (1 - 1.0 / SIDE); /* degrees: of the camera, and of the row */
    for (int x = SIDE / 2 - 2; x < SIDE / 2 + 2; ++x) {
        for (int c = 4; c < 7; ++c) CHECK_NEAR((double)line[c * SIDE + x], 0.5, 1e-4);
        CHECK_NEAR((double)line[9 * SIDE + x], 1, 1e-4);
        CHECK_NEAR((double)line[7 * SIDE + x], 3 / sin(down * 3.14159265 / 180), 0.05);
    }
    mote_image_destroy(image);
    image = draw_with(t.scene, 4, false);
    CHECK_OK(mote_image_write_exr(image, "denoise.exr", &error), error);
    last_line("denoise.exr", 4, line);
    CHECK_NEAR((double)line[0], 1, 1e-5);
    mote_image_destroy(image);
    unlink("denoise.exr");
    free(t.scene);
}

/* A pixel of eight paths that see this place of a level surface, or of another where it is said. */
static TracePixel pixel_of_paths(float x, float height, float grey, float tilt)
{
    TracePixel pixel = {.looks = 0};
    const TraceSample sample = {.albedo = {grey, grey, grey},
                                .normal = {tilt, 1, 0},
                                .place = {x, height - 1, -2},
                                .plain = true};
    for (int i = 0; i < 8; ++i) trace_pixel_sort(&pixel, &sample);
    return pixel;
}

/* Rays look for edges where pixels are not alike, so what makes an edge must not be alike. */
static void pixels_are_alike_on_one_surface(void)
{
    const TracePixel here = pixel_of_paths(0, 0, 0.3f, 0), there = pixel_of_paths(0.5f, 0, 0.3f, 0);
    const TracePixel above = pixel_of_paths(0.5f, 0.1f, 0.3f, 0);
    const TracePixel dark = pixel_of_paths(0.5f, 0, 0.1f, 0);
    const TracePixel tilted = pixel_of_paths(0.5f, 0, 0.3f, 1);
    TracePixel both = there;
    const TraceSample sky = {.albedo = {1, 1, 1}, .plain = true};
    trace_pixel_sort(&both, &sky);
    CHECK(trace_pixels_alike(&here, &there) && trace_pixels_alike(&there, &here));
    CHECK(!trace_pixels_alike(&here, &above) && !trace_pixels_alike(&here, &dark));
    CHECK(!trace_pixels_alike(&here, &tilted) && !trace_pixels_alike(&here, &both));
    CHECK(!trace_pixels_alike(&both, &here));
}

TESTS({"sharp edges", sharp_edges}, {"lens and motion", lens_and_motion},
      {"pixels are alike on one surface", pixels_are_alike_on_one_surface},
      {"far ground is smooth", far_ground_is_smooth}, {"sprites are seen", sprites_are_seen},
      {"no fireflies", no_fireflies}, {"shade is even", shade_is_even},
      {"EXR has features", exr_has_features})

#else

static void nothing_to_trace_with(void)
{
}

TESTS({"nothing to trace with", nothing_to_trace_with})

#endif
