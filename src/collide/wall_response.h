/* Bounce and contact of many rows at one wall, lane beside lane: what row_resolve_contact does with
 * one plane (contact.c says more). For files that are compiled per instruction set. */
#ifndef COLLIDE_WALL_RESPONSE_H
#define COLLIDE_WALL_RESPONSE_H

#include "base/loop.h"
#include "collide/wall_rows.h"

/* While a row is on its way, beside the states of a batch. */
enum { ON_ITS_WAY = 8, ARRIVED = 9 };

/* ---- planes of a batch ---- */

enum { LANES = 8 };

/* All rows, in words that tell compilers that no lane is left over. */
static inline size_t whole_lanes(const WallBatch *b)
{
    return b->padded & ~(size_t)(LANES - 1);
}

static inline void vector_planes(WallBatch *b, int plane, mote_real *out[3])
{
    for (int c = 0; c < 3; ++c) out[c] = b->planes[plane + c];
}

static inline void put(mote_real *const planes[3], size_t i, mote_Vec3 a)
{
    planes[0][i] = a.x, planes[1][i] = a.y, planes[2][i] = a.z;
}

static inline mote_Vec3 get(mote_real *const planes[3], size_t i)
{
    return vec3(planes[0][i], planes[1][i], planes[2][i]);
}

static inline mote_Vec3 pick(bool chosen, mote_Vec3 a, mote_Vec3 b)
{
    return vec3(real_pick(chosen, a.x, b.x), real_pick(chosen, a.y, b.y),
                real_pick(chosen, a.z, b.z));
}

static inline mote_real largest(mote_Vec3 a)
{
    mote_real x = REAL_ABS(a.x), y = REAL_ABS(a.y), z = REAL_ABS(a.z);
    x = x > y ? x : y;
    return x > z ? x : z;
}

static inline mote_real size_of(mote_Vec3 a)
{
    return REAL_ABS(a.x) + REAL_ABS(a.y) + REAL_ABS(a.z);
}

/* ---- one row ---- */

typedef struct WallSurface {
    mote_Vec3 linear, belt; /* m/s */
    mote_real restitution, still, sliding;
    mote_real dt, lag;
    mote_Vec3 shift; /* of the collider in the piece of time, m */
    bool bounces, again;
} WallSurface;

static WallSurface surface_of(const WallTask *task)
{
    const Collider *c = task->wall;
    const mote_DryFriction *dry = &c->friction_params.dry;
    const mote_Vec3 still = {0, 0, 0};
    return (WallSurface){.linear = c->moves ? c->linear : still,
                         .belt = pose_rotate(&c->pose, c->def.velocity),
                         .restitution = c->def.restitution,
                         .still = dry_still(dry),
                         .sliding = dry_sliding(dry),
                         .dt = task->dt,
                         .lag = task->lag,
                         .shift = vec3_scale(c->change.linear, task->end - task->start),
                         .bounces = task->may_bounce && c->def.restitution > 0,
                         .again = task->solves_again};
}

/* A row at the wall: where they meet, and what it has become. */
typedef struct Meeting {
    mote_Vec3 n, anchor;  /* the anchor: the meeting place at the end of the step */
    mote_Vec3 wall, belt; /* m/s */
    mote_real left;       /* share of the way behind the meeting */
} Meeting;

typedef struct WallMotion {
    mote_Vec3 x, v;
} WallMotion;

static inline Meeting meeting_of(const WallSurface *s, mote_Vec3 n, mote_Vec3 anchor,
                                 mote_real share)
{
    Meeting m = {.n = n, .anchor = anchor, .left = 1 - share};
    m.belt = vec3_madd(s->belt, -vec3_dot(s->belt, n), n);
    m.wall = vec3_add(s->linear, m.belt);
    return m;
}

static inline mote_real grip(const WallSurface *s, mote_real stopped, mote_real speed)
{
    return dry_factor(s->still, s->sliding, stopped, speed);
}

static inline bool approaches(const Meeting *m, mote_Vec3 v)
{
    mote_Vec3 relative = vec3_sub(v, m->wall);
    return vec3_dot(relative, m->n) < -8 * REAL_EPSILON * size_of(relative);
}

static inline mote_Vec3 reflected(const WallSurface *s, const Meeting *m, mote_Vec3 v)
{
    mote_Vec3 relative = vec3_sub(v, m->wall);
    mote_real vn = vec3_dot(relative, m->n), e = s->restitution;
    mote_Vec3 across = vec3_madd(relative, -vn, m->n);
    mote_real factor = grip(s, -(1 + e) * vn, vec3_length(across));
    mote_Vec3 after = vec3_madd(vec3_madd(m->wall, -e * vn, m->n), factor, across);
    return pick(vn < 0, after, v);
}

/* Contact: just to the surface, sliding from the anchor against friction. `push` is how far the
 * wish lies behind the surface. */
static inline WallMotion held(const WallSurface *s, const Meeting *m, mote_Vec3 wish, mote_Vec3 v,
                              mote_real push)
{
    mote_real left = m->left > (mote_real)1e-3 ? m->left : (mote_real)1e-3;
    mote_real time = s->dt * left, rate = 1 / time;
    mote_Vec3 anchor = vec3_madd(m->anchor, time, m->belt);
    mote_Vec3 slid = vec3_sub(vec3_madd(wish, push, m->n), anchor);
    slid = vec3_madd(slid, -vec3_dot(slid, m->n), m->n);
    mote_real factor = grip(s, push * rate, vec3_length(slid) * rate);
    mote_Vec3 relative = vec3_sub(v, m->wall);
    mote_real vn = vec3_dot(relative, m->n);
    mote_Vec3 across = vec3_madd(relative, -vn, m->n);
    mote_Vec3 stopped = vec3_madd(m->wall, grip(s, -vn, vec3_length(across)), across);
    return (WallMotion){vec3_madd(anchor, factor, slid), pick(vn < 0, stopped, v)};
}

