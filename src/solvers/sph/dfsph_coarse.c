/* Pressures of long waves on a coarse grid: what particles tell each other in many iterations, a
 * grid of about four spacings knows at once.
 *
 * With trilinear functions f_I of the grid's nodes, q = sum_I Q_I f_I, the operator -div grad of
 * the pressures becomes
 *     K_IJ = sum_i grad f_I . grad f_J / s_i,   summed over particles: their number in a cell, of
 *                                               light ones more, times the mean of the product
 *                                               over the cell,
 * so walls are where particles end. Particles that are held at pressure 0 (free surfaces) take
 * their stiffness into the diagonal. Solved by conjugate gradients, roughly.
 *
 * Reference: two-level methods, Trottenberg, Oosterlee and Schueller 2001. */
#include "solvers/sph/dfsph_coarse.h"
#include "solvers/sph/ghosts.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    MOST_PARTS = 8,
    PLACES_PER_TASK = 512,
    MOST_NODES = 1 << 16,
    CELLS_ACROSS = 2,
    NODES_PER_TASK = 2048
};

/* ---- the grid ---- */

static void choose_axis(Coarse *g, const Cells *cells, int c, uint32_t across)
{
    double period = (double)cells->space.period[c], edge = across / (double)cells->inverse[c];
    g->law.wraps[c] = period > 0;
    g->law.origin[c] = (double)cells->anchor[c] + (double)cells->low[c] * (double)cells->edge[c];
    g->law.cells[c] =
        g->law.wraps[c] ? cells->side[c] / across : (cells->side[c] + across - 1) / across;
    if (g->law.cells[c] == 0) g->law.cells[c] = 1;
    g->law.nodes[c] = g->law.wraps[c] ? g->law.cells[c] : g->law.cells[c] + 1;
    g->law.inverse[c] = g->law.wraps[c] ? g->law.cells[c] / period : 1 / edge;
    if (c == 2 && g->law.flat) g->law.cells[c] = g->law.nodes[c] = 1, g->law.inverse[c] = 0;
}

Cells coarse_window(const SphStep *step)
{
    Cells all = step->cells;
    double ends[6];
    for (int c = 0; c < 3; ++c) {
        const double low = (double)all.low[c];
        const bool any = step->rows > 0;
        ends[c] = any ? -low : -HUGE_VAL;
        ends[3 + c] = any ? low + (double)all.side[c] : -HUGE_VAL;
    }
    ghosts_most(step, ends, 6);
    for (int c = 0; c < 3 && step->ghosts != NULL; ++c) {
        all.low[c] = (mote_real)-ends[c];
        all.side[c] = (uint32_t)(ends[3 + c] + ends[c]);
    }
    return all;
}

static void choose_grid(Coarse *g, const Cells *cells)
{
    for (uint32_t across = CELLS_ACROSS;; across *= 2) {
        for (int c = 0; c < 3; ++c) choose_axis(g, cells, c, across);
        double count = (double)g->law.nodes[0] * g->law.nodes[1] * g->law.nodes[2];
        if (count <= MOST_NODES || across > 1u << 20) break;
    }
    g->node_count = (size_t)g->law.nodes[0] * g->law.nodes[1] * g->law.nodes[2];
}

static void set_product(Coarse *g)
{
    for (int a = 0; a < 8; ++a)
        for (int b = 0; b < 8; ++b) g->product[a][b] = coarse_product(&g->law, a, b);
}

static CoarseSpot spot_of(const Coarse *g, const SphStep *step, size_t i)
{
    const mote_real x[3] = {step->x[0][i], step->x[1][i], step->x[2][i]};
    return coarse_spot(&g->law, x);
}

/* Particles one after another are in one cell, as a rule: its corners are found once. */
typedef struct Corners {
    bool known;
    uint32_t cell[3], node[8];
} Corners;

static bool are_corners(const Corners *c, const uint32_t cell[3])
{
    return c->known && cell[0] == c->cell[0] && cell[1] == c->cell[1] && cell[2] == c->cell[2];
}

static void turn_to(const Coarse *g, const uint32_t cell[3], Corners *c)
{
    c->known = true;
    for (int k = 0; k < 3; ++k) c->cell[k] = cell[k];
    coarse_corners(&g->law, cell, c->node);
}

typedef struct CountWork {
    const Coarse *g;
    const SphStep *step;
    _Atomic int64_t *count; /* by cell, of 1/s */
} CountWork;

/* 1/s as a whole number; that of one liquid is COARSE_ONE. */
static int64_t count_of(const SphStep *step, size_t i)
{
    return (int64_t)((double)sph_light(step, i) * COARSE_ONE + 0.5);
}

