/* Any bytes as a document: it is read or refused; what is shown and printed is well-formed; the
 * printed tree reads back as the same tree. Lines behind a line "%%" are settings. */
#include "base/row.h"
#include "scene/document.h"
#include "text/json5_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const choices[] = {"one", "two", NULL};

typedef struct Thing {
    mote_real real;
    double number;
    uint64_t count;
    bool yes;
    mote_Vec3 vector, color;
    int choice;
    const char *name;
} Thing;

static const mote_Param table[] = {
    PARAM_REAL(Thing, real, "m", "", 0.5, 0, 1),
    PARAM_DOUBLE(Thing, number, "kg", "", 1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_COUNT(Thing, count, "", 10, 1, 1000),
    PARAM_BOOL(Thing, yes, "", true),
    PARAM_VEC3(Thing, vector, "m/s", "", 1, 2, 3),
    PARAM_COLOR(Thing, color, "", 1, 1, 1),
    PARAM_CHOICE(Thing, choice, "", choices, 1),
    PARAM_NAME(Thing, name, "", choices),
};
static const mote_Row row = ROW_HEAD("thing", "", table, Thing);

static void require(bool condition)
{
    if (!condition) abort();
}

static void read_things(Document *document)
{
    const char *const others[] = {"type", NULL};
    const double slots[SLOT_FIRST_COLUMN] = {1.5, 3};
    NODE_EACH(member, document->root)
    {
        Thing thing;
        mote_Error error;
        ParamBindings bindings = {0};
        params_from_node(&document->reader, &row, member, others, &thing, &bindings);
        for (ParamBinding *b = bindings.first; b != NULL; b = b->next)
            binding_apply(b, slots, &thing, &error);
    }
}

static bool same_leaf(const Node *a, const Node *b)
{
    if (a->type == NODE_BOOL) return a->boolean == b->boolean;
    if (a->type == NODE_TEXT) return strcmp(a->text, b->text) == 0;
    if (a->type != NODE_NUMBER) return true;
    return memcmp(&a->number, &b->number, sizeof a->number) == 0 ||
           (isnan(a->number) && isnan(b->number));
}

static bool same_tree(const Node *a, const Node *b)
{
    bool keys = a->key == NULL ? b->key == NULL : b->key != NULL && strcmp(a->key, b->key) == 0;
    if (!keys || a->type != b->type || a->count != b->count || !same_leaf(a, b)) return false;
    const Node *other = node_child(b, 0);
    NODE_EACH(child, a)
    {
        if (!same_tree(child, other)) return false;
        other = other->next;
    }
    return true;
}

/* Settings may nest deeper than a file. */
static void check_print(const Document *document, Memory *memory, bool has_settings)
{
    TextBuffer printed = text_buffer_make(memory);
    json5_print(document->root, &printed);
    Store store = store_make(memory);
    Diagnostics diagnostics = diagnostics_make(memory);
    Json5 json5 = {&store, &diagnostics, JSON5_MOST_NODES};
    const TextSource source = {.name = "printed", .text = printed.text, .size = printed.size};
    const Node *node = json5_parse(&json5, &source, 0);
    require(node != NULL || has_settings);
    require(node == NULL || same_tree(document->root, node));
    diagnostics_free(&diagnostics);
    store_free(&store);
    text_buffer_free(&printed);
}

static size_t split_settings(char *text, const char *settings[4])
{
    size_t count = 0;
    char *at = strstr(text, "\n%%\n");
    if (at == NULL) return 0;
    *at = '\0';
    for (at += 4; count < 4 && *at != '\0'; ++count) {
        char *end = at + strcspn(at, "\n");
        settings[count] = at;
        at = *end != '\0' ? end + 1 : end;
        *end = '\0';
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *settings[4];
    mote_Error error;
    Memory memory = memory_make((mote_Allocator){0});
    char *text = calloc(size + 1, 1);
    if (size > 0) memcpy(text, data, size);
    size_t count = split_settings(text, settings);
    Document *document = document_create(&memory);
    document_read_text(document, "f.json5", text, settings, count, &error);
    if (document->root != NULL) {
        check_print(document, &memory, count > 0);
        read_things(document);
    }
    TextBuffer shown = text_buffer_make(&memory);
    diagnostics_render(&document->diagnostics, (size & 1) != 0, &shown);
    require(shown.text == NULL || utf8_check(shown.text, shown.size) == shown.size);
    text_buffer_free(&shown);
    document_destroy(document);
    require(memory.bytes == 0);
    free(text);
    return 0;
}
