/* The sum over sources, once for every core: eight sources at a time at one point, in eight partial
 * sums that are added up in a fixed order, so that the bits are those of every instruction set. For
 * files compiled per instruction set.
 *
 * Numbers of sources are operands in memory, and a point's own stay in registers: about 28
 * arithmetic instructions for eight pairs, and none that only loads. What limits a core is then how
 * many instructions it has in flight, so functions of the distance take the root and the reciprocal
 * side by side and not one after the other. No approximate reciprocal root: sqrt and division are
 * exact everywhere. */
#ifndef SOLVERS_VORTEX_KERNELS_INDUCE_H
#define SOLVERS_VORTEX_KERNELS_INDUCE_H

#include "base/lanes.h"
#include "solvers/vortex/core.h"
#include "solvers/vortex/formulas/induce.h"

/* f or p of a core, from r^2 and the square of the core radius, lane by lane. */
typedef Eight CoreFunction(Eight r2, Eight core2);
/* f, and g through the pointer. */
typedef Eight CoreSlope(Eight r2, Eight core2, Eight *g);

/* The last sources of a list, filled up to eight with some of no strength at the last one's place.
 */
typedef struct LastSources {
    mote_real number[SOURCE_PLANES][8];
    Sources sources;
} LastSources;

EIGHT_INLINE void take_last(LastSources *last, const Sources *all)
{
    size_t whole = all->count / 8 * 8, rest = all->count - whole;
    last->sources.count = rest;
    if (rest == 0) return;
    for (int p = 0; p < SOURCE_PLANES; ++p) {
        bool is_strength = p >= SOURCE_ALPHA && p < SOURCE_CORE2;
        const mote_real *from = all->plane[p] + whole;
        for (size_t l = 0; l < 8; ++l)
            last->number[p][l] = l < rest ? from[l] : is_strength ? 0 : from[rest - 1];
        last->sources.plane[p] = last->number[p];
    }
}

EIGHT_INLINE EightVortons eight_sources(const Sources *s, size_t j)
{
    EightVortons v;
    for (int c = 0; c < 3; ++c) {
        v.x[c] = eight_load(s->plane[SOURCE_X + c] + j);
        v.alpha[c] = eight_load(s->plane[SOURCE_ALPHA + c] + j);
    }
    v.core2 = eight_load(s->plane[SOURCE_CORE2] + j);
    return v;
}

/* ---- eight sources at one point ---- */

EIGHT_INLINE void add_velocity(const Sources *s, size_t j, const mote_real x[3], Eight sum[3],
                               CoreFunction *f)
{
    const EightVortons v = eight_sources(s, j);
    const Separation d = separation(&v, x);
    induced_velocity(&v, d.r, f(d.r2, v.core2), sum);
}

EIGHT_INLINE void add_potential(const Sources *s, size_t j, const mote_real x[3], Eight sum[3],
                                CoreFunction *p)
{
    const EightVortons v = eight_sources(s, j);
    induced_potential(&v, p(separation(&v, x).r2, v.core2), sum);
}

EIGHT_INLINE void add_gradient(const Sources *s, size_t j, const mote_real x[3],
                               Eight sum[INDUCE_GRADIENT], CoreSlope *fg)
{
    const EightVortons v = eight_sources(s, j);
    const Separation d = separation(&v, x);
    Eight g, f = fg(d.r2, v.core2, &g);
    induced_gradient(&v, d.r, f, g, sum);
}

/* ---- all sources at all points ---- */

EIGHT_INLINE void add_lanes(const InduceJob *job, size_t point, int planes, const Eight *sum)
{
    for (int p = 0; p < planes; ++p) job->out[p][point] += INV_4_PI * eight_sum(sum[p]);
}

/* Defines a function that adds what the sources induce, `planes` numbers a point, by `add`. */
#define INDUCE_FUNCTION(name, planes, add, core_function)                                          \
    static void name(const InduceJob *job)                                                         \
    {                                                                                              \
        LastSources last;                                                                          \
        const Sources all = job->sources;                                                          \
        take_last(&last, &all);                                                                    \
        for (size_t i = 0; i < job->count; ++i) {                                                  \
            const mote_real x[3] = {job->x[0][i], job->x[1][i], job->x[2][i]};                     \
            Eight sum[planes] = {{0}};                                                             \
            for (size_t j = 0; j + 8 <= all.count; j += 8) add(&all, j, x, sum, core_function);    \
            if (last.sources.count > 0) add(&last.sources, 0, x, sum, core_function);              \
            add_lanes(job, i, planes, sum);                                                        \
        }                                                                                          \
    }

/* ---- a few sources at eight points ---- */

enum { FEW_SOURCES = 4 };

/* Some of eight numbers; the first stands in for those that are not there. */
EIGHT_INLINE Eight load_some(const mote_real *from, size_t count)
{
    if (count >= 8) return eight_load(from);
    Eight a = eight_all(from[0]);
    for (size_t l = 1; l < count; ++l) a[l] = from[l];
    return a;
}

