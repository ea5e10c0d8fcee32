/* The direct sum on a device (device/sums.cl). */
#include "solvers/vortex/device.h"

#include "solvers/vortex/formulas/sum_law.h"

#include <string.h>

enum {
    PACKED = 8, /* numbers of a source: place and core, strength and nothing */
    PLACED = 4, /* of a point */
    PACK_GRAIN = 4096
};
static const size_t parts_bytes = (size_t)64 << 20; /* of short sums, before they are added up */

/* ---- numbers that travel ---- */

typedef struct SumPacking {
    const mote_real *const *planes;
    const int *order; /* which plane is where in a packet; -1: 0 is there */
    size_t width;
    mote_real *to;
} SumPacking;

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const SumPacking *p = context;
    (void)worker;
    for (size_t k = 0; k < p->width; ++k) {
        const mote_real *from = p->order[k] >= 0 ? p->planes[p->order[k]] : NULL;
        for (size_t i = begin; i < end; ++i) p->to[i * p->width + k] = from != NULL ? from[i] : 0;
    }
}

/* Packets of `count` rows go to a buffer. False: no memory. */
static bool put_packed(const InduceRequest *r, SumBuffer buffer, const SumPacking *packing,
                       size_t count)
{
    SumDevice *d = r->device;
    SumPacking p = *packing;
    const size_t bytes = count * p.width * sizeof *p.to;
    const ArenaMark mark = arena_mark(r->arena);
    p.to = arena_take(r->arena, bytes);
    if (p.to == NULL) return false;
    mote_parallel_for(r->tasks, count, PACK_GRAIN, pack_body, &p);
    device_reserve(d->device, &d->buffers[buffer], bytes);
    device_put(d->device, &d->buffers[buffer], 0, p.to, bytes);
    arena_rewind(r->arena, mark);
    return true;
}

static bool put_sources(const InduceRequest *r, const Sources *sources)
{
    static const int order[PACKED] = {
        0, 1, 2, SOURCE_CORE2, SOURCE_ALPHA, SOURCE_ALPHA + 1, SOURCE_ALPHA + 2, -1};
    const SumPacking packing = {.planes = sources->plane, .order = order, .width = PACKED};
    return put_packed(r, SUM_BUFFER_SOURCES, &packing, sources->count);
}

/* Vortons that feel each other are there already. */
static bool are_sources(const InduceRequest *r)
{
    bool same = r->count <= r->sources.count;
    for (int c = 0; c < 3; ++c) same = same && r->x[c] == r->sources.plane[SOURCE_X + c];
    return same;
}

static bool put_places(const InduceRequest *r)
{
    static const int order[PLACED] = {0, 1, 2, -1};
    const SumPacking packing = {.planes = r->x, .order = order, .width = PLACED};
    return are_sources(r) || put_packed(r, SUM_BUFFER_PLACES, &packing, r->count);
}

/* All planes come back at once. */
static bool get_planes(const SumTask *task)
{
    const InduceRequest *r = task->request;
    SumDevice *d = r->device;
    const size_t planes = (size_t)induce_planes(r->quantity), plane = task->count;
    const ArenaMark mark = arena_mark(r->arena);
    mote_real *all = arena_take(r->arena, planes * plane * sizeof *all);
    if (all == NULL) return false;
    device_get(d->device, &d->buffers[SUM_BUFFER_OUT], 0, all, planes * plane * sizeof *all);
    for (size_t p = 0; p < planes && device_is_well(d->device); ++p)
        memcpy(task->out[p], all + p * plane, plane * sizeof *all);
    arena_rewind(r->arena, mark);
    return true;
}

/* ---- all sources at all points ---- */

enum { LINE_LEAST = 2, LINE_MOST = 5 };

/* As take the least time for a line of so many points: an item's share of a pair, about 10
 * operations, is done once for its points, and 45 for each; the last item of a line may have points
 * that are not there. */
