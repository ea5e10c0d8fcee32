/* Solids in the way of light: signed distances, soft shadows and contact shadows.
 *
 * A soft shadow is the part of the light's disc that is covered: along the ray, the least signed
 * distance over the distance travelled is the angle by which the ray passes the silhouette (after
 * I. Quilez, "Soft shadows in raymarched SDFs", and S. Aaltonen's refinement). Contact shadows
 * compare distances at a few points along the normal with what an open surface has (A. Evans, "Fast
 * approximations for global illumination on dynamic scenes", 2006). */
#include "render/float3.h"
#include "render/solid.h"

enum { MARCH_STEPS = 48 };

/* ---- shadows ---- */

float solid_distance(const RenderSolid *s, const float place[3])
{
    if (s->ball > 0) {
        float away[3];
        madd3(place, -1, s->middle, away);
        return length3(away) - s->ball;
    }
    mote_Vec3 own = pose_invert(
        &s->shape.pose, vec3((mote_real)place[0], (mote_real)place[1], (mote_real)place[2]));
    mote_real distance;
    s->shape.row->distance(s->shape.params, 1, (mote_real *[3]){&own.x, &own.y, &own.z}, &distance);
    return (float)distance;
}

/* The distance when it is less than `limit`, else something between. */
static float distance_below(const RenderSolid *s, const float place[3], float limit)
{
    const float least = solid_planes_distance(s, place);
    return least >= limit ? least : solid_distance(s, place);
}

/* Part of a disc beside an edge, u radii from its middle. */
static float disc_part(float u)
{
    float s = clamp01(0.5f * (u + 1));
    return s * s * (3 - 2 * s);
}

/* The ball's silhouette as seen from the place, in radii of the light. The mean place of what a
 * pixel sees at the ball's foot may lie in it, where it is dark. */
static float ball_lets_through(const RenderSolid *s, const float to[3], const float toward[3],
                               float slope)
{
    float along = dot3(to, toward), r = s->ball, aside[3];
    madd3(to, -along, toward, aside);
    if (!(dot3(to, to) > r * r)) return 0;
    if (!(along > 0)) return 1;
    return disc_part((length3(aside) - r) / (along * slope));
}

static float march(const RenderSolid *s, const float place[3], const float toward[3], float slope,
                   const float span[2])
{
    float t = span[0] > 1e-4f * s->radius ? span[0] : 1e-4f * s->radius, least = 1;
    if (solid_planes_dark(s, place, toward, slope, (const float[2]){t, span[1]})) return 0;
    for (int i = 0; i < MARCH_STEPS && t < span[1]; ++i) {
        float at[3];
        madd3(place, t, toward, at);
        float distance = distance_below(s, at, least * t * slope), u = distance / (t * slope);
        if (u < least) least = u;
        if (least < -1) return 0;
        float step = 0.7f * __builtin_fabsf(distance), floor = 0.01f * s->radius + 0.3f * slope * t;
        t += step > floor ? step : floor;
    }
    return disc_part(least);
}

static float lets_through(const RenderSolid *s, const float place[3], const float toward[3],
                          float slope, float reach)
{
    float to[3], span[2];
    madd3(s->middle, -1, place, to);
    float along = dot3(to, toward);
    if (along < -s->radius || along - s->radius > reach) return 1;
    float wide = s->radius + slope * (along > 0 ? along + s->radius : s->radius);
    if (!solid_ball_span(s->middle, wide, place, toward, span)) return 1;
    if (span[1] > reach) span[1] = reach;
    if (solid_planes_clear(s, place, 0, toward, slope, span[1])) return 1;
    return s->ball > 0 ? ball_lets_through(s, to, toward, slope)
                       : march(s, place, toward, slope, span);
}

float solids_let_through(const RenderSolids *solids, const SolidPoint *from, const float toward[3],
                         float slope, float reach)
{
    float through = 1;
    slope = slope > 1e-4f ? slope : 1e-4f;
    for (size_t n = 0; n < solids->shading_count && through > 0; ++n) {
        const size_t i = solids->shading[n];
        const RenderSolid *s = &solids->items[i];
        if (i != from->solid)
            through *= lets_through(s, from->place, toward, slope, reach);
        else if (!s->shape.row->convex)
            through *= lets_through(s, from->own, toward, slope, reach);
    }
    return through;
}

