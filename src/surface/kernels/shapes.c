/* Ellipsoids after the neighbours of a particle,
 *
 *     C = sum w (x_j - m)(x_j - m)^T / sum w,   m = sum w x_j / sum w,   w = 1 - (r / 3 d)^3,
 *     s = roots of the eigenvalues of C, none below half of the largest, over cbrt(s1 s2 s3),
 *
 * with half-axes of s times the kernel's radius. Yu and Turk, "Reconstructing surfaces of
 * particle-based fluids using anisotropic kernels", TOG 32, 2013, whose kernels grow and shrink
 * with their neighbourhood, and whose particles move to its middle: both cost volume, and here
 * neither is done. The size of C cancels: only the axes' ratios are taken from it.
 *
 * Names: `sum` holds the weighted moments (w, w x, w x x^T) about the particle itself, from which C
 * = sum w x x^T / sum w - m m^T follows (Steiner's theorem); `square` is s^2 and `inner` is A, with
 * 1 / s^2 of the kernel's radius along the axes. */
#include "base/lanes.h"
#include "surface/kernels.h"
#include "surface/near.h"

#include <string.h>

enum {
    LANES = 8,
    FEW = 25,      /* neighbours, below which kernels stay round */
    FEW_SHEET = 6, /* and below which there is no sheet */
    SWEEPS = 5,
    ROOM = 1024, /* places that are looked at at a time */
    GROUP = 8    /* cells along x of particles that share their neighbours */
};

/* Of eight particles beside each other: 0, then 3, then xx yy zz xy yz zx. */
typedef struct ShapeMoments {
    float sum[10][LANES];
    float neighbours[LANES];
} ShapeMoments;

/* Particles of one row of bins, and what is around them. */
typedef struct ShapeGroup {
    const ShapesAsked *ask;
    const uint32_t *which;
    size_t count;      /* of them */
    V8 sum[LANES][10]; /* of each of them, by lanes */
    V8 neighbours[LANES];
    float x[3][ROOM + LANES];
    size_t filled;
} ShapeGroup;

/* By pairs in a fixed order, so that every machine finds the same sum. */
static float sum8(V8 a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

static void add_moments(const ShapeGroup *g, const float at[3], V8 sum[10], V8 *neighbours)
{
    const float inverse = 1 / (g->ask->radius * g->ask->radius);
    for (size_t i = 0; i < g->filled; i += LANES) {
        V8 x[3];
        for (int k = 0; k < 3; ++k) x[k] = load8(g->x[k] + i) - at[k];
        const V8 q = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) * inverse;
        const I8 near = q < 1;
        const V8 w = (V8)((I8)(1 - q * sqrt8(q)) & near);
        *neighbours += (V8)((I8)all8(1) & near);
        sum[0] += w;
        for (int k = 0; k < 3; ++k) {
            const V8 wx = w * x[k];
            sum[1 + k] += wx;
            sum[4 + k] += wx * x[k];
            sum[7 + k] += wx * x[(k + 1) % 3];
        }
    }
}

/* Adds what is there, and begins again. */
static void empty_group(ShapeGroup *g)
{
    for (int k = 0; k < 3; ++k) /* far away, and all of it a number: nothing times it is nothing */
        for (size_t i = g->filled; i < g->filled + LANES; ++i) g->x[k][i] = 1e6f;
    for (size_t l = 0; l < g->count; ++l) {
        V8 sum[10], neighbours = g->neighbours[l];
        for (int i = 0; i < 10; ++i) sum[i] = g->sum[l][i];
        add_moments(g, g->ask->blocks->particles[g->which[l]].at, sum, &neighbours);
        for (int i = 0; i < 10; ++i) g->sum[l][i] = sum[i];
        g->neighbours[l] = neighbours;
    }
    g->filled = 0;
}

