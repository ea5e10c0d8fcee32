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

/* The items whose box may meet `box` (with leaves of one item: does meet it), in ascending order,
 * into `items`, which has room for all. Returns how many. A box with NaN meets everything. */
size_t bounds_tree_overlaps(const BoundsTree *tree, const Aabb *box, uint32_t *items);

#endif
