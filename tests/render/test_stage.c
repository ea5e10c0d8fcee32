/* Opaque shapes: silhouettes, depths, light, shadows, and what splats do before them. */
#include "render/staged.h"

static mote_SphereShape ball = {1};
static mote_BoxShape cube = {{1, 1, 1}};
static mote_PlaneShape ground = {{0, 1, 0}, 0};

/* The silhouette of a ball is pi R^2, wherever its middle is in a pixel; a cube's is its face. */
static void silhouettes_have_their_area(void)
{
    for (int k = 0; k < 5; ++k) {
        mote_FrameShape shape = shape_at("sphere", &ball, 0.013 * k, 0.021 * k, 0);
        Scene *s = stage_scene(&shape, 1);
        mote_Image *image = draw(s);
        CHECK_NEAR(image_sum(image, 3) / (M_PI * 400), 1, 0.004);
        mote_image_destroy(image);
        shape = shape_at("box", &cube, 0.013 * k, 0.021 * k, 0);
        image = draw(s);
        CHECK_NEAR(image_sum(image, 3) / 400, 1, 0.004);
        mote_image_destroy(image);
        free(s);
    }
}

/* A tiny ball between the pixels' middles is not lost. */
static void small_things_are_seen(void)
{
    mote_SphereShape bead = {(mote_real)0.02}; /* 0.4 px */
    double sum = 0;
    for (uint64_t k = 0; k < 64; ++k) {
        mote_FrameShape shape = shape_at("sphere", &bead, 0.05 * scene_random(2 * k),
                                         0.05 * scene_random(2 * k + 1), 0);
        Scene *s = stage_scene(&shape, 1);
        mote_Image *image = draw(s);
        sum += image_sum(image, 3) / 64;
        mote_image_destroy(image);
        free(s);
    }
    CHECK_NEAR(sum / (M_PI * 0.16), 1, 0.1);
}

/* Lambert: a ball lit from the eye shows the cosine of its normal. */
static void light_falls_with_the_cosine(void)
{
    mote_FrameShape shape = shape_at("sphere", &ball, 0, 0, 0);
    Scene *s = stage_scene(&shape, 1);
    mote_Image *image = draw(s);
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            double dx = (x + 0.5 - WIDTH / 2.0) / 20, dy = (y + 0.5 - HEIGHT / 2.0) / 20;
            double r2 = dx * dx + dy * dy;
            if (r2 < 0.9) CHECK_NEAR(pixel(image, x, y)[0], sqrt(1 - r2), 0.02);
        }
    }
    lamp.toward = (mote_Vec3){1, 0, 0};
    mote_image_destroy(image);
    image = draw(s);
    CHECK_NEAR(pixel(image, WIDTH / 2 + 12, HEIGHT / 2)[0], 12.5 / 20, 0.02);
    CHECK(pixel(image, WIDTH / 2 - 5, HEIGHT / 2)[0] == 0);
    lamp.toward = (mote_Vec3){0, 0, 1};
    mote_image_destroy(image);
    free(s);
}

/* Two lights add up; a point light falls with the square of the distance. */
static void lights_add_and_fall_off(void)
{
    mote_FrameShape shape = shape_at("box", &cube, 0, 0, 0);
    Scene *s = stage_scene(&shape, 1);
    mote_Light lights[2] = {lamp, lamp};
    lights[1].type = MOTE_LIGHT_POINT;
    lights[1].at = (mote_Vec3){0, 0, (mote_real)2.5}; /* 2 m before the face */
    lights[1].color = (mote_Vec3){1, 0, 0};
    s->def.lights = lights, s->def.light_count = 2;
    mote_Image *image = draw(s);
    const float *middle = pixel(image, WIDTH / 2, HEIGHT / 2);
    CHECK_NEAR(middle[0], 1.25, 0.01);
    CHECK_NEAR(middle[1], 1, 0.01);
    mote_image_destroy(image);
    free(s);
}

