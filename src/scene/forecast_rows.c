/* The rows of a scene's objects are asked for their forecasts: each sees an outlook on what it
 * moves. */
#include "scene/forecast.h"

#include "base/status.h"
#include "base/vec.h"
#include "collide/collide.h"
#include "emit/emitter.h"
#include "forces/force.h"
#include "integrate/integrator.h"

#include <math.h>
#include <string.h>

/* ---- rows ---- */

const mote_Row *forecast_row(const char *family, const char *name)
{
    size_t count;
    const mote_Row *const *rows = mote_family_rows(family, &count);
    return name != NULL ? row_named(rows, count, name) : NULL;
}

/* In a family whose first row is meant without a name. */
static const void *row_or_first(const char *family, const char *name)
{
    size_t count;
    return name != NULL ? forecast_row(family, name) : mote_family_rows(family, &count)[0];
}

static const SolverRow *solver_of(const SceneSystem *system)
{
    return row_or_first("solvers", system->def.solver);
}

static const CollideRow *walls_of(const SceneSystem *system)
{
    return row_or_first("algorithms", system->def.collide.algorithm);
}

bool forecast_collides(const SceneSystem *system)
{
    const CollideRow *walls = walls_of(system);
    return walls == NULL || walls->resolve != NULL;
}

bool forecast_flows(const SceneSystem *system)
{
    const SolverRow *row = solver_of(system);
    return row != NULL && (row->flows || row->solve == NULL);
}

/* The system whose solver a system names as what it joins; NULL: none. */
static const SceneSystem *joined_by(const Forecast *f, const SceneSystem *system)
{
    const SolverRow *row = solver_of(system);
    const char *params = system->def.solver_params;
    if (row == NULL || row->joins == NULL || params == NULL) return NULL;
    const char *name = *(const char *const *)(const void *)(params + row->joins_at);
    return name != NULL ? forecast_system(f, name) : NULL;
}

const SceneSystem *forecast_host(const Forecast *f, const SceneSystem *system)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SceneSystem *host = joined_by(f, system);
        if (host == NULL || solver_of(host) != solver_of(system)) return system;
        system = host;
    }
    return system; /* they join each other in a ring, which is refused */
}

/* A copy of the parameters of a system's solver, with what it has from its host. */
static bool solver_params(const Forecast *f, const SceneSystem *system, ParamsCopy *copy)
{
    const SolverRow *row = solver_of(system);
    const SceneSystem *host = forecast_host(f, system);
    if (row == NULL || system->def.solver_params == NULL || host->def.solver_params == NULL ||
        row->head.params_size > sizeof copy->bytes)
        return false;
    memcpy(copy->bytes, system->def.solver_params, row->head.params_size);
    if (host != system && row->inherit != NULL) row->inherit(copy->bytes, host->def.solver_params);
    return true;
}

SolverFacts forecast_facts(const Forecast *f, const SceneSystem *system)
{
    SolverFacts facts = {0};
    ParamsCopy copy;
    const SolverRow *row = system != NULL ? solver_of(system) : NULL;
    if (row != NULL && row->facts != NULL && solver_params(f, system, &copy))
        row->facts(copy.bytes, f->scene->world.def.dimension == 2, &facts);
    return facts;
}

/* ---- what rows see ---- */

/* How fast a laid source may become: its own speed, and a fall from its top to its lowest place. */
static double likely_speed(const Forecast *f, const mote_EmitterDef *def, const LaidSource *laid)
{
    const mote_Vec3 g = f->scene->world.def.gravity;
    double size = (double)vec3_length(g), low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < laid->count && size > 0; i += laid->count / FORECAST_PLACES + 1) {
        mote_Vec3 p = vec3_add(def->at, places_at(&laid->places, i));
        double along =
            ((double)p.x * (double)g.x + (double)p.y * (double)g.y + (double)p.z * (double)g.z) /
            size;
        low = fmin(low, along), high = fmax(high, along);
    }
    double fall = size > 0 && high > low ? sqrt(2 * size * (high - low)) : 0;
    return fmax(fall, (double)vec3_length(def->velocity));
}

