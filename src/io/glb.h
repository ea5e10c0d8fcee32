/* The insides of a glTF 2.0 file in one piece (.glb): values in one buffer, and JSON that says what
 * they are. Reference: Khronos Group, "glTF 2.0 Specification", 2021. */
#ifndef IO_GLB_H
#define IO_GLB_H

#include "io/part.h"
#include "text/json_read.h"

/* What a buffer view is for, as glTF counts. */
enum { GLB_VALUES = 0, GLB_VERTICES = 34962, GLB_INDICES = 34963 };

typedef struct Glb {
    Memory *memory;
    char *bytes; /* of the buffer */
    size_t size, room;
    JsonWriter views, accessors, meshes, nodes; /* lists, open until the end */
    size_t accessor_count, mesh_count, node_count;
    bool failed; /* out of memory */
} Glb;

void glb_open(Glb *glb, Memory *memory);
void glb_close(Glb *glb);

/* Values that an accessor will describe; NULL when out of memory. */
float *glb_floats(Glb *glb, size_t count);
uint32_t *glb_counts(Glb *glb, size_t count);

/* Describes the last `count` times `components` values of the buffer; returns its number. */
size_t glb_accessor(Glb *glb, size_t count, int components, int target);

/* A mesh of the part's points with links or triangles; returns its number. */
size_t glb_mesh(Glb *glb, const Part *part);

/* Begins an object of the list of nodes; returns its number. */
size_t glb_begin_node(Glb *glb, const char *name, size_t mesh);

/* Writes everything; `animation` is an object, or NULL. */
mote_Status glb_write(Glb *glb, const JsonWriter *animation, const char *path, mote_Error *error);

#endif
