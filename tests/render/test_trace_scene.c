/* Traced pictures of everything that a frame holds: nothing vanishes, and it covers and shines as
 * the splats do; smoke against Beer and Lambert's law, a white furnace and single scattering. */
#include "check.h"

#include "render/scene.h"

#include <mote/shapes.h>

#include <string.h>

#if MOTE_WITH_EMBREE

enum { SIDE = 48 };

static mote_Image *draw_with(Scene *s, uint64_t samples)
{
    s->def.trace.samples = samples;
    return scene_draw(s, SIDE, SIDE);
}

static double sum_with(Scene *s, uint64_t samples, int channel)
{
    mote_Image *image = draw_with(s, samples);
    double sum = image_sum(image, channel);
    mote_image_destroy(image);
    return sum;
}

static void end(Scene *s)
{
    free(s);
}

static void set_sky(Scene *s, double light)
{
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = (mote_Vec3){(mote_real)light, (mote_real)light, (mote_real)light};
    s->def.backdrop.zenith = s->def.backdrop.horizon;
}

static void set_light(Scene *s, mote_Light *light, double color)
{
    *light = mote_light_def();
    light->color = (mote_Vec3){(mote_real)color, (mote_real)color, (mote_real)color};
    s->def.lights = light, s->def.light_count = 1;
}

/* ---- what is there, is seen ---- */

static Scene *some_dust(const char *profile, mote_Blend blend)
{
    Scene *s = scene_make(SIDE);
    for (uint64_t i = 0; i < 40; ++i)
        scene_add(s, 30 * (scene_random(3 * i) - 0.5), 30 * (scene_random(3 * i + 1) - 0.5),
                  10 * scene_random(3 * i + 2), 3, 0.4);
    s->look.profile = profile;
    s->look.blend = blend;
    return s;
}

/* Particles hide as much, and show as much colour. */
static void dust_is_as_splats_have_it(void)
{
    static const char *const profiles[] = {"gaussian", "soft", "disc"};
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; ++i) {
        Scene *s = some_dust(profiles[i], MOTE_BLEND_OVER);
        mote_Image *fast = draw_with(s, 0), *traced = draw_with(s, 144);
        for (int channel = 0; channel < 4; channel += 3)
            CHECK_NEAR(image_sum(traced, channel) / image_sum(fast, channel), 1, 0.02);
        mote_image_destroy(fast), mote_image_destroy(traced);
        end(s);
    }
}

static void glow_adds_its_light(void)
{
    Scene *s = some_dust("gaussian", MOTE_BLEND_ADD);
    s->look.brightness = 3;
    CHECK_NEAR(sum_with(s, 16, 0) / sum_with(s, 0, 0), 1, 0.01);
    CHECK(sum_with(s, 16, 0) > 100);
    end(s);
}

static void balls_cover_their_discs(void)
{
    Scene *s = scene_make(SIDE);
    scene_add(s, -8, 0, 0, 7, 1);
    scene_add(s, 9, 5, 3, 5, 1);
    s->look.profile = "sphere";
    CHECK_NEAR(sum_with(s, 32, 3) / (3.14159265 * (49 + 25)), 1, 0.01);
    end(s);
}

/* A sheet with waves in it: the pixels that it covers are those of the fast renderer. */
static void cloth_is_where_it_is(void)
{
    enum { N = 12, CELLS = (N - 1) * (N - 1) };
    static uint64_t corners[3 * 2 * CELLS];
    mote_FrameMesh mesh = {.name = "flag", .triangles = corners, .triangle_count = 2 * CELLS};
    Scene *s = scene_make(SIDE);
    size_t both = 0, either = 0, n = 2 * CELLS, t = 0;
    for (int i = 0; i < N * N; ++i)
        scene_add(s, 3.1 * (i % N) - 17, 2.7 * (i / N) - 15 + 2 * sin(0.9 * (i % N)),
                  4 * cos(0.7 * (i % N)), 1, 1);
    for (uint64_t i = 0; i < N * (N - 1); ++i) {
        if (i % N == N - 1) continue;
        const uint64_t two[2][3] = {{i, i + 1, i + N}, {i + 1, i + N + 1, i + N}};
        for (int h = 0; h < 2; ++h, ++t)
            for (size_t c = 0; c < 3; ++c) corners[c * n + t] = two[h][c];
    }
    s->frame.meshes = &mesh, s->frame.mesh_count = 1;
    mote_Image *fast = draw_with(s, 0), *traced = draw_with(s, 16);
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        bool a = mote_image_pixels(fast)[4 * i + 3] > 0.5f;
        bool b = mote_image_pixels(traced)[4 * i + 3] > 0.5f;
        both += a && b, either += a || b;
    }
    CHECK(either > 700 && (double)both >= 0.97 * (double)either);
    mote_image_destroy(fast), mote_image_destroy(traced);
    end(s);
}

