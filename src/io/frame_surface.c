/* Surfaces of frames in .npz files: members surfaces/NAME/vertices.npy, normals.npy and
 * triangles.npy, each of shape (n, 3), row after row. */
#include "base/status.h"
#include "io/export.h"
#include "io/frame_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const parts[SURFACE_PARTS] = {"vertices", "normals", "triangles"};

enum { VERTICES, NORMALS, TRIANGLES };

static size_t part_rows(const mote_FrameSurface *surface, int part)
{
    return part == TRIANGLES ? surface->triangle_count : surface->vertex_count;
}

static const void *part_data(const mote_FrameSurface *surface, int part)
{
    if (part == TRIANGLES) return surface->triangles;
    return part == NORMALS ? surface->normals : surface->vertices;
}

size_t frame_surface_name_size(const mote_FrameSurface *surface)
{
    return strlen(surface->name) + sizeof "surfaces//triangles.npy";
}

void frame_surface_item(const mote_FrameSurface *surface, int part, char *name, NpzItem *item)
{
    snprintf(name, frame_surface_name_size(surface), "surfaces/%s/%s", surface->name, parts[part]);
    *item = (NpzItem){.array = {.name = name,
                                .type = part == TRIANGLES ? MOTE_ARRAY_U32 : MOTE_ARRAY_REAL,
                                .rows = 3 * part_rows(surface, part),
                                .components = 1,
                                .data = (void *)(uintptr_t)part_data(surface, part)},
                      .row = 3};
}

/* ---- reading ---- */

/* Numbers of the file's precision into numbers of this one, through a buffer. */
static mote_Status read_reals(NpzStream *stream, int real_bytes, mote_real *to, size_t count,
                              mote_Error *error)
{
    double wide[256];
    float narrow[256];
    mote_Status status = MOTE_OK;
    if (real_bytes == (int)sizeof *to) return npz_read(stream, to, count * sizeof *to, error);
    for (size_t first = 0; first < count && status == MOTE_OK; first += 256) {
        size_t part = count - first < 256 ? count - first : 256;
        status = npz_read(stream, real_bytes == 4 ? (void *)narrow : (void *)wide,
                          part * (size_t)real_bytes, error);
        for (size_t i = 0; i < part && status == MOTE_OK; ++i)
            to[first + i] = real_bytes == 4 ? (mote_real)narrow[i] : (mote_real)wide[i];
    }
    return status;
}

static mote_Status damaged(const Npz *npz, const char *member, const char *what, mote_Error *error)
{
    return status_fail(error, MOTE_IO_FAILED, "%s, member \"%.80s\": damaged: %s",
                       file_label(npz->source.path), member, what);
}

typedef struct SurfaceReading {
    const Npz *npz;
    OwnedFrame *owned;
    int real_bytes;
} SurfaceReading;

static mote_Status read_part(const SurfaceReading *r, const mote_FrameSurface *surface, int part,
                             void **data, mote_Error *error)
{
    NpzStream stream;
    NpyShape shape;
    char name[512];
    size_t rows = part_rows(surface, part), item = part == TRIANGLES ? 4 : sizeof(mote_real);
    mote_ArrayType type = part == TRIANGLES    ? MOTE_ARRAY_U32
                          : r->real_bytes == 4 ? MOTE_ARRAY_F32
                                               : MOTE_ARRAY_F64;
    snprintf(name, sizeof name, "surfaces/%.400s/%s.npy", surface->name, parts[part]);
    const NpzMember *member = npz_find(r->npz, name);
    if (member == NULL) return damaged(r->npz, name, "it is missing", error);
    mote_Status status = npz_begin(&stream, r->npz, member, error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, error);
    if (status == MOTE_OK &&
        (shape.type != type || shape.rows != rows || shape.planes != 3 || shape.columns_first))
        status = damaged(r->npz, name, "its type or shape is not the one that " FRAME_HEAD " gives",
                         error);
    if (status == MOTE_OK) status = owned_frame_take(r->owned, rows, 3 * item, data, error);
    if (status == MOTE_OK)
        status = part == TRIANGLES ? npz_read(&stream, *data, rows * 12, error)
                                   : read_reals(&stream, r->real_bytes, *data, 3 * rows, error);
    return npz_end(&stream, status, error);
}

static bool corners_exist(const mote_FrameSurface *surface)
{
    for (size_t i = 0; i < 3 * surface->triangle_count; ++i)
        if (surface->triangles[i] >= surface->vertex_count) return false;
    return true;
}

mote_Status frame_surface_read(const Npz *npz, int real_bytes, OwnedFrame *owned, mote_Error *error)
{
    SurfaceReading reading = {npz, owned, real_bytes};
    mote_Status status = MOTE_OK;
    uint64_t total = 0;
    for (size_t i = 0; i < owned->frame.surface_count && status == MOTE_OK; ++i) {
        mote_FrameSurface *surface = &owned->surfaces[i];
        void *data[SURFACE_PARTS] = {NULL};
        for (int part = 0; part < SURFACE_PARTS && status == MOTE_OK; ++part) {
            total += part_rows(surface, part) * 12;
            if (total > npz->unpacked)
                return damaged(npz, surface->name, FRAME_HEAD " lists a surface twice", error);
            status = read_part(&reading, surface, part, &data[part], error);
        }
        surface->vertices = data[VERTICES], surface->normals = data[NORMALS];
        surface->triangles = data[TRIANGLES];
        if (status == MOTE_OK && !corners_exist(surface))
            status = damaged(npz, surface->name, "a triangle has a corner that is none", error);
    }
    return status;
}

/* ---- surfaces as mesh files of their own, in the formats that meshes are read from ---- */

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
