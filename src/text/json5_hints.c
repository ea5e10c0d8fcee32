/* Hints at what people do wrong in a text that a parser does not understand. */
#include "text/json5_parser.h"

#include <string.h>

/* ---- brackets ---- */

static const char *line_of(const TextSource *source, const char *at)
{
    while (at > source->text && at[-1] != '\n' && at[-1] != '\r') --at;
    return at;
}

static size_t indent_of(const char *line)
{
    return strspn(line, " \t");
}

/* The first pair of brackets on two lines, of which the second begins further left: where a text
 * is indented, a bracket between them was left open, and this one closes it. */
void parser_note_indent(Parser *parser, const char *open, const char *close)
{
    const char *first = line_of(parser->source, open), *last = line_of(parser->source, close);
    if (parser->odd_open != NULL || first == last || indent_of(last) >= indent_of(first)) return;
    parser->odd_open = open, parser->odd_close = close;
}

static size_t line_number(const Parser *parser, const char *at)
{
    return place_position(parser_place(parser, at, 1)).line;
}

void parser_hint_indent(const Parser *parser)
{
    if (parser->odd_open == NULL) return;
    diagnose_hint(
        parser->json5->diagnostics,
        "the `%c` of line %zu closes the `%c` of line %zu, which is further in: is a `%c` "
        "missing there?",
        *parser->odd_close, line_number(parser, parser->odd_close), *parser->odd_open,
        line_number(parser, parser->odd_open), *parser->odd_close);
}

/* ---- characters ---- */

/* What begins with a character that a scene does not know. */
void parser_hint_found(const Parser *parser)
{
    static const char straight[] = "quotes are straight: \" or '";
    static const char formula[] = "a formula stands in quotes and begins with =: \"=2*pi\"";
    static const struct {
        const char *begin, *hint;
    } known[] = {{"“", straight}, {"”", straight}, {"„", straight},
                 {"‘", straight}, {"’", straight}, {"‚", straight},
                 {"«", straight}, {"»", straight}, {"#", "a comment begins with //"},
                 {"*", formula},  {"+", formula},  {"^", formula}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strncmp(parser->at, known[i].begin, strlen(known[i].begin)) == 0)
            diagnose_hint(parser->json5->diagnostics, "%s", known[i].hint);
}

/* A digit where a key should begin: "1,5", or a key that is a number. */
void parser_hint_digit(const Parser *parser)
{
    const char *at = parser->at;
    const bool comma =
        at - parser->source->text > 1 && at[-1] == ',' && at[-2] >= '0' && at[-2] <= '9';
    diagnose_hint(parser->json5->diagnostics, comma ? "a decimal number has a point: 1.5, not 1,5"
                                                    : "such a key stands in quotes");
}

void json5_hint_encoding(Diagnostics *diagnostics, const TextSource *source)
{
    const bool wide = source->size > 1 && (memcmp(source->text, "\xff\xfe", 2) == 0 ||
                                           memcmp(source->text, "\xfe\xff", 2) == 0);
    if (wide) diagnose_hint(diagnostics, "this is UTF-16; save the file as UTF-8");
}
