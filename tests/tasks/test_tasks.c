/* parallel_for: every index once, any number of threads, who sleeps is woken, host job systems,
 * floating-point state. */
#include "setup.h"

#include <mote/tasks.h>

#include <fenv.h>
#include <float.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST = 5000 };

typedef struct Visit {
    atomic_uchar times[MOST];
    atomic_int active[64]; /* calls of each worker that run now */
    atomic_int wrong;
    size_t count, grain;
    int workers;
} Visit;

static void visit(void *context, size_t begin, size_t end, int worker)
{
    Visit *v = context;
    bool good = begin < end && end <= v->count && begin % v->grain == 0 && end - begin <= v->grain;
    good = good && (end == v->count || end - begin == v->grain);
    good = good && worker >= 0 && worker < v->workers;
    if (!good || atomic_fetch_add(&v->active[worker], 1) != 0) atomic_fetch_add(&v->wrong, 1);
    for (size_t i = begin; i < end; ++i) atomic_fetch_add(&v->times[i], 1);
    atomic_fetch_sub(&v->active[worker], 1);
}

static void check_visits(mote_Tasks *tasks, size_t count, size_t grain)
{
    static Visit v;
    memset(&v, 0, sizeof v);
    v.count = count, v.grain = grain > 0 ? grain : 1, v.workers = mote_tasks_workers(tasks);
    mote_parallel_for(tasks, count, grain, visit, &v);
    size_t once = 0;
    for (size_t i = 0; i < MOST; ++i) once += v.times[i] == 1;
    for (size_t i = count; i < MOST; ++i) CHECK(v.times[i] == 0);
    CHECK(once == count);
    CHECK(v.wrong == 0);
}

static void check_all_sizes(mote_Tasks *tasks)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 63, 64, 65, 1000, 4999, MOST};
    static const size_t grains[] = {0, 1, 2, 3, 64, 1000, 5001, SIZE_MAX};
    for (size_t c = 0; c < COUNT_OF(counts); ++c)
        for (size_t g = 0; g < COUNT_OF(grains); ++g) check_visits(tasks, counts[c], grains[g]);
}

static void every_index_once(void)
{
    static const int threads[] = {1, 2, 3, 8};
    check_all_sizes(NULL);
    for (size_t t = 0; t < COUNT_OF(threads); ++t) {
        mote_Tasks *tasks = setup_tasks(threads[t]);
        CHECK(mote_tasks_workers(tasks) == threads[t]);
        check_all_sizes(tasks);
        for (int round = 0; round < 300; ++round) check_visits(tasks, 100, 1);
        mote_tasks_destroy(tasks);
    }
    mote_Tasks *tasks = setup_tasks(0);
    CHECK(mote_tasks_workers(tasks) >= 1);
    check_all_sizes(tasks);
    mote_tasks_destroy(tasks);
}

/* ---- sleeping and waking ---- */

/* Longer than a worker or the caller spins before it sleeps. */
static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

typedef struct Meeting {
    atomic_int begun;
    int pieces;
} Meeting;

/* Waits for all others, so each piece has to have a worker of its own; the caller, whichever piece
 * it has, is the first to leave. */
static void meet(void *context, size_t begin, size_t end, int worker)
{
    Meeting *m = context;
    (void)begin, (void)end;
    atomic_fetch_add(&m->begun, 1);
    while (atomic_load(&m->begun) < m->pieces) sched_yield();
    if (worker > 0) nap();
}

static void sleepers_are_woken(void)
{
    static const int threads[] = {2, 3, 8};
    for (size_t t = 0; t < COUNT_OF(threads); ++t) {
        mote_Tasks *tasks = setup_tasks(threads[t]);
        for (int round = 0; round < 20; ++round) {
            Meeting m = {.pieces = threads[t]};
            if (round % 2 == 0) nap();
            mote_parallel_for(tasks, (size_t)m.pieces, 1, meet, &m);
            CHECK(m.begun == m.pieces);
        }
        mote_tasks_destroy(tasks);
    }
}

/* ---- a host's job system: one after another backwards, or a thread per job ---- */

static int host_calls;

static void run_backwards(void *context, void (*job)(void *, int), void *job_context, int workers)
{
    ++*(int *)context;
    for (int w = workers - 1; w >= 0; --w) job(job_context, w);
}

typedef struct HostThread {
    void (*job)(void *, int);
    void *context;
    int worker;
} HostThread;

