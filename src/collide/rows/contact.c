/* Collision and contact told apart (Bridson's third algorithm).
 *
 * A row that ends its step inside a collider and moved towards it at the start of the step
 * collides: its start velocity is reflected with restitution and friction, and the step is solved
 * again. A row that is inside without having approached at the start is in contact: its average
 * velocity over the step is stopped at the surface inelastically (closing what gap there was, so
 * that nothing hovers), with friction, and its end velocity likewise. Bounces therefore use the
 * velocity before gravity acted, and what rests stays at rest. */
#include "base/loop.h"
#include "base/vec.h"
#include "collide/collider.h"

/* max(0, 1 - mu |dvn| / |vt|): dry friction's factor on the tangential velocity; 0 at rest. */
static inline mote_real friction_factor(mote_real mu_dvn, mote_real speed)
{
    return speed > mu_dvn ? 1 - mu_dvn / speed : 0;
}

static inline mote_real positive(mote_real x)
{
    return x > 0 ? x : 0;
}

/* Component of w along n. */
static inline mote_real along(mote_Vec3 w, mote_Vec3 n)
{
    return w.x * n.x + w.y * n.y + w.z * n.z;
}

typedef struct Touch {
    mote_real vn;    /* normal part of a velocity relative to the wall */
    mote_Vec3 vt;    /* tangential part */
    mote_real speed; /* |vt| */
} Touch;

static inline Touch touch(mote_Vec3 v, mote_Vec3 wall, mote_Vec3 n)
{
    mote_Vec3 w = vec3_sub(v, wall);
    mote_real vn = along(w, n);
    mote_Vec3 vt = vec3_madd(w, -vn, n);
    return (Touch){vn, vt, vec3_length(vt)};
}

/* wall + vn n + factor vt */
static inline mote_Vec3 reassemble(mote_Vec3 wall, mote_real vn, mote_Vec3 n, mote_real factor,
                                   mote_Vec3 vt)
{
    return vec3_madd(vec3_madd(wall, vn, n), factor, vt);
}

typedef struct Planes {
    mote_real *end, *start; /* distance of the surface to the particle's, at both ends */
    mote_real *normal[3];
} Planes;

/* Bounces: rows inside at the end that approached at the start get a new start velocity. */
static void bounce_rows(const mote_ColliderDef *s, const Range *r, const Planes *p)
{
    const mote_real e = s->restitution, mu = s->friction;
    const mote_Vec3 wall = s->velocity;
    const mote_real *d = p->end, *nx = p->normal[0], *ny = p->normal[1], *nz = p->normal[2];
    mote_real *vx = r->v0[0], *vy = r->v0[1], *vz = r->v0[2];
    uint32_t *marks = r->marks;
    FOR_ROWS (i, r->count) {
        mote_Vec3 n = vec3(nx[i], ny[i], nz[i]), v = vec3(vx[i], vy[i], vz[i]);
        Touch t = touch(v, wall, n);
        bool hit = !(d[i] >= 0) && t.vn < 0;
        mote_real factor = friction_factor(-mu * (1 + e) * t.vn, t.speed);
        mote_Vec3 w = reassemble(wall, -e * t.vn, n, factor, t.vt);
        vx[i] = real_pick(hit, w.x, v.x), vy[i] = real_pick(hit, w.y, v.y),
        vz[i] = real_pick(hit, w.z, v.z);
        marks[i] |= hit ? 1u : 0u;
    }
}

