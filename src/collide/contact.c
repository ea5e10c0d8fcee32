/* Contact: a particle is led along the surfaces that it meets instead of through them.
 *
 * Every surface that the way enters becomes a plane, through the place of the impact and moved
 * along with the collider to the end of the step: normal . x >= offset. The particle goes to the
 * point nearest to where it wanted to go that all planes allow, which closes the gap to the surface
 * and nothing more; friction takes back of the motion along them. The new way is swept again, and
 * may give another plane, until it is free: that last sweep proves that the particle did not pass
 * through anything. Its velocity is stopped by the planes that hold it in the same manner.
 *
 * What is not solved by eight planes stops where its last way was still free; when the walls have
 * closed on it, it is trapped. */
#include "collide/contact.h"

/* ---- planes ---- */

/* In small steps a particle keeps a little off walls that turn: between the ends of a step their
 * corners bulge in by up to arm angle^2 / 8, and a straight way that ends four times as far off
 * stays clear of that. */
static mote_real turning_margin(const RowCase *row, const Collider *c, mote_Vec3 x)
{
    if (!row->creeps || !c->turns) return 0;
    mote_real arm = vec3_length(vec3_sub(x, wall_pose(c, row->end).position));
    mote_real angle = vec3_length(c->change.angular) * (row->end - row->start);
    return arm * angle * angle / 2;
}

static void set_plane(Contact *contact, int i, const Impact *impact)
{
    const Collider *c = impact->collider;
    mote_real end = contact->row->end;
    mote_Vec3 n = wall_turn(c, impact->time, end, impact->normal);
    mote_Vec3 anchor = wall_carry(c, impact->time, end, impact->centre);
    ContactPlane *plane = &contact->planes[i];
    mote_real slack = point_slack(impact->centre, contact->row->radius);
    mote_real deep = impact->gap < -slack / 2 ? -impact->gap : 0;
    deep += turning_margin(contact->row, c, anchor);
    if (deep > 0) anchor = vec3_madd(anchor, deep, n);
    to_doubles(n, plane->normal);
    plane->offset = 0;
    plane->offset = plane_value(plane, anchor);
    contact->impacts[i] = *impact;
    contact->normals[i] = n;
    contact->anchors[i] = anchor;
    contact->colliders[i] = c;
}

/* A plane that does not forbid x leads nowhere. */
static bool forbids(const Contact *contact, int i, mote_Vec3 x)
{
    return plane_value(&contact->planes[i], x) < -(double)contact->slack * PLANE_SHARE;
}

/* The plane of this impact; if the present x is allowed by it (in a bowl the tangent plane at the
 * first impact is), the tangent plane nearest to x. False when neither helps. */
static bool add_plane(Contact *contact, const Impact *impact)
{
    int i = contact->count;
    if (i == MOST_PLANES) return false;
    mote_Vec3 x = contact->row->x1;
    set_plane(contact, i, impact);
    if (!forbids(contact, i, x)) {
        WallPoint at = wall_point(impact->collider, contact->row->end, x);
        Impact here = {impact->collider,
                       1,
                       contact->row->end,
                       x,
                       at.normal,
                       at.distance - contact->row->radius,
                       false};
        set_plane(contact, i, &here);
        if (!forbids(contact, i, x)) return false;
    }
    ++contact->count;
    return true;
}

/* ---- sliding ---- */

/* The part of a that the active planes leave free. Along a face, an edge, or nothing in a corner.
 */
static mote_Vec3 free_part(const Contact *contact, const ActiveSet *set, mote_Vec3 a)
{
    if (set->count == 0) return a;
    if (set->count == 3) return vec3(0, 0, 0);
    mote_Vec3 n = contact->normals[set->of[0]];
    if (set->count == 1) return vec3_madd(a, -vec3_dot(a, n), n);
    mote_Vec3 edge = vec3_unit(vec3_cross(n, contact->normals[set->of[1]]), vec3(0, 0, 0));
    return vec3_scale(edge, vec3_dot(a, edge));
}

