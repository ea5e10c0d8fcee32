/* Cells: choosing the window, and the runs around a cell and in a ball. */
#include "space/cells_sort.h"

#include "base/loop.h"

#include <math.h>
#include <string.h>

enum { POINTS_PER_TASK = 4096, MOST_SIDE = 1 << 20 };

/* ---- the box ---- */

typedef struct Box {
    mote_real low[3], high[3];
} Box;

typedef struct BoxWork {
    const CellPoints *points;
    Box *boxes; /* one a task */
} BoxWork;

/* Comparisons with what is not a number are false, so it does not count. */
static void box_body(void *context, size_t begin, size_t end, int worker)
{
    const BoxWork *work = context;
    (void)worker;
    Box *box = &work->boxes[begin / POINTS_PER_TASK];
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = work->points->x[c], huge = (mote_real)1e30;
        mote_real low = huge, high = -huge;
        for (size_t i = begin; i < end; ++i) {
            low = x[i] < low && x[i] > -huge ? x[i] : low;
            high = x[i] > high && x[i] < huge ? x[i] : high;
        }
        box->low[c] = low, box->high[c] = high;
    }
}

static bool find_box(const CellPoints *points, Arena *arena, mote_Tasks *tasks, Box *all)
{
    size_t count = (points->count + POINTS_PER_TASK - 1) / POINTS_PER_TASK;
    BoxWork work = {points, arena_take(arena, (count + 1) * sizeof(Box))};
    if (work.boxes == NULL) return false;
    mote_parallel_for(tasks, points->count, POINTS_PER_TASK, box_body, &work);
    *all = work.boxes[0];
    for (size_t i = 1; i < count; ++i)
        for (int c = 0; c < 3; ++c) {
            const Box *box = &work.boxes[i];
            if (box->low[c] < all->low[c]) all->low[c] = box->low[c];
            if (box->high[c] > all->high[c]) all->high[c] = box->high[c];
        }
    return true;
}

/* Cells are a little larger than the reach, by what rounding can do to a cell's number: by so much
 * up to 2^14 cells from the anchor. (Further away single precision has no more than 512 places
 * across a kernel; pairs that are missed there are at its very end, where it is 0.) */
static const double larger = 1.0 / 256;

static void choose_edge(Cells *cells, int c)
{
    const double reach = (double)cells->reach, period = (double)cells->space.period[c];
    double edge = reach * (1 + larger);
    cells->anchor[c] = 0;
    if (period > 0) {
        double side = floor(period / (edge + 16 * (double)REAL_EPSILON * (reach + period)));
        side = side < 1 ? 1 : side > MOST_SIDE ? MOST_SIDE : side;
        edge = period / side;
        cells->anchor[c] = cells->space.low[c], cells->side[c] = (uint32_t)side;
    }
    cells->edge[c] = (mote_real)edge, cells->inverse[c] = (mote_real)(1 / edge);
}

/* From the cell of the lowest point to that of the highest; a periodic axis as a whole. */
static void choose_window(Cells *cells, int c, const Box *box)
{
    const mote_real far = (mote_real)1e18;
    cells->low[c] = 0;
    if (cells->space.period[c] > 0) return;
    const mote_real low = cells_at(cells, c, box->low[c]), high = cells_at(cells, c, box->high[c]);
    const mote_real side = high - low + 1;
    cells->low[c] = low > -far ? low < far ? low : far : -far;
    cells->side[c] = side < 1 ? 1 : side < MOST_SIDE ? (uint32_t)side : MOST_SIDE;
}

static void choose_grid(Cells *cells, const Box *box)
{
    for (int c = 0; c < 3; ++c) {
        choose_edge(cells, c);
        choose_window(cells, c, box);
    }
    if (!cells->space.flat) return;
    cells->side[2] = 1, cells->anchor[2] = cells->low[2] = cells->inverse[2] = 0;
}

/* Sides of open axes are those of a window: here there is none, and they are 0. */
Cells cells_grid(const CellSpace *space, mote_real reach)
{
    Cells grid = {.space = *space, .reach = reach};
    for (int c = 0; c < 3; ++c) choose_edge(&grid, c);
    if (space->flat) grid.side[2] = 1, grid.anchor[2] = grid.inverse[2] = 0;
    return grid;
}

/* ---- the cells ---- */

static bool take_arrays(Cells *cells, Arena *arena)
{
    size_t n = cells->points + CELLS_SPARE;
    cells->keys = arena_take(arena, n * sizeof *cells->keys);
    cells->first = arena_take(arena, n * sizeof *cells->first);
    cells->order = arena_take(arena, n * sizeof *cells->order);
    bool room = cells->keys != NULL && cells->first != NULL && cells->order != NULL;
    for (int c = 0; c < 3; ++c) {
        cells->x[c] = arena_take(arena, n * sizeof(mote_real));
        room = room && cells->x[c] != NULL;
    }
    return room;
}

CellPoints cell_points_of(const mote_System *system)
{
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    return (CellPoints){
        .x = {column_real(position, 0), column_real(position, 1), column_real(position, 2)},
        .ids = system->columns[COLUMN_ID].data,
        .count = system->count};
}

