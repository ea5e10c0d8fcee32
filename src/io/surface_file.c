/* Surfaces as mesh files of their own, in the formats that meshes are read from. */
#include "base/status.h"
#include "io/export.h"

#include <string.h>
#include <strings.h>

mote_Status mote_surface_write(const mote_FrameSurface *surface, const char *path,
                               mote_Error *error)
{
    static const ExportRow *const rows[] = {&export_ply, &export_obj};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    Memory memory = memory_make(mote_default_allocator());
    const char *ending = strrchr(path, '.');
    size_t row = 0;
    while (row < ROWS && (ending == NULL || strcasecmp(ending, rows[row]->head.extension) != 0))
        ++row;
    if (row == ROWS)
        return status_fail(error, MOTE_BAD_VALUE, "%s: the name of a mesh must end in .ply or .obj",
                           file_label(path));
    mote_FrameSurface own = *surface;
    own.system = 0;
    const mote_FrameSystem unknown = {.name = surface->name};
    const mote_Frame frame = {
        .up_axis = 1, .systems = &unknown, .system_count = 1, .surfaces = &own, .surface_count = 1};
    const Part part = {.kind = PART_SURFACE, .name = surface->name};
    const PartView view = {.up = -1};
    return export_part(rows[row], &frame, &view, &part, path, &memory, error);
}
