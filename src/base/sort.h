/* Stable radix sort of 64-bit keys, each with a value. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct SortItem {
    uint64_t key;
    uint64_t value;
} SortItem;

/* Sorts items by key, equal keys keep their order. `spare` has room for as many; the result is in
 * `items`. Least significant digit first, 8 bits a pass, passes with one digit only are skipped. */
void sort_items(SortItem *items, SortItem *spare, size_t count);

/* The first item of sorted ones whose key is not below `key`; `count`: there is none. */
size_t sort_find(const SortItem *items, size_t count, uint64_t key);

/* The low 21 bits with two zeros after each: three of them are a key along the Morton curve. */
static inline uint64_t sort_spread(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffffu;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffu;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

#endif
