/* Before a run of a vortex fluid: steps beyond its schemes' stability, diffusion finer than the
 * vortons, fire that cannot burn or rise. */
#include "solvers/vortex/solver.h"

void vortex_facts(const void *raw, bool flat, SolverFacts *facts)
{
    const mote_VortexSolver *p = raw;
    (void)flat;
    facts->copied = true;
    facts->born = (double)p->ring_count * (double)p->ring_vortons;
    if (boundary_sheds(p->boundary)) facts->born += (double)p->panels; /* shed at once, about */
}

/* Gamma dt / (2 pi core^2) at most this, for euler, rk2, rk4: measured with a ring. */
static const double stable_turn[] = {0.13, 0.5, 1};

static void forecast_rings(const mote_VortexSolver *p, const Outlook *o)
{
    double core = (double)p->ring_core, circulation = (double)p->ring_circulation;
    if (p->ring_count == 0 || !(circulation != 0)) return;
    double size = circulation > 0 ? circulation : -circulation;
    int scheme = p->evaluation == 0 && p->scheme > 1 ? 1 : p->scheme; /* two grids at most; rings
                                                                         are on none by default */
    double limit = stable_turn[scheme] * 6.283185307179586 * core * core / size;
    if (o->dt > limit)
        OUTLOOK_WARN(
            o,
            "systems.%s: the sub-step %.3g s is beyond the stability limit %.3g s of its rings "
            "(core %.3g m, circulation %.3g m^2/s); set world.max_step: %.2g or less, or a higher "
            "scheme with evaluation vortons\n",
            o->name, o->dt, limit, core, size, outlook_advise(o->longest, 0.95 * limit));
}

/* Particle-strength exchange goes in up to 64 pieces of a sub-step, each stable for 0.1 r^2 / nu.
 */
static void forecast_diffusion(const mote_VortexSolver *p, const Outlook *o)
{
    double larger = (double)(p->viscosity > p->diffusivity ? p->viscosity : p->diffusivity);
    for (size_t i = 0; i < o->start_count && larger > 0; ++i) {
        double radius = o->starts[i].radius, limit = 64 * 0.1 * radius * radius / larger;
        if (o->dt > limit)
            OUTLOOK_WARN(
                o,
                "systems.%s: vortons of radius %.3g m with a viscosity or diffusivity of %.3g "
                "m^2/s are stable for sub-steps up to %.3g s, not %.3g s\n",
                o->name, radius, larger, limit, o->dt);
    }
}

/* Fuel that cannot burn, fire without weight. */
static void forecast_fire(const mote_VortexSolver *p, const Outlook *o)
{
    if (p->born_fuel > 0 && !(p->burn_rate > 0))
        OUTLOOK_WARN(o, "systems.%s: it is born with fuel, but burn_rate is 0: nothing burns\n",
                     o->name);
    const mote_Vec3 g = o->gravity;
    bool heats = p->burn_rate > 0 || p->born_temperature > p->temperature;
    if (heats && p->buoyancy > 0 && !(g.x != 0 || g.y != 0 || g.z != 0))
        OUTLOOK_WARN(o, "systems.%s: world.gravity is zero, so its heat does not rise\n", o->name);
}

void vortex_forecast(const void *params, const Outlook *outlook)
{
    forecast_rings(params, outlook);
    forecast_diffusion(params, outlook);
    forecast_fire(params, outlook);
}
