/* Rods against what they are said to be, and their sums: the same bits for points in any order and
 * any number of threads, and for ranks that have some of the bricks each. */
#include "setup.h"
#include "space/rods.h"

#include <math.h>
#include <string.h>

enum { POINTS = 4000 };

typedef struct Cloud {
    mote_real x[3][POINTS];
    uint64_t ids[POINTS];
    double weight[POINTS]; /* by id */
} Cloud;

static const double reach = 0.05;

/* Around the anchor, so that cells and bricks below 0 are there too; some are not finite. */
static void scatter(Cloud *cloud)
{
    uint64_t state = 11;
    for (size_t i = 0; i < POINTS; ++i) {
        for (int c = 0; c < 3; ++c)
            cloud->x[c][i] = (mote_real)setup_uniform(&state, -0.7, c == 0 ? 1.1 : 0.4);
        cloud->ids[i] = i;
        cloud->weight[i] = ldexp(setup_uniform(&state, -1, 1), (int)(setup_bits(&state) % 40) - 20);
    }
    for (size_t i = 0; i < POINTS; i += 1111) cloud->x[1][i] = (mote_real)NAN;
}

static void shuffle(Cloud *cloud, uint64_t *state)
{
    for (size_t i = POINTS; i > 1; --i) {
        const size_t j = (size_t)(setup_bits(state) % i);
        const uint64_t id = cloud->ids[i - 1];
        cloud->ids[i - 1] = cloud->ids[j], cloud->ids[j] = id;
        for (int c = 0; c < 3; ++c) {
            const mote_real x = cloud->x[c][i - 1];
            cloud->x[c][i - 1] = cloud->x[c][j], cloud->x[c][j] = x;
        }
    }
}

typedef struct Bed {
    Memory memory;
    Arena arena;
    Cells cells;
    Rods rods;
    mote_Tasks *tasks;
    const Cloud *cloud;
    double *sums; /* two a rod: of weights, and of their squares */
} Bed;

static void sum_body(void *context, size_t begin, size_t end, int worker)
{
    Bed *bed = context;
    (void)worker;
    for (size_t rod = begin; rod < end; ++rod) {
        double *sum = bed->sums + 2 * rod;
        sum[0] = sum[1] = 0;
        for (uint32_t i = bed->rods.first[rod]; i < bed->rods.first[rod + 1]; ++i) {
            const double w = bed->cloud->weight[bed->cloud->ids[bed->cells.order[i]]];
            sum[0] += w, sum[1] += w * w;
        }
    }
}

static void open_bed(Bed *bed, const Cloud *cloud, mote_Tasks *tasks)
{
    const CellSpace space = {.flat = false};
    const CellPoints points = {
        .x = {cloud->x[0], cloud->x[1], cloud->x[2]}, .ids = cloud->ids, .count = POINTS};
    bed->memory = memory_make(mote_default_allocator());
    bed->arena = arena_make(&bed->memory);
    bed->tasks = tasks, bed->cloud = cloud;
    CHECK(cells_make(&bed->cells, &space, (mote_real)reach, &points, &bed->arena, tasks));
    CHECK(rods_make(&bed->rods, &bed->cells, &bed->arena, tasks));
    bed->sums = arena_take(&bed->arena, 2 * (bed->rods.count + 1) * sizeof *bed->sums);
    rods_for(&bed->rods, tasks, sum_body, bed);
}

static void close_bed(Bed *bed)
{
    arena_free(&bed->arena);
    CHECK(bed->memory.bytes == 0);
}

/* ---- cells of places ---- */

/* By division and in long double: the same but for places so near to a border that rounding
 * decides. Those on periodic axes are wrapped first. */
static bool is_cell(const Cells *grid, int c, mote_real x, int32_t cell)
{
    const long double period = (long double)grid->space.period[c];
    long double at = (long double)x - (long double)grid->space.low[c];
    if (period > 0) at -= floorl(at / period) * period;
    if (!(period > 0)) at += (long double)grid->space.low[c];
    at /= (long double)grid->edge[c];
    return at > cell - 1e-4L && at < cell + 1 + 1e-4L;
}

static void all_places_are_located(void)
{
    static const CellSpace spaces[] = {
        {.flat = false}, {.low = {(mote_real)-0.25, 0, 0}, .period = {(mote_real)0.6, 0, 0}}};
    static Cloud cloud;
    static int32_t x[POINTS], y[POINTS], z[POINTS];
    int32_t *const at[3] = {x, y, z};
    const CellPoints points = {.x = {cloud.x[0], cloud.x[1], cloud.x[2]}, .count = POINTS};
    scatter(&cloud);
    for (size_t k = 0; k < COUNT_OF(spaces); ++k) {
        const Cells grid = cells_grid(&spaces[k], (mote_real)reach);
        mote_Tasks *tasks = setup_tasks(2);
        size_t lost = 0, alone = 0;
        cells_locate_all(&grid, &points, at, tasks);
        for (size_t i = 0; i < POINTS; ++i) {
            const mote_real place[3] = {cloud.x[0][i], cloud.x[1][i], cloud.x[2][i]};
            int32_t one[3];
            const bool in_cell = cells_locate(&grid, place, one);
            CHECK(in_cell == (x[i] != CELLS_NOWHERE));
            for (int c = 0; c < 3 && in_cell; ++c)
                CHECK(one[c] == at[c][i] && is_cell(&grid, c, place[c], at[c][i]));
            lost += !in_cell;
            alone += i > 0 && in_cell && !cells_same(at, i);
        }
        CHECK(lost == 4 && alone > POINTS / 2);
        mote_tasks_destroy(tasks);
    }
}

