/* Reading mesh files that lie in memory: what the formats share. */
#ifndef GEOMETRY_MESH_FORMAT_H
#define GEOMETRY_MESH_FORMAT_H

#include <mote/mesh.h>

#include "base/memory.h"
#include "text/lines.h"

/* A mesh being read. */
typedef struct MeshData {
    Memory memory;
    double *vertices; /* x, y, z each */
    size_t vertex_count, vertex_room;
    uint32_t *triangles; /* three vertices each */
    size_t triangle_count, triangle_room;
    float *points; /* u and v of a texture's places, by number */
    size_t point_count, point_room;
    float *uvs; /* of the triangles' corners, as far as any are known */
    size_t uv_count, uv_room;
} MeshData;

mote_Status mesh_add_vertex(MeshData *data, const double v[3], mote_Error *error);
/* A polygon as a fan of triangles. */
mote_Status mesh_add_polygon(MeshData *data, const uint32_t *corners, size_t count,
                             mote_Error *error);

/* A numbered place on a texture, and the places of the corners of the polygon that came last:
 * numbers from 1; 0: it has none. */
mote_Status mesh_add_point(MeshData *data, const double uv[2], mote_Error *error);
mote_Status mesh_add_uvs(MeshData *data, const uint32_t *points, size_t count, mote_Error *error);

mote_Status mesh_read_obj(TextLines *text, MeshData *data, mote_Error *error);
mote_Status mesh_read_ply(TextLines *text, MeshData *data, mote_Error *error);
mote_Status mesh_read_stl(TextLines *text, MeshData *data, mote_Error *error);

/* True for a binary STL: its size is the one that its count of triangles says. */
bool mesh_is_binary_stl(const TextLines *text);

#endif
