/* Reading files of our own: parsing, and what values must be. */
#include "text/json_read.h"

#include "base/number.h"
#include "base/status.h"

#include <string.h>

static const Node empty_array = {.type = NODE_ARRAY};

/* The first thing that is wrong, with its place in bytes: nobody edits these files by hand. */
static mote_Status fail_damaged(const Json *json, const Diagnostics *diagnostics, mote_Error *error)
{
    if (json->store.failed || diagnostics->count == 0)
        return status_no_memory(error, "reading JSON", json->source.size);
    const Diagnostic *first = &diagnostics->kept[0];
    return status_fail(error, MOTE_IO_FAILED, "%s: damaged at byte %u: %s", json->where,
                       (unsigned)first->place.at, first->message);
}

mote_Status json_parse(Json *json, const char *where, const char *text, size_t size, Memory *memory,
                       mote_Error *error)
{
    *json = (Json){.where = where, .store = store_make(memory)};
    if (size > JSON5_LARGEST_FILE)
        return status_fail(error, MOTE_IO_FAILED, "%s: its JSON is longer than %d MiB", where,
                           JSON5_LARGEST_FILE >> 20);
    const char *copy = store_text(&json->store, text, size);
    if (copy == NULL) {
        json_free(json);
        return status_no_memory(error, "reading JSON", size);
    }
    json->source = (TextSource){.name = where, .text = copy, .size = size};
    Diagnostics diagnostics = diagnostics_make(memory);
    Json5 json5 = {&json->store, &diagnostics, JSON5_MOST_NODES};
    json->root = json5_parse(&json5, &json->source, 0);
    mote_Status status = MOTE_OK;
    if (json->root == NULL || diagnostics.errors > 0)
        status = fail_damaged(json, &diagnostics, error);
    diagnostics_free(&diagnostics);
    if (status != MOTE_OK) json_free(json);
    return status;
}

void json_free(Json *json)
{
    store_free(&json->store);
    json->root = NULL;
}

void json_fail(JsonReader *reader, const char *key, const char *must)
{
    if (reader->status != MOTE_OK) return;
    reader->status = status_fail(reader->error, MOTE_IO_FAILED, "%s: %s must be %s",
                                 reader->json->where, key != NULL ? key : "an item", must);
}

static const Node *need(JsonReader *reader, const Node *object, const char *key, NodeType type,
                        const char *must)
{
    if (reader->status != MOTE_OK) return NULL;
    const Node *node = key != NULL ? node_find(object, key) : object;
    if (node != NULL && node->type == type) return node;
    json_fail(reader, key, must);
    return NULL;
}

/* Whole numbers are read digit by digit: a double would lose those above 2^53. */
static bool whole_number(const Node *node, uint64_t most, uint64_t *value)
{
    const char *text = node->source->text + node->at;
    *value = 0;
    for (uint32_t i = 0; i < node->length; ++i) {
        if (text[i] < '0' || text[i] > '9') return false;
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (*value > (UINT64_MAX - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return *value <= most;
}

uint64_t json_u64(JsonReader *reader, const Node *object, const char *key, uint64_t most)
{
    uint64_t value = 0;
    const char *must = "a whole number in its range";
    const Node *node = need(reader, object, key, NODE_NUMBER, must);
    if (node != NULL && !whole_number(node, most, &value)) {
        json_fail(reader, key, must);
        value = 0;
    }
    return value;
}

double json_double(JsonReader *reader, const Node *object, const char *key)
{
    double value = 0;
    if (reader->status != MOTE_OK) return 0;
    const Node *node = key != NULL ? node_find(object, key) : object;
    if (node != NULL && node->type == NODE_NUMBER) return node->number;
    bool right = node != NULL && node->type == NODE_TEXT && number_parse(node->text, &value);
    if (!right) json_fail(reader, key, "a number");
    return right ? value : 0;
}

const char *json_text(JsonReader *reader, const Node *object, const char *key)
{
    const Node *node = need(reader, object, key, NODE_TEXT, "a text");
    return node != NULL ? node->text : "";
}

uint64_t json_hash(JsonReader *reader, const Node *object, const char *key)
{
    static const char hex[] = "0123456789abcdef";
    const char *text = json_text(reader, object, key);
    uint64_t value = 0;
    if (reader->status != MOTE_OK) return 0;
    for (const char *c = text; *c != '\0'; ++c) {
        const char *found = strchr(hex, *c);
        if (found == NULL || strlen(text) != 16) {
            json_fail(reader, key, "16 hexadecimal digits");
            return 0;
        }
        value = value << 4 | (uint64_t)(found - hex);
    }
    if (text[0] == '\0') json_fail(reader, key, "16 hexadecimal digits");
    return value;
}

const Node *json_array(JsonReader *reader, const Node *object, const char *key)
{
    const Node *node = need(reader, object, key, NODE_ARRAY, "an array");
    return node != NULL ? node : &empty_array;
}
