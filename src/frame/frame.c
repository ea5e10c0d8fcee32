/* Frames: looking up and hashing; copies are in copy.c. */
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

/* Lengths as 64 bits, whatever size_t is here. */
static uint64_t hash_sizes(uint64_t hash, size_t a, size_t b, size_t c)
{
    const uint64_t sizes[] = {a, b, c};
    return hash_bytes(hash, sizes, sizeof sizes);
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
    hash ^= hash_text(mesh->name);
    hash = hash_sizes(hash, mesh->system, mesh->link_count, mesh->triangle_count);
    hash = hash_bytes(hash, mesh->links, 2 * mesh->link_count * sizeof(uint64_t));
    return hash_bytes(hash, mesh->triangles, 3 * mesh->triangle_count * sizeof(uint64_t));
}

static uint64_t hash_surface(uint64_t hash, const mote_FrameSurface *surface)
{
    const size_t vertices = surface->vertex_count * sizeof *surface->vertices;
    hash ^= hash_text(surface->name);
    hash = hash_sizes(hash, surface->system, surface->vertex_count, surface->triangle_count);
    hash = hash_bytes(hash, surface->vertices, vertices);
    hash = hash_bytes(hash, surface->normals, vertices);
    hash = hash_bytes(hash, surface->triangles, 3 * surface->triangle_count * sizeof(uint32_t));
    for (size_t c = 0; c < surface->carried.column_count; ++c)
        hash = hash_column(hash, &surface->carried.columns[c], surface->vertex_count);
    return hash;
}

/* Files do not tell a zero's sign. */
static uint64_t hash_numbers(uint64_t hash, const double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        /* -0 + 0 is +0. */
        const double value = values[i] + 0.0;
        hash = hash_bytes(hash, &value, sizeof value);
    }
    return hash;
}

static uint64_t hash_shape(uint64_t hash, const mote_FrameShape *shape)
{
    hash = hash_mix(hash ^ hash_text(shape->name)) ^ hash_text(shape->type);
    hash = hash_numbers(hash ^ shape->body, shape->position, 3);
    hash = hash_numbers(hash, shape->orientation, 4);
    hash = hash_numbers(hash, shape->velocity, 3);
    return hash_numbers(hash, shape->spin, 3);
}

/* Of all that a frame shows, in the order of its lists. Two runs are the same when the hashes of
 * their frames are. */
uint64_t mote_frame_hash(const mote_Frame *frame)
{
    const double times[] = {frame->time, frame->dt};
    uint64_t hash = hash_bytes(frame->index, times, sizeof times);
    for (size_t s = 0; s < frame->system_count; ++s) {
        const mote_FrameSystem *system = &frame->systems[s];
        hash = hash_sizes(hash ^ hash_text(system->name), s, system->count, system->column_count);
        for (size_t c = 0; c < system->column_count; ++c)
            hash = hash_column(hash, &system->columns[c], system->count);
    }
    for (size_t i = 0; i < frame->shape_count; ++i) hash = hash_shape(hash, &frame->shapes[i]);
    for (size_t m = 0; m < frame->mesh_count; ++m) hash = hash_mesh(hash, &frame->meshes[m]);
    for (size_t i = 0; i < frame->surface_count; ++i)
        hash = hash_surface(hash, &frame->surfaces[i]);
    return hash;
}

/* ---- the types of state arrays ---- */

static const size_t item_sizes[] = {
    [MOTE_ARRAY_F32] = 4, [MOTE_ARRAY_F64] = 8, [MOTE_ARRAY_U32] = 4,
    [MOTE_ARRAY_U64] = 8, [MOTE_ARRAY_I64] = 8, [MOTE_ARRAY_BYTE] = 1,
};

size_t mote_array_item_size(mote_ArrayType type)
{
    return item_sizes[type];
}
