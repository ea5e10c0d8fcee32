/* pcache: the point caches of Unity's effect graph, one a frame; a head of lines, then binary
 * little-endian floats, which is all that Unity takes. Reference: T. Iche, "pCache file format". */
#include "io/export.h"
#include "particles/system.h"

#include <string.h>

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
