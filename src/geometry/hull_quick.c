/* Quickhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996). Every point that is not inside yet
 * belongs to a face that it is above. The farthest of a face is added: the faces that it sees go,
 * and new ones lead from it to the horizon, the edges between faces that it sees and others. Where
 * new faces are not clearly convex they are joined, so that rounding never makes a hollow; nothing
 * depends on the order of the machine's threads or on an address. */
#include "geometry/hull_quick.h"

#include "base/status.h"
#include "geometry/hull_faces.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A growing array of numbers. */
typedef struct NumberList {
    uint32_t *items;
    size_t count, capacity;
} NumberList;

/* A face on the way around the horizon: the edge that is looked at next, and how many are left. */
typedef struct HorizonStep {
    uint32_t edge, left;
} HorizonStep;

typedef struct QuickHull {
    HullFaces h;
    size_t count;
    double tolerance, rounding; /* m */
    uint32_t spread[4];         /* points that are far from each other: the first hull */
    NumberList waiting;         /* faces that may have points above them */
    NumberList seen;            /* faces below the point that is added */
    NumberList horizon;         /* their edges to others, in order */
    NumberList made;            /* faces from the point to the horizon */
    HorizonStep *steps;
    size_t step_capacity;
} QuickHull;

static bool list_add(QuickHull *q, NumberList *list, uint32_t item)
{
    if (!memory_reserve(q->h.memory, (void **)&list->items, &list->capacity, list->count + 1,
                        sizeof *list->items)) {
        q->h.broken = q->h.no_memory = true;
        return false;
    }
    list->items[list->count++] = item;
    return true;
}

static void list_free(QuickHull *q, NumberList *list)
{
    memory_free(q->h.memory, list->items, list->capacity * sizeof *list->items);
}

/* ---- the first four ---- */

/* Puts a point above the face that it is farthest above, if there is one. */
static void claim(QuickHull *q, uint32_t point, const NumberList *faces)
{
    const D3 x = hull_point(&q->h, point);
    double most = q->h.near;
    uint32_t best = HULL_NONE;
    for (size_t i = 0; i < faces->count; ++i) {
        const uint32_t face = faces->items[i];
        if (q->h.faces[face].mark == HULL_GONE) continue;
        const double above = hull_above(&q->h, face, x);
        if (above > most) most = above, best = face;
    }
    if (best == HULL_NONE) return;
    HullFace *face = &q->h.faces[best];
    if (face->outside == HULL_NONE) list_add(q, &q->waiting, best);
    q->h.beyond[point] = face->outside, face->outside = point;
}

/* The four faces of a tetrahedron whose last point is below its first face. */
static void first_faces(QuickHull *q)
{
    static const int corner[4][3] = {{0, 1, 2}, {3, 1, 0}, {3, 2, 1}, {3, 0, 2}};
    HullFaces *h = &q->h;
    const uint32_t *s = q->spread;
    for (int i = 0; i < 4; ++i) {
        const uint32_t face =
            hull_add_triangle(h, s[corner[i][0]], s[corner[i][1]], s[corner[i][2]]);
        if (face == HULL_NONE || !list_add(q, &q->made, face)) return;
    }
    for (uint32_t a = 0; a < 12; ++a)
        for (uint32_t b = 0; b < a; ++b)
            if (h->edges[a].head == hull_tail(h, b) && h->edges[b].head == hull_tail(h, a))
                hull_pair(h, a, b);
    for (uint32_t i = 0; i < q->count && !h->broken; ++i)
        if (i != s[0] && i != s[1] && i != s[2] && i != s[3]) claim(q, i, &q->made);
}

/* Chooses the tolerance, and makes the first faces. A plate needs a finer one: where it is no
 * thicker than some hundred tolerances, faces around its rim would be joined with those on top of
 * it, and corners lost. False: it is as thin as rounding. */
static bool begin(QuickHull *q)
{
    const double thin = 1e-3;
    const double finest = thin * hull_spread(&q->h, q->count, q->rounding, q->spread);
    if (!(finest > q->rounding)) return false;
    q->h.near *= fmin(q->tolerance, finest);
    first_faces(q);
    return true;
}