/* Contact: rows inside at the end that are not marked are put on the surface. */
static void rest_rows(const mote_ColliderDef *s, const Range *r, const Planes *p)
{
    const mote_real mu = s->friction, dt = (mote_real)r->dt, rate = 1 / dt;
    const mote_Vec3 wall = s->velocity;
    const mote_real *d1 = p->end, *d0 = p->start;
    const mote_real *nx = p->normal[0], *ny = p->normal[1], *nz = p->normal[2];
    const mote_real *x0 = r->x0[0], *y0 = r->x0[1], *z0 = r->x0[2];
    mote_real *x1 = r->x[0], *y1 = r->x[1], *z1 = r->x[2];
    mote_real *vx = r->v[0], *vy = r->v[1], *vz = r->v[2];
    const uint32_t *marks = r->marks;
    FOR_ROWS (i, r->count) {
        bool inside = !(d1[i] >= 0) && marks[i] == 0;
        mote_Vec3 n = vec3(nx[i], ny[i], nz[i]);
        mote_Vec3 start = vec3(x0[i], y0[i], z0[i]), end = vec3(x1[i], y1[i], z1[i]);
        Touch mean = touch(vec3_scale(vec3_sub(end, start), rate), wall, n);
        mote_real closing = -d0[i] * rate; /* the normal velocity that just reaches the surface */
        mote_real stopped = positive((d0[i] > 0 ? closing : 0) - mean.vn);
        mote_real grip = friction_factor(mu * stopped, mean.speed);
        mote_Vec3 moved = vec3_madd(start, dt, reassemble(wall, closing, n, grip, mean.vt));
        mote_Vec3 v = vec3(vx[i], vy[i], vz[i]);
        Touch last = touch(v, wall, n);
        mote_real slide = friction_factor(mu * positive(-last.vn), last.speed);
        mote_Vec3 w = reassemble(wall, positive(last.vn), n, slide, last.vt);
        x1[i] = real_pick(inside, moved.x, end.x), vx[i] = real_pick(inside, w.x, v.x);
        y1[i] = real_pick(inside, moved.y, end.y), vy[i] = real_pick(inside, w.y, v.y);
        z1[i] = real_pick(inside, moved.z, end.z), vz[i] = real_pick(inside, w.z, v.z);
    }
}

static void subtract_radii(const Range *r, mote_real *distance)
{
    const mote_real *radius = column_real(&r->system->columns[COLUMN_RADIUS], 0) + r->first;
    FOR_ROWS (i, r->count) distance[i] -= radius[i];
}

static size_t count_marks(const Range *r)
{
    size_t marked = 0;
    for (size_t i = 0; i < r->count; ++i) marked += r->marks[i];
    return marked;
}

static void meet(const CollideInput *input, const Collider *collider, const Range *r)
{
    Planes p = {.end = r->collide, .start = r->collide + SCRATCH_STRIDE};
    for (int c = 0; c < 3; ++c) p.normal[c] = r->collide + (2 + c) * SCRATCH_STRIDE;
    collider->shape->distance(collider->object.params, r->count, r->x, p.end);
    collider->shape->distance(collider->object.params, r->count, r->x0, p.start);
    collider->shape->normal(collider->object.params, r->count, r->x, p.normal);
    if (!input->as_points) subtract_radii(r, p.end), subtract_radii(r, p.start);
    if (input->may_replay) bounce_rows(&collider->def, r, &p);
    rest_rows(&collider->def, r, &p);
}

static size_t resolve(const CollideInput *input, const Range *r, uint64_t *hits)
{
    const mote_real reach = input->as_points ? 0 : r->system->radius_max;
    bool touched = false;
    for (size_t c = 0; c < input->count; ++c) {
        const Collider *collider = input->colliders[c];
        if (!collider->shape->near(collider->object.params, r->count, r->x, reach)) continue;
        if (!touched)
            for (size_t i = 0; i < r->count; ++i) r->marks[i] = 0;
        touched = true;
        meet(input, collider, r);
    }
    size_t marked = touched ? count_marks(r) : 0;
    *hits += marked;
    return marked;
}

const CollideRow ISA(collide_contact) = {
    .head = {.name = "contact",
             .doc = "bounce with the velocity at the start of the step, then inelastic contact"},
    .needs_start = true,
    .resolve = resolve,
};
