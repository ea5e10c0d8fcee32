/* A scene's text as one tree: the file, what it includes, its params and the settings of the
 * command line.
 *
 *     Document *document = document_create(&memory);
 *     mote_Status status = document_read(document, "fountain.json5", settings, count, &error);
 *     if (status == MOTE_BAD_VALUE) diagnostics_render(&document->diagnostics, colour, &buffer);
 *     ... params_from_node(&document->reader, &row->head, node_find(document->root, "world"), ...)
 *     document_destroy(document);
 *
 * `include` (a path or a list of them, relative to the file that names them) is merged first:
 * object by object; lists are appended; otherwise what stands in the including file wins. A file is
 * merged once, at its first mention. `params` are numbers, strings, true or false, or expressions
 * of earlier params. */
#ifndef SCENE_DOCUMENT_H
#define SCENE_DOCUMENT_H

#include "scene/reader.h"

enum {
    DOCUMENT_FORMAT = 1, /* the version `mote:` that this build reads */
    DOCUMENT_DEEPEST_INCLUDE = 16,
    DOCUMENT_LARGEST_TOTAL = 256 * 1024 * 1024, /* bytes of all files */
    DOCUMENT_MOST_PARAMS = 1000
};

typedef struct Document {
    Memory *memory;
    Node *root;              /* an object, merged, without `include`; NULL before a file was read */
    Diagnostics diagnostics; /* errors found by reading and, through `reader`, later */
    Reader reader;           /* its scope: the params, then t (s) and frame */
    /* private */
    Store store;
    Json5 json5;
    ExpressionName *params;
    ExpressionScope param_scope;
    struct IncludedFile *files; /* all that were read, newest first */
    size_t total_size;
    Shares shares;
} Document;

/* NULL when out of memory. The memory must outlive the document. */
Document *document_create(Memory *memory);
void document_destroy(Document *document);

/* Reads a file with what it includes. A setting is "name=value" or "path.to.key=value": a param, or
 * any key of the tree; parts of a path are keys, names of list elements, or indices from 0.
 * MOTE_BAD_VALUE: see the diagnostics; the error holds the first. MOTE_IO_FAILED: the file cannot
 * be read. A document reads once. */
mote_Status document_read(Document *document, const char *path, const char *const *settings,
                          size_t setting_count, mote_Error *error);
/* The same for a text in memory, which is copied; includes are relative to the current folder. */
mote_Status document_read_text(Document *document, const char *name, const char *text,
                               const char *const *settings, size_t setting_count,
                               mote_Error *error);

/* Whether a file, by its identity, is one that the document was read from. */
bool document_has_read(const Document *document, const uint64_t identity[2]);

/* MOTE_OK without errors; otherwise MOTE_BAD_VALUE with the first, or MOTE_NO_MEMORY. For callers
 * that read more through `reader`. */
mote_Status document_status(const Document *document, mote_Error *error);

/* The steps of reading a document, in their order. Errors go to its diagnostics; running out of
 * memory to document->store.failed. */

/* Adds a source whose text (size bytes, with a 0 behind) lives in the store. NULL: no memory. */
TextSource *document_add_source(Document *document, const char *name, const char *text,
                                size_t size);

/* A file that was opened. */
typedef struct FileText {
    int handle;
    size_t size;
    uint64_t identity[2];
    char *text; /* once loaded: in the store, 0-terminated */
} FileText;

/* MOTE_BAD_VALUE: refused by its size; MOTE_IO_FAILED. The message does not name the file. */
mote_Status file_text_open(const char *path, size_t largest, FileText *file, mote_Error *error);
/* Reads and closes it. */
mote_Status file_text_load(FileText *file, Store *store, mote_Error *error);
void file_text_close(FileText *file);

/* The tree of a file and its includes, or NULL. */
Node *document_load(Document *document, const char *path, mote_Error *error, mote_Status *status);
Node *document_load_text(Document *document, const char *name, const char *text);
/* Complains about `mote: 1` where it is another, or missing though `required`. */
void document_check_format(Document *document, const Node *root, bool required);

/* `name` seen from the folder of the file at `from`; NULL: no memory. */
char *document_join_path(Store *store, const char *from, const char *name);

/* Merges `over` into `base`; the nodes of `over` are used. False when out of memory. */
bool node_merge(Memory *memory, Node *base, Node *over);

void document_apply_setting(Document *document, const char *setting);
void document_read_params(Document *document);

#endif
