/* Traced pictures against closed forms: Fresnel and Snell, energy in a white furnace, Beer and
 * Lambert's law through a slab, light on a dull ground; the same bits for any number of threads. */
#include "check.h"
#include "plain.h"

#include "render/kernels/paths.h"
#include "render/liquids.h"

#include "render/trace_optics.h"
#include "render/trace_samples.h"

#include <mote/render.h>
#include <mote/shapes.h>

#include <string.h>

/* ---- formulas ---- */

static void fresnel_and_snell(void)
{
    const float water = 1.333f, glass = 1.5f;
    CHECK_NEAR((double)fresnel(1, 1 / water), 0.02037, 1e-4); /* ((n - 1) / (n + 1))^2 */
    CHECK_NEAR((double)fresnel(1, water), 0.02037, 1e-4);     /* the same from inside */
    CHECK_NEAR((double)fresnel(1, 1 / glass), 0.04, 1e-5);
    /* at Brewster's angle only light across the plane is mirrored: half of sin^2(b - t) */
    double b = atan(1.5), across = cos(2 * b) * cos(2 * b);
    CHECK_NEAR((double)fresnel((float)cos(b), 1 / glass), 0.5 * across, 1e-5);
    CHECK(fresnel(0.66f, water) == 1); /* 48.7 degrees from inside: total */
    CHECK(fresnel(0.6616f, water) > 0.5f && fresnel(0.67f, water) < 1);
    CHECK_NEAR((double)fresnel(1e-4f, 1 / water), 1, 1e-3);
    const float down[3] = {0.6f, -0.8f, 0}, up[3] = {0, 1, 0};
    float out[3];
    CHECK(refract(down, up, 1 / water, out));
    CHECK_NEAR((double)out[0], 0.6 / 1.333, 1e-6);
    CHECK_NEAR((double)length3(out), 1, 1e-6);
    CHECK(!refract((const float[3]){0.8f, -0.6f, 0}, up, water, out));
}

/* Moments of the directions, and that every quarter of the samples falls evenly. */
static void directions_and_samples(void)
{
    const float n[3] = {0.48f, -0.6f, 0.64f};
    V8 axis[3], across[2][3];
    all_vectors(n, axis), across8(axis, across[0], across[1]);
    double cosines = 0, cone = 0, least = 1;
    int cells[8][8] = {{0}};
    for (uint32_t s = 0; s < 1024; ++s) {
        float u[2], d[3];
        sample_pair(77, reverse_bits(s), 3, u);
        CHECK(u[0] >= 0 && u[0] < 1 && u[1] >= 0 && u[1] < 1);
        if (s < 64) ++cells[(int)(8 * u[0])][(int)(8 * u[1])];
        const V8 both[2] = {all8(u[0]), all8(u[1])};
        V8 out[3];
        cosine_directions(axis, both, out);
        for (int k = 0; k < 3; ++k) d[k] = out[k][s % 8];
        CHECK_NEAR((double)length3(d), 1, 1e-5);
        cosines += (double)dot3(d, n);
        cone_directions(axis, across, all8(0.9f), both, out);
        for (int k = 0; k < 3; ++k) d[k] = out[k][s % 8];
        cone += (double)dot3(d, n);
        if ((double)dot3(d, n) < least) least = (double)dot3(d, n);
    }
    CHECK_NEAR(cosines / 1024, 2.0 / 3, 1e-3);
    CHECK_NEAR(cone / 1024, 0.95, 1e-3);
    CHECK(least > 0.9 - 1e-5);
    for (int i = 0; i < 64; ++i) CHECK(cells[i / 8][i % 8] == 1); /* a (0, 6, 2)-net */
}

#if MOTE_WITH_EMBREE

/* ---- scenes by hand ---- */

static mote_RenderDef even_def(float sky)
{
    mote_RenderDef def = plain_def();
    mote_Vec3 light = {(mote_real)sky, (mote_real)sky, (mote_real)sky};
    def.backdrop.horizon = def.backdrop.zenith = light;
    def.camera.from = (mote_Vec3){0, 0, 4}, def.camera.to = (mote_Vec3){0, 0, 0};
    def.trace.samples = 16;
    def.trace.bounces = 64;
    return def;
}

