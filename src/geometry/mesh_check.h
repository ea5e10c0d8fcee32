/* What measuring a mesh works on. */
#ifndef GEOMETRY_MESH_CHECK_H
#define GEOMETRY_MESH_CHECK_H

#include "geometry/mesh.h"

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
