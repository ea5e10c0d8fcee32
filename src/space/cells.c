/* Cells: choosing the grid, sorting, and the runs around a cell. */
#include "space/cells.h"

#include "base/loop.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { POINTS_PER_TASK = 4096, MOST_SIDE = 1 << 20, KEYS_AT_ONCE = 128 };

/* A table over all cells, empty ones too, is used while it is not much larger than the points. */
enum { TABLE_SPARE = 1 << 16, TABLE_SHARE = 8 };

/* ---- the box ---- */

typedef struct Box {
    mote_real low[3], high[3];
} Box;

typedef struct BoxWork {
    const mote_real *const *x;
    Box *boxes; /* one a task */
} BoxWork;

/* Comparisons with what is not a number are false, so it does not count. */
static void box_body(void *context, size_t begin, size_t end, int worker)
{
    const BoxWork *work = context;
    (void)worker;
    Box *box = &work->boxes[begin / POINTS_PER_TASK];
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = work->x[c], huge = (mote_real)1e30;
        mote_real low = huge, high = -huge;
        for (size_t i = begin; i < end; ++i) {
            low = x[i] < low && x[i] > -huge ? x[i] : low;
            high = x[i] > high && x[i] < huge ? x[i] : high;
        }
        box->low[c] = low, box->high[c] = high;
    }
}

static bool find_box(const mote_real *const x[3], size_t points, Arena *arena, mote_Tasks *tasks,
                     Box *all)
{
    size_t count = (points + POINTS_PER_TASK - 1) / POINTS_PER_TASK;
    BoxWork work = {x, arena_take(arena, (count + 1) * sizeof(Box))};
    if (work.boxes == NULL) return false;
    mote_parallel_for(tasks, points, POINTS_PER_TASK, box_body, &work);
    *all = work.boxes[0];
    for (size_t i = 1; i < count; ++i)
        for (int c = 0; c < 3; ++c) {
            const Box *box = &work.boxes[i];
            if (box->low[c] < all->low[c]) all->low[c] = box->low[c];
            if (box->high[c] > all->high[c]) all->high[c] = box->high[c];
        }
    return true;
}

/* Cells are a little larger than the reach, by what rounding can do to a cell's number. */
static void choose_axis(Cells *cells, int c, mote_real low, mote_real high)
{
    mote_real period = cells->space.period[c], reach = cells->reach;
    double extent = period > 0 ? (double)period : (double)high - (double)low;
    if (!(extent > 0)) extent = 0;
    double edge = (double)reach * (1 + 16 * (double)REAL_EPSILON * (1 + extent / (double)reach));
    double side = floor(extent / edge);
    if (period > 0) {
        side = side < 1 ? 1 : side > MOST_SIDE ? MOST_SIDE : side;
        edge = extent / side;
    } else {
        side = side < MOST_SIDE ? side + 1 : MOST_SIDE;
    }
    cells->side[c] = (uint32_t)side;
    cells->origin[c] = period > 0 ? cells->space.low[c] : low;
    cells->inverse[c] = (mote_real)(1 / edge);
}

static void choose_grid(Cells *cells, const Box *box)
{
    for (int c = 0; c < 3; ++c) choose_axis(cells, c, box->low[c], box->high[c]);
    if (!cells->space.flat) return;
    cells->side[2] = 1, cells->origin[2] = 0, cells->inverse[2] = 0;
}

/* ---- keys ---- */

/* Into [low, low + period). */
static mote_real wrapped(mote_real x, mote_real low, mote_real period)
{
    mote_real turns = (mote_real)floor((double)((x - low) / period));
    mote_real inside = turns != 0 ? x - turns * period : x;
    return inside >= low && inside < low + period ? inside : low;
}

static mote_real placed_at(const Cells *cells, int c, mote_real x)
{
    mote_real period = cells->space.period[c], low = cells->space.low[c];
    if (!(period > 0) || (x >= low && x < low + period)) return x;
    return wrapped(x, low, period);
}

/* Beyond the last cell is the last cell: neighbours stay neighbours. Always as many as the compiler
 * knows of. */
