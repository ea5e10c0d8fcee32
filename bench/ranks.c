/* Ranks: a dam break on one rank, then on several, each with one thread unless --workers says more:
 * under mpirun those that it launched, else threads of this program, as many as --threads says.
 * Efficiency is the time of one rank over that of all of them together, by the clock, and by the
 * processor's time without what passes in messages, which a busy machine does not spoil. --together
 * leaves the one rank out, and with it what is compared. */
#include "bench/dam.h"
#include "bench/messages.h"
#include "bench/toll.h"

#include "ranks/ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one run ---- */

typedef struct Course {
    const Dam *dam;
    size_t side;
    int workers;       /* of each rank */
    int after, frames; /* that come before those that are timed; and these */
    double seconds;    /* by the clock, of the slowest rank */
    double busy, most; /* s of processors outside of messages: of all ranks, of the busiest */
    double crowded;    /* most rows of a rank over its share, the largest of all frames */
    double stages[MOTE_STAGE_COUNT]; /* s of the first rank */
    TollCalls calls[TOLL_KINDS];     /* of all ranks */
    uint64_t substeps, iterations, ghosts, migrated;
} Course;

static mote_Status note_frame(const mote_Ranks *ranks, mote_World *world,
                              const mote_StepReport *report, Course *course, mote_Error *error)
{
    const double particles = (double)(course->side * course->side * course->side);
    double rows = (double)mote_system_count(mote_world_system(world, "water"));
    mote_Status status = ranks_most(ranks, &rows, 1, error);
    course->crowded = fmax(course->crowded, rows * ranks->count / particles);
    course->substeps += report->substeps, course->iterations += report->iterations;
    course->ghosts += report->ghosts, course->migrated += report->migrated;
    for (int s = 0; s < MOTE_STAGE_COUNT; ++s) course->stages[s] += report->stage_seconds[s];
    return status;
}

/* Times of ranks become those of all. */
static mote_Status add_up(const mote_Ranks *ranks, const Toll *toll, double busy, Course *course,
                          mote_Error *error)
{
    const double per_second = 1e9;
    int64_t sums[3 * TOLL_KINDS + 1] = {(int64_t)(per_second * busy)};
    double most[] = {busy, course->seconds};
    for (int k = 0; k < TOLL_KINDS; ++k) {
        int64_t *of = &sums[1 + 3 * k];
        of[0] = (int64_t)toll->of[k].calls, of[1] = (int64_t)toll->of[k].bytes;
        of[2] = (int64_t)(per_second * toll->of[k].seconds);
    }
    mote_Status status = ranks_sum(ranks, sums, sizeof sums / sizeof sums[0], error);
    if (status == MOTE_OK) status = ranks_most(ranks, most, 2, error);
    course->busy = (double)sums[0] / per_second, course->most = most[0];
    course->seconds = most[1];
    for (int k = 0; k < TOLL_KINDS; ++k) {
        const int64_t *of = &sums[1 + 3 * k];
        course->calls[k] =
            (TollCalls){(uint64_t)of[0], (uint64_t)of[1], (double)of[2] / per_second};
    }
    return status;
}

/* In the first frame rows are dealt and memory is taken: it is never among those that are timed. */
static mote_Status step_before(mote_World *world, const Course *course, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (int i = 0; i < course->after && status == MOTE_OK; ++i)
        status = mote_world_step(world, NULL, error);
    return status;
}

