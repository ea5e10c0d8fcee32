/* Viscosity by temperature: Andrade's law, nu exp(b (1/T - 1/T0)), or a table of measured ones. */
#include "solvers/sph/sph.h"

#include "base/math.h"
#include "base/status.h"

/* Linear between two points: of logarithms, because viscosities of one liquid go over decades, and
 * between two of them the geometric mean is what Andrade's law has, nearly. */
static double between(const mote_Table *table, double at)
{
    size_t i = 1;
    if (!(at > table->at[0])) return table->value[0];
    while (i < table->count && at > table->at[i]) ++i;
    if (i == table->count) return table->value[i - 1];
    const double part = (at - table->at[i - 1]) / (table->at[i] - table->at[i - 1]);
    return table->value[i - 1] + part * (table->value[i] - table->value[i - 1]);
}

/* The table's own viscosity at the reference is the liquid's, whatever it was told. */
static void take_table(SphMember *member, const mote_Table *given)
{
    mote_Table *own = &member->thickness;
    *own = *given;
    for (size_t i = 0; i < own->count; ++i) own->value[i] = math_log(given->value[i]);
    const double there = between(own, (double)member->heat.reference);
    for (size_t i = 0; i < own->count; ++i) own->value[i] -= there;
    member->viscosity = (mote_real)math_exp(there);
}

mote_Status sph_take_thickness(SphState *state, SphMember *member, mote_Error *error)
{
    const mote_LiquidHeat *heat = &member->heat;
    if (heat->viscosities.count > 0 && heat->thinning > 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: solver.thinning and solver.viscosities both say how its "
                           "viscosity goes with temperature; leave one of them out",
                           member->system->name);
    state->thins = state->thins || heat->thinning > 0 || heat->viscosities.count > 0;
    if (heat->viscosities.count > 0 && state->viscosity->add_terms != NULL)
        take_table(member, &heat->viscosities);
    return MOTE_OK;
}

double sph_thickest(const mote_SphSolver *params)
{
    const mote_LiquidHeat *heat = sph_given_heat(params);
    double most = 0;
    for (size_t i = 0; heat != NULL && i < heat->viscosities.count; ++i)
        if (heat->viscosities.value[i] > most) most = heat->viscosities.value[i];
    return most > 0 ? most : (double)params->viscosity;
}

/* By the law, what is frozen is a liquid 1e4 times as thick, and no more; a table says itself. */
double sph_thickness(const SphMember *member, double kelvin)
{
    const mote_LiquidHeat *heat = &member->heat;
    if (member->thickness.count > 0) return math_exp(between(&member->thickness, kelvin));
    const double most = 1e4, warmest = 1; /* K: colder is as good as frozen */
    const double t = kelvin > warmest ? kelvin : warmest;
    const double power = (double)heat->thinning * (1 / t - 1 / (double)heat->reference);
    const double factor = math_exp(power < 20 ? power : 20);
    return factor < 1 / most ? 1 / most : factor < most ? factor : most;
}
