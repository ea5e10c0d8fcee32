/* Neighbours by trees: octants halved until few particles are left, and medians along the widest
 * side. Where particles are dense cells are small, so neither minds how they lie. */
#include "study/neighbour_search.h"

#include <stddef.h>

enum { LEAF = 16, DEEPEST = 40 };

bool search_order_make(SearchOrder *o, const SearchPoints *points, Arena *arena)
{
    o->order = arena_take(arena, points->count * sizeof *o->order);
    for (int c = 0; c < 3; ++c) {
        o->x[c] = arena_take(arena, points->count * sizeof *o->x[c]);
        if (o->x[c] == NULL || o->order == NULL) return false;
        for (size_t i = 0; i < points->count; ++i) o->x[c][i] = points->x[c][i];
    }
    for (size_t i = 0; i < points->count; ++i) o->order[i] = (uint32_t)i;
    return true;
}

void search_order_swap(SearchOrder *o, size_t a, size_t b)
{
    uint32_t number = o->order[a];
    o->order[a] = o->order[b], o->order[b] = number;
    for (int c = 0; c < 3; ++c) {
        mote_real x = o->x[c][a];
        o->x[c][a] = o->x[c][b], o->x[c][b] = x;
    }
}

/* Those below `at` along an axis first; returns where the others begin. */
static size_t part(SearchOrder *o, size_t begin, size_t end, int axis, double at)
{
    size_t low = begin;
    for (size_t i = begin; i < end; ++i)
        if ((double)o->x[axis][i] < at) search_order_swap(o, i, low++);
    return low;
}

/* ---- octree ---- */

typedef struct OctNode {
    double centre[3], half;
    uint32_t begin, end;
    uint32_t child; /* the first of eight; 0: a leaf */
} OctNode;

typedef struct Octree {
    SearchOrder order;
    OctNode *nodes;
    size_t count, room;
} Octree;

/* A cube around all particles. */
static OctNode root_of(const SearchPoints *points)
{
    OctNode root = {.end = (uint32_t)points->count};
    for (int c = 0; c < 3; ++c) {
        double low = 1e300, high = -1e300;
        for (size_t i = 0; i < points->count; ++i) {
            double x = (double)points->x[c][i];
            low = x < low ? x : low, high = x > high ? x : high;
        }
        root.centre[c] = (low + high) / 2;
        root.half = (high - low) / 2 > root.half ? (high - low) / 2 : root.half;
    }
    return root;
}

/* Where the eight octants of a node begin, and where the last ends: parted along z, y, x. */
static void part_octants(SearchOrder *o, const OctNode *node, size_t starts[9])
{
    starts[0] = node->begin, starts[8] = node->end;
    starts[4] = part(o, starts[0], starts[8], 2, node->centre[2]);
    for (size_t k = 0; k < 8; k += 4)
        starts[k + 2] = part(o, starts[k], starts[k + 4], 1, node->centre[1]);
    for (size_t k = 0; k < 8; k += 2)
        starts[k + 1] = part(o, starts[k], starts[k + 2], 0, node->centre[0]);
}

static void divide(Octree *tree, size_t number, int depth)
{
    OctNode node = tree->nodes[number];
    size_t starts[9];
    if (node.end - node.begin <= LEAF || depth == DEEPEST || tree->count + 8 > tree->room) return;
    part_octants(&tree->order, &node, starts);
    tree->nodes[number].child = (uint32_t)tree->count;
    for (size_t k = 0; k < 8; ++k) {
        OctNode child = {
            .half = node.half / 2, .begin = (uint32_t)starts[k], .end = (uint32_t)starts[k + 1]};
        for (size_t c = 0; c < 3; ++c)
            child.centre[c] = node.centre[c] + (k >> c & 1 ? child.half : -child.half);
        tree->nodes[tree->count++] = child;
    }
    for (size_t k = 0; k < 8; ++k) divide(tree, tree->nodes[number].child + k, depth + 1);
}

/* Room for as many nodes as particles: where it does not do, leaves are fuller. */
static void *build_octree(const SearchPoints *points, Arena *arena)
{
    Octree *tree = arena_take(arena, sizeof *tree);
    if (tree == NULL || !search_order_make(&tree->order, points, arena)) return NULL;
    tree->room = points->count + 9;
    tree->nodes = arena_take(arena, tree->room * sizeof *tree->nodes);
    if (tree->nodes == NULL) return NULL;
    tree->nodes[0] = root_of(points);
    tree->count = 1;
    divide(tree, 0, 0);
    return tree;
}

static bool is_out_of_reach(const OctNode *node, const SearchQuery *q)
{
    const double x[3] = {(double)q->x, (double)q->y, (double)q->z};
    double far = 0;
    for (int c = 0; c < 3; ++c) {
        double away = x[c] > node->centre[c] ? x[c] - node->centre[c] : node->centre[c] - x[c];
        away -= node->half;
        if (away > 0) far += away * away;
    }
    return far > search_limit(q);
}