/* Particles one after another are in one cell, as a rule. Counts have no order. */
static void count_body(void *context, size_t begin, size_t end, int worker)
{
    const CountWork *work = context;
    const Coarse *g = work->g;
    const mote_real *const *planes = work->step->x;
    uint32_t last = 0;
    int64_t run = 0;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        if (!ghosts_own(work->step, i)) continue;
        const mote_real x[3] = {planes[0][i], planes[1][i], planes[2][i]};
        const uint32_t cell = coarse_cell(&g->law, x);
        if (cell != last && run > 0) {
            atomic_fetch_add_explicit(&work->count[last], run, memory_order_relaxed);
            run = 0;
        }
        last = cell, run += count_of(work->step, i);
    }
    if (run > 0) atomic_fetch_add_explicit(&work->count[last], run, memory_order_relaxed);
}

static void note_cells(Coarse *g, const int64_t *count)
{
    uint32_t at[3];
    g->cell_count = 0, g->light = 0;
    for (at[2] = 0; at[2] < g->law.cells[2]; ++at[2]) {
        g->layer[at[2]] = (uint32_t)g->cell_count;
        for (at[1] = 0; at[1] < g->law.cells[1]; ++at[1])
            for (at[0] = 0; at[0] < g->law.cells[0]; ++at[0], ++count) {
                if (*count == 0) continue;
                CoarseCell *cell = &g->used[g->cell_count++];
                cell->particles = (double)*count / COARSE_ONE;
                g->light += cell->particles;
                coarse_corners(&g->law, at, cell->node);
            }
    }
    g->layer[g->law.cells[2]] = (uint32_t)g->cell_count;
}

static size_t cells_of(const Coarse *g)
{
    return (size_t)g->law.cells[0] * g->law.cells[1] * g->law.cells[2];
}

void coarse_count(Coarse *g, const SphStep *step)
{
    CountWork work = {g, step, (_Atomic int64_t *)g->count};
    memset(g->count, 0, cells_of(g) * sizeof *g->count);
    mote_parallel_for(step->outer->tasks, step->cells.placed, PLACES_PER_TASK, count_body, &work);
    ghosts_add(step, g->count, cells_of(g));
    note_cells(g, g->count);
}

Coarse *coarse_make(const Flow *flow, const Cells *window)
{
    const SphStep *step = flow->step;
    Arena *arena = step->outer->arena;
    Coarse *g = arena_take(arena, sizeof *g);
    if (g == NULL) return NULL;
    *g = (Coarse){.law.flat = step->flat};
    choose_grid(g, window);
    set_product(g);
    size_t n = g->node_count, cells = cells_of(g);
    double **const planes[] = {&g->wanted, &g->held, &g->diagonal, &g->pressure,
                               &g->left,   &g->way,  &g->answer};
    bool room = true;
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; ++k) {
        *planes[k] = arena_take(arena, n * sizeof(double));
        room = room && *planes[k] != NULL;
    }
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    g->part_count = workers < MOST_PARTS ? workers : MOST_PARTS;
    g->parts = arena_take(arena, g->part_count * 2 * n * sizeof *g->parts);
    g->largest = arena_take(arena, 2 * workers * sizeof *g->largest);
    g->used = arena_take(arena, cells * sizeof *g->used);
    g->layer = arena_take(arena, (g->law.cells[2] + 1) * sizeof *g->layer);
    g->sums = arena_take(arena, g->law.nodes[2] * sizeof *g->sums);
    g->count = arena_take(arena, cells * sizeof *g->count);
    room = room && g->parts != NULL && g->largest != NULL && g->used != NULL && g->layer != NULL &&
           g->sums != NULL;
    return room && g->count != NULL ? g : NULL;
}

/* ---- from particles to nodes and back ---- */

static bool is_free(const FlowInput *in, size_t i)
{
    return coarse_is_free(in->least, in->flow[i].q, in->excess[i]);
}

/* What a particle has for the grid: what is wanted, or what holds it. */
static double amount_of(const FlowInput *in, size_t i, bool free)
{
    return (double)(free ? in->excess[i] / in->dt2 : in->stiffness[i]);
}

static void largest_body(void *context, size_t begin, size_t end, int worker)
{
    const Coarse *g = context;
    const FlowInput *in = &g->flow->in;
    double most[2] = {0, 0};
    for (size_t i = begin; i < end; ++i) {
        if (!ghosts_own(g->flow->step, i)) continue;
        const bool free = is_free(in, i);
        const double amount = fabs(amount_of(in, i, free));
        most[free] = amount > most[free] ? amount : most[free];
    }
    for (int k = 0; k < 2; ++k) {
        double *all = &g->largest[2 * worker + k];
        *all = most[k] > *all ? most[k] : *all;
    }
}

static void set_scales(Coarse *g)
{
    const SphStep *step = g->flow->step;
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    double largest[2] = {0, 0};
    for (size_t k = 0; k < 2 * workers; ++k) g->largest[k] = 0;
    mote_parallel_for(step->outer->tasks, step->cells.placed, PLACES_PER_TASK, largest_body, g);
    for (size_t k = 0; k < 2 * workers; ++k)
        largest[k % 2] = g->largest[k] > largest[k % 2] ? g->largest[k] : largest[k % 2];
    ghosts_most(step, largest, 2);
    for (int k = 0; k < 2; ++k) g->scale[k] = coarse_scale(largest[k], (double)step->particles);
}

