/* Trees over points: the order of one stable sort whoever sorts, cells that part their points,
 * tight boxes; and another division of the same points. */
#include "setup.h"

#include "base/random.h"
#include "space/tree.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 50000 }; /* more than one sorts alone */

typedef struct Cloud {
    mote_real *x[3];
    size_t count;
    Memory memory;
    Arena arena;
} Cloud;

/* Evenly, or crowded in a corner with many at the same places. */
static Cloud make_cloud(size_t count, bool crowded)
{
    Cloud cloud = {.count = count, .memory = memory_make(mote_default_allocator())};
    const RandomKey key = random_key(3, "tree");
    for (int c = 0; c < 3; ++c) cloud.x[c] = malloc(count * sizeof(mote_real));
    for (size_t i = 0; i < count; ++i) {
        const Random4 draw = random_draw(key, crowded ? i / 3 : i, 0, 0);
        for (int c = 0; c < 3; ++c) {
            const mote_real u = random_unit(draw.word[c]);
            cloud.x[c][i] = crowded ? u * u * u * u * 100 - 3 : u;
        }
    }
    return cloud;
}

static void free_cloud(Cloud *cloud)
{
    for (int c = 0; c < 3; ++c) free(cloud->x[c]);
    arena_free(&cloud->arena);
}

static void check_order(const Tree *tree, const Cloud *cloud)
{
    size_t wrong = 0;
    for (size_t i = 0; i < tree->count; ++i) {
        for (int c = 0; c < 3; ++c) wrong += !(tree->x[c][i] == cloud->x[c][tree->order[i]]);
        if (i == 0 || tree->keys[i - 1] < tree->keys[i]) continue;
        wrong += tree->keys[i - 1] > tree->keys[i] || tree->order[i - 1] >= tree->order[i];
    }
    CHECK(wrong == 0);
}

static void check_cell(const Tree *tree, const TreeCell *cell, size_t leaf)
{
    const size_t end = cell->first + cell->count;
    for (int c = 0; c < 3; ++c) {
        mote_real low = tree->x[c][cell->first], high = low;
        for (size_t i = cell->first; i < end; ++i) {
            low = tree->x[c][i] < low ? tree->x[c][i] : low;
            high = tree->x[c][i] > high ? tree->x[c][i] : high;
        }
        CHECK(cell->center[c] == (low + high) / 2 && cell->half[c] == (high - low) / 2);
    }
    if (cell->child_count == 0) {
        CHECK(cell->count <= leaf || tree->keys[cell->first] == tree->keys[end - 1]);
        return;
    }
    const TreeCell *child = &tree->cells[cell->child];
    CHECK(cell->child_count == 2 && child[0].first == cell->first && child[1].level > cell->level);
    CHECK(child[0].first + child[0].count == child[1].first && child[1].count > 0);
    CHECK(child[1].first + child[1].count == end);
}

static void check_tree(const Tree *tree, const Cloud *cloud, size_t leaf)
{
    check_order(tree, cloud);
    CHECK(tree->cells[0].first == 0 && tree->cells[0].count == cloud->count);
    for (size_t k = 0; k < tree->cell_count; ++k) check_cell(tree, &tree->cells[k], leaf);
}

static void points_are_sorted_and_parted(void)
{
    static const size_t counts[] = {1, 2, 1000, MANY};
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    def.threads = 3;
    SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
    for (size_t k = 0; k < 2 * COUNT_OF(counts); ++k) {
        Cloud cloud = make_cloud(counts[k / 2], k % 2 == 1);
        Tree tree, again;
        cloud.arena = arena_make(&cloud.memory);
        const mote_real *const x[3] = {cloud.x[0], cloud.x[1], cloud.x[2]};
        CHECK(tree_build(&tree, x, cloud.count, 40, &cloud.arena, k % 3 > 0 ? tasks : NULL));
        check_tree(&tree, &cloud, 40);
        CHECK(tree_divide(&again, &tree, 7, &cloud.arena, tasks));
        check_tree(&again, &cloud, 7);
        free_cloud(&cloud);
    }
    mote_tasks_destroy(tasks);
}

TESTS({"points are sorted and parted", points_are_sorted_and_parted})
