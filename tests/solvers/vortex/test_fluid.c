/* The vortex fluid: conservation, diffusion, heat, fire, buoyancy against theory, by the operators
 * and by whole worlds. */
#include "setup.h"
#include "solvers/vortex/cloud_rows.h"
#include "solvers/vortex/walls.h"

static const bool is_double = sizeof(mote_real) == 8;

/* ---- vorticity ---- */

/* A wavy ring, so that stretching has work, by RK4 and the transposed scheme: the sum of strengths
 * over 1000 steps. */
static void strengths_stay(void)
{
    Cloud *c = cloud_ring(120, 0.15, 0.1);
    double before[9], after[9], size = 2 * PI;
    cloud_invariants(c, before);
    CHECK_NEAR(before[5], PI * 1.005, 0.02);
    c->work.dt = (mote_real)0.005;
    for (int step = 0; step < 1000; ++step) {
        arena_reset(&c->arena);
        CHECK(advance_vortons(&c->work, &c->rows));
    }
    cloud_invariants(c, after);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(after[k] / size, before[k] / size, is_double ? 1e-12 : 1e-5);
    for (int k = 3; k < 9; ++k) CHECK_NEAR(after[k] / before[5], before[k] / before[5], 0.01);
    cloud_free(c);
}

/* A ring over two radii, by RK4: speed by the formula, radius and impulse unchanged; by the direct
 * sum, and by the tree as far as its angle of 1/2 allows. */
static void rings_keep_their_speed(void)
{
    double core = 0.1, speed = (log(8 / core) - 0.5) / (4 * PI), time = 2 / speed;
    for (int tree = 0; tree < 2; ++tree) {
        size_t n = (size_t)lround(2 * PI * 2 / core);
        Cloud *c = cloud_ring(n, core, 0);
        int steps = (int)(time / 0.05); /* dt / (2 pi core^2) = 0.8 */
        double before[9], after[9];
        c->params.induction = tree ? 2 : 1, c->params.angle = (mote_real)0.5;
        c->work.dt = (mote_real)(time / steps);
        cloud_invariants(c, before);
        double energy = cloud_energy(c, n);
        for (int k = 0; k < steps; ++k) {
            arena_reset(&c->arena);
            CHECK(advance_vortons(&c->work, &c->rows));
        }
        cloud_invariants(c, after);
        for (size_t i = 0; i < n && !tree; i += 9) {
            double x = (double)c->rows.x[0][i], y = (double)c->rows.x[1][i];
            CHECK_NEAR((double)c->rows.x[2][i] / 2, 1, 5e-4);
            CHECK_NEAR(sqrt(x * x + y * y), 1, is_double ? 1e-12 : 1e-4);
        }
        CHECK_NEAR(before[5] / PI, 1, is_double ? 1e-13 : 1e-6);
        double tolerance = tree ? 1e-3 : is_double ? 1e-12 : 1e-5;
        for (int k = 3; k < 6; ++k) CHECK_NEAR((after[k] - before[k]) / PI, 0, tolerance);
        for (int k = 6; k < 9; ++k) CHECK_NEAR((after[k] - before[k]) / PI, 0, 1e-3);
        CHECK_NEAR(cloud_energy(c, n) / energy, 1, 0.01);
        cloud_free(c);
    }
}

/* Speed of a ring over two radii, of that by the formula, with dt = turn 2 pi core^2 / Gamma.
 */
static double relative_speed(int scheme, double turn)
{
    double core = 0.1, dt = turn * 2 * PI * core * core, speed = (log(8 / core) - 0.5) / (4 * PI);
    size_t n = (size_t)lround(2 * PI * 2 / core);
    Cloud *c = cloud_ring(n, core, 0);
    int steps = (int)(2 / speed / dt) + 1;
    double height = 0;
    c->params.scheme = scheme, c->work.dt = (mote_real)dt;
    for (int k = 0; k < steps; ++k) {
        arena_reset(&c->arena);
        CHECK(advance_vortons(&c->work, &c->rows));
    }
    for (size_t i = 0; i < n; ++i) height += (double)c->rows.x[2][i] / (double)n;
    cloud_free(c);
    return height / (steps * dt) / speed;
}

