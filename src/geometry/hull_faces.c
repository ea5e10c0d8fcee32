/* Faces of a growing hull, and how two that are nearly one become one: the polygon around both,
 * without points that then have two faces alone (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996,
 * section 4; the tests by centres of faces are those of Lloyd's Quickhull, 2004). */
#include "geometry/hull_faces.h"

#include <math.h>

/* ---- edges and faces, used again ---- */

static uint32_t one_more(HullFaces *h, void **items, size_t *capacity, size_t *count, size_t size)
{
    if (memory_reserve(h->memory, items, capacity, *count + 1, size)) return (uint32_t)(*count)++;
    h->broken = h->no_memory = true;
    return HULL_NONE;
}

static uint32_t new_edge(HullFaces *h, uint32_t head, uint32_t face)
{
    uint32_t edge = h->free_edge;
    if (edge != HULL_NONE)
        h->free_edge = h->edges[edge].next;
    else
        edge = one_more(h, (void **)&h->edges, &h->edge_capacity, &h->edge_count, sizeof *h->edges);
    if (edge != HULL_NONE) h->edges[edge] = (HullSide){.head = head, .face = face};
    return edge;
}

static uint32_t new_face(HullFaces *h)
{
    uint32_t face = h->free_face;
    if (face != HULL_NONE)
        h->free_face = h->faces[face].edge;
    else
        face = one_more(h, (void **)&h->faces, &h->face_capacity, &h->face_count, sizeof *h->faces);
    if (face != HULL_NONE) h->faces[face] = (HullFace){.outside = HULL_NONE};
    return face;
}

static void free_edge(HullFaces *h, uint32_t edge)
{
    h->edges[edge].next = h->free_edge;
    h->free_edge = edge;
}

/* Without its edges. */
static void free_face(HullFaces *h, uint32_t face)
{
    HullFace *f = &h->faces[face];
    while (f->outside != HULL_NONE) {
        const uint32_t point = f->outside;
        f->outside = h->beyond[point];
        h->beyond[point] = h->loose, h->loose = point;
    }
    f->mark = HULL_GONE;
    f->edge = h->free_face, h->free_face = face;
}

void hull_remove(HullFaces *h, uint32_t face)
{
    const uint32_t first = h->faces[face].edge;
    for (uint32_t edge = h->edges[first].next; edge != first;) {
        const uint32_t next = h->edges[edge].next;
        free_edge(h, edge);
        edge = next;
    }
    free_edge(h, first);
    free_face(h, face);
}

/* ---- planes ---- */

/* The longest side of a face, of length 1. */
static D3 longest_side(const HullFaces *h, const HullFace *f)
{
    D3 longest = d3(0, 0, 0);
    double most = 0;
    uint32_t edge = f->edge;
    for (uint32_t i = 0; i < f->size; ++i, edge = h->edges[edge].next) {
        const D3 side =
            d3_sub(hull_point(h, h->edges[edge].head), hull_point(h, hull_tail(h, edge)));
        if (d3_length(side) > most) most = d3_length(side), longest = side;
    }
    return most > 0 ? d3_scale(longest, 1 / most) : longest;
}

/* The plane of a polygon by its vector of area (Newell). That of a needle has rounding along the
 * needle, which is taken out of it. */
static void measure(HullFaces *h, uint32_t face)
{
    HullFace *f = &h->faces[face];
    const uint32_t first = f->edge;
    const D3 origin = hull_point(h, h->edges[first].head);
    D3 area = d3(0, 0, 0), sum = d3(0, 0, 0), last = sum;
    double width = 0; /* squared */
    f->size = 1;
    for (uint32_t edge = h->edges[first].next; edge != first; edge = h->edges[edge].next) {
        const D3 away = d3_sub(hull_point(h, h->edges[edge].head), origin);
        area = d3_add(area, d3_cross(last, away));
        sum = d3_add(sum, away);
        last = away, ++f->size;
        width = fmax(width, d3_dot(away, away));
    }
    f->area = d3_length(area);
    if (f->area < 1e-3 * width) {
        const D3 side = longest_side(h, f);
        area = d3_madd(area, -d3_dot(area, side), side);
    }
    const double length = d3_length(area);
    f->normal = length > 0 ? d3_scale(area, 1 / length) : d3(0, 0, 0);
    f->centre = d3_madd(origin, 1.0 / f->size, sum);
    f->offset = d3_dot(f->normal, f->centre);
    if (f->size < 3) h->broken = true;
}

uint32_t hull_add_triangle(HullFaces *h, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t face = new_face(h);
    if (face == HULL_NONE) return HULL_NONE;
    const uint32_t e[3] = {new_edge(h, a, face), new_edge(h, b, face), new_edge(h, c, face)};
    if (h->broken) return HULL_NONE;
    for (int i = 0; i < 3; ++i)
        h->edges[e[i]].next = e[(i + 1) % 3], h->edges[e[i]].prev = e[(i + 2) % 3];
    h->faces[face].edge = e[0];
    measure(h, face);
    return face;
}

/* ---- two faces become one ---- */

static void chain(HullFaces *h, uint32_t prev, uint32_t next)
{
    h->edges[prev].next = next, h->edges[next].prev = prev;
}

/* Where an edge and the one before it have the same neighbour, the point between them is none of a
 * corner: the edge then stands for both, and the neighbour loses the point too; a triangle is gone
 * with it. */
