/* Ranks: a dam break on one rank, then on several, each with one thread: under mpirun those that it
 * launched, else threads of this program, as many as --threads says. Efficiency is the time of one
 * rank over that of all of them together, by the clock, and by the processor's time without what
 * passes in messages, which a busy machine does not spoil. */
#include "bench/dam.h"

#include "ranks/ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what messages cost ---- */

/* Stands between the world and the host's table. */
typedef struct Toll {
    const mote_Ranks *host;
    double seconds, processor; /* in calls: waiting for others is among it */
    uint64_t calls, bytes;     /* that leave this rank */
} Toll;

typedef struct TollTime {
    double seconds, processor;
} TollTime;

static TollTime toll_enter(void)
{
    return (TollTime){clock_seconds(), bench_clock_of(1)};
}

static void toll_leave(Toll *toll, TollTime before, uint64_t bytes)
{
    toll->seconds += clock_seconds() - before.seconds;
    toll->processor += bench_clock_of(1) - before.processor;
    toll->bytes += bytes;
    ++toll->calls;
}

static uint64_t others(const Toll *toll)
{
    return (uint64_t)toll->host->count - 1;
}

static mote_Status toll_sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->sum(toll->host->context, numbers, count, error);
    toll_leave(toll, before, others(toll) * count * sizeof *numbers);
    return status;
}

static mote_Status toll_most(void *context, double *numbers, size_t count, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->most(toll->host->context, numbers, count, error);
    toll_leave(toll, before, others(toll) * count * sizeof *numbers);
    return status;
}

static mote_Status toll_agree(void *context, mote_Status given, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->agree(toll->host->context, given, error);
    toll_leave(toll, before, others(toll) * sizeof status);
    return status;
}

static mote_Status toll_trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->trade(toll->host->context, trade, error);
    uint64_t bytes = 0;
    for (int r = 0; r < toll->host->count; ++r)
        if (r != toll->host->own) bytes += trade->send_sizes[r];
    toll_leave(toll, before, bytes);
    return status;
}

static mote_Ranks toll_table(Toll *toll)
{
    return (mote_Ranks){.count = toll->host->count,
                        .own = toll->host->own,
                        .context = toll,
                        .sum = toll_sum,
                        .most = toll_most,
                        .agree = toll_agree,
                        .trade = toll_trade};
}

/* ---- one run ---- */

typedef struct Course {
    const Dam *dam;
    size_t side;
    double seconds;    /* by the clock, of the slowest rank */
    double busy, most; /* s of processors outside of messages: of all ranks, of the busiest */
    double crowded;    /* most rows of a rank over its share, the largest of all frames */
    double waiting;    /* mean share of a rank's time that passes in calls */
    double stages[MOTE_STAGE_COUNT]; /* s of the first rank */
    uint64_t substeps, ghosts, migrated, bytes, calls;
} Course;

static mote_Status note_frame(const mote_Ranks *ranks, mote_World *world,
                              const mote_StepReport *report, Course *course, mote_Error *error)
{
    const double particles = (double)(course->side * course->side * course->side);
    double rows = (double)mote_system_count(mote_world_system(world, "water"));
    mote_Status status = ranks_most(ranks, &rows, 1, error);
    course->crowded = fmax(course->crowded, rows * ranks->count / particles);
    course->substeps += report->substeps;
    course->ghosts += report->ghosts, course->migrated += report->migrated;
    for (int s = 0; s < MOTE_STAGE_COUNT; ++s) course->stages[s] += report->stage_seconds[s];
    return status;
}

/* Times of ranks become those of all. */
static mote_Status add_up(const mote_Ranks *ranks, const Toll *toll, double busy, Course *course,
                          mote_Error *error)
{
    const double per_second = 1e9;
    int64_t sums[] = {(int64_t)(per_second * busy), (int64_t)(per_second * toll->seconds),
                      (int64_t)toll->bytes, (int64_t)toll->calls};
    double most[] = {busy, course->seconds};
    mote_Status status = ranks_sum(ranks, sums, sizeof sums / sizeof sums[0], error);
    if (status == MOTE_OK) status = ranks_most(ranks, most, 2, error);
    course->busy = (double)sums[0] / per_second, course->most = most[0];
    course->seconds = most[1];
    course->waiting = (double)sums[1] / per_second / ranks->count / course->seconds;
    course->bytes = (uint64_t)sums[2], course->calls = (uint64_t)sums[3];
    return status;
}

/* The first frame, in which rows are dealt and memory is taken, is not among what is timed. */
static mote_Status step_all(const mote_Ranks *ranks, mote_World *world, Toll *toll, Course *course,
                            mote_Error *error)
{
    const int frames = (int)ceil(course->dam->until / course->dam->frame);
    mote_StepReport report;
    mote_Status status = mote_world_step(world, &report, error);
    *toll = (Toll){.host = toll->host};
    double processor = bench_clock_of(1);
    for (int i = 1; i < frames && status == MOTE_OK; ++i) {
        const double before = clock_seconds();
        status = mote_world_step(world, &report, error);
        course->seconds += clock_seconds() - before;
        if (status == MOTE_OK) status = note_frame(ranks, world, &report, course, error);
    }
    processor = bench_clock_of(1) - processor;
    return status == MOTE_OK ? add_up(ranks, toll, processor - toll->processor, course, error)
                             : status;
}

