/* A mesh's insides: triangles in the order of a tree, with neighbours, normals and measures. */
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include <mote/mesh.h>

#include "geometry/bounds_tree.h"
#include "geometry/shape.h"

#include <stdatomic.h>

enum { MESH_LEAF = 4 };

/* Instead of the neighbour across an edge. */
#define MESH_NO_NEIGHBOUR UINT32_MAX

typedef struct MeshFace {
    mote_Vec3 corner[3];
    mote_Vec3 normal; /* unit */
} MeshFace;

/* A face of a convex mesh: behind it n . x <= offset. */
typedef struct MeshPlane {
    mote_Vec3 normal;
    mote_real offset;
} MeshPlane;

/* What a node's triangles amount to from afar, for winding numbers. */
typedef struct MeshDipole {
    mote_Vec3 centre; /* by area */
    mote_Vec3 moment; /* sum of area times normal */
    mote_real reach;  /* of the triangles from the centre */
} MeshDipole;

/* Which side of a closed mesh the cells of a grid over its bounds lie on (mesh_sides.c). */
enum { SIDE_OUTSIDE, SIDE_INSIDE, SIDE_SURFACE };

typedef struct MeshSides {
    uint8_t *cells; /* SIDE_...; NULL: there is no grid */
    size_t bytes;
    int count[3];
    mote_Vec3 low;
    mote_real scale; /* cells per metre */
} MeshSides;

struct mote_Mesh {
    Memory memory;
    atomic_uint owners;
    mote_Vec3 *vertices;
    mote_Vec3 *vertex_normals; /* of faces, weighted by their angle; unit */
    size_t vertex_count, vertex_capacity;
    uint32_t (*triangles)[3];
    float (*uvs)[3][2];        /* of the triangles' corners; NULL: none */
    uint32_t (*neighbours)[3]; /* across the edge from corner k to corner k + 1 */
    MeshFace *faces;
    double *area_sums; /* of the triangles up to and with this one */
    size_t triangle_count, triangle_capacity;
    BoundsTree tree;   /* its order is 0, 1, 2, ... */
    MeshPlane *planes; /* convex: its faces */
    size_t plane_count;
    MeshDipole *dipoles; /* open: one per node's child */
    MeshSides sides;     /* closed */
    mote_MeshFacts facts;
    ShapeMeasure measure;
    uint64_t hash;
};

/* Steps of mote_mesh_create, in this order. */
mote_Status mesh_find_neighbours(mote_Mesh *mesh, mote_Error *error);
mote_Status mesh_sort_triangles(mote_Mesh *mesh, mote_Error *error);
void mesh_set_faces(mote_Mesh *mesh);
void mesh_set_vertex_normals(mote_Mesh *mesh);
void mesh_measure(mote_Mesh *mesh);
mote_Status mesh_find_planes(mote_Mesh *mesh, mote_Error *error);
mote_Status mesh_set_sides(mote_Mesh *mesh, mote_Error *error);
mote_Status mesh_set_dipoles(mote_Mesh *mesh, mote_Error *error);

/* ---- what measuring a mesh works on ---- */

typedef struct MeshCheckWork {
    const mote_Mesh *mesh;
    const mote_MeshCheckDef *def;
    mote_MeshCheck *out;
    Arena arena;
    uint32_t *starts;  /* of each vertex in `corners`; one more than vertices */
    uint32_t *corners; /* 3 triangle + corner */
} MeshCheckWork;

/* False when out of memory. */
bool mesh_check_form(MeshCheckWork *work);

#endif
