/* Light transport against closed forms and quadrature: white furnaces of every matter, facets of
 * rough mirrors, highlights, and the sky that leads paths. */
#include "check.h"

#include "render/kernels/paths.h"
#include "render/scene.h"
#include "render/trace_optics.h"
#include "render/trace_samples.h"
#include "render/trace_sky.h"

#include <mote/shapes.h>

#include <string.h>

/* ---- facets ---- */

/* The part of the facets' mirrored light that goes into a cone, by Walter et al.'s formulas in
 * double precision: D G1 / (4 cos), summed over the cone. */
static double cone_by_formula(const double eye[3], const double axis[3], double reach, double alpha)
{
    enum { N = 200 };
    double sum = 0, a2 = alpha * alpha;
    const double helper[3] = {0.36, 0.48, -0.8};
    double t[3] = {axis[1] * helper[2] - axis[2] * helper[1],
                   axis[2] * helper[0] - axis[0] * helper[2],
                   axis[0] * helper[1] - axis[1] * helper[0]};
    const double size = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; ++k) t[k] /= size;
    const double b[3] = {axis[1] * t[2] - axis[2] * t[1], axis[2] * t[0] - axis[0] * t[2],
                         axis[0] * t[1] - axis[1] * t[0]};
    const double tan2 = (1 - eye[2] * eye[2]) / (eye[2] * eye[2]);
    const double g1 = 2 / (1 + sqrt(1 + a2 * tan2));
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            const double c = 1 - (1 - cos(reach)) * (i + 0.5) / N, s = sqrt(1 - c * c);
            const double p = 2 * M_PI * (j + 0.5) / N;
            double light[3], half[3], length = 0;
            for (int k = 0; k < 3; ++k)
                light[k] = c * axis[k] + s * (cos(p) * t[k] + sin(p) * b[k]),
                half[k] = light[k] + eye[k], length += half[k] * half[k];
            const double nh = half[2] / sqrt(length), q = nh * nh * (a2 - 1) + 1;
            const double d = a2 / (M_PI * q * q);
            if (light[2] > 0) sum += d * g1 / (4 * eye[2]);
        }
    return sum * 2 * M_PI * (1 - cos(reach)) / (N * N);
}

static void facets_mirror_by_their_law(void)
{
    const float up[3] = {0, 0, 1}, eye[3] = {0.6f, 0, 0.8f};
    const double e[3] = {0.6, 0, 0.8}, to[2][3] = {{-0.6, 0, 0.8}, {-0.28, 0.24, 0.9295}};
    for (int cone = 0; cone < 2; ++cone) {
        enum { N = 1 << 16 };
        int inside = 0;
        const float axis[3] = {(float)to[cone][0], (float)to[cone][1], (float)to[cone][2]};
        for (uint32_t s = 0; s < N; ++s) {
            float u[2], m[3], out[3];
            sample_pair(5, reverse_bits(s), 1, u);
            facet_normal(up, eye, 0.3f, u, m);
            const float down[3] = {-eye[0], -eye[1], -eye[2]};
            mirror(down, m, out);
            CHECK(dot3(m, eye) > 0 && m[2] > 0);
            inside += dot3(out, axis) > cosf(0.2f);
        }
        CHECK_NEAR((double)inside / N / cone_by_formula(e, to[cone], 0.2, 0.3), 1, 0.02);
    }
}

/* The light of all lights of the half-space in one mirror, by chance: facets that are seen, times
 * the part of what they mirror that no other facet is in the way of (Smith's masking, of both ways
 * over that of the eye's). */
static double shine_by_chance(const float eye[3], float alpha)
{
    enum { N = 1 << 16 };
    const float up[3] = {0, 0, 1}, down[3] = {-eye[0], -eye[1], -eye[2]};
    const double a2 = (double)alpha * (double)alpha, nv = (double)eye[2];
    const double seen = (sqrt(1 + a2 * (1 - nv * nv) / (nv * nv)) - 1) / 2;
    double sum = 0;
    for (uint32_t s = 0; s < N; ++s) {
        float u[2], m[3], out[3];
        sample_pair(6, reverse_bits(s), 1, u);
        facet_normal(up, eye, alpha, u, m);
        mirror(down, m, out);
        if (!(out[2] > 0)) continue;
        const double nl = (double)out[2];
        const double lit = (sqrt(1 + a2 * (1 - nl * nl) / (nl * nl)) - 1) / 2;
        sum += (1 + seen) / (1 + seen + lit) / N;
    }
    return sum;
}

