/* Slices: linear fields are exact up to the edge of the particles, a vortex has its velocity, lines
 * of equal value lie where the value is, water at rest has rho g h, pixels have the colour of their
 * value. */
#include "check.h"
#include "scene_text.h"

#include "plain.h"
#include "render/slice.h"

#include <mote/shapes.h>
#include <mote/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- particles that know a field ---- */

enum { SIDE = 24, DEEP = 9, COUNT = SIDE * SIDE * DEEP };
#define SPACING 0.05

static mote_real place[3][COUNT], velocity[3][COUNT], value[COUNT];

static double jitter(size_t i, int k)
{
    return (double)((i * 7919 + (size_t)k * 104729 + 13) * 2654435761u % 1000003u) / 1000003 - 0.5;
}

/* A block around the origin, each particle up to a fifth of a spacing off its place. */
static mote_FrameSystem block(double (*of)(const double at[3]),
                              void (*flow)(const double at[3], double u[3]))
{
    static mote_Column columns[3];
    for (size_t i = 0; i < COUNT; ++i) {
        const size_t n[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        double at[3], u[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k) {
            const double middle = 0.5 * ((k < 2 ? SIDE : DEEP) - 1);
            at[k] = SPACING * ((double)n[k] - middle + 0.4 * jitter(i, k));
            place[k][i] = (mote_real)at[k], at[k] = (double)place[k][i];
        }
        if (of != NULL) value[i] = (mote_real)of(at);
        if (flow != NULL) flow(at, u);
        for (int k = 0; k < 3; ++k) velocity[k][i] = (mote_real)u[k];
    }
    columns[0] = (mote_Column){.name = "position", .components = 3, .stride = COUNT, .data = place};
    columns[1] =
        (mote_Column){.name = "velocity", .components = 3, .stride = COUNT, .data = velocity};
    columns[2] = (mote_Column){.name = "value", .components = 1, .stride = COUNT, .data = value};
    return (mote_FrameSystem){.name = "gas", .count = COUNT, .columns = columns, .column_count = 3};
}

static mote_Frame frame_of(const mote_FrameSystem *system)
{
    return (mote_Frame){
        .dt = 1, .dimension = 3, .up_axis = 1, .systems = system, .system_count = 1};
}

enum { ROWS = 33, SAMPLES = ROWS * ROWS };

/* Samples of a square of this half side around the origin, across z. */
static SliceGrid square(double half)
{
    const double step = 2 * half / (ROWS - 1);
    return (SliceGrid){.columns = ROWS,
                       .rows = ROWS,
                       .corner = {-half, half, 0.013},
                       .across = {step, 0, 0},
                       .down = {0, -step, 0},
                       .step = step};
}

static void sample_place(const SliceGrid *g, int n, double at[3])
{
    for (int k = 0; k < 3; ++k)
        at[k] = g->corner[k] + n % ROWS * g->across[k] + n / ROWS * g->down[k];
}

typedef struct Sampled {
    SliceGrid grid;
    double reach, value[SAMPLES], covered[SAMPLES];
} Sampled;

static Sampled sampled(const mote_FrameSystem *system, const char *column, double half)
{
    Sampled s = {.grid = square(half), .reach = slice_reach(system)};
    mote_Frame frame = frame_of(system);
    mote_Slice slice = {.column = column, .axis = 2};
    SliceQuantity quantity;
    mote_Error error;
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    CHECK_OK(slice_quantity(&frame, &slice, &quantity, &error), error);
    CHECK(slice_sample(&s.grid, &quantity, s.reach, &arena, s.value, s.covered));
    arena_free(&arena);
    return s;
}

/* ---- values ---- */

static double linear(const double at[3])
{
    return 3 + 2 * at[0] - 5 * at[1] + 0.7 * at[2];
}

/* To the last row of particles, which is at 0.575 m. */
static void linear_fields_are_exact(void)
{
    const mote_FrameSystem gas = block(linear, NULL);
    const Sampled s = sampled(&gas, "value", 0.57);
    CHECK_NEAR(s.reach, 2.4 * SPACING, 0.3 * SPACING);
    for (int n = 0; n < SAMPLES; ++n) {
        double at[3];
        sample_place(&s.grid, n, at);
        CHECK_NEAR(s.value[n], linear(at), 1e-4);
        CHECK(s.covered[n] > SLICE_EDGE);
    }
}

/* Half a spacing outside the particles end. */
static void the_edge_is_half_a_spacing_outside(void)
{
    const mote_FrameSystem gas = block(linear, NULL);
    const Sampled s = sampled(&gas, "value", 0.75);
    const double last = 0.5 * (SIDE - 1) * SPACING;
    double edge = 0;
    for (int i = 0; i + 1 < ROWS; ++i) { /* along the middle row, where it falls below */
        const int n = ROWS / 2 * ROWS + i;
        double at[3];
        sample_place(&s.grid, n, at);
        const double a = s.covered[n], b = s.covered[n + 1];
        if (at[0] > 0 && a >= SLICE_EDGE && b < SLICE_EDGE)
            edge = at[0] + s.grid.step * (a - SLICE_EDGE) / (a - b);
    }
    printf("edge %.3f spacings outside of the last particles\n", (edge - last) / SPACING);
    CHECK_NEAR((edge - last) / SPACING, 0.5, 0.25);
}

/* Lamb and Oseen: v = C / r (1 - exp(-r^2 / a^2)). */
static void vortex(const double at[3], double u[3])
{
    const double r2 = at[0] * at[0] + at[1] * at[1], a2 = 0.25 * 0.25;
    const double by = r2 > 1e-12 ? (1 - exp(-r2 / a2)) / r2 : 1 / a2;
    u[0] = -by * at[1], u[1] = by * at[0], u[2] = 0;
}

static void a_vortex_has_its_velocity(void)
{
    const mote_FrameSystem gas = block(NULL, vortex);
    const Sampled x = sampled(&gas, "velocity.x", 0.5), y = sampled(&gas, "velocity.y", 0.5);
    const Sampled speed = sampled(&gas, "speed", 0.5);
    const double most = 0.638 / 0.25; /* at 1.12 a */
    double worst = 0, fast = 0;
    for (int n = 0; n < SAMPLES; ++n) {
        double at[3], u[3];
        sample_place(&x.grid, n, at);
        vortex(at, u);
        worst = fmax(worst, fmax(fabs(x.value[n] - u[0]), fabs(y.value[n] - u[1])));
        if (hypot(at[0], at[1]) > 0.1) /* a speed has a kink in the middle */
            fast = fmax(fast, fabs(speed.value[n] - hypot(u[0], u[1])));
    }
    printf("velocity off by %.4f, speed by %.4f of the most\n", worst / most, fast / most);
    CHECK(worst < 0.05 * most);
    CHECK(fast < 0.05 * most);
}

/* ---- lines ---- */

typedef struct Ring {
    double length, worst;
    int pieces;
} Ring;

static void measure(void *context, const double from[2], const double to[2])
{
    Ring *ring = context;
    const double middle = 0.5 * (ROWS - 1), radius = 9.3;
    ring->length += hypot(to[0] - from[0], to[1] - from[1]);
    ring->worst = fmax(ring->worst, fabs(hypot(from[0] - middle, from[1] - middle) - radius));
    ++ring->pieces;
}

static void lines_lie_where_the_value_is(void)
{
    static double values[SAMPLES], covered[SAMPLES];
    const SliceGrid grid = {.columns = ROWS, .rows = ROWS};
    const double radius = 9.3;
    Ring ring = {0, 0, 0};
    for (int n = 0; n < SAMPLES; ++n) {
        const double x = n % ROWS - 0.5 * (ROWS - 1), y = n / ROWS - 0.5 * (ROWS - 1);
        values[n] = x * x + y * y, covered[n] = 1;
    }
    slice_lines(&grid, values, covered, radius * radius, measure, &ring);
    CHECK(ring.worst < 0.02); /* 1 / (8 r), between samples on a parabola */
    CHECK_NEAR(ring.length / (2 * acos(-1) * radius), 1, 2e-3);
    for (int n = 0; n < SAMPLES; ++n) covered[n] = n % ROWS < ROWS / 2 ? 1 : 0;
    Ring half = {0, 0, 0};
    slice_lines(&grid, values, covered, radius * radius, measure, &half);
    CHECK_NEAR((double)half.pieces / ring.pieces, 0.5, 0.06);
}

/* A saddle x y = level: two lines that do not cross, on the sides where x y is level. */
static void on_one_side(void *context, const double from[2], const double to[2])
{
    const double a = (from[0] - 1.5) * (from[1] - 1.5), b = (to[0] - 1.5) * (to[1] - 1.5);
    CHECK(a > -0.01 && b > -0.01); /* the level is 0.05: never through the other quadrants */
    ++*(int *)context;
}

static void saddles_are_parted(void)
{
    double values[16], covered[16];
    int pieces = 0;
    const SliceGrid grid = {.columns = 4, .rows = 4};
    for (int n = 0; n < 16; ++n) values[n] = (n % 4 - 1.5) * (n / 4 - 1.5), covered[n] = 1;
    slice_lines(&grid, values, covered, 0.05, on_one_side, &pieces);
    CHECK(pieces >= 2 && pieces % 2 == 0);
}

/* The area of a stroke is its width times its length, and its round ends. */
static void strokes_have_their_area(void)
{
    enum { PIXELS = 64 };
    static float cover[PIXELS * PIXELS];
    const SliceMask mask = {PIXELS, PIXELS, cover};
    const double from[2] = {14.3, 20.2}, to[2] = {46.1, 41.7}, width = 3;
    double sum = 0;
    memset(cover, 0, sizeof cover);
    slice_stroke(&mask, from, to, width);
    slice_stroke(&mask, from, to, width); /* not twice */
    for (int i = 0; i < PIXELS * PIXELS; ++i) sum += (double)cover[i];
    const double area = width * hypot(to[0] - from[0], to[1] - from[1]) + acos(-1) * 2.25;
    CHECK_NEAR(sum / area, 1, 0.02);
}

/* ---- pictures ---- */

static double ramp(const double at[3])
{
    return at[0];
}

/* Pixels have the colour of their value; a collider and what is outside are grey and dark. */
static void pixels_have_the_colour_of_their_value(void)
{
    enum { WIDE = 128, HIGH = 96 };
    const mote_FrameSystem gas = block(ramp, NULL);
    mote_Frame frame = frame_of(&gas);
    mote_SphereShape ball = mote_sphere_shape_def();
    ball.radius = (mote_real)0.1;
    const mote_FrameShape shape = {.name = "ball",
                                   .type = "sphere",
                                   .params = &ball,
                                   .position = {0.2, 0.2, 0},
                                   .orientation = {0, 0, 0, 1}};
    frame.shapes = &shape, frame.shape_count = 1;
    mote_Slice slice = {.column = "value", .axis = 2, .low = -0.6, .high = 0.6};
    mote_RenderDef def = plain_def();
    mote_Image *image;
    mote_Error error;
    const mote_Vec3 low = {-1, (mote_real)-0.75, 0}, high = {1, (mote_real)0.75, 0};
    CHECK_OK(mote_slice_camera(&slice, low, high, 1, (double)WIDE / HIGH, &def.camera, &error),
             error);
    CHECK_NEAR((double)def.camera.height, 1.08 * 1.5, 1e-6);
    def.slice = &slice;
    CHECK_OK(mote_image_create(WIDE, HIGH, &image, &error), error);
    CHECK_OK(mote_render(&def, &frame, image, &error), error);
    const double scale = HIGH / (1.08 * 1.5);
    const struct {
        double x, y;
        int kind; /* 0: value, 1: collider, 2: nothing */
    } rows[] = {{-0.4, 0, 0}, {0.31, -0.2, 0}, {0, 0.4, 0}, {0.2, 0.2, 1}, {0.9, 0, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const int x = (int)(WIDE / 2.0 + scale * rows[i].x);
        const int y = (int)(HIGH / 2.0 - scale * rows[i].y);
        const float *p = mote_image_pixels(image) + 4 * (y * WIDE + x);
        const double at = ((x + 0.5 - WIDE / 2.0) / scale + 0.6) / 1.2;
        float color[1][3] = {{0.02f, 0.022f, 0.027f}};
        if (rows[i].kind == 0) CHECK_OK(mote_colormap("viridis", &at, 1, color, &error), error);
        if (rows[i].kind == 1) color[0][0] = color[0][1] = color[0][2] = 0.13f;
        for (int k = 0; k < 3; ++k) CHECK_NEAR((double)p[k], (double)color[0][k], 0.006);
    }
    mote_image_destroy(image);
}

static void trouble(void)
{
    const mote_FrameSystem gas = block(ramp, NULL);
    const mote_Frame frame = frame_of(&gas);
    mote_Slice slice = {.column = "pressure", .axis = 2};
    mote_RenderDef def = plain_def();
    mote_Image *image;
    mote_Error error;
    double low, high;
    CHECK_OK(mote_image_create(16, 16, &image, &error), error);
    CHECK(mote_slice_range(&frame, &slice, &low, &high, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "pressure") != NULL && strstr(error.message, "value") != NULL);
    slice.system = "gaz";
    CHECK(mote_slice_range(&frame, &slice, &low, &high, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "gas") != NULL);
    slice.system = NULL, slice.column = "value";
    CHECK_OK(mote_slice_range(&frame, &slice, &low, &high, &error), error);
    CHECK_NEAR(low, -0.58, 0.02);
    CHECK_NEAR(high, 0.58, 0.02);
    def.slice = &slice; /* in perspective */
    CHECK(mote_render(&def, &frame, image, &error) == MOTE_BAD_VALUE);
    def.camera.height = 1, def.camera.from = (mote_Vec3){0, 0, 5};
    CHECK_OK(mote_render(&def, &frame, image, &error), error);
    slice.low = 2, slice.high = 1;
    CHECK(mote_render(&def, &frame, image, &error) == MOTE_BAD_VALUE);
    mote_image_destroy(image);
}

/* ---- water ---- */

static const char tank[] =
    "{ mote: 1, world: { dimension: 2, fps: 50, max_step: 0.004 },"
    "  systems: [{ name: 'water', solver: { type: 'sph', spacing: 0.0125, support: 3,"
    "    kernel: 'wendland-c2', mach: 14, artificial: 0.1 } }],"
    "  emitters: [{ system: 'water', at: [0, 0.15, 0], from: { type: 'fill', spacing: 0.0125,"
    "    shape: { type: 'box', size: [0.2, 0.3, 0.02] } } }],"
    "  colliders: [{ name: 'tank', motion: { at: [0, 0.5, 0] },"
    "    shape: { type: 'inverted', shape: { type: 'box', size: [0.2, 1, 1] } } }] }";

/* The mean of some frames is rho g h within 2 % of what it is at the floor, at nine depths. */
static void water_at_rest_has_rho_g_h(void)
{
    enum { DEPTHS = 9, SETTLE = 60, FRAMES = 40 };
    mote_Scene *scene;
    mote_World *world = world_of_text(tank, &scene);
    const SliceGrid grid = {.columns = 1,
                            .rows = DEPTHS,
                            .corner = {0.03, 0.28, 0},
                            .across = {0.03, 0, 0},
                            .down = {0, -0.03, 0},
                            .step = 0.03};
    const mote_Slice slice = {.column = "pressure", .axis = 2};
    double sum[DEPTHS] = {0};
    mote_Error error;
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    for (int f = 0; f < SETTLE + FRAMES; ++f) {
        double values[DEPTHS], covered[DEPTHS];
        SliceQuantity quantity;
        CHECK_OK(mote_world_step(world, NULL, &error), error);
        if (f < SETTLE) continue;
        arena_reset(&arena);
        CHECK_OK(slice_quantity(mote_world_frame(world), &slice, &quantity, &error), error);
        CHECK(
            slice_sample(&grid, &quantity, slice_reach(quantity.system), &arena, values, covered));
        for (int d = 0; d < DEPTHS; ++d) sum[d] += values[d] / FRAMES;
    }
    for (int d = 0; d < DEPTHS; ++d) {
        const double depth = 0.02 + 0.03 * d, exact = 9810 * depth;
        printf("%.2f m: %.4f of rho g h\n", depth, sum[d] / exact);
        CHECK_NEAR(sum[d], exact, 0.02 * 9810 * 0.3);
    }
    arena_free(&arena);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

TESTS({"linear fields are exact", linear_fields_are_exact},
      {"the edge is half a spacing outside", the_edge_is_half_a_spacing_outside},
      {"a vortex has its velocity", a_vortex_has_its_velocity},
      {"lines lie where the value is", lines_lie_where_the_value_is},
      {"saddles are parted", saddles_are_parted},
      {"strokes have their area", strokes_have_their_area},
      {"pixels have the colour of their value", pixels_have_the_colour_of_their_value},
      {"trouble", trouble}, {"water at rest has rho g h", water_at_rest_has_rho_g_h})
