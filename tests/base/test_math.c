/* The elementary functions against glibc's 80-bit ones, in units of the last place, over all
 * exponents and where they are hard; and against values of mpmath 1.3 at 400 bits. */
#include "check.h"

#include "base/hash.h"
#include "base/math.h"

#include <float.h>
#include <stdlib.h>

#ifndef SAMPLES
#define SAMPLES 60000
#endif
/* What base/math.h promises. */
static const double most_ulps = 1.25;

/* A number format: bits of its numbers, exponents of its least number and of what overflows. */
typedef struct Format {
    int bits, least, top;
} Format;

static const Format format_double = {53, -1074, 1024}, format_float = {24, -149, 128};

static long double at_most(long double x, long double limit)
{
    return fabsl(x) > limit ? copysignl(limit, x) : x;
}

static double error_in_ulps(long double got, long double want, Format format)
{
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0 : HUGE_VAL;
    long double limit = ldexpl(1, format.top);
    got = at_most(got, limit), want = at_most(want, limit);
    int exponent;
    frexpl(want, &exponent);
    if (exponent > format.top) exponent = format.top;
    int last = exponent - format.bits > format.least ? exponent - format.bits : format.least;
    return (double)(fabsl(got - want) / ldexpl(1, want == 0 ? format.least : last));
}

/* ---- arguments ---- */

static uint64_t draw_state;

static uint64_t draw(void)
{
    return hash_mix(draw_state += 0x9e3779b97f4a7c15u);
}

/* In [0, 1). */
static double draw_unit(void)
{
    return (double)(draw() >> 11) * 0x1p-53;
}

static double draw_signed(void)
{
    return 2 * draw_unit() - 1;
}

/* Near x: at every relative distance from 1 down to 2^-53. */
static double draw_near(double x)
{
    int halvings = (int)(draw() % 54);
    return x * (1 + ldexp(draw_signed(), -halvings));
}

/* Any number, any exponent. */
static double draw_any(void)
{
    double x = math_from_bits(draw());
    return isnan(x) ? 0 : x;
}

static double draw_any_float(void)
{
    uint32_t bits = (uint32_t)draw();
    float x;
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? 0 : (double)x;
}

/* The numbers next to a multiple of pi/2, of every size. */
static double draw_quarter(void)
{
    uint64_t k = draw();
    k >>= 8 + draw() % 55;
    double x = (double)(1.57079632679489661923132169163975144L * (long double)k);
    return draw() % 2 ? nextafter(x, 0) : x;
}

static double draw_quarter_float(void)
{
    return (double)(float)draw_quarter();
}

static double draw_turns(void)
{
    return 100 * draw_signed();
}

static double draw_exponent(void)
{
    static const double edges[] = {709.782712893384,  -708.3964185322641, -745.1332191019411,
                                   88.72283905206835, -87.33654475055310, -103.9720770839918};
    return draw() % 2 ? 800 * draw_signed() : draw_near(edges[draw() % 6]);
}

static double draw_near_one(void)
{
    return draw_near(1);
}

static double draw_cosine(void)
{
    static const double edges[] = {1, -1, 0.5, -0.5};
    double x = draw() % 2 ? draw_signed() : draw_near(edges[draw() % 4]);
    return draw() % 4 ? x : ldexp(x, -(int)(draw() % 1074));
}

/* ---- functions of one argument ---- */

typedef double Draw(void);

typedef struct Case {
    const char *name;
    double (*mine)(double);
    float (*minef)(float);
    long double (*oracle)(long double);
    Draw *draws[4];
} Case;

static void check_case(const Case *c, Format format)
{
    double worst = 0, worst_at = 0;
    for (int d = 0; d < 4 && c->draws[d]; ++d) {
        for (int i = 0; i < SAMPLES; ++i) {
            double x = c->draws[d]();
            if (c->minef) x = (double)(float)x;
            double got = c->minef ? (double)c->minef((float)x) : c->mine(x);
            double error = error_in_ulps((long double)got, c->oracle((long double)x), format);
            if (error > worst) worst = error, worst_at = x;
        }
    }
    printf("%s: %.3f ulp at %a\n", c->name, worst, worst_at);
    CHECK(worst <= most_ulps);
}

