/* Where text goes: is it a terminal, how wide, may it be coloured. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Terminal {
    FILE *file;
    bool interactive; /* lines may be redrawn */
    bool color;       /* never with NO_COLOR set, nor to files and pipes */
    bool unicode;     /* by the locale's name */
    int width;        /* columns */
} Terminal;

Terminal terminal_of(FILE *file);

typedef enum Style { STYLE_PLAIN, STYLE_HEADING, STYLE_NAME, STYLE_QUIET } Style;

/* Prints the text in the style, and spaces up to `width` columns. */
void terminal_put(const Terminal *terminal, Style style, const char *text, int width);

/* Prints the text, broken between words at the terminal's width; further lines start at column
 * `indent`. `column` is where the text starts. Ends the line. */
void terminal_wrap(const Terminal *terminal, const char *text, int column, int indent);

/* Columns that UTF-8 text takes, each character one. */
int terminal_columns(const char *text);

#endif
