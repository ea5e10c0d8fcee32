/* Settings of the command line: name=value, path.to.key=value. */
#include "scene/document.h"

#include <stdlib.h>
#include <string.h>

/* A setting, as a source of its own so that errors point into it. */
typedef struct Setting {
    Document *document;
    const TextSource *source;
    const char *value; /* behind the "=" */
} Setting;

static Place part_place(const Setting *setting, const char *at, size_t length)
{
    return (Place){setting->source, (uint32_t)(at - setting->source->text), (uint32_t)length};
}

/* ---- values ---- */

static Node *plain_text(const Setting *setting)
{
    Node *node = store_take(&setting->document->store, sizeof *node);
    if (node == NULL) return NULL;
    Place place = part_place(setting, setting->value, strlen(setting->value));
    *node = (Node){.source = setting->source,
                   .at = place.at,
                   .length = place.length,
                   .type = NODE_TEXT,
                   .text = setting->value};
    return node;
}

/* A value in brackets or quotes must be JSON5; another is a text if it is not JSON5. */
static Node *parse_value(const Setting *setting)
{
    Document *document = setting->document;
    size_t from = (size_t)(setting->value - setting->source->text);
    bool marked = setting->value[0] != '\0' && strchr("[{\"'", setting->value[0]) != NULL;
    if (marked) return json5_parse(&document->json5, setting->source, from);
    Diagnostics ignored = diagnostics_make(document->memory);
    Json5 json5 = {&document->store, &ignored, document->json5.nodes_left};
    Node *node = json5_parse(&json5, setting->source, from);
    document->json5.nodes_left = json5.nodes_left;
    if (ignored.failed) document->store.failed = true;
    diagnostics_free(&ignored);
    return node != NULL ? node : plain_text(setting);
}

static bool is_plain_text(const Node *node)
{
    return node->type == NODE_TEXT && !node_is_expression(node);
}

/* The value for a param: a text stays a text, a number a number. */
static Node *parse_param(const Setting *setting, const Node *old)
{
    bool quoted = setting->value[0] == '"' || setting->value[0] == '\'';
    if (is_plain_text(old) && !quoted) return plain_text(setting);
    Node *node = parse_value(setting);
    if (node == NULL || is_plain_text(old) || !is_plain_text(node)) return node;
    diagnose(&setting->document->diagnostics, node_place(node), "expected %s, found a string",
             old->type == NODE_TEXT ? "a number" : node_type_name(old->type));
    return NULL;
}

/* ---- where ---- */

/* A new member for the path's part at `at`. */
static Node *add_member(const Setting *setting, Node *object, const char *at, size_t length)
{
    Store *store = &setting->document->store;
    Node *member = store_take(store, sizeof *member);
    char *key = store_text(store, at, length);
    if (member == NULL || key == NULL) return NULL;
    Place place = part_place(setting, at, length);
    *member = (Node){.source = setting->source,
                     .key = key,
                     .at = place.at,
                     .length = place.length,
                     .key_at = place.at,
                     .key_length = place.length,
                     .type = NODE_OBJECT};
    node_append(object, member);
    return member;
}

static const char *element_name(const Node *element)
{
    const Node *name = node_find(element, "name");
    return name != NULL && name->type == NODE_TEXT ? name->text : NULL;
}

static bool is_part(const char *text, const char *at, size_t length)
{
    return text != NULL && strlen(text) == length && memcmp(text, at, length) == 0;
}

static Node *find_element(const Node *array, const char *at, size_t length)
{
    for (Node *element = array->first; element != NULL; element = element->next)
        if (is_part(element_name(element), at, length)) return element;
    bool is_index = length > 0 && length <= 9 && strspn(at, "0123456789") >= length;
    return is_index ? node_child(array, strtoul(at, NULL, 10)) : NULL;
}

static Node *find_member(const Node *object, const char *at, size_t length)
{
    for (Node *member = object->first; member != NULL; member = member->next)
        if (is_part(member->key, at, length)) return member;
    return NULL;
}

/* Names of elements, for did-you-mean; those without a name are "". */
static const char *named_element(const void *context, size_t i)
{
    const Node *element = node_child(context, i);
    if (element == NULL) return NULL;
    const char *name = element_name(element);
    return name != NULL ? name : "";
}

static const char *member_name(const void *context, size_t i)
{
    const Node *member = context != NULL ? node_child(context, i) : NULL;
    return member != NULL ? member->key : NULL;
}

