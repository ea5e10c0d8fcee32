/* The elementary functions' special values, symmetries and exact cases, and their bits: the golden
 * hashes hold for every compiler, instruction set and optimisation. */
#include "check.h"

#include "base/hash.h"
#include "base/loop.h"
#include "base/math.h"

#include <float.h>

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The same bits; every NaN of ours is the positive quiet one. */
static bool same(double got, double want)
{
    return math_bits(got) == math_bits(isnan(want) ? MATH_NAN : want);
}

static bool samef(float got, double want)
{
    return float_bits(got) == float_bits(isnan(want) ? (float)MATH_NAN : (float)want);
}

/* ---- special values ---- */

typedef struct Special {
    double (*mine)(double);
    float (*minef)(float);
    double x, want;
} Special;

static void special_values(void)
{
    const double inf = HUGE_VAL, nan = -MATH_NAN;
    const Special table[] = {
        {math_sin, math_sinf, 0, 0},
        {math_sin, math_sinf, -0.0, -0.0},
        {math_sin, math_sinf, inf, nan},
        {math_sin, math_sinf, -inf, nan},
        {math_sin, math_sinf, nan, nan},
        {math_cos, math_cosf, 0, 1},
        {math_cos, math_cosf, -0.0, 1},
        {math_cos, math_cosf, inf, nan},
        {math_cos, math_cosf, -inf, nan},
        {math_cos, math_cosf, nan, nan},
        {math_exp, math_expf, 0, 1},
        {math_exp, math_expf, -0.0, 1},
        {math_exp, math_expf, inf, inf},
        {math_exp, math_expf, -inf, 0},
        {math_exp, math_expf, nan, nan},
        {math_exp, math_expf, 1e30, inf},
        {math_exp, math_expf, -1e30, 0},
        {math_log, math_logf, 0, -inf},
        {math_log, math_logf, -0.0, -inf},
        {math_log, math_logf, 1, 0},
        {math_log, math_logf, -1, nan},
        {math_log, math_logf, inf, inf},
        {math_log, math_logf, -inf, nan},
        {math_log, math_logf, nan, nan},
        {math_tan, NULL, 0, 0},
        {math_tan, NULL, -0.0, -0.0},
        {math_tan, NULL, inf, nan},
        {math_tan, NULL, nan, nan},
        {math_asin, NULL, -0.0, -0.0},
        {math_asin, NULL, 1, 0x1.921fb54442d18p0},
        {math_asin, NULL, 1 + 1e-15, nan},
        {math_asin, NULL, -inf, nan},
        {math_asin, NULL, nan, nan},
        {math_asin, NULL, -1, -0x1.921fb54442d18p0},
        {math_acos, NULL, 1, 0},
        {math_acos, NULL, -1, 0x1.921fb54442d18p1},
        {math_acos, NULL, -1 - 1e-15, nan},
        {math_acos, NULL, 0, 0x1.921fb54442d18p0},
        {math_acos, NULL, nan, nan},
        {math_tan, NULL, DBL_TRUE_MIN, DBL_TRUE_MIN},
        {math_sin, NULL, DBL_TRUE_MIN, DBL_TRUE_MIN},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        const Special *t = &table[i];
        bool good = same(t->mine(t->x), t->want);
        good = good && (t->minef == NULL || samef(t->minef((float)t->x), t->want));
        if (!good) fprintf(stderr, "row %zu: at %g\n", i, t->x);
        CHECK(good);
    }
}

static void thresholds(void)
{
    CHECK(math_exp(0x1.62e42fefa39efp+9) < HUGE_VAL && math_exp(0x1.62e42fefa39f0p+9) == HUGE_VAL);
    CHECK(math_exp(-0x1.74910d52d3051p+9) == DBL_TRUE_MIN && math_exp(-0x1.74910d52d3052p+9) == 0);
    CHECK(math_expf(0x1.62e42ep+6f) < HUGE_VALF && math_expf(0x1.62e430p+6f) == HUGE_VALF);
    CHECK(math_expf(-0x1.9fe368p+6f) == FLT_TRUE_MIN && math_expf(-0x1.9fe36ap+6f) == 0);
    CHECK_NEAR(math_log(DBL_TRUE_MIN), -744.44007192138126, 1e-13);
}

