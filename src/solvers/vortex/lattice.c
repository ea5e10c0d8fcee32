/* Vortons dealt out to a lattice: every plane of nodes takes from the rows that are near, in the
 * order of their cells and then their own. */
#include "solvers/vortex/lattice.h"

#include "tasks/copy.h"

#include <string.h>

bool lattice_planes(const Lattice *lattice, Arena *arena, mote_Tasks *tasks, double *planes[3])
{
    const size_t bytes = lattice_count(lattice) * sizeof(double);
    for (int c = 0; c < 3; ++c) {
        planes[c] = arena_take(arena, bytes);
        if (planes[c] == NULL) return false;
        tasks_clear(tasks, planes[c], bytes);
    }
    return true;
}

/* A pass (a, 1 - 2 a, a) of a <= 1/4 is positive, and so is its transform 1 - 2 a + 2 a cos k. */
#define MOST_SHARE 0.5 /* of variance, in sides^2, that a pass adds */

/* A row's shares along one axis. */
typedef struct AxisShare {
    ptrdiff_t first; /* node */
    int count;
    double smooth[LATTICE_WIDE], plain[LATTICE_WIDE]; /* by M4', widened; by distance */
} AxisShare;

typedef struct Dealing {
    const Lattice *lattice;
    const LatticeDeal *deal;
    size_t *first, *order; /* rows by their cell along the first axis */
    size_t reach;          /* cells from which a plane gets something */
    double *nodes;
} Dealing;

static int passes_of(double excess)
{
    const double passes = __builtin_ceil(excess / MOST_SHARE);
    return passes < 1 ? 0 : passes < LATTICE_PASSES ? (int)passes : LATTICE_PASSES;
}

static double in_sides(const Lattice *lattice, int axis, mote_real x)
{
    return (double)x / lattice->side - (double)lattice->low[axis];
}

/* The neighbours of every node get a share. */
static void widen(double weight[LATTICE_WIDE], int count, double share)
{
    double before = 0, here = 0;
    for (int k = 0; k < count + 2; ++k) {
        const double after = k < count ? weight[k] : 0;
        weight[k] = share * (before + after) + (1 - 2 * share) * here;
        before = here, here = after;
    }
}

static AxisShare axis_share(const Lattice *lattice, int axis, mote_real x, double excess)
{
    AxisShare s = {.count = 1, .smooth = {1}, .plain = {1}};
    if (lattice->flat && axis == 2) return s;
    const double at = in_sides(lattice, axis, x), t = at - __builtin_floor(at);
    const int passes = passes_of(excess);
    s.count = M4_NODES;
    s.first = m4_weights(at, s.smooth) - passes;
    s.plain[0] = 0, s.plain[passes + 1] = 1 - t, s.plain[passes + 2] = t;
    for (int k = 0; k < passes; ++k, s.count += 2)
        widen(s.smooth, s.count, excess / (2 * (double)passes));
    return s;
}

/* What of row i goes to the plane `plane` of nodes. */
static void deal_row(const Dealing *d, size_t plane, size_t i)
{
    const Lattice *l = d->lattice;
    const double *number = d->deal->numbers + i * DEALT_NUMBERS;
    AxisShare s[LATTICE_AXES];
    for (int c = 0; c < LATTICE_AXES; ++c)
        s[c] = axis_share(l, c, d->deal->x[c][i], d->deal->excess[i]);
    const ptrdiff_t mine = (ptrdiff_t)plane - s[0].first;
    if (mine < 0 || mine >= s[0].count) return;
    for (int j = 0; j < s[1].count; ++j) {
        const size_t line = (plane * l->nodes[1] + (size_t)(s[1].first + j)) * l->nodes[2];
        const double smooth = s[0].smooth[mine] * s[1].smooth[j];
        const double plain = s[0].plain[mine] * s[1].plain[j];
        for (int k = 0; k < s[2].count; ++k) {
            double *node = d->nodes + (line + (size_t)(s[2].first + k)) * DEALT_NUMBERS;
            for (int c = 0; c < DEALT_HEAT; ++c) node[c] += smooth * s[2].smooth[k] * number[c];
            if (!(plain * s[2].plain[k] > 0)) continue;
            for (int c = DEALT_HEAT; c < DEALT_NUMBERS; ++c)
                node[c] += plain * s[2].plain[k] * number[c];
        }
    }
}

