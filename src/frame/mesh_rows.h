/* From the ids of a frame's links and triangles to rows: what is drawn and written to files. */
#ifndef FRAME_MESH_ROWS_H
#define FRAME_MESH_ROWS_H

#include <mote/frame.h>

#include "base/memory.h"

/* Rows of one system, interleaved: two a link, three a triangle. */
typedef struct MeshRows {
    size_t *links;
    size_t link_count;
    size_t *triangles;
    size_t triangle_count;
} MeshRows;

/* The rows that meshes[0 .. count) name, of those meshes that belong to frame->systems[system]; a
 * link or triangle with a particle that does not live is left out. False when out of memory. */
bool frame_mesh_rows(const mote_Frame *frame, size_t system, const mote_FrameMesh *meshes,
                     size_t count, Arena *arena, MeshRows *rows);

#endif
