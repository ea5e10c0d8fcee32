/* Adams methods: one loop over tables of weights.
 *
 * Bashforth (explicit, one evaluation): y += h sum_j b[j] f(t - j h). Moulton as predictor and
 * corrector (PECE): Bashforth of the same order predicts, then y = y0 + h (a[0] f(t + h, predicted)
 * + sum_j a[j] f(t - (j - 1) h)). The evaluation that ends PECE is the one that begins the next
 * step. Bashforth and Adams, An Attempt to Test the Theories of Capillary Action, 1883; Moulton,
 * New Methods in Exterior Ballistics, 1926. Started by steps of RK4, whose local error h^5 leaves
 * order 5 alone.
 *
 * The weights are those of Teschner's two tables. His slide "predictor-corrector methods" has 3 f(t
 * + h) - f(t) in the corrector of order 2; with that it has order 1, and the table's f(t + h) +
 * f(t) is right. */
#include "base/loop.h"
#include "integrate/integrator.h"
#include "particles/history.h"

enum { MOST_ORDER = 5 };

typedef struct Weights {
    double divisor;
    double weight[MOST_ORDER]; /* newest slope first */
} Weights;

static const Weights bashforth[MOST_ORDER + 1] = {
    [1] = {1, {1}},
    [2] = {2, {3, -1}},
    [3] = {12, {23, -16, 5}},
    [4] = {24, {55, -59, 37, -9}},
    [5] = {720, {1901, -2774, 2616, -1274, 251}},
};
static const Weights moulton[MOST_ORDER + 1] = {
    [1] = {1, {1}},
    [2] = {2, {1, 1}},
    [3] = {12, {5, 8, -1}},
    [4] = {24, {9, 19, -5, 1}},
    [5] = {720, {251, 646, -264, 106, -19}},
};

static void remember(const IntegratorRow *row, const Range *r, int planes)
{
    for (int p = 0; p < planes && row->history.entries > 0; ++p) {
        mote_real *now = history_ring(r, row->history.entries, 0, p);
        const mote_real *slope = range_derivative(r, p);
        FOR_ROWS (i, r->count) now[i] = slope[i];
    }
}

/* A plane's sum from + h (w[0] slope + w[1] s1 + ...), where s1 and on are remembered. Compilers
 * see the order as a constant, so that one pass over the rows takes all terms. */
typedef struct AdamsSum {
    mote_real weight[MOST_ORDER];
    const mote_real *from, *slope[MOST_ORDER];
} AdamsSum;

INLINE AdamsSum sum_of(const Range *r, const Weights *w, int order, int back, int plane)
{
    AdamsSum sum = {.slope = {range_derivative(r, plane)}};
    sum.from = back > 0 ? range_state(r, plane) : range_scratch(r, plane);
    for (int j = 0; j < order; ++j) {
        sum.weight[j] = (mote_real)(r->dt * w->weight[j] / w->divisor);
        if (j > 0) sum.slope[j] = history_ring(r, order - 1, j - 1 + back, plane);
    }
    return sum;
}

INLINE mote_real add_up(const AdamsSum *sum, int order, size_t i)
{
    mote_real y = sum->from[i];
    for (int j = 0; j < order; ++j) y += sum->weight[j] * sum->slope[j][i];
    return y;
}

/* Positions come first: their slope is the velocity, which the later planes change. The slope is
 * noted over the oldest one, which is used for the last time here. */
INLINE void predict(const Range *r, int planes, int order)
{
    for (int p = 0; p < planes; ++p) {
        const AdamsSum sum = sum_of(r, &bashforth[order], order, 1, p);
        mote_real *y = range_state(r, p),
                  *now = order > 1 ? history_ring(r, order - 1, 0, p) : NULL;
        FOR_ROWS (i, r->count) {
            const mote_real newest = sum.slope[0][i];
            y[i] = add_up(&sum, order, i);
            if (order > 1) now[i] = newest;
        }
    }
}

INLINE void predict_correct(const Range *r, int k, int planes, int order)
{
    for (int p = 0; p < planes; ++p) {
        mote_real *y = range_state(r, p), *start = range_scratch(r, p);
        if (k == 0) {
            FOR_ROWS (i, r->count) start[i] = y[i];
        } else {
            const AdamsSum sum = sum_of(r, &moulton[order], order, 0, p);
            FOR_ROWS (i, r->count) y[i] = add_up(&sum, order, i);
        }
    }
    if (k == 0) predict(r, planes, order);
}

static const double start_and_end[] = {0, 1};

extern const IntegratorRow ISA(integrator_rk4);

#define ADAMS(name_, doc_, k, row_, stages_, window_, stable, usable)                              \
    const IntegratorRow ISA(integrator_##row_) = {                                                 \
        .head = ROW_PLAIN(name_, doc_),                                                            \
        .stages = stages_,                                                                         \
        .nodes = start_and_end,                                                                    \
        .first_order_too = true,                                                                   \
        INTEGRATOR_ORDERS(k, k, window_),                                                          \
        INTEGRATOR_STEPS(stable, usable),                                                          \
        .lag = (k) == 1 ? (stages_)-1.5 : 0,                                                       \
        .scratch_planes = (stages_) > 1 ? 6 : 0,                                                   \
        .history = {.entries = (k)-1, .planes = 6, .steps = (k)-1},                                \
        .starter = &ISA(integrator_rk4),                                                           \
        .stage = row_,                                                                             \
        .remember = remember,                                                                      \
    }
#define BASHFORTH(k, doc_, window_, stable, usable)                                                \
    static void ab##k(const IntegratorRow *row, const Range *r, int stage, int planes)             \
    {                                                                                              \
        (void)row, (void)stage;                                                                    \
        predict(r, planes, k);                                                                     \
    }                                                                                              \
    ADAMS("ab" #k, doc_, k, ab##k, 1, window_, stable, usable)
#define MOULTON(k, doc_, window_, stable, usable)                                                  \
    static void abm##k(const IntegratorRow *row, const Range *r, int stage, int planes)            \
    {                                                                                              \
        (void)row;                                                                                 \
        predict_correct(r, stage, planes, k);                                                      \
    }                                                                                              \
    ADAMS("abm" #k, doc_, k, abm##k, 2, window_, stable, usable)

BASHFORTH(1, "Adams-Bashforth of order 1, which is explicit Euler", 0.02, 0, 0.141);
BASHFORTH(2, "Adams-Bashforth of order 2: one evaluation, one remembered step", 0.04, 0, 0.409);
BASHFORTH(3, "Adams-Bashforth of order 3: one evaluation, two remembered steps", 0.04, 0.723,
          0.728);
BASHFORTH(4, "Adams-Bashforth of order 4: one evaluation, three remembered steps", 0.04, 0.429,
          0.436);
BASHFORTH(5, "Adams-Bashforth of order 5: one evaluation, four remembered steps", 0.025, 0, 0.228);
MOULTON(1, "Adams-Bashforth-Moulton (PECE) of order 1: two evaluations", 0.02, 1, 1.009);
MOULTON(2, "Adams-Bashforth-Moulton (PECE) of order 2: two evaluations", 0.04, 1.287, 1.291);
MOULTON(3, "Adams-Bashforth-Moulton (PECE) of order 3: two evaluations", 0.08, 0, 1.169);
MOULTON(4, "Adams-Bashforth-Moulton (PECE) of order 4: two evaluations", 0.03, 0, 0.932);
MOULTON(5, "Adams-Bashforth-Moulton (PECE) of order 5: two evaluations", 0.08, 0.258, 0.712);
