/* The checks of a forecast: a table of small functions, each of which adds one line for every thing
 * that would go wrong or look bad, with what to change. */
#include "scene/forecast.h"

#include "base/vec.h"
#include "collide/collider.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_PARAMS = 256 }; /* bytes of a parameter struct that is copied here */

#define WARN(forecast, ...) text_buffer_print((forecast)->out, __VA_ARGS__)

/* ---- objects of the scene ---- */

static const SceneSystem *systems_of(const Forecast *f)
{
    return f->scene->systems.items;
}

static const mote_EmitterDef *emitters_of(const Forecast *f)
{
    return f->scene->emitters.items;
}

static const mote_ForceDef *forces_of(const Forecast *f)
{
    return f->scene->forces.items;
}

static bool acts_on(const char *const *names, size_t count, const char *system)
{
    if (names == NULL) return true;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(names[i], system) == 0) return true;
    return false;
}

static const SceneSystem *find_system(const Forecast *f, const char *name)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i)
        if (strcmp(systems_of(f)[i].def.name, name) == 0) return &systems_of(f)[i];
    return NULL;
}

/* A copy of a parameter struct with its bindings at t = 0. */
typedef struct ParamsCopy {
    alignas(16) char bytes[LARGEST_PARAMS];
} ParamsCopy;

static void copy_params(const Forecast *f, const char *kind, const char *name, const void *params,
                        const mote_Row *row, ParamsCopy *copy)
{
    if (params != NULL)
        memcpy(copy->bytes, params, row->params_size);
    else
        mote_row_defaults(row, copy->bytes);
    forecast_bind(f, kind, name, 0, copy->bytes, NULL);
}

static const mote_Row *find_row(const char *family, const char *name)
{
    size_t count;
    const mote_Row *const *rows = mote_family_rows(family, &count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, name) == 0 && rows[i]->params_size <= LARGEST_PARAMS)
            return rows[i];
    return NULL;
}

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
    if (f->scene->systems.count == 0)
        WARN(f, "systems: there is none, so nothing moves; add systems: [{ name: \"sparks\" }] "
                "and an emitter for it\n");
}

static void check_empty_systems(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const char *name = systems_of(f)[i].def.name;
        bool fed = false;
        for (size_t e = 0; e < f->scene->emitters.count; ++e)
            fed = fed || strcmp(emitters_of(f)[e].system, name) == 0;
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
        const mote_EmitterDef *def = &emitters_of(f)[i];
        if (!emits_at_all(f, i))
            WARN(f,
                 "emitters.%s: makes no particle in the %g s of the scene; set rate or burst, "
                 "and start and stop inside it\n",
                 def->name, f->scene->world.duration);
    }
}

static void check_growth(const Forecast *f)
{
    double duration = f->scene->world.duration;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0.5 * duration);
        if (isfinite((double)def.lifetime) || def.stop < duration || f->scene->world.def.bounded)
            continue;
        if (def.rate > 0)
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

static void check_memory(const Forecast *f)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (machine > 0 && f->memory > machine)
        WARN(f,
             "memory: about %.1f GB are needed and this machine has %.1f GB; lower rate, burst, "
             "lifetime or the size of the pictures\n",
             f->memory * 1e-9, machine * 1e-9);
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

/* ---- steps that are too long ---- */

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
             force->name, rate, system, f->dt, 1 / rate);
}

/* Explicit schemes follow dv/dt = -k v only while k dt < 2. */
static void check_drag(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forces_of(f)[i];
        const mote_Row *row = find_row("forces", force->type);
        ParamsCopy copy;
        if (row == NULL || strcmp(force->type, "drag") != 0) continue;
        copy_params(f, "force", force->name, force->params, row, &copy);
        for (size_t s = 0; s < f->scene->systems.count; ++s) {
            const SceneSystem *system = &systems_of(f)[s];
            if (system->solver.trace == NULL &&
                acts_on(force->systems, force->system_count, system->def.name))
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
        if (!acts_on(force->systems, force->system_count, def.system)) continue;
        if (def.spread > 0 || def.outward != 0 || strcmp(def.source, "point") != 0) return 0;
        mote_Vec3 d = vec3_sub(def.at, p->center);
        nearest = fmin(nearest, nearest_approach(d, def.velocity, (double)p->strength));
    }
    return nearest;
}

