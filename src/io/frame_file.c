/* Frames in .npz files: writing and reading the columns. */
#include "io/frame_file.h"

#include "base/definition.h"
#include "base/status.h"
#include "particles/system.h"

#include <stdio.h>
#include <string.h>

static const mote_ArrayType array_types[] = {[MOTE_COLUMN_REAL] = MOTE_ARRAY_REAL,
                                             [MOTE_COLUMN_DOUBLE] = MOTE_ARRAY_F64,
                                             [MOTE_COLUMN_U32] = MOTE_ARRAY_U32,
                                             [MOTE_COLUMN_U64] = MOTE_ARRAY_U64};

/* ---- writing ---- */

/* Columns of systems, and those that surfaces carry, which have a folder of their own. */
typedef struct ColumnHome {
    const char *folder; /* "" or with a / at its end */
    const mote_FrameSystem *system;
} ColumnHome;

static const char surface_folder[] = "surfaces/";

static size_t name_size(const ColumnHome *home, const mote_Column *column)
{
    return strlen(home->folder) + strlen(home->system->name) + 1 + strlen(column->name) + 1;
}

static size_t names_size(const ColumnHome *home)
{
    size_t size = 0;
    for (size_t i = 0; i < home->system->column_count; ++i)
        size += name_size(home, &home->system->columns[i]);
    return size;
}

/* "/" separates system and column, so no name may hold one. */
static mote_Status check_name(const char *name, const char *path, mote_Error *error)
{
    if (strchr(name, '/') == NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: \"%.80s\" cannot be the name of a system, a column or links in a file, "
                       "because it holds a /",
                       file_label(path), name);
}

static mote_Status check_names(const mote_FrameSystem *system, const char *path, mote_Error *error)
{
    mote_Status status = check_name(system->name, path, error);
    for (size_t i = 0; i < system->column_count && status == MOTE_OK; ++i)
        status = check_name(system->columns[i].name, path, error);
    return status;
}

static void column_item(const ColumnHome *home, const mote_Column *column, char *name,
                        NpzItem *item)
{
    const mote_FrameSystem *system = home->system;
    snprintf(name, name_size(home, column), "%s%s/%s", home->folder, system->name, column->name);
    *item = (NpzItem){.array = {.name = name,
                                .type = array_types[column->type],
                                .rows = system->count,
                                .components = column->components,
                                .stride = column->stride,
                                .data = column->data}};
}

typedef struct Items {
    NpzItem *items;
    size_t count, capacity;
    char *names;
    size_t names_size;
} Items;

static size_t add_columns(Items *list, const ColumnHome *home, size_t used)
{
    for (size_t i = 0; i < home->system->column_count; ++i) {
        const mote_Column *column = &home->system->columns[i];
        column_item(home, column, list->names + used, &list->items[list->count++]);
        used += name_size(home, column);
    }
    return used;
}

static size_t add_mesh(Items *list, const mote_FrameMesh *mesh, size_t used)
{
    for (int part = 0; part < MESH_PARTS; ++part) {
        frame_mesh_item(mesh, part, list->names + used, &list->items[list->count++]);
        used += frame_mesh_name_size(mesh);
    }
    return used;
}

static size_t add_surface(Items *list, const mote_FrameSurface *surface, size_t used)
{
    for (int part = 0; part < SURFACE_PARTS; ++part) {
        frame_surface_item(surface, part, list->names + used, &list->items[list->count++]);
        used += frame_surface_name_size(surface);
    }
    return add_columns(list, &(ColumnHome){surface_folder, &surface->carried}, used);
}

/* The head, all columns of the systems written, their links and surfaces. */
static mote_Status make_items(Items *list, const mote_Frame *frame, const mote_FrameSystem *only,
                              Memory *memory, mote_Error *error)
{
    list->capacity = 1;
    list->names_size = 1;
    for (size_t s = 0; s < frame->system_count; ++s) {
        list->capacity += frame->systems[s].column_count;
        list->names_size += names_size(&(ColumnHome){"", &frame->systems[s]});
    }
    for (size_t m = 0; m < frame->mesh_count; ++m, list->capacity += MESH_PARTS)
        list->names_size += MESH_PARTS * frame_mesh_name_size(&frame->meshes[m]);
    for (size_t i = 0; i < frame->surface_count; ++i) {
        const mote_FrameSystem *carried = &frame->surfaces[i].carried;
        list->capacity += SURFACE_PARTS + carried->column_count;
        list->names_size += SURFACE_PARTS * frame_surface_name_size(&frame->surfaces[i]) +
                            names_size(&(ColumnHome){surface_folder, carried});
    }
    list->items = memory_zeroed(memory, list->capacity * sizeof *list->items);
    list->names = memory_take(memory, list->names_size);
    if (list->items == NULL || list->names == NULL)
        return status_no_memory(error, "writing a frame", list->capacity * sizeof *list->items);
    list->count = 1;
    size_t used = 0;
    for (size_t s = 0; s < frame->system_count; ++s)
        if (only == NULL || only == &frame->systems[s])
            used = add_columns(list, &(ColumnHome){"", &frame->systems[s]}, used);
    for (size_t m = 0; m < frame->mesh_count; ++m)
        if (only == NULL || only == &frame->systems[frame->meshes[m].system])
            used = add_mesh(list, &frame->meshes[m], used);
    for (size_t i = 0; i < frame->surface_count; ++i)
        if (only == NULL || only == &frame->systems[frame->surfaces[i].system])
            used = add_surface(list, &frame->surfaces[i], used);
    return MOTE_OK;
}

