#include "tasks/copy.h"

#include <string.h>

enum { BYTES_PER_TASK = 1 << 20 };

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

void tasks_copy(mote_Tasks *tasks, void *to, const void *from, size_t bytes)
{
    CopyWork work = {to, from};
    if (bytes > 0) mote_parallel_for(tasks, bytes, BYTES_PER_TASK, copy_body, &work);
}
