/* Sorting points into cells whose window is chosen. */
#ifndef SPACE_CELLS_SORT_H
#define SPACE_CELLS_SORT_H

#include "space/cells.h"

/* Sets order, x, keys, first, ends, placed, cell_count and most; the arrays but `ends` are there.
 * False when out of memory. */
bool cells_sort(Cells *cells, const CellPoints *points, Arena *arena, mote_Tasks *tasks);

/* Whether a table over all cells of the window is not much larger than the points. */
bool cells_have_table(const Cells *cells);

/* ---- for the two files that do it ---- */

enum { SORT_PER_TASK = 4096, SORT_MOST_BUCKETS = 256, SORT_PER_BUCKET = 512 };

/* A key and a point; later an occupied cell's key and its first place. */
typedef struct CellItem {
    uint32_t key, value;
} CellItem;

/* Points are dealt into ranges of keys (buckets) by pieces of the points, and then each bucket is
 * sorted by itself. Those not finite come last. */
typedef struct SortWork {
    Cells *cells;
    const CellPoints *points;
    uint64_t *keys;         /* by point; UINT64_MAX of those not finite */
    int shift;              /* bucket = key >> shift, */
    uint64_t no_key;        /* with this for the key of those not finite; */
    const uint64_t *splits; /* or the number of splits that are not above the key */
    size_t buckets, pieces;
    uint32_t *dealt;       /* by piece and bucket: how many points; then where they go */
    CellItem *items;       /* of sorting by a table */
    uint32_t *start;       /* of it, by key: how many points; where they start; where they end */
    struct SortItem *wide; /* of sorting without */
    uint32_t first[SORT_MOST_BUCKETS + 1]; /* place, by bucket */
    uint32_t cells_of[SORT_MOST_BUCKETS];  /* occupied, by bucket; then the number of the first */
    uint32_t most_of[SORT_MOST_BUCKETS];   /* points in a cell */
} SortWork;

static inline size_t sort_bucket_of(const SortWork *work, uint64_t key)
{
    if (work->splits == NULL)
        return (size_t)((key < work->no_key ? key : work->no_key) >> work->shift);
    size_t low = 0, high = work->buckets - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (work->splits[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Keys of the points [begin, end). */
void sort_keys(const SortWork *work, size_t begin, size_t end);

/* Counts by `splits` or `shift`, in parallel, and says where everybody goes. */
void sort_count(SortWork *work, mote_Tasks *tasks);

/* The points of a cell, in places [begin, end), by their ids. */
void sort_cell(const SortWork *work, uint32_t begin, uint32_t end);

/* Copies where points are, by place. */
void sort_copy(const SortWork *work, size_t begin, size_t end);

/* From counts of cells by bucket to numbers of cells, their keys and first places. */
void sort_name_cells(SortWork *work, mote_Tasks *tasks);

bool sort_by_table(SortWork *work, uint64_t total, Arena *arena, mote_Tasks *tasks);
bool sort_sparsely(SortWork *work, Arena *arena, mote_Tasks *tasks);

#endif
