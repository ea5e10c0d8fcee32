/* Sprites: each shows its cell of a sheet and no other, upright or turned, of the right size and as
 * opaque as it is, quickly and traced. */
#include "check.h"

#include "render/render.h"
#include "render/scene.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 4, ROWS = 2, CELLS = COLUMNS * ROWS, SIDE = 2, ACROSS = 128, HIGH = 64 };

/* Every texel of every cell has a colour of its own. */
static void texel(int cell, int x, int y, double color[3])
{
    color[0] = 0.08 + 0.1 * cell, color[1] = x == 0 ? 0.2 : 0.8, color[2] = y == 0 ? 0.3 : 0.7;
}

static mote_Image *image_of(int width, int height)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(width, height, &image, &error), error);
    return image;
}

static mote_Image *sheet(void)
{
    const int width = COLUMNS * SIDE, height = ROWS * SIDE;
    mote_Image *image = image_of(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float *pixel = mote_image_pixels(image) + 4 * (y * width + x);
            double color[3];
            texel(y / SIDE * COLUMNS + x / SIDE, x % SIDE, y % SIDE, color);
            for (int k = 0; k < 3; ++k) pixel[k] = (float)color[k];
            pixel[3] = 1;
        }
    return image;
}

static mote_Image *plain(int width, int height, double light, double alpha)
{
    mote_Image *image = image_of(width, height);
    for (int i = 0; i < width * height; ++i) {
        float *pixel = mote_image_pixels(image) + 4 * i;
        pixel[0] = pixel[1] = pixel[2] = (float)light, pixel[3] = (float)alpha;
    }
    return image;
}

/* A picture of 128 x 64 px; what a traced one sees beside sprites is `sky`. */
static Scene *sprites(const mote_Image *image, int columns, int rows, double sky, bool traced)
{
    Scene *s = scene_make(HIGH);
    s->look.image = image;
    s->look.columns = (uint64_t)columns, s->look.rows = (uint64_t)rows;
    s->def.backdrop.transparent = false;
    s->def.backdrop.horizon = (mote_Vec3){(mote_real)sky, (mote_real)sky, (mote_real)sky};
    s->def.backdrop.zenith = s->def.backdrop.horizon;
    s->def.trace.samples = traced ? 64 : 0;
    return s;
}

/* A column of one number a particle, in a list of columns of its own. */
static void add_column(Scene *s, mote_Column columns[7], const char *name, mote_real *data)
{
    memcpy(columns, s->columns, sizeof s->columns);
    columns[6] = scene_column(name, MOTE_COLUMN_REAL, 1, data);
    s->system.columns = columns, s->system.column_count = 7;
}

static const float *pixel_at(mote_Image *picture, double x, double y)
{
    const int column = (int)floor(ACROSS / 2 + x), row = (int)floor(HIGH / 2 + y);
    return mote_image_pixels(picture) + 4 * (row * ACROSS + column);
}

/* The mean of red or green over 4 x 4 pixels around a place: a traced one of 64 paths is uneven. */
static double mean_at(mote_Image *picture, double x, double y, int channel)
{
    double sum = 0;
    for (int i = 0; i < 16; ++i)
        sum += (double)pixel_at(picture, x + i % 4 - 2, y + i / 4 - 2)[channel];
    return sum / 16;
}

static void check_texel(mote_Image *picture, double x, double y, const int of[3], double near)
{
    double wanted[3];
    const float *found = pixel_at(picture, x, y);
    texel(of[0], of[1], of[2], wanted);
    for (int k = 0; k < 3; ++k) CHECK_NEAR((double)found[k], wanted[k], near);
}

static const bool ways[] = {false, true};
enum { WAYS = MOTE_WITH_EMBREE ? 2 : 1 };

/* ---- which cell, and how it stands ---- */

