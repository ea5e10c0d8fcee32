/* The name index against what was put in: many names, near names, missing names. */
#include "check.h"

#include "base/text.h"

enum { NAMES = 5000 };

static char names[NAMES][24];

static void make_names(void)
{
    for (int i = 0; i < NAMES; ++i) snprintf(names[i], sizeof names[i], "name-%d", i);
}

static void finds_what_was_added(void)
{
    Memory memory = memory_make(mote_default_allocator());
    NameIndex index = name_index_make(&memory);
    make_names();
    CHECK(name_index_find(&index, "name-0") == SIZE_MAX);
    for (size_t i = 0; i < NAMES; ++i) {
        CHECK(name_index_find(&index, names[i]) == SIZE_MAX);
        CHECK(name_index_add(&index, names[i], 3 * i));
    }
    for (size_t i = 0; i < NAMES; ++i) CHECK(name_index_find(&index, names[i]) == 3 * i);
    CHECK(name_index_find(&index, "name-") == SIZE_MAX);
    CHECK(name_index_find(&index, "") == SIZE_MAX);
    name_index_free(&index);
    CHECK(memory.bytes == 0);
}

TESTS({"finds_what_was_added", finds_what_was_added})
