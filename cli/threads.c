/* Threads of commands that compute. */
#include "cli/threads.h"

#include "cli/exit.h"

int threads_start(int64_t threads, mote_Tasks **tasks)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Error error = {0};
    *tasks = NULL;
    def.threads = (int)threads;
    mote_Status status = mote_isa_check(&error);
    if (status == MOTE_OK) status = mote_tasks_create(&def, tasks, &error);
    return status == MOTE_OK ? EXIT_DONE : message_failure(status, &error);
}
