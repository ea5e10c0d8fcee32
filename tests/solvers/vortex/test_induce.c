/* Velocity from vorticity: cores against their formulas, rings against theory, trees against the
 * direct sum. */
#include "check.h"
#include "solvers/vortex/clouds.h"
#include "solvers/vortex/poisson.h"

#include <mote/tasks.h>

static const bool is_double = sizeof(mote_real) == 8;

/* q(s) of the cores, from their definitions, by the C library. */
static double q_winckelmans(double s)
{
    return s * s * s * (s * s + 2.5) / pow(s * s + 1, 2.5);
}
static double q_rosenhead(double s)
{
    return s * s * s / pow(s * s + 1, 1.5);
}
static double q_gaussian(double s)
{
    return erf(s / sqrt(2)) - sqrt(2 / PI) * s * exp(-s * s / 2);
}
static double q_linear(double s)
{
    return s < 1 ? s * s * s : 1;
}

static const struct {
    const char *name;
    double (*q)(double s);
    double ring[2]; /* largest relative errors of a ring's speed: overlap 2 and 1.3 */
    double constant;
} cores[] = {
    {"winckelmans", q_winckelmans, {5.5e-5, 2.5e-3}, 0.5},
    {"rosenhead", q_rosenhead, {1e-5, 6e-4}, 1},
    {"gaussian", q_gaussian, {1e-6, 1e-6}, 1.0580},
    {"linear", q_linear, {0.015, 0.012}, 0.3598},
};
enum { CORES = sizeof cores / sizeof cores[0] };

static const CoreRow *core_named(size_t i)
{
    size_t count;
    const mote_Row *const *rows = core_rows(isa_pick(), &count);
    CHECK(count == CORES);
    CHECK(strcmp(rows[i]->name, cores[i].name) == 0);
    return (const CoreRow *)rows[i];
}

/* Sum in double by the definition. */
static void naive(const Vortons *v, double (*q)(double), const double x[3], double u[3])
{
    u[0] = u[1] = u[2] = 0;
    for (size_t i = 0; i < v->count; ++i) {
        double r[3], a[3], r2 = 0;
        for (int c = 0; c < 3; ++c) {
            r[c] = x[c] - (double)v->plane[SOURCE_X + c][i];
            a[c] = (double)v->plane[SOURCE_ALPHA + c][i];
            r2 += r[c] * r[c];
        }
        if (r2 <= 0) continue;
        double d = sqrt(r2), f = q(d / sqrt((double)v->plane[SOURCE_CORE2][i])) / (4 * PI * d * r2);
        u[0] += f * (a[1] * r[2] - a[2] * r[1]);
        u[1] += f * (a[2] * r[0] - a[0] * r[2]);
        u[2] += f * (a[0] * r[1] - a[1] * r[0]);
    }
}

static void direct_is_the_sum(void)
{
    Vortons *v = vortons_cloud(701, false);
    for (size_t k = 0; k < CORES; ++k) {
        InduceRequest r = vortons_request(v, core_named(k), QUANTITY_VELOCITY);
        double error = 0, size = 0;
        CHECK(induce_direct.induce(&r));
        for (size_t i = 0; i < v->count; ++i) {
            double u[3], x[3];
            for (int c = 0; c < 3; ++c) x[c] = (double)v->plane[c][i];
            naive(v, cores[k].q, x, u);
            for (int c = 0; c < 3; ++c) {
                double d = (double)v->out[c][i] - u[c];
                error += d * d, size += u[c] * u[c];
            }
        }
        CHECK(sqrt(error / size) < (is_double ? 1e-13 : 1e-6));
        CHECK_NEAR(core_named(k)->ring_constant, cores[k].constant, 5e-5);
    }
    vortons_free(v);
}

