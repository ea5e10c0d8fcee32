/* Reading a document: load and merge, apply settings, compute params. */
#include "scene/document.h"

#include "base/status.h"
#include "text/key_index.h"

#include <string.h>

static const ExpressionName time_names[] = {{.name = "t", .slot = SLOT_T},
                                            {.name = "frame", .slot = SLOT_FRAME}};
static const ExpressionScope time_scope = {time_names, 2, NULL};

Document *document_create(Memory *memory)
{
    Document *document = memory_zeroed(memory, sizeof *document);
    if (document == NULL) return NULL;
    document->memory = memory;
    document->store = store_make(memory);
    document->diagnostics = diagnostics_make(memory);
    document->json5 = (Json5){&document->store, &document->diagnostics, JSON5_MOST_NODES};
    document->param_scope.outer = &time_scope;
    document->reader = (Reader){&document->store, &document->diagnostics, &document->param_scope,
                                .dimension = 3, .shares = &document->shares};
    document->shares.memory = memory;
    return document;
}

void document_destroy(Document *document)
{
    if (document == NULL) return;
    diagnostics_free(&document->diagnostics);
    shares_release(&document->shares);
    store_free(&document->store);
    memory_free(document->memory, document, sizeof *document);
}

TextSource *document_add_source(Document *document, const char *name, const char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark belongs to no column */
    TextSource *source = store_take(&document->store, sizeof *source);
    char *copy = store_text(&document->store, name, strlen(name));
    if (source == NULL || copy == NULL) return NULL;
    size_t skip = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    *source = (TextSource){.name = copy, .text = text + skip, .size = size - skip};
    return source;
}

mote_Status document_status(const Document *document, mote_Error *error)
{
    const Diagnostics *diagnostics = &document->diagnostics;
    if (document->store.failed || diagnostics->failed)
        return status_fail(error, MOTE_NO_MEMORY, "out of memory: reading the scene");
    if (diagnostics->errors == 0) return MOTE_OK;
    const Diagnostic *first = diagnostics->kept;
    while (first->severity != SEVERITY_ERROR) ++first;
    char where[200];
    place_text(first->place, where, sizeof where);
    const size_t more = diagnostics->errors - 1;
    const char *hint = first->hint != NULL ? first->hint : "", *gap = hint[0] != 0 ? "; " : "";
    if (more == 0)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %s%s%s", where, first->message, gap, hint);
    return status_fail(error, MOTE_BAD_VALUE, "%s: %s%s%s (and %zu more)", where, first->message,
                       gap, hint, more);
}

static mote_Status finish(Document *document, const char *const *settings, size_t setting_count,
                          mote_Error *error)
{
    if (document->root != NULL) {
        for (size_t i = 0; i < setting_count; ++i) document_apply_setting(document, settings[i]);
        if (document->diagnostics.errors == 0) /* a setting may have changed it */
            document_check_format(document, document->root, true);
        document_read_params(document);
    }
    return document_status(document, error);
}

mote_Status document_read(Document *document, const char *path, const char *const *settings,
                          size_t setting_count, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    document->root = document_load(document, path, error, &status);
    return status == MOTE_OK ? finish(document, settings, setting_count, error) : status;
}

mote_Status document_read_text(Document *document, const char *name, const char *text,
                               const char *const *settings, size_t setting_count, mote_Error *error)
{
    document->root = document_load_text(document, name, text);
    return finish(document, settings, setting_count, error);
}

/* ---- params ---- */

/* The params of a document, as constants for its expressions. */
static bool check_name(Document *document, const Node *param)
{
    bool time =
        expression_name(document->param_scope.outer, param->key, strlen(param->key)) != NULL;
    if (!time && !expression_is_reserved(param->key)) return true;
    diagnose(&document->diagnostics, node_key_place(param),
             "the param `%s` cannot have the name of a %s", param->key,
             time ? "variable" : "function or constant");
    return false;
}

static bool read_param(Document *document, const Node *param, ExpressionName *name)
{
    *name = (ExpressionName){.name = param->key, .slot = EXPRESSION_CONSTANT};
    if (!check_name(document, param)) return false;
    if (param->type == NODE_TEXT && !node_is_expression(param)) {
        name->text = param->text;
        return true;
    }
    if (param->type == NODE_BOOL) {
        name->value = param->boolean;
        return true;
    }
    if (param->type == NODE_NUMBER || param->type == NODE_TEXT) {
        if (node_number(&document->reader, param, "", &name->value)) return true;
        diagnose_hint(&document->diagnostics, "a param may use the params before it");
        return false;
    }
    diagnose(&document->diagnostics, node_place(param),
             "a param is a number, a string, true or false; found %s", node_type_name(param->type));
    return false;
}

/* A param that is wrong stays known, so that one error does not cause others. */
void document_read_params(Document *document)
{
    const Node *params = node_find(document->root, "params");
    if (params == NULL || !node_expect(&document->reader, params, NODE_OBJECT)) return;
    if (params->count > DOCUMENT_MOST_PARAMS) {
        diagnose(&document->diagnostics, node_place(params), "the scene has more than %d params",
                 DOCUMENT_MOST_PARAMS);
        return;
    }
    document->params = store_take(&document->store, (params->count + 1) * sizeof(ExpressionName));
    if (document->params == NULL) return;
    document->param_scope.names = document->params;
    NODE_EACH(param, params)
    {
        read_param(document, param, &document->params[document->param_scope.count]);
        document->param_scope.count++;
    }
}

/* ---- merging ---- */

/* Merging trees: object by object, lists appended, the later value wins. */
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
