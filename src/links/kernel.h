/* Loops over links and triangles. One table per instruction set.
 *
 * Links are evaluated by gather: every row sums over the links that end at it, in an order that
 * depends on the links alone, so a block of rows can be done by any thread. A link is therefore
 * evaluated twice, once for each end; the two forces are exactly opposite, because every step of
 * the formula is even or odd in d and w. Consecutive links whose ends both go up by one form a
 * segment, and inside a segment all memory is read in order.
 *
 * Two laws (Bargteil's slides have both with one letter k): `linear`, F = k (l - r) d / l with k in
 * N/m, and `strain`, F = k (l / r - 1) d / l with k in N, which is the first with k / r. The second
 * does not change when a rope is cut into more pieces. Damping is c (w . d / l) d / l, w the
 * velocity of the other end: along the link alone, so that a rope that turns as a whole is not
 * slowed. */
#ifndef LINKS_KERNEL_H
#define LINKS_KERNEL_H

#include "base/isa.h"
#include "base/loop.h"

/* Links link + k between rows own + k and other + k; forces go to own + k. */
typedef struct LinkSegment {
    uint32_t own, other, link, count;
} LinkSegment;

/* Triangles of rows own + k, next + k, last + k. */
typedef struct TriangleSegment {
    uint32_t own, next, last, count;
} TriangleSegment;

/* Whole planes of the system and of the links, and what all links share. */
typedef struct LinkView {
    const mote_real *x[3], *v[3];
    const mote_real *factor;      /* on stiffness and damping; 0: broken */
    const mote_real *rest;        /* m */
    mote_real stiffness, damping; /* N/m, N s/m for factor 1 */
    mote_real period[3], half[3]; /* m: of periodic axes; 0 and infinity for others */
    bool periodic;
} LinkView;

typedef struct AirView {
    const mote_real *x[3];
    const mote_real *u[3]; /* m/s: wind relative to the row */
    mote_real air;         /* kg/m^3 */
} AirView;

/* Derivative of the links' forces: g I + b b^T per link, in planes g, bx, by, bz. */
enum { LINK_DERIVATIVE_PLANES = 4 };

/* A symmetric 3 x 3 matrix per row: xx, yy, zz, yz, xz, xy. */
enum { SYMMETRIC_PLANES = 6 };

typedef struct LinkKernels {
    /* Adds forces (N) on the rows from `first` on to the planes f. */
    void (*pull)(const LinkView *view, const LinkSegment *segments, size_t count, size_t first,
                 mote_real *const f[3]);
    /* Potential energy (J), in a fixed order. */
    double (*energy)(const LinkView *view, const LinkSegment *segments, size_t count);
    /* Sets broken[link] to LINK_BREAKS where the strain is above `limit`; how many. */
    size_t (*snap)(const LinkView *view, mote_real limit, const LinkSegment *segments, size_t count,
                   uint8_t *broken);
    /* The derivative by_x dF/dx + by_v dF/dv, negative, with compressed links made definite. */
    void (*linearise)(const LinkView *view, const mote_real by[2], const LinkSegment *segments,
                      size_t count, mote_real *const derivative[LINK_DERIVATIVE_PLANES]);
    /* Adds the rows' own blocks of that. */
    void (*diagonal)(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
                     const LinkSegment *segments, size_t count, size_t first,
                     mote_real *const d[SYMMETRIC_PLANES]);
    /* Adds the product with p (whole planes) to the block's planes q. */
    void (*times)(mote_real *const derivative[LINK_DERIVATIVE_PLANES], const LinkSegment *segments,
                  size_t count, size_t first, mote_real *const p[3], mote_real *const q[3]);
    /* Wind on triangles; and its derivative by velocity, times `by`, lumped on the rows. */
    void (*press)(const AirView *view, const TriangleSegment *segments, size_t count, size_t first,
                  mote_real *const f[3]);
    void (*press_diagonal)(const AirView *view, mote_real by, const TriangleSegment *segments,
                           size_t count, size_t first, mote_real *const d[SYMMETRIC_PLANES]);
} LinkKernels;

/* Values of Links.broken. */
enum { LINK_WHOLE = 0, LINK_BROKEN = 1, LINK_BREAKS = 2 };

const LinkKernels *link_kernels(Isa isa);

#endif
