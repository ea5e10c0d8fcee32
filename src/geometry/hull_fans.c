/* The faces of a finished hull as triangles: a fan each. */
#include "geometry/hull_faces.h"

#include <math.h>

/* Twice the least area of a fan's triangles. */
static double least_of_fan(const HullFaces *h, uint32_t edge)
{
    const D3 apex = hull_point(h, h->edges[edge].head);
    double least = HUGE_VAL;
    for (uint32_t x = h->edges[h->edges[edge].next].next; x != edge; x = h->edges[x].next) {
        const D3 a = d3_sub(hull_point(h, hull_tail(h, x)), apex);
        const D3 b = d3_sub(hull_point(h, h->edges[x].head), apex);
        least = fmin(least, d3_length(d3_cross(a, b)));
    }
    return least;
}

/* The edge to the corner of a face whose fan has no triangle that is a line, if there is one. */
static uint32_t best_fan(const HullFaces *h, const HullFace *face)
{
    enum { TRIED = 8 };
    uint32_t best = face->edge, edge = best;
    double most = -1;
    for (uint32_t i = 0; i < face->size && i < TRIED; ++i, edge = h->edges[edge].next) {
        const double least = least_of_fan(h, edge);
        if (least > most) most = least, best = edge;
    }
    return best;
}

bool hull_triangles(const HullFaces *h, HullTriangles *hull)
{
    for (uint32_t i = 0; i < h->face_count; ++i) {
        const HullFace *face = &h->faces[i];
        if (face->mark == HULL_GONE) continue;
        if (!memory_reserve(h->memory, (void **)&hull->corners, &hull->capacity,
                            3 * (hull->count + face->size), sizeof *hull->corners))
            return false;
        const uint32_t apex = best_fan(h, face);
        for (uint32_t x = h->edges[h->edges[apex].next].next; x != apex; x = h->edges[x].next) {
            uint32_t *out = hull->corners + 3 * hull->count++;
            out[0] = h->edges[apex].head, out[1] = hull_tail(h, x), out[2] = h->edges[x].head;
        }
    }
    return true;
}
