/* Every value that a simulation depends on, by path: what the hash of a scene is made of, and what
 * tells a user which change made a cache stale. Pictures and output do not belong to it. */
#include "scene/scene.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 240 };

static const char *const relevant[] = {"params", "world",     "fields", "systems", "emitters",
                                       "forces", "colliders", "links",  "probes",  "bodies"};

/* How long a scene lasts and how it looks change nothing: world.duration, systems.NAME.look. */
static bool is_relevant(const char *part, const Node *node, int depth)
{
    static const struct {
        const char *part, *key;
        int depth;
    } others[] = {{"world", "duration", 1},
                  {"systems", "look", 2},
                  {"colliders", "look", 2},
                  {"bodies", "look", 2}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (depth == others[i].depth && strcmp(part, others[i].part) == 0 && node->key != NULL &&
            strcmp(node->key, others[i].key) == 0)
            return false;
    return true;
}

static uint64_t hash_leaf(const Node *node)
{
    switch (node->type) {
    case NODE_NUMBER:
        return hash_bytes(1, &node->number, sizeof node->number);
    case NODE_TEXT:
        return hash_bytes(2, node->text, strlen(node->text));
    case NODE_BOOL:
        return hash_bytes(3, &node->boolean, sizeof node->boolean);
    default:
        return hash_bytes(4, &node->count, sizeof node->count);
    }
}

static size_t count_nodes(const Node *node)
{
    size_t count = 1;
    if (node->type != NODE_ARRAY && node->type != NODE_OBJECT) return 1;
    NODE_EACH(child, node) count += count_nodes(child);
    return count;
}

static void add_value(mote_Scene *scene, const char *path, uint64_t hash)
{
    mote_SceneValue *values = scene->values.items;
    const char *kept = store_text(scene->document->reader.store, path, strlen(path));
    if (kept != NULL) values[scene->values.count++] = (mote_SceneValue){kept, hash};
}

/* A path that grows while the tree is walked; what is too long is cut. */
typedef struct Path {
    char text[LONGEST_PATH];
    size_t length;
} Path;

static void path_add(Path *path, const char *part)
{
    size_t length = strlen(part), room = sizeof path->text - 1 - path->length;
    if (length > room) length = room;
    memcpy(path->text + path->length, part, length);
    path->length += length;
    path->text[path->length] = '\0';
}

/* A member by its key, an element of a list by its name or its number. */
static void path_enter(Path *path, const Node *child, size_t number)
{
    const Node *name = child->key == NULL ? node_find(child, "name") : NULL;
    path_add(path, ".");
    if (child->key != NULL) {
        path_add(path, child->key);
    } else if (name != NULL && name->type == NODE_TEXT) {
        path_add(path, name->text);
    } else {
        char text[24];
        snprintf(text, sizeof text, "%zu", number);
        path_add(path, text);
    }
}

static void path_leave(Path *path, size_t length)
{
    path->length = length;
    path->text[length] = '\0';
}

/* The values below a node of a top-level part, `depth` levels down. */
static void add_tree(mote_Scene *scene, Path *path, const char *part, int depth, const Node *node)
{
    bool parent = (node->type == NODE_ARRAY || node->type == NODE_OBJECT) && node->count > 0;
    size_t number = 0, length = path->length;
    if (!is_relevant(part, node, depth)) return;
    if (!parent) {
        if (shares_path(&scene->document->shares, node) == NULL)
            add_value(scene, path->text, hash_leaf(node));
        return;
    }
    NODE_EACH(child, node)
    {
        path_enter(path, child, number++);
        add_tree(scene, path, part, depth + 1, child);
        path_leave(path, length);
    }
}

/* A file's contents count, and not where it is: a run goes on from a copy of its scene. */
static void add_files(mote_Scene *scene)
{
    size_t number = 0;
    for (const Share *share = scene->document->shares.first; share != NULL; share = share->next) {
        Path path = {.length = 0};
        char text[24];
        if (share->file == NULL) continue;
        const char *slash = strrchr(share->file, '/');
        snprintf(text, sizeof text, "files.%zu.", number++);
        path_add(&path, text);
        path_add(&path, slash != NULL ? slash + 1 : share->file);
        add_value(scene, path.text, share->contents);
    }
}

static size_t count_files(const mote_Scene *scene)
{
    size_t count = 0;
    for (const Share *share = scene->document->shares.first; share != NULL; share = share->next)
        count += share->file != NULL;
    return count;
}

void scene_list_values(mote_Scene *scene)
{
    const Node *root = scene->document->root;
    scene->values.items =
        store_take(scene->document->reader.store,
                   (count_nodes(root) + count_files(scene)) * sizeof(mote_SceneValue));
    for (size_t i = 0; i < sizeof relevant / sizeof relevant[0]; ++i) {
        const Node *node = node_find(root, relevant[i]);
        Path path = {.length = 0};
        path_add(&path, relevant[i]);
        if (node != NULL && scene->values.items != NULL)
            add_tree(scene, &path, relevant[i], 0, node);
    }
    if (scene->values.items != NULL) add_files(scene);
}
