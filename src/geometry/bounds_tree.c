/* Building, refitting and asking trees of bounding boxes. */
#include "geometry/bounds_tree.h"

#include "base/status.h"

enum {
    BINS = 16,
    DEEPEST_SAH = 64 /* below, ranges are cut in halves: the depth stays within TREE_STACK */
};

BoundsTree bounds_tree_make(Memory *memory)
{
    return (BoundsTree){.memory = memory, .bounds = aabb_empty()};
}

void bounds_tree_free(BoundsTree *tree)
{
    memory_free(tree->memory, tree->nodes, tree->node_capacity * sizeof *tree->nodes);
    memory_free(tree->memory, tree->order, tree->order_capacity * sizeof *tree->order);
    *tree = bounds_tree_make(tree->memory);
}

/* ---- splitting a range of items ---- */

typedef struct TreeRange {
    size_t first, count; /* of the order */
    Aabb bounds;
} TreeRange;

typedef struct Builder {
    BoundsTree *tree;
    const Aabb *boxes;
    size_t leaf;
} Builder;

static mote_real component(mote_Vec3 v, int c)
{
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
}

static TreeRange make_range(const Builder *b, size_t first, size_t count)
{
    TreeRange range = {first, count, aabb_empty()};
    for (size_t i = first; i < first + count; ++i)
        range.bounds = aabb_join(&range.bounds, &b->boxes[b->tree->order[i]]);
    return range;
}

/* Bins along the axis on which the centres are spread most. */
typedef struct TreeBins {
    int axis;
    mote_real low, scale;
    Aabb bounds[BINS];
    size_t count[BINS];
} TreeBins;

