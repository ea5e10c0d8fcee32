/* Tanks: panes of boxes of glass, which rays cross by hand.
 *
 * A ray that passes a pane goes straight on, so whether it does can be known before what is behind:
 * the panes along a ray are found in closed form, chance decides which of them would mirror it, and
 * the tree is asked once, for what is before the first of those. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "render/float3.h"

#include <string.h>

bool trace_pane_missing(const TraceThing *thing, int axis, int side)
{
    const float level = thing->open_to != NULL ? dot3(thing->box.axis[axis], thing->open_to) : 0;
    return level * level > 0.5f && (level > 0) == (side > 0);
}

void trace_add_panes(TraceScene *scene, const TraceThing *thing)
{
    AheadBox *box = &scene->ahead.boxes[scene->ahead.box_count++];
    *box = (AheadBox){.refraction = thing->refraction};
    memcpy(box->middle, thing->box.middle, sizeof box->middle);
    memcpy(box->axis, thing->box.axis, sizeof box->axis);
    memcpy(box->half, thing->box.half, sizeof box->half);
    for (int n = 0; n < 6; ++n)
        if (trace_pane_missing(thing, n / 2, n % 2)) box->missing |= 1u << n;
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

void trace_look_ahead(const TraceScene *scene, const TraceRay *const rays[], size_t count,
                      Ahead *ahead)
{
    for (size_t i = 0; i < AHEAD_RAYS; ++i) ahead->rays[i] = rays[i < count ? i : 0]->origin;
    scene->kernels->ahead(&scene->ahead, ahead);
}

void trace_pane_hit(const TraceScene *scene, const TraceRay *ray, const Ahead *ahead, size_t i,
                    TraceHit *hit)
{
    const int pane = ahead->pane[i], axis = pane % 6 / 2;
    const AheadBox *box = &scene->ahead.boxes[pane / 6];
    const float side = pane & 1 ? 1.0f : -1.0f;
    *hit = (TraceHit){.matter = TRACE_GLASS,
                      .distance = ahead->mirror[i],
                      .refraction = box->refraction,
                      .wisp = NO_WISP,
                      .mirrors = true};
    madd3(ray->origin, hit->distance, ray->direction, hit->place);
    for (int k = 0; k < 3; ++k) hit->smooth[k] = hit->normal[k] = side * box->axis[axis][k];
}

#endif
