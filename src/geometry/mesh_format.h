/* Reading mesh files that lie in memory: what the formats share. */
#ifndef GEOMETRY_MESH_FORMAT_H
#define GEOMETRY_MESH_FORMAT_H

#include <mote/mesh.h>

#include "base/memory.h"

/* A mesh being read. */
typedef struct MeshData {
    Memory memory;
    double *vertices; /* x, y, z each */
    size_t vertex_count, vertex_room;
    uint32_t *triangles; /* three vertices each */
    size_t triangle_count, triangle_room;
} MeshData;

/* A file's text or bytes, and how far they were read. */
typedef struct MeshText {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    size_t line; /* from 1, of text */
} MeshText;

enum { MESH_WORD = 64 };

/* The next word of the line; false at its end. Longer words are cut. */
bool mesh_word(MeshText *text, char word[MESH_WORD]);
/* To the start of the next line; false when there is none. */
bool mesh_next_line(MeshText *text);
/* The next word as a finite number; what: for the message. */
mote_Status mesh_number(MeshText *text, const char *what, double *value, mote_Error *error);
/* "NAME, line N: ..." */
__attribute__((format(printf, 3, 4))) mote_Status mesh_fail(const MeshText *text, mote_Error *error,
                                                            const char *format, ...);

mote_Status mesh_add_vertex(MeshData *data, const double v[3], mote_Error *error);
/* A polygon as a fan of triangles. */
mote_Status mesh_add_polygon(MeshData *data, const uint32_t *corners, size_t count,
                             mote_Error *error);

mote_Status mesh_read_obj(MeshText *text, MeshData *data, mote_Error *error);
mote_Status mesh_read_ply(MeshText *text, MeshData *data, mote_Error *error);
mote_Status mesh_read_stl(MeshText *text, MeshData *data, mote_Error *error);

/* True for a binary STL: its size is the one that its count of triangles says. */
bool mesh_is_binary_stl(const MeshText *text);

#endif
