/* Which rows of a block may meet a collider. */
#include "base/lanes.h"
#include "base/loop.h"
#include "collide/collide.h"

/* ---- boxes ---- */

static inline mote_real least_lane(Eight a)
{
    a = eight_least(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = eight_least(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return real_min(a[0], a[1]);
}

/* The least and the most. What is not a number does not count: such rows are lost to collision
 * anyway. */
static void bound(size_t padded, const mote_real *lows, const mote_real *highs, mote_real *low,
                  mote_real *high)
{
    Eight least = eight_all(AABB_ENDLESS), most = least; /* of the negative highs */
    for (size_t k = 0; k < padded; k += 8) {
        least = eight_least(eight_load(lows + k), least);
        most = eight_least(-eight_load(highs + k), most);
    }
    *low = least_lane(least), *high = -least_lane(most);
}

/* Both ends of all ways along an axis. */
static void order_ends(const Ways *w, int c, mote_real *lows, mote_real *highs)
{
    const mote_real *x = w->to[c], *y = w->from[c];
    const size_t count = w->count, whole = count & ~(size_t)7;
    FOR_ROWS (i, whole) {
        lows[i] = x[i] < y[i] ? x[i] : y[i];
        highs[i] = x[i] < y[i] ? y[i] : x[i];
    }
    for (size_t i = whole; i < count; ++i)
        lows[i] = real_min(x[i], y[i]), highs[i] = x[i] < y[i] ? y[i] : x[i];
    for (size_t i = count; i % 8 != 0; ++i) lows[i] = AABB_ENDLESS, highs[i] = -AABB_ENDLESS;
}

static Aabb boxes(const Ways *w)
{
    mote_real low[3], high[3], size = 0;
    const size_t padded = (w->count + 7) / 8 * 8;
    for (int c = 0; c < 3; ++c) {
        mote_real *lows = w->boxes + c * SCRATCH_STRIDE, *highs = lows + 3 * SCRATCH_STRIDE;
        order_ends(w, c, lows, highs);
        bound(padded, lows, highs, &low[c], &high[c]);
        size = real_max(size, real_max(REAL_ABS(low[c]), REAL_ABS(high[c])));
    }
    const Aabb b = {vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
    return aabb_grown(&b, 32 * REAL_EPSILON * size);
}

/* How far the interval from a to b lies outside of that from low to high; negative: it does not. */
static inline mote_real apart(mote_real a, mote_real b, mote_real low, mote_real high)
{
    mote_real above = a - high, below = low - b;
    return above > below ? above : below;
}

static size_t meet_box(const Ways *w, const Aabb *b, uint32_t bit, uint32_t *masks)
{
    const mote_Vec3 low = b->low, high = b->high;
    const mote_real *x = w->boxes, *y = x + SCRATCH_STRIDE, *z = y + SCRATCH_STRIDE;
    const mote_real *p = z + SCRATCH_STRIDE, *q = p + SCRATCH_STRIDE, *s = q + SCRATCH_STRIDE;
    const size_t count = w->count;
    uint32_t found = 0;
    FOR_ROWS (i, count) {
        mote_real dx = apart(x[i], p[i], low.x, high.x), dy = apart(y[i], q[i], low.y, high.y);
        mote_real dz = apart(z[i], s[i], low.z, high.z);
        mote_real most = dx > dy ? dx : dy;
        most = most > dz ? most : dz;
        masks[i] |= most > 0 ? 0 : bit;
        found += most > 0 ? 0 : 1;
    }
    return found;
}

/* Eight flags as one number, the first in its lowest byte. */
static inline uint64_t eight_flags(const uint8_t *flags)
{
    uint64_t word;
    __builtin_memcpy(&word, flags, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The numbers of flagged rows. Flags are 0 or 1, with room for whole words. */
static size_t list_flagged(uint8_t *flags, size_t count, uint8_t *rows)
{
    size_t found = 0;
    for (size_t i = count; i % 8 != 0; ++i) flags[i] = 0;
    for (size_t base = 0; base < count; base += 8)
        for (uint64_t word = eight_flags(flags + base); word != 0; word &= word - 1)
            rows[found++] = (uint8_t)(base + (size_t)__builtin_ctzll(word) / 8);
    return found;
}

static size_t list(const uint32_t *masks, size_t count, uint8_t *rows)
{
    uint8_t flags[BLOCK_ROWS];
    FOR_ROWS (i, count) flags[i] = masks[i] != 0;
    return list_flagged(flags, count, rows);
}

/* ---- shapes ---- */

/* Ways in a collider's frame. */
typedef struct OwnWays {
    size_t count;
    mote_real planes[6][SCRATCH_STRIDE];
    mote_real *from[3], *to[3];
} OwnWays;

static void gather(const uint8_t *rows, size_t count, mote_real *const x[3], mote_real *const to[3])
{
    for (int c = 0; c < 3; ++c)
        for (size_t k = 0; k < count; ++k) to[c][k] = x[c][rows[k]];
}

/* The rows of the list, or all of them when `rows` is NULL. */
static void own_ways(const BlockQuery *q, const uint8_t *rows, size_t count, OwnWays *ways)
{
    mote_real *from[3], *to[3];
    ways->count = count;
    for (int c = 0; c < 3; ++c) {
        ways->from[c] = ways->planes[c], ways->to[c] = ways->planes[3 + c];
        from[c] = rows != NULL ? ways->from[c] : q->ways->from[c];
        to[c] = rows != NULL ? ways->to[c] : q->ways->to[c];
    }
    if (rows != NULL)
        gather(rows, count, q->ways->from, from), gather(rows, count, q->ways->to, to);
    if (!q->collider->posed) {
        for (int c = 0; c < 3; ++c) ways->from[c] = from[c], ways->to[c] = to[c];
        return;
    }
    mote_Pose first = wall_pose(q->collider, q->start), last = wall_pose(q->collider, q->end);
    pose_points_in(&first, count, from, ways->from);
    pose_points_in(&last, count, to, ways->to);
}

static void rule_out(const BlockQuery *q, const OwnWays *own, uint8_t *flags)
{
    const Collider *c = q->collider;
    const ShapeWays ways = {own->count, own->from, own->to,
                            q->radius + RULE_OUT_MARGIN * vec3_length(c->pose.position)};
    c->shape->rule_out(c->object.params, &ways, flags);
}

static void rule_out_rows(const BlockQuery *q, const uint8_t *rows, size_t count, uint32_t *masks)
{
    uint8_t flags[BLOCK_ROWS];
    OwnWays ways;
    for (size_t k = 0; k < count; ++k) flags[k] = 1;
    own_ways(q, rows, count, &ways);
    rule_out(q, &ways, flags);
    for (size_t k = 0; k < count; ++k) masks[rows[k]] &= flags[k] != 0 ? UINT32_MAX : ~q->bit;
}

/* Most rows of a block are looked at as they lie, few of them gathered. */
static void rule_out_all(const BlockQuery *q, uint32_t *masks)
{
    uint8_t flags[BLOCK_ROWS], rows[BLOCK_ROWS];
    OwnWays ways;
    const size_t count = q->ways->count;
    const uint32_t bit = q->bit;
    uint32_t found = 0;
    FOR_ROWS (i, count) {
        uint32_t has = (masks[i] & bit) != 0 ? 1 : 0;
        flags[i] = (uint8_t)has;
        found += has;
    }
    if (found == 0) return;
    if (2 * found <= count) {
        rule_out_rows(q, rows, list_flagged(flags, count, rows), masks);
        return;
    }
    own_ways(q, NULL, count, &ways);
    rule_out(q, &ways, flags);
    FOR_ROWS (i, count) masks[i] = flags[i] != 0 ? masks[i] : masks[i] & ~bit;
}

const CollideKernels ISA(collide_block) = {.boxes = boxes,
                                           .meet_box = meet_box,
                                           .list = list,
                                           .rule_out = rule_out_all,
                                           .rule_out_rows = rule_out_rows,
                                           .meet_wall = ISA(wall_rows_meet)};
