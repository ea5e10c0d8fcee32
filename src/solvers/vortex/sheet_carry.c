/* Vortons go with the flow of sheets, and bodies give the impulse that they get by it. */
#include "base/loop.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/sheets.h"

#include <string.h>

/* Rows [first, first + count) that go with the flow of one sheet. */
typedef struct SheetCarry {
    const VortexWork *work;
    const VortonRows *rows;
    Sources lines;
    mote_real *out[INDUCE_GRADIENT]; /* of each row */
    mote_real *middle[3];
} SheetCarry;

enum { CARRY_ROWS = 128, TRANSPOSED = 2 }; /* of stretching: it keeps the sum */

static void carry_flow(const SheetCarry *c, mote_real *const x[3], size_t begin, size_t end)
{
    InduceJob job = {.sources = c->lines, .count = end - begin};
    for (int k = 0; k < 3; ++k) job.x[k] = x[k] + begin;
    for (int k = 0; k < INDUCE_GRADIENT; ++k) {
        job.out[k] = c->out[k] + begin;
        memset(job.out[k], 0, job.count * sizeof *job.out[k]);
    }
    c->work->core->gradient(&job);
}

/* The midpoint rule; strengths by the gradient there. */
static void carry_body(void *context, size_t begin, size_t end, int worker)
{
    const SheetCarry *c = context;
    const VortonRows *r = c->rows;
    const mote_real dt = c->work->dt;
    (void)worker;
    carry_flow(c, r->x, begin, end);
    for (int k = 0; k < 3; ++k)
        for (size_t i = begin; i < end; ++i) c->middle[k][i] = r->x[k][i] + dt / 2 * c->out[k][i];
    carry_flow(c, c->middle, begin, end);
    for (size_t i = begin; i < end; ++i) {
        mote_real j[9];
        for (int k = 0; k < 9; ++k) j[k] = c->out[3 + k][i];
        for (int k = 0; k < (c->work->flat ? 2 : 3); ++k) {
            r->x[k][i] += dt * c->out[k][i];
            r->v[k][i] += c->out[k][i];
        }
        if (c->work->params->stretching == 0 || c->work->flat) continue;
        mote_Vec3 alpha = row_vector(r->strength, i);
        mote_Vec3 rate = stretch_rate(c->work->params->stretching, j, alpha);
        stretch_strength(c->work->params, r, i, vec3_scale(rate, dt));
    }
}

void add_impulse(mote_Vec3 x, mote_Vec3 strength, double sign, D3 *impulse)
{
    *impulse = d3_madd(*impulse, sign / 2, d3_cross(d3_of(x), d3_of(strength)));
}

static void add_rows(const VortonRows *rows, double sign, D3 *impulse)
{
    for (size_t i = 0; i < rows->count; ++i)
        add_impulse(row_vector(rows->x, i), row_vector(rows->strength, i), sign, impulse);
}

/* The sum of strengths, and of their sizes. */
static D3 sum_rows(const VortonRows *rows, double *size)
{
    D3 sum = d3(0, 0, 0);
    *size = 0;
    for (size_t i = 0; i < rows->count; ++i) {
        D3 strength = d3_of(row_vector(rows->strength, i));
        sum = d3_add(sum, strength), *size += d3_length(strength);
    }
    return sum;
}

/* A flow without sources makes no vorticity in sum; vortons whose lines have ends, and stretching
 * that is bounded, do, and then an impulse depends on where the origin is. So each gives back its
 * share. */
static void balance_rows(const VortonRows *rows, D3 before)
{
    double size;
    D3 more = d3_sub(sum_rows(rows, &size), before);
    for (size_t i = 0; i < rows->count && size > 0; ++i) {
        D3 strength = d3_of(row_vector(rows->strength, i));
        strength = d3_madd(strength, -d3_length(strength) / size, more);
        set_row(rows->strength, i, d3_real(strength));
    }
}

/* ---- what vortons keep among themselves ---- */

RowSums sheets_sum(const VortonRows *rows)
{
    RowSums sums = {.impulse = d3(0, 0, 0)};
    double size;
    sums.strength = sum_rows(rows, &size);
    add_rows(rows, 1, &sums.impulse);
    return sums;
}

static D3 mean_place(const VortonRows *rows, double size)
{
    D3 mean = d3(0, 0, 0);
    for (size_t i = 0; i < rows->count; ++i) {
        const double weight = d3_length(d3_of(row_vector(rows->strength, i))) / size;
        mean = d3_madd(mean, weight, d3_of(row_vector(rows->x, i)));
    }
    return mean;
}

