/* What a sub-step does place by place: walls, and the motion. */
/* A place that meets walls. */
typedef struct Meets {
    mote_real density, pressure;
    mote_Vec3 v, a;
    mote_Vec3 gradient; /* of all walls */
} Meets;

/* Pressure of walls; returns it over their gradient. */
static mote_real push_place(const StayLaw *law, global const StayShare *s, uint32_t count,
                            const Meets *at)
{
    mote_real closing = 0;
    for (uint32_t k = 0; k < count; ++k)
        closing += vec3_dot(vec3_sub(at->v, s[k].velocity), s[k].felt.gradient);
    const WallMeeting meeting = {closing, vec3_dot(at->a, at->gradient),
                                 vec3_dot(at->gradient, at->gradient)};
    const mote_real pressure = at->pressure + wall_blow(&law->push, at->density, 1, &meeting);
    const mote_real push = push_of_pressure(law->push.rest_density, at->density, pressure);
    return wall_bounded(&law->push, at->density, 1, &meeting, push);
}

/* Friction of walls, added to the acceleration. */
static void rub_place(const StayLaw *law, global StayShare *s, uint32_t count, Meets *at)
{
    const mote_real dt = law->push.dt;
    mote_Vec3 end = wall_rubbed_on(at->v, at->a, dt, at->gradient);
    mote_real sum = 1;
    for (uint32_t k = 0; k < count; ++k) {
        const mote_real rate = law->rub * s[k].felt.drag * dt;
        end = vec3_madd(end, rate, s[k].velocity), sum += rate;
    }
    end = vec3_scale(end, 1 / sum);
    for (uint32_t k = 0; k < count; ++k) {
        const mote_Vec3 by =
            vec3_scale(vec3_sub(end, s[k].velocity), -law->rub * s[k].felt.drag);
        at->a = vec3_add(at->a, by);
        s[k].rubbed = vec3_scale(by, dt);
    }
}

static void meet_walls(const StayLaw *law, global StayShare *s, uint32_t count, Meets *at)
{
    if (count == 0) return;
    for (uint32_t k = 0; k < count; ++k) at->gradient = vec3_add(at->gradient, s[k].felt.gradient);
    const mote_real push = push_place(law, s, count, at), by = -push * law->push.dt;
    at->a = vec3_add(at->a, vec3_scale(at->gradient, -push));
    if (law->rub > 0) rub_place(law, s, count, at);
    for (uint32_t k = 0; k < count && by != 0; ++k)
        s[k].pressed = vec3_scale(s[k].felt.gradient, by);
}

/* What rounding may do to distances, as shapes' rule_out counts it. */
static mote_real way_margin(mote_Vec3 x, mote_Vec3 to)
{
    return 1024 * REAL_EPSILON *
           (fabs(x.x) + fabs(x.y) + fabs(x.z) + fabs(to.x) + fabs(to.y) + fabs(to.z));
}

/* Whether a way stays clear of a wall: no point of it is nearer to the surface than its start is,
 * less the way; and where what is free is convex (a half-space, the inside of a hollow), none is
 * nearer than both ends are. */
static bool is_clear(const StayLaw *law, const StayShape *s, bool near, mote_Vec3 x, mote_Vec3 to)
{
    const mote_real margin = way_margin(x, to) + s->sweep;
    const mote_real way = vec3_length(vec3_sub(to, x)) + margin;
    if (!near && law->support / 2 > way) return true;
    const mote_real distance = shape_at(s, x).distance;
    if (distance > way) return true;
    const bool convex = s->nested || s->core == STAY_PLANE;
    return convex && distance > margin && shape_at(s, to).distance > margin;
}

static bool may_meet(const StayLaw *law, global const StayShape *shapes, bool near, mote_Vec3 x,
                     mote_Vec3 to)
{
    bool clear = true;
    for (uint32_t k = 0; k < law->shapes && clear; ++k) {
        const StayShape s = shapes[k];
        clear = is_clear(law, &s, near, x, to);
    }
    return !clear;
}

/* The motion of a place. */
static void move_place(const StayLaw *law, global const StayShape *shapes, mote_Vec3 x, bool near,
                       mote_Vec3 excess, const Meets *at, mote_Vec3 *to, mote_Vec3 *end, bool *met)
{
    const mote_real dt = law->push.dt;
    const mote_Vec3 fresh = vec3_madd(at->v, dt, at->a);
    mote_Vec3 way = fresh;
    if (law->xsph) way = vec3_add(fresh, excess);
    *to = vec3_madd(x, dt, way), *end = fresh;
    if (law->flat) to->z = x.z, end->z = 0;
    *met = law->shapes > 0 && may_meet(law, shapes, near, x, *to);
}

static void store_vector(mote_Vec3 a, size_t stride, size_t i, global mote_real *planes)
{
    planes[i] = a.x, planes[stride + i] = a.y, planes[2 * stride + i] = a.z;
}