EIGHT_INLINE void add_some(mote_real *to, size_t count, Eight a)
{
    if (count >= 8) eight_store(to, eight_load(to) + a);
    for (size_t l = 0; l < count && count < 8; ++l) to[l] += a[l];
}

/* What source j induces at eight points, times 4 pi; the squares of their distances come back. */
EIGHT_INLINE Eight from_source(const Sources *s, size_t j, const Eight x[3], Eight u[3],
                               CoreFunction *f)
{
    Eight r[3], a[3];
    for (int c = 0; c < 3; ++c) {
        r[c] = x[c] - s->plane[SOURCE_X + c][j];
        a[c] = eight_all(s->plane[SOURCE_ALPHA + c][j]);
    }
    Eight r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    Eight weight = f(r2, eight_all(s->plane[SOURCE_CORE2][j]));
    u[0] = weight * (a[1] * r[2] - a[2] * r[1]);
    u[1] = weight * (a[2] * r[0] - a[0] * r[2]);
    u[2] = weight * (a[0] * r[1] - a[1] * r[0]);
    return r2;
}

EIGHT_INLINE void add_source(const Sources *s, size_t j, const Eight x[3], Eight sum[3],
                             CoreFunction *f)
{
    Eight u[3];
    from_source(s, j, x, u, f);
    for (int c = 0; c < 3; ++c) sum[c] += u[c];
}

/* Sources that would leave most lanes without one: points are in the lanes instead. Sources are
 * added in the order of eight_sum, which had zeros for those that are not there: the same bits. */
EIGHT_INLINE void velocities_of_few(const InduceJob *job, CoreFunction *f)
{
    const Sources *s = &job->sources;
    for (size_t i = 0; i < job->count; i += 8) {
        size_t points = job->count - i;
        Eight x[3], even[3] = {{0}}, odd[3] = {{0}};
        for (int c = 0; c < 3; ++c) x[c] = load_some(job->x[c] + i, points);
        for (size_t j = 0; j < s->count; j += 2) add_source(s, j, x, even, f);
        for (size_t j = 1; j < s->count; j += 2) add_source(s, j, x, odd, f);
        for (int c = 0; c < 3; ++c)
            add_some(job->out[c] + i, points, INV_4_PI * (even[c] + odd[c]));
    }
}

/* ---- what turning bodies carry ---- */

/* The share of a turning body's drag that carries a vorton: none below one and a half times its
 * radius, all from twice it on. What is nearer is its layer, of strengths that stop the flow of the
 * body's way and know nothing of the turn. Where it is carried round and sheared all the same, the
 * walls have to make it anew in every sub-step, and what they push the body with for that grows
 * with the turn and has any sign. */
EIGHT_INLINE Eight carried_share(Eight r2, mote_real radius2)
{
    Eight beyond = 2 * (eight_sqrt(r2) / eight_sqrt(eight_all(radius2))) - 3;
    return eight_most(eight_least(beyond, eight_all(1)), eight_all(0));
}

EIGHT_INLINE void carry_points(const InduceJob *job, CoreFunction *f)
{
    const Sources *s = &job->sources;
    for (size_t i = 0; i < job->count; i += 8) {
        size_t points = job->count - i;
        Eight x[3], u[3], sum[3] = {{0}};
        for (int c = 0; c < 3; ++c) x[c] = load_some(job->x[c] + i, points);
        for (size_t j = 0; j < s->count; ++j) {
            Eight share = carried_share(from_source(s, j, x, u, f), s->plane[SOURCE_CORE2][j]);
            for (int c = 0; c < 3; ++c) sum[c] += share * (INV_4_PI * u[c]);
        }
        for (int c = 0; c < 3; ++c) add_some(job->out[c] + i, points, sum[c]);
    }
}

/* ---- all sources at a line of points ---- */

enum { LINE_POINTS = 32 }; /* at a time: their sums stay in the L1 cache */

typedef struct LineSums {
    Eight sum[LINE_POINTS][INDUCE_VELOCITY];
} LineSums;

EIGHT_INLINE void add_line(const Sources *s, size_t j, const LineJob *job, LineSums *sums,
                           CoreFunction *f)
{
    const EightVortons v = eight_sources(s, j);
    const EightColumn column = eight_column(&v, job->x, job->y);
    for (size_t k = 0; k < job->count; ++k) {
        const Separation d = column_separation(&column, job->z[k]);
        column_velocity(&column, d.r[2], f(d.r2, v.core2), sums->sum[k]);
    }
}

