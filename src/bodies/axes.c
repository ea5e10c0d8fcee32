/* A face of the Minkowski difference is a face of a, a face of b turned round, or spanned by an
 * edge of each. Which edges do is seen on the Gauss map: an edge is the arc between the normals of
 * its two faces, and a pair counts when the arcs of a's edge and of b's, turned round, cross
 * (Gregorius, The separating axis test between convex polyhedra, GDC 2013). */
#include "bodies/gjk.h"

#include <math.h>

enum { MOST_EDGE_PAIRS = 16384 };

bool axes_are_known(const Placed *a, const Placed *b)
{
    const Hull *p = &a->piece->hull, *q = &b->piece->hull;
    return p->known && q->known && p->edge_count * q->edge_count <= MOST_EDGE_PAIRS;
}

double separation_along(const Placed *a, const Placed *b, D3 n)
{
    D3 p = placed_support(a, n), q = placed_support(b, d3_scale(n, -1));
    return d3_dot(n, d3_sub(q, p));
}

/* In a full list the worst gives way. */
static void add_axis(AxisList *list, D3 normal, double separation)
{
    size_t at = list->count;
    if (at == MOST_AXES) {
        at = 0;
        for (size_t i = 1; i < MOST_AXES; ++i)
            if (list->items[i].separation < list->items[at].separation) at = i;
        if (list->items[at].separation >= separation) return;
    } else {
        ++list->count;
    }
    list->items[at] = (Axis){normal, separation};
}

/* ---- faces ---- */

static void add_normals(const Placed *a, const Placed *b, bool of_b, AxisList *list)
{
    const Placed *own = of_b ? b : a;
    const Hull *hull = &own->piece->hull;
    for (size_t i = 0; i < hull->normal_count; ++i) {
        D3 n = dquat_rotate(own->pose.orientation, hull->normals[i]);
        if (of_b) n = d3_scale(n, -1);
        add_axis(list, n, separation_along(a, b, n));
    }
}

/* ---- edges ---- */

/* The arc crosses the plane through the origin with this normal. */
static bool crosses(const D3 arc[2], D3 normal)
{
    return d3_dot(arc[0], normal) * d3_dot(arc[1], normal) < 0;
}

static bool arcs_cross(const HullEdge *a, const HullEdge *b)
{
    if (!a->is_alone && !crosses(a->sides, b->along)) return false;
    if (!b->is_alone && !crosses(b->sides, a->along)) return false;
    if (a->is_alone || b->is_alone) return true;
    const D3 turn_a = d3_cross(a->sides[1], a->sides[0]);
    const D3 turn_b = d3_cross(b->sides[1], b->sides[0]);
    return d3_dot(b->sides[0], turn_a) * d3_dot(a->sides[1], turn_b) > 0;
}

/* b's arc is turned round already, and both are in one frame. */
static void try_edges(const HullEdge *a, const HullEdge *b, D3 towards, AxisList *list)
{
    if (!arcs_cross(a, b)) return;
    D3 n = d3_cross(a->along, b->along);
    const double length = d3_length(n);
    if (!(length > 1e-9)) return; /* parallel: a face is as good */
    const D3 out = !a->is_alone   ? d3_add(a->sides[0], a->sides[1])
                   : !b->is_alone ? d3_add(b->sides[0], b->sides[1])
                                  : towards;
    n = d3_scale(n, (d3_dot(n, out) < 0 ? -1 : 1) / length);
    add_axis(list, n, d3_dot(n, d3_sub(b->at, a->at)));
}

static HullEdge placed_edge(const Placed *p, const HullEdge *edge, double sign)
{
    const DQuat q = p->pose.orientation;
    HullEdge out = {.at = dpose_apply(&p->pose, edge->at),
                    .along = dquat_rotate(q, edge->along),
                    .is_alone = edge->is_alone};
    for (int k = 0; k < 2; ++k) out.sides[k] = d3_scale(dquat_rotate(q, edge->sides[k]), sign);
    return out;
}

static void add_edges(const Placed *a, const Placed *b, AxisList *list)
{
    const Hull *p = &a->piece->hull, *q = &b->piece->hull;
    const D3 towards = d3_sub(b->pose.position, a->pose.position);
    HullEdge edges[MOST_HULL_EDGES];
    for (size_t j = 0; j < q->edge_count; ++j) edges[j] = placed_edge(b, &q->edges[j], -1);
    for (size_t i = 0; i < p->edge_count; ++i) {
        const HullEdge edge = placed_edge(a, &p->edges[i], 1);
        for (size_t j = 0; j < q->edge_count; ++j) try_edges(&edge, &edges[j], towards, list);
    }
}

void axes_find(const Placed *a, const Placed *b, AxisList *list)
{
    list->count = 0;
    add_normals(a, b, false, list);
    add_normals(a, b, true, list);
    add_edges(a, b, list);
}

const Axis *axes_best(const AxisList *list)
{
    const Axis *best = &list->items[0];
    for (size_t i = 1; i < list->count; ++i)
        if (list->items[i].separation > best->separation) best = &list->items[i];
    return list->count > 0 ? best : NULL;
}
