/* Light that a path gets from the lights: where it sees them, and at dull surfaces and in smoke,
 * where it looks for each of them at once. */
#include "render/trace_path.h"

#include "render/trace_optics.h"

#include <string.h>

enum { MOST_PANES = 16 };

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
static void pass_through(const TracePath *path, TraceRay ray, float reach, uint32_t seed,
                         float left[3])
{
    const bool deep = path->puffs > 0;
    const float clear = deep ? trace_scene_passes(path->scene, &ray, reach, seed)
                             : trace_scene_through(path->scene, &ray, reach);
    bool inside = path->inside;
    float absorption[3];
    for (int k = 0; k < 3; ++k) left[k] *= clear;
    if (!(clear > 0)) return;
    if (trace_scene_is_opaque(path->scene)) {
        if (trace_scene_blocked(path->scene, &ray, reach)) memset(left, 0, 3 * sizeof *left);
        return;
    }
    memcpy(absorption, path->absorption, sizeof absorption);
    for (int i = 0; i < MOST_PANES; ++i) {
        TraceHit hit;
        trace_scene_surface(path->scene, &ray, reach, &hit);
        float way = hit.matter != TRACE_NOTHING ? hit.distance : 0;
        if (inside) absorb(absorption, way, left);
        if (hit.matter == TRACE_NOTHING) return;
        if (trace_opaque(hit.matter)) break;
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
        TracePath way = *path;
        path_go_on(&way, hit, toward);
        way.ray.without = hit->wisp;
        if (light->shadows) pass_through(path, way.ray, reach, path_draw_bits(path), left);
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
    TracePath way = *path;
    TraceHit behind;
    float u[4], direction[3], glow[3] = {0, 0, 0};
    if (!trace_scene_glows(path->scene)) return;
    path_draw_pair(path, u), path_draw_pair(path, u + 2);
    const uint32_t bits = path_draw_bits(path);
    memcpy(way.ray.origin, hit->place, sizeof hit->place);
    if (!trace_scene_toward_glow(path->scene, &way.ray, u, direction)) return;
    const float law = own(path, hit, normal, direction);
    if (!(law > 0)) return;
    path_go_on(&way, hit, direction);
    if (hit->wisp != NO_WISP) memcpy(way.ray.origin, hit->place, sizeof hit->place);
    way.ray.without = hit->wisp;
    trace_scene_surface(path->scene, &way.ray, FAR_AWAY, &behind);
    trace_scene_cloud(path->scene, &way.ray, bits, &behind);
    const float density = trace_scene_glow(path->scene, &way.ray, behind.distance, glow);
    /* Veach's balance heuristic: one sample of each of two ways, each weighed by p_1 / (p_1 + p_2).
     */
    const float all = density + odds * path_density(path, hit, normal, own, direction);
    for (int k = 0; k < 3; ++k) glow[k] *= hit->color[k] * part * law / all;
    if (density > 0) path_add_light(path, glow);
}
