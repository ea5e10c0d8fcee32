/* The path of light that arrives at the eye, followed backwards: mirrored or refracted at liquids
 * and glass by chance with Fresnel's odds, scattered by the cosine law at dull surfaces and by
 * Henyey and Greenstein's in smoke, where the lights are looked for at once (Kajiya, The Rendering
 * Equation, 1986). Light on its way to there goes straight through liquid and glass, weaker, where
 * no photons are shot: then caustics are left out, and their noise. */
#include "render/trace_path.h"

#include "render/trace_optics.h"

#include <string.h>

enum { LONG_PATH = 4, MOST_PUFFS = 256 };
#define FAINT 0.25f /* weight below which a short path may end */

void path_ray_from(const TracePath *path, const TraceHit *hit, const float direction[3],
                   TraceRay *ray)
{
    const float size = __builtin_fabsf(hit->place[0]) + __builtin_fabsf(hit->place[1]) +
                       __builtin_fabsf(hit->place[2]);
    /* Off the surface by as much as a place in floats may be wrong, to the side that the path goes
     * to: else it would meet the same triangle again. */
    const float away = 1e-5f * size + 1e-7f + path->slack * hit->distance;
    const float side = dot3(direction, hit->normal);
    const float step = __builtin_copysignf(away, side);
    for (int k = 0; k < 3; ++k) ray->origin[k] = hit->place[k] + step * hit->normal[k];
    for (int k = 0; k < 3; ++k) ray->direction[k] = direction[k];
    ray->start = 0, ray->moment = path->ray.moment, ray->without = NO_WISP;
}

void path_go_on(TracePath *path, const TraceHit *hit, const float direction[3])
{
    path_ray_from(path, hit, direction, &path->ray);
    path->density = 0;
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
    path_go_on(path, hit, out);
}

/* The normal of a facet that the ray meets on a rough surface; of a smooth one, its own. */
static void choose_facet(TracePath *path, const TraceHit *hit, const float normal[3],
                         float facet[3])
{
    float v[2], eye[3];
    memcpy(facet, normal, 3 * sizeof *facet);
    if (!(hit->roughness > 0)) return;
    path_draw_pair(path, v);
    for (int k = 0; k < 3; ++k) eye[k] = -path->ray.direction[k];
    facet_normal(normal, eye, hit->roughness * hit->roughness, v, facet);
    if (!(dot3(facet, eye) > 1e-4f)) memcpy(facet, normal, 3 * sizeof *facet);
}

static bool meet_liquid(TracePath *path, const TraceHit *hit)
{
    float normal[3], out[3], whole[3];
    const float *direction = path->ray.direction;
    const bool enters = dot3(direction, hit->normal) < 0;
    const float eta = enters ? 1 / hit->refraction : hit->refraction;
    face(hit, direction, whole);
    choose_facet(path, hit, whole, normal);
    const float u = path_draw(path);
    path->straight = false;
    if (u < fresnel(-dot3(direction, normal), eta) || !refract(direction, normal, eta, out)) {
        go_mirrored(path, hit, normal);
        return true;
    }
    if ((dot3(out, hit->normal) < 0) != enters) /* the smooth normal leans too far: straight on */
        memcpy(out, direction, sizeof out);
    path_go_on(path, hit, out);
    path->inside = enters;
    memcpy(path->absorption, hit->absorption, sizeof path->absorption);
    return true;
}

static bool meet_glass(TracePath *path, const TraceHit *hit)
{
    float normal[3], direction[3];
    memcpy(direction, path->ray.direction, sizeof direction);
    face(hit, direction, normal);
    path->straight = false;
    if (hit->mirrors ||
        path_draw(path) < pane_reflectance(-dot3(direction, normal), hit->refraction))
        go_mirrored(path, hit, normal);
    else
        path_go_on(path, hit, direction);
    return true;
}

/* Laws by which dull matter and smoke send light on. */

static float cosine_density(const TracePath *path, const TraceHit *hit, const float normal[3],
                            const float direction[3])
{
    const float cosine = dot3(normal, direction);
    (void)path, (void)hit;
    return cosine > 0 ? cosine / 3.14159265f : 0;
}

static float phase_density(const TracePath *path, const TraceHit *hit, const float normal[3],
                           const float direction[3])
{
    (void)normal;
    return phase_of(dot3(path->ray.direction, direction), hit->scatter) / 12.5663706f;
}

/* A direction that dull matter sends light from, by its own law (`direction`, and how dense
 * `density` says it is there) or to where the sky is bright. What the path weighs for it is what
 * its own law would give over how often either of them goes there. False: nothing comes from there.
 */
static bool lead_to_sky(TracePath *path, const TraceHit *hit, const float normal[3],
                        DensityOf *density, float direction[3])
{
    const TraceSky *sky = path->input->sky;
    float v[2];
    if (!(sky->odds > 0)) return true;
    const float u = path_draw(path);
    path_draw_pair(path, v);
    if (u < sky->odds) trace_sky_choose(sky, v, direction);
    const float own = density(path, hit, normal, direction);
    const float all = path_density(path, hit, normal, density, direction);
    path->led = own > 0 ? own / all : 0;
    for (int k = 0; k < 3; ++k) path->weight[k] *= path->led;
    return own > 0;
}

