/* Leaves of volumes: which of them particles reach. */
#include "io/volume.h"

#include <string.h>

bool box_next(const int64_t low[3], const int64_t high[3], int64_t at[3])
{
    for (int c = 2; c >= 0; --c) {
        if (at[c] < high[c]) return ++at[c], true;
        at[c] = low[c];
    }
    return false;
}

void ball_leaves(const VolumeBall *ball, int64_t low[3], int64_t high[3])
{
    for (int c = 0; c < 3; ++c)
        low[c] = ball->low[c] >> VOLUME_LOG, high[c] = ball->high[c] >> VOLUME_LOG;
}

/* Bits from the highest: 12 an axis of the root's children, 5 of theirs, 4 of theirs. */
static const int key_bits[] = {12, 5, 4};

uint64_t volume_key(const int64_t leaf[3])
{
    uint64_t key = 0;
    int below = 21;
    for (int level = 0; level < 3; ++level) {
        below -= key_bits[level];
        for (int c = 0; c < 3; ++c)
            key = key << key_bits[level] |
                  ((uint64_t)(leaf[c] + VOLUME_HALF) >> below & ((1u << key_bits[level]) - 1));
    }
    return key;
}

void volume_leaf(uint64_t key, int64_t leaf[3])
{
    int below = 0;
    for (int c = 0; c < 3; ++c) leaf[c] = -VOLUME_HALF;
    for (int level = 2; level >= 0; --level) {
        for (int c = 2; c >= 0; --c) {
            leaf[c] += (int64_t)(key & ((1u << key_bits[level]) - 1)) << below;
            key >>= key_bits[level];
        }
        below += key_bits[level];
    }
}

size_t volume_find(const Volume *volume, const int64_t leaf[3])
{
    const uint64_t key = volume_key(leaf);
    const size_t at = sort_find(volume->leaves, volume->leaf_count, key);
    return at < volume->leaf_count && volume->leaves[at].key == key ? at : volume->leaf_count;
}

void leaves_sort(LeafList *list)
{
    size_t kept = 0;
    sort_items(list->items, list->spare, list->count);
    for (size_t i = 0; i < list->count; ++i)
        if (i == 0 || list->items[i].key != list->items[kept - 1].key)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* Many particles share a leaf: when there is no room, doubles go first. */
static bool list_reserve(LeafList *list)
{
    if (list->count < list->room) return true;
    if (list->count > 0) leaves_sort(list);
    if (list->count < list->room / 2) return true;
    const size_t room = list->room > 0 ? 2 * list->room : 1 << 14;
    SortItem *items = arena_take(list->arena, room * sizeof *items);
    list->spare = arena_take(list->arena, room * sizeof *items);
    if (items == NULL || list->spare == NULL) return false;
    if (list->count > 0) memcpy(items, list->items, list->count * sizeof *items);
    list->items = items, list->room = room;
    return true;
}

bool leaves_add(LeafList *list, const VolumeBall *ball)
{
    int64_t low[3], high[3];
    ball_leaves(ball, low, high);
    int64_t at[3] = {low[0], low[1], low[2]};
    do {
        if (!list_reserve(list)) return false;
        list->items[list->count++] = (SortItem){.key = volume_key(at)};
    } while (box_next(low, high, at));
    return true;
}
