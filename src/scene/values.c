/* Every value that a simulation depends on, by path: what the hash of a scene is made of, and what
 * tells a user which change made a cache stale. Pictures and output do not belong to it. */
#include "scene/scene.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 240 };

static const char *const relevant[] = {"params",   "world",  "fields",   "systems",
                                       "emitters", "forces", "colliders"};

/* How long a scene lasts and how it looks change nothing: world.duration, systems.NAME.look. */
static bool is_relevant(const char *part, const Node *node, int depth)
{
    static const struct {
        const char *part, *key;
        int depth;
    } others[] = {{"world", "duration", 1}, {"systems", "look", 2}};
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

/* A member by its key, an element of a list by its name or its number. */
static void child_path(const char *path, const Node *child, size_t number, char *text)
{
    const Node *name = node_find(child, "name");
    if (child->key != NULL)
        snprintf(text, LONGEST_PATH, "%.150s.%.80s", path, child->key);
    else if (name != NULL && name->type == NODE_TEXT)
        snprintf(text, LONGEST_PATH, "%.150s.%.80s", path, name->text);
    else
        snprintf(text, LONGEST_PATH, "%.150s.%zu", path, number);
}

/* A part of the scene on its way into the list. */
typedef struct Branch {
    const char *part; /* "systems" */
    int depth;        /* below it */
} Branch;

static void add_tree(mote_Scene *scene, Branch branch, const char *path, const Node *node)
{
    bool parent = (node->type == NODE_ARRAY || node->type == NODE_OBJECT) && node->count > 0;
    size_t number = 0;
    if (!is_relevant(branch.part, node, branch.depth)) return;
    if (!parent) {
        add_value(scene, path, hash_leaf(node));
        return;
    }
    ++branch.depth;
    NODE_EACH(child, node)
    {
        char text[LONGEST_PATH];
        child_path(path, child, number++, text);
        add_tree(scene, branch, text, child);
    }
}

void scene_list_values(mote_Scene *scene)
{
    const Node *root = scene->document->root;
    scene->values.items =
        store_take(scene->document->reader.store, count_nodes(root) * sizeof(mote_SceneValue));
    for (size_t i = 0; i < sizeof relevant / sizeof relevant[0]; ++i) {
        const Node *node = node_find(root, relevant[i]);
        if (node != NULL && scene->values.items != NULL)
            add_tree(scene, (Branch){relevant[i], 0}, relevant[i], node);
    }
}
