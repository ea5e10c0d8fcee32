/* Making the columns of a scene, and what they are at birth. */
#include "solvers/points/rates.h"

#include "base/row.h"
#include "base/status.h"
#include "particles/quantities.h"
#include "solvers/points/slot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const mote_Param params[] = {
    PARAM_FORMULA(mote_ColumnDef, birth, "", "its value when a particle is born", 1,
                  row_quantity_names, 1),
    PARAM_FORMULA(mote_ColumnDef, rate, "1/s", "how much it changes in a second", 1,
                  row_quantity_names, 1),
    PARAM_FORMULA(mote_ColumnDef, exhaust, "m/s",
                  "of mass: velocity relative to the particle of what leaves or comes", 3,
                  row_quantity_names, 1),
};

const mote_Row column_row =
    ROW_HEAD("column", "a column of a system's particles: what it is at birth, and its rate",
             params, mote_ColumnDef);

/* Multistep schemes remember positions and velocities alone, and implicit ones solve for them. */
static const IntegratorRow *along_of(const IntegratorRow *row)
{
    if (row->along != NULL) return row->along;
    return row->first_order_too && row->history.entries == 0 ? row : NULL;
}

static mote_Status check_one(const mote_ColumnDef *def, const Rates *rates,
                             const IntegratorRow *integrator, const mote_System *system,
                             mote_Error *error)
{
    const bool mass = strcmp(def->name, "mass") == 0;
    const mote_Formula *told = def->rate != NULL ? def->rate : def->birth;
    const char *where = told != NULL ? told->place : system->name;
    if (!mass && mote_system_column(system, def->name) != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: system %s has a column %.60s already; of those mass alone may be "
                           "told a birth and a rate",
                           where, system->name, def->name);
    if (def->rate != NULL && along_of(integrator) == NULL)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s: integrator %s cannot follow the rate of column %.60s; use "
            "symplectic-euler, euler, midpoint, heun, ralston, rk4 or dormand-prince",
            where, integrator->head.name, def->name);
    if (rates->count == RATES_MOST || strlen(def->name) >= sizeof rates->items[0].name)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: a system has at most %d columns of its own, with names below %zu "
                           "characters",
                           where, (int)RATES_MOST, sizeof rates->items[0].name);
    return MOTE_OK;
}

static mote_Status add_column(const mote_ColumnDef *def, mote_System *system, mote_Error *error)
{
    const mote_Column column = {.name = def->name,
                                .unit = def->unit != NULL ? def->unit : "",
                                .stage = "emit, solve",
                                .type = MOTE_COLUMN_REAL,
                                .components = 1};
    if (strcmp(def->name, "mass") == 0) return MOTE_OK;
    return mote_system_add_column(system, &column, error);
}

/* Those with a rate come first, so that three of them are a group. */
static RateColumn *place_item(Rates *rates, bool changes)
{
    size_t at = changes ? rates->changing++ : rates->count;
    memmove(&rates->items[at + 1], &rates->items[at], (rates->count - at) * sizeof rates->items[0]);
    ++rates->count;
    return &rates->items[at];
}

static void fill_item(const mote_ColumnDef *def, const mote_System *system, Rates *rates)
{
    RateColumn *item = place_item(rates, def->rate != NULL);
    *item = (RateColumn){.birth = def->birth, .rate = def->rate};
    snprintf(item->name, sizeof item->name, "%.60s", def->name);
    snprintf(item->what, sizeof item->what, "the rate of %.60s", def->name);
    item->column =
        (size_t)(mote_system_column(system, def->name) - (const mote_Column *)system->columns);
    for (int c = 0; c < 3 && def->exhaust[c] != NULL; ++c)
        rates->exhaust[c] = def->exhaust[c], rates->thrust = true;
}

static void find_mass(Rates *rates)
{
    for (size_t k = 0; k < rates->changing; ++k)
        if (rates->items[k].column == COLUMN_MASS) rates->mass = &rates->items[k];
}

