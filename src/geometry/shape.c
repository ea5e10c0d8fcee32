/* The table of shapes. */
#include "geometry/shape.h"

#include "base/row.h"

#define DECLARE(row, ...) ISA_EXTERN(ShapeRow, row)
SHAPE_ROWS(DECLARE)
ISA_ROW_TABLE(shape_rows, SHAPE_ROWS)
ROW_DEFAULTS_FUNCTIONS(SHAPE_ROWS)
