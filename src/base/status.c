/* Status and errors. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

mote_Status status_fail(mote_Error *error, mote_Status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->status = status;
    }
    return status;
}

mote_Status status_no_memory(mote_Error *error, const char *what, size_t bytes)
{
    return status_fail(error, MOTE_NO_MEMORY, "out of memory: %s needs %zu bytes", what, bytes);
}
