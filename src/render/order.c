/* Sorting the splats of a tile: 64-bit words with the depth in the high half and the place
 * in the low one. Depths that are spread evenly go to as many buckets as there are splats and are
 * put into order by insertion; others take a radix sort. Both are stable; then the same by id for
 * each run of equal depths, and word by word for each run of equal ids (particles of two systems
 * may have them). */
#include "render/bins.h"

#include <string.h>

enum { DIGITS = 4, VALUES = 256, FEW = 24, BUCKETS = 8192, CROWD = 24 };

/* From `from` to `to` (they may be the same) by the high half, stable. True when two are equal. */
static bool insertion_sort(const uint64_t *from, uint64_t *to, size_t count)
{
    bool equal = false;
    if (count > 0) to[0] = from[0];
    for (size_t i = 1; i < count; ++i) {
        uint64_t word = from[i], before = to[i - 1];
        size_t k = i;
        for (; before >> 32 > word >> 32; before = to[k - 1]) {
            to[k] = before;
            if (--k == 0) break;
        }
        to[k] = word;
        equal |= k > 0 && (before ^ word) >> 32 == 0;
    }
    return equal;
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
        insertion_sort(words, words, count);
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

/* The shift that leaves `range` below `buckets`. */
static int bucket_shift(uint32_t range, uint32_t buckets)
{
    int shift = 0;
    while (range >> shift >= buckets) ++shift;
    return shift;
}

/* Counts to starts; false when a bucket holds too many. */
static bool bucket_starts(uint16_t *counts, uint32_t buckets)
{
    uint32_t sum = 0, most = 0;
    for (uint32_t i = 0; i < buckets; ++i) {
        uint32_t n = counts[i];
        most = n > most ? n : most;
        counts[i] = (uint16_t)sum;
        sum += n;
    }
    return most <= CROWD;
}

typedef enum Sorted { SORTED_NOT, SORTED, SORTED_WITH_EQUALS } Sorted;

/* SORTED_NOT, with nothing moved, when the keys are too uneven. */
static Sorted sort_by_buckets(uint64_t *words, uint64_t *spare, size_t count)
{
    uint16_t counts[BUCKETS];
    uint32_t low = UINT32_MAX, high = 0, buckets = 64;
    while (buckets < count && buckets < BUCKETS) buckets *= 2;
    for (size_t i = 0; i < count; ++i) {
        uint32_t key = (uint32_t)(words[i] >> 32);
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    const int shift = bucket_shift(high - low, buckets);
    memset(counts, 0, buckets * sizeof *counts);
    for (size_t i = 0; i < count; ++i) ++counts[((uint32_t)(words[i] >> 32) - low) >> shift];
    if (!bucket_starts(counts, buckets)) return SORTED_NOT;
    for (size_t i = 0; i < count; ++i)
        spare[counts[((uint32_t)(words[i] >> 32) - low) >> shift]++] = words[i];
    return insertion_sort(spare, words, count) ? SORTED_WITH_EQUALS : SORTED;
}

/* Word `word` of a splat and its streak. */
static uint32_t slot_word(const Splat *splat, size_t word)
{
    uint32_t value;
    if (word >= sizeof *splat / sizeof value * splat_slots(splat)) return 0;
    memcpy(&value, (const char *)splat + word * sizeof value, sizeof value);
    return value;
}

static void sort_by_word(const Splat *const *splats, size_t count, size_t word, uint64_t *keys,
                         uint64_t *spare)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t slot = keys[i] & UINT32_MAX;
        keys[i] = (uint64_t)slot_word(splats[slot], word) << 32 | slot;
    }
    sort_words(keys, spare, count);
}

/* Where two equal high halves follow one another, from `begin` on; or `count`. */
static size_t run_begin(const uint64_t *keys, size_t begin, size_t count)
{
    for (size_t i = begin; i + 1 < count; ++i)
        if ((keys[i] ^ keys[i + 1]) >> 32 == 0) return i;
    return count;
}

/* The end of the run of equal high halves that begins at `begin`. */
static size_t run_end(const uint64_t *keys, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count && keys[end] >> 32 == keys[begin] >> 32) ++end;
    return end;
}

static void sort_equal_ids(const Splat *const *splats, size_t count, uint64_t *keys,
                           uint64_t *spare)
{
    enum { WORDS = (sizeof(Splat) + sizeof(Streak)) / sizeof(uint32_t) };
    for (size_t word = WORDS; word-- > 0;) sort_by_word(splats, count, word, keys, spare);
}

static void sort_equal_depths(const Splat *const *splats, size_t count, uint64_t *keys,
                              uint64_t *spare)
{
    sort_by_word(splats, count, offsetof(Splat, id) / sizeof(uint32_t), keys, spare);
    for (size_t i = 0, end; (i = run_begin(keys, i, count)) < count; i = end) {
        end = run_end(keys, i, count);
        sort_equal_ids(splats, end - i, keys + i, spare);
    }
}

void splat_order(const Splat *const *splats, size_t count, uint64_t *keys, uint64_t *spare)
{
    const bool fits = count > FEW && count <= UINT16_MAX;
    const Sorted sorted = fits ? sort_by_buckets(keys, spare, count) : SORTED_NOT;
    if (sorted == SORTED) return;
    if (sorted == SORTED_NOT) sort_words(keys, spare, count);
    for (size_t i = 0, end; (i = run_begin(keys, i, count)) < count; i = end) {
        end = run_end(keys, i, count);
        sort_equal_depths(splats, end - i, keys + i, spare);
    }
}