static void find_moments(ShapeGroup *g, size_t lane, ShapeMoments *m)
{
    const SurfaceParticle *all = g->ask->blocks->particles;
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = high[k] = all[g->which[0]].at[k];
    for (size_t l = 0; l < g->count; ++l)
        for (int k = 0; k < 3; ++k) {
            const float at = all[g->which[l]].at[k];
            low[k] = at < low[k] ? at : low[k], high[k] = at > high[k] ? at : high[k];
        }
    NearWalk walk = near_walk(g->ask->blocks, g->ask->block, low, high, g->ask->radius);
    for (NearRun run; near_next(&walk, &run);)
        for (size_t i = 0; i < run.count; ++i) {
            for (int k = 0; k < 3; ++k) g->x[k][g->filled] = run.particles[i].at[k] + run.shift[k];
            if (++g->filled == ROOM) empty_group(g);
        }
    empty_group(g);
    for (size_t l = 0; l < g->count; ++l) {
        for (int i = 0; i < 10; ++i) m->sum[i][lane + l] = sum8(g->sum[l][i]);
        m->neighbours[lane + l] = sum8(g->neighbours[l]) - 1;
    }
}

/* How many of the first particles stand in one row of bins, near each other. */
static size_t group_of(const ShapesAsked *ask, const uint32_t *which, size_t count)
{
    const SurfaceParticle *all = ask->blocks->particles, *first = &all[which[0]];
    const int bin = ask->blocks->bin;
    size_t n = 1;
    for (; n < count; ++n) {
        const float *at = all[which[n]].at;
        if ((int)at[1] / bin != (int)first->at[1] / bin ||
            (int)at[2] / bin != (int)first->at[2] / bin || at[0] - first->at[0] > GROUP)
            break;
    }
    return n;
}

static void all_moments(const ShapesAsked *ask, const uint32_t *which, size_t count,
                        ShapeMoments *m)
{
    for (size_t l = 0, n; l < count; l += n) {
        ShapeGroup group;
        n = group_of(ask, which + l, count - l);
        group.ask = ask, group.which = which + l, group.count = n, group.filled = 0;
        memset(group.sum, 0, sizeof group.sum);
        memset(group.neighbours, 0, sizeof group.neighbours);
        find_moments(&group, l, m);
    }
}

/* ---- axes ---- */

typedef struct ShapeAxes {
    V8 a[3][3]; /* symmetric; at last its diagonal holds the eigenvalues */
    V8 v[3][3]; /* columns are the axes */
} ShapeAxes;

/* Jacobi's rotation in the plane (p, q) that clears a[p][q]. With t = tan of its angle, the smaller
 * root of t^2 + 2 t cot(2 angle) - 1 = 0: the rotation by less than 45 degrees converges. Golub and
 * Van Loan, "Matrix computations", the symmetric Jacobi method. */
static void clear_element(ShapeAxes *axes, int p, int q)
{
    V8(*a)[3] = axes->a, off = a[p][q], d = a[q][q] - a[p][p];
    const V8 size = most8(d, -d) + sqrt8(d * d + 4 * off * off);
    const V8 sign = choose8(d < 0, all8(-1), all8(1));
    const V8 t = sign * 2 * off / most8(size, all8(1e-30f)), c = 1 / sqrt8(1 + t * t), s = t * c;
    const int r = 3 - p - q;
    a[p][p] -= t * off, a[q][q] += t * off;
    a[p][q] = a[q][p] = all8(0);
    const V8 left = a[r][p], right = a[r][q];
    a[r][p] = a[p][r] = c * left - s * right;
    a[r][q] = a[q][r] = s * left + c * right;
    for (int k = 0; k < 3; ++k) {
        const V8 x = axes->v[k][p], y = axes->v[k][q];
        axes->v[k][p] = c * x - s * y, axes->v[k][q] = s * x + c * y;
    }
}

/* Five rounds over the three elements are more than a matrix of 3 by 3 needs for single precision:
 * convergence is quadratic. */
static void find_axes(const ShapeMoments *m, ShapeAxes *axes)
{
    V8 mean[3], one = 1 / load8(m->sum[0]);
    for (int k = 0; k < 3; ++k) mean[k] = load8(m->sum[1 + k]) * one;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        axes->a[i][i] = load8(m->sum[4 + i]) * one - mean[i] * mean[i];
        axes->a[i][j] = axes->a[j][i] = load8(m->sum[7 + i]) * one - mean[i] * mean[j];
        for (int k = 0; k < 3; ++k) axes->v[i][k] = all8(i == k ? 1 : 0);
    }
    for (int n = 0; n < SWEEPS; ++n)
        clear_element(axes, 0, 1), clear_element(axes, 0, 2), clear_element(axes, 1, 2);
}

