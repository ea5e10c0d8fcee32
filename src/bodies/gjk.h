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

#endif