/* By their ids; 32 px wide, so that the middles of texels are 8 px from theirs. */
static void each_particle_shows_its_cell(void)
{
    mote_Image *image = sheet();
    for (int way = 0; way < WAYS; ++way) {
        Scene *s = sprites(image, COLUMNS, ROWS, 0, ways[way]);
        for (int i = 0; i < CELLS; ++i)
            scene_add(s, 32 * (i % 4) - 48, 16 - 32 * (i / 4), 0, 16, 1);
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        for (int i = 0; i < CELLS * SIDE * SIDE; ++i) {
            const int cell = i / 4, x = i % 2, y = i / 2 % 2;
            check_texel(picture, 32 * (cell % 4) - 48 + 16 * x - 8,
                        32 * (cell / 4) - 16 + 16 * y - 8, (const int[3]){cell, x, y}, 0.02);
        }
        mote_image_destroy(picture);
        free(s);
    }
    mote_image_destroy(image);
}

/* Whole parts, around the number of cells. */
static void a_column_chooses_cells(void)
{
    static const struct {
        double value;
        int cell;
    } rows[] = {{9.7, 1}, {-1, 7}, {2.999, 2}, {(double)NAN, 0}};
    mote_Image *image = sheet();
    for (int way = 0; way < WAYS; ++way) {
        Scene *s = sprites(image, COLUMNS, ROWS, 0, ways[way]);
        mote_real cells[4];
        mote_Column columns[7];
        add_column(s, columns, "cell", cells);
        for (int i = 0; i < 4; ++i) {
            scene_add(s, 32 * i - 48, 0, 0, 16, 1);
            cells[i] = (mote_real)rows[i].value;
        }
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        for (int i = 0; i < 4; ++i)
            check_texel(picture, 32 * i - 56, -8, (const int[3]){rows[i].cell, 0, 0}, 0.02);
        mote_image_destroy(picture);
        free(s);
    }
    mote_image_destroy(image);
}

/* To the left: what was upper left is lower left after a quarter; and 10 px from the middle. */
static void they_turn(void)
{
    static const double degrees[] = {90, -90, 30, 200};
    mote_Image *image = sheet();
    for (int way = 0; way < WAYS; ++way) {
        Scene *s = sprites(image, COLUMNS, ROWS, 0, ways[way]);
        mote_real turns[4];
        mote_Column columns[7];
        add_column(s, columns, "turn", turns);
        for (int i = 0; i < 4; ++i) {
            scene_add(s, 32 * i - 48, 0, 0, 14, 1);
            turns[i] = (mote_real)degrees[i];
        }
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        for (int n = 0; n < 16; ++n) {
            const int i = n / 4, x = n % 2, y = n / 2 % 2;
            const double a = degrees[i] * 3.14159265358979 / 180, c = cos(a), d = sin(a);
            const double right = 14 * (x - 0.5), up = -14 * (y - 0.5);
            check_texel(picture, 32 * i - 48 + right * c - up * d, -(right * d + up * c),
                        (const int[3]){i, x, y}, 0.03);
        }
        mote_image_destroy(picture);
        free(s);
    }
    mote_image_destroy(image);
}

/* ---- how large, how opaque ---- */

/* Cells of 4 x 2 px: as wide as the particle, half as high. Upright the area is exact; turned, the
 * corners of a pixel count a little otherwise. */
static void they_cover_their_area(void)
{
    static const double radii[] = {0.1, 0.4, 1, 3.3, 10}, degrees[] = {0, 30, 45};
    mote_Image *image = plain(8, 2, 1, 1);
    for (int n = 0; n < 15; ++n) {
        Scene *s = sprites(image, 2, 1, 0, false);
        const double r = radii[n % 5];
        mote_real turn = (mote_real)degrees[n / 5];
        mote_Column columns[7];
        add_column(s, columns, "turn", &turn);
        s->def.backdrop.transparent = true;
        scene_add(s, 0.37, 0.21, 0, r, 1);
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        CHECK_NEAR(image_sum(picture, 3) / (2 * r * r), 1, n < 5 ? 1e-4 : 0.02);
        mote_image_destroy(picture);
        free(s);
    }
    mote_image_destroy(image);
}

