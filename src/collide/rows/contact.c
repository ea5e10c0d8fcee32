/* Collision and contact told apart (Bridson's third algorithm), for a whole range of particles on
 * one plane that stands still. Everything else goes through row_resolve_contact, which says more
 * about the method. */
#include "base/loop.h"
#include "base/vec.h"
#include "collide/collide.h"

typedef struct ContactSurface {
    mote_real restitution, still, sliding;
    mote_Vec3 wall; /* velocity of its belt */
    mote_Vec3 normal;
    mote_real dt, lag;
} ContactSurface;

typedef struct Gaps {
    mote_real *end, *start; /* between the surfaces of plane and particle */
    mote_real *slack;       /* what rounding may do to them */
} Gaps;

static inline mote_real positive(mote_real x)
{
    return x > 0 ? x : 0;
}

/* Component of w along n. */
static inline mote_real along(mote_Vec3 w, mote_Vec3 n)
{
    return w.x * n.x + w.y * n.y + w.z * n.z;
}

/* A velocity relative to the wall. */
typedef struct ContactParts {
    mote_real vn;    /* normal part */
    mote_Vec3 vt;    /* tangential part */
    mote_real speed; /* |vt| */
} ContactParts;

static inline ContactParts parts(mote_Vec3 v, const ContactSurface *s)
{
    mote_Vec3 w = vec3_sub(v, s->wall);
    mote_real vn = along(w, s->normal);
    mote_Vec3 vt = vec3_madd(w, -vn, s->normal);
    return (ContactParts){vn, vt, vec3_length(vt)};
}

static inline mote_real grip(const ContactSurface *s, mote_real stopped, mote_real speed)
{
    return dry_factor(s->still, s->sliding, stopped, speed);
}

/* wall + vn n + factor vt */
static inline mote_Vec3 reassemble(const ContactSurface *s, mote_real vn, mote_real factor,
                                   mote_Vec3 vt)
{
    return vec3_madd(vec3_madd(s->wall, vn, s->normal), factor, vt);
}

/* Marks the rows that bounce: inside at the end, approaching at the start. v0 and not the mean
 * velocity decides (Bridson's third implementation): what rests has v0 = 0 before gravity acts, and
 * so does not bounce. */
static size_t find_bounces(const ContactSurface *s, const Range *r, const Gaps *g)
{
    const mote_real *d = g->end, *d0 = g->start, *slack = g->slack;
    const mote_real *vx = r->v0[0], *vy = r->v0[1], *vz = r->v0[2];
    uint32_t *marks = r->marks, count = 0;
    FOR_ROWS (i, r->count) {
        mote_Vec3 w = vec3_sub(vec3(vx[i], vy[i], vz[i]), s->wall);
        mote_real size = REAL_ABS(w.x) + REAL_ABS(w.y) + REAL_ABS(w.z);
        bool hit = !(d[i] >= -slack[i]) && along(w, s->normal) < -8 * REAL_EPSILON * size &&
                   d0[i] >= -slack[i];
        marks[i] = hit ? 1u : 0u;
        count += hit ? 1u : 0u;
    }
    return count;
}

/* Gives marked rows a new start velocity; then x1 += dt dv and v1 += one dv. */
INLINE void bounce_by(const ContactSurface *s, const Range *r, mote_real dt, mote_real one)
{
    const mote_real e = s->restitution;
    mote_real *vx = r->v0[0], *vy = r->v0[1], *vz = r->v0[2];
    mote_real *x1 = r->x[0], *y1 = r->x[1], *z1 = r->x[2];
    mote_real *u1 = r->v[0], *v1 = r->v[1], *w1 = r->v[2];
    const uint32_t *marks = r->marks;
    FOR_ROWS (i, r->count) {
        mote_Vec3 v = vec3(vx[i], vy[i], vz[i]), last = vec3(u1[i], v1[i], w1[i]);
        mote_Vec3 ahead = vec3_madd(v, s->lag, vec3_sub(last, v));
        ContactParts p = parts(ahead, s);
        mote_real factor = grip(s, -(1 + e) * p.vn, p.speed);
        mote_Vec3 w = vec3_sub(reassemble(s, -e * p.vn, factor, p.vt), ahead);
        bool hit = marks[i] != 0 && p.vn < 0;
        mote_Vec3 change =
            vec3(real_pick(hit, w.x, 0), real_pick(hit, w.y, 0), real_pick(hit, w.z, 0));
        vx[i] += change.x, vy[i] += change.y, vz[i] += change.z;
        x1[i] += dt * change.x, y1[i] += dt * change.y, z1[i] += dt * change.z;
        u1[i] += one * change.x, v1[i] += one * change.y, w1[i] += one * change.z;
    }
}

