/* The Gaussian core: vorticity ~ exp(-s^2 / 2), q = erf(s / sqrt 2) - sqrt(2 / pi) s exp(-s^2 / 2).
 *
 * Near the centre by the series q = sqrt(2 / pi) exp(-t / 2) s^3 sum t^k / (3 5 ... (2 k + 3)),
 * t = s^2, whose terms are all positive; farther out 1 - q = exp(-t / 2) (X(s) + sqrt(2 / pi) s)
 * with X(s) = exp(t / 2) erfc(s / sqrt 2), a smooth function fitted by a Chebyshev interpolant. */
#include "solvers/vortex/kernels/induce.h"

#define ROOT_2_PI ((mote_real)0.79788456080286536) /* sqrt(2 / pi) */

/* From here on (s = 5/4) the series is left, and from FAR on q is 1. */
#define SERIES_END ((mote_real)1.5625)
#ifdef MOTE_DOUBLE
enum { SERIES_TERMS = 16, FIT_TERMS = 26 };
#define MIDDLE ((mote_real)5)
#define HALF   ((mote_real)3.75)
static const mote_real fit[FIT_TERMS] = {
    0x1.3b0fbcb4c7813p-3,  -0x1.b8b39cb2ad35bp-4,  0x1.2af970a30f8adp-4,   -0x1.8a65dd1419b74p-5,
    0x1.fad8c7652980cp-6,  -0x1.3dd010093f6bap-6,  0x1.8583c040b4a8fp-7,   -0x1.d32aa493ff348p-8,
    0x1.127770ae0773bp-8,  -0x1.3c49e1e2ecc86p-9,  0x1.65c55f460f86fp-10,  -0x1.8d9fd6be13190p-11,
    0x1.b2d91986632dap-12, -0x1.d374286601a7ap-13, 0x1.eaa860ec36c1ep-14,  -0x1.0021c4bb9af7ap-14,
    0x1.17dcb099c0060p-15, -0x1.199f9b07ddf0fp-16, 0x1.7c485547f2b69p-18,  -0x1.8866576440998p-19,
    0x1.098096546c763p-18, -0x1.e86602f019ed9p-20, -0x1.5d670ef2527b9p-21, 0x1.25902194fd3b2p-22,
    0x1.af30c22e27221p-22, -0x1.80d2f1512ee71p-23};
enum { EXP_TERMS = 13, MANTISSA_BITS = 52 };
static const mote_real exp_terms[EXP_TERMS] = {1,
                                               1,
                                               0x1p-1,
                                               0x1.5555555555562p-3,
                                               0x1.5555555555559p-5,
                                               0x1.111111110db76p-7,
                                               0x1.6c16c16c14d77p-10,
                                               0x1.a01a01b80226cp-13,
                                               0x1.a01a01adc27e2p-16,
                                               0x1.71dde76ab2f81p-19,
                                               0x1.27e4cc1847a65p-22,
                                               0x1.af785d433f066p-26,
                                               0x1.1f8b43f2637adp-29};
#define ROUNDER 0x1.8p52
#else
enum { SERIES_TERMS = 9, FIT_TERMS = 11 };
#define MIDDLE  ((mote_real)3.5)
#define HALF    ((mote_real)2.25)
static const mote_real fit[FIT_TERMS] = {
    0x1.b396f9cf1e260p-3f,  -0x1.ecc4d3a3319f2p-4f,  0x1.08e8f47bdc11fp-4f, -0x1.102eaa1f0c8efp-5f,
    0x1.0cc44583187a3p-6f,  -0x1.02cf08ca45008p-7f,  0x1.dba51b92adce7p-9f, -0x1.71f9c244d6115p-10f,
    0x1.459355df4e689p-11f, -0x1.ee0f22bf608e0p-12f, 0x1.8e1edfc53773fp-13f};
enum { EXP_TERMS = 7, MANTISSA_BITS = 23 };
static const mote_real exp_terms[EXP_TERMS] = {1,
                                               0x1.000000a1fd6a7p+0f,
                                               0x1.00000028794dfp-1f,
                                               0x1.5554043e289bcp-3f,
                                               0x1.5554ace120b86p-5f,
                                               0x1.126fa6fd6e815p-7f,
                                               0x1.6d7531eae5468p-10f};
