/* Sweep and response of many rows against one convex collider that does not turn.
 *
 * Newton's method on the gap (geometry/convex_cast.h) runs in all lanes until the last has arrived.
 * The plane that touches the collider where a row meets it takes the collider's place: a way that
 * ends in front of it is free, because the collider lies behind it. Bounce and contact are those of
 * row_resolve_contact with one plane (contact.c says more). */
#include "collide/wall_rows.h"
#include "base/loop.h"
#include "collide/collide.h"

enum { CAST_STEPS = 12, LANES = 8 };

/* While a row is on its way, beside the states of a batch. */
enum { ON_ITS_WAY = 8, ARRIVED = 9 };

static void vector_planes(WallBatch *b, int plane, mote_real *out[3])
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

/* ---- the ways ---- */

static void gather_plane(const WallBatch *b, const mote_real *from, mote_real *to)
{
    const uint8_t *rows = b->rows;
    for (size_t k = 0; k < b->padded; ++k) to[k] = from[rows[k]];
}

static void gather(const WallTask *task, WallBatch *b)
{
    const Range *r = task->r;
    const mote_real *radius = column_real(&r->system->columns[COLUMN_RADIUS], 0) + r->first;
    mote_real *const *sources[4] = {r->x0, r->v0, r->x, r->v};
    b->padded = (b->count + LANES - 1) / LANES * LANES;
    for (size_t k = b->count; k < b->padded; ++k) b->rows[k] = b->rows[b->count - 1];
    for (int s = 0; s < 4; ++s)
        for (int c = 0; c < 3; ++c) gather_plane(b, sources[s][c], b->planes[WALL_X0 + 3 * s + c]);
    gather_plane(b, radius, b->planes[WALL_RADIUS]);
    for (size_t k = 0; k < b->padded && task->as_points; ++k) b->planes[WALL_RADIUS][k] = 0;
}

static void into_frame(const WallTask *task, mote_real time, size_t count, mote_real *const x[3],
                       mote_real *const own[3])
{
    const mote_Pose pose = wall_pose(task->wall, time);
    pose_points_in(&pose, count, x, own);
}

static void set_ways(const WallTask *task, WallBatch *b)
{
    const size_t count = b->padded;
    const mote_real placed = 8 * REAL_EPSILON;
    const mote_real first = placed * largest(wall_pose(task->wall, task->start).position);
    const mote_real last = placed * largest(wall_pose(task->wall, task->end).position);
    mote_real *x0[3], *x1[3], *from[3], *along[3];
    mote_real *radius = b->planes[WALL_RADIUS], *slack = b->planes[WALL_SLACK];
    mote_real *both = b->planes[WALL_BOTH];
    vector_planes(b, WALL_X0, x0), vector_planes(b, WALL_X1, x1);
    vector_planes(b, WALL_FROM, from), vector_planes(b, WALL_ALONG, along);
    into_frame(task, task->start, b->padded, x0, from);
    into_frame(task, task->end, b->padded, x1, along);
    FOR_ROWS (i, count) {
        put(along, i, vec3_sub(get(along, i), get(from, i)));
        slack[i] = placed * (largest(get(x0, i)) + radius[i]) + first;
        both[i] = slack[i] + placed * (largest(get(x1, i)) + radius[i]) + last;
    }
}

/* ---- the sweep ---- */

/* The first look: rows that touch are decided here. */
static void start_cast(WallBatch *b)
{
    const size_t count = b->padded;
    const mote_real *gap = b->planes[WALL_GAP], *slack = b->planes[WALL_SLACK];
    const mote_real *both = b->planes[WALL_BOTH];
    mote_real *along[3], *normal[3];
    uint32_t *state = b->state;
    vector_planes(b, WALL_ALONG, along), vector_planes(b, WALL_NORMAL, normal);
    FOR_ROWS (i, count) {
        mote_real slope = vec3_dot(get(normal, i), get(along, i));
        bool touches = !(gap[i] > slack[i]), deep = !(gap[i] >= -slack[i]);
        uint32_t touching = slope < -both[i] ? ARRIVED : WALL_MISSED;
        touching = deep ? WALL_OPEN : touching;
        state[i] = touches ? touching : ON_ITS_WAY;
    }
}

/* One step of Newton's method; how many rows are still on their way. */
static uint32_t step_cast(WallBatch *b)
{
    const size_t count = b->padded;
    const mote_real *gap = b->planes[WALL_GAP], *radius = b->planes[WALL_RADIUS];
    mote_real *share = b->planes[WALL_SHARE];
    mote_real *along[3], *normal[3], *place[3];
    uint32_t *state = b->state, left = 0;
    vector_planes(b, WALL_ALONG, along), vector_planes(b, WALL_NORMAL, normal);
    vector_planes(b, WALL_PLACE, place);
    FOR_ROWS (i, count) {
        mote_real slope = vec3_dot(get(normal, i), get(along, i)), t = share[i];
        mote_real close = 4 * REAL_EPSILON * (size_of(get(place, i)) + radius[i]);
        mote_real next = t - gap[i] / slope;
        bool touches = !(gap[i] > close), leaves = !(slope < 0);
        bool arrived = touches || (!leaves && !(next > t));
        uint32_t now = arrived ? ARRIVED : leaves || next > 1 ? WALL_MISSED : ON_ITS_WAY;
        now = state[i] == ON_ITS_WAY ? now : state[i];
        state[i] = now;
        share[i] = real_pick(now == ON_ITS_WAY, next, t);
        left += now == ON_ITS_WAY ? 1u : 0u;
    }
    return left;
}

