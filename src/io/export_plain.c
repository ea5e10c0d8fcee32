/* Formats that are one loop over a part's rows.
 *
 * Wavefront OBJ: v x y z (with r g b on surfaces that have colours, as MeshLab and Blender read),
 * vn where normals are known, then f for triangles and l for links; what has neither gets p, one
 * point a particle. Indices count from 1. Reference: Wavefront, "Object Files (.obj)", Advanced
 * Visualizer manual, appendix B1. */
#include "io/export.h"
#include "particles/system.h"

#include <string.h>

static void write_triple(Sink *sink, const mote_Column *column, size_t row)
{
    const int digits = column_item_size(column->type) == 4 ? 9 : 17;
    for (int c = 0; c < 3; ++c) {
        sink_put(sink, " ", 1);
        sink_number(sink, column_value(column, c, row), digits);
    }
}

/* `more`: three further numbers of each row, or NULL. */
static void write_vectors(Sink *sink, const char *letter, const mote_Column *column,
                          const mote_Column *more, size_t count)
{
    for (size_t i = 0; i < count && sink->status == MOTE_OK; ++i) {
        sink_text(sink, letter);
        write_triple(sink, column, i);
        if (more != NULL) write_triple(sink, more, i);
        sink_put(sink, "\n", 1);
    }
}

static void write_cells(Sink *sink, const char *letter, const size_t *rows, size_t cells,
                        size_t corners)
{
    for (size_t i = 0; i < cells && sink->status == MOTE_OK; ++i) {
        sink_text(sink, letter);
        for (size_t c = 0; c < corners; ++c) sink_print(sink, " %zu", rows[i * corners + c] + 1);
        sink_put(sink, "\n", 1);
    }
}

/* Triangles whose corners have normals of their own. */
static void write_shaded(Sink *sink, const MeshRows *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count && sink->status == MOTE_OK; ++i) {
        const size_t *t = mesh->triangles + 3 * i;
        sink_print(sink, "f %zu//%zu %zu//%zu %zu//%zu\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1,
                   t[2] + 1, t[2] + 1);
    }
}

/* Numbers of points count from 1 in this format. */
static void write_obj(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const mote_FrameSystem *points = &part->points;
    const MeshRows *mesh = &part->mesh;
    const mote_Column *normal = mote_frame_column(points, "normal");
    const bool shaded = normal != NULL && normal->components == 3;
    sink_print(sink, "# mote %s, frame %llu\n", mote_version(), (unsigned long long)frame->index);
    const mote_Column *color = mote_frame_column(points, "color");
    const bool painted = part->kind == PART_SURFACE && color != NULL && color->components == 3;
    write_vectors(sink, "v", mote_frame_column(points, "position"), painted ? color : NULL,
                  points->count);
    if (shaded) {
        write_vectors(sink, "vn", normal, NULL, points->count);
        write_shaded(sink, mesh);
    } else {
        write_cells(sink, "f", mesh->triangles, mesh->triangle_count, 3);
    }
    if (mesh->triangle_count == 0) write_cells(sink, "l", mesh->links, mesh->link_count, 2);
    if (mesh->triangle_count == 0 && mesh->link_count == 0)
        for (size_t i = 0; i < points->count; ++i) write_cells(sink, "p", &i, 1, 1);
}

const ExportRow export_obj = {
    .head = EXPORT_HEAD("obj", "Wavefront OBJ: positions with triangles, or links, or points."),
    .holds = PART_ALL,
    .needs_places = true,
    .write = write_obj};

/* ---- point caches of Unity ---- */

/* pcache: the point caches of Unity's effect graph, one a frame; a head of lines, then binary
 * little-endian floats, which is all that Unity takes. Reference: T. Iche, "pCache file format". */

static bool is_written(const mote_Column *column)
{
    return (column->type == MOTE_COLUMN_REAL || column->type == MOTE_COLUMN_DOUBLE) &&
           (column->components == 1 || column->components == 3);
}

/* Names have letters, digits and underscores; components follow a point. */
static void declare(Sink *sink, const mote_Column *column)
{
    const char *letters = strcmp(column->name, "color") == 0 ? "rgb" : "xyz";
    for (int c = 0; c < column->components; ++c) {
        sink_text(sink, "property float ");
        for (const char *at = column->name; *at != '\0'; ++at) {
            const bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
            const bool digit = at > column->name && *at >= '0' && *at <= '9';
            sink_put(sink, letter || digit ? at : "_", 1);
        }
        if (column->components == 3) sink_print(sink, ".%c", letters[c]);
        sink_put(sink, "\n", 1);
    }
}