/* The velocity at x, by the row itself. */
static void velocity_at(Vortons *v, const CoreRow *core, Quantity quantity, const double x[3],
                        double out[INDUCE_GRADIENT])
{
    InduceRequest r = vortons_request(v, core, quantity);
    mote_real place[3], result[INDUCE_GRADIENT] = {0};
    r.count = 1;
    for (int c = 0; c < 3; ++c) place[c] = (mote_real)x[c], r.x[c] = &place[c];
    for (int p = 0; p < INDUCE_GRADIENT; ++p) r.out[p] = &result[p];
    CHECK(induce_direct.induce(&r));
    for (int p = 0; p < INDUCE_GRADIENT; ++p) out[p] = (double)result[p];
}

/* Gradient by central differences of the velocity, and the curl of the potential is the velocity.
 */
static void gradient_and_potential_fit(void)
{
    Vortons *v = vortons_cloud(60, false);
    double step = is_double ? 1e-5 : 5e-3, tolerance = is_double ? 1e-6 : 0.02;
    const double x[3] = {0.43, 0.57, 0.39};
    for (size_t k = 0; k < 3; ++k) { /* the linear core has kinks */
        const CoreRow *core = core_named(k);
        double j[INDUCE_GRADIENT], a[2][INDUCE_GRADIENT], slope[3][3], scale = 0;
        velocity_at(v, core, QUANTITY_GRADIENT, x, j);
        for (int p = 3; p < INDUCE_GRADIENT; ++p) scale = fmax(scale, fabs(j[p]));
        for (int quantity = 0; quantity < 2; ++quantity)
            for (int l = 0; l < 3; ++l) {
                double place[3] = {x[0], x[1], x[2]};
                for (int side = 0; side < 2; ++side) {
                    place[l] = x[l] + (side ? step : -step);
                    velocity_at(v, core, quantity ? QUANTITY_POTENTIAL : QUANTITY_VELOCITY, place,
                                a[side]);
                }
                for (int c = 0; c < 3; ++c) {
                    slope[c][l] = (a[1][c] - a[0][c]) / (2 * step);
                    if (quantity == 0)
                        CHECK_NEAR(slope[c][l] / scale, j[3 + 3 * c + l] / scale, tolerance);
                }
            }
        double u = fmax(fmax(fabs(j[0]), fabs(j[1])), fabs(j[2]));
        CHECK_NEAR((slope[2][1] - slope[1][2]) / u, j[0] / u, tolerance);
        CHECK_NEAR((slope[0][2] - slope[2][0]) / u, j[1] / u, tolerance);
        CHECK_NEAR((slope[1][0] - slope[0][1]) / u, j[2] / u, tolerance);
        CHECK_NEAR((j[3] + j[7] + j[11]) / scale, 0, is_double ? 1e-12 : 1e-5);
    }
    vortons_free(v);
}

/* U 4 pi R / Gamma = 1/2 integral over 0 .. pi of q(2 R sin(t / 2) / core) / sin(t / 2) dt. */
static double ring_speed(double (*q)(double), double core)
{
    const int steps = 400000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        double t = PI * (i + 0.5) / steps, half = sin(t / 2);
        sum += q(2 * half / core) / half;
    }
    return 0.5 * sum * PI / steps / (4 * PI);
}

static void rings_travel(void)
{
    const double overlaps[2] = {2, 1.3}, core = 0.1;
    for (size_t k = 0; k < CORES; ++k)
        for (int o = 0; o < 2; ++o) {
            Vortons *v = vortons_ring(core, overlaps[o]);
            InduceRequest r = vortons_request(v, core_named(k), QUANTITY_VELOCITY);
            double exact = ring_speed(cores[k].q, core);
            CHECK(induce_direct.induce(&r));
            double tolerance = cores[k].ring[o];
            if (!is_double && tolerance < 2e-5) tolerance = 2e-5;
            for (size_t i = 0; i < v->count; i += 7) {
                CHECK_NEAR((double)v->out[2][i] / exact, 1, tolerance);
                CHECK_NEAR((double)v->out[0][i] / exact, 0, is_double ? 1e-12 : 1e-4);
            }
            double theory = (log(8 / core) - core_named(k)->ring_constant) / (4 * PI);
            CHECK_NEAR(exact / theory, 1, 2.5e-3);
            vortons_free(v);
        }
}