/* 1 / cbrt(x) by Newton's iteration, for x within 1/16 to 1. y <- y (4 - x y^3) / 3, for the root
 * of 1 / y^3 - x. The product of three squares of which one is 1 and none below 1/4 is within these
 * bounds. */
static V8 inverse_cbrt(V8 x)
{
    V8 y = 2.37f - x * (3.f - 1.63f * x);
    for (int i = 0; i < 5; ++i) y = y * (4 - x * y * y * y) * (1.0f / 3);
    return y;
}

/* Squares of the half-axes by the kernel's radius. 1/4: none of the half-axes is below half of the
 * longest. */
static void find_squares(const ShapeMoments *m, const ShapeAxes *axes, V8 square[3])
{
    V8 largest = most8(axes->a[0][0], most8(axes->a[1][1], axes->a[2][2])), product = all8(1);
    const I8 few = (load8(m->neighbours) < (float)FEW) | ~(largest > 0);
    for (int k = 0; k < 3; ++k) {
        square[k] = choose8(few, all8(1), most8(axes->a[k][k] / largest, all8(0.25f)));
        product *= square[k];
    }
    const V8 scale = inverse_cbrt(product);
    for (int k = 0; k < 3; ++k) square[k] *= scale;
}

/* A sheet: one half-axis would be cut off, and the others not. */
static void find_sheets(const ShapesAsked *ask, const uint32_t *which, size_t count,
                        const ShapeMoments *m, const ShapeAxes *axes)
{
    for (size_t l = 0; l < count; ++l) {
        const float e[3] = {axes->a[0][0][l], axes->a[1][1][l], axes->a[2][2][l]};
        const float most = e[0] > e[1] ? e[0] > e[2] ? e[0] : e[2] : e[1] > e[2] ? e[1] : e[2];
        int thin = 0, cut = 0;
        for (int k = 0; k < 3; ++k) {
            thin = e[k] < e[thin] ? k : thin;
            cut += e[k] < 0.25f * most;
        }
        const bool flat = cut == 1 && m->neighbours[l] >= (float)FEW_SHEET;
        for (int k = 0; k < 3; ++k)
            ask->sheets[which[l]].normal[k] = flat ? axes->v[k][thin][l] : 0;
    }
}

void ISA(find_shapes)(const ShapesAsked *ask, const uint32_t *which, size_t count);
void ISA(find_shapes)(const ShapesAsked *ask, const uint32_t *which, size_t count)
{
    ShapeMoments m = {0};
    ShapeAxes axes;
    V8 square[3], inner[6], outer[3];
    all_moments(ask, which, count, &m);
    for (size_t l = count; l < LANES; ++l) m.sum[0][l] = 1;
    find_axes(&m, &axes);
    if (ask->sheets != NULL) find_sheets(ask, which, count, &m, &axes);
    if (ask->shapes == NULL) return;
    find_squares(&m, &axes, square);
    const float kernel2 = ask->kernel * ask->kernel;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        inner[i] = inner[3 + i] = outer[i] = all8(0);
        for (int k = 0; k < 3; ++k) {
            const V8 vi = axes.v[i][k], over = 1 / (square[k] * kernel2);
            /* A = V diag(1 / s^2) V^T. */
            inner[i] += vi * vi * over;
            inner[3 + i] += vi * axes.v[j][k] * over;
            /* The ellipsoid's box: it reaches sqrt(e_i A^-1 e_i) along axis i. */
            outer[i] += vi * vi * square[k];
        }
        outer[i] = ask->kernel * sqrt8(outer[i]);
    }
    for (size_t l = 0; l < count; ++l) {
        SurfaceShape *shape = &ask->shapes[which[l]];
        for (int i = 0; i < 6; ++i) shape->inner[i] = inner[i][l];
        for (int k = 0; k < 3; ++k) shape->extent[k] = outer[k][l];
    }
}
