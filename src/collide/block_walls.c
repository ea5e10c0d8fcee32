/* Which rows of a block meet a single wall, and what becomes of them. */
#include "collide/block.h"

#include <string.h>

static bool is_plain(const CollideBlock *b, const Collider *c)
{
    return b->row->by_walls && c->shape->convex && !c->turns && c->friction->is_dry &&
           b->input->def->detection == MOTE_DETECT_SWEPT;
}

/* ---- who meets what ---- */

static bool can_rule_out(const Collider *c)
{
    return !c->turns && c->shape->rule_out != NULL;
}

static BlockQuery query_of(const CollideBlock *b, const Ways *ways, const Collider *c, uint32_t bit)
{
    return (BlockQuery){ways, c, b->start, b->end, b->radius, bit};
}

/* The colliders that rows can meet many at once; and those of them whose sweep says as quickly as
 * anything else that a row misses them. */
typedef struct WallBits {
    uint32_t plain, quick;
} WallBits;

static WallBits wall_bits(const CollideBlock *b, const Near *near)
{
    WallBits bits = {0, 0};
    for (size_t k = 0; k < near->count; ++k) {
        const Collider *c = near->colliders[k];
        if (!is_plain(b, c)) continue;
        bits.plain |= 1u << k;
        if (c->shape->quick || !can_rule_out(c)) bits.quick |= 1u << k;
    }
    return bits;
}

static bool is_single(uint32_t mask)
{
    return (mask & (mask - 1)) == 0;
}

/* Rows that may meet one wall alone. */
typedef struct WallLists {
    uint8_t count[MOST_NEAR];
    uint8_t rows[MOST_NEAR][BLOCK_ROWS];
} WallLists;

/* Puts rows that have one bit, of these, into its list; the others go back to the start of `rows`.
 * Returns how many. */
static size_t deal_rows(const uint32_t *masks, uint32_t bits, uint8_t *rows, size_t count,
                        WallLists *lists)
{
    size_t left = 0;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t mask = masks[rows[n]];
        if (is_single(mask) && (mask & bits) != 0) {
            const int k = __builtin_ctz(mask);
            lists->rows[k][lists->count[k]++] = rows[n];
        } else {
            rows[left++] = rows[n];
        }
    }
    return left;
}

/* The rows whose boxes meet that of a collider; of what has no end, all. Returns how many. */
static size_t meet_collider(const CollideBlock *b, const Collider *c, uint32_t bit, uint32_t *masks)
{
    const Aabb reached = aabb_grown(&c->bounds, b->radius);
    if (aabb_is_finite(&c->bounds)) return b->kernels->meet_box(&b->ways, &reached, bit, masks);
    for (size_t i = 0; i < b->r->count; ++i) masks[i] |= bit;
    return b->r->count;
}

/* What boxes say, and shapes that know better than their sweep, or have most of the block in their
 * box. */
static void find_meetings(const CollideBlock *b, const Near *near, uint32_t quick, Meetings *m)
{
    memset(m->masks, 0, b->r->count * sizeof m->masks[0]);
    for (size_t k = 0; k < near->count; ++k) {
        const BlockQuery query = query_of(b, &b->ways, near->colliders[k], 1u << k);
        size_t found = meet_collider(b, query.collider, query.bit, m->masks);
        bool asks = (query.bit & quick) == 0 || 2 * found > b->r->count;
        if (found > 0 && asks && can_rule_out(query.collider))
            b->kernels->rule_out(&query, m->masks);
    }
    m->listed = b->kernels->list(m->masks, b->r->count, m->rows);
}

/* Of some rows that may meet several. */
static void rule_out_rows(const CollideBlock *b, const BlockQuery *query, const uint8_t *rows,
                          size_t count, uint32_t *masks)
{
    uint8_t own[BLOCK_ROWS];
    size_t found = 0;
    for (size_t n = 0; n < count; ++n)
        own[found] = rows[n], found += (masks[rows[n]] & query->bit) != 0;
    if (found > 0) b->kernels->rule_out_rows(query, own, found, masks);
}

