/* Micro-collisions (Bridson's first and second algorithm), and pushing out.
 *
 * All three work with the average velocity (x1 - x0) / dt, so contact is a row of small collisions:
 * with restitution what should rest creeps and hops. They are here to be compared with.
 *
 * Numerical implementations 1 and 2 of Bridson's slides. "Now can guarantee that we end up outside"
 * holds for the second only if its loop ends: in a wedge of 60 degrees projections take 90 rounds,
 * in one of 5 degrees 15 000. row_contact solves for the planes instead (active_set.c). */
#include "collide/row_case.h"

/* A collision with the average velocity; x1 = x0 + dt v. */
static void collide_once(RowCase *row, const Impact *impact)
{
    mote_Vec3 mean = vec3_scale(vec3_sub(row->x1, row->x0), 1 / row->dt);
    row->changed = true;
    row->bounced = true;
    row->v1 = row_reflect(row, impact, impact->collider->def.restitution, mean);
    row->x1 = vec3_madd(row->x0, row->dt, row->v1);
}

/* Inside at both ends there is no collision to speak of: an impulse in proportion to the depth,
 * which here just leads out within the step, with friction. */
static void repel(RowCase *row, const Impact *impact)
{
    WallPoint end = wall_point(impact->collider, row->end, row->x1);
    mote_real depth = row->radius - end.distance;
    Impact at = *impact;
    at.normal = end.normal, at.centre = row->x1, at.time = row->end;
    mote_Vec3 wall = wall_velocity(impact->collider, row->end, row->x1, end.normal);
    mote_real into = vec3_dot(vec3_sub(row->v1, wall), end.normal);
    mote_Vec3 deeper = vec3_madd(row->v1, -into - depth / row->dt, end.normal);
    row->v1 = row_reflect(row, &at, 0, deeper);
    row->x1 = vec3_madd(row->x1, depth > 0 ? depth : 0, end.normal);
    row->changed = true;
    row_note_inside(row, impact);
}

void row_resolve_micro(RowCase *row)
{
    Way way = row_way(row);
    Impact impact;
    if (!row_first_impact(row, &way, &impact)) return;
    if (impact.inside)
        repel(row, &impact);
    else
        collide_once(row, &impact);
}

/* The first collision may bounce; what is still inside then loses its normal velocity, plane by
 * plane, so that it ends. */
void row_resolve_micro_safe(RowCase *row)
{
    Way way = row_way(row);
    Impact impact;
    if (!row_first_impact(row, &way, &impact)) return;
    const Collider *c = impact.collider;
    if (!impact.inside && c->def.restitution > 0 && !c->friction->sticks)
        collide_once(row, &impact);
    row_contact(row);
}

/* Pushes what is inside to the nearest surface, and takes the velocity into it away. */
void row_resolve_interference(RowCase *row)
{
    enum { ROUNDS = 4 };
    for (int i = 0; i < ROUNDS; ++i) {
        Way way = row_way(row);
        Impact impact;
        if (!row_first_impact(row, &way, &impact)) return;
        row_note_inside(row, &impact);
        WallPoint end = wall_point(impact.collider, row->end, row->x1);
        bool ends_there = impact.share == 1 || impact.inside ||
                          (end.distance < row->radius && vec3_dot(end.normal, impact.normal) > 0);
        mote_Vec3 to = vec3_madd(row->x1, row->radius - end.distance, end.normal);
        if (ends_there)
            impact.normal = end.normal;
        else /* on the far side of a thin wall: back to where it came in */
            to = wall_carry(impact.collider, impact.time, row->end, impact.centre);
        row->v1 = row_reflect(row, &impact, impact.collider->def.restitution, row->v1);
        row->bounced = !row->changed;
        row->changed = true;
        row->x1 = to;
    }
}
