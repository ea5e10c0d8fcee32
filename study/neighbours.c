/* The study of neighbours: what it costs to find them by all pairs, cells, sorted cells, an octree
 * and a k-d tree, for particles that lie evenly and for some that do not (GAMES103, P25 to P27).
 *
 * Every particle has about 30 neighbours. Even ones fill a cube and have one reach. Uneven ones are
 * a ball with the density 1 / r^2, and reach as far as that takes, as the fine spray of a splash
 * does: cells must be as wide as the widest reach. One thread. All ways must find the same. */
#include "base/math.h"
#include "base/number.h"
#include "base/random.h"
#include "base/status.h"
#include "bench/bench.h"
#include "study/files.h"
#include "study/neighbour_search.h"

#include <string.h>

static const SearchRow *const ways[] = {&search_pairs, &search_cells, &search_sorted,
                                        &search_octree, &search_kd};
enum { WAYS = sizeof ways / sizeof ways[0], SIZES = 5, CLOUDS = 2 };

static const double wanted = 30;  /* neighbours */
static const double patience = 6; /* s that a search may take, by what smaller ones took */

enum { LEAST = 1000, USUAL = 1000000, MOST = 10000000 };

/* ---- particles ---- */

static void place_even(SearchPoints *p, size_t i, const double u[3])
{
    for (int c = 0; c < 3; ++c) p->x[c][i] = (mote_real)u[c];
    p->reach[i] =
        (mote_real)math_exp(math_log(wanted * 3 / (12.566370614359172 * (double)p->count)) / 3);
}

/* u[0] is the radius: as many in every shell. n = N / (4 pi r^2), and 4/3 pi h^3 n = wanted. */
static void place_uneven(SearchPoints *p, size_t i, const double u[3])
{
    double z = 2 * u[1] - 1, angle = 6.283185307179586 * u[2], r = u[0] > 1e-12 ? u[0] : 1e-12;
    double flat = r * __builtin_sqrt(1 - z * z);
    p->x[0][i] = (mote_real)(flat * math_cos(angle));
    p->x[1][i] = (mote_real)(flat * math_sin(angle));
    p->x[2][i] = (mote_real)(r * z);
    p->reach[i] = (mote_real)math_exp(math_log(3 * wanted * r * r / (double)p->count) / 3);
}

static const struct Cloud {
    const char *name, *title;
    void (*place)(SearchPoints *p, size_t i, const double u[3]);
} clouds[CLOUDS] = {{"even", "Finding neighbours: even particles", place_even},
                    {"uneven", "Finding neighbours: density 1 / r^2", place_uneven}};

static bool make_points(const struct Cloud *cloud, size_t count, Arena *arena, SearchPoints *p)
{
    RandomKey key = random_key(1, cloud->name);
    *p = (SearchPoints){.count = count};
    p->reach = arena_take(arena, count * sizeof *p->reach);
    for (int c = 0; c < 3; ++c) {
        p->x[c] = arena_take(arena, count * sizeof *p->x[c]);
        if (p->x[c] == NULL || p->reach == NULL) return false;
    }
    for (size_t i = 0; i < count; ++i) {
        Random4 r = random_draw(key, i, 0, 0);
        double u[3];
        for (int c = 0; c < 3; ++c) u[c] = ((double)r.word[c] + 0.5) / 4294967296.0;
        cloud->place(p, i, u);
        p->widest = p->reach[i] > p->widest ? p->reach[i] : p->widest;
    }
    return true;
}

/* ---- measuring ---- */

typedef struct Measured {
    double build, search; /* s; negative: not run */
} Measured;

typedef struct Study {
    const StudyOptions *options;
    FILE *csv;
    size_t most, sizes;
    double count[SIZES], cost[CLOUDS][WAYS][SIZES]; /* particles; s a particle, NaN: not run */
} Study;

/* Whether a search of the next size would end in time: all pairs grow by the square, and cells of
 * uneven particles by five thirds. */
static bool is_sane(const Study *study, int cloud, int way, size_t size)
{
    const double *cost = study->cost[cloud][way];
    if (size == 0) return true;
    if (!(cost[size - 1] > 0)) return false;
    double ratio = study->count[size] / study->count[size - 1];
    double growth = size > 1 ? cost[size - 1] / cost[size - 2] : way == 0 ? ratio : 1;
    double seconds = cost[size - 1] * study->count[size] * (growth > 1 ? growth : 1);
    return seconds < (study->most > USUAL ? 10 * patience : patience);
}

static mote_Status run_way(const SearchRow *way, const SearchPoints *points, Arena *arena,
                           Measured *measured, SearchSum *sum, mote_Error *error)
{
    ArenaMark mark = arena_mark(arena);
    double start = bench_clock_of(1);
    const void *made = way->build(points, arena);
    if (made == NULL) return status_no_memory(error, way->name, points->count * 64);
    double built = bench_clock_of(1);
    *sum = way->search(made, points);
    *measured = (Measured){built - start, bench_clock_of(1) - built};
    arena_rewind(arena, mark);
    return MOTE_OK;
}

static void print_row(const Study *study, const struct Cloud *cloud, const char *way,
                      const SearchPoints *p, const Measured *m, const SearchSum *sum)
{
    double n = (double)p->count, mean = (double)sum->neighbours / n;
    printf("%-8s %9zu  %-13s %10.2f %10.2f %10.1f %12.1f\n", cloud->name, p->count, way,
           1e3 * m->build, 1e3 * m->search, 1e9 * (m->build + m->search) / n, mean);
    fflush(stdout);
    if (study->csv != NULL)
        fprintf(study->csv, "%s,%zu,%s,%.4g,%.4g,%.4g,%llu,%llu\n", cloud->name, p->count, way,
                m->build, m->search, 1e9 * (m->build + m->search) / n,
                (unsigned long long)sum->neighbours, (unsigned long long)sum->links);
}

