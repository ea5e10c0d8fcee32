/* A host with threads and memory of its own: mote allocates from it and runs as its jobs. The bits
 * are the same for any number of workers, also one after another.
 *
 *     cc own_jobs.c $(pkg-config --cflags --libs mote) -pthread -o own_jobs */
#include <mote/world.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 3 };

/* ---- memory: counts what is held ---- */

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    size_t *held = context, copied = old_size < new_size ? old_size : new_size;
    void *fresh = NULL;
    if (new_size > 0) {
        fresh = aligned_alloc(64, (new_size + 63) / 64 * 64);
        if (fresh == NULL) return NULL;
        if (copied > 0) memcpy(fresh, block, copied);
    }
    if (old_size > 0) free(block);
    *held += new_size - old_size;
    return fresh;
}

/* ---- jobs: a thread for each worker; a real host keeps its threads ---- */

typedef struct Job {
    void (*run)(void *context, int worker);
    void *context;
    int worker;
} Job;

static void *thread_main(void *job)
{
    const Job *own = job;
    own->run(own->context, own->worker);
    return NULL;
}

static void run_jobs(void *context, void (*job)(void *job_context, int worker), void *job_context,
                     int workers)
{
    pthread_t threads[WORKERS];
    Job jobs[WORKERS];
    (void)context;
    for (int i = 0; i < workers; ++i) {
        jobs[i] = (Job){job, job_context, i};
        if (i > 0 && pthread_create(&threads[i], NULL, thread_main, &jobs[i]) != 0) abort();
    }
    job(job_context, 0);
    for (int i = 1; i < workers; ++i) pthread_join(threads[i], NULL);
}

/* ---- a world ---- */

static mote_Status build(mote_World *world, mote_Error *error)
{
    mote_SystemDef system = mote_system_def();
    mote_ForceDef pull = mote_force_def();
    mote_EmitterDef cloud = mote_emitter_def();
    mote_SphereSource ball = mote_sphere_source_def();
    system.name = cloud.system = "stars";
    pull.type = "mutual-gravity";
    ball.radius = 1, cloud.source = "sphere", cloud.source_params = &ball;
    cloud.burst = 2000, cloud.rate = 0;
    mote_Status status = mote_world_add_system(world, &system, NULL, error);
    if (status == MOTE_OK) status = mote_world_add_force(world, &pull, error);
    return status == MOTE_OK ? mote_world_add_emitter(world, &cloud, error) : status;
}

/* The hash of the tenth frame; `tasks` NULL: on this thread alone. */
static mote_Status run(mote_Tasks *tasks, mote_Allocator memory, uint64_t *hash, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = NULL;
    def.gravity = (mote_Vec3){0, 0, 0};
    def.tasks = tasks, def.allocator = memory;
    mote_Status status = mote_world_create(&def, &world, error);
    if (status == MOTE_OK) status = build(world, error);
    for (int i = 0; i < 10 && status == MOTE_OK; ++i) status = mote_world_step(world, NULL, error);
    if (status == MOTE_OK) *hash = mote_frame_hash(mote_world_frame(world));
    mote_world_destroy(world);
    return status;
}

int main(void)
{
    size_t held = 0;
    uint64_t hashes[2] = {0, 1};
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks = NULL;
    mote_Error error;
    const mote_Allocator memory = {resize, &held};
    def.threads = WORKERS, def.host.run = run_jobs, def.allocator = memory;
    mote_Status status = mote_tasks_create(&def, &tasks, &error);
    if (status == MOTE_OK) status = run(tasks, memory, &hashes[0], &error);
    mote_tasks_destroy(tasks);
    if (status == MOTE_OK) status = run(NULL, memory, &hashes[1], &error);
    if (status == MOTE_OK)
        printf("%d workers and 1: %s bits, and %zu bytes are still held\n", (int)WORKERS,
               hashes[0] == hashes[1] ? "the same" : "other", held);
    else
        fprintf(stderr, "%s\n", error.message);
    return status != MOTE_OK;
}
