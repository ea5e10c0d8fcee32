/* The family of tensions: its rows, what a liquid keeps of one, limits of sub-steps and what is
 * said before a run. What `csf` does is in tension_pull.c. */
#include "solvers/sph/tension.h"

#include "base/status.h"

#include <math.h>

const mote_Param tension_params[1] = {
    PARAM_REAL(mote_CsfTension, surface_tension, "N/m", "of the free surface; water has 0.0728",
               0.0728, 0, PARAM_LARGEST),
};

static const TensionRow tension_none = {.head = {.name = "none", .doc = "no surface tension"}};
static const TensionRow tension_csf = {
    .head = ROW_HEAD("csf",
                     "surface tension in N/m, by the curvature of the surface (Brackbill, Kothe "
                     "and Zemach 1992)",
                     tension_params, mote_CsfTension),
    .open = tension_open,
    .pull = tension_pull,
};

ROW_TABLE(tension_rows, &tension_none.head, &tension_csf.head, &tension_pair.head)

ROW_DEFAULTS(tension_csf.head, mote_CsfTension, mote_csf_tension_def)

/* ---- opening ---- */

mote_Status sph_open_tension(const SolverSite *site, const mote_SphSolver *own, SphState *state,
                             mote_Error *error)
{
    size_t count;
    const mote_Row *const *rows = tension_rows(site->isa, &count);
    const mote_Row *found = own->tension != NULL
                                ? row_find(rows, count, site->where, "tension", own->tension, error)
                                : rows[0];
    if (found == NULL) return MOTE_BAD_VALUE;
    const TensionRow *row = (const TensionRow *)(const void *)found;
    if (row->pull == NULL) return MOTE_OK;
    if (own->tension_params != NULL) {
        mote_Status status = mote_row_check(found, site->where, own->tension_params, error);
        if (status != MOTE_OK) return status;
    }
    Tension *tension = memory_zeroed(site->memory, sizeof *tension);
    if (tension == NULL) return status_no_memory(error, site->where, sizeof *tension);
    state->tension = tension;
    tension->row = row;
    tension->params = own->tension_params != NULL ? *(const mote_CsfTension *)own->tension_params
                                                  : mote_csf_tension_def();
    tension->spacing = (double)own->spacing;
    tension->specific = (double)tension->params.surface_tension / (double)own->rest_density;
    tension->lists = neighbours_make(site->memory);
    row->open(site, own, state->smoothing, tension);
    return MOTE_OK;
}

void sph_close_tension(SphState *state, Memory *memory)
{
    Tension *tension = state->tension;
    if (tension == NULL) return;
    neighbours_free(&tension->lists);
    walls_free(&tension->walls, memory);
    memory_free(memory, tension, sizeof *tension);
    state->tension = NULL;
}

/* ---- within a sub-step ---- */

mote_Status sph_pull(SphStep *step, mote_Error *error)
{
    const Tension *tension = step->state->tension;
    if (tension == NULL || !(tension->specific > 0)) return MOTE_OK;
    return tension->row->pull(step, error);
}

mote_Status tension_meet_walls(const SphStep *step, mote_real *const x[3], size_t rows,
                               mote_Error *error)
{
    const SolverStep *outer = step->outer;
    Tension *tension = step->state->tension;
    tension->walls.rows = 0;
    if (outer->walls[0] == NULL || outer->walls[0]->count == 0) return MOTE_OK;
    const WallsInput input = {.memory = outer->memory,
                              .tasks = outer->tasks,
                              .broad = outer->walls[0],
                              .rows = rows,
                              .x = x,
                              .support = tension->kernel.support};
    mote_Status status = walls_integrate(&tension->walls, &input, error);
    if (status == MOTE_OK) tension->walls.rows = rows;
    return status;
}

void sph_load_tension(SphStep *step)
{
    const Tension *tension = step->state->tension;
    if (tension != NULL && tension->row->load != NULL) tension->row->load(step);
}

double sph_tension(const SphState *state)
{
    double lightest = 1;
    if (state->tension == NULL) return 0;
    for (size_t m = 0; m < state->member_count; ++m)
        lightest = fmin(lightest, (double)state->members[m].weight);
    return state->tension->specific / lightest;
}

double sph_widest(const SphState *state)
{
    const Smoothing *kernel = state->tension != NULL ? &state->tension->kernel : &state->kernel;
    return (double)kernel->support;
}

double sph_ripple_speed(const SphState *state)
{
    return state->tension != NULL ? sqrt(sph_tension(state) / state->tension->spacing) : 0;
}

/* Ripples as long as two spacings must not be overtaken (Brackbill, Kothe and Zemach 1992). Their
 * limit is sqrt(rho d^3 / (2 pi sigma)); a quarter of it is taken. */
static double capillary_step(double specific, double d)
{
    return specific > 0 ? 0.25 * sqrt(d * d * d / (6.283185307179586 * specific)) : HUGE_VAL;
}

double sph_tension_limit(const SphState *state)
{
    return state->tension != NULL ? capillary_step(sph_tension(state), state->tension->spacing)
                                  : HUGE_VAL;
}

/* ---- before a run ---- */

void sph_forecast_tension(const mote_SphSolver *p, const Outlook *o)
{
    enum { MOST_STEPS = 1000 }; /* a frame */
    const mote_CsfTension *own = p->tension_params;
    if (p->tension == NULL || own == NULL || !(own->surface_tension > 0)) return;
    const double sigma = (double)own->surface_tension, rho = (double)p->rest_density;
    const double d = (double)p->spacing, step = capillary_step(sigma / rho, d);
    const double g = (double)vec3_length(o->gravity);
    if (o->frame > MOST_STEPS * step)
        OUTLOOK_WARN(
            o,
            "systems.%s: a surface tension of %g N/m at this spacing needs sub-steps of "
            "%.2g s, %.2g a frame; use a larger spacing, less tension, or shorter frames\n",
            o->name, sigma, step, o->frame / step);
    if (g > 0 && d > sqrt(sigma / (rho * g)))
        OUTLOOK_WARN(o,
                     "systems.%s: a surface tension of %g N/m is felt within %.2g m, less than the "
                     "spacing; use a smaller one, or leave it out\n",
                     o->name, sigma, sqrt(sigma / (rho * g)));
}
