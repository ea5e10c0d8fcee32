/* Particles from files of other programs: which reader, and a frame of what it has read. */
#include "io/import.h"

#include "base/status.h"
#include "frame/owned.h"
#include "io/frame_file.h"
#include "text/ply.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the table ---- */

static const struct {
    const char *name;
    ImportRole role;
} names[] = {
    {"x", IMPORT_X},
    {"y", IMPORT_Y},
    {"z", IMPORT_Z},
    {"px", IMPORT_X},
    {"py", IMPORT_Y},
    {"pz", IMPORT_Z},
    {"pos_x", IMPORT_X},
    {"pos_y", IMPORT_Y},
    {"pos_z", IMPORT_Z},
    {"position_x", IMPORT_X},
    {"position_y", IMPORT_Y},
    {"position_z", IMPORT_Z},
    {"Points:0", IMPORT_X},
    {"Points:1", IMPORT_Y},
    {"Points:2", IMPORT_Z},
    {"radius", IMPORT_RADIUS},
    {"pscale", IMPORT_RADIUS},
    {"mass", IMPORT_MASS},
    {"density", IMPORT_DENSITY},
    {"rho", IMPORT_DENSITY},
};

ImportRole import_role(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcasecmp(names[i].name, name) == 0) return names[i].role;
    return IMPORT_NOTHING;
}

mote_Status import_fail(const ImportTable *table, size_t line, mote_Error *error,
                        const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (line == 0)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s", file_label(table->path), text);
    return status_fail(error, MOTE_BAD_VALUE, "%s, line %zu: %s", file_label(table->path), line,
                       text);
}

mote_Status import_check_places(const ImportTable *table, mote_Error *error)
{
    if (table->has[IMPORT_X] && table->has[IMPORT_Y] && table->has[IMPORT_Z]) return MOTE_OK;
    return import_fail(table, 0, error,
                       "it has no places of particles: columns x, y and z are needed");
}

mote_Status import_add(ImportTable *table, const double values[IMPORT_ROLES], mote_Error *error)
{
    for (int role = 0; role < IMPORT_ROLES; ++role) {
        if (!table->has[role]) continue;
        if (!memory_reserve(table->memory, (void **)&table->values[role], &table->room[role],
                            table->count + 1, sizeof(mote_real)))
            return status_no_memory(error, "particles", (table->count + 1) * sizeof(mote_real));
        table->values[role][table->count] = (mote_real)values[role];
    }
    ++table->count;
    return MOTE_OK;
}

static void table_free(ImportTable *table)
{
    for (int role = 0; role < IMPORT_ROLES; ++role)
        memory_free(table->memory, table->values[role], table->room[role] * sizeof(mote_real));
}

/* ---- a frame ---- */

