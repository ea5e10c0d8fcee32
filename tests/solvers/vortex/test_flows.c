/* Vorticity that fills space, as vortons on lattices: thick rings, tubes, blobs, against theory. */
#include "check.h"
#include "solvers/vortex/cloud_rows.h"

enum { CORE_GAUSSIAN = 2 };

/* ---- thick rings ---- */

typedef struct ThickRing {
    double core;    /* a; the ring's radius and circulation are 1 */
    double spacing; /* of the lattice across and along */
    double reach;   /* of the cross-section, in a */
    bool uniform;   /* or a Gaussian exp(-d^2 / a^2) */
    bool hollow;    /* uniform: all of it on the core's edge */
} ThickRing;

/* Places across a ring's section on a lattice about its centre; their number. */
static size_t section_of(const ThickRing *ring, double (*place)[2])
{
    long side = (long)ceil(ring->reach * ring->core / ring->spacing);
    size_t count = 0, edge = (size_t)lround(2 * PI * ring->core / ring->spacing);
    for (size_t k = 0; k < edge && ring->hollow; ++k) {
        place[k][0] = ring->core * cos(2 * PI * ((double)k + 0.5) / (double)edge);
        place[k][1] = ring->core * sin(2 * PI * ((double)k + 0.5) / (double)edge);
    }
    if (ring->hollow) return edge;
    for (long i = -side; i <= side; ++i)
        for (long j = -side; j <= side; ++j) {
            double x = ((double)i + 0.5) * ring->spacing, y = ((double)j + 0.5) * ring->spacing;
            if (x * x + y * y > pow(ring->reach * ring->core, 2)) continue;
            place[count][0] = x, place[count][1] = y;
            ++count;
        }
    return count;
}

/* Vortons of a thick ring about z, section by section, the first at azimuth 0. Their Gaussian cores
 * widen the profile, so that of the strengths is narrower by as much. */
static Cloud *thick_ring(const ThickRing *ring, size_t *section)
{
    static double place[4096][2];
    size_t m = *section = section_of(ring, place), turns = (size_t)lround(2 * PI / ring->spacing);
    Cloud *c = cloud_make(m * turns);
    double blob = 1.3 * ring->spacing, width2 = ring->core * ring->core, total = 0;
    if (!ring->uniform) width2 -= 2 * blob * blob;
    for (size_t k = 0; k < m; ++k)
        total += ring->uniform ? 1 : exp(-(pow(place[k][0], 2) + pow(place[k][1], 2)) / width2);
    for (size_t i = 0; i < m * turns; ++i) {
        const double *at = place[i % m];
        double turn = 2 * PI * (double)(i / m) / (double)turns, r = 1 + at[0];
        double share = ring->uniform ? 1 : exp(-(at[0] * at[0] + at[1] * at[1]) / width2);
        double alpha = share / total * 2 * PI * r / (double)turns;
        c->rows.x[0][i] = (mote_real)(r * cos(turn)), c->rows.x[1][i] = (mote_real)(r * sin(turn));
        c->rows.x[2][i] = (mote_real)at[1], c->rows.radius[i] = (mote_real)blob;
        c->rows.strength[0][i] = (mote_real)(-alpha * sin(turn));
        c->rows.strength[1][i] = (mote_real)(alpha * cos(turn));
    }
    c->work.core = core_row(isa_pick(), CORE_GAUSSIAN);
    return c;
}

/* Speed of the impulse's centre: every circle of vorticity keeps its circulation g, so
 * Z = sum g r^2 z / sum g r^2 moves with sum g (r^2 w + 2 r z u) / sum g r^2. */
static double centre_speed(Cloud *c, size_t section)
{
    InduceRequest r = cloud_request(c, QUANTITY_VELOCITY);
    double moved = 0, impulse = 0;
    r.count = section;
    for (int k = 0; k < 3; ++k) {
        r.x[k] = c->rows.x[k];
        r.out[k] = arena_take(&c->arena, section * sizeof(mote_real));
    }
    CHECK(induce_direct.induce(&r));
    for (size_t i = 0; i < section; ++i) {
        double radius = (double)c->rows.x[0][i], z = (double)c->rows.x[2][i];
        double g = (double)c->rows.strength[1][i] / radius;
        moved += g * (radius * radius * (double)r.out[2][i] + 2 * radius * z * (double)r.out[0][i]);
        impulse += g * radius * radius;
    }
    return moved / impulse;
}

