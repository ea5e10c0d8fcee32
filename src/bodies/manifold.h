/* Points at which two solids touch, or may touch within a sub-step. */
#ifndef BODIES_MANIFOLD_H
#define BODIES_MANIFOLD_H

#include "bodies/solid.h"

/* A place of a surface that goes with its solid, but does not turn about what is round in it. */
typedef struct Anchor {
    D3 at;       /* in the solid's frame: the surface, or the middle of what is round */
    Round round; /* its axis in the solid's frame */
} Anchor;

/* Of a place x (m, in the world) on the surface of a piece, which looks along `outward` there. */
Anchor anchor_make(const Solid *solid, const Placed *placed, D3 x, D3 outward);

/* Where the anchor is on a surface that looks along `outward`, in the world. */
D3 anchor_place(const Anchor *anchor, const DPose *solid, D3 outward);

enum { MOST_POINTS = 4 };

typedef struct ContactPoint {
    Anchor on_a, on_b;
    D3 normal;      /* unit, in the world, from a towards b */
    double gap;     /* m, along it; negative: they overlap */
    double carrier; /* 1: the point goes with a's anchor, 0: with b's, 0.5: between them */
    /* kg m/s, of the last sub-step: along the normal, and across it in the world */
    double push;
    D3 drag;
} ContactPoint;

/* Between a piece of one solid and a piece of another. */
typedef struct Manifold {
    uint32_t a, b;             /* solids, a < b */
    uint32_t piece_a, piece_b; /* pieces of them */
    uint32_t count;
    bool asleep; /* not solved: who touches sleeps */
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