/* On in a direction that chance chose with these odds and then by this law. */
static void go_scattered(TracePath *path, const TraceHit *hit, const float normal[3],
                         DensityOf *density, float odds, const float direction[3])
{
    const float dense =
        path->parts.lamps ? odds * path_density(path, hit, normal, density, direction) : 0;
    path_go_on(path, hit, direction);
    path->density = dense;
}

/* Along the coat: all light goes on, for what one facet takes from another's way would be mirrored
 * again, and come out elsewhere. A light in a rough mirror was looked for already. */
static bool leave_opaque(TracePath *path, const TraceHit *hit, const PathTurn *turn)
{
    const float odds = 1 - turn->odds;
    float out[3];
    path_add_photons(path, hit, turn->normal, 1 - turn->coat);
    path->straight = false;
    if (path->parts.lamps && hit->matter == TRACE_SOLID)
        path_add_glows(path, hit, turn->normal, cosine_density, 1 - turn->coat, odds);
    for (int k = 0; k < 3; ++k) path->weight[k] *= turn->part[k];
    if (!turn->shines || hit->roughness > ROUGH) path->seen = false;
    memcpy(out, turn->direction, sizeof out);
    if (turn->shines) {
        path_go_on(path, hit, out);
        return true;
    }
    if (!lead_to_sky(path, hit, turn->normal, cosine_density, out)) return false;
    go_scattered(path, hit, turn->normal, cosine_density, odds, out);
    return true;
}

/* Light that a puff sends on, of what meets it, so that a thick cloud of them shows their colour
 * (M. Chiang, P. Kutz and B. Burley, Practical and Controllable Subsurface Scattering for
 * Production Path Tracing, SIGGRAPH Talks 2016); white stays white. */
static float puff_keeps(float color)
{
    const float a = clamp01(color), white = 1 - math_expf(-6.80022f);
    return (1 - math_expf(-a * (5.09406f - a * (2.61188f - 4.31805f * a)))) / white;
}

/* On by Henyey and Greenstein's law: cosine by the inverse of its sum. */
static bool meet_puff(TracePath *path, const TraceHit *hit)
{
    TraceHit puff = *hit;
    PathTurn turn = {.coat = 0};
    const float g = hit->scatter;
    float u[2], out[3], cosine;
    path_draw_pair(path, u);
    cosine = 1 - 2 * u[0];
    if (__builtin_fabsf(g) > 1e-3f) {
        /* cos = (1 + g^2 - ((1 - g^2) / (1 + g - 2 g u))^2) / (2 g); near g = 0 it is even. */
        const float q = (1 - g * g) / (1 + g * (1 - 2 * u[0]));
        cosine = (1 + g * g - q * q) / (2 * g);
    }
    for (int k = 0; k < 3; ++k) puff.color[k] = puff_keeps(hit->color[k]);
    path->seen = false, path->straight = false;
    ++path->puffs;
    memcpy(turn.normal, hit->normal, sizeof turn.normal);
    paths_add_lights(&path, &(const TraceHit *){&puff}, &(const PathTurn *){&turn}, 1);
    if (path->parts.lamps) path_add_glows(path, &puff, hit->normal, phase_density, 1, 1);
    around3(path->ray.direction, cosine, u[1], out);
    unit3(out);
    for (int k = 0; k < 3; ++k) path->weight[k] *= puff.color[k];
    if (!lead_to_sky(path, hit, hit->normal, phase_density, out)) return false;
    go_scattered(path, hit, hit->normal, phase_density, 1, out);
    memcpy(path->ray.origin, hit->place, sizeof hit->place);
    path->ray.without = hit->wisp;
    return true;
}

/* Its colour, in any light. */
static bool meet_paint(TracePath *path, const TraceHit *hit)
{
    path_add_light(path, hit->color);
    return false;
}

/* False when the path ends there. */
static bool (*const meets[])(TracePath *path, const TraceHit *hit) = {[TRACE_LIQUID] = meet_liquid,
                                                                      [TRACE_GLASS] = meet_glass,
                                                                      [TRACE_PUFF] = meet_puff,
                                                                      [TRACE_PAINT] = meet_paint};

static void mirror_metal(TracePath *path, const TraceHit *hit)
{
    float normal[3], facet[3];
    face(hit, path->ray.direction, normal);
    choose_facet(path, hit, normal, facet);
    const float cosine = -dot3(path->ray.direction, facet);
    for (int k = 0; k < 3; ++k) path->weight[k] *= metal_mirrors(hit->color[k], cosine);
    go_mirrored(path, hit, facet);
}

void path_bend(TracePath *path, const TraceHit *hit)
{
    if (hit->matter == TRACE_METAL)
        mirror_metal(path, hit);
    else
        meets[hit->matter](path, hit);
}

/* ---- the path ---- */