static mote_Status write_items(Items *list, const JsonWriter *head, const char *path,
                               const NpzOptions *options, mote_Error *error)
{
    if (head->failed) return status_no_memory(error, "writing a frame", head->size);
    list->items[0] =
        (NpzItem){.array = {.name = FRAME_HEAD}, .text = head->text, .text_size = head->size};
    return npz_write(path, list->items, list->count, options, error);
}

mote_Status frame_file_write(const mote_Frame *frame, const mote_FrameSystem *only,
                             const char *path, const NpzOptions *options, mote_Error *error)
{
    Memory *memory = options->memory;
    Items list = {.count = 0};
    JsonWriter head = json_writer(memory);
    mote_Status status = MOTE_OK;
    for (size_t s = 0; s < frame->system_count && status == MOTE_OK; ++s)
        status = check_names(&frame->systems[s], path, error);
    for (size_t m = 0; m < frame->mesh_count && status == MOTE_OK; ++m)
        status = check_name(frame->meshes[m].name, path, error);
    for (size_t i = 0; i < frame->surface_count && status == MOTE_OK; ++i)
        status = check_name(frame->surfaces[i].name, path, error);
    if (status == MOTE_OK) status = make_items(&list, frame, only, memory, error);
    if (status == MOTE_OK) {
        frame_head_write(&head, frame, only);
        status = frame_write_meshes(frame, path, memory, error);
    }
    if (status == MOTE_OK) status = write_items(&list, &head, path, options, error);
    json_writer_free(&head);
    memory_free(memory, list.items, list.capacity * sizeof *list.items);
    memory_free(memory, list.names, list.names_size);
    return status;
}

mote_Status mote_frame_write(const mote_Frame *frame, const char *path, mote_Tasks *tasks,
                             mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    NpzOptions options = {.memory = &memory, .tasks = tasks};
    return frame_file_write(frame, NULL, path, &options, error);
}

/* ---- reading ---- */

static mote_ArrayType stored_type(const mote_Column *column, int real_bytes)
{
    if (column->type != MOTE_COLUMN_REAL) return array_types[column->type];
    return real_bytes == 4 ? MOTE_ARRAY_F32 : MOTE_ARRAY_F64;
}

/* Floats that lie at the front of each plane of doubles, widened from the back. */
static void widen(const mote_Column *column, size_t rows)
{
    for (int c = 0; c < column->components; ++c) {
        char *plane = column_plane(column, c);
        for (size_t i = rows; i-- > 0;) {
            float narrow;
            memcpy(&narrow, plane + i * sizeof narrow, sizeof narrow);
            double wide = (double)narrow;
            memcpy(plane + i * sizeof wide, &wide, sizeof wide);
        }
    }
}

static mote_Status read_data(NpzStream *stream, const NpyShape *shape, OwnedFrame *owned,
                             mote_Column *column, mote_Error *error)
{
    bool real = column->type == MOTE_COLUMN_REAL;
    bool widens = real && mote_array_item_size(shape->type) < sizeof(mote_real);
    if (real && mote_array_item_size(shape->type) > sizeof(mote_real))
        column->type = MOTE_COLUMN_DOUBLE;
    mote_Status status = owned_frame_planes(owned, column, shape->rows, error);
    if (status != MOTE_OK) return status;
    status = npz_read_planes(stream, shape, column->data, column->stride * (widens ? 2 : 1), error);
    if (status == MOTE_OK && widens) widen(column, shape->rows);
    return status;
}

static mote_Status read_column(const Npz *npz, const NpzMember *member, const NpyShape *wanted,
                               OwnedFrame *owned, mote_Column *column, mote_Error *error)
{
    NpzStream stream;
    NpyShape shape;
    mote_Status status = npz_begin(&stream, npz, member, error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, error);
    if (status == MOTE_OK && (shape.type != wanted->type || shape.rows != wanted->rows ||
                              shape.planes != wanted->planes))
        status = status_fail(error, MOTE_IO_FAILED,
                             "%s, member \"%.80s\": damaged: its type or shape is not the one that "
                             "%s gives",
                             file_label(npz->source.path), member->name, FRAME_HEAD);
    if (status == MOTE_OK) status = read_data(&stream, &shape, owned, column, error);
    return npz_end(&stream, status, error);
}

