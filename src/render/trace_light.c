/* Light that a path gets from the lights: where it sees them, and at dull surfaces and in smoke,
 * where it looks for each of them at once. */
#include "render/trace_path.h"

#include "render/trace_optics.h"

#include <string.h>

/* Lights as they are seen: the sun's disc, and in mirrors a lamp's ball. The eye itself does not
 * see lamps: they stand for a fire, or for what is not in the picture. */
void path_add_seen_lights(TracePath *path, float reach)
{
    const Lights *lights = path->input->lights;
    for (size_t i = 0; i < lights->count; ++i) {
        const Light *light = &lights->lights[i];
        const float size2 = light->size * light->size;
        float to[3], shine[3], away = 1;
        if (!(size2 > 0) || lights->plain || (light->point && path->straight)) continue;
        if (!light->point && !(dot3(light->toward, path->ray.direction) > 0)) continue;
        memcpy(to, light->toward, sizeof to);
        if (light->point) madd3(light->at, -1, path->ray.origin, to), away = length3(to);
        float along = dot3(to, path->ray.direction);
        if (!(along > 0) || along > reach) continue;
        float aside2 = away * away - along * along;
        if (aside2 > (light->point ? size2 : size2 * along * along)) continue;
        /* A light's colour is what a white surface shows that faces it, E / pi. Seen under the
         * solid angle pi size^2 its disc has the radiance E / (pi size^2) = colour / size^2. */
        for (int k = 0; k < 3; ++k) shine[k] = light->color[k] / size2;
        path_add_light(path, shine);
    }
}

/* What is left of light on its straight way through smoke, liquids and glass; 0 behind what is
 * solid. */
static void pass_through(TracePath *path, const TraceRay *ray, float reach, float left[3])
{
    float clear = 1;
    if (path->parts.mist)
        clear = path->puffs > 0 ? trace_scene_passes(path->scene, ray, reach, path_draw_bits(path))
                                : trace_scene_through(path->scene, ray, reach);
    for (int k = 0; k < 3; ++k) left[k] *= clear;
    if (clear > 0) trace_scene_way(path->scene, ray, reach, left);
}

/* The direction to a place of a lamp, chosen by chance. */
static float choose_lamp_place(const Light *light, const float place[3], const float u[2],
                               float toward[3], float color[3])
{
    float axis[3], to[3];
    light_reach(light, place, axis, color);
    madd3(light->at, -1, place, to);
    const float reach = length3(to);
    const float slope = light->size / (reach > light->size ? reach : light->size);
    cone_direction(axis, 1 / __builtin_sqrtf(1 + slope * slope), u, toward);
    return reach;
}

/* Of any light. */
static float choose_direction(const Light *light, const float place[3], const float u[2],
                              float toward[3], float color[3])
{
    if (light->point) return choose_lamp_place(light, place, u, toward, color);
    around_axes(light->toward, light->across[0], light->across[1], cone_height(light->cosine, u[0]),
                u[1], toward);
    memcpy(color, light->color, sizeof light->color);
    return FAR_AWAY;
}

/* What a rough coat or metal sends on of it. */
static void add_shine(const TracePath *path, const TraceHit *hit, const float normal[3],
                      const float toward[3], float part[3])
{
    float eye[3], half[3];
    for (int k = 0; k < 3; ++k) eye[k] = -path->ray.direction[k], half[k] = eye[k] + toward[k];
    unit3(half);
    const float cosine = dot3(half, toward);
    const float shine = facet_shine(normal, eye, toward, half, hit->roughness * hit->roughness);
    const float coat = hit->gloss * fresnel(cosine > 0 ? cosine : 0, 1 / 1.5f);
    for (int k = 0; k < 3; ++k)
        part[k] +=
            shine * (hit->matter == TRACE_METAL ? metal_mirrors(hit->color[k], cosine) : coat);
}

/* What part of a light a surface sends on to the eye, by the cosine law and its coat's; a puff, by
 * its phase: a light's colour is what a white surface shows, a quarter of which a puff sends to
 * each side. False: none. */
static bool sends(const TracePath *path, const TraceHit *hit, const float normal[3],
                  const float toward[3], float below, float part[3])
{
    const float facing = hit->matter == TRACE_PUFF
                             ? 0.25f * phase_of(dot3(path->ray.direction, toward), hit->scatter)
                             : dot3(toward, normal);
    if (!(facing > 0)) return false;
    for (int k = 0; k < 3; ++k)
        part[k] = hit->matter == TRACE_METAL ? 0 : below * facing * hit->color[k];
    if (trace_opaque(hit->matter) && hit->roughness > ROUGH)
        add_shine(path, hit, normal, toward, part);
    return part[0] + part[1] + part[2] > 0;
}

void path_add_lights(TracePath *path, const TraceHit *hit, const float normal[3], float below)
{
    const Lights *lights = path->input->lights;
    for (size_t i = 0; i < lights->count; ++i) {
        const Light *light = &lights->lights[i];
        float u[2], toward[3], color[3], part[3], left[3] = {1, 1, 1};
        path_draw_pair(path, u);
        float reach = choose_direction(light, hit->place, u, toward, color);
        if (!sends(path, hit, normal, toward, below, part)) continue;
        TraceRay way = path_ray_from(path, hit, toward);
        way.without = hit->wisp;
        if (light->shadows) pass_through(path, &way, reach, left);
        for (int k = 0; k < 3; ++k) color[k] *= left[k] * part[k];
        path_add_light(path, color);
    }
}

/* ---- glows ---- */

float path_density(const TracePath *path, const TraceHit *hit, const float normal[3],
                   DensityOf *own, const float direction[3])
{
    const TraceSky *sky = path->input->sky;
    const float law = own(path, hit, normal, direction);
    if (!(sky->odds > 0)) return law;
    return sky->odds * trace_sky_density(sky, direction) + (1 - sky->odds) * law;
}

/* Light of all glows before what the ray meets, over how densely this way and the path's own go
 * there. */
void path_add_glows(TracePath *path, const TraceHit *hit, const float normal[3], DensityOf *own,
                    float part, float odds)
{
    TraceRay way = path->ray;
    TraceHit behind;
    float u[4], direction[3], glow[3] = {0, 0, 0};
    path_draw_pair(path, u), path_draw_pair(path, u + 2);
    const uint32_t bits = path_draw_bits(path);
    memcpy(way.origin, hit->place, sizeof hit->place);
    if (!trace_scene_toward_glow(path->scene, &way, u, direction)) return;
    const float law = own(path, hit, normal, direction);
    if (!(law > 0)) return;
    way = path_ray_from(path, hit, direction);
    if (hit->wisp != NO_WISP) memcpy(way.origin, hit->place, sizeof hit->place);
    way.without = hit->wisp;
    path_meet(path, &way, &behind);
    trace_scene_cloud(path->scene, &way, bits, &behind);
    const float density = trace_scene_glow(path->scene, &way, behind.distance, glow);
    /* Veach's balance heuristic: one sample of each of two ways, each weighed by p_1 / (p_1 + p_2).
     */
    const float all = density + odds * path_density(path, hit, normal, own, direction);
    for (int k = 0; k < 3; ++k) glow[k] *= hit->color[k] * part * law / all;
    if (density > 0) path_add_light(path, glow);
}
