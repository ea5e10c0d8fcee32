/* Wisps: particles and lines that light passes in part, as the splats have it.
 *
 * A ray that comes within d of a wisp of radius r is stopped there with odds opacity * w(d / r), w
 * being the splats' profile: smoke is a cloud of such puffs, and what stops a ray sends it on by
 * Henyey and Greenstein's law. Rays that ask how much gets through multiply 1 - odds instead. So a
 * row of puffs hides as much in traced pictures as in splatted ones, from wherever it is seen. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"
#include "render/trace_samples.h"

#include <math.h>
#include <string.h>

#define OPAQUE 1e-4f /* what is less gets through as nothing */

/* ---- from particles and lines ---- */

static bool wisp_good(const Wisp *w)
{
    return w->radius > 0 && w->alpha > 0 && w->radius < 1e6f && dot3(w->drift, w->drift) < 1e12f &&
           dot3(w->at, w->at) < 1e14f && dot3(w->way, w->way) < 1e14f &&
           isfinite(w->color[0] + w->color[1] + w->color[2]);
}

static Wisp wisp_of_row(const TraceInput *input, const SplatSource *s, size_t i)
{
    const mote_Vec3 eye = input->view->from;
    const float opacity = s->opacity != NULL ? (float)s->opacity[i] : 1;
    Wisp w = {.radius = s->size * (s->radius != NULL ? (float)s->radius[i] : 0.01f),
              .alpha = opacity < 1 ? opacity : 1,
              .scatter = s->scatter,
              .form = s->profile->form,
              .lit = s->lit && s->occlusion > 0};
    w.at[0] = (float)(s->position[0][i] - eye.x);
    w.at[1] = (float)(s->position[1][i] - eye.y);
    w.at[2] = (float)(s->position[2][i] - eye.z);
    for (int k = 0; k < 3; ++k) {
        w.color[k] = (s->color[k] != NULL ? (float)s->color[k][i] : 1) * s->brightness;
        w.drift[k] = s->blur ? (float)s->velocity[k][i] * input->view->shutter : 0;
    }
    return w;
}

/* Pixels at a place, in m. */
static float pixel_at(const View *view, const float place[3])
{
    return (view->orthographic ? 1 : dot3(view->axis[2], place)) / view->focal;
}

static Wisp wisp_of_line(const View *view, const Line *line)
{
    const float pixel = pixel_at(view, line->ends[0]);
    Wisp w = {.radius = 0.5f * (line->width < 0 ? -line->width * pixel : line->width),
              .alpha = line->alpha,
              .form = PROFILE_DISC};
    madd3(line->ends[1], -1, line->ends[0], w.way);
    madd3(line->ends[0], -line->lift * pixel, view->axis[2], w.at);
    memcpy(w.color, line->color, sizeof w.color);
    return w;
}

/* Systems that are drawn as clouds: not those of balls, nor those of liquids. */
static bool is_cloud(const SplatSource *s, bool adds)
{
    if (s->hidden || s->profile->liquid || (s->occlusion > 0) == adds) return false;
    return adds || s->profile->form != PROFILE_SPHERE;
}

static void fill(const TraceInput *input, const Lines *lines, bool adds, Wisps *wisps)
{
    for (size_t n = 0; n < input->frame->system_count; ++n) {
        const SplatSource *s = &input->sources[n];
        for (size_t i = 0; is_cloud(s, adds) && i < s->count; ++i) {
            Wisp w = wisp_of_row(input, s, i);
            if (!wisp_good(&w)) continue;
            wisps->items[wisps->count++] = w;
            if (s->sheet != NULL) trace_sprite_add(wisps, s, i, wisps->count - 1);
        }
    }
    for (size_t i = 0; i < lines->count; ++i) {
        Wisp w = wisp_of_line(input->view, &lines->items[i]);
        if (wisp_good(&w)) wisps->items[wisps->count++] = w;
    }
}

static size_t count_wisps(const TraceInput *input, const Lines *lines, bool adds)
{
    size_t count = lines->count;
    for (size_t n = 0; n < input->frame->system_count; ++n)
        if (is_cloud(&input->sources[n], adds)) count += input->sources[n].count;
    return count;
}

/* ---- what rays ask ---- */

/* Begins with Embree's own, so that the tree hands it to the functions below. */
typedef struct WispQuery {
    struct RTCIntersectContext context;
    uint32_t seed, without;
    const Wisps *wisps;
    bool chance; /* the first wisp that stops the ray is all that is asked for */
    float through, light[3], density;
} WispQuery;

static float reach_of(const Wisp *w)
{
    if (w->form == PROFILE_SPRITE) return 1.4143f * w->radius; /* to its corners */
    return w->form == PROFILE_GAUSSIAN ? WISP_GAUSS_END * w->radius : w->radius;
}

