/* Barycentric Lagrange treecode: a cell's strengths are dealt out to a lattice of Chebyshev points
 * of its box by polynomial interpolation of the kernel, so any core works, and the far field is the
 * same sum over sources as the near one. Wang, Krasny and Tlupova, Commun. Comput. Phys. 28, 2020;
 * Berrut and Trefethen, SIAM Rev. 46, 2004. With one point an edge it is the tree of Barnes and Hut
 * (Nature 324, 1986): all strength at the centre weighted by strength. */
#include "solvers/vortex/proxies.h"

#include "base/loop.h"
#include "base/math.h"

ISA_KERNELS(proxy_kernels, ProxyKernels, vortex_proxy_kernels)

/* A box without extent along an axis gets a little, so that the points differ. */
#define LEAST_HALF ((mote_real)1e-3)

/* Chebyshev points of the second kind, cos(k pi / (n - 1)), lie on the faces of the box too:
 * children's lattices are inside of their parent's, and interpolation is never extrapolation. */
static ProxyLattice lattice_of(const TreeCell *cell, int order)
{
    ProxyLattice lattice = {.order = order};
    mote_real least = LEAST_HALF * tree_radius(cell);
    for (int c = 0; c < 3; ++c) {
        mote_real half = cell->half[c] > least ? cell->half[c] : least;
        for (int k = 0; k < order; ++k) {
            mote_real turn = (mote_real)(3.14159265358979323846 * k / (order - 1));
            lattice.point[c][k] = cell->center[c] + half * real_cos(turn);
        }
    }
    return lattice;
}

static mote_real strength(const Sources *s, size_t j)
{
    mote_real sum = 0;
    for (int c = 0; c < 3; ++c)
        sum += s->plane[SOURCE_ALPHA + c][j] * s->plane[SOURCE_ALPHA + c][j];
    return REAL_SQRT(sum);
}

/* Mean of a plane over a cell's vortons, weighted by strength. Cells of no strength at all have a
 * plain mean, so that they have a place. */
static mote_real weighted_mean(const Sources *s, int plane)
{
    double sum = 0, weight = 0, plain = 0;
    for (size_t j = 0; j < s->count; ++j) {
        double w = (double)strength(s, j), value = (double)s->plane[plane][j];
        sum += w * value, weight += w, plain += value;
    }
    return (mote_real)(weight > 0 ? sum / weight : plain / (double)s->count);
}

/* What a cell's own lattice takes its strengths from: vortons, or the children's lattices. */
static Sources stand_in(const Proxies *p, size_t cell)
{
    Sources s = {.count = p->per_cell};
    for (int k = 0; k < SOURCE_PLANES; ++k) s.plane[k] = p->plane[k] + cell * p->per_cell;
    return s;
}

bool proxies_stand_for(const Proxies *p, const TreeCell *cell)
{
    return cell->count > p->per_cell;
}

Sources proxies_of(const Proxies *p, size_t cell)
{
    const TreeCell *c = &p->tree->cells[cell];
    if (!proxies_stand_for(p, c)) return sources_part(&p->vortons, c->first, c->count);
    return stand_in(p, cell);
}

/* Strengths go up from children's lattices to the parent's by the same interpolation: a level costs
 * as much as its cells, not as all vortons under them. Cores of a cell become their mean, since far
 * away a core shows only in the tail of q. */
static void fill_lattice(const Proxies *p, const TreeCell *cell, size_t at)
{
    ProxyLattice lattice = lattice_of(cell, p->order);
    Sources own = sources_part(&p->vortons, cell->first, cell->count);
    mote_real core2 = weighted_mean(&own, SOURCE_CORE2);
    mote_real *alpha[3];
    int n = p->order;
    for (int k = 0; k < n * n * n; ++k) {
        p->plane[SOURCE_X][at + (size_t)k] = lattice.point[0][k / (n * n)];
        p->plane[SOURCE_X + 1][at + (size_t)k] = lattice.point[1][k / n % n];
        p->plane[SOURCE_X + 2][at + (size_t)k] = lattice.point[2][k % n];
        p->plane[SOURCE_CORE2][at + (size_t)k] = core2;
        for (int c = 0; c < 3; ++c) p->plane[SOURCE_ALPHA + c][at + (size_t)k] = 0;
    }
    for (int c = 0; c < 3; ++c) alpha[c] = p->plane[SOURCE_ALPHA + c] + at;
    for (int child = 0; child < cell->child_count; ++child) {
        Sources s = proxies_of(p, cell->child + (size_t)child);
        p->kernels->deal(&lattice, &s, alpha);
    }
    if (cell->child_count == 0) p->kernels->deal(&lattice, &own, alpha);
}