/* ---- what they are ---- */

/* The brick of a place, or the cell, along an axis. */
static long step_of(const Bed *bed, uint32_t place, int c, int cells)
{
    return (long)floor((double)cells_at(&bed->cells, c, bed->cells.x[c][place]) / cells);
}

static bool same_steps(const Bed *bed, uint32_t a, uint32_t b, const int cells[3])
{
    bool same = true;
    for (int c = 0; c < 3; ++c)
        same = same && step_of(bed, a, c, cells[c]) == step_of(bed, b, c, cells[c]);
    return same;
}

static void rods_are_four_cells_of_a_brick(void)
{
    static const int rod[3] = {4, 1, 1}, brick[3] = {4, 4, 4};
    static Cloud cloud;
    Bed bed;
    scatter(&cloud);
    open_bed(&bed, &cloud, NULL);
    const Rods *rods = &bed.rods;
    CHECK(rods->first[0] == 0 && rods->first[rods->count] == POINTS);
    CHECK(rods->first[rods->count - 1] == bed.cells.placed); /* those not finite are the last */
    for (size_t r = 0; r + 1 < rods->count; ++r) {
        const uint32_t first = rods->first[r];
        CHECK(first < rods->first[r + 1]);
        for (uint32_t i = first; i < rods->first[r + 1]; ++i)
            CHECK(same_steps(&bed, first, i, rod));
        CHECK(r == 0 || !same_steps(&bed, first, first - 1, rod));
    }
    for (size_t b = 0; b + 1 < rods->brick_count; ++b)
        for (uint32_t i = rods->brick_first[b]; i < rods->brick_first[b + 1]; ++i) {
            const uint32_t first = rods->sorted[rods->brick_first[b]];
            CHECK(same_steps(&bed, rods->first[first], rods->first[rods->sorted[i]], brick));
            CHECK(i == rods->brick_first[b] || rods->sorted[i] > rods->sorted[i - 1]);
        }
    for (size_t b = 1; b + 1 < rods->brick_count; ++b) {
        const uint32_t one = rods->sorted[rods->brick_first[b - 1]];
        const uint32_t other = rods->sorted[rods->brick_first[b]];
        CHECK(!same_steps(&bed, rods->first[one], rods->first[other], brick));
    }
    close_bed(&bed);
}

/* ---- their sums ---- */

static void check_same(const double a[2], const double b[2])
{
    CHECK(memcmp(a, b, 2 * sizeof *a) == 0);
}

static void sums_have_no_order(void)
{
    static Cloud cloud;
    double first[2], plain = 0;
    uint64_t state = 5;
    scatter(&cloud);
    for (size_t i = 0; i < POINTS; ++i) plain += cloud.weight[i];
    for (int threads = 0; threads <= 3; ++threads) {
        mote_Tasks *tasks = threads > 0 ? setup_tasks(threads) : NULL;
        double total[2];
        Bed bed;
        open_bed(&bed, &cloud, tasks);
        rods_total(&bed.rods, tasks, bed.sums, 2, total);
        if (threads == 0) memcpy(first, total, sizeof first);
        check_same(total, first);
        close_bed(&bed);
        mote_tasks_destroy(tasks);
        shuffle(&cloud, &state);
    }
    CHECK_NEAR(first[0] / plain, 1, 1e-12);
}

/* Three ranks have the bricks that a number says, each its own rods alone; their limbs are added.
 */
static void ranks_have_bricks(void)
{
    static Cloud cloud;
    Bed bed;
    double whole[2];
    Limbs all[2] = {{.odd = 0}};
    scatter(&cloud);
    open_bed(&bed, &cloud, NULL);
    rods_total(&bed.rods, NULL, bed.sums, 2, whole);
    for (int rank = 2; rank >= 0; --rank) {
        Limbs own[2] = {{.odd = 0}};
        for (size_t b = bed.rods.brick_count; b-- > 0;) {
            double sum[2] = {0, 0};
            if ((b * 2654435761u >> 7) % 3 != (size_t)rank) continue;
            for (uint32_t i = bed.rods.brick_first[b]; i < bed.rods.brick_first[b + 1]; ++i)
                for (size_t k = 0; k < 2; ++k) sum[k] += bed.sums[2 * bed.rods.sorted[i] + k];
            for (int k = 0; k < 2; ++k) limbs_add(&own[k], sum[k]);
        }
        for (int k = 0; k < 2; ++k) limbs_merge(&all[k], &own[k]);
    }
    const double total[2] = {limbs_value(&all[0]), limbs_value(&all[1])};
    check_same(total, whole);
    close_bed(&bed);
}

TESTS({"all places are located", all_places_are_located},
      {"rods are four cells of a brick", rods_are_four_cells_of_a_brick},
      {"sums have no order", sums_have_no_order}, {"ranks have bricks", ranks_have_bricks})
