/* Tanks: panes of boxes of glass, which rays cross by hand.
 *
 * A ray that passes a pane goes straight on, so whether it does can be known before what is behind:
 * the panes along a ray are found in closed form, chance decides which of them would mirror it, and
 * the tree is asked once, for what is before the first of those. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "render/float3.h"
#include "render/trace_optics.h"

bool trace_pane_missing(const TraceThing *thing, int axis, int side)
{
    const float level = thing->open_to != NULL ? dot3(thing->box.axis[axis], thing->open_to) : 0;
    return level * level > 0.5f && (level > 0) == (side > 0);
}

void trace_add_panes(TraceScene *scene, const TraceThing *thing)
{
    TracePanes *panes = &scene->panes[scene->box_count++];
    *panes = (TracePanes){.box = thing->box, .refraction = thing->refraction};
    for (int n = 0; n < 6; ++n)
        if (trace_pane_missing(thing, n / 2, n % 2)) panes->missing |= 1u << n;
}

/* Across all three axes at once. */
static V4 along_axes(const TraceBox *box, const float way[3])
{
    return box->columns[0] * way[0] + box->columns[1] * way[1] + box->columns[2] * way[2];
}

bool trace_box_cross(const TraceBox *box, const float start[3], const float direction[3],
                     float span[2], int side[2])
{
    float to[3];
    madd3(box->middle, -1, start, to);
    const V4 ahead = along_axes(box, to), speed = along_axes(box, direction);
    /* A ray along a pair of sides is between them or not for ever: as far away as floats go. */
    const V4 by = 1 / (speed + (V4)((I4)(speed == 0) & (I4)(V4){1e-30f, 1e-30f, 1e-30f, 1}));
    const V4 middle = ahead * by, reach = (V4)((I4)by & 0x7fffffff) * box->halves;
    const V4 in = middle - reach, out = middle + reach;
    side[0] = in[1] > in[0], side[1] = out[1] < out[0];
    span[0] = in[side[0]], span[1] = out[side[1]];
    if (in[2] > span[0]) span[0] = in[2], side[0] = 2;
    if (out[2] < span[1]) span[1] = out[2], side[1] = 2;
    return span[0] < span[1];
}

/* Outward. */
static PaneHit pane_hit(const TracePanes *panes, const TraceRay *ray, float distance, int axis,
                        bool end)
{
    PaneHit hit = {.distance = distance, .refraction = panes->refraction};
    for (int k = 0; k < 3; ++k)
        hit.normal[k] = end ? panes->box.axis[axis][k] : -panes->box.axis[axis][k];
    hit.mirrors =
        pane_reflectance(__builtin_fabsf(dot3(ray->direction, hit.normal)), panes->refraction);
    return hit;
}

size_t trace_panes_cross(const TraceScene *scene, const TraceRay *ray, float reach,
                         PaneHit hits[MOST_CROSSED])
{
    size_t count = 0;
    for (size_t i = 0; i < scene->box_count; ++i) {
        const TracePanes *panes = &scene->panes[i];
        float span[2];
        int axis[2];
        if (!trace_box_cross(&panes->box, ray->origin, ray->direction, span, axis)) continue;
        for (int e = 0; e < 2; ++e) {
            const bool end = (dot3(ray->direction, panes->box.axis[axis[e]]) > 0) == (e == 1);
            if (!(span[e] > 0 && span[e] < reach)) continue;
            if (panes->missing >> (2 * axis[e] + end) & 1) continue;
            hits[count++] = pane_hit(panes, ray, span[e], axis[e], end);
        }
    }
    return count;
}

#endif