static mote_Image *trace(const mote_RenderDef *def, const mote_Frame *frame, int size)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(size, size, &image, &error), error);
    CHECK_OK(mote_render(def, frame, image, &error), error);
    return image;
}

/* ---- pictures ---- */

static mote_Light no_light(void)
{
    mote_Light light = mote_light_def();
    light.color = (mote_Vec3){0, 0, 0};
    return light;
}

/* Clear liquid in even light cannot be seen: mirrored and refracted light are all of it. */
static void white_furnace(void)
{
    mote_RenderDef def = even_def(1);
    mote_Light light = no_light();
    mote_Look look = mote_look_def();
    mote_Frame frame = liquid_frame();
    look.absorption = (mote_Vec3){0, 0, 0};
    def.looks = &look, def.look_count = 1;
    def.lights = &light, def.light_count = 1;
    make_sphere(1);
    mote_Image *image = trace(&def, &frame, 24);
    const float *p = mote_image_pixels(image);
    double sum = 0;
    for (int i = 0; i < 4 * 24 * 24; ++i) {
        CHECK_NEAR((double)p[i], 1, 0.07); /* a path in 16 may be caught inside to its end */
        sum += (double)p[i];
    }
    CHECK_NEAR(sum / (4 * 24 * 24), 1, 2e-3);
    mote_image_destroy(image);
}

/* A slab with the index of air takes away exp(-a d), traced and drawn quickly. */
static void beer_lambert(void)
{
    mote_RenderDef def = even_def(1);
    mote_Light light = no_light();
    mote_Look look = mote_look_def();
    mote_Frame frame = liquid_frame();
    look.refraction = (mote_real)1.000001;
    look.absorption = (mote_Vec3){(mote_real)2, (mote_real)0.5, 0};
    def.looks = &look, def.look_count = 1;
    def.lights = &light, def.light_count = 1;
    def.camera.height = 1; /* parallel rays */
    make_slab(2, 2, 0.35f);
    for (int fast = 0; fast < 2; ++fast) {
        if (fast) def.trace.samples = 0;
        mote_Image *image = trace(&def, &frame, 8);
        const float *p = mote_image_pixels(image) + 4 * (8 * 3 + 4);
        CHECK_NEAR((double)p[0], exp(-2 * 0.7), 1e-4);
        CHECK_NEAR((double)p[1], exp(-0.5 * 0.7), 1e-4);
        CHECK_NEAR((double)p[2], 1, 1e-4);
        mote_image_destroy(image);
    }
}

/* Milk: no light enters it. Its coat mirrors 4 % of an even sky, of the rest its colour sends back
 * a half; from everywhere white milk cannot be told from the sky. */
static void opaque_liquid(void)
{
    mote_RenderDef def = even_def(1);
    mote_Light light = no_light();
    mote_Look look = mote_look_def();
    mote_Frame frame = liquid_frame();
    look.opaque = true;
    def.looks = &look, def.look_count = 1;
    def.lights = &light, def.light_count = 1;
    def.trace.samples = 256;
    make_sphere(1);
    mote_Image *image = trace(&def, &frame, 16);
    const float *p = mote_image_pixels(image);
    for (int i = 0; i < 4 * 16 * 16; ++i) CHECK_NEAR((double)p[i], 1, 0.01);
    mote_image_destroy(image);
    look.brightness = (mote_real)0.5;
    def.camera.height = 1; /* parallel rays */
    make_slab(2, 2, 0.35f);
    image = trace(&def, &frame, 4);
    CHECK_NEAR((double)mote_image_pixels(image)[4 * 5], 0.04 + 0.96 * 0.5, 0.01);
    mote_image_destroy(image);
}

/* A level ground below an even sky and a sun: color (sky + sun cos). Through a layer of clear
 * water it is darker by what the surface mirrors. */