static void deal_body(void *context, size_t begin, size_t end, int worker)
{
    const Dealing *d = context;
    const size_t planes = d->lattice->nodes[0];
    (void)worker;
    const size_t size = d->lattice->nodes[1] * d->lattice->nodes[2] * DEALT_NUMBERS;
    memset(d->nodes + begin * size, 0, (end - begin) * size * sizeof *d->nodes);
    for (size_t plane = begin; plane < end; ++plane) {
        const size_t from = plane < d->reach ? 0 : plane - d->reach;
        const size_t to = plane + d->reach < planes ? plane + d->reach : planes;
        for (size_t k = d->first[from]; k < d->first[to]; ++k) deal_row(d, plane, d->order[k]);
    }
}

/* By their cells along the first axis, then in their own order. */
static void sort_rows(const Dealing *d)
{
    const size_t planes = d->lattice->nodes[0];
    const mote_real *x = d->deal->x[0];
    memset(d->first, 0, (planes + 1) * sizeof *d->first);
    for (size_t i = 0; i < d->deal->count; ++i)
        ++d->first[(size_t)in_sides(d->lattice, 0, x[i]) + 1];
    for (size_t k = 0; k < planes; ++k) d->first[k + 1] += d->first[k];
    for (size_t i = d->deal->count; i-- > 0;)
        d->order[--d->first[(size_t)in_sides(d->lattice, 0, x[i]) + 1]] = i;
    for (size_t k = 0; k < planes; ++k) d->first[k] = d->first[k + 1];
    d->first[planes] = d->deal->count;
}

static int most_passes(const LatticeDeal *deal)
{
    double excess = 0;
    for (size_t i = 0; i < deal->count; ++i)
        excess = deal->excess[i] > excess ? deal->excess[i] : excess;
    return passes_of(excess);
}

bool lattice_shape(Lattice *lattice, const LatticeDeal *deal, double most)
{
    const double margin = 2 + most_passes(deal);
    double all = 1;
    for (int c = 0; c < LATTICE_AXES; ++c) {
        double low = (double)deal->x[c][0], high = low;
        for (size_t i = 0; i < deal->count; ++i) {
            low = (double)deal->x[c][i] < low ? (double)deal->x[c][i] : low;
            high = (double)deal->x[c][i] > high ? (double)deal->x[c][i] : high;
        }
        const double first = __builtin_floor(low / lattice->side) - margin;
        const double count = __builtin_floor(high / lattice->side) + margin + 1 - first;
        const bool thin = lattice->flat && c == 2;
        if (!(first > -1e9 && count < 1e9)) return false;
        lattice->low[c] = thin ? 0 : (ptrdiff_t)first;
        lattice->nodes[c] = thin ? 1 : (size_t)count + 1;
        all *= (double)lattice->nodes[c];
    }
    return all <= most;
}

double *lattice_deal(const Lattice *lattice, const LatticeDeal *deal, Arena *arena,
                     mote_Tasks *tasks)
{
    const size_t bytes = lattice_count(lattice) * DEALT_NUMBERS * sizeof(double);
    Dealing d = {.lattice = lattice, .deal = deal, .reach = 2 + (size_t)most_passes(deal)};
    d.nodes = arena_take(arena, bytes);
    d.first = arena_take(arena, (lattice->nodes[0] + 1) * sizeof *d.first);
    d.order = arena_take(arena, (deal->count + 1) * sizeof *d.order);
    if (d.nodes == NULL || d.first == NULL || d.order == NULL) return NULL;
    sort_rows(&d);
    mote_parallel_for(tasks, lattice->nodes[0], 1, deal_body, &d);
    return d.nodes;
}
