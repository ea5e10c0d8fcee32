/* mote mesh decompose: a concave mesh as convex parts. */
#ifndef CLI_MESH_DECOMPOSE_H
#define CLI_MESH_DECOMPOSE_H

#include <mote/mesh.h>

typedef struct MeshDecompose {
    const char *input;     /* the mesh's file, for the scene's comment */
    const char *folder;    /* where the parts go */
    const char *concavity; /* m, as text; NULL: a fiftieth of the mesh */
    size_t most_parts;     /* 0: 64 */
    bool force, json;
} MeshDecompose;

/* Returns the exit code: failed when the bound on concavity took more parts than allowed. */
int mesh_decompose(const mote_Mesh *mesh, const MeshDecompose *options);

#endif