static void *host_thread(void *argument)
{
    HostThread *self = argument;
    self->job(self->context, self->worker);
    return NULL;
}

static void run_on_threads(void *context, void (*job)(void *, int), void *job_context, int workers)
{
    pthread_t threads[16];
    HostThread selves[16];
    ++*(int *)context;
    for (int w = 0; w < workers; ++w) {
        selves[w] = (HostThread){job, job_context, w};
        pthread_create(&threads[w], NULL, host_thread, &selves[w]);
    }
    for (int w = 0; w < workers; ++w) pthread_join(threads[w], NULL);
}

static void host_job_systems(void)
{
    void (*const runs[])(void *, void (*)(void *, int), void *, int) = {run_backwards,
                                                                        run_on_threads};
    for (size_t i = 0; i < COUNT_OF(runs); ++i) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        mote_Error error;
        def.threads = 4;
        def.host = (mote_JobSystem){runs[i], &host_calls};
        host_calls = 0;
        SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
        CHECK(mote_tasks_workers(tasks) == 4);
        check_visits(tasks, 1000, 3);
        check_visits(tasks, 5000, 64);
        CHECK(host_calls == 2);
        mote_tasks_destroy(tasks);
    }
}

/* ---- floating-point state ---- */

typedef struct Floating {
    double third;
    atomic_int wrong;
} Floating;

/* By arithmetic, because fegetround reads the x87's state on x86. Inside: halving the smallest
 * normal number gives a denormal, and 1/3 is rounded to nearest. */
static void check_floating(void *context, size_t begin, size_t end, int worker)
{
    Floating *f = context;
    volatile double tiny = DBL_MIN, one = 1, three = 3;
    (void)begin, (void)end, (void)worker;
    if (tiny / 2 == 0) atomic_fetch_add(&f->wrong, 1);
    if (one / three != f->third) atomic_fetch_add(&f->wrong, 1);
}

static unsigned flush_denormals(void)
{
#if defined(__x86_64__)
    unsigned old = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(old | 0x8040u); /* flush to zero, denormals are zero */
    return old;
#else
    return 0;
#endif
}

static void restore_denormals(unsigned old)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(old);
#else
    (void)old;
#endif
}

static void floating_state_is_set_and_restored(void)
{
    static const int threads[] = {1, 3};
    volatile double tiny = DBL_MIN, one = 1, three = 3;
    for (size_t t = 0; t < COUNT_OF(threads); ++t) {
        const double third = 1.0 / 3.0; /* by the compiler: to nearest, which is below */
        Floating f = {.third = third};
        unsigned old = flush_denormals();
        fesetround(FE_UPWARD);
        mote_Tasks *tasks = setup_tasks(threads[t]); /* threads inherit the odd state */
        mote_parallel_for(tasks, 100, 1, check_floating, &f);
        mote_parallel_for(NULL, 100, 1, check_floating, &f);
        bool rounding_kept = one / three > third;
        bool flushing_kept = tiny / 2 == 0;
        mote_tasks_destroy(tasks);
        fesetround(FE_TONEAREST);
        restore_denormals(old);
        CHECK(f.wrong == 0);
        CHECK(rounding_kept);
#if defined(__x86_64__)
        CHECK(flushing_kept);
#else
        (void)flushing_kept;
#endif
    }
}

/* ---- making and ending ---- */

static void many_pools(void)
{
    for (int i = 0; i < 200; ++i) {
        mote_Tasks *tasks = setup_tasks(1 + i % 5);
        if (i % 2 == 0) check_visits(tasks, 50, 1);
        mote_tasks_destroy(tasks);
    }
    mote_tasks_destroy(NULL);
}

static void bad_thread_counts(void)
{
    static const int bad[] = {-1, 257, 1000000};
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks = (mote_Tasks *)&def;
        mote_Error error = {0};
        char number[16];
        def.threads = bad[i];
        snprintf(number, sizeof number, "%d", bad[i]);
        CHECK(mote_tasks_create(&def, &tasks, &error) == MOTE_BAD_VALUE && tasks == NULL);
        CHECK_MESSAGE(error, number);
        CHECK_MESSAGE(error, "threads");
    }
}

TESTS({"every_index_once", every_index_once}, {"sleepers_are_woken", sleepers_are_woken},
      {"host_job_systems", host_job_systems},
      {"floating_state_is_set_and_restored", floating_state_is_set_and_restored},
      {"many_pools", many_pools}, {"bad_thread_counts", bad_thread_counts})