/* Where C's pow and atan2 give an exact special value, ours have its bits. */
static bool as_special(double got, double want)
{
    bool special = isnan(want) || isinf(want) || want == 0 || fabs(want) == 1;
    return special ? same(got, want) : fabs(got - want) <= 4e-16 * fabs(want);
}

static bool as_specialf(float got, double want)
{
    float rounded = (float)want;
    bool special = isnan(want) || isinf(rounded) || rounded == 0 || fabs(want) == 1;
    return special ? samef(got, want) : fabsf(got - rounded) <= 2e-7f * fabsf(rounded);
}

static void special_pairs(void)
{
    const double values[] = {
        0,        1,        0.5,          2,          3,          2.5,         1e-40,       1e9,
        16777215, 16777216, 0x1p52,       0x1p53 - 1, 0x1p53 + 2, 1 - 0x1p-24, 1 + 0x1p-23, 1e30,
        1e300,    DBL_MIN,  DBL_TRUE_MIN, DBL_MAX,    HUGE_VAL,   MATH_NAN};
    enum { COUNT = sizeof values / sizeof values[0] };
    for (int i = 0; i < 4 * COUNT * COUNT; ++i) {
        double x = values[i / 4 % COUNT], y = values[i / 4 / COUNT];
        if (i & 1) x = -x;
        if (i & 2) y = -y;
        double xf = (double)(float)x, yf = (double)(float)y;
        bool good = as_special(math_pow(x, y), pow(x, y)) &&
                    as_special(math_atan2(y, x), atan2(y, x)) &&
                    as_specialf(math_powf((float)x, (float)y), pow(xf, yf)) &&
                    as_specialf(math_atan2f((float)y, (float)x), atan2(yf, xf));
        if (!good) fprintf(stderr, "x = %a, y = %a\n", x, y);
        CHECK(good);
    }
}

/* ---- exact cases and symmetries ---- */

static void powers_are_exact(void)
{
    for (int n = -1074; n < 1024; ++n) CHECK(math_pow(2, n) == ldexp(1, n));
    for (int n = -149; n < 128; ++n) CHECK(math_powf(2, (float)n) == ldexpf(1, n));
    for (int base = 3; base < 1000; ++base) {
        double product = base;
        for (int n = 1; product < 0x1p53; ++n, product *= base) {
            CHECK(math_pow(base, n) == product);
            CHECK(math_pow(-base, n) == (n % 2 ? -product : product));
        }
    }
}

enum { ROWS = 4096 };
static double wide[ROWS], narrow[ROWS], out[ROWS], other[ROWS];
static float widef[ROWS], narrowf[ROWS], outf[ROWS], otherf[ROWS];

/* wide: any bits, NaN too; narrow: within 16. */
static void fill(void)
{
    for (size_t i = 0; i < ROWS; ++i) {
        uint64_t bits = hash_mix(i + 1);
        uint32_t high = (uint32_t)(bits >> 32);
        memcpy(&wide[i], &bits, sizeof bits);
        memcpy(&widef[i], &high, sizeof high);
        narrow[i] = (double)(int64_t)(hash_mix(bits) >> 11) * 0x1p-48 - 16;
        narrowf[i] = (float)narrow[i];
    }
}

static void is_symmetric(void)
{
    fill();
    for (size_t i = 0; i < ROWS; ++i) {
        double x = i % 2 ? wide[i] : narrow[i];
        float f = (float)narrow[i];
        if (isnan(x)) continue;
        CHECK(same(math_sin(-x), -math_sin(x)) && same(math_cos(-x), math_cos(x)));
        CHECK(same(math_tan(-x), -math_tan(x)) && same(math_atan2(-x, 1), -math_atan2(x, 1)));
        CHECK(fabs(math_sin(x)) <= 1 && fabs(math_cos(x)) <= 1);
        CHECK(same(math_asin(-x / 16), -math_asin(x / 16)));
        CHECK(samef(math_sinf(-f), -(double)math_sinf(f)) &&
              samef(math_cosf(-f), (double)math_cosf(f)));
    }
}

