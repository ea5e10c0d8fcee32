/* Which rows of a block may meet a collider. */
#include "base/loop.h"
#include "collide/collide.h"

/* The least and the most of both ends of all ways: halves against halves, because a single minimum
 * is a chain that does not vectorise. What is not a number does not count: such rows are lost to
 * collision anyway. */
static void widen(size_t count, const mote_real *x, const mote_real *y, mote_real *low,
                  mote_real *high)
{
    mote_real least[BLOCK_ROWS], most[BLOCK_ROWS];
    for (size_t i = count; i < BLOCK_ROWS; ++i) least[i] = AABB_ENDLESS, most[i] = -AABB_ENDLESS;
    FOR_ROWS (i, count) {
        mote_real a = x[i] < AABB_ENDLESS ? x[i] : AABB_ENDLESS;
        mote_real b = x[i] > -AABB_ENDLESS ? x[i] : -AABB_ENDLESS;
        least[i] = y[i] < a ? y[i] : a;
        most[i] = y[i] > b ? y[i] : b;
    }
    for (size_t half = BLOCK_ROWS / 2; half > 0; half /= 2) {
        FOR_ROWS (i, half) {
            least[i] = least[i + half] < least[i] ? least[i + half] : least[i];
            most[i] = most[i + half] > most[i] ? most[i + half] : most[i];
        }
    }
    *low = least[0], *high = most[0];
}

static Aabb box(const Range *r)
{
    Aabb b;
    mote_real *low[3] = {&b.low.x, &b.low.y, &b.low.z}, size = 0;
    mote_real *high[3] = {&b.high.x, &b.high.y, &b.high.z};
    for (int c = 0; c < 3; ++c) {
        widen(r->count, r->x[c], r->x0[c], low[c], high[c]);
        size = real_max(size, real_max(REAL_ABS(*low[c]), REAL_ABS(*high[c])));
    }
    return aabb_grown(&b, 32 * REAL_EPSILON * size);
}

/* How far the interval of a and b lies outside of that from low to high; negative: it does not. */
static inline mote_real apart(mote_real a, mote_real b, mote_real low, mote_real high)
{
    mote_real least = a < b ? a : b, most = a < b ? b : a;
    mote_real above = least - high, below = low - most;
    return above > below ? above : below;
}

/* Rows whose way may meet the box; how many. */
static size_t flag_box(const Range *r, const Aabb *b, mote_real radius, uint8_t *flags)
{
    const Aabb grown = aabb_grown(b, radius);
    const mote_Vec3 low = grown.low, high = grown.high;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real *p = r->x0[0], *q = r->x0[1], *s = r->x0[2];
    const size_t count = r->count;
    uint32_t found = 0;
    FOR_ROWS (i, count) {
        mote_real dx = apart(x[i], p[i], low.x, high.x), dy = apart(y[i], q[i], low.y, high.y);
        mote_real dz = apart(z[i], s[i], low.z, high.z);
        mote_real most = dx > dy ? dx : dy;
        most = most > dz ? most : dz;
        uint32_t meets = most > 0 ? 0u : 1u;
        flags[i] = (uint8_t)meets;
        found += meets;
    }
    return found;
}

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
        from[c] = rows != NULL ? ways->from[c] : q->r->x0[c];
        to[c] = rows != NULL ? ways->to[c] : q->r->x[c];
    }
    if (rows != NULL) gather(rows, count, q->r->x0, from), gather(rows, count, q->r->x, to);
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

/* The numbers of flagged rows. Flags are 0 or 1, and as many as fill whole words. */
static size_t list_flagged(const uint8_t *flags, size_t count, uint8_t *rows)
{
    size_t found = 0;
    for (size_t base = 0; base < count; base += 8)
        for (uint64_t word = eight_flags(flags + base); word != 0; word &= word - 1)
            rows[found++] = (uint8_t)(base + (size_t)__builtin_ctzll(word) / 8);
    return found;
}

static void clear_beyond(uint8_t *flags, size_t count)
{
    for (size_t i = count; i % 8 != 0; ++i) flags[i] = 0;
}

static size_t find(const BlockQuery *q, uint8_t *rows)
{
    uint8_t flags[BLOCK_ROWS], boxed[BLOCK_ROWS];
    OwnWays ways;
    const size_t all = q->r->count;
    const bool plain = q->collider->turns || q->collider->shape->rule_out == NULL;
    size_t found = flag_box(q->r, &q->collider->bounds, q->radius, flags);
    if (found == 0) return 0;
    clear_beyond(flags, all);
    if (plain || 2 * found > all) {
        if (!plain) own_ways(q, NULL, all, &ways), rule_out(q, &ways, flags);
        return list_flagged(flags, all, rows);
    }
    list_flagged(flags, all, boxed);
    for (size_t k = 0; k < found; ++k) flags[k] = 1;
    clear_beyond(flags, found);
    own_ways(q, boxed, found, &ways);
    rule_out(q, &ways, flags);
    found = list_flagged(flags, found, rows);
    for (size_t k = 0; k < found; ++k) rows[k] = boxed[rows[k]];
    return found;
}

const CollideKernels ISA(collide_block) = {
    .box = box, .find = find, .meet_wall = ISA(wall_rows_meet)};
