/* What groups of points see of a tree, summed by a device (device/sums.cl).
 *
 * The processor walks the tree, twice: to count, and to list. A list is what treecode.c would sum,
 * in the same order: runs of sources, cut where a short sum is full. */
#include "solvers/vortex/device.h"

#include "base/loop.h"
#include "solvers/vortex/formulas/sum_law.h"
#include "solvers/vortex/treecode.h"

/* ---- lists ---- */

typedef struct SumLists {
    const TreecodeWalk *walk;
    uint32_t *slots; /* of cells: among those that have stand-ins, which come behind the vortons */
    size_t slot_count;
    SumGroup *groups; /* of the walk */
    uint32_t *runs;   /* first run of each group; one more: all */
    SumUnit *units;
    SumRun *list;
    uint64_t *pairs; /* of each group */
} SumLists;

/* A group's list so far. */
typedef struct GroupList {
    const SumLists *lists;
    uint32_t units, runs, at; /* at: sources of the short sum that is being filled */
    uint64_t sources;
    SumUnit *unit; /* NULL: they are counted */
    SumRun *run;
    uint32_t first; /* run of the group */
} GroupList;

static void add_run(GroupList *g, uint32_t first, uint32_t count)
{
    if (g->at == 0) {
        if (g->unit != NULL) g->unit[g->units].run = g->first + g->runs;
        ++g->units;
    }
    if (g->unit != NULL) {
        g->run[g->runs] = (SumRun){first, count};
        g->unit[g->units - 1].end = g->first + g->runs + 1;
    }
    ++g->runs, g->sources += count;
    g->at = g->at + count < SUM_SOURCES ? g->at + count : 0;
}

static void list_cell(void *context, size_t number, bool far)
{
    GroupList *g = context;
    const TreecodeWalk *walk = g->lists->walk;
    const Proxies *proxies = &walk->proxies;
    const TreeCell *cell = &walk->vortons.cells[number];
    uint32_t first = (uint32_t)cell->first, left = (uint32_t)cell->count;
    if (far && proxies_stand_for(proxies, cell)) {
        first = (uint32_t)(proxies->vortons.count + g->lists->slots[number] * proxies->per_cell);
        left = (uint32_t)proxies->per_cell;
    }
    while (left > 0) {
        const uint32_t room = SUM_SOURCES - g->at, taken = left < room ? left : room;
        add_run(g, first, taken);
        first += taken, left -= taken;
    }
}

static const TreeCell *group_cell(const TreecodeWalk *walk, size_t group)
{
    return &walk->points.cells[walk->groups[group]];
}

static GroupList list_group(const SumLists *lists, size_t group, GroupList start)
{
    const TreecodeWalk *walk = lists->walk;
    start.lists = lists;
    tree_walk(&walk->vortons, group_cell(walk, group), walk->request->tree.angle, list_cell,
              &start);
    return start;
}

static void count_body(void *context, size_t begin, size_t end, int worker)
{
    const SumLists *lists = context;
    (void)worker;
    for (size_t k = begin; k < end; ++k) {
        const TreeCell *cell = group_cell(lists->walk, k);
        const GroupList g = list_group(lists, k, (GroupList){.unit = NULL});
        lists->groups[k] = (SumGroup){(uint32_t)cell->first, (uint32_t)cell->count, 0, g.units};
        lists->runs[k] = g.runs;
        lists->pairs[k] = g.sources * cell->count;
    }
}

static void list_body(void *context, size_t begin, size_t end, int worker)
{
    const SumLists *lists = context;
    (void)worker;
    for (size_t k = begin; k < end; ++k) {
        const SumGroup *group = &lists->groups[k];
        GroupList g = {.unit = lists->units + group->unit,
                       .run = lists->list + lists->runs[k],
                       .first = lists->runs[k]};
        for (uint32_t u = group->unit; u < group->end; ++u)
            lists->units[u].point = group->point, lists->units[u].points = group->points;
        list_group(lists, k, g);
    }
}

