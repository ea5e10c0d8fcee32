/* The signed distance of two cores, and the normal that they touch along.
 *
 * The separation along a unit direction n is s(n) = n . (support_B(-n) - support_A(n)); in an
 * overlap the distance is its largest value. For polytopes that is one of finitely many axes; for
 * cylinders the expanding polytope finds it. */
#include "bodies/gjk.h"

#include <math.h>

static double size_of(const Placed *a, const Placed *b)
{
    return d3_length(a->piece->extent) + d3_length(b->piece->extent);
}

static double thickness(const Placed *p)
{
    const D3 e = p->piece->extent;
    return fmin(e.x, fmin(e.y, e.z));
}

/* Cores that lie in each other without a face to leave by. */
static Axis any_axis(const Placed *a, const Placed *b)
{
    D3 n = d3_unit(d3_sub(b->pose.position, a->pose.position), d3(0, 1, 0));
    return (Axis){n, separation_along(a, b, n)};
}

/* ---- cores without axes ---- */

/* Of directions that are as good, the first stays, up to this share of the size: normals do not
 * jump, and a face is exact where the expanding polytope is not quite. */
#define FACE_FAVOUR 1e-6

static void try_normals(const Placed *a, const Placed *b, double favour, Axis *best)
{
    D3 n;
    for (int k = 0; k < 2; ++k) {
        const Placed *own = k == 0 ? a : b;
        const mote_Mesh *mesh = own->piece->mesh;
        if (mesh != NULL && mesh->plane_count > MOST_HULL_NORMALS) continue;
        for (size_t i = 0; placed_normal(own, i, &n); ++i) {
            if (k == 1) n = d3_scale(n, -1);
            const double s = separation_along(a, b, n);
            if (s > best->separation + favour) *best = (Axis){n, s};
        }
    }
}

static Axis round_axis(const Placed *a, const Placed *b, double favour)
{
    Axis best = {.separation = -HUGE_VAL}, grown;
    try_normals(a, b, favour, &best);
    if (epa_find(a, b, &grown) && grown.separation > best.separation + favour) best = grown;
    return best.separation > -HUGE_VAL ? best : any_axis(a, b);
}

/* ---- distance ---- */

/* Nearest points: those of the cores once b is moved along the normal until they are apart. */
static void set_points(const Placed *a, const Placed *b, double size, Gap *gap)
{
    Placed moved = *b;
    Gap apart;
    double shift = 1e-3 * size - gap->distance;
    moved.pose.position = d3_madd(b->pose.position, shift, gap->normal);
    if (gjk_distance(a, &moved, &apart)) {
        gap->a = apart.a;
        gap->b = d3_madd(apart.b, -shift, gap->normal);
    } else {
        gap->a = placed_support(a, gap->normal);
        gap->b = d3_madd(gap->a, gap->distance, gap->normal);
    }
}

/* The axis of the least overlap. */
static Axis best_axis(const Placed *a, const Placed *b)
{
    AxisList list;
    if (!axes_are_known(a, b)) return round_axis(a, b, 0);
    axes_find(a, b, &list);
    return list.count > 0 ? *axes_best(&list) : any_axis(a, b);
}

/* Walks towards the origin end by rounding when faces touch, and then may end on the wrong side. */
#define GJK_ROUNDING 1e-6

void gap_between(const Placed *a, const Placed *b, Gap *gap)
{
    const double size = size_of(a, b);
    bool apart = gjk_distance(a, b, gap);
    if (apart && gap->distance > GJK_ROUNDING * size) return;
    const Axis axis = best_axis(a, b);
    if (apart && axis.separation >= 0) return;
    gap->distance = axis.separation, gap->normal = axis.normal;
    set_points(a, b, size, gap);
}

/* ---- contact ---- */

/* Axes that are as good as the best within this share of the thickness have a say in the normal. */
#define BLEND 0.02

/* Where corners or parallel edges meet, the least overlap is along a face of one or of the other,
 * by a hair, and which one is chance; the force that holds two cards up leans on neither. The
 * normal is the mean of all axes by how near they are to the best, and so turns without a jump as
 * contacts go from edge to face. In deep overlaps the least way out counts. */
static D3 blend_axes(const AxisList *list, double reach)
{
    const double most = axes_best(list)->separation;
    D3 sum = d3(0, 0, 0);
    reach += 0.5 * fmin(most, 0);
    if (!(reach > 0)) return axes_best(list)->normal;
    for (size_t i = 0; i < list->count; ++i) {
        const double weight = 1 - (most - list->items[i].separation) / reach;
        if (weight > 0) sum = d3_madd(sum, weight, list->items[i].normal);
    }
    return d3_unit(sum, axes_best(list)->normal);
}

static void touch_polytopes(const Placed *a, const Placed *b, bool apart, Gap *gap)
{
    const double reach = BLEND * fmin(thickness(a), thickness(b));
    AxisList list;
    if (apart && gap->distance >= reach) return;
    axes_find(a, b, &list);
    if (list.count == 0) {
        const Axis any = any_axis(a, b);
        if (!apart) gap->normal = any.normal, gap->distance = any.separation;
    } else {
        const double share = apart ? gap->distance / reach : 0;
        const D3 blend = blend_axes(&list, reach);
        D3 n = share > 0 ? d3_madd(d3_scale(blend, 1 - share), share, gap->normal) : blend;
        gap->normal = d3_unit(n, blend);
        gap->distance = separation_along(a, b, gap->normal);
    }
    if (!apart) set_points(a, b, size_of(a, b), gap);
}

static void touch_round(const Placed *a, const Placed *b, bool apart, Gap *gap)
{
    const double size = size_of(a, b), favour = FACE_FAVOUR * size;
    Axis axis = {.separation = -HUGE_VAL};
    if (apart)
        try_normals(a, b, favour, &axis);
    else
        axis = round_axis(a, b, favour);
    if (apart && axis.separation < gap->distance - favour) return;
    gap->distance = axis.separation, gap->normal = axis.normal;
    if (!apart) set_points(a, b, size, gap);
}

void gap_of_contact(const Placed *a, const Placed *b, Gap *gap)
{
    const bool apart = gjk_distance(a, b, gap);
    if (apart && gap->distance > 0.01 * size_of(a, b)) return;
    if (axes_are_known(a, b))
        touch_polytopes(a, b, apart, gap);
    else
        touch_round(a, b, apart, gap);
}
