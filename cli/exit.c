/* Exit codes from one table; messages. */
#include "cli/exit.h"

#include "base/system.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const ExitCode codes[] = {
    {EXIT_DONE, "done"},
    {EXIT_FAILED, "failed for a reason inside the run, as too little memory; diff: not the same; "
                  "info: damaged"},
    {EXIT_USAGE, "wrong use of the command line"},
    {EXIT_BAD_INPUT, "a scene or an input file is wrong"},
    {EXIT_DIVERGED, "the watchdog stopped the simulation; the last good checkpoint is kept"},
    {EXIT_IO, "a file could not be read or written"},
    {EXIT_INTERRUPTED, "interrupted by Ctrl-C; run wrote a checkpoint and goes on with --resume"},
    {EXIT_TERMINATED, "the same by SIGTERM"},
};

static const int code_of_status[] = {
    [MOTE_OK] = EXIT_DONE,
    [MOTE_NO_MEMORY] = EXIT_FAILED,
    [MOTE_BAD_VALUE] = EXIT_BAD_INPUT,
    [MOTE_DIVERGED] = EXIT_DIVERGED,
    [MOTE_IO_FAILED] = EXIT_IO,
    [MOTE_UNAVAILABLE] = EXIT_FAILED,
};

ExitCode exit_code_at(size_t i)
{
    return i < sizeof codes / sizeof codes[0] ? codes[i] : (ExitCode){0, NULL};
}

int exit_code_of(mote_Status status)
{
    size_t i = (size_t)status;
    if (status == MOTE_CANCELLED) return interrupt_exit_code();
    return i < sizeof code_of_status / sizeof code_of_status[0] ? code_of_status[i] : EXIT_FAILED;
}

static FILE *silence; /* NULL: there is none */

void message_silence(void)
{
    silence = freopen(system_nowhere, "w", stdout);
}

FILE *message_stream(void)
{
    return silence != NULL ? silence : stderr;
}

static void print(const char *format, va_list values)
{
    FILE *to = message_stream();
    fflush(stdout);
    fputs("mote: ", to);
    vfprintf(to, format, values);
    fputc('\n', to);
}

void message(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(format, values);
    va_end(values);
}

int message_usage(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(format, values);
    va_end(values);
    return EXIT_USAGE;
}

int message_failure(mote_Status status, const mote_Error *error)
{
    message("%s", error->message[0] != '\0' ? error->message : "failed without saying why");
    return exit_code_of(status);
}

void message_lines(const char *start, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length > 0) message("%s%.*s", start, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

int exit_flushed(int code)
{
    int failed = ferror(stdout), closed;
    errno = 0;
    closed = fclose(stdout);
    if ((failed == 0 && closed == 0) || errno == EPIPE || (failed != 0 && errno == 0)) return code;
    message("could not write to standard output: %s", strerror(errno));
    return code == EXIT_DONE ? EXIT_IO : code;
}