/* Numbers of units and runs become where those of each group begin. */
static void place_groups(SumLists *lists)
{
    const size_t count = lists->walk->group_count;
    uint32_t units = 0, runs = 0;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t own = lists->runs[k];
        lists->groups[k].unit = units;
        units = lists->groups[k].end += units;
        lists->runs[k] = runs;
        runs += own;
    }
    lists->runs[count] = runs;
}

static bool number_slots(SumLists *lists)
{
    const Tree *tree = &lists->walk->vortons;
    lists->slots = arena_take(lists->walk->request->arena, tree->cell_count * sizeof(uint32_t));
    for (size_t c = 0; c < tree->cell_count && lists->slots != NULL; ++c) {
        lists->slots[c] = (uint32_t)lists->slot_count;
        lists->slot_count += proxies_stand_for(&lists->walk->proxies, &tree->cells[c]);
    }
    return lists->slots != NULL;
}

static bool make_lists(SumLists *lists)
{
    const TreecodeWalk *walk = lists->walk;
    Arena *arena = walk->request->arena;
    const size_t groups = walk->group_count;
    lists->groups = arena_take(arena, groups * sizeof *lists->groups);
    lists->runs = arena_take(arena, (groups + 1) * sizeof *lists->runs);
    lists->pairs = arena_take(arena, groups * sizeof *lists->pairs);
    if (lists->groups == NULL || lists->runs == NULL || lists->pairs == NULL) return false;
    if (!number_slots(lists)) return false;
    mote_parallel_for(walk->request->tasks, groups, 1, count_body, lists);
    place_groups(lists);
    lists->units = arena_take(arena, lists->groups[groups - 1].end * sizeof *lists->units);
    lists->list = arena_take(arena, lists->runs[groups] * sizeof *lists->list);
    if (lists->units == NULL || lists->list == NULL) return false;
    mote_parallel_for(walk->request->tasks, groups, 1, list_body, lists);
    return true;
}

/* ---- numbers that travel ---- */

typedef struct TreePacking {
    const SumLists *lists;
    mote_real *to;
} TreePacking;

static void vortons_body(void *context, size_t begin, size_t end, int worker)
{
    const TreePacking *p = context;
    (void)worker;
    sum_pack_sources(p->lists->walk->proxies.vortons.plane, begin, end,
                     p->to + begin * PACKED_SOURCE);
}

static void proxies_body(void *context, size_t begin, size_t end, int worker)
{
    const TreePacking *p = context;
    const Proxies *proxies = &p->lists->walk->proxies;
    const size_t each = proxies->per_cell;
    (void)worker;
    for (size_t c = begin; c < end; ++c) {
        if (!proxies_stand_for(proxies, &proxies->tree->cells[c])) continue;
        const size_t at = proxies->vortons.count + p->lists->slots[c] * each;
        sum_pack_sources((const mote_real *const *)proxies->plane, c * each, (c + 1) * each,
                         p->to + at * PACKED_SOURCE);
    }
}

static void put(SumDevice *d, SumBuffer buffer, const void *from, size_t bytes)
{
    device_reserve(d->device, &d->buffers[buffer], bytes);
    device_put(d->device, &d->buffers[buffer], 0, from, bytes);
}

static bool put_sources(const SumLists *lists)
{
    const InduceRequest *r = lists->walk->request;
    const Proxies *proxies = &lists->walk->proxies;
    const size_t count = proxies->vortons.count + lists->slot_count * proxies->per_cell;
    const ArenaMark mark = arena_mark(r->arena);
    TreePacking p = {lists, arena_take(r->arena, count * PACKED_SOURCE * sizeof *p.to)};
    if (p.to == NULL) return false;
    mote_parallel_for(r->tasks, proxies->vortons.count, PACK_GRAIN, vortons_body, &p);
    mote_parallel_for(r->tasks, proxies->tree->cell_count, 32, proxies_body, &p);
    put(r->device, SUM_BUFFER_SOURCES, p.to, count * PACKED_SOURCE * sizeof *p.to);
    arena_rewind(r->arena, mark);
    return true;
}

