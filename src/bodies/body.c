/* Bodies: parameters, making, free motion, and what is said about them.
 *
 * Free rotation splits the energy as Touma and Wisdom do (Astron. J. 107, 1994),
 *   H = |L|^2 / 2 I_m + sum over the other two axes of L_k^2 / 2 (1 / I_k - 1 / I_m),
 * with I_m the middle moment. Each part turns the body about a fixed axis by a known angle: the
 * first about L, in the world, the others about principal axes. L itself is stored in the world's
 * frame, where no part changes it, so that it is kept to the last bit; the energy error is bounded,
 * and zero for bodies with two equal moments, where only one of the others is left. */
#include "bodies/body.h"

#include "base/definition.h"
#include "base/status.h"
#include "geometry/motion.h"

static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_DOUBLE(mote_BodyDef, density, "kg/m^3", "density, where mass is 0", 1000, 0, 1e30),
    PARAM_DOUBLE(mote_BodyDef, mass, "kg", "mass; 0: by density", 0, 0, 1e30),
    PARAM_BOOL(mote_BodyDef, free, "moves by what acts on it; false: it follows `motion`", 1),
    PARAM_BOOL(mote_BodyDef, gravity, "the world's gravity pulls it", 1),
    PARAM_REAL(mote_BodyDef, restitution, "",
               "share of the normal speed kept by a bounce; of two that meet, the larger", 0.3, 0,
               1),
    PARAM_REAL(mote_BodyDef, friction, "",
               "coefficient of dry friction; of two that meet, the root of the product", 0.5, 0,
               PARAM_LARGEST),
    PARAM_DOUBLE(mote_BodyDef, temperature, "K", "temperature at the start", 300, PARAM_POSITIVE,
                 1e9),
    PARAM_DOUBLE(mote_BodyDef, heat_capacity, "J/K",
                 "of the whole body; 0: 1000 J/(kg K) times its mass", 0, 0, 1e30),
    PARAM_REAL(mote_BodyDef, heat_transfer, "W/(m^2 K)", "heat to fluid that touches it", 0, 0,
               PARAM_LARGEST),
    PARAM_NAME(mote_BodyDef, buoyancy, "scalar field: density of the fluid that it floats in",
               field_kind),
};

const mote_Row body_row =
    ROW_DEFINITION("body", "a rigid body: it falls, collides, rests, and particles push it", params,
                   mote_BodyDef, mote_BodyDef);

static mote_BodyDef body_defaults(void)
{
    mote_BodyDef def;
    mote_row_defaults(&body_row, &def);
    def.name = NULL, def.shape = "box", def.shape_params = NULL;
    mote_row_defaults(&motion_row, &def.motion);
    def.path = NULL, def.path_context = NULL;
    def.systems = NULL, def.system_count = 0;
    return def;
}

DEFINITION_MAKER(mote_BodyDef, mote_body_def, body_defaults)

/* ---- making ---- */

/* Where the centre of mass is when the shape's frame stands at `pose`. */
static DPose centre_pose(const Body *body, const mote_Pose *pose)
{
    DPose shape = dpose_of(pose);
    return dpose_product(&shape, &body->mass.in_shape);
}

static void set_state(Body *body, const DPose *pose)
{
    BodyState *s = &body->state;
    d3_to(pose->position, s->position);
    const DQuat q = pose->orientation;
    s->orientation[0] = q.x, s->orientation[1] = q.y, s->orientation[2] = q.z;
    s->orientation[3] = q.w;
}

static D3 tensor_times(DQuat q, D3 principal, D3 a)
{
    D33 tensor = dquat_tensor(q, principal);
    return d33_times(&tensor, a);
}

static void start(Body *body)
{
    const mote_Motion *m = &body->def.motion;
    mote_Pose shape = motion_pose(m, 0);
    DPose pose = centre_pose(body, &shape);
    D3 spin = d3_scale(d3_of(m->spin), (double)RADIANS_PER_DEGREE);
    set_state(body, &pose);
    d3_to(d3_of(m->velocity), body->state.velocity);
    d3_to(tensor_times(pose.orientation, body->mass.inertia, spin), body->state.angular);
    body->state.temperature = body->def.temperature;
    body->from = body->to = shape;
}

