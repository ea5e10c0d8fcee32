/* Nodes back to JSON5 text, for `mote scene print`. */
#include "text/json5.h"
#include "text/json5_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 100, INDENT = 2 };

static bool is_name(const char *key)
{
    size_t size, at = 0;
    if (!json5_starts_name(utf8_read(key, &size))) return false;
    for (uint32_t c; (c = utf8_read(key + at, &size)) != 0; at += size)
        if (!json5_continues_name(c)) return false;
    return true;
}

static void print_escaped(TextBuffer *buffer, char c)
{
    if (c == '"' || c == '\\')
        text_buffer_print(buffer, "\\%c", c);
    else if (c == '\n')
        text_buffer_add(buffer, "\\n", 2);
    else if ((unsigned char)c < 0x20 || c == 0x7f)
        text_buffer_print(buffer, "\\x%02x", (unsigned)(unsigned char)c);
    else
        text_buffer_add(buffer, &c, 1);
}

static void print_quoted(TextBuffer *buffer, const char *text)
{
    text_buffer_add(buffer, "\"", 1);
    for (; *text != '\0'; ++text) print_escaped(buffer, *text);
    text_buffer_add(buffer, "\"", 1);
}

static void print_number(TextBuffer *buffer, double value)
{
    char text[NUMBER_SIZE];
    number_text(value, text);
    if (isnan(value))
        text_buffer_print(buffer, "NaN");
    else if (isinf(value))
        text_buffer_print(buffer, value > 0 ? "Infinity" : "-Infinity");
    else
        text_buffer_print(buffer, "%s", text);
}

typedef struct Printer {
    TextBuffer *buffer;
    const Json5Texts *texts; /* NULL: all texts as they are */
} Printer;

static const char *text_of(const Printer *printer, const Node *node)
{
    const Json5Texts *texts = printer->texts;
    const char *other = texts != NULL ? texts->text(texts->context, node) : NULL;
    return other != NULL ? other : node->text;
}

static void print_leaf(const Printer *printer, const Node *node)
{
    TextBuffer *buffer = printer->buffer;
    if (node->type == NODE_NULL) text_buffer_print(buffer, "null");
    if (node->type == NODE_BOOL) text_buffer_print(buffer, node->boolean ? "true" : "false");
    if (node->type == NODE_NUMBER) print_number(buffer, node->number);
    if (node->type == NODE_TEXT) print_quoted(buffer, text_of(printer, node));
}

static bool has_children(const Node *node)
{
    return node->type == NODE_ARRAY || node->type == NODE_OBJECT;
}

/* A list of a few leaves may be written on one line. */
static bool is_flat(const Node *node)
{
    if (node->count > 16) return false;
    NODE_EACH(child, node)
    if (has_children(child) && child->count > 0) return false;
    return true;
}

static void print_gap(TextBuffer *buffer, bool one_line, int depth)
{
    if (one_line)
        text_buffer_add(buffer, " ", 1);
    else
        text_buffer_print(buffer, "\n%*s", INDENT * depth, "");
}

static void print_node(const Printer *printer, const Node *node, int depth);

static void print_children(const Printer *printer, const Node *node, bool one_line, int depth)
{
    TextBuffer *buffer = printer->buffer;
    const char *brackets = node->type == NODE_ARRAY ? "[]" : "{}";
    text_buffer_add(buffer, &brackets[0], 1);
    NODE_EACH(child, node)
    {
        if (!one_line || child != node->first || node->type == NODE_OBJECT)
            print_gap(buffer, one_line, depth + 1);
        if (child->key != NULL && is_name(child->key))
            text_buffer_print(buffer, "%s: ", child->key);
        else if (child->key != NULL)
            print_quoted(buffer, child->key), text_buffer_add(buffer, ": ", 2);
        print_node(printer, child, depth + 1);
        if (!one_line || child != node->last) text_buffer_add(buffer, ",", 1);
    }
    if (node->count > 0 && (!one_line || node->type == NODE_OBJECT))
        print_gap(buffer, one_line, depth);
    text_buffer_add(buffer, &brackets[1], 1);
}

/* What is printed alone decides on lines, not what was read: printed again it is the same. */
static void print_node(const Printer *printer, const Node *node, int depth)
{
    TextBuffer *buffer = printer->buffer;
    const size_t start = buffer->size;
    if (!has_children(node)) {
        print_leaf(printer, node);
        return;
    }
    if (is_flat(node)) {
        print_children(printer, node, true, depth);
        if (buffer->size - start <= LINE_WIDTH - 20) return;
        buffer->size = start;
    }
    print_children(printer, node, false, depth);
}

void json5_print_with(const Node *node, const Json5Texts *texts, TextBuffer *buffer)
{
    const Printer printer = {buffer, texts};
    print_node(&printer, node, 0);
    text_buffer_add(buffer, "\n", 1);
}

void json5_print(const Node *node, TextBuffer *buffer)
{
    json5_print_with(node, NULL, buffer);
}
