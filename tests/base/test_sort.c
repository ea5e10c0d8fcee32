/* Radix sort against a comparison with qsort's order, and stability. */
#include "check.h"

#include "base/hash.h"
#include "base/sort.h"

#include <stdlib.h>

enum { MOST = 5000 };

static void check_sorted(size_t count, uint64_t mask)
{
    static SortItem items[MOST], spare[MOST];
    for (size_t i = 0; i < count; ++i) items[i] = (SortItem){hash_mix(i + 77) & mask, i};
    sort_items(items, spare, count);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; ++i) {
        sum += items[i].value;
        CHECK(items[i].key == (hash_mix(items[i].value + 77) & mask));
        if (i == 0) continue;
        bool ordered = items[i - 1].key < items[i].key;
        bool stable = items[i - 1].key == items[i].key && items[i - 1].value < items[i].value;
        CHECK(ordered || stable);
    }
    CHECK(count == 0 || sum == (uint64_t)count * (count - 1) / 2);
}

static void sorts_and_is_stable(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, MOST};
    static const uint64_t masks[] = {0, 1, 0xff, 0xff00, 0xffff, UINT64_MAX, 0xff000000000000ffu};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
        for (size_t m = 0; m < sizeof masks / sizeof masks[0]; ++m)
            check_sorted(counts[c], masks[m]);
}

TESTS({"sorts_and_is_stable", sorts_and_is_stable})
