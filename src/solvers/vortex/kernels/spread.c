/* Pairs of vortons that exchange strength and heat, eight at a time; sums in eight lanes, added up
 * in a fixed order. */
#include "solvers/vortex/spread.h"

#include "base/lanes.h"
#include "solvers/vortex/formulas/eight_exp.h"

/* Vortons j to j + 7, the first `count` of them. */
typedef struct Octet {
    uint32_t j, count;
} Octet;

enum { MOST_OCTETS = 32 };

typedef struct Octets {
    Octet octet[MOST_OCTETS + 1];
    Eight bell[MOST_OCTETS + 1]; /* first the exponent, then its exp, then the weight */
    size_t count;
} Octets;

/* Square of the pair's width. (e_p^2 + e_q^2) / 2 is the same from both ends, as antisymmetry asks
 * for. */
EIGHT_INLINE Eight width2(const SpreadPairs *p, size_t i, size_t j)
{
    const mote_real *all = p->plane[SPREAD_WIDTH2];
    return (all[i] + eight_load(all + j)) / 2;
}

EIGHT_INLINE Eight distance2(const SpreadPairs *p, size_t i, size_t j)
{
    Eight d2 = {0};
    for (int c = 0; c < 3; ++c) {
        Eight d = p->plane[c][i] - eight_load(p->plane[c] + j);
        d2 += d * d;
    }
    return d2;
}

/* Over four diameters, as published: the exponent is d^2 / (8 r)^2. Published is omega += 2 rate dt
 * exp(-d^2 / l^2) (omega_q - omega_p) between vortons of one size; of strengths alpha = V omega
 * that is the form below with the mean of the volumes beneath, and it keeps the sum for unequal
 * ones too. */
static void published_bells(const SpreadPairs *p, size_t i, Octets *o)
{
    const mote_real *volume = p->plane[SPREAD_VOLUME];
    for (size_t k = 0; k < o->count; ++k) {
        size_t j = o->octet[k].j;
        o->bell[k] = -distance2(p, i, j) / (64 * width2(p, i, j));
    }
    for (size_t k = 0; k < o->count; ++k) o->bell[k] = eight_exp(o->bell[k]);
    for (size_t k = 0; k < o->count; ++k)
        o->bell[k] = o->bell[k] * 4 / (volume[i] + eight_load(volume + o->octet[k].j));
}

/* (2 pi)^(-3/2), over the share of the second moment that is left when the Gaussian is cut at four
 * widths: viscosity is a second moment, and would be 0.7 % too low. */
#define GAUSS ((mote_real)(0.06349363593424098 / 0.993156))

/* 1 / (2 pi), over the share in two dimensions. */
#define GAUSS_FLAT ((mote_real)(0.15915494309189535 / 0.996981))

/* Gaussian of width e, cut at four widths. 2 / e^2 eta_e: e^5 is below in three dimensions, e^4 in
 * two. */
static void gauss_bells(const SpreadPairs *p, size_t i, Octets *o)
{
    const mote_real gauss = p->flat ? GAUSS_FLAT : GAUSS;
    for (size_t k = 0; k < o->count; ++k) {
        size_t j = o->octet[k].j;
        o->bell[k] = -distance2(p, i, j) / (2 * width2(p, i, j));
    }
    for (size_t k = 0; k < o->count; ++k) o->bell[k] = eight_exp(o->bell[k]);
    for (size_t k = 0; k < o->count; ++k) {
        size_t j = o->octet[k].j;
        Eight e2 = width2(p, i, j), bell = o->bell[k] * (2 * gauss);
        Eight size = p->flat ? e2 * e2 : e2 * e2 * eight_sqrt(e2);
        o->bell[k] = eight_where((EightBits)(distance2(p, i, j) < 16 * e2), bell / size);
    }
}

/* Adds what the octets give. Step by step over all of them: one octet after another would be one
 * long chain of waiting. V_p alpha_q - V_q alpha_p times the weight; of heat V_q (T_q - T_p), so
 * that sum V T stays. */
static void add_octets(const SpreadPairs *p, size_t i, Octets *o, Eight sum[SPREAD_CHANGES])
{
    const Eight lane = {0, 1, 2, 3, 4, 5, 6, 7};
    Eight own[SPREAD_PLANES];
    (p->published ? published_bells : gauss_bells)(p, i, o);
    for (int k = SPREAD_STRENGTH; k < SPREAD_PLANES; ++k) own[k] = eight_all(p->plane[k][i]);
    for (size_t k = 0; k < o->count; ++k) {
        const size_t j = o->octet[k].j;
        mote_real self = (mote_real)((ptrdiff_t)i - (ptrdiff_t)j);
        EightBits counts =
            (EightBits)(lane < (mote_real)o->octet[k].count) & (EightBits)(lane != self);
        Eight vi = own[SPREAD_VOLUME], vj = eight_load(p->plane[SPREAD_VOLUME] + j);
        Eight strength = eight_where(counts, p->rate * o->bell[k]);
        Eight heat = eight_where(counts, p->heat_rate * o->bell[k] * vj);
        for (int c = 0; c < 3; ++c) {
            int plane = SPREAD_STRENGTH + c;
            sum[c] += strength * (vi * eight_load(p->plane[plane] + j) - vj * own[plane]);
        }
        sum[3] += heat * (eight_load(p->plane[SPREAD_TEMPERATURE] + j) - own[SPREAD_TEMPERATURE]);
    }
    o->count = 0;
}

/* Runs are short, and where they end nobody foresees: they are cut first, mostly without a branch.
 */
static void pairs(const SpreadPairs *p, size_t i, const SpreadRun *runs, size_t run_count,
                  mote_real change[SPREAD_CHANGES])
{
    Eight sum[SPREAD_CHANGES];
    Octets octets;
    octets.count = 0;
    for (int k = 0; k < SPREAD_CHANGES; ++k) sum[k] = eight_all(0);
    for (size_t r = 0; r < run_count; ++r) {
        size_t j = runs[r].first, end = runs[r].end;
        do {
            octets.octet[octets.count] = (Octet){(uint32_t)j, (uint32_t)(end - j)};
            octets.count += j < end;
            if (octets.count > MOST_OCTETS) add_octets(p, i, &octets, sum);
            j += 8;
        } while (j < end);
    }
    add_octets(p, i, &octets, sum);
    for (int k = 0; k < SPREAD_CHANGES; ++k) change[k] = eight_sum(sum[k]);
}

const SpreadKernels ISA(vortex_spread_kernels) = {.pairs = pairs};
