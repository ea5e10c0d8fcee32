/* A file's text or bytes in memory, read line by line and word by word. */
#ifndef TEXT_LINES_H
#define TEXT_LINES_H

#include <mote/base.h>

typedef struct TextLines {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    size_t line; /* from 1, of text; 0: bytes, which messages do not count */
} TextLines;

enum { LINES_WORD = 64 };

/* The next word of the line; false at its end. Longer words are cut. */
bool lines_word(TextLines *text, char word[LINES_WORD]);
/* To the start of the next line; false when there is none. */
bool lines_next(TextLines *text);
/* The next word as a finite number; what: for the message. */
mote_Status lines_number(TextLines *text, const char *what, double *value, mote_Error *error);
/* "NAME, line N: ..." */
__attribute__((format(printf, 3, 4))) mote_Status
lines_fail(const TextLines *text, mote_Error *error, const char *format, ...);

#endif
