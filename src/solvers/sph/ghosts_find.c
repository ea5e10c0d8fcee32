/* Who feels whom across ranks, and where they are. */
#include "solvers/sph/ghosts.h"

#include "solvers/points/slot.h"

#include <string.h>

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

typedef struct SeenSearch {
    const GhostCells *cells;
    BrickOwners owners;
    int own;
} SeenSearch;

/* The other ranks that have one of the 27 cells around a cell; returns how many they are. */
static int who_sees(SeenSearch *search, const int32_t at[3], int ranks[27])
{
    int32_t bricks[3][3];
    int sides[3], count = 0;
    for (int c = 0; c < 3; ++c) sides[c] = bricks_beside(search->cells, c, at[c], bricks[c]);
    if (sides[0] * sides[1] * sides[2] == 1) return 0; /* within one brick */
    for (int i = 0; i < sides[0]; ++i)
        for (int j = 0; j < sides[1]; ++j)
            for (int k = 0; k < sides[2]; ++k) {
                const int32_t brick[3] = {bricks[0][i], bricks[1][j], bricks[2][k]};
                const int owner = brick_owner(&search->owners, brick);
                bool known = owner == search->own;
                for (int n = 0; n < count; ++n) known = known || ranks[n] == owner;
                if (!known) ranks[count++] = owner;
            }
    return count;
}

static int who_sees_row(SeenSearch *search, size_t row, int ranks[27])
{
    int32_t *const *of = search->cells->at;
    const int32_t at[3] = {of[0][row], of[1][row], of[2][row]};
    return at[0] != CELLS_NOWHERE ? who_sees(search, at, ranks) : 0;
}

/* Rows [begin, end) of one cell that other ranks see. */
typedef struct SeenRun {
    uint32_t begin, end;
} SeenRun;

/* Rows in parts, of which each is gone through by one thread: what it counts for each rank becomes
 * where it begins to write. */
typedef struct SeenWork {
    const GhostCells *cells;
    size_t parts, ranks;
    SeenRun *runs;     /* of a part from its first row on */
    size_t *run_count; /* by part */
    size_t *rows;      /* by part and rank */
    uint32_t *out;
} SeenWork;

/* A part is long enough for what its search remembers to be of use. */
enum { MOST_PARTS = 64, ROWS_PER_PART = 2048 };

static size_t part_begin(const SeenWork *work, size_t part)
{
    return work->cells->count * part / work->parts;
}

/* In place: what owners are remembered takes 8 KB. */
static void start_search(SeenSearch *search, const SeenWork *work)
{
    search->cells = work->cells, search->own = work->cells->step->outer->shop->ranks->own;
    brick_owners_start(&search->owners, work->cells->cuts, (int)work->ranks);
}

/* Where the run of rows of one cell ends that begins at a row. */
static size_t run_end(const GhostCells *cells, size_t row, size_t end)
{
    do ++row;
    while (row < end && cells_same(cells->at, row));
    return row;
}

static void count_part(const SeenWork *work, SeenSearch *search, size_t part)
{
    const size_t first = part_begin(work, part), last = part_begin(work, part + 1);
    size_t *rows = work->rows + part * work->ranks, runs = 0;
    memset(rows, 0, work->ranks * sizeof *rows);
    for (size_t row = first, end; row < last && work->cells->cuts != NULL; row = end) {
        int ranks[27];
        const int others = who_sees_row(search, row, ranks);
        end = run_end(work->cells, row, last);
        for (int n = 0; n < others; ++n) rows[ranks[n]] += end - row;
        if (others > 0) work->runs[first + runs++] = (SeenRun){(uint32_t)row, (uint32_t)end};
    }
    work->run_count[part] = runs;
}

static void write_part(const SeenWork *work, SeenSearch *search, size_t part)
{
    const SeenRun *runs = work->runs + part_begin(work, part);
    size_t *at = work->rows + part * work->ranks;
    for (size_t i = 0; i < work->run_count[part]; ++i) {
        int ranks[27];
        for (int n = who_sees_row(search, runs[i].begin, ranks); n > 0; --n)
            for (uint32_t row = runs[i].begin; row < runs[i].end; ++row)
                work->out[at[ranks[n - 1]]++] = row;
    }
}

static void count_body(void *context, size_t begin, size_t end, int worker)
{
    SeenSearch search;
    start_search(&search, context);
    (void)worker;
    for (size_t part = begin; part < end; ++part) count_part(context, &search, part);
}

static void write_body(void *context, size_t begin, size_t end, int worker)
{
    SeenSearch search;
    start_search(&search, context);
    (void)worker;
    for (size_t part = begin; part < end; ++part) write_part(context, &search, part);
}

static size_t add_up(const SeenWork *work, size_t *first)
{
    size_t all = 0;
    for (size_t r = 0; r < work->ranks; ++r) {
        first[r] = all;
        for (size_t part = 0; part < work->parts; ++part) {
            const size_t rows = work->rows[part * work->ranks + r];
            work->rows[part * work->ranks + r] = all;
            all += rows;
        }
    }
    return first[work->ranks] = all;
}

/* Lists of rows by rank: counted, and then filled in. */
static bool list_rows(const GhostCells *cells, Ghosts *ghosts)
{
    Arena *arena = cells->step->outer->arena;
    mote_Tasks *tasks = cells->step->outer->tasks;
    const size_t parts = cells->count / ROWS_PER_PART + 1;
    SeenWork work = {.cells = cells,
                     .parts = parts < MOST_PARTS ? parts : MOST_PARTS,
                     .ranks = (size_t)ghosts->ranks->count};
    work.runs = arena_take(arena, (cells->count + 1) * sizeof *work.runs);
    work.run_count = arena_take(arena, work.parts * sizeof *work.run_count);
    work.rows = arena_take(arena, work.parts * work.ranks * sizeof *work.rows);
    if (work.runs == NULL || work.run_count == NULL || work.rows == NULL) return false;
    mote_parallel_for(tasks, work.parts, 1, count_body, &work);
    const size_t all = add_up(&work, ghosts->out_first);
    ghosts->out = work.out = arena_take(arena, (all + 1) * sizeof *work.out);
    if (work.out != NULL) mote_parallel_for(tasks, work.parts, 1, write_body, &work);
    return work.out != NULL;
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

static mote_Status get_points(const Ghosts *ghosts, mote_Error *error)
{
    const CellPoints *points = &ghosts->points;
    RankPlane planes[4] = {{(void *)(uintptr_t)points->ids, sizeof(uint64_t), sizeof(uint64_t)}};
    for (int c = 0; c < 3; ++c)
        planes[1 + c] =
            (RankPlane){(void *)(uintptr_t)points->x[c], sizeof(mote_real), sizeof(mote_real)};
    return ghosts_get(ghosts, planes, 4, error);
}

static bool take_post(const SphStep *step, Ghosts *ghosts)
{
    const RankLists from = {ghosts->out_first, ghosts->out}, to = {ghosts->in_first, ghosts->in};
    return ranks_make_post(ghosts->ranks, &from, &to, GHOSTS_MOST_BYTES, step->outer->arena,
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
    **cells = (GhostCells){.step = step,
                           .grid = cells_grid(&space, step->kernel.support),
                           .cuts = outer->slots[0]->all.cuts};
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