static Node *enter(const Setting *setting, Node *node, const char *at, size_t length)
{
    Diagnostics *diagnostics = &setting->document->diagnostics;
    Place place = part_place(setting, at, length);
    if (node->type == NODE_OBJECT) {
        Node *member = find_member(node, at, length);
        return member != NULL ? member : add_member(setting, node, at, length);
    }
    if (node->type != NODE_ARRAY) {
        diagnose(diagnostics, place, "`%.*s` cannot be set: what holds it is %s", (int)length, at,
                 node_type_name(node->type));
        return NULL;
    }
    Node *element = find_element(node, at, length);
    if (element != NULL) return element;
    char word[64];
    size_t cut = length < 63 ? length : 63;
    memcpy(word, at, cut);
    word[cut] = '\0';
    diagnose(diagnostics, place, "the list has no element `%s`", word);
    diagnose_nearest(diagnostics, word, (NameList){named_element, node});
    diagnose_hint(diagnostics, "elements go by their names, or by numbers from 0");
    return NULL;
}

static bool check_part(const Setting *setting, const char *part, const char *end, int depth)
{
    Diagnostics *diagnostics = &setting->document->diagnostics;
    if (part == end)
        diagnose(diagnostics, part_place(setting, part, 0), "expected a key before the `%c`",
                 *part);
    else if (depth == JSON5_DEEPEST)
        diagnose(diagnostics, part_place(setting, part, 0), "the path has more than %d parts",
                 JSON5_DEEPEST);
    return part != end && depth < JSON5_DEEPEST;
}

/* The node that the path names; missing keys are added, so that defaults can be overridden. */
static Node *walk(const Setting *setting, const char *path, const char *end)
{
    Node *node = setting->document->root;
    for (int depth = 0; node != NULL; ++depth) {
        const char *dot = memchr(path, '.', (size_t)(end - path));
        const char *part_end = dot != NULL ? dot : end;
        if (!check_part(setting, path, part_end, depth)) return NULL;
        node = enter(setting, node, path, (size_t)(part_end - path));
        if (dot == NULL) return node;
        path = dot + 1;
    }
    return NULL;
}

/* Puts the value where the target is; the key stays, the place is the setting's. */
static void replace(const Setting *setting, Node *target, Node *value, size_t name_length)
{
    const Node old = *target;
    if (value == NULL) return;
    *target = *value;
    target->next = old.next;
    target->key = old.key;
    target->key_at = 0;
    target->key_length = (uint32_t)name_length;
    target->source = setting->source;
}

static void set_path(const Setting *setting, size_t length)
{
    const char *path = setting->source->text;
    Node *value = parse_value(setting);
    Node *target = value != NULL ? walk(setting, path, path + length) : NULL;
    if (target != NULL) replace(setting, target, value, length);
}

/* A name without dots is a param, or else a whole part of the scene. */
static void set_param(const Setting *setting, size_t length)
{
    Diagnostics *diagnostics = &setting->document->diagnostics;
    const char *name = setting->source->text;
    const Node *params = node_find(setting->document->root, "params");
    bool usable = params != NULL && params->type == NODE_OBJECT;
    Node *param = usable ? find_member(params, name, length) : NULL;
    if (param != NULL) {
        replace(setting, param, parse_param(setting, param), length);
        return;
    }
    if (find_member(setting->document->root, name, length) != NULL) { /* a part of the scene */
        set_path(setting, length);
        return;
    }
    char *word = store_text(&setting->document->store, name, length);
    if (word == NULL) return;
    diagnose(diagnostics, part_place(setting, name, length), "the scene has no param `%s`", word);
    const NameList names = {member_name, usable ? params : NULL};
    diagnose_nearest(diagnostics, word, names);
    diagnose_allowed(diagnostics, "params", names);
    if (!usable || params->first == NULL)
        diagnose_hint(diagnostics,
                      "it has none at all; any value goes by its place, as world.fps=60 or "
                      "emitters.0.rate=9");
}

/* "--video:output.video=avi" is what the option --video stands for, and is blamed on it. */
static TextSource *setting_source(Document *document, const char *text)
{
    const char *colon = strncmp(text, "--", 2) == 0 ? strchr(text, ':') : NULL;
    const char *name =
        colon != NULL ? store_text(&document->store, text, (size_t)(colon - text)) : "--set";
    if (colon != NULL) text = colon + 1;
    const char *copy = store_text(&document->store, text, strlen(text));
    if (name == NULL || copy == NULL) return NULL;
    TextSource *source = document_add_source(document, name, copy, strlen(text));
    if (source != NULL) source->made = colon != NULL;
    return source;
}

void document_apply_setting(Document *document, const char *text)
{
    TextSource *source = setting_source(document, text);
    if (source == NULL || !json5_check_characters(&document->diagnostics, source)) return;
    Setting setting = {.document = document, .source = source};
    const char *equals = strchr(source->text, '=');
    if (equals == NULL || equals == source->text) {
        diagnose(&document->diagnostics, part_place(&setting, source->text, 0),
                 "expected name=value");
        return;
    }
    setting.value = equals + 1;
    size_t length = (size_t)(equals - source->text);
    if (memchr(source->text, '.', length) != NULL)
        set_path(&setting, length);
    else
        set_param(&setting, length);
}
