/* A small thread pool: fixed pieces taken from atomic counters, workers that spin shortly before
 * they sleep. Results do not depend on who takes which piece, because pieces write to places of
 * their own and sums are combined in the order of the pieces.
 *
 * Every worker has a share of a job's pieces, as far along as it is itself among the workers; who
 * has done its own takes others'. So one loop after another over the same rows finds most of them
 * in the caches of who had them before, and workers that begin together do not wait for one line.
 *
 * A job is over when its pieces are done, not when all workers have seen it: who sleeps, or waits
 * for a core, holds nobody up. What a worker knows of a job it reads after it has taken a piece,
 * and until that piece is done there is no other job. */
#include <mote/tasks.h>

#include "base/definition.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/system.h"
#include "tasks/floating.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_WORKERS = 256, SPINS = 2000, YIELDS = 300, APART = 128 };

/* A worker's share: pieces [end - left, end). Shares, what a job is and what is done of it lie
 * APART, two lines of a cache, which are fetched together: else whoever takes a piece or is done
 * would take the line with the others' body and bounds from them. */
typedef struct WorkerShare {
    atomic_ptrdiff_t left; /* that nobody has taken; below 0: who came too late */
    size_t end;
    char after[APART - sizeof(atomic_ptrdiff_t) - sizeof(size_t)];
} WorkerShare;

typedef struct Job {
    mote_TaskBody *body;
    void *context;
    size_t count, grain, pieces;
    WorkerShare *shares; /* of each worker */
    int workers;
    char before_turn[APART];
    atomic_size_t turn; /* another one for every job: there is work */
    char before_done[APART];
    atomic_size_t done; /* pieces */
    char after_done[APART];
} Job;

typedef struct Worker {
    mote_Tasks *tasks;
    pthread_t thread;
    int number;
} Worker;

struct mote_Tasks {
    Memory memory;
    int workers; /* the calling thread is worker 0 */
    mote_JobSystem host;
    Job job;
    Worker *crew; /* workers of them; the first has no thread of its own */
    int started;  /* threads that run, plus one */
    pthread_mutex_t mutex;
    pthread_cond_t wake, over;
    atomic_int asleep;   /* workers that wait to be woken, or are about to */
    atomic_bool waiting; /* does the caller? */
    atomic_bool quit;
    mote_Device *device; /* borrowed; NULL: none */
};

void mote_tasks_use_device(mote_Tasks *tasks, mote_Device *device)
{
    tasks->device = device;
}

mote_Device *mote_tasks_device(const mote_Tasks *tasks)
{
    return tasks != NULL ? tasks->device : NULL;
}

/* Counted down to 0 and not up to an end: one atomic says both that there is work and which piece
 * it is. Taken by a subtraction, which nobody has to try again, as sixteen workers that begin
 * together would with a comparison; so it is looked at first, and does not fall for ever. */
static bool take_of(WorkerShare *share, size_t *piece)
{
    if (atomic_load_explicit(&share->left, memory_order_relaxed) <= 0) return false;
    const ptrdiff_t left = atomic_fetch_sub_explicit(&share->left, 1, memory_order_acquire);
    if (left <= 0) return false;
    *piece = share->end - (size_t)left;
    return true;
}

/* First its own, then those of who comes after it. */
static bool take_piece(Job *job, int worker, size_t *piece)
{
    for (int k = worker; k < job->workers; ++k)
        if (take_of(&job->shares[k], piece)) return true;
    for (int k = 0; k < worker; ++k)
        if (take_of(&job->shares[k], piece)) return true;
    return false;
}

static void deal_out(Job *job)
{
    const size_t workers = (size_t)job->workers, each = job->pieces / workers;
    const size_t more = job->pieces % workers; /* shares that have one more */
    size_t end = 0;
    for (size_t k = 0; k < workers; ++k) {
        const size_t count = each + (k < more);
        job->shares[k].end = end += count;
        atomic_store_explicit(&job->shares[k].left, (ptrdiff_t)count, memory_order_release);
    }
}

