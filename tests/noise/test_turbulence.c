/* Turbulence: the sum over octaves written out, gradients against differences, the law of the
 * weights, the band limit, time, and the same bits for every instruction set and block. */
#include "base/random.h"
#include "check.h"
#include "noise/turbulence.h"

enum { POINTS = 300 };

static mote_real x[3][POINTS], value[POINTS], gradient[3][POINTS];

static void scatter(double half)
{
    RandomKey key = random_key(1, "turbulence");
    for (size_t i = 0; i < POINTS; ++i) {
        Random4 draw = random_draw(key, i, 0, 0);
        for (int k = 0; k < 3; ++k) x[k][i] = (mote_real)half * random_signed(draw.word[k]);
    }
}

static TurbulenceDef usual(void)
{
    return (TurbulenceDef){.isa = isa_pick(),
                           .octaves = 5,
                           .scale = 0.7,
                           .amplitude = 1.5,
                           .ratio = 1.9,
                           .exponent = 0.8,
                           .rotate = true,
                           .seed = 4};
}

static void sample(const Turbulence *sum, double t, mote_real *out, bool with_gradient)
{
    TurbulencePoints points = {POINTS, {x[0], x[1], x[2]}, t};
    mote_real *planes[3] = {gradient[0], gradient[1], gradient[2]};
    sum->kernels->sample(sum, &points, out, with_gradient ? planes : NULL);
}

/* The noise of one octave at one point, by the row's plain kernel. */
static double octave_noise(const Turbulence *sum, const Octave *octave, size_t i, double t)
{
    mote_real at[4][1], n[1];
    NoiseJob job = {.count = 1, .seed = octave->seed, .value = n};
    for (int k = 0; k < 3; ++k) {
        const mote_real *m = octave->turn[k];
        at[k][0] = m[0] * x[0][i] + m[1] * x[1][i] + m[2] * x[2][i] + octave->offset[k];
    }
    at[3][0] = (mote_real)(octave->rate * t + octave->phase);
    for (int k = 0; k < 4; ++k) job.x[k] = at[k];
    sum->noise->value[sum->moves](&job);
    return (double)n[0];
}

static void square(void *context, size_t count, mote_real *values)
{
    for (size_t i = 0; i < count; ++i) values[i] = values[i] * values[i] * *(mote_real *)context;
}

static double function_of(int function, double n)
{
    const double all[] = {n, fabs(n), (1 - fabs(n)) * (1 - fabs(n)), 3 * n * n};
    return all[function];
}

static void is_the_sum(void)
{
    mote_real three = 3;
    scatter(5);
    for (int function = 0; function <= TURBULENCE_FUNCTIONS; ++function) {
        for (int moves = 0; moves < 2; ++moves) {
            TurbulenceDef def = usual();
            Turbulence sum;
            bool user = function == TURBULENCE_FUNCTIONS;
            def.function = user ? TURBULENCE_PLAIN : (TurbulenceFunction)function;
            def.user = user ? square : NULL, def.context = &three;
            def.period = moves;
            turbulence_make(&def, 2, &sum);
            CHECK(sum.octaves == 5);
            sample(&sum, 0.3, value, false);
            for (size_t i = 0; i < POINTS; ++i) {
                double expected = 0;
                for (int o = 0; o < sum.octaves; ++o) {
                    double n = octave_noise(&sum, &sum.octave[o], i, 0.3);
                    expected += (double)sum.octave[o].weight * function_of(function, n);
                }
                CHECK_NEAR(value[i], expected, 2e-6);
            }
        }
    }
}

/* R_i beta^i / scale with R_i a rotation, alpha_0 beta^(-i s), and faster the smaller. */
static void octaves_follow_the_law(void)
{
    TurbulenceDef def = usual();
    Turbulence sum;
    def.period = 4;
    turbulence_make(&def, 0, &sum);
    for (int o = 0; o < sum.octaves; ++o) {
        const Octave *octave = &sum.octave[o];
        double waves = pow(def.ratio, o) / def.scale, off_axis = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double dot = 0;
                for (int k = 0; k < 3; ++k)
                    dot += (double)octave->turn[i][k] * (double)octave->turn[j][k];
                CHECK_NEAR(dot / (waves * waves), i == j, 1e-6);
                if (i != j) off_axis += fabs((double)octave->turn[i][j]) / waves;
            }
        CHECK((off_axis > 0.1) == (o > 0)); /* the first stands as it is */
        CHECK_NEAR(octave->weight, def.amplitude * pow(def.ratio, -o * def.exponent), 1e-6);
        CHECK_NEAR(octave->rate, pow(def.ratio, 2.0 * o / 3) / def.period, 1e-12);
    }
}

