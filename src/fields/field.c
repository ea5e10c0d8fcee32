/* The table of fields. */
#include "fields/field.h"

#include "base/row.h"

#define DECLARE(row, ...) ISA_EXTERN(FieldRow, row)
FIELD_ROWS(DECLARE)
ISA_ROW_TABLE(field_rows, FIELD_ROWS)
ROW_DEFAULTS_FUNCTIONS(FIELD_ROWS)
