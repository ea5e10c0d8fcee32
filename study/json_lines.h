/* Tables of a study for programs: a line of CSV becomes a JSON object. */
#ifndef STUDY_JSON_LINES_H
#define STUDY_JSON_LINES_H

#include <stdio.h>

/* Prints {"table": NAME, KEY: VALUE, ...} for every line of `csv` below its first, which holds the
 * keys. Numbers stay as they are written there; those that are not finite become null. */
void json_lines_print(const char *name, FILE *csv, FILE *to);

#endif
