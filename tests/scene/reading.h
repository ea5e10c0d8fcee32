/* What the tests of the scene reader share: parsing a text and comparing what is shown. */
#ifndef TESTS_SCENE_READING_H
#define TESTS_SCENE_READING_H

#include "check.h"

#include "scene/document.h"

#include <stdlib.h>

typedef struct Reading {
    Memory memory;
    Document *document;
    mote_Status status;
    mote_Error error;
    TextBuffer shown; /* all diagnostics */
} Reading;

/* Reads a text as a document; free with reading_end. */
static inline void reading_start(Reading *reading, const char *text, const char *const *settings)
{
    size_t count = 0;
    while (settings != NULL && settings[count] != NULL) ++count;
    reading->memory = memory_make((mote_Allocator){0});
    reading->document = document_create(&reading->memory);
    reading->status = document_read_text(reading->document, "scene.json5", text, settings, count,
                                         &reading->error);
    reading->shown = text_buffer_make(&reading->memory);
    text_buffer_add(&reading->shown, "", 0);
    diagnostics_render(&reading->document->diagnostics, false, &reading->shown);
}

/* Shows what was added to the diagnostics since. */
static inline const char *reading_show(Reading *reading)
{
    text_buffer_free(&reading->shown);
    text_buffer_add(&reading->shown, "", 0);
    diagnostics_render(&reading->document->diagnostics, false, &reading->shown);
    return reading->shown.text;
}

static inline void reading_end(Reading *reading)
{
    text_buffer_free(&reading->shown);
    document_destroy(reading->document);
    CHECK(reading->memory.bytes == 0);
}

/* Memory that fails after a number of calls. */
typedef struct Failing {
    mote_Allocator under;
    uint64_t calls_left;
} Failing;

static inline void *failing_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    Failing *failing = context;
    if (new_size > old_size) {
        if (failing->calls_left == 0) return NULL;
        failing->calls_left--;
    }
    return failing->under.resize(failing->under.context, block, old_size, new_size);
}

/* Runs `work` once to count its allocations, then with memory that fails at each of them: that must
 * be MOTE_NO_MEMORY, and nothing may leak. Returns the count. */
static inline uint64_t check_failing_memory(mote_Status (*work)(Memory *memory,
                                                                const void *context),
                                            const void *context, mote_Status wanted)
{
    Memory whole = memory_make((mote_Allocator){0});
    CHECK(work(&whole, context) == wanted && whole.bytes == 0);
    for (uint64_t n = 0; n <= whole.allocations; ++n) {
        Failing failing = {mote_default_allocator(), n};
        Memory memory = memory_make((mote_Allocator){failing_resize, &failing});
        mote_Status status = work(&memory, context);
        CHECK(status == (n < whole.allocations ? MOTE_NO_MEMORY : wanted));
        CHECK(memory.bytes == 0);
    }
    return whole.allocations;
}

static inline void check_text(const char *file, int line, const char *found, const char *wanted)
{
    if (strcmp(found, wanted) == 0) return;
    ++check_failures;
    fprintf(stderr, "%s:%d: found\n%s\nbut wanted\n%s\n", file, line, found, wanted);
}

#define CHECK_TEXT(found, wanted) check_text(__FILE__, __LINE__, found, wanted)

#endif
