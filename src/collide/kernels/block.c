/* Which rows of a block may meet a collider. */
#include "base/loop.h"
#include "collide/collide.h"

enum { LANES = 8 };

/* In lanes, because a single minimum is a chain that does not vectorise. */
static void widen(size_t count, const mote_real *x, mote_real *low, mote_real *high)
{
    mote_real least[LANES], most[LANES];
    for (int l = 0; l < LANES; ++l) least[l] = *low, most[l] = *high;
    size_t base = 0;
    for (; base + LANES <= count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            mote_real at = x[base + l];
            least[l] = at < least[l] ? at : least[l];
            most[l] = at > most[l] ? at : most[l];
        }
    for (size_t l = 0; base + l < count; ++l) {
        least[l] = real_min(x[base + l], least[l]);
        most[l] = real_max(x[base + l], most[l]);
    }
    for (int l = 0; l < LANES; ++l)
        *low = real_min(least[l], *low), *high = real_max(most[l], *high);
}

/* What is not a number does not widen the box: such rows are lost to collision anyway. */
static Aabb box(const Range *r)
{
    Aabb b = aabb_empty();
    mote_real *low[3] = {&b.low.x, &b.low.y, &b.low.z};
    mote_real *high[3] = {&b.high.x, &b.high.y, &b.high.z};
    for (int c = 0; c < 3; ++c) {
        widen(r->count, r->x[c], low[c], high[c]);
        widen(r->count, r->x0[c], low[c], high[c]);
    }
    mote_real size = 0;
    for (int c = 0; c < 3; ++c)
        size = real_max(size, real_max(REAL_ABS(*low[c]), REAL_ABS(*high[c])));
    return aabb_grown(&b, 32 * REAL_EPSILON * size);
}

static size_t flag_box(const Range *r, const Aabb *b, mote_real radius, uint8_t *flags)
{
    const Aabb grown = aabb_grown(b, radius);
    const mote_Vec3 low = grown.low, high = grown.high;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real *p = r->x0[0], *q = r->x0[1], *s = r->x0[2];
    unsigned found = 0;
    for (size_t i = 0; i < r->count; ++i) {
        bool out = (x[i] < low.x) & (p[i] < low.x);
        out |= (x[i] > high.x) & (p[i] > high.x);
        out |= (y[i] < low.y) & (q[i] < low.y);
        out |= (y[i] > high.y) & (q[i] > high.y);
        out |= (z[i] < low.z) & (s[i] < low.z);
        out |= (z[i] > high.z) & (s[i] > high.z);
        flags[i] = !out;
        found += !out;
    }
    return found;
}

/* |x1 - x0 - shift|. */
static void way_lengths(const Range *r, mote_Vec3 shift, mote_real *out)
{
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real *p = r->x0[0], *q = r->x0[1], *s = r->x0[2];
    FOR_ROWS (i, r->count) {
        mote_real dx = x[i] - p[i] - shift.x, dy = y[i] - q[i] - shift.y,
                  dz = z[i] - s[i] - shift.z;
        out[i] = REAL_SQRT(dx * dx + dy * dy + dz * dz);
    }
}

static void distances(const Collider *c, mote_real time, size_t count, mote_real *const x[3],
                      mote_real *const own[3], mote_real *out)
{
    if (!c->posed) {
        c->shape->distance(c->object.params, count, x, out);
        return;
    }
    mote_Pose pose = wall_pose(c, time);
    pose_points_in(&pose, count, x, own);
    c->shape->distance(c->object.params, count, own, out);
}

static void unflag_far(const Range *r, const Collider *c, mote_real start, mote_real end,
                       mote_real radius, uint8_t *flags)
{
    mote_real *first = r->collide, *last = r->collide + SCRATCH_STRIDE;
    mote_real *way = r->collide + 2 * SCRATCH_STRIDE, *own[3];
    for (int k = 0; k < 3; ++k) own[k] = r->collide + (3 + k) * SCRATCH_STRIDE;
    const mote_real share = end - start;
    const mote_real near = 2 * radius + 64 * REAL_EPSILON * vec3_length(c->pose.position);
    distances(c, start, r->count, r->x0, own, first);
    distances(c, end, r->count, r->x, own, last);
    way_lengths(r, vec3_scale(c->change.linear, share), way);
    if (c->half_space && !c->friction->sticks) /* outside is convex, too: the end alone tells */
        for (size_t i = 0; i < r->count; ++i) flags[i] = flags[i] && !(last[i] > radius);
    else
        for (size_t i = 0; i < r->count; ++i)
            flags[i] = flags[i] && !(first[i] + last[i] > way[i] * (1 + 64 * REAL_EPSILON) + near);
}

const CollideKernels ISA(collide_block) = {
    .box = box, .flag_box = flag_box, .unflag_far = unflag_far};
