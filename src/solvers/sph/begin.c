/* Before a sub-step: all particles of a liquid have one mass and one radius; and now and then the
 * rows are sorted by cell, so that what is near in space is near in memory. */
#include "solvers/sph/step.h"

#include "base/status.h"

/* The first sub-step makes the arena as large as solving needs; sorting then fits in, too. */
enum { SORT_EVERY = 32, SORT_FIRST = 1 };

static void set_masses(mote_System *system, SphState *state, mote_real spacing)
{
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    if (state->next_id == system->next_id && state->next_id > 0) return;
    for (size_t i = 0; i < system->count; ++i) mass[i] = state->mass, radius[i] = spacing / 2;
    system->notes_valid = false;
    state->next_id = system->next_id;
}

/* The order is by (cell, id), which the saved number of the sub-step brings back. */
static mote_Status sort_rows(const SolverStep *outer, mote_Error *error)
{
    mote_System *system = outer->solver->systems[0];
    const SphState *state = outer->solver->state;
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    const mote_real *const x[3] = {column_real(position, 0), column_real(position, 1),
                                   column_real(position, 2)};
    CellSpace space = sph_space(outer);
    Cells cells;
    uint64_t *keys = arena_take(outer->arena, (system->count + 1) * sizeof *keys);
    bool room = keys != NULL && cells_make(&cells, &space, state->kernel.support, x, system->count,
                                           outer->arena, outer->tasks);
    if (room) cells_point_keys(&cells, keys);
    room = room && system_sort(system, keys, outer->arena, outer->tasks);
    return room ? MOTE_OK : status_no_memory(error, system->name, system->count * sizeof *keys);
}

mote_Status sph_begin(const SolverStep *outer, mote_Error *error)
{
    mote_System *system = outer->solver->systems[0];
    SphState *state = outer->solver->state;
    set_masses(system, state, sph_params(outer->solver)->spacing);
    if (outer->number % SORT_EVERY != SORT_FIRST || system->count == 0) return MOTE_OK;
    ArenaMark mark = arena_mark(outer->arena);
    mote_Status status = sort_rows(outer, error);
    arena_rewind(outer->arena, mark);
    return status;
}
