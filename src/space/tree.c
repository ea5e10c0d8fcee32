/* Points sorted along the Morton curve, cells halved while they hold too many. */
#include "space/tree.h"

#include "base/loop.h"
#include "space/tree_sort.h"

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

/* ---- boxes ---- */

typedef struct TreeBox {
    mote_real low[3], high[3];
} TreeBox;

typedef struct TreeBoxes {
    const Tree *tree;
    TreeBox *boxes; /* of cells */
} TreeBoxes;

static void extend(mote_real *low, mote_real *high, mote_real a, mote_real b)
{
    *low = a < *low ? a : *low;
    *high = b > *high ? b : *high;
}

static void leaf_body(void *context, size_t begin, size_t end, int worker)
{
    const TreeBoxes *all = context;
    (void)worker;
    for (size_t k = begin; k < end; ++k) {
        const TreeCell *cell = &all->tree->cells[k];
        TreeBox *box = &all->boxes[k];
        for (int c = 0; c < 3 && cell->child_count == 0; ++c) {
            const mote_real *x = all->tree->x[c] + cell->first;
            box->low[c] = box->high[c] = x[0];
            for (size_t i = 1; i < cell->count; ++i)
                extend(&box->low[c], &box->high[c], x[i], x[i]);
        }
    }
}

/* A leaf's around its points, another's around its children's. */
static bool fit_boxes(Tree *tree, Arena *arena, mote_Tasks *tasks)
{
    TreeBoxes all = {tree, arena_take(arena, tree->cell_count * sizeof *all.boxes)};
    if (all.boxes == NULL) return false;
    mote_parallel_for(tasks, tree->cell_count, 64, leaf_body, &all);
    for (size_t k = tree->cell_count; k-- > 0;) {
        TreeCell *cell = &tree->cells[k];
        TreeBox *box = &all.boxes[k];
        const TreeBox *child = &all.boxes[cell->child];
        if (cell->child_count > 0) *box = child[0];
        for (int c = 0; c < 3; ++c) {
            for (int m = 1; m < cell->child_count; ++m)
                extend(&box->low[c], &box->high[c], child[m].low[c], child[m].high[c]);
            cell->center[c] = (box->low[c] + box->high[c]) / 2;
            cell->half[c] = (box->high[c] - box->low[c]) / 2;
        }
    }
    return true;
}

/* ---- all ---- */

bool tree_divide(Tree *tree, const Tree *sorted, size_t leaf, Arena *arena, mote_Tasks *tasks)
{
    *tree = *sorted;
    tree->cells = NULL, tree->cell_count = tree->cell_capacity = 0;
    if (!add_cell(tree, arena, (TreeCell){.first = 0, .count = tree->count})) return false;
    for (size_t i = 0; i < tree->cell_count; ++i)
        if (tree->cells[i].count > leaf && !divide(tree, arena, i)) return false;
    return fit_boxes(tree, arena, tasks);
}

bool tree_build(Tree *tree, const mote_real *const x[3], size_t count, size_t leaf, Arena *arena,
                mote_Tasks *tasks)
{
    *tree = (Tree){.count = count};
    if (count == 0) return true;
    return tree_sort(tree, x, arena, tasks) && tree_divide(tree, tree, leaf, arena, tasks);
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