/* Half opaque, of opacity 0.6: 0.3 of what is behind is hidden, and 0.6 times the light is there.
 * Light that is added hides nothing. */
static void light_is_premultiplied(void)
{
    mote_Image *image = plain(2, 2, 0.4, 0.5);
    for (int way = 0; way < 2 * WAYS; ++way) {
        const bool adds = way % 2;
        Scene *s = sprites(image, 1, 1, 0.8, ways[way / 2]);
        s->look.blend = adds ? MOTE_BLEND_ADD : MOTE_BLEND_OVER;
        scene_add(s, 0.5, 0.5, 0, 10, 0.6);
        s->color[1][0] = (mote_real)0.5;
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        CHECK_NEAR(mean_at(picture, 0, 0, 0), 0.6 * 0.4 + (adds ? 1 : 0.7) * 0.8, 0.02);
        CHECK_NEAR(mean_at(picture, 0, 0, 1), 0.3 * 0.4 + (adds ? 1 : 0.7) * 0.8, 0.02);
        mote_image_destroy(picture);
        free(s);
    }
    mote_image_destroy(image);
}

/* Cells of fine black and white beside red ones, seen from afar: grey, and never red. */
static void small_ones_are_smooth_and_show_no_neighbour(void)
{
    enum { FINE = 9 };
    mote_Image *image = image_of(2 * FINE, FINE);
    Scene *s = sprites(image, 2, 1, 0, false);
    for (int y = 0; y < FINE; ++y)
        for (int x = 0; x < 2 * FINE; ++x) {
            float *pixel = mote_image_pixels(image) + 4 * (2 * FINE * y + x);
            pixel[0] = x < FINE ? (float)((x + y) % 2) : 1, pixel[3] = 1;
            pixel[1] = pixel[2] = x < FINE ? pixel[0] : 0;
        }
    for (int i = 0; i < 9; ++i) scene_add(s, 8 * i - 32 + 0.11 * i, 0.09 * i, 0, 1.2, 1);
    for (int i = 0; i < 9; ++i) s->id[i] = 0;
    s->def.backdrop.transparent = true;
    mote_Image *picture = scene_draw(s, ACROSS, HIGH);
    for (int i = 0; i < ACROSS * HIGH; ++i) {
        const float *pixel = mote_image_pixels(picture) + 4 * i;
        if (pixel[3] < 0.5f) continue;
        CHECK_NEAR((double)(pixel[0] / pixel[3]), 0.5, 0.08);
        CHECK_NEAR((double)(pixel[1] / pixel[3]), (double)(pixel[0] / pixel[3]), 1e-3);
    }
    free(s);
    mote_image_destroy(picture), mote_image_destroy(image);
}

/* 8 px wide, 40 px of way: a fifth of the time over each pixel between. */
static void they_are_blurred_by_their_motion(void)
{
    mote_Image *image = plain(2, 2, 1, 1);
    for (int way = 0; way < WAYS; ++way) {
        Scene *s = sprites(image, 1, 1, 0, ways[way]);
        scene_add(s, 0, 0, 0, 4, 1);
        s->velocity[0][0] = 40;
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        for (int x = -14; x <= 14; x += 4)
            CHECK_NEAR(mean_at(picture, x, 0, 0), 0.2, way == 0 ? 0.01 : 0.03);
        CHECK(pixel_at(picture, 26, 0)[0] < 0.01f && pixel_at(picture, -27, 0)[0] < 0.01f);
        CHECK(pixel_at(picture, 0, 6)[0] < 0.01f);
        mote_image_destroy(picture);
        free(s);
    }
    mote_image_destroy(image);
}

