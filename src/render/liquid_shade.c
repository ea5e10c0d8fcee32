/* Light on and in a liquid: at its surface a part is mirrored (Fresnel's law by C. Schlick, 1994);
 * the rest is what is behind, displaced by refraction, dimmed by what the thickness absorbs (Beer
 * and Lambert). */
#include "render/liquid.h"

#include "base/math.h"
#include "render/float3.h"

#include <math.h>
#include <string.h>

#define FRESNEL   0.02f /* of water, looked at from straight above */
#define BENT      0.25f /* 1 - 1 / 1.33: displacement per thickness and slope of the normal */
#define ROUGHNESS 0.12f

/* A point of the surface, along the view's axes. */
static void surface_point(const Liquid *l, int x, int y, float depth, float out[3])
{
    const View *v = l->view;
    const float scale = (v->orthographic ? 1 : depth) / v->focal;
    out[0] = ((float)x + 0.5f - v->center[0]) * scale;
    out[1] = ((float)y + 0.5f - v->center[1]) * scale;
    out[2] = depth;
}

/* From the pixel to a neighbour along one axis, on the side where the depth changes less. The side
 * where depth changes less is on the same surface: across an outline the other one is behind. */
static void surface_slope(const Liquid *l, int x, int y, int axis, float out[3])
{
    const int limit[2] = {l->view->width, l->view->height}, at[2] = {x, y};
    const size_t stride = axis == 0 ? 1 : (size_t)l->view->width;
    const float *depth = l->depth + (size_t)y * (size_t)l->view->width + (size_t)x;
    float best = (float)INFINITY, side = 1;
    for (int way = -1; way <= 1; way += 2) {
        if (at[axis] + way < 0 || at[axis] + way >= limit[axis]) continue;
        float change = depth[way * (ptrdiff_t)stride] - depth[0];
        if (fabsf(change) < fabsf(best)) best = change, side = (float)way;
    }
    float here[3], there[3];
    if (!(fabsf(best) < 1e30f)) best = 0;
    surface_point(l, x, y, depth[0], here);
    surface_point(l, x + (axis == 0 ? (int)side : 0), y + (axis == 1 ? (int)side : 0),
                  depth[0] + best, there);
    for (int k = 0; k < 3; ++k) out[k] = side * (there[k] - here[k]);
}

void liquid_normal(const Liquid *l, int x, int y, float normal[3])
{
    float right[3], down[3];
    surface_slope(l, x, y, 0, right);
    surface_slope(l, x, y, 1, down);
    cross3(down, right, normal); /* toward the eye */
    unit3(normal);
}

/* ---- pixels ---- */

typedef struct ShadeJob {
    const Liquid *liquid;
    const Stage *stage;
    const float (*behind)[4]; /* the stage without the liquid */
    float (*pixels)[4];
} ShadeJob;

/* What is seen through the surface; not what is before it. */
static const float *refracted(const ShadeJob *job, int x, int y, const float normal[3])
{
    const Liquid *l = job->liquid;
    const View *v = l->view;
    const size_t p = (size_t)y * (size_t)v->width + (size_t)x;
    const float scale = v->focal / (v->orthographic ? 1 : l->depth[p]);
    const float way = BENT * l->thickness[p] * scale;
    float fx = (float)x + 0.5f - way * normal[0], fy = (float)y + 0.5f - way * normal[1];
    fx = fx > 0 ? fx < (float)v->width - 1 ? fx : (float)v->width - 1 : 0;
    fy = fy > 0 ? fy < (float)v->height - 1 ? fy : (float)v->height - 1 : 0;
    const size_t column = (size_t)fx, row = (size_t)fy;
    if (job->stage->depth[row * job->stage->stride + column] < l->depth[p]) return job->behind[p];
    return job->behind[row * (size_t)v->width + column];
}

/* With F = F0 + (1 - F0) (1 - n . v)^5 (`part`) a pixel is F mirror + (1 - F) exp(-a d) behind +
 * highlight, where a d was added up over the particles (`absorbed`). */
static void shade_pixel(const ShadeJob *job, int x, int y)
{
    const Liquid *l = job->liquid;
    const View *v = l->view;
    const size_t p = (size_t)y * (size_t)v->width + (size_t)x;
    float own[3], origin[3], direction[3], mirror[3], diffuse[3], highlight[3];
    Surfel s = {.solid = NO_SOLID};
    liquid_normal(l, x, y, own);
    view_ray(v, (float)x + 0.5f, (float)y + 0.5f, origin, direction);
    madd3(origin, l->depth[p], direction, s.place);
    for (int k = 0; k < 3; ++k)
        s.normal[k] = own[0] * v->axis[0][k] + own[1] * v->axis[1][k] + own[2] * v->axis[2][k];
    const float length = length3(direction);
    for (int k = 0; k < 3; ++k) s.toward_eye[k] = -direction[k] / length;
    const float f = 1 - clamp01(dot3(s.normal, s.toward_eye)), f2 = f * f;
    const float part = FRESNEL + (1 - FRESNEL) * f2 * f2 * f;
    light_on(job->stage->lights, &s, ROUGHNESS, diffuse, highlight);
    stage_mirrored(job->stage, &s, direction, 1 - ((float)y + 0.5f) / (float)v->height, mirror);
    const float *behind = refracted(job, x, y, own);
    float *out = job->pixels[p], through = 0;
    for (int k = 0; k < 3; ++k) {
        const float passed = math_expf(-l->absorbed[k][p]);
        out[k] = part * mirror[k] + (1 - part) * passed * behind[k] + highlight[k];
        through += passed / 3;
    }
    out[3] = 1 - (1 - part) * through * (1 - behind[3]);
}

static void shade_rows(void *context, size_t begin, size_t end, int worker)
{
    const ShadeJob *job = context;
    const Liquid *l = job->liquid;
    (void)worker;
    for (size_t y = begin; y < end; ++y) {
        for (size_t x = 0; x < (size_t)l->view->width; ++x) {
            const float depth = l->depth[y * (size_t)l->view->width + x];
            const float wall = job->stage->depth[y * job->stage->stride + x];
            if (depth < wall && depth < 1e30f) shade_pixel(job, (int)x, (int)y);
        }
    }
}

void liquid_draw(const Liquid *l, const Stage *stage, const float (*behind)[4], float (*pixels)[4],
                 mote_Tasks *tasks)
{
    const View *v = l->view;
    ShadeJob job = {.liquid = l, .stage = stage, .behind = behind, .pixels = pixels};
    mote_parallel_for(tasks, (size_t)v->height, 4, shade_rows, &job);
    for (size_t y = 0; y < (size_t)v->height; ++y)
        for (size_t x = 0; x < (size_t)v->width; ++x) {
            const float depth = l->depth[y * (size_t)v->width + x];
            float *wall = &stage->depth[y * stage->stride + x];
            *wall = depth < *wall ? depth : *wall;
        }
}
