/* Frames that own their memory: building and destroying. */
#include "frame/owned.h"

#include "base/status.h"
#include "geometry/shape.h"
#include "particles/system.h"

#include <string.h>

enum { LINE = 64 };

mote_Status owned_frame_create(mote_Allocator allocator, OwnedFrame **out, mote_Error *error)
{
    Memory memory = memory_make(allocator);
    OwnedFrame *owned = memory_zeroed(&memory, sizeof *owned);
    *out = owned;
    if (owned == NULL) return status_no_memory(error, "a frame", sizeof *owned);
    owned->memory = memory;
    owned->arena = arena_make(&owned->memory);
    return MOTE_OK;
}

mote_Status owned_frame_end(OwnedFrame *owned, mote_Status status, mote_Frame **frame)
{
    if (status == MOTE_OK)
        *frame = &owned->frame;
    else if (owned != NULL)
        mote_frame_destroy(&owned->frame);
    return status;
}

static void *take(OwnedFrame *owned, size_t count, size_t item)
{
    if (item > 0 && count > SIZE_MAX / item / 2) return NULL;
    size_t size = count * item;
    return arena_take(&owned->arena, size > 0 ? size : 1);
}

mote_Status owned_frame_take(OwnedFrame *owned, size_t count, size_t item, void **block,
                             mote_Error *error)
{
    *block = take(owned, count, item);
    if (*block == NULL) return status_no_memory(error, "a frame", count * item);
    memset(*block, 0, count * item);
    return MOTE_OK;
}

mote_Status owned_frame_text(OwnedFrame *owned, const char *text, const char **copy,
                             mote_Error *error)
{
    size_t size = strlen(text) + 1;
    char *block = take(owned, size, 1);
    *copy = block;
    if (block == NULL) return status_no_memory(error, "a frame", size);
    memcpy(block, text, size);
    return MOTE_OK;
}

mote_Status owned_frame_size(OwnedFrame *owned, size_t systems, size_t shapes, mote_Error *error)
{
    mote_Frame *frame = &owned->frame;
    mote_Status status =
        owned_frame_take(owned, systems, sizeof *owned->systems, (void **)&owned->systems, error);
    if (status == MOTE_OK)
        status =
            owned_frame_take(owned, shapes, sizeof *owned->shapes, (void **)&owned->shapes, error);
    if (status != MOTE_OK) return status;
    frame->systems = owned->systems, frame->system_count = systems;
    frame->shapes = owned->shapes, frame->shape_count = shapes;
    return MOTE_OK;
}

mote_Status owned_frame_meshes(OwnedFrame *owned, size_t meshes, mote_Error *error)
{
    mote_Status status =
        owned_frame_take(owned, meshes, sizeof *owned->meshes, (void **)&owned->meshes, error);
    if (status != MOTE_OK) return status;
    owned->frame.meshes = owned->meshes, owned->frame.mesh_count = meshes;
    return MOTE_OK;
}

mote_Status owned_frame_mesh_room(OwnedFrame *owned, mote_FrameMesh *mesh, mote_Error *error)
{
    void *links = NULL, *triangles = NULL;
    mote_Status status =
        owned_frame_take(owned, mesh->link_count, 2 * sizeof(uint64_t), &links, error);
    if (status == MOTE_OK)
        status =
            owned_frame_take(owned, mesh->triangle_count, 3 * sizeof(uint64_t), &triangles, error);
    mesh->links = links, mesh->triangles = triangles;
    return status;
}

mote_Status owned_frame_surfaces(OwnedFrame *owned, size_t surfaces, mote_Error *error)
{
    mote_Status status = owned_frame_take(owned, surfaces, sizeof *owned->surfaces,
                                          (void **)&owned->surfaces, error);
    if (status != MOTE_OK) return status;
    owned->frame.surfaces = owned->surfaces, owned->frame.surface_count = surfaces;
    return MOTE_OK;
}

mote_Status owned_frame_surface_room(OwnedFrame *owned, mote_FrameSurface *surface,
                                     mote_Error *error)
{
    void *vertices = NULL, *normals = NULL, *triangles = NULL;
    mote_Status status =
        owned_frame_take(owned, surface->vertex_count, sizeof(mote_Vec3), &vertices, error);
    if (status == MOTE_OK)
        status = owned_frame_take(owned, surface->vertex_count, sizeof(mote_Vec3), &normals, error);
    if (status == MOTE_OK)
        status = owned_frame_take(owned, surface->triangle_count, 3 * sizeof(uint32_t), &triangles,
                                  error);
    surface->vertices = vertices, surface->normals = normals, surface->triangles = triangles;
    return status;
}

mote_Status owned_frame_planes(OwnedFrame *owned, mote_Column *column, size_t rows,
                               mote_Error *error)
{
    size_t item = column_item_size(column->type), lines = rows / (LINE / item) + 1;
    column->stride = lines * (LINE / item);
    column->data =
        rows > SIZE_MAX / 256 ? NULL : take(owned, lines * LINE, (size_t)column->components);
    if (column->data == NULL) return status_no_memory(error, "a frame's column", rows * item);
    return MOTE_OK;
}

void mote_frame_destroy(mote_Frame *frame)
{
    if (frame == NULL) return;
    OwnedFrame *owned = (OwnedFrame *)frame;
    for (size_t i = 0; i < frame->shape_count && owned->shapes != NULL; ++i) {
        const mote_FrameShape *shape = &owned->shapes[i];
        if (shape->row != NULL && shape->params != NULL) params_release(shape->row, shape->params);
    }
    arena_free(&owned->arena);
    Memory memory = owned->memory;
    memory_free(&memory, owned, sizeof *owned);
}
