/* Dense output as columns. */
#include "particles/dense.h"

#include "particles/history.h"

#include <string.h>

mote_Status system_add_dense(mote_System *system, int planes, mote_Error *error)
{
    const RememberedColumns columns = {
        .steps = {{"dense_end", "s", MOTE_COLUMN_DOUBLE}, {"dense_step", "s", MOTE_COLUMN_DOUBLE}},
        .entry = "dense",
        .entries = DENSE_ENTRIES,
        .planes = planes};
    return system_add_remembered(system, &columns, &system->dense, error);
}

void dense_forget(const Range *r)
{
    if (r->count > 0) memset(dense_steps(r), 0, r->count * sizeof(double));
}

size_t dense_same_step(const Range *r, size_t from)
{
    const double *ends = dense_ends(r), *steps = dense_steps(r);
    size_t end = from + 1;
    while (end < r->count && ends[end] == ends[from] && steps[end] == steps[from]) ++end;
    return end - from;
}
