/* Photons against closed forms: light below slabs, a lamp over a pool, the focus of a lens, and all
 * the light below waves and a ball of glass; each light counted once, whatever the threads. */
#include "render/liquids.h"
#include "render/scene.h"

#include <mote/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if MOTE_WITH_EMBREE

#define PI 3.14159265358979
enum { SHAPES = 2, SIDE = 40 };

/* A dark floor under a sun, seen straight on from between it and what bends light: what the floor
 * sends back up does not count. Its color is such that a picture of it shows the light on it. */
typedef struct Stage {
    mote_RenderDef def;
    mote_Frame frame;
    mote_Look look, clouds[2];
    mote_Light light;
    mote_BoxShape floor, box;
    mote_SphereShape ball;
    mote_FrameShape shapes[SHAPES];
    mote_ShapeLook looks[SHAPES];
} Stage;

static const double dark = 0.01;

static mote_FrameShape shape_of(const char *name, const char *type, const void *params)
{
    return (mote_FrameShape){
        .name = name, .type = type, .params = params, .orientation = {0, 0, 0, 1}};
}

static void set_floor(Stage *s, double level, double eye)
{
    s->shapes[0].position[1] = level - 0.5;
    s->def.camera.from = (mote_Vec3){0, (mote_real)(level + eye), 0};
    s->def.camera.to = (mote_Vec3){0, (mote_real)level, 0};
}

static Stage *stage_make(uint64_t photons)
{
    Stage *s = calloc(1, sizeof *s);
    const mote_Vec3 none = {0, 0, 0};
    s->def = plain_def(), s->frame = liquid_frame();
    s->look = mote_look_def(), s->light = mote_light_def();
    s->floor = mote_box_shape_def(), s->box = mote_box_shape_def();
    s->ball = mote_sphere_shape_def();
    s->floor.size = (mote_Vec3){100, 1, 100};
    s->shapes[0] = shape_of("floor", "box", &s->floor);
    for (int i = 0; i < SHAPES; ++i) s->looks[i] = mote_shape_look_def();
    s->looks[0].shape = "floor", s->looks[0].gloss = 0;
    s->looks[0].color = (mote_Vec3){(mote_real)dark, (mote_real)dark, (mote_real)dark};
    s->looks[1].shape = "glass", s->looks[1].glass = true;
    s->looks[1].refraction = (mote_real)1.5;
    s->looks[1].color = none, s->looks[1].gloss = 0; /* black, where it is no glass */
    s->look.absorption = none;
    s->frame.shapes = s->shapes, s->frame.shape_count = 1;
    s->light.toward = (mote_Vec3){0, 1, 0}, s->light.size = 0;
    s->def.looks = &s->look, s->def.look_count = 1;
    s->def.shapes = s->looks, s->def.shape_count = SHAPES;
    s->def.lights = &s->light, s->def.light_count = 1;
    s->def.backdrop.horizon = s->def.backdrop.zenith = none;
    s->def.camera.up = (mote_Vec3){0, 0, -1}, s->def.camera.height = 1;
    s->def.trace.samples = 16, s->def.trace.bounces = 32;
    s->def.photons = photons;
    set_floor(s, -1, 0.5);
    return s;
}

/* Light on each pixel's part of the floor, of three colors. */
typedef struct FloorLight {
    double at[3][SIDE * SIDE];
} FloorLight;

static FloorLight light_on_floor(Stage *s)
{
    mote_Image *image;
    mote_Error error;
    FloorLight light;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    for (int i = 0; i < 3 * SIDE * SIDE; ++i)
        light.at[i % 3][i / 3] = (double)mote_image_pixels(image)[4 * (i / 3) + i % 3] / dark;
    mote_image_destroy(image);
    return light;
}

static double mean_of(const FloorLight *light, int channel)
{
    double mean = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) mean += light->at[channel][i] / (SIDE * SIDE);
    return mean;
}

static double mean_light(Stage *s)
{
    const FloorLight light = light_on_floor(s);
    return mean_of(&light, 0);
}

/* Fresnel's formulas by angles; light comes from air. */
static double lets_through(double cosine, double index)
{
    const double inside = sqrt(1 - (1 - cosine * cosine) / (index * index));
    const double across = (cosine - index * inside) / (cosine + index * inside);
    const double along = (inside - index * cosine) / (inside + index * cosine);
    return 1 - 0.5 * (across * across + along * along);
}