/* Long paths end by chance, and short ones that bring next to nothing, as from a dark ground; those
 * that live on count for more. Russian roulette (Arvo and Kirk 1990): with odds q the path goes on
 * with 1 / q of its weight, so the mean stays. */
static bool lives_on(TracePath *path, uint64_t bounce)
{
    float odds = path->weight[0];
    for (int k = 1; k < 3; ++k) odds = path->weight[k] > odds ? path->weight[k] : odds;
    odds /= path->led;
    if (bounce <= LONG_PATH) odds *= 1 / FAINT;
    if (!(odds < 1)) return true;
    if (!(path_draw(path) < odds)) return false;
    for (int k = 0; k < 3; ++k) path->weight[k] /= odds;
    return true;
}

static void add_sky(TracePath *path)
{
    float sky[3];
    backdrop_sky(path->input->backdrop, path->ray.direction, 1, sky);
    path_add_light(path, sky);
}

void path_add_haze(TracePath *path, const TraceHit *hit)
{
    float weight[3];
    if (!trace_opaque(hit->matter)) return;
    const float clear = backdrop_clearness(path->input->backdrop, hit->place);
    if (!(clear < 1)) return;
    memcpy(weight, path->weight, sizeof weight);
    for (int k = 0; k < 3; ++k) path->weight[k] *= 1 - clear;
    add_sky(path);
    for (int k = 0; k < 3; ++k) path->weight[k] = clear * weight[k];
}

static void add_glow(TracePath *path, float reach)
{
    float glow[3] = {0, 0, 0};
    const float looked = trace_scene_glow(path->scene, &path->ray, reach, glow);
    if (path->density > 0) /* glows were looked for from where the ray comes from */
        for (int k = 0; k < 3; ++k) glow[k] *= path->density / (path->density + looked);
    for (int k = 0; path->straight && k < 3; ++k) path->first->own[k] += path->weight[k] * glow[k];
    if (!path->straight && dot3(glow, glow) > 0) path_add_light(path, glow);
}

/* Through smoke, of which no two paths meet the same, and in and through liquids and panes of
 * glass. */
void path_note_first(TracePath *path, const TraceHit *hit)
{
    TraceSample *first = path->first;
    if (path->known || hit->matter == TRACE_GLASS || hit->matter == TRACE_LIQUID) return;
    path->known = true;
    first->plain = path->straight;
    if (hit->matter == TRACE_NOTHING) return;
    memcpy(first->place, hit->place, sizeof first->place);
    memcpy(first->normal, hit->smooth, sizeof first->normal);
    if (!trace_opaque(hit->matter)) return;
    const float clear = backdrop_clearness(path->input->backdrop, hit->place);
    for (int k = 0; k < 3; ++k)
        first->albedo[k] = clear * clamp01(hit->color[k]) + (1 - clear); /* the sky has 1 */
}

/* A sprite is no smoke: it is what the eye sees, where it is opaque enough. */
static void note_card(TracePath *path, const TraceHit *hit)
{
    if (!hit->card) return;
    memcpy(path->first->place, hit->place, sizeof path->first->place);
    memcpy(path->first->normal, hit->smooth, sizeof path->first->normal);
    for (int k = 0; k < 3; ++k) path->first->albedo[k] = clamp01(hit->color[k]);
    path->first->plain = path->straight, path->known = true;
}

void path_look_for_card(TracePath *path, const TraceHit *surface)
{
    TraceHit hit = *surface;
    uint32_t bits[3];
    if (!path->parts.cards) return;
    memcpy(bits, path->ray.direction, sizeof bits);
    trace_scene_cloud(path->scene, &path->ray, mix_bits(bits[0] ^ mix_bits(bits[1])), &hit);
    note_card(path, &hit);
}

bool path_arrive(TracePath *path, TraceHit *hit)
{
    const bool first = path->surfaces + path->puffs == 0;
    if (hit->passed) path->straight = false;
    const bool new = !path->known;
    path_note_first(path, hit);
    if (path->parts.mist) trace_scene_cloud(path->scene, &path->ray, path_draw_bits(path), hit);
    if (new) note_card(path, hit);
    if (path->parts.glow) add_glow(path, hit->distance);
    if (path->inside && hit->matter != TRACE_NOTHING)
        absorb(path->absorption, hit->distance, path->weight);
    if (path->seen) path_add_seen_lights(path, hit->distance);
    if (hit->matter != TRACE_NOTHING) {
        path_add_haze(path, hit);
        return true;
    }
    path->nothing = first && path->input->def->backdrop.transparent;
    if (!path->nothing) add_sky(path);
    return false;
}

bool path_leave(TracePath *path, const TraceHit *hit, const PathTurn *turn)
{
    path->led = 1;
    if (hit->wisp == NO_WISP) ++path->surfaces;
    if (!(trace_opaque(hit->matter) ? leave_opaque(path, hit, turn)
                                    : meets[hit->matter](path, hit)))
        return false;
    return lives_on(path, path->surfaces + path->puffs) &&
           path->surfaces < path->input->def->trace.bounces && path->puffs < MOST_PUFFS;
}
