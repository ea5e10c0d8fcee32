/* Adams methods: one loop over tables of weights.
 *
 * Bashforth (explicit, one evaluation): y += h sum_j b[j] f(t - j h).
 * Moulton as predictor and corrector (PECE): Bashforth of the same order predicts, then
 * y = y0 + h (a[0] f(t + h, predicted) + sum_j a[j] f(t - (j - 1) h)).
 * The evaluation that ends PECE is the one that begins the next step. Bashforth and Adams, An
 * Attempt to Test the Theories of Capillary Action, 1883; Moulton, New Methods in Exterior
 * Ballistics, 1926. Started by steps of RK4, whose local error h^5 leaves order 5 alone. */
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

/* y = from + h (w[0] slope + w[1] s1 + ...), where s1 and on are remembered, from `back` on. */
static void combine(const IntegratorRow *row, const Range *r, const Weights *w, int back, int plane)
{
    mote_real *y = range_state(r, plane);
    const mote_real *slope = range_derivative(r, plane);
    const mote_real *from = back > 0 ? y : range_scratch(r, plane);
    const mote_real newest = (mote_real)(r->dt * w->weight[0] / w->divisor);
    FOR_ROWS (i, r->count) y[i] = from[i] + newest * slope[i];
    for (int j = 1; j < row->order; ++j) {
        const mote_real *old = history_ring(r, row->history.entries, j - 1 + back, plane);
        const mote_real weight = (mote_real)(r->dt * w->weight[j] / w->divisor);
        FOR_ROWS (i, r->count) y[i] += weight * old[i];
    }
}

static void note_slope(const IntegratorRow *row, const Range *r, int plane)
{
    if (row->history.entries == 0) return;
    mote_real *now = history_ring(r, row->history.entries, 0, plane);
    const mote_real *slope = range_derivative(r, plane);
    FOR_ROWS (i, r->count) now[i] = slope[i];
}

static void remember(const IntegratorRow *row, const Range *r, int planes)
{
    for (int p = 0; p < planes; ++p) note_slope(row, r, p);
}

/* Positions come first: their slope is the velocity, which the later planes change. The slope is
 * noted over the oldest one, which is used for the last time here. */
static void predict(const IntegratorRow *row, const Range *r, int k, int planes)
{
    (void)k;
    for (int p = 0; p < planes; ++p) {
        combine(row, r, &bashforth[row->order], 1, p);
        note_slope(row, r, p);
    }
}

static void predict_correct(const IntegratorRow *row, const Range *r, int k, int planes)
{
    if (k > 0) {
        for (int p = 0; p < planes; ++p) combine(row, r, &moulton[row->order], 0, p);
        return;
    }
    for (int p = 0; p < planes; ++p) {
        mote_real *start = range_scratch(r, p);
        const mote_real *y = range_state(r, p);
        FOR_ROWS (i, r->count) start[i] = y[i];
    }
    predict(row, r, k, planes);
}

static const double start_and_end[] = {0, 1};

extern const IntegratorRow ISA(integrator_rk4);

#define ADAMS(name_, doc_, k, row_, stages_, stage_, window_, stable, usable)                      \
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
        .stage = stage_,                                                                           \
        .remember = remember,                                                                      \
    }
#define BASHFORTH(k, doc_, window_, stable, usable)                                                \
    ADAMS("ab" #k, doc_, k, ab##k, 1, predict, window_, stable, usable)
#define MOULTON(k, doc_, window_, stable, usable)                                                  \
    ADAMS("abm" #k, doc_, k, abm##k, 2, predict_correct, window_, stable, usable)

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
