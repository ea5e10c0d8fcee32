/* Threads: one primitive, mote_parallel_for, on a pool of mote's own or on the host's job system.
 */
#ifndef MOTE_TASKS_H
#define MOTE_TASKS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Workers. */
typedef struct mote_Tasks mote_Tasks;

/* A machine beside the processor; <mote/device.h>. */
typedef struct mote_Device mote_Device;

/* Work on the indices begin <= i < end. `worker` < the worker count of the tasks, and no two calls
 * that run at the same time share one. */
typedef void mote_TaskBody(void *context, size_t begin, size_t end, int worker);

/* A host's job system: `run` must call job(job_context, worker) for every worker 0 <= worker <
 * workers, on any threads, at the same time or one after another, and return when all have
 * returned. */
typedef struct mote_JobSystem {
    void (*run)(void *context, void (*job)(void *job_context, int worker), void *job_context,
                int workers);
    void *context;
} mote_JobSystem;

/* How many workers, and whose threads. */
typedef struct mote_TasksDef {
    size_t size;         /* bytes, by mote_tasks_def() */
    int threads;         /* workers, the caller included; 0: one per core this process may use */
    mote_JobSystem host; /* host.run NULL: a pool of mote's own */
    mote_Allocator allocator; /* of the pool */
} mote_TasksDef;

MOTE_API void mote_tasks_def_init(mote_TasksDef *def, size_t size);
MOTE_MAKER(mote_TasksDef, mote_tasks_def)
/* Starts the workers, and ends them. */
MOTE_API mote_Status mote_tasks_create(const mote_TasksDef *def, mote_Tasks **tasks,
                                       mote_Error *error);
MOTE_API void mote_tasks_destroy(mote_Tasks *tasks); /* NULL is allowed */
/* How many there are, the caller included; 1 without tasks. */
MOTE_API int mote_tasks_workers(const mote_Tasks *tasks);

/* What these workers may leave to a device, worlds that are made with them do there: the same bits,
 * and so no part of a scene. The device is borrowed; NULL: none. */
MOTE_API void mote_tasks_use_device(mote_Tasks *tasks, mote_Device *device);
MOTE_API mote_Device *mote_tasks_device(const mote_Tasks *tasks); /* NULL: none */

/* Calls body on all of 0 <= i < count, in pieces of at most `grain` indices whose bounds depend on
 * count and grain alone. Returns when all is done. Each piece runs with round-to-nearest and
 * denormals on, whatever the thread's floating-point state is; that state is restored. tasks NULL:
 * on the calling thread. Must not be called from inside a body, nor from two threads at a time. */
MOTE_API void mote_parallel_for(mote_Tasks *tasks, size_t count, size_t grain, mote_TaskBody *body,
                                void *context);

#ifdef __cplusplus
}
#endif
#endif
