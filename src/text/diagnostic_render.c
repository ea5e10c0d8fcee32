/* Showing diagnostics: position, source line and caret. */
#include "text/diagnostic.h"

#include "text/json5_text.h"

#include <stdio.h>
#include <string.h>

/* A longer line is shown as a window around the caret. */
enum { WINDOW_CHARACTERS = 160, WINDOW_BEFORE = 80 };

typedef struct Colours {
    const char *bold, *caret, *reset, *severity[3];
} Colours;

static const Colours plain_colours = {"", "", "", {"", "", ""}};
static const Colours terminal_colours = {
    "\033[1m", "\033[1;32m", "\033[0m", {"\033[1;31m", "\033[1;35m", "\033[1;36m"}};
static const char *const severity_names[] = {"error", "warning", "note"};

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static const char *line_start(Place place)
{
    const char *at = place.source->text + place.at;
    while (at > place.source->text && at[-1] != '\n' && at[-1] != '\r') --at;
    return at;
}

static size_t count_characters(const char *from, const char *end)
{
    size_t count = 0;
    for (; from < end; ++from) count += starts_character(*from);
    return count;
}

/* A line ends with LF, CR, or both. */
Position place_position(Place place)
{
    if (place.source == NULL) return (Position){1, 1};
    const char *text = place.source->text, *start = line_start(place);
    size_t line = 1;
    for (const char *at = text; at < start; ++at)
        line += *at == '\n' || (*at == '\r' && at[1] != '\n');
    return (Position){line, 1 + count_characters(start, text + place.at)};
}

void place_text(Place place, char *text, size_t size)
{
    Position position = place_position(place);
    const char *name = place.source != NULL ? place.source->name : "scene";
    if (place.source != NULL && place.source->made)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s:%zu:%zu", name, position.line, position.column);
}

/* Bytes of the character at `at`; a byte that is no UTF-8 counts as one. */
static size_t character_size(const char *at)
{
    size_t size = 1;
    if ((unsigned char)*at >= 0xc0)
        while (!starts_character(at[size])) ++size;
    return size;
}

/* The terminal must not act on what a file contains. */
static bool is_harmless(const char *at, size_t size)
{
    unsigned char c = (unsigned char)at[0], d = size > 1 ? (unsigned char)at[1] : 0;
    if (c < 0x80) return (c >= 0x20 && c != 0x7f) || c == '\t';
    bool control = c == 0xc2 && d < 0xa0; /* U+0080 to U+009F */
    return !control && utf8_check(at, size) == size;
}

static void add_shown(TextBuffer *buffer, const char *from, const char *end)
{
    while (from < end) {
        size_t size = character_size(from);
        if (is_harmless(from, size))
            text_buffer_add(buffer, from, size);
        else
            text_buffer_add(buffer, "?", 1);
        from += size;
    }
}

typedef struct TextRange {
    uint32_t first, last;
} TextRange;

static bool is_in(uint32_t c, const TextRange *ranges, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (c >= ranges[i].first && c <= ranges[i].last) return true;
    return false;
}

/* Cells that a terminal takes for a character (main ranges of Unicode's East Asian Width). */
static int cell_count(uint32_t c)
{
    static const TextRange wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0xa4cf},
                                     {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
                                     {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                                     {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    static const TextRange none[] = {{0x300, 0x36f}, {0x200b, 0x200f}, {0xfe00, 0xfe0f}};
    if (is_in(c, none, sizeof none / sizeof none[0])) return 0;
    return is_in(c, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* As many cells of `mark` as the text takes; tabs are copied, so that they line up. */
static void add_cells(TextBuffer *buffer, const char *from, const char *end, char mark)
{
    while (from < end) {
        size_t size = character_size(from);
        int cells = utf8_check(from, size) == size ? cell_count(utf8_read(from, &size)) : 1;
        if (*from == '\t' && mark == ' ')
            text_buffer_add(buffer, "\t", 1);
        else
            for (int i = 0; i < cells; ++i) text_buffer_add(buffer, &mark, 1);
        from += size;
    }
}

/* Moves over at most `count` characters, not past `end`. */
static const char *skip_characters(const char *at, const char *end, size_t count)
{
    for (; count > 0 && at < end; --count) at += character_size(at);
    return at < end ? at : end;
}

static void add_source_line(TextBuffer *buffer, Place place, const Colours *colours)
{
    const char *start = line_start(place), *caret = place.source->text + place.at;
    const char *end = start, *window = start;
    while (!is_line_end(*end)) ++end;
    size_t before = count_characters(start, caret);
    if (before > WINDOW_BEFORE && count_characters(start, end) > WINDOW_CHARACTERS)
        window = skip_characters(start, caret, before - WINDOW_BEFORE);
    const char *window_end = skip_characters(window, end, WINDOW_CHARACTERS);
    text_buffer_print(buffer, "%s", window > start ? "..." : "");
    add_shown(buffer, window, window_end);
    text_buffer_print(buffer, "%s\n%s", window_end < end ? "..." : "", window > start ? "   " : "");
    add_cells(buffer, window, caret, ' ');

    const char *last = caret + place.length < window_end ? caret + place.length : window_end;
    text_buffer_print(buffer, "%s^", colours->caret);
    if (caret < last) add_cells(buffer, caret + character_size(caret), last, '~');
    text_buffer_print(buffer, "%s\n", colours->reset);
}

static void render_one(TextBuffer *buffer, const Diagnostic *diagnostic, const Colours *colours)
{
    Place place = diagnostic->place;
    Position position = place_position(place);
    bool written = place.source != NULL && !place.source->made;
    text_buffer_print(buffer, "%s", colours->bold);
    if (place.source != NULL) {
        add_shown(buffer, place.source->name, place.source->name + strlen(place.source->name));
        if (written) text_buffer_print(buffer, ":%zu:%zu", position.line, position.column);
        text_buffer_print(buffer, ": ");
    }
    text_buffer_print(buffer, "%s%s:%s ", colours->severity[diagnostic->severity],
                      severity_names[diagnostic->severity], colours->reset);
    add_shown(buffer, diagnostic->message, diagnostic->message + strlen(diagnostic->message));
    text_buffer_add(buffer, "\n", 1);
    if (written) add_source_line(buffer, place, colours);
    if (diagnostic->hint == NULL) return;
    text_buffer_print(buffer, "hint: ");
    add_shown(buffer, diagnostic->hint, diagnostic->hint + strlen(diagnostic->hint));
    text_buffer_add(buffer, "\n", 1);
}

void diagnostics_render(const Diagnostics *diagnostics, bool colour, TextBuffer *buffer)
{
    const Colours *colours = colour ? &terminal_colours : &plain_colours;
    for (size_t i = 0; i < diagnostics->count; ++i)
        render_one(buffer, &diagnostics->kept[i], colours);
    if (diagnostics->more > 0) text_buffer_print(buffer, "... and %zu more\n", diagnostics->more);
}
