/* Adaptive integrators: as many steps as their tolerance asks for, within a range's piece of time.
 */
#ifndef SOLVERS_POINTS_ADAPTIVE_H
#define SOLVERS_POINTS_ADAPTIVE_H

#include "solvers/points/points.h"

void points_solve_adaptively(const PointsSolver *solver, const Range *r);

#endif
