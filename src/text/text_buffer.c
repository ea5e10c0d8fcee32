/* Text that grows. */
#include "text/text_buffer.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

TextBuffer text_buffer_make(Memory *memory)
{
    return (TextBuffer){.memory = memory};
}

void text_buffer_free(TextBuffer *buffer)
{
    memory_free(buffer->memory, buffer->text, buffer->capacity);
    *buffer = text_buffer_make(buffer->memory);
}

static bool make_room(TextBuffer *buffer, size_t more)
{
    void *text = buffer->text;
    bool room =
        memory_reserve(buffer->memory, &text, &buffer->capacity, buffer->size + more + 1, 1);
    buffer->text = text;
    buffer->failed = buffer->failed || !room;
    return room;
}

void text_buffer_add(TextBuffer *buffer, const char *bytes, size_t size)
{
    if (!make_room(buffer, size)) return;
    memcpy(buffer->text + buffer->size, bytes, size);
    buffer->size += size;
    buffer->text[buffer->size] = '\0';
}

void text_buffer_print(TextBuffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size < 0 || !make_room(buffer, (size_t)size)) return;
    va_start(arguments, format);
    vsnprintf(buffer->text + buffer->size, (size_t)size + 1, format, arguments);
    va_end(arguments);
    buffer->size += (size_t)size;
}

/* ---- lists of names to choose from ---- */

static const char *array_name(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

NameList name_list(const char *const *names)
{
    return (NameList){array_name, names};
}

/* A name that shares no letter with a short word was not meant. */
const char *name_nearest(const char *word, NameList names)
{
    const char *nearest = text_nearest(word, names.name, names.context);
    bool alike = nearest != NULL && text_distance(word, nearest) < (int)strlen(word);
    return alike ? nearest : NULL;
}

bool name_list_text(NameList names, char *text, size_t size)
{
    static const char more[] = ", ...";
    size_t used = 0;
    const char *name;
    text[0] = '\0';
    for (size_t i = 0; (name = names.name(names.context, i)) != NULL; ++i) {
        const char *between = i > 0 ? ", " : "";
        const bool is_last = names.name(names.context, i + 1) == NULL;
        const size_t end = used + strlen(between) + strlen(name);
        if (end + (is_last ? 0 : strlen(more)) >= size) {
            snprintf(text + used, size - used, "%s", i > 0 ? more : "");
            return false;
        }
        snprintf(text + used, size - used, "%s%s", between, name);
        used = end;
    }
    return true;
}
