/* Opaque shapes: silhouettes, depths, light, shadows, and what splats do before them. */
#include "check.h"

#include <mote/shapes.h>

#include "geometry/pose.h"
#include "render/facets.h"
#include "render/light.h"
#include "render/render.h"
#include "render/scene.h"
#include "render/solid.h"

#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

static mote_SphereShape ball = {1};
static mote_BoxShape cube = {{1, 1, 1}};
static mote_PlaneShape ground = {{0, 1, 0}, 0};

static mote_FrameShape shape_at(const char *type, const void *params, double x, double y, double z)
{
    return (mote_FrameShape){.name = "it",
                             .type = type,
                             .params = params,
                             .position = {x, y, z},
                             .orientation = {0, 0, 0, 1}};
}

static mote_ShapeLook white = {.shape = "it", .color = {1, 1, 1}, .roughness = 1, .visible = true};
static mote_Light lamp = {
    .type = MOTE_LIGHT_SUN, .toward = {0, 0, 1}, .color = {1, 1, 1}, .intensity = 1};

/* An orthographic view along -z, 20 px per metre, of white dull shapes and one sun without
 * shadows. */
static Scene *stage_scene(mote_FrameShape *shapes, size_t count)
{
    Scene *s = scene_make(HEIGHT / 20);
    s->frame.shapes = shapes, s->frame.shape_count = count;
    s->def.shapes = &white, s->def.shape_count = 1;
    s->def.lights = &lamp, s->def.light_count = 1;
    s->def.ambient = (mote_Vec3){0, 0, 0};
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

/* ---- motion ---- */

/* A ball that goes 3 m sideways while the shutter is open: its area stays, and a pixel on its way
 * is covered as long as the ball is there. */
static void motion_covers_for_its_time(void)
{
    mote_FrameShape shape = shape_at("sphere", &ball, 0, 0, 0);
    Scene *s = stage_scene(&shape, 1);
    shape.velocity[0] = 3;
    mote_Image *image = draw(s);
    CHECK_NEAR(image_sum(image, 3) / (M_PI * 400), 1, 0.01);
    for (int x = 5; x < WIDTH - 5; x += 5) {
        double at = (x + 0.5 - WIDTH / 2) / 20; /* m, of the middle row: half a pixel above it */
        double reach = sqrt(1 - 0.025 * 0.025), from = fmax(at - reach, -1.5),
               to = fmin(at + reach, 1.5);
        CHECK_NEAR(pixel(image, x, HEIGHT / 2)[3], to > from ? (to - from) / 3 : 0, 0.06);
    }
    s->def.camera.shutter = 0;
    mote_Image *still = draw(s);
    CHECK_NEAR(pixel(still, WIDTH / 2 + 25, HEIGHT / 2)[3], 0, 1e-6);
    mote_image_destroy(image), mote_image_destroy(still);
    free(s);
}

/* The mean of still pictures at many moments, of the same motion. */
static void add_stills(Scene *s, mote_FrameShape *shape, double *sums)
{
    enum { STILLS = 96 };
    const mote_FrameShape moving = *shape;
    const double *w = moving.spin, speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int k = 0; k < STILLS; ++k) {
        const double t = (k + 0.5) / STILLS - 0.5, angle = speed * t;
        for (int c = 0; c < 3; ++c) {
            shape->position[c] = moving.position[c] + moving.velocity[c] * t;
            shape->orientation[c] = sin(angle / 2) * w[c] / speed;
            shape->velocity[c] = shape->spin[c] = 0;
        }
        shape->orientation[3] = cos(angle / 2);
        mote_Image *image = draw(s);
        for (size_t i = 0; i < image_floats(image); ++i)
            sums[i] += (double)mote_image_pixels(image)[i] / STILLS;
        mote_image_destroy(image);
    }
    *shape = moving;
}

/* A box that flies and turns, in perspective, beside the mean of stills. */
static void motion_is_the_mean_of_stills(void)
{
    mote_FrameShape shape = shape_at("box", &cube, 0.1, -0.2, 0);
    Scene *s = stage_scene(&shape, 1);
    double *sums = calloc((size_t)WIDTH * HEIGHT * 4, sizeof *sums), square = 0;
    s->def.camera.from = (mote_Vec3){1, 2, 6}, s->def.camera.height = 0;
    shape.velocity[0] = 1.2, shape.velocity[1] = 0.7, shape.velocity[2] = 0.5;
    shape.spin[0] = 0.3, shape.spin[1] = -0.8, shape.spin[2] = 0.6;
    mote_Image *image = draw(s);
    add_stills(s, &shape, sums);
    const size_t count = image_floats(image);
    for (size_t i = 0; i < count; ++i) {
        const double difference = (double)mote_image_pixels(image)[i] - sums[i];
        CHECK(fabs(difference) < 0.1);
        square += difference * difference;
    }
    CHECK(sqrt(square / (double)count) < 1.5 / 255);
    mote_image_destroy(image);
    free(sums), free(s);
}

