/* JSON values: finding them and saying what they must be. */
#include "io/json.h"

#include "base/number.h"
#include "base/status.h"
#include "io/file.h"

#include <string.h>

static const JsonNode empty_array = {.kind = JSON_ARRAY};

const JsonNode *json_first(const Json *json, const JsonNode *parent)
{
    return parent->first == 0 ? NULL : &json->nodes[parent->first];
}

const JsonNode *json_next(const Json *json, const JsonNode *node)
{
    return node->next == 0 ? NULL : &json->nodes[node->next];
}

const JsonNode *json_find(const Json *json, const JsonNode *object, const char *key)
{
    if (object->kind != JSON_OBJECT) return NULL;
    for (const JsonNode *child = json_first(json, object); child; child = json_next(json, child))
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

void json_fail(JsonReader *reader, const char *key, const char *must)
{
    if (reader->status != MOTE_OK) return;
    reader->status =
        status_fail(reader->error, MOTE_IO_FAILED, "%s: %s must be %s",
                    file_label(reader->json->where), key != NULL ? key : "an item", must);
}

static const JsonNode *need(JsonReader *reader, const JsonNode *object, const char *key,
                            JsonKind kind, const char *must)
{
    if (reader->status != MOTE_OK) return NULL;
    const JsonNode *node = key != NULL ? json_find(reader->json, object, key) : object;
    if (node != NULL && node->kind == kind) return node;
    json_fail(reader, key, must);
    return NULL;
}

/* Whole numbers are read digit by digit: a double would lose those above 2^53. */
static bool whole_number(const char *text, uint64_t most, uint64_t *value)
{
    *value = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*value > (UINT64_MAX - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return *text == '\0' && *value <= most;
}

uint64_t json_u64(JsonReader *reader, const JsonNode *object, const char *key, uint64_t most)
{
    uint64_t value = 0;
    const char *must = "a whole number in its range";
    const JsonNode *node = need(reader, object, key, JSON_NUMBER, must);
    if (node != NULL && !whole_number(node->text, most, &value)) {
        json_fail(reader, key, must);
        value = 0;
    }
    return value;
}

double json_double(JsonReader *reader, const JsonNode *object, const char *key)
{
    double value = 0;
    if (reader->status != MOTE_OK) return 0;
    const JsonNode *node = key != NULL ? json_find(reader->json, object, key) : object;
    bool right = node != NULL && (node->kind == JSON_NUMBER || node->kind == JSON_TEXT) &&
                 number_parse(node->text, &value);
    if (!right) json_fail(reader, key, "a number");
    return right ? value : 0;
}

const char *json_text(JsonReader *reader, const JsonNode *object, const char *key)
{
    const JsonNode *node = need(reader, object, key, JSON_TEXT, "a text");
    return node != NULL ? node->text : "";
}

uint64_t json_hash(JsonReader *reader, const JsonNode *object, const char *key)
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

const JsonNode *json_array(JsonReader *reader, const JsonNode *object, const char *key)
{
    const JsonNode *node = need(reader, object, key, JSON_ARRAY, "an array");
    return node != NULL ? node : &empty_array;
}
