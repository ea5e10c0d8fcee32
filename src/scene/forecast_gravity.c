/* Checks of a forecast: gravity between particles. */
#include "scene/forecast.h"

#include <math.h>
#include <string.h>

#define MANY_DIRECT 2e4 /* particles whose pairs take longer than a tree by far */
#define MANY_HARD   20  /* particles that will come close to each other sooner or later */

/* The heaviest particle that the force acts on. */
static double heaviest(const Forecast *f, const mote_ForceDef *force)
{
    double mass = 0;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        if (forecast_acts_on(force->systems, force->system_count, def.system))
            mass = fmax(mass, (double)def.mass);
    }
    return mass;
}

/* The fastest motion around a particle has the frequency sqrt(G m / s^3). */
static void check_passes(const Forecast *f, const mote_ForceDef *force,
                         const mote_MutualGravityForce *p)
{
    double s = (double)p->softening, gm = p->G * heaviest(f, force);
    double period = gm > 0 ? sqrt(s * s * s / gm) : HUGE_VAL; /* s per radian */
    if (s > 0 && f->dt > 0.7 * period)
        WARN(f,
             "forces.%s: sub-steps of %.3g s are too long for passes at the softening of %.3g m; "
             "set world.max_step: %.2g or less, or a larger softening\n",
             force->name, f->dt, s, 0.3 * period);
}

static void check_one(const Forecast *f, const mote_ForceDef *force,
                      const mote_MutualGravityForce *p)
{
    if (p->method == MOTE_GRAVITY_DIRECT && f->particles > MANY_DIRECT)
        WARN(f,
             "forces.%s: about %.3g particles are %.2g pairs for every evaluation; set method: "
             "\"tree\" or \"auto\"\n",
             force->name, f->particles, f->particles * f->particles);
    if (!(p->softening > 0) && f->particles > MANY_HARD)
        WARN(f,
             "forces.%s: about %.3g particles without softening throw each other out when they "
             "come close; set softening to about the distance of neighbours\n",
             force->name, f->particles);
    check_passes(f, force, p);
}

void check_mutual_gravity(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forecast_forces(f)[i];
        const mote_Row *row = forecast_row("forces", force->type);
        ParamsCopy copy;
        if (row == NULL || strcmp(force->type, "mutual-gravity") != 0) continue;
        forecast_params(f, "force", force->name, force->params, row, &copy);
        check_one(f, force, (const void *)copy.bytes);
    }
}
