/* Neighbour lists against brute force: open and periodic boxes, flat and solid, dense and scattered
 * over light years, coincident points, points that are not finite; threads; running out of memory.
 */
#include "setup.h"

#include "failing.h"
#include "space/neighbours.h"

#include <string.h>

typedef struct Cloud {
    const char *name;
    size_t points;
    double size[3]; /* m, of the box they are in */
    bool periodic[3], flat;
    double support;
    int kind; /* of places */
} Cloud;

enum { UNIFORM, LATTICE, CLUMPS, HOSTILE, STRAIGHT };

static const Cloud clouds[] = {
    {"uniform", 2000, {1, 1, 1}, {false, false, false}, false, 0.13, UNIFORM},
    {"flat", 1500, {1, 1, 0}, {false, false, false}, true, 0.06, UNIFORM},
    {"lattice", 12 * 12 * 12, {1.2, 1.2, 1.2}, {false, false, false}, false, 0.2, LATTICE},
    {"periodic", 1500, {1, 1, 1}, {true, true, true}, false, 0.14, UNIFORM},
    {"periodic flat", 1500, {1, 0.5, 0}, {true, false, false}, true, 0.07, UNIFORM},
    {"barely periodic", 700, {0.5, 1, 0.51}, {true, false, true}, false, 0.25, UNIFORM},
    {"scattered", 1500, {1e5, 1e5, 1e5}, {false, false, false}, false, 0.5, CLUMPS},
    {"hostile", 600, {1, 1, 1}, {false, false, false}, false, 0.2, HOSTILE},
    {"hostile periodic", 600, {1, 1, 1}, {true, true, true}, false, 0.2, HOSTILE},
    {"a line", 500, {3, 0, 0}, {false, false, false}, false, 0.1, STRAIGHT},
    {"one place", 40, {0, 0, 0}, {false, false, false}, false, 0.1, UNIFORM},
    {"one point", 1, {1, 1, 1}, {false, false, false}, false, 0.1, UNIFORM},
    {"none", 0, {1, 1, 1}, {false, false, false}, false, 0.1, UNIFORM},
};

enum { MOST = 2000 };

static mote_real places[3][MOST];

static void place(const Cloud *cloud)
{
    uint64_t state = 7;
    for (size_t i = 0; i < cloud->points; ++i)
        for (int c = 0; c < 3; ++c) {
            double u = setup_uniform(&state, 0, 1), x = cloud->size[c] * u - 0.3;
            if (cloud->kind == LATTICE)
                x = 0.1 * (double)((c == 0 ? i : c == 1 ? i / 12 : i / 144) % 12);
            if (cloud->kind == CLUMPS) x = cloud->size[c] * floor(u * 3) / 3 + u;
            places[c][i] = (mote_real)x;
        }
    if (cloud->kind != HOSTILE) return;
    for (size_t i = 0; i < 30; ++i) { /* coincident, not finite, far away, out of the box */
        for (int c = 0; c < 3; ++c) places[c][i] = places[c][i + 30];
        places[i % 3][60 + i] = i % 2 != 0 ? (mote_real)NAN : (mote_real)INFINITY;
        places[i % 3][90 + i] = (mote_real)(i % 2 != 0 ? 1e9 : -1e25);
        places[i % 3][120 + i] += 4;
    }
}

static CellSpace space_of(const Cloud *cloud)
{
    CellSpace space = {.flat = cloud->flat};
    for (int c = 0; c < 3; ++c) {
        space.low[c] = (mote_real)-0.3;
        space.period[c] = cloud->periodic[c] ? (mote_real)cloud->size[c] : 0;
    }
    return space;
}

/* As the search has them, so that what is nearly at the support is judged from the same numbers. */
static double distance(const Cells *cells, size_t i, size_t j)
{
    double sum = 0;
    for (int c = 0; c < (cells->space.flat ? 2 : 3); ++c) {
        double d = (double)cells->x[c][i] - (double)cells->x[c][j];
        double period = (double)cells->space.period[c];
        if (period > 0) d -= period * floor(d / period + 0.5);
        sum += d * d;
    }
    return sqrt(sum);
}

