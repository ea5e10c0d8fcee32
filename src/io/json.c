/* Reading JSON: recursive descent over a copy of the text, in which texts are decoded in place. */
#include "io/json.h"

#include "base/status.h"
#include "io/file.h"

#include <string.h>

enum { MOST_DEPTH = 32, MOST_KEYS = 256, MOST_TEXT = 1 << 28, LONGEST_NUMBER = 63 };

typedef struct Parser {
    Json *json;
    char *at, *end; /* *end is zero */
    int depth;
    mote_Error *error;
    mote_Status status;
} Parser;

static bool fail(Parser *parser, const char *what)
{
    if (parser->status != MOTE_OK) return false;
    parser->status =
        status_fail(parser->error, MOTE_IO_FAILED, "%s: damaged at byte %td: %s",
                    file_label(parser->json->where), parser->at - parser->json->text, what);
    return false;
}

static void skip_space(Parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\n' || *parser->at == '\r' || *parser->at == '\t')
        ++parser->at;
}

static bool take(Parser *parser, char c)
{
    skip_space(parser);
    if (*parser->at != c) return false;
    ++parser->at;
    return true;
}

/* The new node's index, or SIZE_MAX when out of memory. */
static size_t add_node(Parser *parser, JsonKind kind, const char *key)
{
    Json *json = parser->json;
    if (!memory_reserve(json->memory, (void **)&json->nodes, &json->capacity, json->count + 1,
                        sizeof *json->nodes)) {
        parser->status = status_no_memory(parser->error, "reading JSON", json->count);
        return SIZE_MAX;
    }
    json->nodes[json->count] = (JsonNode){.kind = kind, .key = key};
    return json->count++;
}

/* ---- texts ---- */

