/* Vortex fluids: steps beyond their schemes' stability, diffusion finer than the vortons, fluids
 * that nobody feeds. */
#include "scene/forecast.h"

#include <mote/vortex.h>

#include <string.h>

const mote_VortexSolver *forecast_vortex(const SceneSystem *system)
{
    bool is_vortex = system->def.solver != NULL && strcmp(system->def.solver, "vortex") == 0;
    return is_vortex ? system->def.solver_params : NULL;
}

bool forecast_is_fluid(const SceneSystem *system)
{
    bool follows = system->def.solver != NULL && strcmp(system->def.solver, "tracers") == 0;
    return follows || forecast_vortex(system) != NULL;
}

double forecast_rings(const Forecast *f)
{
    double vortons = 0;
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const mote_VortexSolver *p = forecast_vortex(&forecast_systems(f)[i]);
        if (p != NULL) vortons += (double)p->ring_count * (double)p->ring_vortons;
    }
    return vortons;
}

/* Gamma dt / (2 pi core^2) at most this, for euler, rk2, rk4: measured with a ring. */
static const double stable_turn[] = {0.13, 0.5, 1};

static void check_rings(const Forecast *f, const char *name, const mote_VortexSolver *p)
{
    double core = (double)p->ring_core, circulation = (double)p->ring_circulation;
    if (p->ring_count == 0 || !(circulation != 0)) return;
    double size = circulation > 0 ? circulation : -circulation;
    int scheme = p->evaluation == 0 && p->scheme > 1 ? 1 : p->scheme; /* two grids at most; rings
                                                                         are on none by default */
    double limit = stable_turn[scheme] * 6.283185307179586 * core * core / size;
    if (f->dt > limit)
        WARN(f,
             "systems.%s: the sub-step %.3g s is beyond the stability limit %.3g s of its rings "
             "(core %.3g m, circulation %.3g m^2/s); set world.max_step: %.2g or less, or a higher "
             "scheme with evaluation vortons\n",
             name, f->dt, limit, core, size, forecast_advise(f, 0.95 * limit));
}

/* Particle-strength exchange goes in up to 64 pieces of a sub-step, each stable for 0.1 r^2 / nu.
 */
static void check_diffusion(const Forecast *f, const char *name, const mote_VortexSolver *p)
{
    double larger = (double)(p->viscosity > p->diffusivity ? p->viscosity : p->diffusivity);
    for (size_t e = 0; e < f->scene->emitters.count && larger > 0; ++e) {
        const mote_EmitterDef *emitter = &forecast_emitters(f)[e];
        double radius = (double)emitter->radius, limit = 64 * 0.1 * radius * radius / larger;
        if (strcmp(emitter->system, name) == 0 && f->dt > limit)
            WARN(f,
                 "systems.%s: vortons of radius %.3g m with a viscosity or diffusivity of %.3g "
                 "m^2/s are stable for sub-steps up to %.3g s, not %.3g s\n",
                 name, radius, larger, limit, f->dt);
    }
}

/* Fuel that cannot burn, fire without weight. */
static void check_fire(const Forecast *f, const char *name, const mote_VortexSolver *p)
{
    if (p->born_fuel > 0 && !(p->burn_rate > 0))
        WARN(f, "systems.%s: it is born with fuel, but burn_rate is 0: nothing burns\n", name);
    const mote_Vec3 g = f->scene->world.def.gravity;
    bool heats = p->burn_rate > 0 || p->born_temperature > p->temperature;
    if (heats && p->buoyancy > 0 && !(g.x != 0 || g.y != 0 || g.z != 0))
        WARN(f, "systems.%s: world.gravity is zero, so its heat does not rise\n", name);
}

void check_vortex_fluids(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SceneSystem *system = &forecast_systems(f)[i];
        const mote_VortexSolver *p = forecast_vortex(system);
        if (p == NULL) continue;
        check_rings(f, system->def.name, p);
        check_diffusion(f, system->def.name, p);
        check_fire(f, system->def.name, p);
    }
}