#define ROUNDER 0x1.8p23f
#endif

LANES_INLINE Lanes polynomial(const mote_real *terms, int count, Lanes x)
{
    Lanes sum = lanes_all(terms[count - 1]);
    for (int k = count - 2; k >= 0; --k) sum = sum * x + terms[k];
    return sum;
}

/* exp(x) for x in [-80, 0]. */
LANES_INLINE Lanes lanes_exp(Lanes x)
{
    const mote_real log2_e = (mote_real)1.4426950408889634;
    const mote_real ln2_1 = (mote_real)0.693145751953125; /* 16 bits: whole multiples are exact */
    const mote_real ln2_2 = (mote_real)1.4286068203094172e-6;
    Lanes rounded = x * log2_e + ROUNDER, n = rounded - ROUNDER;
    Lanes r = (x - n * ln2_1) - n * ln2_2;
    LaneBits power = (LaneBits)rounded << MANTISSA_BITS;
    return (Lanes)((LaneBits)polynomial(exp_terms, EXP_TERMS, r) + power);
}

typedef struct Gauss {
    Lanes s, t, bell; /* r / core, its square, exp(-t / 2) */
    Lanes tail;       /* X(s), away from the centre */
    LaneBits near;    /* where the series holds */
    Lanes t_near;     /* t there, and something harmless elsewhere */
} Gauss;

LANES_INLINE Gauss gauss(Lanes r2, Lanes core2)
{
    Gauss g;
    const mote_real far = MIDDLE + HALF;
    Lanes t = r2 / core2, one = lanes_all(1);
    g.t = lanes_choose((LaneBits)(t < far * far), t, lanes_all(far * far));
    g.s = lanes_sqrt(g.t);
    g.bell = lanes_exp(g.t / -2);
    g.bell = lanes_choose((LaneBits)(t < far * far), g.bell, lanes_all(0));
    g.near = (LaneBits)(t < SERIES_END);
    g.t_near = lanes_choose(g.near, t, one);
    g.tail = polynomial(fit, FIT_TERMS, (g.s - MIDDLE) / HALF);
    return g;
}

/* sum over k of t^k / (first (first + 2) ... (first + 2 k)). */
LANES_INLINE Lanes series(Lanes t, mote_real first)
{
    Lanes sum = lanes_all(1);
    for (int k = SERIES_TERMS; k >= 1; --k) sum = 1 + sum * t / (first + 2 * (mote_real)k);
    return sum / first;
}

LANES_INLINE Lanes slope_of(Lanes r2, Lanes core2, Lanes *g)
{
    Gauss a = gauss(r2, core2);
    Lanes core3 = core2 * lanes_sqrt(core2), bell = ROOT_2_PI * a.bell;
    Lanes r2_far = lanes_choose(a.near, core2, r2), r3 = r2_far * lanes_sqrt(r2_far);
    Lanes near = bell * series(a.t_near, 3) / core3;
    Lanes far = (1 - (a.bell * a.tail + bell * a.s)) / r3;
    Lanes near_slope = -bell * series(a.t_near, 5) / (core3 * core2);
    Lanes far_slope = (bell / core3 - 3 * far) / r2_far;
    *g = lanes_choose(a.near, near_slope, far_slope);
    return lanes_choose(a.near, near, far);
}

LANES_INLINE Lanes f_of(Lanes r2, Lanes core2)
{
    Lanes unused;
    return slope_of(r2, core2, &unused);
}

/* erf(s / sqrt 2) / r. */
LANES_INLINE Lanes potential_of(Lanes r2, Lanes core2)
{
    Gauss a = gauss(r2, core2);
    Lanes near = ROOT_2_PI * a.bell * series(a.t_near, 1) / lanes_sqrt(core2);
    Lanes far = (1 - a.bell * a.tail) / lanes_sqrt(lanes_choose(a.near, core2, r2));
    return lanes_choose(a.near, near, far);
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_gaussian) =
    CORE_ROW("gaussian", "exp(-s^2 / 2): most accurate, and slow", 1.0579657578292109);
