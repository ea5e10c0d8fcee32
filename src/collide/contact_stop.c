/* Contact: the velocity at the end of the step, and how fast closing walls may press a particle
 * out.
 *
 * Walls that close like scissors throw out what is between them with their speed divided by the
 * sine of half the angle: in a wedge of a thousandth of a degree with anything. So what leaves them
 * is at most so many times as fast as they are, seen from their mean motion, or as fast as it was.
 * Walls on a path are still given way to in position, whatever it takes, because that is the
 * promise. A body that is free to move gives way itself, once it feels what is under it. */
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
