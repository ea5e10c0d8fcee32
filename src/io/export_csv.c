/* CSV (RFC 4180): a header with names and units, then one line per particle. Numbers have a decimal
 * point in every locale and enough digits (9 or 17) to come back bit for bit. */
#include "io/export.h"
#include "particles/system.h"

#include <string.h>

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
