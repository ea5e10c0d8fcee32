/* Text for people: did-you-mean, sizes; and names to numbers. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/memory.h"
#include <stddef.h>
#include <stdint.h>

/* Edit distance (insert, delete, replace, swap of neighbours) with letters' case ignored; words of
 * more than 63 letters are far from everything. */
int text_distance(const char *a, const char *b);

/* The name nearest to `word`, or NULL when none is near enough to be meant. `name(context, i)`
 * gives the i-th candidate, NULL after the last. */
const char *text_nearest(const char *word, const char *(*name)(const void *context, size_t i),
                         const void *context);

/* ---- numbers of bytes ---- */

enum { SIZE_TEXT = 32 };

/* "512 bytes", "1.5 MB": powers of 1000. */
void size_text(uint64_t bytes, char text[SIZE_TEXT]);

/* ---- names to numbers ---- */

/* Names and where they are: a hash table with open addressing, for lists of many objects. */

typedef struct NameSlot {
    const char *name; /* of the caller; NULL: free */
    size_t value;
} NameSlot;

typedef struct NameIndex {
    Memory *memory;
    NameSlot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;
} NameIndex;

NameIndex name_index_make(Memory *memory);
void name_index_free(NameIndex *index);
/* Forgets all names and keeps their room. */
void name_index_clear(NameIndex *index);

/* The value of a name, or SIZE_MAX. */
size_t name_index_find(const NameIndex *index, const char *name);
/* Makes room for one more name, so that adding it cannot fail; false when out of memory. */
bool name_index_reserve(NameIndex *index);
/* Adds a name that is not there yet and must live as long; false when out of memory. */
bool name_index_add(NameIndex *index, const char *name, size_t value);

#endif
