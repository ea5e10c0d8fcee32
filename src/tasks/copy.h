/* Copies of much memory, by all workers: one alone is slower than the memory. */
#ifndef TASKS_COPY_H
#define TASKS_COPY_H

#include <mote/tasks.h>

void tasks_copy(mote_Tasks *tasks, void *to, const void *from, size_t bytes);

#endif
