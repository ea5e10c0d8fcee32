/* Diagnostics: what is wrong with a scene and where.
 *
 *     fountain.json5:7:31: error: restitution is 1.4, but must be between 0 and 1
 *       colliders: [ { shape: ..., restitution: 1.4 } ],
 *                                               ^~~
 *     hint: ...
 *
 * They are collected, so that one run shows all; the first DIAGNOSTICS_KEPT are kept, the others
 * counted. */
#ifndef TEXT_DIAGNOSTIC_H
#define TEXT_DIAGNOSTIC_H

#include "text/text_buffer.h"

enum { DIAGNOSTICS_KEPT = 50 };

/* A text that places point into: a file, or one --set of the command line. */
typedef struct TextSource {
    const char *name; /* as shown */
    const char *text; /* UTF-8 without byte order mark, 0-terminated */
    size_t size;      /* below 4 GiB */
    bool made;        /* the user has not written it: its name is shown, no place in it */
} TextSource;

/* A stretch of a source, in bytes. source NULL: the scene as a whole. */
typedef struct Place {
    const TextSource *source;
    uint32_t at, length;
} Place;

/* Both count from 1. A column is a character (code point), a tab is one. */
typedef struct Position {
    size_t line, column;
} Position;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

typedef struct Diagnostic {
    Severity severity;
    Place place;
    char *message;
    char *hint; /* NULL: none */
} Diagnostic;

typedef struct Diagnostics {
    Memory *memory;
    Diagnostic *kept;
    size_t count, capacity;
    size_t shown;  /* errors and warnings among the kept; a note belongs to what stands before it */
    size_t errors; /* all, also those not kept */
    size_t more;   /* errors and warnings not kept */
    bool failed;   /* out of memory: something was not kept */
} Diagnostics;

Diagnostics diagnostics_make(Memory *memory);
void diagnostics_free(Diagnostics *diagnostics);

/* Adds an error, or something else. Messages are cut at about 500 bytes. */
#define diagnose(diagnostics, ...) diagnose_as(diagnostics, SEVERITY_ERROR, __VA_ARGS__)
__attribute__((format(printf, 4, 5))) void diagnose_as(Diagnostics *diagnostics, Severity severity,
                                                       Place place, const char *format, ...);
/* Adds to the hint of the diagnostic added last; further hints of one are joined by "; ". */
__attribute__((format(printf, 2, 3))) void diagnose_hint(Diagnostics *diagnostics,
                                                         const char *format, ...);

/* Hints at the name nearest to `word`, if one is near; and at what is allowed, if that is short. */
void diagnose_nearest(Diagnostics *diagnostics, const char *word, NameList names);
void diagnose_allowed(Diagnostics *diagnostics, const char *what, NameList names);

Position place_position(Place place);
/* "file:line:col", cut at the end of the buffer. */
void place_text(Place place, char *text, size_t size);

/* All that was kept, as plain text, or with terminal colours. */
void diagnostics_render(const Diagnostics *diagnostics, bool colour, TextBuffer *buffer);

#endif
