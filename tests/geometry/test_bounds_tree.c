/* Trees of bounding boxes against looking at every box. */
#include "failing.h"
#include "geometry/bounds_tree.h"
#include "setup.h"

static Aabb random_box(uint64_t *state, double spread, double size)
{
    mote_Vec3 c =
        setup_vec(setup_uniform(state, -spread, spread), setup_uniform(state, -spread, spread),
                  setup_uniform(state, -spread, spread));
    mote_Vec3 h = setup_vec(setup_uniform(state, 0, size), setup_uniform(state, 0, size),
                            setup_uniform(state, 0, size));
    return (Aabb){vec3_sub(c, h), vec3_add(c, h)};
}

static size_t brute(const Aabb *boxes, size_t count, const Aabb *box, uint32_t *items)
{
    size_t found = 0;
    for (size_t i = 0; i < count; ++i)
        if (!aabb_is_finite(&boxes[i]) || aabb_overlap(&boxes[i], box))
            items[found++] = (uint32_t)i;
    return found;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What a walk tells, in ascending order. */
static size_t walk_through(const BoundsTree *tree, const Aabb *box, uint32_t *items)
{
    TreeWalk walk;
    size_t count = 0;
    bounds_tree_walk(&walk, tree, *box);
    while (bounds_tree_next(&walk, &items[count])) ++count;
    qsort(items, count, sizeof *items, by_number);
    return count;
}

enum { MOST = 3000 };

static Aabb boxes[MOST];
static uint32_t found[MOST + 1], expected[MOST];

static void compare(const BoundsTree *tree, size_t count, uint64_t *state, double spread)
{
    for (int q = 0; q < 200; ++q) {
        Aabb box = random_box(state, spread, q % 2 == 0 ? 0.2 : 3);
        size_t n = walk_through(tree, &box, found);
        size_t m = brute(boxes, count, &box, expected);
        CHECK(n == m && memcmp(found, expected, m * sizeof found[0]) == 0);
    }
}

static void trees_find_what_meets(void)
{
    static const size_t counts[] = {0, 1, 2, 4, 5, 17, 300, MOST};
    Memory memory = memory_make((mote_Allocator){0});
    BoundsTree tree = bounds_tree_make(&memory);
    mote_Error error;
    uint64_t state = 1;
    for (size_t k = 0; k < COUNT_OF(counts); ++k) {
        size_t count = counts[k];
        for (size_t i = 0; i < count; ++i) boxes[i] = random_box(&state, 10, 0.5);
        if (count > 16) boxes[3] = aabb_endless(), boxes[9].low.x = (mote_real)NAN;
        CHECK_OK(bounds_tree_build(&tree, boxes, count, 1, &error), error);
        compare(&tree, count, &state, 10);
        for (size_t i = 0; i < count; ++i) boxes[i] = random_box(&state, 10, 0.5);
        if (count > 16) boxes[3] = aabb_endless(), boxes[9] = aabb_endless();
        if (count > 16) boxes[5].high.y = (mote_real)NAN; /* a finite one became bad */
        bounds_tree_refit(&tree, boxes);
        compare(&tree, count, &state, 10);
    }
    bounds_tree_free(&tree);
    CHECK(memory.bytes == 0);
}

/* One place for all; rows of places a factor apart: no split helps, and the depth stays bounded. */
static void hard_boxes_are_built(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    BoundsTree tree = bounds_tree_make(&memory);
    mote_Error error;
    uint64_t state = 2;
    mote_real x = 1;
    for (int kind = 0; kind < 2; ++kind) {
        for (size_t i = 0; i < MOST; ++i) {
            x = kind == 0 || x < (mote_real)1e-20 ? 1 : x * (mote_real)0.93;
            boxes[i] = (Aabb){{x, 0, 0}, {x, 0, 0}};
        }
        CHECK_OK(bounds_tree_build(&tree, boxes, MOST, 1, &error), error);
        compare(&tree, MOST, &state, 1);
    }
    bounds_tree_free(&tree);
}

static void a_box_that_is_not_a_number_meets_all(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    BoundsTree tree = bounds_tree_make(&memory);
    mote_Error error;
    uint64_t state = 3;
    for (size_t i = 0; i < 100; ++i) boxes[i] = random_box(&state, 10, 0.5);
    CHECK_OK(bounds_tree_build(&tree, boxes, 100, 1, &error), error);
    mote_real bad = (mote_real)NAN;
    Aabb box = {{bad, bad, bad}, {bad, bad, bad}};
    CHECK(walk_through(&tree, &box, found) == 100);
    bounds_tree_free(&tree);
}

static void a_tree_survives_lack_of_memory(void)
{
    uint64_t state = 4;
    for (size_t i = 0; i < 500; ++i) boxes[i] = random_box(&state, 10, 0.5);
    for (uint64_t fail = 0; fail < 20; ++fail) {
        Failing failing = {.fail_at = fail};
        Memory memory = memory_make(failing_allocator(&failing));
        BoundsTree tree = bounds_tree_make(&memory);
        mote_Error error;
        mote_Status status = bounds_tree_build(&tree, boxes, 500, 2, &error);
        CHECK(status == MOTE_OK || status == MOTE_NO_MEMORY);
        CHECK(status == MOTE_OK || walk_through(&tree, &boxes[0], found) == 0);
        bounds_tree_free(&tree);
        CHECK(failing.bytes == 0);
    }
}

TESTS({"trees_find_what_meets", trees_find_what_meets},
      {"hard_boxes_are_built", hard_boxes_are_built},
      {"a_box_that_is_not_a_number_meets_all", a_box_that_is_not_a_number_meets_all},
      {"a_tree_survives_lack_of_memory", a_tree_survives_lack_of_memory})