EIGHT_INLINE void induce_line(const LineJob *all, CoreFunction *f)
{
    LastSources last;
    LineSums sums;
    take_last(&last, &all->sources);
    for (size_t first = 0; first < all->count; first += LINE_POINTS) {
        LineJob job = *all;
        job.z += first, job.count -= first;
        if (job.count > LINE_POINTS) job.count = LINE_POINTS;
        for (size_t k = 0; k < job.count; ++k)
            for (int c = 0; c < INDUCE_VELOCITY; ++c) sums.sum[k][c] = eight_all(0);
        for (size_t j = 0; j + 8 <= all->sources.count; j += 8)
            add_line(&all->sources, j, &job, &sums, f);
        if (last.sources.count > 0) add_line(&last.sources, 0, &job, &sums, f);
        for (size_t k = 0; k < job.count; ++k)
            for (int c = 0; c < INDUCE_VELOCITY; ++c)
                all->out[c][first + k] += INV_4_PI * eight_sum(sums.sum[k][c]);
    }
}

/* ---- eight vortons and their own cells ---- */

/* Along an axis: weights of the cell's two nodes, and the way from them to where vortons were. */
typedef struct OwnAxis {
    Eight weight[2], r[2];
} OwnAxis;

EIGHT_INLINE OwnAxis own_axis(const OwnJob *job, int c, size_t i)
{
    const mote_real low = job->low[c], size = job->size[c];
    const int32_t top = job->cells[c] - 1;
    Eight at = eight_most((eight_load(job->at[c] + i) - low) / size, eight_all(0));
    at = eight_least(at, eight_all((mote_real)job->cells[c]));
    I8 cell = __builtin_convertvector(at, I8), beyond = cell > top;
    Eight node = __builtin_convertvector((cell & ~beyond) | (top & beyond), Eight), t = at - node;
    Eight from = eight_load(job->from[c] + i);
    return (OwnAxis){{1 - t, t}, {from - (low + node * size), from - (low + (node + 1) * size)}};
}

/* The kernel is odd: one sum over the nodes as sources at the vorton's place. */
EIGHT_INLINE void take_own(const OwnJob *job, CoreFunction *f)
{
    for (size_t i = 0; i < job->count; i += 8) {
        const OwnAxis x = own_axis(job, 0, i), y = own_axis(job, 1, i), z = own_axis(job, 2, i);
        const Eight core2 = eight_load(job->core2 + i);
        Eight arm[3] = {{0}, {0}, {0}};
        for (int corner = 0; corner < 8; ++corner) {
            const int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
            Eight r2 = x.r[a] * x.r[a] + y.r[b] * y.r[b] + z.r[c] * z.r[c];
            Eight weight = x.weight[a] * y.weight[b] * z.weight[c] * f(r2, core2);
            arm[0] += weight * x.r[a], arm[1] += weight * y.r[b], arm[2] += weight * z.r[c];
        }
        Eight s[3];
        for (int c = 0; c < 3; ++c) s[c] = INV_4_PI * eight_load(job->strength[c] + i);
        const Eight u[3] = {s[1] * arm[2] - s[2] * arm[1], s[2] * arm[0] - s[0] * arm[2],
                            s[0] * arm[1] - s[1] * arm[0]};
        for (int c = 0; c < 3; ++c) eight_store(job->u[c] + i, eight_load(job->u[c] + i) + u[c]);
    }
}

/* Defines functions of a core from its f and (f, g). */
#define CORE_FUNCTIONS(core)                                                                       \
    INDUCE_FUNCTION(core##_velocities_of_many, INDUCE_VELOCITY, add_velocity, core)                \
    static void core##_velocities(const InduceJob *job)                                            \
    {                                                                                              \
        if (job->sources.count <= FEW_SOURCES)                                                     \
            velocities_of_few(job, core);                                                          \
        else                                                                                       \
            core##_velocities_of_many(job);                                                        \
    }                                                                                              \
    static void core##_carry(const InduceJob *job)                                                 \
    {                                                                                              \
        carry_points(job, core);                                                                   \
    }                                                                                              \
    INDUCE_FUNCTION(core##_gradients, INDUCE_GRADIENT, add_gradient, core##_slope)                 \
    static void core##_line(const LineJob *job)                                                    \
    {                                                                                              \
        induce_line(job, core);                                                                    \
    }                                                                                              \
    static void core##_own(const OwnJob *job)                                                      \
    {                                                                                              \
        take_own(job, core);                                                                       \
    }
#define CORE_ROW(name_, core, doc_)                                                                \
    .head = {.name = #name_, .doc = doc_}, .device = #core, .velocity = core##_velocities,         \
    .gradient = core##_gradients, .line = core##_line, .own = core##_own, .carry = core##_carry

/* The row of a core from its functions CORE, CORE_slope and CORE_potential. */
#define CORE(core, doc, beta, spread)                                                              \
    CORE_FUNCTIONS(core)                                                                           \
    INDUCE_FUNCTION(core##_potentials, INDUCE_POTENTIAL, add_potential, core##_potential)          \
    const CoreRow ISA(core_##core) = {CORE_ROW(core, core, doc), .ring_constant = beta,            \
                                      .variance = spread, .potential = core##_potentials};

#endif
