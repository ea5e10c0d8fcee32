/* Checks of a forecast: sub-steps that are too long for what moves the particles. */
#include "scene/forecast.h"

#include "base/math.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Fastest start and lightest particle of a system's emitters. */
typedef struct Start {
    double speed; /* m/s */
    double mass;  /* kg */
} Start;

static Start system_start(const Forecast *f, const char *system)
{
    Start start = {0, HUGE_VAL};
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        if (strcmp(def.system, system) != 0) continue;
        double speed = (double)vec3_length(def.velocity) * (1 + (double)def.speed_jitter);
        start.speed = fmax(start.speed, speed + fabs((double)def.outward));
        start.mass = fmin(start.mass, (double)def.mass);
    }
    return start;
}

static void check_one_drag(const Forecast *f, const mote_ForceDef *force, const mote_DragForce *p,
                           const char *system)
{
    Start start = system_start(f, system);
    double rate = (double)p->linear + (double)p->quadratic * start.speed;
    if (p->by_mass) rate /= start.mass;
    if (rate * f->dt > 2)
        WARN(f,
             "forces.%s: drag of %.3g /s on systems.%s is unstable with sub-steps of %.3g s; set "
             "world.max_step: %.2g or less\n",
             force->name, rate, system, f->dt, forecast_advise(f, 1 / rate));
}

/* Explicit schemes follow dv/dt = -k v only while k dt < 2. */
void check_drag(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forecast_forces(f)[i];
        const mote_Row *row = forecast_row("forces", force->type);
        ParamsCopy copy;
        if (row == NULL || strcmp(force->type, "drag") != 0) continue;
        forecast_params(f, "force", force->name, force->params, row, &copy);
        for (size_t s = 0; s < f->scene->systems.count; ++s) {
            const SceneSystem *system = &forecast_systems(f)[s];
            if (system->solver.trace == NULL &&
                forecast_acts_on(force->systems, force->system_count, system->def.name))
                check_one_drag(f, force, (const void *)copy.bytes, system->def.name);
        }
    }
}

/* Nearest approach of a particle that starts at d with velocity v around GM = strength (Kepler). */
static double nearest_approach(mote_Vec3 d, mote_Vec3 v, double strength)
{
    double r = (double)vec3_length(d), speed = (double)vec3_length(v);
    double h = (double)vec3_length(vec3_cross(d, v));
    double energy = 0.5 * speed * speed - strength / r;
    if (!(r > 0) || !(strength > 0)) return 0;
    double p = h * h / strength, e2 = 1 + 2 * energy * h * h / (strength * strength);
    return p / (1 + sqrt(e2 > 0 ? e2 : 0));
}

/* How near to the attractor particles come; 0 where that cannot be said. */
static double approach(const Forecast *f, const mote_ForceDef *force, const mote_AttractorForce *p)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        if (!forecast_acts_on(force->systems, force->system_count, def.system)) continue;
        if (def.spread > 0 || def.outward != 0 || strcmp(def.source, "point") != 0) return 0;
        mote_Vec3 d = vec3_sub(def.at, p->center);
        nearest = fmin(nearest, nearest_approach(d, def.velocity, (double)p->strength));
    }
    return nearest;
}

/* The fastest motion around an attractor has the frequency sqrt(GM / d^3). */
void check_attractors(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forecast_forces(f)[i];
        const mote_Row *row = forecast_row("forces", force->type);
        ParamsCopy copy;
        if (row == NULL || strcmp(force->type, "attractor") != 0) continue;
        forecast_params(f, "force", force->name, force->params, row, &copy);
        const mote_AttractorForce *p = (const void *)copy.bytes;
        double gm = fabs((double)p->strength);
        double d = fmax((double)p->softening, approach(f, force, p));
        double period = sqrt(d * d * d / gm); /* s per radian */
        if (gm > 0 && f->dt > 0.5 * period)
            WARN(f,
                 "forces.%s: sub-steps of %.3g s are too long for passes at %.3g m, which throw "
                 "particles out; set world.max_step: %.2g or less, or softening: %.2g or more\n",
                 force->name, f->dt, d, forecast_advise(f, d > 0 ? 0.2 * period : 0.1 * f->dt),
                 math_pow(gm * 25 * f->dt * f->dt, 1.0 / 3));
    }
}

static bool uses_field(const Forecast *f, const char *field)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const char *trace = forecast_systems(f)[i].solver.trace;
        if (trace != NULL && strcmp(trace, field) == 0) return true;
    }
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forecast_forces(f)[i];
        const mote_DragForce *drag = force->params;
        if (strcmp(force->type, "drag") == 0 && drag->wind != NULL &&
            strcmp(drag->wind, field) == 0)
            return true;
    }
    return false;
}

void check_vortices(const Forecast *f)
{
    const mote_FieldDef *fields = f->scene->fields.items;
    for (size_t i = 0; i < f->scene->fields.count; ++i) {
        const mote_Row *row = forecast_row("fields", fields[i].type);
        ParamsCopy copy;
        if (row == NULL || strcmp(fields[i].type, "vortex") != 0) continue;
        forecast_params(f, "field", fields[i].name, fields[i].params, row, &copy);
        const mote_VortexField *p = (const void *)copy.bytes;
        double speed = fabs((double)p->speed), core = (double)p->core;
        if (speed * f->dt > 0.5 * core && uses_field(f, fields[i].name))
            WARN(f,
                 "fields.%s: a sub-step of %.3g s carries particles %.3g m, but the core is %.3g "
                 "m: sampled badly; set world.max_step: %.2g or less, or a larger core\n",
                 fields[i].name, f->dt, speed * f->dt, core,
                 forecast_advise(f, 0.1 * core / speed));
    }
}

/* A force that a system which follows a field never feels. */
void check_unused_forces(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forecast_forces(f)[i];
        for (size_t k = 0; force->systems != NULL && k < force->system_count; ++k) {
            const SceneSystem *system = forecast_system(f, force->systems[k]);
            if (system != NULL && system->solver.trace != NULL)
                WARN(f,
                     "forces.%s: systems.%s follows the field %s and feels no force; remove "
                     "solver.trace or the force\n",
                     force->name, system->def.name, system->solver.trace);
        }
    }
}

/* Repulsion is a spring of stiffness K on a mass m: explicit schemes need dt < 2 / sqrt(K / m), and
 * damping D needs dt < 2 m / D. */
void check_repulsion(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SceneSystem *system = &forecast_systems(f)[i];
        const mote_CollideDef *def = &system->def.collide;
        if (def->algorithm == NULL || strcmp(def->algorithm, "repulsion") != 0) continue;
        double mass = system_start(f, system->def.name).mass;
        if (!(mass < HUGE_VAL)) mass = 1;
        double stiffness = (double)def->stiffness;
        if (def->law == MOTE_REPULSION_INVERSE) /* its slope a tenth of the reach off the wall */
            stiffness *= 100 / ((double)def->reach * (double)def->reach);
        double longest = 1 / sqrt(stiffness / mass + 1e-30);
        if (def->law != MOTE_REPULSION_PENALTY && def->damping > 0)
            longest = fmin(longest, mass / (double)def->damping);
        if (f->dt > longest)
            WARN(f,
                 "systems.%s: repulsion is too stiff for sub-steps of %.3g s; set world.max_step: "
                 "%.2g or less, or collide.algorithm: contact\n",
                 system->def.name, f->dt, forecast_advise(f, longest));
    }
}