/* Rows that may meet one wall alone go to its list at once; the others when the shapes that their
 * boxes meet have been asked. */
static void list_meetings(const CollideBlock *b, const Near *near, Meetings *m, WallLists *lists)
{
    const WallBits bits = wall_bits(b, near);
    uint8_t rows[BLOCK_ROWS];
    find_meetings(b, near, bits.quick, m);
    memset(lists->count, 0, near->count);
    memcpy(rows, m->rows, m->listed);
    size_t left = deal_rows(m->masks, bits.plain, rows, m->listed, lists);
    for (size_t k = 0; k < near->count && left > 0; ++k) {
        const BlockQuery query = query_of(b, &b->ways, near->colliders[k], 1u << k);
        if ((query.bit & bits.quick) != 0 && can_rule_out(query.collider))
            rule_out_rows(b, &query, rows, left, m->masks);
    }
    deal_rows(m->masks, bits.plain, rows, left, lists);
}

/* ---- the way after the wall ---- */

static void open_row(const WallTask *task, WallBatch *batch, size_t i)
{
    bool moved =
        batch->state[i] == WALL_HELD || (batch->state[i] == WALL_BOUNCED && !task->solves_again);
    if (moved) batch->state[i] = WALL_OPEN;
}

/* Rows whose new way may meet another collider are opened again. */
static void ask_other(const CollideBlock *b, const WallTask *task, const Ways *ways,
                      const Collider *other, WallBatch *batch)
{
    const BlockQuery query = query_of(b, ways, other, 1);
    const Aabb reached = aabb_grown(&other->bounds, b->radius);
    Meetings m;
    if (other == task->wall) return;
    memset(m.masks, 0, ways->count * sizeof m.masks[0]);
    b->kernels->meet_box(ways, &reached, 1, m.masks);
    if (can_rule_out(other)) b->kernels->rule_out(&query, m.masks);
    m.listed = b->kernels->list(m.masks, ways->count, m.rows);
    for (size_t n = 0; n < m.listed; ++n) open_row(task, batch, m.rows[n]);
}

/* True when there is a collider in the box that was not near the block. */
static bool is_more(const Broad *broad, const Near *near, const Aabb *box)
{
    BroadWalk walk;
    broad_walk(&walk, broad, *box);
    walk.endless = broad->endless; /* were asked */
    for (const Collider *c; (c = broad_next(&walk)) != NULL;)
        if (!aabb_overlap(&c->bounds, &near->box)) return true;
    return false;
}

/* Those that left the box in which colliders were looked for ask for what is there. */
static void ask_beyond(const CollideBlock *b, const WallTask *task, const Near *near,
                       WallBatch *batch)
{
    const Broad *broad = b->input->broad;
    for (size_t i = 0; i < batch->count; ++i) {
        mote_Vec3 x0 = wall_vector(batch, WALL_X0, i), x1 = wall_vector(batch, WALL_X1, i);
        Aabb own = {x1, x1}, way = {vec3_min(x0, x1), vec3_max(x0, x1)};
        own = aabb_grown(&own, b->radius), way = aabb_grown(&way, b->radius);
        if (batch->state[i] == WALL_MISSED || aabb_holds(&near->box, &own)) continue;
        if (is_more(broad, near, &way)) open_row(task, batch, i);
    }
}

static void ask_others(const CollideBlock *b, const WallTask *task, const Near *near,
                       WallBatch *batch)
{
    const Broad *broad = b->input->broad;
    mote_real *from[3], *to[3];
    const Ways ways = {batch->padded, from, to, b->ways.boxes};
    for (int c = 0; c < 3; ++c)
        from[c] = batch->planes[WALL_X0 + c], to[c] = batch->planes[WALL_X1 + c];
    Aabb box = b->kernels->boxes(&ways);
    box = aabb_grown(&box, b->radius);
    for (size_t k = 0; k < broad->endless; ++k)
        if (aabb_overlap(&broad->colliders[k]->bounds, &box))
            ask_other(b, task, &ways, broad->colliders[k], batch);
    for (size_t k = 0; k < near->count; ++k)
        if (aabb_is_finite(&near->colliders[k]->bounds) &&
            aabb_overlap(&near->colliders[k]->bounds, &box))
            ask_other(b, task, &ways, near->colliders[k], batch);
    if (broad->count > broad->endless && !aabb_holds(&near->box, &box) &&
        is_more(broad, near, &box))
        ask_beyond(b, task, near, batch);
}