static void is_precise_in_double(void)
{
    static const Case cases[] = {
        {"sin", math_sin, NULL, sinl, {draw_any, draw_quarter, draw_turns}},
        {"cos", math_cos, NULL, cosl, {draw_any, draw_quarter, draw_turns}},
        {"tan", math_tan, NULL, tanl, {draw_any, draw_quarter, draw_turns}},
        {"exp", math_exp, NULL, expl, {draw_any, draw_exponent}},
        {"log", math_log, NULL, logl, {draw_any, draw_near_one}},
        {"asin", math_asin, NULL, asinl, {draw_cosine}},
        {"acos", math_acos, NULL, acosl, {draw_cosine}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_case(&cases[i], format_double);
}

static void is_precise_in_float(void)
{
    static const Case cases[] = {
        {"sinf", NULL, math_sinf, sinl, {draw_any_float, draw_quarter_float, draw_turns}},
        {"cosf", NULL, math_cosf, cosl, {draw_any_float, draw_quarter_float, draw_turns}},
        {"expf", NULL, math_expf, expl, {draw_any_float, draw_exponent}},
        {"logf", NULL, math_logf, logl, {draw_any_float, draw_near_one}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) check_case(&cases[i], format_float);
}

/* ---- functions of two arguments ---- */

static double pair_error(double (*mine)(double, double),
                         long double (*oracle)(long double, long double), double a, double b)
{
    long double want = oracle((long double)a, (long double)b);
    return error_in_ulps((long double)mine(a, b), want, format_double);
}

static double pair_error_float(float (*mine)(float, float),
                               long double (*oracle)(long double, long double), float a, float b)
{
    long double want = oracle((long double)a, (long double)b);
    return error_in_ulps((long double)mine(a, b), want, format_float);
}

static double draw_base(unsigned kind)
{
    return kind % 2 ? fabs(draw_any()) : draw_near_one();
}

/* A power of x between 2^-range and 2^range: every exponent of the result. */
static double draw_power(double x, double range)
{
    double y = range * draw_signed() / log2(x);
    return isfinite(y) ? y : draw_any();
}

static void pow_is_precise(void)
{
    double worst = 0, worst_float = 0;
    for (unsigned i = 0; i < 2 * SAMPLES; ++i) {
        double x = draw_base(i), y = i % 16 ? draw_power(x, 1080) : draw_any();
        worst = fmax(worst, pair_error(math_pow, powl, x, y));
        float xf = (float)x, yf = i % 16 ? (float)draw_power((double)xf, 152) : (float)y;
        worst_float = fmax(worst_float, pair_error_float(math_powf, powl, xf, yf));
    }
    printf("pow: %.3f ulp, powf: %.3f ulp\n", worst, worst_float);
    CHECK(worst <= most_ulps && worst_float <= most_ulps);
}

static void atan2_is_precise(void)
{
    double worst = 0, worst_float = 0;
    for (unsigned i = 0; i < 2 * SAMPLES; ++i) {
        double x = i % 3 ? draw_any() : draw_signed(), y = i % 3 == 1 ? draw_any() : draw_near(x);
        if (i % 2) y *= draw_signed();
        worst = fmax(worst, pair_error(math_atan2, atan2l, y, x));
        float xf = (float)x, yf = (float)y;
        worst_float = fmax(worst_float, pair_error_float(math_atan2f, atan2l, yf, xf));
    }
    printf("atan2: %.3f ulp, atan2f: %.3f ulp\n", worst, worst_float);
    CHECK(worst <= most_ulps && worst_float <= most_ulps);
}

/* ---- known values ---- */

typedef struct Known {
    double x;
    long double sine, cosine;
} Known;

/* mpmath: mp.prec = 1400; sin(mpf(x)), cos(mpf(x)). The last but one is the double that comes
 * closest to a multiple of pi/2 (Muller, Elementary Functions, section 11.2). */
static const Known known[] = {
    {1e22, -8.52200849767188801772706e-1L, 5.23214785395138945497594e-1L},
    {0x1p100, -8.7218360541826730978072e-1L, 4.89178656974721449905789e-1L},
    {0x1.fffffep127, -5.21876523333658540551505e-1L, 8.53021039830304158051791e-1L},
    {0x1.921fb6p+20, 4.58186677460711169538047e-2L, 9.98949773354984621026244e-1L},
    {8193, -2.70238329228266638196168e-1L, 9.62793459375329870236406e-1L},
    {-0x1.7e43c8800759cp+996, 8.17881912115908597045885e-1L, -5.75386111957549046688244e-1L},
    {0x1.6ac5b262ca1ffp+849, 1.0L, -4.68716592425462761112258e-19L},
    {0x1.fffffffffffffp1023, 4.96195478918406179050267e-3L, -9.9998768942655993746487e-1L},
};

static void large_angles_are_exact(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        const Known *k = &known[i];
        double sine, cosine;
        math_sincos(k->x, &sine, &cosine);
        CHECK(error_in_ulps((long double)sine, k->sine, format_double) <= most_ulps);
        CHECK(error_in_ulps((long double)cosine, k->cosine, format_double) <= most_ulps);
        if (fabs(k->x) > (double)FLT_MAX || (double)(float)k->x != k->x) continue;
        float x = (float)k->x;
        CHECK(error_in_ulps((long double)math_sinf(x), k->sine, format_float) <= most_ulps);
        CHECK(error_in_ulps((long double)math_cosf(x), k->cosine, format_float) <= most_ulps);
    }
}

TESTS({"is_precise_in_double", is_precise_in_double}, {"is_precise_in_float", is_precise_in_float},
      {"pow_is_precise", pow_is_precise}, {"atan2_is_precise", atan2_is_precise},
      {"large_angles_are_exact", large_angles_are_exact})
