/* Formulas of one number. */
#include "expression/formula.h"

#include "base/loop.h"

double formula_value(const mote_Formula *formula, double x)
{
    const double values[EXPRESSION_SLOTS] = {x};
    return expression_value(&formula->expression, values);
}

double formula_call(void *formula, double x)
{
    return formula_value(formula, x);
}

void formula_apply(void *formula, size_t count, mote_real *values)
{
    const mote_Formula *f = formula;
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        const size_t rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        const ExpressionPlane plane = {sizeof(mote_real) == 4 ? PLANE_FLOAT : PLANE_DOUBLE, 0,
                                       values + first};
        double out[BLOCK_ROWS];
        expression_rows(&f->expression, &plane, rows, out);
        for (size_t i = 0; i < rows; ++i) values[first + i] = (mote_real)out[i];
    }
}
