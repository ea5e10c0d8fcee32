/* Wavefront OBJ: v x y z, then f for triangles and l for links; what has neither gets p, one point
 * a particle. Indices count from 1. Reference: Wavefront, "Object Files (.obj)", Advanced
 * Visualizer manual, appendix B1. */
#include "io/export.h"
#include "particles/system.h"

static void write_vertices(Sink *sink, const mote_FrameSystem *system)
{
    const mote_Column *position = mote_frame_column(system, "position");
    int digits = column_item_size(position->type) == 4 ? 9 : 17;
    for (size_t i = 0; i < system->count && sink->status == MOTE_OK; ++i) {
        sink_put(sink, "v", 1);
        for (int c = 0; c < 3; ++c) {
            sink_put(sink, " ", 1);
            sink_number(sink, column_value(position, c, i), digits);
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

static void write_obj(Sink *sink, const mote_Frame *frame, const mote_FrameSystem *system)
{
    Arena arena = arena_make(sink->memory);
    MeshRows mesh = export_mesh(sink, frame, system, &arena);
    sink_print(sink, "# mote %s, frame %llu\n", mote_version(), (unsigned long long)frame->index);
    write_vertices(sink, system);
    write_cells(sink, "f", mesh.triangles, mesh.triangle_count, 3);
    if (mesh.triangle_count == 0) write_cells(sink, "l", mesh.links, mesh.link_count, 2);
    if (mesh.triangle_count == 0 && mesh.link_count == 0)
        for (size_t i = 0; i < system->count; ++i) write_cells(sink, "p", &i, 1, 1);
    arena_free(&arena);
}

static mote_Status check_obj(const mote_FrameSystem *system, const char *path, mote_Error *error)
{
    return export_check_positions(system, path, "obj", error);
}

const ExportRow export_obj = {
    .head = {.name = "obj",
             .extension = ".obj",
             .doc = "Wavefront OBJ: positions with triangles, or links, or points."},
    .write = write_obj,
    .check = check_obj};