static double tree_error(Vortons *v, const InduceRow *method, TreeDef tree, Quantity quantity)
{
    InduceRequest r = vortons_request(v, core_named(0), quantity);
    mote_real *exact[INDUCE_GRADIENT];
    double error = 0, size = 0;
    int planes = induce_planes(quantity);
    CHECK(induce_direct.induce(&r));
    for (int p = 0; p < planes; ++p) {
        exact[p] = v->out[p];
        r.out[p] = v->out[p] = calloc(v->count, sizeof(mote_real));
    }
    r.tree = tree;
    arena_reset(&v->arena);
    CHECK(method->induce(&r));
    for (int p = 0; p < planes; ++p) {
        for (size_t i = 0; i < v->count; ++i) {
            double d = (double)(exact[p][i] - v->out[p][i]);
            error += d * d, size += (double)(exact[p][i] * exact[p][i]);
        }
        free(exact[p]);
    }
    return sqrt(error / size);
}

static void tree_converges(void)
{
    Vortons *v = vortons_cloud(4000, true), *hard = vortons_cloud(4000, false);
    TreeDef plain = tree_def();
    double last = 1;
    plain.leaf = 16;
    for (int k = 0; k < 4; ++k) { /* one stand-in a cell: Barnes and Hut */
        TreeDef one = {.angle = (mote_real)(1.0 / (1 << k)), .order = 1, .leaf = 16};
        double error = tree_error(v, &induce_tree, one, QUANTITY_VELOCITY);
        CHECK(error < 0.6 * last);
        if (k == 1) CHECK(error < 1e-2);
        last = error;
    }
    CHECK(tree_error(v, &induce_tree, plain, QUANTITY_VELOCITY) < 1e-3);
    CHECK(tree_error(hard, &induce_tree, plain, QUANTITY_VELOCITY) < 1.2e-3);
    CHECK(tree_error(v, &induce_tree, plain, QUANTITY_GRADIENT) < 3e-3);
    CHECK(tree_error(v, &induce_tree, plain, QUANTITY_POTENTIAL) < 1e-3);
    for (int order = 2; order <= 6; ++order) {
        TreeDef t = {.angle = 1, .order = order, .leaf = 16};
        double error = tree_error(v, &induce_tree, t, QUANTITY_VELOCITY);
        if (order > 2 && (is_double || order < 5)) CHECK(error < 0.6 * last);
        last = error;
    }
    vortons_free(v);
    vortons_free(hard);
}

/* As published: better than nothing, and far from exact. */
static void containment_is_rough(void)
{
    Vortons *v = vortons_cloud(4096, true);
    double error = tree_error(v, &induce_containment, tree_def(), QUANTITY_VELOCITY);
    CHECK(error < 0.4);
    CHECK(error > 0.01);
    vortons_free(v);
}

/* By Fourier transforms, in free space: on a mesh of half the core. Strengths that vary smoothly,
 * as those of a flow, or from vorton to vorton at random. A vorton alone far from the others is as
 * well served as they are, so nothing comes in from beyond the mesh; and where cores are too small
 * for a mesh, the tree does it. */
static void fourier_is_close(void)
{
    static const double limits[2][3] = {{0.06, 0.25, 0.006}, {0.005, 0.06, 0.001}};
    for (int smooth = 0; smooth < 2; ++smooth) {
        Vortons *v = vortons_cloud(4096, smooth);
        v->plane[SOURCE_X][0] = (mote_real)1.9;
        for (int quantity = 0; quantity < 3; ++quantity) {
            double error = tree_error(v, &induce_fourier, tree_def(), (Quantity)quantity);
            CHECK(error < limits[smooth][quantity]);
        }
        for (size_t i = 0; i < v->count; ++i) v->plane[SOURCE_CORE2][i] = (mote_real)1e-8;
        CHECK(tree_error(v, &induce_fourier, tree_def(), QUANTITY_VELOCITY) ==
              tree_error(v, &induce_tree, tree_def(), QUANTITY_VELOCITY));
        vortons_free(v);
    }
}