/* ---- contact ---- */

/* A ball hides the part (n . d) r^2 / d^2 of a sky weighted by the cosine, when all of it is above
 * the surface. */
static float ball_hides(const RenderSolid *s, const float place[3], const float normal[3])
{
    float to[3];
    madd3(s->middle, -1, place, to);
    float d2 = dot3(to, to), d = __builtin_sqrtf(d2), r2 = s->ball * s->ball;
    if (!(d2 > r2)) return 1;
    float rise = dot3(to, normal) / d, horizon = s->ball / d;
    float above = clamp01(0.5f + 0.5f * rise / (horizon > 1e-6f ? horizon : 1e-6f));
    float part = (rise > 0 ? rise : 0) * r2 / d2, low = above * above * horizon * r2 / d2 * 0.6f;
    return clamp01(part > low ? part : low);
}

static float taps_hide(const RenderSolid *s, const float place[3], const float normal[3])
{
    float reach = 0.5f * s->radius, hidden = 0, weight = 0.5f;
    if (solid_planes_clear(s, place, 0, normal, 1, reach)) return 0;
    for (int i = 1; i <= 4; ++i, weight *= 0.6f) {
        float height = reach * (float)(i * i) / 16, at[3];
        madd3(place, height, normal, at);
        float short_of = height - distance_below(s, at, height);
        hidden += weight * clamp01(short_of / height);
    }
    return clamp01(0.75f * hidden);
}

static float planes_hide(const RenderSolids *solids, const RenderSolid *own, const float place[3],
                         const float normal[3])
{
    float open = 1, reach = 0.5f * own->radius;
    for (size_t p = 0; p < solids->plane_count; ++p) {
        const SplatPlane *plane = &solids->planes[p];
        float height = dot3(plane->normal, place) - plane->offset;
        if (height > reach) continue;
        float facing = 0.5f - 0.5f * dot3(plane->normal, normal), near = 1 - height / reach;
        open *= 1 - clamp01(facing * near * near);
    }
    return 1 - open;
}

/* From its middle; the taps of other shapes than balls reach no farther. */
static float contact_reach(const RenderSolid *s)
{
    return (s->ball > 0 ? 3.5f : 2) * s->radius;
}

bool solid_contacts(const RenderSolid *s, const float middle[3], float radius)
{
    float to[3], reach = 1.001f * (contact_reach(s) + radius);
    madd3(s->middle, -1, middle, to);
    return dot3(to, to) < reach * reach && s->radius < SOLID_FARTHEST &&
           solid_planes_distance(s, middle) < 1.001f * (s->radius + radius);
}

bool solid_shades(const RenderSolid *s, const float middle[3], float radius, const float toward[3],
                  float slope)
{
    float to[3], aside[3], reach = 1.001f * (s->radius + radius);
    madd3(s->middle, -1, middle, to);
    float along = dot3(to, toward);
    if (along < -reach) return false;
    madd3(to, -along, toward, aside);
    slope = 1.01f * (slope > 1e-4f ? slope : 1e-4f);
    float wide = reach + slope * (along + 2 * reach);
    return dot3(aside, aside) < wide * wide &&
           !solid_planes_clear(s, middle, 1.001f * radius, toward, slope, along + reach + 2 * wide);
}

float solids_openness(const RenderSolids *solids, const float place[3], const float normal[3],
                      size_t without)
{
    float open = 1;
    for (size_t n = 0; n < solids->shading_count; ++n) {
        const size_t i = solids->shading[n];
        const RenderSolid *s = &solids->items[i];
        float to[3], far = contact_reach(s);
        if (i == without) continue;
        madd3(s->middle, -1, place, to);
        float near = 1 - dot3(to, to) / (far * far);
        if (!(near > 0) || s->radius >= SOLID_FARTHEST) continue;
        open *=
            1 - (s->ball > 0 ? near * ball_hides(s, place, normal) : taps_hide(s, place, normal));
    }
    if (without != NO_SOLID)
        open *= 1 - planes_hide(solids, &solids->items[without], place, normal);
    return open;
}