/* Lit from the eye nothing of a box is in shade, as a compound neither, which looks for its own. */
static void motion_throws_no_shadow_on_itself(void)
{
    mote_ShapeDef part = {"box", &cube, mote_pose_def()};
    mote_Light sun = lamp;
    mote_Shapes *parts = NULL;
    mote_Image *images[2];
    mote_Error error;
    CHECK_OK(mote_shapes_create(&part, 1, (mote_Allocator){0}, &parts, &error), error);
    mote_CompoundShape compound = {parts};
    sun.shadows = true;
    for (int k = 0; k < 2; ++k) {
        mote_FrameShape shape =
            k == 0 ? shape_at("box", &cube, 0, 0, 0) : shape_at("compound", &compound, 0, 0, 0);
        Scene *s = stage_scene(&shape, 1);
        s->def.lights = &sun;
        shape.orientation[0] = 0.3, shape.orientation[1] = 0.4, shape.orientation[3] = sqrt(0.75);
        shape.velocity[1] = 0.3, shape.velocity[2] = -0.6, shape.spin[0] = 0.9;
        images[k] = draw(s);
        free(s);
    }
    for (size_t i = 0; i < image_floats(images[0]); ++i)
        CHECK_NEAR(mote_image_pixels(images[1])[i], mote_image_pixels(images[0])[i], 0.1);
    CHECK_NEAR(image_sum(images[1], 0) / image_sum(images[0], 0), 1, 1e-3);
    mote_image_destroy(images[0]), mote_image_destroy(images[1]);
    mote_shapes_release(parts);
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

/* ---- wires ---- */

/* The brightest of the pixels around a place of the stage. */
static double brightest(mote_Image *image, mote_Vec3 at)
{
    double most = 0;
    int x = (int)(WIDTH / 2 + 20 * (double)at.x), y = (int)(HEIGHT / 2 - 20 * (double)at.y);
    for (int k = 0; k < 9; ++k)
        most = fmax(most, (double)pixel(image, x + k % 3 - 1, y + k / 3 - 1)[0]);
    return most;
}

/* Black shapes with their wires alone; both are turned, so that no line is along an axis. */
static mote_Image *draw_wires(const char *type, const void *params, mote_Pose *pose)
{
    static mote_ShapeLook black = {.shape = "it", .roughness = 1, .visible = true};
    mote_FrameShape shape = shape_at(type, params, 0, 0, 0);
    const double turn[4] = {0.25, 0.35, 0.1, sqrt(1 - 0.0625 - 0.1225 - 0.01)};
    for (int k = 0; k < 4; ++k) shape.orientation[k] = turn[k];
    *pose = (mote_Pose){
        {0, 0, 0},
        {(mote_real)turn[0], (mote_real)turn[1], (mote_real)turn[2], (mote_real)turn[3]}};
    Scene *s = stage_scene(&shape, 1);
    s->def.shapes = &black;
    s->def.light_count = 0;
    s->def.show = MOTE_SHOW_WIREFRAME;
    mote_Image *image = draw(s);
    free(s);
    return image;
}

/* A line on the surface that it belongs to has no gaps, as long as that faces the eye. */
static void wires_have_no_gaps(void)
{
    mote_SphereShape globe = {(mote_real)2.5};
    mote_BoxShape crate = {{3, 3, 3}};
    const mote_real half = (mote_real)1.5;
    mote_Pose pose;
    int seen = 0;
    mote_Image *image = draw_wires("sphere", &globe, &pose);
    for (int i = 0; i < 3 * 360; ++i) {
        double angle = i * M_PI / 180, u = 2.5 * cos(angle), v = 2.5 * sin(angle);
        mote_Vec3 at = i % 3 == 0   ? vec3((mote_real)u, (mote_real)v, 0)
                       : i % 3 == 1 ? vec3(0, (mote_real)u, (mote_real)v)
                                    : vec3((mote_real)v, 0, (mote_real)u);
        at = pose_apply(&pose, at);
        if (!(at.z > (mote_real)0.75)) continue;
        CHECK(brightest(image, at) > 0.15);
        ++seen;
    }
    CHECK(seen > 300);
    mote_image_destroy(image);
    image = draw_wires("box", &crate, &pose);
    mote_Vec3 near = {0, 0, 0};
    for (int i = 0; i < 8; ++i) {
        mote_Vec3 at = {i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
        if (pose_apply(&pose, at).z > pose_apply(&pose, near).z) near = at;
    }
    for (int i = 0; i < 3 * 101; ++i) { /* the edges at the corner that is nearest to the eye */
        mote_Vec3 at = near;
        *(i % 3 == 0 ? &at.x : i % 3 == 1 ? &at.y : &at.z) *= (mote_real)(1 - 0.02 * (i / 3));
        CHECK(brightest(image, pose_apply(&pose, at)) > 0.15);
    }
    mote_image_destroy(image);
}

/* A container's edges stand where its hollow does, which may have a place of its own. */
static void containers_are_drawn_where_they_are(void)
{
    const mote_BoxShape room = {{2, 1, 2}};
    mote_ShapeDef defs[2] = {{"box", &room, mote_pose_def()}, {"box", &room, mote_pose_def()}};
    mote_Image *images[2];
    mote_Shapes *hollow[2];
    mote_Error error;
    defs[1].pose.position = vec3(1, (mote_real)0.5, 0);
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(mote_shapes_create(&defs[k], 1, (mote_Allocator){0}, &hollow[k], &error), error);
        mote_InvertedShape walls = {hollow[k]};
        mote_FrameShape shape = shape_at("inverted", &walls, k == 0 ? 1 : 0, k == 0 ? 0.5 : 0, 0);
        Scene *s = stage_scene(&shape, 1);
        images[k] = draw(s);
        CHECK(image_sum(images[k], 3) > 100);
        free(s);
    }
    CHECK(memcmp(mote_image_pixels(images[0]), mote_image_pixels(images[1]),
                 sizeof(float[4]) * WIDTH * HEIGHT) == 0);
    for (int k = 0; k < 2; ++k) mote_image_destroy(images[k]), mote_shapes_release(hollow[k]);
}

/* ---- triangles ---- */

/* Two triangles between four particles, a square of side 2 that fills x, y in [-1, 1]. */
static Scene *square_scene(mote_FrameMesh *mesh, double tilt)
{
    static const uint64_t corners[6] = {0, 0, 1, 2, 2, 3};
    Scene *s = stage_scene(NULL, 0);
    *mesh = (mote_FrameMesh){.name = "cloth", .triangles = corners, .triangle_count = 2};
    scene_add(s, -1, -1, -tilt, 0.1, 1);
    scene_add(s, 1, -1, tilt, 0.1, 1);
    scene_add(s, 1, 1, tilt, 0.1, 1);
    scene_add(s, -1, 1, -tilt, 0.1, 1);
    s->frame.meshes = mesh, s->frame.mesh_count = 1;
    return s;
}

/* Area without a gap along the diagonal, and Lambert's cosine on both sides. */
static void triangles_are_drawn_and_lit(void)
{
    for (int back = 0; back < 2; ++back) {
        mote_FrameMesh mesh;
        Scene *s = square_scene(&mesh, 0.75);
        s->def.camera.from.z = (mote_real)(back ? -100 : 100);
        lamp.toward = (mote_Vec3){0, 0, (mote_real)(back ? -1 : 1)};
        mote_Image *image = draw(s);
        CHECK_NEAR(image_sum(image, 3) / 1600, 1, 0.004);
        for (int y = HEIGHT / 2 - 15; y < HEIGHT / 2 + 15; ++y)
            for (int x = WIDTH / 2 - 15; x < WIDTH / 2 + 15; ++x) {
                CHECK(pixel(image, x, y)[3] == 1);
                CHECK_NEAR(pixel(image, x, y)[1], 1 / sqrt(1 + 0.75 * 0.75), 0.02);
            }
        lamp.toward = (mote_Vec3){0, 0, 1};
        mote_image_destroy(image);
        free(s);
    }
}

/* A square 2 m above the ground casts its shadow there. */
static void triangles_cast_shadows(void)
{
    mote_FrameMesh mesh;
    mote_FrameShape floor_shape = shape_at("plane", &ground, 0, 0, 0);
    Scene *s = square_scene(&mesh, 0);
    mote_Light sun = {
        .toward = {1, 1, 0}, .color = {1, 1, 1}, .intensity = 1, .size = 1, .shadows = true};
    for (size_t i = 0; i < 4; ++i) { /* lay it down */
        s->position[2][i] = s->position[1][i];
        s->position[1][i] = 2;
    }
    s->frame.shapes = &floor_shape, s->frame.shape_count = 1;
    s->def.lights = &sun;
    s->def.backdrop.transparent = false;
    s->def.ground = (mote_GroundLook){.visible = true, .colors = {{1, 1, 1}, {1, 1, 1}}};
    s->def.camera.from = (mote_Vec3){0, 20, 0};
    s->def.camera.up = (mote_Vec3){0, 0, -1};
    mote_Image *image = draw(s);
    CHECK(pixel(image, WIDTH / 2 - 50, HEIGHT / 2)[0] < 1e-3f); /* x = -2.5 */
    CHECK_NEAR(pixel(image, WIDTH / 2 + 50, HEIGHT / 2)[0], sqrt(0.5), 1e-3);
    CHECK_NEAR(pixel(image, WIDTH / 2 - 50, HEIGHT / 2 + 30)[0], sqrt(0.5), 1e-3);
    mote_image_destroy(image);
    free(s);
}

/* A floor of two triangles 1 m below the eye, from 20 m behind it to 20 m before it: below the
 * horizon every pixel is covered, as far as the floor goes. */
static void triangles_around_the_eye_are_cut(void)
{
    mote_FrameMesh mesh;
    Scene *s = square_scene(&mesh, 0);
    for (size_t i = 0; i < 4; ++i) {
        s->position[2][i] = 20 * s->position[1][i];
        s->position[0][i] *= 20;
        s->position[1][i] = -1;
    }
    s->def.camera = plain_camera();
    s->def.camera.from = (mote_Vec3){0, 0, 0};
    s->def.camera.to = (mote_Vec3){0, 0, -1};
    s->def.camera.fov = 60;
    mote_Image *image = draw(s);
    const double focal = HEIGHT / 2.0 / tan(30 * 3.14159265358979323846 / 180);
    for (int y = 0; y < HEIGHT; ++y) {
        double top = (y - HEIGHT / 2.0) / focal, bottom = (y + 1 - HEIGHT / 2.0) / focal;
        for (int x = 0; x < WIDTH; ++x) {
            if (top > 1 / 19.9) CHECK_NEAR(pixel(image, x, y)[3], 1, 1e-6);
            if (bottom < 1 / 20.1) CHECK(pixel(image, x, y)[3] == 0);
        }
    }
    mote_image_destroy(image);
    free(s);
}

static void broken_triangles_do_no_harm(void)
{
    static const uint64_t corners[9] = {0, 1, 7, 1, 2, 2, 2, 2, 1u << 30};
    mote_FrameMesh mesh;
    Scene *s = square_scene(&mesh, 0);
    mesh.triangles = corners, mesh.triangle_count = 3;
    s->position[0][1] = (mote_real)NAN;
    s->position[1][2] = (mote_real)INFINITY;
    mote_Image *image = draw(s);
    for (size_t i = 0; i < image_floats(image); ++i) CHECK(isfinite(mote_image_pixels(image)[i]));
    mote_image_destroy(image);
    free(s);
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
      {"motion_covers_for_its_time", motion_covers_for_its_time},
      {"motion_is_the_mean_of_stills", motion_is_the_mean_of_stills},
      {"motion_throws_no_shadow_on_itself", motion_throws_no_shadow_on_itself},
      {"an_eye_inside_sees_through", an_eye_inside_sees_through},
      {"bits_do_not_depend_on_threads_or_tiles", bits_do_not_depend_on_threads_or_tiles},
      {"wires_have_no_gaps", wires_have_no_gaps},
      {"containers_are_drawn_where_they_are", containers_are_drawn_where_they_are},
      {"triangles_are_drawn_and_lit", triangles_are_drawn_and_lit},
      {"triangles_cast_shadows", triangles_cast_shadows},
      {"triangles_around_the_eye_are_cut", triangles_around_the_eye_are_cut},
      {"broken_triangles_do_no_harm", broken_triangles_do_no_harm})
