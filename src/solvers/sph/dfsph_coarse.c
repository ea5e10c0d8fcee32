/* Pressures of long waves on a coarse grid: what particles tell each other in many iterations, a
 * grid of about four spacings knows at once.
 *
 * With trilinear functions f_I of the grid's nodes, q = sum_I Q_I f_I, the operator -div grad of
 * the pressures becomes
 *     K_IJ = sum_i grad f_I . grad f_J,   summed over particles: their number in a cell times the
 *                                         mean of the product over the cell,
 * so walls are where particles end. Particles that are held at pressure 0 (free surfaces) take
 * their stiffness into the diagonal. Solved by conjugate gradients, roughly.
 *
 * Reference: two-level methods, Trottenberg, Oosterlee and Schueller 2001. */
#include "solvers/sph/dfsph_coarse.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, MOST_NODES = 1 << 16, MOST_STEPS = 60, CELLS_ACROSS = 2 };

static const double near_enough = 0.03; /* of the residual */

typedef struct CoarseCell {
    uint32_t node[8];
    double particles;
} CoarseCell;

struct Coarse {
    bool flat, wraps[3];
    uint32_t cells[3], nodes[3];
    double origin[3], inverse[3];
    size_t node_count, cell_count;
    CoarseCell *used; /* cells with particles */
    double product[8][8];
    /* by node: */
    double *wanted, *held, *diagonal, *pressure, *left, *way, *answer;
    double *parts; /* of wanted and held, summed by PARTS tasks */
    Flow *flow;
};

/* ---- the grid ---- */

static void choose_axis(Coarse *g, const Cells *cells, int c, uint32_t across)
{
    double period = (double)cells->space.period[c], edge = across / (double)cells->inverse[c];
    g->wraps[c] = period > 0;
    g->origin[c] = (double)cells->origin[c];
    g->cells[c] = g->wraps[c] ? cells->side[c] / across : (cells->side[c] + across - 1) / across;
    if (g->cells[c] == 0) g->cells[c] = 1;
    g->nodes[c] = g->wraps[c] ? g->cells[c] : g->cells[c] + 1;
    g->inverse[c] = g->wraps[c] ? g->cells[c] / period : 1 / edge;
    if (c == 2 && g->flat) g->cells[c] = g->nodes[c] = 1, g->inverse[c] = 0;
}

static void choose_grid(Coarse *g, const Cells *cells)
{
    for (uint32_t across = CELLS_ACROSS;; across *= 2) {
        for (int c = 0; c < 3; ++c) choose_axis(g, cells, c, across);
        double count = (double)g->nodes[0] * g->nodes[1] * g->nodes[2];
        if (count <= MOST_NODES || across > 1u << 20) break;
    }
    g->node_count = (size_t)g->nodes[0] * g->nodes[1] * g->nodes[2];
}

/* Means over a cell of the products of gradients of its corners' functions. */
static void set_product(Coarse *g)
{
    for (int a = 0; a < 8; ++a)
        for (int b = 0; b < 8; ++b) {
            g->product[a][b] = 0;
            for (int along = 0; along < 3; ++along) {
                double term = g->inverse[along] * g->inverse[along];
                for (int c = 0; c < 3; ++c) {
                    bool same = ((a ^ b) >> c & 1) == 0, low = ((a | b) >> c & 1) == 0;
                    double mean = c == 2 && g->flat ? (low ? 1 : 0) : same ? 1.0 / 3 : 1.0 / 6;
                    term *= c != along ? mean : same ? 1 : -1;
                }
                g->product[a][b] += term;
            }
        }
}

static uint32_t node_of(const Coarse *g, const uint32_t cell[3], int corner)
{
    uint32_t at[3];
    for (int c = 0; c < 3; ++c) {
        at[c] = cell[c] + (uint32_t)(corner >> c & 1);
        if (at[c] >= g->nodes[c]) at[c] = g->wraps[c] ? 0 : g->nodes[c] - 1;
    }
    return (at[2] * g->nodes[1] + at[1]) * g->nodes[0] + at[0];
}

/* Where a particle is: its cell's corners, and their weights. */
typedef struct CoarsePlace {
    uint32_t cell[3];
    double weight[8];
} CoarsePlace;

