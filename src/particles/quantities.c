/* Quantities of rows as planes for formulas. */
#include "particles/quantities.h"

#include "base/status.h"

#include <string.h>

#define QUANTITY_NAME(slot, name, doc) name,
const char *const quantity_names[] = {QUANTITIES(QUANTITY_NAME) NULL};
const char *const row_quantity_names[] = {ROW_QUANTITIES(QUANTITY_NAME) NULL};

static const PlaneType real_plane = sizeof(mote_real) == 4 ? PLANE_FLOAT : PLANE_DOUBLE;

static ExpressionPlane reals(const mote_real *rows)
{
    return (ExpressionPlane){real_plane, 0, rows};
}

static const mote_real *built_in(const Range *r, int column)
{
    return column_real(&r->system->columns[column], 0) + r->first;
}

static void set_age(const Range *r, double t, Quantities *q)
{
    const double *birth = (const double *)r->system->columns[COLUMN_BIRTH].data + r->first;
    for (size_t i = 0; i < r->count; ++i) q->age[i] = t - birth[i];
    q->planes[QUANTITY_AGE] = (ExpressionPlane){PLANE_DOUBLE, 0, q->age};
}

static void set_speed(const Range *r, Quantities *q)
{
    for (size_t i = 0; i < r->count; ++i) {
        const double x = (double)r->v[0][i], y = (double)r->v[1][i], z = (double)r->v[2][i];
        q->speed[i] = __builtin_sqrt(x * x + y * y + z * z);
    }
    q->planes[QUANTITY_SPEED] = (ExpressionPlane){PLANE_DOUBLE, 0, q->speed};
}

/* A column that is not there was refused before; rows without it would read as 0. */
static void set_columns(const mote_Formula *formula, const Range *r, Quantities *q)
{
    for (uint64_t left = formula->expression.slots >> FORMULA_COLUMNS; left != 0;
         left &= left - 1) {
        const int i = __builtin_ctzll(left);
        const mote_Column *column = mote_system_column(r->system, formula->columns[i]);
        if (column != NULL)
            q->planes[FORMULA_COLUMNS + i] = reals(column_real(column, 0) + r->first);
    }
}

void quantities_of(const mote_Formula *formula, const Range *r, double t, mote_real *const field[3],
                   Quantities *q)
{
    const uint64_t used = formula->expression.slots;
    memset(q->planes, 0, sizeof q->planes);
    for (int c = 0; c < 3; ++c) {
        q->planes[QUANTITY_X + c] = reals(r->x[c]);
        q->planes[QUANTITY_VX + c] = reals(r->v[c]);
        if (field != NULL) q->planes[QUANTITY_FX + c] = reals(field[c]);
    }
    q->planes[QUANTITY_T].value = t;
    q->planes[QUANTITY_ID] = (ExpressionPlane){
        PLANE_U64, 0, (const uint64_t *)r->system->columns[COLUMN_ID].data + r->first};
    q->planes[QUANTITY_MASS] = reals(built_in(r, COLUMN_MASS));
    q->planes[QUANTITY_RADIUS] = reals(built_in(r, COLUMN_RADIUS));
    if ((used >> QUANTITY_AGE & 1) != 0) set_age(r, t, q);
    if ((used >> QUANTITY_SPEED & 1) != 0) set_speed(r, q);
    if (formula->columns != NULL) set_columns(formula, r, q);
}

/* The lowest row is told, so that it does not depend on threads. */
void quantities_note_wrong(const mote_Formula *formula, const char *what, const Range *r,
                           size_t row, double t, double value)
{
    SolveNotes *notes = r->notes;
    if (notes == NULL || (notes->wrong_what != NULL && r->first + row >= notes->wrong_row)) return;
    notes->wrong_what = what, notes->wrong_place = formula->place;
    notes->wrong_row = r->first + row, notes->wrong_system = r->system;
    notes->wrong_t = t, notes->wrong_value = value;
}

mote_Status quantities_check(const mote_Formula *formula, const mote_System *system,
                             const char *where, mote_Error *error)
{
    if (formula == NULL || formula->columns == NULL) return MOTE_OK;
    for (uint64_t left = formula->expression.slots >> FORMULA_COLUMNS; left != 0;
         left &= left - 1) {
        const char *name = formula->columns[__builtin_ctzll(left)];
        if (mote_system_column(system, name) == NULL)
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: %s uses column %s, which system %s does not have; give it to "
                               "the system, or name the systems it is for",
                               formula->place, where, name, system->name);
    }
    return MOTE_OK;
}