float trace_wisp_profile(Profile form, float q2)
{
    const float end = WISP_GAUSS_END;
    if (form == PROFILE_GAUSSIAN) return q2 < end * end ? math_expf(-2 * q2) : 0;
    if (!(q2 < 1)) return 0;
    return form == PROFILE_SOFT ? (1 - q2) * (1 - q2) : 1;
}

static void wisp_bounds(const struct RTCBoundsFunctionArguments *args)
{
    const Wisp *w = (const Wisp *)args->geometryUserPtr + args->primID;
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        const float aside = reach_of(w) + 0.5f * __builtin_fabsf(w->drift[k]);
        low[k] = w->at[k] + (w->way[k] < 0 ? w->way[k] : 0) - aside;
        high[k] = w->at[k] + (w->way[k] > 0 ? w->way[k] : 0) + aside;
    }
    struct RTCBounds *out = args->bounds_o;
    out->lower_x = low[0], out->lower_y = low[1], out->lower_z = low[2];
    out->upper_x = high[0], out->upper_y = high[1], out->upper_z = high[2];
}

/* Where a ray is nearest to a wisp, how far from it then, and its profile there. */
static float meet_wisp(const Wisp *w, const struct RTCRay *ray, float *distance, float *aside2)
{
    const float direction[3] = {ray->dir_x, ray->dir_y, ray->dir_z}, part = ray->time - 0.5f;
    const float to[3] = {w->at[0] + part * w->drift[0] - ray->org_x,
                         w->at[1] + part * w->drift[1] - ray->org_y,
                         w->at[2] + part * w->drift[2] - ray->org_z};
    const float cosine = dot3(direction, w->way), ahead = dot3(direction, to);
    const float across = dot3(w->way, w->way) - cosine * cosine;
    const float s = across > 0 ? (cosine * ahead - dot3(w->way, to)) / across : 0; /* of its way */
    float aside[3];
    *distance = ahead + s * cosine;
    madd3(to, s, w->way, aside);
    madd3(aside, -*distance, direction, aside);
    if (!(*distance > ray->tnear && *distance < ray->tfar) || s < 0 || s > 1) return 0;
    *aside2 = dot3(aside, aside);
    return trace_wisp_profile(w->form, *aside2 / (w->radius * w->radius));
}

/* The ray's luck with a wisp: it is stopped where this is less than the odds. */
static float luck(const WispQuery *query, uint32_t wisp)
{
    return unit_of(mix_bits(query->seed ^ mix_bits(wisp + 1)));
}

static void stop_by_chance(const struct RTCIntersectFunctionNArguments *args)
{
    const WispQuery *query = (const WispQuery *)(void *)args->context;
    const Wisp *w = (const Wisp *)args->geometryUserPtr + args->primID;
    struct RTCRayHit *rayhit = (struct RTCRayHit *)(void *)args->rayhit;
    float distance, aside2, light[3], lucky = luck(query, args->primID);
    if (args->valid[0] == 0 || args->primID == query->without) return;
    if (lucky >= query->wisps->most[args->primID]) return; /* nearly all of them in thin smoke */
    const float part =
        trace_is_sprite(query->wisps, args->primID)
            ? trace_sprite_meet(query->wisps, args->primID, &rayhit->ray, &distance, light)
            : meet_wisp(w, &rayhit->ray, &distance, &aside2);
    if (!(lucky < w->alpha * part)) return;
    rayhit->ray.tfar = distance;
    rayhit->hit.geomID = args->geomID, rayhit->hit.primID = args->primID;
}

/* What is left of the ray behind a wisp. */
static inline void pass(WispQuery *query, float odds, float lucky, struct RTCRay *ray)
{
    query->through *= !query->chance ? 1 - odds : lucky < odds ? 0 : 1;
    if (query->wisps->hides && query->through < OPAQUE) ray->tfar = -INFINITY; /* enough is known */
}

/* Of a sprite. Paths look for one that glows as for the disc around it, also beside its light. Not
 * inlined: most wisps are none. */
static __attribute__((noinline)) void gather_sprite(WispQuery *query, uint32_t i, float lucky,
                                                    struct RTCRay *ray)
{
    const Wisps *wisps = query->wisps;
    float distance, aside2, light[3] = {0, 0, 0};
    const float part = trace_sprite_meet(wisps, i, ray, &distance, light);
    if (wisps->sums != NULL && trace_sprite_disc(wisps, i, ray, &distance, &aside2))
        query->density += trace_glow_density(
            wisps, i, 1, __builtin_sqrtf(aside2 + distance * distance), distance);
    madd3(query->light, wisps->items[i].alpha, light, query->light);
    pass(query, wisps->items[i].alpha * part, lucky, ray);
}

