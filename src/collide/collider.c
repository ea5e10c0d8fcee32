/* Colliders: parameters, and where they are during a sub-step. */
#include "collide/collider.h"

#include "base/definition.h"
#include "base/row.h"
#include "base/status.h"
#include "bodies/body.h"
#include "collide/collide.h"
#include "geometry/posed.h"

#include <math.h>
#include <string.h>

static const mote_Param params[] = {
    PARAM_REAL(mote_ColliderDef, restitution, "", "share of the normal speed kept by a bounce", 0.5,
               0, 1),
    PARAM_VEC3(mote_ColliderDef, velocity, "m/s",
               "velocity of the surface in the collider's own frame, as of a belt", 0, 0, 0),
    PARAM_BOOL(mote_ColliderDef, measure, "collect the impulses and the heat it gets", 0),
    PARAM_BOOL(mote_ColliderDef, sink, "takes out particles that come into it: a drain", 0),
    PARAM_REAL(mote_ColliderDef, temperature, "K",
               "of its surface, for liquids with heat; 0: it lets none through", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_ColliderDef, flux, "W/m^2",
               "heat that it gives to liquids, where it has no temperature: a heater, or below 0 a "
               "cooler",
               0, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(
        mote_ColliderDef, wetting, "degrees",
        "angle within a liquid with tension where its surface meets the wall: small ones wet", 90,
        0, 180),
    PARAM_REAL(mote_ColliderDef, friction, "", FRICTION_DOC, 0.3, 0, PARAM_LARGEST),
};

const mote_Row collider_row =
    ROW_DEFINITION("collider", "a shape that particles bounce off, slide on and rest on", params,
                   mote_ColliderDef, mote_ColliderDef);

const mote_Row collider_keys_row = {.name = "collider",
                                    .doc = "a shape that particles bounce off and rest on",
                                    .params = params,
                                    .param_count = sizeof params / sizeof params[0] - 1,
                                    .params_size = sizeof(mote_ColliderDef),
                                    .definition = sizeof(mote_ColliderDef)};

static mote_ColliderDef collider_defaults(void)
{
    mote_ColliderDef def;
    mote_row_defaults(&collider_row, &def);
    def.shape = "plane";
    return def;
}

DEFINITION_MAKER(mote_ColliderDef, mote_collider_def, collider_defaults)

mote_ColliderDef collider_of_body(const mote_BodyDef *body)
{
    mote_ColliderDef def = mote_collider_def();
    def.name = body->name, def.motion = body->motion;
    def.shape = body->shape, def.shape_params = body->shape_params;
    def.path = body->path, def.path_context = body->path_context;
    def.restitution = body->restitution, def.friction = body->friction;
    def.systems = body->systems, def.system_count = body->system_count;
    return def;
}

/* ---- poses ---- */

static bool is_zero(mote_Vec3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static mote_Status motion_at(const mote_ColliderDef *def, double t, mote_Motion *motion,
                             mote_Error *error)
{
    *motion = def->motion;
    return def->path != NULL ? def->path(def->path_context, t, motion, error) : MOTE_OK;
}

static mote_Vec3 vec_of(const double a[3])
{
    return vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]);
}

static PoseVelocity hand_velocity(const HandMotion *hand)
{
    return (PoseVelocity){vec_of(hand->velocity), vec_of(hand->spin)};
}

static mote_Pose hand_pose(const HandMotion *hand, double t)
{
    const double *q = hand->orientation;
    const mote_Pose then = {vec_of(hand->position),
                            {(mote_real)q[0], (mote_real)q[1], (mote_real)q[2], (mote_real)q[3]}};
    const PoseVelocity velocity = hand_velocity(hand);
    return t > hand->t ? pose_advance(&then, &velocity, (mote_real)(t - hand->t)) : then;
}

void collider_take_in_hand(Collider *c, double t, const mote_Pose *pose,
                           const PoseVelocity *velocity)
{
    const mote_Vec3 p = pose->position, v = velocity->linear, w = velocity->angular;
    const mote_Quat q = pose->orientation;
    c->by_hand = true;
    c->hand = (HandMotion){t,
                           {(double)p.x, (double)p.y, (double)p.z},
                           {(double)q.x, (double)q.y, (double)q.z, (double)q.w},
                           {(double)v.x, (double)v.y, (double)v.z},
                           {(double)w.x, (double)w.y, (double)w.z}};
}

mote_Pose collider_pose(const Collider *c, double t)
{
    mote_Motion motion;
    if (c->body != NULL) return c->body->to;
    if (c->by_hand) return hand_pose(&c->hand, t);
    if (motion_at(&c->def, t, &motion, NULL) != MOTE_OK) return c->pose;
    return motion_pose(&motion, t);
}

