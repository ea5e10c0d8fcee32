/* PLY, binary little-endian: an element "vertex" with x, y, z and every other column as further
 * properties, and where there are links and triangles, elements "face" and "edge". Reference: G.
 * Turk, "The PLY Polygon File Format", Stanford 1994. The format has no 64-bit integers, so those
 * become doubles, which are exact for ids (below 2^53). */
#include "base/status.h"
#include "io/export.h"
#include "particles/system.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PROPERTY = 120 };

/* The names that other programs know. */
static const struct {
    const char *column, *properties[3];
} known[] = {{"position", {"x", "y", "z"}},
             {"velocity", {"vx", "vy", "vz"}},
             {"color", {"red", "green", "blue"}}};

static const char *const type_names[] = {[MOTE_COLUMN_REAL] =
                                             sizeof(mote_real) == 4 ? "float" : "double",
                                         [MOTE_COLUMN_DOUBLE] = "double",
                                         [MOTE_COLUMN_U32] = "uint",
                                         [MOTE_COLUMN_U64] = "double"};

static void property_name(const mote_Column *column, int component, char *name, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (column->components == 3 && strcmp(column->name, known[i].column) == 0) {
            snprintf(name, size, "%s", known[i].properties[component]);
            return;
        }
    snprintf(name, size, "%s%s", column->name, export_suffix(column, component));
    for (char *c = name; *c != '\0'; ++c) /* names end at white space */
        if ((unsigned char)*c <= ' ' || *c == 0x7f) *c = '_';
}

static void declare_mesh(Sink *sink, const MeshRows *mesh)
{
    if (mesh->triangle_count > 0)
        sink_print(sink, "element face %zu\nproperty list uchar int vertex_indices\n",
                   mesh->triangle_count);
    if (mesh->link_count > 0)
        sink_print(sink, "element edge %zu\nproperty int vertex1\nproperty int vertex2\n",
                   mesh->link_count);
}

static void write_rows(Sink *sink, const size_t *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        int32_t row = (int32_t)rows[i];
        sink_put(sink, &row, sizeof row);
    }
}

static void write_mesh(Sink *sink, const MeshRows *mesh)
{
    const unsigned char corners = 3;
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        sink_put(sink, &corners, 1);
        write_rows(sink, mesh->triangles + 3 * i, 3);
    }
    write_rows(sink, mesh->links, 2 * mesh->link_count);
}

static void write_header(Sink *sink, const mote_Frame *frame, const mote_FrameSystem *system,
                         const MeshRows *mesh)
{
    sink_text(sink, "ply\nformat binary_little_endian 1.0\n");
    sink_print(sink, "comment mote %s, frame %llu, time ", mote_version(),
               (unsigned long long)frame->index);
    sink_number(sink, frame->time, 17);
    sink_print(sink, " s, %c is up\n", "xyz"[frame->up_axis]);
    sink_print(sink, "element vertex %zu\n", system->count);
    for (size_t i = 0; i < system->column_count; ++i) {
        const mote_Column *column = &system->columns[i];
        for (int c = 0; c < column->components; ++c) {
            char name[LONGEST_PROPERTY];
            property_name(column, c, name, sizeof name);
            sink_print(sink, "property %s %s\n", type_names[column->type], name);
        }
    }
    declare_mesh(sink, mesh);
    sink_text(sink, "end_header\n");
}

static void write_element(Sink *sink, const mote_Column *column, int component, size_t row)
{
    size_t item = column_item_size(column->type);
    double wide = column->type == MOTE_COLUMN_U64 ? column_value(column, component, row) : 0;
    if (column->type == MOTE_COLUMN_U64)
        sink_put(sink, &wide, sizeof wide);
    else
        sink_put(sink, column_plane(column, component) + row * item, item);
}

static void write_ply(Sink *sink, const mote_Frame *frame, const mote_FrameSystem *system)
{
    Arena arena = arena_make(sink->memory);
    MeshRows mesh = export_mesh(sink, frame, system, &arena);
    write_header(sink, frame, system, &mesh);
    for (size_t row = 0; row < system->count && sink->status == MOTE_OK; ++row)
        for (size_t i = 0; i < system->column_count; ++i)
            for (int c = 0; c < system->columns[i].components; ++c)
                write_element(sink, &system->columns[i], c, row);
    write_mesh(sink, &mesh);
    arena_free(&arena);
}

static bool exact(const mote_Column *column, size_t rows)
{
    for (int c = 0; c < column->components; ++c) {
        const uint64_t *plane = (const uint64_t *)column_plane(column, c);
        for (size_t i = 0; i < rows; ++i)
            if (plane[i] > UINT64_C(1) << 53) return false;
    }
    return true;
}

static mote_Status check_ply(const mote_FrameSystem *system, const char *path, mote_Error *error)
{
    for (size_t i = 0; i < system->column_count; ++i) {
        const mote_Column *column = &system->columns[i];
        if (column->type == MOTE_COLUMN_U64 && !exact(column, system->count))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: system %.80s, column %.80s: holds integers above 2^53, which "
                               "PLY cannot; use vtp, csv or npz",
                               file_label(path), system->name, column->name);
    }
    return MOTE_OK;
}

const ExportRow export_ply = {
    .head = {.name = "ply",
             .extension = ".ply",
             .doc =
                 "Binary PLY (Turk 1994): every column as a property of the vertices, with faces "
                 "and edges."},
    .write = write_ply,
    .check = check_ply};