static void set_solid(Body *body)
{
    Solid *s = &body->solid;
    s->inverse_mass = body->def.free ? 1 / body->mass.mass : 0;
    s->friction = (double)body->def.friction;
    s->restitution = (double)body->def.restitution;
    pieces_measure(&s->pieces, &s->reach, &s->smallest);
}

mote_Status body_open(Memory *memory, Body *body, const char *where, mote_Error *error)
{
    const mote_BodyDef *def = &body->def;
    if (body->shape->prepare != NULL) body->shape->prepare(body->object.params);
    mote_Status status = mass_of_shape(body->shape, body->object.params, def->density, def->mass,
                                       where, &body->mass, error);
    if (status != MOTE_OK) return status;
    body->heat_capacity = def->heat_capacity > 0 ? def->heat_capacity : 1000 * body->mass.mass;
    DPose in_body = {dquat_rotate_back(body->mass.in_shape.orientation,
                                       d3_scale(body->mass.in_shape.position, -1)),
                     dquat_inverse(body->mass.in_shape.orientation)};
    status =
        pieces_make(memory, body->shape, body->object.params, &in_body, &body->solid.pieces, error);
    if (status == MOTE_OK && body->fluid != NULL) status = body_make_samples(memory, body, error);
    if (status != MOTE_OK) return status;
    start(body);
    set_solid(body);
    body_load(body);
    return MOTE_OK;
}

void body_close(Memory *memory, Body *body)
{
    pieces_free(memory, &body->solid.pieces);
    body_free_samples(memory, body);
}

/* ---- state ---- */

void body_refresh_spin(const Body *body, Solid *solid)
{
    const D3 i = body->mass.inertia;
    solid->inverse_inertia = dquat_tensor(solid->pose.orientation, d3(1 / i.x, 1 / i.y, 1 / i.z));
    solid->spin = d33_times(&solid->inverse_inertia, solid->angular);
    if (solid->inverse_mass == 0) solid->inverse_inertia = (D33){0};
}

void body_load(Body *body)
{
    const BodyState *s = &body->state;
    Solid *solid = &body->solid;
    const double *q = s->orientation;
    solid->pose = (DPose){d3_from(s->position), {q[0], q[1], q[2], q[3]}};
    solid->velocity = d3_from(s->velocity);
    solid->angular = d3_from(s->angular);
    body_refresh_spin(body, solid);
}

static void body_store(Body *body)
{
    const Solid *solid = &body->solid;
    set_state(body, &solid->pose);
    d3_to(solid->velocity, body->state.velocity);
    d3_to(solid->angular, body->state.angular);
}

/* ---- motion ---- */

