/* Sorting the splats of a tile: a stable radix sort of 64-bit words with the depth in the high half
 * and the slot in the low one; then the same by id for each run of equal depths, and word by word
 * for each run of equal ids (particles of two systems may have them). */
#include "render/order.h"

#include <string.h>

enum { DIGITS = 4, VALUES = 256, FEW = 24 };

/* By the high half, stable. */
static void insertion_sort(uint64_t *words, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t word = words[i];
        size_t k = i;
        for (; k > 0 && words[k - 1] >> 32 > word >> 32; --k) words[k] = words[k - 1];
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

/* By the high half; equal ones keep their order. */
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

/* Word `word` of a splat and its streak. */
static uint32_t slot_word(const Splat *splat, size_t word)
{
    uint32_t value;
    if (word >= sizeof *splat / sizeof value * splat_slots(splat)) return 0;
    memcpy(&value, (const char *)splat + word * sizeof value, sizeof value);
    return value;
}

static void sort_by_word(const Splat *slots, size_t count, size_t word, uint64_t *keys,
                         uint64_t *spare)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t slot = keys[i] & UINT32_MAX;
        keys[i] = (uint64_t)slot_word(&slots[slot], word) << 32 | slot;
    }
    sort_words(keys, spare, count);
}

/* The end of the run of equal high halves that begins at `begin`. */
static size_t run_end(const uint64_t *keys, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count && keys[end] >> 32 == keys[begin] >> 32) ++end;
    return end;
}

static void sort_equal_ids(const Splat *slots, size_t count, uint64_t *keys, uint64_t *spare)
{
    enum { WORDS = (sizeof(Splat) + sizeof(Streak)) / sizeof(uint32_t) };
    for (size_t word = WORDS; word-- > 0;) sort_by_word(slots, count, word, keys, spare);
}

static void sort_equal_depths(const Splat *slots, size_t count, uint64_t *keys, uint64_t *spare)
{
    sort_by_word(slots, count, offsetof(Splat, id) / sizeof(uint32_t), keys, spare);
    for (size_t i = 0, end; i < count; i = end) {
        end = run_end(keys, i, count);
        if (end - i > 1) sort_equal_ids(slots, end - i, keys + i, spare);
    }
}

void splat_order(const Splat *slots, size_t count, uint64_t *keys, uint64_t *spare)
{
    sort_words(keys, spare, count);
    for (size_t i = 0, end; i < count; i = end) {
        end = run_end(keys, i, count);
        if (end - i > 1) sort_equal_depths(slots, end - i, keys + i, spare);
    }
}
