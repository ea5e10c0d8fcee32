/* The checks of a forecast: a table of small functions, each of which adds one line for every thing
 * that would go wrong or look bad, with what to change. */
#include "scene/forecast.h"

#include "emit/emitter.h"

#include <math.h>
#include <string.h>

/* ---- emptiness ---- */

static bool emits_at_all(const Forecast *f, size_t i)
{
    for (int k = 0; k <= FORECAST_SAMPLES; ++k) {
        double t = f->scene->world.duration * k / FORECAST_SAMPLES;
        mote_EmitterDef def = forecast_emitter(f, i, t);
        if ((def.rate > 0 || def.burst > 0) && t >= def.start && t <= def.stop) return true;
        if (def.burst > 0 && def.start <= f->scene->world.duration && def.start <= def.stop)
            return true;
    }
    return false;
}

static void check_empty_scene(const Forecast *f)
{
    if (f->scene->systems.count == 0 && f->scene->bodies.count == 0)
        WARN(f, "systems: there is none, so nothing moves; add systems: [{ name: \"sparks\" }] "
                "and an emitter for it\n");
}

static void check_empty_systems(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const char *name = forecast_systems(f)[i].def.name;
        const SolverFacts facts = forecast_facts(f, &forecast_systems(f)[i]);
        bool fed = forecast_links_feed(f, name) || facts.born > 0 || facts.bears;
        for (size_t e = 0; e < f->scene->emitters.count; ++e)
            fed = fed || strcmp(forecast_emitters(f)[e].system, name) == 0;
        if (!fed)
            WARN(f,
                 "systems.%s: no emitter feeds it, so it stays empty; add an emitter with "
                 "system: \"%s\"\n",
                 name, name);
    }
}

static void check_idle_emitters(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        const mote_EmitterDef *def = &forecast_emitters(f)[i];
        const SourceRow *source = (const void *)forecast_row("sources", def->source);
        if (source != NULL && source->lay != NULL) continue; /* its number is no setting */
        if (!emits_at_all(f, i))
            WARN(f,
                 "emitters.%s: makes no particle in the %g s of the scene; set rate or burst, "
                 "and start and stop inside it\n",
                 def->name, f->scene->world.duration);
    }
}

#define MANY 1e5 /* particles of one emitter: fewer may stay without harm */

static void check_growth(const Forecast *f)
{
    double duration = f->scene->world.duration;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0.5 * duration);
        if (isfinite((double)def.lifetime) || def.stop < duration || f->scene->world.def.bounded)
            continue;
        if ((double)def.rate * duration > MANY)
            WARN(f,
                 "emitters.%s: its particles never die and %g come every second; set lifetime "
                 "(s), stop (s), or world.bounded with a box\n",
                 def.name, (double)def.rate);
    }
}

/* ---- size ---- */

static void check_particles(const Forecast *f)
{
    if (f->particles > 1e9)
        WARN(f,
             "emitters: about %.3g particles at a time are more than 10^9; lower rate, burst or "
             "lifetime\n",
             f->particles);
}

static void check_video(const Forecast *f)
{
    enum { LARGEST_SIDE = 4096, MOST_FRAMES = 36000 };
    mote_SceneInfo info = mote_scene_info(f->scene);
    if (info.video && (info.width > LARGEST_SIDE || info.height > LARGEST_SIDE))
        WARN(f,
             "render: few players show a video of %d x %d; at most %d a side, or set "
             "output.video: \"none\"\n",
             info.width, info.height, (int)LARGEST_SIDE);
    if ((info.video || info.pictures) && info.frames > MOST_FRAMES)
        WARN(f,
             "world: %llu frames will be drawn; lower duration (%g s) or fps (%g), or set "
             "output.frames and output.video to \"none\"\n",
             (unsigned long long)info.frames, info.duration, info.fps);
}

/* ---- expressions ---- */

/* The first moment at which a binding leaves its range. */
static void check_binding(const Forecast *f, const ParamBinding *binding, const char *kind,
                          const char *name)
{
    for (int k = 0; k <= FORECAST_SAMPLES; ++k) {
        double t = f->scene->world.duration * k / FORECAST_SAMPLES;
        double values[EXPRESSION_SLOTS] = {
            [SLOT_T] = t, [SLOT_FRAME] = floor(t * f->scene->world.def.fps)};
        mote_Error error;
        union {
            alignas(16) char bytes[4 * LARGEST_PARAMS];
        } params = {{0}};
        if (binding->param->offset + 64 > sizeof params) return;
        if (binding_apply(binding, values, params.bytes, &error) == MOTE_OK) continue;
        WARN(f,
             "%s %s: at t = %g s the run stops: %s; keep the expression in its range with "
             "clamp(...)\n",
             kind, name, t, error.message);
        return;
    }
}

static void check_bindings(const Forecast *f)
{
    const SceneBinding *all = f->scene->bindings.items;
    for (size_t i = 0; i < f->scene->bindings.count; ++i)
        for (const ParamBinding *b = all[i].bindings.first; b != NULL; b = b->next)
            check_binding(f, b, mote_kind_name(all[i].kind), all[i].name);
    for (const ParamBinding *b = f->scene->camera_bindings.first; b != NULL; b = b->next)
        check_binding(f, b, "the", "camera");
}

/* A force that a system which follows a field never feels. */
static void check_unused_forces(const Forecast *f)
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

static void (*const checks[])(const Forecast *f) = {
    check_empty_scene,   check_empty_systems, check_idle_emitters, check_growth,
    check_particles,     check_video,         check_rows,          check_springs,
    check_unused_forces, check_starts,        check_meshes,        check_box,
    check_liquids,       check_bindings,      check_camera,
};

void forecast_check(const Forecast *forecast)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i) checks[i](forecast);
}
