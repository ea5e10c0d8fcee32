/* Any text as an expression: it compiles or is refused with a place inside it; rows give the same
 * bits as single values; a constant is what a program without names says. */
#include "expression/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 131 };

static const ExpressionName names[] = {{.name = "t", .slot = 0},
                                       {.name = "age", .slot = 1},
                                       {.name = "id", .slot = 63},
                                       {.name = "rate", .value = 3, .slot = EXPRESSION_CONSTANT},
                                       {.name = "mood", .text = "x", .slot = EXPRESSION_CONSTANT}};
static const ExpressionScope scope = {names, 5, NULL};

static void require(bool condition)
{
    if (!condition) abort();
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void evaluate(const Expression *expression)
{
    static float ages[ROWS];
    static uint64_t ids[ROWS];
    static double out[ROWS];
    for (size_t i = 0; i < ROWS; ++i) ages[i] = (float)i * 0.25f - 3, ids[i] = i;
    ExpressionPlane planes[EXPRESSION_SLOTS] = {[0] = {.type = PLANE_ONE_VALUE, .value = 0.5},
                                                [1] = {.type = PLANE_FLOAT, .data = ages},
                                                [63] = {.type = PLANE_U64, .data = ids}};
    expression_rows(expression, planes, ROWS, out);
    for (size_t i = 0; i < ROWS; i += 13) {
        double values[EXPRESSION_SLOTS] = {0.5, (double)ages[i]};
        values[63] = (double)ids[i];
        require(same(expression_value(expression, values), out[i]));
        require(!expression->constant || same(expression->value, out[i]));
    }
    require(expression->constant == (expression->slots == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Memory memory = memory_make((mote_Allocator){0});
    Store store = store_make(&memory);
    char *text = calloc(size + 1, 1);
    if (size > 0) memcpy(text, data, size);
    Expression expression;
    ExpressionError error;
    mote_Status status = expression_compile(&store, text, &scope, &expression, &error);
    if (status == MOTE_OK)
        evaluate(&expression);
    else
        require(error.message[0] != '\0' && error.at + error.length <= strlen(text));
    store_free(&store);
    free(text);
    return 0;
}
