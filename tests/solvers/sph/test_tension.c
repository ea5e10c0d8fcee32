/* Surface tension of liquids: flat films, cubes that become balls, drops that swing, jets that
 * break. */
#include "solvers/sph/drops.h"

/* ---- flat ---- */

/* Eight layers, free below and above, or on a floor; along x and z without end. */
static void films_are_not_pulled(void)
{
    for (int floor = 0; floor < 2; ++floor) {
        const Kind kind = {"wcsph", 2, 0, sigma, "csf"};
        const double dt = 1e-3 * ripple();
        mote_WorldDef def = setup_def(dt);
        def.periodic_x = def.periodic_z = true;
        def.box_min = setup_vec(0, -1, 0), def.box_max = setup_vec(8 * d, 1, 8 * d);
        Drop film = drop_in(&def, &kind);
        if (floor) setup_plane(film.world, setup_vec(0, 1, 0), 0, 0);
        for (int i = 0; i < 512; ++i)
            setup_particle(film.system,
                           setup_vec((i % 8 + 0.5) * d, (i / 64 + 0.5) * d, (i / 8 % 8 + 0.5) * d),
                           setup_vec(0, 0, 0));
        setup_step(film.world);
        double most = 0;
        for (size_t i = 0; i < 512; ++i)
            for (int c = 0; c < 3; ++c)
                most = fmax(most, fabs(setup_at(film.system, "velocity", c, i)) / dt);
        printf("film%s: %.2g sigma/(rho d^2)\n", floor ? " on a floor" : "",
               most * rho * d * d / sigma);
        CHECK(most < 1e-3 * sigma / (rho * d * d));
        mote_world_destroy(film.world);
    }
}

/* ---- balls ---- */

typedef struct BallCase {
    const char *pressure;
    double support, most; /* spacings; error of the pressure */
    bool is_long;
} BallCase;

static void cubes_become_balls(void)
{
    static const BallCase cases[] = {{"dfsph", 2, 0.05, false},
                                     {"wcsph", 2, 0.06, true}, /* 5.5 % in float, 5 wished for */
                                     {"iisph", 2, 0.08, true},
                                     {"dfsph", 2.4, 0.15, true}}; /* 0.1 is missed: design/0035 */
    for (size_t k = 0; k < COUNT_OF(cases); ++k) {
        const BallCase *c = &cases[k];
        if (c->is_long && getenv("MOTE_LONG") == NULL) continue;
        const Kind kind = {c->pressure, c->support, 1e-4, sigma, "csf"};
        Drop drop = drop_of(&kind, 10 * ripple());
        fill(&drop, 6 * d, false);
        double pressure = 0;
        for (int frame = 0; frame < (TEST_SANITIZED ? 1 : 7); ++frame) { /* minutes there */
            setup_step(drop.world);
            if (frame >= 4) pressure += look_at(&drop).inside / 3;
        }
        const Look look = look_at(&drop);
        const double share = pressure * look.radius / (2 * sigma);
        printf("%s, %.1f d: %.3f of 2 sigma/R, rms %.4f\n", c->pressure, c->support, share,
               look.rms);
        if (!TEST_SANITIZED) CHECK(fabs(share - 1) < c->most && look.rms < 0.02);
        mote_world_destroy(drop.world);
    }
}

/* By `pair` cubes become balls, too; the pressure inside has that of the pulls in it. */
static void cubes_become_balls_by_pairs(void)
{
    const Kind kind = {"dfsph", 2, 1e-4, sigma, "pair"};
    Drop drop = drop_of(&kind, 10 * ripple());
    fill(&drop, 6 * d, false);
    for (int frame = 0; frame < (TEST_SANITIZED ? 1 : 7); ++frame) setup_step(drop.world);
    const Look look = look_at(&drop);
    const double m = rho * d * d * d * (double)mote_system_count(drop.system), v = d / ripple();
    printf("pairs: pressure %.2f sigma/d, rms %.4f, momentum %.1g, angular %.1g\n",
           look.inside * d / sigma, look.rms, look.momentum / (m * v),
           look.angular / (m * v * look.radius));
    if (!TEST_SANITIZED) CHECK(look.rms < 0.01 && fabs(look.inside * d / sigma - 2.1) < 0.2);
    CHECK(look.momentum < 1e-5 * m * v && look.angular < 1e-4 * m * v * look.radius);
    mote_world_destroy(drop.world);
}