/* The limits that `mote check` names: 0.13, 0.5, 1 for euler, rk2, rk4; at 1 euler is lost. */
static void schemes_hold_as_long_as_they_say(void)
{
    CHECK_NEAR(relative_speed(0, 0.13), 1, 0.05);
    CHECK_NEAR(relative_speed(1, 0.5), 1, 0.01);
    CHECK_NEAR(relative_speed(2, 1), 1, 1e-3);
    CHECK(fabs(relative_speed(0, 1) - 1) > 0.1);
}

/* ---- diffusion ---- */

/* A Gaussian blob of vorticity and of heat on a lattice: its variance grows by 2 nu an axis and
 * time, the sum stays, and the profile stays the blob's with an error of 0.19 (e / s)^2. */
static void blobs_spread_as_viscosity_says(void)
{
    enum { SIDE = 21 };
    double spacing = 0.1, width = 0.28, nu = 0.01, time = 0.3, v = pow(spacing, 3);
    Cloud *c = cloud_make(SIDE * SIDE * SIDE);
    VortexGrid grid = {.size = {1, 1, 1}};
    for (size_t i = 0; i < c->rows.count; ++i) {
        double at[3] = {(double)(i % SIDE), (double)(i / SIDE % SIDE), (double)(i / SIDE / SIDE)},
               r2 = 0;
        for (int k = 0; k < 3; ++k) {
            at[k] = (at[k] - SIDE / 2) * spacing;
            c->rows.x[k][i] = (mote_real)at[k];
            r2 += at[k] * at[k];
        }
        double blob = exp(-r2 / (2 * width * width));
        c->rows.strength[2][i] = (mote_real)(v * blob);
        c->rows.temperature[i] = (mote_real)(300 + 50 * blob);
        c->rows.radius[i] = (mote_real)(1.1 * spacing);
        c->rows.volume[i] = (mote_real)v;
    }
    c->params.viscosity = (mote_real)nu, c->params.diffusivity = (mote_real)nu;
    c->work.dt = (mote_real)0.05;
    double before = sum_of(c->rows.strength[2], c->rows.count);
    double heat = sum_of(c->rows.temperature, c->rows.count);
    for (int k = 0; k < 6; ++k) {
        arena_reset(&c->arena);
        CHECK(diffuse(&c->work, &c->rows, &grid));
    }
    double after = sum_of(c->rows.strength[2], c->rows.count), error = 0, size = 0, variance = 0,
           known = 0;
    CHECK_NEAR(after / before, 1, is_double ? 1e-12 : 1e-5);
    CHECK_NEAR(sum_of(c->rows.temperature, c->rows.count) / heat, 1, is_double ? 1e-12 : 1e-5);
    double s2 = width * width + 2 * nu * time;
    for (size_t i = 0; i < c->rows.count; ++i) {
        double r2 = 0;
        for (int k = 0; k < 3; ++k) r2 += pow((double)c->rows.x[k][i], 2);
        double exact = pow(width * width / s2, 1.5) * exp(-r2 / (2 * s2));
        double got = (double)c->rows.strength[2][i] / v;
        error += (got - exact) * (got - exact), size += exact * exact;
        variance += got * r2, known += exact * r2;
        CHECK_NEAR(((double)c->rows.temperature[i] - 300) / 50, got, 1e-3);
    }
    CHECK_NEAR(sqrt(error / size), 0, 1.5 * 0.19 * pow(1.1 * spacing / width, 2));
    CHECK_NEAR(variance / known, 1, 0.003);
    cloud_free(c);
}

/* As published: shares go from one to another, and everything fades at the rate. */
static void published_exchange_fades_at_its_rate(void)
{
    Cloud *c = cloud_make(200);
    VortexGrid grid = {.size = {(mote_real)0.3, (mote_real)0.3, (mote_real)0.3}};
    RandomKey key = random_key(3, "exchange");
    for (size_t i = 0; i < c->rows.count; ++i) {
        Random4 a = random_draw(key, i, 0, 0), b = random_draw(key, i, 0, 1);
        for (int k = 0; k < 3; ++k) {
            c->rows.x[k][i] = random_unit(a.word[k]);
            c->rows.strength[k][i] = random_unit(b.word[k]);
        }
        c->rows.radius[i] = (mote_real)0.05 + (mote_real)0.02 * random_unit(a.word[3]);
    }
    double before = sum_of(c->rows.strength[1], c->rows.count);
    c->params.exchange = (mote_real)0.5;
    CHECK(diffuse(&c->work, &c->rows, &grid));
    double after = sum_of(c->rows.strength[1], c->rows.count);
    CHECK_NEAR(after / before, exp(-0.5 * 0.01), is_double ? 1e-12 : 2e-6);
    cloud_free(c);
}

