/* Results for programs: one JSON object on standard output. */
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

#include "text/json_read.h"

typedef struct JsonPrint {
    Memory memory;
    JsonWriter writer;
} JsonPrint;

/* Starts the object; `print` must not be moved afterwards. Returns its writer. */
JsonWriter *json_print_begin(JsonPrint *print);
/* Writes the object to standard output and frees it. Returns the exit code. */
int json_print_end(JsonPrint *print);

#endif
