/* Separating axes of two polytopes: the directions among which that of the least overlap is. */
#ifndef BODIES_AXES_H
#define BODIES_AXES_H

#include "bodies/piece.h"

typedef struct Axis {
    D3 normal;         /* unit, in the world, from a towards b */
    double separation; /* m, of the cores along it; negative: they overlap */
} Axis;

enum { MOST_AXES = 512 };

typedef struct AxisList {
    Axis items[MOST_AXES];
    size_t count;
} AxisList;

/* Both have hulls, and not too many pairs of edges. */
bool axes_are_known(const Placed *a, const Placed *b);

/* Normals of both and directions across pairs of edges that can touch: all faces of the Minkowski
 * difference. Empty for two cores without faces that have no such direction. */
void axes_find(const Placed *a, const Placed *b, AxisList *list);

/* The overlap is least along the axis of the largest separation; the first of several. */
const Axis *axes_best(const AxisList *list);

double separation_along(const Placed *a, const Placed *b, D3 n);

#endif
