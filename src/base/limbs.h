/* Limbs: sums that do not depend on their order.
 *
 * A number is added as an integer, in units of 2^-128, to six words that each hold 32 bits of it.
 * Integers have no rounding, so whoever adds what first, and however a sum was split over threads,
 * ranks or devices, what comes out has the same bits: the exact sum, rounded once. Bits of a number
 * below 2^-128 are dropped, of each number by itself. Numbers of 2^64 and more count as infinite.
 *
 * All of it are whole numbers whose sums are sums: they may be added across machines as they are.
 */
#ifndef BASE_LIMBS_H
#define BASE_LIMBS_H

#include <stddef.h>
#include <stdint.h>

enum { LIMBS = 6, LIMBS_AT_ONCE = 256 };

/* Starts as {.odd = 0}. */
typedef struct Limbs {
    int64_t limb[LIMBS];     /* limb k counts 2^(32 k - 128) */
    int64_t odd, plus, less; /* how many were no numbers, infinite, infinite below 0 */
} Limbs;

/* Adds a number. A limb holds 2^31 of them before limbs_merge must carry what it has too much. */
void limbs_add(Limbs *sum, double number);

/* Adds at most LIMBS_AT_ONCE numbers, several times as fast; they are used up. */
void limbs_add_many(Limbs *sum, double *numbers, size_t count);

/* Adds another sum. */
void limbs_merge(Limbs *sum, const Limbs *other);

/* The sum, rounded to nearest. Not a number where one was none, or both infinities were there. */
double limbs_value(const Limbs *sum);

#endif