/* ---- results ---- */

static void note_row(const CollideBlock *b, const WallTask *task, const WallBatch *batch, size_t k)
{
    const Range *r = b->r;
    const size_t row = batch->rows[k];
    const bool bounced = batch->state[k] == WALL_BOUNCED;
    mote_real *const *before = bounced ? r->v0 : r->v;
    TouchList *list = &b->input->touched[r->first + row];
    RowCase one = {.touched = list};
    mote_real time = b->start + batch->planes[WALL_SHARE][k] * (b->end - b->start);
    Impact impact = {.collider = task->wall, .time = time};
    impact.centre = wall_vector(batch, WALL_PLACE, k);
    impact.normal = wall_vector(batch, WALL_NORMAL, k);
    mote_Vec3 wall = wall_velocity(task->wall, time, impact.centre, impact.normal);
    const mote_Vec3 old = vec3(before[0][row], before[1][row], before[2][row]);
    const mote_Vec3 end = vec3(r->v[0][row], r->v[1][row], r->v[2][row]);
    const mote_Vec3 ahead = vec3_scale(vec3_sub(end, old), task->lag); /* 0 unless it bounced */
    row_note(&one, &impact, vec3_add(old, ahead),
             vec3_add(wall_vector(batch, bounced ? WALL_V0 : WALL_V1, k), ahead), wall);
    list->hit = list->hit || bounced || batch->arrives[k];
}

static void put_back(mote_real *const to[3], size_t row, const WallBatch *batch, int plane,
                     size_t k)
{
    for (int c = 0; c < 3; ++c) to[c][row] = batch->planes[plane + c][k];
}

/* The number of rows to be solved again. */
static size_t store_rows(const CollideBlock *b, const WallTask *task, const WallBatch *batch,
                         uint32_t *masks, CollideTally *tally)
{
    const Range *r = b->r;
    size_t again = 0;
    for (size_t k = 0; k < batch->count; ++k) {
        const size_t row = batch->rows[k];
        const uint32_t state = batch->state[k];
        if (state != WALL_OPEN) masks[row] = 0;
        if (state != WALL_BOUNCED && state != WALL_HELD) continue;
        if (b->input->touched != NULL) note_row(b, task, batch, k);
        tally->hits += state == WALL_BOUNCED || batch->arrives[k];
        bool solve = state == WALL_BOUNCED && task->solves_again;
        if (solve)
            put_back(r->v0, row, batch, WALL_V0, k);
        else
            put_back(r->x, row, batch, WALL_X1, k), put_back(r->v, row, batch, WALL_V1, k);
        r->marks[row] = solve;
        again += solve;
    }
    return again;
}

static WallTask task_at(const CollideBlock *b, const Collider *wall)
{
    return (WallTask){.r = b->r,
                      .wall = wall,
                      .start = b->start,
                      .end = b->end,
                      .dt = (mote_real)b->r->dt,
                      .lag = (mote_real)b->input->lag,
                      .may_bounce = b->input->may_bounce,
                      .solves_again = b->input->solves_again,
                      .as_points = b->input->def->as_points};
}

size_t block_meet_walls(const CollideBlock *b, const Near *near, Meetings *meetings,
                        CollideTally *tally)
{
    WallBatch batch;
    WallLists lists;
    size_t again = 0;
    list_meetings(b, near, meetings, &lists);
    for (size_t k = 0; k < near->count; ++k) {
        const WallTask task = task_at(b, near->colliders[k]);
        batch.count = lists.count[k], batch.rows = lists.rows[k];
        if (batch.count == 0) continue;
        if (b->kernels->meet_wall(&task, &batch)) ask_others(b, &task, near, &batch);
        again += store_rows(b, &task, &batch, meetings->masks, tally);
    }
    return again;
}
