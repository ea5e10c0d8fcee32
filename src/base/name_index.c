/* Names and where they are. At most half of the slots are taken. */
#include "base/name_index.h"

#include "base/hash.h"

#include <string.h>

NameIndex name_index_make(Memory *memory)
{
    return (NameIndex){.memory = memory};
}

void name_index_free(NameIndex *index)
{
    memory_free(index->memory, index->slots, index->slot_count * sizeof *index->slots);
    *index = name_index_make(index->memory);
}

void name_index_clear(NameIndex *index)
{
    if (index->slot_count > 0) memset(index->slots, 0, index->slot_count * sizeof *index->slots);
    index->count = 0;
}

/* The slot that holds the name, or the free one where it belongs. */
static NameSlot *slot_of(const NameIndex *index, const char *name)
{
    size_t at = (size_t)hash_text(name) & (index->slot_count - 1);
    while (index->slots[at].name != NULL && strcmp(index->slots[at].name, name) != 0)
        at = (at + 1) & (index->slot_count - 1);
    return &index->slots[at];
}

size_t name_index_find(const NameIndex *index, const char *name)
{
    if (index->slot_count == 0) return SIZE_MAX;
    const NameSlot *slot = slot_of(index, name);
    return slot->name != NULL ? slot->value : SIZE_MAX;
}

static bool grow(NameIndex *index)
{
    NameIndex wider = {.memory = index->memory, .count = index->count};
    wider.slot_count = index->slot_count > 0 ? 2 * index->slot_count : 16;
    wider.slots = memory_zeroed(index->memory, wider.slot_count * sizeof *wider.slots);
    if (wider.slots == NULL) return false;
    for (size_t i = 0; i < index->slot_count; ++i)
        if (index->slots[i].name != NULL) *slot_of(&wider, index->slots[i].name) = index->slots[i];
    name_index_free(index);
    *index = wider;
    return true;
}

bool name_index_reserve(NameIndex *index)
{
    return 2 * (index->count + 1) <= index->slot_count || grow(index);
}

bool name_index_add(NameIndex *index, const char *name, size_t value)
{
    if (!name_index_reserve(index)) return false;
    *slot_of(index, name) = (NameSlot){name, value};
    ++index->count;
    return true;
}