/* ---- heat and fire ---- */

static void gas_law_and_fire(void)
{
    Cloud *c = cloud_make(1);
    mote_VortexSolver *p = &c->params;
    for (int k = 0; k < 5; ++k) {
        mote_real t = (mote_real)(250 + 400 * k);
        mote_real density = p->density + gas_deviation(p, t);
        CHECK_NEAR(density * t, p->density * p->temperature, 1e-4);
        CHECK_NEAR(gas_temperature(p, density - p->density) / t, 1, 1e-5);
    }
    p->burn_rate = 3, p->ignition = 600, p->burn_heat = 0; /* frozen temperature */
    c->rows.fuel[0] = (mote_real)0.8, c->rows.smoke[0] = (mote_real)0.2;
    c->rows.temperature[0] = 600;
    for (int k = 0; k < 40; ++k) { /* steps of any length */
        c->work.dt = (mote_real)(k % 2 == 0 ? 0.01 : 0.19);
        burn_rows(&c->work, &c->rows, 0, c->rows.count);
        double all = (double)(c->rows.fuel[0] + c->rows.flame[0] + c->rows.smoke[0]);
        CHECK_NEAR(all, 1, 1e-6);
        CHECK(c->rows.fuel[0] >= 0 && c->rows.flame[0] >= 0 && c->rows.smoke[0] >= 0);
    }
    double rate = 3 * exp(-1.0);
    CHECK_NEAR((double)c->rows.fuel[0] / (0.8 * exp(-rate * 4)), 1, is_double ? 1e-12 : 1e-4);
    p->burn_heat = 50000, p->smoke_rate = 2, c->work.dt = 1000; /* all of it, at once */
    c->rows.fuel[0] = (mote_real)0.5, c->rows.flame[0] = 0, c->rows.temperature[0] = 900;
    burn_rows(&c->work, &c->rows, 0, c->rows.count);
    CHECK_NEAR((double)c->rows.temperature[0], 900 + 50000 * 0.5 / 1005, 1e-3);
    CHECK_NEAR((double)c->rows.fuel[0], 0, 1e-6);
    cloud_free(c);
}

/* A light ball at rest starts to rise with (2/3) of the buoyancy of its own mass of fluid. */
static void light_balls_start_to_rise(void)
{
    enum { SIDE = 32 };
    double spacing = 2.0 / SIDE, lightness = 0.02, radius = 0.5, g = 10, dt = 0.01;
    Cloud *c = cloud_make(SIDE * SIDE * SIDE);
    mote_VortexSolver *p = &c->params;
    VortexGrid grid = {.low = {-1, -1, -1}};
    GridBox box = {{-1, -1, -1}, {1, 1, 1}};
    for (size_t i = 0; i < c->rows.count; ++i) {
        double at[3] = {(double)(i % SIDE), (double)(i / SIDE % SIDE), (double)(i / SIDE / SIDE)};
        double r2 = 0;
        for (int k = 0; k < 3; ++k) {
            at[k] = (at[k] + 0.5) * spacing - 1;
            c->rows.x[k][i] = (mote_real)at[k];
            r2 += at[k] * at[k];
        }
        bool in = r2 < radius * radius;
        c->rows.temperature[i] = (mote_real)((double)p->temperature / (1 - (in ? lightness : 0)));
        c->rows.radius[i] = (mote_real)spacing, c->rows.volume[i] = (mote_real)pow(spacing, 3);
    }
    CHECK(grid_shape(&grid, &box, c->rows.count, &c->memory));
    c->work.dt = (mote_real)dt;
    CHECK(vortex_deposit(&c->work, &c->rows, &grid));
    CHECK(vortex_sources(&c->work, &c->rows, &grid, false) != NULL);
    mote_real at[3] = {0}, out[3];
    InduceRequest r = {.core = c->work.core,
                       .sources = {.count = c->rows.count},
                       .x = {&at[0], &at[1], &at[2]},
                       .count = 1,
                       .out = {&out[0], &out[1], &out[2]},
                       .arena = &c->arena};
    mote_real *core2 = calloc(c->rows.count, sizeof *core2);
    for (int k = 0; k < 3; ++k) {
        r.sources.plane[SOURCE_X + k] = c->rows.x[k];
        r.sources.plane[SOURCE_ALPHA + k] = c->rows.strength[k];
    }
    for (size_t i = 0; i < c->rows.count; ++i) core2[i] = c->rows.radius[i] * c->rows.radius[i];
    r.sources.plane[SOURCE_CORE2] = core2;
    CHECK(induce_direct.induce(&r));
    CHECK_NEAR((double)out[1] / (2.0 / 3 * lightness * g * dt), 1, 0.05);
    CHECK_NEAR((double)out[0], 0, 1e-5);
    free(core2);
    grid_free(&grid, &c->memory);
    cloud_free(c);
}

