/* Points at which two solids touch, or may touch within a sub-step. */
#ifndef BODIES_MANIFOLD_H
#define BODIES_MANIFOLD_H

#include "bodies/solid.h"

enum { MOST_POINTS = 4 };

typedef struct ContactPoint {
    D3 on_a, on_b; /* of the surfaces, in the frames of the solids */
    D3 normal;     /* unit, in the world, from a towards b */
    double gap;    /* m, along it; negative: they overlap */
    /* kg m/s, of the last sub-step: along the normal, and across it in the world */
    double push;
    D3 drag;
} ContactPoint;

/* Between a piece of one solid and a piece of another. */
typedef struct Manifold {
    uint32_t a, b;             /* solids, a < b */
    uint32_t piece_a, piece_b; /* pieces of them */
    uint32_t count;
    ContactPoint points[MOST_POINTS];
} Manifold;

/* Two placed pieces of two solids, and how near they must be. */
typedef struct PiecePair {
    const Solid *a, *b;
    Placed pa, pb;
    double margin; /* m */
} PiecePair;

/* Fills points and count. */
void manifold_find(const PiecePair *pair, Manifold *out);

#endif