static void visit_octant(const Octree *tree, size_t number, const SearchQuery *q, SearchSum *sum)
{
    const OctNode *node = &tree->nodes[number];
    if (node->begin == node->end || is_out_of_reach(node, q)) return;
    if (node->child == 0)
        search_run(q, tree->order.x, tree->order.order, node->begin, node->end, sum);
    for (size_t k = 0; k < 8 && node->child != 0; ++k) visit_octant(tree, node->child + k, q, sum);
}

static SearchSum by_octree(const void *made, const SearchPoints *points)
{
    const Octree *tree = made;
    SearchSum sum = {0, 0};
    for (size_t k = 0; k < points->count; ++k) {
        SearchQuery q = search_query(points, tree->order.order[k]);
        visit_octant(tree, 0, &q, &sum);
    }
    return sum;
}

const SearchRow search_octree = {"octree", build_octree, by_octree};

/* ---- k-d tree ---- */

/* Halves of halves: node n has the children 2 n + 1 and 2 n + 2, and no pointers. */
typedef struct KdTree {
    SearchOrder order;
    uint8_t *axis;
    mote_real *split; /* before the middle nothing is above it, from there on nothing below */
    size_t room;      /* nodes */
} KdTree;

static int widest_axis(const SearchOrder *o, size_t begin, size_t end)
{
    int widest = 0;
    double most = -1;
    for (int c = 0; c < 3; ++c) {
        double low = 1e300, high = -1e300;
        for (size_t i = begin; i < end; ++i) {
            double x = (double)o->x[c][i];
            low = x < low ? x : low, high = x > high ? x : high;
        }
        if (high - low > most) most = high - low, widest = c;
    }
    return widest;
}

/* Hoare's selection: entry `middle` is what it would be if all were sorted, smaller ones before. */
static void select_middle(SearchOrder *o, size_t begin, size_t end, size_t middle, int axis)
{
    const mote_real *x = o->x[axis];
    ptrdiff_t low = (ptrdiff_t)begin, high = (ptrdiff_t)end - 1, at = (ptrdiff_t)middle;
    while (low < high) {
        const mote_real pivot = x[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) ++i;
            while (x[j] > pivot) --j;
            if (i <= j) search_order_swap(o, (size_t)i++, (size_t)j--);
        }
        if (at <= j)
            high = j;
        else if (at >= i)
            low = i;
        else
            return;
    }
}

static void halve(KdTree *tree, size_t node, size_t begin, size_t end)
{
    if (end - begin <= LEAF || node >= tree->room) return;
    size_t middle = begin + (end - begin) / 2;
    int axis = widest_axis(&tree->order, begin, end);
    select_middle(&tree->order, begin, end, middle, axis);
    tree->axis[node] = (uint8_t)axis;
    tree->split[node] = tree->order.x[axis][middle];
    halve(tree, 2 * node + 1, begin, middle);
    halve(tree, 2 * node + 2, middle, end);
}

static void *build_kd(const SearchPoints *points, Arena *arena)
{
    KdTree *tree = arena_take(arena, sizeof *tree);
    if (tree == NULL || !search_order_make(&tree->order, points, arena)) return NULL;
    tree->room = 1;
    while (tree->room * LEAF < 2 * points->count) tree->room *= 2;
    tree->axis = arena_take(arena, tree->room * sizeof *tree->axis);
    tree->split = arena_take(arena, tree->room * sizeof *tree->split);
    if (tree->axis == NULL || tree->split == NULL) return NULL;
    halve(tree, 0, 0, points->count);
    return tree;
}

typedef struct KdSpan {
    size_t node, begin, end;
} KdSpan;

static void visit_half(const KdTree *tree, KdSpan at, const SearchQuery *q, SearchSum *sum)
{
    if (at.end - at.begin <= LEAF || at.node >= tree->room) {
        search_run(q, tree->order.x, tree->order.order, at.begin, at.end, sum);
        return;
    }
    const mote_real x[3] = {q->x, q->y, q->z};
    const size_t middle = at.begin + (at.end - at.begin) / 2;
    const double above = (double)x[tree->axis[at.node]] - (double)tree->split[at.node];
    const bool far = above * above > search_limit(q);
    if (above <= 0 || !far) visit_half(tree, (KdSpan){2 * at.node + 1, at.begin, middle}, q, sum);
    if (above >= 0 || !far) visit_half(tree, (KdSpan){2 * at.node + 2, middle, at.end}, q, sum);
}

static SearchSum by_kd(const void *made, const SearchPoints *points)
{
    const KdTree *tree = made;
    SearchSum sum = {0, 0};
    for (size_t k = 0; k < points->count; ++k) {
        SearchQuery q = search_query(points, tree->order.order[k]);
        visit_half(tree, (KdSpan){0, 0, points->count}, &q, &sum);
    }
    return sum;
}

const SearchRow search_kd = {"k-d-tree", build_kd, by_kd};
