/* JSON5 (https://spec.json5.org, version 1.0.0) into a tree of nodes that know their place.
 *
 * Wider than the specification: an unquoted key may hold any character from U+00AA on that is
 * neither a space nor punctuation. Narrower: no character 0 in texts, limits on depth, size and
 * number of nodes. */
#ifndef TEXT_JSON5_H
#define TEXT_JSON5_H

#include "text/diagnostic.h"
#include "text/store.h"

enum {
    JSON5_DEEPEST = 64,
    JSON5_LARGEST_FILE = 64 * 1024 * 1024, /* bytes */
    JSON5_MOST_NODES = 4 * 1000 * 1000     /* of one document */
};

typedef enum NodeType {
    NODE_NULL,
    NODE_BOOL,
    NODE_NUMBER,
    NODE_TEXT,
    NODE_ARRAY,
    NODE_OBJECT
} NodeType;

/* A value. In an object it is a member and has a key; arrays and objects are lists of children.
 * 64 bytes: the time to read a large scene goes by the memory that its nodes touch. */
typedef struct Node {
    const TextSource *source;
    const char *key;     /* NULL outside an object */
    uint32_t at, length; /* of the value in the source */
    uint32_t key_at, key_length;
    struct Node *next;
    NodeType type;
    uint32_t count; /* children */
    union {
        bool boolean;
        double number; /* may be infinite or NaN */
        const char *text;
        struct {
            struct Node *first, *last;
        };
    };
} Node;

typedef struct Json5 {
    Store *store;             /* nodes and texts */
    Diagnostics *diagnostics; /* a syntax error stops; other errors do not */
    size_t nodes_left;
} Json5;

/* The value that starts at byte `from` of the source and is the only thing there. NULL after a
 * syntax error, and when out of memory: then store->failed or diagnostics->failed is set. Nodes
 * point into the source, which must live as long. */
Node *json5_parse(Json5 *json5, const TextSource *source, size_t from);

/* Reports the first byte that is no UTF-8, or 0. json5_parse does this itself. */
bool json5_check_characters(Diagnostics *diagnostics, const TextSource *source);

/* Appends to an array, or to an object whose keys do not contain the child's. */
void node_append(Node *parent, Node *child);

/* The member with this key, or NULL; for objects (NULL for anything else, also for NULL). */
Node *node_find(const Node *object, const char *key);
/* The i-th child of an array or object, or NULL. */
Node *node_child(const Node *parent, size_t i);

/* Children in order: NODE_EACH(child, parent) { ... } */
#define NODE_EACH(child, parent)                                                                   \
    for (const Node *child = node_child(parent, 0); child != NULL; child = child->next)

static inline Place node_place(const Node *node)
{
    return (Place){node->source, node->at, node->length};
}

static inline Place node_key_place(const Node *node)
{
    return (Place){node->source, node->key_at, node->key_length};
}

/* The place of bytes [first, first + length) of a text node's decoded text: escapes are undone. */
Place node_text_place(const Node *node, size_t first, size_t length);

/* "a number", "a string", "an object" ... */
const char *node_type_name(NodeType type);

/* The tree as JSON5, for people: keys unquoted where possible, short lists on one line. */
void json5_print(const Node *node, TextBuffer *buffer);

/* The same, with other texts in the place of some: NULL keeps a node's own. */
typedef struct Json5Texts {
    const char *(*text)(const void *context, const Node *node);
    const void *context;
} Json5Texts;
void json5_print_with(const Node *node, const Json5Texts *texts, TextBuffer *buffer);

#endif
