/* The JSON5 reader: recursive descent with a bounded depth over a 0-terminated text; and the nodes
 * it makes. */
#include "text/json5.h"

#include "text/json5_parser.h"
#include "text/json5_text.h"
#include "text/key_index.h"

#include <string.h>

Found parser_found(const char *at)
{
    Found found = {0, "the end of the file"};
    size_t size;
    if (*at == '\0') return found;
    while (json5_continues_name(utf8_read(at + found.length, &size)) && found.length < 32)
        found.length += size;
    if (found.length == 0) utf8_read(at, &found.length);
    snprintf(found.text, sizeof found.text, "`%.*s`", (int)found.length, at);
    return found;
}

void *parser_expected(Parser *parser, const char *what)
{
    Found found = parser_found(parser->at);
    SYNTAX_ERROR(parser, parser->at, found.length, "expected %s, found %s", what, found.text);
    parser_hint_found(parser);
    return NULL;
}

static void skip_line(Parser *parser)
{
    size_t size;
    for (uint32_t c; (c = utf8_read(parser->at, &size)) != 0; parser->at += size)
        if (c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029) return;
}

static bool skip_block_comment(Parser *parser)
{
    const char *end = strstr(parser->at + 2, "*/");
    if (end == NULL) {
        SYNTAX_ERROR(parser, parser->at, 2, "this comment is never closed");
        return false;
    }
    parser->at = end + 2;
    return true;
}

/* White space and comments; false after a syntax error. */
static bool skip_space(Parser *parser)
{
    for (;;) {
        while (is_plain_space(*parser->at)) ++parser->at;
        size_t space = json5_space(parser->at);
        parser->at += space;
        if (space > 0) continue;
        if (parser->at[0] != '/') return true;
        if (parser->at[1] == '/')
            skip_line(parser);
        else if (parser->at[1] != '*')
            return true;
        else if (!skip_block_comment(parser))
            return false;
    }
}

Node *parser_new_node(Parser *parser, NodeType type)
{
    if (parser->json5->nodes_left == 0) {
        SYNTAX_ERROR(parser, parser->at, 0, "the scene has more than %d values", JSON5_MOST_NODES);
        return NULL;
    }
    Node *node = store_take(parser->json5->store, sizeof *node);
    if (node == NULL) return NULL;
    parser->json5->nodes_left--;
    *node = (Node){.source = parser->source,
                   .at = (uint32_t)(parser->at - parser->source->text),
                   .type = type};
    return node;
}

Node *parser_end_node(Parser *parser, Node *node)
{
    node->length = (uint32_t)(parser->at - parser->source->text) - node->at;
    return node;
}

/* ---- arrays and objects ---- */

static Node *parse_value(Parser *parser);

/* Moves past `,` or onto the closing bracket; false after an error. */
static bool next_item(Parser *parser, const Node *list, char close)
{
    if (!skip_space(parser)) return false;
    if (*parser->at == close) return true;
    if (*parser->at == '\0') {
        SYNTAX_ERROR(parser, parser->source->text + list->at, 1, "this `%c` is never closed",
                     close == ']' ? '[' : '{');
        parser_hint_indent(parser);
        return false;
    }
    if (*parser->at != ',') {
        parser_expected(parser, close == ']' ? "`,` or `]`" : "`,` or `}`");
        return false;
    }
    ++parser->at;
    return skip_space(parser);
}

static bool parse_element(Parser *parser, Node *array)
{
    Node *value = *parser->at != '\0' ? parse_value(parser) : NULL;
    if (value != NULL) node_append(array, value);
    return value != NULL || *parser->at == '\0';
}

static bool parse_member(Parser *parser, Node *object)
{
    if (*parser->at == '\0') return true; /* next_item says what is missing */
    const char *key_at = parser->at, *key = parser_key(parser);
    if (key == NULL) return false;
    size_t key_length = (size_t)(parser->at - key_at);
    if (!skip_space(parser)) return false;
    if (*parser->at != ':') {
        parser_expected(parser, "`:` after the key");
        return false;
    }
    ++parser->at;
    if (!skip_space(parser)) return false;
    Node *value = parse_value(parser);
    if (value == NULL) return false;
    value->key = key;
    value->key_at = (uint32_t)(key_at - parser->source->text);
    value->key_length = (uint32_t)key_length;
    node_append(object, value);
    return true;
}

static void report_duplicate(void *context, const Node *first, const Node *second)
{
    Diagnostics *diagnostics = context;
    diagnose(diagnostics, node_key_place(second), "the key `%s` stands here twice", second->key);
    diagnose_as(diagnostics, SEVERITY_NOTE, node_key_place(first), "it stands here first");
}