/* ---- the grid ---- */

static void grids_keep_sums_and_lines(void)
{
    Cloud *c = cloud_make(300);
    VortexGrid grid = {.low = {0}};
    GridBox box = {{-1, 0, 2}, {1, 1, 5}};
    RandomKey key = random_key(11, "grid");
    double mass = 0, nodes = 0;
    for (size_t i = 0; i < c->rows.count; ++i) {
        Random4 a = random_draw(key, i, 0, 0);
        for (int k = 0; k < 3; ++k)
            c->rows.x[k][i] = box.low[k] + (box.high[k] - box.low[k]) * random_unit(a.word[k]);
        c->rows.radius[i] = (mote_real)0.1;
        c->rows.temperature[i] = 300 + 100 * random_unit(a.word[3]);
        mass += (double)(gas_deviation(&c->params, c->rows.temperature[i]) *
                         vorton_volume(&c->rows, i));
    }
    CHECK(grid_shape(&grid, &box, 300, &c->memory));
    CHECK(vortex_deposit(&c->work, &c->rows, &grid));
    for (size_t k = 0; k < grid_node_count(&grid); ++k)
        nodes += (double)grid.nodes[k * NODE_SIZE + NODE_DENSITY];
    CHECK_NEAR(nodes * (double)grid_cell_volume(&grid) / mass, 1, 1e-5);
    for (size_t k = 0; k < grid_node_count(&grid); ++k) { /* f = 1 + 2 x - y + 3 z */
        size_t row = grid.cells[0] + 1, slab = grid.cells[1] + 1;
        double at[3] = {(double)(k % row), (double)(k / row % slab), (double)(k / row / slab)};
        for (int j = 0; j < 3; ++j) at[j] = (double)grid.low[j] + at[j] * (double)grid.size[j];
        grid.nodes[k * NODE_SIZE] = (mote_real)(1 + 2 * at[0] - at[1] + 3 * at[2]);
    }
    mote_real *slopes = calloc(SLOPE_SIZE * grid_node_count(&grid), sizeof *slopes), got[300];
    mote_real *out[NODE_SIZE] = {got};
    const mote_real *x[3] = {c->rows.x[0], c->rows.x[1], c->rows.x[2]};
    fluid_kernels(isa_pick())->slopes(&grid, NULL, 0, grid.cells[2] + 1, slopes);
    for (size_t k = 0; k < grid_node_count(&grid); ++k) {
        CHECK_NEAR(slopes[SLOPE_SIZE * k], 2, 1e-3);
        CHECK_NEAR(slopes[SLOPE_SIZE * k + 4], -1, 1e-3);
        CHECK_NEAR(slopes[SLOPE_SIZE * k + 8], 3, 1e-3);
    }
    grid_kernels(isa_pick())->gather(&grid, x, c->rows.count, out);
    for (size_t i = 0; i < c->rows.count; ++i)
        CHECK_NEAR(got[i], 1 + 2 * x[0][i] - x[1][i] + 3 * x[2][i], 1e-4);
    free(slopes);
    grid_free(&grid, &c->memory);
    cloud_free(c);
}

/* ---- tracers at bodies ---- */

enum { TRACERS = 1203, ROOM = TRACERS + 8 };

typedef struct Tracers {
    mote_real x[3][ROOM], v[3][ROOM], radius[ROOM], mass[ROOM];
} Tracers;

