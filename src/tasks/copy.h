/* Copies of much memory, comparisons, and zeros, by all workers: one alone is slower than the
 * memory. */
#ifndef TASKS_COPY_H
#define TASKS_COPY_H

#include <mote/tasks.h>

void tasks_copy(mote_Tasks *tasks, void *to, const void *from, size_t bytes);
bool tasks_same(mote_Tasks *tasks, const void *a, const void *b, size_t bytes);
void tasks_clear(mote_Tasks *tasks, void *to, size_t bytes);

#endif
