/* Triangles between particles: cloth, as it is drawn, lit and shadowed. */
#include "render/staged.h"

static mote_PlaneShape ground = {{0, 1, 0}, 0};

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

/* Half of a drum of cloth in the sun: light falls with the cosine all the way to where it grazes,
 * and facets throw no teeth of shadow on each other. */
static void bent_cloth_has_no_teeth(void)
{
    enum { AROUND = 25, N = 2 * (AROUND - 1) };
    static uint64_t corners[3 * N];
    mote_FrameMesh mesh = {.name = "cloth", .triangles = corners, .triangle_count = N};
    Scene *s = stage_scene(NULL, 0);
    mote_Light sun = {.toward = {1, 0, (mote_real)0.2},
                      .color = {1, 1, 1},
                      .intensity = 1,
                      .size = (mote_real)0.3,
                      .shadows = true};
    for (int i = 0; i < AROUND; ++i) {
        const double a = M_PI * i / (AROUND - 1);
        for (int side = -1; side <= 1; side += 2)
            scene_add(s, -2 * cos(a), 2 * side, 2 * sin(a), 0.1, 1);
    }
    for (uint64_t t = 0; t < N; ++t) {
        const uint64_t c[3] = {t, t + 1 + t % 2, t + 2 - t % 2};
        for (size_t k = 0; k < 3; ++k) corners[k * N + t] = c[k];
    }
    s->frame.meshes = &mesh, s->frame.mesh_count = 1, s->def.lights = &sun;
    mote_Image *image = draw(s);
    for (int x = WIDTH / 2 - 36; x < WIDTH / 2 + 36; ++x) {
        const double right = (x + 0.5 - WIDTH / 2) / 40, ahead = sqrt(1 - right * right);
        const double cosine = (right + 0.2 * ahead) / sqrt(1.04);
        for (int y = HEIGHT / 2 - 30; y < HEIGHT / 2 + 30; y += 6)
            CHECK_NEAR(pixel(image, x, y)[1], cosine > 0 ? cosine : 0, 0.05);
    }
    mote_image_destroy(image);
    free(s);
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
    mote_Light two[2] = {sun, sun}; /* the second from the other side */
    two[1].toward.x = -1;
    s->def.lights = two, s->def.light_count = 2;
    image = draw(s);
    CHECK_NEAR(pixel(image, WIDTH / 2 - 50, HEIGHT / 2)[0], sqrt(0.5), 1e-3);
    CHECK_NEAR(pixel(image, WIDTH / 2 + 50, HEIGHT / 2)[0], sqrt(0.5), 1e-3);
    CHECK_NEAR(pixel(image, WIDTH / 2 - 50, HEIGHT / 2 + 30)[0], 2 * sqrt(0.5), 1e-3);
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

/* Eight triangles around the middle of a pixel, none of which has half of it: a white ball behind
 * them is not seen there. */
static void many_triangles_hide_what_is_behind(void)
{
    enum { AROUND = 8 };
    uint64_t corners[3 * AROUND];
    Scene *s = stage_scene(NULL, 0), *behind = stage_scene(NULL, 0);
    const double middle = 0.5 / 20; /* m: of a pixel */
    scene_add(s, middle, middle, 0, 0.1, 1);
    for (uint64_t i = 0; i < AROUND; ++i) {
        const double turn = 6.283185307179586 * ((double)i + 0.4) / AROUND;
        scene_add(s, middle + cos(turn), middle + sin(turn), 0, 0.1, 1);
        corners[3 * i] = 0, corners[3 * i + 1] = i + 1, corners[3 * i + 2] = (i + 1) % AROUND + 1;
    }
    mote_FrameMesh mesh = {.name = "cloth", .triangles = corners, .triangle_count = AROUND};
    scene_add(behind, 0, 0, -5, 0.5, 1);
    behind->system.name = "ball";
    mote_FrameSystem systems[2] = {s->system, behind->system};
    s->frame.meshes = &mesh, s->frame.mesh_count = 1;
    s->frame.systems = systems;
    mote_Image *images[2];
    for (size_t i = 0; i < 2; ++i) s->frame.system_count = i + 1, images[i] = draw(s);
    for (int y = HEIGHT / 2 - 5; y < HEIGHT / 2 + 5; ++y)
        for (int x = WIDTH / 2 - 5; x < WIDTH / 2 + 5; ++x)
            CHECK(memcmp(pixel(images[0], x, y), pixel(images[1], x, y), 16) == 0);
    for (size_t i = 0; i < 2; ++i) mote_image_destroy(images[i]);
    free(s), free(behind);
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

TESTS({"triangles_are_drawn_and_lit", triangles_are_drawn_and_lit},
      {"bent_cloth_has_no_teeth", bent_cloth_has_no_teeth},
      {"triangles_cast_shadows", triangles_cast_shadows},
      {"triangles_around_the_eye_are_cut", triangles_around_the_eye_are_cut},
      {"many_triangles_hide_what_is_behind", many_triangles_hide_what_is_behind},
      {"broken_triangles_do_no_harm", broken_triangles_do_no_harm})