static void gather(const struct RTCOccludedFunctionNArguments *args)
{
    WispQuery *query = (WispQuery *)(void *)args->context;
    const Wisp *w = (const Wisp *)args->geometryUserPtr + args->primID;
    struct RTCRay *ray = (struct RTCRay *)(void *)args->ray;
    float distance, aside2, lucky = query->chance ? luck(query, args->primID) : 0;
    if (args->valid[0] == 0 || args->primID == query->without) return;
    if (lucky >= query->wisps->most[args->primID]) return;
    if (trace_is_sprite(query->wisps, args->primID)) {
        gather_sprite(query, args->primID, lucky, ray);
        return;
    }
    const float part = meet_wisp(w, ray, &distance, &aside2), odds = w->alpha * part;
    if (part > 0 && query->wisps->sums != NULL)
        query->density +=
            trace_glow_density(query->wisps, args->primID, part,
                               __builtin_sqrtf(aside2 + distance * distance), distance);
    madd3(query->light, odds, w->color, query->light);
    pass(query, odds, lucky, ray);
}

static mote_Status plant(TraceScene *scene, Wisps *wisps, bool adds, mote_Error *error)
{
    const Lines *lines = adds ? &scene->input->lines->glows : &scene->input->lines->flat;
    const size_t most = count_wisps(scene->input, lines, adds);
    if (most == 0) return MOTE_OK;
    wisps->items = arena_take(scene->arena, most * sizeof *wisps->items);
    if (wisps->items == NULL || most >= NO_WISP)
        return status_no_memory(error, "the particles of a picture", most * sizeof *wisps->items);
    wisps->most = arena_take(scene->arena, most * sizeof *wisps->most);
    if (wisps->most == NULL)
        return status_no_memory(error, "the particles of a picture", most * sizeof *wisps->most);
    if (!trace_sprites_make(scene->input, wisps, most, scene->arena))
        return status_no_memory(error, "the sprites of a picture", most);
    fill(scene->input, lines, adds, wisps);
    for (size_t i = 0; i < wisps->count; ++i) wisps->most[i] = wisps->items[i].alpha;
    wisps->hides = !adds;
    if (adds && !trace_glow_prepare(wisps, scene->arena))
        return status_no_memory(error, "the lights of a picture", most * sizeof *wisps->sums);
    wisps->tree = rtcNewScene(scene->device);
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, (unsigned)wisps->count);
    rtcSetGeometryUserData(geometry, wisps->items);
    rtcSetGeometryBoundsFunction(geometry, wisp_bounds, NULL);
    rtcSetGeometryIntersectFunction(geometry, stop_by_chance);
    rtcSetGeometryOccludedFunction(geometry, gather);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(wisps->tree, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(wisps->tree);
    return MOTE_OK;
}

mote_Status trace_add_wisps(TraceScene *scene, mote_Error *error)
{
    mote_Status status = plant(scene, &scene->mist, false, error);
    return status == MOTE_OK ? plant(scene, &scene->glow, true, error) : status;
}

static WispQuery query_make(const Wisps *wisps, const TraceRay *ray, uint32_t seed)
{
    WispQuery query = {.seed = seed, .without = ray->without, .wisps = wisps, .through = 1};
    rtcInitIntersectContext(&query.context);
    return query;
}

void trace_wisp_cast(const Wisps *mist, const TraceRay *ray, uint32_t seed, TraceHit *hit)
{
    if (mist->tree == NULL) return;
    struct RTCRayHit found = {.ray = trace_embree_ray(ray, hit->distance),
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    WispQuery query = query_make(mist, ray, seed);
    rtcIntersect1(mist->tree, &query.context, &found);
    if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
    const Wisp *w = &mist->items[found.hit.primID];
    *hit = (TraceHit){.matter = w->lit ? TRACE_PUFF : TRACE_PAINT,
                      .distance = found.ray.tfar,
                      .scatter = w->scatter,
                      .wisp = found.hit.primID};
    madd3(ray->origin, hit->distance, ray->direction, hit->place);
    for (int k = 0; k < 3; ++k) hit->normal[k] = hit->smooth[k] = -ray->direction[k];
    memcpy(hit->color, w->color, sizeof hit->color);
    if (trace_is_sprite(mist, hit->wisp))
        hit->card =
            trace_sprite_color(mist, hit->wisp, hit->place, ray->moment, hit->color) >= 0.5f;
}

float trace_wisp_sum(const Wisps *wisps, const TraceRay *ray, float reach, float light[3],
                     float *density)
{
    if (density != NULL) *density = 0;
    if (wisps->tree == NULL) return 1;
    struct RTCRay way = trace_embree_ray(ray, reach);
    WispQuery query = query_make(wisps, ray, 0);
    rtcOccluded1(wisps->tree, &query.context, &way);
    madd3(light, 1, query.light, light);
    if (density != NULL) *density = query.density;
    return query.through < OPAQUE ? 0 : query.through;
}

bool trace_wisp_free(const Wisps *mist, const TraceRay *ray, float reach, uint32_t seed)
{
    if (mist->tree == NULL) return true;
    struct RTCRay way = trace_embree_ray(ray, reach);
    WispQuery query = query_make(mist, ray, seed);
    query.chance = true;
    rtcOccluded1(mist->tree, &query.context, &way);
    return query.through > 0;
}

#endif
