/* Guests: rows that have left the bricks of their rank since rows last went from rank to rank.
 *
 * A sub-step that is halved moves rows in its first half, and sums go by bricks. For the other
 * half a row is lent to the rank that has its brick now. There it stands among that rank's own:
 * all that it feels is there, too. What it brings along (velocity, accelerations, columns) goes
 * there, and what became of it comes back. Its rank keeps the row, and for planes by place it has
 * room behind all places that loops go over. */
#include "solvers/sph/ghosts.h"

#include "solvers/points/slot.h"

#include <stdatomic.h>
#include <string.h>

/* ---- who is away ---- */

typedef struct HomeSearch {
    const GhostCells *cells;
    BrickOwners owners;
    int count, own; /* ranks */
    int home;       /* of the last row */
} HomeSearch;

static void start_search(HomeSearch *search, const GhostCells *cells)
{
    const mote_Ranks *ranks = cells->step->outer->shop->ranks;
    search->cells = cells, search->count = ranks->count, search->own = ranks->own;
    brick_owners_start(&search->owners, cells->cuts, ranks->count);
}

/* Who has the brick that a row is in; its own rank where it is in none. Rows from `begin` on are
 * asked for one after another. */
static int home_of(HomeSearch *search, size_t begin, size_t row)
{
    const GhostCells *cells = search->cells;
    if (row > begin && cells_same(cells->at, row)) return search->home;
    search->home = search->own;
    if (cells->cuts == NULL || cells->at[0][row] == CELLS_NOWHERE) return search->own;
    int32_t brick[3];
    for (int c = 0; c < 3; ++c) brick[c] = (int32_t)brick_of_cell(cells->at[c][row]);
    return search->home = brick_owner(&search->owners, brick);
}

typedef struct AwayWork {
    const GhostCells *cells;
    atomic_size_t away;
} AwayWork;

static void away_body(void *context, size_t begin, size_t end, int worker)
{
    AwayWork *work = context;
    HomeSearch search;
    size_t away = 0;
    (void)worker;
    start_search(&search, work->cells);
    for (size_t row = begin; row < end; ++row) away += home_of(&search, begin, row) != search.own;
    if (away > 0) atomic_fetch_add_explicit(&work->away, away, memory_order_relaxed);
}

/* How many rows go to each rank become where its rows begin; returns how many leave: as a rule
 * none. */
static size_t count_away(const GhostCells *cells, size_t *first)
{
    enum { ROWS_PER_TASK = 2048 };
    HomeSearch search;
    AwayWork work = {.cells = cells};
    size_t all = 0;
    start_search(&search, cells);
    memset(first, 0, ((size_t)search.count + 1) * sizeof *first);
    mote_parallel_for(cells->step->outer->tasks, cells->count, ROWS_PER_TASK, away_body, &work);
    for (size_t row = 0; row < cells->count && work.away > 0; ++row) {
        const int home = home_of(&search, 0, row);
        if (home != search.own) ++first[home];
    }
    for (int r = 0; r < search.count; ++r) {
        const size_t own = first[r];
        first[r] = all;
        all += own;
    }
    return first[search.count] = all;
}

/* The points of rows: those that stay, then room for those that come, then those that leave, in the
 * order of ranks. */
static void number_points(const GhostCells *cells, GuestLists *guests)
{
    HomeSearch search;
    start_search(&search, cells);
    const size_t count = (size_t)search.count, leaves = guests->out_first[count];
    const size_t rows = cells->count, home = rows - leaves + guests->in_first[count];
    uint32_t stay = 0;
    for (size_t row = 0; row < rows; ++row) {
        const int to = home_of(&search, 0, row);
        guests->points[row] =
            to == search.own ? stay++ : (uint32_t)(home + guests->out_first[to]++);
    }
    for (size_t r = count; r > 0; --r) guests->out_first[r] = guests->out_first[r - 1];
    guests->out_first[0] = 0;
    for (size_t i = 0; i < leaves; ++i) guests->out[i] = (uint32_t)(home + i);
    for (size_t i = 0; i < guests->in_first[count]; ++i) guests->in[i] = (uint32_t)(stay + i);
}

/* ---- positions ---- */

static bool take_lists(const SphStep *step, GuestLists *guests, size_t rows)
{
    Arena *arena = step->outer->arena;
    const size_t count = (size_t)step->ghosts->ranks->count;
    guests->out = arena_take(arena, (guests->out_first[count] + 1) * sizeof *guests->out);
    guests->in = arena_take(arena, (guests->in_first[count] + 1) * sizeof *guests->in);
    guests->points = arena_take(arena, (rows + 1) * sizeof *guests->points);
    return guests->out != NULL && guests->in != NULL && guests->points != NULL;
}

/* A plane by point: what rows have, where they are. */
static void *place_rows(const SphStep *step, const void *of, size_t item, size_t points)
{
    const GuestLists *guests = &step->ghosts->guests;
    char *plane = arena_take(step->outer->arena, (points + 1) * item);
    for (size_t row = 0; row < step->first[1] && plane != NULL; ++row)
        memcpy(plane + guests->points[row] * item, (const char *)of + row * item, item);
    return plane;
}

