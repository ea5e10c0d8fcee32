/* The two operators of the divergence-free solver, on disordered particles with a surface, beside a
 * wall and in a periodic box: a is minus D transposed, so that forces of pairs are opposite; the
 * diagonal is that of -D(a(q)); linear flows have the divergence they have; angular momentum. */
#include "setup.h"

#include "solvers/sph/kernels.h"

enum { SIDE = 9, N = SIDE * SIDE * SIDE, ROOM = N + CELLS_SPARE };

static const double spacing = 0.1, support = 0.25;

typedef struct Bed {
    Memory memory;
    Arena arena;
    Neighbours lists;
    Cells cells;
    FlowInput in;
    const FlowOperators *operators;
} Bed;

static mote_real wall[3][ROOM], uneven[3][ROOM], planes[4][ROOM];
static FlowPacket flow[N + 1];
static MovePacket moves[N + 1];
static FlowMatrix upright[N + 1], pushes[N + 1];

/* A lattice shaken by up to a quarter of a spacing. */
static void find_neighbours(Bed *bed, bool periodic)
{
    static mote_real x[3][N];
    uint64_t state = 3;
    CellSpace space = {.flat = false};
    for (int i = 0; i < N; ++i) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int c = 0; c < 3; ++c)
            x[c][i] = (mote_real)(spacing * (at[c] + setup_uniform(&state, -0.25, 0.25)));
    }
    for (int c = 0; c < 3 && periodic; ++c) {
        space.low[c] = (mote_real)(-spacing / 2);
        space.period[c] = bed->in.period[c] = (mote_real)(SIDE * spacing);
    }
    const CellPoints places = {.x = {x[0], x[1], x[2]}, .count = N};
    CHECK(cells_make(&bed->cells, &space, (mote_real)support, &places, &bed->arena, NULL));
    CHECK(
        neighbours_find(&bed->lists, &bed->cells, &bed->in.kernel, isa_pick(), &bed->arena, NULL));
}

/* A wall at the left: some gradient that falls off. */
static void set_places(Bed *bed, bool walled)
{
    for (size_t i = 0; i < N; ++i) {
        double away = (double)bed->cells.x[0][i] / spacing;
        for (int c = 0; c < 3; ++c) flow[i].x[c] = bed->cells.x[c][i], wall[c][i] = 0;
        if (walled && away < 1.5) wall[0][i] = (mote_real)((away - 1.5) / spacing / 2);
        flow[i].q = 0;
    }
}

static void open_bed(Bed *bed, bool linear, bool periodic, bool walled)
{
    const SmoothingRow *row = smoothing_row(SMOOTHING_CUBIC);
    memset(bed, 0, sizeof *bed);
    bed->memory = memory_make(mote_default_allocator());
    bed->arena = arena_make(&bed->memory);
    bed->lists = neighbours_make(&bed->memory);
    FlowInput *in = &bed->in;
    *in = (FlowInput){.kernel = smoothing_calibrated(row, 3, support, spacing),
                      .periodic = periodic,
                      .volume = (mote_real)(spacing * spacing * spacing),
                      .spacing = (mote_real)spacing,
                      .flow = flow,
                      .moves = moves,
                      .upright = upright,
                      .pushes = pushes,
                      .push = planes[0],
                      .stiffness = planes[1],
                      .soft = planes[2],
                      .excess = planes[3],
                      .dt2 = 1};
    static mote_real source[ROOM];
    in->source = source;
    memset(source, 0, sizeof source);
    for (int c = 0; c < 3; ++c) in->wall[c] = wall[c], in->uneven[c] = uneven[c];
    find_neighbours(bed, periodic);
    in->lists = &bed->lists;
    in->slopes = arena_take(&bed->arena, bed->lists.capacity * sizeof *in->slopes);
    set_places(bed, walled);
    flow_sum_operators(isa_pick())->prepare(in, 0, N);
    bed->operators = flow_sum_operators(isa_pick());
    if (linear)
        bed->operators = flow_linear_operators(isa_pick()), bed->operators->prepare(in, 0, N);
}

static void close_bed(Bed *bed)
{
    neighbours_free(&bed->lists);
    arena_free(&bed->arena);
}

/* a of the q in flow, into moves. */
static void accelerate(Bed *bed)
{
    if (bed->operators->pack != NULL) bed->operators->pack(&bed->in, 0, N);
    bed->operators->accelerate(&bed->in, 0, N);
}

static void set_move(size_t i, const double u[3])
{
    moves[i].along = 0;
    for (int c = 0; c < 3; ++c) {
        moves[i].u[c] = (mote_real)u[c];
        moves[i].along += moves[i].u[c] * flow[i].x[c];
    }
}

/* ---- what holds for both ---- */

static double accelerations[N][3];

