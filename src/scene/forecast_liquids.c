/* Checks of a forecast: liquids that would burst, leak, be squeezed or be too coarse. Their sources
 * are laid out as a world would do it, so that places are compared, not guesses. */
#include "scene/forecast.h"

#include "base/vec.h"
#include "collide/collider.h"
#include "emit/emitter.h"
#include "geometry/posed.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- laying out ---- */

static void lay_one(Forecast *f, size_t i, LaidSource *laid)
{
    mote_EmitterDef def = ((const mote_EmitterDef *)f->scene->emitters.items)[i];
    const mote_Row *row = forecast_row("sources", def.source);
    const SourceRow *source = (const SourceRow *)(const void *)row; /* its head comes first */
    ParamsCopy copy;
    if (row == NULL || source->lay == NULL) return;
    forecast_bind(f, "emitter", def.name, 0, &def, NULL);
    if (!forecast_params(f, "source", def.name, def.source_params, row, &copy)) return;
    if (source->check != NULL && source->check(copy.bytes, "", NULL) != MOTE_OK) return;
    SourceSite site = {&f->scene->memory, def.name, f->scene->world.def.dimension == 2,
                       def.velocity};
    const double about = source->estimate != NULL ? source->estimate(copy.bytes, site.flat) : 0;
    if (about > f->lay_most)
        laid->count = (size_t)fmin(about, fmin(1e18, (double)(SIZE_MAX / 2)));
    else if (source->lay(copy.bytes, &site, &laid->places, NULL) == MOTE_OK)
        laid->count = laid->places.count;
    else
        places_free(&laid->places, site.memory);
    double speed = (double)vec3_length(def.velocity);
    if (source->stride != NULL && speed > 0) laid->every = source->stride(copy.bytes) / speed;
}

void forecast_lay(Forecast *f)
{
    size_t count = f->scene->emitters.count;
    f->laid = memory_zeroed(&f->scene->memory, (count + 1) * sizeof *f->laid);
    for (size_t i = 0; f->laid != NULL && i < count; ++i) lay_one(f, i, &f->laid[i]);
}

void forecast_free_laid(Forecast *f)
{
    size_t count = f->scene->emitters.count;
    for (size_t i = 0; f->laid != NULL && i < count; ++i)
        places_free(&f->laid[i].places, &f->scene->memory);
    memory_free(&f->scene->memory, f->laid, (count + 1) * sizeof *f->laid);
    f->laid = NULL;
}

/* ---- what is asked ---- */

/* A liquid, as its solver tells of it; false when the system is none. */
static bool liquid_of(const Forecast *f, const char *system, SolverFacts *liquid)
{
    *liquid = forecast_facts(f, forecast_system(f, system));
    return liquid->spacing > 0;
}

/* Spacing of a fill or an inflow; 0 of others. */
static double source_spacing(const Forecast *f, const mote_EmitterDef *def)
{
    const SourceRow *row = (const void *)forecast_row("sources", def->source);
    ParamsCopy copy;
    if (row == NULL || row->spacing == NULL) return 0;
    if (!forecast_params(f, "source", def->name, def->source_params, &row->head, &copy)) return 0;
    return row->spacing(copy.bytes);
}

/* Some of the places of an emitter, in the world. */
typedef struct Sample {
    mote_real x[3][FORECAST_PLACES], distance[FORECAST_PLACES];
    size_t count;
} Sample;

static void take_sample(const LaidSource *laid, mote_Vec3 at, Sample *sample)
{
    size_t stride = laid->count / FORECAST_PLACES + 1;
    sample->count = 0;
    for (size_t i = 0; i < laid->count && sample->count < FORECAST_PLACES; i += stride) {
        mote_Vec3 p = vec3_add(at, places_at(&laid->places, i));
        sample->x[0][sample->count] = p.x, sample->x[1][sample->count] = p.y;
        sample->x[2][sample->count++] = p.z;
    }
}

/* The share of the sample that is deeper than that in the shape. */
static double inside_share(const PosedShape *shape, Sample *sample, double depth)
{
    mote_real *const x[3] = {sample->x[0], sample->x[1], sample->x[2]};
    size_t inside = 0;
    posed_distance(shape, sample->count, x, sample->distance);
    for (size_t i = 0; i < sample->count; ++i) inside += (double)sample->distance[i] < -depth;
    return sample->count > 0 ? (double)inside / (double)sample->count : 0;
}

/* ---- checks of one source ---- */

