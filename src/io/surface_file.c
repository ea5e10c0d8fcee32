/* Surfaces as mesh files: PLY (binary little-endian, normals as nx, ny, nz) and Wavefront OBJ. */
#include "base/status.h"
#include "io/file.h"

#include <mote/io.h>

#include <string.h>
#include <strings.h>

static void write_ply(Sink *sink, const mote_FrameSurface *s)
{
    const char *real = sizeof(mote_real) == 4 ? "float" : "double";
    sink_print(sink, "ply\nformat binary_little_endian 1.0\ncomment mote %s\n", mote_version());
    sink_print(sink, "element vertex %zu\n", s->vertex_count);
    static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"};
    for (int i = 0; i < 6; ++i) sink_print(sink, "property %s %s\n", real, names[i]);
    sink_print(sink, "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
               s->triangle_count);
    for (size_t i = 0; i < s->vertex_count; ++i) {
        sink_put(sink, &s->vertices[i], sizeof s->vertices[i]);
        sink_put(sink, &s->normals[i], sizeof s->normals[i]);
    }
    for (size_t i = 0; i < s->triangle_count; ++i) {
        unsigned char record[13] = {3};
        memcpy(record + 1, s->triangles + 3 * i, 12);
        sink_put(sink, record, sizeof record);
    }
}

static void write_vector(Sink *sink, const char *letter, mote_Vec3 v)
{
    const double part[3] = {(double)v.x, (double)v.y, (double)v.z};
    sink_text(sink, letter);
    for (int k = 0; k < 3; ++k) {
        sink_put(sink, " ", 1);
        sink_number(sink, part[k], sizeof(mote_real) == 4 ? 9 : 17);
    }
    sink_put(sink, "\n", 1);
}

static void write_obj(Sink *sink, const mote_FrameSurface *s)
{
    sink_print(sink, "# mote %s\n", mote_version());
    for (size_t i = 0; i < s->vertex_count; ++i) write_vector(sink, "v", s->vertices[i]);
    for (size_t i = 0; i < s->vertex_count; ++i) write_vector(sink, "vn", s->normals[i]);
    for (size_t i = 0; i < s->triangle_count && sink->status == MOTE_OK; ++i) {
        const uint32_t *t = s->triangles + 3 * i;
        sink_print(sink, "f %u//%u %u//%u %u//%u\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1,
                   t[2] + 1, t[2] + 1);
    }
}

static const struct {
    const char *ending;
    void (*write)(Sink *sink, const mote_FrameSurface *surface);
} formats[] = {{".ply", write_ply}, {".obj", write_obj}};

mote_Status mote_surface_write(const mote_FrameSurface *surface, const char *path,
                               mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    const char *ending = strrchr(path, '.');
    Sink sink;
    size_t format = 0;
    while (format < 2 && (ending == NULL || strcasecmp(ending, formats[format].ending) != 0))
        ++format;
    if (format == 2)
        return status_fail(error, MOTE_BAD_VALUE, "%s: the name of a mesh must end in .ply or .obj",
                           file_label(path));
    if (surface->vertex_count > INT32_MAX)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu vertices are too many for this format",
                           file_label(path), surface->vertex_count);
    mote_Status status = sink_begin(&sink, path, &memory, error);
    if (status != MOTE_OK) return status;
    formats[format].write(&sink, surface);
    return sink_end(&sink);
}