/* ---- a point more ---- */

static void see(QuickHull *q, uint32_t face, uint32_t edge, uint32_t left, size_t *depth)
{
    if (!memory_reserve(q->h.memory, (void **)&q->steps, &q->step_capacity, *depth + 1,
                        sizeof *q->steps)) {
        q->h.broken = q->h.no_memory = true;
        return;
    }
    q->h.faces[face].mark = HULL_GONE;
    q->steps[(*depth)++] = (HorizonStep){edge, left};
    list_add(q, &q->seen, face);
}

/* From the face of a point into all that it sees, around each from the edge by which it was come
 * to, so that the horizon's edges follow each other. */
static void find_horizon(QuickHull *q, D3 eye, uint32_t face)
{
    HullFaces *h = &q->h;
    size_t depth = 0;
    q->seen.count = q->horizon.count = 0;
    see(q, face, h->faces[face].edge, h->faces[face].size, &depth);
    while (depth > 0 && !h->broken) {
        HorizonStep *step = &q->steps[depth - 1];
        if (step->left-- == 0) {
            --depth;
            continue;
        }
        const uint32_t edge = step->edge, twin = h->edges[edge].twin, other = h->edges[twin].face;
        step->edge = h->edges[edge].next;
        if (h->faces[other].mark == HULL_GONE) continue;
        if (hull_above(h, other, eye) > h->near)
            see(q, other, h->edges[twin].next, h->faces[other].size - 1, &depth);
        else
            list_add(q, &q->horizon, edge);
    }
}

/* New faces from the point to the horizon, each with the next. */
static void make_faces(QuickHull *q, uint32_t eye)
{
    HullFaces *h = &q->h;
    uint32_t first = HULL_NONE, last = HULL_NONE;
    q->made.count = 0;
    for (size_t i = 0; i < q->horizon.count && !h->broken; ++i) {
        const uint32_t edge = q->horizon.items[i], from = hull_tail(h, edge);
        const uint32_t face = hull_add_triangle(h, eye, from, h->edges[edge].head);
        if (face == HULL_NONE || !list_add(q, &q->made, face)) return;
        const uint32_t side = h->faces[face].edge; /* back to the point */
        hull_pair(h, h->edges[side].prev, h->edges[edge].twin);
        if (last == HULL_NONE)
            first = side;
        else if (hull_tail(h, last) == from)
            hull_pair(h, h->edges[side].next, last);
        else
            h->broken = true; /* the horizon is no ring */
        last = side;
    }
    if (last == HULL_NONE || hull_tail(h, last) != h->edges[h->edges[first].next].head)
        h->broken = true;
    if (!h->broken) hull_pair(h, h->edges[first].next, last);
}

/* First by the larger of two faces, whose plane is known better, then by either. */
static void join_faces(QuickHull *q)
{
    for (size_t i = 0; i < q->made.count; ++i)
        if (q->h.faces[q->made.items[i]].mark == HULL_GOOD)
            hull_join(&q->h, q->made.items[i], true);
    for (size_t i = 0; i < q->made.count; ++i) {
        HullFace *face = &q->h.faces[q->made.items[i]];
        if (face->mark != HULL_DOUBTFUL) continue;
        face->mark = HULL_GOOD;
        hull_join(&q->h, q->made.items[i], false);
    }
}

static void add_point(QuickHull *q, uint32_t eye, uint32_t face)
{
    find_horizon(q, hull_point(&q->h, eye), face);
    if (!q->h.broken) make_faces(q, eye);
    if (q->h.broken) return;
    q->h.loose = HULL_NONE;
    for (size_t i = 0; i < q->seen.count; ++i) hull_remove(&q->h, q->seen.items[i]);
    join_faces(q);
    while (q->h.loose != HULL_NONE && !q->h.broken) {
        const uint32_t point = q->h.loose;
        q->h.loose = q->h.beyond[point];
        if (point != eye) claim(q, point, &q->made);
    }
}

/* The farthest point above a face, whose plane may have changed since they came; none: they are in
 * it by now. */
