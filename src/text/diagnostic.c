/* Collecting diagnostics. */
#include "text/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 512, ALLOWED_SIZE = 300 };

Diagnostics diagnostics_make(Memory *memory)
{
    return (Diagnostics){.memory = memory};
}

void diagnostics_free(Diagnostics *diagnostics)
{
    Memory *memory = diagnostics->memory;
    for (size_t i = 0; i < diagnostics->count; ++i) {
        memory_free_text(memory, diagnostics->kept[i].message);
        memory_free_text(memory, diagnostics->kept[i].hint);
    }
    memory_free(memory, diagnostics->kept, diagnostics->capacity * sizeof(Diagnostic));
    *diagnostics = diagnostics_make(memory);
}

/* Cuts a text that vsnprintf cut, at the start of a character, and marks it. */
static void mark_cut(char *text, size_t size)
{
    size_t end = size - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) --end;
    memcpy(text + end, "...", 4);
}

static void format_message(char text[MESSAGE_SIZE], const char *format, va_list arguments)
{
    int size = vsnprintf(text, MESSAGE_SIZE, format, arguments);
    if (size >= MESSAGE_SIZE) mark_cut(text, MESSAGE_SIZE);
}

/* A note follows its error; it is kept if that was. */
static bool is_kept(Diagnostics *diagnostics, Severity severity)
{
    if (severity == SEVERITY_NOTE) return diagnostics->more == 0;
    diagnostics->errors += severity == SEVERITY_ERROR;
    bool kept = diagnostics->shown < DIAGNOSTICS_KEPT;
    diagnostics->shown += kept;
    diagnostics->more += !kept;
    return kept;
}

static void add(Diagnostics *diagnostics, Severity severity, Place place, const char *message)
{
    if (!is_kept(diagnostics, severity)) return;
    Memory *memory = diagnostics->memory;
    void *kept = diagnostics->kept;
    bool room = memory_reserve(memory, &kept, &diagnostics->capacity, diagnostics->count + 1,
                               sizeof(Diagnostic));
    diagnostics->kept = kept;
    char *copy = room ? memory_text(memory, message) : NULL;
    if (copy == NULL) {
        diagnostics->failed = true;
        return;
    }
    diagnostics->kept[diagnostics->count++] =
        (Diagnostic){.severity = severity, .place = place, .message = copy};
}

void diagnose_as(Diagnostics *diagnostics, Severity severity, Place place, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_message(message, format, arguments);
    va_end(arguments);
    add(diagnostics, severity, place, message);
}

/* The diagnostic that a hint belongs to; NULL when it was not kept. */
static Diagnostic *latest(Diagnostics *diagnostics)
{
    if (diagnostics->more > 0 || diagnostics->failed || diagnostics->count == 0) return NULL;
    return &diagnostics->kept[diagnostics->count - 1];
}

void diagnose_hint(Diagnostics *diagnostics, const char *format, ...)
{
    Diagnostic *diagnostic = latest(diagnostics);
    if (diagnostic == NULL) return;
    char hint[MESSAGE_SIZE], joined[2 * MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_message(hint, format, arguments);
    va_end(arguments);
    const char *before = diagnostic->hint != NULL ? diagnostic->hint : "";
    const bool asks = before[0] != '\0' && before[strlen(before) - 1] == '?';
    const char *between = before[0] == '\0' ? "" : asks ? " (" : "; ";
    int size = snprintf(joined, sizeof joined, "%s%s%s%s", before, between, hint, asks ? ")" : "");
    if (size >= (int)sizeof joined) mark_cut(joined, sizeof joined);
    char *copy = memory_text(diagnostics->memory, joined);
    if (copy == NULL) {
        diagnostics->failed = true;
        return;
    }
    memory_free_text(diagnostics->memory, diagnostic->hint);
    diagnostic->hint = copy;
}

void diagnose_nearest(Diagnostics *diagnostics, const char *word, NameList names)
{
    if (latest(diagnostics) == NULL) return;
    const char *nearest = name_nearest(word, names);
    if (nearest != NULL) diagnose_hint(diagnostics, "did you mean `%s`?", nearest);
}

void diagnose_allowed(Diagnostics *diagnostics, const char *what, NameList names)
{
    char list[ALLOWED_SIZE];
    if (latest(diagnostics) == NULL || !name_list_text(names, list, sizeof list)) return;
    if (list[0] != '\0') diagnose_hint(diagnostics, "%s: %s", what, list);
}