mote_Status collider_poses(const Collider *c, double t, double dt, mote_Pose poses[3],
                           mote_Error *error)
{
    for (int i = 0; i < 3; ++i) {
        mote_Motion motion;
        if (c->body != NULL) {
            poses[i] = dt > 0 ? pose_advance(&c->body->from, &c->body->change, (mote_real)(0.5 * i))
                              : c->body->to;
            continue;
        }
        mote_Status status = motion_at(&c->def, t + 0.5 * i * dt, &motion, error);
        if (status != MOTE_OK) return status;
        poses[i] = motion_pose(&motion, t + 0.5 * i * dt);
    }
    return MOTE_OK;
}

/* The velocity that the state says, also after a restart. */
static PoseVelocity body_velocity(const Body *body)
{
    const D3 arm = d3_sub(d3_of(body->to.position), body->solid.pose.position);
    const D3 v = solid_velocity_at(&body->solid, arm), w = body->solid.spin;
    return (PoseVelocity){{(mote_real)v.x, (mote_real)v.y, (mote_real)v.z},
                          {(mote_real)w.x, (mote_real)w.y, (mote_real)w.z}};
}

PoseVelocity collider_velocity(const Collider *c, double t, double step)
{
    const PoseVelocity none = {{0, 0, 0}, {0, 0, 0}};
    mote_Motion from, to;
    if (c->body != NULL) return body_velocity(c->body);
    if (c->by_hand) return hand_velocity(&c->hand);
    if (c->def.path == NULL)
        return (PoseVelocity){c->def.motion.velocity,
                              vec3_scale(c->def.motion.spin, RADIANS_PER_DEGREE)};
    /* The difference quotient about t, for motions that are functions of time. */
    const double start = t > 0.5 * step ? t - 0.5 * step : 0, end = t + 0.5 * step;
    if (!(step > 0) || motion_at(&c->def, start, &from, NULL) != MOTE_OK ||
        motion_at(&c->def, end, &to, NULL) != MOTE_OK)
        return none;
    const mote_Pose open = motion_pose(&from, start), close = motion_pose(&to, end);
    const PoseVelocity change = pose_velocity_between(&open, &close);
    const mote_real rate = (mote_real)(1 / (end - start));
    return (PoseVelocity){vec3_scale(change.linear, rate), vec3_scale(change.angular, rate)};
}

/* A body says where it goes; apart from a sub-step it stands still. */
static void set_body_poses(Collider *c, double dt)
{
    const Body *body = c->body;
    bool stands = !(dt > 0);
    c->pose = stands ? body->to : body->from;
    c->change = stands ? (PoseVelocity){{0, 0, 0}, {0, 0, 0}} : body->change;
}

bool collider_stands(const Collider *c)
{
    if (c->by_hand) {
        const PoseVelocity hand = hand_velocity(&c->hand);
        return is_zero(hand.linear) && is_zero(hand.angular);
    }
    return c->def.path == NULL && is_zero(c->def.motion.velocity) && is_zero(c->def.motion.spin);
}

/* It may turn by more than half a turn, so spin is not taken from the poses. */
static void set_hand_poses(Collider *c, double t, double dt)
{
    const PoseVelocity hand = hand_velocity(&c->hand);
    c->pose = hand_pose(&c->hand, t);
    c->change = (PoseVelocity){vec3_scale(hand.linear, (mote_real)dt),
                               vec3_scale(hand.angular, (mote_real)dt)};
}

/* Where there are thousands of colliders nearly all of them stand: sines are taken once. */
static void set_standing_pose(Collider *c, double t)
{
    const mote_Vec3 place[2] = {c->def.motion.at, c->def.motion.rotate};
    if (!c->stands || memcmp(c->stood, place, sizeof place) != 0)
        c->pose = motion_pose(&c->def.motion, t);
    memcpy(c->stood, place, sizeof place);
    c->stands = true;
    c->change = (PoseVelocity){{0, 0, 0}, {0, 0, 0}};
}

static mote_Status set_motion_poses(Collider *c, double t, double dt, mote_Error *error)
{
    mote_Motion from, to;
    if (collider_stands(c)) {
        set_standing_pose(c, t);
        return MOTE_OK;
    }
    c->stands = false;
    mote_Status status = motion_at(&c->def, t, &from, error);
    if (status == MOTE_OK) status = motion_at(&c->def, t + dt, &to, error);
    if (status != MOTE_OK) return status;
    mote_Pose end = motion_pose(&to, t + dt);
    c->pose = motion_pose(&from, t);
    c->change = pose_velocity_between(&c->pose, &end);
    if (c->def.path == NULL) /* also more than half a turn */
        c->change.angular = vec3_scale(from.spin, (mote_real)dt * RADIANS_PER_DEGREE);
    return MOTE_OK;
}

static mote_Status set_poses(Collider *c, double t, double dt, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (c->body != NULL)
        c->stands = false, set_body_poses(c, dt);
    else if (c->by_hand)
        c->stands = false, set_hand_poses(c, t, dt);
    else
        status = set_motion_poses(c, t, dt, error);
    if (status != MOTE_OK) return status;
    mote_real rate = dt > 0 ? (mote_real)(1 / dt) : 0;
    c->linear = vec3_scale(c->change.linear, rate);
    c->angular = vec3_scale(c->change.angular, rate);
    return MOTE_OK;
}

