/* Help from the tables: of the program, a command, a family, a row. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* Each prints to standard output and returns the exit code. */
int help_welcome(void); /* three commands that work */
int help_program(void);
int help_command(const Command *command);

enum { OPTION_HEAD_SIZE = 64, USAGE_SIZE = 128 };

/* "-o, --output FOLDER". */
void help_option_head(const Option *option, char head[OPTION_HEAD_SIZE]);
/* "run [SCENE] [options]". */
void help_usage(const Command *command, char usage[USAGE_SIZE]);

#endif