/* Depths against the geometry: a ball's nearest point, a box's face, seen in perspective. */
static void depths_are_distances_along_the_view(void)
{
    Scene *s = scene_make(10);
    mote_FrameShape shapes[2] = {shape_at("sphere", &ball, 0, 0, 0),
                                 shape_at("box", &cube, 3, 0, -2)};
    mote_Camera camera = plain_camera();
    mote_Image *image;
    mote_Error error;
    View view;
    RenderSolids solids = {.count = 0};
    camera.from = (mote_Vec3){0, 0, 10}, camera.to = (mote_Vec3){0, 0, 0};
    s->frame.shapes = shapes, s->frame.shape_count = 2;
    CHECK_OK(mote_image_create(WIDTH, HEIGHT, &image, &error), error);
    CHECK_OK(view_make(&camera, &s->frame, image, &view, &error), error);
    CHECK_OK(solids_make(&s->def, &s->frame, &view, &image->arena, &solids, &error), error);
    CHECK(solids.count == 2);
    const float eye[3] = {0, 0, 0}, ahead[3] = {0, 0, -1}, side[3] = {3 / 11.5f, 0, -1};
    SolidHit hit = {.solid = NO_SOLID, .depth = (float)INFINITY};
    for (size_t i = 0; i < 2; ++i) solids_cast(&solids, i, eye, ahead, MID_SHUTTER, &hit);
    CHECK(hit.solid == 0);
    CHECK_NEAR(hit.depth, 9, 1e-4);
    hit = (SolidHit){.solid = NO_SOLID, .depth = (float)INFINITY};
    for (size_t i = 0; i < 2; ++i) solids_cast(&solids, i, eye, side, MID_SHUTTER, &hit);
    CHECK(hit.solid == 1);
    CHECK_NEAR(hit.depth, 11.5, 1e-4);
    CHECK_NEAR(hit.normal[2], 1, 1e-5);
    mote_image_destroy(image);
    free(s);
}

/* From above on a white ground with a shadow whose thing is hidden. */
static void look_at_shadow(Scene *s, const mote_ShapeLook *hidden, const mote_Light *sun)
{
    s->def.shapes = hidden;
    s->def.lights = sun;
    s->def.backdrop.transparent = false;
    s->def.ground = (mote_GroundLook){.visible = true, .colors = {{1, 1, 1}, {1, 1, 1}}};
    s->def.camera.from = (mote_Vec3){0, 20, 0};
    s->def.camera.up = (mote_Vec3){0, 0, -1};
}

/* A ball 2 m above the ground under a sun from the side throws its shadow where the geometry says:
 * full in the middle, none outside, and as large as the ball's section. */
static void shadows_fall_where_they_should(void)
{
    mote_FrameShape shapes[2] = {shape_at("sphere", &ball, 0, 2, 0),
                                 shape_at("plane", &ground, 0, 0, 0)};
    mote_Light sun = {.type = MOTE_LIGHT_SUN,
                      .toward = {1, 1, 0},
                      .color = {1, 1, 1},
                      .intensity = 1,
                      .size = (mote_real)0.2,
                      .shadows = true};
    Scene *s = stage_scene(shapes, 2);
    mote_ShapeLook hidden = white;
    hidden.visible = false;
    look_at_shadow(s, &hidden, &sun);
    s->def.camera.from = (mote_Vec3){-2, 20, 0}, s->def.camera.to = (mote_Vec3){-2, 0, 0};
    mote_Image *image = draw(s);
    double dark = 0, lit = sqrt(0.5);
    CHECK(pixel(image, WIDTH / 2, HEIGHT / 2)[0] < 1e-3f); /* at x = -2 */
    CHECK_NEAR(pixel(image, WIDTH / 2 + 40, HEIGHT / 2)[0], lit, 1e-4);
    CHECK_NEAR(pixel(image, WIDTH / 2, HEIGHT / 2 + 25)[0], lit, 1e-4);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        dark += 1 - (double)mote_image_pixels(image)[4 * i] / lit;
    CHECK_NEAR(dark / 400, M_PI * sqrt(2), 0.05); /* an ellipse */
    mote_image_destroy(image);
    free(s);
}

/* No light gets in where a ball is sunk into the ground: seen from its dark side, neither it nor
 * the ground at its foot has any. */
