/* Cutting space into parts of about the same weight, along the longest axis each time. */
#include "ranks/bricks.h"

#include "base/sort.h"
#include "base/status.h"

#include <string.h>

enum { AXIS_BITS = 21 };

/* Bricks in the order of an axis have ascending keys; no two have the same. */
static uint64_t key_of(const int32_t at[3], int axis)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
        const int64_t number = at[(axis + k) % 3];
        const int64_t kept = number < -BRICK_MOST  ? -BRICK_MOST
                             : number > BRICK_MOST ? BRICK_MOST
                                                   : number;
        key = key << AXIS_BITS | (uint64_t)(kept + BRICK_MOST);
    }
    return key;
}

typedef struct Cutting {
    const Brick *bricks;
    SortItem *items, *spare; /* numbers of bricks, in the order of the last axis */
    BrickCut *cuts;
} Cutting;

static int longest_axis(const Cutting *work, size_t begin, size_t end)
{
    int64_t extent[3];
    for (int c = 0; c < 3; ++c) {
        int64_t low = BRICK_MOST, high = -BRICK_MOST;
        for (size_t i = begin; i < end; ++i) {
            const int64_t at = work->bricks[work->items[i].value].at[c];
            low = at < low ? at : low, high = at > high ? at : high;
        }
        extent[c] = high - low;
    }
    const int longer = extent[1] > extent[0] ? 1 : 0;
    return extent[2] > extent[longer] ? 2 : longer;
}

static void sort_along(const Cutting *work, size_t begin, size_t end, int axis)
{
    for (size_t i = begin; i < end; ++i)
        work->items[i].key = key_of(work->bricks[work->items[i].value].at, axis);
    sort_items(work->items + begin, work->spare, end - begin);
}

static uint64_t weight_of(const Cutting *work, size_t begin, size_t end)
{
    uint64_t sum = 0;
    for (size_t i = begin; i < end; ++i) sum += work->bricks[work->items[i].value].weight;
    return sum;
}

/* Where the weight before is nearest to `part` of `parts`, between two bricks. Sums of whole
 * numbers, multiplied instead of divided: nothing is rounded. */
static size_t find_cut(const Cutting *work, size_t begin, size_t end, uint64_t part, uint64_t parts)
{
    const uint64_t wanted = weight_of(work, begin, end) * part;
    uint64_t sum = 0, before = 0;
    for (size_t i = begin, brick = begin; i < end; ++i) {
        sum += work->bricks[work->items[i].value].weight;
        if (i + 1 < end && work->items[i + 1].key == work->items[i].key) continue; /* the same */
        if (sum * parts > wanted)
            return sum * parts - wanted < wanted - before * parts ? i + 1 : brick;
        before = sum, brick = i + 1;
    }
    return end;
}

/* The ranks [first, first + count) share the items [begin, end). Halves of the ranks, not of the
 * weight: three ranks are cut at a third. */
static void cut_part(const Cutting *work, size_t begin, size_t end, int first, int count)
{
    if (count < 2) return;
    const int lower = count / 2, axis = longest_axis(work, begin, end);
    BrickCut *cut = &work->cuts[first + lower];
    sort_along(work, begin, end, axis);
    const size_t at = find_cut(work, begin, end, (uint64_t)lower, (uint64_t)count);
    *cut = (BrickCut){.axis = axis, .at = {BRICK_MOST, BRICK_MOST, BRICK_MOST}};
    for (int c = 0; c < 3 && at < end; ++c) cut->at[c] = work->bricks[work->items[at].value].at[c];
    cut_part(work, begin, at, first, lower);
    cut_part(work, at, end, first + lower, count - lower);
}

bool bricks_cut(const Brick *bricks, size_t count, int ranks, BrickCut *cuts, Arena *arena)
{
    SortItem *items = arena_take(arena, 2 * (count + 1) * sizeof *items);
    if (items == NULL) return false;
    const Cutting work = {bricks, items, items + count, cuts};
    for (size_t i = 0; i < count; ++i) items[i] = (SortItem){0, i};
    memset(cuts, 0, (size_t)ranks * sizeof *cuts);
    cut_part(&work, 0, count, 0, ranks);
    return true;
}

int bricks_owner(const BrickCut *cuts, int ranks, const int32_t at[3])
{
    int first = 0;
    for (int count = ranks; count > 1;) {
        const int lower = count / 2;
        const BrickCut *cut = &cuts[first + lower];
        const int32_t from[3] = {(int32_t)cut->at[0], (int32_t)cut->at[1], (int32_t)cut->at[2]};
        const bool below = key_of(at, (int)cut->axis) < key_of(from, (int)cut->axis);
        if (!below) first += lower;
        count = below ? lower : count - lower;
    }
    return first;
}

void brick_owners_start(BrickOwners *owners, const BrickCut *cuts, int ranks)
{
    owners->cuts = cuts, owners->ranks = ranks;
    for (size_t i = 0; i < BRICKS_REMEMBERED; ++i) owners->of[i].owner = -1;
}

/* Eight along each axis have places of their own. */
int brick_owner(BrickOwners *owners, const int32_t at[3])
{
    const uint32_t x = (uint32_t)at[0] % 8, y = (uint32_t)at[1] % 8, z = (uint32_t)at[2] % 8;
    const size_t i = (z * 8 + y) * 8 + x;
    if (owners->of[i].owner < 0 || memcmp(owners->of[i].at, at, sizeof owners->of[i].at) != 0) {
        memcpy(owners->of[i].at, at, sizeof owners->of[i].at);
        owners->of[i].owner = bricks_owner(owners->cuts, owners->ranks, at);
    }
    return owners->of[i].owner;
}

/* One rank cuts, and the others add theirs, which are zeroes: a sum of whole numbers. */
mote_Status bricks_divide(const mote_Ranks *ranks, const Brick *own, size_t count, BrickCut *cuts,
                          Arena *arena, mote_Error *error)
{
    enum { CUTTER = 0, WORDS = sizeof(BrickCut) / sizeof(int64_t) };
    void *all = NULL;
    size_t size = 0;
    mote_Status status =
        ranks_gather(ranks, CUTTER, own, count * sizeof *own, arena, &all, &size, error);
    if (status != MOTE_OK) return status;
    memset(cuts, 0, (size_t)ranks->count * sizeof *cuts);
    if (ranks->own == CUTTER && !bricks_cut(all, size / sizeof *own, ranks->count, cuts, arena))
        status = status_no_memory(error, "bricks", size);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    return ranks_sum(ranks, &cuts[0].axis, (size_t)ranks->count * WORDS, error);
}
