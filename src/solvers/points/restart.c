/* Restarting histories. Rows are compared by value with what they were, so that a collide row need
 * not know of histories. */
#include "solvers/points/restart.h"

#include <string.h>

void restart_watch(RestartWatch *watch, const Range *r)
{
    if (!has_history(r->system)) return;
    for (int p = 0; p < 6; ++p)
        memcpy(watch->state[p], range_state(r, p), r->count * sizeof(mote_real));
}

void restart_changed(const RestartWatch *watch, const Range *r)
{
    if (!has_history(r->system)) return;
    uint32_t *counts = history_counts(r);
    for (int p = 0; p < 6; ++p) {
        const mote_real *now = range_state(r, p), *before = watch->state[p];
        for (size_t i = 0; i < r->count; ++i)
            if (now[i] != before[i]) counts[i] = 0;
    }
}

void restart_rows(const Range *r)
{
    if (has_history(r->system)) history_limit(r, 0);
}
