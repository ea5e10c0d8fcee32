/* What the words of a sum of limbs come to (base/limbs.h): six limbs, and how many numbers were
 * odd. A formula: it includes nothing, and is compiled for the processor and for devices. */
#ifndef BASE_FORMULAS_LIMB_TOTAL_H
#define BASE_FORMULAS_LIMB_TOTAL_H

enum { LIMB_WORDS = 9, LIMB_COUNT = 6 }; /* of a sum: limbs; none, infinite, infinite below 0 */

/* Every limb but the last between 0 and 2^32. */
static inline void limb_carry(int64_t limb[LIMB_COUNT])
{
    for (int k = 0; k + 1 < LIMB_COUNT; ++k) {
        const int64_t low = (int64_t)((uint64_t)limb[k] & 0xffffffffu);
        limb[k + 1] += (limb[k] - low) / ((int64_t)1 << LIMB_BITS);
        limb[k] = low;
    }
}

/* The 64 bits from the highest that is set; the lowest of them stands for all that follow, so that
 * rounding them to a double is rounding the whole. */
static inline double limb_rounded(const uint32_t words[LIMB_COUNT + 1])
{
    int top = LIMB_COUNT;
    uint64_t high = 0, below = 0;
    while (top > 0 && words[top] == 0) --top;
    for (int k = top; k > top - 3; --k) {
        const uint64_t word = k >= 0 ? words[k] : 0;
        if (k > top - 2)
            high = high << LIMB_BITS | word;
        else
            below = word;
    }
    int rest = 0;
    for (int k = 0; k < top - 2; ++k) rest |= words[k] != 0;
    int shift = 0;
    while (shift < LIMB_BITS && high != 0 && high >> 63 == 0) {
        high = high << 1 | (below >> (LIMB_BITS - 1) & 1);
        below = below << 1 & 0xffffffffu;
        ++shift;
    }
    high |= (uint64_t)(below != 0 || rest != 0);
    return ldexp((double)high, LIMB_BITS * (top - 1) - shift + LIMB_LEAST);
}

/* The sum, rounded to nearest. Not a number where one was none, or both infinities were there. */
static inline double limb_total(const int64_t sum[LIMB_WORDS])
{
    int64_t limb[LIMB_COUNT];
    uint32_t words[LIMB_COUNT + 1];
    const int odd = sum[6] > 0, plus = sum[7] > 0, less = sum[8] > 0;
    if (odd || (plus && less)) return (double)NAN;
    if (plus || less) return plus ? HUGE_VAL : -HUGE_VAL;
    for (int k = 0; k < LIMB_COUNT; ++k) limb[k] = sum[k];
    limb_carry(limb);
    const double sign = limb[LIMB_COUNT - 1] < 0 ? -1 : 1;
    for (int k = 0; k < LIMB_COUNT && sign < 0; ++k) limb[k] = -limb[k];
    limb_carry(limb);
    for (int k = 0; k < LIMB_COUNT; ++k) words[k] = (uint32_t)((uint64_t)limb[k] & 0xffffffffu);
    words[LIMB_COUNT] = (uint32_t)((uint64_t)limb[LIMB_COUNT - 1] >> LIMB_BITS);
    return sign * limb_rounded(words);
}

#endif