static void dull_ground(void)
{
    mote_PlaneShape plane = mote_plane_shape_def();
    mote_FrameShape shape = {
        .name = "ground", .type = "plane", .params = &plane, .orientation = {0, 0, 0, 1}};
    mote_Frame frame = {.dt = 1, .dimension = 3, .up_axis = 1, .shapes = &shape, .shape_count = 1};
    mote_RenderDef def = even_def((float)0.5);
    mote_Light sun = mote_light_def();
    sun.toward = (mote_Vec3){0, (mote_real)0.8, (mote_real)0.6};
    def.lights = &sun, def.light_count = 1;
    def.ground.square = 0, def.ground.fade = 0;
    def.ground.colors[0] = (mote_Vec3){(mote_real)0.4, (mote_real)0.2, 0};
    def.camera.from = (mote_Vec3){0, 3, (mote_real)0.01};
    def.trace.samples = 64;
    mote_Image *image = trace(&def, &frame, 4);
    const float *p = mote_image_pixels(image) + 4 * 5;
    /* its coat mirrors 0.15 * 4 % of the sky instead, and 0.678 of that of the sun: facets of
     * alpha 0.36 at 18.4 degrees */
    const double coat = 0.15 * 0.04, shine = 0.678 * coat;
    CHECK_NEAR((double)p[0], (1 - coat) * 0.4 * (0.5 + 0.8) + coat * 0.5 + shine, 0.003);
    CHECK_NEAR((double)p[1], (1 - coat) * 0.2 * (0.5 + 0.8) + coat * 0.5 + shine, 0.003);
    mote_image_destroy(image);
}

/* The light of a sun on a ground behind a level slab of liquid, seen through it: both ways two
 * surfaces let through what Fresnel says, and the liquid what Beer and Lambert say. */
static void light_through_a_slab(void)
{
    mote_PlaneShape plane = mote_plane_shape_def();
    plane.normal = (mote_Vec3){0, 0, 1};
    mote_FrameShape shape = {.name = "ground",
                             .type = "plane",
                             .params = &plane,
                             .position = {0, 0, -1},
                             .orientation = {0, 0, 0, 1}};
    mote_Frame frame = liquid_frame();
    frame.shapes = &shape, frame.shape_count = 1;
    mote_RenderDef def = even_def(0);
    mote_Light sun = mote_light_def();
    mote_Look look = mote_look_def();
    /* 10 degrees aside, where its mirror image is not seen; 7.5 in the liquid */
    sun.toward = (mote_Vec3){0, (mote_real)0.17365, (mote_real)0.98481};
    look.absorption = (mote_Vec3){(mote_real)0.8, (mote_real)0.3, 0};
    def.looks = &look, def.look_count = 1;
    def.lights = &sun, def.light_count = 1;
    def.ground.square = 0, def.ground.fade = 0;
    /* dark: what the slab mirrors back onto it does not count */
    def.ground.colors[0] = (mote_Vec3){(mote_real)0.01, (mote_real)0.01, (mote_real)0.01};
    def.camera.height = (mote_real)0.2; /* parallel rays, straight on */
    def.trace.samples = 2048, def.trace.bounces = 8;
    const double depth = 0.7, fresnel_part = pow(0.333 / 2.333, 2);
    const double absorption[3] = {0.8, 0.3, 0};
    double bare[3];
    make_slab(2, 2, 0.35f);
    for (int wet = 0; wet < 2; ++wet) {
        frame.surface_count = (size_t)wet;
        mote_Image *image = trace(&def, &frame, 2);
        const float *p = mote_image_pixels(image);
        for (int k = 0; k < 3; ++k) {
            double mean = 0;
            for (int i = 0; i < 4; ++i) mean += 0.25 * (double)p[4 * i + k];
            if (wet == 0) bare[k] = mean;
            const double passes = pow(1 - fresnel_part, 4); /* at 10 degrees the same to 1e-5 */
            const double left = exp(-absorption[k] * depth * (1 + 1 / 0.99148));
            if (wet == 1) printf("%.4f of what passes\n", mean / bare[k] / (passes * left));
            if (wet == 1) CHECK_NEAR(mean / bare[k] / (passes * left), 1, 0.01);
        }
        mote_image_destroy(image);
    }
}

/* A dark ground behind a box of glass: sun and view each pass two panes, whether they are crossed
 * by hand or, where there are many boxes, in the tree. */
