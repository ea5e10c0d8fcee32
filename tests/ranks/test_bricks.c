/* Who has which brick: even clouds give every rank about the same, every brick has one owner, and
 * all ranks come to the same cuts, whoever knew of which brick. */
#include "ranks/bricks.h"
#include "setup.h"

#include <string.h>

enum { MOST_RANKS = 64, MOST_BRICKS = 40 * 40 * 40 };

static const int counts[] = {1, 2, 3, 4, 7, 8, 16, 64};

typedef struct Field {
    Brick bricks[MOST_BRICKS];
    size_t count;
} Field;

/* A box of bricks, below and above the anchor, with weights that differ by a third. */
static void fill_box(Field *field, int nx, int ny, int nz)
{
    uint64_t state = 7;
    field->count = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                field->bricks[field->count++] =
                    (Brick){{x - nx / 2, y - 3, z - nz}, 400 + setup_bits(&state) % 140};
}

static void cut(const Field *field, int ranks, BrickCut *cuts)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    CHECK(bricks_cut(field->bricks, field->count, ranks, cuts, &arena));
    arena_free(&arena);
}

/* The largest weight of a rank over the mean. */
static double imbalance(const Field *field, int ranks, const BrickCut *cuts)
{
    uint64_t weights[MOST_RANKS] = {0}, all = 0, most = 0;
    for (size_t i = 0; i < field->count; ++i) {
        const int owner = bricks_owner(cuts, ranks, field->bricks[i].at);
        CHECK(owner >= 0 && owner < ranks);
        weights[owner] += field->bricks[i].weight;
        all += field->bricks[i].weight;
    }
    for (int r = 0; r < ranks; ++r) most = weights[r] > most ? weights[r] : most;
    return (double)most * ranks / (double)all;
}

static void even_clouds_are_balanced(void)
{
    static const int sides[][3] = {{40, 40, 40}, {40, 8, 10}, {3, 40, 30}, {1, 1, 600}};
    static Field field;
    for (size_t k = 0; k < COUNT_OF(sides); ++k) {
        fill_box(&field, sides[k][0], sides[k][1], sides[k][2]);
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            BrickCut cuts[MOST_RANKS];
            if ((int)field.count < 43 * counts[i]) continue;
            cut(&field, counts[i], cuts);
            CHECK(imbalance(&field, counts[i], cuts) <= 1.03);
        }
    }
}

/* Parts are boxes, up to one layer: few bricks have neighbours that are another's. A cut along the
 * wrong axis, or a random owner, has far more. */
static void parts_are_compact(void)
{
    static Field field;
    enum { SIDE = 32, RANKS = 8 };
    BrickCut cuts[RANKS];
    size_t apart = 0;
    fill_box(&field, SIDE, SIDE, SIDE);
    cut(&field, RANKS, cuts);
    for (size_t i = 0; i < field.count; ++i)
        for (int c = 0; c < 3; ++c) {
            int32_t next[3];
            memcpy(next, field.bricks[i].at, sizeof next);
            if (++next[c] >= (c == 0 ? SIDE / 2 : c == 1 ? SIDE - 3 : 0)) continue;
            apart +=
                bricks_owner(cuts, RANKS, next) != bricks_owner(cuts, RANKS, field.bricks[i].at);
        }
    CHECK(apart >= 3 * SIDE * SIDE - 3 * SIDE);
    CHECK(apart <= 3 * SIDE * SIDE * 21 / 20); /* three planes through the middle */
}

/* Fewer bricks than ranks: some have none, and all bricks have an owner. */
static void empty_ranks(void)
{
    static Field field;
    BrickCut cuts[MOST_RANKS];
    int owners[MOST_RANKS] = {0};
    field.count = 0;
    cut(&field, 8, cuts);
    CHECK(bricks_owner(cuts, 8, (int32_t[3]){5, -7, 0}) >= 0);
    fill_box(&field, 5, 1, 1);
    cut(&field, 8, cuts);
    for (size_t i = 0; i < field.count; ++i) {
        const int owner = bricks_owner(cuts, 8, field.bricks[i].at);
        CHECK(owner >= 0 && owner < 8 && ++owners[owner] == 1);
    }
    /* one brick, heavier than all else, stays whole */
    fill_box(&field, 9, 1, 1);
    field.bricks[4].weight = 1000000;
    cut(&field, 4, cuts);
    CHECK_NEAR(imbalance(&field, 4, cuts), 4, 0.1);
}

/* What is far away has owners too. */
static void far_bricks(void)
{
    static Field field;
    BrickCut cuts[4];
    fill_box(&field, 10, 10, 10);
    field.bricks[field.count++] = (Brick){{INT32_MAX, INT32_MIN, 0}, 1};
    cut(&field, 4, cuts);
    CHECK(imbalance(&field, 4, cuts) <= 1.03);
}

/* What is remembered is what is found anew, also of bricks that have one place to be remembered in.
 */
static void remembered_owners(void)
{
    static Field field;
    static BrickOwners owners;
    BrickCut cuts[16];
    fill_box(&field, 20, 20, 20);
    cut(&field, 16, cuts);
    brick_owners_start(&owners, cuts, 16);
    uint64_t state = 3;
    for (int k = 0; k < 20000; ++k) {
        int32_t at[3];
        for (int c = 0; c < 3; ++c) {
            at[c] = (int32_t)(setup_bits(&state) % 30) - 15;
            if (setup_bits(&state) % 4 == 0) at[c] += 8; /* the same place */
        }
        CHECK(brick_owner(&owners, at) == bricks_owner(cuts, 16, at));
    }
}

/* ---- together ---- */

typedef struct Division {
    const Field *field;
    BrickCut cuts[MOST_RANKS]; /* of one rank that knows all */
} Division;

/* Every rank knows some of the bricks, and of some of them a part of the weight. */
static mote_Status divide_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const Division *division = context;
    const Field *field = division->field;
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    Brick *own = malloc((field->count + 1) * sizeof *own);
    BrickCut cuts[MOST_RANKS];
    size_t count = 0;
    for (size_t i = 0; i < field->count; ++i) {
        const bool is_split = i % 3 == 0 && ranks->count > 2;
        Brick brick = field->bricks[i];
        if ((int)(i % 7) % (ranks->count - 1) != ranks->own - 1 && !is_split) continue;
        if (ranks->own == 0) continue; /* it knows none */
        if (is_split && ranks->own > 2) continue;
        if (is_split)
            brick.weight = ranks->own == 1 ? brick.weight / 3 : brick.weight - brick.weight / 3;
        own[count++] = brick;
    }
    mote_Status status = bricks_divide(ranks, own, count, cuts, &arena, error);
    if (status == MOTE_OK)
        CHECK(memcmp(cuts, division->cuts, (size_t)ranks->count * sizeof *cuts) == 0);
    free(own);
    arena_free(&arena);
    return status;
}

static void all_ranks_have_the_same_cuts(void)
{
    static Field field;
    static const int few[] = {2, 3, 4, 8};
    fill_box(&field, 12, 9, 7);
    for (size_t i = 0; i < COUNT_OF(few); ++i) {
        Division division = {.field = &field};
        mote_Error error;
        cut(&field, few[i], division.cuts);
        const mote_Status status = ranks_run_threads(few[i], divide_body, &division, &error);
        CHECK_OK(status, error);
    }
}

TESTS({"even clouds are balanced", even_clouds_are_balanced},
      {"parts are compact", parts_are_compact}, {"empty ranks", empty_ranks},
      {"far bricks", far_bricks}, {"remembered owners", remembered_owners},
      {"all ranks have the same cuts", all_ranks_have_the_same_cuts})
