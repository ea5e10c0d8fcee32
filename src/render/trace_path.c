/* The path of light that arrives at the eye, followed backwards: mirrored or refracted at liquids
 * and glass by chance with Fresnel's odds, scattered by the cosine law at dull surfaces, where the
 * lights are looked for at once (Kajiya, The Rendering Equation, 1986). Light on its way to a dull
 * surface goes straight through liquid and glass, weaker: caustics are left out, and their noise.
 */
#include "render/trace.h"

#include "render/trace_optics.h"
#include "render/trace_samples.h"

#include <string.h>

#define FAR_AWAY 1e8f
enum { LONG_PATH = 4, MOST_PANES = 16 };

typedef struct TracePath {
    const TraceInput *input;
    const TraceScene *scene;
    TraceRay ray;
    float weight[3]; /* of what is found next */
    float light[3];  /* found so far */
    bool inside;     /* a liquid: */
    float absorption[3];
    bool seen; /* directly or in mirrors and through liquids: lights are seen as they are */
    uint32_t pixel, sample, pair;
} TracePath;

static void draw_pair(TracePath *path, float u[2])
{
    sample_pair(path->pixel, path->sample, path->pair++, u);
}

/* Light found after the first dull surface is limited: a rare bright find is noise. */
static void add_light(TracePath *path, const float light[3])
{
    const float most = path->seen ? FAR_AWAY : (float)path->input->def->trace.limit;
    for (int k = 0; k < 3; ++k) {
        float found = path->weight[k] * light[k];
        path->light[k] += found < most ? found : most;
    }
}

/* The ray goes on from a surface, on the side that it goes to. */
static void go_on(TracePath *path, const TraceHit *hit, const float direction[3])
{
    float size = __builtin_fabsf(hit->place[0]) + __builtin_fabsf(hit->place[1]) +
                 __builtin_fabsf(hit->place[2]);
    float step = 1e-5f * size + 1e-7f;
    if (dot3(direction, hit->normal) < 0) step = -step;
    madd3(hit->place, step, hit->normal, path->ray.origin);
    memcpy(path->ray.direction, direction, sizeof path->ray.direction);
}

/* ---- lights ---- */

/* Lights as they are seen: the sun's disc, a lamp's ball. */
static void add_seen_lights(TracePath *path, float reach)
{
    const Lights *lights = path->input->lights;
    for (size_t i = 0; i < lights->count; ++i) {
        const Light *light = &lights->lights[i];
        const float size2 = light->size * light->size;
        float to[3], shine[3], away = 1;
        if (!(size2 > 0) || lights->plain) continue;
        memcpy(to, light->toward, sizeof to);
        if (light->point) madd3(light->at, -1, path->ray.origin, to), away = length3(to);
        float along = dot3(to, path->ray.direction);
        if (!(along > 0) || along > reach) continue;
        float aside2 = away * away - along * along;
        if (aside2 > (light->point ? size2 : size2 * along * along)) continue;
        for (int k = 0; k < 3; ++k) shine[k] = light->color[k] / size2;
        add_light(path, shine);
    }
}

/* What is left of light on its straight way through liquids and glass; 0 behind what is solid. */
static void pass_through(const TracePath *path, TraceRay ray, float reach, bool inside,
                         float left[3])
{
    float absorption[3];
    memcpy(absorption, path->absorption, sizeof absorption);
    for (int i = 0; i < MOST_PANES; ++i) {
        TraceHit hit;
        trace_scene_cast(path->scene, &ray, reach, &hit);
        float way = hit.matter != TRACE_NOTHING ? hit.distance : 0;
        if (inside) absorb(absorption, way, left);
        if (hit.matter == TRACE_NOTHING) return;
        if (hit.matter == TRACE_SOLID) break;
        float facing = dot3(ray.direction, hit.smooth), cosine = __builtin_fabsf(facing);
        float keeps = hit.matter == TRACE_GLASS ? 1 - pane_reflectance(cosine, hit.refraction)
                                                : 1 - fresnel(cosine, 1 / hit.refraction);
        for (int k = 0; k < 3; ++k) left[k] *= keeps;
        if (hit.matter == TRACE_LIQUID) {
            inside = dot3(ray.direction, hit.normal) < 0;
            memcpy(absorption, hit.absorption, sizeof absorption);
        }
        float on = way + 1e-5f * (1 + way);
        madd3(ray.origin, on, ray.direction, ray.origin);
        reach -= on;
    }
    memset(left, 0, 3 * sizeof *left);
}

