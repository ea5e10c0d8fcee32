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

#endif