static void check_spacing(const Forecast *f, const mote_EmitterDef *def, const SolverFacts *liquid)
{
    double own = source_spacing(f, def), right = liquid->spacing;
    if (own == 0)
        WARN(f,
             "emitters.%s: a source `%s` puts particles of the liquid %s at random places, which "
             "then burst apart; use from: { type: \"fill\" } or { type: \"inflow\" }\n",
             def->name, def->source, def->system);
    else if (fabs(own / right - 1) > 0.02)
        WARN(f,
             "emitters.%s: its spacing is %g m, but that of the liquid %s is %g m, so it would "
             "%s; make them equal\n",
             def->name, own, def->system, right, own < right ? "burst" : "collapse");
}

/* Liquids on both sides of a plate feel each other through it when it is thinner than the kernel's
 * reach less a spacing: half of one lies between each side and the nearest particles. */
static void check_plate(const Forecast *f, const SolverFacts *liquid, const PosedShape *shape,
                        const char *list, const char *name)
{
    const Aabb box = shape->row->bounds(shape->params);
    const mote_Vec3 size = vec3_sub(box.high, box.low);
    double needed = liquid->spacing * (liquid->support - 1);
    double least = fmin((double)size.x, (double)size.y);
    if (f->scene->world.def.dimension != 2) least = fmin(least, (double)size.z);
    if (!aabb_is_finite(&box) || !(least < 0.999 * needed)) return;
    WARN(f,
         "%s.%s: it is %.2g m thin, and liquid on its two sides feels each other through less than "
         "%.2g m; make it thicker, or the spacing %.2g m or less\n",
         list, name, least, needed, least / (liquid->support - 1));
}

/* Of one collider or body. */
static void check_wall(const Forecast *f, const mote_EmitterDef *def, const SolverFacts *liquid,
                       const mote_ColliderDef *wall, const char *list, Sample *sample)
{
    ParamsCopy copy;
    PosedShape shape;
    if (wall->sink || !forecast_acts_on(wall->systems, wall->system_count, def->system)) return;
    if (!forecast_shape(f, wall, &copy, &shape)) return;
    const double spacing = liquid->spacing;
    check_plate(f, liquid, &shape, list, wall->name);
    double share = inside_share(&shape, sample, 0.1 * spacing);
    double near = inside_share(&shape, sample, -0.3 * spacing);
    const bool container = shape_form(shape.row, shape.params).hollow != NULL;
    if (share > 0)
        WARN(f,
             "emitters.%s: %.0f %% of its liquid starts %s %s.%s and is left out; make the "
             "filled shape smaller or move it\n",
             def->name, ceil(100 * share), container ? "outside the container" : "inside", list,
             wall->name);
    else if (near > 0)
        WARN(f,
             "emitters.%s: its liquid starts nearer than %g m to %s.%s; leave half a spacing, "
             "%g m, between them\n",
             def->name, 0.3 * spacing, list, wall->name, 0.5 * spacing);
}

static void check_walls(const Forecast *f, const mote_EmitterDef *def, const SolverFacts *liquid,
                        Sample *sample)
{
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    const mote_BodyDef *bodies = f->scene->bodies.items;
    for (size_t c = 0; c < f->scene->colliders.count; ++c)
        check_wall(f, def, liquid, &colliders[c], "colliders", sample);
    for (size_t b = 0; b < f->scene->bodies.count; ++b) {
        const mote_ColliderDef wall = collider_of_body(&bodies[b]);
        check_wall(f, def, liquid, &wall, "bodies", sample);
    }
}

/* Fewer than four particles across are no liquid. A kernel needs some particles in every direction
 * to sum up to 1. */
static void check_layers(const Forecast *f, const mote_EmitterDef *def, const SolverFacts *liquid,
                         const LaidSource *laid)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double spacing = liquid->spacing;
    for (size_t i = 0; i < laid->count; ++i) {
        const mote_Vec3 at = places_at(&laid->places, i);
        const mote_real p[3] = {at.x, at.y, at.z};
        for (int c = 0; c < 3; ++c)
            low[c] = fmin(low[c], (double)p[c]), high[c] = fmax(high[c], (double)p[c]);
    }
    int axes = f->scene->world.def.dimension == 2 ? 2 : 3;
    for (int c = 0; c < axes && laid->every == 0; ++c) {
        double across = (high[c] - low[c]) / spacing + 1;
        if (across > 3.5) continue;
        WARN(f,
             "emitters.%s: its liquid is only %.0f particle%s wide along %c, but the kernel alone "
             "is %.0f wide; use a spacing of %.2g m or less\n",
             def->name, across, across > 1.5 ? "s" : "", "xyz"[c], 2 * liquid -> support,
             spacing *across / (4 * liquid->support));
        return;
    }
}

/* ---- two liquids in one place ---- */

enum { PAIR_SAMPLE = 1024, PAIR_PLACES = 200000 };