/* ---- slabs ---- */

/* T^2 a / (1 - R^2 a^2): light that goes up and down within the slab comes out, too. */
static double through_slab(double cosine, double index, double depth, double absorption)
{
    const double inside = sqrt(1 - (1 - cosine * cosine) / (index * index));
    const double t = lets_through(cosine, index), r = 1 - t, a = exp(-absorption * depth / inside);
    return cosine * t * t * a / (1 - r * r * a * a);
}

static void below_slabs(void)
{
    const double absorption[3] = {0.8, 0.3, 0}, cosines[2] = {1, 0.70710678};
    for (int angle = 0; angle < 2; ++angle) {
        Stage *s = stage_make(100000);
        s->light.toward.x = (mote_real)angle;
        s->look.absorption = (mote_Vec3){(mote_real)absorption[0], (mote_real)absorption[1], 0};
        make_slab(2.4f, 0.35f, 2.4f);
        const FloorLight light = light_on_floor(s);
        for (int k = 0; k < 3; ++k) {
            const double is = mean_of(&light, k);
            const double should = through_slab(cosines[angle], 1.333, 0.7, absorption[k]);
            printf("below %.4f, by Fresnel and Beer %.4f\n", is, should);
            CHECK_NEAR(is / should, 1, 0.01);
        }
        s->frame.surface_count = 0, s->frame.shape_count = 2;
        s->box.size = (mote_Vec3){(mote_real)4.8, (mote_real)0.7, (mote_real)4.8};
        s->shapes[1] = shape_of("glass", "box", &s->box);
        const double is = mean_light(s), should = through_slab(cosines[angle], 1.5, 0.7, 0);
        printf("below glass %.4f, by Fresnel %.4f\n", is, should);
        CHECK_NEAR(is / should, 1, 0.01);
        free(s);
    }
}

/* ---- pools: floors within the liquid ---- */

enum { GRID = 41 };

/* A surface of GRID x GRID vertices, as wide as this, of waves as high as this. */
static void make_waves(double wide, double height, double length)
{
    mote_FrameSurface *s = new_surface();
    const double k = 2 * PI / length;
    for (int i = 0; i < GRID * GRID; ++i) {
        const double x = wide * (i % GRID / (GRID - 1.0) - 0.5);
        const double z = wide * (i / GRID / (GRID - 1.0) - 0.5);
        const double dx = -height * k * sin(k * x) * cos(k * z);
        const double dz = -height * k * cos(k * x) * sin(k * z), up = sqrt(1 + dx * dx + dz * dz);
        const float at[3] = {(float)x, (float)(height * cos(k * x) * cos(k * z)), (float)z};
        add_vertex(s, at, (float[3]){(float)(-dx / up), (float)(1 / up), (float)(-dz / up)});
    }
    for (uint32_t i = 0; i + 1 < GRID; ++i)
        for (uint32_t j = 0; j + 1 < GRID; ++j) {
            const uint32_t a = i * GRID + j;
            add_triangle(s, a, a + GRID, a + 1);
            add_triangle(s, a + 1, a + GRID, a + GRID + 1);
        }
}

/* A flat pool: what arrives shows over the square of the index, for that is how much wider a cone
 * of rays is above than below; seen from above, the surface mirrors once more. */
static void in_a_pool(void)
{
    Stage *s = stage_make(100000);
    const double depth = 1, absorption = 0.4, n = 1.333;
    make_waves(3, 0, 1);
    s->look.absorption.x = (mote_real)absorption;
    const double arrives = lets_through(1, n) * exp(-absorption * depth) / (n * n);
    CHECK_NEAR(mean_light(s) / arrives, 1, 0.01);
    set_floor(s, -1, 2);
    CHECK_NEAR(mean_light(s) / (arrives * lets_through(1, n) * exp(-absorption * depth)), 1, 0.01);
    free(s);
}