/* Second moments xi^2 - xi xi about a place, weighted by the sizes of strengths. */
static void find_moments(const VortonRows *rows, double size, D3 about, D3 column[3])
{
    column[0] = column[1] = column[2] = d3(0, 0, 0);
    for (size_t i = 0; i < rows->count; ++i) {
        const double weight = d3_length(d3_of(row_vector(rows->strength, i))) / size;
        const D3 xi = d3_sub(d3_of(row_vector(rows->x, i)), about);
        const double of[3] = {xi.x, xi.y, xi.z};
        for (int c = 0; c < 3; ++c) {
            D3 part = d3_scale(d3(c == 0, c == 1, c == 2), d3_dot(xi, xi));
            column[c] = d3_madd(column[c], weight, d3_madd(part, -of[c], xi));
        }
    }
}

/* Vortons that induce each other keep the sum of their strengths and their impulse; sums over lines
 * that are cut in pieces do so to some per cent. What is missing is put back as w (b x xi), a swirl
 * of vorticity about their middle that is the least for its impulse b . (xi^2 - xi xi) / 2. */
void sheets_keep(const VortonRows *rows, const RowSums *before)
{
    double size;
    D3 m[3];
    balance_rows(rows, before->strength);
    sum_rows(rows, &size);
    if (rows->count == 0 || !(size > 0)) return;
    const D3 missing = d3_scale(d3_sub(before->impulse, sheets_sum(rows).impulse), 2);
    const D3 mean = mean_place(rows, size);
    find_moments(rows, size, mean, m);
    const double whole = d3_dot(m[0], d3_cross(m[1], m[2]));
    if (!(whole > 1e-9 * d3_dot(m[0], m[0]) * d3_length(m[1]))) return; /* on a line */
    const D3 b =
        d3_scale(d3(d3_dot(missing, d3_cross(m[1], m[2])), d3_dot(missing, d3_cross(m[2], m[0])),
                    d3_dot(missing, d3_cross(m[0], m[1]))),
                 1 / whole);
    for (size_t i = 0; i < rows->count; ++i) {
        const D3 alpha = d3_of(row_vector(rows->strength, i));
        const D3 xi = d3_sub(d3_of(row_vector(rows->x, i)), mean);
        set_row(rows->strength, i,
                d3_real(d3_madd(alpha, d3_length(alpha) / size, d3_cross(b, xi))));
    }
}

/* ---- sheets ---- */

/* What sheet k would do to the lines of sheet `other` if they were free: the other holds them, and
 * sheet k feels it. */
static bool pull_lines(const VortexWork *work, size_t k, size_t other)
{
    const SheetWork *w = work->sheets;
    const Sources lines = sheet_lines(w, other);
    const mote_real *const *p = lines.plane, dt = work->dt;
    InduceJob job = {.sources = sheet_lines(w, k), .count = lines.count};
    mote_real *planes = arena_take(work->arena, INDUCE_GRADIENT * lines.count * sizeof *planes);
    if (planes == NULL) return false;
    memset(planes, 0, INDUCE_GRADIENT * lines.count * sizeof *planes);
    for (int c = 0; c < 3; ++c) job.x[c] = p[c];
    for (size_t c = 0; c < INDUCE_GRADIENT; ++c) job.out[c] = planes + c * lines.count;
    work->core->gradient(&job);
    for (size_t e = 0; e < lines.count; ++e) {
        mote_real j[9];
        for (int c = 0; c < 9; ++c) j[c] = job.out[3 + c][e];
        mote_Vec3 x = vec3(p[0][e], p[1][e], p[2][e]), alpha = vec3(p[3][e], p[4][e], p[5][e]);
        mote_Vec3 rate = stretch_rate(TRANSPOSED, j, alpha);
        add_impulse(x, alpha, -1, &w->impulse[k]);
        add_impulse(vec3_madd(x, dt, row_vector(job.out, e)), vec3_madd(alpha, dt, rate), 1,
                    &w->impulse[k]);
    }
    return true;
}

bool sheets_carry(const VortexWork *work, const VortonRows *rows)
{
    const SheetWork *w = work->sheets;
    SheetCarry carry = {.work = work, .rows = rows};
    if (w == NULL || w->all->count == 0) return true;
    for (size_t k = 0; k < w->all->count; ++k)
        for (size_t other = 0; other < w->all->count; ++other)
            if (other != k && !pull_lines(work, k, other)) return false;
    if (rows->count == 0) return true;
    mote_real *planes =
        arena_take(work->arena, (INDUCE_GRADIENT + 3) * rows->count * sizeof *planes);
    if (planes == NULL) return false;
    for (int k = 0; k < INDUCE_GRADIENT; ++k) carry.out[k] = planes + (size_t)k * rows->count;
    for (size_t k = 0; k < 3; ++k) carry.middle[k] = planes + (INDUCE_GRADIENT + k) * rows->count;
    for (size_t k = 0; k < w->all->count; ++k) {
        carry.lines = sheet_lines(w, k);
        double size;
        const D3 sum = sum_rows(rows, &size);
        add_rows(rows, -1, &w->impulse[k]);
        mote_parallel_for(work->tasks, rows->count, CARRY_ROWS, carry_body, &carry);
        balance_rows(rows, sum);
        add_rows(rows, 1, &w->impulse[k]);
    }
    return true;
}