static void small_variants_agree(void)
{
    fill();
    for (size_t i = 0; i < ROWS; ++i) {
        double x = 512 * narrow[i], sine, cosine;
        float f = 65536 * narrowf[i], sinef, cosinef;
        math_sincos(x, &sine, &cosine), math_sincosf(f, &sinef, &cosinef);
        CHECK(same(math_sin_small(x), sine) && same(math_cos_small(x), cosine));
        CHECK(same(math_sin(x), sine) && same(math_cos(x), cosine));
        CHECK(math_sinf_small(f) == sinef && math_cosf_small(f) == cosinef);
        CHECK(math_sinf(f) == sinef && math_cosf(f) == cosinef);
    }
}

/* ---- golden hashes ---- */

static void check_golden(const char *name, const void *rows, size_t size, uint64_t golden)
{
    uint64_t hash = hash_bytes(0, rows, size);
    if (hash != golden) fprintf(stderr, "%s: 0x%016llx\n", name, (unsigned long long)hash);
    CHECK(hash == golden);
}

#define GOLDEN(function, in, to, golden)                                                           \
    FOR_ROWS (i, ROWS) to[i] = function(in[i]);                                                    \
    check_golden(#function " of " #in, to, sizeof to, golden)
#define GOLDEN_PAIR(function, a, b, to, golden)                                                    \
    FOR_ROWS (i, ROWS) to[i] = function(a[i], b[i]);                                               \
    check_golden(#function " of " #a, to, sizeof to, golden)

static void double_bits_are_golden(void)
{
    fill();
    GOLDEN(math_sin, wide, out, 0x06fdcd17ea96939fu);
    GOLDEN(math_cos, wide, out, 0xd528b5d12dba0e3cu);
    GOLDEN(math_sin_small, narrow, out, 0x7d8ac17378df7da5u);
    GOLDEN(math_cos_small, narrow, out, 0xb94f53b7b3f398bfu);
    GOLDEN(math_exp, narrow, out, 0xd081807904aaaebdu);
    GOLDEN_PAIR(math_pow, out, narrow, out, 0x6b0cc76b0ecbe735u);
    GOLDEN(math_exp, wide, out, 0x49b02d042417acd6u);
    GOLDEN(math_log, wide, out, 0x2b261366b6dda8dcu);
    GOLDEN(math_tan, wide, out, 0x125eaca3e11ee230u);
    GOLDEN(math_sin_small, narrow, other, 0x7d8ac17378df7da5u);
    GOLDEN(math_asin, other, out, 0xf7979811bd5c675fu);
    GOLDEN(math_acos, other, out, 0x2c4e1d064cde3813u);
    GOLDEN_PAIR(math_pow, wide, narrow, out, 0xc7173ed66e63a93au);
    GOLDEN_PAIR(math_atan2, wide, narrow, out, 0x773f53be9ba63ca9u);
    GOLDEN_PAIR(math_atan2, other, narrow, out, 0x75cf254309f27cceu);
}

static void float_bits_are_golden(void)
{
    fill();
    GOLDEN(math_sinf, widef, outf, 0x8d87f71f11f02e09u);
    GOLDEN(math_cosf, widef, outf, 0x45ddb53937b3a634u);
    GOLDEN(math_sinf_small, narrowf, outf, 0xe10b2d9d735657b0u);
    GOLDEN(math_cosf_small, narrowf, outf, 0x5478c3cd340e890fu);
    GOLDEN(math_expf, narrowf, otherf, 0xcf3d9b7f063fee58u);
    GOLDEN_PAIR(math_powf, otherf, narrowf, outf, 0xc84ac98cb22f5d4cu);
    GOLDEN(math_expf, widef, outf, 0x91db41761aad4d3cu);
    GOLDEN(math_logf, widef, outf, 0x3c1f63a4ebe9cfbfu);
    GOLDEN_PAIR(math_powf, widef, narrowf, outf, 0x14fd99ae2cec082cu);
    GOLDEN_PAIR(math_atan2f, widef, narrowf, outf, 0x8a2ba323544312d7u);
}

TESTS({"special_values", special_values}, {"thresholds", thresholds},
      {"special_pairs", special_pairs}, {"powers_are_exact", powers_are_exact},
      {"is_symmetric", is_symmetric}, {"small_variants_agree", small_variants_agree},
      {"double_bits_are_golden", double_bits_are_golden},
      {"float_bits_are_golden", float_bits_are_golden})
