/* Finding the first impact of a particle, reflecting it, and keeping account of it. */
#include "collide/row_case.h"

static Aabb way_box(const Way *way)
{
    Aabb box = {vec3_min(way->from, way->to), vec3_max(way->from, way->to)};
    mote_real bulge = 0;
    if (way->frame != NULL && way->frame->turns) { /* an arc about the frame's origin */
        mote_Vec3 a = vec3_sub(way->from, way->frame->pose.position);
        mote_Vec3 b = vec3_sub(way->to, way->frame->pose.position);
        bulge = vec3_length(a) + vec3_length(b) + vec3_length(way->frame->change.linear);
    }
    return aabb_grown(&box, way->radius + 4 * way_slack(way) + bulge);
}

/* The earlier one; of two at once the one that was added to the world first. At the end of a step
 * everything is late: there the deepest counts. */
static bool comes_first(const Impact *a, const Impact *b)
{
    if (a->share != b->share) return a->share < b->share;
    if (a->share == 1 && a->gap != b->gap) return a->gap < b->gap;
    return a->collider->number < b->collider->number;
}

bool row_first_impact(const RowCase *row, const Way *way, Impact *first)
{
    BroadWalk walk;
    broad_walk(&walk, row->broad, way_box(way));
    bool found = false, swept = row->def->detection == MOTE_DETECT_SWEPT;
    for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
        Impact impact;
        bool hit = swept ? wall_sweep(c, way, &impact) : wall_end_inside(c, way, &impact);
        if (!hit || (found && !comes_first(&impact, first))) continue;
        *first = impact;
        found = true;
    }
    return found;
}

bool row_approaches(const Impact *impact, mote_Vec3 v, mote_Vec3 wall)
{
    mote_Vec3 relative = vec3_sub(v, wall);
    mote_real size = REAL_ABS(relative.x) + REAL_ABS(relative.y) + REAL_ABS(relative.z);
    return vec3_dot(relative, impact->normal) < -8 * REAL_EPSILON * size;
}

/* What steps leave by rounding is a few slacks of the longest way deep. */
void row_note_inside(RowCase *row, const Impact *impact)
{
    const mote_real slacks = 16;
    const Way way = row_way(row);
    mote_real slack = way_slack(&way) + point_slack(impact->collider->pose.position, 0);
    if (impact->inside && impact->gap < -slacks * slack) row->inside = true;
}

static mote_real square(mote_Vec3 a)
{
    return vec3_dot(a, a);
}

void row_note_change(RowCase *row, const Impact *impact, mote_Vec3 change, mote_real lost)
{
    TouchList *list = row->touched;
    if (list == NULL) return;
    uint32_t number = impact->collider->number, i = 0;
    while (i < list->count && list->touches[i].collider != number) ++i;
    if (i == MOST_TOUCHES) --i; /* rarer than rare: the last one bears it */
    if (i == list->count) list->touches[list->count++] = (Touch){.collider = number};
    Touch *touch = &list->touches[i];
    touch->change = vec3_add(touch->change, change);
    touch->at = vec3_madd(impact->centre, -impact->time, impact->collider->change.linear);
    touch->lost += lost;
}

void row_note(RowCase *row, const Impact *impact, mote_Vec3 before, mote_Vec3 after, mote_Vec3 wall)
{
    row_note_change(row, impact, vec3_sub(after, before),
                    (mote_real)0.5 *
                        (square(vec3_sub(before, wall)) - square(vec3_sub(after, wall))));
}

/* v' = wall - epsilon v_N n + factor v_T. */
mote_Vec3 row_reflect(RowCase *row, const Impact *impact, mote_real restitution, mote_Vec3 v)
{
    const Collider *c = impact->collider;
    const mote_Vec3 n = impact->normal;
    mote_Vec3 wall = wall_velocity(c, impact->time, impact->centre, n);
    mote_Vec3 relative = vec3_sub(v, wall);
    mote_real along = vec3_dot(relative, n);
    if (!(along < 0)) return v;
    mote_Vec3 across = vec3_madd(relative, -along, n);
    mote_real e = c->friction->sticks ? 0 : restitution, stopped = -(1 + e) * along;
    mote_real factor = c->friction->factor(&c->friction_params, stopped, vec3_length(across));
    mote_Vec3 after = vec3_madd(vec3_madd(wall, -e * along, n), factor, across);
    row_note(row, impact, v, after, wall);
    return after;
}

bool row_is_outside(const RowCase *row, mote_Vec3 x)
{
    mote_real slack = 4 * point_slack(x, row->radius);
    Aabb box = {x, x};
    BroadWalk walk;
    broad_walk(&walk, row->broad, aabb_grown(&box, row->radius));
    for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
        mote_real own = slack + 32 * REAL_EPSILON * vec3_length(c->pose.position);
        if (!(wall_distance(c, row->end, x) - row->radius >= -own)) return false;
    }
    return true;
}

/* Stuck: it touches, and does not leave by more than half a radius in this step, as what was thrown
 * from the surface would. */
static bool holds(const RowCase *row, const Collider *c, Impact *impact)
{
    Way way = {row->x0, row->x0, row->radius, row->start, row->end, NULL};
    mote_real slack = 64 * way_slack(&way);
    WallPoint at = wall_point(c, row->start, row->x0);
    mote_real gap = at.distance - row->radius;
    if (!(gap <= slack && gap >= -slack)) return false;
    mote_Vec3 wall = wall_velocity(c, row->start, row->x0, at.normal);
    mote_real leaves = vec3_dot(vec3_sub(row->v0, wall), at.normal) * row->dt;
    *impact = (Impact){c, 0, row->start, row->x0, at.normal, gap, false};
    return leaves <= row->radius / 2 + slack;
}

/* The collider that holds it, the first of the world if several do. */
static bool find_holder(const RowCase *row, const Way *way, Impact *found)
{
    BroadWalk walk;
    broad_walk(&walk, row->broad, way_box(way));
    found->collider = NULL;
    for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
        Impact impact;
        bool later = found->collider != NULL && c->number > found->collider->number;
        if (c->friction->sticks && !later && holds(row, c, &impact)) *found = impact;
    }
    return found->collider != NULL;
}

bool row_hold(RowCase *row)
{
    Way way = {row->x0, row->x0, row->radius, row->start, row->end, NULL};
    Impact impact;
    if (!row->broad->sticks || !find_holder(row, &way, &impact)) return false;
    const Collider *c = impact.collider;
    mote_Vec3 wall = wall_velocity(c, row->end, row->x0, impact.normal);
    mote_real back = REAL_ABS(impact.gap) > way_slack(&way) ? -impact.gap : 0;
    mote_Vec3 x = vec3_madd(row->x0, back, impact.normal);
    row->x1 = wall_carry(c, row->start, row->end, x);
    row_note(row, &impact, row->v1, wall, wall);
    row->v1 = wall;
    row->changed = true;
    return true;
}
