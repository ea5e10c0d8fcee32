/* Parameter tables: defaults and range checks. */
#include "base/row.h"

#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void param_write(const mote_Param *param, const double value[3], void *params)
{
    char *at = (char *)params + param->offset;
    switch (param->type) {
    case MOTE_PARAM_REAL:
        *(mote_real *)at = (mote_real)value[0];
        break;
    case MOTE_PARAM_DOUBLE:
        *(double *)at = value[0];
        break;
    case MOTE_PARAM_COUNT:
        *(uint64_t *)at = (uint64_t)value[0];
        break;
    case MOTE_PARAM_BOOL:
        *(bool *)at = value[0] != 0;
        break;
    case MOTE_PARAM_CHOICE:
        *(int *)at = (int)value[0];
        break;
    case MOTE_PARAM_NAME:
    case MOTE_PARAM_MESH:
    case MOTE_PARAM_SHAPES:
        *(const void **)at = NULL;
        break;
    case MOTE_PARAM_FORMULA:
        for (int i = 0; i < (int)param->max; ++i) ((const void **)at)[i] = NULL;
        break;
    case MOTE_PARAM_METHOD:
        ((const void **)at)[0] = ((const void **)at)[1] = NULL;
        break;
    case MOTE_PARAM_TABLE:
        *(mote_Table *)at = (mote_Table){0};
        break;
    case MOTE_PARAM_VEC3:
    case MOTE_PARAM_COLOR:
        *(mote_Vec3 *)at =
            (mote_Vec3){(mote_real)value[0], (mote_real)value[1], (mote_real)value[2]};
    }
}

void param_read(const mote_Param *param, const void *params, double value[3])
{
    const char *at = (const char *)params + param->offset;
    value[0] = value[1] = value[2] = 0;
    switch (param->type) {
    case MOTE_PARAM_REAL:
        value[0] = (double)*(const mote_real *)at;
        break;
    case MOTE_PARAM_DOUBLE:
        value[0] = *(const double *)at;
        break;
    case MOTE_PARAM_COUNT:
        value[0] = (double)*(const uint64_t *)at;
        break;
    case MOTE_PARAM_BOOL:
        value[0] = *(const bool *)at;
        break;
    case MOTE_PARAM_CHOICE:
        value[0] = *(const int *)at;
        break;
    case MOTE_PARAM_NAME:
    case MOTE_PARAM_MESH:
    case MOTE_PARAM_SHAPES:
    case MOTE_PARAM_FORMULA:
    case MOTE_PARAM_METHOD:
    case MOTE_PARAM_TABLE:
        break;
    case MOTE_PARAM_VEC3:
    case MOTE_PARAM_COLOR: {
        const mote_Vec3 *v = (const mote_Vec3 *)at;
        value[0] = (double)v->x, value[1] = (double)v->y, value[2] = (double)v->z;
    }
    }
}

void mote_row_defaults(const mote_Row *row, void *params)
{
    if (row->params_size > 0) memset(params, 0, row->params_size);
    if (row->definition > 0) memcpy(params, &row->definition, sizeof row->definition);
    for (size_t i = 0; i < row->param_count; ++i)
        param_write(&row->params[i], row->params[i].fallback, params);
}

/* The bounds as written and as far as mote_real can tell: a float default of 0.1 is not below a
 * minimum of 0.1, and a number that equals the maximum is not above it, whichever way it rounds. */
static bool in_range(const mote_Param *param, double value)
{
    if (param->min == PARAM_POSITIVE && !(value > 0)) return false; /* it is 0 in float */
    double least = param->min, most = param->max;
    if (param->type == MOTE_PARAM_REAL || param_components(param) == 3) {
        least = fmin(least, (double)(mote_real)least);
        most = fmax(most, (double)(mote_real)most);
    }
    return value >= least && value <= most;
}

