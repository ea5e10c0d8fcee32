/* The elementary functions that expressions call: those of base/math.h, so that a scene gives the
 * same bits on every machine. libm's fmod is exact, hence the same everywhere. */
#include "scene/expression_op.h"

#include "base/math.h"

#include <math.h>

static double sine(double x)
{
    return math_sin(x);
}

static double cosine(double x)
{
    return math_cos(x);
}

static double exponential(double x)
{
    return math_exp(x);
}

static double natural_log(double x)
{
    return math_log(x);
}

/* The exponent is split off, so that powers of two are exact. */
static double binary_log(double x)
{
    static const double per_ln = 1.44269504088896340736;
    if (!(x > 0) || isinf(x)) return math_log(x);
    int exponent;
    double fraction = frexp(x, &exponent);
    if (fraction < 0.70710678118654752440) fraction *= 2, --exponent;
    return exponent + math_log(fraction) * per_ln;
}

/* Powers of ten that a double holds exactly give whole numbers. */
static double decimal_log(double x)
{
    static const double per_ln = 0.43429448190325182765;
    double y = math_log(x) * per_ln, whole = __builtin_round(y), power = 1;
    if (!(whole >= 0 && whole <= 22)) return y;
    for (int i = 0; i < (int)whole; ++i) power *= 10;
    return x == power ? whole : y;
}

/* Scaled by the larger side, so that squares do not overflow. */
static double hypotenuse(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    double large = a > b ? a : b, small = a > b ? b : a;
    if (isinf(a) || isinf(b)) return HUGE_VAL;
    double ratio = small / large;
    return large > 0 ? large * __builtin_sqrt(1 + ratio * ratio) : a + b;
}

const ExpressionMath expression_math = {
    .sin = sine,
    .cos = cosine,
    .tan = math_tan,
    .asin = math_asin,
    .acos = math_acos,
    .exp = exponential,
    .log = natural_log,
    .log10 = decimal_log,
    .log2 = binary_log,
    .atan2 = math_atan2,
    .pow = math_pow,
    .fmod = fmod,
    .hypot = hypotenuse,
};