/* ---- drops that swing ---- */

/* A ball at rest: cut from a lattice, and left to itself with much friction. */
static Drop rested(const Kind *kind, double radius, double frame)
{
    Kind thick = *kind;
    thick.nu = 0.5 * sqrt(kind->sigma * d / rho);
    Drop first = drop_of(&thick, 30 * ripple() * sqrt(sigma / kind->sigma)),
         drop = drop_of(kind, frame);
    fill(&first, radius, true);
    setup_step(first.world);
    for (size_t i = 0; i < mote_system_count(first.system); ++i)
        setup_particle(drop.system,
                       setup_vec(setup_at(first.system, "position", 0, i),
                                 setup_at(first.system, "position", 1, i),
                                 setup_at(first.system, "position", 2, i)),
                       setup_vec(0, 0, 0));
    mote_world_destroy(first.world);
    return drop;
}

/* r = R (1 + e P_n(cos)) is pulled back with omega^2 = n (n-1) (n+2) sigma/(rho R^3). */
static double omega_of(int n, double radius, double tension)
{
    return sqrt(n * (n - 1) * (n + 2) * tension / (rho * radius * radius * radius));
}

/* Velocities of the mode: the gradient of r^n P_n. */
static void strike(Drop *drop, int n, double rate)
{
    for (size_t i = 0; i < mote_system_count(drop->system); ++i) {
        const double x = setup_at(drop->system, "position", 0, i),
                     y = setup_at(drop->system, "position", 1, i),
                     z = setup_at(drop->system, "position", 2, i);
        const double two[3] = {-x, -y, 2 * z},
                     three[3] = {-3 * x * z, -3 * y * z, 3 * z * z - 1.5 * (x * x + y * y)};
        const double scale = n == 2 ? rate / 2 : rate / (3 * 8 * d);
        for (int c = 0; c < 3; ++c)
            setup_reals(drop->system, "velocity", c)[i] =
                (mote_real)(scale * (n == 2 ? two[c] : three[c]));
    }
    mote_system_edited(drop->system);
}

typedef struct Swing {
    double period;           /* s, from the first peak to the third */
    double decay;            /* 1/s, of the ways from peak to peak */
    double momentum, turned; /* over the mass times the speed it was struck with, and R */
} Swing;

/* Where a parabola through three values of a frame each has its end. */
static double end_of(double a, double b, double c, double *value)
{
    const double slope = (c - a) / 2, bend = c - 2 * b + a;
    *value = b - slope * slope / (2 * bend);
    return -slope / bend;
}

enum { PEAKS = 7 };

/* Least squares of the logarithms of ways from peak to peak, which do not go by what a drop swings
 * about, over their numbers. */
static double decay_of(const double value[PEAKS])
{
    double sum = 0, middle = (PEAKS - 2) / 2.0, squares = 0;
    for (int k = 0; k + 1 < PEAKS; ++k) {
        sum += (k - middle) * log(fabs(value[k] - value[k + 1]));
        squares += (k - middle) * (k - middle);
    }
    return -sum / squares;
}

