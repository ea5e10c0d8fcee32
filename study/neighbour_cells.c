/* Neighbours by all pairs, by lists of cells, and by the library's sorted cells. */
#include "study/neighbour_search.h"

#include "space/cells.h"

/* ---- all pairs ---- */

static void *build_nothing(const SearchPoints *points, Arena *arena)
{
    (void)points;
    return arena_take(arena, 1);
}

static SearchSum all_pairs(const void *made, const SearchPoints *points)
{
    SearchSum sum = {0, 0};
    (void)made;
    for (size_t i = 0; i < points->count; ++i) {
        SearchQuery q = search_query(points, i);
        for (size_t j = 0; j < points->count; ++j)
            search_meet(&q, (mote_real[3]){points->x[0][j], points->x[1][j], points->x[2][j]}, j,
                        &sum);
    }
    return sum;
}

const SearchRow search_pairs = {"all-pairs", build_nothing, all_pairs};

/* ---- cells with lists ---- */

/* Every cell has a list of the particles in it. */
typedef struct ListCells {
    double low[3], inverse;
    int64_t side[3];
    uint32_t *head, *next; /* 0: none; else a particle's number plus one */
} ListCells;

static int64_t cell_along(const ListCells *cells, mote_real x, int c)
{
    int64_t at = (int64_t)(((double)x - cells->low[c]) * cells->inverse);
    return at < 0 ? 0 : at >= cells->side[c] ? cells->side[c] - 1 : at;
}

static size_t cell_number(const ListCells *cells, const int64_t at[3])
{
    return (size_t)((at[2] * cells->side[1] + at[1]) * cells->side[0] + at[0]);
}

/* As wide as the widest reach, or wider where there would be more cells than particles. */
static size_t set_grid(ListCells *cells, const SearchPoints *points)
{
    double high[3], volume = 1;
    for (int c = 0; c < 3; ++c) {
        cells->low[c] = high[c] = (double)points->x[c][0];
        for (size_t i = 0; i < points->count; ++i) {
            double x = (double)points->x[c][i];
            cells->low[c] = x < cells->low[c] ? x : cells->low[c];
            high[c] = x > high[c] ? x : high[c];
        }
        volume *= high[c] - cells->low[c];
    }
    double edge = (double)points->widest;
    while (volume > 2 * (double)points->count * edge * edge * edge) edge *= 1.1;
    cells->inverse = 1 / edge;
    for (int c = 0; c < 3; ++c) cells->side[c] = (int64_t)((high[c] - cells->low[c]) / edge) + 1;
    return (size_t)(cells->side[0] * cells->side[1] * cells->side[2]);
}

static void *build_lists(const SearchPoints *points, Arena *arena)
{
    ListCells *cells = arena_take(arena, sizeof *cells);
    if (cells == NULL) return NULL;
    size_t count = set_grid(cells, points);
    cells->head = arena_take(arena, count * sizeof *cells->head);
    cells->next = arena_take(arena, points->count * sizeof *cells->next);
    if (cells->head == NULL || cells->next == NULL) return NULL;
    for (size_t k = 0; k < count; ++k) cells->head[k] = 0;
    for (size_t i = 0; i < points->count; ++i) {
        const int64_t at[3] = {cell_along(cells, points->x[0][i], 0),
                               cell_along(cells, points->x[1][i], 1),
                               cell_along(cells, points->x[2][i], 2)};
        uint32_t *head = &cells->head[cell_number(cells, at)];
        cells->next[i] = *head, *head = (uint32_t)i + 1;
    }
    return cells;
}

static void meet_list(const ListCells *cells, const int64_t at[3], const SearchPoints *points,
                      const SearchQuery *q, SearchSum *sum)
{
    for (uint32_t k = cells->head[cell_number(cells, at)]; k != 0; k = cells->next[k - 1]) {
        const size_t j = k - 1;
        search_meet(q, (mote_real[3]){points->x[0][j], points->x[1][j], points->x[2][j]}, j, sum);
    }
}

static void meet_around(const ListCells *cells, const SearchPoints *points, const SearchQuery *q,
                        SearchSum *sum)
{
    const mote_real x[3] = {q->x, q->y, q->z}, reach = points->reach[q->number];
    int64_t low[3], high[3], at[3];
    for (int c = 0; c < 3; ++c) {
        low[c] = cell_along(cells, x[c] - reach, c);
        high[c] = cell_along(cells, x[c] + reach, c);
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
        for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
            for (at[0] = low[0]; at[0] <= high[0]; ++at[0]) meet_list(cells, at, points, q, sum);
}

static SearchSum by_lists(const void *made, const SearchPoints *points)
{
    SearchSum sum = {0, 0};
    for (size_t i = 0; i < points->count; ++i) {
        SearchQuery q = search_query(points, i);
        meet_around(made, points, &q, &sum);
    }
    return sum;
}

const SearchRow search_cells = {"cells", build_lists, by_lists};

/* ---- sorted cells ---- */

static void *build_sorted(const SearchPoints *points, Arena *arena)
{
    const CellSpace anywhere = {.flat = false};
    Cells *cells = arena_take(arena, sizeof *cells);
    const CellPoints all = {.x = {points->x[0], points->x[1], points->x[2]},
                            .count = points->count};
    if (cells == NULL) return NULL;
    return cells_make(cells, &anywhere, points->widest, &all, arena, NULL) ? cells : NULL;
}

static SearchSum by_sorted(const void *made, const SearchPoints *points)
{
    const Cells *cells = made;
    SearchSum sum = {0, 0};
    for (size_t place = 0; place < cells->placed; ++place) {
        SearchQuery q = search_query(points, cells->order[place]);
        const double centre[3] = {(double)q.x, (double)q.y, (double)q.z};
        BallWalk walk = ball_walk(cells, centre, (double)points->reach[q.number]);
        CellRun run;
        while (ball_next(&walk, &run))
            search_run(&q, cells->x, cells->order, run.begin, run.end, &sum);
    }
    return sum;
}

const SearchRow search_sorted = {"sorted-cells", build_sorted, by_sorted};
