/* Exports: choosing format and system. */
#include "io/export.h"

#include "base/status.h"
#include "base/text.h"
#include "io/frame_file.h"
#include "io/volume.h"
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

/* ---- choosing ---- */

static const char *format_name(const void *context, size_t i)
{
    (void)context;
    return i < ROW_COUNT ? rows[i]->head.name : NULL;
}

typedef struct ExportList {
    Part *items;
    size_t count;
    Memory *memory;
} ExportList;

static const char *part_name(const void *context, size_t i)
{
    const ExportList *list = context;
    return i < list->count ? list->items[i].name : NULL;
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

/* The part of that name; without one, the only part. */
static mote_Status find_part(const ExportList *list, const char *name, const Part **part,
                             mote_Error *error)
{
    *part = list->items;
    for (size_t i = 0; name != NULL && i < list->count; ++i, ++*part)
        if (strcmp((*part)->name, name) == 0) return MOTE_OK;
    if (name != NULL) return unknown("part", name, text_nearest(name, part_name, list), error);
    if (list->count == 1) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "export: the frame has %zu parts, so one must be named", list->count);
}

/* ---- one part ---- */

static mote_Status check_places(const ExportRow *row, const Part *part, mote_Error *error)
{
    const mote_Column *position = mote_frame_column(&part->points, "position");
    const bool places =
        position != NULL && position->components == 3 &&
        (position->type == MOTE_COLUMN_REAL || position->type == MOTE_COLUMN_DOUBLE);
    if (row->needs_places && !places)
        return status_fail(error, MOTE_BAD_VALUE,
                           "export: %.80s has no position of three components, which %s needs",
                           part->name, row->head.name);
    return MOTE_OK;
}

static mote_Status check_part(const ExportRow *row, const Part *part, const char *path,
                              mote_Error *error)
{
    return row->check != NULL ? row->check(part, path, error) : MOTE_OK;
}

static mote_Status add_volume(const PartView *view, Part *part, Arena *arena, mote_Error *error)
{
    Volume *volume = arena_take(arena, sizeof *volume);
    if (volume == NULL) return status_no_memory(error, "a volume", part->points.count);
    part->volume = volume;
    return volume_make(part, view, arena, volume, error);
}

static mote_Status make_part(const ExportRow *row, const mote_Frame *frame, const PartView *view,
                             Part *part, Arena *arena, mote_Error *error)
{
    PartView own = *view;
    if (row->up > 0) own.up = row->up - 1;
    if ((row->holds & part->kind) == 0)
        return status_fail(error, MOTE_BAD_VALUE, "export: %s cannot hold %.80s", row->head.name,
                           part->name);
    if (!part_make(frame, &own, part, arena) || !(row->keeps_poses || part_place(part, arena)))
        return status_no_memory(error, "an export", part->points.count);
    mote_Status status = check_places(row, part, error);
    return status == MOTE_OK && row->volumes ? add_volume(&own, part, arena, error) : status;
}

static mote_Status write_sink(const ExportRow *row, const mote_Frame *frame, const Part *part,
                              const char *path, Memory *memory, mote_Error *error)
{
    Sink sink;
    mote_Status status = check_part(row, part, path, error);
    if (status == MOTE_OK) status = sink_begin(&sink, path, memory, error);
    if (status != MOTE_OK) return status;
    row->write(&sink, frame, part);
    return sink_end(&sink);
}

mote_Status export_part(const ExportRow *row, const mote_Frame *frame, const PartView *view,
                        const Part *listed, const char *path, Memory *memory, mote_Error *error)
{
    Arena arena = arena_make(memory);
    Part part = *listed;
    mote_Status status = make_part(row, frame, view, &part, &arena, error);
    if (status == MOTE_OK)
        status = row->write_file != NULL
                     ? row->write_file(frame, &frame->systems[part.number], path, memory, error)
                     : write_sink(row, frame, &part, path, memory, error);
    arena_free(&arena);
    return status;
}

/* ---- films ---- */