static void axis_cells(const Cells *cells, int c, const mote_real x[KEYS_AT_ONCE],
                       int32_t out[KEYS_AT_ONCE])
{
    const mote_real origin = cells->origin[c], inverse = cells->inverse[c];
    const mote_real last = (mote_real)(cells->side[c] - 1);
    for (size_t i = 0; i < KEYS_AT_ONCE; ++i) {
        mote_real at = (x[i] - origin) * inverse;
        at = at > 0 ? at : 0;
        out[i] = (int32_t)(at < last ? at : last);
    }
}

/* Keys of the cells that points are in; UINT64_MAX of those that are not finite. */
static void block_keys(const Cells *cells, const mote_real *const x[3], size_t count,
                       uint64_t *keys)
{
    mote_real near[KEYS_AT_ONCE] = {0}, odd[KEYS_AT_ONCE] = {0};
    int32_t at[3][KEYS_AT_ONCE];
    for (int c = 0; c < 3; ++c) {
        memcpy(near, x[c], count * sizeof *near);
        for (size_t i = 0; i < KEYS_AT_ONCE; ++i) odd[i] += near[i] - near[i];
        for (size_t i = 0; i < count && cells->space.period[c] > 0; ++i)
            near[i] = placed_at(cells, c, near[i]);
        axis_cells(cells, c, near, at[c]);
    }
    for (size_t i = 0; i < count; ++i) {
        uint64_t key = (uint64_t)at[2][i] * cells->side[1] + (uint64_t)at[1][i];
        key = key * cells->side[0] + (uint64_t)at[0][i];
        keys[i] = odd[i] == 0 ? key : UINT64_MAX;
    }
}

/* ---- sorting ---- */

typedef struct SortWork {
    Cells *cells;
    const mote_real *const *x; /* as given */
    uint64_t *keys;            /* by point */
    struct Sorting *sorting;   /* by a table; else NULL */
} SortWork;

static void key_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    (void)worker;
    for (size_t i = begin; i < end; i += KEYS_AT_ONCE) {
        const mote_real *const x[3] = {work->x[0] + i, work->x[1] + i, work->x[2] + i};
        size_t count = end - i < KEYS_AT_ONCE ? end - i : KEYS_AT_ONCE;
        block_keys(work->cells, x, count, work->keys + i);
    }
}

static void copy_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    const Cells *cells = work->cells;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i)
            cells->x[c][i] = placed_at(cells, c, work->x[c][cells->order[i]]);
}

static uint64_t total_cells(const Cells *cells)
{
    return (uint64_t)cells->side[0] * cells->side[1] * cells->side[2];
}

/* ---- sorting by a table ---- */

/* A counting sort in two rounds, each by pieces of its own: points are dealt into ranges of keys
 * (buckets), and then each bucket is sorted by itself. Both are stable, so points of a cell keep
 * their order, whoever sorts which piece. Those not finite come last. */
enum { MOST_BUCKETS = 256, POINTS_PER_BUCKET = 512 };

/* A key and a point; later an occupied cell's key and its first place. */
typedef struct KeyItem {
    uint32_t key, value;
} KeyItem;

typedef struct Sorting {
    uint32_t total; /* cells; as a key: not finite */
    int shift;      /* bucket = key >> shift */
    size_t buckets, pieces;
    uint32_t *dealt; /* by piece and bucket: how many points; then where they go */
    uint32_t *start; /* by key: how many points; then where they start; then where they end */
    KeyItem *items;
    uint32_t first[MOST_BUCKETS + 1]; /* place, by bucket */
    uint32_t cells[MOST_BUCKETS];     /* occupied, by bucket; then the number of the first */
    uint32_t most[MOST_BUCKETS];      /* points in a cell */
} Sorting;

static uint32_t table_key(const Sorting *s, uint64_t key)
{
    return key < s->total ? (uint32_t)key : s->total;
}

static void count_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    const Sorting *s = work->sorting;
    uint32_t *dealt = s->dealt + begin / POINTS_PER_TASK * s->buckets;
    key_body(context, begin, end, worker);
    memset(dealt, 0, s->buckets * sizeof *dealt);
    for (size_t i = begin; i < end; ++i) ++dealt[table_key(s, work->keys[i]) >> s->shift];
}