/* SourcePlaces of one that lie between those of the other, which is `way` from it. */
static bool is_among(const SourcePlaces *one, const SourcePlaces *two, mote_Vec3 way,
                     mote_real near)
{
    mote_Vec3 sample[PAIR_SAMPLE + 1];
    size_t count = 0;
    for (size_t i = 0; i < one->count; i += one->count / PAIR_SAMPLE + 1)
        sample[count++] = vec3_sub(places_at(one, i), way);
    for (size_t j = 0; j < two->count; j += two->count / PAIR_PLACES + 1) {
        const mote_Vec3 p = places_at(two, j);
        for (size_t i = 0; i < count; ++i) {
            const mote_Vec3 d = vec3_sub(sample[i], p);
            if (vec3_dot(d, d) < near * near) return true;
        }
    }
    return false;
}

static bool feel_each_other(const Forecast *f, const char *one, const char *two)
{
    return forecast_host(f, forecast_system(f, one)) == forecast_host(f, forecast_system(f, two));
}

/* Liquids of two systems that did not join see nothing of each other, wherever they meet. */
static void check_strangers(const Forecast *f)
{
    const SceneSystem *systems = forecast_systems(f);
    for (size_t i = 0; i < f->scene->systems.count; ++i)
        for (size_t j = 0; j < i; ++j) {
            const char *one = systems[j].def.name, *two = systems[i].def.name;
            SolverFacts liquid;
            if (!liquid_of(f, one, &liquid) || !liquid_of(f, two, &liquid)) continue;
            if (!feel_each_other(f, one, two))
                WARN(f,
                     "systems.%s and systems.%s: these liquids do not feel each other, and where "
                     "they meet they pass through each other; write solver: { type: \"sph\", "
                     "joins: \"%s\" } in the second\n",
                     one, two, one);
        }
}

/* Any place in a lattice is nearer than 0.87 spacings to one of its own. */
static void check_pair(const Forecast *f, size_t a, size_t b)
{
    mote_EmitterDef first = forecast_emitter(f, a, 0), second = forecast_emitter(f, b, 0);
    const LaidSource *one = &f->laid[a], *two = &f->laid[b];
    SolverFacts liquid, other;
    if (!liquid_of(f, first.system, &liquid) || !liquid_of(f, second.system, &other)) return;
    if (one->every > 0 || two->every > 0 || first.start != second.start) return;
    const mote_Vec3 way = vec3_sub(second.at, first.at);
    const bool together = feel_each_other(f, first.system, second.system);
    if (!is_among(&one->places, &two->places, way, (mote_real)(0.87 * liquid.spacing))) return;
    WARN(f, "emitters.%s and emitters.%s fill the same space, so %s; move one of them%s\n",
         first.name, second.name,
         together ? "what the second one adds there is left out"
                  : "their liquids would pass through each other",
         together ? "" : ", and let one liquid join the other");
}

/* Whether something may keep a system's particles from falling for ever. */
static bool is_held(const Forecast *f, const char *system)
{
    const mote_WorldDef *world = &f->scene->world.def;
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    const mote_BodyDef *bodies = f->scene->bodies.items;
    const mote_Vec3 g = world->gravity;
    if (world->bounded || (world->periodic_x && g.x != 0) || (world->periodic_y && g.y != 0) ||
        (world->periodic_z && g.z != 0) || vec3_length(g) == 0)
        return true;
    for (size_t i = 0; i < f->scene->colliders.count; ++i)
        if (forecast_acts_on(colliders[i].systems, colliders[i].system_count, system)) return true;
    for (size_t i = 0; i < f->scene->bodies.count; ++i)
        if (!bodies[i].free) return true;
    return false;
}

static void check_held(const Forecast *f)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SceneSystem *system = &forecast_systems(f)[i];
        if (forecast_facts(f, system).spacing > 0 && !is_held(f, system->def.name))
            WARN(f,
                 "systems.%s: nothing holds its liquid, which falls for ever; add a collider, as "
                 "{ shape: { type: \"plane\" } }\n",
                 system->def.name);
    }
}

void check_liquids(const Forecast *f)
{
    check_held(f);
    check_strangers(f);
    size_t count = f->laid != NULL ? f->scene->emitters.count : 0;
    Sample *sample = memory_take(&f->scene->memory, sizeof *sample);
    for (size_t i = 0; i < count && sample != NULL; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        SolverFacts liquid;
        if (!liquid_of(f, def.system, &liquid)) continue;
        check_spacing(f, &def, &liquid);
        if (f->laid[i].places.count == 0) continue;
        take_sample(&f->laid[i], def.at, sample);
        check_walls(f, &def, &liquid, sample);
        check_layers(f, &def, &liquid, &f->laid[i]);
        for (size_t j = 0; j < i; ++j)
            if (f->laid[j].places.count > 0) check_pair(f, j, i);
    }
    memory_free(&f->scene->memory, sample, sizeof *sample);
}
