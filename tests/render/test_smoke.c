/* Light in smoke: optical depths, the phase function, shadows on particles and on the ground. */
#include "check.h"

#include "render/image.h"
#include "render/scene.h"
#include "render/smoke.h"
#include "render/splat.h"

enum { ROWS = 60000 };

typedef struct Cloud {
    mote_real *position[3], *radius, *opacity;
    SplatSource source;
    View view;
    RenderSolids solids;
    Lights lights;
    Smoke smoke;
    Memory memory;
    Arena arena;
} Cloud;

/* A slab x, y in [-1, 1], z in [-1, 1], of optical depth `depth` along z, seen by a sun from +z. */
static Cloud *cloud_make(double depth, float g)
{
    Cloud *c = calloc(1, sizeof *c);
    c->memory = memory_make((mote_Allocator){0});
    c->arena = arena_make(&c->memory);
    for (int k = 0; k < 3; ++k) c->position[k] = malloc(ROWS * sizeof(mote_real));
    c->radius = malloc(ROWS * sizeof(mote_real));
    c->opacity = malloc(ROWS * sizeof(mote_real));
    const ProfileRow *profile = profile_row("soft");
    const double r = 0.02,
                 area = 2 * M_PI * (double)profile->deviation * (double)profile->deviation * r * r;
    for (uint64_t i = 0; i < ROWS; ++i) {
        for (uint64_t k = 0; k < 3; ++k)
            c->position[k][i] = (mote_real)(2 * scene_random(3 * i + k) - 1);
        c->radius[i] = (mote_real)r;
        c->opacity[i] = (mote_real)(depth * 4 / (ROWS * area));
    }
    c->source = (SplatSource){.position = {c->position[0], c->position[1], c->position[2]},
                              .radius = c->radius,
                              .opacity = c->opacity,
                              .count = ROWS,
                              .profile = profile,
                              .size = 1,
                              .brightness = 1,
                              .occlusion = 1,
                              .lit = true,
                              .scatter = g};
    c->view = (View){.axis = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, .up = {0, 1, 0}, .focal = 100};
    c->lights = (Lights){.solids = &c->solids, .count = 1, .up = {0, 1, 0}};
    c->lights.lights[0] = (Light){.toward = {0, 0, 1}, .color = {1, 1, 1}, .shadows = true};
    return c;
}

static void cloud_free(Cloud *c)
{
    for (int k = 0; k < 3; ++k) free(c->position[k]);
    free(c->radius);
    free(c->opacity);
    arena_free(&c->arena);
    free(c);
}

/* Mean optical depth of many places at one z. */
static double mean_depth(const Cloud *c, double z)
{
    double sum = 0;
    enum { N = 60 };
    for (int i = 0; i < N * N; ++i) {
        const float place[3] = {(float)(1.6 * (i % N + 0.5) / N - 0.8),
                                (float)(1.6 * (i / N + 0.5) / N - 0.8), (float)z};
        sum += -log((double)smoke_lets_through(&c->smoke, 0, place));
    }
    return sum / (N * N);
}

/* Beer and Lambert: exp(-depth of the way), inside and behind the slab. */
static void light_fades_exponentially(void)
{
    Cloud *c = cloud_make(2, 0);
    CHECK(smoke_make(&c->smoke, &c->lights, &c->view, &c->source, 1, &c->arena, NULL));
    for (double z = 0.9; z > -0.95; z -= 0.15) CHECK_NEAR(mean_depth(c, z), 1 - z, 0.04);
    CHECK_NEAR(mean_depth(c, -5), 2, 0.05);
    const float before[3] = {0.1f, 0.2f, 3}, beside[3] = {4, 0, 0};
    CHECK(smoke_lets_through(&c->smoke, 0, before) == 1);
    CHECK(smoke_lets_through(&c->smoke, 0, beside) == 1);
    double sum = 0; /* of a point light */
    for (int i = 0; i < 400; ++i) {
        const float x = 1.6f * ((float)(i % 20) + 0.5f) / 20 - 0.8f,
                    y = 0.08f * (float)(i / 20) - 0.8f;
        const float from[3] = {x, y, 2}, to[3] = {x, y, -2};
        sum += -log((double)smoke_on_the_way(&c->smoke, from, to)) / 400;
    }
    CHECK_NEAR(sum, 2, 0.1);
    cloud_free(c);
}

/* Depths do not depend on the order of the particles, nor on the number of threads. */
static void order_does_not_matter(void)
{
    float values[3];
    for (int k = 0; k < 3; ++k) {
        Cloud *c = cloud_make(2, 0.3f);
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        mote_Error error;
        def.threads = k == 2 ? 4 : 1;
        CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
        for (int i = 0; k == 1 && i < ROWS / 2; ++i) {
            for (int d = 0; d < 3; ++d) {
                mote_real swap = c->position[d][i];
                c->position[d][i] = c->position[d][ROWS - 1 - i];
                c->position[d][ROWS - 1 - i] = swap;
            }
        }
        CHECK(smoke_make(&c->smoke, &c->lights, &c->view, &c->source, 1, &c->arena, tasks));
        const float place[3] = {0.123f, -0.2f, -0.4f};
        values[k] = smoke_lets_through(&c->smoke, 0, place);
        size_t row = k == 1 ? ROWS - 1 - 77 : 77;
        values[k] += c->source.light[0][row];
        mote_tasks_destroy(tasks);
        cloud_free(c);
    }
    CHECK(values[0] == values[1] && values[0] == values[2]);
}