static void write_pcache(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const mote_FrameSystem *points = &part->points;
    sink_print(sink, "pcache\nformat binary 1.0\ncomment mote %s, frame %llu\nelements %zu\n",
               mote_version(), (unsigned long long)frame->index, points->count);
    for (size_t k = 0; k < points->column_count; ++k)
        if (is_written(&points->columns[k])) declare(sink, &points->columns[k]);
    sink_text(sink, "end_header\n");
    for (size_t i = 0; i < points->count && sink->status == MOTE_OK; ++i)
        for (size_t k = 0; k < points->column_count; ++k) {
            const mote_Column *column = &points->columns[k];
            for (int c = 0; c < column->components && is_written(column); ++c) {
                const float value = (float)column_value(column, c, i);
                sink_put(sink, &value, sizeof value);
            }
        }
}

const ExportRow export_pcache = {
    .head = EXPORT_HEAD("pcache",
                        "Point caches of Unity: numbers of the points as floats, without ids."),
    .holds = PART_ALL,
    .needs_places = true,
    .write = write_pcache};

/* ---- CSV ---- */

/* CSV (RFC 4180): a header with names and units, then one line per particle. Numbers have a decimal
 * point in every locale and enough digits (9 or 17) to come back bit for bit. */

/* A field is quoted when it holds what separates fields. */
static void write_field(Sink *sink, const char *name, const char *suffix, const char *unit)
{
    bool quoted = strpbrk(name, ",\"\r\n") != NULL || strpbrk(unit, ",\"\r\n") != NULL;
    const char *const parts[] = {name, suffix, unit[0] != '\0' ? " [" : "", unit,
                                 unit[0] != '\0' ? "]" : ""};
    if (quoted) sink_put(sink, "\"", 1);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p)
        for (const char *c = parts[p]; *c != '\0'; ++c)
            sink_put(sink, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    if (quoted) sink_put(sink, "\"", 1);
}

static void write_header(Sink *sink, const mote_FrameSystem *system)
{
    bool first = true;
    for (size_t i = 0; i < system->column_count; ++i) {
        const mote_Column *column = &system->columns[i];
        for (int c = 0; c < column->components; ++c, first = false) {
            if (!first) sink_put(sink, ",", 1);
            write_field(sink, column->name, export_suffix(column, c),
                        column->unit != NULL ? column->unit : "");
        }
    }
    sink_put(sink, "\n", 1);
}

static void write_value(Sink *sink, const mote_Column *column, int component, size_t row)
{
    const char *at = column_plane(column, component) + row * column_item_size(column->type);
    if (column->type == MOTE_COLUMN_U32)
        sink_print(sink, "%lu", (unsigned long)*(const uint32_t *)at);
    else if (column->type == MOTE_COLUMN_U64)
        sink_print(sink, "%llu", (unsigned long long)*(const uint64_t *)at);
    else
        sink_number(sink, column_value(column, component, row),
                    column_item_size(column->type) == 4 ? 9 : 17);
}

static void write_csv(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const mote_FrameSystem *system = &part->points;
    (void)frame;
    write_header(sink, system);
    for (size_t row = 0; row < system->count && sink->status == MOTE_OK; ++row) {
        bool first = true;
        for (size_t i = 0; i < system->column_count; ++i)
            for (int c = 0; c < system->columns[i].components; ++c, first = false) {
                if (!first) sink_put(sink, ",", 1);
                write_value(sink, &system->columns[i], c, row);
            }
        sink_put(sink, "\n", 1);
    }
}

/* ---- links ---- */

/* Links and triangles by ids, as they stand in the frame. */
static void write_links(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const size_t number = part->number;
    sink_text(sink, "mesh,a,b,c\n");
    for (size_t m = 0; m < frame->mesh_count; ++m) {
        const mote_FrameMesh *mesh = &frame->meshes[m];
        const size_t n = mesh->link_count, t = mesh->triangle_count;
        for (size_t i = 0; i < n && mesh->system == number && sink->status == MOTE_OK; ++i) {
            write_field(sink, mesh->name, "", "");
            sink_print(sink, ",%llu,%llu,\n", (unsigned long long)mesh->links[i],
                       (unsigned long long)mesh->links[n + i]);
        }
        for (size_t i = 0; i < t && mesh->system == number && sink->status == MOTE_OK; ++i) {
            write_field(sink, mesh->name, "", "");
            sink_print(sink, ",%llu,%llu,%llu\n", (unsigned long long)mesh->triangles[i],
                       (unsigned long long)mesh->triangles[t + i],
                       (unsigned long long)mesh->triangles[2 * t + i]);
        }
    }
}

const ExportRow export_links = {
    .head = {.name = "links",
             .extension = ".links.csv",
             .doc = "Links (two ids) and triangles (three ids) of a system, as CSV."},
    .holds = PART_LINKED,
    .write = write_links};

const ExportRow export_csv = {
    .head = EXPORT_HEAD(
        "csv", "Comma-separated values (RFC 4180) with names and units in the first line."),
    .holds = PART_SYSTEMS,
    .write = write_csv};
