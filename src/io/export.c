/* Exports: choosing format and system. */
#include "io/export.h"

#include "base/status.h"
#include "base/text.h"
#include "io/frame_file.h"
#include "particles/system.h"

#include <string.h>

#define EXPORT_ADDRESS(row) &row,
static const ExportRow *const rows[] = {EXPORT_ROWS(EXPORT_ADDRESS)};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const mote_ExportFormat *mote_export_format(size_t i)
{
    return i < ROW_COUNT ? &rows[i]->head : NULL;
}

/* ---- what the rows share ---- */

const char *export_suffix(const mote_Column *column, int component)
{
    static const char *const xyz[] = {"_x", "_y", "_z"};
    static const char *const numbers[MOTE_MOST_COMPONENTS] = {"_0", "_1", "_2", "_3", "_4",
                                                              "_5", "_6", "_7", "_8"};
    if (column->components == 1) return "";
    return column->components == 3 ? xyz[component] : numbers[component];
}

MeshRows export_mesh(Sink *sink, const mote_Frame *frame, const mote_FrameSystem *system,
                     Arena *arena)
{
    MeshRows mesh;
    if (frame_mesh_rows(frame, (size_t)(system - frame->systems), frame->meshes, frame->mesh_count,
                        arena, &mesh))
        return mesh;
    sink->status = status_no_memory(sink->error, "the links of an export", system->count);
    return (MeshRows){NULL, 0, NULL, 0};
}

mote_Status export_check_positions(const mote_FrameSystem *system, const char *path,
                                   const char *format, mote_Error *error)
{
    const mote_Column *position = mote_frame_column(system, "position");
    bool points = position != NULL && position->components == 3 &&
                  (position->type == MOTE_COLUMN_REAL || position->type == MOTE_COLUMN_DOUBLE);
    if (points) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: system %.80s has no position of three components, which %s needs",
                       file_label(path), system->name, format);
}

/* ---- choosing ---- */

static const char *format_name(const void *context, size_t i)
{
    (void)context;
    return i < ROW_COUNT ? rows[i]->head.name : NULL;
}

static const char *system_name(const void *context, size_t i)
{
    const mote_Frame *frame = context;
    return i < frame->system_count ? frame->systems[i].name : NULL;
}

static mote_Status unknown(const char *what, const char *name, const char *nearest,
                           mote_Error *error)
{
    if (nearest == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "export: there is no %s \"%.80s\"", what, name);
    return status_fail(error, MOTE_BAD_VALUE,
                       "export: there is no %s \"%.80s\"; did you mean \"%.80s\"?", what, name,
                       nearest);
}

const ExportRow *export_named(const char *format)
{
    for (size_t i = 0; i < ROW_COUNT; ++i)
        if (strcmp(rows[i]->head.name, format) == 0) return rows[i];
    return NULL;
}

static mote_Status find_system(const mote_Frame *frame, const char *name,
                               const mote_FrameSystem **system, mote_Error *error)
{
    *system = name != NULL ? mote_frame_system(frame, name) : frame->systems;
    if (name != NULL && *system == NULL)
        return unknown("system", name, text_nearest(name, system_name, frame), error);
    if (name == NULL && frame->system_count != 1)
        return status_fail(error, MOTE_BAD_VALUE,
                           "export: the frame has %zu systems, so one must be named",
                           frame->system_count);
    return MOTE_OK;
}

static mote_Status write_sink(const ExportRow *row, const mote_Frame *frame,
                              const mote_FrameSystem *system, const char *path, Memory *memory,
                              mote_Error *error)
{
    Sink sink;
    mote_Status status = row->check != NULL ? row->check(system, path, error) : MOTE_OK;
    if (status == MOTE_OK) status = sink_begin(&sink, path, memory, error);
    if (status != MOTE_OK) return status;
    row->write(&sink, frame, system);
    return sink_end(&sink);
}

mote_Status export_write(const char *format, const mote_Frame *frame, const char *system,
                         const char *path, Memory *memory, mote_Error *error)
{
    const mote_FrameSystem *chosen = NULL;
    const ExportRow *row = export_named(format);
    if (row == NULL)
        return unknown("format", format, text_nearest(format, format_name, NULL), error);
    mote_Status status = MOTE_OK;
    if (row->write_file == NULL || system != NULL)
        status = find_system(frame, system, &chosen, error);
    if (status != MOTE_OK) return status;
    return row->write_file != NULL ? row->write_file(frame, chosen, path, memory, error)
                                   : write_sink(row, frame, chosen, path, memory, error);
}

mote_Status mote_export(const char *format, const mote_Frame *frame, const char *system,
                        const char *path, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    return export_write(format, frame, system, path, &memory, error);
}

/* ---- npz ---- */

static mote_Status write_npz(const mote_Frame *frame, const mote_FrameSystem *system,
                             const char *path, Memory *memory, mote_Error *error)
{
    NpzOptions options = {.memory = memory};
    return frame_file_write(frame, system, path, &options, error);
}

const ExportRow export_npz = {
    .head = {.name = "npz",
             .extension = ".npz",
             .doc =
                 "NumPy archive without compression, as frames are cached: numpy.load reads it."},
    .write_file = write_npz};