static void light_through_panes(void)
{
    enum { MANY = 6 };
    mote_PlaneShape plane = mote_plane_shape_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_FrameShape shapes[MANY + 1];
    mote_ShapeLook look = mote_shape_look_def();
    mote_Frame frame = liquid_frame();
    mote_RenderDef def = even_def(0);
    mote_Light sun = mote_light_def();
    double bare = 0;
    plane.normal = (mote_Vec3){0, 0, 1};
    box.size = (mote_Vec3){4, 4, (mote_real)0.3};
    for (int i = 0; i <= MANY; ++i) /* the others are aside, and before it */
        shapes[i] = (mote_FrameShape){.name = "pane",
                                      .type = "box",
                                      .params = &box,
                                      .position = {i < MANY - 1 ? 100 + 10 * i : 0, 0, 0},
                                      .orientation = {0, 0, 0, 1}};
    shapes[MANY].name = "ground", shapes[MANY].type = "plane", shapes[MANY].params = &plane;
    shapes[MANY].position[2] = -1;
    look.shape = "pane", look.glass = true;
    sun.toward = (mote_Vec3){0, (mote_real)0.17365, (mote_real)0.98481};
    def.lights = &sun, def.light_count = 1;
    def.shapes = &look, def.shape_count = 1;
    def.ground.square = 0, def.ground.fade = 0;
    def.ground.colors[0] = (mote_Vec3){(mote_real)0.01, (mote_real)0.01, (mote_real)0.01};
    def.camera.height = (mote_real)0.2; /* parallel rays, straight on */
    def.trace.samples = 4096;
    frame.surface_count = 0;
    const double f = 0.04, mirrors = 2 * f / (1 + f); /* at 10 degrees the same to 1e-4 */
    for (int n = 0; n < 3; ++n) {                     /* none, one, many */
        const int first = n == 0 ? MANY : n == 1 ? MANY - 1 : 0;
        frame.shapes = shapes + first, frame.shape_count = (size_t)(MANY + 1 - first);
        mote_Image *image = trace(&def, &frame, 2);
        double mean = 0;
        for (int i = 0; i < 4; ++i) mean += 0.25 * (double)mote_image_pixels(image)[4 * i];
        if (n == 0) bare = mean;
        if (n > 0) CHECK_NEAR(mean / bare / pow(1 - mirrors, 4), 1, 0.01);
        if (n > 0) printf("%.4f of what passes panes\n", mean / bare / pow(1 - mirrors, 4));
        mote_image_destroy(image);
    }
}

static void same_bits(void)
{
    mote_RenderDef def = even_def((float)0.3);
    mote_Frame frame = liquid_frame();
    mote_TasksDef tasks_def = mote_tasks_def();
    mote_Error error;
    mote_Image *one, *three;
    make_sphere(1);
    def.trace.samples = 4;
    one = trace(&def, &frame, 32);
    tasks_def.threads = 3;
    CHECK_OK(mote_tasks_create(&tasks_def, &def.tasks, &error), error);
    three = trace(&def, &frame, 32);
    CHECK(memcmp(mote_image_pixels(one), mote_image_pixels(three), 32 * 32 * 16) == 0);
    mote_image_destroy(one), mote_image_destroy(three);
    mote_tasks_destroy(def.tasks);
}

static bool stop_at_half(void *context, double done)
{
    *(double *)context = done;
    return done < 0.5;
}

static void progress_and_trouble(void)
{
    mote_RenderDef def = even_def(1);
    mote_Frame frame = liquid_frame();
    mote_Image *image;
    mote_Error error;
    double reached = 0;
    make_sphere(1);
    def.trace.samples = 1;
    def.progress = stop_at_half, def.progress_context = &reached;
    CHECK_OK(mote_image_create(100, 100, &image, &error), error);
    CHECK(mote_render(&def, &frame, image, &error) == MOTE_CANCELLED);
    CHECK(reached >= 0.5 && reached < 0.6);
    def.progress = NULL;
    def.trace.bounces = 0;
    CHECK(mote_render(&def, &frame, image, &error) == MOTE_BAD_VALUE);
    mote_image_destroy(image);
}
#endif

#if MOTE_WITH_EMBREE
TESTS({"fresnel and snell", fresnel_and_snell}, {"directions and samples", directions_and_samples},
      {"white furnace", white_furnace}, {"beer lambert", beer_lambert},
      {"opaque liquid", opaque_liquid}, {"dull ground", dull_ground},
      {"light through a slab", light_through_a_slab}, {"light through panes", light_through_panes},
      {"same bits", same_bits}, {"progress and trouble", progress_and_trouble})
#else
TESTS({"fresnel and snell", fresnel_and_snell}, {"directions and samples", directions_and_samples})
#endif
