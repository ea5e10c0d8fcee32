/* Hull: normals and edges of a convex core that is a polytope, in the piece's frame and in double,
 * for separating axes. A point has neither; a segment is an edge without faces. */
#ifndef BODIES_HULL_H
#define BODIES_HULL_H

#include "base/memory.h"
#include "bodies/d3.h"
#include "geometry/mesh.h"

typedef struct HullEdge {
    D3 at, along;  /* a point of it, and its unit direction */
    D3 sides[2];   /* normals of the faces that meet in it */
    bool is_alone; /* a segment: it looks all around */
} HullEdge;

/* Larger ones have no axes: they would take too long. */
enum { MOST_HULL_NORMALS = 256, MOST_HULL_EDGES = 256 };

typedef struct Hull {
    D3 *normals;
    size_t normal_count, normal_capacity;
    HullEdge *edges;
    size_t edge_count, edge_capacity;
    bool known; /* false: a core without such a form, or a large one */
} Hull;

/* Into what the hull has reserved before, if it has. All return false when out of memory. */
bool hull_of_segment(Memory *memory, double half, Hull *hull);
bool hull_of_box(Memory *memory, D3 half, Hull *hull);
bool hull_of_mesh(Memory *memory, const mote_Mesh *mesh, Hull *hull);

void hull_free(Memory *memory, Hull *hull);

#endif