/* The direction to a place of the light, chosen by chance. */
static float choose_direction(const Light *light, const float place[3], const float u[2],
                              float toward[3], float color[3])
{
    float axis[3], reach = FAR_AWAY, slope = light->size;
    light_reach(light, place, axis, color);
    if (light->point) {
        float to[3];
        madd3(light->at, -1, place, to);
        reach = length3(to);
        slope = light->size / (reach > light->size ? reach : light->size);
    }
    cone_direction(axis, 1 / __builtin_sqrtf(1 + slope * slope), u, toward);
    return reach;
}

/* Light that comes straight from the lights to a dull surface. */
static void add_lights(TracePath *path, const TraceHit *hit, const float normal[3], float dull)
{
    const Lights *lights = path->input->lights;
    for (size_t i = 0; i < lights->count; ++i) {
        const Light *light = &lights->lights[i];
        float u[2], toward[3], color[3], left[3] = {1, 1, 1};
        draw_pair(path, u);
        float reach = choose_direction(light, hit->place, u, toward, color);
        float facing = dot3(toward, normal);
        if (!(facing > 0)) continue;
        TracePath way = *path;
        go_on(&way, hit, toward);
        if (light->shadows) pass_through(path, way.ray, reach, path->inside, left);
        for (int k = 0; k < 3; ++k) color[k] *= left[k] * facing * hit->color[k] * dull;
        add_light(path, color);
    }
}

/* ---- surfaces ---- */

/* The smooth normal on the side that the ray comes from; false where it leans away from it. */
static bool face(const TraceHit *hit, const float direction[3], float normal[3])
{
    float side = dot3(direction, hit->normal) < 0 ? 1.0f : -1.0f;
    for (int k = 0; k < 3; ++k) normal[k] = side * hit->smooth[k];
    if (dot3(direction, normal) < -1e-4f) return true;
    for (int k = 0; k < 3; ++k) normal[k] = side * hit->normal[k];
    return false;
}

/* Mirrored, and on the true surface's own side of it. */
static void go_mirrored(TracePath *path, const TraceHit *hit, const float normal[3])
{
    float out[3], side = dot3(path->ray.direction, hit->normal) < 0 ? 1.0f : -1.0f;
    mirror(path->ray.direction, normal, out);
    float below = side * dot3(out, hit->normal);
    if (below < 1e-4f) madd3(out, side * (1e-3f - below), hit->normal, out), unit3(out);
    go_on(path, hit, out);
}

static void meet_liquid(TracePath *path, const TraceHit *hit)
{
    float normal[3], out[3], u[2];
    const float *direction = path->ray.direction;
    const bool enters = dot3(direction, hit->normal) < 0;
    const float eta = enters ? 1 / hit->refraction : hit->refraction;
    face(hit, direction, normal);
    draw_pair(path, u);
    if (u[0] < fresnel(-dot3(direction, normal), eta) || !refract(direction, normal, eta, out)) {
        go_mirrored(path, hit, normal);
        return;
    }
    if ((dot3(out, hit->normal) < 0) != enters) /* the smooth normal leans too far: straight on */
        memcpy(out, direction, sizeof out);
    go_on(path, hit, out);
    path->inside = enters;
    memcpy(path->absorption, hit->absorption, sizeof path->absorption);
}

