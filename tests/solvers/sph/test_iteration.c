/* One iteration of the rows `iisph`, `pcisph` and `pbf` beside their formulas, with sums over all
 * pairs in double precision. Many iterations end at the same pressures whatever a step is like; one
 * does not: its diagonal, its factor and what it starts from are all in the pressures after it. */
#include "scene/loading.h"

enum { SIDE = 5, N = SIDE * SIDE * SIDE };

static const double pi = 3.14159265358979323846;
static const double d = 0.1, H = 0.25, dt = 0.004, rest_density = 800;

/* No walls and no gravity: a block that is pressed together, and stirred. */
static const char text[] =
    "{ mote: 1, world: { fps: 250, max_step: 0.004, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', pressure: 'iisph', spacing: 0.1,\n"
    "    support: 2.5, kernel: 'wendland-c2', rest_density: 800, viscosity: 0, artificial: 0,\n"
    "    most_iterations: 1, density_error: 1 } } ] }\n";

/* ---- the kernel, and what it is on a lattice ---- */

static double value(double r)
{
    const double q = r / H;
    return q < 1 ? 21 / (2 * pi * H * H * H) * pow(1 - q, 4) * (1 + 4 * q) : 0;
}

/* W'/r */
static double slope(double r)
{
    const double q = r / H;
    return q < 1 ? -20 * 21 / (2 * pi * pow(H, 5)) * pow(1 - q, 3) : 0;
}

/* Sums over a lattice: V W and -V x^2 W'/r, which are made 1, and |V grad W|^2 after that. */
typedef struct Full {
    double volume, value, slope, stiffness;
} Full;

static Full full_lattice(void)
{
    Full full = {.volume = d * d * d};
    for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j)
            for (int k = -3; k <= 3; ++k) {
                const double r = d * sqrt(i * i + j * j + k * k), x = d * i;
                full.value += full.volume * value(r);
                full.slope -= full.volume * x * x * slope(r);
                full.stiffness += pow(full.volume * r * slope(r), 2);
            }
    full.stiffness /= full.slope * full.slope;
    return full;
}

/* ---- the liquid, and sums over its pairs ---- */

typedef double Planes[N][3];

typedef struct Liquid {
    Full full;
    Planes x, v;
    double P[N];
    double fastest;    /* so far */
    bool near[N][N];   /* neighbours, as they were found at x */
    Planes at;         /* where sums are taken */
    double density[N]; /* over rho0, at x */
} Liquid;

static double distance(const Liquid *l, int i, int j, double e[3])
{
    double square = 0;
    for (int c = 0; c < 3; ++c) e[c] = l->at[i][c] - l->at[j][c], square += e[c] * e[c];
    return sqrt(square);
}

/* V grad W, and the distance. */
static double pair_gradient(const Liquid *l, int i, int j, double g[3])
{
    const double r = distance(l, i, j, g);
    for (int c = 0; c < 3; ++c) g[c] *= l->full.volume * slope(r) / l->full.slope;
    return r;
}

static double share_at(const Liquid *l, int i)
{
    double sum = value(0), e[3];
    for (int j = 0; j < N; ++j)
        if (l->near[i][j]) sum += value(distance(l, i, j, e));
    return l->full.volume * sum / l->full.value;
}

static double diagonal(const Liquid *l, int i)
{
    double sum[3] = {0}, squares = 0, g[3];
    for (int j = 0; j < N; ++j) {
        if (!l->near[i][j]) continue;
        pair_gradient(l, i, j, g);
        for (int c = 0; c < 3; ++c) sum[c] += g[c], squares += g[c] * g[c];
    }
    return sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + squares;
}

/* -sum (q_i + q_j) g */
static void accelerations(const Liquid *l, const double q[N], Planes a)
{
    double g[3];
    for (int i = 0; i < N; ++i) {
        a[i][0] = a[i][1] = a[i][2] = 0;
        for (int j = 0; j < N; ++j) {
            if (!l->near[i][j]) continue;
            pair_gradient(l, i, j, g);
            for (int c = 0; c < 3; ++c) a[i][c] -= (q[i] + q[j]) * g[c];
        }
    }
}