static const struct {
    const char *name, *unit;
    ImportRole first;
    int components;
} columns[] = {{"position", "m", IMPORT_X, 3},
               {"radius", "m", IMPORT_RADIUS, 1},
               {"mass", "kg", IMPORT_MASS, 1},
               {"density", "kg/m^3", IMPORT_DENSITY, 1}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static mote_Status copy_column(const ImportTable *table, int number, OwnedFrame *owned,
                               mote_Column *column, mote_Error *error)
{
    *column = (mote_Column){.name = columns[number].name,
                            .unit = columns[number].unit,
                            .stage = "file",
                            .type = MOTE_COLUMN_REAL,
                            .components = columns[number].components};
    mote_Status status = owned_frame_planes(owned, column, table->count, error);
    for (int c = 0; c < column->components && status == MOTE_OK && table->count > 0; ++c)
        memcpy((mote_real *)column->data + (size_t)c * column->stride,
               table->values[(int)columns[number].first + c], table->count * sizeof(mote_real));
    return status;
}

static mote_Status fill_frame(const ImportTable *table, OwnedFrame *owned, mote_Error *error)
{
    mote_Column *list = NULL;
    mote_Status status = owned_frame_size(owned, 1, 0, error);
    if (status == MOTE_OK)
        status = owned_frame_take(owned, COLUMNS, sizeof *list, (void **)&list, error);
    if (status != MOTE_OK) return status;
    mote_FrameSystem *system = &owned->systems[0];
    *system = (mote_FrameSystem){.name = "particles", .count = table->count, .columns = list};
    owned->frame.dimension = 3, owned->frame.up_axis = 1;
    for (int i = 0; i < COLUMNS && status == MOTE_OK; ++i)
        if (table->has[columns[i].first])
            status = copy_column(table, i, owned, &list[system->column_count++], error);
    return status;
}

static mote_Status make_frame(const ImportTable *table, mote_Allocator allocator,
                              mote_Frame **frame, mote_Error *error)
{
    OwnedFrame *owned;
    mote_Status status = owned_frame_create(allocator, &owned, error);
    if (status != MOTE_OK) return status;
    return owned_frame_end(owned, fill_frame(table, owned, error), frame);
}

/* ---- which reader ---- */

typedef mote_Status ImportRead(ImportBytes bytes, ImportTable *table, mote_Error *error);

static bool begins(ImportBytes bytes, const char *with)
{
    size_t length = strlen(with);
    return bytes.size >= length && memcmp(bytes.at, with, length) == 0;
}

/* PLY and NPZ are told by their first bytes, text by the name. */
static ImportRead *reader_of(ImportBytes bytes, const char *path)
{
    const char *ending = strrchr(path, '.');
    if (begins(bytes, "ply\n") || begins(bytes, "ply\r")) return import_ply;
    if (begins(bytes, "PK")) return import_npz;
    return ending != NULL && strcasecmp(ending, ".xyz") == 0 ? import_xyz : import_csv;
}

static bool is_mote_frame(ImportBytes bytes, Memory *memory)
{
    Npz npz;
    bool found = begins(bytes, "PK") &&
                 npz_open(&npz, source_memory("", bytes.at, bytes.size), memory, NULL) == MOTE_OK;
    if (!found) return false;
    found = npz_find(&npz, FRAME_HEAD) != NULL;
    npz_close(&npz);
    return found;
}

mote_Status import_parse(ImportBytes bytes, const char *path, mote_Allocator allocator,
                         mote_Frame **frame, mote_Error *error)
{
    Memory memory = memory_make(allocator);
    ImportTable table = {.memory = &memory, .path = path};
    *frame = NULL;
    if (is_mote_frame(bytes, &memory)) {
        mote_FrameReadDef def = mote_frame_read_def();
        def.any_precision = true, def.allocator = allocator;
        return frame_file_read(source_memory(path, bytes.at, bytes.size), &def, frame, error);
    }
    mote_Status status = reader_of(bytes, path)(bytes, &table, error);
    if (status == MOTE_OK) status = import_check_places(&table, error);
    if (status == MOTE_OK) status = make_frame(&table, allocator, frame, error);
    table_free(&table);
    return status;
}

mote_Status mote_import(const char *path, mote_Frame **frame, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Source source;
    *frame = NULL;
    mote_Status status = source_open(&source, path, error);
    if (status != MOTE_OK) return status;
    size_t size = (size_t)source.size;
    char *bytes = size < SIZE_MAX ? memory_take(&memory, size + 1) : NULL;
    if (bytes == NULL) status = status_no_memory(error, "reading a file", size);
    if (status == MOTE_OK) status = source_read(&source, 0, bytes, size, error);
    source_close(&source);
    if (status == MOTE_OK) {
        bytes[size] = '\0';
        status = import_parse((ImportBytes){bytes, size}, path, (mote_Allocator){0}, frame, error);
    }
    memory_free(&memory, bytes, size + 1);
    return status;
}

/* ---- particles from PLY: the numbers of the element `vertex` ---- */

_Static_assert((int)IMPORT_ROLES <= (int)PLY_ROLES, "PLY rows have room for every role");

static int role_of(void *context, const char *element, const char *property, bool list)
{
    ImportTable *table = context;
    ImportRole role = import_role(property);
    if (strcmp(element, "vertex") != 0 || list || role == IMPORT_NOTHING || table->has[role])
        return -1;
    table->has[role] = true;
    return (int)role;
}

static mote_Status check_head(void *context, mote_Error *error)
{
    return import_check_places(context, error);
}

static mote_Status add_row(void *context, const PlyRow *row, mote_Error *error)
{
    return import_add(context, row->values, error);
}

mote_Status import_ply(ImportBytes bytes, ImportTable *table, mote_Error *error)
{
    TextLines text = {
        .name = file_label(table->path), .at = bytes.at, .end = bytes.at + bytes.size};
    return ply_read(&text, &(PlyReader){table, role_of, check_head, add_row}, error);
}