/* Saffman 1970: U = Gamma / (4 pi R) (ln(8 R / a) - 0.558); its own error is of order (a / R)^2. */
static void gaussian_rings_travel(void)
{
    const struct {
        double core, tolerance;
    } cases[] = {{0.2, 0.04}, {0.1, 0.013}, {0.05, 0.005}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        ThickRing ring = {cases[k].core, cases[k].core / 3, 2.2, false, false};
        size_t section;
        Cloud *c = thick_ring(&ring, &section);
        double theory = (log(8 / ring.core) - 0.558) / (4 * PI);
        CHECK_NEAR(centre_speed(c, section) / theory, 1, cases[k].tolerance);
        cloud_free(c);
    }
}

/* U = Gamma / (4 pi R) (ln(8 R / a) - b): 1/4 of a uniform core (Kelvin 1867), 1/2 of a hollow one
 * (Hicks 1884). */
static void uniform_and_hollow_rings_travel(void)
{
    const ThickRing rings[] = {{0.05, 0.05 / 10, 1, true, false}, {0.05, 0.05 / 30, 1, true, true}};
    for (int k = 0; k < 2; ++k) {
        size_t section;
        Cloud *c = thick_ring(&rings[k], &section);
        double theory = (log(8 / rings[k].core) - (k == 0 ? 0.25 : 0.5)) / (4 * PI);
        CHECK_NEAR(centre_speed(c, section) / theory, 1, 0.01);
        cloud_free(c);
    }
}

/* E = 1/2 Gamma^2 R (ln(8 R / a) - 7/4) of a uniform core, and I = Gamma pi R^2 (1 + a^2 / 4). */
static void uniform_rings_have_their_energy(void)
{
    ThickRing ring = {0.1, 0.1 / 6, 1, true, false};
    size_t section;
    Cloud *c = thick_ring(&ring, &section);
    double theory = 0.5 * (log(8 / ring.core) - 1.75), sums[9];
    double turns = (double)(c->rows.count / section);
    cloud_invariants(c, sums);
    CHECK_NEAR(cloud_energy(c, section) * turns / theory, 1, 0.02);
    CHECK_NEAR(sums[5] / PI, 1 + 0.25 * ring.core * ring.core, 2e-3);
    cloud_free(c);
}

/* ---- Lamb and Oseen ---- */

/* A tube of vorticity along z whose section is a Gaussian of variance s^2 = 2 nu t: on circles
 * u = Gamma / (2 pi r) (1 - exp(-r^2 / (4 nu t))), largest at r = 2.2418 sqrt(nu t). */
static void tubes_turn_as_lamb_and_oseen_say(void)
{
    enum { SIDE = 29, LAYERS = 120, POINTS = 5 };
    double h = 0.25, blob = 1.2 * h, s2 = 1, total = 0, length = LAYERS * h / 2;
    Cloud *c = cloud_make((size_t)SIDE * SIDE * LAYERS);
    const double peak = 2.2418 * sqrt(s2 / 2),
                 radii[POINTS] = {0.5, 0.9 * peak, peak, 1.1 * peak, 3};
    double speed[POINTS];
    for (size_t i = 0; i < c->rows.count; ++i) {
        double x = ((double)(i % SIDE) - SIDE / 2) * h,
               y = ((double)(i / SIDE % SIDE) - SIDE / 2) * h;
        double z = ((double)(i / SIDE / SIDE) + 0.5) * h - length;
        c->rows.x[0][i] = (mote_real)x, c->rows.x[1][i] = (mote_real)y,
        c->rows.x[2][i] = (mote_real)z;
        c->rows.strength[2][i] = (mote_real)exp(-(x * x + y * y) / (2 * (s2 - blob * blob)));
        c->rows.radius[i] = (mote_real)blob;
        if (i < SIDE * SIDE) total += (double)c->rows.strength[2][i];
    }
    c->work.core = core_row(isa_pick(), CORE_GAUSSIAN);
    InduceRequest r = cloud_request(c, QUANTITY_VELOCITY);
    mote_real x[3][POINTS] = {{0}}, out[3][POINTS];
    for (int k = 0; k < POINTS; ++k) x[0][k] = (mote_real)radii[k];
    r.count = POINTS;
    for (int k = 0; k < 3; ++k) r.x[k] = x[k], r.out[k] = out[k];
    CHECK(induce_direct.induce(&r));
    for (int k = 0; k < POINTS; ++k) {
        double radius = radii[k], end = length / sqrt(length * length + radius * radius);
        double circulation = total / h; /* strength a length */
        speed[k] = (double)out[1][k];
        double theory = circulation / (2 * PI * radius) * (1 - exp(-radius * radius / (2 * s2)));
        CHECK_NEAR(speed[k] / (end * theory), 1, 5e-3);
    }
    CHECK(speed[2] > speed[1] && speed[2] > speed[3]);
    cloud_free(c);
}

