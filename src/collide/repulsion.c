/* Repulsion: forces near a surface instead of collisions, as a kick at the end of the step.
 *
 * y is the gap between the surfaces, v its rate: -K y below the surface; -K (y - y0) - D v, or
 * K (1/y - 1/y0) - D v, below the reach y0. The last is singular at the surface and would pull
 * inwards below it, so y counts as a hundredth of the reach at least. Nothing here is robust: what
 * is too weak, or too fast, gets in, and what is too stiff for the step explodes. */
#include "collide/row_case.h"

static mote_real force(const mote_CollideDef *def, mote_real y, mote_real speed)
{
    const mote_real reach = def->reach, k = def->stiffness;
    switch (def->law) {
    case MOTE_REPULSION_PENALTY:
        return y < 0 ? -k * y : 0;
    case MOTE_REPULSION_SPRING:
        return y < reach ? -k * (y - reach) - def->damping * speed : 0;
    default: {
        mote_real least = reach / 100, at = y > least ? y : least;
        return y < reach ? k * (1 / at - 1 / reach) - def->damping * speed : 0;
    }
    }
}

void row_resolve_repulsion(RowCase *row)
{
    Aabb box = {row->x1, row->x1};
    box = aabb_grown(&box, row->radius + row->def->reach);
    BroadWalk walk;
    broad_walk(&walk, row->broad, box);
    for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
        WallPoint at = wall_point(c, row->end, row->x1);
        mote_Vec3 wall = wall_velocity(c, row->end, row->x1, at.normal);
        mote_real speed = vec3_dot(vec3_sub(row->v1, wall), at.normal);
        mote_real push = force(row->def, at.distance - row->radius, speed) / row->mass;
        if (push == 0) continue;
        Impact impact = {c, 1, row->end, row->x1, at.normal, 0, false};
        mote_Vec3 after = vec3_madd(row->v1, row->dt * push, at.normal);
        row_note(row, &impact, row->v1, after, wall);
        row->v1 = after;
        row->changed = true;
    }
}