bool cells_make(Cells *cells, const CellSpace *space, mote_real reach, const CellPoints *points,
                Arena *arena, mote_Tasks *tasks)
{
    *cells =
        (Cells){.space = *space, .reach = reach, .points = points->count, .wanted = points->count};
    Box box = {{0}, {0}};
    if (!take_arrays(cells, arena)) return false;
    if (points->count > 0 && !find_box(points, arena, tasks, &box)) return false;
    choose_grid(cells, &box);
    if (!cells_sort(cells, points, arena, tasks)) return false;
    cells->first[cells->cell_count] = (uint32_t)cells->placed;
    for (size_t i = 0; i < CELLS_SPARE / 2; ++i) cells->keys[cells->cell_count + i] = UINT64_MAX;
    for (int c = 0; c < 3; ++c)
        memset(cells->x[c] + points->count, 0, CELLS_SPARE * sizeof(mote_real));
    return true;
}

bool cells_box(const CellPoints *points, Arena *arena, mote_Tasks *tasks, mote_real low[3],
               mote_real high[3])
{
    Box box = {{0}, {0}};
    if (points->count > 0 && !find_box(points, arena, tasks, &box)) return false;
    memcpy(low, box.low, sizeof box.low), memcpy(high, box.high, sizeof box.high);
    return true;
}

bool cells_window(Cells *cells, const CellSpace *space, mote_real reach, const mote_real low[3],
                  const mote_real high[3], size_t points)
{
    Box box;
    *cells = (Cells){
        .space = *space, .reach = reach, .points = points, .wanted = points, .placed = points};
    memcpy(box.low, low, sizeof box.low), memcpy(box.high, high, sizeof box.high);
    choose_grid(cells, &box);
    return cells_have_table(cells);
}

/* ---- the runs around a cell ---- */

/* First cell at or after `from` whose key is not below `key`: near, as a rule. Behind the last key
 * stands one that is larger than all. */