static bool make_home(const SphStep *step, const CellPoints *rows, RankPlane planes[4])
{
    Ghosts *ghosts = step->ghosts;
    const GuestLists *guests = &ghosts->guests;
    const size_t points = rows->count + guests->in_first[ghosts->ranks->count];
    bool room = true;
    uint64_t *ids = place_rows(step, rows->ids, sizeof *ids, points);
    planes[0] = (RankPlane){ids, sizeof *ids, sizeof *ids};
    for (int c = 0; c < 3; ++c) {
        mote_real *x = place_rows(step, rows->x[c], sizeof *x, points);
        planes[1 + c] = (RankPlane){x, sizeof *x, sizeof *x};
        ghosts->home.x[c] = x;
        room = room && x != NULL;
    }
    ghosts->home.ids = ids, ghosts->home.count = points - step->lent;
    return room && ids != NULL;
}

static mote_Status move_guests(SphStep *step, const GhostCells *cells, const CellPoints *rows,
                               mote_Error *error)
{
    Ghosts *ghosts = step->ghosts;
    GuestLists *guests = &ghosts->guests;
    Arena *arena = step->outer->arena;
    const RankLists counted = {guests->out_first, NULL};
    RankPlane planes[4];
    mote_Status status =
        ranks_count_arrivals(ghosts->ranks, MOTE_OK, &counted, guests->in_first, arena, error);
    if (status != MOTE_OK) return status;
    bool room = take_lists(step, guests, rows->count);
    step->lent = guests->out_first[ghosts->ranks->count];
    if (room) number_points(cells, guests);
    room = room && make_home(step, rows, planes);
    status = ranks_agree(ghosts->ranks, room ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    const RankLists from = {guests->out_first, guests->out}, to = {guests->in_first, guests->in};
    return ranks_exchange(ghosts->ranks, &from, &to, planes, 4, arena, error);
}

bool guests_begin(GuestLists *guests, int ranks, Arena *arena)
{
    const size_t bytes = ((size_t)ranks + 1) * sizeof(size_t);
    guests->out_first = arena_take(arena, bytes);
    guests->in_first = arena_take(arena, bytes);
    return guests->out_first != NULL && guests->in_first != NULL;
}

mote_Status guests_find(SphStep *step, const GhostCells *cells, const CellPoints *rows,
                        mote_Error *error)
{
    Ghosts *ghosts = step->ghosts;
    GuestLists *guests = &ghosts->guests;
    int64_t counts[2] = {(int64_t)rows->count, (int64_t)count_away(cells, guests->out_first)};
    mote_Status status = ranks_sum(ghosts->ranks, counts, 2, error);
    ghosts->home = *rows;
    step->particles = (size_t)counts[0], ghosts->lends = counts[1] > 0;
    if (status == MOTE_OK && ghosts->lends) status = move_guests(step, cells, rows, error);
    step->own_rows = ghosts->home.count;
    return status;
}

/* ---- places ---- */

/* Points of rows become their places; those of rows that are away stand behind all. */
bool guests_place(SphStep *step)
{
    const Ghosts *ghosts = step->ghosts;
    const GuestLists *guests = &ghosts->guests;
    const size_t count = (size_t)ghosts->ranks->count, home = ghosts->home.count;
    const uint32_t behind = (uint32_t)(step->rows + CELLS_SPARE);
    if (!ghosts->lends) return true;
    uint32_t *place = arena_take(step->outer->arena, (step->first[1] + 1) * sizeof *place);
    if (place == NULL) return false;
    for (size_t row = 0; row < step->first[1]; ++row) {
        const uint32_t point = guests->points[row];
        place[row] = point < home ? step->place[point] : behind + (uint32_t)(point - home);
    }
    for (size_t i = 0; i < guests->out_first[count]; ++i) guests->out[i] = behind + (uint32_t)i;
    for (size_t i = 0; i < guests->in_first[count]; ++i) guests->in[i] = step->place[guests->in[i]];
    step->place = place;
    return true;
}

/* ---- messages ---- */

static void send(SphStep *step, mote_real *const *planes, size_t count, bool back)
{
    enum { MOST = 8 };
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || !ghosts->lends || ghosts->status != MOTE_OK) return;
    const RankLists lent = {ghosts->guests.out_first, ghosts->guests.out};
    const RankLists hosted = {ghosts->guests.in_first, ghosts->guests.in};
    RankPlane all[MOST];
    for (size_t p = 0; p < count; ++p)
        all[p] = (RankPlane){planes[p], sizeof(mote_real), sizeof(mote_real)};
    const ArenaMark mark = arena_mark(step->outer->arena);
    ghosts->status = ranks_exchange(ghosts->ranks, back ? &hosted : &lent, back ? &lent : &hosted,
                                    all, count, step->outer->arena, &ghosts->error);
    arena_rewind(step->outer->arena, mark);
}

void guests_lend(SphStep *step, mote_real *const *planes, size_t count)
{
    send(step, planes, count, false);
}

void guests_return(SphStep *step, mote_real *const *planes, size_t count)
{
    send(step, planes, count, true);
}
