#include "tasks/copy.h"

#include <string.h>

enum { BYTES_PER_TASK = 1 << 20, CLEARED_PER_TASK = 1 << 17 };

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
