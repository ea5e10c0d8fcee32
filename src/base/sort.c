/* Stable least-significant-digit radix sort. */
#include "base/sort.h"

#include <string.h>

enum { DIGITS = 8, VALUES = 256 };

static void count_digits(const SortItem *items, size_t count, size_t counts[DIGITS][VALUES])
{
    memset(counts, 0, sizeof(size_t) * DIGITS * VALUES);
    for (size_t i = 0; i < count; ++i)
        for (int d = 0; d < DIGITS; ++d) ++counts[d][(items[i].key >> (8 * d)) & 255];
}

static void scatter(const SortItem *from, SortItem *to, size_t count, int digit,
                    const size_t counts[VALUES])
{
    size_t start[VALUES], sum = 0;
    for (int v = 0; v < VALUES; ++v) {
        start[v] = sum;
        sum += counts[v];
    }
    for (size_t i = 0; i < count; ++i) to[start[(from[i].key >> (8 * digit)) & 255]++] = from[i];
}

/* Eight passes of a byte each at most: a digit that all keys share is passed over, and small ids
 * share most of theirs. All counts are taken in one pass before. */
void sort_items(SortItem *items, SortItem *spare, size_t count)
{
    size_t counts[DIGITS][VALUES];
    SortItem *from = items, *to = spare;
    if (count < 2) return;
    count_digits(items, count, counts);
    for (int d = 0; d < DIGITS; ++d) {
        if (counts[d][(from[0].key >> (8 * d)) & 255] == count) continue;
        scatter(from, to, count, d, counts[d]);
        SortItem *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

size_t sort_find(const SortItem *items, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
