/* Points sorted along the Morton curve, cells halved while they hold too many. */
#include "space/tree.h"

#include "base/loop.h"
#include "base/sort.h"

/* Bits of a key an axis. */
enum { KEY_BITS = 21 };

typedef struct TreeCube {
    mote_real low[3], side;
} TreeCube;

static TreeCube cube_of(const mote_real *const x[3], size_t count)
{
    TreeCube cube = {.side = 0};
    for (int c = 0; c < 3; ++c) {
        mote_real low = x[c][0], high = x[c][0];
        for (size_t i = 1; i < count; ++i) {
            low = x[c][i] < low ? x[c][i] : low;
            high = x[c][i] > high ? x[c][i] : high;
        }
        cube.low[c] = low;
        cube.side = high - low > cube.side ? high - low : cube.side;
    }
    return cube;
}

/* Morton's order: bits of x, y and z in turn, so that points whose keys begin alike are in one
 * cube. */
static uint64_t key_of(const TreeCube *cube, const mote_real *const x[3], size_t i)
{
    const double cells = (double)(1 << KEY_BITS);
    uint64_t key = 0;
    for (int c = 0; c < 3; ++c) {
        double at = cube->side > 0 ? (double)(x[c][i] - cube->low[c]) / (double)cube->side : 0;
        at = at * cells;
        at = at < cells - 1 ? at : cells - 1;
        key |= sort_spread(at > 0 ? (uint64_t)at : 0) << c;
    }
    return key;
}

/* Places are copied in the order of the keys, so that the points of a cell lie side by side. */
static bool sort_points(Tree *tree, const mote_real *const x[3], Arena *arena)
{
    size_t n = tree->count;
    SortItem *items = arena_take(arena, n * sizeof *items);
    SortItem *spare = arena_take(arena, n * sizeof *spare);
    tree->order = arena_take(arena, n * sizeof *tree->order);
    tree->keys = arena_take(arena, n * sizeof *tree->keys);
    bool room = items != NULL && spare != NULL && tree->order != NULL && tree->keys != NULL;
    for (int c = 0; c < 3; ++c) {
        tree->x[c] = arena_take(arena, n * sizeof(mote_real));
        room = room && tree->x[c] != NULL;
    }
    if (!room) return false;
    TreeCube cube = cube_of(x, n);
    for (size_t i = 0; i < n; ++i) items[i] = (SortItem){key_of(&cube, x, i), i};
    sort_items(items, spare, n);
    for (size_t i = 0; i < n; ++i) {
        tree->order[i] = (uint32_t)items[i].value;
        tree->keys[i] = items[i].key;
        for (int c = 0; c < 3; ++c) tree->x[c][i] = x[c][items[i].value];
    }
    return true;
}

static void fit_box(const Tree *tree, TreeCell *cell)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = tree->x[c] + cell->first;
        mote_real low = x[0], high = x[0];
        for (size_t i = 1; i < cell->count; ++i) {
            low = x[i] < low ? x[i] : low;
            high = x[i] > high ? x[i] : high;
        }
        cell->center[c] = (low + high) / 2;
        cell->half[c] = (high - low) / 2;
    }
}

static bool add_cell(Tree *tree, Arena *arena, TreeCell cell)
{
    if (tree->cell_count == tree->cell_capacity) {
        size_t capacity = 2 * tree->cell_capacity + 64;
        TreeCell *cells = arena_take(arena, capacity * sizeof *cells);
        if (cells == NULL) return false;
        for (size_t i = 0; i < tree->cell_count; ++i) cells[i] = tree->cells[i];
        tree->cells = cells;
        tree->cell_capacity = capacity;
    }
    fit_box(tree, &cell);
    tree->cells[tree->cell_count++] = cell;
    return true;
}

/* The first place in [first, end) whose key has the bit set. */
static size_t bit_start(const Tree *tree, size_t first, size_t end, int bit)
{
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if ((tree->keys[middle] >> bit & 1) == 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* In two, by the first bit in which the cell's keys differ: halves of a box, across one axis after
 * the other. Octants would make leaves of anything between an eighth of the limit and all of it, so
 * that the work would leap with the number of points. */
static bool divide(Tree *tree, Arena *arena, size_t number)
{
    TreeCell cell = tree->cells[number];
    size_t end = cell.first + cell.count;
    uint64_t differ = tree->keys[cell.first] ^ tree->keys[end - 1];
    if (differ == 0) return true; /* all at one place */
    size_t middle = bit_start(tree, cell.first, end, 63 - __builtin_clzll(differ));
    TreeCell low = {.first = cell.first, .count = middle - cell.first, .level = cell.level + 1};
    TreeCell high = {.first = middle, .count = end - middle, .level = cell.level + 1};
    tree->cells[number].child = tree->cell_count;
    tree->cells[number].child_count = TREE_CHILDREN;
    return add_cell(tree, arena, low) && add_cell(tree, arena, high);
}

bool tree_divide(Tree *tree, const Tree *sorted, size_t leaf, Arena *arena)
{
    *tree = *sorted;
    tree->cells = NULL, tree->cell_count = tree->cell_capacity = 0;
    if (!add_cell(tree, arena, (TreeCell){.first = 0, .count = tree->count})) return false;
    for (size_t i = 0; i < tree->cell_count; ++i)
        if (tree->cells[i].count > leaf && !divide(tree, arena, i)) return false;
    return true;
}

bool tree_build(Tree *tree, const mote_real *const x[3], size_t count, size_t leaf, Arena *arena)
{
    *tree = (Tree){.count = count};
    if (count == 0) return true;
    return sort_points(tree, x, arena) && tree_divide(tree, tree, leaf, arena);
}

mote_real tree_radius(const TreeCell *cell)
{
    const mote_real *h = cell->half;
    return REAL_SQRT(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
}

/* Barnes and Hut's s / d < theta, with the distance to the nearest place of the group. */
static bool is_far(const TreeCell *group, const TreeCell *cell, mote_real angle)
{
    mote_real sum = 0;
    for (int c = 0; c < 3; ++c) {
        mote_real gap = REAL_ABS(cell->center[c] - group->center[c]) - group->half[c];
        sum += gap > 0 ? gap * gap : 0;
    }
    return 2 * tree_radius(cell) < angle * REAL_SQRT(sum);
}

void tree_walk(const Tree *tree, const TreeCell *group, mote_real angle, TreeVisit *visit,
               void *context)
{
    size_t stack[TREE_LEVELS + TREE_CHILDREN], depth = 0;
    if (tree->cell_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        size_t number = stack[--depth];
        const TreeCell *cell = &tree->cells[number];
        bool far = is_far(group, cell, angle);
        if (far || cell->child_count == 0) {
            visit(context, number, far);
            continue;
        }
        for (int k = cell->child_count - 1; k >= 0; --k) stack[depth++] = cell->child + (size_t)k;
    }
}
