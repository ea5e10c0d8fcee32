/* Words and numbers of lines. */
#include "text/lines.h"

#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mote_Status lines_fail(const TextLines *text, mote_Error *error, const char *format, ...)
{
    char what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (text->line > 0)
        return status_fail(error, MOTE_BAD_VALUE, "%s, line %zu: %s", text->name, text->line, what);
    return status_fail(error, MOTE_BAD_VALUE, "%s: %s", text->name, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* A backslash at the end of a line joins the next one. */
static bool skip_space(TextLines *text)
{
    for (; text->at < text->end; ++text->at) {
        bool joined = *text->at == '\\' && text->end - text->at > 1 &&
                      (text->at[1] == '\n' || (text->at[1] == '\r'));
        if (joined) {
            text->at +=
                text->at[1] == '\r' && text->end - text->at > 2 && text->at[2] == '\n' ? 2 : 1;
            ++text->line;
        } else if (!is_space(*text->at)) {
            return *text->at != '\n';
        }
    }
    return false;
}

bool lines_word(TextLines *text, char word[LINES_WORD])
{
    size_t length = 0;
    if (!skip_space(text)) return false;
    for (; text->at < text->end && !is_space(*text->at) && *text->at != '\n'; ++text->at)
        if (length < LINES_WORD - 1) word[length++] = *text->at;
    word[length] = '\0';
    return true;
}

bool lines_next(TextLines *text)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    text->at = newline != NULL ? newline + 1 : text->end;
    ++text->line;
    return newline != NULL && text->at < text->end;
}

mote_Status lines_number(TextLines *text, const char *what, double *value, mote_Error *error)
{
    char word[LINES_WORD];
    if (!lines_word(text, word)) return lines_fail(text, error, "%s is missing", what);
    if (number_parse(word, value) && isfinite(*value)) return MOTE_OK;
    return lines_fail(text, error, "`%s` is no number, but should be %s", word, what);
}
