/* Completion scripts for shells, from the tables. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/command.h"

const char *shell_name(size_t i); /* "bash", "zsh", "fish"; NULL after the last */

/* Each writes the whole script to standard output. */
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

/* Prints the words of a list with a space between them; for kinds without one, nothing. */
void completion_words(Words kind);
/* The same, one a line. */
void completion_lines(Words kind);
/* Prints text for inside '...': ' becomes '\''. */
void completion_quoted(const char *text);
/* The i-th argument of the command, NULL when it takes no more. */
const Argument *completion_argument(const Command *command, size_t i);

#endif
