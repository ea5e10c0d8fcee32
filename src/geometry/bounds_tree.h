/* A tree of bounding boxes: which of many boxes meet a given one.
 *
 * Nodes have four children whose boxes lie side by side (Wald, Benthin, Boulos 2008). Splits are
 * chosen by the surface area heuristic over bins (Wald 2007). The tree depends on the boxes and
 * their order alone. Boxes without an end are kept apart: every query reports them. */
#ifndef GEOMETRY_BOUNDS_TREE_H
#define GEOMETRY_BOUNDS_TREE_H

#include "base/memory.h"
#include "geometry/aabb.h"

enum {
    TREE_WIDTH = 4,
    TREE_STACK = 512 /* nodes that a walk may have to remember */
};

typedef struct TreeNode {
    mote_real low[3][TREE_WIDTH], high[3][TREE_WIDTH]; /* of the children */
    uint32_t first[TREE_WIDTH]; /* leaf: its first place in `order`; otherwise the child's node */
    uint32_t count[TREE_WIDTH]; /* leaf: its items; 0: a node; TREE_NOTHING: no child */
} TreeNode;

#define TREE_NOTHING UINT32_MAX

typedef struct BoundsTree {
    Memory *memory;
    TreeNode *nodes; /* nodes[0] is the root; a child comes behind its parent */
    size_t node_count, node_capacity;
    uint32_t *order; /* items: the endless ones, then leaf by leaf */
    size_t count, order_capacity;
    size_t endless; /* boxes without an end, or not a number */
    Aabb bounds;    /* of all others */
} BoundsTree;

BoundsTree bounds_tree_make(Memory *memory);
void bounds_tree_free(BoundsTree *tree);

/* Builds the tree, with at most `leaf` items in a leaf. Memory of an earlier tree is used again. */
mote_Status bounds_tree_build(BoundsTree *tree, const Aabb *boxes, size_t count, size_t leaf,
                              mote_Error *error);

/* The same tree around boxes that have moved; build anew when they moved far. */
void bounds_tree_refit(BoundsTree *tree, const Aabb *boxes);

/* Walks through the items whose box may meet `box` (with leaves of one item: does meet it): start
 * with bounds_tree_walk, then call bounds_tree_next while it returns true. The order is the tree's:
 * nobody may depend on it. A box with NaN meets everything. */
typedef struct TreeWalk {
    const BoundsTree *tree;
    Aabb box;
    uint32_t item, end; /* places in `order` that are met and not told yet */
    uint32_t node;
    int child; /* of the node, the next to look at; TREE_WIDTH: the next node on the stack */
    int depth;
    uint32_t stack[TREE_STACK]; /* large: a walk is never copied */
} TreeWalk;

static inline void bounds_tree_walk(TreeWalk *walk, const BoundsTree *tree, Aabb box)
{
    walk->tree = tree, walk->box = box, walk->node = 0, walk->depth = 0;
    walk->item = 0, walk->end = (uint32_t)tree->endless;
    walk->child = tree->node_count > 0 ? 0 : TREE_WIDTH;
}

static inline bool tree_child_meets(const TreeNode *node, int k, const Aabb *box)
{
    return !(node->low[0][k] > box->high.x) && !(node->low[1][k] > box->high.y) &&
           !(node->low[2][k] > box->high.z) && !(box->low.x > node->high[0][k]) &&
           !(box->low.y > node->high[1][k]) && !(box->low.z > node->high[2][k]);
}

/* False at the end. */
static inline bool bounds_tree_next(TreeWalk *walk, uint32_t *item)
{
    while (walk->item == walk->end) {
        if (walk->child == TREE_WIDTH && walk->depth == 0) return false;
        if (walk->child == TREE_WIDTH) walk->node = walk->stack[--walk->depth], walk->child = 0;
        const TreeNode *node = &walk->tree->nodes[walk->node];
        const int k = walk->child++;
        if (node->count[k] == TREE_NOTHING || !tree_child_meets(node, k, &walk->box)) continue;
        if (node->count[k] == 0) walk->stack[walk->depth++] = node->first[k];
        walk->item = node->first[k], walk->end = walk->item + node->count[k];
    }
    *item = walk->tree->order[walk->item++];
    return true;
}

#endif
