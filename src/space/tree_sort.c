/* Sorting along Morton's curve. Many points are dealt out to buckets by the first bits of their
 * keys, and buckets are sorted by whoever is free: the order is that of one stable sort. */
#include "space/tree_sort.h"

#include "base/loop.h"
#include "base/sort.h"

#include <string.h>

/* Bits of a key an axis. */
enum { KEY_BITS = 21 };

typedef struct TreeCube {
    mote_real low[3], side;
} TreeCube;

static TreeCube cube_of(const mote_real *const x[3], size_t count)
{
    TreeCube cube = {.side = 0};
    for (int c = 0; c < 3; ++c) {
        mote_real low = x[c][0], high = x[c][0];
        for (size_t i = 1; i < count; ++i) {
            low = x[c][i] < low ? x[c][i] : low;
            high = x[c][i] > high ? x[c][i] : high;
        }
        cube.low[c] = low;
        cube.side = high - low > cube.side ? high - low : cube.side;
    }
    return cube;
}

/* Morton's order: bits of x, y and z in turn, so that points whose keys begin alike are in one
 * cube. */
static uint64_t key_of(const TreeCube *cube, const mote_real *const x[3], size_t i)
{
    const double cells = (double)(1 << KEY_BITS);
    uint64_t key = 0;
    for (int c = 0; c < 3; ++c) {
        double at = cube->side > 0 ? (double)(x[c][i] - cube->low[c]) / (double)cube->side : 0;
        at = at * cells;
        at = at < cells - 1 ? at : cells - 1;
        key |= sort_spread(at > 0 ? (uint64_t)at : 0) << c;
    }
    return key;
}

/* ---- buckets ---- */

enum {
    BUCKET_BITS = 9, /* cubes of an eighth of the side */
    BUCKETS = 1 << BUCKET_BITS,
    PER_TASK = 8192,
    FEW_POINTS = 4 * PER_TASK /* that one sorts alone */
};

typedef struct TreeSort {
    Tree *tree;
    const mote_real *const *x;
    TreeCube cube;
    SortItem *items, *spare;
    uint32_t *dealt; /* of each task and bucket: how many; then where the next one goes */
    uint32_t first[BUCKETS + 1];
} TreeSort;

static size_t bucket_of(uint64_t key)
{
    return (size_t)(key >> (3 * KEY_BITS - BUCKET_BITS));
}

static void key_body(void *context, size_t begin, size_t end, int worker)
{
    const TreeSort *s = context;
    uint32_t *dealt = s->dealt + begin / PER_TASK * BUCKETS;
    (void)worker;
    memset(dealt, 0, BUCKETS * sizeof *dealt);
    for (size_t i = begin; i < end; ++i) {
        s->items[i] = (SortItem){key_of(&s->cube, s->x, i), i};
        ++dealt[bucket_of(s->items[i].key)];
    }
}

static void deal_body(void *context, size_t begin, size_t end, int worker)
{
    const TreeSort *s = context;
    uint32_t *dealt = s->dealt + begin / PER_TASK * BUCKETS;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        s->spare[dealt[bucket_of(s->items[i].key)]++] = s->items[i];
}

/* Places are copied in the order of the keys, so that the points of a cell lie side by side. */
static void keep_points(const TreeSort *s, const SortItem *items, size_t begin, size_t end)
{
    const Tree *tree = s->tree;
    for (size_t i = begin; i < end; ++i) {
        tree->order[i] = (uint32_t)items[i].value;
        tree->keys[i] = items[i].key;
        for (int c = 0; c < 3; ++c) tree->x[c][i] = s->x[c][items[i].value];
    }
}

static void bucket_body(void *context, size_t begin, size_t end, int worker)
{
    const TreeSort *s = context;
    (void)worker;
    for (size_t b = begin; b < end; ++b) {
        const size_t first = s->first[b], count = s->first[b + 1] - first;
        sort_items(s->spare + first, s->items + first, count);
        keep_points(s, s->spare, first, first + count);
    }
}

static void place_buckets(TreeSort *s, size_t pieces)
{
    uint32_t place = 0;
    for (size_t b = 0; b < BUCKETS; ++b) {
        s->first[b] = place;
        for (size_t p = 0; p < pieces; ++p) {
            uint32_t *dealt = &s->dealt[p * BUCKETS + b], count = *dealt;
            *dealt = place;
            place += count;
        }
    }
    s->first[BUCKETS] = place;
}

static void sort_alone(TreeSort *s)
{
    const size_t n = s->tree->count;
    for (size_t i = 0; i < n; ++i) s->items[i] = (SortItem){key_of(&s->cube, s->x, i), i};
    sort_items(s->items, s->spare, n);
    keep_points(s, s->items, 0, n);
}

bool tree_sort(Tree *tree, const mote_real *const x[3], Arena *arena, mote_Tasks *tasks)
{
    const size_t n = tree->count, pieces = (n + PER_TASK - 1) / PER_TASK;
    TreeSort s = {.tree = tree, .x = x, .cube = cube_of(x, n)};
    s.items = arena_take(arena, n * sizeof *s.items);
    s.spare = arena_take(arena, n * sizeof *s.spare);
    s.dealt = arena_take(arena, pieces * BUCKETS * sizeof *s.dealt);
    tree->order = arena_take(arena, n * sizeof *tree->order);
    tree->keys = arena_take(arena, n * sizeof *tree->keys);
    bool room = s.items != NULL && s.spare != NULL && s.dealt != NULL && tree->order != NULL &&
                tree->keys != NULL;
    for (int c = 0; c < 3; ++c) {
        tree->x[c] = arena_take(arena, n * sizeof(mote_real));
        room = room && tree->x[c] != NULL;
    }
    if (!room) return false;
    if (n <= FEW_POINTS) {
        sort_alone(&s);
        return true;
    }
    mote_parallel_for(tasks, n, PER_TASK, key_body, &s);
    place_buckets(&s, pieces);
    mote_parallel_for(tasks, n, PER_TASK, deal_body, &s);
    mote_parallel_for(tasks, BUCKETS, 1, bucket_body, &s);
    return true;
}
