/* PieceList: what a solid is made of, as contact sees it.
 *
 * A convex piece is a core (a point, a segment, a box, a cylinder, a polytope) with a round shell
 * of some radius around it, so that spheres and capsules are met exactly. A half-space is a plane.
 * Everything else is a field: a signed distance, met by the corners of what comes near. */
#ifndef BODIES_PIECE_H
#define BODIES_PIECE_H

#include "base/memory.h"
#include "bodies/d3.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"

/* ---- hull.c ---- */

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

/* ---- pieces ---- */

typedef enum PieceKind { PIECE_CONVEX, PIECE_PLANE, PIECE_FIELD } PieceKind;

typedef struct Core Core; /* what kinds of cores have */

typedef struct Piece {
    const ShapeRow *row;
    const void *params;
    DPose pose; /* in the solid's frame */
    PieceKind kind;
    const Core *core;      /* of a convex piece */
    const mote_Mesh *mesh; /* of a polytope, or of a field whose corners are known; else NULL */
    D3 half;               /* of the core: half lengths; a cylinder's radius is half.x */
    double radius;         /* of the shell */
    D3 normal;             /* of a plane, in the piece's frame */
    double offset;
    D3 middle, extent; /* box around it in its own frame: centre and half size */
    Hull hull;         /* of a convex piece */
} Piece;

typedef struct PieceList {
    Piece *items;
    size_t count, capacity;
    size_t made; /* items that have reserved hulls, also beyond count */
} PieceList;

/* A piece where it stands in the world. */
typedef struct Placed {
    const Piece *piece;
    DPose pose;
    D3 low, high; /* box around it */
} Placed;

/* The shape's pieces, each with its pose in the frame that `in_solid` places the shape in. */
mote_Status pieces_make(Memory *memory, const ShapeRow *row, const void *params,
                        const DPose *in_solid, PieceList *pieces, mote_Error *error);
void pieces_free(Memory *memory, PieceList *pieces);

/* How far they reach from the solid's origin, and half of the least thickness; both HUGE_VAL for
 * pieces without end. */
void pieces_measure(const PieceList *pieces, double *reach, double *smallest);

Placed piece_place(const Piece *piece, const DPose *solid);

/* The core's farthest point in a direction of the world. */
D3 placed_support(const Placed *placed, D3 direction);

enum { MOST_FACE = 32 };

/* A face of the core: a polygon counterclockwise about its normal, or a segment, or a point. */
typedef struct PieceFace {
    D3 corners[MOST_FACE];
    size_t count;
    D3 normal; /* of a polygon */
} PieceFace;

/* The face that looks most into a direction of the world. */
void placed_face(const Placed *placed, D3 direction, PieceFace *face);

/* Face normals of the core in the world, for i = 0, 1, ... until it returns false. */
bool placed_normal(const Placed *placed, size_t i, D3 *normal);

/* Corners of the core, or points that stand for its rims, in the world, for i = 0, 1, ... until it
 * returns false. */
bool placed_corner(const Placed *placed, size_t i, D3 *corner);

/* How the surface is round where it looks into a direction: circles of a radius about an axis, or a
 * ball. What rolls touches at one place of a circle, whichever way it has turned. */
typedef struct Round {
    double radius; /* m; 0: corners and faces, which turn with the piece */
    D3 axis;       /* unit, in the world; 0: a ball */
} Round;

Round placed_round(const Placed *placed, D3 direction);

/* From the middle of the round part to the surface that looks into a direction. */
static inline D3 round_arm(Round round, D3 direction)
{
    D3 across = d3_madd(direction, -d3_dot(direction, round.axis), round.axis);
    return d3_scale(d3_unit(across, direction), round.radius);
}

/* Signed distance of a point of the world from the piece's surface, and the normal there. */
double placed_distance(const Placed *placed, D3 x, D3 *normal);

/* ---- what kinds of cores answer ---- */

/* Everything in the piece's own frame. */
struct Core {
    D3 (*support)(const Piece *piece, D3 direction);
    void (*face)(const Piece *piece, D3 direction, PieceFace *face);
    bool (*normal)(const Piece *piece, size_t i, D3 *normal);
    bool (*corner)(const Piece *piece, size_t i, D3 *corner);
    bool (*hull)(Memory *memory, Piece *piece); /* NULL: no polytope */
    bool turned;                                /* round about y */
};

extern const Core point_core, segment_core, box_core, cylinder_core, mesh_core;

#endif
