/* Help about families and their rows. */
#ifndef CLI_ROW_HELP_H
#define CLI_ROW_HELP_H

#include <stdbool.h>

/* Each prints to standard output; those that return an int, the exit code. */
int help_family(const char *family);
int help_row_of(const char *family, const char *name);
bool help_rows(const char *name); /* every row of that name, of all families: are there any? */
void help_rows_after(const char *name); /* the same below other help */

#endif