/* With `replay`, the end is what solving again would give under forces that are the same
 * everywhere. */
static void bounce_rows(const ContactSurface *s, const Range *r, bool replay)
{
    if (replay)
        bounce_by(s, r, s->dt, 1);
    else
        bounce_by(s, r, 0, 0);
}

/* Whether rows inside at the end are not marked. Looked for in parts: where all rest, the first row
 * is one. */
static bool any_rests(const Range *r, const Gaps *g)
{
    enum { PART = 32 };
    const mote_real *d = g->end, *slack = g->slack;
    const uint32_t *marks = r->marks;
    uint32_t inside = 0;
    for (size_t first = 0; first < r->count && inside == 0; first += PART) {
        const size_t left = r->count - first, count = left < PART ? left : PART;
        FOR_ROWS (i, count)
            inside |= !(d[first + i] >= -slack[first + i]) && marks[first + i] == 0 ? 1u : 0u;
    }
    return inside != 0;
}

/* Contact: rows inside at the end that are not marked are put on the surface. Inelastic contact
 * over the whole step: dv_N just reaches the surface, and friction takes of the mean velocity along
 * it. */
static size_t rest_rows(const ContactSurface *s, const Range *r, const Gaps *g)
{
    const mote_real dt = s->dt, rate = 1 / dt;
    const mote_real *d1 = g->end, *d0 = g->start, *slack = g->slack;
    const mote_real *x0 = r->x0[0], *y0 = r->x0[1], *z0 = r->x0[2];
    mote_real *x1 = r->x[0], *y1 = r->x[1], *z1 = r->x[2];
    mote_real *vx = r->v[0], *vy = r->v[1], *vz = r->v[2];
    const uint32_t *marks = r->marks;
    uint32_t deep = 0;
    FOR_ROWS (i, r->count) {
        bool inside = !(d1[i] >= -slack[i]) && marks[i] == 0;
        mote_Vec3 start = vec3(x0[i], y0[i], z0[i]), end = vec3(x1[i], y1[i], z1[i]);
        ContactParts mean = parts(vec3_scale(vec3_sub(end, start), rate), s);
        bool touches = d0[i] <= slack[i] && d0[i] >= -slack[i] / 2;
        mote_real closing = touches ? 0 : -d0[i] * rate; /* just reaches the surface */
        mote_real stopped = positive((d0[i] > 0 ? closing : 0) - mean.vn);
        mote_Vec3 moved =
            vec3_madd(start, dt, reassemble(s, closing, grip(s, stopped, mean.speed), mean.vt));
        mote_Vec3 v = vec3(vx[i], vy[i], vz[i]);
        ContactParts last = parts(v, s);
        mote_real slide = grip(s, positive(-last.vn), last.speed);
        mote_Vec3 w = reassemble(s, positive(last.vn), slide, last.vt);
        x1[i] = real_pick(inside, moved.x, end.x), vx[i] = real_pick(inside, w.x, v.x);
        y1[i] = real_pick(inside, moved.y, end.y), vy[i] = real_pick(inside, w.y, v.y);
        z1[i] = real_pick(inside, moved.z, end.z), vz[i] = real_pick(inside, w.z, v.z);
        deep += inside && d0[i] < -16 * slack[i] ? 1u : 0u; /* not by rounding */
    }
    return deep;
}

static void measure_gaps(const CollideInput *input, const Collider *plane, const Range *r,
                         const Gaps *g)
{
    const mote_real *radius = column_real(&r->system->columns[COLUMN_RADIUS], 0) + r->first;
    const mote_real scale = input->def->as_points ? 0 : 1;
    const mote_real *x = r->x0[0], *y = r->x0[1], *z = r->x0[2];
    mote_real *end = g->end, *start = g->start, *slack = g->slack;
    plane->shape->distance(plane->object.params, r->count, r->x, end);
    plane->shape->distance(plane->object.params, r->count, r->x0, start);
    FOR_ROWS (i, r->count) {
        mote_real own = scale * radius[i];
        end[i] -= own, start[i] -= own;
        slack[i] = 4 * REAL_EPSILON * (REAL_ABS(x[i]) + REAL_ABS(y[i]) + REAL_ABS(z[i]) + own);
    }
}

