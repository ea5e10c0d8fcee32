/* The direct sum on a device (device/sums.cl). */
#include "solvers/vortex/device.h"

#include "solvers/vortex/formulas/sum_law.h"

#include <string.h>

/* ---- numbers that travel ---- */

void sum_pack_sources(const mote_real *const planes[SOURCE_PLANES], size_t begin, size_t end,
                      mote_real *to)
{
    static const int order[] = {SOURCE_X,     SOURCE_X + 1,     SOURCE_X + 2,    SOURCE_CORE2,
                                SOURCE_ALPHA, SOURCE_ALPHA + 1, SOURCE_ALPHA + 2};
    for (size_t k = 0; k < SOURCE_PLANES; ++k) {
        const mote_real *from = planes[order[k]];
        for (size_t i = begin; i < end; ++i) to[(i - begin) * PACKED_SOURCE + k] = from[i];
    }
    for (size_t i = begin; i < end; ++i) to[(i - begin) * PACKED_SOURCE + SOURCE_PLANES] = 0;
}

typedef struct SumPacking {
    const mote_real *const *planes;
    mote_real *to;
} SumPacking;

static void sources_body(void *context, size_t begin, size_t end, int worker)
{
    const SumPacking *p = context;
    (void)worker;
    sum_pack_sources(p->planes, begin, end, p->to + begin * PACKED_SOURCE);
}

static void places_body(void *context, size_t begin, size_t end, int worker)
{
    const SumPacking *p = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        for (size_t c = 0; c < 3; ++c) p->to[i * PACKED_PLACE + c] = p->planes[c][i];
        p->to[i * PACKED_PLACE + 3] = 0;
    }
}

/* Planes of `count` rows go to a buffer. */
static bool put_packed(const InduceRequest *r, SumBuffer buffer, const mote_real *const *planes,
                       size_t count)
{
    SumDevice *d = r->device;
    const bool are_places = buffer == SUM_BUFFER_PLACES;
    const size_t bytes = count * (are_places ? PACKED_PLACE : PACKED_SOURCE) * sizeof(mote_real);
    const ArenaMark mark = arena_mark(r->arena);
    SumPacking p = {planes, arena_take(r->arena, bytes)};
    if (p.to == NULL) return false;
    mote_parallel_for(r->tasks, count, PACK_GRAIN, are_places ? places_body : sources_body, &p);
    device_reserve(d->device, &d->buffers[buffer], bytes);
    device_put(d->device, &d->buffers[buffer], 0, p.to, bytes);
    arena_rewind(r->arena, mark);
    return true;
}

bool sum_put_places(const InduceRequest *r, const mote_real *const x[3], size_t count)
{
    return put_packed(r, SUM_BUFFER_PLACES, x, count);
}

/* All planes at once. */
bool sum_get_planes(const SumTask *task)
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
    if (r->line > 0 && r->quantity == QUANTITY_VELOCITY) kind.form = SUM_LINES;
    if (kind.form == SUM_LINES)
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
    const bool lines = program->kind.form == SUM_LINES;
    const size_t points = program->kind.points, line = lines ? r->line : r->count;
    const size_t items = (line + points - 1) / points * (r->count / line);
    const uint32_t group = mote_device_info(r->device->device)->gpu ? 128 : 64;
    return (AllSums){.program = program,
                     .law = {.sources = (uint32_t)r->sources.count,
                             .points = (uint32_t)r->count,
                             .stride = induces_itself(r) ? PACKED_SOURCE / 4 : PACKED_PLACE / 4,
                             .line = (uint32_t)line,
                             .blocks = (uint32_t)((items + group - 1) / group)},
                     .group = group,
                     .sums = (uint32_t)((r->sources.count + SUM_SOURCES - 1) / SUM_SOURCES)};
}

/* As many short sums at a time as there is room for. */
static void launch_all(const InduceRequest *r, AllSums *all)
{
    SumDevice *d = r->device;
    const uint32_t planes = (uint32_t)induce_planes(r->quantity);
    const size_t numbers = planes * r->count;
    const size_t bytes = numbers * sizeof(mote_real), fit = sum_parts_bytes / bytes;
    uint32_t at_once = fit < 1 ? 1 : fit < all->sums ? (uint32_t)fit : all->sums;
    const SumBuffer places = induces_itself(r) ? SUM_BUFFER_SOURCES : SUM_BUFFER_PLACES;
    device_reserve(d->device, &d->buffers[SUM_BUFFER_PARTS], at_once * bytes);
    device_reserve(d->device, &d->buffers[SUM_BUFFER_OUT], bytes);
    const DeviceBuffer *b = d->buffers;
    for (all->law.first = 0; all->law.first < all->sums; all->law.first += at_once) {
        const uint32_t left = all->sums - all->law.first;
        at_once = left < at_once ? left : at_once;
        device_launch(d->device, all->program->sum, (size_t)at_once * all->law.blocks * all->group,
                      all->group,
                      DEVICE_ARGUMENTS(DEVICE_VALUE(all->law), DEVICE_MEMORY(b[SUM_BUFFER_SOURCES]),
                                       DEVICE_MEMORY(b[places]),
                                       DEVICE_MEMORY(b[SUM_BUFFER_PARTS])));
        device_launch(d->device, d->add_all, numbers, all->group,
                      DEVICE_ARGUMENTS(DEVICE_VALUE(all->law), DEVICE_VALUE(planes),
                                       DEVICE_VALUE(at_once), DEVICE_MEMORY(b[SUM_BUFFER_PARTS]),
                                       DEVICE_MEMORY(b[SUM_BUFFER_OUT])));
    }
}

bool sum_all_there(const SumTask *task)
{
    const InduceRequest *r = task->request;
    const SumKind kind = kind_of(r);
    const SumProgram *program = sum_program(r->device, &kind);
    if (program == NULL) return false;
    if (!put_packed(r, SUM_BUFFER_SOURCES, r->sources.plane, r->sources.count)) return false;
    if (!induces_itself(r) && !sum_put_places(r, r->x, r->count)) return false;
    AllSums all = all_sums(r, program);
    launch_all(r, &all);
    r->device->pairs += (uint64_t)r->sources.count * r->count;
    return sum_get_planes(task);
}