/* The same tube spreads by particle-strength exchange: at its middle the variance grows by 2 nu t
 * an axis, and enstrophy a length is Gamma^2 / (8 pi nu t). */
static void tubes_spread_as_lamb_and_oseen_say(void)
{
    enum { SIDE = 23, LAYERS = 9 };
    double h = 0.1, e = 1.1 * h, s2 = pow(e / 0.45, 2), nu = 0.01, dt = 0.1;
    Cloud *c = cloud_make((size_t)SIDE * SIDE * LAYERS);
    VortexGrid grid = {.size = {1, 1, 1}};
    for (size_t i = 0; i < c->rows.count; ++i) {
        double at[3] = {(double)(i % SIDE) - SIDE / 2, (double)(i / SIDE % SIDE) - SIDE / 2,
                        (double)(i / SIDE / SIDE) - LAYERS / 2};
        for (int k = 0; k < 3; ++k) c->rows.x[k][i] = (mote_real)(h * at[k]);
        double r2 = h * h * (at[0] * at[0] + at[1] * at[1]);
        c->rows.strength[2][i] = (mote_real)(h * h * h * exp(-r2 / (2 * s2)));
        c->rows.radius[i] = (mote_real)e, c->rows.volume[i] = (mote_real)(h * h * h);
    }
    c->params.viscosity = (mote_real)nu, c->work.dt = (mote_real)dt;
    int steps = (int)(0.1 * s2 / nu / dt); /* the variance grows by a fifth */
    for (int k = 0; k < steps; ++k) {
        arena_reset(&c->arena);
        CHECK(diffuse(&c->work, &c->rows, &grid));
    }
    double after = s2 + 2 * nu * dt * steps, sum = 0, moment = 0, square = 0, error = 0, size = 0;
    const size_t first = (size_t)SIDE * SIDE * (LAYERS / 2);
    for (size_t i = first; i < first + SIDE * SIDE; ++i) {
        double x = (double)c->rows.x[0][i], y = (double)c->rows.x[1][i];
        double w = (double)c->rows.strength[2][i] / (h * h * h);
        double exact = s2 / after * exp(-(x * x + y * y) / (2 * after));
        sum += w, moment += w * (x * x + y * y), square += w * w;
        error += (w - exact) * (w - exact), size += exact * exact;
    }
    double circulation = 2 * PI * s2;
    CHECK_NEAR(sum * h * h / circulation, 1, 5e-3);
    CHECK_NEAR(moment / sum / (2 * after), 1, 0.003);
    CHECK_NEAR(square * h * h / (circulation * circulation / (4 * PI * after)), 1, 0.02);
    CHECK(sqrt(error / size) < 1.5 * 0.19 * e * e / s2);
    cloud_free(c);
}

/* Strength along z of a Gaussian blob of width 1 on a lattice of spacing h, in cores of that
 * radius.
 */
