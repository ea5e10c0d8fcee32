/* JSON5 without the brackets: texts, numbers, words and keys. */
#include "text/json5_parser.h"

#include "base/number.h"
#include "text/json5_text.h"

#include <math.h>
#include <string.h>

/* ---- texts ---- */

/* The closing quote, or NULL after an error. *plain: no escape comes before it. Most texts have no
 * escape and are copied as they stand. */
static const char *find_quote(Parser *parser, bool *plain)
{
    const char quote = *parser->at;
    const char *at = parser->at + 1;
    *plain = true;
    for (; *at != quote; ++at) {
        if (*at == '\n' || *at == '\r' || *at == '\0') {
            SYNTAX_ERROR(parser, parser->at, 1, "this string is not closed on its line");
            return NULL;
        }
        if (*at != '\\') continue;
        *plain = false;
        TextStep step = json5_text_step(at);
        if (step.problem != NULL) {
            SYNTAX_ERROR(parser, at, step.read, "%s", step.problem);
            return NULL;
        }
        at += step.read - 1;
    }
    return at;
}

static const char *decode(Store *store, const char *from, const char *end)
{
    char *text = store_take(store, (size_t)(end - from) + 1), *out = text;
    if (text == NULL) return NULL;
    while (from < end) {
        TextStep step = json5_text_step(from);
        memcpy(out, step.out, step.written);
        from += step.read;
        out += step.written;
    }
    *out = '\0';
    return text;
}

static const char *read_quoted(Parser *parser)
{
    bool plain;
    const char *from = parser->at + 1, *end = find_quote(parser, &plain);
    if (end == NULL) return NULL;
    parser->at = end + 1;
    if (!plain) return decode(parser->json5->store, from, end);
    return store_text(parser->json5->store, from, (size_t)(end - from));
}

Node *parser_text(Parser *parser)
{
    Node *node = parser_new_node(parser, NODE_TEXT);
    if (node == NULL) return NULL;
    node->text = read_quoted(parser);
    return node->text != NULL ? parser_end_node(parser, node) : NULL;
}

/* ---- numbers and words ---- */

static bool name_continues(const char *at)
{
    size_t size;
    return *at == '\\' || json5_continues_name(utf8_read(at, &size));
}

static size_t word_length(const char *at)
{
    size_t length = 0, size;
    while (json5_continues_name(utf8_read(at + length, &size))) length += size;
    return length;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

/* Infinity and NaN, as numbers. */
static NumberRead read_word_number(const char *at)
{
    size_t length = word_length(at);
    if (is_word(at, length, "Infinity")) return (NumberRead){length, HUGE_VAL, NULL};
    if (is_word(at, length, "NaN")) return (NumberRead){length, (double)NAN, NULL};
    return (NumberRead){0, 0, NULL};
}

static NumberRead read_unsigned(const char *at)
{
    NumberRead number = number_read_hex(at);
    if (number.length == 0) number = read_word_number(at);
    if (number.length == 0) number = number_read(at);
    /* Octal in C, decimal to a reader: JSON5 allows neither. */
    bool leading_zero = at[0] == '0' && at[1] >= '0' && at[1] <= '9';
    if (leading_zero) number.problem = "starts with a zero that does not belong there";
    return number;
}

Node *parser_number(Parser *parser)
{
    Node *node = parser_new_node(parser, NODE_NUMBER);
    if (node == NULL) return NULL;
    const char *start = parser->at;
    bool minus = *start == '-';
    if (*start == '-' || *start == '+') ++parser->at;
    NumberRead number = read_unsigned(parser->at);
    if (number.length == 0) return parser_expected(parser, "a number");
    parser->at += number.length;
    size_t length = (size_t)(parser->at - start);
    if (number.problem != NULL) {
        SYNTAX_ERROR(parser, start, length, "the number `%.*s` %s",
                     (int)(length < 40 ? length : 40), start, number.problem);
        return NULL;
    }
    if (name_continues(parser->at) || *parser->at == '.') {
        parser_expected(parser, "`,` after the number");
        if (*parser->at != '.')
            diagnose_hint(parser->json5->diagnostics, "numbers stand without their unit");
        return NULL;
    }
    node->number = minus ? -number.value : number.value;
    return parser_end_node(parser, node);
}

static Node *unknown_word(Parser *parser, size_t length)
{
    static const char *const words[] = {"true", "false", "null", "Infinity", "NaN", NULL};
    Found found = parser_found(parser->at);
    SYNTAX_ERROR(parser, parser->at, length, "expected a value, found %s", found.text);
    char word[40];
    snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), parser->at);
    diagnose_nearest(parser->json5->diagnostics, word, name_list(words));
    diagnose_hint(parser->json5->diagnostics, "a string stands in quotes");
    return NULL;
}

Node *parser_word(Parser *parser)
{
    size_t length = word_length(parser->at);
    if (length == 0) return parser_expected(parser, "a value");
    if (read_word_number(parser->at).length > 0) return parser_number(parser);
    bool is_true = is_word(parser->at, length, "true");
    bool is_null = is_word(parser->at, length, "null");
    bool known = is_true || is_null || is_word(parser->at, length, "false");
    if (!known) return unknown_word(parser, length);
    Node *node = parser_new_node(parser, is_null ? NODE_NULL : NODE_BOOL);
    if (node == NULL) return NULL;
    node->boolean = is_true;
    parser->at += length;
    return parser_end_node(parser, node);
}

/* ---- keys ---- */

/* A name's end; escapes \uXXXX may stand in it. NULL after an error. */
static const char *find_name_end(Parser *parser, bool *plain)
{
    const char *at = parser->at;
    *plain = true;
    for (;;) {
        while (is_plain_name(*at)) ++at;
        size_t size;
        uint32_t c = utf8_read(at, &size);
        if (c == '\\') {
            *plain = false;
            TextStep step = json5_text_step(at);
            if (at[1] != 'u' || step.problem != NULL) {
                SYNTAX_ERROR(parser, at, 1, "in a name only \\u with four digits may be escaped");
                return NULL;
            }
            c = utf8_read(step.out, &size);
            size = step.read;
            if (!json5_continues_name(c)) {
                SYNTAX_ERROR(parser, at, size, "this character cannot stand in a name");
                return NULL;
            }
        } else if (!json5_continues_name(c)) {
            return at;
        }
        at += size;
    }
}

const char *parser_key(Parser *parser)
{
    size_t size;
    uint32_t c = utf8_read(parser->at, &size);
    if (c == '"' || c == '\'') return read_quoted(parser);
    if (c != '\\' && !json5_starts_name(c)) {
        parser_expected(parser, "a key or `}`");
        if (c >= '0' && c <= '9') parser_hint_digit(parser);
        return NULL;
    }
    bool plain;
    const char *from = parser->at, *end = find_name_end(parser, &plain);
    if (end == NULL) return NULL;
    parser->at = end;
    if (!plain) return decode(parser->json5->store, from, end);
    return store_text(parser->json5->store, from, (size_t)(end - from));
}
