/* Reading the manifest; manifest_write.c has its form. */
#include "base/status.h"
#include "io/manifest.h"
#include "text/json_read.h"

#include <string.h>

enum { MOST_BYTES = 1 << 28 };

/* A path that stays inside the folder: no part of it is empty, "." or "..". */
static void check_file_name(JsonReader *reader, const char *name)
{
    bool inside = true;
    for (const char *part = name;; ++part) {
        size_t length = strcspn(part, "/");
        inside = inside && length > 0 && strncmp(part, "..", length) != 0;
        part += length;
        if (*part == '\0') break;
    }
    if (!inside) json_fail(reader, "file", "the name of a file inside the folder");
}

static void read_items(JsonReader *reader, const Node *root, Manifest *manifest)
{
    const Node *n = node_child(json_array(reader, root, "items"), 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) {
        const char *path = json_text(reader, n, "path");
        uint64_t hash = json_hash(reader, n, "hash");
        if (reader->status == MOTE_OK)
            reader->status = manifest_add_item(manifest, path, hash, reader->error);
    }
}

/* Earlier versions wrote no sums. */
static uint32_t read_sum(JsonReader *reader, const Node *node)
{
    if (node_find(node, "sum") == NULL) return 0;
    return (uint32_t)json_u64(reader, node, "sum", UINT32_MAX);
}

/* The list of sums beside that of sizes; NULL: there is none. */
static const Node *first_sum(JsonReader *reader, const Node *node, size_t count)
{
    if (node_find(node, "sums") == NULL) return NULL;
    const Node *sums = json_array(reader, node, "sums");
    if (sums->count != count) json_fail(reader, "sums", "one for each frame");
    return node_child(sums, 0);
}

static void read_range(JsonReader *reader, const Node *node, Manifest *manifest)
{
    uint64_t first = json_u64(reader, node, "first", UINT64_MAX);
    uint64_t last = json_u64(reader, node, "last", UINT64_MAX);
    const Node *bytes = json_array(reader, node, "bytes");
    uint64_t least =
        manifest->frame_count > 0 ? manifest->frames[manifest->frame_count - 1].index + 1 : 0;
    if (first < least || last < first || bytes->count == 0 || last - first != bytes->count - 1)
        json_fail(reader, "frames", "ascending ranges with one size for each frame");
    const Node *n = node_child(bytes, 0), *s = first_sum(reader, node, bytes->count);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) {
        FileSum file = {.bytes = json_u64(reader, n, NULL, UINT64_MAX)};
        if (s != NULL) {
            file.sum = (uint32_t)json_u64(reader, s, NULL, UINT32_MAX);
            s = s->next;
        }
        if (reader->status == MOTE_OK)
            reader->status = manifest_add_frame(manifest, first++, file, reader->error);
    }
}

/* A file with its size and sum, and a count under a key of its own. */
static FileSum read_file(JsonReader *reader, const Node *node, const char *key, uint64_t most,
                         const char **file, uint64_t *count)
{
    *file = json_text(reader, node, "file");
    *count = json_u64(reader, node, key, most);
    const FileSum sum = {json_u64(reader, node, "bytes", UINT64_MAX), read_sum(reader, node)};
    check_file_name(reader, *file);
    return sum;
}

static void read_checkpoints(JsonReader *reader, const Node *root, Manifest *manifest)
{
    const Node *n = node_child(json_array(reader, root, "checkpoints"), 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) {
        ManifestCheckpoint c;
        c.sum = read_file(reader, n, "frame", UINT64_MAX, &c.file, &c.frame);
        if (reader->status == MOTE_OK)
            reader->status = manifest_add_checkpoint(manifest, &c, reader->error);
    }
}

/* Earlier versions did not list them. */
static void read_tables(JsonReader *reader, const Node *root, Manifest *manifest)
{
    if (node_find(root, "tables") == NULL) return;
    const Node *n = node_child(json_array(reader, root, "tables"), 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) {
        ManifestTable t;
        t.sum = read_file(reader, n, "frames", INT64_MAX, &t.file, &t.frames);
        if (reader->status == MOTE_OK)
            reader->status = manifest_add_table(manifest, &t, reader->error);
    }
}

/* Runs without probes do not list them. */
static void read_columns(JsonReader *reader, const Node *root, Manifest *manifest)
{
    if (node_find(root, "probes") == NULL) return;
    const Node *n = node_child(json_array(reader, root, "probes"), 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) {
        ManifestColumn column = {.probe = json_text(reader, n, "probe"),
                                 .file = json_text(reader, n, "file"),
                                 .column = json_text(reader, n, "column"),
                                 .unit = json_text(reader, n, "unit")};
        check_file_name(reader, column.file);
        if (reader->status == MOTE_OK)
            reader->status = manifest_add_column(manifest, &column, reader->error);
    }
}