/* sum (u_i - u_j).g */
static double compression(const Liquid *l, int i, double (*u)[3])
{
    double sum = 0, g[3];
    for (int j = 0; j < N; ++j) {
        if (!l->near[i][j]) continue;
        pair_gradient(l, i, j, g);
        for (int c = 0; c < 3; ++c) sum += (u[i][c] - u[j][c]) * g[c];
    }
    return sum;
}

/* The share of an error that a sub-step mends, of the time in which 0.4 spacings are passed. */
static double share_of_way(const Liquid *l)
{
    return fmin(1, dt * l->fastest / (0.4 * d));
}

static void read_liquid(Liquid *l, const mote_System *water)
{
    double e[3];
    const uint64_t *ids = mote_system_column(water, "id")->data;
    for (size_t row = 0; row < N; ++row) { /* rows are sorted now and then */
        double square = 0;
        const uint64_t i = ids[row];
        for (int c = 0; c < 3; ++c) {
            l->at[i][c] = l->x[i][c] = setup_at(water, "position", c, row);
            l->v[i][c] = setup_at(water, "velocity", c, row);
            square += l->v[i][c] * l->v[i][c];
        }
        l->P[i] = setup_at(water, "pressure", 0, row);
        l->fastest = fmax(l->fastest, sqrt(square));
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) l->near[i][j] = i != j && distance(l, i, j, e) < H;
    for (int i = 0; i < N; ++i) l->density[i] = share_at(l, i);
}

/* ---- one iteration, as published ---- */

/* Ihmsen et al. 2014, (9), and Solenthaler and Pajarola 2009, (8): they start from half of the last
 * pressures and from none, and the second takes a full lattice's diagonal for all. */
static void relax_once(Liquid *l, double warm, bool alike, double omega)
{
    static Planes a;
    double q[N], next[N];
    for (int i = 0; i < N; ++i) q[i] = warm * l->P[i] / rest_density;
    accelerations(l, q, a);
    for (int i = 0; i < N; ++i) {
        const double over = l->density[i] - 1;
        const double error = (over > 0 ? share_of_way(l) * over : over) +
                             dt * compression(l, i, l->v) + dt * dt * compression(l, i, a);
        const double step = alike ? l->full.stiffness : diagonal(l, i);
        next[i] = fmax(0, q[i] + omega * error / (dt * dt * step));
    }
    accelerations(l, next, a);
    for (int i = 0; i < N; ++i) {
        for (int c = 0; c < 3; ++c) l->v[i][c] += dt * a[i][c];
        l->P[i] = rest_density * next[i];
    }
}

static void iisph(Liquid *l)
{
    relax_once(l, 0.5, false, 0.1);
}

static void pcisph(Liquid *l)
{
    relax_once(l, 0, true, 0.1);
}

/* Of an error that was there before, a twentieth of the density is mended at most. */
static double left_alone(const Liquid *l, int i)
{
    const double over = l->density[i] - 1;
    return over > 0 ? over - share_of_way(l) * fmin(over, 0.05) : 0;
}

/* Macklin and Mueller 2013, (10) to (14), at x + dt v; epsilon is 20, and k 0.1, of a full
 * lattice's diagonal; W(0.2 H) is that of the shape, because the power is of a quotient. */
static void pbf(Liquid *l)
{
    double lambda[N], g[3];
    for (int i = 0; i < N; ++i)
        for (int c = 0; c < 3; ++c) l->at[i][c] = l->x[i][c] + dt * l->v[i][c];
    for (int i = 0; i < N; ++i) {
        const double C = fmax(0, share_at(l, i) - 1 - left_alone(l, i));
        lambda[i] = -C / (diagonal(l, i) + 20 * l->full.stiffness);
        l->P[i] = -rest_density * lambda[i] / (dt * dt);
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            if (!l->near[i][j]) continue;
            const double r = pair_gradient(l, i, j, g);
            const double s = -0.1 / l->full.stiffness * pow(value(r) / value(0.2 * H), 4);
            for (int c = 0; c < 3; ++c) l->v[i][c] += (lambda[i] + lambda[j] + s) * g[c] / dt;
        }
}

