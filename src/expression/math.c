/* The elementary functions that expressions call: mote's own, which give the same bits on every
 * machine. */
#include "base/math.h"
#include "expression/op.h"

#include <math.h>

/* log(x) / log(base), exact where x is a whole power of the base. */
static double log_to(double x, double base, double log_base)
{
    /* Of a whole power the quotient is off by a last bit: it is tried whether the nearest whole
     * number is the answer. */
    double value = math_log(x) / log_base, whole = floor(value + 0.5);
    return math_pow(base, whole) == x ? whole : value;
}

static double log10_of(double x)
{
    return log_to(x, 10, 2.302585092994046);
}

static double log2_of(double x)
{
    return log_to(x, 2, 0.6931471805599453);
}

/* sqrt(x^2 + y^2) without overflow. */
static double length_of(double x, double y)
{
    double a = fabs(x), b = fabs(y), large = a > b ? a : b, small = a > b ? b : a;
    if (!(large > 0) || isinf(large)) return large + small;
    if (large < 1e150 && small > 1e-150) return sqrt(x * x + y * y);
    double ratio = small / large;
    return large * sqrt(1 + ratio * ratio);
}

const ExpressionMath expression_math = {
    .sin = math_sin,
    .cos = math_cos,
    .tan = math_tan,
    .asin = math_asin,
    .acos = math_acos,
    .exp = math_exp,
    .log = math_log,
    .log10 = log10_of,
    .log2 = log2_of,
    .atan2 = math_atan2,
    .pow = math_pow,
    .fmod = fmod, /* exact */
    .hypot = length_of,
};