static void read_state(JsonReader *reader, const Node *root, Manifest *manifest)
{
    const char *text = json_text(reader, root, "state");
    int state = 0;
    while (state < MANIFEST_STATES && strcmp(text, manifest_states[state]) != 0) ++state;
    if (state == MANIFEST_STATES)
        json_fail(reader, "state", "running, finished or stopped");
    else
        manifest->state = (ManifestState)state;
}

static void read_version(JsonReader *reader, const Node *root, Manifest *manifest)
{
    const char *version = json_text(reader, root, "mote");
    size_t size = strlen(version) + 1;
    char *copy = arena_take(&manifest->arena, size);
    if (copy == NULL)
        reader->status = status_no_memory(reader->error, "the manifest", size);
    else
        manifest->mote = memcpy(copy, version, size);
}

static void read_command(JsonReader *reader, const Node *root, Manifest *manifest)
{
    const char *command = json_text(reader, root, "command");
    if (reader->status == MOTE_OK)
        reader->status = manifest_set_command(manifest, command, reader->error);
}

/* Another format is no damage: MOTE_BAD_VALUE, as for frames and checkpoints. */
static void check_format(JsonReader *reader, const Node *root)
{
    uint64_t format = json_u64(reader, root, "format", UINT64_MAX);
    if (reader->status == MOTE_OK && format != MANIFEST_FORMAT)
        reader->status = status_fail(reader->error, MOTE_BAD_VALUE,
                                     "%s: has format %llu, but mote %s reads format %d",
                                     file_label(reader->json->where), (unsigned long long)format,
                                     mote_version(), MANIFEST_FORMAT);
}

static void read_all(JsonReader *reader, Manifest *manifest)
{
    const Node *root = reader->json->root;
    check_format(reader, root);
    read_version(reader, root, manifest);
    manifest->real_bytes = (int)json_u64(reader, root, "real_bytes", 8);
    if (manifest->real_bytes != 4 && manifest->real_bytes != 8)
        json_fail(reader, "real_bytes", "4 or 8");
    manifest->scene_hash = json_hash(reader, root, "scene_hash");
    manifest->fps = json_double(reader, root, "fps");
    if (!(manifest->fps > 0)) json_fail(reader, "fps", "greater than 0");
    manifest->frames_planned = json_u64(reader, root, "frames_planned", UINT64_MAX);
    read_state(reader, root, manifest);
    if (node_find(root, "command") != NULL) read_command(reader, root, manifest);
    const Node *n = node_child(json_array(reader, root, "frames"), 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) read_range(reader, n, manifest);
    read_checkpoints(reader, root, manifest);
    read_tables(reader, root, manifest);
    read_columns(reader, root, manifest);
    read_items(reader, root, manifest);
}

static mote_Status read_json(const Json *json, mote_Allocator allocator, Manifest **out,
                             mote_Error *error)
{
    Manifest *manifest;
    JsonReader reader = {.json = json, .error = error};
    const char *scene = json_text(&reader, json->root, "scene");
    if (reader.status != MOTE_OK) return reader.status;
    mote_Status status = manifest_create(allocator, scene, &manifest, error);
    if (status != MOTE_OK) return status;
    read_all(&reader, manifest);
    if (reader.status == MOTE_OK)
        *out = manifest;
    else
        manifest_destroy(manifest);
    return reader.status;
}

mote_Status manifest_read(Source source, mote_Allocator allocator, Manifest **manifest,
                          mote_Error *error)
{
    Memory memory = memory_make(allocator);
    Json json;
    *manifest = NULL;
    size_t size = source.size < MOST_BYTES ? (size_t)source.size : MOST_BYTES;
    char *text = memory_take(&memory, size + 1);
    mote_Status status = text != NULL ? source_read(&source, 0, text, size, error)
                                      : status_no_memory(error, "the manifest", size);
    if (status == MOTE_OK)
        status = json_parse(&json, file_label(source.path), text, size, &memory, error);
    memory_free(&memory, text, size + 1);
    source_close(&source);
    if (status != MOTE_OK) return status;
    status = read_json(&json, allocator, manifest, error);
    json_free(&json);
    return status;
}

mote_Status manifest_open(const char *path, Manifest **manifest, mote_Error *error)
{
    Source source;
    *manifest = NULL;
    mote_Status status = source_open(&source, path, error);
    if (status != MOTE_OK) return status;
    return manifest_read(source, mote_default_allocator(), manifest, error);
}
