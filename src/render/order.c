/* Sorting the splats of a tile by (depth, id): a stable radix sort of 64-bit words with the key in
 * the high half and the index in the low one; then the same by id for each run of equal depths. */
#include "render/order.h"

#include <string.h>

enum { DIGITS = 4, VALUES = 256, FEW = 24 };

static void insertion_sort(uint64_t *words, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t word = words[i];
        size_t k = i;
        for (; k > 0 && words[k - 1] > word; --k) words[k] = words[k - 1];
        words[k] = word;
    }
}

static void scatter(const uint64_t *from, uint64_t *to, size_t count, int shift, uint32_t *starts)
{
    uint32_t sum = 0;
    for (int v = 0; v < VALUES; ++v) {
        uint32_t n = starts[v];
        starts[v] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; ++i) to[starts[from[i] >> shift & 255]++] = from[i];
}

/* By the high half; equal ones keep the order of their low halves, which ascend. */
static void sort_words(uint64_t *words, uint64_t *spare, size_t count)
{
    uint32_t counts[DIGITS][VALUES];
    uint64_t *from = words, *to = spare;
    if (count <= FEW) {
        insertion_sort(words, count);
        return;
    }
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < count; ++i)
        for (int d = 0; d < DIGITS; ++d) ++counts[d][words[i] >> (32 + 8 * d) & 255];
    for (int d = 0; d < DIGITS; ++d) {
        if (counts[d][words[0] >> (32 + 8 * d) & 255] == count) continue;
        scatter(from, to, count, 32 + 8 * d, counts[d]);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != words) memcpy(words, from, count * sizeof *words);
}

static void sort_equal(const Splat *splats, uint64_t *order, uint64_t *spare, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t index = order[i] & UINT32_MAX;
        order[i] = (uint64_t)splats[index].id << 32 | index;
    }
    sort_words(order, spare, count);
}

void splat_order(const Splat *splats, size_t count, uint64_t *order, uint64_t *spare)
{
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &splats[i].depth, sizeof bits);
        order[i] = (uint64_t)bits << 32 | i;
    }
    sort_words(order, spare, count);
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t depth = order[i] >> 32;
        for (end = i + 1; end < count && order[end] >> 32 == depth; ++end) continue;
        if (end - i > 1) sort_equal(splats, order + i, spare, end - i);
    }
}
