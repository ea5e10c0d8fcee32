/* The files of a document: format version and includes. */
#include "scene/document.h"

#include "base/status.h"
#include "base/system.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that was read, or is being read. */
typedef struct IncludedFile {
    uint64_t identity[2];
    const TextSource *source;
    struct IncludedFile *next;   /* read before */
    struct IncludedFile *parent; /* the file that includes it */
    int depth;
    bool open; /* its includes are being read */
} IncludedFile;

/* ---- one file ---- */

static IncludedFile *add_file(Document *document, const FileText *text, const char *name,
                              IncludedFile *parent)
{
    IncludedFile *file = store_take(&document->store, sizeof *file);
    if (file == NULL) return NULL;
    *file = (IncludedFile){.identity = {text->identity[0], text->identity[1]},
                           .source = document_add_source(document, name, text->text, text->size),
                           .next = document->files,
                           .parent = parent,
                           .depth = parent != NULL ? parent->depth + 1 : 0,
                           .open = true};
    if (file->source == NULL) return NULL;
    document->files = file;
    document->total_size += text->size;
    return file;
}

void document_check_format(Document *document, const Node *root, bool required)
{
    const Node *version = node_find(root, "mote");
    Diagnostics *diagnostics = &document->diagnostics;
    if (version == NULL && required) {
        diagnose(diagnostics, (Place){root->source, root->at, 1},
                 "the format version `mote: %d` is missing", DOCUMENT_FORMAT);
    } else if (version != NULL && version->type != NODE_NUMBER) {
        node_expect(&document->reader, version, NODE_NUMBER);
    } else if (version != NULL && version->number != DOCUMENT_FORMAT) {
        char number[NUMBER_SIZE];
        number_text(version->number, number);
        diagnose(diagnostics, node_place(version),
                 "unknown format version %s; this build reads version %d", number, DOCUMENT_FORMAT);
    }
}

/* Takes a member out of an object. */
static Node *detach(Node *object, const char *key)
{
    Node *before = NULL, *member = object->first;
    for (; member != NULL && strcmp(member->key, key) != 0; member = member->next) before = member;
    if (member == NULL) return NULL;
    if (before != NULL)
        before->next = member->next;
    else
        object->first = member->next;
    if (object->last == member) object->last = before;
    object->count--;
    return member;
}

/* What a file says itself comes last, over what it includes. */
static Node *load_includes(Document *document, IncludedFile *file, Node *root);

static bool is_blank(const TextSource *source)
{
    return strspn(source->text, " \t\r\n") == source->size;
}

static Node *load_file(Document *document, IncludedFile *file)
{
    Node *root = json5_parse(&document->json5, file->source, 0);
    if (root == NULL && is_blank(file->source))
        diagnose_hint(
            document->json5.diagnostics,
            "the file is empty; a scene begins with { mote: 1, and `mote new` writes one");
    if (root == NULL || !node_expect(&document->reader, root, NODE_OBJECT)) return NULL;
    document_check_format(document, root, file->depth == 0);
    root = load_includes(document, file, root);
    file->open = false;
    return root;
}

/* ---- includes ---- */

char *document_join_path(Store *store, const char *from, const char *name)
{
    const char *slash = strrchr(from, '/');
    size_t folder = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - from) + 1;
    size_t length = strlen(name);
    char *path = store_take(store, folder + length + 1);
    if (path == NULL) return NULL;
    memcpy(path, from, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}

/* "a.json5 includes b.json5 includes a.json5" */
static void report_cycle(Document *document, const Node *include, const IncludedFile *from,
                         const IncludedFile *again)
{
    const IncludedFile *chain[DOCUMENT_DEEPEST_INCLUDE + 2];
    size_t count = 0;
    for (const IncludedFile *file = from; file != again; file = file->parent) chain[count++] = file;
    TextBuffer text = text_buffer_make(document->memory);
    text_buffer_print(&text, "%s", again->source->name);
    while (count > 0) text_buffer_print(&text, " includes %s", chain[--count]->source->name);
    text_buffer_print(&text, " includes %s", again->source->name);
    if (text.failed)
        document->store.failed = true;
    else
        diagnose(&document->diagnostics, node_place(include), "files include each other: %s",
                 text.text);
    text_buffer_free(&text);
}

static void report_unreadable(Document *document, const Node *include, const char *path,
                              const mote_Error *error)
{
    diagnose(&document->diagnostics, node_place(include), "cannot read %s: %s", path,
             error->message);
}

static const IncludedFile *find_file(const Document *document, const uint64_t identity[2])
{
    const IncludedFile *file = document->files;
    while (file != NULL && memcmp(file->identity, identity, sizeof file->identity) != 0)
        file = file->next;
    return file;
}

bool document_has_read(const Document *document, const uint64_t identity[2])
{
    return find_file(document, identity) != NULL;
}

/* Reads a file that was opened, unless it was read before. */
static Node *load_opened(Document *document, IncludedFile *from, const Node *include,
                         const char *path, FileText *text)
{
    mote_Error error;
    const IncludedFile *known = find_file(document, text->identity);
    if (known != NULL) {
        file_text_close(text);
        if (known->open) report_cycle(document, include, from, known);
        return NULL;
    }
    mote_Status status = file_text_load(text, &document->store, &error);
    if (status == MOTE_IO_FAILED) report_unreadable(document, include, path, &error);
    if (status != MOTE_OK) return NULL;
    IncludedFile *file = add_file(document, text, path, from);
    return file != NULL ? load_file(document, file) : NULL;
}

