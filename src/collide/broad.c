/* A tree of boxes over the colliders that have an end: halved at the middle of the longest side. */
#include "collide/broad.h"

size_t broad_most_nodes(size_t count)
{
    return count > 0 ? 2 * count : 1;
}

static mote_real component(mote_Vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static Aabb box_of(const Collider *const *items, size_t count)
{
    Aabb box = aabb_empty();
    for (size_t i = 0; i < count; ++i) box = aabb_join(&box, &items[i]->bounds);
    return box;
}

static int longest_axis(const Aabb *box)
{
    mote_Vec3 d = vec3_sub(box->high, box->low);
    if (d.x >= d.y && d.x >= d.z) return 0;
    return d.y >= d.z ? 1 : 2;
}

/* Colliders before others: by the middle of their box, then by number, so that the order does not
 * depend on how they were sorted before. */
static bool comes_before(const Collider *a, const Collider *b, int axis)
{
    mote_Vec3 p = aabb_centre(&a->bounds), q = aabb_centre(&b->bounds);
    mote_real x = component(p, axis), y = component(q, axis);
    return x < y || (x == y && a->number < b->number);
}

static void swap(const Collider **a, const Collider **b)
{
    const Collider *kept = *a;
    *a = *b, *b = kept;
}

/* Hoare's selection: the k smallest stand first afterwards. */
static void select_smallest(const Collider **items, size_t count, size_t k, int axis)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        const Collider *pivot = items[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (comes_before(items[i], pivot, axis)) ++i;
            while (comes_before(pivot, items[j], axis)) --j;
            if (i >= j) break;
            swap(&items[i++], &items[j--]);
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
}

static void build(Broad *broad, uint32_t node, size_t first, size_t count)
{
    const Collider **items = broad->colliders + first;
    Aabb box = box_of(items, count);
    broad->nodes[node] = (BroadNode){box, (uint32_t)first, (uint32_t)count};
    if (count <= BROAD_LEAF) return;
    uint32_t left = (uint32_t)broad->node_count;
    size_t half = count / 2;
    broad->node_count += 2;
    select_smallest(items, count, half, longest_axis(&box));
    broad->nodes[node].first = left, broad->nodes[node].count = 0;
    build(broad, left, first, half);
    build(broad, left + 1, first + half, count - half);
}

/* Those without end to the front, in the order of their numbers. */
static void endless_first(Broad *broad)
{
    broad->endless = 0;
    broad->moves = broad->sticks = false;
    for (size_t i = 0; i < broad->count; ++i) {
        broad->moves = broad->moves || broad->colliders[i]->moves;
        broad->sticks = broad->sticks || broad->colliders[i]->friction->sticks;
        if (aabb_is_finite(&broad->colliders[i]->bounds)) continue;
        swap(&broad->colliders[broad->endless++], &broad->colliders[i]);
    }
    for (size_t i = 1; i < broad->endless; ++i)
        for (size_t k = i; k > 0; --k) {
            const Collider **pair = &broad->colliders[k - 1];
            if (pair[0]->number < pair[1]->number) break;
            swap(&pair[0], &pair[1]);
        }
}

void broad_build(Broad *broad)
{
    endless_first(broad);
    size_t bounded = broad->count - broad->endless;
    broad->node_count = bounded > 0 ? 1 : 0;
    if (bounded > 0) build(broad, 0, broad->endless, bounded);
}

BroadWalk broad_walk(const Broad *broad, Aabb box)
{
    BroadWalk walk;
    walk.broad = broad, walk.box = box, walk.endless = 0;
    walk.leaf = walk.leaf_end = 0, walk.depth = 0;
    if (broad->node_count > 0) walk.stack[walk.depth++] = 0;
    return walk;
}

/* The next leaf that meets the box; false when there is none. */
static bool next_leaf(BroadWalk *walk)
{
    const BroadNode *nodes = walk->broad->nodes;
    while (walk->depth > 0) {
        const BroadNode *node = &nodes[walk->stack[--walk->depth]];
        if (!aabb_overlap(&node->box, &walk->box)) continue;
        if (node->count > 0) {
            walk->leaf = node->first, walk->leaf_end = node->first + node->count;
            return true;
        }
        walk->stack[walk->depth++] = node->first + 1;
        walk->stack[walk->depth++] = node->first;
    }
    return false;
}

const Collider *broad_next(BroadWalk *walk)
{
    const Broad *broad = walk->broad;
    if (walk->endless < broad->endless) return broad->colliders[walk->endless++];
    for (;;) {
        while (walk->leaf < walk->leaf_end) {
            const Collider *c = broad->colliders[walk->leaf++];
            if (aabb_overlap(&c->bounds, &walk->box)) return c;
        }
        if (!next_leaf(walk)) return NULL;
    }
}
