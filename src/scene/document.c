/* Reading a document: load and merge, apply settings, compute params. */
#include "scene/document.h"

#include "base/status.h"
#include "scene/document_parts.h"

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
