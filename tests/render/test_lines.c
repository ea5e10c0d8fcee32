/* Lines: links, trails, and how cameras see. */
#include "check.h"

#include "render/image.h"
#include "render/line.h"
#include "render/scene.h"

#include <string.h>

enum { SIDE = 128 };

static mote_Image *draw(Scene *s)
{
    return scene_draw(s, SIDE, SIDE);
}

/* One link of `length` px at an angle, with a width in px: orthographic, 1 px = 1 m. */
static double link_area(double length, double width, double angle)
{
    static const uint64_t ends[2] = {0, 1};
    mote_FrameMesh mesh = {.name = "rope", .links = ends, .link_count = 1};
    Scene *s = scene_make(SIDE);
    double x = length / 2 * cos(angle), y = length / 2 * sin(angle);
    scene_add(s, 0.3 - x, 0.2 - y, 0, 1, 1);
    scene_add(s, 0.3 + x, 0.2 + y, 0, 1, 1);
    s->frame.meshes = &mesh, s->frame.mesh_count = 1;
    s->look.line = (mote_real)width;
    mote_Image *image = draw(s);
    double sum = image_sum(image, 3);
    mote_image_destroy(image);
    free(s);
    return sum;
}

/* Coverage is length times width, also of lines thinner than a pixel. */
static void lines_have_their_area(void)
{
    static const double widths[] = {0.2, 0.7, 1.5, 2.9, 8};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; ++i)
        for (int k = 0; k < 5; ++k)
            CHECK_NEAR(link_area(80, widths[i], 0.37 * k) / (80 * widths[i]), 1, 0.02);
}

/* A chain of links is as opaque as one link. */
static void chains_have_no_seams(void)
{
    static uint64_t ends[20];
    mote_FrameMesh mesh = {.name = "rope", .links = ends, .link_count = 10};
    Scene *s = scene_make(SIDE);
    for (uint64_t i = 0; i <= 10; ++i) scene_add(s, -40 + 8 * (double)i, 0, 0, 1, 1);
    for (uint64_t i = 0; i < 10; ++i) ends[i] = i, ends[10 + i] = i + 1;
    s->frame.meshes = &mesh, s->frame.mesh_count = 1;
    s->look.line = 1;
    s->look.blend = MOTE_BLEND_ADD;
    mote_Image *image = draw(s);
    CHECK_NEAR(image_sum(image, 0) / 80, 1, 0.02);
    double low = 1e9, high = 0;
    for (int x = SIDE / 2 - 35; x < SIDE / 2 + 35; ++x) {
        double sum = 0;
        for (int y = 0; y < SIDE; ++y) sum += (double)mote_image_pixels(image)[4 * (y * SIDE + x)];
        low = sum < low ? sum : low, high = sum > high ? sum : high;
    }
    CHECK(low > 0.85 && high < 1.15);
    mote_image_destroy(image);
    free(s);
}

/* Trails follow ids, whatever the order of the rows, and end where a particle was born. */
static void trails_follow_their_particle(void)
{
    Scene *now = scene_make(SIDE), *then = scene_make(SIDE), *before = scene_make(SIDE);
    scene_add(now, 20, 0, 0, 1, 1);
    scene_add(now, 20, 30, 0, 1, 1);
    scene_add(then, 0, 30, 0, 1, 1); /* rows change places */
    scene_add(then, 0, 0, 0, 1, 1);
    then->id[0] = 1, then->id[1] = 0;
    scene_add(before, -20, 30, 0, 1, 1);
    before->id[0] = 1; /* number 0 was not born yet */
    const mote_Frame *history[2] = {&then->frame, &before->frame};
    now->def.history = history, now->def.history_count = 2;
    now->look.line = 1;
    now->look.trail = 2;
    now->look.faint = 1;
    mote_Image *plain, *image = draw(now);
    now->look.trail = 0;
    plain = draw(now);
    CHECK_NEAR(image_sum(image, 3) - image_sum(plain, 3), 20 + 40, 1.5);
    const float *row = mote_image_pixels(image) + 4 * (SIDE / 2 - 30) * SIDE;
    CHECK(row[4 * (SIDE / 2 - 15) + 3] > 0.2f);
    row = mote_image_pixels(image) + 4 * (SIDE / 2) * SIDE;
    CHECK(row[4 * (SIDE / 2 + 10) + 3] > 0.2f);
    CHECK(row[4 * (SIDE / 2 - 10) + 3] == 0);
    mote_image_destroy(image);
    now->look.trail = 2; /* steps of 20 m in a box 30 m long are ways through its side */
    now->def.wrap = (mote_Vec3){30, 0, 0};
    image = draw(now);
    CHECK_NEAR(image_sum(image, 3), image_sum(plain, 3), 1e-3);
    mote_image_destroy(image);
    mote_image_destroy(plain);
    free(now);
    free(then);
    free(before);
}

