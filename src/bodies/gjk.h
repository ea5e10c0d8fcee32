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

/* The signed distance. Overlaps are found by expanding polytopes and by faces. */
void gap_between(const Placed *a, const Placed *b, Gap *gap);

#endif
