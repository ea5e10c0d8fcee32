/* The elementary functions that expressions call. */
#include "scene/expression_op.h"

#include <math.h>

const ExpressionMath expression_math = {
    .sin = sin,
    .cos = cos,
    .tan = tan,
    .asin = asin,
    .acos = acos,
    .exp = exp,
    .log = log,
    .log10 = log10,
    .log2 = log2,
    .atan2 = atan2,
    .pow = pow,
    .fmod = fmod,
    .hypot = hypot,
};