static void place_tracers(Tracers *t)
{
    RandomKey key = random_key(3, "tracers");
    for (size_t i = 0; i < ROOM; ++i) {
        Random4 a = random_draw(key, i, 0, 0), b = random_draw(key, i, 0, 1);
        for (int c = 0; c < 3; ++c) {
            t->x[c][i] = random_signed(a.word[c]);
            t->v[c][i] = 3 * random_signed(b.word[c]);
        }
        t->radius[i] = (mote_real)0.02 * random_unit(a.word[3]);
        t->mass[i] = 1 + random_unit(b.word[3]);
    }
}

/* A ball, or a box of half sides 0.5, 0.3 and 0.1 turned by 30 degrees about y. */
static Polytope moving_body(bool ball)
{
    Polytope p = {.centre = {(mote_real)0.1, 0, (mote_real)-0.05}, .bound = (mote_real)0.4};
    const mote_real half[3] = {(mote_real)0.5, (mote_real)0.3, (mote_real)0.1};
    const mote_real c = (mote_real)0.8660254037844387, s = (mote_real)0.5;
    const mote_Vec3 axes[3] = {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
    p.pose.position = p.centre;
    p.velocity.linear = vec3(1, (mote_real)0.5, 0), p.velocity.angular = vec3(0, 2, 1);
    if (ball) return p;
    p.bound = REAL_SQRT((mote_real)0.35), p.inner = half[2];
    for (size_t k = 0; k < 6; ++k) {
        mote_Vec3 n = vec3_scale(axes[k / 2], k % 2 == 0 ? 1 : -(mote_real)1);
        p.planes[p.count++] = (MeshPlane){n, half[k / 2] + vec3_dot(n, p.centre)};
    }
    return p;
}

/* One row by the functions of geometry/polytope.h: where it goes, and its velocity. */
static bool meet_alone(const Polytope *p, const Tracers *t, size_t i, mote_Vec3 *x, mote_Vec3 *v)
{
    PolytopeVisitor visitor = {*x, *v, t->radius[i], (mote_real)0.03};
    PolytopeContact contact;
    mote_Vec3 normal;
    if (!(polytope_contact(p, *x).distance < t->radius[i])) return false;
    if (!polytope_collision(p, &visitor, &contact)) return false;
    *x = vec3_madd(polytope_point(p, *x, &contact, &normal), t->radius[i], normal);
    mote_real into = vec3_dot(vec3_sub(*v, polytope_velocity(p, *x)), normal);
    if (into < 0) *v = vec3_madd(*v, (mote_real)-1.25 * into, normal);
    return true;
}

/* The angular momentum about the body's middle that a row loses: its impulse is along the normal,
 * so that its own radius does not count. */
static void add_turn(const Polytope *p, const Tracers *t, const Tracers *before, size_t i,
                     double turned[3])
{
    const mote_Vec3 x = vec3(t->x[0][i], t->x[1][i], t->x[2][i]);
    const mote_Vec3 change = vec3(before->v[0][i] - t->v[0][i], before->v[1][i] - t->v[1][i],
                                  before->v[2][i] - t->v[2][i]);
    const mote_Vec3 turn = vec3_cross(vec3_sub(x, p->pose.position), change);
    turned[0] += (double)(t->mass[i] * turn.x);
    turned[1] += (double)(t->mass[i] * turn.y);
    turned[2] += (double)(t->mass[i] * turn.z);
}

/* Eight rows at a time as one by one; what the body gets is what the rows lose. */
static void tracers_meet_bodies(void)
{
    static Tracers t, before;
    for (int ball = 0; ball < 2; ++ball) {
        Polytope p = moving_body(ball);
        uint32_t rows[ROOM];
        TracerShare share = {.hits = 0};
        double lost[3] = {0}, turned[3] = {0};
        size_t touching = 0;
        place_tracers(&before), place_tracers(&t);
        WallRows w = {.x = {t.x[0], t.x[1], t.x[2]},
                      .v = {t.v[0], t.v[1], t.v[2]},
                      .radius = t.radius,
                      .mass = t.mass,
                      .count = TRACERS,
                      .dt = (mote_real)0.03,
                      .restitution = (mote_real)0.25};
        const VortexWallKernels *kernels = vortex_wall_kernels(isa_pick());
        size_t count = kernels->touching(&p, &w, rows);
        kernels->meet(&p, &w, rows, count, &share);
        for (size_t i = 0; i < ROOM; ++i) {
            mote_Vec3 x = vec3(before.x[0][i], before.x[1][i], before.x[2][i]);
            mote_Vec3 v = vec3(before.v[0][i], before.v[1][i], before.v[2][i]);
            touching += i < TRACERS && meet_alone(&p, &before, i, &x, &v);
            const mote_real wanted[6] = {x.x, x.y, x.z, v.x, v.y, v.z};
            for (int c = 0; c < 3; ++c) {
                CHECK_NEAR(t.x[c][i], wanted[c], 1e-6);
                CHECK_NEAR(t.v[c][i], wanted[3 + c], 1e-5);
                lost[c] += (double)(t.mass[i] * (before.v[c][i] - t.v[c][i]));
            }
            add_turn(&p, &t, &before, i, turned);
        }
        CHECK(touching == count && count > 10 && share.hits == count);
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(share.impulse[c] / lost[c], 1, 1e-4);
            CHECK_NEAR(share.angular[c], turned[c], 1e-4 * hypot(lost[0], hypot(lost[1], lost[2])));
        }
        count = kernels->fast(&w, (mote_real)0.05, rows);
        for (size_t k = 0; k < count; ++k) {
            mote_real *const *u = w.v;
            double speed2 = 0;
            for (int c = 0; c < 3; ++c) speed2 += (double)(u[c][rows[k]] * u[c][rows[k]]);
            CHECK(sqrt(speed2) * 0.03 > 0.0499 && rows[k] < TRACERS);
        }
        CHECK(count > 100 && count < TRACERS);
    }
}