/* A lamp over a pool looks from below as if it were n times as high. */
static void lamp_over_a_pool(void)
{
    Stage *s = stage_make(100000);
    const double depth = 1, height = 0.8, n = 1.333;
    make_waves(2, 0, 1);
    s->light.type = MOTE_LIGHT_POINT, s->light.size = (mote_real)0.02;
    s->light.at = (mote_Vec3){0, (mote_real)height, 0};
    s->light.color = (mote_Vec3){2, 2, 2};
    s->def.camera.height = (mote_real)0.2;
    const double apart = height + depth / n;
    const double is = mean_light(s), should = 2 * lets_through(1, n) / (apart * apart * n * n);
    printf("lamp %.4f, by Snell %.4f\n", is, should);
    CHECK_NEAR(is / should, 1, 0.02);
    free(s);
}

/* Mirror planes of the waves lie around the picture, so that as much light comes in as goes out. */
static void below_waves(void)
{
    enum { N = 400 };
    Stage *s = stage_make(100000);
    const double height = 0.08, length = 1, k = 2 * PI / length, n = 1.333;
    double passes = 0, most = 0, mean = 0;
    make_waves(2, height, length);
    for (int i = 0; i < N * N; ++i) {
        const double x = (i % N + 0.5) / N, z = (i / N + 0.5) / N;
        const double dx = height * k * sin(k * x) * cos(k * z);
        const double dz = height * k * cos(k * x) * sin(k * z);
        passes += lets_through(1 / sqrt(1 + dx * dx + dz * dz), n) / (n * n) / (N * N);
    }
    const FloorLight light = light_on_floor(s);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        mean += light.at[0][i] / (SIDE * SIDE);
        if (light.at[0][i] > most) most = light.at[0][i];
    }
    printf("below waves %.4f, by Fresnel %.4f; brightest %.2f\n", mean, passes, most);
    CHECK_NEAR(mean / passes, 1, 0.01);
    CHECK(most > 3 * mean);
    free(s);
}

/* ---- lenses ---- */

/* What photons bring: the light, without what passes beside the thing, which is what there is when
 * no light goes through it. */
static FloorLight bent_light(Stage *s)
{
    FloorLight light = light_on_floor(s);
    s->look.opaque = true, s->looks[1].glass = false;
    const FloorLight aside = light_on_floor(s);
    s->look.opaque = false, s->looks[1].glass = true;
    for (int i = 0; i < SIDE * SIDE; ++i) light.at[0][i] -= aside.at[0][i];
    return light;
}

/* Metres from the middle of the picture to a pixel. */
static double away_from_middle(const Stage *s, int i)
{
    const double pixel = (double)s->def.camera.height / SIDE;
    return pixel * hypot(i % SIDE + 0.5 - SIDE / 2.0, i / SIDE + 0.5 - SIDE / 2.0);
}

/* A disc of rings around y: the upper face of the lens, or the lower one. */
static void add_face(mote_FrameSurface *s, double aperture, double radius, bool lower)
{
    const uint32_t first = (uint32_t)s->vertex_count;
    const double rim = sqrt(radius * radius - aperture * aperture);
    for (int i = 0; i <= RINGS; ++i)
        for (int j = 0; j < SECTORS / 2; ++j) {
            const double r = aperture * i / RINGS, p = 4 * PI * j / SECTORS;
            const double x = r * cos(p), z = -r * sin(p), y = sqrt(radius * radius - r * r);
            const float at[3] = {(float)x, lower ? 0 : (float)(y - rim), (float)z};
            const float up[3] = {(float)(x / radius), (float)(y / radius), (float)(z / radius)};
            add_vertex(s, at, lower ? (const float[3]){0, -1, 0} : up);
        }
    for (uint32_t i = 0; i < RINGS; ++i)
        for (uint32_t j = 0; j < SECTORS / 2; ++j) {
            const uint32_t a = first + i * SECTORS / 2 + j;
            const uint32_t b = first + i * SECTORS / 2 + (j + 1) % (SECTORS / 2);
            const uint32_t c = a + SECTORS / 2, d = b + SECTORS / 2;
            add_triangle(s, a, lower ? b : c, lower ? c : b);
            add_triangle(s, b, lower ? d : c, lower ? c : d);
        }
}

/* Mean square of the distance from the axis, of all light of a lens on a floor so far below. */
static double spot_of(Stage *s, double below)
{
    double sum = 0, squares = 0;
    set_floor(s, -below, 0.05);
    const FloorLight light = bent_light(s);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const double away = away_from_middle(s, i);
        sum += light.at[0][i], squares += light.at[0][i] * away * away;
    }
    return squares / sum;
}

