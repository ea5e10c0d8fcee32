/* Light on particles of smoke. Each shows its colour times
 *     sum over lights: colour * 4 pi phase(angle) * exp(-depth)  +  ambient * sky
 * with L. Henyey and J. Greenstein's phase function, 1941. Light that is scattered several times
 * goes deeper and in more directions: it is the same formula with half the optical depth and half
 * the g, half as strong, and once more (M. Wrenninge, C. Kulla and V. Lundqvist, "Oz: the great and
 * volumetric", SIGGRAPH Talks 2013). */
#include "base/math.h"
#include "render/float3.h"
#include "render/smoke.h"

#include <string.h>

#define LIT_SIDE 1.5f /* cells from the middle of a sphere */
enum { GRAIN = 4096, OCTAVES = 3 };

typedef struct Scatter {
    const Smoke *smoke;
    const Lights *lights;
    const View *view;
    const SplatSource *source;
    float *light[3];
} Scatter;

/* What part of a light a particle sends on, from the optical depth before it. The root of exp(-d)
 * is exp(-d / 2): each octave of Wrenninge's sum is one root away from the last. Weights are
 * divided by their sum, so no light is made. */
static float scattered(float through, float cosine, float g)
{
    float sum = 0, weight = 1, all = 0, root = through;
    for (int i = 0; i < OCTAVES; ++i) {
        sum += weight * root * phase_of(cosine, g);
        all += weight;
        root = __builtin_sqrtf(root); /* exp(-depth / 2) */
        weight *= 0.5f, g *= 0.5f;
    }
    return sum / all;
}

static void scatter_row(const Scatter *c, size_t i, float out[3])
{
    const Lights *lights = c->lights;
    Surfel s = {.solid = NO_SOLID};
    const mote_Vec3 eye = c->view->from;
    s.place[0] = (float)(c->source->position[0][i] - eye.x);
    s.place[1] = (float)(c->source->position[1][i] - eye.y);
    s.place[2] = (float)(c->source->position[2][i] - eye.z);
    float away = length3(s.place), sky = smoke_lets_sky_through(c->smoke, s.place);
    sky = 0.5f * (sky + __builtin_sqrtf(__builtin_sqrtf(sky))); /* scattered on the way, too */
    for (int k = 0; k < 3; ++k) out[k] = lights->ambient[k] * sky;
    for (size_t n = 0; n < lights->count; ++n) {
        float toward[3], color[3];
        light_reach(&lights->lights[n], s.place, toward, color);
        float cosine = away > 0 ? dot3(toward, s.place) / away : 0;
        if (c->view->orthographic) cosine = dot3(toward, c->view->axis[2]);
        float through = light_through(lights, &lights->lights[n], &s, toward);
        if (lights->lights[n].point && lights->lights[n].shadows && through > 0)
            through *= smoke_on_the_way(c->smoke, lights->lights[n].at, s.place);
        through = scattered(through, cosine, c->source->scatter);
        for (int k = 0; k < 3; ++k) out[k] += color[k] * through;
    }
}

/* What part of the sky's light arrives at a sphere: from above, or at the side of a heap, whose
 * wall sees half of the sky. */
static float sky_on_sphere(const Scatter *c, const float middle[3], float aside)
{
    float place[3], most;
    madd3(middle, aside, c->lights->up, place);
    most = smoke_lets_sky_through(c->smoke, place);
    for (int k = 0; k < 4; ++k) {
        madd3(middle, k & 1 ? aside : -aside, c->smoke->sky.axis[k >> 1], place);
        const float beside = 0.5f * smoke_lets_sky_through(c->smoke, place);
        most = beside > most ? beside : most;
    }
    return most;
}

/* Where spheres get fewer: out of the heap that one lies on, as long as at most 1. */
static void way_out(const Smoke *smoke, const float middle[3], float out[3])
{
    const SmokeGrid *g = &smoke->density;
    float sum = 0;
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 3; ++k) {
        float before[3], after[3];
        madd3(middle, -g->cell, g->axis[k], before);
        madd3(middle, g->cell, g->axis[k], after);
        const float low = smoke_grid_at(g, before, 0), high = smoke_grid_at(g, after, 0);
        sum += low + high;
        madd3(out, low - high, g->axis[k], out);
    }
    const float length = length3(out), flat = 0.3f * sum; /* a wall: 1/3 of all is on one side */
    for (int k = 0; k < 3 && length > 0; ++k) out[k] /= length > flat ? length : flat;
}

/* Spheres have light and shade of their own: what part of it arrives at the side that is lit. In
 * the middle of one it would be shaded by itself and by those beside it. */
static void shaded_row(const Scatter *c, size_t i, float out[3])
{
    const Lights *lights = c->lights;
    Surfel s = {.solid = NO_SOLID};
    const mote_Vec3 eye = c->view->from;
    const float out_of_it = LIT_SIDE * c->smoke->sky.cell;
    float whole[3], middle[3], open[3];
    middle[0] = (float)(c->source->position[0][i] - eye.x);
    middle[1] = (float)(c->source->position[1][i] - eye.y);
    middle[2] = (float)(c->source->position[2][i] - eye.z);
    const float sky = sky_on_sphere(c, middle, out_of_it);
    way_out(c->smoke, middle, open);
    for (int k = 0; k < 3; ++k) whole[k] = lights->ambient[k], out[k] = whole[k] * sky;
    for (size_t n = 0; n < lights->count; ++n) {
        float toward[3], color[3];
        light_reach(&lights->lights[n], middle, toward, color);
        madd3(middle, out_of_it, toward, s.place);
        madd3(s.place, out_of_it, open, s.place);
        float through = light_through(lights, &lights->lights[n], &s, toward);
        for (int k = 0; k < 3; ++k) whole[k] += color[k], out[k] += color[k] * through;
    }
    for (int k = 0; k < 3; ++k) out[k] = whole[k] > 0 ? out[k] / whole[k] : 1;
}

static void scatter_rows(void *context, size_t begin, size_t end, int worker)
{
    const Scatter *c = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        float light[3];
        if (c->source->profile->form == PROFILE_SPHERE)
            shaded_row(c, i, light);
        else
            scatter_row(c, i, light);
        for (int k = 0; k < 3; ++k) c->light[k][i] = light[k];
    }
}

bool smoke_light_source(const Smoke *smoke, const Lights *lights, const View *view,
                        SplatSource *source, Arena *arena, mote_Tasks *tasks)
{
    Scatter c = {smoke, lights, view, source, {NULL, NULL, NULL}};
    for (int k = 0; k < 3; ++k) {
        c.light[k] = arena_take(arena, (source->count + 1) * sizeof(float));
        if (c.light[k] == NULL) return false;
    }
    mote_parallel_for(tasks, source->count, GRAIN, scatter_rows, &c);
    for (int k = 0; k < 3; ++k) source->light[k] = c.light[k];
    return true;
}