static Swing swing(const Kind *kind, double radius, int n)
{
    enum { FRAMES = 40 }; /* a period */
    const double omega = omega_of(n, radius, kind->sigma), frame = 2 * pi / omega / FRAMES;
    Drop drop = rested(kind, radius, frame);
    double before[2] = {0, 0}, at[PEAKS], value[PEAKS];
    int found = 0;
    Swing swing = {0};
    strike(&drop, n, 0.1 * omega);
    for (int k = 0; k < 5 * FRAMES && found < PEAKS; ++k) {
        setup_step(drop.world);
        const Look look = look_at(&drop);
        const double q = n == 2 ? look.squares : look.cubes;
        if (k > 1 && (before[1] - before[0]) * (q - before[1]) < 0) {
            at[found] = k + end_of(before[0], before[1], q, &value[found]);
            ++found;
        }
        before[0] = before[1], before[1] = q;
        const double m = rho * d * d * d * (double)mote_system_count(drop.system);
        swing.momentum = look.momentum / (m * 0.1 * omega * radius);
        swing.turned = look.angular / (m * 0.1 * omega * radius * radius);
    }
    CHECK(found == PEAKS);
    mote_world_destroy(drop.world);
    if (found < PEAKS) return swing;
    swing.period = (at[2] - at[0]) * frame;
    swing.decay = 2 * decay_of(value) / swing.period;
    return swing;
}

/* Within 10 % at R = 8 d, 3 % at 12 d; n = 3, whose waves are shorter, is 17 % too slow at 8 d,
 * where 12 % were wished for; and what moves the drop as a whole is rounding. Lamb 1881: amplitudes
 * fall with 5 nu/R^2; that is held within 40 % at 12 d, while drops of 8 d lose 1.6 to 1.7 times as
 * much in three periods, the more the smaller the swing. */
static void drops_swing_as_rayleigh_says(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    static const struct {
        double radius, most, decay; /* by how much period and decay may be off */
        int n;
    } cases[] = {{8, 0.1, 0.9, 2}, {8, 0.2, HUGE_VAL, 3}, {12, 0.03, 0.4, 2}};
    const size_t count = getenv("MOTE_LONG") != NULL ? COUNT_OF(cases) : 1;
    for (size_t k = 0; k < count; ++k) {
        const Kind kind = {"dfsph", 2, thickness(0.05), sigma, "csf"};
        const double radius = cases[k].radius * d,
                     wanted = 2 * pi / omega_of(cases[k].n, radius, sigma);
        const Swing s = swing(&kind, radius, cases[k].n);
        const double decay = s.decay / (5 * kind.nu / (radius * radius));
        printf("R = %.0f d, n = %d: period %.3f of what it should be, decay %.2f of 5 nu/R^2, "
               "momentum %.1g, angular %.1g\n",
               cases[k].radius, cases[k].n, s.period / wanted, decay, s.momentum, s.turned);
        CHECK(fabs(s.period / wanted - 1) < cases[k].most);
        CHECK(decay > 0 && fabs(decay - 1) < cases[k].decay);
        CHECK(s.momentum < 1e-4 && s.turned < 1e-4);
    }
}

static void four_times_the_tension_halves_the_period(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    const Kind weak = {"dfsph", 2, thickness(0.1), sigma, "csf"},
               strong = {"dfsph", 2, thickness(0.2), 4 * sigma,
                         "csf"}; /* nu/sqrt(sigma) is the same */
    const Swing a = swing(&weak, 5 * d, 2), b = swing(&strong, 5 * d, 2);
    printf("periods %.4g and %.4g s\n", a.period, b.period);
    CHECK(fabs(a.period / b.period - 2) < 0.06);
}

/* ---- jets ---- */

/* A thread that is one period long. */
static Drop thread_of(double length, double nu, double frame)
{
    const Kind kind = {"dfsph", 2, nu, sigma, "csf"};
    mote_WorldDef def = setup_def(frame);
    def.periodic_x = true;
    def.box_min = setup_vec(0, -1, -1), def.box_max = setup_vec(length, 1, 1);
    return drop_in(&def, &kind);
}

/* Of radius 5 d, cut from a lattice and left to itself with much friction. */
static Drop rested_thread(double length)
{
    const int along = (int)(length / d + 0.5);
    Drop thread = thread_of(length, thickness(0.5), 30 * ripple());
    for (int i = 0; i < along; ++i)
        for (int j = -6; j < 6; ++j)
            for (int l = -6; l < 6; ++l) {
                const double x = (i + 0.5) * length / along, y = (j + 0.5) * d, z = (l + 0.5) * d;
                if (y * y + z * z < 25 * d * d)
                    setup_particle(thread.system, setup_vec(x, y, z), setup_vec(0, 0, 0));
            }
    setup_step(thread.world);
    return thread;
}