/* ---- all rows ---- */

/* How many rows do what. */
typedef struct Doings {
    uint32_t bounces, holds;
} Doings;

/* Where the rows meet the wall, where that place is at the end of the step (the anchor), and
 * whether they bounce. */
static Doings find_places(const WallSurface *s, WallBatch *b)
{
    const size_t count = whole_lanes(b);
    const mote_real *share = b->planes[WALL_SHARE], *gap = b->planes[WALL_GAP];
    const mote_real *slack = b->planes[WALL_SLACK];
    mote_real *x0[3], *v0[3], *x1[3], *place[3], *normal[3], *anchors[3];
    uint32_t *state = b->state, *arrives = b->arrives, bounces = 0, met = 0;
    const uint32_t bounce = s->bounces ? 1 : 0;
    vector_planes(b, WALL_X0, x0), vector_planes(b, WALL_V0, v0), vector_planes(b, WALL_X1, x1);
    vector_planes(b, WALL_PLACE, place), vector_planes(b, WALL_NORMAL, normal);
    vector_planes(b, WALL_ANCHOR, anchors);
    FOR_ROWS (i, count) {
        mote_Vec3 n = get(normal, i), start = get(x0, i);
        mote_Vec3 centre = vec3_madd(start, share[i], vec3_sub(get(x1, i), start));
        mote_real lift = share[i] > 0 ? (gap[i] < 0 ? -gap[i] : 0) : 0;
        centre = vec3_madd(centre, lift, n);
        mote_Vec3 anchor = vec3_madd(centre, 1 - share[i], s->shift);
        mote_real deep = share[i] > 0 || !(gap[i] < -slack[i] / 2) ? 0 : -gap[i];
        anchor = vec3_madd(anchor, deep, n);
        Meeting m = meeting_of(s, n, anchor, share[i]);
        uint32_t comes = approaches(&m, get(v0, i)) ? 1 : 0, here = state[i] == ARRIVED ? 1 : 0;
        arrives[i] = comes;
        met += here;
        bounces += here & comes & bounce;
        put(place, i, centre);
        put(anchors, i, anchor);
    }
    return (Doings){bounces, met - bounces};
}

static void bounce_rows(const WallSurface *s, WallBatch *b)
{
    const size_t count = whole_lanes(b);
    const mote_real *share = b->planes[WALL_SHARE];
    mote_real *v0[3], *x1[3], *v1[3], *normal[3], *anchors[3];
    uint32_t *state = b->state;
    const uint32_t *arrives = b->arrives;
    vector_planes(b, WALL_V0, v0), vector_planes(b, WALL_X1, x1), vector_planes(b, WALL_V1, v1);
    vector_planes(b, WALL_NORMAL, normal), vector_planes(b, WALL_ANCHOR, anchors);
    FOR_ROWS (i, count) {
        Meeting m = meeting_of(s, get(normal, i), get(anchors, i), share[i]);
        mote_Vec3 wish = get(x1, i), w = get(v1, i), v = get(v0, i);
        bool bounces = state[i] == ARRIVED && arrives[i] != 0;
        mote_Vec3 before = vec3_madd(v, s->lag, vec3_sub(w, v));
        mote_Vec3 change = vec3_sub(reflected(s, &m, before), before);
        mote_Vec3 after = vec3_add(v, change), x = vec3_madd(wish, s->dt, change);
        bool clear = s->again || vec3_dot(m.n, vec3_sub(x, m.anchor)) >= 0;
        uint32_t now = clear ? WALL_BOUNCED : WALL_OPEN;
        state[i] = bounces ? now : state[i];
        put(v0, i, pick(bounces, after, v));
        put(x1, i, pick(bounces, x, wish));
        put(v1, i, pick(bounces, vec3_add(w, change), w));
    }
}

/* All that have arrived and did not bounce. */
static void hold_rows(const WallSurface *s, WallBatch *b)
{
    const size_t count = whole_lanes(b);
    const mote_real *share = b->planes[WALL_SHARE], *slack = b->planes[WALL_SLACK];
    mote_real *x1[3], *v1[3], *normal[3], *anchors[3];
    uint32_t *state = b->state;
    vector_planes(b, WALL_X1, x1), vector_planes(b, WALL_V1, v1);
    vector_planes(b, WALL_NORMAL, normal), vector_planes(b, WALL_ANCHOR, anchors);
    FOR_ROWS (i, count) {
        Meeting m = meeting_of(s, get(normal, i), get(anchors, i), share[i]);
        mote_Vec3 wish = get(x1, i), w = get(v1, i);
        bool holds = state[i] == ARRIVED;
        mote_real push = vec3_dot(m.n, vec3_sub(m.anchor, wish));
        WallMotion contact = held(s, &m, wish, w, push);
        uint32_t now = push > slack[i] ? WALL_HELD : WALL_OPEN;
        state[i] = holds ? now : state[i];
        put(x1, i, pick(holds, contact.x, wish));
        put(v1, i, pick(holds, contact.v, w));
    }
}

static void respond(const WallTask *task, WallBatch *b)
{
    const WallSurface s = surface_of(task);
    const Doings doings = find_places(&s, b);
    if (doings.bounces > 0) bounce_rows(&s, b);
    if (doings.holds > 0) hold_rows(&s, b);
}

#endif