static mote_Status step_all(const mote_Ranks *ranks, mote_World *world, Toll *toll, Course *course,
                            mote_Error *error)
{
    mote_Status status = step_before(world, course, error);
    *toll = toll_make(toll->host);
    double processor = bench_clock_of(1);
    for (int i = 0; i < course->frames && status == MOTE_OK; ++i) {
        mote_StepReport report;
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
    Course *kept = context, course = *kept;
    Toll toll = toll_make(ranks);
    const mote_Ranks table = toll_table(&toll);
    mote_Tasks *tasks = bench_tasks(course.workers);
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

typedef struct Print {
    const BenchOptions *options;
    char name[96];
    int ranks;
} Print;

static void print(const Print *to, const char *metric, const char *unit, double value)
{
    bench_print(to->options, &(BenchFigure){to->name, metric, unit, value, to->ranks, NULL, 0});
}

static void print_stages(const Print *to, const Course *course)
{
    double all = 0;
    for (int s = 0; s < MOTE_STAGE_COUNT; ++s) all += course->stages[s];
    for (int s = 0; s < MOTE_STAGE_COUNT && all > 0; ++s) {
        char metric[48];
        if (course->stages[s] < 1e-3 * all) continue;
        snprintf(metric, sizeof metric, "stage_%s", mote_stage_name(s));
        print(to, metric, "%", 100 * course->stages[s] / all);
    }
}

/* Waiting for others is among the time in messages. */
static void print_calls(const Print *to, const Course *all)
{
    const double substeps = (double)all->substeps, seconds = all->seconds * to->ranks;
    const double rows = (double)(all->side * all->side * all->side) * substeps;
    double bytes = 0, calls = 0, within = 0;
    for (int k = 0; k < TOLL_KINDS; ++k) {
        bytes += (double)all->calls[k].bytes, calls += (double)all->calls[k].calls;
        within += all->calls[k].seconds;
    }
    print(to, "in_messages", "%", 100 * within / seconds);
    print(to, "sent", "bytes/row", bytes / rows);
    print(to, "calls", "/substep", calls / substeps / to->ranks);
    for (int k = 0; k < TOLL_KINDS; ++k) {
        char metric[48];
        const TollCalls *of = &all->calls[k];
        snprintf(metric, sizeof metric, "calls_%s", toll_name((TollKind)k));
        print(to, metric, "/substep", (double)of->calls / substeps / to->ranks);
        snprintf(metric, sizeof metric, "in_%s", toll_name((TollKind)k));
        print(to, metric, "%", 100 * of->seconds / seconds);
    }
}

static void print_course(const Print *to, const Course *one, const Course *all)
{
    const double substeps = (double)all->substeps;
    const double rows = (double)(all->side * all->side * all->side) * substeps;
    print(to, "substeps", "", substeps);
    print(to, "iterations", "/substep", (double)all->iterations / substeps);
    print(to, "ms_per_substep", "ms", 1e3 * all->seconds / substeps);
    if (all->workers == 1) print(to, "work_per_row", "ns", 1e9 * all->busy / rows);
    if (one != NULL) {
        print(to, "efficiency", "%", 100 * one->seconds / all->seconds / to->ranks / all->workers);
        if (all->workers == 1) print(to, "efficiency_of_work", "%", 100 * one->busy / all->busy);
    }
    print(to, "imbalance_of_rows", "", all->crowded);
    print(to, "imbalance_of_work", "", all->most * to->ranks / all->busy);
    print(to, "ghosts", "% of rows", 100 * (double)all->ghosts / rows);
    print(to, "migrated", "% of rows", 100 * (double)all->migrated / rows);
    print_calls(to, all);
    print_stages(to, all);
}

/* ---- the cases ---- */

/* A table of the launcher's, or threads: `count` ranks do it, and the status is known to all. */
static mote_Status run_all(const mote_Ranks *launched, int count, RankBody *body, void *context,
                           mote_Error *error)
{
    if (launched == NULL) return ranks_run_threads(count, body, context, error);
    return ranks_agree(launched, body(context, launched, error), error);
}

/* One rank first, alone; the launcher's others wait for it meanwhile. */
static mote_Status compare(const Print *to, const Dam *dam, const mote_Ranks *launched,
                           mote_Error *error)
{
    const BenchOptions *options = to->options;
    Print print_to = *to;
    const bool first = launched == NULL || launched->own == 0;
    Course one = {.dam = dam, .workers = 1, .after = 1};
    one.side = dam_side(options->count > 0 ? options->count : 125000);
    if (options->after > 0) one.after = options->after;
    one.frames = options->frames > 0 ? options->frames : (int)ceil(dam->until / dam->frame) - 1;
    Course all = one;
    all.workers = options->workers > 0 ? options->workers : 1;
    mote_Status status = MOTE_OK;
    if (first && !options->together) status = run_rank(&one, &ranks_single, error);
    if (launched != NULL) status = ranks_agree(launched, status, error);
    if (status == MOTE_OK) status = run_all(launched, to->ranks, run_rank, &all, error);
    snprintf(print_to.name, sizeof print_to.name, "ranks/%s/%zu%s", dam->name,
             all.side * all.side * all.side, launched != NULL ? "/mpi" : "");
    if (status == MOTE_OK && first) print_course(&print_to, options->together ? NULL : &one, &all);
    return status;
}

static mote_Status measure_messages(const Print *to, const mote_Ranks *launched, mote_Error *error)
{
    MessageTimes times = {.count = 0};
    mote_Status status = run_all(launched, to->ranks, messages_measure, &times, error);
    Print print_to = *to;
    snprintf(print_to.name, sizeof print_to.name, "ranks/messages%s",
             launched != NULL ? "/mpi" : "");
    if (status == MOTE_OK && (launched == NULL || launched->own == 0))
        for (size_t i = 0; i < times.count; ++i)
            print(&print_to, times.of[i].name, "us", 1e6 * times.of[i].seconds);
    return status;
}

static bool is_asked(const BenchOptions *options, const char *name)
{
    return options->only == NULL || strcmp(options->only, name) == 0;
}

int bench_ranks(const BenchOptions *options)
{
    static const Dam dams[] = {{"dfsph", "dfsph", 2, 0.01, 0.1, NULL},
                               {"wcsph", "wcsph", 2, 0.001, 0.02, NULL}};
    const mote_Ranks *launched = NULL;
    mote_Error error;
    int known = 0;
    if (options->again && mote_ranks_launched(NULL) > 1)
        return 0; /* they are as many as they are */
    mote_Status status = mote_ranks_open(&launched, &error);
    Print to = {.options = options, .ranks = options->threads > 0 ? options->threads : 2};
    if (launched != NULL) to.ranks = launched->count;
    for (size_t i = 0; i < sizeof dams / sizeof dams[0] && status == MOTE_OK; ++i) {
        if (!is_asked(options, dams[i].name)) continue;
        ++known;
        status = compare(&to, &dams[i], launched, &error);
    }
    if (status == MOTE_OK && is_asked(options, "messages")) {
        ++known;
        status = measure_messages(&to, launched, &error);
    }
    if (status != MOTE_OK && (launched == NULL || launched->own == 0))
        fprintf(stderr, "mote: %s\n", error.message);
    mote_ranks_close();
    if (status != MOTE_OK) return 1;
    return known > 0 ? 0 : bench_unknown_case("ranks", options);
}