static void run_piece(const Job *job, size_t piece, int worker)
{
    size_t begin = piece * job->grain, left = job->count - begin;
    job->body(job->context, begin, begin + (left < job->grain ? left : job->grain), worker);
}

/* Takes pieces until there are none. True when the last one to be done was among them. One addition
 * to `done` for all pieces of a worker: fewer writes to a line that all cores read. */
static bool work(Job *job, int worker)
{
    size_t piece, did = 0, all = 0;
    FloatingState state = floating_enter();
    for (; take_piece(job, worker, &piece); ++did) {
        all = job->pieces;
        run_piece(job, piece, worker);
    }
    floating_leave(state);
    if (did == 0) return false;
    return atomic_fetch_add(&job->done, did) + did == all;
}

static void work_alone(const Job *job)
{
    FloatingState state = floating_enter();
    for (size_t piece = 0; piece < job->pieces; ++piece) run_piece(job, piece, 0);
    floating_leave(state);
}

/* One of SPINS + YIELDS times: first keeps the core, then offers it to others. To sleep and to be
 * woken would take longer than what is mostly waited for. */
static void relax(int time)
{
    if (time >= SPINS) sched_yield();
#if defined(__x86_64__)
    _mm_pause();
#endif
}

/* Waits for another job than that of turn *seen: spins, then sleeps. Returns false at the end of
 * the pool. */
static bool wait_for_work(mote_Tasks *tasks, size_t *seen)
{
    Job *job = &tasks->job;
    const size_t before = *seen;
    for (int i = 0; i < SPINS + YIELDS; ++i) {
        *seen = atomic_load_explicit(&job->turn, memory_order_acquire);
        if (*seen != before) return true;
        if (atomic_load_explicit(&tasks->quit, memory_order_relaxed)) return false;
        relax(i);
    }
    pthread_mutex_lock(&tasks->mutex);
    atomic_fetch_add(&tasks->asleep, 1);
    while (!tasks->quit && (*seen = atomic_load(&job->turn)) == before)
        pthread_cond_wait(&tasks->wake, &tasks->mutex);
    atomic_fetch_sub(&tasks->asleep, 1);
    bool go_on = !tasks->quit;
    pthread_mutex_unlock(&tasks->mutex);
    return go_on;
}

static bool is_over(const Job *job)
{
    return atomic_load_explicit(&job->done, memory_order_acquire) == job->pieces;
}

static void wait_until_over(mote_Tasks *tasks)
{
    for (int i = 0; i < SPINS + YIELDS; ++i) {
        if (is_over(&tasks->job)) return;
        relax(i);
    }
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->waiting, true);
    while (atomic_load(&tasks->job.done) < tasks->job.pieces)
        pthread_cond_wait(&tasks->over, &tasks->mutex);
    atomic_store(&tasks->waiting, false);
    pthread_mutex_unlock(&tasks->mutex);
}

/* Nobody sleeps between the loops of a step, and then the lock is nobody's: a worker that still has
 * it would hold up the next loop. Who goes to sleep says so first and looks for work, or its end,
 * after; who has work or ends it does so first and looks for sleepers after. So, with one order of
 * all four (the default of atomics), one of the two sees the other. */
static void wake_if(mote_Tasks *tasks, bool asleep, pthread_cond_t *condition)
{
    if (!asleep) return;
    pthread_mutex_lock(&tasks->mutex); /* who is about to sleep has not looked yet, or sleeps */
    pthread_cond_broadcast(condition);
    pthread_mutex_unlock(&tasks->mutex);
}

static void *worker_main(void *argument)
{
    Worker *self = argument;
    mote_Tasks *tasks = self->tasks;
    size_t seen = 0;
    while (wait_for_work(tasks, &seen)) {
        if (work(&tasks->job, self->number))
            wake_if(tasks, atomic_load(&tasks->waiting), &tasks->over);
    }
    return NULL;
}

/* The caller is worker 0, and works too. */
static void run_on_pool(mote_Tasks *tasks)
{
    wake_if(tasks, atomic_load(&tasks->asleep) > 0, &tasks->wake);
    if (!work(&tasks->job, 0)) wait_until_over(tasks);
}

