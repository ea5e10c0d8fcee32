/* Commands as a user would type them. */
#ifndef CLI_SHELL_TEXT_H
#define CLI_SHELL_TEXT_H

#include <stddef.h>

/* A command line that grows word by word, quoted where a POSIX shell needs it. */
typedef struct ShellText {
    char text[4096]; /* what does not fit is left out */
    size_t length;
} ShellText;

void shell_add(ShellText *line, const char *word);

#endif
