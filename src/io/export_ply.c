/* PLY, binary little-endian: an element "vertex" with x, y, z and every other column as further
 * properties, and where there are links and triangles, elements "face" and "edge". Reference: G.
 * Turk, "The PLY Polygon File Format", Stanford 1994. The format has no 64-bit integers, so those
 * become doubles, which are exact for ids (below 2^53). */
#include "base/math.h"
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
             {"normal", {"nx", "ny", "nz"}}};

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

/* ---- columns ---- */

/* Colours are what viewers know: bytes in sRGB, with the opacity as alpha. */
typedef struct PlyColors {
    const mote_Column *color, *opacity; /* NULL: none */
} PlyColors;

static PlyColors find_colors(const mote_FrameSystem *points)
{
    PlyColors colors = {mote_frame_column(points, "color"), mote_frame_column(points, "opacity")};
    if (colors.color != NULL && colors.color->components != 3) colors.color = NULL;
    if (colors.color == NULL || (colors.opacity != NULL && colors.opacity->components != 1))
        colors.opacity = NULL;
    return colors;
}

static unsigned char byte_of(double part)
{
    return (unsigned char)(255 * (part > 0 ? (part < 1 ? part : 1) : 0) + 0.5);
}

static void write_color(Sink *sink, const PlyColors *colors, size_t row)
{
    unsigned char rgba[4] = {0, 0, 0, 255};
    for (int c = 0; c < 3; ++c) {
        const double light = column_value(colors->color, c, row);
        rgba[c] = byte_of(light > 0 ? math_srgb_code(light < 1 ? light : 1) : 0);
    }
    if (colors->opacity != NULL) rgba[3] = byte_of(column_value(colors->opacity, 0, row));
    sink_put(sink, rgba, sizeof rgba);
}

static void declare_column(Sink *sink, const mote_Column *column)
{
    for (int c = 0; c < column->components; ++c) {
        char name[LONGEST_PROPERTY];
        property_name(column, c, name, sizeof name);
        sink_print(sink, "property %s %s\n", type_names[column->type], name);
    }
}

static void write_header(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const mote_FrameSystem *points = &part->points;
    const PlyColors colors = find_colors(points);
    sink_text(sink, "ply\nformat binary_little_endian 1.0\n");
    sink_print(sink, "comment mote %s, frame %llu, time ", mote_version(),
               (unsigned long long)frame->index);
    sink_number(sink, frame->time, 17);
    sink_print(sink, " s, %c is up\nelement vertex %zu\n", "xyz"[part->up], points -> count);
    for (size_t i = 0; i < points->column_count; ++i) {
        const mote_Column *column = &points->columns[i];
        if (column == colors.color)
            sink_text(sink, "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                            "property uchar alpha\n");
        else if (column != colors.opacity)
            declare_column(sink, column);
    }
    declare_mesh(sink, &part->mesh);
    sink_text(sink, "end_header\n");
}

static void write_value(Sink *sink, const mote_Column *column, int component, size_t row)
{
    size_t item = column_item_size(column->type);
    double wide = column->type == MOTE_COLUMN_U64 ? column_value(column, component, row) : 0;
    if (column->type == MOTE_COLUMN_U64)
        sink_put(sink, &wide, sizeof wide);
    else
        sink_put(sink, column_plane(column, component) + row * item, item);
}

static void write_vertex(Sink *sink, const mote_FrameSystem *points, const PlyColors *colors,
                         size_t row)
{
    for (size_t i = 0; i < points->column_count; ++i) {
        const mote_Column *column = &points->columns[i];
        if (column == colors->color) write_color(sink, colors, row);
        if (column == colors->color || column == colors->opacity) continue;
        for (int c = 0; c < column->components; ++c) write_value(sink, column, c, row);
    }
}

static void write_ply(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const PlyColors colors = find_colors(&part->points);
    write_header(sink, frame, part);
    for (size_t row = 0; row < part->points.count && sink->status == MOTE_OK; ++row)
        write_vertex(sink, &part->points, &colors, row);
    write_mesh(sink, &part->mesh);
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

static mote_Status check_ply(const Part *part, const char *path, mote_Error *error)
{
    if (part->points.count > INT32_MAX && part->mesh.triangle_count + part->mesh.link_count > 0)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu vertices are too many for this format",
                           file_label(path), part->points.count);
    for (size_t i = 0; i < part->points.column_count; ++i) {
        const mote_Column *column = &part->points.columns[i];
        if (column->type == MOTE_COLUMN_U64 && !exact(column, part->points.count))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: system %.80s, column %.80s: holds integers above 2^53, which "
                               "PLY cannot; use vtp, csv or npz",
                               file_label(path), part->name, column->name);
    }
    return MOTE_OK;
}

const ExportRow export_ply = {
    .head = EXPORT_HEAD(
        "ply", "Binary PLY (Turk 1994): every column as a property of the vertices, colours as "
               "bytes, faces and edges."),
    .holds = PART_ALL,
    .write = write_ply,
    .check = check_ply};
