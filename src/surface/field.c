/* The table of fields of surfaces. */
#include "surface/field.h"

#include "base/row.h"

#define DECLARE(row, ...) ISA_EXTERN(SurfaceFieldRow, row)
SURFACE_FIELD_ROWS(DECLARE)
ISA_ROW_TABLE(surface_field_rows, SURFACE_FIELD_ROWS)
ROW_DEFAULTS_FUNCTIONS(SURFACE_FIELD_ROWS)
