/* Gravity between particles through the world: orbits of Kepler, the figure eight, a cluster in
 * balance; energies in the report. */
#include "setup.h"

static const bool is_double = sizeof(mote_real) == 8;
static const double PI = 3.14159265358979323846;

static size_t add_mass(mote_System *system, double mass, mote_Vec3 x, mote_Vec3 v)
{
    size_t row = setup_particle(system, x, v);
    setup_reals(system, "mass", 0)[row] = (mote_real)mass;
    return row;
}

static void add_gravity(mote_World *world, double softening)
{
    mote_MutualGravityForce gravity = mote_mutual_gravity_force_def();
    gravity.G = 1, gravity.softening = (mote_real)softening;
    setup_force(world, "mutual-gravity", &gravity);
}

/* ---- two bodies ---- */

/* Masses 3 and 1 in one orbit of semi-axis 1: n^2 = G (3 + 1), so that the period is pi. */
static mote_System *add_pair(mote_World *world, const char *integrator, double eccentricity)
{
    mote_System *system = setup_system(world, "pair", integrator, NULL);
    double r = 1 - eccentricity, v = 2 * sqrt((1 + eccentricity) / (1 - eccentricity));
    add_mass(system, 3, setup_vec(-r / 4, 0, 0), setup_vec(0, -v / 4, 0));
    add_mass(system, 1, setup_vec(3 * r / 4, 0, 0), setup_vec(0, 3 * v / 4, 0));
    add_gravity(world, 0);
    return system;
}

typedef struct Relative {
    double r, outward; /* distance, and r times its rate of change */
} Relative;

static Relative relative(const mote_System *system)
{
    Relative to = {0, 0};
    for (int c = 0; c < 3; ++c) {
        double x = setup_at(system, "position", c, 1) - setup_at(system, "position", c, 0);
        double v = setup_at(system, "velocity", c, 1) - setup_at(system, "velocity", c, 0);
        to.r += x * x, to.outward += x * v;
    }
    to.r = sqrt(to.r);
    return to;
}

enum { ORBITS = 10 };

/* Periods between passes of the pericentre, the apsides, and the energy at each pericentre. */
typedef struct Orbits {
    int passes;
    double first, last; /* s, of a pass */
    double near, far;   /* m */
    double energy[ORBITS + 2], lowest, highest;
} Orbits;

static Orbits follow(const char *integrator, int steps)
{
    Orbits orbits = {.near = 9, .lowest = 9, .highest = -9};
    mote_WorldDef def = setup_def(PI / steps);
    mote_World *world = setup_world(&def);
    const mote_System *system = add_pair(world, integrator, 0.5);
    double outward = 0;
    for (int i = 1; i < (ORBITS + 1) * steps + steps / 4; ++i) {
        mote_StepReport report = setup_step(world);
        Relative now = relative(system);
        double energy = report.kinetic + report.potential, t = report.time;
        if (outward < 0 && now.outward >= 0) {
            double pass = t - def.max_step * now.outward / (now.outward - outward);
            if (orbits.passes == 0) orbits.first = pass;
            orbits.last = pass, orbits.energy[orbits.passes++] = energy;
        }
        outward = now.outward;
        orbits.near = fmin(orbits.near, now.r), orbits.far = fmax(orbits.far, now.r);
        orbits.lowest = fmin(orbits.lowest, energy), orbits.highest = fmax(orbits.highest, energy);
    }
    mote_world_destroy(world);
    return orbits;
}

static void kepler(void)
{
    static const char *const integrators[] = {"leapfrog", "yoshida4", "rk4"};
    for (size_t i = 0; i < COUNT_OF(integrators); ++i) {
        Orbits orbits = follow(integrators[i], i == 0 ? 2400 : 800);
        CHECK(orbits.passes == ORBITS + 1);
        CHECK_NEAR((orbits.last - orbits.first) / ORBITS / PI, 1, 1e-4);
        CHECK_NEAR(orbits.near, 0.5, 1e-4);
        CHECK_NEAR(orbits.far, 1.5, 1e-4);
    }
}

/* -G m1 m2 / 2a = -1.5 J at a pericentre of 0.5 m: leapfrog's energy swings, but comes back. */
static void leapfrog_keeps_energy(void)
{
    Orbits orbits = follow("leapfrog", 600);
    double swing = orbits.highest - orbits.lowest;
    double drift = fabs(orbits.energy[ORBITS] - orbits.energy[0]);
    CHECK_NEAR(orbits.energy[0], -1.5, 1e-3);
    CHECK(swing > 1e-5 && swing < 1e-3);
    CHECK(drift < (is_double ? 1e-3 : 2e-2) * swing);
    Orbits euler = follow("rk4", 60); /* the check can fail: this one loses energy for good */
    CHECK(fabs(euler.energy[ORBITS] - euler.energy[0]) > 1e-3);
}

