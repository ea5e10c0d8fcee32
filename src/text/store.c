/* The store: pieces double from 32 KiB to 1 MiB, so that small scenes stay small. */
#include "text/store.h"

#include "base/forbid.h"

#include <string.h>

enum { STORE_ALIGNMENT = 8, FIRST_PIECE = 32 * 1024, LARGEST_PIECE = 1024 * 1024 };

Store store_make(Memory *memory)
{
    return (Store){.arena = arena_make(memory), .piece = FIRST_PIECE};
}

void store_free(Store *store)
{
    arena_free(&store->arena);
    *store = store_make(store->arena.memory);
}

static void *take_from_arena(Store *store, size_t size)
{
    void *block = arena_take(&store->arena, size);
    if (block == NULL) store->failed = true;
    return block;
}

static bool add_piece(Store *store)
{
    char *piece = take_from_arena(store, store->piece);
    if (piece == NULL) return false;
    store->at = piece;
    store->left = store->piece;
    forbid(piece, store->piece);
    if (store->piece < LARGEST_PIECE) store->piece *= 2;
    return true;
}

void *store_take(Store *store, size_t size)
{
    /* Large blocks by themselves: they would leave much of a piece unused. */
    if (size > FIRST_PIECE / 4) return take_from_arena(store, size);
    size_t taken = ((size + STORE_ALIGNMENT - 1) & ~(size_t)(STORE_ALIGNMENT - 1)) + FORBID_GAP;
    if (taken > store->left && !add_piece(store)) return NULL;
    void *block = store->at;
    store->at += taken;
    store->left -= taken;
    allow(block, size);
    return block;
}

char *store_text(Store *store, const char *bytes, size_t length)
{
    char *copy = store_take(store, length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}
