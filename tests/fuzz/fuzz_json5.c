/* Any bytes as a document: it is read or refused; what is shown and printed is well-formed; the
 * printed tree reads back as the same tree. Lines behind a line "%%" are settings. */
#include "base/row.h"
#include "scene/document.h"
#include "scene/json5_text.h"

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

/* Printing what was read from a printed tree gives the same text. */
static void check_print(Document *document, Memory *memory)
{
    TextBuffer first = text_buffer_make(memory), second = text_buffer_make(memory);
    json5_print(document->root, &first);
    Store store = store_make(memory);
    Diagnostics diagnostics = diagnostics_make(memory);
    Json5 json5 = {&store, &diagnostics, JSON5_MOST_NODES};
    const Source source = {"printed", first.text, first.size};
    Node *node = json5_parse(&json5, &source, 0);
    require(node != NULL || document->diagnostics.errors > 0);
    if (node != NULL) json5_print(node, &second);
    require(node == NULL || node->count == document->root->count);
    diagnostics_free(&diagnostics);
    store_free(&store);
    text_buffer_free(&first);
    text_buffer_free(&second);
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
        check_print(document, &memory);
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
