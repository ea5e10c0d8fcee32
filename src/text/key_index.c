/* Members by key: open addressing with linear probing, at most half full. */
#include "text/key_index.h"

#include "base/hash.h"

#include <string.h>

/* Members up to which a search one by one is quicker than a table. */
enum { SEARCHED = 16 };

static bool same_key(const Node *a, const Node *b)
{
    return strcmp(a->key, b->key) == 0;
}

/* The slot that holds the key, or the free one where it belongs. Counts are powers of two, so the
 * mask is the remainder; at most half are taken, so the search ends. */
static Node **slot_of(const KeyIndex *index, const Node *like)
{
    size_t mask = index->slot_count - 1, at = (size_t)hash_text(like->key) & mask;
    while (index->slots[at] != NULL && !same_key(index->slots[at], like)) at = (at + 1) & mask;
    return &index->slots[at];
}

Node *key_index_find(const KeyIndex *index, const Node *like)
{
    if (index->slots != NULL) return *slot_of(index, like);
    for (Node *member = index->object->first; member != NULL; member = member->next)
        if (same_key(member, like)) return member;
    return NULL;
}

void key_index_add(KeyIndex *index, Node *member)
{
    if (index->slots == NULL) return;
    Node **slot = slot_of(index, member);
    if (*slot == NULL) *slot = member;
}

static bool make_slots(Memory *memory, size_t members, KeyIndex *index)
{
    size_t count = 64;
    while (count < 2 * members) count *= 2;
    index->slots = memory_zeroed(memory, count * sizeof *index->slots);
    index->slot_count = count;
    return index->slots != NULL;
}

bool key_index_make(Memory *memory, Node *object, size_t more, KeyIndex *index)
{
    *index = (KeyIndex){.memory = memory, .object = object};
    size_t members = object->count + more;
    if (members <= SEARCHED) return true;
    if (!make_slots(memory, members, index)) return false;
    for (Node *member = object->first; member != NULL; member = member->next)
        key_index_add(index, member);
    return true;
}

void key_index_free(KeyIndex *index)
{
    memory_free(index->memory, index->slots, index->slot_count * sizeof *index->slots);
    *index = (KeyIndex){.memory = index->memory};
}

bool key_index_duplicates(Memory *memory, Node *object,
                          void (*report)(void *context, const Node *first, const Node *second),
                          void *context)
{
    KeyIndex index;
    if (!key_index_make(memory, object, 0, &index)) return false;
    for (Node *member = object->first; member != NULL; member = member->next) {
        const Node *first = key_index_find(&index, member);
        if (first != member) report(context, first, member);
    }
    key_index_free(&index);
    return true;
}
