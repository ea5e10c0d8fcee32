/* Looks: colours of numbers, by a colour map or as of hot bodies. */
#include "look/look.h"

#include "base/status.h"
#include "base/text.h"
#include "particles/system.h"
#include "render/colormap.h"
#include "text/text_buffer.h"

#include <math.h>
#include <string.h>

/* Where the three planes of a new colour column go; NULL when out of memory. */
static mote_real *fresh_colors(LookDrawing *drawing)
{
    mote_FrameSystem *system = drawing->system;
    mote_Column *column = (mote_Column *)(uintptr_t)mote_frame_column(system, "color");
    mote_real *data = arena_take(drawing->arena, (3 * system->count + 1) * sizeof *data);
    if (data == NULL || column == NULL) return NULL;
    column->type = MOTE_COLUMN_REAL;
    column->components = 3;
    column->data = data;
    column->stride = system->count;
    return data;
}

static const char *column_name(const void *context, size_t i)
{
    const mote_FrameSystem *system = context;
    return i < system->column_count ? system->columns[i].name : NULL;
}

static mote_Status fail_column(const mote_FrameSystem *system, const char *name, mote_Error *error)
{
    const char *near = text_nearest(name, column_name, system);
    char columns[240];
    name_list_text((NameList){column_name, system}, columns, sizeof columns);
    return status_fail(error, MOTE_BAD_VALUE,
                       "look of %.60s: there is no column \"%.60s\" to color by%s%.60s%s (its "
                       "columns are %s)",
                       system->name, name, near != NULL ? "; did you mean \"" : "",
                       near != NULL ? near : "", near != NULL ? "\"?" : "", columns);
}

mote_Status look_check(const Look *look, const mote_FrameSystem *system, mote_Error *error)
{
    const char *column = look->by.column;
    return column == NULL || mote_frame_column(system, column) != NULL
               ? MOTE_OK
               : fail_column(system, column, error);
}

static mote_Status by_values(const LookDrawing *drawing, const LookColors *by, double *values,
                             mote_Error *error)
{
    const mote_FrameSystem *system = drawing->system;
    if (by->column == NULL) {
        expression_rows(&by->value, drawing->planes, system->count, values);
        return MOTE_OK;
    }
    const mote_Column *column = mote_frame_column(system, by->column);
    if (column == NULL) return fail_column(system, by->column, error);
    for (size_t i = 0; i < system->count; ++i) values[i] = column_length(column, i);
    return MOTE_OK;
}

/* The least and the greatest value, a little apart. A range of no width would divide by 0 where all
 * values are the same. */
static void find_range(const double *values, size_t count, double range[2])
{
    range[0] = HUGE_VAL, range[1] = -HUGE_VAL;
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) continue;
        range[0] = values[i] < range[0] ? values[i] : range[0];
        range[1] = values[i] > range[1] ? values[i] : range[1];
    }
    if (range[0] > range[1]) range[0] = 0, range[1] = 1;
    if (!(range[1] - range[0] > 1e-12 * (fabs(range[0]) + fabs(range[1]))))
        range[1] = range[0] + 1e-9 + 1e-6 * fabs(range[0]);
}

mote_Status look_color_by(LookDrawing *drawing, const LookColors *by, mote_Legend *legend,
                          mote_Error *error)
{
    size_t count = drawing->system->count;
    Arena *arena = drawing->arena;
    double *values = arena_take(arena, (count + 1) * sizeof *values), range[2];
    ColorTable *table = arena_take(arena, sizeof *table);
    mote_real *out = fresh_colors(drawing);
    if (values == NULL || out == NULL || table == NULL)
        return status_no_memory(error, "a look", count * sizeof *values);
    mote_Status status = by_values(drawing, by, values, error);
    if (status != MOTE_OK) return status;
    color_table_make(table, colormap_row(by->map));
    if (by->has_range)
        memcpy(range, by->range, sizeof range);
    else
        find_range(values, count, range);
    for (size_t i = 0; i < count; ++i) {
        float color[3];
        color_table_at(table, (values[i] - range[0]) / (range[1] - range[0]), color);
        for (size_t k = 0; k < 3; ++k) out[k * count + i] = (mote_real)color[k];
    }
    if (by->legend) *legend = (mote_Legend){by->title, by->map, range[0], range[1]};
    return MOTE_OK;
}

bool look_color_by_heat(LookDrawing *drawing, const Look *look)
{
    size_t count = drawing->system->count;
    Arena *arena = drawing->arena;
    double *values = arena_take(arena, (count + 1) * sizeof *values);
    ColorTable *table = arena_take(arena, sizeof *table);
    mote_real *out = fresh_colors(drawing);
    if (values == NULL || out == NULL || table == NULL) return false;
    expression_rows(&look->temperature, drawing->planes, count, values);
    blackbody_table_make(table);
    for (size_t i = 0; i < count; ++i) {
        float color[3];
        blackbody_table_at(table, values[i], color);
        for (size_t k = 0; k < 3; ++k) out[k * count + i] = (mote_real)color[k];
    }
    return true;
}
