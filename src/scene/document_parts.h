/* The steps of reading a document, in their order. Errors go to its diagnostics; running out of
 * memory to document->store.failed. */
#ifndef SCENE_DOCUMENT_PARTS_H
#define SCENE_DOCUMENT_PARTS_H

#include "scene/document.h"

/* Adds a source whose text (size bytes, with a 0 behind) lives in the store. NULL: no memory. */
TextSource *document_add_source(Document *document, const char *name, const char *text,
                                size_t size);

/* A file that was opened. */
typedef struct FileText {
    int handle;
    size_t size;
    uint64_t device, number; /* identify the file */
    char *text;              /* once loaded: in the store, 0-terminated */
} FileText;

/* MOTE_BAD_VALUE: refused by its size; MOTE_IO_FAILED. The message does not name the file. */
mote_Status file_text_open(const char *path, size_t largest, FileText *file, mote_Error *error);
/* Reads and closes it. */
mote_Status file_text_load(FileText *file, Store *store, mote_Error *error);
void file_text_close(FileText *file);

/* The tree of a file and its includes, or NULL. */
Node *document_load(Document *document, const char *path, mote_Error *error, mote_Status *status);
Node *document_load_text(Document *document, const char *name, const char *text);

/* `name` seen from the folder of the file at `from`; NULL: no memory. */
char *document_join_path(Store *store, const char *from, const char *name);

/* Merges `over` into `base`; the nodes of `over` are used. False when out of memory. */
bool node_merge(Memory *memory, Node *base, Node *over);

void document_apply_setting(Document *document, const char *setting);
void document_read_params(Document *document);

#endif
