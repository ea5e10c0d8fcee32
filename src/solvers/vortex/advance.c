/* Vortons in the flow that they induce: x' = u(x), alpha' = stretching, both from the sum over all
 * vortons, by explicit Runge-Kutta schemes. */
#include "base/loop.h"
#include "solvers/vortex/spins.h"

enum { MOST_STAGES = 4, PLANES = 6 }; /* position, strength */
/* A row takes some nanoseconds to be placed for a stage. */
enum { PLACED_ROWS = 1024 };

/* Butcher's table: where stage k is evaluated (from stage k - 1 alone), and its weight. Explicit
 * Euler, the midpoint rule, and Runge's and Kutta's of fourth order. A ring of core s is stable for
 * Gamma dt / (2 pi s^2) up to 0.13, 0.5 and 1. */
static const struct Scheme {
    int stages;
    mote_real at[MOST_STAGES], weight[MOST_STAGES];
} schemes[] = {
    {1, {0}, {1}},
    {2, {0, (mote_real)0.5}, {0, 1}},
    {4,
     {0, (mote_real)0.5, (mote_real)0.5, 1},
     {(mote_real)(1.0 / 6), (mote_real)(1.0 / 3), (mote_real)(1.0 / 3), (mote_real)(1.0 / 6)}},
};

typedef struct VortonAdvance {
    const VortexWork *work;
    const VortonRows *rows;
    const struct Scheme *scheme;
    int stage;
    mote_real *state[PLANES]; /* of the stage */
    mote_real *rate[PLANES];  /* of the stage before */
    mote_real *sum[PLANES];   /* weighted */
    mote_real *core2;
    mote_real *out[INDUCE_GRADIENT];
} VortonAdvance;

static bool take_planes(VortonAdvance *a)
{
    size_t bytes = a->rows->count * sizeof(mote_real);
    mote_real **all[3] = {a->state, a->rate, a->sum};
    bool room = true;
    for (int k = 0; k < 3 * PLANES; ++k)
        room = (all[k / PLANES][k % PLANES] = arena_take(a->work->arena, bytes)) != NULL && room;
    for (int k = 0; k < INDUCE_GRADIENT; ++k)
        room = (a->out[k] = arena_take(a->work->arena, bytes)) != NULL && room;
    return (a->core2 = arena_take(a->work->arena, bytes)) != NULL && room;
}

static mote_real *start_plane(const VortonRows *rows, int k)
{
    return k < 3 ? rows->x[k] : rows->strength[k - 3];
}

/* From the start along the last rates by the stage's share of the sub-step. */
static void place_body(void *context, size_t begin, size_t end, int worker)
{
    const VortonAdvance *a = context;
    const mote_real share = a->scheme->at[a->stage], h = share * a->work->dt;
    const mote_real *radius = a->rows->radius;
    (void)worker;
    for (int k = 0; k < PLANES; ++k) {
        const mote_real *from = start_plane(a->rows, k), *rate = a->rate[k];
        mote_real *to = a->state[k];
        for (size_t i = begin; i < end; ++i) to[i] = from[i] + (share > 0 ? h * rate[i] : 0);
        for (size_t i = begin; i < end && a->stage == 0; ++i) a->sum[k][i] = 0;
    }
    for (size_t i = begin; i < end && a->stage == 0; ++i) a->core2[i] = radius[i] * radius[i];
}

/* ---- rates ---- */

/* The ways of rows [begin, end). */
static void find_ways(const VortonAdvance *a, size_t begin, size_t end)
{
    const mote_Vec3 w = a->work->params->wind;
    const mote_real wind[3] = {w.x, w.y, w.z};
    const mote_real *x[3];
    mote_real *u[3];
    for (int c = 0; c < 3; ++c) x[c] = a->state[c] + begin, u[c] = a->out[c] + begin;
    carry_vortons(a->work, x, end - begin, u);
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i)
            a->rate[c][i] = a->out[c][i] + wind[c], a->rate[3 + c][i] = 0;
    for (size_t i = begin; i < end && a->work->flat; ++i) a->rate[2][i] = 0;
}

static void find_stretching(const VortonAdvance *a, size_t i)
{
    mote_real j[9];
    for (int k = 0; k < 9; ++k) j[k] = a->out[3 + k][i];
    mote_Vec3 alpha = vec3(a->state[3][i], a->state[4][i], a->state[5][i]);
    mote_Vec3 rate = strength_rate(a->work, j, alpha);
    a->rate[3][i] = rate.x, a->rate[4][i] = rate.y, a->rate[5][i] = rate.z;
}

/* Stretching goes through the limit of vorticity.c once a sub-step, with the weighted mean of the
 * stages. */
static void finish_row(const VortonAdvance *a, size_t i)
{
    const VortonRows *r = a->rows;
    mote_real h = a->work->dt;
    for (int c = 0; c < 3; ++c) {
        r->v[c][i] = a->sum[c][i];
        r->x[c][i] += h * a->sum[c][i];
    }
    stretch_strength(a->work->params, r, i,
                     vec3(h * a->sum[3][i], h * a->sum[4][i], h * a->sum[5][i]));
}

static void rate_body(void *context, size_t begin, size_t end, int worker)
{
    const VortonAdvance *a = context;
    const mote_real weight = a->scheme->weight[a->stage];
    const bool stretches = needs_gradients(a->work), last = a->stage + 1 == a->scheme->stages;
    (void)worker;
    find_ways(a, begin, end);
    for (size_t i = begin; i < end && stretches; ++i) find_stretching(a, i);
    for (int k = 0; k < PLANES; ++k)
        for (size_t i = begin; i < end; ++i) a->sum[k][i] += weight * a->rate[k][i];
    for (size_t i = begin; i < end && last; ++i) finish_row(a, i);
}

static InduceRequest stage_request(const VortonAdvance *a)
{
    const mote_VortexSolver *p = a->work->params;
    size_t n = a->rows->count;
    InduceRequest r = {.core = a->work->core,
                       .quantity = needs_gradients(a->work) ? QUANTITY_GRADIENT : QUANTITY_VELOCITY,
                       .sources = {.count = n},
                       .count = n,
                       .tree = {p->angle, (int)p->order, tree_def().leaf},
                       .tasks = a->work->tasks,
                       .arena = a->work->arena,
                       .share = a->work->share,
                       .device = a->work->device};
    for (int k = 0; k < PLANES; ++k) r.sources.plane[k] = a->state[k];
    r.sources.plane[SOURCE_CORE2] = a->core2;
    for (int c = 0; c < 3; ++c) r.x[c] = a->state[c];
    for (int k = 0; k < INDUCE_GRADIENT; ++k) r.out[k] = a->out[k];
    return r;
}

bool advance_vortons(const VortexWork *work, const VortonRows *rows)
{
    const InduceRow *method = induce_row(work->params->induction);
    VortonAdvance a = {.work = work, .rows = rows, .scheme = &schemes[work->params->scheme]};
    if (rows->count == 0) return true;
    if (!take_planes(&a)) return false;
    const InduceRequest request = stage_request(&a);
    for (; a.stage < a.scheme->stages; ++a.stage) {
        mote_parallel_for(work->tasks, rows->count, PLACED_ROWS, place_body, &a);
        if (!method->induce(&request)) return false;
        mote_parallel_for(work->tasks, rows->count, VORTON_PIECE, rate_body, &a);
    }
    return true;
}
