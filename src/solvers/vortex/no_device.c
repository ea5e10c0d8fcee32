/* Where there are no devices at all, as in a page: in the place of device.c and its like. */
#include "solvers/vortex/device.h"

mote_Status sum_device_of(const SolverStep *step, SumDevice **kept, SumDevice **device,
                          mote_Error *error)
{
    (void)step, (void)kept, (void)error;
    *device = NULL;
    return MOTE_OK;
}

void sum_device_free(SumDevice *d)
{
    (void)d;
}

bool sum_all_there(const SumTask *task)
{
    (void)task;
    return false;
}

bool sum_tree_there(const SumTask *task)
{
    (void)task;
    return false;
}

bool sum_somewhere(const SumTask *task)
{
    task->here(task, task->out);
    return true;
}
