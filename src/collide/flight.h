/* Flight: a particle under constant acceleration, and the moment at which it meets a collider. */
#ifndef COLLIDE_FLIGHT_H
#define COLLIDE_FLIGHT_H

#include "collide/wall.h"

typedef struct Flight {
    mote_Vec3 x, v, a; /* at its start: m, m/s, m/s^2 */
    mote_real radius;
    mote_real duration;   /* s */
    mote_real start, end; /* time of the sub-step, 0 to 1 */
} Flight;

mote_Vec3 flight_position(const Flight *f, mote_real after);
mote_Vec3 flight_velocity(const Flight *f, mote_real after);

/* The first h > 0 with gap + speed h + pull h^2 / 2 = 0, gap >= 0; negative when there is none.
 * Written so that nothing cancels. */
mote_real flight_root(mote_real gap, mote_real speed, mote_real pull);

/* True when the flight meets the collider: `after` seconds. */
bool flight_meets(const Flight *f, const Collider *c, mote_real *after, Impact *impact);

/* Where a flight is cut off by an impact. */
typedef struct FlightEnd {
    mote_real after; /* s */
    mote_Vec3 x;
} FlightEnd;

/* Colliders that are met by chords of the flight see another way when it is cut off inside a chord:
 * true when such a one is met on it. */
bool flight_meets_before(const Flight *f, const Collider *c, const FlightEnd *end, mote_real *after,
                         Impact *impact);

#endif