mote_Status film_open(const ExportRow *row, const mote_Frame *frame, Film *film, mote_Error *error)
{
    film->form = row->film->form;
    film->state = memory_zeroed(film->memory, row->film->state_size);
    if (film->state == NULL) return status_no_memory(error, "an export", row->film->state_size);
    return row->film->begin(film, frame, error);
}

mote_Status film_add(const ExportRow *row, Film *film, const mote_Frame *frame,
                     const PartView *view, const Part *listed, mote_Error *error)
{
    Arena arena = arena_make(film->memory);
    Part part = *listed;
    mote_Status status = make_part(row, frame, view, &part, &arena, error);
    if (status == MOTE_OK) status = check_part(row, &part, film->path, error);
    if (status == MOTE_OK) status = row->film->add(film, frame, &part, error);
    arena_free(&arena);
    return status;
}

void film_close(const ExportRow *row, Film *film)
{
    if (film->state == NULL) return;
    row->film->close(film);
    memory_free(film->memory, film->state, row->film->state_size);
    film->state = NULL;
}

/* ---- one frame ---- */

/* A film of one frame: of one part, or of all that it can hold. */
static mote_Status write_film(const ExportRow *row, const mote_Frame *frame, const ExportList *list,
                              const char *path, Memory *memory, mote_Error *error)
{
    const PartView view = {.up = -1};
    Film film = {.path = path, .memory = memory, .frames = 1, .scale = 1, .up = frame->up_axis};
    if (row->up > 0) film.up = row->up - 1;
    mote_Status status = film_open(row, frame, &film, error);
    for (size_t i = 0; i < list->count && status == MOTE_OK; ++i)
        if ((list->items[i].kind & row->holds) != 0)
            status = film_add(row, &film, frame, &view, &list->items[i], error);
    if (status == MOTE_OK) status = row->film->end(&film, error);
    film_close(row, &film);
    return status;
}

static mote_Status write_parts(const ExportRow *row, const mote_Frame *frame,
                               const ExportList *list, const char *name, const char *path,
                               mote_Error *error)
{
    Memory *memory = list->memory;
    const PartView view = {.up = -1};
    const Part *part;
    const bool whole = name == NULL && (row->write_file != NULL || row->film != NULL);
    if (whole && row->write_file != NULL) return row->write_file(frame, NULL, path, memory, error);
    if (whole && !row->film->one_part) return write_film(row, frame, list, path, memory, error);
    mote_Status status = find_part(list, name, &part, error);
    if (status != MOTE_OK) return status;
    const ExportList one = {(Part *)part, 1, memory};
    return row->film != NULL ? write_film(row, frame, &one, path, memory, error)
                             : export_part(row, frame, &view, part, path, memory, error);
}

mote_Status export_write(const char *format, const mote_Frame *frame, const char *part,
                         const char *path, Memory *memory, mote_Error *error)
{
    const ExportRow *row = export_named(format);
    if (row == NULL)
        return unknown("format", format, text_nearest(format, format_name, NULL), error);
    Arena arena = arena_make(memory);
    ExportList list = {.memory = memory};
    mote_Status status = parts_list(frame, &arena, &list.items, &list.count)
                             ? MOTE_OK
                             : status_no_memory(error, "an export", frame->system_count);
    if (status == MOTE_OK) status = write_parts(row, frame, &list, part, path, error);
    arena_free(&arena);
    return status;
}

mote_Status mote_export(const char *format, const mote_Frame *frame, const char *part,
                        const char *path, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    return export_write(format, frame, part, path, &memory, error);
}

/* ---- npz ---- */

static mote_Status write_npz(const mote_Frame *frame, const mote_FrameSystem *system,
                             const char *path, Memory *memory, mote_Error *error)
{
    NpzOptions options = {.memory = memory};
    return frame_file_write(frame, system, path, &options, error);
}

const ExportRow export_npz = {
    .head = EXPORT_HEAD(
        "npz", "NumPy archive without compression, as frames are cached: numpy.load reads it."),
    .holds = PART_SYSTEMS,
    .write_file = write_npz};