static int bin_of(const TreeBins *bins, const Aabb *box)
{
    mote_real at = (component(aabb_centre(box), bins->axis) - bins->low) * bins->scale;
    int bin = (int)at;
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

/* False when the centres are one point. */
static bool fill_bins(const Builder *b, const TreeRange *range, TreeBins *bins)
{
    Aabb centres = aabb_empty();
    for (size_t i = 0; i < range->count; ++i)
        centres =
            aabb_add_point(&centres, aabb_centre(&b->boxes[b->tree->order[range->first + i]]));
    mote_Vec3 size = vec3_sub(centres.high, centres.low);
    bins->axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    bins->low = component(centres.low, bins->axis);
    bins->scale = (mote_real)BINS / component(size, bins->axis);
    if (!(component(size, bins->axis) > 0) || !(bins->scale < AABB_ENDLESS)) return false;
    for (int k = 0; k < BINS; ++k) bins->bounds[k] = aabb_empty(), bins->count[k] = 0;
    for (size_t i = 0; i < range->count; ++i) {
        const Aabb *box = &b->boxes[b->tree->order[range->first + i]];
        int k = bin_of(bins, box);
        bins->bounds[k] = aabb_join(&bins->bounds[k], box);
        ++bins->count[k];
    }
    return true;
}

/* The last bin of the left part with the least area times count on both sides; -1: none. The
 * surface area heuristic: a query that meets the parent meets a child with odds of about its area
 * over the parent's, so the cost of a cut is area times count, left and right. Two sweeps, one from
 * each side, find all of them in one pass each. */
static int best_cut(const TreeBins *bins)
{
    mote_real right_cost[BINS], best = 0;
    Aabb grown = aabb_empty();
    size_t count = 0;
    int cut = -1;
    for (int k = BINS - 1; k > 0; --k) {
        grown = aabb_join(&grown, &bins->bounds[k]);
        count += bins->count[k];
        right_cost[k] = count > 0 ? aabb_half_area(&grown) * (mote_real)count : -1;
    }
    grown = aabb_empty(), count = 0;
    for (int k = 0; k + 1 < BINS; ++k) {
        grown = aabb_join(&grown, &bins->bounds[k]);
        count += bins->count[k];
        if (count == 0 || right_cost[k + 1] < 0) continue;
        mote_real cost = aabb_half_area(&grown) * (mote_real)count + right_cost[k + 1];
        if (cut < 0 || cost < best) best = cost, cut = k;
    }
    return cut;
}

/* Moves the items of bins up to `cut` to the front; how many they are. */
static size_t partition(const Builder *b, const TreeRange *range, const TreeBins *bins, int cut)
{
    uint32_t *items = b->tree->order + range->first;
    size_t left = 0;
    for (size_t i = 0; i < range->count; ++i) {
        if (bin_of(bins, &b->boxes[items[i]]) > cut) continue;
        uint32_t item = items[i];
        items[i] = items[left];
        items[left++] = item;
    }
    return left;
}

/* Halves by number where the centres are one point, or where the tree grows too deep for the stacks
 * of queries. */
static void split(const Builder *b, TreeRange *range, TreeRange *right, int depth)
{
    TreeBins bins;
    size_t left = 0;
    int cut = depth < DEEPEST_SAH && fill_bins(b, range, &bins) ? best_cut(&bins) : -1;
    if (cut >= 0) left = partition(b, range, &bins, cut);
    if (left == 0 || left == range->count) left = range->count / 2;
    size_t first = range->first, count = range->count;
    *right = make_range(b, first + left, count - left);
    *range = make_range(b, first, left);
}

/* ---- nodes ---- */

static void set_bounds(TreeNode *node, int child, const Aabb *box)
{
    node->low[0][child] = box->low.x, node->high[0][child] = box->high.x;
    node->low[1][child] = box->low.y, node->high[1][child] = box->high.y;
    node->low[2][child] = box->low.z, node->high[2][child] = box->high.z;
}

static Aabb get_bounds(const TreeNode *node, int child)
{
    return (Aabb){vec3(node->low[0][child], node->low[1][child], node->low[2][child]),
                  vec3(node->high[0][child], node->high[1][child], node->high[2][child])};
}

/* The child most worth splitting: the largest surface of those too full for a leaf; -1: none. */
static int widest(const TreeRange *parts, int count, size_t leaf)
{
    int best = -1;
    for (int k = 0; k < count; ++k)
        if (parts[k].count > leaf &&
            (best < 0 || aabb_half_area(&parts[k].bounds) > aabb_half_area(&parts[best].bounds)))
            best = k;
    return best;
}

static bool add_node(BoundsTree *tree, uint32_t *number)
{
    if (!memory_reserve(tree->memory, (void **)&tree->nodes, &tree->node_capacity,
                        tree->node_count + 1, sizeof *tree->nodes))
        return false;
    *number = (uint32_t)tree->node_count++;
    TreeNode *node = &tree->nodes[*number];
    const Aabb nothing = aabb_empty();
    for (int k = 0; k < TREE_WIDTH; ++k) {
        set_bounds(node, k, &nothing);
        node->first[k] = 0, node->count[k] = TREE_NOTHING;
    }
    return true;
}

/* A split makes one child two, three times: the largest of them, each time, is opened. */
static bool build_node(const Builder *b, const TreeRange *range, int depth, uint32_t *number)
{
    TreeRange parts[TREE_WIDTH] = {*range};
    int count = 1;
    for (int k = 0; count < TREE_WIDTH; ++count) {
        k = widest(parts, count, b->leaf);
        if (k < 0) break;
        split(b, &parts[k], &parts[count], depth);
    }
    if (!add_node(b->tree, number)) return false;
    for (int k = 0; k < count; ++k) {
        uint32_t child = (uint32_t)parts[k].first;
        bool is_leaf = parts[k].count <= b->leaf;
        if (!is_leaf && !build_node(b, &parts[k], depth + 1, &child)) return false;
        TreeNode *node = &b->tree->nodes[*number];
        set_bounds(node, k, &parts[k].bounds);
        node->first[k] = child;
        node->count[k] = is_leaf ? (uint32_t)parts[k].count : 0;
    }
    return true;
}

/* The endless items to the front. */
static void order_items(BoundsTree *tree, const Aabb *boxes)
{
    size_t at = 0;
    tree->endless = 0;
    for (size_t i = 0; i < tree->count; ++i)
        if (!aabb_is_finite(&boxes[i])) tree->order[at++] = (uint32_t)i;
    tree->endless = at;
    for (size_t i = 0; i < tree->count; ++i)
        if (aabb_is_finite(&boxes[i])) tree->order[at++] = (uint32_t)i;
}

mote_Status bounds_tree_build(BoundsTree *tree, const Aabb *boxes, size_t count, size_t leaf,
                              mote_Error *error)
{
    uint32_t root;
    Builder builder = {tree, boxes, leaf > 0 ? leaf : 1};
    tree->node_count = 0, tree->count = 0, tree->endless = 0, tree->bounds = aabb_empty();
    if (count >= UINT32_MAX / 2)
        return status_fail(error, MOTE_BAD_VALUE, "a tree of bounds: %zu boxes are too many",
                           count);
    if (!memory_reserve(tree->memory, (void **)&tree->order, &tree->order_capacity, count,
                        sizeof *tree->order))
        return status_no_memory(error, "a tree of bounds", count * sizeof *tree->order);
    tree->count = count;
    order_items(tree, boxes);
    TreeRange all = make_range(&builder, tree->endless, count - tree->endless);
    tree->bounds = all.bounds;
    if (all.count == 0 || build_node(&builder, &all, 0, &root)) return MOTE_OK;
    tree->node_count = 0, tree->count = 0, tree->endless = 0;
    return status_no_memory(error, "a tree of bounds", count * sizeof *tree->nodes);
}

/* ---- moving boxes ---- */

static Aabb node_bounds(const TreeNode *node)
{
    Aabb all = aabb_empty();
    for (int k = 0; k < TREE_WIDTH; ++k) {
        Aabb box = get_bounds(node, k);
        if (node->count[k] != TREE_NOTHING) all = aabb_join(&all, &box);
    }
    return all;
}

/* Children come behind their parents, so going backwards meets them first. A box that is not a
 * number meets everything, but would be lost in a join: it is made endless. */
void bounds_tree_refit(BoundsTree *tree, const Aabb *boxes)
{
    for (size_t i = tree->node_count; i-- > 0;) {
        TreeNode *node = &tree->nodes[i];
        for (int k = 0; k < TREE_WIDTH; ++k) {
            if (node->count[k] == TREE_NOTHING) continue;
            Aabb box = aabb_empty();
            if (node->count[k] == 0) box = node_bounds(&tree->nodes[node->first[k]]);
            for (uint32_t n = 0; n < node->count[k]; ++n) {
                const Aabb *item = &boxes[tree->order[node->first[k] + n]];
                Aabb endless = aabb_endless();
                box = aabb_join(&box, aabb_is_finite(item) ? item : &endless);
            }
            set_bounds(node, k, &box);
        }
    }
    if (tree->node_count > 0) tree->bounds = node_bounds(&tree->nodes[0]);
}
