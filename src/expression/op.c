/* The table of operations: each is one loop over the rows of a block. */
#include "expression/op.h"

#include "base/loop.h"

/* Hermite's cubic 3 s^2 - 2 s^3 between two edges; where they coincide, a step. */
static double smooth_step(double low, double high, double value)
{
    double s = (value - low) / (high - low);
    s = high == low ? (value < low ? 0.0 : 1.0) : s < 0 ? 0.0 : s > 1 ? 1.0 : s;
    return s * s * (3 - 2 * s);
}

#define READ_1                                                                                     \
    const double x = xs[i];                                                                        \
    (void)ys, (void)zs;
#define READ_2                                                                                     \
    const double x = xs[i], y = ys[i];                                                             \
    (void)zs;
#define READ_3 const double x = xs[i], y = ys[i], z = zs[i];

#define DEFINE_OP(name, arity, result)                                                             \
    static void run_##name(size_t count, double *xs, const double *ys, const double *zs)           \
    {                                                                                              \
        FOR_ROWS (i, count) {                                                                      \
            READ_##arity xs[i] = result;                                                           \
        }                                                                                          \
    }

EXPRESSION_OPERATORS(DEFINE_OP)
EXPRESSION_FUNCTIONS(DEFINE_OP)

#define OPERATOR_ROW(name_, arity_, result)                                                        \
    [EXPRESSION_OP_##name_] = {.name = NULL, .arity = arity_, .run = run_##name_},
#define FUNCTION_ROW(name_, arity_, result)                                                        \
    [EXPRESSION_OP_##name_] = {.name = #name_, .arity = arity_, .run = run_##name_},

const ExpressionOpRow expression_ops[EXPRESSION_OP_COUNT] = {
    EXPRESSION_OPERATORS(OPERATOR_ROW) EXPRESSION_FUNCTIONS(FUNCTION_ROW)};
