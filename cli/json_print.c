/* JSON results through the writer of files. */
#include "cli/json_print.h"

#include "cli/exit.h"

#include <stdio.h>

JsonWriter *json_print_begin(JsonPrint *print)
{
    print->memory = memory_make(mote_default_allocator());
    print->writer = json_writer(&print->memory);
    json_begin(&print->writer, NULL, '{');
    return &print->writer;
}

int json_print_end(JsonPrint *print)
{
    int code = EXIT_DONE;
    json_finish(&print->writer, '}');
    if (print->writer.failed) {
        message("out of memory");
        code = EXIT_FAILED;
    } else {
        fputs(print->writer.text, stdout);
    }
    json_writer_free(&print->writer);
    return code;
}