static void gradient_is_derivative(void)
{
    const double h = sizeof(mote_real) == 8 ? 1e-6 : 2e-3;
    const double tolerance = sizeof(mote_real) == 8 ? 1e-6 : 0.1;
    static mote_real ahead[POINTS], behind[POINTS];
    for (int function = 0; function < TURBULENCE_FUNCTIONS; ++function) {
        TurbulenceDef def = usual();
        Turbulence sum;
        int off = 0;
        def.function = (TurbulenceFunction)function, def.period = 2, def.octaves = 3;
        turbulence_make(&def, 0, &sum);
        for (int k = 0; k < 3; ++k) {
            scatter(3);
            sample(&sum, 1, value, true);
            for (size_t i = 0; i < POINTS; ++i) x[k][i] += (mote_real)h;
            sample(&sum, 1, ahead, false);
            for (size_t i = 0; i < POINTS; ++i) x[k][i] -= (mote_real)(2 * h);
            sample(&sum, 1, behind, false);
            for (size_t i = 0; i < POINTS; ++i) {
                double slope = ((double)ahead[i] - (double)behind[i]) / (2 * h);
                off += !(fabs(slope - (double)gradient[k][i]) < tolerance);
            }
        }
        /* |n| has creases, which a difference may reach across */
        CHECK(
            off <=
            (function == TURBULENCE_PLAIN ? 0 : 3 * POINTS / (sizeof(mote_real) == 8 ? 100 : 10)));
    }
}

static double rms(const mote_real *a)
{
    double sum = 0;
    for (size_t i = 0; i < POINTS; ++i) sum += (double)a[i] * (double)a[i];
    return sqrt(sum / POINTS);
}

/* Octaves leave one after the other and gradually while the samples get coarser. */
static void fades_what_aliases(void)
{
    TurbulenceDef def = usual();
    Turbulence sum;
    double before = 2, full;
    CHECK(turbulence_band_limit(1, 0) == 1 && turbulence_band_limit(1, 0.25) == 1);
    CHECK(turbulence_band_limit(1, 0.5) == 0 && turbulence_band_limit(1, 2) == 0);
    for (double h = 0.2; h < 0.6; h += 0.01) {
        double left = turbulence_band_limit(1, h);
        CHECK(left <= before && before - left < 0.2 + (before > 1));
        before = left;
    }
    scatter(5);
    turbulence_make(&def, 0, &sum);
    sample(&sum, 0, value, false);
    full = rms(value);
    def.resolution =
        0.1; /* four of the cells 0.7, 0.37, 0.19, 0.10, 0.05 reach two samples or not */
    turbulence_make(&def, 0, &sum);
    CHECK(sum.octaves == 2);
    CHECK_NEAR(sum.octave[1].weight / (mote_real)(1.5 * pow(1.9, -0.8)),
               turbulence_band_limit(0.7 / 1.9, 0.1), 1e-6);
    sample(&sum, 0, value, false);
    CHECK(rms(value) < full);
    def.resolution = 0.4;
    turbulence_make(&def, 0, &sum);
    sample(&sum, 0, value, false);
    CHECK(sum.octaves == 0 && rms(value) == 0);
}

/* Nearby times are alike, a few periods apart they are not; without a period nothing changes. */
static void changes_with_time(void)
{
    TurbulenceDef def = usual();
    Turbulence sum;
    static mote_real later[POINTS];
    scatter(50);
    for (int moves = 0; moves < 2; ++moves) {
        def.period = 2.0 * moves, def.octaves = 1;
        turbulence_make(&def, 0, &sum);
        sample(&sum, 0.37, value, false);
        sample(&sum, 0.3701, later, false);
        for (size_t i = 0; i < POINTS; ++i) CHECK_NEAR(value[i], later[i], 1e-3);
        sample(&sum, 9.1, later, false);
        double alike = 0;
        for (size_t i = 0; i < POINTS; ++i) alike += (double)value[i] * (double)later[i] / POINTS;
        alike /= rms(value) * rms(later);
        CHECK(moves ? fabs(alike) < 0.25 : alike > 0.999);
    }
}

static void same_bits(void)
{
    static mote_real other[POINTS], slopes[3][POINTS];
    scatter(5);
    for (int isa = 0; isa <= (int)isa_pick(); ++isa) {
        TurbulenceDef def = usual();
        Turbulence sum;
        def.period = 1, def.isa = (Isa)isa;
        turbulence_make(&def, 0, &sum);
        sample(&sum, 2, isa == 0 ? value : other, true);
        CHECK(isa == 0 || memcmp(value, other, sizeof value) == 0);
        CHECK(isa == 0 || memcmp(gradient, slopes, sizeof slopes) == 0);
        memcpy(slopes, gradient, sizeof slopes);
        for (size_t first = 0; first < POINTS; first += 37) { /* in pieces */
            size_t left = POINTS - first;
            TurbulencePoints part = {
                left < 37 ? left : 37, {x[0] + first, x[1] + first, x[2] + first}, 2};
            sum.kernels->sample(&sum, &part, other + first, NULL);
        }
        CHECK(memcmp(value, other, sizeof value) == 0);
    }
}

TESTS({"is_the_sum", is_the_sum}, {"octaves_follow_the_law", octaves_follow_the_law},
      {"gradient_is_derivative", gradient_is_derivative},
      {"fades_what_aliases", fades_what_aliases}, {"changes_with_time", changes_with_time},
      {"same_bits", same_bits})
