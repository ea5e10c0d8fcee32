/* Cells: sorting where the window has far more cells than points, as spray has. Keys are split into
 * buckets by some of the keys themselves, so that they are about as full wherever points are
 * (Frazer and McKellar 1970, samplesort), and each bucket is sorted by digits. */
#include "space/cells_sort.h"

#include "base/sort.h"

enum { SAMPLES_PER_BUCKET = 16 };

static void key_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    sort_keys(context, begin, end);
}

static void deal_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *s = context;
    uint32_t *dealt = s->dealt + begin / SORT_PER_TASK * s->buckets;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        s->wide[dealt[sort_bucket_of(s, s->keys[i])]++] = (SortItem){s->keys[i], i};
}

/* The occupied cells of a bucket, into its items. */
static void note_bucket(SortWork *s, size_t bucket)
{
    const uint32_t begin = s->first[bucket], end = s->first[bucket + 1];
    uint32_t count = 0, most = 0, next;
    for (uint32_t i = begin; i < end && s->wide[i].key != UINT64_MAX; i = next) {
        const uint64_t key = s->wide[i].key;
        for (next = i + 1; next < end && s->wide[next].key == key; ++next) {
        }
        sort_cell(s, i, next);
        most = next - i > most ? next - i : most;
        s->wide[begin + count++] = (SortItem){key, i};
    }
    s->cells_of[bucket] = count, s->most_of[bucket] = most;
}

static void bucket_body(void *context, size_t begin, size_t end, int worker)
{
    SortWork *s = context;
    SortItem *spare = s->wide + s->points->count;
    (void)worker;
    for (size_t b = begin; b < end; ++b) {
        const uint32_t first = s->first[b], next = s->first[b + 1];
        sort_items(s->wide + first, spare + first, next - first);
        for (uint32_t i = first; i < next; ++i) s->cells->order[i] = (uint32_t)s->wide[i].value;
        note_bucket(s, b);
        sort_copy(s, first, next);
    }
}

static bool choose_splits(SortWork *s, Arena *arena)
{
    const size_t points = s->points->count, samples = s->buckets * SAMPLES_PER_BUCKET;
    SortItem *items = arena_take(arena, 2 * samples * sizeof *items);
    uint64_t *splits = arena_take(arena, s->buckets * sizeof *splits);
    if (items == NULL || splits == NULL) return false;
    for (size_t i = 0; i < samples; ++i) items[i] = (SortItem){s->keys[points * i / samples], 0};
    sort_items(items, items + samples, samples);
    for (size_t b = 1; b < s->buckets; ++b) splits[b - 1] = items[b * SAMPLES_PER_BUCKET].key;
    s->splits = splits;
    return true;
}

bool sort_sparsely(SortWork *s, Arena *arena, mote_Tasks *tasks)
{
    const size_t points = s->points->count;
    s->buckets = points / SORT_PER_BUCKET + 1;
    if (s->buckets > SORT_MOST_BUCKETS) s->buckets = SORT_MOST_BUCKETS;
    s->dealt = arena_take(arena, s->pieces * s->buckets * sizeof *s->dealt);
    s->wide = arena_take(arena, 2 * points * sizeof *s->wide);
    if (s->dealt == NULL || s->wide == NULL) return false;
    mote_parallel_for(tasks, points, SORT_PER_TASK, key_body, s);
    if (!choose_splits(s, arena)) return false;
    sort_count(s, tasks);
    mote_parallel_for(tasks, points, SORT_PER_TASK, deal_body, s);
    mote_parallel_for(tasks, s->buckets, 1, bucket_body, s);
    sort_name_cells(s, tasks);
    s->cells->placed = s->first[s->buckets];
    while (s->cells->placed > 0 && s->keys[s->cells->order[s->cells->placed - 1]] == UINT64_MAX)
        --s->cells->placed;
    return true;
}