static void highlights_have_all_light(void)
{
    static const float alphas[] = {0.1f, 0.3f, 0.6f};
    const float up[3] = {0, 0, 1}, eye[3] = {0.6f, 0, 0.8f};
    for (int a = 0; a < 3; ++a) {
        enum { N = 500 };
        double sum = 0;
        for (int i = 0; i < N * N; ++i) {
            const float z = ((float)(i % N) + 0.5f) / N, r = sqrtf(1 - z * z);
            const float p = 6.2831853f * ((float)(i / N) + 0.5f) / N;
            const float light[3] = {r * cosf(p), r * sinf(p), z};
            V8 to_eye[3], to_light[3], normal[3], half[3];
            all_vectors(eye, to_eye), all_vectors(light, to_light), all_vectors(up, normal);
            madd8(to_light, all8(1), to_eye, half), unit8(half);
            const V8 shine = facets_shine(normal, to_eye, to_light, half, all8(alphas[a]));
            sum += (double)shine[i % 8] * 2 / (N * N);
        }
        CHECK_NEAR(sum / shine_by_chance(eye, alphas[a]), 1, 0.01);
    }
}

/* ---- the sky ---- */

typedef struct Sky {
    mote_RenderDef def;
    View view;
    Lights lights;
    Backdrop backdrop;
    TraceSky table;
    Memory memory;
    Arena arena;
} Sky;

/* A dim sky with a bright glow around a sun. */
static Sky *sky_make(double glow)
{
    Sky *s = calloc(1, sizeof *s);
    s->def = plain_def();
    s->def.backdrop.horizon = s->def.backdrop.zenith =
        (mote_Vec3){(mote_real)0.1, (mote_real)0.1, (mote_real)0.1};
    s->def.backdrop.glow = (mote_Vec3){(mote_real)glow, (mote_real)glow, (mote_real)glow};
    s->view.up[1] = 1;
    s->lights.count = 1;
    const float toward[3] = {0.48f, 0.8f, 0.36f};
    memcpy(s->lights.lights[0].toward, toward, sizeof toward);
    s->backdrop = (Backdrop){.view = &s->view, .def = &s->def, .lights = &s->lights};
    s->memory = memory_make((mote_Allocator){0});
    s->arena = arena_make(&s->memory);
    CHECK(trace_sky_make(&s->backdrop, &s->arena, &s->table));
    return s;
}

static void sky_free(Sky *s)
{
    arena_free(&s->arena);
    free(s);
}

/* Light on a level, white surface: by quadrature, the sum of L cos / pi. */
static double light_by_quadrature(const Sky *s)
{
    enum { N = 800 };
    double sum = 0;
    for (int i = 0; i < N * N; ++i) {
        const float y = ((float)(i % N) + 0.5f) / N, r = sqrtf(1 - y * y);
        const float p = 6.2831853f * ((float)(i / N) + 0.5f) / N;
        float light[3];
        backdrop_sky(&s->backdrop, (const float[3]){r * cosf(p), y, r * sinf(p)}, 1, light);
        sum += (double)(light[0] * y) * 2 / (N * N);
    }
    return sum;
}

/* Mean and variance of one path that leaves a level surface, led by the table or not. */
static void one_path(const Sky *s, float odds, double *mean, double *variance)
{
    enum { N = 1 << 15 };
    const float up[3] = {0, 1, 0};
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < N; ++i) {
        float u[2], v[2], direction[3], light[3];
        sample_pair(9, reverse_bits(i), 1, u), sample_pair(9, reverse_bits(i), 2, v);
        if (u[0] < odds)
            trace_sky_choose(&s->table, v, direction);
        else
            around3(up, sqrtf(1 - v[0]), v[1], direction); /* by the cosine law */
        CHECK_NEAR((double)length3(direction), 1, 1e-4);
        const float own = direction[1] > 0 ? direction[1] / 3.14159265f : 0;
        backdrop_sky(&s->backdrop, direction, 1, light);
        const float all = odds * trace_sky_density(&s->table, direction) + (1 - odds) * own;
        const double found = own > 0 ? (double)(light[0] * own / all) : 0;
        sum += found / N, squares += found * found / N;
    }
    *mean = sum, *variance = squares - sum * sum;
}

