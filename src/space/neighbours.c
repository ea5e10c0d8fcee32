/* Neighbour lists: memory, and the work cut into tasks of whole cells. Workers take chunks of the
 * lists' memory; when there are too few, the search counts what is needed and is done again, which
 * happens seldom because the size stays from step to step. */
#include "space/neighbours.h"

#include <string.h>

ISA_KERNELS(neighbour_kernels, NeighbourKernels, neighbour_table)

enum { CELLS_PER_TASK = 32, SPARE = 16, FIRST_GUESS = 32, LEAST_CHUNK = 4096 };

Neighbours neighbours_make(Memory *memory)
{
    return (Neighbours){.memory = memory};
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
    const NeighbourKernels *kernels;
    NeighbourTask *scratch; /* the workers' buffers, and what they found */
    size_t workers;
    size_t room;  /* for the longest list */
    size_t chunk; /* entries */
    atomic_size_t taken;
} FindWork;

/* On a copy: workers' own are too near to each other. */
static void find_body(void *context, size_t begin, size_t end, int worker)
{
    const FindWork *work = context;
    NeighbourTask task = work->scratch[worker];
    work->kernels->find(&task, begin, end);
    work->scratch[worker] = task;
}

/* As many points as can be around a cell, for every worker. */
static bool take_scratch(FindWork *work, const NeighbourTask *start, Arena *arena)
{
    size_t workers = work->workers, around = 27 * work->cells->most;
    const mote_real *period = work->cells->space.period;
    bool once = !(period[0] > 0 || period[1] > 0 || period[2] > 0); /* no point is seen twice */
    if (once && around > work->cells->points) around = work->cells->points;
    size_t room = around + 8 * (CELLS_MOST_RUNS + 2);
    work->room = room;
    work->chunk = 8 * room > LEAST_CHUNK ? 8 * room : LEAST_CHUNK;
    work->scratch = arena_take(arena, workers * sizeof *work->scratch);
    if (work->scratch == NULL) return false;
    for (size_t w = 0; w < workers; ++w) {
        NeighbourTask *task = &work->scratch[w];
        *task = *start, task->chunk = work->chunk;
        mote_real *planes = arena_take(arena, 4 * room * sizeof *planes);
        task->near_index = arena_take(arena, 2 * room * sizeof *task->near_index);
        if (planes == NULL || task->near_index == NULL) return false;
        task->found = task->near_index + room;
        for (size_t c = 0; c < 3; ++c) task->near[c] = planes + c * room;
        task->squares = planes + 3 * room;
    }
    return true;
}

/* Room for so many entries: a chunk may have a list's worth left, and every worker's last one may
 * be empty. */
static size_t with_chunks(const FindWork *work, uint64_t entries)
{
    size_t full = (size_t)entries / (work->chunk - work->room) + 1;
    return (full + work->workers) * work->chunk;
}

static void start_workers(FindWork *work)
{
    atomic_store(&work->taken, 0);
    for (size_t w = 0; w < work->workers; ++w) {
        NeighbourTask *task = &work->scratch[w];
        task->used = task->end = 0, task->pairs = task->entries = 0;
    }
}

/* Searches; returns how many entries the lists have. */
static uint64_t search(FindWork *work, Neighbours *lists, mote_Tasks *tasks)
{
    uint64_t entries = 0;
    start_workers(work);
    mote_parallel_for(tasks, work->cells->cell_count, CELLS_PER_TASK, find_body, work);
    lists->pairs = 0;
    for (size_t w = 0; w < work->workers; ++w) {
        lists->pairs += work->scratch[w].pairs;
        entries += work->scratch[w].entries;
    }
    return entries;
}

/* Points that are in no cell have no neighbours. */
static void clear_unplaced(const Cells *cells, const Smoothing *kernel, Neighbours *lists)
{
    for (size_t i = cells->placed; i < cells->points; ++i) {
        lists->start[i] = lists->count[i] = 0;
        lists->sum[i] = kernel != NULL ? kernel->middle : 0;
    }
}

bool neighbours_find(Neighbours *lists, const Cells *cells, const Smoothing *kernel, Isa isa,
                     Arena *arena, mote_Tasks *tasks)
{
    FindWork work = {.cells = cells,
                     .kernels = neighbour_kernels(isa),
                     .workers = (size_t)mote_tasks_workers(tasks)};
    const NeighbourTask start = {
        .cells = cells, .lists = lists, .kernel = kernel, .taken = &work.taken};
    uint64_t entries = FIRST_GUESS * (uint64_t)cells->points;
    lists->points = cells->points;
    if (!take_scratch(&work, &start, arena) || !reserve_points(lists, cells->points)) return false;
    if (lists->capacity == 0 && !reserve_index(lists, with_chunks(&work, entries))) return false;
    for (;;) {
        entries = search(&work, lists, tasks);
        if (atomic_load(&work.taken) <= lists->capacity) break;
        if (!reserve_index(lists, with_chunks(&work, entries + entries / 16))) return false;
    }
    clear_unplaced(cells, kernel, lists);
    return true;
}
