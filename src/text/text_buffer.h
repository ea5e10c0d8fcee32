/* A text that grows: what is shown to people is rendered into one; and names to choose from. */
#ifndef TEXT_TEXT_BUFFER_H
#define TEXT_TEXT_BUFFER_H

#include "base/memory.h"
#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct TextBuffer {
    Memory *memory;
    char *text; /* 0-terminated once something was added, else NULL */
    size_t size, capacity;
    bool failed; /* out of memory: the text is cut */
} TextBuffer;

TextBuffer text_buffer_make(Memory *memory);
void text_buffer_free(TextBuffer *buffer);
void text_buffer_add(TextBuffer *buffer, const char *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void text_buffer_print(TextBuffer *buffer, const char *format,
                                                             ...);

/* ---- lists of names to choose from ---- */

/* name(context, i) is the i-th name, NULL behind the last. */
typedef struct NameList {
    const char *(*name)(const void *context, size_t i);
    const void *context;
} NameList;

NameList name_list(const char *const *names); /* a NULL-terminated array */

/* The name that `word` may have been meant for, or NULL. */
const char *name_nearest(const char *word, NameList names);

/* "a, b, c"; false when that does not fit, and then "a, b, ..." with as many as do. */
bool name_list_text(NameList names, char *text, size_t size);

#endif