static bool put_lists(const SumLists *lists)
{
    const TreecodeWalk *walk = lists->walk;
    SumDevice *d = walk->request->device;
    const size_t groups = walk->group_count;
    put(d, SUM_BUFFER_GROUPS, lists->groups, groups * sizeof *lists->groups);
    put(d, SUM_BUFFER_UNITS, lists->units, lists->groups[groups - 1].end * sizeof *lists->units);
    put(d, SUM_BUFFER_RUNS, lists->list, lists->runs[groups] * sizeof *lists->list);
    return put_sources(lists) &&
           sum_put_places(walk->request, (const mote_real *const *)walk->points.x,
                          walk->points.count);
}

/* ---- sums ---- */

/* Those of the groups [first, end). */
static void launch_groups(const SumLists *lists, const SumProgram *program, uint32_t first,
                          uint32_t end)
{
    SumDevice *d = lists->walk->request->device;
    const DeviceBuffer *b = d->buffers;
    const uint32_t unit = lists->groups[first].unit, units = lists->groups[end - 1].end - unit;
    const uint32_t points = (uint32_t)lists->walk->points.count;
    const uint32_t planes = (uint32_t)lists->walk->planes;
    device_launch(
        d->device, program->sum, (size_t)units * GROUP_POINTS, GROUP_POINTS,
        DEVICE_ARGUMENTS(DEVICE_MEMORY(b[SUM_BUFFER_UNITS]), DEVICE_MEMORY(b[SUM_BUFFER_RUNS]),
                         DEVICE_VALUE(unit), DEVICE_MEMORY(b[SUM_BUFFER_SOURCES]),
                         DEVICE_MEMORY(b[SUM_BUFFER_PLACES]), DEVICE_MEMORY(b[SUM_BUFFER_PARTS])));
    device_launch(d->device, d->add_listed, (size_t)(end - first) * GROUP_POINTS, GROUP_POINTS,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(b[SUM_BUFFER_GROUPS]), DEVICE_VALUE(first),
                                   DEVICE_VALUE(unit), DEVICE_VALUE(planes), DEVICE_VALUE(points),
                                   DEVICE_MEMORY(b[SUM_BUFFER_PARTS]),
                                   DEVICE_MEMORY(b[SUM_BUFFER_OUT])));
}

/* As many groups at a time as there is room for short sums of; at least one. */
static void launch_lists(const SumLists *lists, const SumProgram *program)
{
    const TreecodeWalk *walk = lists->walk;
    SumDevice *d = walk->request->device;
    const SumGroup *groups = lists->groups;
    const uint32_t count = (uint32_t)walk->group_count;
    const size_t each = (size_t)walk->planes * GROUP_POINTS * sizeof(mote_real);
    const uint32_t room = (uint32_t)(sum_parts_bytes / each);
    device_reserve(d->device, &d->buffers[SUM_BUFFER_OUT],
                   (size_t)walk->planes * walk->points.count * sizeof(mote_real));
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && groups[end].end - groups[first].unit <= room;) ++end;
        device_reserve(d->device, &d->buffers[SUM_BUFFER_PARTS],
                       (groups[end - 1].end - groups[first].unit) * each);
        launch_groups(lists, program, first, end);
    }
    for (uint32_t k = 0; k < count; ++k) d->pairs += lists->pairs[k];
}

bool sum_tree_there(const SumTask *task)
{
    const TreecodeWalk *walk = task->context;
    const InduceRequest *r = walk->request;
    const SumKind kind = {
        .core = r->core, .quantity = r->quantity, .form = SUM_LISTED, .points = 1};
    const SumProgram *program = sum_program(r->device, &kind);
    SumLists lists = {.walk = walk};
    if (program == NULL || !make_lists(&lists) || !put_lists(&lists)) return false;
    launch_lists(&lists, program);
    return sum_get_planes(task);
}
