/* Who feels whom across ranks, and messages of what they feel. */
#include "solvers/sph/ghosts.h"

#include "ranks/bricks.h"
#include "solvers/points/slot.h"

#include "base/status.h"

#include <string.h>

enum { SPAN_PLACES = 512 };

/* ---- who feels whom ---- */

/* Rows of one cell mostly stand together, and the same ranks see them all. */
typedef struct Search {
    const SphStep *step;
    Cells grid;
    const BrickCut *cuts;
    int count, own; /* ranks */
    int32_t cell[3];
    int seen, ranks[27]; /* that see the cell; seen < 0: no cell was looked at yet */
} Search;

/* The bricks along one axis of a cell and of those beside it; returns how many they are. */
static int bricks_beside(const Search *search, int c, int32_t at, int32_t bricks[3])
{
    const int32_t side = (int32_t)search->grid.side[c]; /* 0: the axis is open */
    int count = 0;
    for (int32_t by = -1; by <= 1; ++by) {
        int32_t cell = at + by;
        if (search->grid.space.period[c] > 0) cell = (cell + side) % side;
        const int32_t brick = (int32_t)brick_of_cell(cell);
        bool known = false;
        for (int k = 0; k < count; ++k) known = known || bricks[k] == brick;
        if (!known) bricks[count++] = brick;
    }
    return count;
}

/* The other ranks that have one of the 27 cells around a cell; returns how many they are. */
static int who_sees(const Search *search, const int32_t at[3], int ranks[27])
{
    int32_t bricks[3][3];
    int sides[3], count = 0;
    for (int c = 0; c < 3; ++c) sides[c] = bricks_beside(search, c, at[c], bricks[c]);
    if (sides[0] * sides[1] * sides[2] == 1) return 0; /* within one brick */
    for (int i = 0; i < sides[0]; ++i)
        for (int j = 0; j < sides[1]; ++j)
            for (int k = 0; k < sides[2]; ++k) {
                const int32_t brick[3] = {bricks[0][i], bricks[1][j], bricks[2][k]};
                const int owner = bricks_owner(search->cuts, search->count, brick);
                bool known = owner == search->own;
                for (int n = 0; n < count; ++n) known = known || ranks[n] == owner;
                if (!known) ranks[count++] = owner;
            }
    return count;
}

/* How many other ranks see a row; search->ranks has them. */
static int seen_by(Search *search, const CellPoints *rows, size_t row)
{
    const mote_real x[3] = {rows->x[0][row], rows->x[1][row], rows->x[2][row]};
    int32_t at[3];
    if (!cells_locate(&search->grid, x, at)) return 0;
    if (search->seen < 0 || memcmp(at, search->cell, sizeof at) != 0) {
        memcpy(search->cell, at, sizeof at);
        search->seen = who_sees(search, at, search->ranks);
    }
    return search->seen;
}

/* Lists of rows by rank: counted, and then filled in. */
static bool list_rows(Search *search, const CellPoints *rows, Ghosts *ghosts)
{
    Arena *arena = search->step->outer->arena;
    const size_t count = (size_t)search->count;
    ghosts->out_first = arena_take(arena, (count + 1) * sizeof *ghosts->out_first);
    ghosts->in_first = arena_take(arena, (count + 1) * sizeof *ghosts->in_first);
    size_t *end = arena_take(arena, (count + 1) * sizeof *end);
    if (ghosts->out_first == NULL || ghosts->in_first == NULL || end == NULL) return false;
    memset(end, 0, (count + 1) * sizeof *end);
    for (size_t row = 0; row < rows->count && search->cuts != NULL; ++row)
        for (int n = seen_by(search, rows, row); n > 0; --n) ++end[search->ranks[n - 1]];
    size_t all = 0;
    for (size_t r = 0; r < count; ++r) {
        const size_t own = end[r];
        ghosts->out_first[r] = end[r] = all;
        all += own;
    }
    ghosts->out_first[count] = all;
    ghosts->out = arena_take(arena, (all + 1) * sizeof *ghosts->out);
    if (ghosts->out == NULL) return false;
    for (size_t row = 0; row < rows->count && all > 0; ++row)
        for (int n = seen_by(search, rows, row); n > 0; --n)
            ghosts->out[end[search->ranks[n - 1]]++] = (uint32_t)row;
    return true;
}

