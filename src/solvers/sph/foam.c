/* Solver `foam`: parameters, joining a liquid, state. */
#include "solvers/sph/foam.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *const system_kind[] = {"system", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_FoamSolver, joins, "the system of the liquid that foams", system_kind),
    PARAM_REAL(mote_FoamSolver, trapped, "1/(s cm^2)", "births where the liquid closes over air",
               200, 0, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, crest, "1/(s cm^2)", "births at crests that go ahead", 50, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, energy_from, "m^2/s^2", "v^2/2 that is needed for any births", 0.5,
               0, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, energy_to, "m^2/s^2", "and from which on there are all", 8, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, trapped_from, "m/s",
               "how fast neighbours come nearer where air begins to be trapped", 0.3, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, trapped_to, "m/s", "and where all of it is", 1.5, 0, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, crest_from, "", "how bent crests are that begin to foam", 0.1, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, crest_to, "", "and those that foam fully", 0.4, 0, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, interval, "s", "from births to births; 0: a quarter of a frame", 0,
               0, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, spray_below, "",
               "share of the liquid's kernel that is filled, below which there is spray", 0.2, 0,
               1),
    PARAM_REAL(mote_FoamSolver, bubble_above, "", "above which there are bubbles", 0.85, 0, 2),
    PARAM_REAL(mote_FoamSolver, rise_time, "s",
               "bubbles take on the liquid's velocity in it, and rise with it times gravity", 0.025,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, life_least, "s", "foam lasts as long at least", 2, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, life_most, "s", "and at most", 5, 0, PARAM_LARGEST),
    PARAM_REAL(mote_FoamSolver, size, "m",
               "mean radius: they have half of it to one and a half times as much", 0.001,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_COUNT(mote_FoamSolver, most, "particles at a time; with as many there are no births",
                1000000, 0, 1e9),
};

ROW_DEFAULTS(foam_solver_row.head, mote_FoamSolver, mote_foam_solver_def)

/* ---- joining ---- */

static mote_Status check_pair(const char *where, const char *from, const char *to, mote_real low,
                              mote_real high, mote_Error *error)
{
    if (low <= high) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: solver.%s is %g and solver.%s %g; the second must not be less", where,
                       from, (double)low, to, (double)high);
}

#define CHECK_PAIR(from, to)                                                                       \
    if (status == MOTE_OK) status = check_pair(where, #from, #to, own->from, own->to, error)

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_FoamSolver *own = raw;
    mote_Status status = MOTE_OK;
    CHECK_PAIR(energy_from, energy_to);
    CHECK_PAIR(trapped_from, trapped_to);
    CHECK_PAIR(crest_from, crest_to);
    CHECK_PAIR(spray_below, bubble_above);
    CHECK_PAIR(life_least, life_most);
    return status;
}

static mote_Status add_columns(Foam *foam, mote_Error *error)
{
    const double life = ((double)foam->params.life_least + (double)foam->params.life_most) / 2;
    const mote_Column all[FOAM_COLUMNS] = {
        [FOAM_KIND] = {.name = "kind",
                       .stage = "solve",
                       .components = 1,
                       .fallback = MOTE_FOAM_FOAM},
        [FOAM_LEFT] =
            {.name = "left", .unit = "s", .stage = "solve", .components = 1, .fallback = life},
        [FOAM_DEPTH] = {.name = "depth", .unit = "m", .stage = "solve", .components = 1}};
    mote_Status status = MOTE_OK;
    for (int c = 0; c < FOAM_COLUMNS && status == MOTE_OK; ++c) {
        foam->column[c] = foam->system->column_count;
        status = mote_system_add_column(foam->system, &all[c], error);
    }
    return status;
}

/* From the layers of the kernel, by the trapezoidal rule. */
static void set_shares(Foam *foam, const SmoothingRow *kernel, int dimension)
{
    const double step = 1.0 / FOAM_SHARES;
    double sum = 0, last = 0;
    foam->shares[FOAM_SHARES + 1] = foam->shares[FOAM_SHARES] = 0;
    for (int i = FOAM_SHARES - 1; i >= 0; --i) {
        const double layer = wall_layer_at(kernel, dimension, i * step).value;
        sum += step * (layer + last) / 2, last = layer;
        foam->shares[i] = (mote_real)sum;
    }
}

static mote_System *find_liquid(const Solver *solver, const char *name)
{
    for (size_t i = 0; i + 1 < solver->system_count; ++i)
        if (strcmp(solver->systems[i]->name, name) == 0) return solver->systems[i];
    return NULL;
}

