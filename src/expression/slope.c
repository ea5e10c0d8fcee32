/* Derivatives of expressions by dual numbers: every value on the stack carries its slope along, and
 * every operation has a rule for it. Wengert, Communications of the ACM 7, 1964. */
#include "expression/slope.h"

#include "base/loop.h"
#include "expression/op.h"

#include <string.h>

/* x^y, where y may be a plain number and x may be 0 or negative. d(x^y) = y x^(y-1) dx + x^y ln(x)
 * dy; a term whose slope is 0 is left out, or 0 times an infinite logarithm would be no number. */
static double power_slope(double x, double y, double dx, double dy)
{
    double along = dx != 0 ? y * expression_math.pow(x, y - 1) * dx : 0;
    double up = dy != 0 ? expression_math.pow(x, y) * expression_math.log(x) * dy : 0;
    return along + up;
}

/* Of Hermite's cubic, in all three of its arguments. 6 s (1 - s) ds, s = (z - x) / (y - x). */
static double smooth_slope(const double x[3], const double d[3])
{
    const double width = x[1] - x[0], s = (x[2] - x[0]) / width;
    if (!(s > 0 && s < 1)) return 0;
    return 6 * s * (1 - s) * (d[2] - d[0] - s * (d[1] - d[0])) / width;
}

static double ratio_slope(double part, double whole)
{
    return part != 0 ? part / whole : 0; /* what does not change does not change at a pole either */
}

/* X(operation, slope at x, y, z whose own slopes are dx, dy, dz). */
#define SLOPES(X)                                                                                  \
    X(ADD, dx + dy)                                                                                \
    X(SUBTRACT, dx - dy)                                                                           \
    X(MULTIPLY, dx *y + x * dy)                                                                    \
    X(DIVIDE, ratio_slope(dx - x / y * dy, y))                                                     \
    X(REMAINDER, dx - dy * __builtin_trunc(x / y))                                                 \
    X(POWER, power_slope(x, y, dx, dy))                                                            \
    X(NEGATE, -dx)                                                                                 \
    X(SELECT, x != 0 ? dy : dz)                                                                    \
    X(sin, expression_math.cos(x) * dx)                                                            \
    X(cos, -expression_math.sin(x) * dx)                                                           \
    X(tan, ratio_slope(dx, expression_math.cos(x) * expression_math.cos(x)))                       \
    X(asin, ratio_slope(dx, __builtin_sqrt(1 - x * x)))                                            \
    X(acos, ratio_slope(-dx, __builtin_sqrt(1 - x * x)))                                           \
    X(atan, dx / (1 + x * x))                                                                      \
    X(atan2, ratio_slope(y *dx - x * dy, x * x + y * y))                                           \
    X(exp, expression_math.exp(x) * dx)                                                            \
    X(log, ratio_slope(dx, x))                                                                     \
    X(log10, ratio_slope(dx, x * 2.302585092994046))                                               \
    X(log2, ratio_slope(dx, x * 0.6931471805599453))                                               \
    X(pow, power_slope(x, y, dx, dy))                                                              \
    X(sqrt, ratio_slope(dx, 2 * __builtin_sqrt(x)))                                                \
    X(abs, x < 0 ? -dx : dx)                                                                       \
    X(min, y < x ? dy : dx)                                                                        \
    X(max, y > x ? dy : dx)                                                                        \
    X(clamp, x<y ? dy : x> z ? dz : dx)                                                            \
    X(mix, dx + (dy - dx) * z + (y - x) * dz)                                                      \
    X(smoothstep, smooth_slope((const double[3]){x, y, z}, (const double[3]){dx, dy, dz}))         \
    X(mod, dx - dy * __builtin_floor(x / y))                                                       \
    X(hypot, ratio_slope(x *dx + y * dy, expression_math.hypot(x, y)))

/* Values and slopes of the up to three arguments; the result's slope goes to slope[0]. */
typedef struct Duals {
    const double (*value)[BLOCK_ROWS];
    double (*slope)[BLOCK_ROWS];
} Duals;

#define DEFINE_SLOPE(name, result)                                                                 \
    static void slope_##name(size_t count, const Duals *d)                                         \
    {                                                                                              \
        for (size_t i = 0; i < count; ++i) {                                                       \
            const double x = d->value[0][i], y = d->value[1][i], z = d->value[2][i];               \
            const double dx = d->slope[0][i], dy = d->slope[1][i], dz = d->slope[2][i];            \
            (void)x, (void)y, (void)z, (void)dx, (void)dy, (void)dz;                               \
            d->slope[0][i] = result;                                                               \
        }                                                                                          \
    }
SLOPES(DEFINE_SLOPE)

#define SLOPE_ROW(name, result) [EXPRESSION_OP_##name] = slope_##name,
static void (*const rules[EXPRESSION_OP_COUNT])(size_t count,
                                                const Duals *duals) = {SLOPES(SLOPE_ROW)};

typedef struct Stack {
    _Alignas(64) double value[EXPRESSION_STACK + 2][BLOCK_ROWS]; /* arguments may lie behind */
    _Alignas(64) double slope[EXPRESSION_STACK + 2][BLOCK_ROWS];
} Stack;

/* Comparisons and steps are flat wherever they have a slope: they have no rule. */
static void apply(Stack *stack, size_t at, int op, size_t count)
{
    const Duals duals = {(const double(*)[BLOCK_ROWS])(const void *)&stack->value[at],
                         &stack->slope[at]};
    if (rules[op] != NULL)
        rules[op](count, &duals);
    else
        memset(stack->slope[at], 0, count * sizeof(double));
    expression_ops[op].run(count, stack->value[at], stack->value[at + 1], stack->value[at + 2]);
}

void expression_slope(const Expression *expression, const ExpressionPlane *planes,
                      const ExpressionPlane *slopes, size_t count, double *value, double *slope)
{
    static const ExpressionPlane flat = {.type = PLANE_ONE_VALUE, .value = 0};
    Stack stack;
    size_t height = 0;
    memset(stack.value[0], 0, sizeof stack.value), memset(stack.slope[0], 0, sizeof stack.slope);
    for (size_t s = 0; s < expression->count; ++s) {
        const ExpressionStep *step = &expression->steps[s];
        const ExpressionPlane constant = {.type = PLANE_ONE_VALUE, .value = step->value};
        const bool slot = step->op == EXPRESSION_OP_SLOT;
        if (slot || step->op == EXPRESSION_OP_CONSTANT) {
            expression_load(slot ? &planes[step->slot] : &constant, 0, count, stack.value[height]);
            expression_load(slot ? &slopes[step->slot] : &flat, 0, count, stack.slope[height++]);
        } else {
            height -= (size_t)expression_ops[step->op].arity - 1;
            apply(&stack, height - 1, step->op, count);
        }
    }
    if (expression->constant)
        FOR_ROWS (i, count) stack.value[0][i] = expression->value;
    memcpy(value, stack.value[0], count * sizeof *value);
    memcpy(slope, stack.slope[0], count * sizeof *slope);
}