/* Gap and normal where the rows are. */
static void look(const WallTask *task, WallBatch *b)
{
    const size_t count = b->padded;
    const Collider *c = task->wall;
    const mote_real *share = b->planes[WALL_SHARE], *radius = b->planes[WALL_RADIUS];
    mote_real *gap = b->planes[WALL_GAP];
    mote_real *from[3], *along[3], *place[3], *normal[3];
    vector_planes(b, WALL_FROM, from), vector_planes(b, WALL_ALONG, along);
    vector_planes(b, WALL_PLACE, place), vector_planes(b, WALL_NORMAL, normal);
    FOR_ROWS (i, count) put(place, i, vec3_madd(get(from, i), share[i], get(along, i)));
    c->shape->at(c->object.params, b->padded, place, gap, normal);
    FOR_ROWS (i, count) gap[i] -= radius[i];
}

/* A way that ends on the surface has not entered. How many rows have not missed. */
static uint32_t end_cast(WallBatch *b)
{
    const size_t count = b->padded;
    const mote_real *share = b->planes[WALL_SHARE], *both = b->planes[WALL_BOTH];
    mote_real *along[3], *normal[3];
    uint32_t *state = b->state, others = 0;
    vector_planes(b, WALL_ALONG, along), vector_planes(b, WALL_NORMAL, normal);
    FOR_ROWS (i, count) {
        mote_real depth = -vec3_dot(get(normal, i), get(along, i)) * (1 - share[i]);
        uint32_t now = state[i], deeper = depth > both[i] ? 1u : 0u;
        uint32_t ends = (now == ARRIVED ? 1u : 0u) & (1u - deeper);
        uint32_t grazes = now == ON_ITS_WAY ? 1u : 0u;
        now = now * (1u - ends) - grazes * (ON_ITS_WAY - WALL_OPEN); /* WALL_MISSED is 0 */
        state[i] = now;
        others += now > 0 ? 1u : 0u;
    }
    return others;
}

static uint32_t cast(const WallTask *task, WallBatch *b)
{
    mote_real *share = b->planes[WALL_SHARE];
    for (size_t i = 0; i < b->padded; ++i) share[i] = 0;
    look(task, b);
    start_cast(b);
    for (int k = 0; k < CAST_STEPS && step_cast(b) > 0; ++k) look(task, b);
    return end_cast(b);
}

/* ---- the response ---- */

typedef struct Surface {
    mote_Vec3 linear, belt; /* m/s */
    mote_real restitution, still, sliding;
    mote_real dt;
    mote_Vec3 shift; /* of the collider in the piece of time, m */
    bool bounces, again;
} Surface;

static Surface surface_of(const WallTask *task)
{
    const Collider *c = task->wall;
    const mote_DryFriction *dry = &c->friction_params.dry;
    const mote_Vec3 still = {0, 0, 0};
    return (Surface){.linear = c->moves ? c->linear : still,
                     .belt = pose_rotate(&c->pose, c->def.velocity),
                     .restitution = c->def.restitution,
                     .still = dry_still(dry),
                     .sliding = dry_sliding(dry),
                     .dt = task->dt,
                     .shift = vec3_scale(c->change.linear, task->end - task->start),
                     .bounces = task->may_bounce && c->def.restitution > 0,
                     .again = task->solves_again};
}

/* A row at the wall: where they meet, and what it has become. */
typedef struct Meeting {
    mote_Vec3 n, centre, anchor; /* the anchor: the meeting place at the end of the step */
    mote_Vec3 wall, belt;        /* m/s */
    mote_real left;              /* share of the way behind the meeting */
} Meeting;

typedef struct Motion {
    mote_Vec3 x, v;
} Motion;

static inline Meeting meeting_of(const Surface *s, mote_Vec3 x0, mote_Vec3 x1, mote_Vec3 n,
                                 mote_real share, mote_real gap, mote_real slack)
{
    Meeting m = {.n = n, .left = 1 - share};
    m.belt = vec3_madd(s->belt, -vec3_dot(s->belt, n), n);
    m.wall = vec3_add(s->linear, m.belt);
    m.centre = vec3_madd(x0, share, vec3_sub(x1, x0));
    mote_real lift = share > 0 ? (gap < 0 ? -gap : 0) : 0;
    m.centre = vec3_madd(m.centre, lift, n);
    m.anchor = vec3_madd(m.centre, m.left, s->shift);
    mote_real deep = share > 0 || !(gap < -slack / 2) ? 0 : -gap;
    m.anchor = vec3_madd(m.anchor, deep, n);
    return m;
}

