/* Sweep and response of many rows against one convex collider that does not turn.
 *
 * Newton's method on the gap (geometry/convex_cast.h) runs in all lanes until the last has arrived.
 * The plane that touches the collider where a row meets it takes the collider's place: a way that
 * ends in front of it is free, because the collider lies behind it. Bounce and contact are those of
 * row_resolve_contact with one plane (contact.c says more). */
#include "base/lanes.h"
#include "collide/wall_response.h"

enum { CAST_STEPS = 12 };

/* ---- the ways ---- */

/* Eight rows of so many planes; the numbers of the rows stay in registers. */
static inline void gather_eight(const uint8_t *rows, const mote_real *const *from, int planes,
                                mote_real *to)
{
    const size_t a = rows[0], b = rows[1], c = rows[2], d = rows[3];
    const size_t e = rows[4], f = rows[5], g = rows[6], h = rows[7];
    for (int p = 0; p < planes; ++p, to += SCRATCH_STRIDE) {
        const mote_real *x = from[p];
        eight_store(to, (Eight){x[a], x[b], x[c], x[d], x[e], x[f], x[g], x[h]});
    }
}

static void gather_vectors(mote_real *const x[3], int plane, WallBatch *b)
{
    const mote_real *const from[3] = {x[0], x[1], x[2]};
    for (size_t k = 0; k < b->padded; k += LANES)
        gather_eight(b->rows + k, from, 3, b->planes[plane] + k);
}

/* Velocities are asked for when something was met. */
static void gather_ways(const WallTask *task, WallBatch *b)
{
    const Range *r = task->r;
    const mote_real *radius = column_real(&r->system->columns[COLUMN_RADIUS], 0) + r->first;
    b->padded = (b->count + LANES - 1) / LANES * LANES;
    for (size_t k = b->count; k < b->padded; ++k) b->rows[k] = b->rows[b->count - 1];
    gather_vectors(r->x0, WALL_X0, b), gather_vectors(r->x, WALL_X1, b);
    for (size_t k = 0; k < b->padded; k += LANES)
        gather_eight(b->rows + k, &radius, 1, b->planes[WALL_RADIUS] + k);
    for (size_t k = 0; k < b->padded && task->as_points; ++k) b->planes[WALL_RADIUS][k] = 0;
}

static void set_ways(const WallTask *task, WallBatch *b)
{
    const size_t count = whole_lanes(b);
    const mote_real placed = 8 * REAL_EPSILON;
    const mote_Pose start = wall_pose(task->wall, task->start),
                    end = wall_pose(task->wall, task->end);
    const mote_real first = placed * largest(start.position), last = placed * largest(end.position);
    mote_real *x0[3], *x1[3], *from[3], *along[3];
    mote_real *radius = b->planes[WALL_RADIUS], *slack = b->planes[WALL_SLACK];
    mote_real *both = b->planes[WALL_BOTH];
    vector_planes(b, WALL_X0, x0), vector_planes(b, WALL_X1, x1);
    vector_planes(b, WALL_FROM, from), vector_planes(b, WALL_ALONG, along);
    pose_points_in(&start, count, x0, from);
    pose_points_in(&end, count, x1, along);
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
    const size_t count = whole_lanes(b);
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
    const size_t count = whole_lanes(b);
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
    const size_t count = whole_lanes(b);
    const Collider *c = task->wall;
    const mote_real *share = b->planes[WALL_SHARE], *radius = b->planes[WALL_RADIUS];
    mote_real *gap = b->planes[WALL_GAP];
    mote_real *from[3], *along[3], *place[3], *normal[3];
    vector_planes(b, WALL_FROM, from), vector_planes(b, WALL_ALONG, along);
    vector_planes(b, WALL_PLACE, place), vector_planes(b, WALL_NORMAL, normal);
    FOR_ROWS (i, count) put(place, i, vec3_madd(get(from, i), share[i], get(along, i)));
    c->shape->at(c->object.params, count, place, gap, normal);
    FOR_ROWS (i, count) gap[i] -= radius[i];
}

/* A way that ends on the surface has not entered. How many rows have not missed. */
static uint32_t end_cast(WallBatch *b)
{
    const size_t count = whole_lanes(b);
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

/* ---- proofs ---- */

/* Rows that are inside after all, by rounding, are opened again. */
static void prove(const WallTask *task, WallBatch *b)
{
    const size_t count = whole_lanes(b);
    const Collider *c = task->wall;
    const mote_real *radius = b->planes[WALL_RADIUS], *both = b->planes[WALL_BOTH];
    mote_real *gap = b->planes[WALL_GAP];
    mote_real *x1[3], *own[3];
    uint32_t *state = b->state;
    vector_planes(b, WALL_X1, x1), vector_planes(b, WALL_ALONG, own);
    const mote_Pose end = wall_pose(c, task->end);
    pose_points_in(&end, count, x1, own);
    c->shape->distance(c->object.params, count, own, gap);
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
    gather_ways(task, b);
    set_ways(task, b);
    if (cast(task, b) == 0) return false;
    gather_vectors(task->r->v0, WALL_V0, b), gather_vectors(task->r->v, WALL_V1, b);
    vector_planes(b, WALL_NORMAL, normal);
    if (c->posed) pose_directions_out(&c->pose, b->padded, normal);
    respond(task, b);
    if (!task->solves_again) prove(task, b);
    return true;
}
