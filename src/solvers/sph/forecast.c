/* Before a run of a liquid: what its particles take, and steps that friction would make too short.
 */
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

/* Explicit friction allows sub-steps of h^2 / (8 nu), h being half of the kernel's support. */
static void forecast_friction(const mote_SphSolver *p, const Outlook *o)
{
    enum { MOST_STEPS = 1000 }; /* a frame */
    const ViscosityRow *row = (const void *)named(viscosity_rows, p->viscosity_model);
    if (row == NULL || row->add_terms == NULL || !(p->viscosity > 0)) return;
    double h = (double)(p->support * p->spacing) / 2;
    double step = h * h / (8 * (double)p->viscosity), steps = o->frame / step;
    if (steps > MOST_STEPS)
        OUTLOOK_WARN(o,
                     "systems.%s: a viscosity of %g m^2/s at this spacing needs sub-steps of %.2g "
                     "s, %.2g a frame; use %.2g m^2/s or less, or a larger spacing\n",
                     o->name, (double)p->viscosity, step, steps,
                     (double)p->viscosity * MOST_STEPS / steps);
}

void sph_forecast(const void *raw, const Outlook *outlook)
{
    const mote_SphSolver *p = raw;
    const PressureRow *pressure = pressure_of(p);
    forecast_friction(p, outlook);
    if (pressure != NULL && pressure->forecast != NULL && p->pressure_params != NULL)
        pressure->forecast(p->pressure_params, outlook);
}