/* Then with a swelling of e cos(k x). */
static Drop jet_of(double length, double swelling)
{
    const double k = 2 * pi / length;
    Drop thread = rested_thread(length), jet = thread_of(length, thickness(0.05), 2 * ripple());
    for (size_t i = 0; i < mote_system_count(thread.system); ++i) {
        const double x = setup_at(thread.system, "position", 0, i),
                     wide = 1 + swelling * cos(k * x);
        setup_particle(jet.system,
                       setup_vec(x - 2 * swelling / k * sin(k * x),
                                 wide * setup_at(thread.system, "position", 1, i),
                                 wide * setup_at(thread.system, "position", 2, i)),
                       setup_vec(0, 0, 0));
    }
    mote_world_destroy(thread.world);
    return jet;
}

static double swelling_of(const Drop *jet, double length)
{
    const size_t count = mote_system_count(jet->system);
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += cos(2 * pi / length * setup_at(jet->system, "position", 0, i));
    return sum / (double)count;
}

/* Rayleigh 1878: the swelling grows with 0.343 sqrt(sigma/(rho R^3)) at 9.01 R, and with friction
 * by 1.5 nu k^2 less (Weber 1931, where that is little); waves shorter than 2 pi R are pulled
 * straight.
 */
static double growth_of(double nu, double radius, double time)
{
    const double k = 2 * pi / (9.01 * radius), loss = 1.5 * nu * k * k * time;
    return sqrt(0.343 * 0.343 + loss * loss) - loss;
}

/* Five spacings are few: 0.92 of it is reached, and 0.81 in double, where 15 % were wished for. */
static void jets_break_as_rayleigh_says(void)
{
    const double radius = 5 * d, time = sqrt(rho * radius * radius * radius / sigma);
    if (getenv("MOTE_LONG") == NULL) return;
    const double length = 9.01 * radius;
    Drop jet = jet_of(length, 0.06);
    const double begin = swelling_of(&jet, length);
    double last = begin, t = 0, low = 0, high = 0;
    while (high == 0 && t < 20 * time) {
        setup_step(jet.world);
        t += 2 * ripple();
        const double now = swelling_of(&jet, length);
        if (last < 1.5 * begin && now >= 1.5 * begin)
            low = t - 2 * ripple() * (now - 1.5 * begin) / (now - last);
        if (last < 4 * begin && now >= 4 * begin)
            high = t - 2 * ripple() * (now - 4 * begin) / (now - last);
        last = now;
    }
    mote_world_destroy(jet.world);
    const double rate = (acosh(4) - acosh(1.5)) / (high - low) * time;
    const double right = growth_of(thickness(0.05), radius, time);
    printf("jet: swelling grows with %.3f of sqrt(sigma/(rho R^3)), %.3f is right\n", rate, right);
    CHECK(rate > 0.75 * right && rate < 1.15 * right);
    jet = jet_of(5.5 * radius, 0.06);
    const double before = swelling_of(&jet, 5.5 * radius);
    for (t = 0; t < 5 * time; t += 2 * ripple()) setup_step(jet.world);
    printf("short wave: %.4f -> %.4f\n", before, swelling_of(&jet, 5.5 * radius));
    CHECK(fabs(swelling_of(&jet, 5.5 * radius)) < before);
    mote_world_destroy(jet.world);
}

TESTS({"films are not pulled", films_are_not_pulled}, {"cubes become balls", cubes_become_balls},
      {"cubes become balls by pairs", cubes_become_balls_by_pairs},
      {"drops swing as Rayleigh says", drops_swing_as_rayleigh_says},
      {"four times the tension halves the period", four_times_the_tension_halves_the_period},
      {"jets break as Rayleigh says", jets_break_as_rayleigh_says})
