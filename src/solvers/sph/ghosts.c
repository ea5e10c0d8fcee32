/* Who feels whom across ranks, and messages of what they feel. */
#include "solvers/sph/ghosts.h"

#include "solvers/points/slot.h"

#include "base/status.h"

#include <string.h>

enum { SPAN_PLACES = 512 };

/* ---- who feels whom ---- */

/* Where points are. False: no memory. */
static bool locate(GhostCells *cells, const CellPoints *points)
{
    Arena *arena = cells->step->outer->arena;
    cells->count = points->count;
    for (int c = 0; c < 3; ++c) {
        cells->at[c] = arena_take(arena, (points->count + 1) * sizeof *cells->at[c]);
        if (cells->at[c] == NULL) return false;
    }
    cells_locate_all(&cells->grid, points, cells->at, cells->step->outer->tasks);
    return true;
}

/* The bricks along one axis of a cell and of those beside it; returns how many they are. */
static int bricks_beside(const GhostCells *cells, int c, int32_t at, int32_t bricks[3])
{
    const int32_t side = (int32_t)cells->grid.side[c]; /* 0: the axis is open */
    int count = 0;
    for (int32_t by = -1; by <= 1; ++by) {
        int32_t cell = at + by;
        if (cells->grid.space.period[c] > 0) cell = (cell + side) % side;
        const int32_t brick = (int32_t)brick_of_cell(cell);
        bool known = false;
        for (int k = 0; k < count; ++k) known = known || bricks[k] == brick;
        if (!known) bricks[count++] = brick;
    }
    return count;
}

/* The other ranks that have one of the 27 cells around a cell; returns how many they are. */
static int who_sees(GhostCells *cells, const int32_t at[3], int own, int ranks[27])
{
    int32_t bricks[3][3];
    int sides[3], count = 0;
    for (int c = 0; c < 3; ++c) sides[c] = bricks_beside(cells, c, at[c], bricks[c]);
    if (sides[0] * sides[1] * sides[2] == 1) return 0; /* within one brick */
    for (int i = 0; i < sides[0]; ++i)
        for (int j = 0; j < sides[1]; ++j)
            for (int k = 0; k < sides[2]; ++k) {
                const int32_t brick[3] = {bricks[0][i], bricks[1][j], bricks[2][k]};
                const int owner = brick_owner(&cells->owners, brick);
                bool known = owner == own;
                for (int n = 0; n < count; ++n) known = known || ranks[n] == owner;
                if (!known) ranks[count++] = owner;
            }
    return count;
}

/* Rows [begin, end) of one cell that other ranks see. */
typedef struct SeenRun {
    uint32_t begin, end;
} SeenRun;

/* Where the run of rows of one cell ends that begins at a row. */
static size_t run_end(const GhostCells *cells, size_t row)
{
    do ++row;
    while (row < cells->count && cells_same(cells->at, row));
    return row;
}

static int who_sees_row(GhostCells *cells, size_t row, int own, int ranks[27])
{
    const int32_t at[3] = {cells->at[0][row], cells->at[1][row], cells->at[2][row]};
    return at[0] != CELLS_NOWHERE ? who_sees(cells, at, own, ranks) : 0;
}

/* The runs that others see, and how many rows each rank does; returns how many runs. */
static size_t find_seen(GhostCells *cells, int own, SeenRun *seen, size_t *counts)
{
    size_t runs = 0;
    for (size_t row = 0, end; row < cells->count && cells->owners.cuts != NULL; row = end) {
        int ranks[27];
        const int others = who_sees_row(cells, row, own, ranks);
        end = run_end(cells, row);
        for (int n = 0; n < others; ++n) counts[ranks[n]] += end - row;
        if (others > 0) seen[runs++] = (SeenRun){(uint32_t)row, (uint32_t)end};
    }
    return runs;
}

