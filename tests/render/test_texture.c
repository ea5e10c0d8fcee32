/* Textures: pixels show the texel that lies there, traced and drawn quickly, on sides of boxes as
 * these stand, and around balls. */
#include "check.h"

#include "plain.h"
#include "render/texture.h"

#include <mote/shapes.h>

#include <math.h>
#include <string.h>

enum { TEXELS = 4 };

/* Every texel has a colour of its own. */
static void texel(int x, int y, float color[3])
{
    color[0] = 0.1f + 0.2f * (float)x;
    color[1] = 0.1f + 0.2f * (float)y;
    color[2] = (x + y) % 2 == 0 ? 0.2f : 0.7f;
}

static mote_Image *texture(void)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(TEXELS, TEXELS, &image, &error), error);
    for (int i = 0; i < TEXELS * TEXELS; ++i) {
        float *pixel = mote_image_pixels(image) + 4 * i;
        texel(i % TEXELS, i / TEXELS, pixel), pixel[3] = 1;
    }
    return image;
}

static void check_color(const float found[3], int x, int y, double tolerance)
{
    float wanted[3];
    texel(x, y, wanted);
    for (int k = 0; k < 3; ++k) CHECK_NEAR((double)found[k], (double)wanted[k], tolerance);
}

/* ---- places ---- */

static const mote_Pose upright = {{0, 0, 0}, {0, 0, 0, 1}};

/* Middles of texels on all sides: a copy is 2 m wide, and the first begins in the middle. */
static void sides_of_a_box(void)
{
    static const struct {
        float normal[3];
        int across, down; /* axes */
    } sides[] = {{{0, 0, 1}, 0, 1}, {{1, 0, 0}, 2, 1}, {{0, 1, 0}, 0, 2}, {{0, 0, -1}, 0, 1}};
    mote_Image *image = texture();
    RenderSolid solid = {.texture = image, .texture_size = 2, .shape = {.pose = upright}};
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; ++s)
        for (int i = 0; i < TEXELS * TEXELS; ++i) {
            float place[3], color[3];
            memcpy(place, sides[s].normal, sizeof place);
            place[sides[s].across] = 2 * ((float)(i % TEXELS) + 0.5f) / TEXELS - 2;
            place[sides[s].down] = -2 * ((float)(i / TEXELS) + 0.5f) / TEXELS;
            texture_color(&solid, place, sides[s].normal, NULL, color);
            check_color(color, i % TEXELS, i / TEXELS, 1e-5);
        }
    mote_image_destroy(image);
}

/* A quarter of a turn about z: what was above is at the left. */
static void it_turns_with_the_shape(void)
{
    mote_Image *image = texture();
    const mote_real half = (mote_real)sqrt(0.5);
    RenderSolid solid = {
        .texture = image, .texture_size = 2, .shape = {.pose = {{1, 2, 3}, {0, 0, half, half}}}};
    const float own[2] = {0.25f, -0.75f}, normal[3] = {0, 0, 1}; /* texel 0, 1 */
    const float place[3] = {1 - own[1], 2 + own[0], 4};
    float color[3];
    texture_color(&solid, place, normal, NULL, color);
    check_color(color, 0, 1, 1e-4);
    mote_image_destroy(image);
}

/* Longitude from behind, ahead in the middle; latitude from above. */
static void around_a_ball(void)
{
    mote_Image *image = texture();
    RenderSolid solid = {.texture = image, .ball = 1, .shape = {.pose = upright}};
    for (int i = 0; i < TEXELS * TEXELS; ++i) {
        const double pi = acos(-1), longitude = 2 * pi * ((i % TEXELS + 0.5) / TEXELS - 0.5);
        const double latitude = pi * (0.5 - (i / TEXELS + 0.5) / TEXELS);
        const float place[3] = {(float)(cos(latitude) * sin(longitude)), (float)sin(latitude),
                                (float)(cos(latitude) * cos(longitude))};
        float color[3];
        texture_color(&solid, place, place, NULL, color);
        check_color(color, i % TEXELS, i / TEXELS, 1e-4);
    }
    mote_image_destroy(image);
}

/* ---- pictures ---- */

enum { SIDE = 9 * TEXELS };

/* Looks along -z at 2 x 2 m around the origin, 9 pixels a texel, in even light that is the same on
 * everything that faces the eye. */
static mote_RenderDef flat_def(mote_Light *light, bool traced)
{
    mote_RenderDef def = plain_def();
    *light = mote_light_def();
    light->toward = (mote_Vec3){0, 0, 1}, light->shadows = false;
    light->intensity = traced ? 0 : 1;
    def.backdrop.horizon = def.backdrop.zenith = (mote_Vec3){1, 1, 1};
    def.lights = light, def.light_count = 1;
    def.camera.from = (mote_Vec3){0, 0, 5}, def.camera.height = 2;
    def.trace.samples = traced ? 64 : 0;
    return def;
}

