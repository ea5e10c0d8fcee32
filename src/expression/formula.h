/* Formulas: expressions as parameters of rows. A formula knows where it stands, for messages, and
 * which columns its slots from FORMULA_COLUMNS on are. */
#ifndef EXPRESSION_FORMULA_H
#define EXPRESSION_FORMULA_H

#include <mote/base.h>

#include "expression/expression.h"

enum { FORMULA_COLUMNS = 32, FORMULA_MOST_COLUMNS = EXPRESSION_SLOTS - FORMULA_COLUMNS };

struct mote_Formula {
    Expression expression;
    const char *place;          /* "scene.json5:12:20" */
    const char *const *columns; /* names; NULL where a formula may use none */
};

/* Of one number: f(x). */
double formula_value(const mote_Formula *formula, double x);
/* The same with the formula as a context, for callbacks. */
double formula_call(void *formula, double x);
/* values[i] becomes f(values[i]); from several threads at a time. */
void formula_apply(void *formula, size_t count, mote_real *values);

#endif