/* Who touches a body of up to 64 faces, eight rows and eight faces at a time, is who is in front of
 * none of all its faces. */
static void bodies_of_many_faces(void)
{
    static const size_t faces[] = {7, 8, 9, 16, 17, 36, POLYTOPE_PLANES};
    static Tracers t;
    const VortexWallKernels *kernels = vortex_wall_kernels(isa_pick());
    RandomKey key = random_key(5, "faces");
    place_tracers(&t);
    WallRows w = {.x = {t.x[0], t.x[1], t.x[2]}, .radius = t.radius, .count = TRACERS};
    for (size_t f = 0; f < sizeof faces / sizeof faces[0]; ++f) {
        Polytope p = {.count = faces[f], .bound = 1};
        uint32_t rows[ROOM];
        for (size_t k = 0; k < p.count; ++k) {
            Random4 u = random_draw(key, k, (uint32_t)f, 0);
            mote_Vec3 n =
                vec3(random_signed(u.word[0]), random_signed(u.word[1]), random_signed(u.word[2]));
            p.planes[k] = (MeshPlane){vec3_unit(n, vec3(1, 0, 0)), (mote_real)0.4};
        }
        size_t count = kernels->touching(&p, &w, rows), wanted = 0;
        for (size_t i = 0; i < TRACERS; ++i) {
            mote_Vec3 x = vec3(t.x[0][i], t.x[1][i], t.x[2][i]);
            bool near = vec3_dot(x, x) < (p.bound + t.radius[i]) * (p.bound + t.radius[i]);
            if (!near || polytope_contact(&p, x).distance >= t.radius[i]) continue;
            CHECK(wanted < count && rows[wanted] == i);
            ++wanted;
        }
        CHECK(wanted == count && count > 20 && count < TRACERS);
    }
}

TESTS({"strengths_stay", strengths_stay}, {"rings_keep_their_speed", rings_keep_their_speed},
      {"schemes_hold_as_long_as_they_say", schemes_hold_as_long_as_they_say},
      {"blobs_spread_as_viscosity_says", blobs_spread_as_viscosity_says},
      {"published_exchange_fades_at_its_rate", published_exchange_fades_at_its_rate},
      {"gas_law_and_fire", gas_law_and_fire},
      {"light_balls_start_to_rise", light_balls_start_to_rise},
      {"grids_keep_sums_and_lines", grids_keep_sums_and_lines},
      {"tracers_meet_bodies", tracers_meet_bodies}, {"bodies_of_many_faces", bodies_of_many_faces})