/* The fastest motion around an attractor has the frequency sqrt(GM / d^3). */
static void check_attractors(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forces_of(f)[i];
        const mote_Row *row = find_row("forces", force->type);
        ParamsCopy copy;
        if (row == NULL || strcmp(force->type, "attractor") != 0) continue;
        copy_params(f, "force", force->name, force->params, row, &copy);
        const mote_AttractorForce *p = (const void *)copy.bytes;
        double gm = fabs((double)p->strength);
        double d = fmax((double)p->softening, approach(f, force, p));
        double period = sqrt(d * d * d / gm); /* s per radian */
        if (gm > 0 && f->dt > 0.5 * period)
            WARN(f,
                 "forces.%s: sub-steps of %.3g s are too long for passes at %.3g m, which throw "
                 "particles out; set world.max_step: %.2g or less, or softening: %.2g or more\n",
                 force->name, f->dt, d, d > 0 ? 0.2 * period : 0.1 * f->dt,
                 cbrt(gm * 25 * f->dt * f->dt));
    }
}

static bool uses_field(const Forecast *f, const char *field)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const char *trace = systems_of(f)[i].solver.trace;
        if (trace != NULL && strcmp(trace, field) == 0) return true;
    }
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forces_of(f)[i];
        const mote_DragForce *drag = force->params;
        if (strcmp(force->type, "drag") == 0 && drag->wind != NULL &&
            strcmp(drag->wind, field) == 0)
            return true;
    }
    return false;
}

static void check_vortices(const Forecast *f)
{
    const mote_FieldDef *fields = f->scene->fields.items;
    for (size_t i = 0; i < f->scene->fields.count; ++i) {
        const mote_Row *row = find_row("fields", fields[i].type);
        ParamsCopy copy;
        if (row == NULL || strcmp(fields[i].type, "vortex") != 0) continue;
        copy_params(f, "field", fields[i].name, fields[i].params, row, &copy);
        const mote_VortexField *p = (const void *)copy.bytes;
        double speed = fabs((double)p->speed), core = (double)p->core;
        if (speed * f->dt > 0.5 * core && uses_field(f, fields[i].name))
            WARN(f,
                 "fields.%s: a sub-step of %.3g s carries particles %.3g m, but the core is %.3g "
                 "m: sampled badly; set world.max_step: %.2g or less, or a larger core\n",
                 fields[i].name, f->dt, speed * f->dt, core, 0.1 * core / speed);
    }
}

/* A force that a system which follows a field never feels. */
static void check_unused_forces(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->forces.count; ++i) {
        const mote_ForceDef *force = &forces_of(f)[i];
        for (size_t k = 0; force->systems != NULL && k < force->system_count; ++k) {
            const SceneSystem *system = find_system(f, force->systems[k]);
            if (system != NULL && system->solver.trace != NULL)
                WARN(f,
                     "forces.%s: systems.%s follows the field %s and feels no force; remove "
                     "solver.trace or the force\n",
                     force->name, system->def.name, system->solver.trace);
        }
    }
}

/* ---- places ---- */

