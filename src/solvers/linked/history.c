/* Multistep schemes where rows act on each other: all rows of the system are in one phase. */
#include "particles/history.h"
#include "solvers/linked/linked.h"

static Range all_rows(const CoupledStep *step)
{
    Range all = *shop_range(step->shop, step->slot->system, 0, step->rows, 0);
    all.dt = step->dt;
    return all;
}

/* The row that remembers least decides for all, of all systems that are solved together. */
Advance coupled_advance(const CoupledStep *step)
{
    const IntegratorRow *row = step->slot->points.integrator;
    uint32_t least = UINT32_MAX;
    for (const CoupledStep *s = step; s != NULL; s = s->next) {
        if (!has_history(s->slot->system)) return advance_by(row, ADVANCE_RUN);
        Range all = all_rows(s);
        history_check_step(&all);
        uint32_t own = history_least(&all);
        least = own < least ? own : least;
    }
    for (const CoupledStep *s = step; s != NULL; s = s->next) {
        Range all = all_rows(s);
        history_limit(&all, least);
    }
    return advance_by(row, advance_phase(row, least));
}

/* Pinned rows go on with the velocity they were given, whatever the scheme remembers of them. */
void coupled_place_pinned(const CoupledStep *step, const Range *r)
{
    const mote_real dt = (mote_real)r->dt;
    for (size_t i = 0; step->pinned != NULL && i < r->count; ++i) {
        if (step->pinned[r->first + i] == 0) continue;
        for (int c = 0; c < 3; ++c) {
            r->x[c][i] = r->x0[c][i] + dt * r->v0[c][i];
            r->v[c][i] = r->v0[c][i];
        }
    }
}