static CoarsePlace place_of(const Coarse *g, const mote_real *const x[3], size_t i)
{
    CoarsePlace p;
    double share[3];
    for (int c = 0; c < 3; ++c) {
        double at = c == 2 && g->flat ? 0 : ((double)x[c][i] - g->origin[c]) * g->inverse[c];
        at = at > 0 ? at : 0;
        p.cell[c] = at < g->cells[c] ? (uint32_t)at : g->cells[c] - 1;
        share[c] = at - p.cell[c] < 1 ? at - p.cell[c] : 1;
    }
    for (int a = 0; a < 8; ++a)
        p.weight[a] = ((a & 1) != 0 ? share[0] : 1 - share[0]) *
                      ((a & 2) != 0 ? share[1] : 1 - share[1]) *
                      ((a & 4) != 0 ? share[2] : 1 - share[2]);
    return p;
}

static void count_particles(Coarse *g, const SphStep *step, uint32_t *count)
{
    const size_t cells = (size_t)g->cells[0] * g->cells[1] * g->cells[2];
    memset(count, 0, cells * sizeof *count);
    for (size_t i = 0; i < step->cells.placed; ++i) {
        uint32_t at[3];
        for (int c = 0; c < 3; ++c) {
            double x = c == 2 && g->flat ? 0 : ((double)step->x[c][i] - g->origin[c]);
            x *= g->inverse[c];
            at[c] = !(x > 0) ? 0 : x < g->cells[c] ? (uint32_t)x : g->cells[c] - 1;
        }
        ++count[(at[2] * g->cells[1] + at[1]) * g->cells[0] + at[0]];
    }
    g->cell_count = 0;
    for (size_t k = 0; k < cells; ++k) {
        const uint32_t at[3] = {(uint32_t)(k % g->cells[0]),
                                (uint32_t)(k / g->cells[0] % g->cells[1]),
                                (uint32_t)(k / g->cells[0] / g->cells[1])};
        if (count[k] == 0) continue;
        CoarseCell *cell = &g->used[g->cell_count++];
        cell->particles = count[k];
        for (int a = 0; a < 8; ++a) cell->node[a] = node_of(g, at, a);
    }
}

Coarse *coarse_make(const Flow *flow)
{
    const SphStep *step = flow->step;
    Arena *arena = step->outer->arena;
    Coarse *g = arena_take(arena, sizeof *g);
    if (g == NULL) return NULL;
    *g = (Coarse){.flat = step->flat};
    choose_grid(g, &step->cells);
    set_product(g);
    size_t n = g->node_count, cells = (size_t)g->cells[0] * g->cells[1] * g->cells[2];
    double **const planes[] = {&g->wanted, &g->held, &g->diagonal, &g->pressure,
                               &g->left,   &g->way,  &g->answer};
    bool room = true;
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; ++k) {
        *planes[k] = arena_take(arena, n * sizeof(double));
        room = room && *planes[k] != NULL;
    }
    g->parts = arena_take(arena, PARTS * 2 * n * sizeof(double));
    g->used = arena_take(arena, cells * sizeof *g->used);
    uint32_t *count = arena_take(arena, cells * sizeof *count);
    if (!room || g->parts == NULL || g->used == NULL || count == NULL) return NULL;
    count_particles(g, step, count);
    return g;
}

/* ---- from particles to nodes and back ---- */

static bool is_free(const FlowInput *in, size_t i)
{
    return in->flow[i].q > in->least || in->excess[i] > 0;
}

static void part_body(void *context, size_t begin, size_t end, int worker)
{
    Coarse *g = context;
    const SphStep *step = g->flow->step;
    const FlowInput *in = &g->flow->in;
    (void)worker;
    for (size_t part = begin; part < end; ++part) {
        double *wanted = g->parts + 2 * part * g->node_count, *held = wanted + g->node_count;
        size_t first = step->cells.placed * part / PARTS,
               last = step->cells.placed * (part + 1) / PARTS;
        memset(wanted, 0, 2 * g->node_count * sizeof *wanted);
        for (size_t i = first; i < last; ++i) {
            CoarsePlace p = place_of(g, step->x, i);
            const bool is = is_free(in, i);
            double *to = is ? wanted : held;
            const double amount = (double)(is ? in->excess[i] / in->dt2 : in->stiffness[i]);
            for (int a = 0; a < 8; ++a) to[node_of(g, p.cell, a)] += p.weight[a] * amount;
        }
    }
}