/* One surface after the other takes its share of the sliding. */
static mote_real sliding_factor(const Contact *contact, const ActiveSet *set, mote_real speed,
                                mote_real rate)
{
    mote_real factor = 1;
    for (int i = 0; i < set->count; ++i) {
        const Collider *c = contact->colliders[set->of[i]];
        mote_real stopped = (mote_real)set->push[i] * rate;
        factor *= c->friction->factor(&c->friction_params, stopped, factor * speed);
    }
    return factor;
}

/* Friction draws back from the free point, but not into another wall: only as far as all planes
 * allow. */
static mote_Vec3 draw_back(const Contact *contact, const PlaneSet *planes, mote_Vec3 free,
                           mote_Vec3 slid)
{
    double share = 1;
    for (int i = 0; i < contact->count; ++i) {
        double from = plane_value(&planes->planes[i], free);
        double to = plane_value(&planes->planes[i], slid);
        if (to >= -planes->slack * PLANE_SHARE || !(from > to)) continue;
        double reached = from > 0 ? from / (from - to) : 0;
        share = reached < share ? reached : share;
    }
    return share < 1 ? vec3_madd(free, (mote_real)share, vec3_sub(slid, free)) : slid;
}

mote_Vec3 contact_slide(const Contact *contact, const PlaneSet *planes, const ActiveSet *set,
                        mote_Vec3 anchor, mote_real rate)
{
    mote_Vec3 x = to_vec(set->x), free = free_part(contact, set, vec3_sub(x, anchor));
    bool exact = true;
    for (int i = 0; i < set->count; ++i) {
        double off = plane_value(&planes->planes[set->of[i]], anchor);
        exact = exact && off <= planes->slack && off >= -planes->slack;
    }
    mote_real factor = sliding_factor(contact, set, vec3_length(free) * rate, rate);
    mote_Vec3 slid = vec3_madd(exact ? anchor : vec3_sub(x, free), factor, free);
    return draw_back(contact, planes, x, slid);
}

/* ---- positions ---- */

static mote_real remaining_rate(const Contact *contact, int plane)
{
    const RowCase *row = contact->row;
    mote_real left = 1 - contact->impacts[plane].share;
    return 1 / (row->dt * real_max(left, (mote_real)1e-3));
}

/* x1 that all planes allow; false when there is none. */
static bool place(Contact *contact, ActiveSet *set)
{
    double wish[3];
    to_doubles(contact->wish_x, wish);
    double slack = (double)contact->slack * PLANE_SHARE;
    if (!active_set_solve(contact->planes, contact->count, wish, slack, set)) return false;
    if (set->count == 0) {
        contact->row->x1 = contact->wish_x;
        return true;
    }
    int first = set->of[0];
    mote_real rate = remaining_rate(contact, first);
    mote_Vec3 belt =
        wall_belt(contact->colliders[first], contact->row->end, contact->normals[first]);
    mote_Vec3 anchor = vec3_madd(contact->anchors[first], 1 / rate, belt);
    const PlaneSet planes = {contact->planes, (double)contact->slack};
    contact->row->x1 = contact_slide(contact, &planes, set, anchor, rate);
    return true;
}

static bool way_is_free(Contact *contact, Impact *impact)
{
    Way way = row_way(contact->row);
    contact->slack = way_slack(&way);
    for (int i = 0; i < contact->count && way.frame == NULL; ++i)
        if (contact->colliders[i]->turns) way.frame = contact->colliders[i];
    return !row_first_impact(contact->row, &way, impact);
}

/* Planes are as exact as the way is long. A place that is much nearer to the origin than the way
 * was can be held more exactly: the planes are moved to where the walls are seen from it. */
static void settle(Contact *contact)
{
    RowCase *row = contact->row;
    const mote_real slack = point_slack(row->x1, row->radius);
    ContactPlane planes[MOST_PLANES];
    ActiveSet set;
    bool deep = false;
    double wish[3];
    for (int i = 0; i < contact->count; ++i) {
        mote_real gap = wall_distance(contact->colliders[i], row->end, row->x1) - row->radius;
        planes[i] = contact->planes[i];
        planes[i].offset += plane_value(&planes[i], row->x1) - (double)gap;
        deep = deep || gap < -slack;
    }
    to_doubles(row->x1, wish);
    if (deep && active_set_solve(planes, contact->count, wish, (double)slack * PLANE_SHARE, &set))
        row->x1 = to_vec(set.x);
}

