/* What rows declare beside their order: energy that stays, time reversal, and how long steps may be
 * on an oscillator. */
#include "integrate/problems.h"

static double oscillator_energy(const mote_System *system)
{
    double x = setup_at(system, "position", 0, 0), v = setup_at(system, "velocity", 0, 0);
    return 0.5 * v * v + 0.5 * spring_free.w * spring_free.w * x * x;
}

/* A run with w h = z: 50 steps to a frame. */
static Run oscillate(const IntegratorRow *row, double z)
{
    Problem problem = problems[0];
    problem.duration = FRAMES * 50 * z / spring_free.w;
    return begin_run(&problem, row->head.name, 50);
}

/* ---- energy ---- */

/* w h = 0.1: the energy of a scheme of order 1 swings by about w h / 2, for ever; schemes that
 * promise nothing lose or gain more than rounding does. */
static void energy_is_bounded_where_declared(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        Run run = oscillate(row, 0.1);
        double start = oscillator_energy(run.system), low = start, high = start, early = 0;
        for (int frame = 0; frame < 400; ++frame) { /* 20 000 steps */
            mote_Error error;
            if (mote_world_step(run.world, NULL, &error) != MOTE_OK) break; /* it blew up */
            double energy = oscillator_energy(run.system);
            if (frame == 100) early = high - low;
            low = energy < low ? energy : low, high = energy > high ? energy : high;
        }
        double end = oscillator_energy(run.system);
        if (row->bounded_energy) {
            CHECK(low > start * 0.9 && high < start * 1.15);
            CHECK(high - low < early * 1.1 + (sizeof(mote_real) == 4 ? 1e-2 : 1e-9) * start);
        } else if (sizeof(mote_real) == 8 && row->stable_to < 100) {
            CHECK(fabs(end - start) > 1e-5 * start); /* it drifts, slowly or quickly */
        }
        mote_world_destroy(run.world);
    }
}

/* Theory: symplectic Euler keeps x^2 w^2 + v^2 - h w^2 x v, so the energy stays within a factor
 * (1 + z/2) / (1 - z/2). */
static void symplectic_euler_swings_as_theory_says(void)
{
    Run run = oscillate(integrator_number(1), 0.1);
    double low = 1e9, high = 0;
    for (int frame = 0; frame < 400; ++frame) {
        setup_step(run.world);
        double energy = oscillator_energy(run.system);
        low = energy < low ? energy : low, high = energy > high ? energy : high;
    }
    CHECK_NEAR(high / low, 1.05 / 0.95, 2e-3);
    mote_world_destroy(run.world);
}

/* ---- time reversal ---- */

/* Forward, turn around, and back to the start; what is not declared reversible does not return. */
static void reversible_schemes_return(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        Run run = begin_run(&problems[1], row->head.name, 8);
        State start = problems[1].exact(0);
        for (int frame = 0; frame < FRAMES; ++frame) setup_step(run.world);
        for (int c = 0; c < 3; ++c) setup_reals(run.system, "velocity", c)[0] *= -1;
        mote_system_edited(run.system);
        for (int frame = 0; frame < FRAMES; ++frame) setup_step(run.world);
        double miss = distance_to(run.system, "position", start.x);
        double rounding = sizeof(mote_real) == 4 ? 2e-4 : 1e-12;
        if (row->implicit) rounding = sizeof(mote_real) == 4 ? 1e-2 : 1e-7; /* Newton's tolerance */
        if (row->reversible)
            CHECK(miss < rounding);
        else if (sizeof(mote_real) == 8)
            CHECK(miss > 1e-8);
        mote_world_destroy(run.world);
    }
}

/* ---- the two forms of leapfrog ---- */

/* Velocities between the steps are v(t) - h a / 2 of velocity Verlet, and the positions are its
 * own; a start without the half step is off by h^2 a / 2 at once. */
static void staggered_leapfrog_is_half_a_step_from_the_other_form(void)
{
    const double rounding = sizeof(mote_real) == 4 ? 2e-5 : 1e-13, h = 5.0 / FRAMES / 100;
    Run staggered = begin_run(&problems[0], "leapfrog-staggered", 100);
    Run whole = begin_run(&problems[0], "velocity-verlet", 100);
    for (int frame = 0; frame < FRAMES; ++frame) {
        setup_step(staggered.world), setup_step(whole.world);
        const mote_Column *half = mote_system_column(staggered.system, "history1");
        double x = setup_at(whole.system, "position", 0, 0), a = -4 * x;
        CHECK_NEAR(setup_at(staggered.system, "position", 0, 0), x, rounding);
        CHECK_NEAR((double)((const mote_real *)half->data)[0],
                   setup_at(whole.system, "velocity", 0, 0) - 0.5 * h * a, 4 * rounding);
        CHECK_NEAR(setup_at(staggered.system, "velocity", 0, 0),
                   setup_at(whole.system, "velocity", 0, 0), 8 * h * h);
    }
    mote_world_destroy(staggered.world), mote_world_destroy(whole.world);
}

