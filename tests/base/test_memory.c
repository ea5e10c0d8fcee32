/* Memory: alignment, counting, growing, the arena, and a failing allocator. */
#include "check.h"
#include "failing.h"

#include "base/memory.h"

#include <unistd.h>

static bool is_aligned(const void *block)
{
    return (uintptr_t)block % MEMORY_ALIGNMENT == 0;
}

static void default_blocks_are_aligned(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    for (size_t size = 1; size < 5000; size = size * 3 / 2 + 1) {
        char *block = memory_take(&memory, size);
        CHECK(block != NULL && is_aligned(block));
        memset(block, 1, size);
        char *grown = memory_resize(&memory, block, size, size + 777);
        CHECK(grown != NULL && is_aligned(grown) && grown[size - 1] == 1);
        char *shrunk = memory_resize(&memory, grown, size + 777, 1);
        CHECK(shrunk != NULL && is_aligned(shrunk) && shrunk[0] == 1);
        memory_free(&memory, shrunk, 1);
    }
    CHECK(memory.bytes == 0);
}

static void counts(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    CHECK(memory_take(&memory, 0) == NULL && memory.allocations == 0);
    void *a = memory_take(&memory, 100);
    unsigned char *b = memory_zeroed(&memory, 50);
    CHECK(memory.bytes == 150 && memory.peak_bytes == 150 && memory.allocations == 2);
    for (int i = 0; i < 50; ++i) CHECK(b[i] == 0);
    memory_free(&memory, a, 100);
    CHECK(memory.bytes == 50 && memory.peak_bytes == 150 && memory.allocations == 2);
    memory_free(&memory, b, 50);
    memory_free(&memory, NULL, 0);
    CHECK(memory.bytes == 0);
}

static void too_much_is_refused(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    CHECK(memory_take(&memory, SIZE_MAX - 10) == NULL);
    CHECK(memory.bytes == 0);
    void *items = NULL;
    size_t capacity = 0;
    CHECK(!memory_reserve(&memory, &items, &capacity, SIZE_MAX / 4, 16));
    CHECK(items == NULL && capacity == 0);
}

static void reserve_keeps_contents(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    int *items = NULL;
    size_t capacity = 0;
    for (int n = 0; n < 1000; ++n) {
        CHECK(memory_reserve(&memory, (void **)&items, &capacity, (size_t)n + 1, sizeof *items));
        items[n] = n;
    }
    for (int n = 0; n < 1000; ++n) CHECK(items[n] == n);
    CHECK(memory.allocations < 20); /* grows by a factor, not one by one */
    memory_free(&memory, items, capacity * sizeof *items);
    CHECK(memory.bytes == 0);
}

static void reserve_survives_failure(void)
{
    Failing failing = {.fail_at = 1};
    Memory memory = memory_make(failing_allocator(&failing));
    int *items = NULL;
    size_t capacity = 0;
    CHECK(memory_reserve(&memory, (void **)&items, &capacity, 8, sizeof *items));
    items[7] = 42;
    size_t before = capacity;
    CHECK(!memory_reserve(&memory, (void **)&items, &capacity, before + 1, sizeof *items));
    CHECK(capacity == before && items[7] == 42 && memory.bytes == before * sizeof *items);
    memory_free(&memory, items, capacity * sizeof *items);
    CHECK(failing.bytes == 0);
}

static void texts(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    char *copy = memory_text(&memory, "water");
    CHECK(strcmp(copy, "water") == 0 && memory.bytes == 6);
    memory_free_text(&memory, copy);
    memory_free_text(&memory, NULL);
    CHECK(memory.bytes == 0);
}

static void take_many(Arena *arena, size_t count, size_t size)
{
    for (size_t i = 0; i < count; ++i) {
        unsigned char *block = arena_take(arena, size);
        CHECK(block != NULL && is_aligned(block));
        memset(block, (int)i, size); /* sanitizers see an overlap with a header */
    }
}

/* The first steps may take blocks; once they are merged, the same step takes none. */
static void arena_merges_its_blocks(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    for (int step = 0; step < 3; ++step) {
        take_many(&arena, 300, 1000);
        arena_reset(&arena);
    }
    uint64_t before = memory.allocations;
    for (int step = 0; step < 10; ++step) {
        take_many(&arena, 300, 1000);
        arena_reset(&arena);
    }
    CHECK(memory.allocations == before);
    arena_free(&arena);
    CHECK(memory.bytes == 0);
}

static void arena_blocks_do_not_overlap(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    unsigned char *blocks[200];
    for (size_t i = 0; i < 200; ++i) {
        blocks[i] = arena_take(&arena, i * 37);
        memset(blocks[i], (int)i, i * 37);
    }
    for (size_t i = 0; i < 200; ++i)
        for (size_t k = 0; k < i * 37; ++k) CHECK(blocks[i][k] == i);
    arena_free(&arena);
    CHECK(memory.bytes == 0);
}

static void arena_survives_failure(void)
{
    for (uint64_t n = 0; n < 6; ++n) {
        Failing failing = {.fail_at = n};
        Memory memory = memory_make(failing_allocator(&failing));
        Arena arena = arena_make(&memory);
        for (int step = 0; step < 4; ++step) {
            for (int i = 0; i < 5; ++i) (void)arena_take(&arena, 40000);
            arena_reset(&arena);
        }
        CHECK(arena_take(&arena, 40000) != NULL);
        CHECK(arena_take(&arena, SIZE_MAX - 5) == NULL);
        arena_free(&arena);
        CHECK(failing.bytes == 0 && memory.bytes == 0);
    }
}

/* Each part can be had; nothing is touched. */
static void more_than_the_machine_has_is_refused(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    size_t part = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 5 * 2;
    void *parts[3];
    for (int i = 0; i < 3; ++i) parts[i] = memory_take(&memory, part);
    CHECK(parts[2] == NULL);
    CHECK(memory_resize(&memory, NULL, 0, SIZE_MAX / 4) == NULL);
    for (int i = 0; i < 3; ++i) memory_free(&memory, parts[i], part);
    CHECK(memory.bytes == 0);
}

TESTS({"default_blocks_are_aligned", default_blocks_are_aligned}, {"counts", counts},
      {"too_much_is_refused", too_much_is_refused},
      {"more_than_the_machine_has_is_refused", more_than_the_machine_has_is_refused},
      {"reserve_keeps_contents", reserve_keeps_contents},
      {"reserve_survives_failure", reserve_survives_failure}, {"texts", texts},
      {"arena_merges_its_blocks", arena_merges_its_blocks},
      {"arena_blocks_do_not_overlap", arena_blocks_do_not_overlap},
      {"arena_survives_failure", arena_survives_failure})
