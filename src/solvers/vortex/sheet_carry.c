/* Vortons go with the flow of sheets, and bodies give the impulse that they get by it. */
#include "base/loop.h"
#include "solvers/vortex/keep.h"
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

/* ---- sheets ---- */

/* What sheet k would do to the lines of sheet `other` if they were free: the other holds them, and
 * sheet k feels it. Action and reaction between bodies: what k would give to the other's lines goes
 * through the body that holds them. */
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
        const D3 sum = rows_strength(rows, &size);
        rows_add_impulse(rows, -1, &w->impulse[k]);
        mote_parallel_for(work->tasks, rows->count, CARRY_ROWS, carry_body, &carry);
        rows_balance(rows, sum);
        rows_add_impulse(rows, 1, &w->impulse[k]);
    }
    return true;
}
