/* Convex hulls by gift wrapping (Chand and Kapur, Journal of the ACM 17, 1970). A face is a plane
 * with all the points in it, as a polygon; about each of its edges the plane is turned until it
 * meets the next points, which are the next face. n points and f faces take of the order of n f
 * steps: shapes of scenes have tens of points. */
#include "geometry/hull_wrap.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point with its place in a plane, or along the axes. */
typedef struct WrapPoint {
    double x, y, z;
    uint32_t number;
} WrapPoint;

/* A supporting plane through a point, and a line in it about which it turns. */
typedef struct WrapPlane {
    D3 at, normal, axis; /* normal: outward; both of length 1 */
} WrapPlane;

/* An edge of a face, counterclockwise around it. */
typedef struct WrapEdge {
    uint32_t from, to;
    D3 normal; /* of the face */
} WrapEdge;

typedef struct Wrap {
    Memory *memory;
    const double *all; /* as they were given */
    WrapPoint *points; /* in order, each place once */
    size_t count;
    WrapPoint *flat; /* those of a face, in its plane, and then its polygon */
    double near;     /* m: what is nearer to a plane or a line lies in it */
    WrapEdge *edges; /* of all faces */
    size_t edge_count, edge_most;
    uint32_t *table; /* of the edges: their numbers, from 1 on, by their hashes */
    size_t table_size;
    HullTriangles hull;
} Wrap;

static D3 place(const WrapPoint *p)
{
    return d3(p->x, p->y, p->z);
}

/* ---- points, each place once ---- */

