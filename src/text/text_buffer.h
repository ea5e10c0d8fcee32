/* A text that grows: what is shown to people is rendered into one. */
#ifndef TEXT_TEXT_BUFFER_H
#define TEXT_TEXT_BUFFER_H

#include "base/memory.h"
#include "base/number.h"

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

#endif