static double component(D3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static D3 axis_times(int k, double s)
{
    return d3(k == 0 ? s : 0, k == 1 ? s : 0, k == 2 ? s : 0);
}

/* The flow of L_k^2 / 2 excess: about the principal axis k. */
static DQuat turn_about_axis(DQuat q, D3 angular, int k, double excess, double h)
{
    if (excess == 0) return q;
    double rate = excess * component(dquat_rotate_back(q, angular), k);
    return dquat_product(q, dquat_of_turn(axis_times(k, h * rate)));
}

/* Strang's splitting: half of a, all of b, half of a, and the turn about L, which commutes with
 * all. */
DQuat body_turned(DQuat q, D3 angular, D3 inertia, double h)
{
    const double i[3] = {inertia.x, inertia.y, inertia.z};
    int m = 0; /* the middle one: neither below nor above both others */
    for (int k = 0; k < 3; ++k) {
        double u = i[(k + 1) % 3], v = i[(k + 2) % 3];
        if ((i[k] - u) * (i[k] - v) <= 0) m = k;
    }
    int a = (m + 1) % 3, b = (m + 2) % 3;
    q = turn_about_axis(q, angular, a, 1 / i[a] - 1 / i[m], 0.5 * h);
    q = turn_about_axis(q, angular, b, 1 / i[b] - 1 / i[m], h);
    q = turn_about_axis(q, angular, a, 1 / i[a] - 1 / i[m], 0.5 * h);
    return dquat_unit(dquat_product(dquat_of_turn(d3_scale(angular, h / i[m])), q));
}

/* The shape's frame for the state. */
static mote_Pose shape_pose(const Body *body)
{
    const MassProperties *m = &body->mass;
    const DPose *pose = &body->solid.pose;
    DQuat turned = dquat_product(pose->orientation, dquat_inverse(m->in_shape.orientation));
    D3 origin = d3_sub(pose->position, dquat_rotate(turned, m->in_shape.position));
    DPose shape = {origin, dquat_unit(turned)};
    return dpose_real(&shape);
}

void body_place(Body *body)
{
    body->from = body->to = shape_pose(body);
    body->change = (PoseVelocity){{0, 0, 0}, {0, 0, 0}};
}

void body_begin_step(Body *body)
{
    body->from = shape_pose(body);
}

void body_end_step(Body *body, double dt)
{
    if (!body->def.free) {
        DPose end = centre_pose(body, &body->to);
        set_state(body, &end);
        body_load(body);
        return;
    }
    body_store(body);
    body->to = shape_pose(body);
    body->change = pose_velocity_between(&body->from, &body->to);
    D3 turn = d3_scale(body->solid.spin, dt);
    if (d3_length(turn) > 3) body->change.angular = d3_real(turn); /* more than half a turn */
}

mote_Status body_follow(Body *body, double t, double dt, mote_Error *error)
{
    mote_Motion from = body->def.motion, to = from;
    mote_Status status = MOTE_OK;
    if (body->def.path != NULL) {
        status = body->def.path(body->def.path_context, t, &from, error);
        if (status == MOTE_OK) status = body->def.path(body->def.path_context, t + dt, &to, error);
        if (status != MOTE_OK) return status;
    }
    body->from = motion_pose(&from, t);
    body->to = motion_pose(&to, t + dt);
    body->change = pose_velocity_between(&body->from, &body->to);
    if (body->def.path == NULL) /* also more than half a turn */
        body->change.angular = vec3_scale(from.spin, (mote_real)dt * RADIANS_PER_DEGREE);
    DPose begin = centre_pose(body, &body->from), end = centre_pose(body, &body->to);
    double rate = dt > 0 ? 1 / dt : 0;
    D3 spin = d3_scale(d3_of(body->change.angular), rate);
    set_state(body, &begin);
    d3_to(d3_scale(d3_sub(end.position, begin.position), rate), body->state.velocity);
    d3_to(tensor_times(begin.orientation, body->mass.inertia, spin), body->state.angular);
    body_load(body);
    return MOTE_OK;
}

/* ---- exchange ---- */

double body_yield(const Body *body, D3 at, D3 impulse)
{
    D3 n = d3_unit(impulse, d3(0, 0, 0));
    D3 turn = d3_cross(d3_sub(at, body->solid.pose.position), n);
    return body->solid.inverse_mass + d3_dot(turn, d33_times(&body->solid.inverse_inertia, turn));
}

void body_exchange(Body *body, const BodyLoad *load)
{
    body->state.temperature += load->heat / body->heat_capacity;
    if (!body->def.free) return;
    if (d3_length(load->impulse) + d3_length(load->angular) > 0) body->state.quiet = 0;
    body_load(body);
    body->solid.velocity = d3_madd(body->solid.velocity, 1 / body->mass.mass, load->impulse);
    body->solid.angular = d3_add(body->solid.angular, load->angular);
    body_store(body);
    body_load(body);
}

void body_report(const Body *body, mote_BodyState *out)
{
    const Solid *s = &body->solid;
    const DPose *pose = &s->pose;
    *out = (mote_BodyState){.mass = body->mass.mass,
                            .volume = body->mass.volume,
                            .temperature = body->state.temperature,
                            .heat_capacity = body->heat_capacity,
                            .contacts = s->contacts};
    DQuat q = dquat_unit(
        dquat_product(pose->orientation, dquat_inverse(body->mass.in_shape.orientation)));
    out->orientation[0] = q.x, out->orientation[1] = q.y, out->orientation[2] = q.z;
    out->orientation[3] = q.w;
    d3_to(body->mass.inertia, out->inertia);
    d3_to(pose->position, out->centre);
    d3_to(d3_sub(pose->position, dquat_rotate(q, body->mass.in_shape.position)), out->position);
    d3_to(s->velocity, out->velocity);
    d3_to(s->spin, out->spin);
    d3_to(d3_scale(s->velocity, body->mass.mass), out->momentum);
    d3_to(s->angular, out->angular);
    /* (m v^2 + L . w) / 2. */
    out->kinetic = 0.5 * body->mass.mass * d3_dot(s->velocity, s->velocity) +
                   0.5 * d3_dot(s->angular, s->spin);
}
