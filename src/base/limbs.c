/* Limbs: taking doubles to pieces, carrying, and rounding once. */
#include "base/limbs.h"

#include <math.h>
#include <string.h>

#include "base/formulas/limb_parts.h"

#include "base/formulas/limb_total.h"

enum { FRACTION = LIMB_FRACTION, BIAS = LIMB_BIAS, LEAST = LIMB_LEAST, BEYOND = LIMB_BEYOND };

static void note_odd(Limbs *sum, double number)
{
    if (number > 0)
        ++sum->plus;
    else if (number < 0)
        ++sum->less;
    else
        ++sum->odd;
}

void limbs_add(Limbs *sum, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const LimbParts parts = limb_parts(bits);
    const int k = parts.first;
    if (k == LIMB_ODD) note_odd(sum, number);
    if (k < 0) return;
    sum->limb[k] += parts.part[0];
    sum->limb[k + 1] += parts.part[1];
    if (parts.part[2] != 0) sum->limb[k + 2] += parts.part[2];
}

/* ---- many at once ---- */

/* By slices of 40 bits, the same ones for all: what a number has above the bits of 2^low is rounded
 * off by adding and taking away a number whose last bit that is, and the rest is left for the next
 * slice. A slice of 256 numbers has at most 49 bits: its sum is exact, in any order. */
enum { SLICE = 40, LANES = 8 };

/* 2^exponent. */
static double power(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + BIAS) << FRACTION;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The largest; not below 2^64 where one is no number. */
static double largest_of(const double *numbers, size_t count)
{
    double largest[LANES] = {0}, odd[LANES] = {0}, all = 0, any = 0;
    for (size_t base = 0; base < count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            const double number = numbers[base + l], size = number < 0 ? -number : number;
            largest[l] = size > largest[l] ? size : largest[l];
            odd[l] += number - number;
        }
    for (int l = 0; l < LANES; ++l) {
        all = largest[l] > all ? largest[l] : all;
        any += odd[l];
    }
    return any == 0 ? all : power(BEYOND);
}

/* The slice's sum. Numbers become what is left of them. */
static double take_slice(double *numbers, size_t count, int low)
{
    const double cut = 1.5 * power(FRACTION + low);
    double lanes[LANES] = {0}, sum = 0;
    for (size_t base = 0; base < count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            const double part = (numbers[base + l] + cut) - cut;
            lanes[l] += part;
            numbers[base + l] -= part;
        }
    for (int l = 0; l < LANES; ++l) sum += lanes[l];
    return sum;
}

void limbs_add_many(Limbs *sum, double *numbers, size_t count)
{
    const size_t whole = count / LANES * LANES;
    double left = largest_of(numbers, whole);
    for (size_t i = whole; i < count; ++i) limbs_add(sum, numbers[i]);
    if (!(left < power(BEYOND - 8))) { /* a slice's sum could count as infinite */
        for (size_t i = 0; i < whole; ++i) limbs_add(sum, numbers[i]);
        return;
    }
    for (int low = LEAST + 4 * SLICE; left > 0 && low >= LEAST; low -= SLICE) {
        if (left < power(low - 1)) continue;
        limbs_add(sum, take_slice(numbers, whole, low));
        left = largest_of(numbers, whole);
    }
}

void limbs_merge(Limbs *sum, const Limbs *other)
{
    for (int k = 0; k < LIMBS; ++k) sum->limb[k] += other->limb[k];
    sum->odd += other->odd, sum->plus += other->plus, sum->less += other->less;
    limb_carry(sum->limb);
}

double limbs_value(const Limbs *sum)
{
    int64_t words[LIMB_WORDS];
    memcpy(words, sum, sizeof words);
    return limb_total(words);
}