static Cloud *blob(double h, size_t side)
{
    Cloud *c = cloud_make(side * side * side);
    for (size_t i = 0; i < c->rows.count; ++i) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        double r2 = 0;
        for (int k = 0; k < 3; ++k) {
            c->rows.x[k][i] = (mote_real)(((double)at[k] - (double)(side / 2)) * h);
            r2 += pow((double)c->rows.x[k][i], 2);
        }
        c->rows.strength[2][i] = (mote_real)(h * h * h * exp(-r2 / 2));
        c->rows.radius[i] = (mote_real)h, c->rows.volume[i] = (mote_real)(h * h * h);
    }
    c->work.core = core_row(isa_pick(), CORE_GAUSSIAN);
    return c;
}

/* How many places of a round lattice this one stands for, of x >= y >= z >= 0; else 0. */
static double multiplicity(size_t i, size_t side)
{
    const long middle = (long)side / 2, x = (long)(i % side) - middle,
               y = (long)(i / side % side) - middle, z = (long)(i / side / side) - middle;
    if (x < y || y < z || z < 0) return 0;
    double orders = x > y && y > z ? 6 : x > y || y > z ? 3 : 1;
    return orders * (x > 0 ? 2 : 1) * (y > 0 ? 2 : 1) * (z > 0 ? 2 : 1);
}

/* dE = sum A . d alpha of something round. */
static double energy_change(Cloud *c, size_t side, const mote_real *before)
{
    InduceRequest r = cloud_request(c, QUANTITY_POTENTIAL);
    size_t n = c->rows.count, *row = calloc(n, sizeof *row);
    double change = 0;
    for (size_t i = 0; i < n; ++i)
        if (multiplicity(i, side) > 0) row[r.count++] = i;
    for (int k = 0; k < 3; ++k) {
        mote_real *x = arena_take(&c->arena, r.count * sizeof *x);
        for (size_t j = 0; j < r.count; ++j) x[j] = c->rows.x[k][row[j]];
        r.x[k] = x, r.out[k] = arena_take(&c->arena, r.count * sizeof *x);
    }
    CHECK(induce_direct.induce(&r));
    for (size_t j = 0; j < r.count; ++j)
        change += (double)r.out[2][j] * multiplicity(row[j], side) *
                  (double)(c->rows.strength[2][row[j]] - before[row[j]]);
    free(row);
    return change;
}

/* A blob of width 1 by particle-strength exchange, of width and spacing e: of -k^2 it makes
 * -(1 - exp(-e^2 k^2 / 2)) 2 / e^2. With that, and the cores' potential, the integral of
 * omega^(k)^2 / k^2 exp(-e^2 k^2 / 2) says how fast energy goes. */
static void viscosity_takes_energy(void)
{
    enum { SIDE = 25 };
    double e = 0.3, nu = 0.01, dt = 0.02 * e * e / nu;
    Cloud *c = blob(e, SIDE);
    VortexGrid grid = {.size = {1, 1, 1}};
    mote_real *before = calloc(c->rows.count, sizeof *before);
    memcpy(before, c->rows.strength[2], c->rows.count * sizeof *before);
    c->params.viscosity = (mote_real)nu, c->work.dt = (mote_real)dt;
    CHECK(diffuse(&c->work, &c->rows, &grid));
    double rate = energy_change(c, SIDE, before) / dt, a = 1 + e * e / 2;
    double theory = -nu * 2 * pow(PI, 1.5) * 2 / (e * e) * (1 / sqrt(a) - 1 / sqrt(a + e * e / 2));
    CHECK_NEAR(rate / theory, 1, 0.01);
    free(before);
    cloud_free(c);
}

/* ---- one vorton on a grid ---- */

/* A lone vorton does not move itself, of whatever core, wherever in its cell it is and however
 * small its core: of its peak velocity, with cores as on the grid. */