static void links_and_trails(void)
{
    static const uint64_t ends[2] = {0, 1};
    mote_FrameMesh mesh = {.name = "rope", .links = ends, .link_count = 1};
    Scene *s = scene_make(SIDE), *before = scene_make(SIDE);
    scene_add(s, -12, -5, 0, 1, 1), scene_add(s, 12, 5, 0, 1, 1);
    s->look.line = 3;
    s->frame.meshes = &mesh, s->frame.mesh_count = 1;
    CHECK_NEAR(sum_with(s, 64, 3), 26 * 3 + 3.14159265 * 2.25, 1); /* with round ends */
    s->frame.mesh_count = 0;
    scene_add(before, -12, 9, 0, 1, 1), scene_add(before, 12, 19, 0, 1, 1);
    const mote_Frame *history[] = {&before->frame};
    s->def.history = history, s->def.history_count = 1;
    s->look.trail = 1, s->look.faint = 1;
    CHECK_NEAR(sum_with(s, 64, 3) / sum_with(s, 0, 3), 1, 0.03);
    CHECK(sum_with(s, 16, 3) > 80);
    end(s), end(before);
}

/* A system that cannot be traced is named, not left out. */
static void liquid_without_surface_is_refused(void)
{
    Scene *s = some_dust("liquid", MOTE_BLEND_OVER);
    mote_Image *image;
    mote_Error error;
    s->def.trace.samples = 1;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    CHECK(mote_render(&s->def, &s->frame, image, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "dust") != NULL && strstr(error.message, "surface") != NULL);
    mote_image_destroy(image);
    end(s);
}

/* ---- smoke ---- */

/* Thin puffs all over the picture, one in each cell of a lattice. */
static Scene *thin_smoke(void)
{
    enum { CELLS = 80 };
    Scene *s = scene_make(SIDE);
    for (uint64_t i = 0; i < CELLS * CELLS; ++i)
        scene_add(s, 90 * (((double)(i % CELLS) + scene_random(3 * i)) / CELLS - 0.5),
                  90 * (((double)(i / CELLS) + scene_random(3 * i + 1)) / CELLS - 0.5),
                  20 * scene_random(3 * i + 2), 6, 0.01);
    set_sky(s, 1);
    return s;
}

/* What passes black puffs: exp(-n sigma), sigma = opacity 2 pi (r / 2)^2 (1 - exp(-2 1.6^2)). */
static void slab_transmits(void)
{
    Scene *s = thin_smoke();
    double density = 80 * 80 / 8100.0, sigma = 0.01 * 6.283185 * 9 * (1 - exp(-5.12));
    memset(s->color, 0, sizeof s->color);
    CHECK_NEAR(sum_with(s, 16, 0) / (SIDE * SIDE) / exp(-density * sigma), 1, 0.01);
    end(s);
}

/* White smoke in even light cannot be seen. */
static void white_furnace(void)
{
    Scene *s = thin_smoke();
    mote_Light light;
    set_light(s, &light, 0);
    s->look.lit = true;
    for (size_t i = 0; i < s->system.count; ++i) s->opacity[i] = (mote_real)0.05;
    CHECK_NEAR(sum_with(s, 4, 0) / (SIDE * SIDE), 1, 0.01);
    end(s);
}

/* One puff before a black sky sends a quarter of a sun's light times 4 pi its phase function to the
 * eye: even light at right angles, more when it comes from behind. */