/* In metres, kilograms and seconds the products of a float's largest numbers are not far away. */
static void earth_and_sun(void)
{
    const double year = 365.256 * 86400;
    mote_WorldDef def = setup_def(year / 400);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "sky", "yoshida4", NULL);
    add_mass(system, 1.98841e30, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    add_mass(system, 5.972e24, setup_vec(1.49598e11, 0, 0), setup_vec(0, 29784.7, 0));
    setup_force(world, "mutual-gravity", NULL);
    for (int i = 0; i < 400; ++i) setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 0, 1) / 1.49598e11, 1, 1e-4);
    CHECK_NEAR(setup_at(system, "position", 1, 1) / 1.49598e11, 0, 1e-3);
    mote_world_destroy(world);
}

/* ---- three bodies ---- */

/* Three equal masses chase each other along an eight. Chenciner and Montgomery, Ann. Math. 152,
 * 2000; numbers by Simo. */
static void figure_eight(void)
{
    static const double x[3][2] = {{0.97000436, -0.24308753}, {-0.97000436, 0.24308753}, {0, 0}};
    static const double v[3][2] = {
        {0.466203685, 0.43236573}, {0.466203685, 0.43236573}, {-0.93240737, -0.86473146}};
    const double period = 6.32591398;
    mote_WorldDef def = setup_def(period / 3000);
    def.dimension = 2;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "three", "yoshida4", NULL);
    for (int i = 0; i < 3; ++i)
        add_mass(system, 1, setup_vec(x[i][0], x[i][1], 0), setup_vec(v[i][0], v[i][1], 0));
    add_gravity(world, 0);
    for (int k = 1; k <= 3000; ++k) {
        setup_step(world);
        if (k == 1000) /* after a third of the period each is where another was */
            CHECK(fabs(setup_at(system, "position", 0, 2)) > 0.9);
    }
    for (int c = 0; c < 2; ++c)
        for (size_t i = 0; i < 3; ++i) {
            CHECK_NEAR(setup_at(system, "position", c, i), x[i][c], is_double ? 1e-6 : 1e-3);
            CHECK_NEAR(setup_at(system, "velocity", c, i), v[i][c], is_double ? 1e-6 : 1e-3);
        }
    mote_world_destroy(world);
}

/* ---- a cluster ---- */

static mote_Vec3 direction(uint64_t *state, double length)
{
    double z = setup_uniform(state, -1, 1), turn = setup_uniform(state, 0, 2 * PI);
    double across = sqrt(1 - z * z) * length;
    return setup_vec(across * cos(turn), across * sin(turn), z * length);
}

/* A Plummer sphere in equilibrium, by Aarseth, Henon and Wielen, A&A 37, 1974: G = M = 1, scale 1.
 */
static void add_plummer(mote_System *system, int count)
{
    uint64_t state = 4;
    for (int i = 0; i < count; ++i) {
        double m = setup_uniform(&state, 0.0001, 0.97), q, y;
        double r = 1 / sqrt(pow(m, -2.0 / 3) - 1);
        do {
            q = setup_uniform(&state, 0, 1), y = setup_uniform(&state, 0, 0.1);
        } while (y > q * q * pow(1 - q * q, 3.5));
        double v = q * sqrt(2) * pow(1 + r * r, -0.25);
        mote_Vec3 place = direction(&state, r), velocity = direction(&state, v);
        add_mass(system, 0.97 / count, place, velocity);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { STARS = 1000 };

/* The radius that holds this share of the mass, about the origin. */
static double lagrange_radius(const mote_System *system, double share)
{
    static double r[STARS];
    for (size_t i = 0; i < STARS; ++i) {
        double square = 0;
        for (int c = 0; c < 3; ++c) {
            double x = setup_at(system, "position", c, i);
            square += x * x;
        }
        r[i] = sqrt(square);
    }
    qsort(r, STARS, sizeof r[0], by_size);
    return r[(size_t)(share * STARS)];
}

/* 8 times the time pi / sqrt(2) in which the middle would fall together. */
static void plummer_sphere_is_in_balance(void)
{
    static const double shares[] = {0.1, 0.25, 0.5, 0.75};
    mote_WorldDef def = setup_def(0.5);
    def.max_step = 0.025;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "stars", "leapfrog", NULL);
    add_plummer(system, STARS);
    add_gravity(world, 0.05);
    double before[COUNT_OF(shares)], energy = 0, ratio = 0;
    for (size_t i = 0; i < COUNT_OF(shares); ++i) {
        double m = 0.97 * shares[i];
        before[i] = lagrange_radius(system, shares[i]);
        CHECK_NEAR(before[i] * sqrt(pow(m, -2.0 / 3) - 1), 1, 0.06);
    }
    for (int k = 0; k < 36; ++k) {
        mote_StepReport report = setup_step(world);
        double total = report.kinetic + report.potential;
        if (k == 0) energy = total;
        CHECK_NEAR(total / energy, 1, 2e-3);
        ratio += 2 * report.kinetic / -report.potential / 36;
        CHECK_NEAR(2 * report.kinetic / -report.potential, 1, 0.1);
        for (int c = 0; c < 3; ++c) CHECK_NEAR(report.momentum[c], 0, 0.02);
    }
    CHECK_NEAR(ratio, 1, 0.04);
    for (size_t i = 0; i < COUNT_OF(shares); ++i)
        CHECK_NEAR(lagrange_radius(system, shares[i]) / before[i], 1, 0.12);
    mote_world_destroy(world);
}

/* ---- starting on orbits ---- */

/* The field `orbit` gives new particles the velocity that keeps them on circles. */
static void orbit_field_starts_circles(void)
{
    const mote_AttractorForce mass = {{1, 0, 0}, 4, (mote_real)0.2};
    const mote_OrbitField orbit = {{1, 0, 0}, {1, 2, -1}, 4, (mote_real)0.2};
    mote_FieldDef field = mote_field_def();
    field.name = "orbits", field.type = "orbit", field.params = &orbit;
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "ring", "yoshida4", NULL);
    mote_DiscSource disc = {.radius = 1, .normal = {1, 2, -1}};
    mote_EmitterDef start = mote_emitter_def();
    mote_Error error;
    double before[50];
    SETUP_OK(mote_world_add_field(world, &field, &error), error);
    setup_force(world, "attractor", &mass);
    start.system = "ring", start.source = "disc", start.source_params = &disc;
    start.at = setup_vec(1, 0, 0), start.burst = COUNT_OF(before), start.wind = "orbits";
    SETUP_OK(mote_world_add_emitter(world, &start, &error), error);
    for (int k = 0; k < 300; ++k) {
        setup_step(world);
        for (size_t i = 0; i < COUNT_OF(before); ++i) {
            double x = setup_at(system, "position", 0, i) - 1,
                   y = setup_at(system, "position", 1, i);
            double z = setup_at(system, "position", 2, i), r = sqrt(x * x + y * y + z * z);
            if (k == 0) before[i] = r;
            CHECK_NEAR(r, before[i], 1e-4);
            CHECK_NEAR(x + 2 * y - z, 0, 1e-4);
        }
    }
    mote_world_destroy(world);
}