static int by_place(const void *a, const void *b)
{
    const WrapPoint *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static void take_points(Wrap *w, const double *points, size_t count)
{
    size_t kept = 0;
    double size = 0;
    for (size_t i = 0; i < count; ++i) {
        const double *x = points + 3 * i;
        w->points[i] = (WrapPoint){x[0], x[1], x[2], (uint32_t)i};
    }
    qsort(w->points, count, sizeof *w->points, by_place);
    for (size_t i = 0; i < count; ++i) {
        const WrapPoint p = w->points[i];
        if (kept > 0 && d3_length(d3_sub(place(&p), place(&w->points[kept - 1]))) == 0) continue;
        w->points[kept++] = p;
        size = fmax(size, d3_length(d3_sub(place(&p), place(&w->points[0]))));
    }
    w->count = kept;
    w->near = 1e-10 * size;
}

/* ---- edges ---- */

/* Where the number of an edge is, or would be. */
static uint32_t *edge_slot(const Wrap *w, uint32_t from, uint32_t to)
{
    const size_t mask = w->table_size - 1;
    size_t at = (size_t)hash_mix((uint64_t)from << 32 | to) & mask;
    for (; w->table[at] != 0; at = (at + 1) & mask) {
        const WrapEdge *edge = &w->edges[w->table[at] - 1];
        if (edge->from == from && edge->to == to) break;
    }
    return &w->table[at];
}

/* False where a hull cannot have it: it is there already, or there are too many. */
static bool add_edge(Wrap *w, uint32_t from, uint32_t to, D3 normal)
{
    uint32_t *slot = edge_slot(w, from, to);
    if (*slot != 0 || w->edge_count == w->edge_most) return false;
    w->edges[w->edge_count++] = (WrapEdge){from, to, normal};
    *slot = (uint32_t)w->edge_count;
    return true;
}

/* ---- turning a plane about a line ---- */

/* Across the line, a point is at s in the plane and at h <= 0 behind it. The plane turns away from
 * the side of its face, s < 0, so the first that it meets is the one with the largest angle from
 * there. */
static bool turn(const Wrap *w, WrapPlane *plane)
{
    const D3 across = d3_cross(plane->axis, plane->normal);
    double best[2] = {0, 0};
    for (size_t i = 0; i < w->count; ++i) {
        const D3 away = d3_sub(place(&w->points[i]), plane->at);
        const double s = d3_dot(away, across), h = fmin(d3_dot(away, plane->normal), 0);
        if (s * s + h * h <= w->near * w->near) continue;
        const double ahead = best[0] * h - best[1] * s;
        const bool first = best[0] == 0 && best[1] == 0;
        const bool farther = ahead == 0 && s * s + h * h > best[0] * best[0] + best[1] * best[1];
        if (first || ahead > 0 || farther) best[0] = s, best[1] = h;
    }
    const double length = sqrt(best[0] * best[0] + best[1] * best[1]);
    if (!(length > 0)) return false;
    plane->normal =
        d3_add(d3_scale(across, -best[1] / length), d3_scale(plane->normal, best[0] / length));
    plane->normal = d3_scale(plane->normal, 1 / d3_length(plane->normal));
    return true;
}

/* ---- a face ---- */

/* How far c is to the left of the line from a to b, in the plane. */
static double left_of(const WrapPoint *a, const WrapPoint *b, const WrapPoint *c)
{
    const double x = b->x - a->x, y = b->y - a->y;
    return (x * (c->y - a->y) - y * (c->x - a->x)) / sqrt(x * x + y * y);
}

/* One side of the polygon around sorted points (Andrew's chain), without its last. */
static size_t add_chain(const Wrap *w, const WrapPoint *from, size_t count, int step,
                        WrapPoint *ring)
{
    size_t size = 0;
    for (size_t i = 0; i < count; ++i, from += step) {
        while (size > 1 && left_of(&ring[size - 2], &ring[size - 1], from) <= w->near) --size;
        ring[size++] = *from;
    }
    return size - 1;
}

/* The polygon of the points in the plane, counterclockwise from outside; its size. */
static size_t face_ring(Wrap *w, const WrapPlane *plane, WrapPoint **ring)
{
    const D3 up = d3_cross(plane->normal, plane->axis);
    WrapPoint *inside = w->flat;
    size_t count = 0;
    for (size_t i = 0; i < w->count; ++i) {
        const D3 away = d3_sub(place(&w->points[i]), plane->at);
        if (d3_dot(away, plane->normal) < -w->near) continue;
        inside[count++] =
            (WrapPoint){d3_dot(away, plane->axis), d3_dot(away, up), 0, w->points[i].number};
    }
    *ring = inside + count;
    if (count < 3) return 0;
    qsort(inside, count, sizeof *inside, by_place);
    const size_t size = add_chain(w, inside, count, 1, *ring);
    return size + add_chain(w, inside + count - 1, count, -1, *ring + size);
}

static bool add_triangles(Wrap *w, const WrapPoint *ring, size_t size)
{
    void **corners = (void **)&w->hull.corners;
    const size_t wanted = 3 * (w->hull.count + size - 2);
    if (!memory_reserve(w->memory, corners, &w->hull.capacity, wanted, sizeof *w->hull.corners))
        return false;
    for (size_t i = 2; i < size; ++i) {
        uint32_t *out = w->hull.corners + 3 * w->hull.count++;
        out[0] = ring[0].number, out[1] = ring[i - 1].number, out[2] = ring[i].number;
    }
    return true;
}

/* Adds the face of a plane; false where it does not fit to those that are there. */
static bool add_face(Wrap *w, const WrapPlane *plane)
{
    WrapPoint *ring;
    const size_t size = face_ring(w, plane, &ring);
    if (size < 3 || !add_triangles(w, ring, size)) return false;
    for (size_t i = 0; i < size; ++i)
        if (!add_edge(w, ring[i].number, ring[(i + 1) % size].number, plane->normal)) return false;
    return true;
}

/* ---- from the first face around ---- */

static D3 given(const Wrap *w, uint32_t number)
{
    const double *x = w->all + 3 * (size_t)number;
    return d3(x[0], x[1], x[2]);
}

/* The point that a turned plane has met: the one that is farthest from the line. */
static D3 met(const Wrap *w, const WrapPlane *plane)
{
    double most = 0;
    D3 found = plane->at;
    for (size_t i = 0; i < w->count; ++i) {
        const D3 away = d3_sub(place(&w->points[i]), plane->at);
        const double wide = d3_length(d3_cross(away, plane->axis));
        if (d3_dot(away, plane->normal) < -w->near || wide <= most) continue;
        most = wide, found = place(&w->points[i]);
    }
    return found;
}

/* A plane at the least x turns about an upright line until it meets a point, and then about the
 * line to that point. */
static bool first_face(Wrap *w)
{
    WrapPlane plane = {place(&w->points[0]), d3(-1, 0, 0), d3(0, 0, 1)};
    if (!turn(w, &plane)) return false;
    const D3 way = d3_sub(met(w, &plane), plane.at);
    plane.axis = d3_scale(way, 1 / d3_length(way));
    return turn(w, &plane) && add_face(w, &plane);
}

/* The face on the other side of an edge. */
static bool face_beyond(Wrap *w, WrapEdge edge)
{
    const D3 from = given(w, edge.from), way = d3_sub(given(w, edge.to), from);
    WrapPlane plane = {from, edge.normal, d3_scale(way, 1 / d3_length(way))};
    if (*edge_slot(w, edge.to, edge.from) != 0) return true;
    return turn(w, &plane) && add_face(w, &plane) && *edge_slot(w, edge.to, edge.from) != 0;
}

static bool is_flat(const Wrap *w)
{
    const D3 normal = w->edges[0].normal, at = given(w, w->edges[0].from);
    for (size_t i = 0; i < w->count; ++i)
        if (d3_dot(d3_sub(place(&w->points[i]), at), normal) < -w->near) return false;
    return true;
}

static mote_Status wrap_all(Wrap *w, mote_Error *error)
{
    bool good = w->count > 3 && first_face(w);
    if (!good || is_flat(w))
        return status_fail(error, MOTE_BAD_VALUE,
                           "convex hull: the %zu points lie in one plane: it has no volume",
                           w->count);
    for (size_t i = 0; good && i < w->edge_count; ++i) good = face_beyond(w, w->edges[i]);
    if (good) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "convex hull: the points lie almost in one plane: it has no clean volume");
}

mote_Status hull_wrap(const double *points, size_t count, Memory *memory, HullTriangles *hull,
                      mote_Error *error)
{
    Arena arena = arena_make(memory);
    Wrap w = {.memory = memory, .all = points, .edge_most = 6 * count, .table_size = 16};
    while (w.table_size < 12 * count) w.table_size *= 2;
    w.points = arena_take(&arena, count * sizeof *w.points);
    w.flat = arena_take(&arena, (2 * count + 2) * sizeof *w.flat);
    w.edges = arena_take(&arena, w.edge_most * sizeof *w.edges);
    w.table = arena_take(&arena, w.table_size * sizeof *w.table);
    mote_Status status = MOTE_NO_MEMORY;
    if (w.points == NULL || w.flat == NULL || w.edges == NULL || w.table == NULL) {
        status_no_memory(error, "a convex hull", arena.total);
    } else {
        memset(w.table, 0, w.table_size * sizeof *w.table);
        take_points(&w, points, count);
        status = wrap_all(&w, error);
    }
    if (status != MOTE_OK)
        memory_free(memory, w.hull.corners, w.hull.capacity * sizeof *w.hull.corners);
    arena_free(&arena);
    *hull = status == MOTE_OK ? w.hull : (HullTriangles){0};
    return status;
}
