/* Contact that planes do not solve. */
#include "collide/contact.h"

#include "bodies/body.h"

/* True when the particle can go straight to a place by some time, and from there on stay, or go on
 * with the collider c, to the end of the step. */
static bool try_place(RowCase *row, mote_Vec3 at, mote_real time, const Collider *c)
{
    Impact other;
    Way leg = {row->x0, at, row->radius, row->start, time, c};
    Way rest = {at, at, row->radius, time, row->end, c};
    if (c != NULL) rest.to = wall_carry(c, time, row->end, at);
    row->x1 = rest.to;
    if (!row_is_outside(row, rest.to)) return false;
    if (!row->broad->moves) return true;
    if (time > row->start && row_first_impact(row, &leg, &other)) return false;
    return !row_first_impact(row, &rest, &other);
}

/* A long way in small steps, straight to the wish: walls that turn by much move apart from their
 * planes, and leave room in between. */
static bool creep(RowCase *row, mote_Vec3 wish_x, mote_Vec3 wish_v)
{
    enum { PIECES = 64 };
    RowCase piece = *row;
    const mote_real share = (mote_real)1 / PIECES, span = row->end - row->start;
    if (row->creeps || !row->broad->moves) return false;
    piece.creeps = true, piece.touched = NULL, piece.dt = row->dt * share;
    piece.x1 = row->x0;
    for (int i = 0; i < PIECES; ++i) {
        piece.x0 = piece.x1, piece.v1 = wish_v, piece.changed = false;
        piece.start = row->start + (mote_real)i * share * span;
        piece.end = i + 1 < PIECES ? row->start + (mote_real)(i + 1) * share * span : row->end;
        mote_Vec3 left = vec3_sub(wish_x, piece.x0);
        piece.x1 = vec3_madd(piece.x0, 1 / (mote_real)(PIECES - i), left);
        row_contact(&piece);
        if (piece.trapped) return false;
    }
    row->x1 = piece.x1, row->v1 = piece.v1;
    return row_is_outside(row, row->x1);
}

/* The collider of plane i, or that of the impact behind the last; NULL when it came before. */
static const Collider *next_wall(const Contact *contact, const Impact *impact, int i)
{
    const Collider *c = i < contact->count ? contact->colliders[i] : impact->collider;
    for (int k = 0; k < i; ++k)
        if (contact->colliders[k] == c) return NULL;
    return c;
}

static bool gives_way(const Collider *c)
{
    return c->body != NULL && c->body->def.free;
}

/* Where the walls that hold it take it: those that nothing moves, if there are any; in the mean. */
static void stay_trapped(Contact *contact, const Impact *impact)
{
    RowCase *row = contact->row;
    mote_Vec3 shift[2] = {{0, 0, 0}, {0, 0, 0}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
    mote_real count[2] = {0, 0};
    for (int i = 0; i <= contact->count; ++i) {
        const Collider *c = next_wall(contact, impact, i);
        if (c == NULL) continue;
        const int kind = gives_way(c) ? 1 : 0;
        mote_Vec3 carried = wall_carry(c, row->start, row->end, row->x0);
        shift[kind] = vec3_add(shift[kind], vec3_sub(carried, row->x0));
        v[kind] = vec3_add(v[kind], wall_velocity(c, row->end, row->x0, impact->normal));
        ++count[kind];
    }
    const int kind = count[0] > 0 ? 0 : 1;
    row->x1 = vec3_madd(row->x0, 1 / count[kind], shift[kind]);
    row->v1 = vec3_scale(v[kind], 1 / count[kind]);
    row->trapped = true;
}

void contact_give_up(Contact *contact, const Impact *impact)
{
    RowCase *row = contact->row;
    const Collider *with = NULL;
    bool placed = try_place(row, impact->centre, impact->time, NULL) ||
                  try_place(row, row->x0, row->start, NULL);
    for (int i = 0; i <= contact->count && !placed; ++i) {
        with = next_wall(contact, impact, i);
        placed = with != NULL && (try_place(row, impact->centre, impact->time, with) ||
                                  try_place(row, row->x0, row->start, with));
    }
    row->v1 = vec3(0, 0, 0);
    if (placed && with != NULL) row->v1 = wall_velocity(with, row->end, row->x1, impact->normal);
    if (!placed && !creep(row, contact->wish_x, contact->wish_v)) stay_trapped(contact, impact);
    row_note(row, impact, contact->wish_v, row->v1, row->v1);
}