/* ---- beside the rows ---- */

static void fill(mote_System *water)
{
    uint64_t state = 7;
    for (int i = 0; i < N; ++i) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        double x[3], v[3];
        for (int c = 0; c < 3; ++c) {
            x[c] = 0.9 * d * (at[c] + setup_uniform(&state, -0.1, 0.1));
            v[c] = setup_uniform(&state, -0.3, 0.3) - 4 * (x[c] - 1.8 * d);
        }
        setup_particle(water, setup_vec(x[0], x[1], x[2]), setup_vec(v[0], v[1], v[2]));
    }
}

typedef struct Row {
    const char *settings[5];
    void (*iterate)(Liquid *liquid);
} Row;

static void compare(const Liquid *before, const Liquid *wanted, const Liquid *found)
{
    double pressed = 0, most = 0, off = 0, push = 0, slip = 0;
    for (int i = 0; i < N; ++i) {
        pressed += wanted->P[i] > 0;
        most = fmax(most, wanted->P[i]), off = fmax(off, fabs(found->P[i] - wanted->P[i]));
        for (int c = 0; c < 3; ++c) {
            push = fmax(push, fabs(wanted->v[i][c] - before->v[i][c]));
            slip = fmax(slip, fabs(found->v[i][c] - wanted->v[i][c]));
            CHECK_NEAR(found->x[i][c], before->x[i][c] + dt * found->v[i][c], 1e-6 * d);
        }
    }
    printf("%.0f pressed, up to %.0f Pa, %.2g off; pushed by %.3g m/s, %.2g off\n", pressed, most,
           off / most, push, slip / push);
    CHECK(pressed > N / 3 && pressed < N);
    CHECK_NEAR(off / most, 0, 5e-5);
    CHECK_NEAR(slip / push, 0, 5e-5);
}

/* Two sub-steps: the second has pressures to start from. */
static void check_row(const Row *row)
{
    static Liquid before, wanted, found;
    Loading loading = loading_world_with(text, row->settings);
    mote_System *water = mote_world_system(loading.world, "water");
    fill(water);
    wanted = (Liquid){.full = full_lattice()};
    for (int step = 0; step < 2; ++step) {
        read_liquid(&wanted, water);
        before = wanted;
        row->iterate(&wanted);
        const mote_StepReport report = setup_step(loading.world);
        CHECK(report.substeps == 1 && report.retries == 0);
        found = wanted;
        read_liquid(&found, water);
        compare(&before, &wanted, &found);
    }
    loading_end(&loading);
}

static void iisph_relaxes_by_its_own_diagonal(void)
{
    check_row(&(Row){{"systems.water.solver.relaxation=0.1", NULL}, iisph});
}

static void pcisph_relaxes_by_that_of_a_lattice(void)
{
    check_row(&(Row){
        {"systems.water.solver.pressure=pcisph", "systems.water.solver.relaxation=0.1", NULL},
        pcisph});
}

static void pbf_moves_by_its_multipliers(void)
{
    check_row(
        &(Row){{"systems.water.solver.pressure=pbf", "systems.water.solver.density_error=1e-7",
                "systems.water.solver.softness=20", "systems.water.solver.repulsion=0.1", NULL},
               pbf});
}

TESTS({"iisph relaxes by its own diagonal, from half of the last pressures",
       iisph_relaxes_by_its_own_diagonal},
      {"pcisph relaxes by that of a lattice, from none", pcisph_relaxes_by_that_of_a_lattice},
      {"pbf moves by its multipliers", pbf_moves_by_its_multipliers})