static void sky_leads_paths(void)
{
    double mean[2], variance[2];
    Sky *s = sky_make(200);
    const double truth = light_by_quadrature(s);
    CHECK(s->table.odds > 0.5f);
    one_path(s, s->table.odds, &mean[0], &variance[0]);
    one_path(s, 0, &mean[1], &variance[1]);
    CHECK_NEAR(mean[0] / truth, 1, 0.005);
    CHECK_NEAR(mean[1] / truth, 1, 0.05);
    CHECK(variance[0] < 0.1 * variance[1]);
    double all = 0; /* the density over the whole sphere */
    enum { N = 300 };
    for (int i = 0; i < N * N; ++i) {
        const float y = 2 * ((float)(i % N) + 0.5f) / N - 1, r = sqrtf(1 - y * y);
        const float p = 6.2831853f * ((float)(i / N) + 0.5f) / N;
        all += (double)trace_sky_density(&s->table, (const float[3]){r * cosf(p), y, r * sinf(p)}) *
               4 * M_PI / (N * N);
    }
    CHECK_NEAR(all, 1, 0.02);
    sky_free(s);
    s = sky_make(0); /* an even sky leads nobody */
    CHECK(s->table.odds == 0);
    sky_free(s);
}

#if MOTE_WITH_EMBREE

/* ---- pictures ---- */

enum { SIDE = 24 };

typedef struct Stage {
    mote_RenderDef def;
    mote_Frame frame;
    mote_SphereShape ball;
    mote_BoxShape box;
    mote_FrameShape shape;
    mote_ShapeLook look;
    mote_Light light;
} Stage;

/* A white ball in an even white sky, without lights. */
static void furnace_set(Stage *s)
{
    *s = (Stage){.def = plain_def(), .ball = mote_sphere_shape_def(), .box = mote_box_shape_def()};
    s->look = mote_shape_look_def();
    s->look.shape = "thing", s->look.color = (mote_Vec3){1, 1, 1};
    s->look.gloss = 1;
    s->shape = (mote_FrameShape){
        .name = "thing", .type = "sphere", .params = &s->ball, .orientation = {0, 0, 0, 1}};
    s->ball.radius = 1;
    s->frame =
        (mote_Frame){.dt = 1, .dimension = 3, .up_axis = 1, .shapes = &s->shape, .shape_count = 1};
    s->light = mote_light_def();
    s->light.color = (mote_Vec3){0, 0, 0};
    s->def.lights = &s->light, s->def.light_count = 1;
    s->def.shapes = &s->look, s->def.shape_count = 1;
    s->def.backdrop.horizon = s->def.backdrop.zenith = (mote_Vec3){1, 1, 1};
    s->def.camera.from = (mote_Vec3){0, 0, 4}, s->def.camera.to = (mote_Vec3){0, 0, 0};
    s->def.trace.samples = 32, s->def.trace.bounces = 64;
    s->def.trace.denoise = false;
}

/* The mean of a channel over the middle of the picture. */
static double middle_of(Stage *s, int channel)
{
    mote_Image *image;
    mote_Error error;
    double sum = 0;
    CHECK_OK(mote_image_create(SIDE, SIDE, &image, &error), error);
    CHECK_OK(mote_render(&s->def, &s->frame, image, &error), error);
    for (int y = SIDE / 4; y < 3 * SIDE / 4; ++y)
        for (int x = SIDE / 4; x < 3 * SIDE / 4; ++x)
            sum += (double)mote_image_pixels(image)[4 * (y * SIDE + x) + channel];
    mote_image_destroy(image);
    return sum / (SIDE * SIDE / 4);
}

/* What takes no light cannot be seen in even light. */
static void white_furnaces(void)
{
    for (int matter = 0; matter < 4; ++matter)
        for (int rough = 0; rough < 3; ++rough) {
            Stage s;
            furnace_set(&s);
            s.look.roughness = (mote_real)(0.05 + 0.4 * rough);
            s.look.frost = (mote_real)(0.4 * rough);
            s.look.metal = matter == 1;
            s.look.glass = matter > 1;
            if (matter == 2) s.look.refraction = (mote_real)1.5;
            CHECK_NEAR(middle_of(&s, 0), 1, 0.01);
        }
}

