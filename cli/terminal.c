/* Terminals: colour by https://no-color.org, width by the driver or COLUMNS. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_OF_FILES = 100, WIDTH_LEAST = 40, WIDTH_MOST = 120 };

static bool has_value(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static bool names_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        if (!has_value(variables[i])) continue;
        const char *value = getenv(variables[i]);
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
    }
    return false;
}

static int width_of(FILE *file)
{
    struct winsize size;
    int width = WIDTH_OF_FILES;
    if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    else if (has_value("COLUMNS"))
        width = atoi(getenv("COLUMNS"));
    if (width < WIDTH_LEAST) return WIDTH_LEAST;
    return width < WIDTH_MOST ? width : WIDTH_MOST;
}

Terminal terminal_of(FILE *file)
{
    const char *type = getenv("TERM");
    bool able = isatty(fileno(file)) && type != NULL && strcmp(type, "dumb") != 0;
    return (Terminal){.file = file,
                      .interactive = able,
                      .color = able && !has_value("NO_COLOR"),
                      .unicode = names_utf8(),
                      .width = width_of(file)};
}

int terminal_columns(const char *text)
{
    int columns = 0;
    for (; *text != '\0'; ++text) columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

void terminal_put(const Terminal *terminal, Style style, const char *text, int width)
{
    static const char *const codes[] = {[STYLE_PLAIN] = "",
                                        [STYLE_HEADING] = "\033[1m",
                                        [STYLE_NAME] = "\033[36m",
                                        [STYLE_QUIET] = "\033[2m"};
    bool styled = terminal->color && style != STYLE_PLAIN;
    fprintf(terminal->file, "%s%s%s", styled ? codes[style] : "", text, styled ? "\033[0m" : "");
    for (int i = terminal_columns(text); i < width; ++i) fputc(' ', terminal->file);
}

void terminal_wrap(const Terminal *terminal, const char *text, int column, int indent)
{
    bool first = true;
    while (*(text += strspn(text, " ")) != '\0') {
        char word[256];
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        int columns = terminal_columns(word);
        if (!first && column + 1 + columns > terminal->width) {
            fprintf(terminal->file, "\n%*s", indent, "");
            column = indent, first = true;
        }
        fprintf(terminal->file, "%s%s", first ? "" : " ", word);
        column += columns + !first;
        first = false;
        text += length;
    }
    fputc('\n', terminal->file);
}
