/* Light that a path gets from the lights: where it sees them, and at dull surfaces and in smoke,
 * where it looks for each of them at once. */
#include "render/trace_path.h"

#include "render/float3.h"
#include "render/shade.h"
#include "render/splat.h"

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

/* Light that has arrived. What a light is looked for brings is limited as a find is: rare bright
 * ones are noise. */
static void arrive(TracePath *path, const float light[3], bool direct)
{
    float found[3];
    for (int k = 0; k < 3; ++k) found[k] = light[k] < path->limit ? light[k] : path->limit;
    madd3(path->light, 1, found, path->light);
    if (direct) madd3(path->first->direct, 1, found, path->first->direct);
}

void path_end_ways(const TraceScene *scene, PathWays *ways)
{
    const TraceRay *rays[TRACE_TOGETHER];
    for (size_t i = 0; i < ways->count; ++i) rays[i] = &ways->rays[i];
    if (ways->count > 0) trace_scene_ways(scene, rays, ways->reaches, ways->count, ways->lights);
    for (size_t i = 0; i < ways->count; ++i)
        arrive(ways->paths[i], ways->lights[i], ways->direct[i]);
    ways->count = 0;
}

/* What is left behind smoke, by chance where the path has met some. */
static float through_smoke(TracePath *path, const TraceRay *way, float reach)
{
    if (!path->parts.mist) return 1;
    return path->puffs > 0 ? trace_scene_passes(path->scene, way, reach, path_draw_bits(path))
                           : trace_scene_through(path->scene, way, reach);
}

/* Light on its straight way to path number `i`, through smoke and then through liquids and glass.
 */
static void send_light(const LitJob *job, size_t i)
{
    TracePath *path = job->paths[i];
    PathWays *ways = path->ways;
    TraceRay *way = &ways->rays[ways->count];
    const float *light = job->lights[i];
    if (!(light[0] + light[1] + light[2] > 0)) return;
    if (!job->light->shadows) {
        arrive(path, light, path->straight);
        return;
    }
    memcpy(way, job->ways[i], sizeof job->ways[i]);
    way->without = job->hits[i]->wisp;
    const float clear = through_smoke(path, way, job->reaches[i]);
    if (!(clear > 0)) return;
    for (int k = 0; k < 3; ++k) ways->lights[ways->count][k] = clear * light[k];
    ways->reaches[ways->count] = job->reaches[i];
    ways->paths[ways->count] = path, ways->direct[ways->count] = path->straight;
    if (++ways->count == TRACE_TOGETHER) path_end_ways(path->scene, ways);
}

void paths_add_lights(TracePath *const paths[], const TraceHit *const hits[],
                      const PathTurn *const turns[], size_t count)
{
    const TraceInput *input = paths[0]->input;
    LitJob job;
    for (size_t i = 0, n; i < TRACE_TOGETHER; ++i) {
        n = i < count ? i : 0;
        job.paths[i] = paths[n], job.hits[i] = hits[n], job.turns[i] = turns[n];
    }
    for (size_t l = 0; l < input->lights->count; ++l) {
        job.light = &input->lights->lights[l];
        input->kernels->lit(&job);
        for (size_t i = 0; i < count; ++i) send_light(&job, i);
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
    path_ray_from(path, hit, direction, &way);
    if (hit->wisp != NO_WISP) memcpy(way.origin, hit->place, sizeof hit->place);
    way.without = hit->wisp;
    const float chance = path_draw_pane(path);
    trace_scene_meet(path->scene, &(const TraceRay *){&way}, &chance, 1, &behind);
    trace_scene_cloud(path->scene, &way, bits, &behind);
    const float density = trace_scene_glow(path->scene, &way, behind.distance, glow);
    /* Veach's balance heuristic: one sample of each of two ways, each weighed by p_1 / (p_1 + p_2).
     */
    const float all = density + odds * path_density(path, hit, normal, own, direction);
    for (int k = 0; k < 3; ++k) glow[k] *= hit->color[k] * part * law / all;
    if (density > 0) path_add_light(path, glow);
}