static mote_Status check_sums(const SearchSum *first, const SearchSum *sum, const char *way,
                              mote_Error *error)
{
    if (sum->neighbours == first->neighbours && sum->links == first->links) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: finds %llu neighbours, but the way before %llu",
                       way, (unsigned long long)sum->neighbours,
                       (unsigned long long)first->neighbours);
}

static mote_Status run_size(Study *study, int cloud, size_t size, Arena *arena, mote_Error *error)
{
    SearchPoints points;
    SearchSum first = {0, 0}, sum = {0, 0};
    bool any = false;
    size_t count = (size_t)study->count[size];
    if (!make_points(&clouds[cloud], count, arena, &points))
        return status_no_memory(error, "particles of a study", 16 * count);
    for (int w = 0; w < WAYS; ++w) {
        Measured measured = {0, 0};
        if (!is_sane(study, cloud, w, size)) continue;
        mote_Status status = run_way(ways[w], &points, arena, &measured, &sum, error);
        if (status == MOTE_OK && any) status = check_sums(&first, &sum, ways[w]->name, error);
        if (status != MOTE_OK) return status;
        if (!any) first = sum, any = true;
        study->cost[cloud][w][size] = (measured.build + measured.search) / (double)count;
        print_row(study, &clouds[cloud], ways[w]->name, &points, &measured, &sum);
    }
    return MOTE_OK;
}

static mote_Status run_all(Study *study, mote_Error *error)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    mote_Status status = MOTE_OK;
    printf("Neighbours of particles that have about %g each, one thread.\n\n"
           "%-8s %9s  %-13s %10s %10s %10s %12s\n",
           wanted, "", "particles", "way", "build ms", "search ms", "ns each", "neighbours");
    for (int cloud = 0; cloud < CLOUDS && status == MOTE_OK; ++cloud)
        for (size_t size = 0; size < study->sizes && status == MOTE_OK; ++size) {
            status = run_size(study, cloud, size, &arena, error);
            arena_reset(&arena);
        }
    arena_free(&arena);
    if (status == MOTE_OK) printf("\nAll ways found the same neighbours.\n");
    return status;
}

static mote_Status plot_cloud(const Study *study, int cloud, mote_Error *error)
{
    PlotSeries series[WAYS];
    char name[64];
    for (int w = 0; w < WAYS; ++w)
        series[w] = (PlotSeries){ways[w]->name, study->count,     study->cost[cloud][w],
                                 study->sizes,  PLOT_LINE_POINTS, 0};
    const Plot plot = {.title = clouds[cloud].title,
                       .x = {"particles", PLOT_LOG, 0, 0},
                       .y = {"s a particle", PLOT_LOG, 0, 0},
                       .series = series,
                       .series_count = WAYS};
    snprintf(name, sizeof name, "neighbours-%s", clouds[cloud].name);
    return study_plot(study->options, name, &plot, error);
}

/* --set most=N: particles of the largest case. */
static mote_Status read_most(const StudyOptions *options, size_t *most, mote_Error *error)
{
    *most = options->quick ? 10 * LEAST : USUAL;
    for (size_t i = 0; i < options->setting_count; ++i) {
        const char *text = options->settings[i];
        double value = 0;
        if (strncmp(text, "most=", 5) != 0)
            return status_fail(error, MOTE_BAD_VALUE,
                               "--set %.100s: this study knows `most` alone, as in --set most=1e7",
                               text);
        if (!number_parse(text + 5, &value) || !(value >= LEAST && value <= MOST))
            return status_fail(error, MOTE_BAD_VALUE,
                               "--set %.100s: expected between 1000 and 1e7 particles", text);
        *most = (size_t)value;
    }
    return MOTE_OK;
}

static void set_sizes(Study *study)
{
    for (size_t n = LEAST; n <= study->most && study->sizes < SIZES; n *= 10)
        study->count[study->sizes++] = (double)n;
    for (int c = 0; c < CLOUDS; ++c)
        for (int w = 0; w < WAYS; ++w)
            for (size_t s = 0; s < SIZES; ++s) study->cost[c][w][s] = -1;
}

static mote_Status run_table(Study *study, mote_Error *error)
{
    const StudyOptions *options = study->options;
    mote_Status status = MOTE_OK;
    if (!study_keeps_numbers(options)) return run_all(study, error);
    status = study_open_csv(options, "neighbours", &study->csv, error);
    if (status != MOTE_OK) return status;
    fprintf(study->csv, "cloud,particles,way,build_s,search_s,ns_each,neighbours,links\n");
    status = run_all(study, error);
    mote_Status closed =
        study_close_csv(options, "neighbours", study->csv, status == MOTE_OK ? error : NULL);
    return status == MOTE_OK ? closed : status;
}

mote_Status study_neighbours(const StudyOptions *options, mote_Error *error)
{
    const StudyOptions plain = {.only = options->only};
    Study study = {.options = options};
    mote_Status status = study_expect_plain(&plain, error);
    if (status == MOTE_OK) status = read_most(options, &study.most, error);
    if (status == MOTE_OK && options->folder != NULL) status = study_make_folder(options, error);
    if (status != MOTE_OK) return status;
    set_sizes(&study);
    status = run_table(&study, error);
    for (int cloud = 0; cloud < CLOUDS && status == MOTE_OK && options->folder != NULL; ++cloud)
        status = plot_cloud(&study, cloud, error);
    return status;
}