static bool is_well(size_t point)
{
    return isfinite((double)places[0][point]) && isfinite((double)places[1][point]) &&
           isfinite((double)places[2][point]);
}

/* How often j is in the list of i. */
static int times_listed(const Neighbours *lists, size_t i, size_t j)
{
    const uint32_t *list = neighbours_of(lists, i);
    int times = 0;
    for (size_t k = 0; k < lists->count[i]; ++k) times += list[k] == j;
    return times;
}

static void check_point(const Cells *cells, const Neighbours *lists, const Smoothing *kernel,
                        const Cloud *cloud, size_t i)
{
    const double H = cloud->support, doubt = 1e-5 * H;
    double sum = (double)kernel->middle;
    for (size_t j = 0; j < cells->placed; ++j) {
        if (i == j) {
            CHECK(times_listed(lists, i, j) == 0);
            continue;
        }
        double d = distance(cells, i, j);
        if (d < H - doubt) CHECK(times_listed(lists, i, j) == 1);
        if (!(d < H + doubt)) CHECK(times_listed(lists, i, j) == 0);
        sum += smoothing_value(smoothing_row(SMOOTHING_CUBIC), cloud->flat ? 2 : 3, H, d);
    }
    CHECK_NEAR((double)lists->sum[i] / sum, 1, 2e-4);
    for (size_t k = lists->count[i]; k < neighbours_padded(lists, i); ++k)
        CHECK(neighbours_of(lists, i)[k] == i);
}

typedef struct Search {
    Memory memory;
    Arena arena;
    Neighbours lists;
    Cells cells;
    Smoothing kernel;
} Search;

static bool search(Search *s, const Cloud *cloud, mote_Tasks *tasks)
{
    const CellPoints x = {.x = {places[0], places[1], places[2]}, .count = cloud->points};
    CellSpace space = space_of(cloud);
    s->kernel = smoothing_make(smoothing_row(SMOOTHING_CUBIC), cloud->flat ? 2 : 3, cloud->support);
    return cells_make(&s->cells, &space, (mote_real)cloud->support, &x, &s->arena, tasks) &&
           neighbours_find(&s->lists, &s->cells, &s->kernel, isa_pick(), &s->arena, tasks);
}

static void open_search(Search *s, mote_Allocator allocator)
{
    s->memory = memory_make(allocator);
    s->arena = arena_make(&s->memory);
    s->lists = neighbours_make(&s->memory);
}

static void close_search(Search *s)
{
    neighbours_free(&s->lists);
    arena_free(&s->arena);
    CHECK(s->memory.bytes == 0);
}

static void lists_match_brute_force(void)
{
    for (size_t k = 0; k < COUNT_OF(clouds); ++k) {
        const Cloud *cloud = &clouds[k];
        int before = check_failures;
        Search s;
        size_t well = 0;
        open_search(&s, mote_default_allocator());
        place(cloud);
        CHECK(search(&s, cloud, NULL));
        for (size_t i = 0; i < cloud->points; ++i) well += is_well(i);
        CHECK(s.cells.placed == well);
        for (size_t i = 0; i < s.cells.placed; ++i)
            check_point(&s.cells, &s.lists, &s.kernel, cloud, i);
        for (size_t i = s.cells.placed; i < cloud->points; ++i) CHECK(s.lists.count[i] == 0);
        if (check_failures > before) fprintf(stderr, "cloud: %s\n", cloud->name);
        close_search(&s);
    }
}