static uint32_t seek_far(const Cells *cells, uint32_t from, uint64_t key)
{
    uint32_t low = from, high = (uint32_t)cells->cell_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cells->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline uint32_t seek(const Cells *cells, uint32_t from, uint64_t key)
{
    enum { NEAR = 6 };
    const uint64_t *keys = cells->keys;
    for (uint32_t end = from + NEAR; from < end; ++from)
        if (keys[from] >= key) return from;
    return seek_far(cells, from, key);
}

/* The cells with keys from `key` to `last`, of one row. */
static inline int add_run(const Cells *cells, uint32_t *at, uint64_t key, uint64_t last,
                          const mote_real shift[3], CellRun *run)
{
    uint32_t begin, end;
    if (cells->ends != NULL) {
        begin = key > 0 ? cells->ends[key - 1] : 0;
        end = cells->ends[last];
    } else {
        uint32_t cell = seek(cells, *at, key);
        *at = cell;
        begin = cells->first[cell];
        while (cells->keys[cell] <= last) ++cell;
        end = cells->first[cell];
    }
    if (begin == end) return 0;
    *run = (CellRun){begin, end, {shift[0], shift[1], shift[2]}};
    return 1;
}

/* The number of the cell `by` cells on; `shift` says how far its points must be moved. */
static bool step_axis(const Cells *cells, int c, int64_t from, int by, uint64_t *to,
                      mote_real *shift)
{
    int64_t side = cells->side[c], next = from + by;
    mote_real period = cells->space.period[c];
    *shift = 0;
    if (next >= 0 && next < side) {
        *to = (uint64_t)next;
        return true;
    }
    *shift = next < 0 ? -period : period;
    *to = (uint64_t)(next < 0 ? next + side : next - side);
    return period > 0;
}

/* A row of cells around: what is inside the box in one run, what is beyond a periodic end apart. */
static int row_runs(const Cells *cells, uint64_t row, int64_t x, uint32_t *at, mote_real shift[3],
                    CellRun *runs)
{
    int64_t side = cells->side[0], low = x > 0 ? x - 1 : 0, high = x + 1 < side ? x + 1 : x;
    uint64_t start = row * (uint64_t)side;
    int count = 0;
    shift[0] = 0;
    count += add_run(cells, at, start + (uint64_t)low, start + (uint64_t)high, shift, runs);
    for (int by = -1; by <= 1 && cells->space.period[0] > 0; by += 2) {
        uint64_t other;
        uint32_t anywhere = 0;
        if (x + by >= 0 && x + by < side) continue;
        if (!step_axis(cells, 0, x, by, &other, &shift[0])) continue;
        count += add_run(cells, &anywhere, start + other, start + other, shift, runs + count);
    }
    return count;
}

int cells_runs(const Cells *cells, size_t cell, CellCursor *cursor, CellRun runs[CELLS_MOST_RUNS])
{
    uint64_t key = cells->keys[cell], row = key / cells->side[0];
    int64_t x = (int64_t)(key % cells->side[0]);
    int64_t y = (int64_t)(row % cells->side[1]), z = (int64_t)(row / cells->side[1]);
    int depth = cells->space.flat ? 0 : 1, count = 0, number = 0;
    if (cursor->row != row + 1) memset(cursor->at, 0, sizeof cursor->at);
    cursor->row = row + 1;
    for (int dz = -depth; dz <= depth; ++dz)
        for (int dy = -1; dy <= 1; ++dy, ++number) {
            uint64_t to_y, to_z;
            mote_real shift[3] = {0};
            if (!step_axis(cells, 2, z, dz, &to_z, &shift[2]) ||
                !step_axis(cells, 1, y, dy, &to_y, &shift[1]))
                continue;
            count += row_runs(cells, to_z * cells->side[1] + to_y, x, &cursor->at[number], shift,
                              runs + count);
        }
    return count;
}

/* ---- the runs in a ball ---- */

/* Cell numbers are clamped before they become integers; open axes end at their last cell, where
 * everything beyond was put, too. The points' own numbers are rounded: see `larger`. */
static void ball_axis(BallWalk *walk, int c, double centre, double radius)
{
    const Cells *cells = walk->cells;
    double last = (double)cells->side[c] - 1, first = 0;
    double at = (centre - (double)cells->anchor[c]) * (double)cells->inverse[c];
    double around = radius * (double)cells->inverse[c];
    double slack = 16 * (double)REAL_EPSILON * (fabs(at) + around + 2);
    double low = floor(at - around - slack) - (double)cells->low[c];
    double high = floor(at + around + slack) - (double)cells->low[c];
    if (cells->space.period[c] > 0) first -= last + 1, last += last + 1;
    walk->low[c] = (int64_t)(low < first ? first : low > last ? last : low);
    walk->high[c] = (int64_t)(high > last ? last : high < first ? first : high);
}

BallWalk ball_walk(const Cells *cells, const double centre[3], double radius)
{
    BallWalk walk = {.cells = cells, .z = 1}; /* z beyond high: nothing */
    const int axes = cells->space.flat ? 2 : 3;
    for (int c = 0; c < axes; ++c)
        if (!isfinite(centre[c])) return walk;
    if (!(radius > 0) || cells->cell_count == 0) return walk;
    for (int c = 0; c < axes; ++c) ball_axis(&walk, c, centre[c], radius);
    walk.x = walk.low[0], walk.y = walk.low[1], walk.z = walk.low[2];
    return walk;
}

/* The cell of an axis, and how far its points must be moved. */
static uint64_t wrap_cell(const Cells *cells, int c, int64_t cell, mote_real *shift)
{
    uint64_t wrapped = 0;
    (void)step_axis(cells, c, cell, 0, &wrapped, shift);
    return wrapped;
}

/* From walk->x to the end of the ball or of the box, whichever comes first. */
static bool part_of_row(BallWalk *walk, CellRun *run)
{
    const Cells *cells = walk->cells;
    const int64_t side = cells->side[0];
    int64_t from = walk->x, end = from < 0 ? -1 : from < side ? side - 1 : 2 * side - 1;
    int64_t to = walk->high[0] < end ? walk->high[0] : end;
    mote_real shift[3];
    uint32_t anywhere = 0;
    uint64_t y = wrap_cell(cells, 1, walk->y, &shift[1]);
    uint64_t z = wrap_cell(cells, 2, walk->z, &shift[2]);
    uint64_t x = wrap_cell(cells, 0, from, &shift[0]);
    uint64_t key = (z * cells->side[1] + y) * cells->side[0] + x;
    walk->x = to + 1;
    return add_run(cells, &anywhere, key, key + (uint64_t)(to - from), shift, run) > 0;
}

bool ball_next(BallWalk *walk, CellRun *run)
{
    for (; walk->z <= walk->high[2]; ++walk->z, walk->y = walk->low[1])
        for (; walk->y <= walk->high[1]; ++walk->y, walk->x = walk->low[0])
            while (walk->x <= walk->high[0])
                if (part_of_row(walk, run)) return true;
    return false;
}

static mote_real square(const Cells *cells, const CellRun *run, uint32_t i,
                        const mote_real centre[3])
{
    mote_real sum = 0;
    for (int c = 0; c < (cells->space.flat ? 2 : 3); ++c) {
        mote_real d = cells->x[c][i] + run->shift[c] - centre[c];
        sum += d * d;
    }
    return sum;
}

size_t ball_points(const Cells *cells, const mote_real centre[3], mote_real radius,
                   uint32_t *places, size_t room)
{
    const double middle[3] = {(double)centre[0], (double)centre[1], (double)centre[2]};
    BallWalk walk = ball_walk(cells, middle, (double)radius);
    size_t count = 0;
    for (CellRun run; ball_next(&walk, &run);)
        for (uint32_t i = run.begin; i < run.end; ++i) {
            if (!(square(cells, &run, i, centre) < radius * radius)) continue;
            if (count < room) places[count] = i;
            ++count;
        }
    return count;
}