/* ---- bounds ---- */

/* The box of everything that the shape passes over: the two ends, and what a turning corner bulges
 * out between them: at most r (1 - cos(angle / 2)) <= r angle^2 / 8, and never more than 2 r. */
static Aabb swept_bounds(const Collider *c)
{
    Aabb own = c->shape->bounds(c->object.params);
    if (!aabb_is_finite(&own)) return aabb_endless();
    Aabb a = aabb_posed(&own, &c->pose);
    if (!c->moves) return a;
    mote_Pose end = pose_advance(&c->pose, &c->change, 1);
    Aabb b = aabb_posed(&own, &end), both = aabb_join(&a, &b);
    if (!c->turns) return both;
    mote_Vec3 far = vec3_max(vec3_scale(own.low, -1), own.high);
    far = vec3_max(far, vec3_max(own.low, vec3_scale(own.high, -1)));
    mote_real reach = vec3_length(far), angle = vec3_length(c->change.angular);
    mote_real bulge = reach * angle * angle / 8;
    return aabb_grown(&both, bulge < 2 * reach ? bulge : 2 * reach);
}

mote_Status collider_prepare(Collider *c, double t, double dt, mote_Error *error)
{
    if (c->shape->prepare != NULL) c->shape->prepare(c->object.params);
    if (c->def.friction_law == NULL) c->friction_params.dry.mu = c->def.friction;
    mote_Status status = set_poses(c, t, dt, error);
    if (status != MOTE_OK) return status;
    c->turns = !is_zero(c->change.angular);
    c->moves = c->turns || !is_zero(c->change.linear);
    c->posed = c->moves || !pose_is_identity(&c->pose);
    c->bounds = swept_bounds(c);
    c->half_space = shape_form(c->shape, c->object.params).core == CORE_HALF_SPACE;
    return MOTE_OK;
}

/* ---- sinks ---- */

bool collider_swallow(Collider *sink, double t, size_t count, mote_real *const x[3], bool *sunk)
{
    const PosedShape shape = {sink->shape, sink->object.params, collider_pose(sink, t)};
    mote_real distance[BLOCK_ROWS];
    bool any = false;
    if (!posed_near(&shape, count, x, 0)) return false;
    posed_distance(&shape, count, x, distance);
    for (size_t i = 0; i < count; ++i) {
        if (sunk[i] || !(distance[i] < 0)) continue;
        sunk[i] = any = true;
        ++sink->load.particles;
    }
    return any;
}

/* ---- how a system collides ---- */

static const char *const algorithm_kind[] = {"collide algorithm", "contact", NULL};
static const char *const detections[] = {"swept", "end", NULL};
static const char *const inside_choices[] = {"push", "delete", "error", NULL};
static const char *const repulsion_laws[] = {"penalty", "spring", "inverse", NULL};

static const mote_Param collide_params[] = {
    PARAM_NAME(mote_CollideDef, algorithm, "how particles meet colliders", algorithm_kind),
    PARAM_CHOICE(mote_CollideDef, detection,
                 "look for hits along the whole step, or at its end alone", detections, 0),
    PARAM_CHOICE(mote_CollideDef, inside, "what to do with particles that are inside a collider",
                 inside_choices, 0),
    PARAM_BOOL(mote_CollideDef, as_points, "ignore the particles' radii", 0),
    PARAM_DOUBLE(mote_CollideDef, interval, "s",
                 "time between collision checks, in whole sub-steps; 0: after each", 0, 0, 1e9),
    PARAM_CHOICE(mote_CollideDef, law, "force law of repulsion", repulsion_laws, 0),
    PARAM_REAL(mote_CollideDef, stiffness, "N/m", "stiffness of repulsion", 1000, 0, PARAM_LARGEST),
    PARAM_REAL(mote_CollideDef, reach, "m", "distance at which repulsion begins", 0.05,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_CollideDef, damping, "kg/s", "damping of repulsion", 1, 0, PARAM_LARGEST),
};

const mote_Row collide_row =
    ROW_HEAD("collide", "how a system's particles meet colliders", collide_params, mote_CollideDef);

mote_CollideDef mote_collide_def(void)
{
    mote_CollideDef def;
    mote_row_defaults(&collide_row, &def);
    def.algorithm = algorithm_kind[1];
    return def;
}

/* A host's poses have unit quaternions. */
mote_Status collider_check_state(const Collider *collider, mote_Error *error)
{
    const double *q = collider->hand.orientation;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!collider->by_hand || fabs(length - 1) < 1e-2) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "colliders/%.100s/hand: the saved state has an orientation of length %g",
                       collider->object.name, sqrt(length));
}
