/* The operations of expressions: one table for operators and functions. */
#ifndef EXPRESSION_OP_H
#define EXPRESSION_OP_H

#include <stddef.h>

/* Operators: X(enumerator, arity, value of x, y, z). */
#define EXPRESSION_OPERATORS(X)                                                                    \
    X(ADD, 2, x + y)                                                                               \
    X(SUBTRACT, 2, x - y)                                                                          \
    X(MULTIPLY, 2, x *y)                                                                           \
    X(DIVIDE, 2, x / y)                                                                            \
    X(REMAINDER, 2, expression_math.fmod(x, y))                                                    \
    X(POWER, 2, expression_math.pow(x, y))                                                         \
    X(NEGATE, 1, -x)                                                                               \
    X(NOT, 1, x == 0 ? 1.0 : 0.0)                                                                  \
    X(AND, 2, x != 0 && y != 0 ? 1.0 : 0.0)                                                        \
    X(OR, 2, x != 0 || y != 0 ? 1.0 : 0.0)                                                         \
    X(EQUAL, 2, x == y ? 1.0 : 0.0)                                                                \
    X(UNEQUAL, 2, x != y ? 1.0 : 0.0)                                                              \
    X(LESS, 2, x < y ? 1.0 : 0.0)                                                                  \
    X(LESS_EQUAL, 2, x <= y ? 1.0 : 0.0)                                                           \
    X(GREATER, 2, x > y ? 1.0 : 0.0)                                                               \
    X(GREATER_EQUAL, 2, x >= y ? 1.0 : 0.0)                                                        \
    X(SELECT, 3, x != 0 ? y : z)

/* Functions, called by their names; min and max take any number of arguments from two on. */
#define EXPRESSION_FUNCTIONS(X)                                                                    \
    X(sin, 1, expression_math.sin(x))                                                              \
    X(cos, 1, expression_math.cos(x))                                                              \
    X(tan, 1, expression_math.tan(x))                                                              \
    X(asin, 1, expression_math.asin(x))                                                            \
    X(acos, 1, expression_math.acos(x))                                                            \
    X(atan, 1, expression_math.atan2(x, 1.0))                                                      \
    X(atan2, 2, expression_math.atan2(x, y))                                                       \
    X(exp, 1, expression_math.exp(x))                                                              \
    X(log, 1, expression_math.log(x))                                                              \
    X(log10, 1, expression_math.log10(x))                                                          \
    X(log2, 1, expression_math.log2(x))                                                            \
    X(pow, 2, expression_math.pow(x, y))                                                           \
    X(sqrt, 1, __builtin_sqrt(x))                                                                  \
    X(abs, 1, __builtin_fabs(x))                                                                   \
    X(floor, 1, __builtin_floor(x))                                                                \
    X(ceil, 1, __builtin_ceil(x))                                                                  \
    X(round, 1, __builtin_round(x))                                                                \
    X(min, 2, y < x ? y : x)                                                                       \
    X(max, 2, y > x ? y : x)                                                                       \
    X(clamp, 3, x<y ? y : x> z ? z : x)                                                            \
    X(mix, 3, x + (y - x) * z)                                                                     \
    X(step, 2, y < x ? 0.0 : 1.0)                                                                  \
    X(smoothstep, 3, smooth_step(x, y, z))                                                         \
    X(sign, 1, x > 0 ? 1.0 : x < 0 ? -1.0 : x)                                                     \
    X(mod, 2, x - y * __builtin_floor(x / y))                                                      \
    X(hypot, 2, expression_math.hypot(x, y))

#define EXPRESSION_ENUMERATOR(name, ...) EXPRESSION_OP_##name,
typedef enum ExpressionOp {
    EXPRESSION_OP_CONSTANT,
    EXPRESSION_OP_SLOT,
    EXPRESSION_OPERATORS(EXPRESSION_ENUMERATOR) EXPRESSION_OP_FIRST_FUNCTION,
    EXPRESSION_BEFORE_FUNCTIONS = EXPRESSION_OP_FIRST_FUNCTION - 1,
    EXPRESSION_FUNCTIONS(EXPRESSION_ENUMERATOR) EXPRESSION_OP_COUNT
} ExpressionOp;

typedef struct ExpressionOpRow {
    const char *name; /* of a function; NULL for operators */
    int arity;
    /* x[i] = value of x[i], y[i], z[i] */
    void (*run)(size_t count, double *x, const double *y, const double *z);
} ExpressionOpRow;

extern const ExpressionOpRow expression_ops[EXPRESSION_OP_COUNT];

/* Elementary functions, in one place so that they can be exchanged together. */
typedef struct ExpressionMath {
    double (*sin)(double), (*cos)(double), (*tan)(double), (*asin)(double), (*acos)(double);
    double (*exp)(double), (*log)(double), (*log10)(double), (*log2)(double);
    double (*atan2)(double, double), (*pow)(double, double), (*fmod)(double, double);
    double (*hypot)(double, double);
} ExpressionMath;

extern const ExpressionMath expression_math;

#endif