/* What particles of one cell have for its corners: held, and wanted. */
typedef struct CoarseDeposit {
    Corners at;
    int64_t of[2][8];
} CoarseDeposit;

static void put_down(CoarseDeposit *d, int64_t *const planes[2])
{
    for (int k = 0; k < 2 && d->at.known; ++k)
        for (int a = 0; a < 8; ++a) planes[k][d->at.node[a]] += d->of[k][a];
    memset(d->of, 0, sizeof d->of);
}

static void deposit(const Coarse *g, size_t i, CoarseDeposit *d, int64_t *const planes[2])
{
    const FlowInput *in = &g->flow->in;
    const CoarseSpot spot = spot_of(g, g->flow->step, i);
    const bool free = is_free(in, i);
    const double amount = g->scale[free] * amount_of(in, i, free);
    if (!are_corners(&d->at, spot.cell)) {
        put_down(d, planes);
        turn_to(g, spot.cell, &d->at);
    }
    if (!(fabs(amount) < HUGE_VAL)) return;
    for (int a = 0; a < 8; ++a) d->of[free][a] += coarse_share(spot.weight[a], amount);
}

/* As whole numbers, so that parts can be added in any order. */
static void part_body(void *context, size_t begin, size_t end, int worker)
{
    Coarse *g = context;
    const SphStep *step = g->flow->step;
    (void)worker;
    for (size_t part = begin; part < end; ++part) {
        int64_t *const planes[2] = {g->parts + 2 * part * g->node_count,
                                    g->parts + (2 * part + 1) * g->node_count};
        const size_t first = step->cells.placed * part / g->part_count,
                     last = step->cells.placed * (part + 1) / g->part_count;
        CoarseDeposit d = {.at.known = false};
        memset(planes[0], 0, 2 * g->node_count * sizeof *planes[0]);
        for (size_t i = first; i < last; ++i)
            if (ghosts_own(step, i)) deposit(g, i, &d, planes);
        put_down(&d, planes);
    }
}

/* All parts into the first. */
static void merge_body(void *context, size_t begin, size_t end, int worker)
{
    const Coarse *g = context;
    (void)worker;
    for (size_t part = 1; part < g->part_count; ++part)
        for (size_t n = begin; n < end; ++n) g->parts[n] += g->parts[2 * part * g->node_count + n];
}

static void collect_body(void *context, size_t begin, size_t end, int worker)
{
    Coarse *g = context;
    double *const to[2] = {g->held, g->wanted};
    (void)worker;
    for (size_t k = 0; k < 2; ++k)
        for (size_t n = begin; n < end; ++n) {
            const int64_t sum = g->parts[k * g->node_count + n];
            to[k][n] = g->scale[k] > 0 ? (double)sum / g->scale[k] : 0;
        }
}

static void collect(Coarse *g)
{
    mote_Tasks *tasks = g->flow->step->outer->tasks;
    set_scales(g);
    mote_parallel_for(tasks, g->part_count, 1, part_body, g);
    mote_parallel_for(tasks, 2 * g->node_count, NODES_PER_TASK, merge_body, g);
    ghosts_add(g->flow->step, g->parts, 2 * g->node_count);
    mote_parallel_for(tasks, g->node_count, NODES_PER_TASK, collect_body, g);
}

/* Without a free surface pressures are known but for a constant: what would change it is left out.
 */
static void level(Coarse *g)
{
    const double particles = g->light;
    double held = 0, wanted = 0;
    for (size_t n = 0; n < g->node_count; ++n) held += g->held[n], wanted += g->wanted[n];
    if (held > 0) return;
    for (size_t k = 0; k < g->cell_count; ++k)
        for (int a = 0; a < 8; ++a)
            g->wanted[g->used[k].node[a]] -= wanted * g->used[k].particles / (8 * particles);
}

static void spread_body(void *context, size_t begin, size_t end, int worker)
{
    const Coarse *g = context;
    const SphStep *step = g->flow->step;
    const FlowInput *in = &g->flow->in;
    Corners at = {.known = false};
    (void)worker;
    for (size_t i = begin; i < end && i < step->cells.placed; ++i) {
        if (!is_free(in, i)) continue;
        const CoarseSpot spot = spot_of(g, step, i);
        double more = 0;
        if (!are_corners(&at, spot.cell)) turn_to(g, spot.cell, &at);
        for (int a = 0; a < 8; ++a) more += spot.weight[a] * g->pressure[at.node[a]];
        in->flow[i].q = coarse_lifted(in->flow[i].q, more, in->least);
    }
}

void coarse_mend(Coarse *g, Flow *flow)
{
    g->flow = flow;
    collect(g);
    level(g);
    coarse_solve(g);
    ghosts_for_own(flow->step, spread_body, g);
}
