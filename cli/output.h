/* Files that the user names for a command to write. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

/* EXIT_DONE when the file may be written: it is not there, or `force`. Otherwise the exit code,
 * after a message. path NULL: nothing is written. */
int output_check(const char *path, bool force);
/* The same, for a command that has read `input`: that is never written over, forced or not. */
int output_check_beside(const char *path, bool force, const char *input);

/* Makes a folder, with those that it is in. The exit code, after a message when it fails. */
int output_make_folder(const char *path);

#define OPTION_FORCE(S)                                                                            \
    {                                                                                              \
        .name = "force", .doc = "write over a file that is there", .type = OPTION_FLAG,            \
        OPTION_HERE(S, force)                                                                      \
    }

#endif