/* Bytes of the UTF-8 character at `at`, or 0 when it is not one. */
static size_t utf8_size(const unsigned char *at, const unsigned char *end)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t f = 0; f < 4; ++f) {
        if ((at[0] & forms[f].mask) != forms[f].lead) continue;
        uint32_t code = at[0] & (unsigned char)~forms[f].mask;
        if ((size_t)(end - at) < f + 1) return 0;
        for (size_t i = 1; i <= f; ++i) {
            if ((at[i] & 0xc0) != 0x80) return 0;
            code = code << 6 | (at[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code < 0xe000;
        return code >= forms[f].least && code <= 0x10ffff && !surrogate ? f + 1 : 0;
    }
    return 0;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xe0 | code >> 12);
        } else {
            *to++ = (char)(0xf0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

static bool take_hex(Parser *parser, int digits, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < digits; ++i) {
        static const char hex[] = "0123456789abcdef";
        char c = *parser->at;
        if (c >= 'A' && c <= 'F') c = (char)(c - 'A' + 'a');
        const char *found = c != '\0' ? strchr(hex, c) : NULL;
        if (found == NULL) return fail(parser, "\\u needs four hexadecimal digits");
        *value = *value << 4 | (uint32_t)(found - hex);
        ++parser->at;
    }
    return true;
}

/* After "\u": one character, from two escapes when it lies beyond the first 65536. */
static bool take_unicode(Parser *parser, char **to)
{
    uint32_t code, low;
    if (!take_hex(parser, 4, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (parser->at[0] != '\\' || parser->at[1] != 'u') return fail(parser, "half a character");
        parser->at += 2;
        if (!take_hex(parser, 4, &low)) return false;
        if (low < 0xdc00 || low >= 0xe000) return fail(parser, "half a character");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code == 0 || (code >= 0xdc00 && code < 0xe000)) {
        return fail(parser, "a character that cannot be");
    }
    *to = put_utf8(*to, code);
    return true;
}

static bool take_escape(Parser *parser, char **to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    char c = *parser->at;
    const char *found = c != '\0' ? strchr(from, c) : NULL;
    if (c != 'u' && found == NULL) return fail(parser, "an unknown escape in a text");
    ++parser->at;
    if (c == 'u') return take_unicode(parser, to);
    *(*to)++ = into[found - from];
    return true;
}

/* After the opening quote. A decoded text is never longer than it was. */
static const char *take_text(Parser *parser)
{
    char *start = parser->at, *to = start;
    while (*parser->at != '"') {
        if ((unsigned char)*parser->at < 0x20) {
            fail(parser, "a text without an end, or with a control character");
            return NULL;
        }
        if (*parser->at == '\\') {
            ++parser->at;
            if (!take_escape(parser, &to)) return NULL;
            continue;
        }
        size_t size = utf8_size((unsigned char *)parser->at, (unsigned char *)parser->end);
        if (size == 0) {
            fail(parser, "a text that is not UTF-8");
            return NULL;
        }
        memmove(to, parser->at, size);
        to += size, parser->at += size;
    }
    ++parser->at;
    *to = '\0';
    return start;
}

/* ---- values ---- */

static bool parse_value(Parser *parser, const char *key, size_t *index);

static bool skip_digits(Parser *parser)
{
    char *start = parser->at;
    while (*parser->at >= '0' && *parser->at <= '9') ++parser->at;
    return parser->at > start;
}

/* The number is moved one place to the front, onto its sign or the colon, comma or bracket that
 * was read before it, so that there is room for a zero after it. */
static bool parse_number(Parser *parser, size_t node)
{
    char *start = parser->at;
    if (*parser->at == '-') ++parser->at;
    char *digits = parser->at;
    bool good = skip_digits(parser) && (digits[0] != '0' || parser->at == digits + 1);
    if (good && *parser->at == '.') {
        ++parser->at;
        good = skip_digits(parser);
    }
    if (good && (*parser->at == 'e' || *parser->at == 'E')) {
        ++parser->at;
        if (*parser->at == '+' || *parser->at == '-') ++parser->at;
        good = skip_digits(parser);
    }
    size_t length = (size_t)(parser->at - start);
    if (!good || length > LONGEST_NUMBER) return fail(parser, "not a value");
    memmove(start - 1, start, length);
    start[length - 1] = '\0';
    parser->json->nodes[node].text = start - 1;
    return true;
}

static bool parse_word(Parser *parser, size_t node)
{
    static const struct {
        const char *word;
        JsonKind kind;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        size_t length = strlen(words[i].word);
        if (strncmp(parser->at, words[i].word, length) != 0) continue;
        parser->at += length;
        parser->json->nodes[node].kind = words[i].kind;
        return true;
    }
    return fail(parser, "not a value");
}

static bool check_key(Parser *parser, size_t node, const char *key)
{
    Json *json = parser->json;
    if (key == NULL || !take(parser, ':')) return fail(parser, "a key and a colon must stand here");
    if (json->nodes[node].count >= MOST_KEYS) return fail(parser, "an object with too many keys");
    if (json_find(json, &json->nodes[node], key) != NULL) return fail(parser, "a doubled key");
    return true;
}

/* After the opening bracket of an array or object. */
static bool parse_children(Parser *parser, size_t node, bool object)
{
    char close = object ? '}' : ']';
    size_t last = 0, child;
    if (take(parser, close)) return true;
    do {
        const char *key = NULL;
        if (object) {
            if (take(parser, '"')) key = take_text(parser);
            if (!check_key(parser, node, key)) return false;
        }
        if (!parse_value(parser, key, &child)) return false;
        JsonNode *nodes = parser->json->nodes;
        *(last == 0 ? &nodes[node].first : &nodes[last].next) = child;
        ++nodes[node].count;
        last = child;
    } while (take(parser, ','));
    return take(parser, close) ||
           fail(parser, object ? "a comma or } is missing" : "a comma or ] is missing");
}

static bool parse_value(Parser *parser, const char *key, size_t *index)
{
    skip_space(parser);
    size_t node = *index = add_node(parser, JSON_NUMBER, key);
    if (node == SIZE_MAX) return false;
    char c = *parser->at;
    if (c == '"') {
        ++parser->at;
        const char *text = take_text(parser);
        parser->json->nodes[node].kind = JSON_TEXT;
        parser->json->nodes[node].text = text;
        return text != NULL;
    }
    if (c == '{' || c == '[') {
        if (parser->depth == MOST_DEPTH) return fail(parser, "nested too deeply");
        ++parser->at, ++parser->depth;
        parser->json->nodes[node].kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        bool good = parse_children(parser, node, c == '{');
        --parser->depth;
        return good;
    }
    return c == '-' || (c >= '0' && c <= '9') ? parse_number(parser, node)
                                              : parse_word(parser, node);
}

mote_Status json_parse(Json *json, const char *where, const char *text, size_t size, Memory *memory,
                       mote_Error *error)
{
    *json = (Json){.where = where, .memory = memory};
    if (size > MOST_TEXT)
        return status_fail(error, MOTE_IO_FAILED, "%s: its JSON is longer than %d MiB",
                           file_label(where), MOST_TEXT >> 20);
    json->text_size = size + 2; /* a space in front, for numbers to move to, and a zero */
    json->text = memory_take(memory, json->text_size);
    if (json->text == NULL) return status_no_memory(error, "reading JSON", size);
    json->text[0] = ' ';
    if (size > 0) memcpy(json->text + 1, text, size);
    json->text[size + 1] = '\0';
    Parser parser = {
        .json = json, .at = json->text + 1, .end = json->text + size + 1, .error = error};
    size_t root;
    if (parse_value(&parser, NULL, &root)) {
        skip_space(&parser);
        if (parser.at != parser.end) fail(&parser, "text after the end");
    }
    if (parser.status != MOTE_OK) json_free(json);
    return parser.status;
}

void json_free(Json *json)
{
    memory_free(json->memory, json->text, json->text_size);
    memory_free(json->memory, json->nodes, json->capacity * sizeof *json->nodes);
    json->text = NULL, json->nodes = NULL;
    json->count = json->capacity = json->text_size = 0;
}
