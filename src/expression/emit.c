/* The program of an expression under construction, with constants folded.
 *
 * The program is in reverse Polish notation: `height` is how many values would be on the stack when
 * it has run so far, and `starts` where the program of each begins, so that constant operands are
 * seen as such. */
#include "expression/compiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool compiler_fail(Compiler *compiler, const char *at, size_t length, const char *format, ...)
{
    ExpressionError *error = compiler->error;
    error->at = (size_t)(at - compiler->text);
    error->length = length;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

void compiler_hint(Compiler *compiler, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(compiler->error->hint, sizeof compiler->error->hint, format, arguments);
    va_end(arguments);
}

bool compiler_fail_long(Compiler *compiler)
{
    return compiler_fail(compiler, compiler->at, 0,
                         "the expression is too long or nested too deeply");
}

bool compiler_push(Compiler *compiler, ExpressionStep step)
{
    bool full = compiler->count == EXPRESSION_STEPS || compiler->height == EXPRESSION_STACK;
    if (full) return compiler_fail_long(compiler);
    compiler->starts[compiler->height++] = compiler->count;
    compiler->steps[compiler->count++] = step;
    return true;
}

bool compiler_push_constant(Compiler *compiler, double value)
{
    return compiler_push(compiler, (ExpressionStep){.op = EXPRESSION_OP_CONSTANT, .value = value});
}

/* The value's program is one constant. */
static bool is_constant(const Compiler *compiler, size_t value)
{
    size_t start = compiler->starts[value];
    size_t end = value + 1 < compiler->height ? compiler->starts[value + 1] : compiler->count;
    return end - start == 1 && compiler->steps[start].op == EXPRESSION_OP_CONSTANT;
}

/* condition ? a : b with a constant condition is one of the two. */
static void choose(Compiler *compiler, size_t condition)
{
    const size_t *starts = compiler->starts + condition;
    bool first = compiler->steps[starts[0]].value != 0;
    size_t from = first ? starts[1] : starts[2], end = first ? starts[2] : compiler->count;
    memmove(compiler->steps + starts[0], compiler->steps + from,
            (end - from) * sizeof(ExpressionStep));
    compiler->count = starts[0] + (end - from);
    compiler->height = condition + 1;
}

static void fold(Compiler *compiler, size_t first, int arity, ExpressionOp op)
{
    double values[3] = {0};
    for (int i = 0; i < arity; ++i)
        values[i] = compiler->steps[compiler->starts[first + (size_t)i]].value;
    expression_ops[op].run(1, &values[0], &values[1], &values[2]);
    compiler->count = compiler->starts[first] + 1;
    compiler->steps[compiler->starts[first]] =
        (ExpressionStep){.op = EXPRESSION_OP_CONSTANT, .value = values[0]};
    compiler->height = first + 1;
}

bool compiler_apply(Compiler *compiler, ExpressionOp op)
{
    int arity = expression_ops[op].arity;
    size_t first = compiler->height - (size_t)arity;
    if (op == EXPRESSION_OP_SELECT && is_constant(compiler, first)) {
        choose(compiler, first);
        return true;
    }
    bool all_constant = true;
    for (size_t i = first; i < compiler->height; ++i)
        all_constant = all_constant && is_constant(compiler, i);
    if (all_constant) {
        fold(compiler, first, arity, op);
        return true;
    }
    if (compiler->count == EXPRESSION_STEPS) return compiler_fail_long(compiler);
    compiler->steps[compiler->count++] = (ExpressionStep){.op = (uint16_t)op};
    compiler->height = first + 1;
    return true;
}
