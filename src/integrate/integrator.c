/* The table of integrators, and the columns they keep their state in. */
#include "integrate/integrator.h"

#include "integrate/implicit.h"
#include "integrate/step_control.h"
#include "particles/dense.h"
#include "particles/history.h"

#define DECLARE(row, ...) ISA_EXTERN(IntegratorRow, row)
INTEGRATOR_ROWS(DECLARE)
ISA_ROW_TABLE(integrator_rows, INTEGRATOR_ROWS)

mote_Status integrator_add_columns(const IntegratorRow *row, mote_System *system, int planes,
                                   mote_Error *error)
{
    if (row->error != NULL) {
        mote_Status status = step_control_add_column(system, error);
        return status == MOTE_OK ? system_add_dense(system, planes, error) : status;
    }
    if (row->history.entries == 0) return MOTE_OK;
    int wanted = row->history.planes < planes ? row->history.planes : planes;
    return system_add_history(system, row->history.entries, wanted, error);
}

/* The implicit schemes: members of the theta scheme (integrate/implicit.h). */

/* Stable for every w h. */
#define INFINITY_OF_W_H __builtin_huge_val()

/* theta_ below 0: the solver's; further properties follow the window. */
#define THETA(row, name_, doc_, theta_, order_, ...)                                               \
    ISA_ONCE(IntegratorRow, integrator_##row) = {                                                  \
        .head = ROW_PLAIN(name_, doc_),                                                            \
        .order = order_,                                                                           \
        .order_with_drag = order_,                                                                 \
        .stable_to = INFINITY_OF_W_H,                                                              \
        .usable_to = INFINITY_OF_W_H,                                                              \
        .implicit = true,                                                                          \
        .scratch_planes = IMPLICIT_SCRATCH_PLANES,                                                 \
        .theta = theta_,                                                                           \
        .window = __VA_ARGS__,                                                                     \
    }

THETA(theta, "theta", "theta scheme: the solver's theta weighs the forces at the end of the step",
      -1, 1, 0.02);
THETA(implicit_euler, "implicit-euler",
      "implicit Euler: order 1, stable for springs of any stiffness, loses energy", 1, 1, 0.02);
THETA(crank_nicolson, "crank-nicolson",
      "Crank-Nicolson, the implicit trapezoidal rule: order 2, stable", 0.5, 2, 0.2,
      .reversible = true);
