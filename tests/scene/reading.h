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

static inline void check_text(const char *file, int line, const char *found, const char *wanted)
{
    if (strcmp(found, wanted) == 0) return;
    ++check_failures;
    fprintf(stderr, "%s:%d: found\n%s\nbut wanted\n%s\n", file, line, found, wanted);
}

#define CHECK_TEXT(found, wanted) check_text(__FILE__, __LINE__, found, wanted)

#endif