static void puff_scatters_once(void)
{
    static const mote_Vec3 toward[] = {{1, 0, 0}, {(mote_real)0.6, 0, (mote_real)-0.8}};
    const double g = 0.5, area = 0.3 * 6.283185 * 16 * (1 - exp(-5.12));
    for (int i = 0; i < 2; ++i) {
        Scene *s = scene_make(SIDE);
        mote_Light light;
        set_sky(s, 0);
        set_light(s, &light, 2);
        light.toward = toward[i];
        scene_add(s, 0, 0, 0, 8, 0.3);
        s->look.lit = true, s->look.scatter = (mote_real)g;
        double cosine = i == 0 ? 0 : 0.8; /* the light goes on to the eye at +z */
        double phase = (1 - g * g) / pow(1 + g * g - 2 * g * cosine, 1.5);
        CHECK_NEAR(sum_with(s, 196, 0) / (area * 2 * phase / 4), 1, 0.03);
        end(s);
    }
}

/* ---- motion ---- */

/* Pixels of the middle row that are covered for more than half as long as those in its middle. A
 * ball of 8 px that moves by 20 covers these for 8/20 of the time, and half as long 20 px apart. */
static double streak(Scene *s)
{
    mote_Image *image = draw_with(s, 100);
    const float *row = mote_image_pixels(image) + 4 * (SIDE / 2 * SIDE);
    double count = 0;
    for (int x = 0; x < SIDE; ++x) count += row[4 * x + 3] > 0.5f * row[4 * (SIDE / 2) + 3];
    mote_image_destroy(image);
    return count;
}

static void motion_is_blurred(void)
{
    Scene *s = scene_make(SIDE);
    mote_SphereShape ball = mote_sphere_shape_def();
    mote_FrameShape shape = {.name = "ball",
                             .type = "sphere",
                             .params = &ball,
                             .orientation = {0, 0, 0, 1},
                             .velocity = {40, 0, 0}};
    scene_add(s, 0, 0, 0, 4, 1);
    s->velocity[0][0] = 40;
    s->def.camera.shutter = (mote_real)0.5;
    s->look.profile = "sphere";
    CHECK_NEAR(streak(s), 20, 1);
    s->look.profile = "disc";
    CHECK_NEAR(streak(s), 20, 1);
    s->look.motion_blur = false;
    CHECK_NEAR(streak(s), 8, 1);
    s->system.count = 0;
    ball.radius = 4;
    s->frame.shapes = &shape, s->frame.shape_count = 1;
    CHECK_NEAR(streak(s), 20, 1);
    end(s);
}

/* A speck before what is sharp becomes a disc of the lens' shape: aperture |d - f| / f at its own
 * distance d, whose deviation along each axis is a quarter of its width. */
static void lens_blurs_what_is_near(void)
{
    const double aperture = 0.8, d = 6, f = 10, focal = 0.5 * SIDE / tan(20 * 3.14159265 / 180);
    Scene *s = scene_make(SIDE);
    double sum = 0, square = 0, width = aperture * (f - d) / f * focal / d;
    s->def.camera.from = (mote_Vec3){0, 0, 10}, s->def.camera.height = 0;
    s->def.camera.fov = 40;
    s->def.camera.aperture = (mote_real)aperture;
    s->look.profile = "disc";
    scene_add(s, 0, 0, 4, 0.1, 1);
    mote_Image *image = draw_with(s, 400);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double alpha = (double)mote_image_pixels(image)[4 * i + 3], x = i % SIDE + 0.5 - SIDE / 2;
        sum += alpha, square += alpha * x * x;
    }
    /* the tent of a pixel adds (3/4)^2 / 6, the speck itself (r focal / d)^2 / 4 */
    CHECK_NEAR(sqrt(square / sum - 0.094 - 0.25 * pow(0.1 * focal / d, 2)) / (width / 4), 1, 0.05);
    mote_image_destroy(image);
    end(s);
}

/* ---- less noise ---- */

static double squares_apart(mote_Image *a, mote_Image *b)
{
    double sum = 0;
    for (size_t i = 0; i < 4 * SIDE * SIDE; ++i) {
        double d = (double)(mote_image_pixels(a)[i] - mote_image_pixels(b)[i]);
        sum += d * d;
    }
    return sum;
}