/* Rays are straight: the spot's mean square is a parabola of the distance, least in the focus, n
 * radii over n - 1 below the upper face's principal plane; that lies within the lens, its thickness
 * over n above the lower face. */
static void focus_of_a_lens(void)
{
    Stage *s = stage_make(100000);
    const double aperture = 0.25, radius = 1.5, n = 1.5, focal = radius / (n - 1);
    const double thick = radius - sqrt(radius * radius - aperture * aperture);
    mote_FrameSurface *surface = new_surface();
    add_face(surface, aperture, radius, false), add_face(surface, aperture, radius, true);
    s->look.refraction = (mote_real)n;
    s->def.camera.height = (mote_real)0.7;
    const double a = spot_of(s, 0.4 * focal), b = spot_of(s, 0.7 * focal),
                 c = spot_of(s, 1.3 * focal);
    /* through (0.4, a), (0.7, b), (1.3, c): slopes of the chords, then where the slope is 0 */
    const double first = (b - a) / 0.3, second = (c - b) / 0.6, bend = (second - first) / 0.9;
    const double least = 0.5 * (0.4 + 0.7 - first / bend) * focal, should = focal - thick / n;
    printf("focus at %.3f m, by the lensmaker's formula %.3f\n", least, should);
    CHECK_NEAR(least / should, 1, 0.02);
    free(s);
}

/* ---- a ball of glass ---- */

/* Whether a ray in a plane, (aside, down), comes to a floor within `around` of the axis. */
static bool arrives(const double from[2], const double way[2], double floor, double around)
{
    return way[1] > 0 && fabs(from[0] + way[0] * (floor - from[1]) / way[1]) < around;
}

/* Mirrored, or out of or into a medium whose index is `eta` of the other's; n is against the ray.
 */
static void turn(const double d[2], const double n[2], double eta, double out[2])
{
    const double c = -(d[0] * n[0] + d[1] * n[1]);
    const double by = eta > 0 ? eta * c - sqrt(1 - eta * eta * (1 - c * c)) : 2 * c;
    for (int k = 0; k < 2; ++k) out[k] = (eta > 0 ? eta : 1) * d[k] + by * n[k];
}

/* The part of a ray, that far from the axis of a ball of radius 1, which arrives: mirrored outside,
 * or out after any number of ways through the ball. */
static double ray_by_ball(double aside, double n, double floor, double around)
{
    double at[2] = {aside, -sqrt(1 - aside * aside)}, way[2] = {0, 1}, out[2], inside[2];
    const double lets = lets_through(-at[1], n);
    turn(way, at, 0, out);
    double sum = arrives(at, out, floor, around) ? 1 - lets : 0, left = lets;
    turn(way, at, 1 / n, inside);
    for (int ways = 0; ways < 12; ++ways) {
        const double chord = -2 * (at[0] * inside[0] + at[1] * inside[1]);
        for (int k = 0; k < 2; ++k) at[k] += chord * inside[k];
        const double inward[2] = {-at[0], -at[1]};
        turn(inside, inward, n, out);
        if (arrives(at, out, floor, around)) sum += left * lets;
        left *= 1 - lets;
        turn((const double[2]){inside[0], inside[1]}, inward, 0, inside);
    }
    return sum;
}

static void below_a_ball(void)
{
    enum { N = 20000 };
    Stage *s = stage_make(100000);
    const double radius = 0.2, below = 0.35, around = 0.45, pixel = 1.0 / SIDE;
    double should = 0, is = 0;
    s->frame.surface_count = 0, s->frame.shape_count = 2;
    s->ball.radius = (mote_real)radius;
    s->shapes[1] = shape_of("glass", "sphere", &s->ball);
    set_floor(s, -below, 0.05);
    for (int i = 0; i < N; ++i) {
        const double b = (i + 0.5) / N;
        should +=
            2 * PI * b * radius * radius / N * ray_by_ball(b, 1.5, below / radius, around / radius);
    }
    const FloorLight light = bent_light(s);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const double away = away_from_middle(s, i);
        if (away < around) is += light.at[0][i] * pixel * pixel;
    }
    printf("ball: %.5f arrive, by Fresnel and Snell %.5f\n", is, should);
    CHECK_NEAR(is / should, 1, 0.02);
    free(s);
}

