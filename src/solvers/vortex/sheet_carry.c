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

/* Adds what `by` gives to `to` of impulse in the sub-step. */
static bool give_impulse(const VortexWork *work, const Sources *by, const Sources *to, D3 *impulse)
{
    const mote_real *const *p = to->plane, dt = work->dt;
    InduceJob job = {.sources = *by, .count = to->count};
    mote_real *planes = arena_take(work->arena, INDUCE_GRADIENT * (to->count + 1) * sizeof *planes);
    if (planes == NULL) return false;
    memset(planes, 0, INDUCE_GRADIENT * to->count * sizeof *planes);
    for (int c = 0; c < 3; ++c) job.x[c] = p[c];
    for (size_t c = 0; c < INDUCE_GRADIENT; ++c) job.out[c] = planes + c * to->count;
    if (by->count > 0 && to->count > 0) work->core->gradient(&job);
    for (size_t e = 0; e < to->count; ++e) {
        mote_real j[9];
        for (int c = 0; c < 9; ++c) j[c] = job.out[3 + c][e];
        mote_Vec3 x = vec3(p[0][e], p[1][e], p[2][e]), alpha = vec3(p[3][e], p[4][e], p[5][e]);
        mote_Vec3 rate = stretch_rate(TRANSPOSED, j, alpha);
        add_impulse(x, alpha, -1, impulse);
        add_impulse(vec3_madd(x, dt, row_vector(job.out, e)), vec3_madd(alpha, dt, rate), 1,
                    impulse);
    }
    return true;
}

/* ---- ends of wakes ---- */

/* What edges of sheet k hold as the sub-step begins: the near sides of the rings that left there,
 * with the cores of what left. */
static bool held_lines(const VortexWork *work, size_t k, Sources *out)
{
    const Sheet *sheet = &work->sheets->all->items[k];
    const Panels *p = &sheet->panels;
    const double *held = sheet_held(sheet);
    mote_real *planes = arena_take(work->arena, SOURCE_PLANES * p->edge_count * sizeof *planes);
    if (planes == NULL) return false;
    *out = (Sources){.count = 0};
    for (size_t e = 0; e < p->edge_count; ++e) {
        mote_real line[SOURCE_PLANES];
        if (!(held[e] != 0)) continue;
        sheet_line(p, e, &work->sheets->colliders[k]->pose, held[e], line);
        line[SOURCE_CORE2] = (mote_real)(SHED_CORE * SHED_CORE * p->side * p->side);
        for (size_t c = 0; c < SOURCE_PLANES; ++c) planes[c * p->edge_count + out->count] = line[c];
        ++out->count;
    }
    for (size_t c = 0; c < SOURCE_PLANES; ++c) out->plane[c] = planes + c * p->edge_count;
    return true;
}

/* Adds the integral of u x omega over `to`, u being the flow of `by`, over the sub-step. */
static bool add_lamb(const VortexWork *work, const Sources *by, const Sources *to, D3 *impulse)
{
    InduceJob job = {.sources = *by, .count = to->count};
    mote_real *planes = arena_take(work->arena, 3 * (to->count + 1) * sizeof *planes);
    if (planes == NULL) return false;
    memset(planes, 0, 3 * to->count * sizeof *planes);
    for (size_t c = 0; c < 3; ++c) job.x[c] = to->plane[c], job.out[c] = planes + c * to->count;
    if (by->count > 0 && to->count > 0) work->core->velocity(&job);
    for (size_t e = 0; e < to->count; ++e) {
        const D3 u = d3_of(row_vector(job.out, e));
        const D3 alpha =
            d3((double)to->plane[SOURCE_ALPHA][e], (double)to->plane[SOURCE_ALPHA + 1][e],
               (double)to->plane[SOURCE_ALPHA + 2][e]);
        *impulse = d3_madd(*impulse, (double)work->dt, d3_cross(u, alpha));
    }
    return true;
}

static bool row_sources(const VortexWork *work, const VortonRows *rows, Sources *out)
{
    mote_real *core2 = arena_take(work->arena, (rows->count + 1) * sizeof *core2);
    if (core2 == NULL) return false;
    for (size_t i = 0; i < rows->count; ++i) core2[i] = rows->radius[i] * rows->radius[i];
    for (int c = 0; c < 3; ++c) {
        out->plane[SOURCE_X + c] = rows->x[c];
        out->plane[SOURCE_ALPHA + c] = rows->strength[c];
    }
    out->plane[SOURCE_CORE2] = core2;
    out->count = rows->count;
    return true;
}

bool sheets_hold_ends(const VortexWork *work, const VortonRows *rows, D3 *impulse)
{
    const SheetWork *w = work->sheets;
    Sources vortons, held;
    if (!row_sources(work, rows, &vortons)) return false;
    for (size_t k = 0; k < w->all->count; ++k) {
        D3 pulled = d3(0, 0, 0);
        if (!held_lines(work, k, &held) || !add_lamb(work, &vortons, &held, &pulled) ||
            !add_lamb(work, &held, &vortons, &pulled))
            return false;
        *impulse = d3_madd(*impulse, -1, pulled);
        w->impulse[k] = d3_madd(w->impulse[k], -1, pulled);
    }
    return true;
}

/* ---- all ---- */

bool sheets_carry(const VortexWork *work, const VortonRows *rows)
{
    const SheetWork *w = work->sheets;
    SheetCarry carry = {.work = work, .rows = rows};
    if (w == NULL || w->all->count == 0) return true;
    /* What a sheet would do to the lines of others if they were free: they hold them, and it feels
     * that: action and reaction go through the body that holds them. */
    for (size_t k = 0; k < w->all->count; ++k)
        for (size_t other = 0; other < w->all->count; ++other) {
            const Sources own = sheet_lines(w, k), theirs = sheet_lines(w, other);
            if (other != k && !give_impulse(work, &own, &theirs, &w->impulse[k])) return false;
        }
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
