/* What approximate convex decomposition works with: chunks of a solid behind planes.
 *
 * A chunk is all of a closed mesh that is behind some planes. It is kept as a sum of oriented
 * triangles: the mesh's own, cut, and over every cut a fan from one point, whose triangles may
 * overlap or go out of the chunk. As a sum they close it, so its volume is exact; and a fan takes
 * no triangulation of sections with holes. */
#ifndef GEOMETRY_DECOMPOSE_H
#define GEOMETRY_DECOMPOSE_H

#include "base/vec.h"
#include "geometry/mesh.h"

/* Behind it n . x <= offset. */
typedef struct CutPlane {
    D3 n;
    double offset;
} CutPlane;

typedef struct ChunkTriangle {
    D3 corner[3];
    bool cap; /* of a fan: counts for the volume alone */
} ChunkTriangle;

enum { CHUNK_PLANES = 64 };

typedef struct Chunk {
    ChunkTriangle *triangles;
    size_t count, capacity;
    CutPlane planes[CHUNK_PLANES]; /* all cuts */
    size_t plane_count;
    double volume;
    mote_Mesh *hull;  /* NULL: not made yet */
    double concavity; /* m: no point of the hull is farther from the mesh */
    D3 deepest;       /* where it is as far, or nearly */
} Chunk;

typedef struct Decomposer {
    Memory memory;
    const mote_Mesh *mesh;
    D3 middle;      /* of the mesh's bounds */
    double size;    /* of their diagonal */
    double close;   /* a distance that counts as none */
    double bound;   /* on concavity */
    double *points; /* room for those of a hull, x, y, z each */
    size_t point_count, point_capacity;
} Decomposer;

/* Signed distance of the mesh, negative inside. */
double mesh_depth(const mote_Mesh *mesh, D3 x);

/* All of the mesh. These are false when out of memory. */
bool chunk_whole(Decomposer *d, Chunk *chunk);
/* What of a chunk is behind a plane: a chunk of its own. */
bool chunk_cut(Decomposer *d, const Chunk *chunk, const CutPlane *plane, Chunk *part);
void chunk_free(Decomposer *d, Chunk *chunk);
/* Points whose hull is that of the chunk: into d->points. */
bool chunk_points(Decomposer *d, const Chunk *chunk);

bool chunk_add_point(Decomposer *d, D3 x);
/* Makes the hull of d->points a chunk's, with its concavity and deepest point. */
mote_Status chunk_set_hull(Decomposer *d, Chunk *chunk, mote_Error *error);
void chunk_measure(const Decomposer *d, Chunk *chunk);

/* Joins chunks as long as their concavity stays within the bound. Afterwards they have hulls alone.
 */
mote_Status chunks_merge(Decomposer *d, Chunk *items, size_t *count, mote_Error *error);

/* Planes that may be good to cut it by; returns how many. */
enum { CANDIDATES_MOST = 48 };
size_t chunk_candidates(const Decomposer *d, const Chunk *chunk, CutPlane *out);

/* Leaves those of the points that are corners of their hull up to the tolerance (m), and says how
 * many: points along edges and in faces make triangles without area. `corners`: room for a mark of
 * each. All stay when there is no hull. */
size_t mesh_hull_corners(double *points, size_t count, double tolerance, bool *corners);
/* The volume of the hull of points; negative: they have none. Fails as mote_mesh_hull does. */
mote_Status mesh_hull_volume(const double *points, size_t count, double *volume, mote_Error *error);

#endif
