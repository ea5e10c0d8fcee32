#include "view/picked.h"

#include <math.h>
#include <string.h>

static const mote_FrameSystem *find_system(const mote_Frame *frame, const char *drawn)
{
    Picked name = {.id = 0};
    const mote_FrameSystem *system = mote_frame_system(frame, drawn);
    const char *slash = strrchr(drawn, '/');
    if (system != NULL || slash == NULL || (size_t)(slash - drawn) >= sizeof name.system)
        return system;
    memcpy(name.system, drawn, (size_t)(slash - drawn));
    return mote_frame_system(frame, name.system);
}

static size_t nearest_row(const mote_FrameSystem *system, mote_Vec3 p)
{
    const mote_Column *column = mote_frame_column(system, "position");
    if (column == NULL || column->type != MOTE_COLUMN_REAL) return SIZE_MAX;
    const mote_real *x = column->data, *y = x + column->stride, *z = y + column->stride;
    size_t best = SIZE_MAX;
    mote_real nearest = (mote_real)1e30;
    for (size_t i = 0; i < system->count; ++i) {
        const mote_real a = x[i] - p.x, b = y[i] - p.y, c = z[i] - p.z, d = a * a + b * b + c * c;
        if (d < nearest) nearest = d, best = i;
    }
    return best;
}

Picked picked_at(const mote_Frame *frame, const char *drawn, mote_Vec3 place)
{
    Picked picked = {.id = 0};
    const mote_FrameSystem *system = find_system(frame, drawn);
    const mote_Column *id = system != NULL ? mote_frame_column(system, "id") : NULL;
    const size_t row = system != NULL ? nearest_row(system, place) : SIZE_MAX;
    if (id == NULL || id->type != MOTE_COLUMN_U64 || row == SIZE_MAX ||
        strlen(system->name) >= sizeof picked.system)
        return picked;
    memcpy(picked.system, system->name, strlen(system->name) + 1);
    picked.id = ((const uint64_t *)id->data)[row];
    return picked;
}

void picked_put_number(JsonWriter *json, double value)
{
    if (isfinite(value))
        json_put_double(json, NULL, value);
    else
        json_put_text(json, NULL, isinf(value) ? "∞" : ""); /* what JSON lacks */
}

static double value_of(const mote_Column *column, size_t at)
{
    if (column->type == MOTE_COLUMN_REAL) return (double)((const mote_real *)column->data)[at];
    if (column->type == MOTE_COLUMN_DOUBLE) return ((const double *)column->data)[at];
    if (column->type == MOTE_COLUMN_U32) return (double)((const uint32_t *)column->data)[at];
    return (double)((const uint64_t *)column->data)[at];
}

static size_t find_row(const mote_FrameSystem *system, uint64_t id)
{
    const mote_Column *ids = mote_frame_column(system, "id");
    const uint64_t *all = ids != NULL && ids->type == MOTE_COLUMN_U64 ? ids->data : NULL;
    for (size_t i = 0; all != NULL && i < system->count; ++i)
        if (all[i] == id) return i;
    return SIZE_MAX;
}

static void put_columns(JsonWriter *json, const mote_FrameSystem *system, size_t row)
{
    json_begin(json, "columns", '[');
    for (size_t c = 0; c < system->column_count; ++c) {
        const mote_Column *column = &system->columns[c];
        json_begin(json, NULL, '{');
        json_put_text(json, "name", column->name);
        json_put_text(json, "unit", column->unit);
        json_begin(json, "values", '[');
        for (int k = 0; k < column->components; ++k)
            picked_put_number(json, value_of(column, (size_t)k * column->stride + row));
        json_finish(json, ']');
        json_finish(json, '}');
    }
    json_finish(json, ']');
}

void picked_put(const Picked *picked, const mote_Frame *frame, JsonWriter *json)
{
    const bool some = picked->system[0] != '\0' && frame != NULL;
    const mote_FrameSystem *system = some ? mote_frame_system(frame, picked->system) : NULL;
    const size_t row = system != NULL ? find_row(system, picked->id) : SIZE_MAX;
    json_put_text(json, "system", picked->system);
    json_put_u64(json, "id", picked->id);
    json_put_bool(json, "there", row != SIZE_MAX);
    if (row != SIZE_MAX) put_columns(json, system, row);
}