/* The nearer one hides the other, whichever comes first; two systems have their own sheets. */
static void the_nearest_is_in_front(void)
{
    mote_Image *dark = plain(2, 2, 0.1, 1), *bright = plain(6, 3, 0.9, 1);
    for (int way = 0; way < 2 * WAYS; ++way) {
        Scene *s = sprites(dark, 1, 1, 0, ways[way / 2]), *other = scene_make(HIGH);
        mote_Look looks[2] = {s->look, s->look};
        mote_FrameSystem systems[2] = {s->system, other->system};
        scene_add(s, 0, 0, 0, 10, 1), scene_add(other, 0, 0, way % 2 ? 1 : -1, 10, 1);
        systems[0].count = systems[1].count = 1, systems[1].name = "more";
        looks[0].system = "dust", looks[1].system = "more";
        looks[1].image = bright, looks[1].columns = 2;
        s->def.looks = looks, s->def.look_count = 2;
        s->frame.systems = systems, s->frame.system_count = 2;
        mote_Image *picture = scene_draw(s, ACROSS, HIGH);
        CHECK_NEAR((double)pixel_at(picture, 0, 0)[0], way % 2 ? 0.9 : 0.1, 1e-3);
        mote_image_destroy(picture);
        free(s), free(other);
    }
    mote_image_destroy(dark), mote_image_destroy(bright);
}

/* ---- promises ---- */

static void tiles_leave_no_trace(void)
{
    mote_Image *image = sheet(), *pictures[2] = {image_of(ACROSS, HIGH), image_of(ACROSS, HIGH)};
    Scene *s = sprites(image, COLUMNS, ROWS, 0.2, false);
    mote_Error error;
    for (uint64_t i = 0; i < 60; ++i) {
        const double x = 120 * scene_random(3 * i) - 60, y = 60 * scene_random(3 * i + 1) - 30;
        scene_add(s, x, y, (double)i / 20, 0.3 + 9 * scene_random(3 * i + 2), 0.7);
        s->velocity[0][i] = (mote_real)(i % 3 == 0 ? 9 : 0), s->velocity[1][i] = (mote_real)(i % 5);
    }
    CHECK_OK(render_with_tiles(&s->def, &s->frame, 8, pictures[0], &error), error);
    CHECK_OK(render_with_tiles(&s->def, &s->frame, TILE, pictures[1], &error), error);
    CHECK(memcmp(mote_image_pixels(pictures[0]), mote_image_pixels(pictures[1]),
                 4 * sizeof(float) * ACROSS * HIGH) == 0);
    free(s);
    mote_image_destroy(image), mote_image_destroy(pictures[0]), mote_image_destroy(pictures[1]);
}

static void uneven_cells_are_refused(void)
{
    static const struct {
        uint64_t columns, rows;
        const char *word;
    } wrong[] = {{3, 1, "8 pixels wide, which cannot be shared evenly by 3 columns"},
                 {3, 1, "2 or 4 can"},
                 {1, 8, "4 pixels high, which cannot be shared evenly by 8 rows of cells; 4 or 4"},
                 {0, 1, "columns is 0"}};
    mote_Image *image = sheet(), *picture = image_of(8, 8);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        Scene *s = sprites(image, (int)wrong[i].columns, (int)wrong[i].rows, 0, false);
        mote_Error error;
        CHECK(mote_render(&s->def, &s->frame, picture, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, wrong[i].word);
        CHECK_MESSAGE(error, "look of every system");
        free(s);
    }
    mote_image_destroy(image), mote_image_destroy(picture);
}

TESTS({"each_particle_shows_its_cell", each_particle_shows_its_cell},
      {"a_column_chooses_cells", a_column_chooses_cells}, {"they_turn", they_turn},
      {"they_cover_their_area", they_cover_their_area},
      {"light_is_premultiplied", light_is_premultiplied},
      {"small_ones_are_smooth", small_ones_are_smooth_and_show_no_neighbour},
      {"they_are_blurred_by_their_motion", they_are_blurred_by_their_motion},
      {"the_nearest_is_in_front", the_nearest_is_in_front},
      {"tiles_leave_no_trace", tiles_leave_no_trace},
      {"uneven_cells_are_refused", uneven_cells_are_refused})