static mote_Status find_column(const Npz *npz, const ColumnHome *home, const mote_Column *column,
                               const NpzMember **member, mote_Error *error)
{
    const mote_FrameSystem *system = home->system;
    size_t size = name_size(home, column) + 4;
    char *name = memory_take(npz->memory, size);
    if (name == NULL) return status_no_memory(error, "reading a frame", size);
    snprintf(name, size, "%s%s/%s.npy", home->folder, system->name, column->name);
    *member = npz_find(npz, name);
    memory_free(npz->memory, name, size);
    if (*member != NULL) return MOTE_OK;
    return status_fail(error, MOTE_IO_FAILED,
                       "%s: damaged: the column %.80s of system %.80s is missing",
                       file_label(npz->source.path), column->name, system->name);
}

/* `total`: bytes of all columns before. */
static mote_Status read_home(const Npz *npz, const ColumnHome *home, int real_bytes,
                             OwnedFrame *owned, uint64_t *total, mote_Error *error)
{
    const mote_FrameSystem *system = home->system;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < system->column_count && status == MOTE_OK; ++i) {
        mote_Column *column = (mote_Column *)(uintptr_t)&system->columns[i];
        NpyShape wanted = {.type = stored_type(column, real_bytes),
                           .rows = system->count,
                           .planes = (size_t)column->components};
        const NpzMember *member;
        status = find_column(npz, home, column, &member, error);
        if (status == MOTE_OK && (*total += member->size) > npz->unpacked)
            status = status_fail(error, MOTE_IO_FAILED, "%s: damaged: %s lists a column twice",
                                 file_label(npz->source.path), FRAME_HEAD);
        if (status == MOTE_OK) status = read_column(npz, member, &wanted, owned, column, error);
    }
    return status;
}

static mote_Status read_columns(const Npz *npz, int real_bytes, OwnedFrame *owned,
                                mote_Error *error)
{
    mote_Status status = MOTE_OK;
    uint64_t total = 0;
    for (size_t s = 0; s < owned->frame.system_count && status == MOTE_OK; ++s)
        status =
            read_home(npz, &(ColumnHome){"", &owned->systems[s]}, real_bytes, owned, &total, error);
    for (size_t i = 0; i < owned->frame.surface_count && status == MOTE_OK; ++i)
        status = read_home(npz, &(ColumnHome){surface_folder, &owned->surfaces[i].carried},
                           real_bytes, owned, &total, error);
    return status;
}

static mote_Status read_head(const Npz *npz, const mote_FrameReadDef *def, OwnedFrame *owned,
                             int *real_bytes, mote_Error *error)
{
    Json json;
    mote_Status status = head_parse(npz, FRAME_HEAD, &json, error);
    if (status != MOTE_OK) return status;
    JsonReader reader = {.json = &json, .error = error};
    *real_bytes = frame_head_read(&reader, def, owned);
    json_free(&json);
    return reader.status;
}

mote_Status frame_file_read(Source source, const mote_FrameReadDef *def, mote_Frame **frame,
                            mote_Error *error)
{
    Memory memory = memory_make(def->allocator);
    OwnedFrame *owned;
    Npz npz;
    int real_bytes = 0;
    *frame = NULL;
    mote_Status status = npz_open(&npz, source, &memory, error);
    if (status != MOTE_OK) return status;
    status = owned_frame_create(def->allocator, &owned, error);
    if (status == MOTE_OK) status = read_head(&npz, def, owned, &real_bytes, error);
    if (status == MOTE_OK) status = read_columns(&npz, real_bytes, owned, error);
    if (status == MOTE_OK) status = frame_mesh_read(&npz, owned, error);
    if (status == MOTE_OK) status = frame_surface_read(&npz, real_bytes, owned, error);
    npz_close(&npz);
    return owned_frame_end(owned, status, frame);
}

static mote_FrameReadDef frame_read_defaults(void)
{
    return (mote_FrameReadDef){.any_precision = false};
}

DEFINITION_MAKER(mote_FrameReadDef, mote_frame_read_def, frame_read_defaults)

mote_Status mote_frame_read_with(const char *path, const mote_FrameReadDef *given,
                                 mote_Frame **frame, mote_Error *error)
{
    *frame = NULL;
    DEFINITION_TAKE(mote_FrameReadDef, mote_frame_read_def);
    Source source;
    mote_Status status = source_open(&source, path, error);
    if (status != MOTE_OK) return status;
    return frame_file_read(source, def, frame, error);
}

mote_Status mote_frame_read(const char *path, mote_Frame **frame, mote_Error *error)
{
    return mote_frame_read_with(path, NULL, frame, error);
}
