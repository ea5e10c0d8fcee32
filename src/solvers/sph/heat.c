/* Heat in liquids: the rows, and what temperatures do to the motion. heat_conduct.c: how they even
 * out.
 *
 * Temperatures are kept as a column and what its rounding takes, because many small changes of some
 * hundred kelvins would be lost in single precision.
 *
 * Reference: Boussinesq 1903. */
#include "solvers/sph/boundary.h"

#include "base/status.h"
#include "bodies/body.h"
#include "solvers/points/slot.h"
#include "solvers/sph/gradients.h"

#include <math.h>
#include <string.h>

static const mote_Param params_table[] = {
    PARAM_REAL(mote_LiquidHeat, conductivity, "W/(m K)", "of heat; water has 0.6", 0.6, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_LiquidHeat, capacity, "J/(kg K)", "heat capacity; water has 4186", 4186,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_LiquidHeat, expansion, "1/K",
               "what is warmer rises: buoyancy is -expansion (T - reference) g; water has 2e-4", 0,
               0, 1),
    PARAM_REAL(mote_LiquidHeat, reference, "K",
               "temperature at which density and viscosity hold, and of new particles", 293.15,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_LiquidHeat, thinning, "K",
               "viscosity goes with exp(thinning (1/T - 1/reference)); at most 1e4 times as much",
               0, 0, 1e6),
    PARAM_REAL(mote_LiquidHeat, surface_transfer, "W/(m^2 K)",
               "what a free surface loses to the air: 5 in still air to 100 in wind", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_LiquidHeat, emissivity, "", "of the surface, which glows; lava has 0.9", 0, 0,
               1),
    PARAM_REAL(mote_LiquidHeat, surroundings, "K", "temperature of air and sky", 293.15,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_TABLE(mote_LiquidHeat, viscosities, "m^2/s",
                "viscosity by temperature, [[K, m^2/s], ...], in the place of `viscosity` and "
                "`thinning`; its logarithm is linear between them",
                PARAM_POSITIVE, PARAM_LARGEST),
};

static const mote_Row heat_none = {.name = "none", .doc = "no temperature"};
static const mote_Row heat_conduction =
    ROW_HEAD("conduction",
             "a column `temperature` that evens out, with walls and bodies too, and drives the "
             "liquid (Cleary and Monaghan 1999)",
             params_table, mote_LiquidHeat);

ROW_TABLE(heat_rows, &heat_none, &heat_conduction)

ROW_DEFAULTS(heat_conduction, mote_LiquidHeat, mote_liquid_heat_def)

/* ---- before a run ---- */

const mote_LiquidHeat *sph_given_heat(const mote_SphSolver *own)
{
    const bool warm = own->heat != NULL && strcmp(own->heat, heat_conduction.name) == 0;
    return warm ? own->heat_params : NULL;
}

/* Boussinesq's buoyancy is for densities that change little. */
static const double most_lift = 0.1;

void sph_forecast_heat(const mote_SphSolver *p, const Outlook *o)
{
    const mote_LiquidHeat *own = sph_given_heat(p);
    if (own == NULL) return;
    const double span = fabs((double)own->surroundings - (double)own->reference);
    const double lift = (double)own->expansion * span;
    const bool loses = own->surface_transfer > 0 || own->emissivity > 0;
    if (own->thinning > 0 && !(p->viscosity > 0) && own->viscosities.count == 0)
        OUTLOOK_WARN(o,
                     "systems.%s: solver.thinning changes a viscosity of 0, which stays 0; set "
                     "solver.viscosity to that at %g K\n",
                     o->name, (double)own->reference);
    if (own->expansion > 0 && !(vec3_length(o->gravity) > 0))
        OUTLOOK_WARN(o,
                     "systems.%s: solver.expansion makes what is warm rise, but there is no "
                     "gravity; set world.gravity\n",
                     o->name);
    if (loses && lift > most_lift)
        OUTLOOK_WARN(
            o,
            "systems.%s: from %g K to the %g K of its surroundings its weight would change "
            "by %.0f %%, and buoyancy holds for %.0f %%; use a solver.reference nearer to "
            "them, or a smaller solver.expansion\n",
            o->name, (double)own->reference, (double)own->surroundings, 100 * lift,
            100 * most_lift);
}

mote_Status sph_take_heat(SphState *state, SphMember *member, const mote_SphSolver *own,
                          mote_Error *error)
{
    size_t count;
    const mote_Row *const *rows = heat_rows(ISA_V1, &count);
    const char *name = own->heat != NULL ? own->heat : rows[0]->name,
               *system = member->system->name;
    const mote_Row *row = row_find(rows, count, system, "heat", name, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    const bool warm = row == &heat_conduction;
    if (state->member_count > 0 && warm != state->warm)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "system %s: solver.heat must be \"%s\", as that of system %s is, which it "
            "joins",
            system, rows[state->warm]->name, state->members[0].system->name);
    state->warm = warm;
    if (!warm) return MOTE_OK;
    member->heat = mote_liquid_heat_def();
    if (own->heat_params != NULL) {
        mote_Status status = mote_row_check(row, system, own->heat_params, error);
        if (status != MOTE_OK) return status;
        member->heat = *(const mote_LiquidHeat *)own->heat_params;
    }
    return sph_take_thickness(state, member, error);
}

/* ---- what temperatures do ---- */

double sph_heat_reference(const SphStep *step)
{
    return (double)step->state->members[0].heat.reference;
}

/* Buoyancy after Boussinesq: a = -beta (T - T_ref) g, in place of densities that change with heat.
 */
static void begin_rows(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const SphMember *member = rows->member;
    const mote_LiquidHeat *heat = &member->heat;
    const mote_Vec3 gravity = step->outer->gravity;
    const mote_real *own =
        column_real(&member->system->columns[member->column[SPH_TEMPERATURE]], 0);
    const mote_real *rest = column_real(&member->system->columns[member->column[SPH_WARMTH]], 0);
    const double host = sph_heat_reference(step), reference = (double)heat->reference;
    double *largest = context;
    for (size_t k = 0; k < rows->count; ++k) {
        const size_t i = rows->place[k], row = rows->first + k;
        const double kelvin = (double)own[row] + (double)rest[row];
        const mote_real lift = (mote_real)(-(double)heat->expansion * (kelvin - reference));
        step->theta[i] = (mote_real)(kelvin - host);
        step->a[0][i] += lift * gravity.x, step->a[1][i] += lift * gravity.y;
        step->a[2][i] += lift * gravity.z;
        if (!step->state->thins) continue;
        const double factor = sph_thickness(member, kelvin),
                     nu = factor * (double)member->viscosity;
        step->traits[i].thin /= (mote_real)factor;
        if (member->wall_viscosity < 0) step->traits[i].walls *= (mote_real)factor;
        if (nu > largest[worker]) largest[worker] = nu;
    }
}

mote_Status sph_begin_heat(SphStep *step, mote_Error *error)
{
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    if (!step->state->warm) return MOTE_OK;
    double *largest = arena_take(step->outer->arena, workers * sizeof *largest);
    step->theta = sph_plane(step);
    if (step->theta == NULL || largest == NULL) return sph_no_memory(step, error);
    memset(largest, 0, workers * sizeof *largest);
    sph_for_rows(step, begin_rows, largest);
    step->state->thickest = 0;
    for (size_t w = 0; w < workers; ++w)
        if (largest[w] > step->state->thickest) step->state->thickest = largest[w];
    return MOTE_OK;
}
