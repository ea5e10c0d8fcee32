/* The quality of a mesh, for `mote mesh check`. */
#ifndef CLI_MESH_CHECK_H
#define CLI_MESH_CHECK_H

#include <mote/mesh.h>

/* From the texts of options, NULL where not given; false after a message. */
bool mesh_check_def(const char *form, const char *size, const char *spacing,
                    mote_MeshCheckDef *def);

/* Returns the exit code: 0 when the mesh is watertight, manifold, outward and without degenerate
 * triangles. */
int mesh_check_print(const mote_Mesh *mesh, const mote_MeshCheckDef *def, bool json);

#endif
