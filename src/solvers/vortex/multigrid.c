/* A V-cycle with red-black sweeps (Brandt 1977; Trottenberg, Oosterlee and Schueller, Multigrid,
 * 2001, 2.5): two sweeps, the residual by full weighting to a mesh of half as many cells, its
 * solution added by trilinear interpolation, two sweeps. The published form solves the whole
 * problem on every mesh and forgets what the coarser ones found. */
#include "solvers/vortex/poisson.h"

#include <string.h>

/* V(2,2): a cycle makes the residual smaller by a factor above seven, which a test holds. SLABS
 * planes of nodes are a task. */
enum { MOST_LEVELS = 12, SWEEPS = 2, COARSE_SWEEPS = 50, SLABS = 4 };

typedef struct GridLevel {
    size_t n[3], stride[2]; /* nodes; from a node to the next along the first two axes */
    double h2;
    double *a, *r;
    const double *b;
} GridLevel;

typedef struct Multigrid {
    GridLevel level[MOST_LEVELS];
    int count;
    mote_Tasks *tasks;
} Multigrid;

/* A pass over the inner planes of a level. */
typedef struct LevelPass {
    const GridLevel *level, *coarse;
    int colour;
} LevelPass;

static size_t node_of(const GridLevel *l, size_t i, size_t j, size_t k)
{
    return i * l->stride[0] + j * l->stride[1] + k;
}

static size_t level_nodes(const GridLevel *l)
{
    return l->n[0] * l->n[1] * l->n[2];
}

static double neighbours(const GridLevel *l, const double *a, size_t at)
{
    return a[at - l->stride[0]] + a[at + l->stride[0]] + a[at - l->stride[1]] +
           a[at + l->stride[1]] + a[at - 1] + a[at + 1];
}

/* All neighbours of a node have the other colour: within a colour nodes may be done in any order,
 * by any thread, and the bits are the same. a = (sum of the six neighbours + h^2 b) / 6 is
 * Gauss-Seidel for the seven-point Laplacian. */
static void sweep_body(void *context, size_t begin, size_t end, int worker)
{
    const LevelPass *p = context;
    const GridLevel *l = p->level;
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (size_t j = 1; j + 1 < l->n[1]; ++j)
            for (size_t k = 1 + ((i + j + (size_t)p->colour) & 1); k + 1 < l->n[2]; k += 2) {
                const size_t at = node_of(l, i, j, k);
                l->a[at] = (neighbours(l, l->a, at) + l->h2 * l->b[at]) / 6;
            }
}

/* r = b + lap a, which is 0 when lap a = - b. */
static void residual_body(void *context, size_t begin, size_t end, int worker)
{
    const LevelPass *p = context;
    const GridLevel *l = p->level;
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (size_t j = 1; j + 1 < l->n[1]; ++j)
            for (size_t k = 1; k + 1 < l->n[2]; ++k) {
                const size_t at = node_of(l, i, j, k);
                l->r[at] = l->b[at] + (neighbours(l, l->a, at) - 6 * l->a[at]) / l->h2;
            }
}

/* Full weighting: 1/8 of the node in the middle, and half as much with every step aside. After a
 * sweep the colour that came last has no residual: taking nodes as they are would see either none
 * of it or twice as much. */
static void restrict_body(void *context, size_t begin, size_t end, int worker)
{
    const LevelPass *p = context;
    const GridLevel *f = p->level, *c = p->coarse;
    double *b = (double *)(uintptr_t)c->b;
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (size_t j = 1; j + 1 < c->n[1]; ++j)
            for (size_t k = 1; k + 1 < c->n[2]; ++k) {
                double sum = 0;
                for (int n = 0; n < 27; ++n) {
                    const int s[3] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
                    const int aside = (s[0] != 0) + (s[1] != 0) + (s[2] != 0);
                    const size_t at = node_of(f, 2 * i + (size_t)s[0], 2 * j + (size_t)s[1],
                                              2 * k + (size_t)s[2]);
                    sum += f->r[at] / (double)(8 << aside);
                }
                b[node_of(c, i, j, k)] = sum;
            }
}

/* Trilinear: nodes in between get the mean of those around. Added to what the fine mesh has: the
 * coarse one solved for the error, not for the solution. */