static uint32_t farthest(const QuickHull *q, uint32_t face)
{
    double most = q->h.near;
    uint32_t found = HULL_NONE;
    for (uint32_t i = q->h.faces[face].outside; i != HULL_NONE; i = q->h.beyond[i]) {
        const double above = hull_above(&q->h, face, hull_point(&q->h, i));
        if (above > most || (above == most && i < found)) most = above, found = i;
    }
    return found;
}

static void grow(QuickHull *q)
{
    while (q->waiting.count > 0 && !q->h.broken) {
        const uint32_t face = q->waiting.items[--q->waiting.count];
        if (q->h.faces[face].mark == HULL_GONE || q->h.faces[face].outside == HULL_NONE) continue;
        const uint32_t eye = farthest(q, face);
        if (eye == HULL_NONE)
            q->h.faces[face].outside = HULL_NONE;
        else
            add_point(q, eye, face);
    }
}

/* ---- all of it ---- */

static void free_all(QuickHull *q)
{
    HullFaces *h = &q->h;
    NumberList *lists[] = {&q->waiting, &q->seen, &q->horizon, &q->made};
    for (size_t i = 0; i < 4; ++i) list_free(q, lists[i]);
    memory_free(h->memory, q->steps, q->step_capacity * sizeof *q->steps);
    memory_free(h->memory, h->edges, h->edge_capacity * sizeof *h->edges);
    memory_free(h->memory, h->faces, h->face_capacity * sizeof *h->faces);
    memory_free(h->memory, h->beyond, q->count * sizeof *h->beyond);
}

/* *broken: the faces do not meet with this tolerance. */
static mote_Status try_hull(QuickHull *q, HullTriangles *hull, bool *broken, mote_Error *error)
{
    HullFaces *h = &q->h;
    *hull = (HullTriangles){0}, *broken = false;
    h->beyond = memory_take(h->memory, q->count * sizeof *h->beyond);
    if (h->beyond == NULL)
        return status_no_memory(error, "a convex hull", q->count * sizeof *h->beyond);
    if (!begin(q))
        return status_fail(error, MOTE_BAD_VALUE,
                           "convex hull: the %zu points lie in one plane: it has no volume",
                           q->count);
    grow(q);
    *broken = h->broken && !h->no_memory;
    if (*broken)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "convex hull: the points lie almost in one plane: it has no clean volume");
    if (!h->no_memory && hull_triangles(h, hull)) return MOTE_OK;
    memory_free(h->memory, hull->corners, hull->capacity * sizeof *hull->corners);
    *hull = (HullTriangles){0};
    return status_no_memory(error, "a convex hull", h->memory->bytes);
}

/* The width of the points along the axis where they are widest, and their rounding. */
static double width_of(const double *points, size_t count, double *rounding)
{
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double width = 0, far = 0;
    for (size_t i = 0; i < 3 * count; ++i) {
        least[i % 3] = fmin(least[i % 3], points[i]), most[i % 3] = fmax(most[i % 3], points[i]);
        far = fmax(far, fabs(points[i]));
    }
    for (int k = 0; k < 3; ++k) width = fmax(width, most[k] - least[k]);
    *rounding = 8 * DBL_EPSILON * far;
    return width;
}

/* Should faces fail to meet, coarser tolerances are tried. */
mote_Status hull_quick(const double *points, size_t count, double tolerance, Memory *memory,
                       HullTriangles *hull, mote_Error *error)
{
    static const double coarser[] = {1, 10, 100};
    double rounding;
    const double width = width_of(points, count, &rounding);
    mote_Status status = MOTE_OK;
    bool broken = true;
    if (!(tolerance > 0)) tolerance = fmax(1e-12 * width, rounding);
    for (size_t i = 0; i < 3 && broken; ++i) {
        QuickHull q = {.count = count, .tolerance = tolerance, .rounding = rounding};
        q.h = (HullFaces){.memory = memory,
                          .points = points,
                          .near = coarser[i],
                          .free_edge = HULL_NONE,
                          .free_face = HULL_NONE,
                          .loose = HULL_NONE};
        status = try_hull(&q, hull, &broken, error);
        free_all(&q);
    }
    return status;
}
