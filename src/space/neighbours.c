/* Neighbour lists: memory, and the work cut into tasks of whole cells. Each task has its own part
 * of the lists' memory; when one is too small, all parts grow and the search is done again, which
 * happens seldom because the size stays from step to step. */
#include "space/neighbours.h"

#include <string.h>

enum { CELLS_PER_TASK = 32, SPARE = 16, FIRST_GUESS = 40 };

Neighbours neighbours_make(Memory *memory)
{
    return (Neighbours){.memory = memory, .per_point = FIRST_GUESS};
}

static void free_points(Neighbours *lists)
{
    memory_free(lists->memory, lists->start, lists->point_capacity * sizeof *lists->start);
    memory_free(lists->memory, lists->count, lists->point_capacity * sizeof *lists->count);
    memory_free(lists->memory, lists->sum, lists->point_capacity * sizeof *lists->sum);
    lists->start = lists->count = NULL, lists->sum = NULL, lists->point_capacity = 0;
}

void neighbours_free(Neighbours *lists)
{
    memory_free(lists->memory, lists->index, lists->capacity * sizeof *lists->index);
    free_points(lists);
    *lists = neighbours_make(lists->memory);
}

static bool reserve_points(Neighbours *lists, size_t points)
{
    if (points <= lists->point_capacity) return true;
    size_t capacity = points + points / 8 + SPARE;
    free_points(lists);
    lists->start = memory_take(lists->memory, capacity * sizeof *lists->start);
    lists->count = memory_take(lists->memory, capacity * sizeof *lists->count);
    lists->sum = memory_take(lists->memory, capacity * sizeof *lists->sum);
    lists->point_capacity = capacity;
    if (lists->start != NULL && lists->count != NULL && lists->sum != NULL) return true;
    free_points(lists);
    return false;
}

static bool reserve_index(Neighbours *lists, size_t wanted)
{
    if (wanted <= lists->capacity) return true;
    memory_free(lists->memory, lists->index, lists->capacity * sizeof *lists->index);
    lists->index = memory_take(lists->memory, wanted * sizeof *lists->index);
    lists->capacity = lists->index != NULL ? wanted : 0;
    return lists->index != NULL;
}

/* ---- tasks ---- */

typedef struct FindWork {
    const Cells *cells;
    Neighbours *lists;
    const Smoothing *kernel;
    const NeighbourKernels *kernels;
    NeighbourTask *scratch; /* the workers' buffers */
    uint64_t *pairs;        /* per task; UINT64_MAX: its part was too small */
} FindWork;

/* Every task's part: room for a full vector behind the last entry. */
static size_t part_start(const FindWork *work, size_t cell)
{
    return (size_t)work->cells->first[cell] * work->lists->per_point +
           cell / CELLS_PER_TASK * (size_t)(8 * SPARE);
}

static void find_body(void *context, size_t begin, size_t end, int worker)
{
    const FindWork *work = context;
    NeighbourTask task = work->scratch[worker];
    task.cells = work->cells, task.lists = work->lists, task.kernel = work->kernel;
    task.used = part_start(work, begin);
    task.end =
        task.used +
        (size_t)(work->cells->first[end] - work->cells->first[begin]) * work->lists->per_point +
        (size_t)(8 * SPARE) - 16;
    work->kernels->find(&task, begin, end);
    work->pairs[begin / CELLS_PER_TASK] = task.full ? UINT64_MAX : task.pairs;
}

/* As many points as can be around a cell, for every worker. */
static bool take_scratch(FindWork *work, Arena *arena, mote_Tasks *tasks)
{
    size_t workers = (size_t)mote_tasks_workers(tasks), around = 27 * work->cells->most;
    const mote_real *period = work->cells->space.period;
    bool once = !(period[0] > 0 || period[1] > 0 || period[2] > 0); /* no point is seen twice */
    if (once && around > work->cells->points) around = work->cells->points;
    size_t room = around + 8 * (CELLS_MOST_RUNS + 2);
    work->scratch = arena_take(arena, workers * sizeof *work->scratch);
    if (work->scratch == NULL) return false;
    for (size_t w = 0; w < workers; ++w) {
        NeighbourTask *task = &work->scratch[w];
        *task = (NeighbourTask){0};
        mote_real *planes = arena_take(arena, 4 * room * sizeof *planes);
        task->near_index = arena_take(arena, 2 * room * sizeof *task->near_index);
        if (planes == NULL || task->near_index == NULL) return false;
        task->found = task->near_index + room;
        for (size_t c = 0; c < 3; ++c) task->near[c] = planes + c * room;
        task->squares = planes + 3 * room;
    }
    return true;
}

static bool count_pairs(FindWork *work, size_t tasks)
{
    work->lists->pairs = 0;
    for (size_t i = 0; i < tasks; ++i) {
        if (work->pairs[i] == UINT64_MAX) return false;
        work->lists->pairs += work->pairs[i];
    }
    return true;
}

/* Points that are in no cell have no neighbours. */
static void clear_unplaced(const FindWork *work)
{
    for (size_t i = work->cells->placed; i < work->cells->points; ++i) {
        work->lists->start[i] = work->lists->count[i] = 0;
        work->lists->sum[i] = work->kernel != NULL ? work->kernel->middle : 0;
    }
}

bool neighbours_find(Neighbours *lists, const Cells *cells, const Smoothing *kernel, Isa isa,
                     Arena *arena, mote_Tasks *tasks)
{
    FindWork work = {cells, lists, kernel, neighbour_kernels(isa), NULL, NULL};
    size_t count = (cells->cell_count + CELLS_PER_TASK - 1) / CELLS_PER_TASK;
    lists->points = cells->points;
    work.pairs = arena_take(arena, (count + 1) * sizeof *work.pairs);
    if (work.pairs == NULL || !take_scratch(&work, arena, tasks) ||
        !reserve_points(lists, cells->points))
        return false;
    do {
        size_t last = cells->cell_count;
        if (!reserve_index(lists, part_start(&work, last) + (size_t)(8 * SPARE))) return false;
        mote_parallel_for(tasks, cells->cell_count, CELLS_PER_TASK, find_body, &work);
    } while (!count_pairs(&work, count) &&
             (lists->per_point = (lists->per_point * 3 / 2 + 8) / 8 * 8) > 0);
    clear_unplaced(&work);
    return true;
}
