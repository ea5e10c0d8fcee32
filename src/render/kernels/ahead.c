/* Eight rays side by side: where they cross panes and the ground, and whether they pass a box. */
#include "render/ahead.h"

#include "render/kernels/kernels.h"
#include "render/kernels/paths.h"

#include <math.h>

typedef struct Rays {
    V8 origin[4], direction[4];
} Rays;

INLINE Rays load_rays(const float *const from[AHEAD_RAYS])
{
    const float *directions[AHEAD_RAYS];
    Rays rays;
    for (int i = 0; i < AHEAD_RAYS; ++i) directions[i] = from[i] + 4;
    load_fours(from, rays.origin), load_fours(directions, rays.direction);
    return rays;
}

/* Along one direction that all have. */
INLINE V8 along8(const float a[3], const V8 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Along a pair of sides a ray is between them or not for ever: as far away as floats go. */
INLINE V8 inverse(V8 speed)
{
    return 1 / (speed + where((I8)(speed == 0), all8(1e-30f)));
}

/* Whether rays pass these bounds within `reach`. */
INLINE I8 passes(const float bounds[2][3], const Rays *rays, V8 reach)
{
    V8 first = all8(-INFINITY), last = all8(INFINITY);
    for (int k = 0; k < 3; ++k) {
        const V8 by = inverse(rays->direction[k]);
        const V8 low = (bounds[0][k] - rays->origin[k]) * by,
                 high = (bounds[1][k] - rays->origin[k]) * by;
        first = most8(first, least8(low, high)), last = least8(last, most8(high, low));
    }
    return (I8)(first <= last) & (I8)(last >= 0) & (I8)(first <= reach);
}

/* ---- panes ---- */

/* Where rays go into a box or out of it. */
typedef struct Crossing {
    V8 at, speed; /* along the axis of the side that is crossed */
    I8 pane;
} Crossing;

/* Its pane is at the end of the axis where the ray goes out along it, or in against it. */
INLINE Crossing through_side(int axis, V8 at, V8 speed, bool out)
{
    const I8 along = (I8)(speed > 0), end = out ? along : ~along;
    return (Crossing){at, speed, 2 * axis + (end & 1)};
}

INLINE Crossing choose_crossing(I8 chosen, Crossing a, Crossing b)
{
    return (Crossing){choose8(chosen, a.at, b.at), choose8(chosen, a.speed, b.speed),
                      (chosen & a.pane) | (~chosen & b.pane)};
}

/* A ray is inside where it is between all three pairs of sides: from the last that it enters to the
 * first that it leaves. */
INLINE void cross_box(const AheadBox *box, const Rays *rays, Crossing *in, Crossing *out)
{
    V8 to[3];
    for (int k = 0; k < 3; ++k) to[k] = box->middle[k] - rays->origin[k];
    for (int k = 0; k < 3; ++k) {
        const V8 speed = along8(box->axis[k], rays->direction), by = inverse(speed);
        const V8 middle = along8(box->axis[k], to) * by, reach = magnitude(by) * box->half[k];
        const Crossing enters = through_side(k, middle - reach, speed, false);
        const Crossing leaves = through_side(k, middle + reach, speed, true);
        *in = k == 0 ? enters : choose_crossing((I8)(enters.at > in->at), enters, *in);
        *out = k == 0 ? leaves : choose_crossing((I8)(leaves.at < out->at), leaves, *out);
    }
}

/* As pane_reflectance() has it. */
INLINE V8 pane_mirrors(V8 cosine, float refraction)
{
    const V8 f = fresnel8(cosine, 1 / refraction);
    return 2 * f / (1 + f);
}

/* Chance decides whether the pane mirrors; what is left of the number is as even as it was, and
 * decides on the next one. */
INLINE void meet_pane(const AheadBox *box, const Crossing *c, I8 there, int first, Ahead *a)
{
    there &= (I8)(c->at > 0) & (I8)(c->at < a->reach);
    for (int n = 0; n < 6; ++n)
        if (box->missing >> n & 1) there &= c->pane != n;
    const V8 odds = pane_mirrors(magnitude(c->speed), box->refraction), rest = 1 - odds;
    const I8 mirrors = there & (I8)(a->chance < odds), passes = there & ~mirrors;
    const I8 nearest = mirrors & (I8)(c->at < a->mirror);
    const V8 left = choose8(mirrors, a->chance, a->chance - odds) / choose8(mirrors, odds, rest);
    a->chance = choose8(there, left, a->chance);
    a->mirror = choose8(nearest, c->at, a->mirror);
    a->pane = (nearest & (first + c->pane)) | (~nearest & a->pane);
    a->passed = choose8(passes & (I8)(c->at < a->passed), c->at, a->passed);
    a->clear = choose8(there, a->clear * rest, a->clear);
}

INLINE void meet_panes(const AheadScene *scene, const Rays *rays, Ahead *a)
{
    for (size_t i = 0; i < scene->box_count; ++i) {
        const AheadBox *box = &scene->boxes[i];
        Crossing in, out;
        cross_box(box, rays, &in, &out);
        const I8 inside = (I8)(in.at < out.at);
        meet_pane(box, &in, inside, 6 * (int)i, a);
        meet_pane(box, &out, inside, 6 * (int)i, a);
    }
}

/* ---- the ground ---- */

/* The nearest plane that a ray comes down to from above. */
INLINE void meet_planes(const AheadScene *scene, const Rays *rays, Ahead *a)
{
    for (size_t p = 0; p < scene->plane_count; ++p) {
        const SplatPlane *plane = &scene->planes[p];
        const V8 toward = -along8(plane->normal, rays->direction);
        const V8 height = along8(plane->normal, rays->origin) - plane->offset;
        const I8 hit = (I8)(toward > 1e-7f) & (I8)(height > 0) & (I8)(height < a->ground * toward);
        a->ground = choose8(hit, height / toward, a->ground);
        a->plane = (hit & (int)p) | (~hit & a->plane);
    }
}

void ISA(rays_ahead)(const AheadScene *scene, Ahead *a)
{
    const Rays rays = load_rays(a->rays);
    a->ground = all8(INFINITY), a->mirror = a->passed = a->reach, a->clear = all8(1);
    a->plane = a->pane = (I8)LANES_ALL(0);
    meet_planes(scene, &rays, a);
    a->near = passes(scene->whole, &rays, a->reach);
    if (!any(a->near)) return;
    meet_panes(scene, &rays, a);
    a->near = passes(scene->bounds, &rays, least8(a->ground, a->mirror));
}
