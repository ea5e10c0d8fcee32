/* Which rows of a block meet a single wall, and what becomes of them. */
#include "collide/block.h"

#include <string.h>

static bool is_plain(const Block *b, const Collider *c)
{
    return b->row->by_walls && c->shape->convex && !c->turns && c->friction->is_dry &&
           b->input->def->detection == MOTE_DETECT_SWEPT;
}

static size_t find_rows(const Block *b, const Range *ways, const Collider *c, uint8_t *rows)
{
    const BlockQuery query = {ways, c, b->start, b->end, b->radius};
    return b->kernels->find(&query, rows);
}

/* ---- who meets what ---- */

typedef struct Meetings {
    size_t listed;
    uint8_t rows[BLOCK_ROWS];  /* that may meet something */
    uint8_t count[BLOCK_ROWS]; /* how many colliders a row may meet */
    uint8_t last[BLOCK_ROWS];  /* of these */
} Meetings;

static void find_meetings(const Block *b, const Near *near, Meetings *m)
{
    m->listed = 0;
    memset(m->count, 0, sizeof m->count);
    for (size_t k = 0; k < near->count; ++k) {
        uint8_t rows[BLOCK_ROWS];
        size_t found = find_rows(b, b->r, near->colliders[k], rows);
        for (size_t n = 0; n < found; ++n) {
            const uint8_t row = rows[n];
            if (m->count[row]++ == 0) m->rows[m->listed++] = row;
            m->last[row] = (uint8_t)k;
        }
    }
}

/* The rows that meet wall k alone; all others are flagged. */
static size_t list_rows(const Meetings *m, size_t k, uint8_t *rows)
{
    size_t count = 0;
    for (size_t n = 0; n < m->listed; ++n) {
        const uint8_t row = m->rows[n];
        if (m->last[row] == k && m->count[row] == 1) rows[count++] = row;
    }
    return count;
}

/* ---- the way after the wall ---- */

static void open_row(const WallTask *task, WallBatch *batch, size_t i)
{
    bool moved =
        batch->state[i] == WALL_HELD || (batch->state[i] == WALL_BOUNCED && !task->solves_again);
    if (moved) batch->state[i] = WALL_OPEN;
}

static Range new_ways(const WallTask *task, WallBatch *batch)
{
    Range ways = *task->r;
    ways.count = batch->padded;
    for (int c = 0; c < 3; ++c) {
        ways.x0[c] = batch->planes[WALL_X0 + c];
        ways.x[c] = batch->planes[WALL_X1 + c];
    }
    return ways;
}

/* Rows whose new way may meet another collider are opened again. */
static void ask_other(const Block *b, const WallTask *task, const Collider *other, WallBatch *batch)
{
    uint8_t rows[BLOCK_ROWS];
    if (other == task->wall) return;
    Range ways = new_ways(task, batch);
    size_t found = find_rows(b, &ways, other, rows);
    for (size_t n = 0; n < found; ++n) open_row(task, batch, rows[n]);
}

/* Those that left the box in which colliders were looked for ask for what is there. */
static void ask_beyond(const Block *b, const WallTask *task, const Near *near, WallBatch *batch)
{
    const Broad *broad = b->input->broad;
    for (size_t i = 0; i < batch->count; ++i) {
        mote_Vec3 x0 = wall_vector(batch, WALL_X0, i), x1 = wall_vector(batch, WALL_X1, i);
        Aabb own = {x1, x1}, way = {vec3_min(x0, x1), vec3_max(x0, x1)};
        own = aabb_grown(&own, b->radius);
        if (batch->state[i] == WALL_MISSED || aabb_holds(&near->box, &own)) continue;
        BroadWalk walk = broad_walk(broad, aabb_grown(&way, b->radius));
        walk.endless = broad->endless; /* were asked */
        for (const Collider *c; (c = broad_next(&walk)) != NULL;)
            if (c != task->wall) open_row(task, batch, i);
    }
}

/* The box around the new ways. */
static Aabb batch_box(const WallBatch *batch, mote_real radius)
{
    mote_real low[3], high[3];
    for (int c = 0; c < 3; ++c) {
        const mote_real *x0 = batch->planes[WALL_X0 + c], *x1 = batch->planes[WALL_X1 + c];
        low[c] = high[c] = x0[0];
        for (size_t i = 0; i < batch->count; ++i) {
            low[c] = real_min(low[c], real_min(x0[i], x1[i]));
            high[c] = real_max(high[c], real_max(x0[i], x1[i]));
        }
    }
    Aabb box = {vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
    return aabb_grown(&box, radius);
}

static void ask_others(const Block *b, const WallTask *task, const Near *near, WallBatch *batch)
{
    const Broad *broad = b->input->broad;
    const Aabb box = batch_box(batch, b->radius);
    for (size_t k = 0; k < broad->endless; ++k)
        if (aabb_overlap(&broad->colliders[k]->bounds, &box))
            ask_other(b, task, broad->colliders[k], batch);
    for (size_t k = 0; k < near->count; ++k)
        if (aabb_is_finite(&near->colliders[k]->bounds) &&
            aabb_overlap(&near->colliders[k]->bounds, &box))
            ask_other(b, task, near->colliders[k], batch);
    if (broad->count > broad->endless && !aabb_holds(&near->box, &box))
        ask_beyond(b, task, near, batch);
}

/* ---- results ---- */

static void note_row(const Block *b, const WallTask *task, const WallBatch *batch, size_t k)
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
    row_note(&one, &impact, vec3(before[0][row], before[1][row], before[2][row]),
             wall_vector(batch, bounced ? WALL_V0 : WALL_V1, k), wall);
    list->hit = list->hit || bounced || batch->arrives[k];
}

static void put_back(mote_real *const to[3], size_t row, const WallBatch *batch, int plane,
                     size_t k)
{
    for (int c = 0; c < 3; ++c) to[c][row] = batch->planes[plane + c][k];
}

/* The number of rows to be solved again. */
static size_t store_rows(const Block *b, const WallTask *task, const WallBatch *batch,
                         uint8_t *flags, CollideTally *tally)
{
    const Range *r = b->r;
    size_t again = 0;
    for (size_t k = 0; k < batch->count; ++k) {
        const size_t row = batch->rows[k];
        const uint32_t state = batch->state[k];
        flags[row] = state == WALL_OPEN;
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

size_t block_meet_walls(const Block *b, const Near *near, uint8_t *flags, CollideTally *tally)
{
    Meetings meetings;
    WallBatch batch;
    uint8_t rows[BLOCK_ROWS];
    size_t again = 0;
    find_meetings(b, near, &meetings);
    memset(flags, 0, b->r->count);
    for (size_t n = 0; n < meetings.listed; ++n) flags[meetings.rows[n]] = 1;
    for (size_t k = 0; k < near->count; ++k) {
        if (!is_plain(b, near->colliders[k])) continue;
        const WallTask task = {.r = b->r,
                               .wall = near->colliders[k],
                               .start = b->start,
                               .end = b->end,
                               .dt = (mote_real)b->r->dt,
                               .may_bounce = b->input->may_bounce,
                               .solves_again = b->input->solves_again,
                               .as_points = b->input->def->as_points};
        batch.count = list_rows(&meetings, k, rows), batch.rows = rows;
        if (batch.count == 0) continue;
        if (b->kernels->meet_wall(&task, &batch)) ask_others(b, &task, near, &batch);
        again += store_rows(b, &task, &batch, flags, tally);
    }
    return again;
}
