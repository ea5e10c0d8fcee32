/* Objects in a forecast. Links: how many particles they bring along, and whether explicit schemes
 * can follow the fastest oscillation of their springs. */
#include "scene/forecast.h"

#include "integrate/integrator.h"
#include "links/links.h"

#include <math.h>
#include <string.h>

static const mote_LinksDef *links_of(const Forecast *f)
{
    return f->scene->links.items;
}

static const PatternRow *pattern_of(const mote_LinksDef *def)
{
    return (const PatternRow *)forecast_row("patterns", def->pattern);
}

/* The particles that links bring along, counted: none where their pattern is wrong. */
static Pattern count_pattern(const mote_LinksDef *def)
{
    const PatternRow *row = pattern_of(def);
    Pattern counted = {0};
    if (row == NULL || row->lay == NULL) return counted;
    if (row->check == NULL || row->check(def->pattern_params, def->name, NULL) == MOTE_OK)
        row->lay(def->pattern_params, &counted);
    return counted;
}

double forecast_linked(const Forecast *f)
{
    double particles = 0;
    for (size_t i = 0; i < f->scene->links.count; ++i)
        particles += (double)count_pattern(&links_of(f)[i]).particles;
    return particles;
}

double forecast_lightest_linked(const Forecast *f, const char *system)
{
    double lightest = HUGE_VAL;
    for (size_t i = 0; i < f->scene->links.count; ++i) {
        const mote_LinksDef *def = &links_of(f)[i];
        if (def->system == NULL || strcmp(def->system, system) != 0) continue;
        const Pattern counted = count_pattern(def);
        if (counted.particles > 0) lightest = fmin(lightest, (double)counted.mass);
    }
    return lightest;
}

bool forecast_links_feed(const Forecast *f, const char *system)
{
    for (size_t i = 0; i < f->scene->links.count; ++i)
        if (links_of(f)[i].system != NULL && strcmp(links_of(f)[i].system, system) == 0)
            return true;
    return false;
}

/* Up to which w h the scheme follows an oscillation. */
static double reach(const IntegratorRow *row)
{
    return row->stable_to > 0 ? row->stable_to : row->usable_to;
}

static void check_one(const Forecast *f, const mote_LinksDef *def, const PatternRow *pattern,
                      const IntegratorRow *row)
{
    Stiffness s = links_stiffest(def, pattern, def->pattern_params, &f->scene->memory);
    /* With w = sqrt(k / m) (`stiffness` is per mass) a scheme follows while w h is within its reach
     * on the imaginary axis; damping alone decays as exp(-c t), which explicit schemes follow to h
     * = 2 / c. */
    double by_spring = reach(row) / sqrt(s.stiffness), by_damping = 2 / s.damping;
    double longest = by_spring < by_damping ? by_spring : by_damping;
    if (!(f->dt > longest)) return;
    WARN(f,
         "links.%s: its %s is too stiff for sub-steps of %.3g s with integrator \"%s\"; set "
         "world.max_step: %.2g or less, or integrator: \"implicit-euler\" for systems.%s\n",
         def->name, by_spring < by_damping ? "stiffest spring" : "damping", f->dt, row->head.name,
         outlook_advise(f->longest, 0.9 * longest), def->system);
}

void check_springs(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->links.count; ++i) {
        ParamsCopy copy;
        const mote_LinksDef *def = &links_of(f)[i];
        const PatternRow *pattern = pattern_of(def);
        const SceneSystem *system = def->system != NULL ? forecast_system(f, def->system) : NULL;
        if (pattern == NULL || system == NULL) continue;
        const char *name = system->solver.integrator;
        const IntegratorRow *row = (const IntegratorRow *)forecast_row(
            "integrators", name != NULL ? name : "symplectic-euler");
        if (row == NULL || row->implicit) continue;
        if (forecast_params(f, "links", def->name, def, &links_row, &copy))
            check_one(f, (const mote_LinksDef *)(const void *)copy.bytes, pattern, row);
    }
}

/* ---- what the checks of a forecast ask about a scene's objects ---- */

const SceneSystem *forecast_systems(const Forecast *f)
{
    return f->scene->systems.items;
}

const mote_EmitterDef *forecast_emitters(const Forecast *f)
{
    return f->scene->emitters.items;
}

const mote_ForceDef *forecast_forces(const Forecast *f)
{
    return f->scene->forces.items;
}

bool forecast_acts_on(const char *const *names, size_t count, const char *system)
{
    if (names == NULL) return true;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(names[i], system) == 0) return true;
    return false;
}

const SceneSystem *forecast_system(const Forecast *f, const char *name)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i)
        if (strcmp(forecast_systems(f)[i].def.name, name) == 0) return &forecast_systems(f)[i];
    return NULL;
}

bool forecast_params(const Forecast *f, const char *kind, const char *name, const void *params,
                     const mote_Row *row, ParamsCopy *copy)
{
    if (row->params_size > sizeof copy->bytes) return false;
    if (params != NULL)
        memcpy(copy->bytes, params, row->params_size);
    else
        mote_row_defaults(row, copy->bytes);
    forecast_bind(f, kind, name, 0, copy->bytes, NULL);
    return true;
}