static void collect(Coarse *g)
{
    mote_parallel_for(g->flow->step->outer->tasks, PARTS, 1, part_body, g);
    for (size_t n = 0; n < g->node_count; ++n) {
        g->wanted[n] = g->held[n] = 0;
        for (size_t part = 0; part < PARTS; ++part) {
            g->wanted[n] += g->parts[2 * part * g->node_count + n];
            g->held[n] += g->parts[(2 * part + 1) * g->node_count + n];
        }
    }
}

/* Without a free surface pressures are known but for a constant: what would change it is left out.
 */
static void level(Coarse *g)
{
    double held = 0, wanted = 0, particles = 0;
    for (size_t n = 0; n < g->node_count; ++n) held += g->held[n], wanted += g->wanted[n];
    if (held > 0) return;
    for (size_t k = 0; k < g->cell_count; ++k) particles += g->used[k].particles;
    for (size_t k = 0; k < g->cell_count; ++k)
        for (int a = 0; a < 8; ++a)
            g->wanted[g->used[k].node[a]] -= wanted * g->used[k].particles / (8 * particles);
}

static void spread_body(void *context, size_t begin, size_t end, int worker)
{
    const Coarse *g = context;
    const SphStep *step = g->flow->step;
    const FlowInput *in = &g->flow->in;
    (void)worker;
    for (size_t i = begin; i < end && i < step->cells.placed; ++i) {
        if (!is_free(in, i)) continue;
        CoarsePlace p = place_of(g, step->x, i);
        double more = 0;
        for (int a = 0; a < 8; ++a) more += p.weight[a] * g->pressure[node_of(g, p.cell, a)];
        mote_real q = in->flow[i].q + (mote_real)more;
        in->flow[i].q = q > in->least ? q : in->least;
    }
}

/* ---- conjugate gradients on the nodes ---- */

static void multiply(const Coarse *g, const double *x, double *y)
{
    for (size_t n = 0; n < g->node_count; ++n) y[n] = g->held[n] * x[n];
    for (size_t k = 0; k < g->cell_count; ++k) {
        const CoarseCell *cell = &g->used[k];
        double corner[8];
        for (int a = 0; a < 8; ++a) corner[a] = cell->particles * x[cell->node[a]];
        for (int a = 0; a < 8; ++a) {
            double sum = 0;
            for (int b = 0; b < 8; ++b) sum += g->product[a][b] * corner[b];
            y[cell->node[a]] += sum;
        }
    }
}

static void set_diagonal(Coarse *g)
{
    for (size_t n = 0; n < g->node_count; ++n) g->diagonal[n] = g->held[n];
    for (size_t k = 0; k < g->cell_count; ++k)
        for (int a = 0; a < 8; ++a)
            g->diagonal[g->used[k].node[a]] += g->used[k].particles * g->product[a][a];
}

static double divided(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void solve(Coarse *g)
{
    const size_t n = g->node_count;
    double product = 0, first = 0;
    set_diagonal(g);
    for (size_t i = 0; i < n; ++i) {
        g->pressure[i] = 0, g->left[i] = g->wanted[i];
        g->way[i] = divided(g->left[i], g->diagonal[i]);
        product += g->left[i] * g->way[i];
    }
    first = product;
    for (int k = 0; k < MOST_STEPS && product > near_enough * near_enough * first; ++k) {
        double curve = 0, next = 0;
        multiply(g, g->way, g->answer);
        for (size_t i = 0; i < n; ++i) curve += g->way[i] * g->answer[i];
        if (!(curve > 0)) return;
        for (size_t i = 0; i < n; ++i) {
            g->pressure[i] += product / curve * g->way[i];
            g->left[i] -= product / curve * g->answer[i];
            next += g->left[i] * divided(g->left[i], g->diagonal[i]);
        }
        for (size_t i = 0; i < n; ++i)
            g->way[i] = divided(g->left[i], g->diagonal[i]) + next / product * g->way[i];
        product = next;
    }
}

void coarse_mend(Coarse *g, Flow *flow)
{
    g->flow = flow;
    collect(g);
    level(g);
    solve(g);
    mote_parallel_for(flow->step->outer->tasks, flow->step->rows, FLOW_PLACES_PER_TASK, spread_body,
                      g);
}