/* The mean over the sphere is 1, and the mean cosine is g. */
static void phase_function_is_normalised(void)
{
    static const float gs[] = {-0.6f, 0, 0.3f, 0.7f, 0.95f};
    for (size_t i = 0; i < sizeof gs / sizeof gs[0]; ++i) {
        double sum = 0, mean = 0;
        enum { N = 200000 };
        for (int k = 0; k < N; ++k) {
            double cosine = 2 * (k + 0.5) / N - 1, p = (double)phase_of((float)cosine, gs[i]);
            sum += p / N, mean += p * cosine / N;
        }
        CHECK_NEAR(sum, 1, 2e-3);
        CHECK_NEAR(mean, (double)gs[i], 3e-3);
    }
}

/* Thin smoke under ambient light shows it; a particle at the lit side is brighter than one at the
 * far side. */
static void particles_are_lit(void)
{
    Cloud *c = cloud_make(3, 0);
    c->lights.ambient[0] = 0.5f;
    c->position[0][0] = c->position[1][0] = 0, c->position[2][0] = (mote_real)0.99;
    c->position[0][1] = c->position[1][1] = 0, c->position[2][1] = (mote_real)-0.99;
    CHECK(smoke_make(&c->smoke, &c->lights, &c->view, &c->source, 1, &c->arena, NULL));
    CHECK(c->source.light[1][0] > 0.8f && c->source.light[1][0] <= 1);
    CHECK(c->source.light[1][1] < 0.4f * c->source.light[1][0]);
    CHECK(c->source.light[0][0] > c->source.light[1][0]);
    for (size_t i = 0; i < ROWS; ++i)
        CHECK(c->source.light[0][i] >= 0 && c->source.light[0][i] <= 1.5f);
    cloud_free(c);
}

/* Spheres in even rows, as a block of liquid begins, under a sun from above and from the side. The
 * faces that it reaches are lit evenly; a wall that it does not reach has light of half of the sky,
 * and the inside has none. */
static void a_block_of_spheres_is_lit_evenly(void)
{
    enum { N = 20 };
    Cloud *c = cloud_make(1, 0);
    float least = 2, most = 0;
    c->source.count = N * N * N, c->source.profile = profile_row("sphere");
    for (size_t i = 0; i < N * N * N; ++i) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (int k = 0; k < 3; ++k) c->position[k][i] = (mote_real)0.04 * (mote_real)at[k];
        c->radius[i] = (mote_real)0.024, c->opacity[i] = 1;
    }
    for (int k = 0; k < 3; ++k) c->lights.ambient[k] = 0.42f;
    c->lights.lights[0].toward[0] = -0.4f, c->lights.lights[0].toward[1] = 0.85f;
    c->lights.lights[0].toward[2] = 0.34f;
    CHECK(smoke_make(&c->smoke, &c->lights, &c->view, &c->source, 1, &c->arena, NULL));
    for (size_t y = 3; y < N - 3; ++y)
        for (size_t x = 3; x < N - 3; ++x) {
            const float light = c->source.light[0][((N - 1) * N + y) * N + x]; /* z is largest */
            least = light < least ? light : least, most = light > most ? light : most;
        }
    CHECK(least > 0.5f && most - least < 0.1f * most);
    const float whole = 0.42f + 1, wall = c->source.light[0][(N / 2 * N + N / 2) * N + N - 1];
    CHECK_NEAR((double)(wall * whole), 0.42 / 2, 0.25 * 0.42);
    CHECK(c->source.light[0][(N / 2 * N + N / 2) * N + N / 2] < 0.01f);
    cloud_free(c);
}

static void hostile_rows_do_no_harm(void)
{
    Cloud *c = cloud_make(1, 0.5f);
    static const double wrong[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e30, -1e30};
    for (size_t i = 0; i < 5; ++i) {
        c->position[i % 3][i] = (mote_real)wrong[i];
        c->radius[10 + i] = (mote_real)wrong[i];
        c->opacity[20 + i] = (mote_real)wrong[i];
    }
    CHECK(smoke_make(&c->smoke, &c->lights, &c->view, &c->source, 1, &c->arena, NULL));
    for (size_t i = 40; i < ROWS; ++i) CHECK(c->source.light[0][i] >= 0);
    for (size_t i = 0; i < ROWS; ++i) c->opacity[i] = 0; /* nothing is left that fades light */
    CHECK(smoke_make(&c->smoke, &c->lights, &c->view, &c->source, 1, &c->arena, NULL));
    CHECK_NEAR(c->source.light[0][50], 1, 0.9);
    cloud_free(c);
}

TESTS({"light_fades_exponentially", light_fades_exponentially},
      {"order_does_not_matter", order_does_not_matter},
      {"phase_function_is_normalised", phase_function_is_normalised},
      {"particles_are_lit", particles_are_lit},
      {"a_block_of_spheres_is_lit_evenly", a_block_of_spheres_is_lit_evenly},
      {"hostile_rows_do_no_harm", hostile_rows_do_no_harm})
