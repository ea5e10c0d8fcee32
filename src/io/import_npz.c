/* Particles from NumPy archives: x, y and z as arrays of their own, or an array of shape (n, 3)
 * called position, positions, pos, points, vertices or arr_0; radius, mass and density beside. */
#include "base/status.h"
#include "io/import.h"
#include "io/npz.h"

#include <string.h>
#include <strings.h>

static const char *const places[] = {"position", "positions", "pos", "points", "vertices", "arr_0"};

/* The last part of a member's name, without .npy; "" when it is no array. */
static void array_name(const NpzMember *member, char name[64])
{
    const char *slash = strrchr(member->name, '/'),
               *from = slash != NULL ? slash + 1 : member->name;
    size_t length = strlen(from);
    name[0] = '\0';
    if (length < 5 || length - 4 >= 64 || strcmp(from + length - 4, ".npy") != 0) return;
    memcpy(name, from, length - 4);
    name[length - 4] = '\0';
}

/* The role of an array: of its first component. */
static ImportRole role_of(const char *name, int *components)
{
    *components = 1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i)
        if (strcasecmp(name, places[i]) == 0) {
            *components = 3;
            return IMPORT_X;
        }
    return import_role(name);
}

static double number_at(const void *data, mote_ArrayType type, size_t i)
{
    return type == MOTE_ARRAY_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* Planes of the file's type into the table. */
static mote_Status keep(ImportTable *table, ImportRole role, int components, const NpyShape *shape,
                        const void *data, mote_Error *error)
{
    for (int c = 0; c < components; ++c) {
        int to = (int)role + c;
        if (!memory_reserve(table->memory, (void **)&table->values[to], &table->room[to],
                            shape->rows, sizeof(mote_real)))
            return status_no_memory(error, "particles", shape->rows * sizeof(mote_real));
        for (size_t i = 0; i < shape->rows; ++i)
            table->values[to][i] =
                (mote_real)number_at(data, shape->type, (size_t)c * shape->rows + i);
        table->has[to] = true;
    }
    return MOTE_OK;
}

static mote_Status read_array(const Npz *npz, const NpzMember *member, ImportTable *table,
                              mote_Error *error)
{
    char name[64];
    int components;
    NpzStream stream;
    NpyShape shape;
    array_name(member, name);
    ImportRole role = role_of(name, &components);
    if (name[0] == '\0' || role == IMPORT_NOTHING || table->has[role]) return MOTE_OK;
    mote_Status status = npz_begin(&stream, npz, member, error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, error);
    if (status == MOTE_OK && ((shape.type != MOTE_ARRAY_F32 && shape.type != MOTE_ARRAY_F64) ||
                              shape.planes != (size_t)components))
        status = import_fail(table, 0, error, "array \"%s\" must hold %d float%s a particle", name,
                             components, components > 1 ? "s" : "");
    bool first = !table->has[IMPORT_X] && !table->has[IMPORT_RADIUS] && table->count == 0;
    if (status == MOTE_OK && !first && shape.rows != table->count)
        status = import_fail(table, 0, error, "array \"%s\" has %zu rows, others have %zu", name,
                             shape.rows, table->count);
    size_t bytes = status == MOTE_OK ? (size_t)stream.left : 0;
    void *data = bytes > 0 ? memory_take(table->memory, bytes) : NULL;
    if (status == MOTE_OK && bytes > 0 && data == NULL)
        status = status_no_memory(error, "particles", bytes);
    if (status == MOTE_OK && bytes > 0)
        status = npz_read_planes(&stream, &shape, data, shape.rows, error);
    status = npz_end(&stream, status, error);
    if (status == MOTE_OK) status = keep(table, role, components, &shape, data, error);
    if (status == MOTE_OK) table->count = shape.rows;
    memory_free(table->memory, data, bytes);
    return status;
}

mote_Status import_npz(ImportBytes bytes, ImportTable *table, mote_Error *error)
{
    Npz npz;
    mote_Status status =
        npz_open(&npz, source_memory(table->path, bytes.at, bytes.size), table->memory, error);
    if (status != MOTE_OK) return status;
    for (size_t i = 0; i < npz.count && status == MOTE_OK; ++i)
        status = read_array(&npz, &npz.members[i], table, error);
    npz_close(&npz);
    return status;
}