static void no_light_leaks_at_contacts(void)
{
    mote_FrameShape shapes[2] = {shape_at("sphere", &ball, 0, 0.4, 0),
                                 shape_at("plane", &ground, 0, 0, 0)};
    mote_Light sun = {.type = MOTE_LIGHT_SUN,
                      .toward = {(mote_real)0.1, (mote_real)0.6, -1},
                      .color = {1, 1, 1},
                      .intensity = 1,
                      .size = (mote_real)0.2,
                      .shadows = true};
    Scene *s = stage_scene(shapes, 2);
    mote_ShapeLook look = white;
    look_at_shadow(s, &look, &sun);
    s->def.ambient = (mote_Vec3){0, 0, 0};
    s->def.camera.from = (mote_Vec3){0, 6, 20}, s->def.camera.up = (mote_Vec3){0, 1, 0};
    mote_Image *image = draw(s);
    float most = 0;
    for (int y = HEIGHT / 2 - 8; y < HEIGHT / 2 + 8; ++y)
        for (int x = WIDTH / 2 - 16; x < WIDTH / 2 + 16; ++x)
            most = pixel(image, x, y)[0] > most ? pixel(image, x, y)[0] : most;
    CHECK(most < 8 / 255.0f);
    mote_image_destroy(image);
    free(s);
}

/* Every shape's shadow from straight above is its outline. */
static void shadows_have_the_shape_of_their_thing(void)
{
    mote_CylinderShape drum = {(mote_real)0.8, 1};
    const struct {
        const char *type;
        const void *params;
        double area;
    } rows[] = {{"sphere", &ball, M_PI}, {"box", &cube, 1}, {"cylinder", &drum, M_PI * 0.64}};
    mote_Light sun = {.toward = {0, 1, 0},
                      .color = {1, 1, 1},
                      .intensity = 1,
                      .size = (mote_real)0.3,
                      .shadows = true};
    for (size_t i = 0; i < 3; ++i) {
        mote_FrameShape shapes[2] = {shape_at(rows[i].type, rows[i].params, 0, 3, 0),
                                     shape_at("plane", &ground, 0, 0, 0)};
        Scene *s = stage_scene(shapes, 2);
        mote_ShapeLook hidden = white;
        hidden.visible = false;
        look_at_shadow(s, &hidden, &sun);
        mote_Image *image = draw(s);
        double dark = 0;
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
            dark += 1 - (double)mote_image_pixels(image)[4 * k];
        CHECK_NEAR(dark / 400 / rows[i].area, 1, 0.06);
        mote_image_destroy(image);
        free(s);
    }
}

/* A particle before the ball is seen, behind it hidden, and half seen where the ball's surface is
 * half a radius behind it. */
static void particles_fade_at_surfaces(void)
{
    double light[3];
    static const double depths[3] = {3, -3, 1.2};
    for (int k = 0; k < 3; ++k) {
        mote_FrameShape shape = shape_at("box", &cube, 0, 0, 0.5); /* its face at z = 1 */
        Scene *s = stage_scene(&shape, 1);
        s->look.blend = MOTE_BLEND_ADD, s->look.profile = "soft";
        s->def.light_count = 1;
        lamp.color = (mote_Vec3){0, 0, 0};
        scene_add(s, 0, 0, depths[k], 0.4, 1);
        mote_Image *image = draw(s);
        light[k] = image_sum(image, 0);
        lamp.color = (mote_Vec3){1, 1, 1};
        mote_image_destroy(image);
        free(s);
    }
    CHECK(light[0] > 1);
    CHECK(light[1] == 0);
    CHECK_NEAR(light[2] / light[0], 0.5, 0.02);
}