static mote_Image *picture_of(const mote_RenderDef *def, const mote_Frame *frame, int side)
{
    mote_Image *picture;
    mote_Error error;
    CHECK_OK(mote_image_create(side, side, &picture, &error), error);
    CHECK_OK(mote_render(def, frame, picture, &error), error);
    return picture;
}

/* The middle of square number (x, y) of the picture's 4 x 4. */
static const float *middle_of(mote_Image *picture, int x, int y)
{
    return mote_image_pixels(picture) + 4 * ((9 * y + 4) * SIDE + 9 * x + 4);
}

static const bool ways[] = {false, true};
enum { WAYS = MOTE_WITH_EMBREE ? 2 : 1 };

static mote_Frame frame_of(const mote_FrameShape *shape)
{
    return (mote_Frame){
        .dt = 1, .dimension = 3, .up_axis = 1, .shapes = shape, .shape_count = shape != NULL};
}

static mote_FrameShape shape_of(const char *type, const void *params)
{
    return (mote_FrameShape){
        .name = "it", .type = type, .params = params, .orientation = {0, 0, 0, 1}};
}

/* The front of a cube: the middles of texels show them, but for what their own width takes from
 * their neighbours. A copy begins in the middle of the picture. */
static void cubes_show_texels(void)
{
    mote_Image *image = texture();
    mote_BoxShape box = mote_box_shape_def();
    box.size = (mote_Vec3){2, 2, 2};
    const mote_FrameShape shape = shape_of("box", &box);
    const mote_Frame frame = frame_of(&shape);
    for (int way = 0; way < WAYS; ++way) {
        mote_Light light;
        mote_RenderDef def = flat_def(&light, ways[way]);
        mote_ShapeLook look = mote_shape_look_def();
        look.shape = "it", look.gloss = 0, look.texture = image, look.texture_size = 2;
        def.shapes = &look, def.shape_count = 1;
        mote_Image *picture = picture_of(&def, &frame, SIDE);
        for (int i = 0; i < TEXELS * TEXELS; ++i)
            check_color(middle_of(picture, i % TEXELS, i / TEXELS), (i + TEXELS / 2) % TEXELS,
                        (i / TEXELS + TEXELS / 2) % TEXELS, 0.05);
        mote_image_destroy(picture);
    }
    mote_image_destroy(image);
}

/* ---- checkers ---- */

static const mote_Vec3 red = {(mote_real)0.8, (mote_real)0.1, (mote_real)0.1},
                       blue = {(mote_real)0.1, (mote_real)0.2, (mote_real)0.7};

static void check_square(const float found[3], bool second)
{
    const mote_Vec3 wanted = second ? blue : red;
    CHECK_NEAR((double)found[0], (double)wanted.x, 0.03);
    CHECK_NEAR((double)found[1], (double)wanted.y, 0.03);
    CHECK_NEAR((double)found[2], (double)wanted.z, 0.03);
}

static mote_ShapeLook checker_look(uint64_t squares, double size)
{
    mote_ShapeLook look = mote_shape_look_def();
    look.shape = "it", look.gloss = 0, look.color = red, look.color2 = blue;
    look.checker = squares, look.texture_size = (mote_real)size;
    return look;
}

/* Four squares of 0.5 m: every other one has the second colour, from the middle on. */
static void boxes_show_squares(void)
{
    mote_BoxShape box = mote_box_shape_def();
    box.size = (mote_Vec3){2, 2, 2};
    const mote_FrameShape shape = shape_of("box", &box);
    const mote_Frame frame = frame_of(&shape);
    const mote_ShapeLook look = checker_look(3, 1.5);
    for (int way = 0; way < WAYS; ++way) {
        mote_Light light;
        mote_RenderDef def = flat_def(&light, ways[way]);
        def.shapes = &look, def.shape_count = 1;
        mote_Image *picture = picture_of(&def, &frame, SIDE);
        for (int i = 0; i < 16; ++i)
            check_square(middle_of(picture, i % 4, i / 4), (i % 4 + i / 4) % 2);
        mote_image_destroy(picture);
    }
}