/* Every point has one place, cells ascend, and within a cell the points' order stays. */
/* Cells without a point that wants a list have none; all other lists are as they were. */
static void some_want_no_lists(void)
{
    const Cloud *cloud = &clouds[0];
    Search s, all;
    size_t without = 0, with = 0;
    place(cloud);
    open_search(&all, mote_default_allocator());
    open_search(&s, mote_default_allocator());
    CHECK(search(&all, cloud, NULL) && search(&s, cloud, NULL));
    s.cells.wanted = cloud->points / 10;
    CHECK(neighbours_find(&s.lists, &s.cells, &s.kernel, isa_pick(), &s.arena, NULL));
    for (size_t cell = 0; cell < s.cells.cell_count; ++cell) {
        bool wanted = false;
        for (uint32_t i = s.cells.first[cell]; i < s.cells.first[cell + 1]; ++i)
            wanted = wanted || s.cells.order[i] < s.cells.wanted;
        for (uint32_t i = s.cells.first[cell]; i < s.cells.first[cell + 1]; ++i) {
            const uint32_t count = s.lists.count[i];
            CHECK(count == (wanted ? all.lists.count[i] : 0));
            CHECK(s.lists.sum[i] == (wanted ? all.lists.sum[i] : 0));
            CHECK(memcmp(neighbours_of(&s.lists, i), neighbours_of(&all.lists, i),
                         count * sizeof(uint32_t)) == 0);
            with += wanted, without += !wanted;
        }
    }
    CHECK(with > s.cells.wanted && without > 100);
    close_search(&s), close_search(&all);
}

static void places_are_a_stable_order(void)
{
    for (size_t k = 0; k < COUNT_OF(clouds); ++k) {
        static bool seen[MOST];
        Search s;
        open_search(&s, mote_default_allocator());
        place(&clouds[k]);
        CHECK(search(&s, &clouds[k], NULL));
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < s.cells.points; ++i) seen[s.cells.order[i]] = true;
        for (size_t i = 0; i < s.cells.points; ++i) CHECK(seen[i]);
        for (size_t c = 0; c < s.cells.cell_count; ++c) {
            CHECK(c == 0 || s.cells.keys[c] > s.cells.keys[c - 1]);
            for (uint32_t i = s.cells.first[c] + 1; i < s.cells.first[c + 1]; ++i)
                CHECK(s.cells.order[i] > s.cells.order[i - 1]);
        }
        close_search(&s);
    }
}

/* The same lists and sums, bit by bit, for any number of threads. */
static void threads_change_nothing(void)
{
    static const int threads[] = {1, 2, 3, 8};
    const Cloud *cloud = &clouds[0];
    Search first, other;
    open_search(&first, mote_default_allocator());
    place(cloud);
    CHECK(search(&first, cloud, NULL));
    for (size_t t = 0; t < COUNT_OF(threads); ++t) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        mote_Error error;
        def.threads = threads[t];
        SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
        open_search(&other, mote_default_allocator());
        CHECK(search(&other, cloud, tasks));
        for (size_t i = 0; i < cloud->points; ++i) {
            CHECK(other.lists.count[i] == first.lists.count[i]);
            CHECK(memcmp(neighbours_of(&other.lists, i), neighbours_of(&first.lists, i),
                         neighbours_padded(&first.lists, i) * sizeof(uint32_t)) == 0);
        }
        CHECK(memcmp(other.lists.sum, first.lists.sum, cloud->points * sizeof(mote_real)) == 0);
        CHECK(other.lists.pairs == first.lists.pairs);
        close_search(&other);
        mote_tasks_destroy(tasks);
    }
    close_search(&first);
}

/* The key of a point, from the grid that was chosen. */
static uint64_t key_of(const Cells *cells, const mote_real x[3])
{
    uint64_t at[3];
    for (int c = 0; c < 3; ++c) {
        double cell = floor((double)((x[c] - cells->anchor[c]) * cells->inverse[c]));
        cell -= (double)cells->low[c];
        if (!(x[c] - x[c] == 0)) return UINT64_MAX;
        at[c] = cell < 0 ? 0 : cell < cells->side[c] ? (uint64_t)cell : cells->side[c] - 1;
    }
    return (at[2] * cells->side[1] + at[1]) * cells->side[0] + at[0];
}

