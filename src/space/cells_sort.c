/* Cells: sorting points by the cell that they are in, ties in the order given. */
#include "space/cells.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { POINTS_PER_TASK = 4096, KEYS_AT_ONCE = 128 };

/* A table over all cells, empty ones too, is used while it is not much larger than the points. */
enum { TABLE_SPARE = 1 << 16, TABLE_SHARE = 8 };

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

/* ---- either way ---- */

bool cells_sort(Cells *cells, const mote_real *const x[3], Arena *arena, mote_Tasks *tasks)
{
    SortWork work = {.cells = cells, .x = x};
    uint64_t total = (uint64_t)cells->side[0] * cells->side[1] * cells->side[2];
    bool table = total <= TABLE_SHARE * (uint64_t)cells->points + TABLE_SPARE && total < UINT32_MAX;
    work.keys = arena_take(arena, (cells->points + CELLS_SPARE) * sizeof *work.keys);
    if (work.keys == NULL) return false;
    return table ? sort_by_table(&work, total, arena, tasks) : sort_sparsely(&work, arena, tasks);
}
