/* The tree of the colliders that have an end: built anew, refitted or kept from sub-step to
 * sub-step.
 *
 * Broad phase: boxes alone. What has no end is in no tree and is always asked. */
#include "collide/broad.h"

#include "base/status.h"

#include <string.h>

enum { MOST_REFITS = 16 }; /* a tree that was refitted often fits badly */

Broad broad_make(Memory *memory)
{
    return (Broad){.tree = bounds_tree_make(memory)};
}

void broad_free(Broad *broad)
{
    memory_free(broad->tree.memory, broad->boxes, broad->box_capacity * sizeof *broad->boxes);
    bounds_tree_free(&broad->tree);
    broad->boxes = NULL, broad->box_capacity = 0;
}

/* ---- building ---- */

static bool comes_before(const Collider *a, const Collider *b)
{
    bool ends = aabb_is_finite(&a->bounds), other = aabb_is_finite(&b->bounds);
    return ends != other ? !ends : a->number < b->number;
}

/* By insertion: from one sub-step to the next they are in order. */
static void sort_colliders(Broad *broad)
{
    const Collider **list = broad->colliders;
    broad->endless = 0;
    broad->moves = broad->sticks = false;
    for (size_t i = 0; i < broad->count; ++i) {
        const Collider *c = list[i];
        size_t k = i;
        broad->moves = broad->moves || c->moves;
        broad->sticks = broad->sticks || c->friction->sticks;
        broad->endless += !aabb_is_finite(&c->bounds);
        for (; k > 0 && comes_before(c, list[k - 1]); --k) list[k] = list[k - 1];
        list[k] = c;
    }
}

static bool same_box(const Aabb *a, const Aabb *b)
{
    return a->low.x == b->low.x && a->low.y == b->low.y && a->low.z == b->low.z &&
           a->high.x == b->high.x && a->high.y == b->high.y && a->high.z == b->high.z;
}

/* True when a box has changed. */
static bool take_boxes(Broad *broad, size_t count)
{
    bool changed = false;
    for (size_t i = 0; i < count; ++i) {
        const Aabb *box = &broad->colliders[broad->endless + i]->bounds;
        changed = changed || !same_box(box, &broad->boxes[i]);
        broad->boxes[i] = *box;
    }
    return changed;
}

mote_Status broad_build(Broad *broad, mote_Error *error)
{
    sort_colliders(broad);
    const size_t count = broad->count - broad->endless;
    if (!memory_reserve(broad->tree.memory, (void **)&broad->boxes, &broad->box_capacity, count,
                        sizeof *broad->boxes))
        return status_no_memory(error, "boxes of colliders", count * sizeof *broad->boxes);
    const bool known = broad->tree.count == count;
    if (!known) memset(broad->boxes, 0, count * sizeof *broad->boxes);
    if (!take_boxes(broad, count) && known) return MOTE_OK;
    /* Refitting keeps the tree's order and only moves boxes; after some of them the order no longer
     * suits, and it is built anew. */
    if (known && broad->refits++ < MOST_REFITS) {
        bounds_tree_refit(&broad->tree, broad->boxes);
        return MOTE_OK;
    }
    broad->refits = 0;
    return bounds_tree_build(&broad->tree, broad->boxes, count, 1, error);
}

/* ---- walking ---- */

void broad_walk(BroadWalk *walk, const Broad *broad, Aabb box)
{
    walk->broad = broad, walk->endless = 0;
    bounds_tree_walk(&walk->tree, &broad->tree, box);
}

const Collider *broad_next(BroadWalk *walk)
{
    const Broad *broad = walk->broad;
    uint32_t item;
    if (walk->endless < broad->endless) return broad->colliders[walk->endless++];
    if (!bounds_tree_next(&walk->tree, &item)) return NULL;
    return broad->colliders[broad->endless + item];
}
