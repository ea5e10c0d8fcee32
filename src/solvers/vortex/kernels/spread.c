/* Pairs of vortons that exchange strength and heat, eight at a time; sums in eight lanes, added up
 * in a fixed order. */
#include "solvers/vortex/spread.h"
#include "solvers/vortex/kernels/eight_exp.h"

typedef struct Weights {
    Eight strength, heat;
} Weights;

/* Over four diameters, as published: the exponent is d^2 / (8 r)^2. */
EIGHT_INLINE Weights published_weights(const SpreadPairs *p, Eight d2, Eight e2, Eight vi, Eight vj)
{
    Eight bell = eight_exp(-d2 / (64 * e2)) * 4 / (vi + vj);
    return (Weights){p->rate * bell, p->heat_rate * bell * vj};
}

/* (2 pi)^(-3/2), over the share of the second moment that is left when the Gaussian is cut at four
 * widths: viscosity is a second moment, and would be 0.7 % too low. */
#define GAUSS ((mote_real)(0.06349363593424098 / 0.993156))

/* Gaussian of width e, cut at four widths. */
EIGHT_INLINE Weights gauss_weights(const SpreadPairs *p, Eight d2, Eight e2, Eight vj)
{
    Eight bell = eight_exp(-d2 / (2 * e2)) * (2 * GAUSS);
    bell = eight_where((EightBits)(d2 < 16 * e2), bell / (e2 * e2 * eight_sqrt(e2)));
    return (Weights){p->rate * bell, p->heat_rate * bell * vj};
}

/* Adds what eight vortons from j on give, those of them that count. */
EIGHT_INLINE void add_eight(const SpreadPairs *p, const Eight own[SPREAD_PLANES], size_t j,
                            EightBits counts, Eight sum[SPREAD_CHANGES])
{
    Eight other[SPREAD_PLANES], d2 = {0};
    for (int k = 0; k < SPREAD_PLANES; ++k) other[k] = eight_load(p->plane[k] + j);
    for (int c = 0; c < 3; ++c) d2 += (own[c] - other[c]) * (own[c] - other[c]);
    Eight e2 = (own[SPREAD_WIDTH2] + other[SPREAD_WIDTH2]) / 2;
    Eight vi = own[SPREAD_VOLUME], vj = other[SPREAD_VOLUME];
    Weights w = p->published ? published_weights(p, d2, e2, vi, vj) : gauss_weights(p, d2, e2, vj);
    w.strength = eight_where(counts, w.strength), w.heat = eight_where(counts, w.heat);
    for (int c = 0; c < 3; ++c)
        sum[c] += w.strength * (vi * other[SPREAD_STRENGTH + c] - vj * own[SPREAD_STRENGTH + c]);
    sum[3] += w.heat * (other[SPREAD_TEMPERATURE] - own[SPREAD_TEMPERATURE]);
}

static void pairs(const SpreadPairs *p, size_t i, const SpreadRun *runs, size_t run_count,
                  mote_real change[SPREAD_CHANGES])
{
    Eight sum[SPREAD_CHANGES] = {{0}}, own[SPREAD_PLANES];
    const Eight lane = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int k = 0; k < SPREAD_PLANES; ++k) own[k] = eight_all(p->plane[k][i]);
    for (size_t r = 0; r < run_count; ++r)
        for (size_t j = runs[r].first; j < runs[r].end; j += 8) {
            EightBits counts = (EightBits)(lane < (mote_real)(runs[r].end - j));
            if (i >= j && i < j + 8) counts &= (EightBits)(lane != (mote_real)(i - j));
            add_eight(p, own, j, counts, sum);
        }
    for (int k = 0; k < SPREAD_CHANGES; ++k) change[k] = eight_sum(sum[k]);
}

const SpreadKernels ISA(vortex_spread_kernels) = {.pairs = pairs};
