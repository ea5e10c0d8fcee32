/* The JSON5 reader's insides, shared by its files. Functions that return a pointer give NULL
 * after a syntax error, which they report, and when out of memory. */
#ifndef TEXT_JSON5_PARSER_H
#define TEXT_JSON5_PARSER_H

#include "text/json5.h"

#include <stdio.h>

typedef struct Parser {
    Json5 *json5;
    const TextSource *source;
    const char *at;
    int depth;
    const char *odd_open, *odd_close; /* of two lines that begin at different columns; NULL: none */
} Parser;

static inline Place parser_place(const Parser *parser, const char *from, size_t length)
{
    return (Place){parser->source, (uint32_t)(from - parser->source->text), (uint32_t)length};
}

#define SYNTAX_ERROR(parser, from, length, ...)                                                    \
    diagnose((parser)->json5->diagnostics, parser_place(parser, from, length), __VA_ARGS__)

/* What stands at `at`, for "expected ..., found ...": one name, number or character. */
typedef struct Found {
    size_t length;
    char text[48];
} Found;
Found parser_found(const char *at);

/* Reports "expected WHAT, found ..." and returns NULL. */
void *parser_expected(Parser *parser, const char *what);

/* A node that starts here; and its end. */
Node *parser_new_node(Parser *parser, NodeType type);
Node *parser_end_node(Parser *parser, Node *node);

/* Hints at what people do: brackets that were left open, quotes of a word processor, formulas
 * without any, a decimal comma, another encoding. */
void parser_note_indent(Parser *parser, const char *open, const char *close);
void parser_hint_indent(const Parser *parser);
void parser_hint_found(const Parser *parser);
void parser_hint_digit(const Parser *parser);
void json5_hint_encoding(Diagnostics *diagnostics, const TextSource *source);

/* Values without children, and keys. */
Node *parser_text(Parser *parser);
Node *parser_number(Parser *parser);
Node *parser_word(Parser *parser);
const char *parser_key(Parser *parser);

#endif