static Node *load_included(Document *document, IncludedFile *from, const Node *include)
{
    const char *name;
    FileText text;
    mote_Error error;
    if (!node_text(&document->reader, include, &name)) return NULL;
    char *path = document_join_path(&document->store, from->source->name, name);
    if (path == NULL) return NULL;
    size_t left = DOCUMENT_LARGEST_TOTAL - document->total_size;
    size_t largest = left < JSON5_LARGEST_FILE ? left : JSON5_LARGEST_FILE;
    if (file_text_open(path, largest, &text, &error) == MOTE_OK)
        return load_opened(document, from, include, path, &text);
    report_unreadable(document, include, path, &error);
    return NULL;
}

static Node *merge_included(Document *document, Node *merged, Node *next)
{
    if (merged == NULL || next == NULL) return merged != NULL ? merged : next;
    if (!node_merge(document->memory, merged, next)) document->store.failed = true;
    return merged;
}

static Node *load_includes(Document *document, IncludedFile *file, Node *root)
{
    Node *merged = NULL, *include = detach(root, "include");
    if (include == NULL) return root;
    if (file->depth >= DOCUMENT_DEEPEST_INCLUDE) {
        diagnose(&document->diagnostics, node_place(include), "files include more than %d deep",
                 DOCUMENT_DEEPEST_INCLUDE);
        return root;
    }
    if (include->type == NODE_ARRAY) {
        NODE_EACH(one, include)
        merged = merge_included(document, merged, load_included(document, file, one));
    } else {
        merged = load_included(document, file, include);
    }
    return merge_included(document, merged, root);
}

/* ---- the main file ---- */

Node *document_load(Document *document, const char *path, mote_Error *error, mote_Status *status)
{
    FileText text;
    mote_Error reason;
    *status = file_text_open(path, JSON5_LARGEST_FILE, &text, &reason);
    if (*status == MOTE_OK) *status = file_text_load(&text, &document->store, &reason);
    if (*status != MOTE_OK) {
        status_fail(error, *status, "cannot read %s: %s", path, reason.message);
        return NULL;
    }
    IncludedFile *file = add_file(document, &text, path, NULL);
    return file != NULL ? load_file(document, file) : NULL;
}

Node *document_load_text(Document *document, const char *name, const char *text)
{
    size_t size = strlen(text);
    if (size > JSON5_LARGEST_FILE) {
        diagnose(&document->diagnostics, (Place){NULL, 0, 0},
                 "the scene has %zu bytes, but at most %d are read", size, JSON5_LARGEST_FILE);
        return NULL;
    }
    FileText copy = {.size = size, .text = store_text(&document->store, text, size)};
    if (copy.text == NULL) return NULL;
    IncludedFile *file = add_file(document, &copy, name, NULL);
    return file != NULL ? load_file(document, file) : NULL;
}

/* ---- reading a scene file whole, after a look at its size ---- */

void file_text_close(FileText *file)
{
    if (file->handle >= 0) close(file->handle);
    file->handle = -1;
}

static mote_Status fail_with_errno(FileText *file, mote_Error *error)
{
    int reason = errno;
    file_text_close(file);
    return status_fail(error, MOTE_IO_FAILED, "%s", strerror(reason));
}

static mote_Status check_kind_and_size(const struct stat *info, size_t largest, mote_Error *error)
{
    size_t size = (size_t)info->st_size;
    if (S_ISDIR(info->st_mode)) return status_fail(error, MOTE_IO_FAILED, "it is a folder");
    if (!S_ISREG(info->st_mode)) return status_fail(error, MOTE_IO_FAILED, "it is no plain file");
    if (size <= largest) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "it has %zu bytes, but at most %zu are read", size,
                       largest);
}

mote_Status file_text_open(const char *path, size_t largest, FileText *file, mote_Error *error)
{
    struct stat info;
    *file = (FileText){.handle = system_open(path)};
    if (file->handle < 0 || fstat(file->handle, &info) != 0 ||
        !system_identity(file->handle, file->identity))
        return fail_with_errno(file, error);
    file->size = (size_t)info.st_size;
    mote_Status status = check_kind_and_size(&info, largest, error);
    if (status != MOTE_OK) file_text_close(file);
    return status;
}

/* A file that shrank since its size was asked is read as far as it goes. */
mote_Status file_text_load(FileText *file, Store *store, mote_Error *error)
{
    size_t size = 0;
    file->text = store_take(store, file->size + 1);
    if (file->text == NULL) {
        file_text_close(file);
        return status_no_memory(error, "a scene file", file->size);
    }
    while (size < file->size) {
        const int64_t got = system_read(file->handle, file->text + size, file->size - size, size);
        if (got < 0) return fail_with_errno(file, error);
        if (got == 0) break;
        size += (size_t)got;
    }
    file_text_close(file);
    file->size = size;
    file->text[size] = '\0';
    return MOTE_OK;
}
