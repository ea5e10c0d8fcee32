/* The faces of a convex hull while it grows: polygons, joined by half edges. */
#ifndef GEOMETRY_HULL_FACES_H
#define GEOMETRY_HULL_FACES_H

#include "base/memory.h"
#include "base/vec.h"
#include "geometry/hull_quick.h"

#define HULL_NONE UINT32_MAX

/* A side of a face, counterclockwise around it; the face beyond has its twin, the other way. */
typedef struct HullSide {
    uint32_t head; /* the point that it leads to */
    uint32_t face, next, prev, twin;
} HullSide;

typedef enum HullMark {
    HULL_GOOD,
    HULL_DOUBTFUL, /* not clearly convex towards a smaller neighbour */
    HULL_GONE
} HullMark;

typedef struct HullFace {
    D3 normal, centre; /* outward, of length 1; the mean of its corners */
    double offset;     /* normal . x in its plane */
    double area;       /* twice its area */
    uint32_t edge;     /* one of its sides; of a face that is gone, the next such */
    uint32_t size;     /* corners */
    uint32_t outside;  /* the first of the points above it */
    HullMark mark;
} HullFace;

typedef struct HullFaces {
    Memory *memory;
    const double *points;
    double near; /* m: what is nearer to a plane lies in it */
    HullSide *edges;
    HullFace *faces;
    size_t edge_count, edge_capacity, face_count, face_capacity;
    uint32_t free_edge, free_face; /* the first that can be used again */
    uint32_t *beyond;              /* of each point above a face: the next one */
    uint32_t loose;                /* the first of the points whose face is gone */
    bool broken;                   /* faces do not meet, or there is no memory */
    bool no_memory;
} HullFaces;

static inline D3 hull_point(const HullFaces *h, uint32_t number)
{
    const double *x = h->points + 3 * (size_t)number;
    return d3(x[0], x[1], x[2]);
}

static inline uint32_t hull_tail(const HullFaces *h, uint32_t edge)
{
    return h->edges[h->edges[edge].prev].head;
}

static inline uint32_t hull_neighbour(const HullFaces *h, uint32_t edge)
{
    return h->edges[h->edges[edge].twin].face;
}

/* How far x is above the plane of a face. */
static inline double hull_above(const HullFaces *h, uint32_t face, D3 x)
{
    return d3_dot(h->faces[face].normal, x) - h->faces[face].offset;
}

/* A face of three points: its edge leads from c to a. HULL_NONE: no memory. */
uint32_t hull_add_triangle(HullFaces *h, uint32_t a, uint32_t b, uint32_t c);
static inline void hull_pair(HullFaces *h, uint32_t edge, uint32_t twin)
{
    h->edges[edge].twin = twin, h->edges[twin].twin = edge;
}

/* Takes a face away with its edges; points above it are loose. */
void hull_remove(HullFaces *h, uint32_t face);

/* Joins a face with neighbours that are in its plane or would make a hollow with it. */
void hull_join(HullFaces *h, uint32_t face, bool by_larger);

/* Four points that are far from each other, the last below the plane of the first three; how far
 * below. 0: they are on a line. hull_spread.c */
double hull_spread(const HullFaces *h, size_t count, double rounding, uint32_t spread[4]);

/* All faces as triangles; false without memory. hull_fans.c */
bool hull_triangles(const HullFaces *h, HullTriangles *hull);

#endif