/* Sines on a box of other lengths: errors fall with the square of the cells, and every cycle makes
 * the residual seven times smaller or more. */
static void multigrid_converges(void)
{
    double errors[2];
    for (size_t fine = 0; fine < 2; ++fine) {
        const size_t n[3] = {(16u << fine) + 1, (32u << fine) + 1, (16u << fine) + 1};
        const double h = 1.0 / (double)(16u << fine);
        double *a = calloc(n[0] * n[1] * n[2], sizeof *a),
               *b = calloc(n[0] * n[1] * n[2], sizeof *b);
        double *exact = calloc(n[0] * n[1] * n[2], sizeof *exact);
        Memory memory = memory_make(mote_default_allocator());
        Arena arena = arena_make(&memory);
        const PoissonJob job = {.nodes = {n[0], n[1], n[2]},
                                .side = h,
                                .a = a,
                                .b = b,
                                .tolerance = 1e-8,
                                .most_cycles = 20,
                                .arena = &arena};
        PoissonReport report;
        for (size_t k = 0; k < n[0] * n[1] * n[2]; ++k) {
            const size_t at[3] = {k / n[2] / n[1], k / n[2] % n[1], k % n[2]};
            const double x = h * (double)at[0], y = h * (double)at[1], z = h * (double)at[2];
            exact[k] = sin(3 * x + 1) * cos(2 * y) * exp(-z);
            b[k] = (9 + 4 - 1) * exact[k];
            for (int c = 0; c < 3; ++c)
                if (at[c] == 0 || at[c] + 1 == n[c]) a[k] = exact[k];
        }
        CHECK(poisson_solve(&job, &report));
        CHECK(report.residual < 1e-8 && report.slowest > 7);
        errors[fine] = 0;
        for (size_t k = 0; k < n[0] * n[1] * n[2]; ++k)
            errors[fine] = fmax(errors[fine], fabs(a[k] - exact[k]));
        arena_free(&arena);
        free(a), free(b), free(exact);
    }
    CHECK_NEAR(errors[0] / errors[1], 4, 0.3);
}

/* The differential form, with free space at the faces: among the vortons, whose cores are Gaussians
 * on its mesh; and 2 % beside them. */
static void poisson_is_close(void)
{
    static const double limits[3] = {0.04, 0.2, 0.01};
    Vortons *v = vortons_cloud(4096, true);
    for (int quantity = 0; quantity < 3; ++quantity)
        CHECK(tree_error(v, &induce_poisson, tree_def(), (Quantity)quantity) < limits[quantity]);
    InduceRequest r = vortons_request(v, core_named(0), QUANTITY_VELOCITY);
    mote_real *x = calloc(4 * v->count, sizeof *x), *exact = x + v->count;
    double error = 0, size = 0;
    for (size_t i = 0; i < v->count; ++i) x[i] = v->plane[SOURCE_X][i] + (mote_real)1.2;
    r.x[0] = x;
    arena_reset(&v->arena);
    CHECK(induce_direct.induce(&r));
    for (size_t c = 0; c < 3; ++c) memcpy(exact + c * v->count, r.out[c], v->count * sizeof *x);
    CHECK(induce_poisson.induce(&r));
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < v->count; ++i) {
            const double u = (double)exact[c * v->count + i], d = (double)r.out[c][i] - u;
            error += d * d, size += u * u;
        }
    CHECK(sqrt(error / size) < 0.02);
    free(x);
    vortons_free(v);
}

