/* Derivatives of expressions. */
#ifndef EXPRESSION_SLOPE_H
#define EXPRESSION_SLOPE_H

#include "expression/expression.h"

/* Values, bit for bit those of expression_rows, and their derivatives along a direction in which
 * slot s changes at the rate slopes[s]. At most BLOCK_ROWS rows. */
void expression_slope(const Expression *expression, const ExpressionPlane *planes,
                      const ExpressionPlane *slopes, size_t count, double *value, double *slope);

#endif
