/* Laws of repulsion, and the touches that a step of them leaves.
 *
 * The three laws of Bridson's slides, y the gap and y0 the `reach`: `penalty` -K y for y < 0,
 * `spring` -K (y - y0) - D v for y < y0, `inverse` K (1 / y - 1 / y0) - D v. He advises against all
 * of them where collisions are meant: too stiff or too weak, and in between hard to tune. */

#include "base/math.h"
#include "collide/row_case.h"

/* ---- the laws, without damping ---- */

static Repulsion spring_law(const mote_CollideDef *def, mote_real y)
{
    mote_real k = def->stiffness, stretch = repulsion_reach(def) - y;
    return (Repulsion){k * stretch, k, 0, k * stretch * stretch / 2};
}

/* Singular at the surface, and beyond it would pull inwards. Implicit schemes come as near as they
 * must and never pass (`limit`); a long explicit step may, and is then pushed back as a hundredth
 * of the reach outside would be: any more would throw it. */
static Repulsion inverse_law(const mote_CollideDef *def, mote_real y)
{
    const mote_real k = def->stiffness, reach = def->reach, least = reach * (mote_real)1e-6;
    mote_real at = y > least ? y : y > 0 ? least : reach / 100;
    mote_real energy = k * ((mote_real)math_log((double)(reach / at)) - 1 + at / reach);
    return (Repulsion){k * (1 / at - 1 / reach), k / (at * at), 0, energy};
}

static const struct {
    Repulsion (*law)(const mote_CollideDef *def, mote_real y);
    bool reaches, damps;
} laws[] = {
    [MOTE_REPULSION_PENALTY] = {spring_law, false, false},
    [MOTE_REPULSION_SPRING] = {spring_law, true, true},
    [MOTE_REPULSION_INVERSE] = {inverse_law, true, true},
};

mote_real repulsion_reach(const mote_CollideDef *def)
{
    return laws[def->law].reaches ? def->reach : 0;
}

Repulsion repulsion_at(const mote_CollideDef *def, mote_real y, mote_real speed)
{
    if (!(y < repulsion_reach(def))) return (Repulsion){0, 0, 0, 0};
    Repulsion push = laws[def->law].law(def, y);
    push.damping = laws[def->law].damps ? def->damping : 0;
    push.force -= push.damping * speed;
    return push;
}

/* ---- touches ---- */

/* A moment of the row's piece of time. */
typedef struct Moment {
    mote_Vec3 x, v;
    mote_real time, share; /* of the sub-step; of the impulse */
} Moment;

/* The impulses at one moment, for loads: heat is what the damper takes. */
static void note_moment(RowCase *row, const Moment *m)
{
    Aabb box = {m->x, m->x};
    BroadWalk walk;
    if (m->share == 0) return;
    broad_walk(&walk, row->broad, aabb_grown(&box, row->radius + repulsion_reach(row->def)));
    for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
        WallPoint at = wall_point(c, m->time, m->x);
        mote_Vec3 wall = wall_velocity(c, m->time, m->x, at.normal);
        mote_real speed = vec3_dot(vec3_sub(m->v, wall), at.normal);
        Repulsion push = repulsion_at(row->def, at.distance - row->radius, speed);
        mote_real h = m->share * row->dt / row->mass;
        Impact impact = {c, 1, m->time, m->x, at.normal, 0, false};
        if (push.force != 0)
            row_note_change(row, &impact, vec3_scale(at.normal, h * push.force),
                            h * push.damping * speed * speed);
    }
}

/* The force has moved the particle already, at every stage of its integrator: what is left to do is
 * to tell the colliders. */
void row_resolve_repulsion(RowCase *row)
{
    note_moment(row, &(Moment){row->x0, row->v0, row->start, 1 - row->end_weight});
    note_moment(row, &(Moment){row->x1, row->v1, row->end, row->end_weight});
}