/* ---- cameras ---- */

/* Where a particle's middle is in the picture. */
static void find_middle(mote_Image *image, double at[2])
{
    double sum = 0;
    at[0] = at[1] = 0;
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            double a = (double)mote_image_pixels(image)[4 * (y * SIDE + x) + 3];
            sum += a, at[0] += a * (x + 0.5), at[1] += a * (y + 0.5);
        }
    }
    CHECK(sum > 0);
    at[0] /= sum, at[1] /= sum;
}

static void cameras_project_as_they_should(void)
{
    Scene *s = scene_make(SIDE);
    double at[2];
    mote_Camera c = plain_camera();
    c.from = (mote_Vec3){0, 0, 10}, c.to = (mote_Vec3){0, 0, 0};
    c.fov = 90;
    s->def.camera = c;
    scene_add(s, 2, 3, 0, 0.3, 1);
    mote_Image *image = draw(s);
    find_middle(image, at);
    CHECK_NEAR(at[0], 64 + 64 * 0.2, 0.05); /* tan 45 degrees is 1: 64 px */
    CHECK_NEAR(at[1], 64 - 64 * 0.3, 0.05);
    mote_image_destroy(image);
    s->def.camera.height = 16; /* 8 px a metre */
    image = draw(s);
    find_middle(image, at);
    CHECK_NEAR(at[0], 64 + 16, 0.05);
    CHECK_NEAR(at[1], 64 - 24, 0.05);
    mote_image_destroy(image);
    s->def.camera.orbit = 90; /* the eye goes from +z to +x: what was towards it is at the left */
    image = draw(s);
    find_middle(image, at);
    CHECK_NEAR(at[0], 64, 0.05);
    CHECK_NEAR(at[1], 64 - 24, 0.05);
    mote_image_destroy(image);
    s->def.camera = c;
    s->def.camera.dolly = 2;
    image = draw(s);
    find_middle(image, at);
    CHECK_NEAR(at[0], 64 + 64 * 0.1, 0.05);
    mote_image_destroy(image);
    free(s);
}

static void views_have_names(void)
{
    mote_Camera c = plain_camera();
    mote_Error error;
    c.from = (mote_Vec3){0, 0, 7}, c.to = (mote_Vec3){0, 0, 0};
    CHECK_OK(mote_camera_view(&c, "top", 1, &error), error);
    CHECK(c.from.y == 7 && c.from.x == 0 && c.from.z == 0 && c.up.z == -1);
    CHECK_OK(mote_camera_view(&c, "top", 2, &error), error); /* z is up */
    CHECK(c.from.z == 7 && c.from.y == 0);
    CHECK_OK(mote_camera_view(&c, "right", 1, &error), error);
    CHECK(c.from.x == 7);
    CHECK(mote_camera_view(&c, "frnt", 1, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "`front`") != NULL);
}

TESTS({"lines_have_their_area", lines_have_their_area},
      {"chains_have_no_seams", chains_have_no_seams},
      {"trails_follow_their_particle", trails_follow_their_particle},
      {"cameras_project_as_they_should", cameras_project_as_they_should},
      {"views_have_names", views_have_names})