/* ---- stability ---- */

/* Growth of the amplitude per step with w h = z, from the first half of the frames (an even number)
 * to the second, each by its peak; huge when it blew up. */
static double growth(const IntegratorRow *row, double z, int frames)
{
    Run run = oscillate(row, z);
    mote_Error error;
    double peak[2] = {0, 0};
    bool good = true;
    for (int frame = 0; frame < frames && good; ++frame) {
        good = mote_world_step(run.world, NULL, &error) == MOTE_OK;
        double size = sqrt(oscillator_energy(run.system)), *half = &peak[frame >= frames / 2];
        *half = size > *half ? size : *half;
    }
    mote_world_destroy(run.world);
    return good ? pow(peak[1] / peak[0], 2.0 / (50 * frames)) : 1e9;
}

static void check_growth(const IntegratorRow *row, double z, int frames, double low, double high)
{
    double measured = growth(row, z, frames);
    bool good = measured > low && measured < high;
    CHECK(good);
    if (!good)
        fprintf(stderr, "  %s grows by %.9g a step at w h = %g, not %.9g to %.9g\n", row->head.name,
                measured, z, low, high);
}

/* Schemes that always grow do so by little: it shows at w h = 0.2 in 2000 steps. */
static void stability_limits_are_the_declared_ones(void)
{
    if (sizeof(mote_real) == 4) return;
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (!(row->usable_to < 100)) continue; /* steps are chosen by the scheme */
        check_growth(row, row->usable_to * 0.97, 24, -1, 1.0102);
        check_growth(row, row->usable_to * 1.03, 24, 1.0098, (double)INFINITY);
        if (row->stable_to > 0) {
            check_growth(row, row->stable_to * 0.97, 40, -1, 1 + 5e-4);
            check_growth(row, row->stable_to * 1.15, 40, 1 + 1e-6, (double)INFINITY);
        } else if (row->usable_to > 0.2) {
            check_growth(row, 0.2, 40, 1 + 5e-8, 1.0098);
        }
    }
}

/* Known limits, whatever the rows say (dt w on the oscillator). */
static void known_limits_hold(void)
{
    static const struct {
        const char *name;
        double limit;
    } known[] = {{"symplectic-euler", 2}, {"leapfrog", 2},        {"leapfrog-staggered", 2},
                 {"verlet", 2},           {"velocity-verlet", 2}, {"rk4", 2.8284271},
                 {"rk4-3/8", 2.8284271},  {"ab3", 0.7236}};
    for (size_t k = 0; k < COUNT_OF(known); ++k)
        for (EACH_INTEGRATOR()) {
            const IntegratorRow *row = THIS_INTEGRATOR;
            if (strcmp(row->head.name, known[k].name) == 0)
                CHECK_NEAR(row->stable_to, known[k].limit, 0.001);
        }
}

/* Explicit Euler gains sqrt(1 + z^2) a step, the schemes of order 2 with two evaluations
 * sqrt(1 + z^4 / 4). */
static void weak_growth_is_as_theory_says(void)
{
    static const char *const seconds[] = {"midpoint", "heun", "ralston", "ralston-3/4"};
    if (sizeof(mote_real) == 4) return;
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (strcmp(row->head.name, "euler") == 0 || strcmp(row->head.name, "ab1") == 0)
            CHECK_NEAR(growth(row, 0.2, 8), sqrt(1.04), 1e-4);
        for (size_t k = 0; k < COUNT_OF(seconds); ++k)
            if (strcmp(row->head.name, seconds[k]) == 0)
                CHECK_NEAR(growth(row, 0.4, 10), sqrt(1 + pow(0.4, 4) / 4), 1e-4);
    }
}

TESTS({"energy_is_bounded_where_declared", energy_is_bounded_where_declared},
      {"symplectic_euler_swings_as_theory_says", symplectic_euler_swings_as_theory_says},
      {"reversible_schemes_return", reversible_schemes_return},
      {"staggered_leapfrog_is_half_a_step_from_the_other_form",
       staggered_leapfrog_is_half_a_step_from_the_other_form},
      {"stability_limits_are_the_declared_ones", stability_limits_are_the_declared_ones},
      {"known_limits_hold", known_limits_hold},
      {"weak_growth_is_as_theory_says", weak_growth_is_as_theory_says})