static inline mote_real grip(const Surface *s, mote_real stopped, mote_real speed)
{
    return dry_factor(s->still, s->sliding, stopped, speed);
}

static inline bool approaches(const Meeting *m, mote_Vec3 v)
{
    mote_Vec3 relative = vec3_sub(v, m->wall);
    return vec3_dot(relative, m->n) < -8 * REAL_EPSILON * size_of(relative);
}

static inline mote_Vec3 reflected(const Surface *s, const Meeting *m, mote_Vec3 v)
{
    mote_Vec3 relative = vec3_sub(v, m->wall);
    mote_real vn = vec3_dot(relative, m->n), e = s->restitution;
    mote_Vec3 across = vec3_madd(relative, -vn, m->n);
    mote_real factor = grip(s, -(1 + e) * vn, vec3_length(across));
    return vec3_madd(vec3_madd(m->wall, -e * vn, m->n), factor, across);
}

/* Contact: just to the surface, sliding from the anchor against friction. `push` is how far the
 * wish lies behind the surface. */
static inline Motion held(const Surface *s, const Meeting *m, mote_Vec3 wish, mote_Vec3 v,
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
    return (Motion){vec3_madd(anchor, factor, slid), pick(vn < 0, stopped, v)};
}

static void respond(const WallTask *task, WallBatch *b)
{
    const size_t count = b->padded;
    const Surface s = surface_of(task);
    const mote_real *share = b->planes[WALL_SHARE], *gap = b->planes[WALL_GAP];
    const mote_real *slack = b->planes[WALL_SLACK];
    mote_real *x0[3], *v0[3], *x1[3], *v1[3], *place[3], *normal[3];
    uint32_t *state = b->state;
    uint32_t *arrives = b->arrives;
    vector_planes(b, WALL_X0, x0), vector_planes(b, WALL_V0, v0);
    vector_planes(b, WALL_X1, x1), vector_planes(b, WALL_V1, v1);
    vector_planes(b, WALL_PLACE, place), vector_planes(b, WALL_NORMAL, normal);
    FOR_ROWS (i, count) {
        mote_Vec3 wish = get(x1, i), w = get(v1, i), v = get(v0, i);
        Meeting m = meeting_of(&s, get(x0, i), wish, get(normal, i), share[i], gap[i], slack[i]);
        bool met = state[i] == ARRIVED, comes = approaches(&m, v);
        bool bounces = met & comes & s.bounces;
        mote_Vec3 after = reflected(&s, &m, v), change = vec3_sub(after, v);
        mote_real push = vec3_dot(m.n, vec3_sub(m.anchor, wish));
        Motion contact = held(&s, &m, wish, w, push);
        mote_Vec3 x = vec3_madd(wish, s.dt, change);
        bool clear = s.again || vec3_dot(m.n, vec3_sub(x, m.anchor)) >= 0;
        uint32_t bounced = clear ? WALL_BOUNCED : WALL_OPEN;
        uint32_t kept = push > slack[i] ? WALL_HELD : WALL_OPEN;
        uint32_t now = bounces ? bounced : kept;
        bool holds = met & !bounces;
        state[i] = met ? now : state[i];
        arrives[i] = comes ? 1u : 0u;
        put(place, i, m.centre);
        put(v0, i, pick(bounces, after, v));
        put(x1, i, pick(holds, contact.x, pick(bounces, x, wish)));
        put(v1, i, pick(holds, contact.v, pick(bounces, vec3_add(w, change), w)));
    }
}

/* ---- proofs ---- */

/* Rows that are inside after all, by rounding, are opened again. */
static void prove(const WallTask *task, WallBatch *b)
{
    const size_t count = b->padded;
    const Collider *c = task->wall;
    const mote_real *radius = b->planes[WALL_RADIUS], *both = b->planes[WALL_BOTH];
    mote_real *gap = b->planes[WALL_GAP];
    mote_real *x1[3], *own[3];
    uint32_t *state = b->state;
    vector_planes(b, WALL_X1, x1), vector_planes(b, WALL_ALONG, own);
    into_frame(task, task->end, b->padded, x1, own);
    c->shape->distance(c->object.params, b->padded, own, gap);
    const mote_real placed = 8 * REAL_EPSILON * largest(c->pose.position);
    FOR_ROWS (i, count) {
        mote_real slack = 8 * REAL_EPSILON * (largest(get(x1, i)) + radius[i]) + placed;
        slack = slack < both[i] ? slack : both[i];
        bool outside = gap[i] - radius[i] >= -slack;
        state[i] = state[i] == WALL_MISSED || outside ? state[i] : WALL_OPEN;
    }
}

bool ISA(wall_rows_meet)(const WallTask *task, WallBatch *b)
{
    const Collider *c = task->wall;
    mote_real *normal[3];
    gather(task, b);
    set_ways(task, b);
    if (cast(task, b) == 0) return false;
    vector_planes(b, WALL_NORMAL, normal);
    if (c->posed) pose_directions_out(&c->pose, b->padded, normal);
    respond(task, b);
    if (!task->solves_again) prove(task, b);
    return true;
}
