/* The coarse grid of an incompressible liquid (dfsph_coarse.c): where a particle is in it, and what
 * it has for it.
 *
 * Formulas: they include nothing, and are compiled for the processor and for devices
 * (device/coarse_places.cl), to the same bits. */
#ifndef SOLVERS_SPH_FORMULAS_COARSE_H
#define SOLVERS_SPH_FORMULAS_COARSE_H

typedef struct CoarseLaw {
    double origin[3], inverse[3]; /* m, 1/m */
    uint32_t cells[3], nodes[3];
    uint32_t wraps[3]; /* axes that are periodic */
    uint32_t flat;
} CoarseLaw;

/* On a device: planes of nodes, and work-items of a group. */
typedef enum CoarsePlane {
    COARSE_WANTED,
    COARSE_HELD,
    COARSE_DIAGONAL,
    COARSE_PRESSURE,
    COARSE_LEFT,
    COARSE_WAY, /* of even steps, and of odd ones; each step's comes of the last one's */
    COARSE_WAY_ODD,
    COARSE_REST, /* what is left over the diagonal */
    COARSE_ANSWER,
    COARSE_PLANES
} CoarsePlane;
enum { COARSE_GROUP = 128 };

/* Counts are whole numbers of 1/s in these units, because sums of whole numbers have no order. */
enum { COARSE_ONE = 1 << 16 };

enum { COARSE_STEPS = 60 }; /* of conjugate gradients, at most */

/* What a device keeps of them: residuals by step, the sum of what is wanted, and three sums a
 * layer.
 */
enum { COARSE_SUMS = COARSE_STEPS + 2 };

/* Where they end, as a share of the residual: it is a correction of long waves alone, and the next
 * iterations on particles mend what it leaves. */
#define COARSE_NEAR 0.03

static inline uint32_t coarse_cell_of(const CoarseLaw *g, int c, double at)
{
    return !(at > 0) ? 0 : at < g->cells[c] ? (uint32_t)at : g->cells[c] - 1;
}

/* Where x is along an axis, in cells. */
static inline double coarse_along(const CoarseLaw *g, int c, mote_real x)
{
    return c == 2 && g->flat ? 0 : ((double)x - g->origin[c]) * g->inverse[c];
}

static inline uint32_t coarse_cell(const CoarseLaw *g, const mote_real x[3])
{
    uint32_t at[3];
    for (int c = 0; c < 3; ++c) at[c] = coarse_cell_of(g, c, coarse_along(g, c, x[c]));
    return (at[2] * g->cells[1] + at[1]) * g->cells[0] + at[0];
}

/* The nodes at a cell's corners. */
static inline void coarse_corners(const CoarseLaw *g, const uint32_t cell[3], uint32_t node[8])
{
    uint32_t along[3][2], stride = 1;
    for (int c = 0; c < 3; ++c) {
        const uint32_t next = cell[c] + 1;
        along[c][0] = stride * cell[c];
        along[c][1] = stride * (next < g->nodes[c] ? next : g->wraps[c] ? 0 : g->nodes[c] - 1);
        stride *= g->nodes[c];
    }
    for (int a = 0; a < 8; ++a) node[a] = along[0][a & 1] + along[1][a >> 1 & 1] + along[2][a >> 2];
}

/* Where a particle is: its cell, and the weights of the cell's corners. */
typedef struct CoarseSpot {
    uint32_t cell[3];
    double weight[8];
} CoarseSpot;

/* The same with the corners. */
typedef struct CoarsePlace {
    uint32_t node[8];
    double weight[8];
} CoarsePlace;

/* f_I at a particle: products of shares along the axes. */
static inline CoarseSpot coarse_spot(const CoarseLaw *g, const mote_real x[3])
{
    CoarseSpot p;
    double low[3], high[3];
    for (int c = 0; c < 3; ++c) {
        double at = coarse_along(g, c, x[c]);
        at = at > 0 ? at : 0;
        p.cell[c] = coarse_cell_of(g, c, at);
        high[c] = at - p.cell[c] < 1 ? at - p.cell[c] : 1;
        low[c] = 1 - high[c];
    }
    const double xy[4] = {low[0] * low[1], high[0] * low[1], low[0] * high[1], high[0] * high[1]};
    for (int a = 0; a < 4; ++a) p.weight[a] = xy[a] * low[2], p.weight[4 + a] = xy[a] * high[2];
    return p;
}

static inline CoarsePlace coarse_place(const CoarseLaw *g, const mote_real x[3])
{
    const CoarseSpot spot = coarse_spot(g, x);
    CoarsePlace p;
    coarse_corners(g, spot.cell, p.node);
    for (int a = 0; a < 8; ++a) p.weight[a] = spot.weight[a];
    return p;
}

/* It is not held at the least pressure. */
static inline bool coarse_is_free(mote_real least, mote_real q, mote_real excess)
{
    return q > least || excess > 0;
}

/* Amounts become whole numbers, whose sums have no order: as large as all of them in one node
 * allow, so that they have more than 40 bits of the largest for a million particles. */
static inline double coarse_scale(double largest, double particles)
{
    int exponent, bits;
    (void)frexp(largest, &exponent);
    (void)frexp(particles, &bits);
    return largest > 0 && largest < HUGE_VAL ? ldexp(1.0, 62 - bits - exponent) : 0;
}

static inline int64_t coarse_share(double weight, double amount)
{
    return (int64_t)(weight * amount);
}

/* Means over a cell of the products of gradients of its corners' functions. Of trilinear functions
 * the mean along an axis is 1/3 for the same end and 1/6 for the other, and of slopes +-1 over the
 * cell's edge: the mass and stiffness matrices of finite elements. */
static inline double coarse_product(const CoarseLaw *g, int a, int b)
{
    double product = 0;
    for (int along = 0; along < 3; ++along) {
        double term = g->inverse[along] * g->inverse[along];
        for (int c = 0; c < 3; ++c) {
            const bool same = ((a ^ b) >> c & 1) == 0, low = ((a | b) >> c & 1) == 0;
            const double mean = c == 2 && g->flat ? (low ? 1 : 0) : same ? 1.0 / 3 : 1.0 / 6;
            term *= c != along ? mean : same ? 1 : -1;
        }
        product += term;
    }
    return product;
}

static inline double coarse_divided(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static inline mote_real coarse_lifted(mote_real q, double more, mote_real least)
{
    const mote_real sum = q + (mote_real)more;
    return sum > least ? sum : least;
}

#endif
