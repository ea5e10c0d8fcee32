/* The tables of algorithms and kernels, and the driver: from a range to single particles. */
#include "collide/block.h"

#include <string.h>

#define DECLARE(row, ...) ISA_EXTERN(CollideRow, row)
COLLIDE_ROWS(DECLARE)
ISA_ROW_TABLE(collide_rows, COLLIDE_ROWS)
ISA_KERNELS(collide_kernels, CollideKernels, collide_block)

/* ---- what is near ---- */

static void add_near(Near *near, const Collider *c)
{
    near->many = near->many || near->count == MOST_NEAR;
    if (!near->many) near->colliders[near->count++] = c;
}

static bool plane_is_near(const CollideBlock *b, const Collider *c)
{
    const Range *r = b->r;
    if (c->friction->sticks) return true; /* holds what would leave, too */
    if (!c->posed) return c->shape->near(c->object.params, r->count, r->x, b->radius);
    mote_real planes[3][SCRATCH_STRIDE];
    mote_real *const own[3] = {planes[0], planes[1], planes[2]};
    mote_Pose pose = wall_pose(c, b->end);
    pose_points_in(&pose, r->count, r->x, own);
    mote_real slack = 16 * REAL_EPSILON * vec3_length(pose.position);
    return c->shape->near(c->object.params, r->count, own, b->radius + slack);
}

static void find_near(const CollideBlock *b, Near *near)
{
    const Broad *broad = b->input->broad;
    near->count = 0, near->many = false;
    for (size_t i = 0; i < broad->endless; ++i) {
        const Collider *c = broad->colliders[i];
        if (!c->half_space || plane_is_near(b, c)) add_near(near, c);
    }
    if (broad->tree.node_count == 0) return;
    near->box = b->kernels->boxes(&b->ways);
    near->box = aabb_grown(&near->box, b->radius);
    BroadWalk walk;
    broad_walk(&walk, broad, near->box);
    walk.endless = broad->endless; /* done above */
    for (const Collider *c; (c = broad_next(&walk)) != NULL && !near->many;) add_near(near, c);
}

/* ---- single particles ---- */

static mote_Vec3 row_vector(mote_real *const planes[3], size_t i)
{
    return vec3(planes[0][i], planes[1][i], planes[2][i]);
}

static void set_row_vector(mote_real *const planes[3], size_t i, mote_Vec3 a)
{
    planes[0][i] = a.x, planes[1][i] = a.y, planes[2][i] = a.z;
}

static RowCase load_row(const CollideBlock *b, size_t i)
{
    const Range *r = b->r;
    const mote_real *radius = column_real(&r->system->columns[COLUMN_RADIUS], 0) + r->first;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    return (RowCase){.broad = b->input->broad,
                     .def = b->input->def,
                     .x0 = row_vector(r->x0, i),
                     .v0 = row_vector(r->v0, i),
                     .x1 = row_vector(r->x, i),
                     .v1 = row_vector(r->v, i),
                     .radius = b->input->def->as_points ? 0 : radius[i],
                     .mass = mass[i],
                     .dt = (mote_real)r->dt,
                     .end_weight = (mote_real)b->input->end_weight,
                     .lag = (mote_real)b->input->lag,
                     .start = b->start,
                     .end = b->end,
                     .may_bounce = b->input->may_bounce,
                     .solves_again = b->input->solves_again,
                     .touched =
                         b->input->touched != NULL ? &b->input->touched[r->first + i] : NULL};
}

/* Its life ends now: it is retired with those who died. */
static void delete_row(const Range *r, size_t i)
{
    column_real(&r->system->columns[COLUMN_LIFETIME], 0)[r->first + i] = 0;
    r->system->notes[r->first / BLOCK_ROWS].suspect = true;
}