/* More points than a piece of the sort has, in more cells than a bucket: by key, then by id; those
 * not finite last; and a table knows where every cell ends. */
static void check_order(const Cells *cells, const CellPoints *points)
{
    uint64_t before = 0;
    uint32_t cell = 0;
    for (size_t i = 0; i < cells->points; ++i) {
        const uint32_t p = cells->order[i];
        const mote_real at[3] = {points->x[0][p], points->x[1][p], points->x[2][p]};
        const uint64_t key = key_of(cells, at);
        CHECK(key > before || i == 0 ||
              (key == before && points->ids[p] > points->ids[cells->order[i - 1]]));
        CHECK((key == UINT64_MAX) == (i >= cells->placed));
        before = key;
        if (i >= cells->placed) continue;
        while (cell + 1 < cells->cell_count && cells->first[cell + 1] <= i) ++cell;
        CHECK(cells->keys[cell] == key && cells->first[cell] <= i);
        CHECK(cells->ends == NULL || cells->ends[key] == cells->first[cell + 1]);
        CHECK(cells->x[1][i] == at[1]);
    }
}

enum { MANY = 30000 };

typedef struct Crowd {
    mote_real x[3][MANY];
    uint64_t ids[MANY];
} Crowd;

static CellPoints points_of(const Crowd *crowd, size_t count)
{
    return (CellPoints){
        .x = {crowd->x[0], crowd->x[1], crowd->x[2]}, .ids = crowd->ids, .count = count};
}

/* In a box around the anchor, some of them not finite, with ids in no order. */
static void scatter(Crowd *crowd, double size)
{
    uint64_t state = 3;
    for (size_t i = 0; i < MANY; ++i) {
        for (int c = 0; c < 3; ++c)
            crowd->x[c][i] = (mote_real)(setup_uniform(&state, -1, 1) * (c == 0 ? 3 : 1) * size);
        crowd->ids[i] = 7919 * i % MANY + (i % 2 << 40);
    }
    for (size_t i = 0; i < MANY; i += 1234) crowd->x[i % 3][i] = (mote_real)NAN;
}

static void many_points_are_sorted(void)
{
    static const double sizes[] = {0.5, 40, 0.001}; /* by a table, without, all in one cell */
    static Crowd crowd;
    mote_Tasks *tasks = setup_tasks(3);
    Search s;
    for (int k = 0; k < 6; ++k) {
        CellSpace space = {.flat = false};
        scatter(&crowd, sizes[k / 2]);
        const CellPoints points = points_of(&crowd, MANY);
        open_search(&s, mote_default_allocator());
        CHECK(cells_make(&s.cells, &space, (mote_real)0.05, &points, &s.arena,
                         k % 2 == 0 ? NULL : tasks));
        CHECK((s.cells.ends != NULL) == (k / 2 != 1));
        CHECK(s.cells.placed == MANY - (MANY + 1233) / 1234);
        check_order(&s.cells, &points);
        close_search(&s);
    }
    mote_tasks_destroy(tasks);
}

/* ---- what others do ---- */

static void swap_points(Crowd *crowd, size_t i, size_t j)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real x = crowd->x[c][i];
        crowd->x[c][i] = crowd->x[c][j], crowd->x[c][j] = x;
    }
    const uint64_t id = crowd->ids[i];
    crowd->ids[i] = crowd->ids[j], crowd->ids[j] = id;
}

/* The cell of a place, from the anchor. */
static void cell_from_anchor(const Cells *cells, size_t cell, int64_t at[3])
{
    uint64_t key = cells->keys[cell];
    for (int c = 0; c < 3; ++c) {
        at[c] = (int64_t)(key % cells->side[c]) + (int64_t)cells->low[c];
        key /= cells->side[c];
    }
}

