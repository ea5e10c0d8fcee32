#include "tasks/copy.h"

#include <stdatomic.h>
#include <string.h>

enum { BYTES_PER_TASK = 1 << 18, CLEARED_PER_TASK = 1 << 17, COMPARED_PER_TASK = 1 << 17 };

typedef struct CopyWork {
    char *to;
    const char *from;
} CopyWork;

static void copy_body(void *context, size_t begin, size_t end, int worker)
{
    const CopyWork *work = context;
    (void)worker;
    memcpy(work->to + begin, work->from + begin, end - begin);
}

typedef struct SameWork {
    const char *a, *b;
    atomic_bool differ;
} SameWork;

static void same_body(void *context, size_t begin, size_t end, int worker)
{
    SameWork *work = context;
    (void)worker;
    if (!atomic_load_explicit(&work->differ, memory_order_relaxed) &&
        memcmp(work->a + begin, work->b + begin, end - begin) != 0)
        atomic_store_explicit(&work->differ, true, memory_order_relaxed);
}

bool tasks_same(mote_Tasks *tasks, const void *a, const void *b, size_t bytes)
{
    SameWork work = {.a = a, .b = b};
    if (bytes > 0) mote_parallel_for(tasks, bytes, COMPARED_PER_TASK, same_body, &work);
    return !atomic_load(&work.differ);
}

static void clear_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    memset((char *)context + begin, 0, end - begin);
}

void tasks_clear(mote_Tasks *tasks, void *to, size_t bytes)
{
    if (bytes > 0) mote_parallel_for(tasks, bytes, CLEARED_PER_TASK, clear_body, to);
}

void tasks_copy(mote_Tasks *tasks, void *to, const void *from, size_t bytes)
{
    CopyWork work = {to, from};
    if (bytes > 0) mote_parallel_for(tasks, bytes, BYTES_PER_TASK, copy_body, &work);
}
