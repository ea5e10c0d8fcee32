/* Dense output as columns. */
#include "particles/dense.h"

#include <stdio.h>
#include <string.h>

mote_Status system_add_dense(mote_System *system, int planes, mote_Error *error)
{
    const mote_Column time = {.name = "dense_end",
                              .unit = "s",
                              .stage = "solve",
                              .type = MOTE_COLUMN_DOUBLE,
                              .components = 1,
                              .internal = true};
    mote_Column step = time;
    size_t first = system->column_count;
    step.name = "dense_step";
    mote_Status status = mote_system_add_column(system, &time, error);
    if (status == MOTE_OK) status = mote_system_add_column(system, &step, error);
    for (int i = 0; i < DENSE_ENTRIES && status == MOTE_OK; ++i) {
        char name[32];
        snprintf(name, sizeof name, "dense%d", i + 1);
        mote_Column entry = step;
        entry.name = name, entry.unit = "", entry.type = MOTE_COLUMN_REAL;
        entry.components = planes;
        status = mote_system_add_column(system, &entry, error);
    }
    system->dense = status == MOTE_OK ? first : 0;
    return status;
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