/* Formulas may use columns of the same system that are listed later. */
static mote_Status check_uses(const Rates *rates, const mote_System *system, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t k = 0; k < rates->count && status == MOTE_OK; ++k) {
        status = quantities_check(rates->items[k].birth, system, rates->items[k].name, error);
        if (status == MOTE_OK)
            status = quantities_check(rates->items[k].rate, system, rates->items[k].name, error);
    }
    return status;
}

mote_Status rates_open(const mote_ColumnDef *defs, size_t count, const IntegratorRow *integrator,
                       mote_System *system, Memory *memory, Rates **out, mote_Error *error)
{
    *out = NULL;
    if (count == 0) return MOTE_OK;
    Rates *rates = memory_zeroed(memory, sizeof *rates);
    if (rates == NULL) return status_no_memory(error, system->name, sizeof *rates);
    mote_Status status = MOTE_OK;
    rates->along = along_of(integrator);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) {
        status = check_one(&defs[i], rates, integrator, system, error);
        if (status == MOTE_OK) status = add_column(&defs[i], system, error);
        if (status == MOTE_OK) fill_item(&defs[i], system, rates);
    }
    find_mass(rates);
    if (status == MOTE_OK) status = check_uses(rates, system, error);
    if (status != MOTE_OK) {
        rates_close(rates, memory);
        return status;
    }
    *out = rates;
    return MOTE_OK;
}

void rates_close(Rates *rates, Memory *memory)
{
    if (rates != NULL) memory_free(memory, rates, sizeof *rates);
}

/* ---- birth ---- */

static Range rows_of(mote_System *system, size_t first, size_t count)
{
    Range r = {.system = system, .first = first, .count = count};
    for (int c = 0; c < 3; ++c) {
        r.x[c] = column_real(&system->columns[COLUMN_POSITION], c) + first;
        r.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c) + first;
    }
    return r;
}

static mote_Status bear_item(const RateColumn *item, const Range *r, mote_Error *error)
{
    const double *birth = (const double *)r->system->columns[COLUMN_BIRTH].data + r->first;
    const uint64_t *ids = (const uint64_t *)r->system->columns[COLUMN_ID].data + r->first;
    mote_real *to = column_real(&r->system->columns[item->column], 0) + r->first;
    double value[BLOCK_ROWS];
    Quantities q;
    quantities_of(item->birth, r, 0, NULL, &q);
    q.planes[QUANTITY_T] = (ExpressionPlane){PLANE_DOUBLE, 0, birth};
    memset(q.age, 0, sizeof q.age);
    expression_rows(&item->birth->expression, q.planes, r->count, value);
    for (size_t i = 0; i < r->count; ++i) {
        to[i] = (mote_real)value[i];
        if (isfinite(value[i]) && (item->column != COLUMN_MASS || value[i] > 0)) continue;
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: %s of particle %llu of system %s is %g at its birth, but must be "
                           "%s",
                           item->birth->place, item->name, (unsigned long long)ids[i],
                           r->system->name, value[i],
                           item->column == COLUMN_MASS ? "above 0 kg" : "finite");
    }
    return MOTE_OK;
}

mote_Status rates_bear(const Rates *rates, mote_System *system, size_t first, size_t count,
                       mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t done = 0; rates != NULL && done < count; done += BLOCK_ROWS) {
        const size_t left = count - done;
        const Range r = rows_of(system, first + done, left < BLOCK_ROWS ? left : BLOCK_ROWS);
        for (size_t k = 0; k < rates->count && status == MOTE_OK; ++k)
            if (rates->items[k].birth != NULL) status = bear_item(&rates->items[k], &r, error);
    }
    return status;
}

mote_Status slot_check_rates(const SystemSlot *slot, mote_Error *error)
{
    if (slot->rates == NULL || slot->rates->changing == 0) return MOTE_OK;
    if (slot->solver->row == &points_solver_row) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "system %s: the rate of %s cannot be followed by solver %s: its "
                       "particles act on each other; leave the rate out, or what ties them",
                       slot->system->name, slot->rates->items[0].name,
                       slot->solver->row->head.name);
}