static void host_job(void *context, int worker)
{
    work(context, worker);
}

void mote_parallel_for(mote_Tasks *tasks, size_t count, size_t grain, mote_TaskBody *body,
                       void *context)
{
    if (grain == 0) grain = 1;
    Job alone = {.body = body, .context = context, .count = count, .grain = grain};
    alone.pieces = count / grain + (count % grain > 0);
    if (tasks == NULL || tasks->workers == 1 || alone.pieces <= 1) {
        work_alone(&alone);
        return;
    }
    Job *job = &tasks->job;
    job->body = body, job->context = context;
    job->count = count, job->grain = grain, job->pieces = alone.pieces;
    atomic_store_explicit(&job->done, 0, memory_order_relaxed);
    deal_out(job);
    atomic_fetch_add(&job->turn, 1);
    if (tasks->host.run != NULL)
        tasks->host.run(tasks->host.context, host_job, job, tasks->workers);
    else
        run_on_pool(tasks);
}

/* ---- making and ending ---- */

static int usable_cores(void)
{
    const int cores = system_cores();
    return cores < MOST_WORKERS ? cores : MOST_WORKERS;
}

static mote_TasksDef tasks_defaults(void)
{
    return (mote_TasksDef){.threads = 0};
}

DEFINITION_MAKER(mote_TasksDef, mote_tasks_def, tasks_defaults)

static bool start_threads(mote_Tasks *tasks)
{
    for (tasks->started = 1; tasks->started < tasks->workers; ++tasks->started) {
        Worker *worker = &tasks->crew[tasks->started];
        *worker = (Worker){.tasks = tasks, .number = tasks->started};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) return false;
    }
    return true;
}

mote_Status mote_tasks_create(const mote_TasksDef *given, mote_Tasks **out, mote_Error *error)
{
    *out = NULL;
    DEFINITION_TAKE(mote_TasksDef, mote_tasks_def);
    if (def->threads < 0 || def->threads > MOST_WORKERS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "tasks: threads is %d, but must be between 0 (one per core) and %d",
                           def->threads, (int)MOST_WORKERS);
    Memory memory = memory_make(def->allocator);
    mote_Tasks *tasks = memory_zeroed(&memory, sizeof *tasks);
    if (tasks == NULL) return status_no_memory(error, "the thread pool", sizeof *tasks);
    tasks->workers = def->threads > 0 ? def->threads : usable_cores();
    tasks->host = def->host;
    tasks->memory = memory;
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    pthread_cond_init(&tasks->over, NULL);
    const size_t workers = (size_t)tasks->workers;
    tasks->crew = memory_zeroed(&tasks->memory, workers * sizeof *tasks->crew);
    tasks->job.shares = memory_zeroed(&tasks->memory, workers * sizeof *tasks->job.shares);
    tasks->job.workers = tasks->workers;
    bool started = tasks->crew != NULL && tasks->job.shares != NULL &&
                   (tasks->host.run != NULL || start_threads(tasks));
    if (!started) {
        mote_tasks_destroy(tasks);
        return status_fail(error, MOTE_NO_MEMORY, "tasks: could not start %d threads",
                           def->threads);
    }
    *out = tasks;
    return MOTE_OK;
}

void mote_tasks_destroy(mote_Tasks *tasks)
{
    if (tasks == NULL) return;
    pthread_mutex_lock(&tasks->mutex);
    tasks->quit = true;
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    for (int i = 1; i < tasks->started; ++i) pthread_join(tasks->crew[i].thread, NULL);
    pthread_cond_destroy(&tasks->over);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    const size_t workers = (size_t)tasks->workers;
    memory_free(&tasks->memory, tasks->crew, workers * sizeof *tasks->crew);
    memory_free(&tasks->memory, tasks->job.shares, workers * sizeof *tasks->job.shares);
    Memory memory = tasks->memory;
    memory_free(&memory, tasks, sizeof *tasks);
}

int mote_tasks_workers(const mote_Tasks *tasks)
{
    return tasks == NULL ? 1 : tasks->workers;
}