static OutlookStart start_of(const Forecast *f, size_t i)
{
    const mote_EmitterDef def = forecast_emitter(f, i, 0);
    const SourceRow *source = (const SourceRow *)(const void *)forecast_row("sources", def.source);
    const double speed = (double)vec3_length(def.velocity) * (1 + (double)def.speed_jitter);
    const LaidSource *laid = f->laid != NULL ? &f->laid[i] : NULL;
    OutlookStart start = {.system = def.system,
                          .at = def.at,
                          .velocity = def.velocity,
                          .speed = speed + fabs((double)def.outward),
                          .mass = (double)def.mass,
                          .radius = (double)def.radius,
                          .even = source != NULL && source->is_point && !(def.spread > 0) &&
                                  def.outward == 0,
                          .laid = laid != NULL && laid->places.count > 0};
    if (start.laid) start.likely = likely_speed(f, &def, laid);
    return start;
}

/* Systems and the starts of their emitters, as many as the scene has at most. */
typedef struct ForecastView {
    const Forecast *forecast;
    OutlookStart *all, *starts;
    const char **systems;
    Outlook outlook;
} ForecastView;

static bool view_open(ForecastView *view, const Forecast *f)
{
    Memory *memory = &f->scene->memory;
    const size_t emitters = f->scene->emitters.count + 1, systems = f->scene->systems.count + 1;
    const mote_WorldDef *world = &f->scene->world.def;
    *view = (ForecastView){.forecast = f,
                           .all = memory_take(memory, emitters * sizeof *view->all),
                           .starts = memory_take(memory, emitters * sizeof *view->starts),
                           .systems = memory_take(memory, systems * sizeof *view->systems)};
    view->outlook = (Outlook){.starts = view->starts,
                              .systems = view->systems,
                              .particles = f->particles,
                              .dt = f->dt,
                              .frame = 1 / world->fps,
                              .gravity = world->gravity,
                              .flat = world->dimension == 2,
                              .out = f->out,
                              .longest = f->longest};
    if (view->all == NULL || view->starts == NULL || view->systems == NULL) return false;
    for (size_t i = 0; i + 1 < emitters; ++i) view->all[i] = start_of(f, i);
    return true;
}

static void view_close(ForecastView *view)
{
    Memory *memory = &view->forecast->scene->memory;
    const size_t emitters = view->forecast->scene->emitters.count + 1;
    memory_free(memory, view->all, emitters * sizeof *view->all);
    memory_free(memory, view->starts, emitters * sizeof *view->starts);
    memory_free(memory, view->systems,
                (view->forecast->scene->systems.count + 1) * sizeof *view->systems);
}

static void view_clear(ForecastView *view, const char *name)
{
    view->outlook.name = name;
    view->outlook.system_count = view->outlook.start_count = 0;
    view->outlook.sampled = false;
}

static void view_add_system(ForecastView *view, const char *system)
{
    Outlook *o = &view->outlook;
    view->systems[o->system_count++] = system;
    for (size_t i = 0; i < view->forecast->scene->emitters.count; ++i)
        if (strcmp(view->all[i].system, system) == 0) view->starts[o->start_count++] = view->all[i];
}

/* ---- forces, fields, systems ---- */

/* What follows a field feels no force. */
static void ask_forces(ForecastView *view)
{
    const Forecast *f = view->forecast;
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *def = &forecast_forces(f)[i];
        const ForceRow *row = (const ForceRow *)(const void *)forecast_row("forces", def->type);
        ParamsCopy copy;
        if (row == NULL || row->forecast == NULL) continue;
        view_clear(view, def->name);
        for (size_t s = 0; s < f->scene->systems.count; ++s) {
            const SceneSystem *system = &forecast_systems(f)[s];
            if (system->solver.trace == NULL &&
                forecast_acts_on(def->systems, def->system_count, system->def.name))
                view_add_system(view, system->def.name);
        }
        if (forecast_params(f, "force", def->name, def->params, &row->head, &copy))
            row->forecast(copy.bytes, &view->outlook);
    }
}