static void meet_glass(TracePath *path, const TraceHit *hit)
{
    float normal[3], u[2], direction[3];
    memcpy(direction, path->ray.direction, sizeof direction);
    face(hit, direction, normal);
    draw_pair(path, u);
    if (u[0] < pane_reflectance(-dot3(direction, normal), hit->refraction))
        go_mirrored(path, hit, normal);
    else
        go_on(path, hit, direction);
}

/* The coat mirrors with Fresnel's odds, blurred by its roughness; the rest goes to the dull
 * ground below it. */
static void meet_solid(TracePath *path, const TraceHit *hit)
{
    float normal[3], out[3], u[2], v[2];
    face(hit, path->ray.direction, normal);
    const float coat = hit->gloss * fresnel(-dot3(path->ray.direction, normal), 1 / 1.5f);
    draw_pair(path, u);
    draw_pair(path, v);
    if (u[0] < coat) {
        float lobe[3], r2 = hit->roughness * hit->roughness;
        cosine_direction(normal, v, lobe);
        madd3(normal, r2 * r2, lobe, lobe);
        unit3(lobe);
        go_mirrored(path, hit, dot3(lobe, path->ray.direction) < 0 ? lobe : normal);
        if (hit->roughness > 0.2f) path->seen = false; /* a light in a rough coat is noise */
        return;
    }
    path->seen = false;
    add_lights(path, hit, normal, 1);
    cosine_direction(normal, v, out);
    for (int k = 0; k < 3; ++k) path->weight[k] *= hit->color[k];
    go_on(path, hit, out);
}

static void (*const meets[])(TracePath *path, const TraceHit *hit) = {
    [TRACE_LIQUID] = meet_liquid, [TRACE_GLASS] = meet_glass, [TRACE_SOLID] = meet_solid};

/* ---- the path ---- */

/* Long paths end by chance, and those that live on count for more. */
static bool lives_on(TracePath *path, uint64_t bounce)
{
    float u[2], largest = path->weight[0];
    if (bounce < LONG_PATH) return true;
    for (int k = 1; k < 3; ++k) largest = path->weight[k] > largest ? path->weight[k] : largest;
    if (largest > 1) return true;
    draw_pair(path, u);
    if (!(u[0] < largest)) return false;
    for (int k = 0; k < 3; ++k) path->weight[k] /= largest;
    return true;
}

static void add_sky(TracePath *path)
{
    float sky[3];
    backdrop_sky(path->input->backdrop, path->ray.direction, 1, sky);
    add_light(path, sky);
}

/* The ground goes over into the sky far away: by chance. */
static bool is_hazy(TracePath *path, const TraceHit *hit)
{
    float u[2];
    if (hit->matter != TRACE_SOLID) return false;
    draw_pair(path, u);
    return u[1] >= backdrop_clearness(path->input->backdrop, hit->place);
}

/* One more surface; false when the path ends. */
static bool step(TracePath *path, uint64_t bounce)
{
    TraceHit hit;
    trace_scene_cast(path->scene, &path->ray, FAR_AWAY, &hit);
    if (path->inside && hit.matter != TRACE_NOTHING)
        absorb(path->absorption, hit.distance, path->weight);
    if (path->seen) add_seen_lights(path, hit.matter != TRACE_NOTHING ? hit.distance : FAR_AWAY);
    if (hit.matter == TRACE_NOTHING || is_hazy(path, &hit)) {
        add_sky(path);
        return false;
    }
    meets[hit.matter](path, &hit);
    return lives_on(path, bounce);
}

void trace_path(const TraceInput *input, const TraceScene *scene, const TraceRay *ray,
                uint32_t pixel, uint32_t sample, float light[3])
{
    TracePath path = {.input = input,
                      .scene = scene,
                      .ray = *ray,
                      .weight = {1, 1, 1},
                      .seen = true,
                      .pixel = pixel,
                      .sample = sample,
                      .pair = 1};
    for (uint64_t i = 0; i < input->def->trace.bounces && step(&path, i); ++i) {
    }
    memcpy(light, path.light, sizeof path.light);
}
