/* Cells: a counting sort with a table over the window, in two rounds, each by pieces of its own.
 * Both are stable, whoever sorts which piece. */
#include "space/cells_sort.h"

#include <string.h>

static uint32_t table_key(const SortWork *s, uint64_t key)
{
    return key < s->no_key ? (uint32_t)key : (uint32_t)s->no_key;
}

static void deal_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *s = context;
    uint32_t *dealt = s->dealt + begin / SORT_PER_TASK * s->buckets;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        uint32_t key = table_key(s, s->keys[i]);
        s->items[dealt[key >> s->shift]++] = (CellItem){key, (uint32_t)i};
    }
}

/* The occupied cells among keys [low, high), into the items, whose points have their places. */
static void note_bucket(SortWork *s, size_t bucket, uint32_t low, uint32_t high)
{
    CellItem *items = s->items + s->first[bucket];
    uint32_t count = 0, most = 0, place = s->first[bucket];
    for (uint32_t k = low; k < high; ++k) {
        const uint32_t end = s->start[k], points = end - place;
        if (points == 0) continue;
        items[count++] = (CellItem){k, place};
        sort_cell(s, place, end);
        most = points > most ? points : most;
        place = end;
    }
    s->cells_of[bucket] = count, s->most_of[bucket] = most;
}

static void sort_bucket(SortWork *s, size_t bucket)
{
    const uint64_t next = (uint64_t)(bucket + 1) << s->shift;
    const uint32_t low = (uint32_t)bucket << s->shift, total = (uint32_t)s->no_key;
    const uint32_t high = next <= total ? (uint32_t)next : total + 1;
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
        s->cells->order[s->start[s->items[i].key]++] = s->items[i].value;
    note_bucket(s, bucket, low, high < total ? high : total);
}

static void bucket_body(void *context, size_t begin, size_t end, int worker)
{
    SortWork *s = context;
    (void)worker;
    for (size_t b = begin; b < end; ++b) {
        sort_bucket(s, b);
        sort_copy(s, s->first[b], s->first[b + 1]);
    }
}

static bool start(SortWork *s, uint64_t total, Arena *arena)
{
    const size_t points = s->points->count;
    size_t most = points / SORT_PER_BUCKET + 1;
    if (most > SORT_MOST_BUCKETS) most = SORT_MOST_BUCKETS;
    for (s->shift = 0; total >> s->shift >= most; ++s->shift) {
    }
    s->no_key = total;
    s->buckets = (size_t)(total >> s->shift) + 1;
    s->dealt = arena_take(arena, s->pieces * s->buckets * sizeof *s->dealt);
    s->start = arena_take(arena, ((size_t)total + 2) * sizeof *s->start);
    s->items = arena_take(arena, (points + 1) * sizeof *s->items);
    return s->dealt != NULL && s->start != NULL && s->items != NULL;
}

bool sort_by_table(SortWork *s, uint64_t total, Arena *arena, mote_Tasks *tasks)
{
    if (!start(s, total, arena)) return false;
    sort_count(s, tasks);
    mote_parallel_for(tasks, s->points->count, SORT_PER_TASK, deal_body, s);
    mote_parallel_for(tasks, s->buckets, 1, bucket_body, s);
    sort_name_cells(s, tasks);
    s->cells->placed = total > 0 ? s->start[total - 1] : 0;
    s->cells->ends = s->start;
    return true;
}