static void count_call(void *context, size_t part)
{
    ++((int *)context)[part];
}

/* And what is to be done beside the sums is done, once, by every method. */
static void threads_do_not_matter(void)
{
    Vortons *v = vortons_cloud(3000, false);
    const InduceRow *methods[] = {&induce_direct, &induce_tree, &induce_containment,
                                  &induce_fourier, &induce_poisson};
    mote_real *first = calloc(3 * v->count, sizeof(mote_real));
    for (int m = 0; m < 5; ++m)
        for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
            mote_TasksDef def = mote_tasks_def();
            mote_Error error;
            InduceRequest r = vortons_request(v, core_named(0), QUANTITY_VELOCITY);
            int calls[3] = {0};
            SideJob side = {count_call, calls, 3, false};
            def.threads = threads;
            r.tree.leaf = 32;
            if (threads > 1) r.side = &side;
            CHECK_OK(mote_tasks_create(&def, &r.tasks, &error), error);
            arena_reset(&v->arena);
            CHECK(methods[m]->induce(&r));
            side_job_finish(r.side);
            for (int part = 0; part < 3; ++part) CHECK(calls[part] == (threads > 1));
            for (int c = 0; c < 3; ++c) {
                size_t bytes = v->count * sizeof(mote_real);
                if (threads == 1) memcpy(first + (size_t)c * v->count, v->out[c], bytes);
                CHECK(memcmp(first + (size_t)c * v->count, v->out[c], bytes) == 0);
            }
            mote_tasks_destroy(r.tasks);
        }
    free(first);
    vortons_free(v);
}

/* Every core and quantity, by every instruction set that this machine has: the same bits. */
static void instruction_sets_do_not_matter(void)
{
    Vortons *v = vortons_cloud(203, false);
    mote_real *first = calloc(INDUCE_GRADIENT * v->count, sizeof(mote_real));
    size_t bytes = v->count * sizeof(mote_real);
    for (int core = 0; core < CORES; ++core)
        for (int quantity = 0; quantity < 3; ++quantity)
            for (int isa = 0; isa <= (int)isa_pick(); ++isa) {
                InduceRequest r = vortons_request(v, core_row((Isa)isa, core), (Quantity)quantity);
                CHECK(induce_direct.induce(&r));
                for (int p = 0; p < induce_planes((Quantity)quantity); ++p) {
                    mote_real *kept = first + (size_t)p * v->count;
                    if (isa == 0) memcpy(kept, v->out[p], bytes);
                    CHECK(memcmp(kept, v->out[p], bytes) == 0);
                }
            }
    free(first);
    vortons_free(v);
}

/* Lines of points along z are summed in another way: to the same bits as points anywhere. */
static void lines_are_points(void)
{
    enum { LINES = 5, LONG = 37, POINTS = LINES * LONG };
    Vortons *v = vortons_cloud(701, false);
    mote_real x[3][POINTS], apart[3][POINTS];
    for (size_t i = 0; i < POINTS; ++i) {
        x[0][i] = (mote_real)0.2 * (mote_real)(i / LONG);
        x[1][i] = 1 - (mote_real)0.3 * (mote_real)(i / LONG);
        x[2][i] = (mote_real)0.03 * (mote_real)(i % LONG);
    }
    for (int core = 0; core < CORES; ++core)
        for (int isa = 0; isa <= (int)isa_pick(); ++isa) {
            InduceRequest r = vortons_request(v, core_row((Isa)isa, core), QUANTITY_VELOCITY);
            r.count = POINTS;
            for (int c = 0; c < 3; ++c) r.x[c] = x[c];
            CHECK(induce_direct.induce(&r));
            for (int c = 0; c < 3; ++c) memcpy(apart[c], v->out[c], sizeof apart[c]);
            for (int c = 0; c < 3; ++c) memset(v->out[c], 0, sizeof apart[c]);
            r.line = LONG;
            CHECK(induce_direct.induce(&r));
            for (int c = 0; c < 3; ++c) CHECK(memcmp(apart[c], v->out[c], sizeof apart[c]) == 0);
        }
    vortons_free(v);
}