static size_t cell_with(const Cells *cells, size_t place)
{
    size_t cell = 0;
    while (cells->first[cell + 1] <= place) ++cell;
    return cell;
}

/* Every point of `some` is in the same cell as among `all`, and they stand in the same order. */
static void check_same_cells(const Cells *some, const Crowd *few, const Cells *all,
                             const Crowd *many)
{
    size_t at = 0;
    for (size_t i = 0; i < some->placed; ++i) {
        const uint64_t id = few->ids[some->order[i]];
        while (at < all->placed && many->ids[all->order[at]] != id) ++at;
        CHECK(at < all->placed);
        if (i % 97 != 0 || at == all->placed) continue;
        int64_t here[3], there[3];
        cell_from_anchor(some, cell_with(some, i), here);
        cell_from_anchor(all, cell_with(all, at), there);
        CHECK(memcmp(here, there, sizeof here) == 0);
    }
}

/* Points in another order, and a third of them alone, which take up less room. */
static void cells_depend_on_places_alone(void)
{
    static const double sizes[] = {0.5, 40};
    static Crowd many, mixed;
    for (int k = 0; k < 4; ++k) {
        const bool shuffled = k / 2 == 0;
        CellSpace space = {.flat = false};
        Search all, some;
        uint64_t state = 5;
        scatter(&many, sizes[k % 2]);
        for (size_t i = 0; i < MANY / 3; ++i) many.x[1][i] /= 4;
        mixed = many;
        for (size_t i = MANY; i > 1 && shuffled; --i)
            swap_points(&mixed, i - 1, setup_bits(&state) % i);
        const CellPoints whole = points_of(&many, MANY),
                         part = points_of(&mixed, shuffled ? MANY : MANY / 3);
        open_search(&all, mote_default_allocator());
        open_search(&some, mote_default_allocator());
        CHECK(cells_make(&all.cells, &space, (mote_real)0.05, &whole, &all.arena, NULL));
        CHECK(cells_make(&some.cells, &space, (mote_real)0.05, &part, &some.arena, NULL));
        CHECK(shuffled || some.cells.side[1] < all.cells.side[1]);
        check_same_cells(&some.cells, &mixed, &all.cells, &many);
        close_search(&all), close_search(&some);
    }
}

/* Lists that are longer than was guessed: memory grows, and stays. */
static void lists_grow(void)
{
    const Cloud crowd = {"crowd", 1200, {1, 1, 1}, {false, false, false}, false, 0.9, UNIFORM};
    Search s;
    open_search(&s, mote_default_allocator());
    place(&crowd);
    CHECK(search(&s, &crowd, NULL));
    for (size_t i = 0; i < crowd.points; i += 7)
        check_point(&s.cells, &s.lists, &s.kernel, &crowd, i);
    uint64_t allocations = s.memory.allocations;
    for (int again = 0; again < 3; ++again) {
        arena_reset(&s.arena);
        if (again == 1) allocations = s.memory.allocations; /* the arena merged its blocks */
        CHECK(search(&s, &crowd, NULL));
    }
    CHECK(s.memory.allocations == allocations);
    close_search(&s);
}

static void memory_may_run_out(void)
{
    place(&clouds[0]);
    for (uint64_t allowed = 0;; ++allowed) {
        Failing failing = {.fail_at = allowed};
        Search s;
        open_search(&s, failing_allocator(&failing));
        bool done = search(&s, &clouds[0], NULL);
        close_search(&s);
        if (done) break;
    }
}

TESTS({"lists match brute force", lists_match_brute_force},
      {"some want no lists", some_want_no_lists},
      {"places are a stable order", places_are_a_stable_order},
      {"threads change nothing", threads_change_nothing},
      {"many points are sorted", many_points_are_sorted},
      {"cells depend on places alone", cells_depend_on_places_alone}, {"lists grow", lists_grow},
      {"memory may run out", memory_may_run_out})
