/* Edges of shapes, drawn as lines. */
#include "render/staged.h"

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

TESTS({"wires_have_no_gaps", wires_have_no_gaps},
      {"containers_are_drawn_where_they_are", containers_are_drawn_where_they_are})
