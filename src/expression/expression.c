/* Running expressions: a stack machine whose values are blocks of rows.
 *
 * A step is done for a whole block before the next: what it costs to look a step up is shared by
 * 128 rows, and each operation is a loop that vectorises. */
#include "expression/expression.h"

#include "base/loop.h"
#include "expression/op.h"

#include <string.h>

const ExpressionName *expression_name(const ExpressionScope *scope, const char *name, size_t length)
{
    for (; scope != NULL; scope = scope->outer)
        for (size_t i = 0; i < scope->count; ++i) {
            const char *candidate = scope->names[i].name;
            if (strncmp(candidate, name, length) == 0 && candidate[length] == '\0')
                return &scope->names[i];
        }
    return NULL;
}

void expression_load(const ExpressionPlane *plane, size_t first, size_t count, double *out)
{
    if (plane->type == PLANE_ONE_VALUE) {
        FOR_ROWS (i, count) out[i] = plane->value;
    } else if (plane->type == PLANE_FLOAT) {
        const float *rows = (const float *)plane->data + first;
        FOR_ROWS (i, count) out[i] = (double)rows[i];
    } else if (plane->type == PLANE_DOUBLE) {
        memcpy(out, (const double *)plane->data + first, count * sizeof *out);
    } else {
        const uint64_t *rows = (const uint64_t *)plane->data + first;
        FOR_ROWS (i, count) out[i] = (double)rows[i];
    }
}

static void run_block(const Expression *expression, const ExpressionPlane *planes, size_t first,
                      size_t count, double *out)
{
    _Alignas(
        64) double stack[EXPRESSION_STACK + 2][BLOCK_ROWS]; /* y and z of the last may lie behind */
    size_t height = 0;
    for (size_t s = 0; s < expression->count; ++s) {
        const ExpressionStep *step = &expression->steps[s];
        const ExpressionPlane constant = {.type = PLANE_ONE_VALUE, .value = step->value};
        if (step->op == EXPRESSION_OP_CONSTANT) {
            expression_load(&constant, first, count, stack[height++]);
        } else if (step->op == EXPRESSION_OP_SLOT) {
            expression_load(&planes[step->slot], first, count, stack[height++]);
        } else {
            const ExpressionOpRow *op = &expression_ops[step->op];
            height -= (size_t)op->arity - 1;
            double(*x)[BLOCK_ROWS] = &stack[height - 1];
            op->run(count, x[0], x[1], x[2]);
        }
    }
    memcpy(out, stack[0], count * sizeof *out);
}

void expression_rows(const Expression *expression, const ExpressionPlane *planes, size_t count,
                     double *out)
{
    if (expression->constant) { /* a plain number has no program */
        FOR_ROWS (i, count) out[i] = expression->value;
        return;
    }
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        run_block(expression, planes, first, rows, out + first);
    }
}

double expression_value(const Expression *expression, const double *values)
{
    if (expression->constant) return expression->value;
    ExpressionPlane planes[EXPRESSION_SLOTS];
    for (uint64_t left = expression->slots; left != 0; left &= left - 1) {
        int slot = __builtin_ctzll(left);
        planes[slot] = (ExpressionPlane){.type = PLANE_ONE_VALUE, .value = values[slot]};
    }
    double value;
    run_block(expression, planes, 0, 1, &value);
    return value;
}
