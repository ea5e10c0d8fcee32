/* The scale bar: as long in the picture as two particles that are its length apart at camera.to. */
#include "plot/legend.h"
#include "plot/overlay.h"
#include "setup.h"

enum { WIDTH = 640, HEIGHT = 360 };

typedef struct Picture {
    mote_World *world;
    mote_Image *image;
    mote_RenderDef def;
} Picture;

static mote_Vec3 beside(mote_Vec3 at, mote_Vec3 side, mote_real share)
{
    return (mote_Vec3){at.x + share * side.x, at.y + share * side.y, at.z + share * side.z};
}

/* Two particles on a line across the view through camera.to, which `side` is half of. */
static Picture picture_make(mote_Camera camera, mote_Vec3 side)
{
    mote_WorldDef def = setup_def(0.01);
    Picture picture = {.world = setup_world(&def), .def = mote_render_def()};
    mote_System *dots = setup_system(picture.world, "dots", NULL, NULL);
    mote_Error error;
    picture.def.camera = camera;
    picture.def.backdrop.transparent = true;
    picture.def.bloom = 0;
    for (int i = -1; i <= 1; i += 2)
        setup_particle(dots, beside(camera.to, side, (mote_real)i), setup_vec(0, 0, 0));
    for (size_t row = 0; row < 2; ++row) setup_reals(dots, "radius", 0)[row] = (mote_real)0.06;
    SETUP_OK(mote_image_create(WIDTH, HEIGHT, &picture.image, &error), error);
    SETUP_OK(mote_render(&picture.def, mote_world_frame(picture.world), picture.image, &error),
             error);
    return picture;
}

static void picture_end(Picture *picture)
{
    mote_image_destroy(picture->image);
    mote_world_destroy(picture->world);
}

/* Pixels from the one to the other, by where the middle of each half's opacity is. */
static double dots_apart(const Picture *picture)
{
    const float *pixels = mote_image_pixels(picture->image);
    double sum[2] = {0}, moment[2] = {0};
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        int x = i % WIDTH, half = x >= WIDTH / 2;
        sum[half] += (double)pixels[4 * i + 3];
        moment[half] += x * (double)pixels[4 * i + 3];
    }
    CHECK(sum[0] > 1 && sum[1] > 1);
    return moment[1] / sum[1] - moment[0] / sum[0];
}

/* Pixels of the brightest row at the lower left: the bar's. */
static double bar_length(const Picture *picture)
{
    const float *pixels = mote_image_pixels(picture->image);
    double most = 0;
    for (int y = 2 * HEIGHT / 3; y < HEIGHT; ++y) {
        double sum = 0;
        for (int x = 0; x < WIDTH / 2; ++x) sum += pixels[4 * (y * WIDTH + x)] > 0.4f;
        most = sum > most ? sum : most;
    }
    return most;
}

static bool is_round(double metres, double tolerance)
{
    static const double rounds[] = {0.1, 0.2, 0.5, 1, 2, 5, 10};
    for (size_t i = 0; i < COUNT_OF(rounds); ++i)
        if (fabs(metres / rounds[i] - 1) < tolerance) return true;
    return false;
}

/* False without Cairo. */
static bool check_bar(mote_Camera camera, mote_Vec3 side)
{
    Picture picture = picture_make(camera, side);
    mote_Error error;
    double half = sqrt((double)(side.x * side.x + side.y * side.y + side.z * side.z));
    double scale = dots_apart(&picture) / (2 * half);
    CHECK_NEAR(mote_camera_scale(&camera, HEIGHT) / scale, 1, 0.005);
    CHECK_OK(legends_draw(NULL, &picture.def, picture.image, &error), error);
    CHECK(bar_length(&picture) == 0); /* not asked for */
    picture.def.scale_bar = true;
    mote_Status status = legends_draw(NULL, &picture.def, picture.image, &error);
    if (status != MOTE_UNAVAILABLE) {
        double length = bar_length(&picture);
        CHECK_OK(status, error);
        CHECK(length > 0.07 * WIDTH && length <= 0.2 * WIDTH + 1);
        if (!is_round(length / scale, 1.5 / length))
            fprintf(stderr, "the bar is %g m long\n", length / scale);
        CHECK(is_round(length / scale, 1.5 / length));
    }
    picture_end(&picture);
    return status != MOTE_UNAVAILABLE;
}

static void is_as_long_as_it_says(void)
{
    mote_Camera near = mote_camera_def();
    near.from = setup_vec(0, 1, 5), near.to = setup_vec(0, 0, 0);
    mote_Camera turned = near, flat = near;
    if (!check_bar(near, setup_vec(1, 0, 0))) printf("skipped: there is no Cairo\n");
    near.fov = 12, near.to = setup_vec(0.2, 0.4, -3);
    check_bar(near, setup_vec(0.5, 0, 0.5 * 0.2 / 8)); /* across the view to there */
    turned.orbit = 90, turned.dolly = 3;
    check_bar(turned, setup_vec(0, 0, -2));
    flat.height = 7, flat.dolly = 2;
    check_bar(flat, setup_vec(2, 0, 0));
}

/* Bright pixels of the upper left corner, and of all else. */
static void count_bright(const Picture *picture, size_t found[2])
{
    const float *pixels = mote_image_pixels(picture->image);
    found[0] = found[1] = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        found[i % WIDTH > WIDTH / 4 || i / WIDTH > HEIGHT / 6] += pixels[4 * i] > 0.4f;
}

/* Seconds with two digits, in the upper left corner, where they are asked for. */
static void clock_shows_the_time(void)
{
    static const double times[] = {0, 1.254, 99.5, 1234.5};
    static const char *const texts[] = {"0.00 s", "1.25 s", "99.50 s", "1234.5 s"};
    mote_Camera camera = mote_camera_def();
    size_t before[2], after[2];
    mote_Error error;
    for (size_t i = 0; i < COUNT_OF(times); ++i) {
        char text[32];
        plot_clock_text(times[i], text);
        CHECK(strcmp(text, texts[i]) == 0);
    }
    camera.from = setup_vec(0, 1, 5), camera.to = setup_vec(0, 0, 0);
    Picture picture = picture_make(camera, setup_vec(1, 0, 0));
    picture.def.time = 1.25;
    count_bright(&picture, before);
    CHECK_OK(legends_draw(NULL, &picture.def, picture.image, &error), error);
    count_bright(&picture, after);
    CHECK(before[0] == 0 && after[0] == 0);
    picture.def.clock = true;
    mote_Status status = legends_draw(NULL, &picture.def, picture.image, &error);
    count_bright(&picture, after);
    if (status != MOTE_UNAVAILABLE) CHECK(after[0] > 5 && after[1] == before[1]);
    picture_end(&picture);
}

TESTS({"is_as_long_as_it_says", is_as_long_as_it_says},
      {"clock_shows_the_time", clock_shows_the_time})