/* ---- smoke ---- */

/* A cloud of one particle at this height. */
static void add_cloud(Stage *s, Scene *cloud, mote_FrameSystem systems[2], double height)
{
    scene_add(cloud, 0, height, 0, 3, 0.5);
    systems[0] = s->frame.systems[0], systems[1] = cloud->system;
    s->frame.systems = systems, s->frame.system_count = 2;
    s->clouds[0] = s->look, s->clouds[1] = mote_look_def();
    s->clouds[1].lit = true, s->clouds[1].system = "dust";
    s->def.looks = s->clouds, s->def.look_count = 2;
}

/* Smoke takes as much of the light above a pool as above bare ground. */
static void smoke_in_between(void)
{
    double light[2][2]; /* of a bare floor and one in a pool, without smoke and with it */
    for (int wet = 0; wet < 2; ++wet)
        for (int thick = 0; thick < 2; ++thick) {
            Stage *s = stage_make(100000);
            Scene *cloud = scene_make(1);
            mote_FrameSystem systems[2];
            make_waves(2, 0, 1);
            s->frame.surface_count = (size_t)wet;
            if (thick) add_cloud(s, cloud, systems, 4);
            light[wet][thick] = mean_light(s);
            free(cloud), free(s);
        }
    const double bare = light[0][1] / light[0][0], pool = light[1][1] / light[1][0];
    printf("smoke leaves %.4f to a floor, %.4f in a pool\n", bare, pool);
    CHECK(bare < 0.8);
    CHECK_NEAR(pool / bare, 1, 0.02);
}

/* Smoke below a surface gets its light straight on, with photons or without. */
static void smoke_in_a_pool(void)
{
    double light[2];
    for (int n = 0; n < 2; ++n) {
        Stage *s = stage_make(n == 0 ? 0 : 1000);
        Scene *cloud = scene_make(1);
        mote_FrameSystem systems[2];
        make_waves(2, 0, 1);
        add_cloud(s, cloud, systems, -0.75);
        cloud->radius[0] = (mote_real)0.15;
        s->looks[0].color = (mote_Vec3){0, 0, 0};
        light[n] = mean_light(s);
        free(cloud), free(s);
    }
    printf("smoke in a pool: %.3f, with photons %.3f\n", light[0], light[1]);
    CHECK(light[0] > 0.1);
    CHECK_NEAR(light[1] / light[0], 1, 0.01);
}

/* ---- bits ---- */

static void same_bits(void)
{
    Stage *s = stage_make(50000);
    mote_TasksDef tasks = mote_tasks_def();
    mote_Error error;
    make_waves(2, 0.04, 0.5);
    s->light.size = 1;
    const FloorLight one = light_on_floor(s);
    for (int threads = 2; threads <= 3; ++threads) {
        tasks.threads = threads;
        CHECK_OK(mote_tasks_create(&tasks, &s->def.tasks, &error), error);
        const FloorLight many = light_on_floor(s);
        CHECK(memcmp(&one, &many, sizeof one) == 0);
        mote_tasks_destroy(s->def.tasks);
    }
    free(s);
}

/* Where nothing bends light, photons change nothing; nor do they where a light has no shadows,
 * which shines through everything. */
static void only_what_is_bent(void)
{
    for (int n = 0; n < 2; ++n) {
        Stage *s = stage_make(0);
        s->frame.surface_count = (size_t)n;
        s->light.shadows = n == 0;
        make_waves(2, 0.04, 0.5);
        const FloorLight without = light_on_floor(s);
        s->def.photons = 10000;
        const FloorLight with = light_on_floor(s);
        CHECK(memcmp(&with, &without, sizeof with) == 0);
        free(s);
    }
}

TESTS({"below slabs", below_slabs}, {"in a pool", in_a_pool},
      {"lamp over a pool", lamp_over_a_pool}, {"below waves", below_waves},
      {"focus of a lens", focus_of_a_lens}, {"below a ball", below_a_ball},
      {"smoke in between", smoke_in_between}, {"smoke in a pool", smoke_in_a_pool},
      {"same bits", same_bits}, {"only what is bent", only_what_is_bent})
#else

static void nothing_to_trace_with(void)
{
}

TESTS({"nothing to trace with", nothing_to_trace_with})

#endif