/* Lists of rows by rank: counted, and then filled in. */
static bool list_rows(GhostCells *cells, Ghosts *ghosts)
{
    Arena *arena = cells->step->outer->arena;
    const size_t count = (size_t)ghosts->ranks->count;
    const int own = ghosts->ranks->own;
    size_t *end = arena_take(arena, (count + 1) * sizeof *end), all = 0;
    SeenRun *seen = arena_take(arena, (cells->count + 1) * sizeof *seen);
    if (end == NULL || seen == NULL) return false;
    memset(end, 0, (count + 1) * sizeof *end);
    const size_t runs = find_seen(cells, own, seen, end);
    for (size_t r = 0; r < count; ++r) {
        const size_t rows = end[r];
        ghosts->out_first[r] = end[r] = all;
        all += rows;
    }
    ghosts->out_first[count] = all;
    ghosts->out = arena_take(arena, (all + 1) * sizeof *ghosts->out);
    for (size_t i = 0; i < runs && ghosts->out != NULL; ++i) {
        int ranks[27];
        for (int n = who_sees_row(cells, seen[i].begin, own, ranks); n > 0; --n)
            for (uint32_t row = seen[i].begin; row < seen[i].end; ++row)
                ghosts->out[end[ranks[n - 1]]++] = row;
    }
    return ghosts->out != NULL;
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

/* Numbers of the ghosts' rows or places, by the room that all have. */
static mote_Status get(const Ghosts *ghosts, const RankPlane *planes, size_t count,
                       mote_Error *error)
{
    const RankLists from = {ghosts->out_first, ghosts->out}, to = {ghosts->in_first, ghosts->in};
    const RankMove move = {&from, &to, planes, planes, count};
    return ranks_send(ghosts->ranks, &ghosts->post, &move, error);
}

static mote_Status get_points(const Ghosts *ghosts, mote_Error *error)
{
    const CellPoints *points = &ghosts->points;
    RankPlane planes[4] = {{(void *)(uintptr_t)points->ids, sizeof(uint64_t), sizeof(uint64_t)}};
    for (int c = 0; c < 3; ++c)
        planes[1 + c] =
            (RankPlane){(void *)(uintptr_t)points->x[c], sizeof(mote_real), sizeof(mote_real)};
    return get(ghosts, planes, 4, error);
}

/* What a place sends at most at a time: planes of numbers, or a matrix. Ids and positions are no
 * more. */
enum { PLANES_AT_ONCE = 8, MOST_BYTES = PLANES_AT_ONCE * sizeof(mote_real) };

static bool take_post(const SphStep *step, Ghosts *ghosts)
{
    const RankLists from = {ghosts->out_first, ghosts->out}, to = {ghosts->in_first, ghosts->in};
    return ranks_make_post(ghosts->ranks, &from, &to, MOST_BYTES, step->outer->arena,
                           &ghosts->post);
}

static Ghosts *take_ghosts(const SphStep *step, GhostCells **cells)
{
    const SolverStep *outer = step->outer;
    const mote_Ranks *ranks = outer->shop->ranks;
    const size_t bytes = ((size_t)ranks->count + 1) * sizeof(size_t);
    const CellSpace space = sph_space(outer);
    Ghosts *ghosts = arena_take(outer->arena, sizeof *ghosts);
    *cells = arena_take(outer->arena, sizeof **cells);
    if (ghosts == NULL || *cells == NULL) return NULL;
    *ghosts = (Ghosts){.ranks = ranks};
    ghosts->out_first = arena_take(outer->arena, bytes);
    ghosts->in_first = arena_take(outer->arena, bytes);
    (*cells)->step = step, (*cells)->grid = cells_grid(&space, step->kernel.support);
    brick_owners_start(&(*cells)->owners, outer->slots[0]->all.cuts, ranks->count);
    const bool room = guests_begin(&ghosts->guests, ranks->count, outer->arena);
    return room && ghosts->out_first != NULL && ghosts->in_first != NULL ? ghosts : NULL;
}

mote_Status ghosts_find(SphStep *step, mote_Error *error)
{
    const SolverStep *outer = step->outer;
    const mote_Ranks *ranks = outer->shop->ranks;
    GhostCells *cells;
    if (!ranks_are_many(ranks)) return MOTE_OK;
    Ghosts *ghosts = take_ghosts(step, &cells);
    CellPoints rows = cell_points_of(step->state->members[0].system);
    rows.count = step->first[1];
    const bool known = ghosts != NULL && locate(cells, &rows);
    mote_Status status = ranks_agree(ranks, known ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    step->ghosts = ghosts;
    status = guests_find(step, cells, &rows, error);
    if (status != MOTE_OK) return status;
    const CellPoints own = ghosts->home;
    const RankLists from = {ghosts->out_first, NULL};
    const bool listed = (!ghosts->lends || locate(cells, &own)) && list_rows(cells, ghosts);
    status = listed ? MOTE_OK : sph_no_memory(step, error);
    status = ranks_count_arrivals(ranks, status, &from, ghosts->in_first, outer->arena, error);
    if (status != MOTE_OK) return status;
    outer->solver->tally.ghosts += ghosts->in_first[ranks->count];
    if (!take_points(step, &own, ghosts, ghosts->in_first[ranks->count]) ||
        !take_post(step, ghosts))
        status = sph_no_memory(step, error);
    status = ranks_agree(ranks, status, error);
    return status == MOTE_OK ? get_points(ghosts, error) : status;
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
    RankPlane some[PLANES_AT_ONCE];
    for (size_t p = 0; p < count; ++p) {
        some[p % PLANES_AT_ONCE] = (RankPlane){planes[p], sizeof(mote_real), sizeof(mote_real)};
        if (p + 1 == count || (p + 1) % PLANES_AT_ONCE == 0)
            ghosts_share_planes(step, some, p % PLANES_AT_ONCE + 1);
    }
}

void ghosts_share_planes(SphStep *step, const RankPlane *planes, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = get(ghosts, planes, count, &ghosts->error);
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