/* Whether one of the parameters is the name of this field. */
static bool names_field(const mote_Row *row, const char *params, const char *field)
{
    for (size_t i = 0; params != NULL && i < row->param_count; ++i) {
        const mote_Param *param = &row->params[i];
        if (param->type != MOTE_PARAM_NAME || strcmp(param->choices[0], "field") != 0) continue;
        const char *name = *(const char *const *)(const void *)(params + param->offset);
        if (name != NULL && strcmp(name, field) == 0) return true;
    }
    return false;
}

static bool is_sampled(const Forecast *f, const char *field)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const char *trace = forecast_systems(f)[i].solver.trace;
        if (trace != NULL && strcmp(trace, field) == 0) return true;
    }
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *def = &forecast_forces(f)[i];
        const mote_Row *row = forecast_row("forces", def->type);
        if (row != NULL && names_field(row, def->params, field)) return true;
    }
    return false;
}

static void ask_fields(ForecastView *view)
{
    const Forecast *f = view->forecast;
    const mote_FieldDef *fields = f->scene->fields.items;
    for (size_t i = 0; i < f->scene->fields.count; ++i) {
        const mote_FieldDef *def = &fields[i];
        const FieldRow *row = (const FieldRow *)(const void *)forecast_row("fields", def->type);
        ParamsCopy copy;
        if (row == NULL || row->forecast == NULL) continue;
        view_clear(view, def->name);
        view->outlook.sampled = is_sampled(f, def->name);
        if (forecast_params(f, "field", def->name, def->params, &row->head, &copy))
            row->forecast(copy.bytes, &view->outlook);
    }
}

/* The weight that an implicit scheme gives to forces at the end of a step; -1: it is explicit. */
static double theta_of(const SceneSystem *system)
{
    const mote_Row *found = system->solver.integrator != NULL
                                ? forecast_row("integrators", system->solver.integrator)
                                : NULL;
    const IntegratorRow *row = (const IntegratorRow *)(const void *)found;
    if (row == NULL || !row->implicit) return -1;
    return row->theta >= 0 ? row->theta : system->solver.theta;
}

static const Outlook *view_system(ForecastView *view, const SceneSystem *system)
{
    view_clear(view, system->def.name);
    view_add_system(view, system->def.name);
    view->outlook.theta = theta_of(system);
    view->outlook.linked = forecast_lightest_linked(view->forecast, system->def.name);
    return &view->outlook;
}

static void ask_systems(ForecastView *view)
{
    const Forecast *f = view->forecast;
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SceneSystem *system = &forecast_systems(f)[i];
        const mote_CollideDef *collide = &system->def.collide;
        const CollideRow *walls = walls_of(system);
        const SolverRow *solver = solver_of(system);
        ParamsCopy copy;
        view_system(view, system);
        if (walls != NULL && walls->forecast != NULL) walls->forecast(collide, &view->outlook);
        if (solver != NULL && solver->forecast != NULL && solver_params(f, system, &copy))
            solver->forecast(copy.bytes, &view->outlook);
    }
}

void check_rows(const Forecast *f)
{
    ForecastView view;
    if (view_open(&view, f)) {
        ask_forces(&view);
        ask_fields(&view);
        ask_systems(&view);
    }
    view_close(&view);
}

mote_Status forecast_refuse(const Forecast *f, size_t *at, mote_Error *error)
{
    ForecastView view;
    mote_Status status = MOTE_OK;
    if (!view_open(&view, f)) status = status_no_memory(error, "a forecast", 0);
    for (*at = 0; *at < f->scene->systems.count && status == MOTE_OK; ++*at) {
        const SceneSystem *system = &forecast_systems(f)[*at];
        const CollideRow *walls = walls_of(system);
        if (walls == NULL || walls->check == NULL) continue;
        status = walls->check(&system->def.collide, view_system(&view, system), error);
        if (status != MOTE_OK) break;
    }
    view_close(&view);
    return status;
}
