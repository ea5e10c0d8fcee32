/* Slopes of expressions against differences of their values, operation by operation. */
#include "check.h"

#include "expression/slope.h"

#include "base/loop.h"

#include <math.h>

enum { SLOTS = 3 };

static const ExpressionName names[] = {
    {.name = "x", .slot = 0}, {.name = "y", .slot = 1}, {.name = "z", .slot = 2}};
static const ExpressionScope scope = {names, SLOTS, NULL};

/* The slope along a direction in which x, y and z all change. */
static void check_slope(const char *text, const double at[SLOTS])
{
    static const double rates[SLOTS] = {0.7, -0.4, 0.25};
    const double h = 1e-5;
    Memory memory = memory_make(mote_default_allocator());
    Store store = store_make(&memory);
    Expression expression;
    ExpressionError error;
    ExpressionPlane planes[EXPRESSION_SLOTS] = {{0}}, slopes[EXPRESSION_SLOTS] = {{0}};
    double up[EXPRESSION_SLOTS] = {0}, down[EXPRESSION_SLOTS] = {0}, value[2], slope[2];
    CHECK(expression_compile(&store, text, &scope, &expression, &error) == MOTE_OK);
    for (int s = 0; s < SLOTS; ++s) {
        planes[s].value = at[s], slopes[s].value = rates[s];
        up[s] = at[s] + h * rates[s], down[s] = at[s] - h * rates[s];
    }
    expression_slope(&expression, planes, slopes, 2, value, slope);
    double right =
        (expression_value(&expression, up) - expression_value(&expression, down)) / 2 / h;
    CHECK(value[0] == expression_value(&expression, at) && value[1] == value[0]);
    CHECK_NEAR(slope[0], right, 1e-7 * (1 + fabs(right)));
    if (!(fabs(slope[0] - right) <= 1e-7 * (1 + fabs(right))))
        fprintf(stderr, "  %s: %.12g, not %.12g\n", text, slope[0], right);
    store_free(&store);
}

static void every_operation_has_its_slope(void)
{
    static const char *const texts[] = {"x + y",
                                        "x - y * z",
                                        "x * y * z",
                                        "x / y",
                                        "y % x",
                                        "x ^ y",
                                        "x ^ 3",
                                        "(-x) ^ 2",
                                        "2 ^ x",
                                        "-x",
                                        "!x + x",
                                        "(x > y) * x",
                                        "x < y ? x * y : z * x",
                                        "x && y ? y * y : 1",
                                        "sin(x * y)",
                                        "cos(x)",
                                        "tan(y)",
                                        "asin(x / 3)",
                                        "acos(y / 3)",
                                        "atan(x * z)",
                                        "atan2(x, y)",
                                        "exp(x)",
                                        "log(x)",
                                        "log10(x)",
                                        "log2(y)",
                                        "pow(x, z)",
                                        "sqrt(x * y)",
                                        "abs(z) * x",
                                        "floor(x) * y",
                                        "ceil(x) + y",
                                        "round(x) * z",
                                        "min(x, y, z)",
                                        "max(x, y * 2)",
                                        "clamp(x, y, z)",
                                        "clamp(x * x, -1, 9)",
                                        "mix(x, y, z)",
                                        "step(x, y) * z",
                                        "smoothstep(0, 2, x)",
                                        "smoothstep(z, y, x)",
                                        "sign(z) * z",
                                        "mod(y, x)",
                                        "hypot(x, y)",
                                        "pi * x + e * tau"};
    static const double places[][SLOTS] = {{0.6, 1.4, -0.3}, {1.3, 0.8, 0.45}};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t)
        for (size_t p = 0; p < 2; ++p) check_slope(texts[t], places[p]);
}

/* What does not change has no slope, also where a rule would divide by zero. */
static void constants_are_flat_at_poles(void)
{
    Memory memory = memory_make(mote_default_allocator());
    Store store = store_make(&memory);
    const ExpressionPlane planes[EXPRESSION_SLOTS] = {{0}}, slopes[EXPRESSION_SLOTS] = {{0}};
    static const char *const texts[] = {"sqrt(x)", "hypot(x, y)", "x ^ 0.5", "atan2(x, y)"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        Expression expression;
        ExpressionError error;
        double value, slope;
        CHECK(expression_compile(&store, texts[t], &scope, &expression, &error) == MOTE_OK);
        expression_slope(&expression, planes, slopes, 1, &value, &slope);
        CHECK(slope == 0);
    }
    store_free(&store);
}

TESTS({"every_operation_has_its_slope", every_operation_has_its_slope},
      {"constants_are_flat_at_poles", constants_are_flat_at_poles})