/* The ball is not there, but its shadow on the box is: the picture of an invisible ball. */
static void an_eye_inside_sees_through(void)
{
    mote_FrameShape shapes[2] = {shape_at("sphere", &ball, 0, 0, 0),
                                 shape_at("box", &cube, 0, 0, -4)};
    mote_ShapeLook hidden = mote_shape_look_def();
    Scene *s = stage_scene(shapes, 2);
    mote_Image *images[2];
    mote_Error error;
    shapes[1].name = "other";
    hidden.shape = "it", hidden.visible = false;
    s->def.camera = plain_camera();
    s->def.camera.from = (mote_Vec3){0, 0, (mote_real)0.5};
    for (int i = 0; i < 2; ++i) {
        CHECK_OK(mote_image_create(WIDTH, HEIGHT, &images[i], &error), error);
        CHECK_OK(mote_render(&s->def, &s->frame, images[i], &error), error);
        s->def.shapes = &hidden, s->def.shape_count = 1;
    }
    const size_t bytes = 4 * sizeof(float) * (size_t)WIDTH * (size_t)HEIGHT;
    const float *pixels[2] = {mote_image_pixels(images[0]), mote_image_pixels(images[1])};
    CHECK(memcmp(pixels[0], pixels[1], bytes) == 0);
    CHECK(pixels[0][4 * (WIDTH * (HEIGHT / 2) + WIDTH / 2) + 3] == 1);
    mote_image_destroy(images[1]);
    mote_Image *image = images[0];
    s->def.camera.from = s->def.camera.to;
    CHECK(mote_render(&s->def, &s->frame, image, &error) == MOTE_BAD_VALUE);
    mote_image_destroy(image);
    free(s);
}

/* Many things, any number of threads and any tile: the same bits. */
static void bits_do_not_depend_on_threads_or_tiles(void)
{
    static mote_CapsuleShape pill = {(mote_real)0.3, 1};
    mote_FrameShape shapes[5] = {
        shape_at("sphere", &ball, -1.3, 1, 0.3), shape_at("box", &cube, 1.2, 0.5, 0),
        shape_at("capsule", &pill, 0, 0.8, 1), shape_at("plane", &ground, 0, 0, 0),
        shape_at("sphere", &(mote_SphereShape){(mote_real)0.05}, 0.3, 1.5, 1.5)};
    uint64_t first = 0;
    shapes[1].orientation[1] = 0.38268343, shapes[1].orientation[3] = 0.92387953;
    shapes[0].velocity[0] = 7, shapes[1].spin[1] = 2;
    for (int k = 0; k < 5; ++k) {
        static const int threads[5] = {1, 2, 8, 1, 1}, tiles[5] = {32, 32, 32, 16, 64};
        Scene *s = stage_scene(shapes, 5);
        mote_TasksDef def = mote_tasks_def();
        mote_Image *image;
        mote_Error error;
        s->def.light_count = 0;
        s->def.backdrop.transparent = false;
        s->def.camera = plain_camera();
        s->def.camera.from = (mote_Vec3){2, 2, 6};
        s->def.show = MOTE_SHOW_WIREFRAME | MOTE_SHOW_BOUNDS | MOTE_SHOW_AXES;
        s->look.lit = true;
        for (uint64_t i = 0; i < 400; ++i)
            scene_add(s, 2 * scene_random(3 * i), 2 * scene_random(3 * i + 1),
                      2 * scene_random(3 * i + 2), 0.1, 0.3);
        def.threads = threads[k];
        CHECK_OK(mote_tasks_create(&def, &s->def.tasks, &error), error);
        CHECK_OK(mote_image_create(WIDTH, HEIGHT, &image, &error), error);
        CHECK_OK(render_with_tiles(&s->def, &s->frame, tiles[k], image, &error), error);
        uint64_t hash =
            hash_bytes(1, mote_image_pixels(image), image_floats(image) * sizeof(float));
        if (k == 0) first = hash;
        CHECK(hash == first);
        mote_tasks_destroy(s->def.tasks);
        mote_image_destroy(image);
        free(s);
    }
}

TESTS({"silhouettes_have_their_area", silhouettes_have_their_area},
      {"small_things_are_seen", small_things_are_seen},
      {"light_falls_with_the_cosine", light_falls_with_the_cosine},
      {"lights_add_and_fall_off", lights_add_and_fall_off},
      {"depths_are_distances_along_the_view", depths_are_distances_along_the_view},
      {"shadows_fall_where_they_should", shadows_fall_where_they_should},
      {"no_light_leaks_at_contacts", no_light_leaks_at_contacts},
      {"shadows_have_the_shape_of_their_thing", shadows_have_the_shape_of_their_thing},
      {"particles_fade_at_surfaces", particles_fade_at_surfaces},
      {"an_eye_inside_sees_through", an_eye_inside_sees_through},
      {"bits_do_not_depend_on_threads_or_tiles", bits_do_not_depend_on_threads_or_tiles})
