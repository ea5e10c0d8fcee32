/* A small thread pool: fixed pieces taken from one atomic counter, workers that spin shortly before
 * they sleep. Results do not depend on who takes which piece, because pieces write to places of
 * their own and sums are combined in the order of the pieces. */
#include <mote/tasks.h>

#include "base/memory.h"
#include "base/status.h"
#include "tasks/floating.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_WORKERS = 256, SPINS = 2000 };

typedef struct Job {
    mote_TaskBody *body;
    void *context;
    size_t count, grain;
    atomic_size_t next; /* first index nobody has taken */
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
    pthread_cond_t wake, done;
    atomic_uint round; /* counts jobs; a change wakes the workers */
    atomic_int busy;   /* threads still in the present job */
    bool quit;
};

static void work(Job *job, int worker)
{
    FloatingState state = floating_enter();
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&job->next, job->grain, memory_order_relaxed);
        if (begin >= job->count) break;
        size_t left = job->count - begin;
        job->body(job->context, begin, begin + (left < job->grain ? left : job->grain), worker);
    }
    floating_leave(state);
}

static void relax(void)
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

/* Waits for a round other than `seen`: spins, then sleeps. Returns false at the end of the pool. */
static bool wait_for_round(mote_Tasks *tasks, unsigned seen)
{
    for (int i = 0; i < SPINS; ++i) {
        if (atomic_load_explicit(&tasks->round, memory_order_acquire) != seen) return true;
        relax();
    }
    pthread_mutex_lock(&tasks->mutex);
    while (!tasks->quit && atomic_load(&tasks->round) == seen)
        pthread_cond_wait(&tasks->wake, &tasks->mutex);
    bool go_on = !tasks->quit;
    pthread_mutex_unlock(&tasks->mutex);
    return go_on;
}

static void wait_until_idle(mote_Tasks *tasks)
{
    for (int i = 0; i < SPINS; ++i) {
        if (atomic_load_explicit(&tasks->busy, memory_order_acquire) == 0) return;
        relax();
    }
    pthread_mutex_lock(&tasks->mutex);
    while (atomic_load(&tasks->busy) > 0) pthread_cond_wait(&tasks->done, &tasks->mutex);
    pthread_mutex_unlock(&tasks->mutex);
}

static void *worker_main(void *argument)
{
    Worker *self = argument;
    mote_Tasks *tasks = self->tasks;
    for (unsigned seen = 0; wait_for_round(tasks, seen); ++seen) {
        work(&tasks->job, self->number);
        if (atomic_fetch_sub(&tasks->busy, 1) != 1) continue;
        pthread_mutex_lock(&tasks->mutex);
        pthread_cond_signal(&tasks->done);
        pthread_mutex_unlock(&tasks->mutex);
    }
    return NULL;
}

static void run_on_pool(mote_Tasks *tasks)
{
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->busy, tasks->workers - 1);
    atomic_fetch_add_explicit(&tasks->round, 1, memory_order_release);
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    work(&tasks->job, 0);
    wait_until_idle(tasks);
}

static void host_job(void *context, int worker)
{
    work(context, worker);
}

void mote_parallel_for(mote_Tasks *tasks, size_t count, size_t grain, mote_TaskBody *body,
                       void *context)
{
    Job alone;
    bool single = tasks == NULL || tasks->workers == 1 || count <= grain;
    Job *job = single ? &alone : &tasks->job;
    job->body = body, job->context = context;
    job->count = count, job->grain = grain > 0 ? grain : 1;
    atomic_store(&job->next, 0);
    if (single)
        work(job, 0);
    else if (tasks->host.run != NULL)
        tasks->host.run(tasks->host.context, host_job, job, tasks->workers);
    else
        run_on_pool(tasks);
}

/* ---- making and ending ---- */

static int usable_cores(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < MOST_WORKERS ? cores : MOST_WORKERS;
}

mote_TasksDef mote_tasks_def(void)
{
    return (mote_TasksDef){.threads = 0};
}

static bool start_threads(mote_Tasks *tasks)
{
    for (tasks->started = 1; tasks->started < tasks->workers; ++tasks->started) {
        Worker *worker = &tasks->crew[tasks->started];
        *worker = (Worker){.tasks = tasks, .number = tasks->started};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) return false;
    }
    return true;
}

mote_Status mote_tasks_create(const mote_TasksDef *def, mote_Tasks **out, mote_Error *error)
{
    *out = NULL;
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
    pthread_cond_init(&tasks->done, NULL);
    tasks->crew = memory_zeroed(&tasks->memory, (size_t)tasks->workers * sizeof *tasks->crew);
    bool started = tasks->crew != NULL && (tasks->host.run != NULL || start_threads(tasks));
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
    pthread_cond_destroy(&tasks->done);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    memory_free(&tasks->memory, tasks->crew, (size_t)tasks->workers * sizeof *tasks->crew);
    Memory memory = tasks->memory;
    memory_free(&memory, tasks, sizeof *tasks);
}

int mote_tasks_workers(const mote_Tasks *tasks)
{
    return tasks == NULL ? 1 : tasks->workers;
}
