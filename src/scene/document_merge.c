/* Merging trees: object by object, lists appended, the later value wins. */
#include "scene/document_parts.h"
#include "text/key_index.h"

/* What an error points at is the file that comes later. */
static void take_place(Node *base, const Node *over)
{
    base->source = over->source;
    base->at = over->at, base->length = over->length;
    base->key_at = over->key_at, base->key_length = over->key_length;
}

static void append_list(Node *base, const Node *over)
{
    if (over->first == NULL) return;
    if (base->last != NULL)
        base->last->next = over->first;
    else
        base->first = over->first;
    base->last = over->last;
    base->count += over->count;
}

static void replace(Node *base, const Node *over)
{
    Node *next = base->next;
    *base = *over;
    base->next = next;
}

static bool merge_member(Memory *memory, Node *base, Node *over)
{
    if (base->type == NODE_OBJECT && over->type == NODE_OBJECT)
        return node_merge(memory, base, over);
    if (base->type == NODE_ARRAY && over->type == NODE_ARRAY) {
        append_list(base, over);
        take_place(base, over);
    } else {
        replace(base, over);
    }
    return true;
}

/* Recursion is as deep as the trees are: JSON5_DEEPEST. */
bool node_merge(Memory *memory, Node *base, Node *over)
{
    KeyIndex index;
    bool good = key_index_make(memory, base, over->count, &index);
    take_place(base, over);
    for (Node *member = over->first, *next; good && member != NULL; member = next) {
        next = member->next;
        Node *known = key_index_find(&index, member);
        if (known != NULL) {
            good = merge_member(memory, known, member);
        } else {
            node_append(base, member);
            key_index_add(&index, member);
        }
    }
    key_index_free(&index);
    return good;
}
