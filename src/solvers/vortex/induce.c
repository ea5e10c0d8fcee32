/* The tables of cores and of methods of induction; the direct sum, and the choice by size. */
#include "solvers/vortex/device.h"
#include "solvers/vortex/formulas/sum_law.h"

/* ---- cores ---- */

#define CORE_EXTERN(row, name) ISA_EXTERN(CoreRow, row)
CORE_ROWS(CORE_EXTERN)
ISA_ROW_TABLE(core_rows, CORE_ROWS)
CORE_FLAT_ROWS(CORE_EXTERN)
ISA_ROW_TABLE(core_flat_rows, CORE_FLAT_ROWS)

const CoreRow *core_row(Isa isa, int number)
{
    size_t count;
    return (const CoreRow *)core_rows(isa, &count)[number];
}

const CoreRow *core_row_of(Isa isa, int number, bool flat)
{
    size_t count;
    return flat ? (const CoreRow *)core_flat_rows(isa, &count)[number] : core_row(isa, number);
}

/* ---- methods ---- */

/* With a thousand vortons so many points take 15 us: worth handing out, and a thousand points keep
 * sixteen workers busy. Depends on nothing: bits do not depend on who sums what. */
enum { POINTS_PER_TASK = 32 };

/* Where the tree overtakes the direct sum: pairs of sources and points. Both must be large: a tree
 * over few sources has nothing far, and over few points its building is not paid for. */
#define TREE_PAIRS 4e8
enum { TREE_SOURCES = 8000 };

static const InduceRow *const rows[] = {
#define INDUCE_ADDRESS(row, name) &row,
    INDUCE_ROWS(INDUCE_ADDRESS)};

const InduceRow *induce_row(int number)
{
    return rows[number];
}

InduceKernel *induce_kernel(const CoreRow *core, Quantity quantity)
{
    InduceKernel *const kernels[] = {core->velocity, core->gradient, core->potential};
    return kernels[quantity];
}

int induce_planes(Quantity quantity)
{
    static const int planes[] = {INDUCE_VELOCITY, INDUCE_GRADIENT, INDUCE_POTENTIAL};
    return planes[quantity];
}

/* ---- loops, and what is done beside ---- */

typedef struct WithSide {
    const SideJob *side;
    size_t count, grain;
    mote_TaskBody *body;
    void *context;
} WithSide;

static void with_side_body(void *context, size_t begin, size_t end, int worker)
{
    const WithSide *w = context;
    for (size_t piece = begin; piece < end; ++piece) {
        if (piece < w->side->parts) {
            w->side->run(w->side->context, piece);
            continue;
        }
        const size_t first = (piece - w->side->parts) * w->grain, left = w->count - first;
        w->body(w->context, first, first + (left < w->grain ? left : w->grain), worker);
    }
}

void induce_for(const InduceRequest *request, size_t count, size_t grain, mote_TaskBody *body,
                void *context)
{
    SideJob *side = request->side;
    if (side == NULL || side->done) {
        mote_parallel_for(request->tasks, count, grain, body, context);
        return;
    }
    WithSide with = {side, count, grain, body, context};
    const size_t pieces = (count + grain - 1) / grain;
    mote_parallel_for(request->tasks, side->parts + pieces, 1, with_side_body, &with);
    side->done = true;
}

void side_job_finish(SideJob *side)
{
    if (side == NULL || side->done) return;
    for (size_t part = 0; part < side->parts; ++part) side->run(side->context, part);
    side->done = true;
}

/* ---- direct sum ---- */

static void direct_body(void *context, size_t begin, size_t end, int worker)
{
    const InduceRequest *request = context;
    InduceKernel *kernel = induce_kernel(request->core, request->quantity);
    InduceJob job = {.count = end - begin};
    (void)worker;
    for (int c = 0; c < 3; ++c) job.x[c] = request->x[c] + begin;
    for (int p = 0; p < induce_planes(request->quantity); ++p) {
        job.out[p] = request->out[p] + begin;
        for (size_t i = 0; i < job.count; ++i) job.out[p][i] = 0;
    }
    for (size_t first = 0; first < request->sources.count; first += SUM_SOURCES) {
        size_t left = request->sources.count - first;
        job.sources =
            sources_part(&request->sources, first, left < SUM_SOURCES ? left : SUM_SOURCES);
        kernel(&job);
    }
}

/* Nodes of a grid come in lines along z, and about a third of each pair's arithmetic does not
 * depend on z. */
static void line_body(void *context, size_t begin, size_t end, int worker)
{
    const InduceRequest *r = context;
    (void)worker;
    for (size_t line = begin; line < end; ++line) {
        size_t at = line * r->line;
        LineJob job = {.x = r->x[0][at], .y = r->x[1][at], .z = r->x[2] + at, .count = r->line};
        for (int c = 0; c < INDUCE_VELOCITY; ++c) {
            job.out[c] = r->out[c] + at;
            for (size_t i = 0; i < r->line; ++i) job.out[c][i] = 0;
        }
        for (size_t first = 0; first < r->sources.count; first += SUM_SOURCES) {
            size_t left = r->sources.count - first;
            job.sources = sources_part(&r->sources, first, left < SUM_SOURCES ? left : SUM_SOURCES);
            r->core->line(&job);
        }
    }
}

static void sum_here(const SumTask *task, mote_real *const *out)
{
    InduceRequest request = *task->request;
    for (int p = 0; p < induce_planes(request.quantity); ++p) request.out[p] = out[p];
    if (request.line > 0 && request.quantity == QUANTITY_VELOCITY) {
        size_t grain = POINTS_PER_TASK / request.line;
        induce_for(&request, request.count / request.line, grain > 0 ? grain : 1, line_body,
                   &request);
    } else {
        induce_for(&request, request.count, POINTS_PER_TASK, direct_body, &request);
    }
}

static bool sum_at(const InduceRequest *request)
{
    return sum_somewhere(&(SumTask){.request = request,
                                    .out = request->out,
                                    .count = request->count,
                                    .here = sum_here,
                                    .there = sum_all_there});
}

/* At a rank's own points, in whole tasks or lines; then all tell each other. */
static bool direct(const InduceRequest *request)
{
    const bool lines = request->line > 0 && request->quantity == QUANTITY_VELOCITY;
    if (!share_deals(request)) return sum_at(request);
    const size_t *bounds = share_bounds(request, lines ? request->line : POINTS_PER_TASK);
    if (bounds != NULL) {
        const size_t *own = bounds + request->share->ranks->own;
        InduceRequest part = *request;
        part.count = own[1] - own[0];
        for (int c = 0; c < 3; ++c) part.x[c] += own[0];
        for (int p = 0; p < induce_planes(request->quantity); ++p) part.out[p] += own[0];
        if (!sum_at(&part)) bounds = NULL;
    }
    return share_planes(request, request->out, bounds);
}

const InduceRow induce_direct = {
    .head = {.name = "direct", .doc = "every vorton at every point, exact"},
    .induce = direct,
};

/* ---- the choice ---- */

static bool by_size(const InduceRequest *request)
{
    double pairs = (double)request->sources.count * (double)request->count;
    bool large = request->sources.count > TREE_SOURCES && pairs > TREE_PAIRS;
    return (large ? &induce_tree : &induce_direct)->induce(request);
}

const InduceRow induce_auto = {
    .head = {.name = "auto", .doc = "direct up to about 8000 vortons, tree above"},
    .induce = by_size,
};
