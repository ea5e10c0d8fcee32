/* Frames: looking up, hashing, copying. */
#include <mote/frame.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "particles/system.h"

#include <string.h>

const mote_FrameSystem *mote_frame_system(const mote_Frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->system_count; ++i)
        if (strcmp(frame->systems[i].name, name) == 0) return &frame->systems[i];
    return NULL;
}

const mote_Column *mote_frame_column(const mote_FrameSystem *system, const char *name)
{
    for (size_t i = 0; i < system->column_count; ++i)
        if (strcmp(system->columns[i].name, name) == 0) return &system->columns[i];
    return NULL;
}

static uint64_t hash_column(uint64_t hash, const mote_Column *column, size_t count)
{
    hash ^= hash_text(column->name);
    for (int c = 0; c < column->components; ++c)
        hash = hash_bytes(hash, column_plane(column, c), count * column_item_size(column->type));
    return hash;
}

static uint64_t hash_mesh(uint64_t hash, const mote_FrameMesh *mesh)
{
    const size_t sizes[] = {mesh->system, mesh->link_count, mesh->triangle_count};
    hash = hash_bytes(hash ^ hash_text(mesh->name), sizes, sizeof sizes);
    hash = hash_bytes(hash, mesh->links, 2 * mesh->link_count * sizeof(uint64_t));
    return hash_bytes(hash, mesh->triangles, 3 * mesh->triangle_count * sizeof(uint64_t));
}

static uint64_t hash_surface(uint64_t hash, const mote_FrameSurface *surface)
{
    const size_t sizes[] = {surface->system, surface->vertex_count, surface->triangle_count};
    const size_t vertices = surface->vertex_count * sizeof *surface->vertices;
    hash = hash_bytes(hash ^ hash_text(surface->name), sizes, sizeof sizes);
    hash = hash_bytes(hash, surface->vertices, vertices);
    hash = hash_bytes(hash, surface->normals, vertices);
    return hash_bytes(hash, surface->triangles, 3 * surface->triangle_count * sizeof(uint32_t));
}

static uint64_t hash_body(uint64_t hash, const mote_FrameShape *shape)
{
    hash = hash_bytes(hash ^ hash_text(shape->name), shape->position, sizeof shape->position);
    return hash_bytes(hash, shape->orientation, sizeof shape->orientation);
}

uint64_t mote_frame_hash(const mote_Frame *frame)
{
    uint64_t hash = hash_bytes(frame->index, &frame->time, sizeof frame->time);
    for (size_t s = 0; s < frame->system_count; ++s) {
        const mote_FrameSystem *system = &frame->systems[s];
        hash = hash_bytes(hash, &system->count, sizeof system->count);
        for (size_t c = 0; c < system->column_count; ++c)
            hash = hash_column(hash, &system->columns[c], system->count);
    }
    for (size_t b = 0; b < frame->shape_count; ++b)
        if (frame->shapes[b].body) hash = hash_body(hash, &frame->shapes[b]);
    for (size_t m = 0; m < frame->mesh_count; ++m) hash = hash_mesh(hash, &frame->meshes[m]);
    for (size_t i = 0; i < frame->surface_count; ++i)
        hash = hash_surface(hash, &frame->surfaces[i]);
    return hash;
}
