/* Mesh files: telling the format, the growing mesh. */
#include "geometry/mesh_format.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the growing mesh ---- */

mote_Status mesh_add_vertex(MeshData *data, const double v[3], mote_Error *error)
{
    if (!memory_reserve(&data->memory, (void **)&data->vertices, &data->vertex_room,
                        3 * (data->vertex_count + 1), sizeof *data->vertices))
        return status_no_memory(error, "a mesh", data->vertex_count * 3 * sizeof *data->vertices);
    memcpy(data->vertices + 3 * data->vertex_count++, v, 3 * sizeof *v);
    return MOTE_OK;
}

mote_Status mesh_add_polygon(MeshData *data, const uint32_t *corners, size_t count,
                             mote_Error *error)
{
    if (count < 3) return MOTE_OK;
    if (!memory_reserve(&data->memory, (void **)&data->triangles, &data->triangle_room,
                        3 * (data->triangle_count + count), sizeof *data->triangles))
        return status_no_memory(error, "a mesh", data->triangle_count * 12);
    for (size_t k = 1; k + 1 < count; ++k) {
        uint32_t *t = data->triangles + 3 * data->triangle_count++;
        t[0] = corners[0], t[1] = corners[k], t[2] = corners[k + 1];
    }
    return MOTE_OK;
}

mote_Status mesh_add_point(MeshData *data, const double uv[2], mote_Error *error)
{
    if (!memory_reserve(&data->memory, (void **)&data->points, &data->point_room,
                        2 * (data->point_count + 1), sizeof *data->points))
        return status_no_memory(error, "a mesh", data->point_count * 2 * sizeof *data->points);
    for (int k = 0; k < 2; ++k) data->points[2 * data->point_count + (size_t)k] = (float)uv[k];
    ++data->point_count;
    return MOTE_OK;
}

mote_Status mesh_add_uvs(MeshData *data, const uint32_t *points, size_t count, mote_Error *error)
{
    const size_t fan = count - 2, before = data->triangle_count - fan;
    if (!memory_reserve(&data->memory, (void **)&data->uvs, &data->uv_room,
                        6 * data->triangle_count, sizeof *data->uvs))
        return status_no_memory(error, "a mesh", data->triangle_count * 6 * sizeof *data->uvs);
    for (size_t i = data->uv_count; i < 6 * data->triangle_count; ++i) data->uvs[i] = 0;
    for (size_t i = 0; i < 3 * fan; ++i) {
        const uint32_t point = points[i % 3 == 0 ? 0 : i / 3 + i % 3];
        for (size_t k = 0; point > 0 && k < 2; ++k)
            data->uvs[6 * before + 2 * i + k] = data->points[2 * (point - 1) + k];
    }
    data->uv_count = 6 * data->triangle_count;
    return MOTE_OK;
}

/* Triangles behind the last one that has places on a texture have none. */
static mote_Status finish_uvs(MeshData *data, mote_Error *error)
{
    static const uint32_t none[3] = {0, 0, 0};
    const bool short_of = data->uv_count > 0 && data->uv_count < 6 * data->triangle_count;
    return short_of ? mesh_add_uvs(data, none, 3, error) : MOTE_OK;
}

/* ---- the formats ---- */

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    if (length < tail) return false;
    for (size_t i = 0; i < tail; ++i) {
        char c = name[length - tail + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i]) return false;
    }
    return true;
}

static bool starts_with(const TextLines *text, const char *start)
{
    size_t length = strlen(start);
    return (size_t)(text->end - text->at) >= length && memcmp(text->at, start, length) == 0;
}

static bool is_obj(const TextLines *text)
{
    return ends_with(text->name, ".obj");
}

static bool is_ply(const TextLines *text)
{
    return starts_with(text, "ply\n") || starts_with(text, "ply\r") ||
           ends_with(text->name, ".ply");
}

static bool is_stl(const TextLines *text)
{
    return mesh_is_binary_stl(text) || starts_with(text, "solid") || ends_with(text->name, ".stl");
}

static const struct {
    bool (*is)(const TextLines *text);
    mote_Status (*read)(TextLines *text, MeshData *data, mote_Error *error);
} formats[] = {{is_obj, mesh_read_obj}, {is_ply, mesh_read_ply}, {is_stl, mesh_read_stl}};

static mote_Status read_any(TextLines *text, MeshData *data, mote_Error *error)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        if (formats[i].is(text)) return formats[i].read(text, data, error);
    return lines_fail(text, error, "it is no OBJ, PLY or STL file");
}

static mote_Status make_mesh(const MeshData *data, const char *name, mote_Allocator allocator,
                             mote_Mesh **mesh, mote_Error *error)
{
    mote_MeshDef def = mote_mesh_def();
    def.vertices = data->vertices, def.vertex_count = data->vertex_count,
    def.triangles = data->triangles, def.triangle_count = data->triangle_count, def.uvs = data->uvs,
    def.allocator = allocator;
    mote_Error own;
    mote_Status status = mote_mesh_create(&def, mesh, &own);
    if (status != MOTE_OK) status_fail(error, status, "%s: %s", name, own.message);
    return status;
}

mote_Status mote_mesh_parse(const void *bytes, size_t size, const char *name, double scale,
                            mote_Allocator allocator, mote_Mesh **mesh, mote_Error *error)
{
    const char *start = size > 0 ? bytes : "";
    TextLines text = {.name = name, .at = start, .end = start + size};
    MeshData data = {.memory = memory_make(allocator)};
    *mesh = NULL;
    mote_Status status = read_any(&text, &data, error);
    for (size_t i = 0; i < 3 * data.vertex_count; ++i) data.vertices[i] *= scale;
    if (status == MOTE_OK) status = finish_uvs(&data, error);
    if (status == MOTE_OK) status = make_mesh(&data, name, allocator, mesh, error);
    memory_free(&data.memory, data.vertices, data.vertex_room * sizeof *data.vertices);
    memory_free(&data.memory, data.points, data.point_room * sizeof *data.points);
    memory_free(&data.memory, data.uvs, data.uv_room * sizeof *data.uvs);
    memory_free(&data.memory, data.triangles, data.triangle_room * sizeof *data.triangles);
    return status;
}