/* ---- tides ---- */

enum { DISC = 240 };

/* A mass of 1 with a disc of light stars, and another mass of 1 that passes on a parabola, nearest
 * at 1.5 m; how many stars of the disc of 1 m end farther than 2 m from both. */
static int thrown_out(int turn)
{
    const double pull = 2, pass = 1.5, apart = 4, across = sqrt(2 * pull * pass) / apart;
    const double inward = sqrt(2 * pull / apart - across * across);
    mote_WorldDef def = setup_def(0.02);
    mote_World *world = setup_world(&def);
    mote_System *stars = setup_system(world, "stars", "leapfrog", NULL);
    mote_System *middles = setup_system(world, "middles", "leapfrog", NULL);
    add_gravity(world, 0.05);
    add_mass(middles, 1, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    add_mass(middles, 1, setup_vec(apart, 0, 0), setup_vec(-inward, across, 0));
    for (int i = 0; i < DISC; ++i) {
        double r = sqrt(0.16 + 0.84 * i / DISC), angle = 2.399963 * i;
        double v = turn * r / pow(r * r + 0.05 * 0.05, 0.75);
        add_mass(stars, 1e-7, setup_vec(r * cos(angle), r * sin(angle), 0),
                 setup_vec(-v * sin(angle), v * cos(angle), 0));
    }
    int out = 0;
    for (int k = 0; k < 400; ++k) setup_step(world);
    for (size_t i = 0; i < DISC; ++i) {
        bool far = true;
        for (size_t m = 0; m < 2; ++m) {
            double x = setup_at(stars, "position", 0, i) - setup_at(middles, "position", 0, m);
            double y = setup_at(stars, "position", 1, i) - setup_at(middles, "position", 1, m);
            far = far && x * x + y * y > 4;
        }
        out += far;
    }
    mote_world_destroy(world);
    return out;
}

/* A disc that turns as the passage does is drawn out, one that turns against it is hardly harmed.
 * Toomre and Toomre, Astrophys. J. 178, 1972. */
static void tides_draw_tails(void)
{
    int along = thrown_out(1), against = thrown_out(-1);
    CHECK(along > DISC / 10);
    CHECK(against < along / 8);
    if (against >= along / 8) fprintf(stderr, "  %d and %d\n", along, against);
}

TESTS({"tides_draw_tails", tides_draw_tails},
      {"orbit_field_starts_circles", orbit_field_starts_circles}, {"kepler", kepler},
      {"leapfrog_keeps_energy", leapfrog_keeps_energy}, {"earth_and_sun", earth_and_sun},
      {"figure_eight", figure_eight},
      {"plummer_sphere_is_in_balance", plummer_sphere_is_in_balance})
