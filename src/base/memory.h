/* Memory: one allocator function, 64-byte aligned and counted, and an arena for per-step memory.
 *
 * Everything the library allocates goes through a Memory, so that a test can count (a step after
 * warm-up allocates nothing) and inject failures. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <mote/base.h>

enum { MEMORY_ALIGNMENT = 64 };

typedef struct Memory {
    mote_Allocator allocator;
    size_t bytes;         /* held now */
    size_t peak_bytes;    /* most ever held */
    uint64_t allocations; /* calls that asked for memory, ever */
} Memory;

/* allocator.resize NULL: the default allocator. */
Memory memory_make(mote_Allocator allocator);

/* NULL when there is none; size 0 gives NULL too. memory_zeroed clears. */
void *memory_take(Memory *memory, size_t size);
void *memory_zeroed(Memory *memory, size_t size);
/* Keeps the contents; on failure returns NULL and the old block stays. */
void *memory_resize(Memory *memory, void *block, size_t old_size, size_t new_size);
void memory_free(Memory *memory, void *block, size_t size);

/* Makes room in a growing array of `item` bytes each: *capacity grows by half at least. */
bool memory_reserve(Memory *memory, void **items, size_t *capacity, size_t wanted, size_t item);

/* A copy of `text`, or NULL; free with memory_free_text. */
char *memory_text(Memory *memory, const char *text);
void memory_free_text(Memory *memory, char *text);

/* Memory for one step: handed out by bumping, given back all at once. When a step needs more than
 * the block holds, further blocks are taken and merged into one at the next reset. */
typedef struct Arena {
    Memory *memory;
    struct ArenaBlock *blocks; /* newest first */
    size_t used;               /* of the newest block */
    size_t total;              /* handed out since the reset */
} Arena;

Arena arena_make(Memory *memory);
void *arena_take(Arena *arena, size_t size); /* 64-byte aligned; NULL when out of memory */
void arena_reset(Arena *arena);

/* Gives back what was taken since the mark, if it came from the block of that time. */
typedef struct ArenaMark {
    const struct ArenaBlock *block;
    size_t used, total;
} ArenaMark;

ArenaMark arena_mark(const Arena *arena);
void arena_rewind(Arena *arena, ArenaMark mark);
void arena_free(Arena *arena);

#endif