/* Eight around and four from pole to pole: the first begins behind, at the upper pole. */
static void balls_show_squares(void)
{
    float first[3], second[3];
    RenderSolid solid = {.checker = 8, .ball = 1, .shape = {.pose = upright}};
    for (int k = 0; k < 3; ++k) solid.color[k] = 0.1f, solid.color2[k] = 0.9f;
    for (int i = 0; i < 32; ++i) {
        const double pi = acos(-1), longitude = 2 * pi * ((i % 8 + 0.5) / 8 - 0.5);
        const double latitude = pi * (0.5 - (i / 8 + 0.5) / 4);
        const float place[3] = {(float)(cos(latitude) * sin(longitude)), (float)sin(latitude),
                                (float)(cos(latitude) * cos(longitude))};
        texture_color(&solid, place, place, NULL, first);
        CHECK_NEAR((double)first[0], (i % 8 + i / 8) % 2 ? 0.9 : 0.1, 1e-6);
        const float steps[2][3] = {{1e-3f, 0, 0}, {0, 1e-3f, 0}};
        texture_color(&solid, place, place, steps, second);
        CHECK_NEAR((double)second[0], (double)first[0], 1e-3); /* the mean within a square */
    }
}

/* Means over any width against sums of many places. */
static void means_are_exact(void)
{
    static const float widths[][2] = {{0.01f, 0.02f}, {0.3f, 0.05f}, {0.21f, 0.33f}, {1.7f, 0.4f}};
    const TexturePaint paint = {.squares = {7, 5}, .colors = {{1, 1, 1}, {0, 0, 0}}};
    for (int n = 0; n < 40; ++n) {
        enum { FINE = 400 };
        const float *width = widths[n % 4], at[2] = {0.37f * (float)n - 3, 0.23f * (float)n - 2};
        float mean[3], one[3];
        double sum = 0;
        texture_paint(&paint, at, width, mean);
        for (int i = 0; i < FINE * FINE; ++i) {
            const float part[2] = {((float)(i % FINE) + 0.5f) / FINE - 0.5f,
                                   ((float)(i / FINE) + 0.5f) / FINE - 0.5f};
            const float place[2] = {at[0] + part[0] * width[0], at[1] + part[1] * width[1]};
            texture_paint(&paint, place, (const float[2]){0, 0}, one);
            sum += (double)one[0];
        }
        CHECK_NEAR((double)mean[0], sum / (FINE * FINE), 4e-3);
    }
}

/* How much of it is red, in whatever light: both colours are known. */
static double red_part(const float *found)
{
    const double ratio = (double)found[0] / (double)found[2];
    return (ratio * (double)blue.z - (double)blue.x) /
           ((double)(red.x - blue.x) + ratio * (double)(blue.z - red.z));
}

/* Squares of a tenth of a pixel, at a slant too: no pattern, but their mean. */
static void fine_squares_are_smooth(void)
{
    mote_BoxShape box = mote_box_shape_def();
    mote_SphereShape ball = mote_sphere_shape_def();
    box.size = (mote_Vec3){2, 2, 2}, ball.radius = 1;
    for (int n = 0; n < 2 * WAYS; ++n) {
        const bool is_ball = n % 2, traced = ways[n / 2];
        mote_FrameShape shape =
            shape_of(is_ball ? "sphere" : "box", is_ball ? (void *)&ball : &box);
        const double half = 0.6; /* radians about x: two sides are seen at a slant */
        shape.orientation[0] = sin(half / 2), shape.orientation[3] = cos(half / 2);
        const mote_Frame frame = frame_of(&shape);
        const mote_ShapeLook look = checker_look(is_ball ? 4444 : 1111, 2);
        mote_Light light;
        mote_RenderDef def = flat_def(&light, traced);
        def.shapes = &look, def.shape_count = 1;
        def.trace.samples *= 4;
        mote_Image *picture = picture_of(&def, &frame, SIDE);
        double most = 0;
        for (int y = SIDE / 3; y < 2 * SIDE / 3; ++y)
            for (int x = SIDE / 3; x < 2 * SIDE / 3; ++x) {
                const double off =
                    fabs(red_part(mote_image_pixels(picture) + 4 * (SIDE * y + x)) - 0.5);
                most = off > most ? off : most;
            }
        CHECK(most < (traced ? 0.13 : 0.03));
        mote_image_destroy(picture);
    }
}

/* ---- meshes that say where their texture lies ---- */

/* A box of 2 x 2 x 1 m. The lower left corner of its front has the texture's lower right one, and
 * so on: the texture is seen as in a mirror. The other sides have none. */
static const char crate[] =
    "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
    "f 5 8 7 6\nf 1 5 6 2\nvt 1 0\nvt 0\nvt 0 1\nvt 1 1\nf 1/1 2/2 3/-2 4/4/1\n"
    "f 4 3 7 8\nf 1 4 8 5\nf 2 6 7 3\n";