/* A level face of metal under a sun shows D G F / (4 cos cos') of its light. */
static void highlight_is_as_the_formula_says(void)
{
    static const double roughness[] = {0.3, 0.5, 0.8};
    for (int i = 0; i < 3; ++i) {
        Stage s;
        furnace_set(&s);
        s.box.size = (mote_Vec3){40, 2, 40};
        s.shape.type = "box", s.shape.params = &s.box;
        s.shape.position[1] = -1;
        s.look.metal = true, s.look.roughness = (mote_real)roughness[i];
        s.look.color = (mote_Vec3){(mote_real)0.9, (mote_real)0.5, (mote_real)0.2};
        s.light.color = (mote_Vec3){1, 1, 1}, s.light.size = (mote_real)0.05;
        s.light.toward = (mote_Vec3){(mote_real)0.1, (mote_real)0.8, (mote_real)-0.6};
        s.def.backdrop.horizon = s.def.backdrop.zenith = (mote_Vec3){0, 0, 0};
        s.def.camera.from = (mote_Vec3){0, 8, 6}, s.def.camera.height = 1;
        const double eye[3] = {0, 0.8, 0.6}, size = sqrt(0.01 + 0.64 + 0.36);
        const double to[3] = {0.1 / size, 0.8 / size, -0.6 / size};
        double half[3], length = 0, vh = 0;
        for (int k = 0; k < 3; ++k) half[k] = eye[k] + to[k], length += half[k] * half[k];
        for (int k = 0; k < 3; ++k) half[k] /= sqrt(length), vh += half[k] * eye[k];
        const double a2 = pow(roughness[i], 4), nv = eye[1], nl = to[1], nh = half[1];
        const double q = nh * nh * (a2 - 1) + 1, d = a2 / (M_PI * q * q);
        const double lv = (sqrt(1 + a2 * (1 - nv * nv) / (nv * nv)) - 1) / 2;
        const double ll = (sqrt(1 + a2 * (1 - nl * nl) / (nl * nl)) - 1) / 2;
        const double g = 1 / (1 + lv + ll), color[3] = {0.9, 0.5, 0.2};
        for (int k = 0; k < 3; ++k) {
            const double f = color[k] + (1 - color[k]) * pow(1 - vh, 5);
            const double shown = M_PI * d * g * f / (4 * nv * nl) * nl;
            if (shown < 8) CHECK_NEAR(middle_of(&s, k) / shown, 1, 0.01);
        }
    }
}

/* A dull ground below a sky with a glow: as quadrature has it, and with little noise. */
static void ground_below_a_glow(void)
{
    mote_PlaneShape plane = mote_plane_shape_def();
    Stage s;
    Sky *sky = sky_make(200);
    furnace_set(&s);
    s.shape.type = "plane", s.shape.params = &plane;
    s.def.backdrop = sky->def.backdrop;
    s.light.toward = (mote_Vec3){(mote_real)0.48, (mote_real)0.8, (mote_real)0.36};
    s.light.size = 0;
    s.def.ground.square = 0, s.def.ground.fade = 0;
    s.def.ground.colors[0] = (mote_Vec3){1, 1, 1};
    s.def.camera.from = (mote_Vec3){0, 3, (mote_real)0.01};
    s.def.camera.up = (mote_Vec3){0, 0, -1};
    s.def.trace.limit = 1000;
    const double truth = light_by_quadrature(sky);
    CHECK_NEAR(middle_of(&s, 0) / truth, 1, 0.02);
    sky_free(sky);
}

TESTS({"facets mirror by their law", facets_mirror_by_their_law},
      {"highlights have all light", highlights_have_all_light},
      {"sky leads paths", sky_leads_paths}, {"white furnaces", white_furnaces},
      {"highlight is as the formula says", highlight_is_as_the_formula_says},
      {"ground below a glow", ground_below_a_glow})
#else
TESTS({"facets mirror by their law", facets_mirror_by_their_law},
      {"highlights have all light", highlights_have_all_light},
      {"sky leads paths", sky_leads_paths})
#endif
