/* The surface of a shape as triangles, for files that other programs open. Round shapes become
 * polygons whose corners lie on them; shapes without end are cut. */
#ifndef GEOMETRY_SHAPE_MESH_H
#define GEOMETRY_SHAPE_MESH_H

#include "base/memory.h"
#include "geometry/shape.h"

enum {
    SHAPE_MESH_AROUND = 32, /* corners of a circle */
    SHAPE_MESH_RINGS = 8,   /* from a ball's equator to its pole */
    SHAPE_MESH_REACH = 10,  /* m from the middle, of what has no end */
    SHAPE_MESH_CUBES = 64   /* along the longest side, of what has a form of its own */
};

/* Seen from outside, the corners of a triangle go counterclockwise. A corner of an edge is there
 * once for each face, with the normal of that face. */
typedef struct ShapeMesh {
    mote_Vec3 *vertices; /* m, in the shape's own frame */
    mote_Vec3 *normals;  /* unit, outward */
    size_t vertex_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
} ShapeMesh;

/* `params` are prepared. False when out of memory. */
bool shape_mesh(const ShapeRow *row, const void *params, Arena *arena, ShapeMesh *mesh);

/* ---- how it is made ---- */

/* Goes through all triangles twice: first to count them, then to write them. */
typedef struct ShapeMesher {
    ShapeMesh mesh;
    mote_Pose pose; /* of what is being added */
    bool turned;    /* the inside is what is seen */
    bool writing;
    Arena *arena;
    bool failed; /* out of memory */
} ShapeMesher;

uint32_t mesher_vertex(ShapeMesher *b, mote_Vec3 place, mote_Vec3 normal);
void mesher_triangle(ShapeMesher *b, uint32_t first, uint32_t second, uint32_t third);

/* Any other form, by its distance (shape_net.c). */
void mesher_net(ShapeMesher *b, const ShapeRow *row, const void *params);

#endif