static void meshes_show_texels(void)
{
    mote_Image *image = texture();
    mote_MeshShape params = mote_mesh_shape_def();
    mote_Mesh *mesh;
    mote_Error error;
    CHECK_OK(mote_mesh_parse(crate, sizeof crate - 1, "crate.obj", 1, (mote_Allocator){0}, &mesh,
                             &error),
             error);
    params.mesh = mesh;
    const mote_FrameShape shape = shape_of("mesh", &params);
    const mote_Frame frame = frame_of(&shape);
    for (int n = 0; n < 2 * WAYS; ++n) {
        mote_Light light;
        mote_RenderDef def = flat_def(&light, ways[n / 2]);
        mote_ShapeLook look = checker_look(4, 1);
        if (n % 2) look.checker = 0, look.texture = image;
        def.shapes = &look, def.shape_count = 1;
        mote_Image *picture = picture_of(&def, &frame, SIDE);
        for (int i = 0; i < 16; ++i) {
            const int x = 3 - i % 4, y = i / 4;
            const float *found = middle_of(picture, i % 4, i / 4);
            if (n % 2)
                check_color(found, x, y, 0.05);
            else
                check_square(found, (x + y) % 2);
        }
        mote_image_destroy(picture);
    }
    mote_mesh_release(mesh);
    mote_image_destroy(image);
}

/* ---- cloth ---- */

/* Two triangles between four particles. */
typedef struct Cloth {
    mote_real position[3][4], color[3][4], uv[2][4];
    uint64_t id[4];
    mote_Column columns[4];
    mote_FrameSystem system;
    mote_FrameMesh mesh;
    mote_Frame frame;
} Cloth;

static mote_Column column(const char *name, mote_ColumnType type, int components, void *data)
{
    return (mote_Column){
        .name = name, .type = type, .components = components, .data = data, .stride = 4};
}

static void cloth_make(Cloth *c)
{
    static const uint64_t triangles[6] = {0, 0, 2, 3, 3, 1}; /* 0, 2, 3 and 0, 3, 1 */
    *c = (Cloth){.frame = {.dt = 1, .dimension = 3, .up_axis = 1}};
    for (int i = 0; i < 4; ++i) {
        c->position[0][i] = i % 2 ? 1 : -1, c->position[1][i] = i / 2 ? -1 : 1;
        c->uv[0][i] = (mote_real)(i % 2), c->uv[1][i] = (mote_real)(i / 2), c->id[i] = (uint64_t)i;
        c->color[0][i] = red.x, c->color[1][i] = red.y, c->color[2][i] = red.z;
    }
    c->columns[0] = column("position", MOTE_COLUMN_REAL, 3, c->position);
    c->columns[1] = column("color", MOTE_COLUMN_REAL, 3, c->color);
    c->columns[2] = column("id", MOTE_COLUMN_U64, 1, c->id);
    c->columns[3] = column("uv", MOTE_COLUMN_REAL, 2, c->uv);
    c->system = (mote_FrameSystem){"flag", 4, c->columns, 4};
    c->mesh = (mote_FrameMesh){.name = "flag", .triangles = triangles, .triangle_count = 2};
    c->frame.systems = &c->system, c->frame.system_count = 1;
    c->frame.meshes = &c->mesh, c->frame.mesh_count = 1;
}

/* Cloth shines a little: what the sky adds is the same everywhere, and taken off. */
static void cloth_shows_texels(void)
{
    mote_Image *image = texture();
    Cloth c;
    cloth_make(&c);
    for (int n = 0; n < 2 * WAYS; ++n) {
        mote_Light light;
        mote_RenderDef def = flat_def(&light, ways[n / 2]);
        mote_Look look = mote_look_def();
        look.color2 = blue;
        if (n % 2) look.texture = image;
        look.checker = n % 2 ? 0 : 4;
        def.looks = &look, def.look_count = 1;
        mote_Image *picture = picture_of(&def, &c.frame, SIDE), *black;
        for (int i = 0; i < 4; ++i) c.color[0][i] = c.color[1][i] = c.color[2][i] = 0;
        look.texture = NULL, look.checker = 0;
        black = picture_of(&def, &c.frame, SIDE);
        cloth_make(&c);
        for (int i = 0; i < 16; ++i) {
            float found[3];
            for (int k = 0; k < 3; ++k)
                found[k] = middle_of(picture, i % 4, i / 4)[k] - middle_of(black, i % 4, i / 4)[k];
            if (n % 2)
                check_color(found, i % 4, i / 4, 0.06);
            else
                check_square(found, (i % 4 + i / 4) % 2);
        }
        mote_image_destroy(picture), mote_image_destroy(black);
    }
    mote_image_destroy(image);
}

TESTS({"sides of a box", sides_of_a_box}, {"it turns with the shape", it_turns_with_the_shape},
      {"around a ball", around_a_ball}, {"cubes_show_texels", cubes_show_texels},
      {"boxes_show_squares", boxes_show_squares}, {"balls_show_squares", balls_show_squares},
      {"means_are_exact", means_are_exact}, {"fine_squares_are_smooth", fine_squares_are_smooth},
      {"meshes_show_texels", meshes_show_texels}, {"cloth_shows_texels", cloth_shows_texels})
