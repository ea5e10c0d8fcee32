/* Boundary `penalised`: bodies are where the flow is made theirs, on a mesh. */
#ifndef SOLVERS_VORTEX_PENALISE_H
#define SOLVERS_VORTEX_PENALISE_H

#include "solvers/solver.h"
#include "solvers/vortex/mesh_flow.h"

mote_Status penalise_begin(const SolverStep *step, mote_Error *error);
bool penalise_place(const SolverStep *step, VortexWork *work);
bool penalise_carry(const VortexWork *work, const VortonRows *rows);
bool penalise_finish(const VortexWork *work, const VortonRows *rows, const SolverStep *step);

/* Velocity at points: of the mesh, and of all vortons where there is none. False when out of
 * memory. */
bool mesh_velocity(const VortexWork *work, const InduceRequest *request);

/* pressure.c: what bodies push with, at the nodes of the grid. */
void mesh_note_push(const VortexWork *work, VortexGrid *grid);

#endif
