/* The table of integrators. */
#include "integrate/integrator.h"

#define DECLARE(row, ...) ISA_EXTERN(IntegratorRow, row)
INTEGRATOR_ROWS(DECLARE)
ISA_ROW_TABLE(integrator_rows, INTEGRATOR_ROWS)
