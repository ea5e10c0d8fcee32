/* The Gaussian core: vorticity ~ exp(-s^2 / 2), q = erf(s / sqrt 2) - sqrt(2 / pi) s exp(-s^2 / 2).
 *
 * Near the centre by the series q = sqrt(2 / pi) exp(-t / 2) s^3 sum t^k / (3 5 ... (2 k + 3)),
 * t = s^2, whose terms are all positive; farther out 1 - q = exp(-t / 2) (X(s) + sqrt(2 / pi) s)
 * with X(s) = exp(t / 2) erfc(s / sqrt 2), a smooth function fitted by a Chebyshev interpolant.
 *
 * Formulas: they include nothing, and are compiled for the processor and for devices. */
#ifndef SOLVERS_VORTEX_FORMULAS_GAUSSIAN_H
#define SOLVERS_VORTEX_FORMULAS_GAUSSIAN_H

#define ROOT_2_PI ((mote_real)0.79788456080286536) /* sqrt(2 / pi) */

/* From here on (s = 5/4) the series is left, and from FAR on q is 1. Each form is left before it
 * loses digits: the series takes more terms the farther out it goes, and 1 - q loses as many as q
 * is small. At FAR 1 - q is down to rounding: 3e-7 in float, 2e-16 in double. */
#define SERIES_END ((mote_real)1.5625)
#ifdef MOTE_DOUBLE
enum { SERIES_TERMS = 17, FIT_TERMS = 26 };
#define MIDDLE ((mote_real)5)
#define HALF   ((mote_real)3.75)
EIGHT_TABLE mote_real fit[FIT_TERMS] = {
    0x1.3b0fbcb4c7813p-3,  -0x1.b8b39cb2ad35bp-4,  0x1.2af970a30f8adp-4,   -0x1.8a65dd1419b74p-5,
    0x1.fad8c7652980cp-6,  -0x1.3dd010093f6bap-6,  0x1.8583c040b4a8fp-7,   -0x1.d32aa493ff348p-8,
    0x1.127770ae0773bp-8,  -0x1.3c49e1e2ecc86p-9,  0x1.65c55f460f86fp-10,  -0x1.8d9fd6be13190p-11,
    0x1.b2d91986632dap-12, -0x1.d374286601a7ap-13, 0x1.eaa860ec36c1ep-14,  -0x1.0021c4bb9af7ap-14,
    0x1.17dcb099c0060p-15, -0x1.199f9b07ddf0fp-16, 0x1.7c485547f2b69p-18,  -0x1.8866576440998p-19,
    0x1.098096546c763p-18, -0x1.e86602f019ed9p-20, -0x1.5d670ef2527b9p-21, 0x1.25902194fd3b2p-22,
    0x1.af30c22e27221p-22, -0x1.80d2f1512ee71p-23};
#else
enum { SERIES_TERMS = 10, FIT_TERMS = 11 };
#define MIDDLE ((mote_real)3.5)
#define HALF   ((mote_real)2.25)
EIGHT_TABLE mote_real fit[FIT_TERMS] = {
    0x1.b396f9cf1e260p-3f,  -0x1.ecc4d3a3319f2p-4f,  0x1.08e8f47bdc11fp-4f, -0x1.102eaa1f0c8efp-5f,
    0x1.0cc44583187a3p-6f,  -0x1.02cf08ca45008p-7f,  0x1.dba51b92adce7p-9f, -0x1.71f9c244d6115p-10f,
    0x1.459355df4e689p-11f, -0x1.ee0f22bf608e0p-12f, 0x1.8e1edfc53773fp-13f};
#endif

/* 1 / (1 3 5 ... (2 k + 1)). */
EIGHT_TABLE mote_real odd_products[] = {1,
                                        (mote_real)(1 / 3.0),
                                        (mote_real)(1 / 15.0),
                                        (mote_real)(1 / 105.0),
                                        (mote_real)(1 / 945.0),
                                        (mote_real)(1 / 10395.0),
                                        (mote_real)(1 / 135135.0),
                                        (mote_real)(1 / 2027025.0),
                                        (mote_real)(1 / 34459425.0),
                                        (mote_real)(1 / 654729075.0),
                                        (mote_real)(1 / 13749310575.0),
                                        (mote_real)(1 / 316234143225.0),
                                        (mote_real)(1 / 7905853580625.0),
                                        (mote_real)(1 / 213458046676875.0),
                                        (mote_real)(1 / 6190283353629375.0),
                                        (mote_real)(1 / 191898783962510625.0),
                                        (mote_real)(1 / 6332659870762850625.0),
                                        (mote_real)(1 / 221643095476699771875.0),
                                        (mote_real)(1 / 8200794532637891559375.0)};

/* sum over k of t^k / (1 3 5 ... (2 (k + first) + 1)). */
EIGHT_INLINE Eight series(int first, Eight t)
{
    return eight_polynomial(odd_products + first, SERIES_TERMS, t);
}

/* Both forms are computed for all eight lanes and one is chosen: a branch would be taken by some
 * lanes of nearly every eight. */
typedef struct Gauss {
    Eight s, t, bell; /* r / core, its square, exp(-t / 2) */
    Eight tail;       /* X(s), away from the centre */
    EightBits near;   /* where the series holds */
    Eight t_near;     /* t there, and something harmless elsewhere */
    Eight scale2;     /* core^2 there, r^2 elsewhere */
} Gauss;

EIGHT_INLINE Gauss gauss(Eight r2, Eight core2)
{
    Gauss g;
    const mote_real far = MIDDLE + HALF;
    Eight t = r2 / core2;
    g.t = eight_least(t, eight_all(far * far));
    g.s = eight_sqrt(g.t);
    g.bell = eight_where(EIGHT_MASK(t < far * far), eight_exp(g.t * (mote_real)-0.5));
    g.near = EIGHT_MASK(t < SERIES_END);
    g.t_near = eight_choose(g.near, t, eight_all(1));
    g.scale2 = eight_choose(g.near, core2, r2);
    g.tail = eight_polynomial(fit, FIT_TERMS, (g.s - MIDDLE) * (1 / HALF));
    return g;
}

EIGHT_INLINE Eight gaussian_slope(Eight r2, Eight core2, Eight *g)
{
    Gauss a = gauss(r2, core2);
    Eight bell = ROOT_2_PI * a.bell, cube = a.scale2 * eight_sqrt(a.scale2);
    Eight q = 1 - (a.bell * a.tail + bell * a.s);
    Eight near = bell * series(1, a.t_near), near_slope = -3 * bell * series(2, a.t_near);
    Eight slope = eight_choose(a.near, near_slope, bell * (a.t * a.s) - 3 * q);
    *g = slope / (cube * a.scale2);
    return eight_choose(a.near, near, q) / cube;
}

EIGHT_INLINE Eight gaussian(Eight r2, Eight core2)
{
    Gauss a = gauss(r2, core2);
    Eight bell = ROOT_2_PI * a.bell, cube = a.scale2 * eight_sqrt(a.scale2);
    Eight q = 1 - (a.bell * a.tail + bell * a.s);
    return eight_choose(a.near, bell * series(1, a.t_near), q) / cube;
}

/* erf(s / sqrt 2) / r. */
EIGHT_INLINE Eight gaussian_potential(Eight r2, Eight core2)
{
    Gauss a = gauss(r2, core2);
    Eight near = ROOT_2_PI * a.bell * series(0, a.t_near), far = 1 - a.bell * a.tail;
    return eight_choose(a.near, near, far) / eight_sqrt(a.scale2);
}

#endif
