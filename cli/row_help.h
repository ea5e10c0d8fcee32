/* Help about families and their rows. */
#ifndef CLI_ROW_HELP_H
#define CLI_ROW_HELP_H

/* Each prints to standard output and returns the exit code. */
int help_family(const char *family);
int help_rows(const char *name);        /* every row of that name, of all families */
void help_rows_after(const char *name); /* the same below other help; there may be none */
int help_row_of(const char *family, const char *name);

#endif