static uint32_t points_of_line(size_t line)
{
    uint32_t best = LINE_LEAST;
    size_t least = SIZE_MAX;
    for (uint32_t k = LINE_LEAST; k <= LINE_MOST; ++k) {
        const size_t time = (line + k - 1) / k * (10 + 45 * k);
        if (time < least) least = time, best = k;
    }
    return best;
}

/* Elsewhere a card has two: they share what is loaded. Gradients take too many registers for that.
 */
static SumKind kind_of(const InduceRequest *r)
{
    SumKind kind = {.core = r->core, .quantity = r->quantity, .points = 1};
    kind.in_lines = r->line > 0 && r->quantity == QUANTITY_VELOCITY;
    if (kind.in_lines)
        kind.points = points_of_line(r->line);
    else if (mote_device_info(r->device->device)->gpu && r->quantity != QUANTITY_GRADIENT)
        kind.points = 2;
    return kind;
}

typedef struct AllSums {
    const SumProgram *program;
    AllLaw law;
    uint32_t group, sums; /* work-items of a group; short sums in all */
} AllSums;

static AllSums all_sums(const InduceRequest *r, const SumProgram *program)
{
    const size_t points = program->kind.points, line = program->kind.in_lines ? r->line : r->count;
    const size_t items = (line + points - 1) / points * (r->count / line);
    const uint32_t group = mote_device_info(r->device->device)->gpu ? 128 : 64;
    return (AllSums){.program = program,
                     .law = {.sources = (uint32_t)r->sources.count,
                             .points = (uint32_t)r->count,
                             .stride = are_sources(r) ? PACKED / 4 : PLACED / 4,
                             .line = (uint32_t)line,
                             .blocks = (uint32_t)((items + group - 1) / group)},
                     .group = group,
                     .sums = (uint32_t)((r->sources.count + SUM_SOURCES - 1) / SUM_SOURCES)};
}

/* As many short sums at a time as there is room for. */
static void launch_all(const InduceRequest *r, AllSums *all)
{
    SumDevice *d = r->device;
    const size_t numbers = (size_t)induce_planes(r->quantity) * r->count;
    const size_t bytes = numbers * sizeof(mote_real), fit = parts_bytes / bytes;
    uint32_t at_once = fit < 1 ? 1 : fit < all->sums ? (uint32_t)fit : all->sums;
    const SumBuffer places = are_sources(r) ? SUM_BUFFER_SOURCES : SUM_BUFFER_PLACES;
    device_reserve(d->device, &d->buffers[SUM_BUFFER_PARTS], at_once * bytes);
    device_reserve(d->device, &d->buffers[SUM_BUFFER_OUT], bytes);
    const DeviceBuffer *b = d->buffers;
    for (all->law.first = 0; all->law.first < all->sums; all->law.first += at_once) {
        const uint32_t left = all->sums - all->law.first;
        at_once = left < at_once ? left : at_once;
        device_launch(d->device, all->program->all, (size_t)at_once * all->law.blocks * all->group,
                      all->group,
                      DEVICE_ARGUMENTS(DEVICE_VALUE(all->law), DEVICE_MEMORY(b[SUM_BUFFER_SOURCES]),
                                       DEVICE_MEMORY(b[places]),
                                       DEVICE_MEMORY(b[SUM_BUFFER_PARTS])));
        device_launch(d->device, all->program->add_all, numbers, all->group,
                      DEVICE_ARGUMENTS(DEVICE_VALUE(all->law), DEVICE_VALUE(at_once),
                                       DEVICE_MEMORY(b[SUM_BUFFER_PARTS]),
                                       DEVICE_MEMORY(b[SUM_BUFFER_OUT])));
    }
}

bool sum_all_there(const SumTask *task)
{
    const InduceRequest *r = task->request;
    const SumKind kind = kind_of(r);
    const SumProgram *program = sum_program(r->device, &kind);
    if (program == NULL || !put_sources(r, &r->sources) || !put_places(r)) return false;
    AllSums all = all_sums(r, program);
    launch_all(r, &all);
    r->device->pairs += (uint64_t)r->sources.count * r->count;
    return get_planes(task);
}