/* ---- their positions ---- */

/* Own rows first; the others' come behind them. */
static bool take_points(SphStep *step, const CellPoints *own, Ghosts *ghosts, size_t coming)
{
    Arena *arena = step->outer->arena;
    bool room = true;
    step->rows = own->count + coming;
    ghosts->in = arena_take(arena, (coming + 1) * sizeof *ghosts->in);
    uint64_t *ids = arena_take(arena, (step->rows + 1) * sizeof *ids);
    for (int c = 0; c < 3; ++c) {
        mote_real *x = sph_plane(step);
        room = room && x != NULL;
        if (x != NULL && own->count > 0) memcpy(x, own->x[c], own->count * sizeof *x);
        ghosts->points.x[c] = x;
    }
    if (!room || ids == NULL || ghosts->in == NULL) return false;
    if (own->count > 0) memcpy(ids, own->ids, own->count * sizeof *ids);
    for (size_t i = 0; i < coming; ++i) ghosts->in[i] = (uint32_t)(own->count + i);
    ghosts->points.ids = ids, ghosts->points.count = step->rows;
    return true;
}

static mote_Status get_points(const SphStep *step, Ghosts *ghosts, mote_Error *error)
{
    const RankLists from = {ghosts->out_first, ghosts->out}, to = {ghosts->in_first, ghosts->in};
    const CellPoints *points = &ghosts->points;
    RankPlane planes[4] = {{(void *)(uintptr_t)points->ids, sizeof(uint64_t), sizeof(uint64_t)}};
    for (int c = 0; c < 3; ++c)
        planes[1 + c] =
            (RankPlane){(void *)(uintptr_t)points->x[c], sizeof(mote_real), sizeof(mote_real)};
    return ranks_exchange(ghosts->ranks, &from, &to, planes, 4, step->outer->arena, error);
}

mote_Status ghosts_find(SphStep *step, mote_Error *error)
{
    const SolverStep *outer = step->outer;
    const mote_Ranks *ranks = outer->shop->ranks;
    const CellSpace space = sph_space(outer);
    if (!ranks_are_many(ranks)) return MOTE_OK;
    Search search = {.step = step,
                     .grid = cells_grid(&space, step->kernel.support),
                     .cuts = outer->slots[0]->all.cuts,
                     .count = ranks->count,
                     .own = ranks->own,
                     .seen = -1};
    Ghosts *ghosts = arena_take(outer->arena, sizeof *ghosts);
    if (ghosts != NULL) *ghosts = (Ghosts){.ranks = ranks};
    const bool room = ghosts != NULL && guests_begin(&ghosts->guests, ranks->count, outer->arena);
    mote_Status status = ranks_agree(ranks, room ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    step->ghosts = ghosts;
    status = guests_find(step, &search.grid, error);
    if (status != MOTE_OK) return status;
    const CellPoints own = ghosts->home;
    if (!list_rows(&search, &own, ghosts)) status = sph_no_memory(step, error);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    const RankLists from = {ghosts->out_first, ghosts->out};
    status = ranks_count_arrivals(ranks, &from, ghosts->in_first, outer->arena, error);
    if (status != MOTE_OK) return status;
    outer->solver->tally.ghosts += ghosts->in_first[ranks->count];
    if (!take_points(step, &own, ghosts, ghosts->in_first[ranks->count]))
        status = sph_no_memory(step, error);
    status = ranks_agree(ranks, status, error);
    return status == MOTE_OK ? get_points(step, ghosts, error) : status;
}

/* ---- places ---- */

static bool find_spans(const SphStep *step, Ghosts *ghosts)
{
    size_t count = 0;
    const size_t most = 2 * (step->rods.count + 1) + step->rows / SPAN_PLACES + 1;
    ghosts->spans = arena_take(step->outer->arena, most * sizeof *ghosts->spans);
    if (ghosts->spans == NULL) return false;
    for (size_t i = 0; i < step->rows;) {
        size_t end = i;
        while (end < step->rows && end - i < SPAN_PLACES && ghosts_own(step, end)) ++end;
        if (end > i) ghosts->spans[count++] = (OwnSpan){(uint32_t)i, (uint32_t)end};
        i = end > i ? end : i + 1;
    }
    ghosts->span_count = count;
    return true;
}

bool ghosts_place(SphStep *step)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL) return true;
    const int ranks = ghosts->ranks->count;
    for (size_t i = 0; i < ghosts->out_first[ranks]; ++i)
        ghosts->out[i] = step->place[ghosts->out[i]];
    for (size_t i = 0; i < ghosts->in_first[ranks]; ++i) {
        ghosts->in[i] = step->place[ghosts->in[i]];
        for (int c = 0; c < 3; ++c) step->a[c][ghosts->in[i]] = step->v[c][ghosts->in[i]] = 0;
    }
    ghosts->own_rod =
        arena_take(step->outer->arena, (step->rods.count + 1) * sizeof *ghosts->own_rod);
    if (ghosts->own_rod == NULL || !guests_place(step)) return false;
    for (size_t rod = 0; rod < step->rods.count; ++rod)
        ghosts->own_rod[rod] = ghosts_own(step, step->rods.first[rod]);
    rods_keep(&step->rods, ghosts->own_rod);
    return find_spans(step, ghosts);
}

