/* Contact: the velocity at the end of the step, and how fast closing walls may press a particle
 * out.
 *
 * Walls that close like scissors throw out what is between them with their speed divided by the
 * sine of half the angle: in a wedge of a thousandth of a degree with anything. So what leaves them
 * is at most so many times as fast as they are, seen from their mean motion, or as fast as it was.
 * Walls on a path are still given way to in position, whatever it takes, because that is the
 * promise. A body that is free to move gives way itself, once it feels what is under it. */
#include "bodies/body.h"
#include "collide/contact.h"

/* Velocity of the wall of a plane where the particle is; where it met it, if it has slid off. */
static mote_Vec3 held_velocity(const Contact *contact, int i)
{
    const RowCase *row = contact->row;
    const Collider *c = contact->colliders[i];
    mote_Vec3 x = row->x1;
    if (c->turns && wall_distance(c, row->end, x) - row->radius > 4 * contact->slack)
        x = contact->anchors[i];
    return wall_velocity(c, row->end, x, contact->normals[i]);
}

/* Friction is shared among the planes as their pushes are. */
static void note_contact(Contact *contact, const ActiveSet *set, const mote_Vec3 *walls,
                         mote_Vec3 after)
{
    const mote_Vec3 before = contact->wish_v;
    double total = 0;
    for (int i = 0; i < set->count; ++i) total += set->push[i];
    mote_Vec3 normal = vec3(0, 0, 0);
    for (int i = 0; i < set->count; ++i)
        normal = vec3_madd(normal, (mote_real)set->push[i], contact->normals[set->of[i]]);
    mote_Vec3 friction = vec3_sub(vec3_sub(after, before), normal);
    for (int i = 0; i < set->count; ++i) {
        int k = set->of[i];
        const Impact *impact = &contact->impacts[k];
        mote_Vec3 change = vec3_scale(contact->normals[k], (mote_real)set->push[i]);
        if (total > 0) change = vec3_madd(change, (mote_real)(set->push[i] / total), friction);
        row_note(contact->row, impact, before, vec3_add(before, change), walls[k]);
    }
}

static double largest_speed(const Contact *contact, const mote_Vec3 *walls)
{
    double most = (double)vec3_length(contact->wish_v);
    for (int i = 0; i < contact->count; ++i) {
        double speed = (double)vec3_length(walls[i]);
        most = speed > most ? speed : most;
    }
    return most;
}

typedef struct WallsMotion {
    mote_Vec3 mean;     /* m/s, velocity */
    mote_real relative; /* m/s, of the fastest, seen from it */
} WallsMotion;

static WallsMotion walls_motion(const mote_Vec3 *velocities, const ActiveSet *set)
{
    WallsMotion motion = {{0, 0, 0}, 0};
    for (int i = 0; i < set->count; ++i)
        motion.mean = vec3_madd(motion.mean, 1 / (mote_real)set->count, velocities[set->of[i]]);
    for (int i = 0; i < set->count; ++i) {
        mote_Vec3 relative = vec3_sub(velocities[set->of[i]], motion.mean);
        motion.relative = real_max(motion.relative, vec3_length(relative));
    }
    return motion;
}

static mote_Vec3 tame(const Contact *contact, const ActiveSet *set, const mote_Vec3 *walls,
                      mote_Vec3 v)
{
    const WallsMotion motion = walls_motion(walls, set);
    mote_Vec3 relative = vec3_sub(v, motion.mean);
    mote_real own = vec3_length(vec3_sub(contact->wish_v, motion.mean));
    mote_real most = real_max(own, 4 * motion.relative);
    mote_real speed = vec3_length(relative);
    return speed > most ? vec3_madd(motion.mean, most / speed, relative) : v;
}

void contact_stop(Contact *contact, const ActiveSet *holding)
{
    RowCase *row = contact->row;
    ContactPlane planes[MOST_PLANES];
    mote_Vec3 walls[MOST_PLANES];
    for (int i = 0; i < contact->count; ++i) {
        planes[i] = contact->planes[i];
        planes[i].offset = -1e300;
        walls[i] = vec3(0, 0, 0);
    }
    for (int i = 0; i < holding->count; ++i) {
        int k = holding->of[i];
        walls[k] = held_velocity(contact, k);
        planes[k].offset = 0;
        planes[k].offset = plane_value(&planes[k], walls[k]);
    }
    ActiveSet set;
    double wish[3];
    to_doubles(contact->wish_v, wish);
    row->v1 = contact->wish_v;
    const PlaneSet allowed = {planes, 16 * (double)REAL_EPSILON * largest_speed(contact, walls)};
    if (!active_set_solve(planes, contact->count, wish, allowed.slack, &set)) {
        set = (ActiveSet){.count = 1, .of = {holding->of[0]}, .push = {1}};
        row->v1 = walls[holding->of[0]];
    } else if (set.count > 0) {
        row->v1 = contact_slide(contact, &allowed, &set, walls[set.of[0]], 1);
    }
    if (set.count > 1) row->v1 = tame(contact, &set, walls, row->v1);
    note_contact(contact, &set, walls, row->v1);
}

/* ---- contact that planes do not solve ---- */

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
static bool creep_in(RowCase *row, mote_Vec3 wish_x, mote_Vec3 wish_v, int pieces)
{
    RowCase piece = *row;
    const mote_real share = 1 / (mote_real)pieces, span = row->end - row->start;
    piece.creeps = true, piece.touched = NULL, piece.dt = row->dt * share;
    piece.x1 = row->x0;
    for (int i = 0; i < pieces; ++i) {
        piece.x0 = piece.x1, piece.v1 = wish_v, piece.changed = false;
        piece.start = row->start + (mote_real)i * share * span;
        piece.end = i + 1 < pieces ? row->start + (mote_real)(i + 1) * share * span : row->end;
        mote_Vec3 left = vec3_sub(wish_x, piece.x0);
        piece.x1 = vec3_madd(piece.x0, 1 / (mote_real)(pieces - i), left);
        row_contact(&piece);
        if (piece.trapped) return false;
    }
    row->x1 = piece.x1, row->v1 = piece.v1;
    return row_is_outside(row, row->x1);
}

/* Walls that turn several times in a step want smaller ones. */
static bool creep(RowCase *row, mote_Vec3 wish_x, mote_Vec3 wish_v)
{
    if (row->creeps || !row->broad->moves) return false;
    return creep_in(row, wish_x, wish_v, 64) || creep_in(row, wish_x, wish_v, 1024);
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
