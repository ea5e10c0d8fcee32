/* Where a scene takes place: the emitters' sources and where their particles fly without forces but
 * gravity, and bounce to, links, bodies, and the colliders around them that have an end. It depends
 * on the scene alone, so a camera that is placed by it stands still. */
#include "base/vec.h"
#include "emit/emitter.h"
#include "geometry/motion.h"
#include "geometry/shapes.h"
#include "links/links.h"
#include "scene/stage.h"

#define LONGEST_FLIGHT 2.5 /* s */
#define LONGEST_BOUNCE 1   /* s */
#define LARGEST        3   /* times what else is seen: a collider that is larger is a background */
enum { MOMENTS = 4, STEPS = 12, POINTS = 64, SIDES = 8 };

typedef struct BoxStage {
    Forecast forecast;
    Aabb box, room;   /* what is seen; where everything stays */
    mote_Vec3 ground; /* unit normal of a plane; zero: none */
    mote_real level;
    const Obstacles *obstacles;
} BoxStage;

static void include(BoxStage *stage, mote_Vec3 p, mote_real reach)
{
    mote_real below = stage->level - vec3_dot(stage->ground, p);
    if (vec3_dot(stage->ground, stage->ground) > 0 && below > 0)
        p = vec3_madd(p, below, stage->ground);
    p = vec3_max(stage->room.low, vec3_min(stage->room.high, p));
    stage->box.low = vec3_min(stage->box.low, vec3_sub(p, vec3(reach, reach, reach)));
    stage->box.high = vec3_max(stage->box.high, vec3_add(p, vec3(reach, reach, reach)));
}

static bool is_empty(const Aabb *box)
{
    return box->low.x > box->high.x;
}

static mote_real diagonal(const Aabb *box)
{
    return vec3_length(vec3_sub(box->high, box->low));
}

/* ---- emitters ---- */

static const SourceRow *source_of(const mote_EmitterDef *e)
{
    const mote_Row *row = forecast_row("sources", e->source);
    return (const SourceRow *)(const void *)row; /* its head comes first */
}

/* The source around the emitter's place. */
static Aabb source_box(const BoxStage *stage, const mote_EmitterDef *e)
{
    const SourceRow *source = source_of(e);
    Aabb box = aabb_empty();
    ParamsCopy copy;
    if (source == NULL || !forecast_params(&stage->forecast, "source", e->name, e->source_params,
                                           &source->head, &copy))
        return (Aabb){{0, 0, 0}, {0, 0, 0}};
    if (source->check != NULL && source->check(copy.bytes, "", NULL) != MOTE_OK) return box;
    if (source->bounds != NULL) return source->bounds(copy.bytes);
    Birth birth = {.key = random_key(0, "camera"),
                   .flat = stage->forecast.scene->world.def.dimension == 2};
    for (birth.number = 0; source->point != NULL && birth.number < POINTS; ++birth.number)
        box = aabb_add_point(&box, source->point(copy.bytes, &birth).offset);
    return box;
}

typedef struct StageFlight {
    mote_Vec3 at, velocity; /* m, m/s */
    mote_real radius, spread;
    double time; /* s */
} StageFlight;

/* Straight on, and to the sides by the spread, until something is met: that, and the flight's end
 * there. */