void param_range_text(const mote_Param *param, char *text, size_t size)
{
    const char *unit = param->unit;
    const char *space = unit[0] != '\0' ? " " : "";
    bool low = param->min > -HUGE_VAL, high = param->max < HUGE_VAL;
    if (param->min == PARAM_POSITIVE && !high)
        snprintf(text, size, "greater than 0%s%s", space, unit);
    else if (param->min == PARAM_POSITIVE)
        snprintf(text, size, "greater than 0 and at most %g%s%s", param->max, space, unit);
    else if (low && high)
        snprintf(text, size, "between %g and %g%s%s", param->min, param->max, space, unit);
    else if (low)
        snprintf(text, size, "at least %g%s%s", param->min, space, unit);
    else if (high)
        snprintf(text, size, "at most %g%s%s", param->max, space, unit);
    else
        snprintf(text, size, "a finite number%s%s", space, unit);
}

mote_Status param_check(const mote_Param *param, const char *where, const double value[3],
                        mote_Error *error)
{
    for (int c = 0; c < param_components(param); ++c) {
        if (param_is_reference(param) || in_range(param, value[c])) continue;
        char range[96];
        param_range_text(param, range, sizeof range);
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s is %g, but must be %s", where,
                           param->name, value[c], range);
    }
    return MOTE_OK;
}

mote_Status param_check_point(const mote_Param *param, const char *where, const mote_Table *table,
                              size_t i, mote_Error *error)
{
    const double at = table->at[i], value = table->value[i];
    char range[96];
    param_range_text(param, range, sizeof range);
    if (!isfinite(at))
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s has a point at %g, but it must be finite",
                           where, param->name, at);
    if (i > 0 && !(at > table->at[i - 1]))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: %s has a point at %g behind that at %g, but they must ascend",
                           where, param->name, at, table->at[i - 1]);
    if (!in_range(param, value))
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s is %g at %g, but must be %s", where,
                           param->name, value, at, range);
    return MOTE_OK;
}

static mote_Status check_table(const mote_Param *param, const char *where, const void *params,
                               mote_Error *error)
{
    const mote_Table *table = (const mote_Table *)((const char *)params + param->offset);
    mote_Status status = MOTE_OK;
    if (table->count > MOTE_TABLE_POINTS)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s has %llu points, but %d are the most",
                           where, param->name, (unsigned long long)table->count, MOTE_TABLE_POINTS);
    for (size_t i = 0; i < table->count && status == MOTE_OK; ++i)
        status = param_check_point(param, where, table, i, error);
    return status;
}

mote_Status mote_row_check(const mote_Row *row, const char *where, const void *params,
                           mote_Error *error)
{
    for (size_t i = 0; i < row->param_count; ++i) {
        double value[3];
        const mote_Param *param = &row->params[i];
        param_read(param, params, value);
        mote_Status status = param->type == MOTE_PARAM_TABLE
                                 ? check_table(param, where, params, error)
                                 : param_check(param, where, value, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

typedef struct RowList {
    const mote_Row *const *rows;
    size_t count;
} RowList;

static const char *row_name(const void *context, size_t i)
{
    const RowList *list = context;
    return i < list->count ? list->rows[i]->name : NULL;
}

const mote_Row *row_named(const mote_Row *const *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, name) == 0) return rows[i];
    return NULL;
}

const mote_Row *row_find(const mote_Row *const *rows, size_t count, const char *where,
                         const char *kind, const char *name, mote_Error *error)
{
    const mote_Row *found = row_named(rows, count, name);
    if (found != NULL) return found;
    RowList list = {rows, count};
    const char *near = text_nearest(name, row_name, &list);
    if (near != NULL)
        status_fail(error, MOTE_BAD_VALUE, "%s: unknown %s `%s`; did you mean `%s`?", where, kind,
                    name, near);
    else
        status_fail(error, MOTE_BAD_VALUE, "%s: unknown %s `%s`; `mote list` shows what there is",
                    where, kind, name);
    return NULL;
}

mote_Status row_check_given(bool given, const char *what, const char *where, mote_Error *error)
{
    return given ? MOTE_OK : status_fail(error, MOTE_BAD_VALUE, "%s: %s", where, what);
}

mote_Status row_check_direction(mote_Vec3 value, const char *key, const char *where,
                                mote_Error *error)
{
    if (vec3_length(value) > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: %s is zero, but must be a direction", where,
                       key);
}