enum { FEW_POINTS = 19 };

/* What the first `sources` vortons induce at the first `points`, by the core itself. */
static void by_core(const Vortons *v, const CoreRow *core, size_t sources, size_t points,
                    mote_real out[3][FEW_POINTS])
{
    InduceJob job = {.sources = {.count = sources}, .count = points};
    for (int p = 0; p < SOURCE_PLANES; ++p) job.sources.plane[p] = v->plane[p];
    for (int c = 0; c < 3; ++c) {
        job.x[c] = v->plane[SOURCE_X + c], job.out[c] = out[c];
        for (size_t i = 0; i < FEW_POINTS; ++i) out[c][i] = (mote_real)i;
    }
    core->velocity(&job);
}

/* A few sources go by another loop than many: the bits are those of the same ones with others of no
 * strength behind them, for any number of points. */
static void few_are_many(void)
{
    enum { MANY = 12 };
    Vortons *v = vortons_cloud(FEW_POINTS, false);
    for (size_t few = MANY - 1; few > 0; --few) {
        for (int c = 0; c < 3; ++c) v->plane[SOURCE_ALPHA + c][few] = 0;
        for (size_t k = 0; k < CORES; ++k)
            for (size_t points = 1; points <= FEW_POINTS; points += 3) {
                mote_real out[2][3][FEW_POINTS];
                by_core(v, core_named(k), few, points, out[0]);
                by_core(v, core_named(k), MANY, points, out[1]);
                CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
            }
    }
    vortons_free(v);
}

/* Vortons go round a turning body with its whole flow from two radii on, with half of it at one and
 * three quarters, and not at all within one and a half. */
static void layers_are_not_carried(void)
{
    static const double radii[4] = {1.4, 1.75, 2, 5}, share[4] = {0, 0.5, 1, 1};
    for (size_t k = 0; k < CORES; ++k) {
        Vortons *v = vortons_make(1);
        mote_real x[3][4] = {{0}}, out[2][3][4] = {{{0}}};
        vorton_set(v, 0, (double[]){0, 0, 0}, (double[]){0.3, -0.2, 0.9}, 0.25);
        InduceRequest r = vortons_request(v, core_named(k), QUANTITY_VELOCITY);
        for (int way = 0; way < 2; ++way) {
            InduceJob job = {.sources = r.sources, .count = 4};
            for (int c = 0; c < 3; ++c) job.x[c] = x[c], job.out[c] = out[way][c];
            for (size_t i = 0; i < 4; ++i)
                x[0][i] = (mote_real)(0.6 * 0.25 * radii[i]),
                x[1][i] = (mote_real)(0.8 * 0.25 * radii[i]);
            (way == 0 ? core_named(k)->velocity : core_named(k)->carry)(&job);
        }
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < 4; ++i)
                CHECK_NEAR(out[1][c][i], share[i] * (double)out[0][c][i],
                           1e-5 * fabs((double)out[0][c][i]));
        CHECK(fabs((double)out[0][2][3]) > 0.01);
        vortons_free(v);
    }
}

/* None, one, all at one place, in a plane, in a line, of no strength: finite and, by tree, right.
 */
