/* Nodes: building and looking up. */
#include "text/json5.h"
#include "text/json5_text.h"

#include <string.h>

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
