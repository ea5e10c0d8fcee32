/* The straight way of light from a light to a surface: what is left of it behind smoke, liquids and
 * glass.
 *
 * The tree is asked once for all that the way crosses, in whatever order it finds it: parts that
 * surfaces let through multiply, and lengths within liquids are the sum of where the way leaves
 * them less that of where it enters. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "render/float3.h"
#include "render/trace_optics.h"

#include <math.h>
#include <string.h>

/* Begins with Embree's own, so that the tree hands it to the functions below. */
typedef struct LightWay {
    struct RTCIntersectContext context;
    const float *direction;
    bool stops;      /* at what bends light */
    float left;      /* of the light, after what surfaces mirror */
    float depths[3]; /* optical, of the liquids */
} LightWay;

void trace_way_cross(struct RTCIntersectContext *context, const TraceThing *thing, float distance,
                     const float normal[3], const float smooth[3])
{
    LightWay *way = (LightWay *)(void *)context;
    const float cosine = __builtin_fabsf(dot3(way->direction, smooth));
    const bool glass = thing->matter == TRACE_GLASS;
    if (way->stops && !glass) way->left = 0;
    way->left *= 1 - (glass ? pane_reflectance(cosine, thing->refraction)
                            : fresnel(cosine, 1 / thing->refraction));
    if (glass) return;
    const float side = dot3(way->direction, normal) < 0 ? -distance : distance;
    for (int k = 0; k < 3; ++k) way->depths[k] += side * thing->absorption[k];
}

void trace_way_filter(const struct RTCFilterFunctionNArguments *args)
{
    const TraceThing *thing = args->geometryUserPtr;
    const struct RTCHit *found = (const struct RTCHit *)(const void *)args->hit;
    const struct RTCRay *ray = (const struct RTCRay *)(const void *)args->ray;
    const float at[2] = {found->u, found->v};
    TraceHit hit = {.matter = thing->matter, .normal = {found->Ng_x, found->Ng_y, found->Ng_z}};
    if (args->valid[0] == 0) return;
    if (thing->matter == TRACE_LIQUID && ((const LightWay *)(const void *)args->context)->stops)
        return;
    unit3(hit.normal);
    memcpy(hit.smooth, hit.normal, sizeof hit.smooth);
    if (thing->surface != NULL) trace_liquid_hit(thing, found->primID, at, &hit);
    trace_way_cross(args->context, thing, ray->tfar, hit.normal, hit.smooth);
    args->valid[0] = 0; /* on */
}

/* What is left behind things of the tree. */
static void pass_things(const TraceScene *scene, const TraceRay *ray, float reach, float clear,
                        float left[3])
{
    LightWay way = {
        .direction = ray->direction, .stops = scene->carried && ray->without == NO_WISP, .left = 1};
    struct RTCRay looked = trace_embree_ray(ray, reach);
    rtcInitIntersectContext(&way.context);
    rtcOccluded1(scene->tree, &way.context, &looked);
    way.left = looked.tfar < 0 ? 0 : way.left * clear;
    for (int k = 0; k < 3; ++k) {
        left[k] *= way.left;
        if (way.depths[k] > 0) left[k] *= math_expf(-way.depths[k]);
    }
}

void trace_scene_ways(const TraceScene *scene, const TraceRay *const ways[], const float reaches[],
                      size_t count, float left[][3])
{
    Ahead ahead;
    for (size_t i = 0; i < AHEAD_RAYS; ++i)
        ahead.reach[i] = reaches[i < count ? i : 0], ahead.chance[i] = 2; /* no pane mirrors it */
    trace_look_ahead(scene, ways, count, &ahead);
    for (size_t i = 0; i < count; ++i) {
        const float clear = ahead.ground[i] < reaches[i] ? 0 : ahead.clear[i];
        if (clear > 0 && ahead.near[i])
            pass_things(scene, ways[i], reaches[i], clear, left[i]);
        else
            for (int k = 0; k < 3; ++k) left[i][k] *= clear;
    }
}

#endif