static void store_row(const CollideBlock *b, size_t i, const RowCase *row, CollideTally *tally)
{
    const Range *r = b->r;
    const uint64_t *ids = r->system->columns[COLUMN_ID].data;
    tally->hits += row->bounced;
    tally->trapped += row->trapped;
    tally->inside += row->inside;
    if (row->inside && ids[r->first + i] < tally->first_inside)
        tally->first_inside = ids[r->first + i];
    if (row->touched != NULL) row->touched->hit = row->touched->hit || row->bounced;
    if (row->inside && b->input->def->inside == MOTE_INSIDE_DELETE) delete_row(r, i);
    if (row->again) {
        set_row_vector(r->v0, i, row->v0);
        r->marks[i] = 1;
    } else if (row->changed) {
        set_row_vector(r->x, i, row->x1);
        set_row_vector(r->v, i, row->v1);
    }
}

static size_t resolve_row(const CollideBlock *b, size_t i, CollideTally *tally)
{
    RowCase row = load_row(b, i);
    if (!row_hold(&row)) b->row->resolve(&row);
    store_row(b, i, &row, tally);
    return row.again;
}

/* ---- blocks ---- */

static bool is_plain_plane(const CollideBlock *b, const Collider *c)
{
    return c->half_space && !c->posed && b->row->on_plane != NULL && c->friction->is_dry &&
           b->input->def->inside == MOTE_INSIDE_PUSH;
}

static mote_real share_of(const CollideInput *input, double t)
{
    return (mote_real)((t - input->start) / input->dt);
}

/* A block among many colliders: parts of it are near fewer. */
static size_t collide_parts(const CollideBlock *b, CollideTally *tally)
{
    enum { PARTS = 4 };
    const Range *r = b->r;
    const size_t size = (r->count + PARTS - 1) / PARTS;
    size_t again = 0;
    memset(r->marks, 0, r->count * sizeof r->marks[0]);
    for (size_t from = 0; from < r->count; from += size) {
        Range part = range_part(r, from, r->count - from < size ? r->count - from : size);
        part.marks = r->marks + from;
        again += collide_range(b->row, b->kernels, b->input, &part, tally);
    }
    return again;
}

/* The number of rows to be solved again. */
static size_t resolve_listed(const CollideBlock *b, const Meetings *m, CollideTally *tally)
{
    size_t again = 0;
    for (size_t n = 0; n < m->listed; ++n)
        if (m->masks[m->rows[n]] != 0) again += resolve_row(b, m->rows[n], tally);
    return again;
}

static size_t resolve_all(const CollideBlock *b, CollideTally *tally)
{
    size_t again = 0;
    for (size_t i = 0; i < b->r->count; ++i) again += resolve_row(b, i, tally);
    return again;
}

static mote_real longest_way(const Range *r)
{
    mote_real longest = 0;
    for (size_t i = 0; i < r->count; ++i)
        longest =
            real_max(longest, vec3_length(vec3_sub(row_vector(r->x, i), row_vector(r->x0, i))));
    return longest;
}

size_t collide_range(const CollideRow *row, const CollideKernels *kernels,
                     const CollideInput *input, const Range *r, CollideTally *tally)
{
    enum { LEAST_ROWS = 8 }; /* fewer are not worth a list of colliders */
    CollideBlock b = {row, kernels, input, r, {r->count, r->x0, r->x, r->collide}, 0, 0, 1};
    Near near; /* not cleared: it is large, and a block is quickly done */
    Meetings meetings;
    if (!input->def->as_points) b.radius = system_largest_radius(r->system);
    if (row->is_force && input->touched == NULL) return 0; /* nobody asks for impulses */
    if (row->reach != NULL) b.radius += row->reach(input->def);
    if (row->is_force) b.radius += longest_way(r); /* near at the start counts, too */
    if (input->broad->moves) b.start = share_of(input, r->t), b.end = share_of(input, r->t + r->dt);
    find_near(&b, &near);
    if (near.count == 0) return 0;
    if (near.count == 1 && !near.many && is_plain_plane(&b, near.colliders[0]))
        return row->on_plane(input, near.colliders[0], r, tally);
    if (near.many && r->count > LEAST_ROWS) return collide_parts(&b, tally);
    memset(r->marks, 0, r->count * sizeof r->marks[0]);
    if (near.many) return resolve_all(&b, tally);
    size_t again = block_meet_walls(&b, &near, &meetings, tally);
    return again + resolve_listed(&b, &meetings, tally);
}
