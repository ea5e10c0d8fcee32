/* Memory: the counted allocator and the arena. */
#include "base/memory.h"

#include "base/forbid.h"
#include "base/machine.h"
#include "base/system.h"

#include <assert.h>
#include <string.h>

static size_t aligned(size_t size)
{
    return (size + MEMORY_ALIGNMENT - 1) & ~(size_t)(MEMORY_ALIGNMENT - 1);
}

static void *default_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    void *fresh = NULL;
    if (new_size > SIZE_MAX / 2) return NULL;
    if (new_size > 0) {
        fresh = system_take(new_size);
        if (fresh == NULL) return NULL;
        if (old_size > 0) memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    }
    system_give(block);
    return fresh;
}

mote_Allocator mote_default_allocator(void)
{
    return (mote_Allocator){.resize = default_resize, .context = NULL};
}

Memory memory_make(mote_Allocator allocator)
{
    if (allocator.resize == NULL) allocator = mote_default_allocator();
    return (Memory){.allocator = allocator};
}

/* Systems grant more than the machine has and end this program, or another, once it is used: what
 * can never fit is refused here. */
static bool machine_holds(const Memory *memory, size_t more)
{
    enum { SMALL = 16 * 1024 * 1024 }; /* not worth asking */
    if (more < SMALL || memory->allocator.resize != default_resize) return true;
    const uint64_t most = machine_memory();
    return memory->bytes <= most && more <= most - memory->bytes;
}

void *memory_resize(Memory *memory, void *block, size_t old_size, size_t new_size)
{
    if (old_size == 0 && new_size == 0) return NULL;
    if (!machine_holds(memory, new_size)) return NULL;
    const mote_Allocator *a = &memory->allocator;
    void *fresh = a->resize(a->context, block, old_size, new_size);
    if (new_size > 0 && fresh == NULL) return NULL;
    memory->bytes += new_size - old_size;
    if (memory->bytes > memory->peak_bytes) memory->peak_bytes = memory->bytes;
    memory->allocations += new_size > 0;
    return fresh;
}

void *memory_take(Memory *memory, size_t size)
{
    return memory_resize(memory, NULL, 0, size);
}

void *memory_zeroed(Memory *memory, size_t size)
{
    void *block = memory_take(memory, size);
    if (block != NULL) memset(block, 0, size);
    return block;
}

void memory_free(Memory *memory, void *block, size_t size)
{
    if (block != NULL) memory_resize(memory, block, size, 0);
}

bool memory_reserve(Memory *memory, void **items, size_t *capacity, size_t wanted, size_t item)
{
    if (wanted <= *capacity) return true;
    size_t grown = *capacity + *capacity / 2;
    if (grown < wanted) grown = wanted;
    if (grown < 8) grown = 8;
    if (grown > SIZE_MAX / item) return false;
    void *fresh = memory_resize(memory, *items, *capacity * item, grown * item);
    if (fresh == NULL) return false;
    *items = fresh;
    *capacity = grown;
    return true;
}

char *memory_text(Memory *memory, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_take(memory, size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

void memory_free_text(Memory *memory, char *text)
{
    if (text != NULL) memory_free(memory, text, strlen(text) + 1);
}

/* ---- arena ---- */

typedef struct ArenaBlock {
    struct ArenaBlock *older;
    size_t size; /* of the bytes that follow the header */
} ArenaBlock;

enum { ARENA_HEADER = MEMORY_ALIGNMENT, ARENA_FIRST_BLOCK = 64 * 1024 };

static_assert(sizeof(ArenaBlock) <= ARENA_HEADER, "an arena block's header fits its alignment");

Arena arena_make(Memory *memory)
{
    return (Arena){.memory = memory};
}

static char *arena_bytes(ArenaBlock *block)
{
    return (char *)block + ARENA_HEADER;
}

static void forbid_rest(Arena *arena)
{
    if (arena->blocks != NULL)
        forbid(arena_bytes(arena->blocks) + arena->used, arena->blocks->size - arena->used);
}

static bool arena_add_block(Arena *arena, size_t size)
{
    if (size < ARENA_FIRST_BLOCK) size = ARENA_FIRST_BLOCK;
    ArenaBlock *block = memory_take(arena->memory, ARENA_HEADER + size);
    if (block == NULL) return false;
    *block = (ArenaBlock){.older = arena->blocks, .size = size};
    arena->blocks = block;
    arena->used = 0;
    forbid_rest(arena);
    return true;
}

void *arena_take(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) return NULL;
    size = aligned(size);
    size_t taken = size + FORBID_GAP;
    bool fits = arena->blocks != NULL && taken <= arena->blocks->size - arena->used;
    if (!fits && !arena_add_block(arena, taken)) return NULL;
    void *result = arena_bytes(arena->blocks) + arena->used;
    arena->used += taken;
    arena->total += taken;
    allow(result, size);
    return result;
}

static void arena_drop_blocks(Arena *arena)
{
    while (arena->blocks != NULL) {
        ArenaBlock *block = arena->blocks;
        arena->blocks = block->older;
        allow(arena_bytes(block), block->size);
        memory_free(arena->memory, block, ARENA_HEADER + block->size);
    }
}

ArenaMark arena_mark(const Arena *arena)
{
    return (ArenaMark){arena->blocks, arena->used, arena->total};
}

void arena_rewind(Arena *arena, ArenaMark mark)
{
    if (arena->blocks != mark.block) return;
    arena->used = mark.used, arena->total = mark.total;
    forbid_rest(arena);
}

void arena_reset(Arena *arena)
{
    bool several = arena->blocks != NULL && arena->blocks->older != NULL;
    if (several) {
        arena_drop_blocks(arena);
        arena_add_block(arena, arena->total); /* on failure the next take tries again */
    }
    arena->used = 0;
    arena->total = 0;
    forbid_rest(arena);
}

void arena_free(Arena *arena)
{
    arena_drop_blocks(arena);
    *arena = arena_make(arena->memory);
}
