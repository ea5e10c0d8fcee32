/* Members of an object by key: a hash table for large objects, so that a hostile file with a
 * million keys is read in linear time. */
#ifndef TEXT_KEY_INDEX_H
#define TEXT_KEY_INDEX_H

#include "base/memory.h"
#include "text/json5.h"

typedef struct KeyIndex {
    Memory *memory;
    Node *object;
    Node **slots; /* NULL: the object is small and is searched */
    size_t slot_count;
} KeyIndex;

/* An index of the members, with room for `more`. False when out of memory. Where keys are equal,
 * the first member stays. */
bool key_index_make(Memory *memory, Node *object, size_t more, KeyIndex *index);
void key_index_free(KeyIndex *index);
/* The member with the key of `like`, or NULL. */
Node *key_index_find(const KeyIndex *index, const Node *like);
/* Says that `member` was appended to the object. */
void key_index_add(KeyIndex *index, Node *member);

/* Calls `report` for every member whose key an earlier one has. False when out of memory. */
bool key_index_duplicates(Memory *memory, Node *object,
                          void (*report)(void *context, const Node *first, const Node *second),
                          void *context);

#endif