static mote_Status check_joining(const SolverSite *site, const Solver *solver,
                                 const mote_FoamSolver *own, mote_Error *error)
{
    mote_Status status = mote_row_check(&foam_solver_row.head, site->where, own, error);
    if (status == MOTE_OK) status = check(own, site->where, error);
    if (status != MOTE_OK) return status;
    const mote_System *liquid = find_liquid(solver, own->joins);
    if (liquid != NULL && liquid->rest_density > 0) return MOTE_OK;
    return status_fail(
        error, MOTE_BAD_VALUE,
        "%s: system %s is no liquid but foam, too; solver.joins must name the liquid", site->where,
        own->joins);
}

mote_Status foam_join(const SolverSite *site, Solver *solver, const void *raw, mote_Error *error)
{
    SphState *state = solver->state;
    const mote_FoamSolver *own = raw;
    mote_Status status = check_joining(site, solver, own, error);
    if (status != MOTE_OK) return status;
    if (!memory_reserve(site->memory, (void **)&state->foams, &state->foam_capacity,
                        state->foam_count + 1, sizeof *state->foams))
        return status_no_memory(error, site->where, sizeof *state->foams);
    Foam *foam = &state->foams[state->foam_count];
    *foam = (Foam){.system = solver->systems[solver->system_count - 1],
                   .liquid = find_liquid(solver, own->joins),
                   .number = solver->system_count - 1,
                   .params = *own,
                   .interval = own->interval > 0 ? (double)own->interval : site->frame / 4};
    foam->params.joins = NULL; /* names are the caller's */
    status = add_columns(foam, error);
    if (status != MOTE_OK) return status;
    set_shares(foam, state->smoothing, site->dimension);
    state->foam_clocks[state->foam_count++] = -1;
    return MOTE_OK;
}

static void close_foam(Foam *foam, Memory *memory)
{
    memory_free(memory, foam->births, foam->birth_capacity * sizeof *foam->births);
}

void foams_leave(SphState *state, size_t number, const mote_System *system)
{
    size_t left = 0;
    for (size_t k = 0; k < state->foam_count; ++k) {
        Foam *foam = &state->foams[k];
        if (foam->number == number) {
            close_foam(foam, foam->system->memory);
            continue;
        }
        foam->number -= foam->number > number;
        if (foam->liquid == system) foam->liquid = NULL;
        state->foam_clocks[left] = state->foam_clocks[k];
        if (left != k) memcpy(&state->foams[left], foam, sizeof *foam);
        ++left;
    }
    state->foam_count = left;
}

void foams_free(SphState *state, Memory *memory)
{
    for (size_t k = 0; k < state->foam_count; ++k) close_foam(&state->foams[k], memory);
    memory_free(memory, state->foams, state->foam_capacity * sizeof *state->foams);
}

mote_StateArray foams_saved(SphState *state)
{
    return (mote_StateArray){.name = "foam_clocks",
                             .type = MOTE_ARRAY_F64,
                             .rows = state->foam_count,
                             .components = 1,
                             .stride = state->foam_count,
                             .data = state->foam_clocks};
}

/* ---- sub-steps ---- */

mote_Status foams_solve(SphStep *step, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t k = 0; k < step->state->foam_count && status == MOTE_OK; ++k) {
        Foam *foam = &step->state->foams[k];
        foam_move(step, foam);
        if (foam->liquid != NULL)
            status = foam_give_birth(step, foam, &step->state->foam_clocks[k], error);
    }
    return status;
}

/* ---- before a run ---- */

static void forecast(const void *raw, const Outlook *outlook)
{
    const mote_FoamSolver *own = raw;
    const double interval = own->interval > 0 ? (double)own->interval : outlook->frame / 4;
    if (interval > outlook->frame)
        OUTLOOK_WARN(
            outlook,
            "systems.%s: solver.interval is %g s, longer than a frame (%.3g s): foam comes "
            "in bursts that are seen; use %.2g s, or leave it out\n",
            outlook->name, interval, outlook->frame, outlook->frame / 4);
}

/* How many there will be is not foreseen. */
static void tell_facts(const void *raw, bool flat, SolverFacts *facts)
{
    (void)raw, (void)flat;
    facts->bears = true;
}

const SolverRow foam_solver_row = {
    .head = ROW_HEAD("foam", "spray, foam and bubbles of a liquid (Ihmsen et al. 2012)", params,
                     mote_FoamSolver),
    .join = foam_join,
    .joins = &sph_solver_row,
    .joins_at = offsetof(mote_FoamSolver, joins),
    .facts = tell_facts,
    .forecast = forecast,
    .look = "foam",
};