/* From counts to places. */
static void add_up(Sorting *s)
{
    uint32_t place = 0;
    for (size_t b = 0; b < s->buckets; ++b) {
        s->first[b] = place;
        for (size_t p = 0; p < s->pieces; ++p) {
            uint32_t count = s->dealt[p * s->buckets + b];
            s->dealt[p * s->buckets + b] = place;
            place += count;
        }
    }
    s->first[s->buckets] = place;
}

static void deal_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    const Sorting *s = work->sorting;
    uint32_t *dealt = s->dealt + begin / POINTS_PER_TASK * s->buckets;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        uint32_t key = table_key(s, work->keys[i]);
        s->items[dealt[key >> s->shift]++] = (KeyItem){key, (uint32_t)i};
    }
}

/* The occupied cells among keys [low, high), into the items, whose points have their places. */
static void note_bucket(Sorting *s, size_t bucket, uint32_t low, uint32_t high)
{
    KeyItem *items = s->items + s->first[bucket];
    uint32_t count = 0, most = 0, place = s->first[bucket];
    for (uint32_t k = low; k < high; ++k) {
        uint32_t points = s->start[k] - place;
        if (points > 0) items[count++] = (KeyItem){k, place};
        most = points > most ? points : most;
        place = s->start[k];
    }
    s->cells[bucket] = count, s->most[bucket] = most;
}

static void sort_bucket(const SortWork *work, size_t bucket)
{
    Sorting *s = work->sorting;
    const uint64_t next = (uint64_t)(bucket + 1) << s->shift;
    const uint32_t low = (uint32_t)bucket << s->shift;
    const uint32_t high = next <= s->total ? (uint32_t)next : s->total + 1;
    const uint32_t begin = s->first[bucket], end = s->first[bucket + 1];
    uint32_t place = begin;
    memset(s->start + low, 0, (high - low) * sizeof *s->start);
    for (uint32_t i = begin; i < end; ++i) ++s->start[s->items[i].key];
    for (uint32_t k = low; k < high; ++k) {
        uint32_t count = s->start[k];
        s->start[k] = place;
        place += count;
    }
    for (uint32_t i = begin; i < end; ++i)
        work->cells->order[s->start[s->items[i].key]++] = s->items[i].value;
    note_bucket(s, bucket, low, high < s->total ? high : s->total);
}

static void bucket_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    for (size_t b = begin; b < end; ++b) {
        sort_bucket(work, b);
        copy_body(context, work->sorting->first[b], work->sorting->first[b + 1], worker);
    }
}

static void name_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    const Sorting *s = work->sorting;
    Cells *cells = work->cells;
    (void)worker;
    for (size_t b = begin; b < end; ++b) {
        size_t next = b + 1 < s->buckets ? s->cells[b + 1] : cells->cell_count;
        const KeyItem *item = s->items + s->first[b];
        for (size_t k = s->cells[b]; k < next; ++k, ++item)
            cells->keys[k] = item->key, cells->first[k] = item->value;
    }
}

static bool start_sorting(Sorting *s, uint64_t total, size_t points, Arena *arena)
{
    size_t most = points / POINTS_PER_BUCKET + 1;
    if (most > MOST_BUCKETS) most = MOST_BUCKETS;
    s->total = (uint32_t)total;
    for (s->shift = 0; total >> s->shift >= most; ++s->shift) {
    }
    s->buckets = (size_t)(total >> s->shift) + 1;
    s->pieces = (points + POINTS_PER_TASK - 1) / POINTS_PER_TASK;
    s->dealt = arena_take(arena, s->pieces * s->buckets * sizeof *s->dealt);
    s->start = arena_take(arena, ((size_t)total + 2) * sizeof *s->start);
    s->items = arena_take(arena, (points + 1) * sizeof *s->items);
    return s->dealt != NULL && s->start != NULL && s->items != NULL;
}

static void count_cells(Cells *cells, Sorting *s)
{
    for (size_t b = 0; b < s->buckets; ++b) {
        uint32_t count = s->cells[b];
        s->cells[b] = (uint32_t)cells->cell_count;
        cells->cell_count += count;
        if (s->most[b] > cells->most) cells->most = s->most[b];
    }
}

