/* A number as parts of three neighbouring limbs (base/limbs.h). A formula: it includes nothing, and
 * is compiled for the processor and for devices. */
#ifndef BASE_FORMULAS_LIMB_PARTS_H
#define BASE_FORMULAS_LIMB_PARTS_H

enum { LIMB_BITS = 32, LIMB_FRACTION = 52, LIMB_BIAS = 1023, LIMB_LEAST = -128, LIMB_BEYOND = 64 };

/* LIMB_NONE: it is below what limbs hold; LIMB_ODD: it is not finite, or beyond. */
enum { LIMB_NONE = -1, LIMB_ODD = -2 };

typedef struct LimbParts {
    int first; /* limb of part[0], or one of those above */
    int64_t part[3];
} LimbParts;

static inline LimbParts limb_parts(uint64_t bits)
{
    const uint64_t one = 1, mask = 0xffffffffu;
    const int exponent = (int)(bits >> LIMB_FRACTION & 0x7ff) - LIMB_BIAS;
    const int64_t sign = -(int64_t)(bits >> 63); /* 0 or all ones */
    uint64_t whole = (bits & ((one << LIMB_FRACTION) - 1)) | one << LIMB_FRACTION;
    int at = exponent - LIMB_FRACTION - LIMB_LEAST; /* of its lowest bit */
    LimbParts parts = {exponent >= LIMB_BEYOND ? LIMB_ODD : LIMB_NONE, {0, 0, 0}};
    if (exponent >= LIMB_BEYOND || exponent < LIMB_LEAST) return parts;
    if (at < 0) whole >>= -at, at = 0;
    const int shift = at % LIMB_BITS;
    const uint64_t rest = whole >> (LIMB_BITS - shift);
    parts.first = at / LIMB_BITS;
    parts.part[0] = ((int64_t)(whole << shift & mask) ^ sign) - sign;
    parts.part[1] = ((int64_t)(rest & mask) ^ sign) - sign;
    parts.part[2] = ((int64_t)(rest >> LIMB_BITS) ^ sign) - sign;
    return parts;
}

#endif
