/* Meshes from PLY: `vertex` with x, y, z and `face` with a list vertex_indices (or vertex_index).
 */
#include "geometry/mesh_format.h"
#include "text/ply.h"

#include <string.h>

enum { CORNERS = 3, ALL_ROLES = 15 }; /* behind the coordinates */

typedef struct MeshPly {
    TextLines *text;
    MeshData *data;
    int seen; /* bits of the roles */
} MeshPly;

static int find_role(const char *element, const char *property, bool list)
{
    if (strcmp(element, "vertex") == 0 && !list && property[0] >= 'x' && property[0] <= 'z' &&
        property[1] == '\0')
        return property[0] - 'x';
    bool corners = strcmp(property, "vertex_indices") == 0 || strcmp(property, "vertex_index") == 0;
    return strcmp(element, "face") == 0 && list && corners ? CORNERS : -1;
}

static int role_of(void *context, const char *element, const char *property, bool list)
{
    MeshPly *ply = context;
    int role = find_role(element, property, list);
    if (role >= 0) ply->seen |= 1 << role;
    return role;
}

static mote_Status check_head(void *context, mote_Error *error)
{
    const MeshPly *ply = context;
    if (ply->seen == ALL_ROLES) return MOTE_OK;
    return lines_fail(ply->text, error,
                      "it must have an element vertex with x, y, z and an element face with a list "
                      "vertex_indices");
}

static mote_Status add_row(void *context, const PlyRow *row, mote_Error *error)
{
    MeshPly *ply = context;
    uint32_t corners[PLY_LONGEST_LIST];
    if (strcmp(row->element, "vertex") == 0) return mesh_add_vertex(ply->data, row->values, error);
    for (size_t i = 0; i < row->length; ++i) {
        if (!(row->list[i] >= 0 && row->list[i] < 4e9))
            return lines_fail(ply->text, error, "a face names vertex %g", row->list[i]);
        corners[i] = (uint32_t)row->list[i];
    }
    return mesh_add_polygon(ply->data, corners, row->length, error);
}

mote_Status mesh_read_ply(TextLines *text, MeshData *data, mote_Error *error)
{
    MeshPly ply = {.text = text, .data = data};
    return ply_read(text, &(PlyReader){&ply, role_of, check_head, add_row}, error);
}