static void lone_vortons_stay(void)
{
    Cloud *c = cloud_make(1);
    VortexGrid grid = {.nodes = NULL};
    GridBox box = {{-1, -1, -1}, {1, 1, 1}};
    RandomKey key = random_key(5, "lone");
    CHECK(grid_shape(&grid, &box, 512, &c->memory));
    c->rows.radius[0] = (mote_real)0.01;
    for (int k = 0; k < 80; ++k) {
        Random4 a = random_draw(key, (uint64_t)k, 0, 0), b = random_draw(key, (uint64_t)k, 0, 1);
        double most = 0, e = (double)grid.size[0], size = 0;
        arena_reset(&c->arena);
        c->work.core = core_row(isa_pick(), k % 4);
        c->params.scheme = k / 4 % 2;
        for (int i = 0; i < 3; ++i) {
            c->rows.x[i][0] = (mote_real)0.5 * random_signed(a.word[i]);
            c->rows.strength[i][0] = random_signed(b.word[i]);
            size += pow((double)c->rows.strength[i][0], 2);
        }
        CHECK(vortex_fill_velocity(&c->work, &c->rows, &grid));
        drift_on_grid(&c->work, &c->rows, &grid, NULL);
        for (int i = 0; i < 3; ++i) most = fmax(most, fabs((double)c->rows.v[i][0]));
        CHECK(most < 1e-3 * sqrt(size) / (4 * PI * e * e));
    }
    grid_free(&grid, &c->memory);
    cloud_free(c);
}

/* Mean size of d^3 x / dt^3 of random vortons, from differences of their velocities on the way. */
static double jerk(bool on_grid, double mollify)
{
    enum { COUNT = 300, STEPS = 12 };
    Cloud *c = cloud_make(COUNT);
    VortexGrid grid = {.nodes = NULL};
    GridBox box = {{-1, -1, -1}, {1, 1, 1}};
    RandomKey key = random_key(8, "jerk");
    mote_real v[3][3][COUNT];
    double sum = 0;
    CHECK(grid_shape(&grid, &box, COUNT, &c->memory));
    c->params.mollify = (mote_real)mollify, c->params.evaluation = !on_grid;
    c->work.dt = (mote_real)0.002;
    for (size_t i = 0; i < COUNT; ++i) {
        Random4 a = random_draw(key, i, 0, 0), b = random_draw(key, i, 0, 1);
        for (int k = 0; k < 3; ++k) {
            c->rows.x[k][i] = (mote_real)0.7 * random_signed(a.word[k]);
            c->rows.strength[k][i] = (mote_real)0.2 * random_signed(b.word[k]);
        }
        c->rows.radius[i] = on_grid ? (mote_real)0.02 : grid_least_core(&grid, &c->params);
    }
    c->params.stretching = 0;
    for (int step = 0; step < STEPS; ++step) {
        arena_reset(&c->arena);
        if (on_grid) CHECK(vortex_fill_velocity(&c->work, &c->rows, &grid));
        if (on_grid)
            drift_on_grid(&c->work, &c->rows, &grid, NULL);
        else
            CHECK(advance_vortons(&c->work, &c->rows));
        for (int k = 0; k < 3; ++k) memcpy(v[step % 3][k], c->rows.v[k], sizeof v[0][0]);
        for (size_t i = 0; i < COUNT && step >= 2; ++i) {
            double size = 0;
            for (int k = 0; k < 3; ++k) {
                double second = (double)v[step % 3][k][i] - 2 * (double)v[(step + 2) % 3][k][i] +
                                (double)v[(step + 1) % 3][k][i];
                size += second * second;
            }
            sum += sqrt(size);
        }
    }
    grid_free(&grid, &c->memory);
    cloud_free(c);
    return sum;
}

/* Vortons on a grid are hardly jerkier than by the sum at each of them, once their cores are a cell
 * wide or more; small cores between nodes are. */
static void mollified_vortons_do_not_jerk(void)
{
    double exact = jerk(false, 2), wide = jerk(true, 2), sharp = jerk(true, 0.3);
    CHECK(wide < 1.5 * exact);
    CHECK(sharp > 5 * wide);
}

TESTS({"gaussian_rings_travel", gaussian_rings_travel},
      {"uniform_and_hollow_rings_travel", uniform_and_hollow_rings_travel},
      {"uniform_rings_have_their_energy", uniform_rings_have_their_energy},
      {"tubes_turn_as_lamb_and_oseen_say", tubes_turn_as_lamb_and_oseen_say},
      {"tubes_spread_as_lamb_and_oseen_say", tubes_spread_as_lamb_and_oseen_say},
      {"viscosity_takes_energy", viscosity_takes_energy}, {"lone_vortons_stay", lone_vortons_stay},
      {"mollified_vortons_do_not_jerk", mollified_vortons_do_not_jerk})