static bool sort_by_table(SortWork *work, uint64_t total, Arena *arena, mote_Tasks *tasks)
{
    Cells *cells = work->cells;
    Sorting s;
    if (!start_sorting(&s, total, cells->points, arena)) return false;
    work->sorting = &s;
    mote_parallel_for(tasks, cells->points, POINTS_PER_TASK, count_body, work);
    add_up(&s);
    mote_parallel_for(tasks, cells->points, POINTS_PER_TASK, deal_body, work);
    mote_parallel_for(tasks, s.buckets, 1, bucket_body, work);
    count_cells(cells, &s);
    mote_parallel_for(tasks, s.buckets, 16, name_body, work);
    cells->placed = total > 0 ? s.start[total - 1] : 0;
    cells->ends = s.start;
    work->sorting = NULL;
    return true;
}

/* ---- sorting without ---- */

static void note_cells(Cells *cells, const SortItem *items)
{
    size_t i = 0;
    for (size_t next; i < cells->points && items[i].key != UINT64_MAX; i = next) {
        for (next = i + 1; next < cells->points && items[next].key == items[i].key; ++next) {
        }
        if (next - i > cells->most) cells->most = next - i;
        cells->keys[cells->cell_count] = items[i].key;
        cells->first[cells->cell_count++] = (uint32_t)i;
    }
    cells->placed = i;
}

static bool sort_sparsely(SortWork *work, Arena *arena, mote_Tasks *tasks)
{
    Cells *cells = work->cells;
    mote_parallel_for(tasks, cells->points, POINTS_PER_TASK, key_body, work);
    SortItem *items = arena_take(arena, 2 * cells->points * sizeof *items);
    if (items == NULL) return false;
    for (size_t i = 0; i < cells->points; ++i) items[i] = (SortItem){work->keys[i], i};
    sort_items(items, items + cells->points, cells->points);
    for (size_t i = 0; i < cells->points; ++i) cells->order[i] = (uint32_t)items[i].value;
    note_cells(cells, items);
    mote_parallel_for(tasks, cells->points, POINTS_PER_TASK, copy_body, work);
    return true;
}

static bool take_arrays(Cells *cells, SortWork *work, Arena *arena)
{
    size_t n = cells->points + CELLS_SPARE;
    work->keys = arena_take(arena, n * sizeof *work->keys);
    cells->keys = arena_take(arena, n * sizeof *cells->keys);
    cells->first = arena_take(arena, n * sizeof *cells->first);
    cells->order = arena_take(arena, n * sizeof *cells->order);
    bool room =
        work->keys != NULL && cells->keys != NULL && cells->first != NULL && cells->order != NULL;
    for (int c = 0; c < 3; ++c) {
        cells->x[c] = arena_take(arena, n * sizeof(mote_real));
        room = room && cells->x[c] != NULL;
    }
    return room;
}

bool cells_make(Cells *cells, const CellSpace *space, mote_real reach, const mote_real *const x[3],
                size_t points, Arena *arena, mote_Tasks *tasks)
{
    *cells = (Cells){.space = *space, .reach = reach, .points = points};
    SortWork work = {.cells = cells, .x = x};
    Box box = {{0}, {0}};
    if (!take_arrays(cells, &work, arena)) return false;
    if (points > 0 && !find_box(x, points, arena, tasks, &box)) return false;
    choose_grid(cells, &box);
    uint64_t total = total_cells(cells);
    bool table = total <= TABLE_SHARE * (uint64_t)points + TABLE_SPARE && total < UINT32_MAX;
    if (!(table ? sort_by_table(&work, total, arena, tasks) : sort_sparsely(&work, arena, tasks)))
        return false;
    cells->first[cells->cell_count] = (uint32_t)cells->placed;
    for (size_t i = 0; i < CELLS_SPARE / 2; ++i) cells->keys[cells->cell_count + i] = UINT64_MAX;
    for (int c = 0; c < 3; ++c) memset(cells->x[c] + points, 0, CELLS_SPARE * sizeof(mote_real));
    return true;
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

/* The cells with keys from `key` to `last`, at most three, of one row. */
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
