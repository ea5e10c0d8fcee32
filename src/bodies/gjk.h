/* Distance of two convex cores, and how deep they overlap. */
#ifndef BODIES_GJK_H
#define BODIES_GJK_H

#include "bodies/piece.h"

typedef struct Gap {
    double distance; /* m, of the cores; negative: depth */
    D3 normal;       /* unit, from a towards b */
    D3 a, b;         /* nearest points of the cores; in an overlap, of the cores moved apart */
} Gap;

/* False when the cores touch or overlap. */
bool gjk_distance(const Placed *a, const Placed *b, Gap *gap);

/* The signed distance: exact for points, segments, boxes and polytopes that are not very large. */
void gap_between(const Placed *a, const Placed *b, Gap *gap);

/* The distance along the normal of contact, which is that of the signed distance except where
 * corners or edges touch: there it is between those of the faces that meet. */
void gap_of_contact(const Placed *a, const Placed *b, Gap *gap);

/* ---- axes.c ---- */

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

/* ---- epa.c ---- */

/* The direction in which the least way takes b out of a, and the separation along it. False when
 * the cores together have no volume. */
bool epa_find(const Placed *a, const Placed *b, Axis *out);

#endif
