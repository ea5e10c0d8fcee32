/* Links and triangles of frames in .npz files: members meshes/NAME/links.npy of shape (n, 2) and
 * meshes/NAME/triangles.npy of shape (n, 3), both ids. */
#include "base/status.h"
#include "io/frame_file.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int corners;
} parts[MESH_PARTS] = {{"links", 2}, {"triangles", 3}};

static size_t part_count(const mote_FrameMesh *mesh, int part)
{
    return part == 0 ? mesh->link_count : mesh->triangle_count;
}

static const uint64_t *part_ids(const mote_FrameMesh *mesh, int part)
{
    return part == 0 ? mesh->links : mesh->triangles;
}

size_t frame_mesh_name_size(const mote_FrameMesh *mesh)
{
    return strlen(mesh->name) + sizeof "meshes//triangles.npy";
}

void frame_mesh_item(const mote_FrameMesh *mesh, int part, char *name, NpzItem *item)
{
    size_t count = part_count(mesh, part);
    snprintf(name, frame_mesh_name_size(mesh), "meshes/%s/%s", mesh->name, parts[part].name);
    *item = (NpzItem){.array = {.name = name,
                                .type = MOTE_ARRAY_U64,
                                .rows = count,
                                .components = parts[part].corners,
                                .stride = count,
                                .data = (void *)(uintptr_t)part_ids(mesh, part)}};
}

/* Room is taken only after the member was found to have the size that the head gives. */
static mote_Status read_member(const Npz *npz, const NpzMember *member, const mote_FrameMesh *mesh,
                               int part, OwnedFrame *owned, uint64_t **ids, mote_Error *error)
{
    NpzStream stream;
    NpyShape shape;
    size_t count = part_count(mesh, part), corners = (size_t)parts[part].corners;
    mote_Status status = npz_begin(&stream, npz, member, error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, error);
    if (status == MOTE_OK &&
        (shape.type != MOTE_ARRAY_U64 || shape.rows != count || shape.planes != corners))
        status = status_fail(error, MOTE_IO_FAILED,
                             "%s, member \"%.80s\": damaged: its type or shape is not the one that "
                             "%s gives",
                             file_label(npz->source.path), member->name, FRAME_HEAD);
    if (status == MOTE_OK)
        status = owned_frame_take(owned, count, corners * sizeof **ids, (void **)ids, error);
    if (status == MOTE_OK) status = npz_read_planes(&stream, &shape, *ids, count, error);
    return npz_end(&stream, status, error);
}

static mote_Status read_part(const Npz *npz, const mote_FrameMesh *mesh, int part,
                             OwnedFrame *owned, uint64_t **ids, mote_Error *error)
{
    size_t size = frame_mesh_name_size(mesh);
    char *name = memory_take(npz->memory, size);
    if (name == NULL) return status_no_memory(error, "reading a frame", size);
    snprintf(name, size, "meshes/%s/%s.npy", mesh->name, parts[part].name);
    const NpzMember *member = npz_find(npz, name);
    memory_free(npz->memory, name, size);
    if (member == NULL)
        return status_fail(error, MOTE_IO_FAILED, "%s: damaged: the %s of mesh %.80s are missing",
                           file_label(npz->source.path), parts[part].name, mesh->name);
    return read_member(npz, member, mesh, part, owned, ids, error);
}

/* All meshes together hold no more than the file has: a head that lists one a thousand times must
 * not make a thousand copies. */
mote_Status frame_mesh_read(const Npz *npz, OwnedFrame *owned, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    uint64_t total = 0;
    for (size_t m = 0; m < owned->frame.mesh_count; ++m) {
        mote_FrameMesh *mesh = &owned->meshes[m];
        uint64_t *ids[MESH_PARTS] = {NULL, NULL};
        for (int part = 0; part < MESH_PARTS && status == MOTE_OK; ++part) {
            total += part_count(mesh, part) * sizeof **ids;
            if (total > npz->unpacked)
                status = status_fail(error, MOTE_IO_FAILED, "%s: damaged: %s lists a mesh twice",
                                     file_label(npz->source.path), FRAME_HEAD);
            if (status == MOTE_OK) status = read_part(npz, mesh, part, owned, &ids[part], error);
        }
        mesh->links = ids[0], mesh->triangles = ids[1];
    }
    return status;
}
