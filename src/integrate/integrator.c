/* The table of integrators, and the columns they keep their state in. */
#include "integrate/integrator.h"

#include "integrate/step_control.h"
#include "particles/history.h"

#define DECLARE(row, ...) ISA_EXTERN(IntegratorRow, row)
INTEGRATOR_ROWS(DECLARE)
ISA_ROW_TABLE(integrator_rows, INTEGRATOR_ROWS)

mote_Status integrator_add_columns(const IntegratorRow *row, mote_System *system, int planes,
                                   mote_Error *error)
{
    if (row->error != NULL) return step_control_add_column(system, error);
    if (row->history.entries == 0) return MOTE_OK;
    int wanted = row->history.planes < planes ? row->history.planes : planes;
    return system_add_history(system, row->history.entries, wanted, error);
}