/* How far a source reaches from its place along the direction n. */
static double source_reach(const Forecast *f, const mote_EmitterDef *def, mote_Vec3 n)
{
    const mote_Row *row = find_row("sources", def->source);
    ParamsCopy copy;
    if (row == NULL || row->param_count == 0) return 0;
    copy_params(f, "source", def->name, def->source_params, row, &copy);
    if (strcmp(def->source, "disc") == 0) {
        const mote_DiscSource *p = (const void *)copy.bytes;
        double along = (double)vec3_dot(n, vec3_unit(p->normal, vec3(0, 1, 0)));
        return (double)p->radius * sqrt(fmax(0, 1 - along * along));
    }
    if (strcmp(def->source, "box") == 0) {
        mote_Vec3 size = ((const mote_BoxSource *)(const void *)copy.bytes)->size;
        return 0.5 * (fabs((double)(n.x * size.x)) + fabs((double)(n.y * size.y)) +
                      fabs((double)(n.z * size.z)));
    }
    if (strcmp(def->source, "sphere") == 0)
        return (double)((const mote_SphereSource *)(const void *)copy.bytes)->radius;
    return 0;
}

/* Signed distance of a point from a shape, and the normal there. */
static double shape_distance(const Forecast *f, const mote_ColliderDef *collider, mote_Vec3 at,
                             mote_Vec3 *normal)
{
    const mote_Row *row = find_row("shapes", collider->shape);
    ParamsCopy copy;
    mote_real x[3] = {at.x, at.y, at.z}, n[3], distance;
    mote_real *planes[3] = {&x[0], &x[1], &x[2]}, *normals[3] = {&n[0], &n[1], &n[2]};
    if (row == NULL) return HUGE_VAL;
    const ShapeRow *shape = (const ShapeRow *)(const void *)row; /* its head is the first member */
    copy_params(f, "shape", collider->name, collider->shape_params, row, &copy);
    if (shape->prepare != NULL) shape->prepare(copy.bytes);
    shape->distance(copy.bytes, 1, planes, &distance);
    shape->normal(copy.bytes, 1, planes, normals);
    *normal = vec3(n[0], n[1], n[2]);
    return (double)distance;
}

static void check_start(const Forecast *f, const mote_EmitterDef *def, const mote_ColliderDef *c)
{
    const SceneSystem *system = find_system(f, def->system);
    if (system == NULL || !acts_on(c->systems, c->system_count, def->system)) return;
    const char *algorithm = system->def.collide.algorithm;
    if (algorithm != NULL && strcmp(algorithm, "none") == 0) return;
    mote_Vec3 n = {0, 1, 0};
    double distance = shape_distance(f, c, def->at, &n);
    double radius = system->def.collide.as_points ? 0 : (double)def->radius;
    double need = source_reach(f, def, n) + radius;
    if (distance < -radius)
        WARN(f, "emitters.%s: `at` is %.3g m inside colliders.%s; move it out by %.3g m\n",
             def->name, -distance, c->name, need - distance);
    else if (distance < need * (1 - 1e-6))
        WARN(f,
             "emitters.%s: its source overlaps colliders.%s by %.3g m; move `at` away or make "
             "the source smaller\n",
             def->name, c->name, need - distance);
}

static void check_starts(const Forecast *f)
{
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        for (size_t c = 0; c < f->scene->colliders.count; ++c) check_start(f, &def, &colliders[c]);
    }
}

static void check_box(const Forecast *f)
{
    const mote_WorldDef *world = &f->scene->world.def;
    const mote_Vec3 lo = world->box_min, hi = world->box_max;
    for (size_t i = 0; world->bounded && i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        const mote_Vec3 p = def.at;
        bool inside =
            p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y && p.z >= lo.z && p.z <= hi.z;
        if (!inside)
            WARN(f,
                 "emitters.%s: `at` is outside the box, where particles are removed; move it or "
                 "widen world.box_min and box_max\n",
                 def.name);
    }
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
            check_binding(f, b, all[i].kind, all[i].name);
    for (const ParamBinding *b = f->scene->camera_bindings.first; b != NULL; b = b->next)
        check_binding(f, b, "the", "camera");
}

static void (*const checks[])(const Forecast *f) = {
    check_empty_scene, check_empty_systems, check_idle_emitters, check_growth,
    check_particles,   check_memory,        check_video,         check_drag,
    check_attractors,  check_vortices,      check_unused_forces, check_starts,
    check_box,         check_bindings,
};

void forecast_check(const Forecast *forecast)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i) checks[i](forecast);
}