static const Obstacle *include_flight(BoxStage *stage, StageFlight *f, ShapeHit *hit)
{
    const mote_Vec3 g = stage->forecast.scene->world.def.gravity;
    const mote_real speed = vec3_length(f->velocity);
    const mote_real spread = f->spread < (mote_real)1.3 ? f->spread : (mote_real)1.3;
    mote_Vec3 way = vec3_unit(f->velocity, vec3(0, 1, 0)), a = vec3_across(way),
              b = vec3_cross(way, a), before = f->at;
    for (int k = 0; k <= STEPS; ++k) {
        mote_real t = (mote_real)(f->time * k / STEPS), side = (mote_real)0.7 * speed * spread * t;
        /* x + v t + g t^2 / 2. */
        mote_Vec3 p = vec3_madd(vec3_madd(f->at, t, f->velocity), t * t / 2, g);
        const Obstacle *met = obstacles_meet(stage->obstacles, before, p, hit);
        if (met != NULL) {
            /* Back to the moment of the hit: `time` is its part of the last piece of the way. */
            t -= (1 - hit->time) * (mote_real)(f->time / STEPS);
            f->at = vec3_madd(hit->point, f->radius, hit->normal);
            f->velocity = vec3_madd(f->velocity, t, g);
            include(stage, f->at, f->radius);
            return met;
        }
        before = p;
        include(stage, p, f->radius);
        for (int s = -1; s <= 1; s += 2) {
            include(stage, vec3_madd(p, (mote_real)s * side, a), f->radius);
            include(stage, vec3_madd(p, (mote_real)s * side, b), f->radius);
        }
    }
    return NULL;
}

/* What hits a round or rough thing leaves it to all sides, most of all along its normal. */
static void include_bounces(BoxStage *stage, const StageFlight *flight, const Obstacle *met,
                            const ShapeHit *hit)
{
    const mote_Vec3 g = stage->forecast.scene->world.def.gravity;
    const mote_Vec3 up = vec3_scale(vec3_unit(g, vec3(0, -1, 0)), -1);
    const mote_Vec3 a = vec3_across(up), b = vec3_cross(up, a);
    static const mote_real o = (mote_real)1.5, d = (mote_real)1.06;
    const mote_real sideways[SIDES] = {o, d, 0, -d, -o, -d, 0, d};
    const mote_real speed = met->restitution * vec3_length(flight->velocity);
    for (int k = 0; k < SIDES; ++k) {
        mote_Vec3 way = vec3_madd(hit->normal, sideways[k], a);
        way = vec3_unit(vec3_madd(way, sideways[(k + 2) % SIDES], b), up);
        StageFlight bounce = {.at = flight->at,
                              .velocity = vec3_scale(way, speed),
                              .radius = flight->radius,
                              .time = LONGEST_BOUNCE};
        ShapeHit end;
        include_flight(stage, &bounce, &end);
    }
}

static void include_thrown(BoxStage *stage, const mote_EmitterDef *e, double duration)
{
    double life = e->lifetime > 0 ? (double)e->lifetime : duration;
    life = life < duration ? life : duration;
    StageFlight flight = {.at = e->at,
                          .velocity = e->velocity,
                          .radius = e->radius,
                          .spread = e->spread,
                          .time = life < LONGEST_FLIGHT ? life : LONGEST_FLIGHT};
    ShapeHit hit;
    const Obstacle *met = include_flight(stage, &flight, &hit);
    if (met != NULL) include_bounces(stage, &flight, met, &hit);
}

/* What is filled at once is in a container, or shows soon enough how far it falls. */
static void include_emitter(BoxStage *stage, size_t i)
{
    const double duration = stage->forecast.scene->world.duration;
    for (int k = 0; k < MOMENTS; ++k) {
        mote_EmitterDef e = forecast_emitter(&stage->forecast, i, duration * k / MOMENTS);
        const Aabb box = source_box(stage, &e);
        if (!is_empty(&box) && aabb_is_finite(&box)) {
            include(stage, vec3_add(e.at, box.low), e.radius);
            include(stage, vec3_add(e.at, box.high), e.radius);
        }
        const bool fills = source_of(&e) != NULL && source_fills(source_of(&e));
        if (!fills || vec3_length(e.velocity) > 0) include_thrown(stage, &e, duration);
    }
}

/* ---- links, bodies and colliders ---- */

