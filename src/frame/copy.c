/* Copies of frames: what a trail, an undo or a background writer keeps. */
#include "base/status.h"
#include "frame/owned.h"
#include "geometry/shape.h"
#include "particles/system.h"

#include <string.h>

static mote_Status copy_column(OwnedFrame *owned, const mote_Column *from, size_t rows,
                               mote_Column *to, mote_Error *error)
{
    *to = *from;
    mote_Status status = owned_frame_text(owned, from->name, &to->name, error);
    if (status == MOTE_OK)
        status = owned_frame_text(owned, from->unit != NULL ? from->unit : "", &to->unit, error);
    if (status == MOTE_OK)
        status = owned_frame_text(owned, from->stage != NULL ? from->stage : "", &to->stage, error);
    if (status == MOTE_OK) status = owned_frame_planes(owned, to, rows, error);
    for (int c = 0; c < from->components && status == MOTE_OK && rows > 0; ++c)
        memcpy(column_plane(to, c), column_plane(from, c), rows * column_item_size(from->type));
    return status;
}

static mote_Status copy_system(OwnedFrame *owned, const mote_FrameSystem *from,
                               mote_FrameSystem *to, mote_Error *error)
{
    mote_Column *columns;
    mote_Status status = owned_frame_text(owned, from->name, &to->name, error);
    if (status == MOTE_OK)
        status =
            owned_frame_take(owned, from->column_count, sizeof *columns, (void **)&columns, error);
    if (status != MOTE_OK) return status;
    to->count = from->count;
    to->columns = columns, to->column_count = from->column_count;
    for (size_t i = 0; i < from->column_count && status == MOTE_OK; ++i)
        status = copy_column(owned, &from->columns[i], from->count, &columns[i], error);
    return status;
}

/* The bytes of the struct; names of objects become the copy's own. */
static mote_Status copy_params(OwnedFrame *owned, const mote_FrameShape *from, mote_FrameShape *to,
                               mote_Error *error)
{
    char *params;
    mote_Status status =
        owned_frame_take(owned, from->row->params_size, 1, (void **)&params, error);
    if (status != MOTE_OK) return status;
    memcpy(params, from->params, from->row->params_size);
    to->params = params;
    params_keep(from->row, params);
    for (size_t i = 0; i < from->row->param_count && status == MOTE_OK; ++i) {
        const mote_Param *param = &from->row->params[i];
        const char **name = (const char **)(params + param->offset);
        if (param->type == MOTE_PARAM_NAME && *name != NULL)
            status = owned_frame_text(owned, *name, name, error);
    }
    return status;
}

static mote_Status copy_shape(OwnedFrame *owned, const mote_FrameShape *from, mote_FrameShape *to,
                              mote_Error *error)
{
    *to = *from;
    to->params = NULL;
    mote_Status status = owned_frame_text(owned, from->name, &to->name, error);
    if (status == MOTE_OK) status = owned_frame_text(owned, from->type, &to->type, error);
    if (status == MOTE_OK && from->row != NULL && from->params != NULL)
        status = copy_params(owned, from, to, error);
    return status;
}

static mote_Status copy_mesh(OwnedFrame *owned, const mote_FrameMesh *from, mote_FrameMesh *to,
                             mote_Error *error)
{
    *to = *from;
    mote_Status status = owned_frame_text(owned, from->name, &to->name, error);
    if (status == MOTE_OK) status = owned_frame_mesh_room(owned, to, error);
    if (status != MOTE_OK) return status;
    if (from->link_count > 0)
        memcpy((uint64_t *)(uintptr_t)to->links, from->links,
               2 * from->link_count * sizeof(uint64_t));
    if (from->triangle_count > 0)
        memcpy((uint64_t *)(uintptr_t)to->triangles, from->triangles,
               3 * from->triangle_count * sizeof(uint64_t));
    return MOTE_OK;
}

static void copy_bytes(const void *to, const void *from, size_t size)
{
    if (size > 0) memcpy((void *)(uintptr_t)to, from, size);
}

static mote_Status copy_surface(OwnedFrame *owned, const mote_FrameSurface *from,
                                mote_FrameSurface *to, mote_Error *error)
{
    size_t vertices = from->vertex_count * sizeof *from->vertices;
    *to = *from;
    mote_Status status = owned_frame_text(owned, from->name, &to->name, error);
    if (status == MOTE_OK) status = owned_frame_surface_room(owned, to, error);
    if (status != MOTE_OK) return status;
    copy_bytes(to->vertices, from->vertices, vertices);
    copy_bytes(to->normals, from->normals, vertices);
    copy_bytes(to->triangles, from->triangles, 3 * from->triangle_count * sizeof *from->triangles);
    if (from->carried.column_count == 0) return MOTE_OK;
    status = copy_system(owned, &from->carried, &to->carried, error);
    to->carried.name = to->name;
    return status;
}

/* A frame that is handed out is a view of the world, and of no use after the next step; a copy owns
 * all it points to. */
static mote_Status copy_all(const mote_Frame *from, OwnedFrame *owned, mote_Error *error)
{
    mote_Frame *to = &owned->frame;
    *to = *from;
    mote_Status status = owned_frame_size(owned, from->system_count, from->shape_count, error);
    for (size_t i = 0; i < from->system_count && status == MOTE_OK; ++i)
        status = copy_system(owned, &from->systems[i], &owned->systems[i], error);
    for (size_t i = 0; i < from->shape_count && status == MOTE_OK; ++i)
        status = copy_shape(owned, &from->shapes[i], &owned->shapes[i], error);
    if (status == MOTE_OK) status = owned_frame_meshes(owned, from->mesh_count, error);
    for (size_t i = 0; i < from->mesh_count && status == MOTE_OK; ++i)
        status = copy_mesh(owned, &from->meshes[i], &owned->meshes[i], error);
    if (status == MOTE_OK) status = owned_frame_surfaces(owned, from->surface_count, error);
    for (size_t i = 0; i < from->surface_count && status == MOTE_OK; ++i)
        status = copy_surface(owned, &from->surfaces[i], &owned->surfaces[i], error);
    return status;
}

mote_Status owned_frame_copy(const mote_Frame *frame, mote_Allocator allocator, mote_Frame **copy,
                             mote_Error *error)
{
    OwnedFrame *owned;
    *copy = NULL;
    mote_Status status = owned_frame_create(allocator, &owned, error);
    if (status != MOTE_OK) return status;
    return owned_frame_end(owned, copy_all(frame, owned, error), copy);
}

mote_Status mote_frame_copy(const mote_Frame *frame, mote_Frame **copy, mote_Error *error)
{
    return owned_frame_copy(frame, mote_default_allocator(), copy, error);
}