/* What every rank does; the first keeps what came of it. */
static mote_Status run_rank(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Course *kept = context, course = {.dam = kept->dam, .side = kept->side};
    Toll toll = {.host = ranks};
    const mote_Ranks table = toll_table(&toll);
    mote_Tasks *tasks = bench_tasks(1);
    mote_World *world =
        tasks != NULL ? dam_world(course.dam, course.side, tasks, &table, error) : NULL;
    mote_Status status =
        world != NULL ? step_all(ranks, world, &toll, &course, error) : MOTE_NO_MEMORY;
    mote_world_destroy(world);
    mote_tasks_destroy(tasks);
    if (ranks->own == 0) *kept = course;
    return status;
}

/* ---- figures ---- */

static void print_stages(const BenchOptions *options, const char *name, const Course *course,
                         int ranks)
{
    double all = 0;
    for (int s = 0; s < MOTE_STAGE_COUNT; ++s) all += course->stages[s];
    for (int s = 0; s < MOTE_STAGE_COUNT && all > 0; ++s) {
        char metric[48];
        if (course->stages[s] < 1e-3 * all) continue;
        snprintf(metric, sizeof metric, "stage_%s", mote_stage_name(s));
        bench_print(options, &(BenchFigure){name, metric, "%", 100 * course->stages[s] / all, ranks,
                                            NULL, 0});
    }
}

static void print_course(const BenchOptions *options, const Course *one, const Course *all,
                         int ranks)
{
    char name[96];
    const double substeps = (double)all->substeps;
    const double rows = (double)(all->side * all->side * all->side) * substeps;
    snprintf(name, sizeof name, "ranks/%s/%zu", all->dam->name, all->side * all->side * all->side);
    const struct {
        const char *metric, *unit;
        double value;
    } figures[] = {{"ms_per_substep", "ms", 1e3 * all->seconds / substeps},
                   {"efficiency", "%", 100 * one->seconds / all->seconds / ranks},
                   {"efficiency_of_work", "%", 100 * one->busy / all->busy},
                   {"imbalance_of_rows", "", all->crowded},
                   {"imbalance_of_work", "", all->most * ranks / all->busy},
                   {"in_messages", "%", 100 * all->waiting},
                   {"ghosts", "% of rows", 100 * (double)all->ghosts / rows},
                   {"migrated", "% of rows", 100 * (double)all->migrated / rows},
                   {"sent", "bytes/row", (double)all->bytes / rows},
                   {"calls", "/substep", (double)all->calls / substeps / ranks}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i)
        bench_print(options, &(BenchFigure){name, figures[i].metric, figures[i].unit,
                                            figures[i].value, ranks, NULL, 0});
    print_stages(options, name, all, ranks);
}

/* One rank first, alone; the launcher's others wait for it meanwhile. */
static mote_Status compare(const BenchOptions *options, const Dam *dam, const mote_Ranks *launched,
                           mote_Error *error)
{
    Course one = {.dam = dam}, all = {.dam = dam};
    const int count = launched != NULL       ? launched->count
                      : options->threads > 0 ? options->threads
                                             : 2;
    one.side = all.side = dam_side(options->count > 0 ? options->count : 125000);
    mote_Status status = MOTE_OK;
    if (launched == NULL || launched->own == 0) status = run_rank(&one, &ranks_single, error);
    if (launched != NULL) {
        status = ranks_agree(launched, status, error);
        if (status == MOTE_OK) status = run_rank(&all, launched, error);
        status = ranks_agree(launched, status, error);
    } else if (status == MOTE_OK) {
        status = ranks_run_threads(count, run_rank, &all, error);
    }
    if (status == MOTE_OK && (launched == NULL || launched->own == 0))
        print_course(options, &one, &all, count);
    return status;
}

int bench_ranks(const BenchOptions *options)
{
    static const Dam dams[] = {{"dfsph", "dfsph", 2, 0.005, 0.1, NULL},
                               {"wcsph", "wcsph", 2, 0.001, 0.02, NULL}};
    const mote_Ranks *launched = NULL;
    mote_Error error;
    int known = 0;
    if (options->again && mote_ranks_launched(NULL) > 1)
        return 0; /* they are as many as they are */
    mote_Status status = mote_ranks_open(&launched, &error);
    for (size_t i = 0; i < sizeof dams / sizeof dams[0] && status == MOTE_OK; ++i) {
        if (options->only != NULL && strcmp(options->only, dams[i].name) != 0) continue;
        ++known;
        status = compare(options, &dams[i], launched, &error);
    }
    if (status != MOTE_OK && (launched == NULL || launched->own == 0))
        fprintf(stderr, "mote: %s\n", error.message);
    mote_ranks_close();
    if (status != MOTE_OK) return 1;
    return known > 0 ? 0 : bench_unknown_case("ranks", options);
}