static void fill_center(const Proxies *p, const TreeCell *cell, size_t at)
{
    Sources own = sources_part(&p->vortons, cell->first, cell->count);
    for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (size_t j = 0; j < own.count; ++j) sum += (double)own.plane[SOURCE_ALPHA + c][j];
        p->plane[SOURCE_ALPHA + c][at] = (mote_real)sum;
        p->plane[SOURCE_X + c][at] = weighted_mean(&own, SOURCE_X + c);
    }
    p->plane[SOURCE_CORE2][at] = weighted_mean(&own, SOURCE_CORE2);
}

/* A level costs the same whether it has one cell or a thousand: few cells are pieces by themselves.
 */
enum { PIECES_A_LEVEL = 64, SOURCES_PER_TASK = 1024 };

typedef struct LevelWork {
    const Proxies *proxies;
    size_t first; /* cell */
} LevelWork;

static void level_body(void *context, size_t begin, size_t end, int worker)
{
    const LevelWork *work = context;
    const Proxies *p = work->proxies;
    (void)worker;
    for (size_t i = work->first + begin; i < work->first + end; ++i) {
        const TreeCell *cell = &p->tree->cells[i];
        if (!proxies_stand_for(p, cell)) continue;
        (p->order > 1 ? fill_lattice : fill_center)(p, cell, i * p->per_cell);
    }
}

/* Children before parents: cells stand level by level. */
static void fill_levels(const Proxies *p, mote_Tasks *tasks)
{
    size_t end = p->tree->cell_count;
    while (end > 0) {
        size_t first = end - 1;
        int level = p->tree->cells[first].level;
        while (first > 0 && p->tree->cells[first - 1].level == level) --first;
        LevelWork work = {p, first};
        mote_parallel_for(tasks, end - first, (end - first) / PIECES_A_LEVEL + 1, level_body,
                          &work);
        end = first;
    }
}

typedef struct SourceSort {
    const InduceRequest *request;
    const Tree *tree;
    mote_real *sorted[SOURCE_PLANES];
} SourceSort;

static void sort_body(void *context, size_t begin, size_t end, int worker)
{
    const SourceSort *s = context;
    (void)worker;
    for (int k = 0; k < SOURCE_PLANES; ++k)
        for (size_t i = begin; i < end; ++i)
            s->sorted[k][i] = s->request->sources.plane[k][s->tree->order[i]];
}

/* In the tree's order a cell is one run of every plane. */
static bool sort_vortons(Proxies *p, const InduceRequest *request)
{
    SourceSort s = {.request = request, .tree = p->tree};
    p->vortons.count = p->tree->count;
    for (int k = 0; k < SOURCE_PLANES; ++k) {
        s.sorted[k] = arena_take(request->arena, p->tree->count * sizeof *s.sorted[k]);
        if (s.sorted[k] == NULL) return false;
        p->vortons.plane[k] = s.sorted[k];
    }
    mote_parallel_for(request->tasks, p->tree->count, SOURCES_PER_TASK, sort_body, &s);
    return true;
}

bool proxies_build(Proxies *p, const Tree *tree, const InduceRequest *request)
{
    size_t order = (size_t)request->tree.order;
    *p = (Proxies){.tree = tree,
                   .kernels = proxy_kernels(isa_pick()),
                   .order = (int)order,
                   .per_cell = order * order * order};
    if (!sort_vortons(p, request)) return false;
    for (int k = 0; k < SOURCE_PLANES; ++k) {
        p->plane[k] =
            arena_take(request->arena, tree->cell_count * p->per_cell * sizeof(mote_real));
        if (p->plane[k] == NULL) return false;
    }
    fill_levels(p, request->tasks);
    return true;
}