/* Smoke in the sun: with 16 paths and what pixels tell each other the picture is nearer to the
 * truth than with 128, and no darker. */
static void sixteen_paths_do_for_many(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    Scene *s = scene_make(SIDE);
    mote_Light sun;
    set_sky(s, 0.3);
    set_light(s, &sun, 1);
    for (uint64_t i = 0; i < 200; ++i)
        scene_add(s, 30 * (scene_random(3 * i) - 0.5), 30 * (scene_random(3 * i + 1) - 0.5),
                  30 * (scene_random(3 * i + 2) - 0.5), 7, 0.08);
    s->look.lit = true;
    mote_Image *truth = draw_with(s, 600), *many = draw_with(s, 128), *few;
    s->def.trace.denoise = true;
    few = draw_with(s, 16);
    CHECK(squares_apart(few, truth) <= squares_apart(many, truth));
    CHECK_NEAR(image_sum(few, 1) / image_sum(truth, 1), 1, 0.01);
    mote_image_destroy(truth), mote_image_destroy(many), mote_image_destroy(few);
    end(s);
}

/* What the eye sees glow is no noise: sparks stay. */
static void sparks_stay(void)
{
    Scene *s = scene_make(SIDE);
    for (int i = 0; i < 20; ++i) scene_add(s, 2.1 * i - 20, 7 * sin(1.3 * i), 0, 0.4, 1);
    s->look.blend = MOTE_BLEND_ADD, s->look.brightness = 8;
    double raw = sum_with(s, 16, 0);
    s->def.trace.denoise = true;
    CHECK_NEAR(sum_with(s, 16, 0) / raw, 1, 1e-5);
    end(s);
}

/* ---- noise, lamps and panes ---- */

static void noise_is_new_in_every_frame(void)
{
    Scene *s = some_dust("disc", MOTE_BLEND_OVER);
    mote_Image *one, *two;
    size_t same = 0, noisy = 0;
    one = draw_with(s, 2);
    s->frame.index = 1;
    two = draw_with(s, 2);
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        float a = mote_image_pixels(one)[4 * i + 3], b = mote_image_pixels(two)[4 * i + 3];
        noisy += (a > 0 && a < 1) || (b > 0 && b < 1);
        same += a > 0 && a < 1 && a == b;
    }
    CHECK(noisy > 300 && 2 * same < noisy);
    mote_image_destroy(one), mote_image_destroy(two);
    end(s);
}

/* Chance finds of a small, bright sun are no brighter than the limit; the eye sees it as it is. */
static void fireflies_are_limited(void)
{
    Scene *s = scene_make(SIDE);
    mote_Light sun;
    mote_BoxShape box = mote_box_shape_def();
    mote_FrameShape shape = {
        .name = "pane", .type = "box", .params = &box, .orientation = {0, 0, 0, 1}};
    mote_ShapeLook glass = mote_shape_look_def();
    mote_Image *image;
    float most = 0;
    box.size = (mote_Vec3){40, 40, 4};
    glass.shape = "pane", glass.glass = true;
    s->def.shapes = &glass, s->def.shape_count = 1;
    s->frame.shapes = &shape, s->frame.shape_count = 1;
    set_sky(s, 0);
    set_light(s, &sun, 1);
    sun.toward = (mote_Vec3){0, 0, 1}, sun.size = 1; /* behind the eye, in the panes */
    s->def.trace.limit = 2;
    image = draw_with(s, 16);
    for (size_t i = 0; i < SIDE * SIDE; ++i)
        most = mote_image_pixels(image)[4 * i] > most ? mote_image_pixels(image)[4 * i] : most;
    CHECK(most > 0 && most <= 2);
    mote_image_destroy(image);
    sun.toward = (mote_Vec3){0, 0, -1};
    s->frame.shape_count = 0;
    CHECK(sum_with(s, 1, 0) > 1000.0 * SIDE * SIDE);
    end(s);
}

