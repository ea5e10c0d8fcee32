/* One step of a range. */
#include "integrate/advance.h"

#include "particles/history.h"

AdvancePhase advance_phase(const IntegratorRow *row, uint32_t remembered)
{
    uint32_t wanted = (uint32_t)row->history.steps;
    if (remembered < wanted) return ADVANCE_START;
    return remembered == wanted && row->prime != NULL ? ADVANCE_PRIME : ADVANCE_RUN;
}

size_t advance_same_phase(const IntegratorRow *row, const Range *r, size_t from,
                          AdvancePhase *phase)
{
    if (row->history.entries == 0) {
        *phase = ADVANCE_RUN;
        return r->count - from;
    }
    const uint32_t *counts = history_counts(r);
    size_t end = from + 1;
    *phase = advance_phase(row, counts[from]);
    while (end < r->count && advance_phase(row, counts[end]) == *phase) ++end;
    return end - from;
}

Advance advance_by(const IntegratorRow *row, AdvancePhase phase)
{
    return (Advance){.row = row,
                     .scheme = phase == ADVANCE_START ? row->starter : row,
                     .primes = phase == ADVANCE_PRIME,
                     .extra = phase == ADVANCE_PRIME && row->history.keeps_slope};
}

static void open_scheme(const Advance *step, const Range *r)
{
    if (step->scheme->open != NULL) step->scheme->open(step->scheme, r);
}

void advance_open(const Advance *step, const Range *r)
{
    if (step->extra == 0) open_scheme(step, r);
}

void advance_stage(const Advance *step, const Range *r, int k, int planes)
{
    const IntegratorRow *row = step->row, *scheme = step->scheme;
    if (k == 0 && scheme != row) row->remember(row, r, planes);
    if (k == 0 && step->primes) row->prime(row, r, planes);
    if (k < step->extra)
        open_scheme(step, r);
    else
        scheme->stage(scheme, r, k - step->extra, planes);
}

void advance_close(const Advance *step, const Range *r)
{
    const HistoryNeeds *history = &step->row->history;
    if (history->entries > 0) history_grow(r, (uint32_t)history->steps + 1);
}
