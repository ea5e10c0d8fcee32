/* Quoting for POSIX shells. */
#include "cli/shell_text.h"

#include <string.h>

static void add(ShellText *line, const char *text, size_t length)
{
    if (line->length + length >= sizeof line->text) return;
    memcpy(line->text + line->length, text, length);
    line->length += length;
    line->text[line->length] = '\0';
}

void shell_add(ShellText *line, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "+-_=./:,%@";
    if (line->length > 0) add(line, " ", 1);
    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        add(line, word, strlen(word));
        return;
    }
    add(line, "'", 1);
    for (const char *c = word; *c != '\0'; ++c)
        *c == '\'' ? add(line, "'\\''", 4) : add(line, c, 1);
    add(line, "'", 1);
}
