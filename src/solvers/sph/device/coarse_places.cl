/* The coarse grid of an incompressible liquid: what particles have for its nodes, and what nodes
 * have for particles (dfsph_coarse.c). */
enum { COARSE_RUN = 8 }; /* places one after another, mostly of one cell */

static void place_of(global const Real4 *flow, uint32_t i, mote_real x[3])
{
    const Real4 a = flow[i];
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

/* Of every cell: its particles, in units of 1 / COARSE_ONE. */
kernel void coarse_count(CoarseLaw g, global const Real4 *flow, uint32_t points,
                         global int64_t *counts)
{
    const uint32_t begin = get_global_id(0) * COARSE_RUN;
    uint32_t last = 0;
    int64_t run = 0;
    for (uint32_t i = begin; i < begin + COARSE_RUN && i < points; ++i) {
        mote_real x[3];
        place_of(flow, i, x);
        const uint32_t cell = coarse_cell(&g, x);
        if (cell != last && run > 0) {
            atom_add(&counts[last], run);
            run = 0;
        }
        last = cell, run += COARSE_ONE;
    }
    if (run > 0) atom_add(&counts[last], run);
}

/* The largest of what holds particles, and of what they want. */
kernel void coarse_largest(mote_real least, mote_real dt2, uint32_t points,
                           global const Real4 *flow, global const mote_real *excess,
                           global const mote_real *stiffness, global int64_t *parts)
{
    local mote_real all[2][COARSE_GROUP];
    const uint32_t own = get_local_id(0);
    mote_real held = 0, wanted = 0;
    for (uint32_t i = get_global_id(0); i < points; i += get_global_size(0)) {
        const bool free = coarse_is_free(least, flow[i].w, excess[i]);
        const mote_real amount = fabs(free ? excess[i] / dt2 : stiffness[i]);
        wanted = free && amount > wanted ? amount : wanted;
        held = !free && amount > held ? amount : held;
    }
    all[0][own] = held, all[1][own] = wanted;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own > 1) return;
    mote_real largest = 0;
    for (int k = 0; k < COARSE_GROUP; ++k)
        largest = all[own][k] > largest ? all[own][k] : largest;
    most_of(&parts[own], (double)largest);
}

/* What is held, and wanted, at the corners of a cell. */
typedef struct Deposit {
    int64_t held[8], wanted[8];
} Deposit;

static void add_deposit(global int64_t *parts, uint32_t nodes, const uint32_t node[8],
                        const Deposit *d)
{
    for (int a = 0; a < 8; ++a) {
        if (d->held[a] != 0) atom_add(&parts[2 + node[a]], d->held[a]);
        if (d->wanted[a] != 0) atom_add(&parts[2 + nodes + node[a]], d->wanted[a]);
    }
}

/* parts: both largest; what is held by node, what is wanted. */
kernel void coarse_deposit(CoarseLaw g, mote_real least, mote_real dt2, uint32_t points,
                           double particles, global const Real4 *flow,
                           global const mote_real *excess, global const mote_real *stiffness,
                           global int64_t *parts)
{
    const uint32_t begin = get_global_id(0) * COARSE_RUN;
    const uint32_t nodes = g.nodes[0] * g.nodes[1] * g.nodes[2];
    const double scale[2] = {coarse_scale(as_double(parts[0]), particles),
                             coarse_scale(as_double(parts[1]), particles)};
    uint32_t at[8];
    Deposit d;
    for (uint32_t i = begin; i < begin + COARSE_RUN && i < points; ++i) {
        mote_real x[3];
        place_of(flow, i, x);
        const CoarsePlace p = coarse_place(&g, x);
        if (i == begin || p.node[0] != at[0]) {
            if (i > begin) add_deposit(parts, nodes, at, &d);
            for (int a = 0; a < 8; ++a) at[a] = p.node[a], d.held[a] = d.wanted[a] = 0;
        }
        const bool free = coarse_is_free(least, flow[i].w, excess[i]);
        const double amount = (free ? scale[1] : scale[0]) *
                              (double)(free ? excess[i] / dt2 : stiffness[i]);
        for (int a = 0; a < 8 && fabs(amount) < HUGE_VAL; ++a) {
            const int64_t share = coarse_share(p.weight[a], amount);
            d.held[a] += free ? 0 : share, d.wanted[a] += free ? share : 0;
        }
    }
    if (begin < points) add_deposit(parts, nodes, at, &d);
}

kernel void coarse_spread(CoarseLaw g, mote_real least, uint32_t points,
                          global const mote_real *excess, global const double *nodes,
                          global Real4 *flow)
{
    const uint32_t i = get_global_id(0);
    const size_t first = (size_t)COARSE_PRESSURE * g.nodes[0] * g.nodes[1] * g.nodes[2];
    if (i >= points || !coarse_is_free(least, flow[i].w, excess[i])) return;
    mote_real x[3];
    double more = 0;
    place_of(flow, i, x);
    const CoarsePlace p = coarse_place(&g, x);
    for (int a = 0; a < 8; ++a) more += p.weight[a] * nodes[first + p.node[a]];
    flow[i].w = coarse_lifted(flow[i].w, more, least);
}
