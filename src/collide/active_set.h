/* The nearest point on the right side of a few planes: plane, edge or vertex, found exactly. */
#ifndef COLLIDE_ACTIVE_SET_H
#define COLLIDE_ACTIVE_SET_H

#include <mote/base.h>

enum { MOST_PLANES = 8, MOST_ACTIVE = 3 };

/* Points with normal . x >= offset are allowed. */
typedef struct ContactPlane {
    double normal[3]; /* unit */
    double offset;
} ContactPlane;

/* The point, and the planes that hold it: x = wish + sum of push[i] normal(of[i]), push > 0. */
typedef struct ActiveSet {
    double x[3];
    int count;
    int of[MOST_ACTIVE];
    double push[MOST_ACTIVE];
} ActiveSet;

/* False when no point is allowed (walls that have closed). Planes may be missed by `slack`. */
bool active_set_solve(const ContactPlane *planes, int count, const double wish[3], double slack,
                      ActiveSet *set);

#endif