/* ---- messages ---- */

void ghosts_share(SphStep *step, mote_real *const *planes, size_t count)
{
    enum { AT_ONCE = 8 };
    RankPlane some[AT_ONCE];
    for (size_t p = 0; p < count; ++p) {
        some[p % AT_ONCE] = (RankPlane){planes[p], sizeof(mote_real), sizeof(mote_real)};
        if (p + 1 == count || (p + 1) % AT_ONCE == 0)
            ghosts_share_planes(step, some, p % AT_ONCE + 1);
    }
}

void ghosts_share_planes(SphStep *step, const RankPlane *planes, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    const RankLists from = {ghosts->out_first, ghosts->out}, to = {ghosts->in_first, ghosts->in};
    const ArenaMark mark = arena_mark(step->outer->arena);
    ghosts->status = ranks_exchange(ghosts->ranks, &from, &to, planes, count, step->outer->arena,
                                    &ghosts->error);
    arena_rewind(step->outer->arena, mark);
}

void ghosts_add(const SphStep *step, int64_t *numbers, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ranks_sum(ghosts->ranks, numbers, count, &ghosts->error);
}

void ghosts_sum(const SphStep *step, Limbs *sums, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ranks_sum_limbs(ghosts->ranks, sums, count, &ghosts->error);
}

void ghosts_most(const SphStep *step, double *numbers, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ranks_most(ghosts->ranks, numbers, count, &ghosts->error);
}

mote_Status sph_agree(const SphStep *step, mote_Status status, mote_Error *error)
{
    const Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL) return status;
    if (status == MOTE_OK && ghosts->status != MOTE_OK) {
        status = ghosts->status;
        if (error != NULL) *error = ghosts->error;
    }
    return ranks_agree(ghosts->ranks, status, error);
}

/* ---- own places ---- */

typedef struct OwnLoop {
    const Ghosts *ghosts;
    mote_TaskBody *body;
    void *context;
} OwnLoop;

static void own_body(void *context, size_t begin, size_t end, int worker)
{
    const OwnLoop *loop = context;
    for (size_t i = begin; i < end; ++i) {
        const OwnSpan span = loop->ghosts->spans[i];
        loop->body(loop->context, span.begin, span.end, worker);
    }
}

void ghosts_for_own(const SphStep *step, mote_TaskBody *body, void *context)
{
    OwnLoop loop = {step->ghosts, body, context};
    if (step->ghosts == NULL)
        mote_parallel_for(step->outer->tasks, step->rows, SPAN_PLACES, body, context);
    else
        mote_parallel_for(step->outer->tasks, step->ghosts->span_count, 1, own_body, &loop);
}

uint64_t ghosts_pairs(const SphStep *step)
{
    uint64_t pairs = 0;
    if (step->ghosts == NULL) return step->pairs;
    for (size_t s = 0; s < step->ghosts->span_count; ++s)
        for (size_t i = step->ghosts->spans[s].begin; i < step->ghosts->spans[s].end; ++i)
            pairs += step->lists->count[i];
    return pairs;
}