/* A lamp lights what is there; the eye does not see a ball. */
static void lamp_is_no_ball(void)
{
    Scene *s = scene_make(SIDE);
    mote_Light lamp;
    set_sky(s, 0.25);
    set_light(s, &lamp, 10);
    lamp.type = MOTE_LIGHT_POINT;
    lamp.at = (mote_Vec3){0, 0, 0}, lamp.size = 5;
    CHECK_NEAR(sum_with(s, 4, 0) / (SIDE * SIDE), 0.25, 1e-6);
    end(s);
}

/* From inside an open tank one sees the sky alone: nothing mirrors the black ground. */
static void open_tank_from_inside(void)
{
    Scene *s = scene_make(SIDE);
    mote_Error error;
    mote_Light dark;
    mote_Shapes *shapes;
    mote_BoxShape box = mote_box_shape_def();
    mote_InvertedShape inside;
    mote_PlaneShape plane = mote_plane_shape_def();
    mote_ShapeLook look = mote_shape_look_def();
    mote_FrameShape frame[2] = {
        {.name = "tank", .type = "inverted", .params = &inside, .orientation = {0, 0, 0, 1}},
        {.name = "ground", .type = "plane", .params = &plane, .orientation = {0, 0, 0, 1}}};
    frame[1].position[1] = -2;
    box.size = (mote_Vec3){2, 2, 2};
    mote_ShapeDef one = {.type = "box", .params = &box, .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    CHECK_OK(mote_shapes_create(&one, 1, (mote_Allocator){0}, &shapes, &error), error);
    inside = (mote_InvertedShape){shapes};
    look.shape = "tank", look.glass = true, look.open = true;
    s->def.shapes = &look, s->def.shape_count = 1;
    s->frame.shapes = frame, s->frame.shape_count = 2;
    s->def.camera.from = (mote_Vec3){0, 0, 0}, s->def.camera.to = (mote_Vec3){0, 1, 0};
    s->def.camera.up = (mote_Vec3){0, 0, 1}, s->def.camera.height = 1;
    set_sky(s, 1);
    set_light(s, &dark, 0);
    memset(s->def.ground.colors, 0, sizeof s->def.ground.colors);
    s->def.ground.fade = 0;
    CHECK_NEAR(sum_with(s, 16, 0) / (SIDE * SIDE), 1, 1e-3);
    look.open = false;
    CHECK(sum_with(s, 16, 0) / (SIDE * SIDE) < 0.97);
    mote_shapes_release(shapes);
    end(s);
}

static void same_bits(void)
{
    Scene *s = thin_smoke();
    mote_TasksDef tasks_def = mote_tasks_def();
    mote_Error error;
    mote_Image *one, *three;
    s->look.lit = true;
    one = draw_with(s, 1);
    tasks_def.threads = 3;
    CHECK_OK(mote_tasks_create(&tasks_def, &s->def.tasks, &error), error);
    three = draw_with(s, 1);
    CHECK(memcmp(mote_image_pixels(one), mote_image_pixels(three), SIDE * SIDE * 16) == 0);
    mote_image_destroy(one), mote_image_destroy(three);
    mote_tasks_destroy(s->def.tasks);
    end(s);
}

TESTS({"dust is as splats have it", dust_is_as_splats_have_it},
      {"glow adds its light", glow_adds_its_light},
      {"balls cover their discs", balls_cover_their_discs},
      {"cloth is where it is", cloth_is_where_it_is}, {"links and trails", links_and_trails},
      {"liquid without surface is refused", liquid_without_surface_is_refused},
      {"slab transmits", slab_transmits}, {"white furnace", white_furnace},
      {"puff scatters once", puff_scatters_once}, {"motion is blurred", motion_is_blurred},
      {"lens blurs what is near", lens_blurs_what_is_near},
      {"sixteen paths do for many", sixteen_paths_do_for_many}, {"sparks stay", sparks_stay},
      {"noise is new in every frame", noise_is_new_in_every_frame},
      {"fireflies are limited", fireflies_are_limited}, {"lamp is no ball", lamp_is_no_ball},
      {"open tank from inside", open_tank_from_inside}, {"same bits", same_bits})

#else

static void nothing_to_trace_with(void)
{
}

TESTS({"nothing to trace with", nothing_to_trace_with})

#endif