static void include_links(BoxStage *stage, const mote_LinksDef *def)
{
    if (def->pattern == NULL || def->pattern_params == NULL) return;
    const mote_Row *row = forecast_row("patterns", def->pattern);
    const PatternRow *pattern = (const PatternRow *)(const void *)row; /* its head comes first */
    if (pattern == NULL || pattern->reach == NULL) return;
    const mote_Vec3 gravity = stage->forecast.scene->world.def.gravity;
    const PatternReach all = pattern->reach(def->pattern_params, vec3_unit(gravity, vec3(0, 0, 0)));
    for (int i = 0; i < all.count; ++i) include(stage, all.point[i], all.radius);
}

/* Where bodies start, and where they fall. */
static void include_body(BoxStage *stage, const mote_BodyDef *body)
{
    const mote_Row *row = forecast_row("shapes", body->shape);
    if (row == NULL || body->shape_params == NULL) return;
    Aabb box = ((const ShapeRow *)(const void *)row)->bounds(body->shape_params);
    if (!aabb_is_finite(&box)) return;
    mote_real reach = vec3_length(vec3_scale(vec3_sub(box.high, box.low), (mote_real)0.5));
    include(stage, body->motion.at, reach);
    if (body->free && body->gravity)
        include(
            stage,
            /* g t^2 / 2 after 0.77 s. */
            vec3_madd(body->motion.at, (mote_real)0.3, stage->forecast.scene->world.def.gravity),
            reach);
}

static void include_collider(BoxStage *stage, const Aabb *box)
{
    const bool alone = is_empty(&stage->box);
    if (!aabb_is_finite(box)) return;
    if (!alone && diagonal(box) > LARGEST * diagonal(&stage->box)) return;
    stage->box = aabb_join(&stage->box, box);
}

/* ---- the whole ---- */

/* Planes are the ground; containers are rooms, as is the world's box. */
static void find_room(BoxStage *stage)
{
    const mote_Scene *scene = stage->forecast.scene;
    const mote_WorldDef *world = &scene->world.def;
    const mote_ColliderDef *colliders = scene->colliders.items;
    stage->room = aabb_endless();
    if (world->bounded || world->periodic_x || world->periodic_y || world->periodic_z)
        stage->room = (Aabb){world->box_min, world->box_max};
    for (size_t i = 0; i < scene->colliders.count; ++i) {
        ParamsCopy copy;
        PosedShape shape;
        if (!forecast_shape(&stage->forecast, &colliders[i], &copy, &shape)) continue;
        const ShapeForm form = shape_form(shape.row, shape.params);
        if (form.core == CORE_HALF_SPACE && vec3_dot(stage->ground, stage->ground) == 0) {
            stage->ground = form.normal;
            stage->level = form.offset;
        } else if (form.hollow != NULL) {
            const Aabb inside = aabb_posed(&form.hollow->bounds, &shape.pose);
            stage->room.low = vec3_max(stage->room.low, inside.low);
            stage->room.high = vec3_min(stage->room.high, inside.high);
        }
    }
    if (is_empty(&stage->room)) stage->room = aabb_endless();
}

Aabb stage_box(mote_Scene *scene, const Obstacles *obstacles)
{
    BoxStage stage = {.forecast = {.scene = scene}, .box = aabb_empty(), .obstacles = obstacles};
    const mote_LinksDef *links = scene->links.items;
    const mote_BodyDef *bodies = scene->bodies.items;
    const mote_ColliderDef *colliders = scene->colliders.items;
    find_room(&stage);
    for (size_t i = 0; i < scene->emitters.count; ++i) include_emitter(&stage, i);
    for (size_t i = 0; i < scene->links.count; ++i) include_links(&stage, &links[i]);
    for (size_t i = 0; i < scene->bodies.count; ++i) include_body(&stage, &bodies[i]);
    /* After what moves: how large a room or a collider may be goes by that. */
    include_collider(&stage, &stage.room);
    for (size_t i = 0; i < scene->colliders.count; ++i) {
        ParamsCopy copy;
        PosedShape shape;
        if (!forecast_shape(&stage.forecast, &colliders[i], &copy, &shape)) continue;
        const Aabb box = posed_bounds(&shape);
        include_collider(&stage, &box);
    }
    return stage.box;
}
