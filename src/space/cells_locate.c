/* Cells of places, without sorting them. */
#include "space/cells.h"

#include <math.h>
#include <string.h>

#include "space/formulas/place.h"

enum { POINTS_AT_ONCE = 128, POINTS_PER_TASK = 2048 };

/* The cells of an axis that have numbers. */
typedef struct AxisLocator {
    mote_real low, period, anchor, inverse;
    mote_real first, last;
} AxisLocator;

static AxisLocator locator_of(const Cells *grid, int c)
{
    const mote_real far = CELLS_FARTHEST;
    const bool ends = grid->side[c] > 0; /* else the axis is open */
    return (AxisLocator){.low = grid->space.low[c],
                         .period = grid->space.period[c],
                         .anchor = grid->anchor[c],
                         .inverse = grid->inverse[c],
                         .first = ends ? 0 : -far,
                         .last = ends ? (mote_real)(grid->side[c] - 1) : far};
}

static inline int32_t locate(const AxisLocator *axis, mote_real x)
{
    mote_real cell = cell_of_axis(x, axis->anchor, axis->inverse);
    cell = cell > axis->first ? cell : axis->first;
    return (int32_t)(cell < axis->last ? cell : axis->last);
}

bool cells_locate(const Cells *grid, const mote_real x[3], int32_t at[3])
{
    for (int c = 0; c < 3; ++c) {
        const AxisLocator axis = locator_of(grid, c);
        if (!(x[c] - x[c] == 0)) return false;
        at[c] = locate(&axis, placed_in(x[c], axis.low, axis.period));
    }
    return true;
}

/* ---- many ---- */

typedef struct LocateWork {
    AxisLocator axes[3];
    const CellPoints *points;
    int32_t *const *at;
} LocateWork;

/* Always as many as the compiler knows of. */
static void locate_block(const AxisLocator *of, const mote_real x[POINTS_AT_ONCE],
                         int32_t at[POINTS_AT_ONCE])
{
    const AxisLocator axis = *of;
    for (size_t i = 0; i < POINTS_AT_ONCE; ++i) at[i] = locate(&axis, x[i]);
}

static void locate_some(const LocateWork *work, size_t begin, size_t count)
{
    mote_real near[POINTS_AT_ONCE] = {0}, odd[POINTS_AT_ONCE] = {0};
    int32_t at[POINTS_AT_ONCE];
    for (int c = 2; c >= 0; --c) {
        const AxisLocator *axis = &work->axes[c];
        memcpy(near, work->points->x[c] + begin, count * sizeof *near);
        for (size_t i = 0; i < POINTS_AT_ONCE; ++i) odd[i] += near[i] - near[i];
        for (size_t i = 0; i < count && axis->period > 0; ++i)
            near[i] = placed_in(near[i], axis->low, axis->period);
        locate_block(axis, near, at);
        memcpy(work->at[c] + begin, at, count * sizeof *at);
    }
    for (size_t i = 0; i < count; ++i)
        if (!(odd[i] == 0)) work->at[0][begin + i] = CELLS_NOWHERE;
}

static void locate_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; i += POINTS_AT_ONCE)
        locate_some(context, i, end - i < POINTS_AT_ONCE ? end - i : POINTS_AT_ONCE);
}

void cells_locate_all(const Cells *grid, const CellPoints *points, int32_t *const at[3],
                      mote_Tasks *tasks)
{
    LocateWork work = {.points = points, .at = at};
    for (int c = 0; c < 3; ++c) work.axes[c] = locator_of(grid, c);
    mote_parallel_for(tasks, points->count, POINTS_PER_TASK, locate_body, &work);
}