static ContactSurface surface_of(const CollideInput *input, const Collider *plane, const Range *r)
{
    const mote_DryFriction *dry = &plane->friction_params.dry;
    const mote_Vec3 n = shape_form(plane->shape, plane->object.params).normal;
    const mote_Vec3 belt = plane->def.velocity;
    return (ContactSurface){plane->def.restitution,
                            dry_still(dry),
                            dry_sliding(dry),
                            vec3_madd(belt, -vec3_dot(belt, n), n),
                            n,
                            (mote_real)r->dt,
                            (mote_real)input->lag};
}

static void clear_marks(const Range *r)
{
    for (size_t i = 0; i < r->count; ++i) r->marks[i] = 0;
}

static void keep(const Range *r, mote_real *const from[3], mote_real *const to[3])
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *v = from[c];
        mote_real *out = to[c];
        FOR_ROWS (i, r->count) out[i] = v[i];
    }
}

/* For those who want to know: velocities that changed from `before`. */
static void note_rows(const CollideInput *input, const Collider *plane, const ContactSurface *s,
                      const Range *r, mote_real *const before[3], mote_real *const now[3])
{
    const mote_real lag = now == r->v0 ? s->lag : 0;
    for (size_t i = 0; i < r->count; ++i) {
        mote_Vec3 old = vec3(before[0][i], before[1][i], before[2][i]);
        mote_Vec3 v = vec3(now[0][i], now[1][i], now[2][i]);
        if (v.x == old.x && v.y == old.y && v.z == old.z) continue;
        mote_Vec3 end = vec3(r->v[0][i], r->v[1][i], r->v[2][i]);
        mote_Vec3 ahead = vec3_scale(vec3_sub(end, old), lag);
        RowCase row = {.touched = &input->touched[r->first + i]};
        Impact impact = {.collider = plane, .centre = vec3(r->x[0][i], r->x[1][i], r->x[2][i])};
        row_note(&row, &impact, vec3_add(old, ahead), vec3_add(v, ahead), s->wall);
    }
}

static void note_hits(const CollideInput *input, const Range *r)
{
    for (size_t i = 0; i < r->count; ++i)
        if (r->marks[i] != 0) input->touched[r->first + i].hit = true;
}

/* Bounces; the number of rows to be solved again. */
static size_t bounce(const CollideInput *input, const Collider *plane, const ContactSurface *s,
                     const Range *r, const Gaps *g)
{
    size_t hits = find_bounces(s, r, g);
    if (hits > 0 && input->touched != NULL) note_hits(input, r);
    if (hits == 0 || s->restitution == 0) {
        clear_marks(r);
        return hits;
    }
    bounce_rows(s, r, !input->solves_again);
    if (input->solves_again) return hits;
    measure_gaps(input, plane, r, g);
    clear_marks(r);
    return hits;
}

static size_t count_marks(const Range *r)
{
    size_t marked = 0;
    for (size_t i = 0; i < r->count; ++i) marked += r->marks[i];
    return marked;
}

static size_t on_plane(const CollideInput *input, const Collider *plane, const Range *r,
                       CollideTally *tally)
{
    const ContactSurface s = surface_of(input, plane, r);
    Gaps g = {r->collide, r->collide + SCRATCH_STRIDE, r->collide + 2 * SCRATCH_STRIDE};
    mote_real *v0[3], *v1[3];
    for (int c = 0; c < 3; ++c) {
        v0[c] = r->collide + (3 + c) * SCRATCH_STRIDE;
        v1[c] = r->collide + (6 + c) * SCRATCH_STRIDE;
    }
    if (input->touched != NULL) keep(r, r->v0, v0), keep(r, r->v, v1);
    measure_gaps(input, plane, r, &g);
    size_t hits = 0;
    if (input->may_bounce)
        hits = bounce(input, plane, &s, r, &g);
    else
        clear_marks(r);
    tally->hits += hits;
    if (input->touched != NULL && input->solves_again) note_rows(input, plane, &s, r, v0, r->v0);
    if (any_rests(r, &g)) tally->inside += rest_rows(&s, r, &g);
    if (input->touched != NULL) note_rows(input, plane, &s, r, v1, r->v);
    return hits > 0 && input->solves_again ? count_marks(r) : 0;
}

const CollideRow ISA(collide_contact) = {
    .head = ROW_PLAIN("contact",
                      "bounce with the velocity at the start of the step, then inelastic contact "
                      "(Bridson's third algorithm)"),
    .needs_start = true,
    .keeps_out = true,
    .resolve = row_resolve_contact,
    .by_walls = true,
    .on_plane = on_plane,
};