static void odd_clouds(void)
{
    for (int kind = 0; kind < 5; ++kind) {
        Vortons *v = vortons_cloud(kind == 0 ? 1 : 400, false);
        for (size_t i = 0; i < v->count; ++i)
            for (int c = 0; c < 3; ++c) {
                if (kind == 1 || (kind == 2 && c == 1) || (kind == 3 && c > 0))
                    v->plane[SOURCE_X + c][i] = (mote_real)0.25;
                if (kind == 4) v->plane[SOURCE_ALPHA + c][i] = 0;
            }
        TreeDef tree = {.angle = 1, .order = 4, .leaf = 8};
        double error = tree_error(v, &induce_tree, tree, QUANTITY_VELOCITY);
        if (kind == 2 || kind == 3) CHECK(error < 2e-2);
        InduceRequest r = vortons_request(v, core_named(0), QUANTITY_VELOCITY);
        for (int method = 0; method < 4; ++method) {
            CHECK(induce_row(method)->induce(&r));
            for (size_t i = 0; i < v->count; ++i) CHECK(isfinite(v->out[0][i]));
        }
        r.sources.count = 0;
        CHECK(induce_tree.induce(&r) && induce_containment.induce(&r));
        CHECK_NEAR(v->out[2][0], 0, 0);
        vortons_free(v);
    }
}

/* By definition the variance along an axis is the mean of r^2 / D over the vorticity, and q of it
 * is within r: 2/D int r (1 - q) dr. From the velocities that a vorton at rest makes beside it. */
static double variance_of(const CoreRow *core, bool flat)
{
    enum { POINTS = 4096 };
    static mote_real x[3][POINTS], u[INDUCE_VELOCITY][POINTS], source[SOURCE_PLANES][8];
    const double least = 1e-3, most = 60, step = log(most / least) / (POINTS - 1);
    memset(source, 0, sizeof source);
    source[SOURCE_ALPHA + 2][0] = 1;
    for (int i = 0; i < 8; ++i) source[SOURCE_CORE2][i] = 1;
    for (int i = 0; i < POINTS; ++i)
        x[0][i] = (mote_real)(least * exp(step * i)), x[1][i] = x[2][i] = 0;
    memset(u, 0, sizeof u);
    Sources sources = {.count = 8};
    for (int p = 0; p < SOURCE_PLANES; ++p) sources.plane[p] = source[p];
    InduceJob job = {.sources = sources, .count = POINTS};
    for (int c = 0; c < 3; ++c) job.x[c] = x[c];
    for (int c = 0; c < INDUCE_VELOCITY; ++c) job.out[c] = u[c];
    core->velocity(&job);
    double sum = 0, last = 0;
    for (int i = 0; i < POINTS; ++i) {
        const double r = (double)x[0][i], around = flat ? 2 * PI * r : 4 * PI * r * r;
        const double f = r * r * (1 - around * (double)u[1][i]); /* r (1 - q) dr, by log r */
        sum += i > 0 ? (f + last) / 2 * step : f / 2;
        last = f;
    }
    return 2 * sum / (flat ? 2 : 3);
}

static void variances_are_those_of_the_vorticity(void)
{
    for (int flat = 0; flat < 2; ++flat)
        for (int i = 0; i < CORES; ++i) {
            const CoreRow *core = core_row_of(isa_pick(), i, flat != 0);
            if (core->variance == 0) continue; /* without end */
            printf("%s, %d dimensions: %.4f\n", core->head.name, 3 - flat,
                   variance_of(core, flat != 0));
            CHECK_NEAR(variance_of(core, flat != 0) / core->variance, 1, 3e-3);
        }
}

TESTS({"direct_is_the_sum", direct_is_the_sum},
      {"variances_are_those_of_the_vorticity", variances_are_those_of_the_vorticity},
      {"gradient_and_potential_fit", gradient_and_potential_fit}, {"rings_travel", rings_travel},
      {"tree_converges", tree_converges}, {"containment_is_rough", containment_is_rough},
      {"fourier_is_close", fourier_is_close}, {"multigrid_converges", multigrid_converges},
      {"poisson_is_close", poisson_is_close}, {"lines_are_points", lines_are_points},
      {"threads_do_not_matter", threads_do_not_matter},
      {"instruction_sets_do_not_matter", instruction_sets_do_not_matter},
      {"few_are_many", few_are_many}, {"layers_are_not_carried", layers_are_not_carried},
      {"odd_clouds", odd_clouds})