static bool drop_tail(HullFaces *h, uint32_t edge)
{
    HullSide *e = h->edges;
    const uint32_t prev = e[edge].prev, other = hull_neighbour(h, edge), twin = e[edge].twin;
    if (h->broken || hull_neighbour(h, prev) != other) return false;
    HullFace *own = &h->faces[e[edge].face];
    if (e[e[edge].next].next == edge) h->broken = true; /* two sides are all that it has */
    if (h->broken) return false;
    if (own->edge == prev) own->edge = edge;
    chain(h, e[prev].prev, edge);
    if (e[e[e[twin].next].next].next == twin) {
        h->broken = hull_neighbour(h, e[twin].prev) == e[edge].face; /* nothing is behind it */
        hull_pair(h, edge, e[e[twin].prev].twin);
        hull_remove(h, other);
    } else {
        const uint32_t kept = e[twin].next;
        if (h->faces[other].edge == twin) h->faces[other].edge = kept;
        chain(h, e[twin].prev, kept);
        hull_pair(h, edge, kept);
        free_edge(h, twin);
        measure(h, other);
    }
    free_edge(h, prev);
    return true;
}

/* Drops all such points at both ends of an edge. */
static void tidy(HullFaces *h, uint32_t edge)
{
    while (drop_tail(h, edge)) continue;
    for (uint32_t next = h->edges[edge].next; drop_tail(h, next); next = h->edges[edge].next)
        edge = next;
}

/* The sides that a face shares with the neighbour beyond an edge follow each other: those before
 * and after them, on both faces. */
typedef struct SharedSides {
    uint32_t before, after, other_before, other_after;
    uint32_t count;
} SharedSides;

static SharedSides shared_sides(const HullFaces *h, uint32_t edge)
{
    const HullSide *e = h->edges;
    const uint32_t other = hull_neighbour(h, edge), twin = e[edge].twin;
    SharedSides s = {e[edge].prev, e[edge].next, e[twin].prev, e[twin].next, 1};
    for (; s.before != edge && hull_neighbour(h, s.before) == other; ++s.count)
        s.before = e[s.before].prev, s.other_after = e[s.other_after].next;
    for (; s.after != edge && hull_neighbour(h, s.after) == other; ++s.count)
        s.after = e[s.after].next, s.other_before = e[s.other_before].prev;
    return s;
}

/* Drops a point of a face, and then its neighbours along the rim, where they are none of a corner.
 */
static void tidy_at(HullFaces *h, uint32_t face, uint32_t point)
{
    const uint32_t first = h->faces[face].edge;
    uint32_t edge = first;
    do {
        if (hull_tail(h, edge) == point) {
            tidy(h, edge);
            return;
        }
        edge = h->edges[edge].next;
    } while (edge != first);
}

/* Makes a face one with its neighbour beyond the edge. */
static void absorb(HullFaces *h, uint32_t face, uint32_t edge)
{
    const uint32_t other = hull_neighbour(h, edge);
    const SharedSides s = shared_sides(h, edge);
    HullSide *e = h->edges;
    if (s.count >= h->faces[face].size || s.count >= h->faces[other].size) {
        h->broken = true;
        return;
    }
    for (uint32_t x = e[s.before].next; x != s.after;) {
        const uint32_t next = e[x].next;
        free_edge(h, e[x].twin), free_edge(h, x);
        x = next;
    }
    for (uint32_t x = s.other_after; x != s.other_before; x = e[x].next) e[x].face = face;
    e[s.other_before].face = face;
    h->faces[face].edge = s.after;
    free_face(h, other);
    chain(h, s.other_before, s.after);
    chain(h, s.before, s.other_after);
    const uint32_t ends[2] = {e[s.other_before].head, e[s.before].head};
    for (int i = 0; i < 2; ++i) tidy_at(h, face, ends[i]);
    measure(h, face);
}

/* ---- which do ---- */

/* How far the middle of the face beyond an edge is above the face. */
static double neighbour_above(const HullFaces *h, uint32_t edge)
{
    return hull_above(h, h->edges[edge].face, h->faces[hull_neighbour(h, edge)].centre);
}

/* Whether two faces are not clearly convex: seen from the larger one, whose plane is known better,
 * or from either. *doubtful: from the smaller one alone. */
static bool is_one(const HullFaces *h, uint32_t edge, bool by_larger, bool *doubtful)
{
    const HullSide *e = &h->edges[edge];
    const bool larger = h->faces[e->face].area > h->faces[hull_neighbour(h, edge)].area;
    const uint32_t from = larger ? edge : e->twin, to = larger ? e->twin : edge;
    if (neighbour_above(h, from) > -h->near) return true;
    if (neighbour_above(h, to) <= -h->near) return false;
    *doubtful = by_larger;
    return !by_larger;
}

static bool join_one(HullFaces *h, uint32_t face, bool by_larger)
{
    const uint32_t first = h->faces[face].edge;
    bool doubtful = false;
    uint32_t edge = first;
    do {
        if (is_one(h, edge, by_larger, &doubtful)) {
            absorb(h, face, edge);
            return true;
        }
        edge = h->edges[edge].next;
    } while (edge != first);
    if (doubtful) h->faces[face].mark = HULL_DOUBTFUL;
    return false;
}

void hull_join(HullFaces *h, uint32_t face, bool by_larger)
{
    while (!h->broken && join_one(h, face, by_larger)) continue;
}
