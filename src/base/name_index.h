/* Names and where they are: a hash table with open addressing, for lists of many objects. */
#ifndef BASE_NAME_INDEX_H
#define BASE_NAME_INDEX_H

#include "base/memory.h"

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
