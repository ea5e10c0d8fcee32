/* Triangle meshes: immutable, shared, checked when they are made. Shapes refer to them. */
#ifndef MOTE_MESH_H
#define MOTE_MESH_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh with what queries need. It never changes, may be used by any number of threads, and lives
 * until every mote_mesh_keep and its creation have been answered by a mote_mesh_release. */
typedef struct mote_Mesh mote_Mesh;

/* A mesh's data; copied by mote_mesh_create. Seen from outside, corners go counterclockwise. */
typedef struct mote_MeshDef {
    const double *vertices; /* x, y, z of each, m */
    size_t vertex_count;
    const uint32_t *triangles; /* three vertices each */
    size_t triangle_count;
    bool flip; /* the corners go clockwise: turn every triangle round */
    mote_Allocator allocator;
} mote_MeshDef;

/* What was found out about a mesh. Places are given for the first of each kind. */
typedef struct mote_MeshFacts {
    size_t vertices, triangles; /* that are left */
    size_t joined;              /* vertices that equal another, or that no triangle uses */
    size_t degenerate;          /* triangles without area: left out */
    size_t open_edges;          /* edges with one triangle: holes */
    size_t crowded_edges;       /* edges with three triangles or more */
    size_t flipped_edges;       /* edges whose two triangles disagree on which side is outside */
    size_t parts;               /* that hang together by edges */
    bool closed;                /* every edge has two triangles that agree */
    bool inverted;              /* closed, but inside out */
    bool convex;                /* closed, one part, convex up to rounding */
    double area, volume;        /* m^2; m^3, when closed */
    double low[3], high[3];     /* bounds, m */
    double degenerate_at[3], open_at[3], crowded_at[3], flipped_at[3]; /* m */
} mote_MeshFacts;

/* Equal vertices are joined, triangles without area left out. Fails when a vertex is not finite, a
 * triangle names a vertex that does not exist, or no triangle is left; holes and the like are no
 * errors here but facts. */
MOTE_API mote_Status mote_mesh_create(const mote_MeshDef *def, mote_Mesh **mesh, mote_Error *error);

/* The convex hull of points (x, y, z each). MOTE_UNAVAILABLE in a build without Qhull. */
MOTE_API mote_Status mote_mesh_hull(const double *points, size_t count, mote_Allocator allocator,
                                    mote_Mesh **mesh, mote_Error *error);

/* The convex body behind planes (normal x, y, z and offset each: normal . x <= offset). Fails when
 * they leave nothing, no volume, or no end. */
MOTE_API mote_Status mote_mesh_planes(const double *planes, size_t count, mote_Allocator allocator,
                                      mote_Mesh **mesh, mote_Error *error);

/* Reads an OBJ, PLY or STL file that lies in memory. `name` starts messages; its ending tells the
 * format where the content does not. `scale` multiplies all coordinates. */
MOTE_API mote_Status mote_mesh_parse(const void *bytes, size_t size, const char *name, double scale,
                                     mote_Allocator allocator, mote_Mesh **mesh, mote_Error *error);

/* The convex hull of a mesh's vertices. */
MOTE_API mote_Status mote_mesh_hull_of(const mote_Mesh *mesh, mote_Mesh **hull, mote_Error *error);

/* One more owner; returns the mesh. NULL is allowed in both. */
MOTE_API const mote_Mesh *mote_mesh_keep(const mote_Mesh *mesh);
MOTE_API void mote_mesh_release(const mote_Mesh *mesh);

/* All of these live as long as the mesh. */
MOTE_API const mote_MeshFacts *mote_mesh_facts(const mote_Mesh *mesh);
MOTE_API const mote_Vec3 *mote_mesh_vertices(const mote_Mesh *mesh, size_t *count);
MOTE_API const uint32_t *mote_mesh_triangles(const mote_Mesh *mesh, size_t *count); /* 3 each */
/* A value for the whole content: equal for equal vertices and triangles. */
MOTE_API uint64_t mote_mesh_hash(const mote_Mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