/* Rounding may leave a row a little inside where it came to rest, and the next step would start
 * there: the nearest point outside of all walls around is taken. */
void row_settle(RowCase *row)
{
    const mote_real slack = point_slack(row->x1, row->radius);
    ContactPlane planes[MOST_PLANES];
    ActiveSet set;
    int count = 0;
    bool deep = false;
    double wish[3];
    Aabb box = {row->x1, row->x1};
    BroadWalk walk;
    broad_walk(&walk, row->broad, aabb_grown(&box, row->radius + 64 * slack));
    to_doubles(row->x1, wish);
    for (const Collider *c; (c = broad_next(&walk)) != NULL && count < MOST_PLANES;) {
        WallPoint at = wall_point(c, row->end, row->x1);
        mote_real gap = at.distance - row->radius;
        if (!(gap <= 64 * slack && gap >= -64 * slack)) continue;
        ContactPlane *plane = &planes[count++];
        to_doubles(at.normal, plane->normal);
        plane->offset = 0;
        plane->offset = plane_value(plane, row->x1) - (double)gap;
        deep = deep || gap < -slack;
    }
    if (deep && active_set_solve(planes, count, wish, (double)slack * PLANE_SHARE, &set))
        row->x1 = to_vec(set.x);
}

/* ---- the algorithm ---- */

/* Coming to a wall counts as a hit, lying on it does not. */
static void note_arrival(RowCase *row, const Impact *impact)
{
    mote_Vec3 wall = wall_velocity(impact->collider, impact->time, impact->centre, impact->normal);
    if (row_approaches(impact, row->v0, wall)) row->bounced = true;
}

void row_contact(RowCase *row)
{
    Contact contact = {.row = row, .wish_x = row->x1, .wish_v = row->v1};
    ActiveSet set = {.count = 0};
    Impact impact;
    while (!way_is_free(&contact, &impact)) {
        if (!row->changed) note_arrival(row, &impact);
        row->changed = true;
        row_note_inside(row, &impact);
        if (!add_plane(&contact, &impact) || !place(&contact, &set)) {
            contact_give_up(&contact, &impact);
            return;
        }
    }
    if (set.count == 0) return;
    if (!row->inside) settle(&contact);
    contact_stop(&contact, &set);
}

/* Bridson's third algorithm: what moved into the wall at the start of the step collides, with the
 * velocity that it had then; what is still inside after that is in contact. Bounces therefore use
 * the velocity before gravity acted, and what rests stays at rest. Which rows bounce, v0 says; how
 * fast they are then, the parabola: with restitution 1 its energy is kept to rounding. Where his
 * third implementation stops all of v_N, what lands hovers by up to g dt^2; here the plane goes
 * through the place of the impact, so that the gap is closed. */
void row_resolve_contact(RowCase *row)
{
    enum { BOUNCES = 3 };
    for (int i = 0; i < BOUNCES && row->may_bounce; ++i) {
        Way way = row_way(row);
        Impact impact;
        if (!row_first_impact(row, &way, &impact)) return;
        const Collider *c = impact.collider;
        mote_real e = c->def.restitution;
        mote_Vec3 wall = wall_velocity(c, impact.time, impact.centre, impact.normal);
        if (impact.inside || e == 0 || c->friction->sticks ||
            !row_approaches(&impact, row->v0, wall))
            break;
        mote_Vec3 before = row_start_velocity(row);
        if (!row_approaches(&impact, before, wall)) break;
        mote_Vec3 change = vec3_sub(row_reflect(row, &impact, e, before), before);
        row->v0 = vec3_add(row->v0, change);
        row->bounced = row->changed = true;
        row->again = row->solves_again;
        if (row->again) return;
        row->x1 = vec3_madd(row->x1, row->dt, change);
        row->v1 = vec3_add(row->v1, change);
    }
    row_contact(row);
}