static bool check_duplicates(Parser *parser, Node *object)
{
    Json5 *json5 = parser->json5;
    if (key_index_duplicates(json5->store->arena.memory, object, report_duplicate,
                             json5->diagnostics))
        return true;
    json5->store->failed = true;
    return false;
}

static Node *parse_list(Parser *parser, NodeType type)
{
    const char close = type == NODE_ARRAY ? ']' : '}';
    Node *list = parser_new_node(parser, type);
    if (list == NULL) return NULL;
    list->first = list->last = NULL;
    ++parser->at;
    if (!skip_space(parser)) return NULL;
    while (*parser->at != close) {
        bool good = type == NODE_ARRAY ? parse_element(parser, list) : parse_member(parser, list);
        if (!good || !next_item(parser, list, close)) return NULL;
    }
    parser_note_indent(parser, parser->source->text + list->at, parser->at);
    ++parser->at;
    if (type == NODE_OBJECT && !check_duplicates(parser, list)) return NULL;
    return parser_end_node(parser, list);
}

static Node *parse_nested(Parser *parser, NodeType type)
{
    if (parser->depth >= JSON5_DEEPEST) {
        SYNTAX_ERROR(parser, parser->at, 1, "lists and objects are nested more than %d deep",
                     JSON5_DEEPEST);
        return NULL;
    }
    ++parser->depth;
    Node *list = parse_list(parser, type);
    --parser->depth;
    return list;
}

static Node *parse_value(Parser *parser)
{
    char c = *parser->at;
    if (c == '{') return parse_nested(parser, NODE_OBJECT);
    if (c == '[') return parse_nested(parser, NODE_ARRAY);
    if (c == '"' || c == '\'') return parser_text(parser);
    if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') return parser_number(parser);
    return parser_word(parser);
}

bool json5_check_characters(Diagnostics *diagnostics, const TextSource *source)
{
    size_t bad = utf8_check(source->text, source->size);
    if (bad == source->size) return true;
    diagnose(diagnostics, (Place){source, (uint32_t)bad, 1}, "byte 0x%02x is not UTF-8 text",
             (unsigned)(unsigned char)source->text[bad]);
    json5_hint_encoding(diagnostics, source);
    return false;
}

Node *json5_parse(Json5 *json5, const TextSource *source, size_t from)
{
    Parser parser = {.json5 = json5, .source = source, .at = source->text + from};
    if (!json5_check_characters(json5->diagnostics, source) || !skip_space(&parser)) return NULL;
    Node *node = parse_value(&parser);
    if (node == NULL || !skip_space(&parser)) return NULL;
    if (*parser.at != '\0') return parser_expected(&parser, "the end of the file");
    return node;
}

/* ---- nodes: building and looking up ---- */

void node_append(Node *parent, Node *child)
{
    child->next = NULL;
    if (parent->last != NULL)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

Node *node_find(const Node *object, const char *key)
{
    if (object == NULL || object->type != NODE_OBJECT) return NULL;
    for (Node *member = object->first; member != NULL; member = member->next)
        if (strcmp(member->key, key) == 0) return member;
    return NULL;
}

Node *node_child(const Node *parent, size_t i)
{
    if (parent->type != NODE_ARRAY && parent->type != NODE_OBJECT) return NULL;
    Node *child = parent->first;
    for (; child != NULL && i > 0; --i) child = child->next;
    return child;
}

/* TextSource bytes of the first `count` bytes of a text. */
static size_t encoded_size(const char *at, const char *end, size_t count)
{
    const char *from = at;
    size_t written = 0;
    while (written < count && at < end) {
        TextStep step = json5_text_step(at);
        written += step.written;
        at += step.read;
    }
    return (size_t)(at - from);
}

Place node_text_place(const Node *node, size_t first, size_t length)
{
    const char *at = node->source->text + node->at, *end = at + node->length;
    bool quoted = node->length >= 2 && (*at == '"' || *at == '\'');
    if (!quoted) /* the raw value of a --set */
        return (Place){node->source, node->at + (uint32_t)first, (uint32_t)length};
    size_t before = encoded_size(at + 1, end - 1, first);
    size_t inside = encoded_size(at + 1 + before, end - 1, length);
    return (Place){node->source, node->at + 1 + (uint32_t)before, (uint32_t)inside};
}

const char *node_type_name(NodeType type)
{
    static const char *const names[] = {"null",     "true or false", "a number",
                                        "a string", "a list",        "an object"};
    return names[type];
}