/* The accelerations by random pressures; what they sum up to is nothing without walls. */
static void push_at_random(Bed *bed)
{
    uint64_t state = 11;
    for (size_t i = 0; i < N; ++i) flow[i].q = (mote_real)setup_uniform(&state, -1, 1);
    accelerate(bed);
    for (size_t i = 0; i < N; ++i)
        for (int c = 0; c < 3; ++c) accelerations[i][c] = (double)moves[i].u[c];
}

static void check_adjoint(Bed *bed)
{
    double work = 0, scale = 0, changes = 0;
    uint64_t state = 5;
    push_at_random(bed);
    for (size_t i = 0; i < N; ++i) {
        double u[3];
        for (int c = 0; c < 3; ++c) {
            u[c] = setup_uniform(&state, -1, 1);
            work += u[c] * accelerations[i][c], scale += fabs(u[c] * accelerations[i][c]);
        }
        set_move(i, u);
    }
    bed->operators->compress(&bed->in, 0, N);
    for (size_t i = 0; i < N; ++i) changes += (double)flow[i].q * (double)bed->in.excess[i];
    CHECK_NEAR((work + changes) / scale, 0, 1e-6);
}

static void check_momentum(Bed *bed)
{
    double sum[3] = {0}, spin[3] = {0}, scale = 0;
    push_at_random(bed);
    for (size_t i = 0; i < N; ++i)
        for (int c = 0; c < 3; ++c) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += accelerations[i][c], scale += fabs(accelerations[i][c]);
            spin[c] += (double)flow[i].x[d] * accelerations[i][e] -
                       (double)flow[i].x[e] * accelerations[i][d];
        }
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(sum[c] / scale, 0, 1e-6);
        if (!bed->in.periodic) CHECK_NEAR(spin[c] / scale, 0, 1e-6);
    }
}

/* Of some particles: -D(a) there, with a pressure there alone. */
static void check_diagonal(Bed *bed)
{
    for (size_t k = 0; k < N; k += 97) {
        for (size_t i = 0; i < N; ++i) flow[i].q = i == k;
        accelerate(bed);
        bed->operators->compress(&bed->in, 0, N);
        CHECK_NEAR(-bed->in.excess[k] / bed->in.stiffness[k], 1, 1e-4);
    }
}

static void operators_are_adjoint(void)
{
    for (int k = 0; k < 8; ++k) {
        Bed bed;
        open_bed(&bed, (k & 1) != 0, (k & 2) != 0, (k & 4) != 0);
        check_adjoint(&bed);
        check_diagonal(&bed);
        if ((k & 4) == 0) check_momentum(&bed);
        close_bed(&bed);
    }
}

/* ---- linear flows ---- */

enum { INSIDE = 0, FACES = 1, ALL = 3 };

/* Largest difference of D from minus the trace, of particles that are near so many faces. */
static double worst_of(Bed *bed, const double gradient[3][3], int faces)
{
    double worst = 0;
    for (size_t i = 0; i < N; ++i) {
        double u[3] = {0};
        for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d) u[c] += gradient[c][d] * (double)flow[i].x[d];
        set_move(i, u);
    }
    bed->operators->compress(&bed->in, 0, N);
    const double trace = gradient[0][0] + gradient[1][1] + gradient[2][2];
    for (size_t i = 0; i < N; ++i) {
        int near = 0;
        for (int c = 0; c < 3; ++c) {
            double x = (double)flow[i].x[c] / spacing;
            near += !(x > 2 && x < SIDE - 3);
        }
        if (near <= faces) worst = fmax(worst, fabs((double)bed->in.excess[i] + trace));
    }
    return worst;
}

static void linear_flows_have_their_divergence(void)
{
    static const double swell[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        strain[3][3] = {{1, 0.5, 0}, {0.3, -2, 0.7}, {0, 0.1, 1}},
                        turn[3][3] = {{0, 1, -0.5}, {-1, 0, 2}, {0.5, -2, 0}};
    Bed bed;
    open_bed(&bed, false, false, false);
    CHECK(worst_of(&bed, strain, INSIDE) > 0.05); /* what the correction is for */
    CHECK(worst_of(&bed, strain, FACES) > 0.5);
    CHECK_NEAR(worst_of(&bed, turn, ALL), 0, 1e-4);
    close_bed(&bed);
    open_bed(&bed, true, false, false);
    CHECK_NEAR(worst_of(&bed, swell, INSIDE), 0, 1e-3);
    CHECK_NEAR(worst_of(&bed, strain, INSIDE), 0, 1e-3);
    CHECK_NEAR(worst_of(&bed, strain, FACES), 0, 0.05);
    CHECK_NEAR(worst_of(&bed, turn, ALL), 0, 1e-4);
    close_bed(&bed);
}

TESTS({"operators are adjoint", operators_are_adjoint},
      {"linear flows have their divergence", linear_flows_have_their_divergence})
