/* Columns with a rate, within an integrator's stages. */
#include "solvers/points/rates.h"

#include "particles/quantities.h"

#include <math.h>
#include <string.h>

/* Scratch planes of a group: rates, planes for places that no column takes, starts. */
enum { PLANE_RATE = 0, PLANE_SPARE = 3, PLANE_START = 6, GROUP_PLANES = 9 };

static size_t own_planes(const Rates *rates)
{
    return (size_t)integrator_scratch_planes(rates->along);
}

static int group_count(const Rates *rates)
{
    return (int)(rates->changing + 2) / 3;
}

size_t rates_scratch_planes(const Rates *rates)
{
    if (rates == NULL) return 0;
    return (size_t)group_count(rates) * (GROUP_PLANES + own_planes(rates));
}

/* Plane `plane` of a group; the integrator's own planes for its columns follow the last. */
static mote_real *group_plane(const Rates *rates, const Range *r, int group, size_t plane)
{
    const size_t before = own_planes(rates) + (size_t)group * (GROUP_PLANES + own_planes(rates));
    return range_scratch(r, (int)(before + plane));
}

static mote_real *column_rows(const RateColumn *item, const Range *r)
{
    return column_real(&r->system->columns[item->column], 0) + r->first;
}

static Range group_range(const Rates *rates, const Range *r, int group)
{
    Range own = *r;
    for (int c = 0; c < 3; ++c) {
        const size_t item = (size_t)(3 * group + c);
        own.v[c] = group_plane(rates, r, group, (size_t)(PLANE_RATE + c));
        own.x[c] = group_plane(rates, r, group, (size_t)(PLANE_SPARE + c));
        if (item < rates->changing) own.x[c] = column_rows(&rates->items[item], r);
    }
    own.scratch = group_plane(rates, r, group, GROUP_PLANES);
    return own;
}

void rates_of(const Rates *rates, const Range *r, RateRanges *ranges)
{
    ranges->rates = rates;
    ranges->count = rates != NULL ? group_count(rates) : 0;
    for (int g = 0; g < ranges->count; ++g) ranges->group[g] = group_range(rates, r, g);
}

void rates_begin(const RateRanges *ranges)
{
    for (int g = 0; g < ranges->count; ++g) {
        const Range *own = &ranges->group[g];
        for (int c = 0; c < 3; ++c) {
            memset(own->v[c], 0, own->count * sizeof(mote_real));
            if ((size_t)(3 * g + c) >= ranges->rates->changing)
                memset(own->x[c], 0, own->count * sizeof(mote_real));
        }
        if (ranges->rates->along->open != NULL)
            ranges->rates->along->open(ranges->rates->along, own);
    }
}

/* ---- evaluation ---- */

static void evaluate(const mote_Formula *formula, const char *what, const Range *r, double t,
                     double *value)
{
    Quantities q;
    quantities_of(formula, r, t, NULL, &q);
    expression_rows(&formula->expression, q.planes, r->count, value);
    for (size_t i = 0; i < r->count; ++i)
        if (!isfinite(value[i])) quantities_note_wrong(formula, what, r, i, t, value[i]);
}

/* u dm/dt / m */
static void add_thrust(const Rates *rates, const Range *r, double t, const double *mass_rate)
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    double u[BLOCK_ROWS];
    for (int c = 0; c < 3; ++c) {
        if (rates->exhaust[c] == NULL) continue;
        evaluate(rates->exhaust[c], "the exhaust", r, t, u);
        for (size_t i = 0; i < r->count; ++i)
            r->a[c][i] += (mote_real)(u[i] * mass_rate[i] / (double)mass[i]);
    }
}

void rates_evaluate(const RateRanges *ranges, const Range *r, double t)
{
    const Rates *rates = ranges->rates;
    double value[BLOCK_ROWS];
    for (int k = 0; rates != NULL && k < (int)rates->changing; ++k) {
        const RateColumn *item = &rates->items[k];
        mote_real *to = ranges->group[k / 3].v[k % 3];
        evaluate(item->rate, item->what, r, t, value);
        for (size_t i = 0; i < r->count; ++i) to[i] = (mote_real)value[i];
        if (item == rates->mass && rates->thrust) add_thrust(rates, r, t, value);
    }
}

void rates_stage(const RateRanges *ranges, int k)
{
    for (int g = 0; g < ranges->count; ++g)
        ranges->rates->along->stage(ranges->rates->along, &ranges->group[g], k, 3);
}

StepError rates_error(const RateRanges *ranges, StepError error, Tolerance tolerance)
{
    for (int g = 0; g < ranges->count; ++g) {
        const IntegratorRow *row = ranges->rates->along;
        StepError own = row->error(row, &ranges->group[g], 3, tolerance);
        if (error.size >= 0 && !(own.size <= error.size)) error = own; /* no number is worst */
    }
    return error;
}

void rates_reject(const RateRanges *ranges)
{
    for (int g = 0; g < ranges->count; ++g)
        ranges->rates->along->reject(ranges->rates->along, &ranges->group[g], 3);
}

void rates_check(const RateRanges *ranges, const Range *r)
{
    const Rates *rates = ranges->rates;
    for (size_t k = 0; rates != NULL && k < rates->changing; ++k) {
        const RateColumn *item = &rates->items[k];
        const mote_real *now = column_rows(item, r);
        for (size_t i = 0; i < r->count; ++i) {
            const double value = (double)now[i];
            if (isfinite(value) && (item != rates->mass || value > 0)) continue;
            quantities_note_wrong(item->rate, item->name, r, i, r->t + r->dt, value);
        }
    }
}

/* ---- rows that are solved again ---- */

/* A piece lies within a block: its rows stand in the planes as they do there. */
static mote_real *start_rows(const Rates *rates, const Range *r, size_t item)
{
    return group_plane(rates, r, (int)(item / 3), PLANE_START + item % 3) + r->first % BLOCK_ROWS;
}

void rates_save(const Rates *rates, const Range *r)
{
    for (size_t k = 0; rates != NULL && k < rates->changing; ++k)
        memcpy(start_rows(rates, r, k), column_rows(&rates->items[k], r),
               r->count * sizeof(mote_real));
}

void rates_restore(const Rates *rates, const Range *r)
{
    for (size_t k = 0; rates != NULL && k < rates->changing; ++k)
        memcpy(column_rows(&rates->items[k], r), start_rows(rates, r, k),
               r->count * sizeof(mote_real));
}
