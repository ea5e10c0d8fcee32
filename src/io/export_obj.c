/* Wavefront OBJ: v x y z, vn where normals are known, then f for triangles and l for links; what
 * has neither gets p, one point a particle. Indices count from 1. Reference: Wavefront, "Object
 * Files (.obj)", Advanced Visualizer manual, appendix B1. */
#include "io/export.h"
#include "particles/system.h"

static void write_vectors(Sink *sink, const char *letter, const mote_Column *column, size_t count)
{
    int digits = column_item_size(column->type) == 4 ? 9 : 17;
    for (size_t i = 0; i < count && sink->status == MOTE_OK; ++i) {
        sink_text(sink, letter);
        for (int c = 0; c < 3; ++c) {
            sink_put(sink, " ", 1);
            sink_number(sink, column_value(column, c, i), digits);
        }
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

static void write_obj(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const mote_FrameSystem *points = &part->points;
    const MeshRows *mesh = &part->mesh;
    const mote_Column *normal = mote_frame_column(points, "normal");
    const bool shaded = normal != NULL && normal->components == 3;
    sink_print(sink, "# mote %s, frame %llu\n", mote_version(), (unsigned long long)frame->index);
    write_vectors(sink, "v", mote_frame_column(points, "position"), points->count);
    if (shaded) {
        write_vectors(sink, "vn", normal, points->count);
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