static void prolong_body(void *context, size_t begin, size_t end, int worker)
{
    const LevelPass *p = context;
    const GridLevel *f = p->level, *c = p->coarse;
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (size_t j = 1; j + 1 < f->n[1]; ++j)
            for (size_t k = 1; k + 1 < f->n[2]; ++k) {
                double sum = 0;
                for (size_t n = 0; n < 8; ++n)
                    sum += c->a[node_of(c, (i + (n & 1)) / 2, (j + (n >> 1 & 1)) / 2,
                                        (k + (n >> 2 & 1)) / 2)];
                f->a[node_of(f, i, j, k)] += sum / 8;
            }
}

static void run_pass(const Multigrid *m, const LevelPass *pass, const GridLevel *over,
                     void (*body)(void *, size_t, size_t, int))
{
    mote_parallel_for(m->tasks, over->n[0] - 2, SLABS, body, (void *)(uintptr_t)pass);
}

static void sweep(const Multigrid *m, int k, int times)
{
    for (int n = 0; n < 2 * times; ++n)
        run_pass(m, &(LevelPass){.level = &m->level[k], .colour = n % 2}, &m->level[k], sweep_body);
}

static void cycle(const Multigrid *m, int k)
{
    const GridLevel *l = &m->level[k];
    if (k + 1 == m->count) {
        sweep(m, k, COARSE_SWEEPS);
        return;
    }
    const LevelPass pass = {.level = l, .coarse = &m->level[k + 1]};
    sweep(m, k, SWEEPS);
    run_pass(m, &pass, l, residual_body);
    run_pass(m, &pass, pass.coarse, restrict_body);
    memset(pass.coarse->a, 0, level_nodes(pass.coarse) * sizeof(double));
    cycle(m, k + 1);
    run_pass(m, &pass, l, prolong_body);
    sweep(m, k, SWEEPS);
}

static double root_mean_square(const GridLevel *l, const double *plane)
{
    double sum = 0;
    for (size_t k = 0; k < level_nodes(l); ++k) sum += plane[k] * plane[k];
    return __builtin_sqrt(sum / (double)level_nodes(l));
}

static bool add_level(Multigrid *m, const size_t n[3], double side, const PoissonJob *job)
{
    const int k = m->count++;
    GridLevel *l = &m->level[k];
    *l = (GridLevel){.n = {n[0], n[1], n[2]}, .stride = {n[1] * n[2], n[2]}, .h2 = side * side};
    const size_t bytes = level_nodes(l) * sizeof(double);
    l->a = k == 0 ? job->a : arena_take(job->arena, bytes);
    l->b = k == 0 ? job->b : arena_take(job->arena, bytes);
    l->r = arena_take(job->arena, bytes);
    if (l->a == NULL || l->b == NULL || l->r == NULL) return false;
    memset(l->r, 0, bytes);
    if (k > 0) memset((void *)(uintptr_t)l->b, 0, bytes);
    return true;
}

/* Halved as long as every axis has an odd number of nodes, so that those of a coarse mesh are nodes
 * of the fine one, ends included; a coarsest mesh that stays large is why it gets many sweeps. */
static bool make_levels(Multigrid *m, const PoissonJob *job)
{
    size_t n[3] = {job->nodes[0], job->nodes[1], job->nodes[2]};
    double side = job->side;
    for (;;) {
        if (!add_level(m, n, side, job)) return false;
        bool halves = m->count < MOST_LEVELS;
        for (int c = 0; c < 3; ++c) halves = halves && n[c] % 2 == 1 && n[c] > 3;
        if (!halves) return true;
        for (int c = 0; c < 3; ++c) n[c] = n[c] / 2 + 1;
        side *= 2;
    }
}

bool poisson_solve(const PoissonJob *job, PoissonReport *report)
{
    Multigrid m = {.tasks = job->tasks};
    *report = (PoissonReport){.slowest = 1e30};
    if (!make_levels(&m, job)) return false;
    const GridLevel *l = &m.level[0];
    const LevelPass pass = {.level = l};
    const double whole = root_mean_square(l, job->b);
    run_pass(&m, &pass, l, residual_body);
    double before = root_mean_square(l, l->r);
    if (!(whole > 0 || before > 0)) return true;
    do {
        cycle(&m, 0);
        run_pass(&m, &pass, l, residual_body);
        const double now = root_mean_square(l, l->r);
        if (report->cycles++ > 0 && before / now < report->slowest) report->slowest = before / now;
        before = now;
        report->residual = now / whole;
    } while (report->residual > job->tolerance && report->cycles < job->most_cycles);
    return true;
}
