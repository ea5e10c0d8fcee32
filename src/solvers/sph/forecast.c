/* Before a run of a liquid: what its particles take, and what its parts have to say. */
#include "solvers/sph/sph.h"

/* The row of that name, of a family whose first row is meant without one. */
static const mote_Row *named(const mote_Row *const *(*family)(Isa, size_t *), const char *name)
{
    size_t count;
    const mote_Row *const *rows = family(ISA_V1, &count);
    return name != NULL ? row_named(rows, count, name) : rows[0];
}

static const PressureRow *pressure_of(const mote_SphSolver *p)
{
    return (const PressureRow *)(const void *)named(pressure_rows, p->pressure);
}

/* Lists of neighbours, filled up to eights, and the planes of a sub-step. */
void sph_facts(const void *raw, bool flat, SolverFacts *facts)
{
    enum { ENTRY = 4 };
    const mote_SphSolver *p = raw;
    const PressureRow *pressure = pressure_of(p);
    double h = (double)p->support, around = flat ? 3.14 * h * h : 4.19 * h * h * h;
    facts->spacing = (double)p->spacing;
    facts->support = h;
    facts->bytes = ENTRY * 1.1 * (around + 4);
    if (pressure != NULL) facts->bytes += (double)pressure->planes * (double)sizeof(mote_real);
}

void sph_forecast(const void *raw, const Outlook *outlook)
{
    const mote_SphSolver *p = raw;
    const PressureRow *pressure = pressure_of(p);
    const ViscosityRow *viscosity = (const void *)named(viscosity_rows, p->viscosity_model);
    if (viscosity != NULL && viscosity->forecast != NULL && p->viscosity_model_params != NULL)
        viscosity->forecast(p, p->viscosity_model_params, outlook);
    if (pressure != NULL && pressure->forecast != NULL && p->pressure_params != NULL)
        pressure->forecast(p->pressure_params, outlook);
}
